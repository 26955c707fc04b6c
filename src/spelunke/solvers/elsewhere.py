"""Let a reader's browser run the playouts of an analysis (docs/why/native.md).

The appraiser goes through the game twice. The first time, :class:`Planner` records the playouts that the analysis
needs, and the reader's browser runs them (``web/static/judge.js``). The second time, :class:`Answers` reads the
results, and the appraiser makes the analysis from them. Each playout begins with a line: a sequence of actions and
outcomes of chance. The appraiser alone decides which lines the browser plays out. From the playouts, the browser
computes means, errors and mixtures as :mod:`.played` and :mod:`.secret` do.

A game with its own appraiser may have its own tasks instead (the hook ``device_appraiser``).
"""

from __future__ import annotations

import gzip
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
from spelunke.solvers.players import Job, LocalPlayer, choose_again
from spelunke.solvers.playing import PlayoutAppraiser
from spelunke.solvers.secret import Settled

MOST_POINTS = 1e6
MOST_RESULTS = 2_000_000
"""The maximum size of the results of one game, in bytes. The server itself analyses a game with larger results."""
KINDS = 3
"""The number of results for a seat: its lead in points, its chance to win and its place."""
NUMBER = 4
"""The size of a number in the results, in bytes."""
PLAN_GZIP = 6
"""The level of gzip for plans. At this level, 2.8 MB are compressed to 58 kB in 13 ms."""
SLIGHT = 0.001
"""The maximum difference between a sum of probabilities and 1.

The probabilities in the results are rounded to 32-bit numbers, so their sum is seldom exactly 1.
"""


class Pass(msgspec.Struct, frozen=True):
    """The settings of some playouts: all fields of a :class:`.players.Job` except its lines.

    ``worlds`` are indices of states in the field ``worlds`` of the :class:`Plan`. ``number`` is the seed of chance. It
    is a text, because integers in JavaScript are exact only up to 53 bits.
    """

    worlds: tuple[int, ...]
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
    """The tasks of an analysis. The browser returns their results as 32-bit real numbers, in the order of the tasks.

    ``worlds`` has the states in which playouts begin. It has each state only once, because many tasks begin in the same
    state. The results have numbers only for the first ``seats`` seats.
    """

    seats: int
    worlds: tuple[bytes, ...]
    tasks: tuple[Task, ...]


def can_play_elsewhere(game: Game) -> bool:
    """Return whether a browser can compute what a game's analyses need: playouts, or the game's own tasks."""
    return game.hooks.device_appraiser() is not None or plays_out(game)


def plays_out(game: Game) -> bool:
    """Return whether a browser can run the playouts of a game's analyses.

    It can't if the game has its own appraiser, or if its analyses have no playouts, but only forecasts (the
    game's kernel ``forecast`` estimates the final points).
    """
    return game.hooks.appraiser() is None and game.hooks.playouts().parts > 0


def plan_analysis(match: Match, budget: Budget | None = None) -> Plan:
    """Return the playouts that the analysis of a match needs.

    Raise BadInput for a match without plies, and if the results would be larger than ``MOST_RESULTS``.
    """
    planner = Planner(match)
    analyse(match, [""] * match.seats, appraiser=PlayoutAppraiser(match.game, budget, player=planner))
    return Plan(match.seats, tuple(planner.worlds), tuple(planner.tasks))


def pack_plan(match: Match) -> bytes:
    """Return a plan, as gzipped JSON: the work of a browser for the analysis of a match.

    The plan is a :class:`Plan`, or the game's own plan. Raise BadInput for a match without plies, or if the work is too
    much for a browser.
    """
    own = match.game.hooks.device_appraiser()
    plan: msgspec.Struct
    if own is None:
        plan = plan_analysis(match)
    else:
        appraiser = own(None)
        analyse(match, [""] * match.seats, appraiser=appraiser)
        plan = appraiser.plan()
    return gzip.compress(msgspec.json.encode(plan), PLAN_GZIP, mtime=0)


def finish_analysis(
    match: Match, names: Sequence[str], table: str, results: bytes, budget: Budget | None = None
) -> Analysis:
    """Return the analysis of a match. ``results`` are the browser's results for the plan of this match.

    Pass the same ``budget`` as in the call of :func:`plan_analysis` that made the plan. Raise BadInput if ``results``
    can't be the results of this plan.
    """
    if len(results) % NUMBER:
        raise BadInput(f"results are numbers of {NUMBER} bytes", "results")
    numbers = np.frombuffer(results, "<f4").astype(np.float64)
    own = match.game.hooks.device_appraiser()
    if own is not None:
        appraiser = own(numbers)
        found = analyse(match, names, table, appraiser=appraiser)
        appraiser.end()
        return found
    answers = Answers(match, numbers)
    found = analyse(match, names, table, appraiser=PlayoutAppraiser(match.game, budget, player=answers))
    answers.end()
    return found


