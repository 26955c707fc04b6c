"""Draw the analysis of a position, and the chart of the chances to win, on the page of a finished game.

For the other parts about the whole game, see `overview.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

from markupsafe import Markup

from spelunke.analysis.analysis import SURE, Analysis, Decision, Luck, by_share
from spelunke.boards.markup import NOTHING, escape, hidden, html, join
from spelunke.boards.scene import Arrow
from spelunke.house.messages import Replay
from spelunke.house.study import AnalysisLook, Teller
from spelunke.web.numbers import write_number, write_percent
from spelunke.web.parts.begin_analysis import Device, render_begin, render_progress
from spelunke.web.parts.chances import MARKS, render_chances, render_legend, render_sign
from spelunke.web.parts.log import mark_own
from spelunke.web.parts.values import (
    UNSEEN,
    leave_out_same,
    percent,
    render_choice,
    render_player,
    render_standing,
    say_columns,
    say_mixture,
    say_order,
    say_uncertainty,
)
from spelunke.web.words import translate as _

FEW = 5
"""The usual number of alternatives or lucky outcomes to show. The others are in a part that the reader can open."""


class Study:
    """A finished game with its analysis, for the functions that draw the parts of its page.

    ``own`` is true if the reader's device computed the analysis. ``device`` has the addresses that the reader's device
    needs to compute an analysis, or is None if the device should not compute one. ``seeks`` is true if the reader asked
    for the worst error. If the game then has no error to show, the page says so.
    """

    def __init__(
        self,
        replay: Replay,
        look: AnalysisLook,
        teller: Teller,
        href: Callable[[int], str],
        *,
        own: bool = False,
        device: Device | None = None,
        seeks: bool = False,
    ) -> None:
        self.own = own
        self.seeks = seeks
        self.device = device
        self.replay = replay
        self.look = look
        self.teller = teller
        self.href = href

    @property
    def found(self) -> Analysis | None:
        """The analysis, or None until it is done."""
        return self.look.analysis

    @cached_property
    def decision(self) -> Decision | None:
        """The judged decision in the shown position, or None.

        It is None in four cases: there is no analysis, the game is over in this position, chance decided here, or a
        player changed a secret choice here.
        """
        decisions = self.found.decisions if self.found else ()
        return next((one for one in decisions if one.ply == self.replay.ply), None)

    @cached_property
    def luck(self) -> Luck | None:
        """The luck of each seat in the outcome of chance in the shown position, or None.

        It is None in three cases: there is no analysis, the game is over in this position, or a player decided here.
        """
        lucks = self.found.luck if self.found else ()
        return next((one for one in lucks if one.ply == self.replay.ply), None)

    @cached_property
    def errors(self) -> list[Decision]:
        """The decisions that are marked as errors."""
        return [one for one in self.found.decisions if one.mark] if self.found else []

    @cached_property
    def people(self) -> tuple[int, ...]:
        """The seats of all who played on the reader's device. Empty if the reader did not play."""
        return self.teller.find_people(self.replay.seat)

    @cached_property
    def own_errors(self) -> list[Decision]:
        """The errors of all who played on the reader's device. If the reader did not play, all errors.

        Errors that a lesson or a bot made for these players are not among them.
        """
        return [one for one in self.errors if not self.people or self._is_of_people(one)]

    def _is_of_people(self, one: Decision) -> bool:
        return one.seat in self.people and self.teller.is_chosen(one.ply)

    @property
    def reader(self) -> str:
        """The reader's name in sentences. Empty if the reader did not play, or shares the device with other players."""
        return self.name(self.people[0]) if len(self.people) == 1 else ""

    def find_worst(self) -> Decision | None:
        """Return the costliest of the `own_errors`, or None if there are no such errors."""
        return max(self.own_errors, key=lambda one: one.cost_chance, default=None)

    def why(self, one: Decision, move: str) -> tuple[str, ...]:
        """Return the reasons for and against a move (see `_as_told`)."""
        return self._as_told(one, self.teller.why(one.ply, move))

    def why_better(self, one: Decision, most: int) -> tuple[str, ...]:
        """Return at most ``most`` texts: reasons for the better move, then one text with reasons against the played move.

        Leave out reasons against the played move that also speak against the better move.
        """
        kept, drawbacks = self.teller.why_better(one.ply, one.better.move, one.played)
        if drawbacks:
            told = _("Against the played move: {reasons}").format(reasons=" ".join(drawbacks))
            kept = (*kept[: most - 1], told)
        return self._as_told(one, kept[:most])

    def _as_told(self, one: Decision, reasons: tuple[str, ...]) -> tuple[str, ...]:
        """Return reasons as texts for the reader. For readers other than the player who decided, name this player.

        In ``reasons``, “you” is the player who decided.
        """
        told = _("The coach would tell {name}: {reasons}")
        own = not reasons or self.is_own(one)
        return reasons if own else (told.format(name=self.name(one.seat), reasons=" ".join(reasons)),)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The marks for the board in the shown position: the best move, and the played move if it was another move.

        Empty if no decision was judged here, or if there was only one possible move.
        """
        one = self.decision
        if one is None or one.forced:
            return ()
        best, ply = one.advised.move, one.ply
        found = [Arrow("best", self.teller.action(ply, best))]
        if one.played != best:
            found.append(Arrow("played", self.teller.action(ply, one.played)))
        return tuple(found)

    def is_own(self, one: Decision) -> bool:
        """Return whether the reader made this decision.

        Return False if several people share the reader's device, or if a bot or a lesson decided for the reader.
        """
        return len(self.people) == 1 and self._is_of_people(one)

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return self.replay.names[seat]

    def tell_ply(self, ply: int) -> Markup:
        """Return the sentences for the events of a ply. The reader's own name is marked, as in the log."""
        return mark_own(self.teller.ply(ply), self.reader)

    def tell_played(self, one: Decision) -> Markup:
        """Return the move played at a decision, as an instruction if the reader decided, else in sentences."""
        return self.tell_move(one, one.played) if self.is_own(one) else self.tell_ply(one.ply)

    def tell_move(self, one: Decision, move: str) -> Markup:
        """Return a text about a move that was possible in a decision.

        If the decision was the reader's own, the text is an instruction. Otherwise it is a sentence about the player.
        """
        if self.is_own(one):
            return escape(self.teller.to_player(one.ply, move))
        return mark_own(self.teller.move(one.ply, move), self.reader)

    def tell_luck(self, one: Luck) -> Markup:
        """Return a sentence for an outcome of chance. The reader's own name is marked.

        If the outcome is the last card of a hidden deal, its luck is the luck of the whole deal. In this case, add a
        sentence, for example “The luck shown here comes from all 10 cards of the deal together.”
        """
        told = self.teller.ply(one.ply)
        if one.before and self.replay.hides:
            told += " " + _.many(
                "The luck shown here comes from {n} card of the deal.",
                "The luck shown here comes from all {n} cards of the deal together.",
                one.before + 1,
            ).format(n=one.before + 1)
        return mark_own(told, self.reader)

    def round(self, ply: int) -> str:
        """Return the name of the round in which a ply was played."""
        at = bisect_right([begin for begin, _name in self.replay.rounds], ply) - 1
        return (self.replay.rounds[at][1] if at >= 0 else "") or _("Round {n}").format(n=at + 1)


