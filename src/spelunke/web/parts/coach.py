"""Draw the coach, which shows the value of each move in games against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from markupsafe import Markup

from spelunke.analysis.analysis import SURE, Alternative, Judgement, by_share
from spelunke.boards.markup import NOTHING, escape, flag, hidden, html, join
from spelunke.house.messages import Look
from spelunke.house.study import Advice, FirstLook
from spelunke.web.numbers import write_percent
from spelunke.web.parts.ending import find_people
from spelunke.web.parts.judgement import fold
from spelunke.web.parts.values import (
    UNSEEN,
    render_choice,
    render_standing,
    render_why,
    say_columns,
    say_mixture,
    say_order,
    say_uncertainty,
)
from spelunke.web.words import translate as _

SHOWN = 2
"""The number of reasons that are shown for the best move. The reader can open the others."""
LONG = 90
"""If the first sentence of the coach's bar has more letters than this, the bar has smaller letters."""
AGAIN_S, LATER_S = 1, 3
"""A page that waits for advice asks again after `AGAIN_S` seconds, or after `LATER_S` seconds if the coach is busy."""


def render_coach(look: Look, told: Markup | None = None, *, coached: bool = False) -> Markup:
    """Draw the coach's panel. If no coach may help in this game, draw an empty element.

    ``told`` is the advice to show in place of the introduction. If ``coached``, the page requests advice at each
    decision. The panel stays while others play, so that the page does not move.
    """
    asked = "hint" in look.may
    if not asked and not _has_coach(look):
        return html('<div id="coach"></div>')
    ask = html(
        '<form method="post" action="/t/{0}/hint" hx-post="/t/{0}/hint" hx-swap="none"><button class="button"{2}>{1}</button></form>',
        look.table,
        _("Show what my moves are worth"),
        flag("disabled", not asked),
    )
    return html(
        '<details id="coach" class="panel options coach{steady}" data-kept data-ply="{ply}"{open}><summary class="panel-head">{title}</summary>'
        '<div class="panel-body stack tight">{told}<div class="row">{ask}{stay}</div></div></details>',
        ply=look.ply,
        steady=" steady" if coached else "",
        open=flag("open", told is not None or coached),
        title=_("Coach"),
        ask=NOTHING if coached else ask,
        stay=_render_stay(look, coached=coached),
        told=told if told is not None else _render_start(look, coached=asked and coached),
    )


def _has_coach(look: Look) -> bool:
    """Return whether the coach may help.

    It may if the viewer plays only against bots, the game is not a lesson, and no other table has the same dice and
    cards.
    """
    if look.seat is None or look.status != "playing" or look.lesson is not None or look.shares_chance:
        return False
    return all(seat.kind == "bot" for seat in look.seats if not seat.you)


def _render_stay(look: Look, *, coached: bool) -> Markup:
    """Draw the switch that turns the coach's advice on or off for all decisions.

    Its setting is stored with the person's other data.
    """
    return html(
        '<form method="post" action="/me/coach" hx-post="/t/{table}/coach" hx-swap="none">{place}'
        '<button id="coach-stay" class="button quiet" name="coach" value="{value}" aria-pressed="{pressed}">{label}{on}</button>'
        "</form>",
        table=look.table,
        place=hidden(back=f"/t/{look.table}"),
        value="off" if coached else "on",
        pressed="true" if coached else "false",
        label=_("Coach me at every move"),
        on=html(' <span class="badge lit" aria-hidden="true">{}</span>', _("on")) if coached else NOTHING,
    )


def _render_bar(words: str, why: str = "", *, kind: Literal["move", "guess", "note"] = "move") -> Markup:
    """Draw the bar that a narrow page shows at the bottom of the window: the best move, and a reason.

    The bar has room for two lines, or for three in smaller letters if the move is long. The move comes first, so that
    only the reason is cut off. If `kind` is `guess`, `words` is a sentence with the coach's first guess, which may be
    wrong. The bar shows this sentence less bright than a move, and not in bold. If `kind` is `note`, `words` is a sentence in
    place of the move. The bar repeats the first lines of the coach's panel, so screen readers and the keyboard skip
    the bar.
    """
    tag = {"move": "b", "guess": "i", "note": ""}[kind]
    first = html("<{0}>{1}</{0}>", tag, words) if tag else escape(words)
    return html(
        '<a class="coach-bar{}" href="#coach" tabindex="-1" aria-hidden="true"><span>{}{}</span></a>',
        " long" if len(first.striptags()) > LONG else "",
        first,
        f" {why}" if why else "",
    )