class Planner:
    """A :class:`.players.Player` that runs no playouts, but only records the calls of its methods in ``tasks``.

    Its results have no meaning. They are the same for every line. A call of :meth:`play` is not recorded if ``parts``
    of its job is 0, because :class:`Answers` computes its result itself. Each method raises BadInput if the results of
    all tasks would together be larger than ``MOST_RESULTS``.
    """

    def __init__(self, match: Match) -> None:
        self.worlds: dict[bytes, int] = {}
        """The states in which the tasks begin, with their indices."""
        self.tasks: list[Task] = []
        self._seats = max(match.game.seats)
        self._seated = match.seats
        self._size = 0

    def play(self, job: Job, seat: int = -1) -> Played:
        """Record a call of :meth:`.players.Player.play`. The returned result is a placeholder without meaning."""
        if job.parts:
            self.tasks.append(Task(self._pass(job), _lines(job), seat))
            self._count(_length_of_lines(len(job.lines), self._seated, seat))
        return self._nothing(job, len(job.lines), seat)

    def play_twice(
        self, first: Job, last: Job, seat: int, keep: int, played: int
    ) -> tuple[Played, list[int], Played]:
        """Record a call of :meth:`.players.Player.play_twice`. Return a result without meaning."""
        self.tasks.append(Task(self._pass(first), _lines(first), seat, self._pass(last), keep, played))
        found = self._nothing(first, len(first.lines), seat)
        again = choose_again(found, seat, keep, played)
        for lines in (len(first.lines), len(again)):
            self._count(_length_of_lines(lines, self._seated, seat))
        return found, again, self._nothing(last, len(again), seat)

    def settle(self, job: Job, seats: tuple[int, ...], sequences: tuple[tuple[Steps, ...], ...]) -> Settled:
        """Record a call of :meth:`.players.Player.settle`. Return a result without meaning."""
        self.tasks.append(Task(self._pass(job), seats=seats, sequences=sequences))
        sizes = [len(mine) for mine in sequences]
        self._count(1 + KINDS * self._seated + sum(n * (1 + KINDS + 2 + n) for n in sizes))
        return Settled(
            mixtures=tuple(np.full(n, 1.0 / n) for n in sizes),
            values=tuple(np.zeros((n, KINDS)) for n in sizes),
            errors=tuple(np.zeros((n, 2)) for n in sizes),
            gaps=tuple(np.zeros((n, n)) for n in sizes),
            stand=self._even(1)[0],
            deciders=0,
        )

    def _pass(self, job: Job) -> Pass:
        worlds = tuple(self.worlds.setdefault(world.tobytes(), len(self.worlds)) for world in job.worlds)
        return Pass(worlds, str(job.number), job.games, job.parts, job.knower)

    def _count(self, numbers: int) -> None:
        """Add a result with this count of numbers to the total size. Raise BadInput if the total is too large."""
        self._size += numbers * NUMBER
        if self._size > MOST_RESULTS:
            raise BadInput("this game is too long: only the server can analyse it", "plies")

    def _even(self, lines: int) -> Reals:
        """Return an array with points, chance to win and rank of each seat after each line (sequence of steps).

        The numbers are those of a game without points in which all seats share the first rank.
        """
        found = np.zeros((lines, self._seats, KINDS))
        found[:, : self._seated] = [0.0, 1.0 / self._seated, 1.0]
        return found

    def _nothing(self, job: Job, lines: int, seat: int) -> Played:
        means = self._even(lines)
        alike = np.ones((lines, self._seats), np.bool_)
        apart = np.zeros((lines, lines, 2) if seat >= 0 else (0, 0, 2))
        return Played(means, np.zeros_like(means), alike, apart, np.zeros(lines, np.int16), job.games, seat)


class Answers:
    """A :class:`.players.Player` that runs no playouts, but reads the browser's results for the tasks of a plan.

    Call its methods in the order of the plan's tasks. The constructor and each method raise BadInput if a result is
    impossible. If a job has the value 0 for ``parts``, no steps are played after its lines (sequences of steps). The
    game's kernel ``forecast`` then estimates the final points. :class:`Planner` records no task for such a job, because
    :meth:`play` computes its results itself.
    """

    def __init__(self, match: Match, numbers: Reals) -> None:
        self._local = LocalPlayer(match.game)
        self._numbers = numbers
        self._at = 0
        self._seats = max(match.game.seats)
        self._seated = match.seats
        if not np.all(np.isfinite(numbers)):
            raise _damaged()

    def play(self, job: Job, seat: int = -1) -> Played:
        """Return the browser's result for this call of :meth:`.players.Player.play`.

        If ``parts`` of the job is 0, compute its result here instead.
        """
        if not job.parts:
            return self._local.play(job, seat)
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
        stand = self._all_seats(self._payoffs(self._seated))
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
        means = self._all_seats(self._payoffs(lines, self._seated))
        errors = self._all_seats(self._take(lines, self._seated, KINDS, within=(0.0, MOST_POINTS)))
        alike = np.ones((lines, self._seats), np.bool_)
        alike[:, : self._seated] = self._take(lines, self._seated, within=(0, 1)) > 0
        apart = np.zeros((lines, lines, 2) if seat >= 0 else (0, 0, 2))
        above = np.triu_indices(len(apart), 1)
        apart[above] = self._take(len(above[0]), 2, within=(0.0, MOST_POINTS))
        return Played(means, errors, alike, apart + apart.swapaxes(0, 1), left, games, seat)

    def _payoffs(self, *shape: int) -> Reals:
        found = self._take(*shape, KINDS, within=(-MOST_POINTS, MOST_POINTS))
        chances, places = found[..., 1], found[..., 2]
        if (
            chances.min() < 0
            or chances.max() > 1.01
            or places.min() <= 0
            or places.max() > self._seats + 0.01
        ):
            raise _damaged()
        return found

    def _all_seats(self, found: Reals) -> Reals:
        """Return ``found`` with zeros added for missing seats, up to the game's greatest number of seats.

        The last two axes of the array are the seat, and the kind of number (points, chance to win, place).
        """
        whole = np.zeros((*found.shape[:-2], self._seats, KINDS))
        whole[..., : self._seated, :] = found
        return whole

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


def _length_of_lines(lines: int, seats: int, seat: int) -> int:
    """Return the count of numbers in the result that a browser sends for ``lines`` lines (sequences of steps).

    If ``seat`` is not -1, the result includes a comparison of each pair of lines.
    """
    return lines * (1 + seats * (2 * KINDS + 1)) + (lines * (lines - 1) if seat >= 0 else 0)


def _lines(job: Job) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(number for step in line for number in step) for line in job.lines)
