"""From a game to its analysis: what each decision cost, how lucky each outcome of chance was (docs/analysis.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spelunke.core.analysis import (
    MARKS,
    Alternative,
    Analysis,
    AnyAppraiser,
    Decision,
    Judgement,
    Luck,
    Moment,
    Prospect,
    Total,
    TurningPoint,
    Value,
    mark_of,
)
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.errors import BadInput
from spelunke.core.game import Game
from spelunke.core.match import Match, Ply
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action

SMALL = 0.01
"""A ply that moves the chance to win by less is no turning point."""
Tell = Callable[[int, int], object]


def appraiser_of(game: Game) -> AnyAppraiser:
    """Who says what the game's positions are worth; raises BadInput where nobody can."""
    appraiser: AnyAppraiser | None = game.hooks.appraiser()
    if appraiser is None:
        raise BadInput(
            f"{game.title} has nothing that judges its positions yet, so it can't be analysed", "game"
        )
    return appraiser


def analyse(
    match: Match,
    names: Sequence[str],
    table: str = "",
    tell: Tell = lambda done, of: None,
    appraiser: AnyAppraiser | None = None,
) -> Analysis:
    """The analysis of all that was played in a match. ``tell`` hears how many of the plies are done.

    ``appraiser``: one that has judged before and still knows what it worked out; else a new one is made. Raises
    BadInput for a game that has none, or a match without a single ply.
    """
    game = match.game
    appraiser = appraiser or appraiser_of(game)
    if not match.plies:
        raise BadInput("nothing was played, so there is nothing to analyse", "plies")
    found = _Walk(match, appraiser)
    for ply in match.plies:
        found.take(ply)
        tell(ply.number + 1, match.ply)
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


def judge(match: Match, appraiser: AnyAppraiser | None = None) -> Judgement:
    """What the position is worth in which a match stands, and what its moves or its chance lead to.

    Raises BadInput for a game that has no appraiser.
    """
    game, s = match.game, match.state_at(match.ply)
    appraiser = appraiser or appraiser_of(game)
    seat = OVER if match.over else CHANCE if match.chance else match.actors[0]
    alternatives: tuple[Alternative, ...] = ()
    prospects: list[Prospect] = []
    if match.chance:
        chances = match.chances()
        whole = sum(weight for _, weight in chances)
        for outcome, weight in chances:
            match.apply_chance(outcome)
            values = appraiser.values(match.state_at(match.ply))
            match.undo()
            prospects.append(Prospect(game.notation.write_chance(outcome), weight / whole, values))
    elif not match.over:
        ranked = rank(appraiser.choices(s, seat))
        alternatives = tuple(Alternative(game.notation.write(action), value) for action, value in ranked)
    return Judgement(
        game=game.name,
        part=appraiser.part(s),
        seat=seat,
        values=appraiser.values(s),
        alternatives=alternatives,
        prospects=tuple(sorted(prospects, key=lambda one: -one.share)),
        method=appraiser.method,
    )


def rank(choices: Sequence[tuple[Action, Value]]) -> list[tuple[Action, Value]]:
    """Choices with the best chance to win first; of equal ones, the one that leads to more points."""
    return sorted(choices, key=lambda choice: (-choice[1].chance, -choice[1].points))


class _Walk:
    """One pass over a match, ply by ply."""

    def __init__(self, match: Match, appraiser: AnyAppraiser) -> None:
        self.match = match
        self.appraiser = appraiser
        self.part = 1
        self.decisions: list[Decision] = []
        self.luck: list[Luck] = []
        self.curve: list[Moment] = []

    def stand(self, ply: int) -> tuple[Value, ...]:
        """Note how it stands before a ply."""
        s = self.match.state_at(ply)
        values = self.appraiser.values(s)
        if not self.match.over or ply < self.match.ply:  # the end belongs to what was played last
            self.part = self.appraiser.part(s)
        points, chance = tuple(v.points for v in values), tuple(v.chance for v in values)
        self.curve.append(Moment(ply, self.part, points, chance))
        return values

    def take(self, ply: Ply) -> None:
        """Note what a ply was: a decision or luck."""
        before = self.stand(ply.number)
        if ply.seat == CHANCE:
            after = self.appraiser.values(self.match.state_at(ply.number + 1))
            points = tuple(a.points - b.points for a, b in zip(after, before, strict=True))
            chance = tuple(a.chance - b.chance for a, b in zip(after, before, strict=True))
            self.luck.append(Luck(ply.number, self.part, ply.text, points, chance))
        else:
            self.decisions.append(self._decide(ply))

    def _decide(self, ply: Ply) -> Decision:
        write = self.match.game.notation.write
        ranked = rank(self.appraiser.choices(self.match.state_at(ply.number), ply.seat))
        best = ranked[0][1]
        played = next(value for action, value in ranked if action == ply.deed)
        # The most points may be elsewhere than the best chance; each is measured against its own best.
        most = max(value.points for _, value in ranked)
        cost = max(0.0, best.chance - played.chance)
        return Decision(
            ply=ply.number,
            seat=ply.seat,
            part=self.part,
            played=ply.text,
            alternatives=tuple(Alternative(write(action), value) for action, value in ranked),
            cost_points=max(0.0, most - played.points),
            cost_chance=cost,
            forced=len(ranked) == 1,
            mark=mark_of(cost),
        )


def _turning_points(walk: _Walk) -> tuple[TurningPoint, ...]:
    """The ply of each part that moved the chances most."""
    found: dict[int, TurningPoint] = {}
    for before, after in zip(walk.curve, walk.curve[1:], strict=False):
        gain = tuple(a - b for a, b in zip(after.chance, before.chance, strict=True))
        ply = walk.match.plies[before.ply]
        known = found.get(before.part)
        if max(map(abs, gain)) >= max(SMALL, max(map(abs, known.gain)) if known else 0.0):
            found[before.part] = TurningPoint(before.ply, before.part, ply.seat, ply.text, gain)
    return tuple(found[part] for part in sorted(found))


def _total(walk: _Walk, seat: int, outcome: Outcome | None) -> Total:
    mine = [decision for decision in walk.decisions if decision.seat == seat]
    free = [decision for decision in mine if not decision.forced]
    luck_points = sum(luck.points[seat] for luck in walk.luck)
    luck_chance = sum(luck.chance[seat] for luck in walk.luck)
    lead = result = None
    if outcome is not None:
        others = [score for other, score in enumerate(outcome.scores) if other != seat]
        lead = outcome.scores[seat] - sum(others) / len(others)
        result = 1.0 / len(outcome.winners) if seat in outcome.winners else 0.0
    return Total(
        seat=seat,
        decisions=len(free),
        forced=len(mine) - len(free),
        marks={str(mark): sum(decision.mark == mark for decision in free) for mark, _ in MARKS},
        cost_points=sum(decision.cost_points for decision in free),
        cost_chance=sum(decision.cost_chance for decision in free),
        luck_points=luck_points,
        luck_chance=luck_chance,
        result_points=lead,
        result=result,
        result_points_without_luck=None if lead is None else lead - luck_points,
        result_without_luck=None if result is None else result - luck_chance,
    )
