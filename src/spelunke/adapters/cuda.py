"""The registered games on a GPU. Numba compiles a game's rules for CUDA, and each table has its own thread.

    tables = CudaTables("game", 1_000_000)
    tables.playouts(10)           # play random games to the end; return the number of decisions
    tables.reset(seed=1)
    tables.step(tables.choose())  # one decision at each table

To install numba-cuda, use the extra ``cuda``. On a machine without a GPU, tests set ``NUMBA_ENABLE_CUDASIM=1`` and
``SPELUNKE_JIT=0``. Then Python simulates the threads (docs/why/native.md).
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt
from numba import config, cuda

from spelunke.adapters.desk import Table
from spelunke.core.chance import MULTIPLIER, seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.kernel import JIT, bind_here, pool
from spelunke.games import find_game
from spelunke.games.game import Game

if TYPE_CHECKING:
    from spelunke.adapters.sweep import Actions, Choices, Flags, Masks, Rewards, Seats, Streams, Sweep, Views
    from spelunke.core.playout import Playout
    from spelunke.core.values import Numbers, Pool

SIMULATED = bool(config.ENABLE_CUDASIM)
BLOCK = 128
"""The number of threads in a block."""
STACK = 32 * 1024
"""The most bytes that the scratch arrays of one thread can take. Used to estimate the needed memory."""
RESIDENT = 132 * 2048
"""The most threads that can run at the same time on an H100 or H200 GPU. Used to estimate the needed memory."""


class DeviceArray(Protocol):
    """An array on the GPU."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension of the array."""
        ...

    def copy_to_host(self) -> npt.NDArray[np.int64]:
        """Return a copy of the array in the processor's memory. First wait until the GPU has finished its work."""
        ...


class Launch(Protocol):
    """A GPU kernel. Call it as ``kernel[blocks, threads](arguments)``."""

    def __getitem__(self, grid: tuple[int, int]) -> Callable[..., None]: ...


class Launches(NamedTuple):
    """The GPU kernels of one game. Each kernel works on many tables."""

    playouts: Launch
    begin: Launch
    step: Launch
    choose: Launch


@functools.cache
def launches_of(rules: str, view: str) -> Launches:
    """Return the kernels of a game for the GPU. Each kernel is compiled at its first call.

    ``rules`` and ``view`` are the dotted names of the modules with the game's rules and its view.
    """
    if not SIMULATED:
        from spelunke.adapters import stacked_cuda

        stacked_cuda.register()
    random_play = cast("Playout", bind_here("spelunke.core.playout", rules))
    sweep = cast("Sweep", bind_here("spelunke.adapters.sweep", rules, view))
    playouts, begin_one, step_one, choose_one = (
        random_play.playouts,
        sweep.begin_one,
        sweep.step_one,
        sweep.choose_one,
    )

    def play_all(states: Pool, setup: Numbers, streams: Streams, games: int, done: Seats) -> None:
        i = cuda.grid(1)
        if i < len(states):
            done[i] = playouts(states, i, setup, streams[i], games)

    def begin_all(
        states: Pool,
        setup: Numbers,
        streams: Streams,
        views: Views,
        masks: Masks,
        seats: Seats,
        over: Flags,
        choices: Choices,
    ) -> None:
        i = cuda.grid(1)
        if i < len(states):
            choices[i, 0] = 0
            begin_one(states, i, setup, streams[i], -1, views[i], masks[i], seats, over, choices[i])

    def step_all(
        states: Pool,
        setup: Numbers,
        streams: Streams,
        actions: Actions,
        views: Views,
        masks: Masks,
        seats: Seats,
        rewards: Rewards,
        over: Flags,
        choices: Choices,
        wrong: Flags,
    ) -> None:
        i = cuda.grid(1)
        if i < len(states):
            legal = bool(over[i])
            for k in range(choices[i, 0]):
                if choices[i, 1 + k] == actions[i]:
                    legal = True
            wrong[i] = not legal
            if legal:
                step_one(
                    states,
                    i,
                    setup,
                    streams[i],
                    -1,
                    actions[i],
                    views[i],
                    masks[i],
                    seats,
                    rewards[i],
                    over,
                    choices[i],
                )

    def choose_all(choices: Choices, streams: Streams, actions: Actions) -> None:
        i = cuda.grid(1)
        if i < len(choices):
            actions[i] = choose_one(choices[i], streams[i])

    return Launches(*(cuda.jit(one) for one in (play_all, begin_all, step_all, choose_all)))


