"""Let a reader's device solve the rounds of an analysis (docs/why/native.md).

The appraiser goes through the game twice. The first time, it records the rounds that it needs, and the places of the
values that it reads from each. The device solves the rounds with the kernel of :mod:`.device`, and returns these
values. The second time, the appraiser reads the returned values and solves no rounds.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from itertools import islice
from typing import cast

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core.errors import BadInput
from spelunke.games.shanghaien.appraiser import ShanghaienAppraiser
from spelunke.games.shanghaien.solving import device, device_network
from spelunke.games.shanghaien.solving.blocks import Floats
from spelunke.games.shanghaien.solving.dice import CODES, NUMBERS, counts, steps
from spelunke.games.shanghaien.solving.endings import Judge
from spelunke.games.shanghaien.solving.frame import Frame, Side
from spelunke.games.shanghaien.solving.learned import read_stages
from spelunke.games.shanghaien.solving.network import Network, descriptions, joker_gains
from spelunke.games.shanghaien.solving.oracle import Oracle
from spelunke.games.shanghaien.solving.round import Round
from spelunke.games.shanghaien.solving.stages import FINAL, Reals, guess_nations, left_by_nation
from spelunke.games.shanghaien.solving.stakes import Aim, terms_of
from spelunke.games.shanghaien.state import AGAIN, BOTH, NOTHING, PM1, ROUNDS, SAILORS

KEEP = 1 << 62
"""The maximum size of the rounds that an oracle keeps, in bytes. It is so large that all rounds are kept.

The rounds have no values here, so they need little memory.
"""
MOST_READS = 400_000
"""The maximum number of values that a device returns for one game.

Only the server can analyse a game that needs more values.
"""
MOST_POINTS = 1e4
MOST_CHANCE = 1.01
"""The largest values that are accepted: ``MOST_POINTS`` in points, and ``MOST_CHANCE`` for a win (a win is 1).