def render_verdict(study: Study) -> Markup:
    """Draw a line above the board, with links to the reader's previous and next error.

    The line says which move is the best in this position, or whom chance favoured if chance decides here. If the reader
    asked for the worst error and there is no error, the line says so. While the game has no analysis, the line
    shows the progress of the analysis instead.
    """
    if study.found is None:
        return render_progress(study.look)
    tone, words = _say_verdict(study)
    errors = [one.ply for one in study.own_errors]
    before = next((ply for ply in reversed(errors) if ply < study.replay.ply), None)
    after = next((ply for ply in errors if ply > study.replay.ply), None)
    ways = join(
        html(
            '<a id="go-error-{}" class="button quiet" href="{}" data-replay-key="{}" aria-keyshortcuts="{}">{}</a>',
            name,
            study.href(ply),
            key,
            key.upper(),
            label,
        )
        if ply is not None
        else html('<span id="go-error-{}" class="button quiet" aria-hidden="true">{}</span>', name, label)
        for name, label, ply, key in (
            ("back", _("The previous error"), before, "p"),
            ("on", _("The next error"), after, "n"),
        )
    )
    return html(
        '<div id="replay-verdict" class="an-verdict {}" tabindex="-1"><p>{}</p><nav class="an-ways" aria-label="{}">{}</nav></div>',
        tone,
        words,
        _("Errors"),
        ways if errors else "",
    )