def _render_start(look: Look, *, coached: bool) -> Markup:
    """Draw the coach's introduction. If `coached`, the page requests advice immediately.

    If `coached` and only one move is possible, draw instead a sentence that says so. Then the page requests nothing.
    """
    if coached and is_forced(look):
        return render_forced()
    ask = html(
        '<div id="coach-ask-{ply}" hx-post="/t/{table}/hint" hx-trigger="load" hx-swap="none"></div>',
        ply=look.ply,
        table=look.table,
    )
    purpose = _("The coach says what each of your moves is worth, and why.")
    return html(
        '<div id="coach-told" class="stack tight" role="status">{}<p id="coach-purpose" class="small muted">{}</p>{}</div>',
        _render_bar(purpose, kind="note"),
        purpose,
        ask if coached else NOTHING,
    )


def is_forced(look: Look) -> bool:
    """Return whether the viewer may ask the coach, but has only one move."""
    return "hint" in look.may and len(look.legal) == 1


def render_forced() -> Markup:
    """Draw the coach's sentence for a decision with only one possible move. Such a decision needs no advice."""
    return html(
        '<div id="coach-told" class="stack tight" role="status"><p id="coach-forced" class="small">{}</p></div>',
        _("Only one move is possible."),
    )


def render_thinking(look: Look, first: FirstLook | None = None, *, busy: bool = False) -> Markup:
    """Draw the coach's first guess, without values, because the server is still computing the values.

    The guess may be wrong, so the text calls it a guess, and the page marks no move on the board. If `first` is None,
    draw no advice, but only a note that the coach is computing. The page requests the values every `AGAIN_S` seconds,
    or every `LATER_S` seconds if the coach is `busy` with other positions. When the values are ready, the page shows
    them in place of this advice.
    """
    rows, bar = NOTHING, NOTHING
    heading = _("First guess (still calculating):")
    if first is not None:
        moves = [words or move for move, words in zip(first.moves, first.told, strict=True)]
        why = _leave_out_shared(first.why)
        rows = join(
            html(
                '<li class="an-choice"><span class="an-words">{}</span>{}</li>',
                words,
                render_why(reasons, 0 if place else SHOWN),
            )
            for place, (words, reasons) in enumerate(zip(moves, why, strict=True))
        )
        # Translators: {move} is a whole sentence, such as “Lay the 5 on Chinese 1.”
        guess = _("First guess: {move} Still calculating.").format(move=moves[0])
        if len(moves[0]) > LONG:  # the bar of a low phone has no room for a third line
            guess = _("First guess: {move}").format(move=moves[0])
        if first.alike:
            heading = guess = _("First guess: the moves are equally good. Still calculating.")
        bar = _render_bar(guess, kind="guess")
    waits = (
        _("The coach is busy. It will say what each move is worth as soon as it can. You can go on playing.")
        if busy
        else _("The coach is calculating what each move is worth. You can go on playing.")
    )
    return html(
        '<div id="coach-told" role="status"><div class="stack tight" hx-get="/t/{}/hint" hx-trigger="every {}s" hx-swap="none">'
        '{}{}<p id="coach-waits" class="small muted">{}</p>{}<noscript><p>{}</p></noscript></div></div>',
        look.table,
        LATER_S if busy else AGAIN_S,
        bar or _render_bar(waits, kind="note"),
        html('<h3 class="an-choose guess">{}</h3><ol class="an-choices guess">{}</ol>', heading, rows)
        if rows
        else NOTHING,
        waits,
        NOTHING if busy else html('<progress class="an-bar" aria-label="{}"></progress>', _("Coach")),
        _("Ask again in a moment."),
    )


def render_silence(why: str) -> Markup:
    """Draw the reason why there is no advice."""
    return html(
        '<div id="coach-told" class="stack tight" role="status"><p class="notice bad">{}</p></div>', why
    )


