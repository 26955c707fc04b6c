"""Let a reader's browser run the playouts of an analysis (docs/why/native.md).

The appraiser goes through the game twice. The first time, :class:`Planner` records the playouts that the analysis
needs, and the reader's browser runs them (``web/static/judge.js``). The second time, :class:`Answers` reads the
results, and the appraiser makes the analysis from them. Each playout begins with a line: a sequence of actions and
outcomes of chance. The appraiser alone decides which lines the browser plays out. From the playouts, the browser
computes means, errors and mixtures as :mod:`.played` and :mod:`.secret` do.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from spelunke.analysis.analysis import Analysis
from spelunke.analysis.playouts import Budget, Steps
from spelunke.core.errors import BadInput
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse
from spelunke.solvers.played import Played, Reals
from spelunke.solvers.players import Job, choose_again
from spelunke.solvers.playing import PlayoutAppraiser
from spelunke.solvers.secret import Settled

MOST_POINTS = 1e6
SLIGHT = 0.001
"""The most by which a sum of probabilities may differ from 1, because numbers have 32 bits."""


class Pass(msgspec.Struct, frozen=True):
    """The settings of some playouts: all fields of a :class:`.players.Job` except its lines.

    ``number`` is the seed of chance. It is a text, because integers in JavaScript are exact only up to 53 bits.
    """

    worlds: tuple[bytes, ...]
    number: str
    games: int
    parts: int
    knower: int


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a method of :class:`.players.Player`, with its arguments.

    The method is ``play_twice`` if ``last`` is given, ``settle`` if ``seats`` are given, and otherwise ``play``. A task
    for ``settle`` has ``sequences`` instead of ``lines``. Each line is a flat list, with two numbers for each step: the
    seat or CHANCE, and the action or outcome.
    """

    first: Pass
    lines: tuple[tuple[int, ...], ...] = ()
    seat: int = -1
    last: Pass | None = None
    keep: int = 0
    played: int = -1
    seats: tuple[int, ...] = ()
    sequences: tuple[tuple[Steps, ...], ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """The tasks of an analysis. The browser returns their results as 32-bit real numbers, in the order of the tasks."""

    tasks: tuple[Task, ...]


def can_play_elsewhere(game: Game) -> bool:
    """Return whether it is possible and useful to run the playouts of a game's analyses in a browser.

    It is impossible if the game has its own appraiser. It is of little use if the game's hook ``playouts`` sets
    ``foresees``. Then the luck of each roll or deal and the chart of the game come from the forecast alone, and an
    analysis needs playouts only to value decisions. For so few playouts, the server would save little time, because
    it still has to plan them (docs/why/native.md).
    """
    return game.hooks.appraiser() is None and not game.hooks.playouts().foresees


def plan_analysis(match: Match, budget: Budget | None = None) -> Plan:
    """Return the playouts that the analysis of a match needs. Raise BadInput for a match without plies."""
    planner = Planner(match)
    analyse(match, [""] * match.seats, appraiser=PlayoutAppraiser(match.game, budget, player=planner))
    return Plan(tuple(planner.tasks))


def finish_analysis(
    match: Match, names: Sequence[str], table: str, results: bytes, budget: Budget | None = None
) -> Analysis:
    """Return the analysis of a match. ``results`` are the browser's results for the plan of this match.

    Pass the same ``budget`` as in the call of :func:`plan_analysis` that made the plan. Raise BadInput if ``results``
    can't be the results of this plan.
    """
    if len(results) % 4:
        raise BadInput("results are numbers of 4 bytes", "results")
    answers = Answers(match, np.frombuffer(results, "<f4").astype(np.float64))
    found = analyse(match, names, table, appraiser=PlayoutAppraiser(match.game, budget, player=answers))
    answers.end()
    return found


class Planner:
    """A :class:`.players.Player` that runs no playouts, but only records its calls in ``tasks``.

    Its results have no meaning. They are the same for every line.
    """

    def __init__(self, match: Match) -> None:
        self.tasks: list[Task] = []
        self._seats = max(match.game.seats)
        self._seated = match.seats

    def play(self, job: Job, seat: int = -1) -> Played:
        """Record a call of :meth:`.players.Player.play`. Return a result without meaning."""
        self.tasks.append(Task(_pass(job), _lines(job), seat))
        return self._nothing(job, len(job.lines), seat)

    def play_twice(
        self, first: Job, last: Job, seat: int, keep: int, played: int
    ) -> tuple[Played, list[int], Played]:
        """Record a call of :meth:`.players.Player.play_twice`. Return a result without meaning."""
        self.tasks.append(Task(_pass(first), _lines(first), seat, _pass(last), keep, played))
        found = self._nothing(first, len(first.lines), seat)
        again = choose_again(found, seat, keep, played)
        return found, again, self._nothing(last, len(again), seat)

    def settle(self, job: Job, seats: tuple[int, ...], sequences: tuple[tuple[Steps, ...], ...]) -> Settled:
        """Record a call of :meth:`.players.Player.settle`. Return a result without meaning."""
        self.tasks.append(Task(_pass(job), seats=seats, sequences=sequences))
        sizes = [len(mine) for mine in sequences]
        return Settled(
            mixtures=tuple(np.full(n, 1.0 / n) for n in sizes),
            values=tuple(np.zeros((n, 3)) for n in sizes),
            errors=tuple(np.zeros((n, 2)) for n in sizes),
            gaps=tuple(np.zeros((n, n)) for n in sizes),
            stand=self._even(1)[0],
            deciders=0,
        )

    def _even(self, lines: int) -> Reals:
        """Return an array with points, chance to win and rank of each seat after each line.

        The numbers are those of a game without points in which all seats share the first rank.
        """
        found = np.zeros((lines, self._seats, 3))
        found[:, : self._seated] = [0.0, 1.0 / self._seated, 1.0]
        return found

    def _nothing(self, job: Job, lines: int, seat: int) -> Played:
        means = self._even(lines)
        alike = np.ones((lines, self._seats), np.bool_)
        apart = np.zeros((lines, lines, 2) if seat >= 0 else (0, 0, 2))
        return Played(means, np.zeros_like(means), alike, apart, np.zeros(lines, np.int16), job.games, seat)


class Answers:
    """A :class:`.players.Player` that runs no playouts, but reads the browser's results for the tasks of a plan.

    Call its methods in the order of the plan's tasks. Each method raises BadInput if a result is impossible.
    """

    def __init__(self, match: Match, numbers: Reals) -> None:
        self._numbers = numbers
        self._at = 0
        self._seats = max(match.game.seats)
        self._seated = match.seats
        if not np.all(np.isfinite(numbers)):
            raise _damaged()

    def play(self, job: Job, seat: int = -1) -> Played:
        """Return the browser's result for this call of :meth:`.players.Player.play`."""
        return self._played(len(job.lines), job.games, seat)

    def play_twice(
        self, first: Job, last: Job, seat: int, keep: int, played: int
    ) -> tuple[Played, list[int], Played]:
        """Return the browser's result for this call of :meth:`.players.Player.play_twice`."""
        found = self._played(len(first.lines), first.games, seat)
        again = choose_again(found, seat, keep, played)
        return found, again, self._played(len(again), last.games, seat)

    def settle(self, job: Job, seats: tuple[int, ...], sequences: tuple[tuple[Steps, ...], ...]) -> Settled:
        """Return the browser's result for this call of :meth:`.players.Player.settle`."""
        deciders = int(self._take(within=(0, 2**15 - 1)))
        stand = self._payoffs(self._seats)
        self._check_seats(stand)
        mixtures, values, errors, gaps = [], [], [], []
        for mine in sequences:
            mix = self._take(len(mine), within=(0.0, 1.0))
            if abs(mix.sum() - 1.0) > SLIGHT:
                raise _damaged()
            mixtures.append(mix)
            values.append(self._payoffs(len(mine)))
            errors.append(self._take(len(mine), 2, within=(0.0, MOST_POINTS)))
            gaps.append(self._take(len(mine), len(mine), within=(0.0, 1.0)))
        return Settled(tuple(mixtures), tuple(values), tuple(errors), tuple(gaps), stand, deciders)

    def end(self) -> None:
        """Raise BadInput if the results have more numbers than the tasks needed."""
        if self._at != len(self._numbers):
            raise _damaged()

    def _played(self, lines: int, games: int, seat: int) -> Played:
        left = self._take(lines, within=(0, 2**15 - 1)).astype(np.int16)
        means = self._payoffs(lines, self._seats)
        self._check_seats(means)
        errors = self._take(lines, self._seats, 3, within=(0.0, MOST_POINTS))
        alike = self._take(lines, self._seats, within=(0, 1)) > 0
        apart = np.zeros((lines, lines, 2) if seat >= 0 else (0, 0, 2))
        above = np.triu_indices(len(apart), 1)
        apart[above] = self._take(len(above[0]), 2, within=(0.0, MOST_POINTS))
        return Played(means, errors, alike, apart + apart.swapaxes(0, 1), left, games, seat)

    def _payoffs(self, *shape: int) -> Reals:
        found = self._take(*shape, 3, within=(-MOST_POINTS, MOST_POINTS))
        chances, places = found[..., 1], found[..., 2]
        if min(chances.min(), places.min()) < 0 or chances.max() > 1.01 or places.max() > self._seats + 0.01:
            raise _damaged()
        return found

    def _check_seats(self, payoffs: Reals) -> None:
        """Raise BadInput unless the seats of the match have a rank and all other seats have none (0)."""
        if not np.array_equal(payoffs[..., 2] > 0, self._seated_in(payoffs)):
            raise _damaged()

    def _seated_in(self, payoffs: Reals) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.broadcast_to(np.arange(self._seats) < self._seated, payoffs.shape[:-1])

    def _take(self, *shape: int, within: tuple[float, float]) -> Reals:
        """Return the next numbers as an array of this shape.

        Raise BadInput if there are too few numbers, or if one of them is not between the bounds ``within``.
        """
        count = int(np.prod(shape))
        found = self._numbers[self._at : self._at + count]
        self._at += count
        if len(found) < count or (count and (found.min() < within[0] or found.max() > within[1])):
            raise _damaged()
        return found.reshape(shape)


def _damaged() -> BadInput:
    return BadInput("these are not the results of this game's playouts", "results")


def _pass(job: Job) -> Pass:
    worlds = tuple(world.tobytes() for world in job.worlds)
    return Pass(worlds, str(job.number), job.games, job.parts, job.knower)


def _lines(job: Job) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(number for step in line for number in step) for line in job.lines)
