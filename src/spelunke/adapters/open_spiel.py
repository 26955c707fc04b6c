"""The shelf in OpenSpiel: importing this module registers ``spelunke_<game>`` for every game.

    import pyspiel
    import spelunke.adapters.open_spiel
    game = pyspiel.load_game("spelunke_<game>(seats=3)")

Parameters are ``seats``, every option of the game (text where the default depends on the seats), and ``position``: a
position file to begin from instead of the start. Chance is explicit. Where several seats act at once they are asked one
after the other and know nothing of each other's choice; ``spelunke_<game>_together`` has true simultaneous nodes.

An information state is what the seat sees plus a digest of all it was ever told and of its own actions (perfect
recall). Its tensor is the game's feature array, the same as the observation's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyspiel

from spelunke.adapters.desk import Desk, Table
from spelunke.core.chance import seed_stream
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.errors import BadInput
from spelunke.core.game import Game
from spelunke.core.kernel import copy
from spelunke.games import find_game, shelf
from spelunke.records.position import parse_position

PREFIX = "spelunke_"
TOGETHER = "_together"


class Memory:
    """What each seat has learnt on the way to a state, as a chain that shares its past with other states."""

    __slots__ = ("after", "before", "deed", "digests", "past", "seat")

    def __init__(
        self, past: Memory | None = None, before: Any = None, seat: int = 0, deed: int = 0, after: Any = None
    ) -> None:
        self.past, self.before, self.seat, self.deed, self.after = past, before, seat, deed, after
        self.digests: dict[int, bytes] = {}

    def digest(self, game: Game, viewer: int) -> bytes:
        """16 bytes that stand for everything the viewer was told."""
        chain = [self]
        while viewer not in chain[-1].digests and chain[-1].past is not None:
            chain.append(chain[-1].past)
        known = chain[-1].digests.setdefault(viewer, b"")
        for link in reversed(chain[:-1]):
            known = link.digests[viewer] = link._learn(game, viewer, known)
        return self.digests[viewer]

    def _learn(self, game: Game, viewer: int, known: bytes) -> bytes:
        moves = game.moves
        deed = moves.decode_chance(self.deed) if self.seat == CHANCE else moves.decode(self.deed)
        told = game.events.tell(self.before, self.seat, deed, self.after, viewer)
        own = b"%d" % self.deed if viewer == self.seat else b""
        if not told and not own:
            return known
        return hashlib.blake2b(
            known + own + b"|" + msgspec.json.encode(told, enc_hook=_plain), digest_size=16
        ).digest()

    def __deepcopy__(self, memo: Any) -> Memory:
        return self


class _Table(Table):
    """A table that can be found again after pickling."""

    def __init__(self, key: tuple[Any, ...]) -> None:
        name, seats, options, position = key
        game = find_game(name)
        self.key = key
        if not position:
            super().__init__(game, seats or None, dict(options))
            return
        try:
            match = parse_position(Path(position).read_bytes(), game)
        except OSError as error:
            raise BadInput(f"{position}: {error.strerror}", "position") from None
        super().__init__(game, match.seats, match.options, copy(match.state))


_tables: dict[tuple[Any, ...], _Table] = {}


def _table(key: tuple[Any, ...]) -> _Table:
    if key[3]:
        return _Table(key)  # the file may have changed
    if key not in _tables:
        _tables[key] = _Table(key)
    return _tables[key]


class _Seen:
    """Desk and memory of one state; copies and pickles quickly."""

    __slots__ = ("desk", "memory")

    def __init__(self, desk: Desk, memory: Memory) -> None:
        self.desk, self.memory = desk, memory

    def __deepcopy__(self, memo: Any) -> _Seen:
        return _Seen(self.desk.copy(), self.memory)

    def __reduce__(self) -> tuple[Any, ...]:
        table = self.desk.table
        assert isinstance(table, _Table)
        digests = tuple(self.memory.digest(table.game, seat) for seat in range(table.seats))
        opening = None if table.opening is None else table.opening.tobytes()
        return _wake, (table.key, opening, self.desk.state.tobytes(), digests)


def _wake(key: tuple[Any, ...], opening: bytes | None, state: bytes, digests: tuple[bytes, ...]) -> _Seen:
    table = _table((*key[:3], ""))
    if opening is not None:
        table = _Table((*key[:3], ""))
        table.opening = np.frombuffer(opening, table.game.rules.STATE)[0]
        table.key = key
    desk = Desk(table)
    desk.pool[0] = np.frombuffer(state, table.game.rules.STATE)[0]
    memory = Memory()
    memory.digests.update(enumerate(digests))
    return _Seen(desk, memory)


class SpelunkeState(pyspiel.State):  # type: ignore[misc]
    """One match as OpenSpiel plays it."""

    def __init__(self, game: SpelunkeGame) -> None:
        super().__init__(game)
        self.seen = _Seen(Desk(game.table), Memory())

    @property
    def desk(self) -> Desk:
        """The match in numbers."""
        return self.seen.desk

    def current_player(self) -> int:
        """See OpenSpiel: of several who act at once the lowest, or SIMULTANEOUS where the game is so."""
        who = self.seen.desk.who()
        if who == OVER:
            return pyspiel.PlayerId.TERMINAL  # type: ignore[no-any-return]
        if who == CHANCE:
            return pyspiel.PlayerId.CHANCE  # type: ignore[no-any-return]
        if who & (who - 1) and self._together():
            return pyspiel.PlayerId.SIMULTANEOUS  # type: ignore[no-any-return]
        return (who & -who).bit_length() - 1

    def _together(self) -> bool:
        return self.get_game().get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        return self.seen.desk.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes that chance can take, with their probabilities."""
        found = self.seen.desk.chances()
        total = sum(weight for _, weight in found)
        return [(outcome, weight / total) for outcome, weight in found]

    def _apply_action(self, action: int) -> None:
        desk = self.seen.desk
        seat = desk.seat()
        before = copy(desk.state)
        if seat == CHANCE:
            desk.land(action)
        else:
            desk.play(seat, action)
        self.seen.memory = Memory(self.seen.memory, before, seat, action, copy(desk.state))

    def _apply_actions(self, actions: list[int]) -> None:
        who = self.seen.desk.who()
        for seat, action in enumerate(actions):
            if who >> seat & 1:
                desk = self.seen.desk
                before = copy(desk.state)
                desk.play(seat, action)
                self.seen.memory = Memory(self.seen.memory, before, seat, action, copy(desk.state))

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.seen.desk.table.game
        if player == pyspiel.PlayerId.CHANCE:
            return str(game.notation.write_chance(game.moves.decode_chance(action)))
        return str(game.notation.write(game.moves.decode(action)))

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.seen.desk.who() == OVER

    def returns(self) -> list[float]:
        """Payoffs from the ranks, from 1 to -1; zeros until it is over."""
        return list(self.seen.desk.payoffs())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpelunkeState:
        """A state that the player can't tell from this one, what is hidden from it redealt at random."""
        table = self.seen.desk.table
        stream = seed_stream(int(sampler() * 2**53))
        view = table.game.view
        twin: SpelunkeState = self.clone()
        world = view.imagine(view.view(self.seen.desk.state, player), stream)
        twin.seen.desk.pool[0] = world
        memory = Memory()
        for seat in range(table.seats):
            memory.digests[seat] = (
                self.seen.memory.digest(table.game, player)
                if seat == player
                else hashlib.blake2b(observation(table.game, world, seat), digest_size=16).digest()
            )
        twin.seen.memory = memory
        return twin

    def __str__(self) -> str:
        desk = self.seen.desk
        return msgspec.json.encode(desk.table.game.notation.write_position(desk.state)).decode()


