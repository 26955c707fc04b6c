"""Draw the values of a position or a choice: chance to win, points, and loss compared with the best choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from markupsafe import Markup

from spelunke.analysis.analysis import Alternative, Value, ahead
from spelunke.boards.markup import NOTHING, html, join
from spelunke.web.numbers import write_number, write_percent
from spelunke.web.words import tongue_of
from spelunke.web.words import translate as _

UNSEEN = 0.0005
"""The smallest difference between two chances (from 0 to 1) that is shown."""


def percent(chance: float, *, sign: bool = False) -> str:
    """Return a chance from 0 to 1 in percent.

    If ``sign``, ``chance`` is the difference of two chances, from -1 to 1, and the text begins with its sign.
    """
    return (
        write_percent(100 * chance, 1, sign=True) if sign else write_percent(100 * min(1.0, max(0.0, chance)))
    )


def say_method(method: str) -> str:
    """Return the translated description of an analysis's method. The text is from the server or from a game."""
    return _(tongue_of().games(method))


def signed(value: float) -> str:
    """Return a number with its sign, to one decimal place."""
    return write_number(value, sign=True)


def signed_points(value: float) -> str:
    """Return a number of points with its sign and its unit, such as “+2.5 pts”."""
    # Translators: {value} is a number, such as “+2.5”. “pts” is short for “points”.
    return _("{value} pts").format(value=signed(value))


def signed_wins(value: float) -> str:
    """Return a number of wins gained or lost, with its sign, to two decimal places.

    For example, two gains of 0.25 in the chance to win count as 0.5 wins.
    """
    return write_number(value, 2, sign=True)


def render_bar(chances: Sequence[float]) -> Markup:
    """Draw one bar that is divided according to the players' chances to win."""
    whole = sum(max(0.0, chance) for chance in chances) or 1.0
    at, parts = 0.0, []
    for seat, chance in enumerate(chances):
        wide = 100 * max(0.0, chance) / whole
        parts.append(
            html('<rect class="s{}" x="{}" y="0" width="{}" height="6"/>', seat, f"{at:.1f}", f"{wide:.1f}")
        )
        at += wide
    return html(
        '<svg class="chart an-chances" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">{}{}</svg>',
        join(parts),
        html('<path class="half" d="M50 0V6"/>') if len(chances) == 2 else "",
    )


def render_player(seat: int, name: str, chance: str, points: float) -> Markup:
    """Draw a line of a list of players: the name, a chance to win, and points."""
    return html(
        '<li class="s{}"><span class="an-who">{}</span> <b class="num">{}</b> <span class="num muted">{}</span></li>',
        seat,
        name,
        chance,
        signed_points(points),
    )


def render_standing(chances: Sequence[float], points: Sequence[float], names: Sequence[str]) -> Markup:
    """Draw the chances of all players as one bar, and a list of names, chances and expected leads in points.

    ``points`` has each player's lead over the average of the other players. The list shows each player's lead over the
    best other player.
    """
    rows = join(
        render_player(seat, names[seat], percent(chance), lead)
        for seat, (chance, lead) in enumerate(zip(chances, ahead(points), strict=True))
    )
    return html(
        '{}<ul class="an-standing" aria-label="{}">{}</ul>',
        render_bar(chances),
        _("Chance to win, and expected lead in points over the best other player"),
        rows,
    )


def render_choice(
    words: object,
    value: Value,
    best: Value,
    kind: str = "",
    label: str = "",
    share: float | None = None,
    why: Sequence[str] = (),
    shown: int | None = None,
    *,
    seats: int = 2,
    rank: Literal["best", "equal", ""] | None = None,
    labelled: bool = False,
) -> Markup:
    """Draw one possible move: its name, its chance to win, its lead in points, and its loss against the best move.

    For more than two ``seats``, leave out the lead. The value of a move has only the lead over the average of the other
    players, but pages show leads over the best other player.

    If ``kind`` is ``played``, the move gets a mark with the text ``label``, by default “played”. ``why`` has the
    reasons for and against the move (for ``shown``, see `render_why`). If the best play is random, ``share`` is the
    probability (0 to 1) with which the best play chooses the move.

    If ``rank`` is ``best``, draw the move as the best one. If it is ``equal``, write “about equal” in place of the
    loss. Without a rank, draw every move that loses nothing as the best one. If ``labelled``, write “Chance to win”
    before the chance.
    """
    lost = best.chance - value.chance
    if rank is None:
        rank = "best" if lost < UNSEEN else ""
    worse = lost >= UNSEEN and not value.bounded and rank != "equal"
    tag = html(' <span class="badge lit">{}</span>', label or _("played")) if kind == "played" else ""
    return html(
        '<li class="an-choice {kind}{best}"><span class="an-words">{words}{tag}</span><span class="an-value"><b class="num">{chance}</b> '
        '<span class="num muted">{points}</span>{lost}</span>{why}{share}</li>',
        kind=kind,
        best=" best" if rank == "best" else "",
        words=words,
        tag=tag,
        why=render_why(why, shown),
        share="" if share is None else render_share(share),
        chance=html('<small class="muted">{}</small> {}', _("Chance to win"), _say_chance(value))
        if labelled
        else _say_chance(value),
        points=signed_points(value.points) if seats == 2 and not value.bounded else "",
        lost=html(' <span class="num an-lost">{}</span>', write_percent(-100 * lost, 1, sign=True))
        if worse
        else html(' <span class="an-equal">{}</span>', _("about equal"))
        if rank == "equal"
        else "",
    )


