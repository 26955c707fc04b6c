"""The registered games in Gymnasium: an environment for one seat, and a vector environment of many tables."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.spaces import action_space, check_render_mode, observation_space, show_table
from spelunke.core.chance import below, seed_stream
from spelunke.core.contract import OVER
from spelunke.core.errors import BadInput, IllegalMove
from spelunke.core.kernel import pool
from spelunke.core.values import Action, Stream, View
from spelunke.games import find_game, shelf

Opponent: TypeAlias = Callable[[View, tuple[Action, ...], Stream], Action]
"""A function that chooses an action for another seat.

Its arguments are the seat's view, the legal actions and a random stream. For example, it can be ``Bot.choose``.
"""
Array: TypeAlias = npt.NDArray[np.generic]
Observation: TypeAlias = dict[str, Array]
Info: TypeAlias = dict[str, object]
Scalar = TypeVar("Scalar", bound=np.generic)
RENDER_MODES = ("ansi",)


class SpelunkeEnv(gymnasium.Env[Observation, int]):
    """One seat of a table as a Gymnasium environment.

    ``opponent`` plays all other seats. If it is None, they play at random. The reward comes at the end, from 1 for the
    first place to -1 for the last. ``info["action_mask"]`` is the same mask as in the observation.

    The constructor raises BadInput for an unknown game, ``seat`` or ``render_mode``, and BadOption or BadInput for
    options or a number of seats that the game doesn't allow. The methods raise IllegalMove for an action that the mask
    forbids, and for an illegal action of ``opponent``.
    """

    metadata: Info = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        seat: int = 0,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        opponent: Opponent | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = Table(find_game(game), seats, options)
        if not 0 <= seat < self.table.seats:
            raise BadInput(f"the table has seats 0 to {self.table.seats - 1}, not {seat}", "seat")
        self.seat = seat
        self.opponent = opponent
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        self.observation_space = observation_space(self.table)  # type: ignore[assignment]
        self.action_space = action_space(self.table)  # type: ignore[assignment]
        self.desk = Desk(self.table)
        self.stream = seed_stream(0)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Start a new game. The same seed and the same actions give the same game."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**62)) if seed is None else seed
        self.stream = seed_stream(number)
        self.desk = Desk(self.table)
        self._go_on()
        return self._look()

    def _go_on(self) -> None:
        game = self.table.game
        while True:
            self.desk.decide_chance(self.stream)
            who = self.desk.who()
            if who == OVER or who >> self.seat & 1:
                return
            seat = self.desk.seat()
            legal = self.desk.legal(seat)
            if self.opponent is None:
                self.desk.play(seat, legal[int(below(self.stream, len(legal)))])
                continue
            typed = tuple(game.moves.decode(number) for number in legal)
            chosen = self.opponent(game.view.view(self.desk.state, seat), typed, self.stream)
            for number in game.moves.encode(chosen, self.desk.state):
                if number not in self.desk.legal(seat):
                    raise IllegalMove(
                        f"the opponent chose {game.notation.write(chosen)!r}, which is not allowed"
                    )
                self.desk.play(seat, number)

    def _look(self) -> tuple[Observation, Info]:
        mask = self.desk.mask(self.seat)
        return {"observation": self.desk.observe(self.seat), "action_mask": mask}, {"action_mask": mask}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, given as its number. Then let the other seats play until this seat's next decision."""
        if int(action) not in self.desk.legal(self.seat):
            raise IllegalMove(f"action {action} is not allowed now; the action_mask says what is")
        self.desk.play(self.seat, int(action))
        self._go_on()
        seen, info = self._look()
        return seen, self.desk.payoffs()[self.seat], self.desk.who() == OVER, False, info

    def render(self) -> str:
        """Return a spectator's view of the table as text."""
        return show_table(self.table.game, self.desk.state)