def _say_verdict(study: Study) -> tuple[str, Markup]:
    one, luck = study.decision, study.luck
    if study.seeks and study.find_worst() is None:
        if study.replay.seat is None:
            return "good", html("{}", _("No move was marked as an error."))
        return "good", html("{}", _("None of your moves was marked as an error."))
    if one is not None and one.forced:
        return "", html("{}", _("There was no other move here."))
    if one is not None:
        best = study.tell_move(one, one.better.move)
        if one.alternatives[0].move == one.played:
            return "good", html("<b>{}</b> {}", _("The best move was played:"), study.tell_played(one))
        if one.cost_chance < max(UNSEEN, SURE * one.cost_error):
            return "good", html("<b>{}</b> {}", _("As good as the best move:"), study.tell_played(one))
        head = (
            html("{} <b>{}</b>", render_sign(one.mark), _(MARKS[one.mark]))
            if one.mark
            else html("<b>{}</b>", _("Not the best"))
        )
        return one.mark, html(
            '{} <span class="num">({})</span>: {} <span class="an-best"><b>{}</b> {}</span>{}',
            head,
            write_percent(-100 * one.cost_chance, 1, sign=True),
            study.tell_played(one),
            _("Better:"),
            best,
            _render_reasons(study, one),
        )
    if luck is not None:
        told = study.tell_luck(luck)
        lucky = max(range(len(luck.chance)), key=lambda seat: luck.chance[seat])
        if luck.chance[lucky] < UNSEEN:
            return "", html("{}", told)
        return "", html(
            "{} {}",
            told,
            _("Luck for {name}: {gain}.").format(
                name=study.name(lucky), gain=percent(luck.chance[lucky], sign=True)
            ),
        )
    return "", html("{}", _("The end of the game."))


def _render_reasons(study: Study, one: Decision) -> Markup:
    """Draw two reasons why the better move is better than the played one. Draw nothing if there was no error."""
    reasons = study.why_better(one, 2) if one.mark else ()
    return html(' <span class="an-reason">{}</span>', " ".join(reasons)) if reasons else NOTHING


def render_position(study: Study) -> Markup:
    """Draw the panel beside the board, with the value of each possible move.

    Without an analysis, draw the button that requests one. If no analysis is possible, or one is being computed, draw
    an empty element.
    """
    look = study.look
    if study.found is None:
        return render_begin(look, study.device)
    body = [_render_standing(study)]
    if study.decision is not None:
        body.append(_render_decision(study, study.decision))
    elif study.luck is not None:
        body.append(_render_luck(study, study.luck))
    return html(
        '<section id="replay-analysis" class="panel an-panel" aria-labelledby="analysis-title"><div class="panel-head"><h2 id="analysis-title">{}</h2></div>'
        '<div class="panel-body stack tight">{}</div></section>',
        _("Analysis"),
        join(body),
    )


def _render_standing(study: Study) -> Markup:
    """Draw each player's chance to win in this position, as a bar and as numbers.

    If the analysis estimated the chances for a decision in this position, draw this estimate. It uses only facts that
    the deciding player could know. Otherwise, draw the estimate from the chart of the game. In an analysis with both
    estimates, a sentence says which one is drawn.
    """
    assert study.found is not None
    one = study.decision
    if one is not None and one.values:
        known = (
            _("Estimated from what you could know here:")
            if study.is_own(one)
            else _("Estimated from what {name} could know here:").format(name=study.name(one.seat))
        )
        points, chance = [v.points for v in one.values], [v.chance for v in one.values]
    else:
        here = next((m for m in study.found.curve if m.ply == study.replay.ply), study.found.curve[-1])
        points, chance = list(here.points), list(here.chance)
        both = any(decision.values for decision in study.found.decisions)
        known = _("Estimated with all cards open, as in the chart:") if both else ""
    said = html('<p class="small muted">{}</p>', known) if known else NOTHING
    return said + render_standing(chance, points, study.replay.names)


