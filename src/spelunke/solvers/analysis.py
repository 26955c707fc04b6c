"""Analyse a game (the cost of each decision and the luck of each outcome of chance), or judge a position.

``docs/analysis.md`` explains the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import cast

from spelunke.analysis.analysis import (
    MARKS,
    Alternative,
    Analysis,
    AnyAppraiser,
    Choice,
    Decision,
    Judgement,
    Luck,
    Moment,
    Prospect,
    Total,
    TurningPoint,
    Value,
    mark_of,
    recount,
    risen,
)
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.errors import BadInput
from spelunke.core.kernel import copy
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action, ChanceOutcome, State
from spelunke.games.game import Game
from spelunke.games.match import Match, Ply
from spelunke.solvers.playing import PlayoutAppraiser

SMALL = 0.01
"""The smallest change of a seat's chance to win that makes a ply a turning point."""
Tell = Callable[[int, int], object]
NO_REGRET: Mapping[int, float] = MappingProxyType({})


def appraiser_of(game: Game) -> AnyAppraiser:
    """Return the game's own appraiser. If it has none, return an appraiser that evaluates positions by playouts."""
    appraiser: AnyAppraiser | None = game.hooks.appraiser()
    return appraiser if appraiser is not None else PlayoutAppraiser(game)


def analyse(
    match: Match,
    names: Sequence[str],
    table: str = "",
    tell: Tell = lambda done, of: None,
    appraiser: AnyAppraiser | None = None,
) -> Analysis:
    """Return the analysis of all plies of a match.

    After each ply, call ``tell`` with the number of analysed plies and the number of all plies. ``names`` are the
    players' names by seat. Pass an ``appraiser`` to reuse its cached results; by default, the function makes a new
    one. Raise BadInput for a match without plies.
    """
    game = match.game
    appraiser = appraiser or appraiser_of(game)
    if not match.plies:
        raise BadInput("no move was played, so there is nothing to analyse", "plies")
    found = _Walk(match, appraiser)
    for ply in match.plies:
        found.take(ply)
        tell(ply.number + 1, match.ply)
    found.judge_secret()  # of a game that ended before the last seat had chosen
    found.stand(match.ply)
    return Analysis(
        game=game.name,
        rules=game.version,
        table=table,
        seats=tuple(names),
        method=appraiser.method,
        thresholds={str(mark): least for mark, least in MARKS},
        decisions=tuple(found.decisions),
        luck=tuple(found.luck),
        curve=tuple(found.curve),
        turning_points=_turning_points(found),
        totals=tuple(_total(found, seat, match.outcome) for seat in range(match.seats)),
    )


def judge(match: Match, appraiser: AnyAppraiser | None = None, asked: int | None = None) -> Judgement:
    """Return the judgement of a match's current position: its value, and the values after its possible steps.

    The steps are the moves of the seat to act, or the outcomes of chance. If several seats are to act, judge the
    decision of the seat ``asked``. If ``asked`` is None or may not act, judge the decision of the first seat to act.
    If the appraiser is ``honest``, the judgement of a decision uses only facts that the deciding seat can know.
    """
    game, s = match.game, match.state_at(match.ply)
    appraiser = appraiser or appraiser_of(game)
    seat = OVER if match.over else CHANCE if match.chance else match.actors[0]
    if asked is not None and asked in match.actors:
        seat = asked
    if seat >= 0:
        return _judge_decision(game, appraiser, s, seat)
    prospects: list[Prospect] = []
    if match.chance:
        chances = match.chances()
        whole = sum(weight for _, weight in chances)
        for outcome, weight in chances:
            match.apply_chance(outcome)
            values = appraiser.values(match.state_at(match.ply))
            match.undo()
            prospects.append(Prospect(game.notation.write_chance(outcome), weight / whole, values))
    return Judgement(
        game=game.name,
        part=appraiser.part(s),
        seat=seat,
        values=appraiser.values(s),
        prospects=tuple(sorted(prospects, key=lambda one: -one.share)),
        method=appraiser.method,
    )