def _explain(advice: Advice) -> Sequence[Sequence[str]]:
    """Return the reasons for and against each move.

    If the best move has reasons against it and none for it, put a sentence before these reasons. The sentence says how
    much worse the second-best move is. Leave the sentence out if the difference is small or uncertain, or if the choice
    is secret, because then no single move is the best.
    """
    if not advice.why:
        return ((),) * len(advice.told)
    first, *others = advice.why
    values = [one.value for one in advice.judgement.alternatives]
    if not advice.doubtful or advice.judgement.secret or len(values) < 2 or values[1].bounded:
        return advice.why
    lost = values[0].chance - values[1].chance
    if lost < max(UNSEEN, SURE * values[1].chance_error):
        return advice.why
    said = (
        _(
            "Despite the reasons against it, this move is the best in the playouts. The second-best move is worse by "
            "{percent}."
        )
        if advice.judgement.gaps
        else _(
            "Despite the reasons against it, this move is the best when everything that can follow is counted. "
            "The second-best move is worse by {percent}."
        )
    )
    return ((said.format(percent=write_percent(100 * lost, 1)), *first), *others)


def _leave_out_shared(why: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return the reasons for each move. Remove each reason of the first move from all other moves.

    The first move keeps all its reasons, in a new order: a reason that the second move also has comes after the others.
    """
    if len(why) < 2:
        return list(why)
    first, *others = why
    begins = sorted(first, key=lambda reason: reason in others[0])
    return [begins, *([reason for reason in one if reason not in first] for one in others)]


def _rank_of(found: Judgement, place: int, one: Alternative) -> Literal["best", "equal", ""]:
    """Return the rank of a move in the coach's list: `best`, `equal` or an empty text.

    The first move is `best`. Another move is `equal` if its loss is below `UNSEEN`, or below the standard error of its
    difference from the best move. In a secret choice, or if the move's value is only an upper bound, it is not `equal`.
    """
    if place == 0:
        return "best"
    if found.secret or one.value.bounded:
        return ""
    lost = found.alternatives[0].value.chance - one.value.chance
    gap = found.gaps[found.alternatives.index(one)] if found.gaps else 0.0
    return "equal" if lost < max(UNSEEN, gap) else ""


def best_of(advice: Advice) -> str:
    """Return the move that the coach marks on the board, or an empty text if there is only one move.

    It is the best move. In a secret choice, it is the move that the best play (a random mixture) chooses most often.
    """
    found = advice.judgement.alternatives
    return by_share(found)[0].move if len(found) > 1 else ""


def render_advice(look: Look, advice: Advice) -> Markup:
    """Draw the advice: each player's chance to win, and each move with its value, the best move first.

    In a secret choice, the best play is a random mixture of moves. Then the most probable of them comes first.
    """
    found = advice.judgement
    best = found.alternatives[0].value
    moves = [one.move for one in found.alternatives]
    own = find_people(look)
    names = [_("You") if own == (seat,) else name for seat, name in enumerate(look.names)]
    told = dict(zip(moves, advice.told, strict=True))
    explained = dict(zip(moves, _explain(advice), strict=True))
    ordered = by_share(found.alternatives)
    words = [told[one.move] or one.move for one in ordered]
    whole = [explained[one.move] for one in ordered]
    why = _leave_out_shared(whole)
    # Reasons against the best move are not shown at once, unless a sentence before them says what outweighs them.
    shown = 0 if advice.doubtful and explained[moves[0]] == advice.why[0] else SHOWN
    rows = [
        render_choice(
            words[place],
            one.value,
            best,
            share=one.share,
            why=why[place],
            shown=0 if place else shown,
            seats=len(look.names),
            rank=_rank_of(found, place, one),
            labelled=place == 0,
        )
        for place, one in enumerate(ordered)
    ]
    order = say_mixture() if found.secret else say_order(found.alternatives)
    notes = (
        _("A reason given for the first move is not repeated for other moves.")
        if list(map(len, why)) != list(map(len, whole))
        else "",
        say_uncertainty(secret=found.secret) if found.gaps else "",
    )
    return html(
        '<div id="coach-told" class="stack tight" role="status" data-move="{}">{}{}{}{}<p id="coach-note" class="small muted">{}{}</p></div>',
        best_of(advice),
        _render_bar(words[0], why=" ".join(why[0][: min(1, shown)])),
        html('<p id="coach-order" class="small">{}</p>', order) if order else NOTHING,
        fold(rows),
        render_standing([v.chance for v in found.values], [v.points for v in found.values], names),
        say_columns(len(look.names)),
        "".join(f" {note}" for note in notes if note),
    )