``MOST_CHANCE`` is more than 1, because devices round to 32 bits.
"""
AIMS = (Aim.POINTS, Aim.WIN)
NETWORKS = len(AIMS) * (ROUNDS - 1)


class Task(msgspec.Struct, frozen=True):
    """A round for the kernel :func:`.device.solve`.

    ``frame``, ``sides``, ``tricks`` and ``numbers`` are arguments of the kernel. ``network`` is the index of
    the network in the file for devices, or -1 if the round needs none. ``size`` and ``ends`` are the sizes of the
    store (the values of all states) and of the endings (the values of all settlements). ``reads`` are the places of
    the values that the appraiser reads. A place from 0 on is an index in the store. A place below 0 is in the endings:
    -1 is their first value.
    """

    network: int
    frame: tuple[int, ...]
    sides: tuple[int, ...]
    tricks: tuple[int, ...]
    numbers: tuple[float, ...]
    size: int
    ends: int
    reads: list[int]


class Plan(msgspec.Struct, frozen=True):
    """The rounds that a reader's device solves for an analysis, in order.

    ``lengths`` are the lengths of the parts of the file for devices (:func:`device_file`). ``networks`` is the number
    of networks in this file.

    For each round, the device returns 32-bit real numbers: the midpoint (see ``Round._judge``), the number of values
    that the appraiser reads, and the values that it reads.
    """

    rounds: tuple[Task, ...]
    lengths: tuple[int, ...] = (
        device_network.STATES * device_network.COLUMNS,
        NETWORKS * device_network.WEIGHTS,
        CODES * NUMBERS,
        CODES * NUMBERS,
    )
    networks: int = NETWORKS


def device_file() -> bytes:
    """Return the file that a device needs to analyse any game of Shanghaien, compressed by gzip.

    The parts of the file are a table with the values of each state of a nation (float32), all networks (float16), and
    the tables :func:`.steps` and :func:`.counts` (int16).
    """
    mean, variance = guess_nations()
    columns = (descriptions(), joker_gains(), mean, variance)
    tables = np.concatenate([part.reshape(device_network.STATES, -1) for part in columns], axis=1)
    assert tables.shape[1] == device_network.COLUMNS
    parts = [np.ascontiguousarray(tables.T, "<f4").tobytes()]
    for aim in AIMS:
        for stage in read_stages(aim)[1:]:
            assert isinstance(stage, Network)
            weights = pack_weights(stage)
            assert weights.size == device_network.WEIGHTS
            parts.append(weights.astype("<f2").tobytes())
    parts += [steps().astype("<i2").tobytes(), counts().astype("<i2").tobytes()]
    return gzip.compress(b"".join(parts), 9, mtime=0)


def pack_weights(stage: Network) -> Floats:
    """Return all weights of a network in one array, in the order of :data:`.device_network.LAYERS`."""
    return np.concatenate([stage.weights[name].ravel() for name, _ in device_network.LAYERS])


def task_of(judge: Judge, solved: Round) -> Task:
    """Return the task for a round. Its ``reads`` are still empty."""
    frame, stage = solved.frame, judge.stage(solved.frame.tavern + 1)
    rounds = frame.tavern + 1
    learned = isinstance(stage, Network)
    assert learned or stage is FINAL
    sides = [*solved.sides[0], *solved.sides[1]]
    rows = [
        [next(iter(solved.moves(seat, (0, 0)).get((trick, False), ())), -1) for trick in (PM1, AGAIN, BOTH)]
        + [n for (_, joker), found in solved.moves(seat, (0, 0)).items() if joker for n in found]
        for seat in range(2)
    ]
    wide = max(map(len, rows))
    return Task(
        network=AIMS.index(judge.aim) * (ROUNDS - 1) + rounds - 1 if learned else -1,
        frame=(
            *frame.row,
            *left_by_nation(frame.deck),
            sum(frame.deck[SAILORS:]),
            solved.lead,
            frame.starter,
            int(frame.reroll),
            len(solved.sides[0]),
            int(learned),
        ),
        sides=tuple(n for one in sides for n in (*one.strength, sum(one.hand), int(one.spent), one.more)),
        tricks=(wide, *(n for row in rows for n in row + [NOTHING] * (wide - len(row)))),
        numbers=(
            0.0,
            *((stage.scale, stage.floor) if isinstance(stage, Network) else (1.0, 0.0)),
            *terms_of(judge.aim, frame, over=stage is FINAL),
        ),
        size=len(solved.store),
        ends=2 * len(solved.sides[0]) * len(solved.sides[1]) * device.ENDINGS,
        reads=[],
    )


class Unsolved(Round):
    """A round that stores no values. Instead, it calls a function for each value, with the place of the value.

    A place is a number, as in the field ``reads`` of :class:`Task`. :meth:`read_by` sets the function.
    """

    def __init__(self, frame: Frame, lead: int, sides: tuple[Side, Side]) -> None:
        super().__init__(frame, lead, *sides, lambda first, second, caller: np.zeros(0))

    def _judge(self, endings: object, shape: tuple[int, int, int]) -> Floats:
        self._middle = 0.0
        self._shape = (*shape, device.ENDINGS)
        return np.zeros(0, np.float32)

    def _fill(self, mover: int, one: int, two: int, mine: int) -> None:
        pass

    def read_by(self, take: Callable[[Sequence[int]], Reals], middle: float = 0.0) -> None:
        """Set the function ``take`` that is called for each value. ``middle`` is the midpoint (``Round._judge``)."""
        self._middle = middle
        self.store = cast(Floats, _Places(take))
        self._ends = cast(Floats, _Places(take, self._shape))


class _Places:
    """A replacement for a round's store (the values of all states) or endings (the values of all settlements).

    The function ``take`` returns the values at given places. Places are numbered as in :attr:`Task.reads`.
    ``shape`` is the shape of the endings. For the store, it is empty.
    """

    nbytes = 0

    def __init__(self, take: Callable[[Sequence[int]], Reals], shape: tuple[int, ...] = ()) -> None:
        self._take, self._shape = take, shape

    def __getitem__(self, at: int | tuple[int, ...] | npt.NDArray[np.int64]) -> Reals | float:
        if isinstance(at, np.ndarray):
            return self._take(at.tolist())
        if isinstance(at, tuple):
            at = -1 - int(np.ravel_multi_index(at, self._shape))
        return float(self._take((at,))[0])


class _Unjudged(Judge):
    def crews(self, frame: Frame, sides: tuple[Side, Side], starter: int) -> float:
        """Return 0 in place of the value of both crews, because a plan needs no values."""
        return 0.0


class _DeviceOracle(Oracle):
    """An oracle that makes rounds without values (:class:`Unsolved`) instead of solved rounds.

    It calls the function ``solve`` with each new round. By :meth:`Unsolved.read_by`, ``solve`` sets the function from
    which the round takes its values.
    """

    def __init__(self, judge: Judge, solve: Callable[[Judge, Unsolved], None]) -> None:
        super().__init__(judge, KEEP)
        self._by = solve

    def _solve(self, frame: Frame, lead: int, sides: tuple[Side, Side]) -> Round:
        found = Unsolved(frame, lead, sides)
        self._by(self.judge, found)
        return found


class PlanningAppraiser(ShanghaienAppraiser):
    """An appraiser for analyses whose rounds the reader's device solves.

    First it lists the rounds that an analysis needs. With the device's results, it answers from them.

    ``results`` is None while the appraiser lists the rounds. If the results do not fit the rounds, the methods raise
    BadInput.
    """

    def __init__(self, results: Reals | None) -> None:
        self._results = results
        self._at = 0
        self._tasks: list[Task] = []
        judge, solve = (_Unjudged, self._plan) if results is None else (Judge, self._read)
        self._open(
            *(_DeviceOracle(judge(read_stages(aim), aim, grace=0.0), solve) for aim in (Aim.WIN, Aim.POINTS))
        )

    def plan(self) -> Plan:
        """Return the rounds that the analysis has needed so far.

        If the device would have to return too many values for these rounds, raise BadInput.
        """
        if sum(2 + len(task.reads) for task in self._tasks) > MOST_READS:
            raise BadInput("this game is too long: only the server can analyse it", "plies")
        return Plan(tuple(self._tasks))

    def end(self) -> None:
        """Raise BadInput if numbers are left over after the results of the last round."""
        if self._results is not None and self._at != len(self._results):
            raise _damaged()

    def _plan(self, judge: Judge, solved: Unsolved) -> None:
        task = task_of(judge, solved)
        self._tasks.append(task)

        def note(places: Sequence[int]) -> Reals:
            task.reads.extend(places)
            return np.zeros(len(places))

        solved.read_by(note)

    def _read(self, judge: Judge, solved: Unsolved) -> None:
        middle, count = self._take(2).tolist()
        if not 0 <= count <= MOST_READS:
            raise _damaged()
        values = self._take(int(count))
        most = MOST_POINTS if judge.aim is Aim.POINTS else MOST_CHANCE
        if not abs(middle) + np.abs(values).max(initial=0.0) <= most:
            raise _damaged()
        left = iter(values.tolist())

        def take(places: Sequence[int]) -> Reals:
            found = np.array(list(islice(left, len(places))))
            if len(found) < len(places):
                raise _damaged()
            return found

        solved.read_by(take, middle)

    def _take(self, count: int) -> Reals:
        assert self._results is not None
        found = self._results[self._at : self._at + count]
        self._at += count
        if len(found) < count:
            raise _damaged()
        return found


def _damaged() -> BadInput:
    return BadInput("these are not the results of this game's rounds", "results")
