"""An analyst for tests that takes no time. Its analyses are made up, but have the right form.

Only two things are real: the plans of work for readers' devices, and the analyses made from the devices' results.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from spelunke.analysis.analysis import Analysis, Appraiser, Judgement, Value
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.house.plan import Plan
from spelunke.records.position import parse_position
from spelunke.records.record import parse_record
from spelunke.records.replay import replay
from spelunke.solvers.analysis import analyse, judge
from spelunke.solvers.elsewhere import finish_analysis, pack_plan

STEP = 0.03
"""The loss of chance to win from each alternative to the next."""


class Guesser(Appraiser[Any, Any]):
    """An appraiser that ranks the legal actions by their order: the first is the best, the last is the worst.

    The values of a finished game are its result.
    """

    method = "Guessed, for a test."

    def __init__(self, game: Game, seats: int) -> None:
        self._game = game
        self._seats = seats

    def part(self, s: Any) -> int:
        return 1 + self._game.hooks.rounds_done(s)

    def values(self, s: Any) -> tuple[Value, ...]:
        outcome = Match(self._game, self._seats, state=s).outcome
        if outcome is not None:
            mean, sign = sum(outcome.scores) / self._seats, 1
            if outcome.scores[outcome.winners[0]] < max(outcome.scores):  # in some games few points are good
                sign = -1
            scale = sign * self._seats / (self._seats - 1)  # leads are over the average of the other seats
            wins = [(seat in outcome.winners) / len(outcome.winners) for seat in range(self._seats)]
            return tuple(
                Value(scale * (mine - mean), win) for mine, win in zip(outcome.scores, wins, strict=True)
            )
        ahead = sum(s.tobytes()) % 41 - 20
        others = Value(float(-ahead), 0.5 - ahead / 100)
        return Value(float(ahead), 0.5 + ahead / 100), *[others] * (self._seats - 1)

    def choices(self, s: Any, seat: int) -> Sequence[tuple[Any, Value]]:
        legal = Match(self._game, state=s).legal(seat)
        return [(action, Value(-k / 2, 0.5 - STEP * k)) for k, action in enumerate(legal)]


class FakeAnalyst:
    """An analyst that answers at once, or when the test allows it, and counts the requests."""

    def __init__(self) -> None:
        self.games = 0
        self.positions = 0
        self.plans = 0
        self.finished = 0
        self.closed = False
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.tell: Callable[[int, int], object] = lambda done, of: None

    def analyse(self, record: bytes, tell: Callable[[int, int], object]) -> Analysis:
        found = parse_record(record)
        match = replay(found)
        self.tell = tell
        tell(1, match.ply)
        self.games += 1
        self.may_go_on.wait(10)
        names = [seat.name for seat in found.seats]
        return analyse(match, names, found.table, tell, Guesser(match.game, match.seats))

    def judge(self, position: bytes, seat: int | None = None) -> Judgement:
        self.positions += 1
        self.may_go_on.wait(10)
        match = parse_position(position)
        return judge(match, Guesser(match.game, match.seats), seat)

    def plan(self, record: bytes) -> bytes:
        self.plans += 1
        self.may_go_on.wait(10)
        return pack_plan(replay(parse_record(record)))

    def finish(self, record: bytes, results: bytes) -> Analysis:
        self.finished += 1
        found = parse_record(record)
        return finish_analysis(replay(found), [seat.name for seat in found.seats], found.table, results)

    def close(self) -> None:
        self.closed = True
        self.may_go_on.set()


def begin(house: Any, game: str) -> tuple[str, list[str]]:
    """Return a game that has just begun, and its people. It has two seats, or the fewest that the game allows."""
    names = ("Anna", "Ben", "Carla")[: max(2, min(find_game(game).seats))]
    anna, *others = people = [house.people.create(name).id for name in names]
    table = house.lobby.create(anna, Plan(game=game, seats=("me", *["open"] * len(others))))
    for person in others:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    return table, people


def finish(house: Any, game: str = "shanghaien", acts: int = 6) -> tuple[str, str]:
    """Return a game that ended after ``acts`` random actions, and its first person.

    It has as many seats as a game of `begin`. If there are two seats, the first person resigned.
    """
    table, people = begin(house, game)
    chooser = random.Random(5)
    for k in range(acts):
        for who in people:
            look = house.looks.look(table, who, since=1 << 30)
            if look.legal:
                house.play.act(table, who, chooser.choice(look.legal)[1], look.ply, f"key-{k:06d}")
                break
    if len(people) == 2:
        house.play.resign(table, people[0], "give-it-up")
    else:  # with more seats, a bot would play on
        house.play.call_off(table, lambda connection: None)
    return table, people[0]