def check_device() -> None:
    """Raise BadInput unless this machine can run the kernels, on a GPU or in the simulator.

    The message says what to do.
    """
    if SIMULATED:
        if JIT:
            raise BadInput("the CUDA simulator runs plain rules: set SPELUNKE_JIT=0 too", "interface")
        return
    if not JIT:
        raise BadInput("a GPU needs compiled rules: leave SPELUNKE_JIT=0 out", "interface")
    if importlib.util.find_spec("numba_cuda") is None:
        raise BadInput('a GPU needs numba-cuda: pip install "spelunke[cuda]"', "interface")
    if not cuda.is_available():
        raise BadInput(
            'there is no CUDA GPU here, or its driver is missing; the interface "vector" runs many tables on the '
            "processor",
            "interface",
        )


def check_memory(game: Game, tables: int, needed: int, free: int) -> None:
    """Raise BadInput if the GPU has too little memory for these tables.

    The message has the number of tables that would fit.
    """
    spare = STACK * RESIDENT
    if needed + spare <= free:
        return
    fit = max(0, (free - spare) * tables // max(1, needed))
    raise BadInput(
        f"{tables:,} tables of {game.title} need {(needed + spare) / 1e9:.1f} GB on the GPU, and {free / 1e9:.1f} GB "
        f"are free; {fit:,} tables fit",
        "tables",
    )


def seed_streams(seed: int, tables: int) -> npt.NDArray[np.int64]:
    """Return a random stream for each table, as an int64 array of shape (``tables``, 1).

    The streams begin at random points of one long sequence, and ``seed`` selects these points. This is faster than
    :func:`spelunke.core.chance.seed_stream`, which would take seconds for a million tables.
    """
    draw = np.random.default_rng(int(seed_stream(seed)[0]))
    return 1 + draw.integers(0, MULTIPLIER * 2**32 - 2, (tables, 1))


class CudaTables:
    """Many tables of one game on a GPU. The caller plays every seat through :meth:`step`.

    Call :meth:`reset` before the first step. Every step writes these arrays on the GPU, for n tables: ``observation``
    float32 (n, FEATURES), ``action_mask`` int8 (n, ACTIONS), ``choices`` int16 (n, 1 + ACTIONS), ``seat`` int64 (n,),
    ``payoffs`` float32 (n, seats) and ``over`` bool (n,). Each row of ``choices`` begins with the count of legal
    actions, followed by these actions. PyTorch, CuPy and JAX can use the arrays without a copy, through
    ``__cuda_array_interface__``.

    If the parameter ``features`` is false, ``observation`` has no columns. If ``masks`` is false, ``action_mask`` has
    no columns. If the game of a table is over, the next step starts a new game at this table.

    The constructor raises BadInput if there is no GPU or too little memory, if ``tables`` is below 1, or if the game is
    unknown. It raises BadOption or BadInput for options or seats that the game doesn't allow.
    """

    def __init__(
        self,
        game: str,
        tables: int = 100_000,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        features: bool = False,
        masks: bool = False,
    ) -> None:
        check_device()
        if tables < 1:
            raise BadInput(f"it must be 1 or more, not {tables}", "tables")
        self.table = Table(find_game(game), seats, options)
        self.tables = tables
        kind = self.table.game.rules.STATE
        shapes: dict[str, tuple[tuple[int, ...], npt.DTypeLike]] = {
            "observation": ((tables, self.table.features if features else 0), np.float32),
            "action_mask": ((tables, self.table.actions if masks else 0), np.int8),
            "choices": ((tables, 1 + self.table.actions), np.int16),
            "payoffs": ((tables, self.table.seats), np.float32),
            "seat": ((tables,), np.int64),
            "over": ((tables,), np.bool_),
            "actions": ((tables,), np.int64),
            "wrong": ((tables,), np.bool_),
            "done": ((tables,), np.int64),
        }
        if not SIMULATED:
            needed = tables * kind.itemsize + sum(
                int(np.prod(shape)) * np.dtype(one).itemsize for shape, one in shapes.values()
            )
            check_memory(self.table.game, tables, needed, int(cuda.current_context().get_memory_info()[0]))
        self._launches = launches_of(self.table.game.rules.__name__, self.table.game.view.__name__)
        self._grid = ((tables + BLOCK - 1) // BLOCK, min(BLOCK, tables))
        self._setup = cuda.to_device(self.table.setup)
        self.states = cuda.to_device(pool(kind, tables))
        made: dict[str, DeviceArray] = {
            name: cuda.to_device(np.zeros(shape, one)) for name, (shape, one) in shapes.items()
        }
        self.observation, self.action_mask = made["observation"], made["action_mask"]
        self.choices, self.payoffs, self.seat = made["choices"], made["payoffs"], made["seat"]
        self.over, self._actions, self._wrong = made["over"], made["actions"], made["wrong"]
        self._done = made["done"]
        self.streams = self._picks = self._setup
        self._seed(seed)

    def _seed(self, seed: int) -> None:
        self.streams = cuda.to_device(seed_streams(seed, self.tables))
        self._picks = cuda.to_device(seed_streams(seed + 1, self.tables))

    def playouts(self, games: int = 1) -> int:
        """Play ``games`` random games at each table. Return the total number of decisions.

        The random games replace the current games, so call :meth:`reset` before the next step.
        """
        self._launches.playouts[self._grid](self.states, self._setup, self.streams, games, self._done)
        return int(self._done.copy_to_host().sum())

    def reset(self, seed: int = 0) -> None:
        """Start a new game at each table. The same seed and the same actions give the same games."""
        self._seed(seed)
        if self.action_mask.shape[1]:
            self.action_mask = cuda.to_device(np.zeros(self.action_mask.shape, np.int8))
        self._launches.begin[self._grid](
            self.states,
            self._setup,
            self.streams,
            self.observation,
            self.action_mask,
            self.seat,
            self.over,
            self.choices,
        )

    def choose(self) -> DeviceArray:
        """Return a random legal action for each table, in an array on the GPU.

        The action is 0 for a table whose game is over. Every call writes and returns the same array.
        """
        self._launches.choose[self._grid](self.choices, self._picks, self._actions)
        return self._actions

    def step(self, actions: object, check: bool = False) -> None:
        """Play an action at each table, and play on to the table's next decision.

        ``actions`` is an int64 array on the GPU. If an action is not legal, its table stays unchanged. If ``check``
        is true, wait for the GPU, and raise BadInput if any action was not legal.
        """
        self._launches.step[self._grid](
            self.states,
            self._setup,
            self.streams,
            actions,
            self.observation,
            self.action_mask,
            self.seat,
            self.payoffs,
            self.over,
            self.choices,
            self._wrong,
        )
        if check and (wrong := self.wrong()):
            raise BadInput(
                f"it is not legal at {len(wrong):,} tables, the first of them {wrong[0]}; choices says what is",
                "actions",
            )

    def wrong(self) -> list[int]:
        """Return the indices of the tables whose action in the last step was not legal."""
        return list(itertools.compress(range(self.tables), self._wrong.copy_to_host().tolist()))