def _judge_decision(game: Game, appraiser: AnyAppraiser, s: State, seat: int) -> Judgement:
    found = appraiser.weigh(s, seat)
    choices = _ranked(appraiser, found.choices)
    return Judgement(
        game=game.name,
        part=appraiser.part(s),
        seat=seat,
        values=found.values if appraiser.honest else appraiser.values(s),
        alternatives=tuple(_alternative(game, one) for one in choices),
        method=appraiser.method,
        secret=appraiser.sealed(s),
        gaps=tuple(one.gap for one in choices) if appraiser.honest else (),
    )


def _alternative(game: Game, one: Choice[Action]) -> Alternative:
    return Alternative(game.notation.write(one.action), one.value, one.share)


def _ranked(appraiser: AnyAppraiser, choices: Sequence[Choice[Action]]) -> Sequence[Choice[Action]]:
    """Return the choices in order, the best first.

    An ``honest`` appraiser has already ordered its choices. This order is kept, because the appraiser examined some
    choices more closely than others.
    """
    if appraiser.honest:
        return choices
    return sorted(choices, key=lambda one: (-one.value.chance, -one.value.points))


def rank(choices: Sequence[tuple[Action, Value]]) -> list[tuple[Action, Value]]:
    """Return the choices in order of their chance to win, the best first. If chances are equal, points decide."""
    return sorted(choices, key=lambda choice: (-choice[1].chance, -choice[1].points))


class _Walk:
    """An analysis in progress. It goes through a match ply by ply, and has the results so far."""

    def __init__(self, match: Match, appraiser: AnyAppraiser) -> None:
        self.match = match
        self.appraiser = appraiser
        self.part = 1
        self.decisions: list[Decision] = []
        self.luck: list[Luck] = []
        self.curve: list[Moment] = []
        self.doubts: list[float] = []
        """The doubt in the values of each moment of the curve (:meth:`Appraiser.doubt`)."""
        self._dealt = 0
        """The number of outcomes without luck of their own directly before this ply, such as the cards of a deal.

        The luck of the next outcome includes the luck of these outcomes.
        """
        self._secret: list[Ply] = []
        """The plies of the secret choice in progress."""

    def stand(self, ply: int) -> tuple[Value, ...]:
        """Return each seat's value of the position before a ply. Also append the values to ``curve``."""
        s = self.match.state_at(ply)
        values = self.appraiser.values(s)
        if not self.match.over or ply < self.match.ply:  # the end belongs to the part of the last ply
            self.part = self.appraiser.part(s)
        points, chance = tuple(v.points for v in values), tuple(v.chance for v in values)
        self.curve.append(Moment(ply, self.part, points, chance))
        self.doubts.append(self.appraiser.doubt(s))
        return values

    def take(self, ply: Ply) -> None:
        """Judge a ply. Add the result to the decisions or, for an outcome of chance, to the luck.

        The plies of a secret choice are judged together, after the last of them.
        """
        self.stand(ply.number)
        s = self.match.state_at(ply.number)
        if isinstance(ply.deed, ChanceOutcome):
            number = self.match.game.moves.encode_chance(ply.deed)
            points, chance = self.appraiser.luck(s, number, self.match.state_at(ply.number + 1))
            before = self._dealt if any(points) or any(chance) else 0
            self._dealt = 0 if any(points) or any(chance) else self._dealt + 1
            self.luck.append(Luck(ply.number, self.part, ply.text, points, chance, before))
            return
        self._dealt = 0
        if not self.appraiser.sealed(s):
            self._decide(ply, ply.deed, s)
            return
        self._secret.append(ply)
        if not self.appraiser.sealed(self.match.state_at(ply.number + 1)):
            self.judge_secret(self.appraiser.regret(s, ply.seat, ply.deed))

    def judge_secret(self, regret: Mapping[int, float] = NO_REGRET) -> None:
        """Judge the secret choice in progress, if there is one.

        Only its final version counts: each decision is judged as if nothing had been changed or taken back. ``regret``
        has the regret of each seat, if the choice was revealed.
        """
        if not self._secret:
            return
        final = self._final_plies()
        trial = self.match.match_at(self._secret[0].number)
        self._secret.clear()
        for ply in final:
            action = cast(Action, ply.deed)
            if action in trial.legal(ply.seat):
                self._decide(ply, action, copy(trial.state), regret.get(ply.seat))
                trial.act(ply.seat, action)

    def _final_plies(self) -> list[Ply]:
        """Return the plies of the secret choice in progress, without those that their seat changed or took back."""
        found: list[Ply] = []
        trial = self.match.match_at(self._secret[0].number)
        for ply in self._secret:
            seat, action = ply.seat, cast(Action, ply.deed)
            changes = action not in trial.legal(seat)
            trial.act(seat, action)
            if changes:  # a choice that the seat could make again is not sealed any more
                possible = {*trial.legal(seat), *trial.revisions(seat)}
                found = [one for one in found if one.seat != seat or one.deed not in possible]
            found.append(ply)  # `judge_secret` leaves out a ply that only took a choice back
        return found

    def _decide(self, ply: Ply, action: Action, s: State, regret: float | None = None) -> None:
        """Judge a decision, and add it to the decisions.

        If the appraiser does not know the action, add nothing. ``s`` is the position in which the decision is judged.
        """
        found = self.appraiser.weigh(s, ply.seat, action)
        ranked = _ranked(self.appraiser, found.choices)
        played = next((one for one in ranked if one.action == action), None)
        if played is None:
            return
        best = ranked[0].value
        # The most points and the best chance may belong to different choices; each is compared with its own best.
        most = best.points if self.appraiser.honest else max(one.value.points for one in ranked)
        cost = max(0.0, best.chance - played.value.chance)
        forced = len(ranked) == 1
        self.decisions.append(
            Decision(
                ply=ply.number,
                seat=ply.seat,
                part=self.part,
                played=ply.text,
                alternatives=tuple(_alternative(self.match.game, one) for one in ranked),
                cost_points=max(0.0, most - played.value.points),
                cost_chance=cost,
                forced=forced,
                mark=mark_of(cost, played.gap),
                cost_error=played.gap,
                secret=self.appraiser.sealed(s),
                regret=None if forced else regret,
                values=found.values if self.appraiser.honest else (),
            )
        )