class SpelunkeVector(gymnasium.vector.VectorEnv[Observation, Array, Array]):
    """Many tables as a Gymnasium vector environment. One call of compiled code advances all tables by a step.

    ``learner`` is the seat that you play, and all other seats act at random. If ``learner`` is None, you play every
    seat. Then ``seat`` is the seat to act at each table, and the reward is for the seat that acted. ``payoffs`` has the
    rewards of all seats. If the game of a table is over, the next step starts a new game and ignores the table's action
    (Gymnasium's NEXT_STEP).

    Every step writes into the same arrays, for n tables: ``observation`` float32 (n, FEATURES), ``action_mask`` int8
    (n, ACTIONS), ``payoffs`` float32 (n, seats), ``seat`` int64 (n,) and ``over`` bool (n,). Copy the data that you
    want to keep, and write nothing into the arrays. To use your own arrays, pass them as ``buffers``. If you don't need
    ``observation``, ``features=False`` saves most of the time of a step.

    The constructor raises BadInput for an unknown game or ``learner``, and for an array in ``buffers`` that has an
    unknown name or the wrong shape or type. It raises BadOption or BadInput for options or seats that the game doesn't
    allow.
    """

    metadata: Info = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        tables: int,
        learner: int | None = None,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        buffers: Mapping[str, Array] | None = None,
        features: bool = True,
    ) -> None:
        self.table = Table(find_game(game), seats, options)
        if learner is not None and not 0 <= learner < self.table.seats:
            raise BadInput(f"the table has seats 0 to {self.table.seats - 1}, not {learner}", "learner")
        self.num_envs = tables
        self.learner = -1 if learner is None else learner
        whole = observation_space(self.table)
        self.single_observation_space = whole if features else _without_features(whole)
        self.single_action_space = action_space(self.table)
        self.observation_space = batch_space(self.single_observation_space, tables)
        self.action_space = batch_space(self.single_action_space, tables)
        given = dict(buffers or {})
        self.observation = _buffer(
            given.pop("observation", None),
            "buffers.observation",
            (tables, self.table.features if features else 0),
            np.float32,
        )
        self.action_mask = _buffer(
            given.pop("action_mask", None), "buffers.action_mask", (tables, self.table.actions), np.int8
        )
        self.payoffs = _buffer(
            given.pop("payoffs", None), "buffers.payoffs", (tables, self.table.seats), np.float32
        )
        self.seat = _buffer(given.pop("seat", None), "buffers.seat", (tables,), np.int64)
        self.over = _buffer(given.pop("over", None), "buffers.over", (tables,), np.bool_)
        if given:
            raise BadInput(f"there is no such array: {', '.join(given)}", "buffers")
        self.pool = pool(self.table.game.rules.STATE, tables)
        self.streams = np.zeros((tables, 1), np.int64)
        self._choices = np.zeros((tables, 1), np.int64)
        self._rows = np.arange(tables)
        self._actor = np.zeros(tables, np.int64)
        # Rows are long but few entries are written, so most memory pages of this array are never touched.
        self._listed = np.empty((tables, 1 + self.table.actions), np.int16)
        self._truncated = np.zeros(tables, np.bool_)
        self._seen: Observation = {"observation": self.observation, "action_mask": self.action_mask}
        if not features:
            del self._seen["observation"]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[Observation, Info]:
        """Start a new game at each table. Without ``seed``, the games are random.

        If ``seed`` is an int, the games of table i depend only on ``seed``, i and the actions. If ``seed`` is a list,
        these games depend only on ``seed[i]`` and the actions. None in the list means a random seed. Raise
        BadInput for a list whose length is not the number of tables.
        """
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise BadInput(f"there are {self.num_envs} tables, and {len(seed)} seeds", "seed")
            seeds = [secrets.randbits(62) if s is None else s for s in seed]
        else:
            first = secrets.randbits(62) if seed is None else seed
            seeds = [first + i for i in range(self.num_envs)]
        for i, number in enumerate(seeds):
            self.streams[i] = seed_stream(number)
            self._choices[i] = seed_stream(number, 1)
        self.table.sweep.begin_all(
            self.pool,
            self.table.setup,
            self.streams,
            self.learner,
            self.observation,
            self.action_mask,
            self.seat,
            self.over,
            self._listed,
        )
        self.payoffs[:] = 0
        return self._seen, {"seat": self.seat}

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, Info]:
        """Play an action at each table, and play on to each table's next decision.

        Raise IllegalMove if an action is not legal, and BadInput if ``actions`` is not an array of n whole
        numbers, where n is the number of tables. If an error is raised, nothing changes.
        """
        numbers = self._check_actions(actions)
        self._actor[:] = self.seat
        wrong = self.table.sweep.step_all(
            self.pool,
            self.table.setup,
            self.streams,
            self.learner,
            numbers,
            self.observation,
            self.action_mask,
            self.seat,
            self.payoffs,
            self.over,
            self._listed,
        )
        if wrong >= 0:
            raise IllegalMove(
                f"action {numbers[wrong]} is not allowed at table {wrong}; its action_mask says what is"
            )
        rewards = self.payoffs[self._rows, self._actor]
        return self._seen, rewards, self.over, self._truncated, {"seat": self.seat, "payoffs": self.payoffs}

    def _check_actions(self, actions: object) -> npt.NDArray[np.int64]:
        """Return the actions as an int64 array.

        Raise BadInput unless there is a whole number for each table, because kernels don't check this.
        """
        try:
            found = np.asarray(actions)
        except ValueError:  # rows of different lengths
            found = np.empty(())
        if found.shape != (self.num_envs,) or not np.issubdtype(found.dtype, np.integer):
            raise BadInput(
                f"it must be {self.num_envs} whole numbers, one a table, not {_shape(found)}", "actions"
            )
        return np.ascontiguousarray(found, np.int64)

    def choose(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Return a random legal action for each table, and 0 for a table whose game is over.

        If ``out`` is given, write the actions into this array and return it. ``out`` must be an int64 array with a
        place for each table. Raise BadInput if ``out`` has another type or length, is not contiguous, or is not
        writeable.
        """
        actions = _buffer(out, "out", (self.num_envs,), np.int64)
        self.table.sweep.choose_all(self._listed, self._choices, actions)
        return actions


def _without_features(whole: gymnasium.spaces.Dict) -> gymnasium.spaces.Dict:
    return gymnasium.spaces.Dict({name: space for name, space in whole.items() if name != "observation"})


def _buffer(given: object, place: str, shape: tuple[int, ...], kind: type[Scalar]) -> npt.NDArray[Scalar]:
    """Return ``given``, an array from the caller. If ``given`` is None, return a new array of this shape and type.

    Compiled code writes into the array without a check. So raise BadInput if ``given`` has another shape or type, is
    not contiguous, or is not writeable. ``place`` is the name of the parameter for the error.
    """
    if given is None:
        return np.zeros(shape, kind)
    if (
        not isinstance(given, np.ndarray)
        or given.shape != shape
        or given.dtype != kind
        or not given.flags.c_contiguous
        or not given.flags.writeable
    ):
        raise BadInput(
            f"it must be a contiguous and writeable array of shape {shape} and type {np.dtype(kind)}, "
            f"not {_shape(given)}",
            place,
        )
    found: npt.NDArray[Scalar] = given
    return found


def _shape(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return f"a {type(value).__name__}"
    way = "" if value.flags.c_contiguous else ", not contiguous"
    return f"{value.dtype} of shape {value.shape}{way}{'' if value.flags.writeable else ', not writeable'}"


def make_vector(
    game: str,
    num_envs: int = 1,
    learner: int | None = None,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
) -> SpelunkeVector:
    """Return a vector environment with ``num_envs`` tables. ``gymnasium.make_vec`` calls this function."""
    return SpelunkeVector(game, num_envs, learner, seats, options)


def _register() -> None:
    """Register each game in Gymnasium as ``Spelunke/<Game>-v<version of its rules>``."""
    for name, game in shelf().items():
        gymnasium.register(
            id=f"Spelunke/{name.title()}-v{game.rules.VERSION}",
            entry_point=f"{__name__}:SpelunkeEnv",
            vector_entry_point=f"{__name__}:make_vector",
            kwargs={"game": name},
            disable_env_checker=True,  # it plays actions that the mask forbids
        )


_register()