def _render_decision(study: Study, one: Decision) -> Markup:
    name, own = study.name(one.seat), study.is_own(one)
    if one.forced:
        choice = _("There was no other move here.") if own else _("{name} had no choice here.")
        return html('<p class="muted">{}</p>', choice.format(name=name))
    words = {each.move: study.tell_move(one, each.move) for each in one.alternatives}
    told = leave_out_same(by_share(one.alternatives), one.played, words)
    rows = [
        render_choice(
            words[alternative.move],
            alternative.value,
            one.alternatives[0].value,
            "played" if alternative.move == one.played else "",
            share=alternative.share,
            why=study.why(one, alternative.move) if place == 0 or alternative.move == one.played else (),
            seats=len(study.replay.names),
        )
        for place, alternative in enumerate(told)
    ]
    first = next(k for k, alternative in enumerate(told) if alternative.move == one.played)
    shown = max(FEW, first + 1) if first < 2 * FEW else FEW
    hidden_rows = rows[shown:]
    more = (
        html(
            '<details class="an-more"><summary>{}</summary><ol class="an-choices" start="{}">{}</ol></details>',
            _.many("{n} more", "{n} more", len(hidden_rows)).format(n=len(hidden_rows)),
            shown + 1,
            join(hidden_rows),
        )
        if hidden_rows
        else ""
    )
    board = html(
        '<a class="button" href="/analysis/{}?table={}&amp;ply={}">{}</a>',
        study.replay.game,
        study.replay.table,
        one.ply,
        _("Analysis board"),
    )
    again = html(
        '<div class="row"><form class="an-again" method="post" action="/t/{table}/play-on">{fields}<button class="button">{again}</button></form>'
        "{board}</div>",
        table=study.replay.table,
        fields=hidden(ply=one.ply, seat=one.seat),
        again=_("Try again from here"),
        board="" if study.replay.hides else board,
    )
    return html(
        '{}<h3 class="an-choose">{}</h3>{}<ol class="an-choices">{}</ol>{}{}{}',
        again,
        _("Your possible moves") if own else _("Possible moves of {name}").format(name=name),
        html('<p class="small">{}</p>', order) if (order := _say_order(one)) else NOTHING,
        join(rows[:shown]),
        more,
        html('<p class="small muted">{}</p>', notes) if (notes := _say_doubts(one)) else NOTHING,
        # The same long text at each move would push the charts out of sight.
        html(
            '<details class="an-more"><summary>{}</summary><p class="small muted">{} {}</p></details>',
            _("What does this mean?"),
            say_columns(len(study.replay.names)),
            _say_how(one),
        ),
    )


def _say_order(one: Decision) -> str:
    """Return sentences about the order of the moves, or an empty text if the best values come first."""
    if one.secret:
        return say_mixture()
    best = one.alternatives[0].value
    return "" if best.exact or best.rank is None else say_order(one.alternatives)


def _say_doubts(one: Decision) -> str:
    """Return sentences that help to read a decision's values, or an empty text if none are needed.

    They can say that the loss of the played move is within the margin of error. After a secret decision, they can also
    say how much more the best move would have been worth in hindsight.
    """
    best = one.alternatives[0].value
    if best.exact:
        return ""
    doubt = _("This loss is within the margin of error and may be no loss at all.")
    if best.rank is None:
        return doubt if one.mark and one.cost_chance < best.chance_error else ""
    told = ""
    if UNSEEN <= one.cost_chance < SURE * one.cost_error:
        told += " " + doubt
    if one.regret is not None:
        told += " " + _(
            "The best move against the others' actual choices would have been worth {regret} more."
        ).format(regret=write_percent(100 * one.regret, 1))
    return told.strip()


def _say_how(one: Decision) -> str:
    """Return sentences that say how exact a decision's values are."""
    best = one.alternatives[0].value
    if best.exact:
        return _("These values are exact: they were computed to the end of the game.")
    if best.rank is None:
        if not best.chance_error:
            return ""  # the error is not known
        return _(
            "In this round, the chances to win shown here are usually wrong by about {chance}, and the points by about {points}."
        ).format(chance=write_percent(100 * best.chance_error, 1), points=write_number(best.points_error))
    if one.secret:
        return say_uncertainty(secret=True)
    return f"{say_uncertainty(secret=False)} " + _(
        "The chart of the game can differ from these values, because it uses all cards, even the hidden ones, and does not assume that the player makes the best move here."
    )


def _render_luck(study: Study, luck: Luck) -> Markup:
    rows = join(
        render_player(seat, study.name(seat), percent(chance, sign=True), points)
        for seat, (chance, points) in enumerate(zip(luck.chance, luck.points, strict=True))
    )
    return html(
        '<h3 class="an-choose">{}</h3><p>{}</p><ul class="an-standing" aria-label="{}">{}</ul>',
        _("Chance decides"),
        study.tell_luck(luck),
        _("Luck of each player, in chance to win and in points"),
        rows,
    )


def render_curve(study: Study) -> Markup:
    """Draw the chart of the chances to win. If there is no analysis, draw an empty element."""
    if study.found is None:
        return html('<div id="replay-chances"></div>')
    label = _("{name}'s chances to win (%)").format(name=study.name(0))
    return html(
        '<div id="replay-chances" class="panel replay-chart"><h2 class="an-title">{}</h2>{}{}</div>',
        label if len(study.replay.names) == 2 else _("Chances to win (%)"),
        render_chances(
            study.found, [at for at, _name in study.replay.rounds], study.replay.ply, study.href, label
        ),
        render_legend({one.mark for one in study.errors}),
    )