def _turning_points(walk: _Walk) -> tuple[TurningPoint, ...]:
    """Return, for each part (usually a round) of the game, the ply with the largest change in any seat's chance to win.

    Each estimated chance to win is a weighted mean of the result of playouts and an even chance. The weight of the even
    chance is called the doubt (:mod:`.played`). The change from ply to ply is measured as if the doubt stayed the same
    (:func:`risen`). A part of the game has no turning point if no change in it is at least ``SMALL``.
    """
    found: dict[int, TurningPoint] = {}
    doubted = tuple(zip(walk.curve, walk.doubts, strict=True))
    for (before, doubt), (after, doubt_after) in pairwise(doubted):
        gain = risen(before.chance, doubt, after.chance, doubt_after)
        ply = walk.match.plies[before.ply]
        known = found.get(before.part)
        if max(map(abs, gain)) >= max(SMALL, max(map(abs, known.gain)) if known else 0.0):
            found[before.part] = TurningPoint(before.ply, before.part, ply.seat, ply.text, gain)
    return tuple(found[part] for part in sorted(found))


def _total(walk: _Walk, seat: int, outcome: Outcome | None) -> Total:
    luck_points = sum(luck.points[seat] for luck in walk.luck)
    luck_chance = sum(luck.chance[seat] for luck in walk.luck)
    lead = result = None
    if outcome is not None:
        lead = walk.curve[-1].points[seat]  # scores may be games won, or points of which few are good
        result = 1.0 / len(outcome.winners) if seat in outcome.winners else 0.0
    total = Total(
        seat=seat,
        decisions=0,
        forced=0,
        marks={},
        cost_points=0.0,
        cost_chance=0.0,
        luck_points=luck_points,
        luck_chance=luck_chance,
        result_points=lead,
        result=result,
        result_points_without_luck=None if lead is None else lead - luck_points,
        result_without_luck=None if result is None else result - luck_chance,
    )
    return recount(total, walk.decisions)