def leave_out_same(
    alternatives: Sequence[Alternative], played: str, words: Mapping[str, str]
) -> list[Alternative]:
    """Return the alternatives, but only one of those with the same sentence and the same values.

    For example, two trick cards can have the same effect. Of such alternatives, keep the one that was played, or else
    the first. `words` has the sentence for each move text.
    """
    kept: dict[object, Alternative] = {}
    for each in alternatives:
        look = (words[each.move], _say_chance(each.value), signed_points(each.value.points), each.share)
        if look not in kept or each.move == played:
            kept[look] = each
    return list(kept.values())


def render_why(why: Sequence[str], shown: int | None = None) -> Markup:
    """Draw the reasons for and against a move: the first ``shown``, by default all. The reader can open the rest."""
    first, others = " ".join(why[:shown]), " ".join(why[len(why[:shown]) :])
    more = _("More reasons") if first else _("Reasons")
    return html(
        "{}{}",
        html('<span class="an-why">{}</span>', first) if first else NOTHING,
        html('<details class="an-why"><summary>{}</summary>{}</details>', more, others)
        if others
        else NOTHING,
    )


def _say_chance(value: Value) -> str:
    """Return a chance to win in percent. Add the margin of error of an estimate, if it is known.

    If the value is only an upper bound (`bounded`), the text says so. If all playouts ended alike, the margin would be
    0.0 % and look like certainty, so the text says “about”.
    """
    chance = 100 * min(1.0, max(0.0, value.chance))
    if value.bounded:
        return _("at most {chance}").format(chance=write_percent(chance, 1))
    if value.exact or value.rank is None:
        return write_percent(chance, 1)
    if value.chance_error < UNSEEN:
        return _("about {chance}").format(chance=write_percent(chance, 1))
    return f"{write_number(chance)} \N{PLUS-MINUS SIGN} {write_percent(100 * value.chance_error, 1)}"


def render_share(share: float) -> Markup:
    """Draw the probability (0 to 1) with which the best play chooses a move, as a bar and as a number."""
    return html(
        '<span class="an-share"><svg class="an-mix" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="all" width="100" height="6"/><rect class="part" width="{}" height="6"/></svg>'
        '<span class="num">{}</span></span>',
        f"{100 * share:.0f}",
        _("in {n} of 100 cases").format(n=round(100 * share)),
    )


def say_uncertainty(*, secret: bool) -> str:
    """Return sentences that explain how the values were estimated and how certain they are."""
    told = _(
        "The values are estimates from playouts: quick continuations of the game from this position. A playout uses only what the player could see, and deals the hidden cards again at random. The number after ± is only the statistical error of the playouts. The estimate can be wrong by more than this number, because nobody plays exactly like a playout. So the value can change from one position to the next even if nothing was rolled or drawn between them. Weaker moves were tried less often."
    )
    if secret:
        told += " " + _(
            "The values assume that the other players, too, choose each card with the probability that is best for them."
        )
    return told


def say_order(alternatives: Sequence[Alternative]) -> str:
    """Return sentences that explain why the first alternative does not have the highest chance to win.

    If no other alternative has a higher chance, return an empty text. The alternatives must not be those of a secret
    choice.
    """
    first, *others = (one.value.chance for one in alternatives if not one.value.bounded)
    if max(others, default=0.0) - first < UNSEEN:
        return ""
    return _("The best moves differ by less than the margin of error. The safer move comes first.")


def say_mixture() -> str:
    """Return sentences that explain the bars in a secret choice, which show how often to play each move."""
    return _(
        "All players choose at the same time, so several cards may be right. The bars show how often to play each card."
    )


def say_columns(seats: int) -> str:
    """Return the explanation of the numbers beside the moves.

    For more than two seats, also explain the numbers beside the players.
    """
    if seats == 2:
        return _(
            "For each move: chance to win, expected lead in points, and loss compared with the best move (in percentage points of the chance to win)."
        )
    return _(
        "For each player: chance to win, and expected lead in points over the best other player. For each move: chance to win, and loss compared with the best move."
    )