def observation(game: Game, state: Any, seat: int) -> bytes:
    """What the seat sees, as JSON."""
    return msgspec.json.encode(game.view.view(state, seat), enc_hook=_plain)


def _plain(value: Any) -> Any:
    """A NumPy scalar as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


class SpelunkeObserver:
    """Text and tensor of what a player sees; with perfect recall the text also stands for what it saw before."""

    def __init__(self, table: Table, recall: bool) -> None:
        self.table = table
        self.recall = recall
        self.tensor = np.zeros(table.features, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: SpelunkeState, player: int) -> None:
        """Fill the tensor."""
        self.table.sweep.view_at(state.seen.desk.pool, 0, player, self.tensor)

    def string_from(self, state: SpelunkeState, player: int) -> str:
        """The text."""
        game = self.table.game
        text = observation(game, state.seen.desk.state, player).decode()
        if not self.recall:
            return text
        return f"{text} #{state.seen.memory.digest(game, player).hex()}"


class SpelunkeGame(pyspiel.Game):  # type: ignore[misc]
    """A game of the shelf at one table."""

    def __init__(self, game: Game, kind: pyspiel.GameType, given: Mapping[str, Any]) -> None:
        options = tuple(
            (o.name, given[o.name])
            for o in game.options
            if o.name in given and not (given[o.name] == "" and not isinstance(o.default, str))
        )
        self.table = _table((game.name, int(given.get("seats", 0)), options, str(given.get("position", ""))))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.actions,
            max_chance_outcomes=self.table.outcomes,
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.table.longest,
        )
        super().__init__(kind, info, dict(given))

    def new_initial_state(self) -> SpelunkeState:
        """The start, or the position that the game was loaded with."""
        return SpelunkeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound: every ply may be chance."""
        return self.table.longest

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SpelunkeObserver:
        """An observer; ``kind.perfect_recall`` decides whether its text remembers."""
        return SpelunkeObserver(self.table, bool(kind and kind.perfect_recall))


def _default(value: Any) -> Any:
    """What a parameter is when it is not given; its type is the parameter's."""
    if callable(value):
        return ""
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    return value


def register(game: Game, together: bool = False) -> str:
    """Register one game and return the name it has in OpenSpiel."""
    name = f"{PREFIX}{game.name}{TOGETHER if together else ''}"
    dynamics = pyspiel.GameType.Dynamics
    information = pyspiel.GameType.Information
    open_play = not (game.hidden or game.together)
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"{game.title} (Spelunke)",
        dynamics=dynamics.SIMULTANEOUS if together else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if open_play else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            "seats": 0,
            "position": "",
            **{option.name: _default(option.default) for option in game.options},
        },
    )

    def begin(self: SpelunkeGame, params: Mapping[str, Any] | None = None) -> None:
        SpelunkeGame.__init__(self, game, kind, params or {})

    # A class and not a function: OpenSpiel lets go of it after Python has ended, and only a class outlives that.
    pyspiel.register_game(kind, type(name, (SpelunkeGame,), {"__init__": begin}))
    return name


NAMES: tuple[str, ...] = tuple(
    register(game, together)
    for game in shelf().values()
    for together in ((False, True) if game.together else (False,))
)
"""What the games of the shelf are called in OpenSpiel."""
