"""The registered games in OpenSpiel: importing this module registers ``spelunke_<game>`` for every game.

    import pyspiel
    import spelunke.adapters.open_spiel
    game = pyspiel.load_game("spelunke_<game>(seats=3)")

The parameters are ``seats``, every option of the game, ``position`` and ``worlds``. For an option whose default
depends on the number of seats, 0 or an empty text means this default. If an option has both texts and numbers as
values, the number 10 is written ``_10``.

``position`` is the path of a position file. The game begins from the position in this file, with the file's seats and
options. ``worlds`` is the number of redeals: copies of the position in which random facts replace the facts that a
spectator can't see. The redeals use a fixed seed, and the first chance node picks one of them with equal probability.
If ``worlds`` is 0, the hidden facts stay as in the file. Then they are the same in every game, so they are not secret.

Chance is explicit. If the rules let several seats act at the same time, these seats act one after the other in
``spelunke_<game>``. They don't know each other's sealed choices, but they know choices that the rules show immediately,
such as a call that all can hear. For a game with such rules, this module also registers
``spelunke_<game>_together``, which has true simultaneous nodes. At these nodes, simultaneous calls are tied.

The text of an information state is the seat's view, followed by a digest of all that the seat has seen and done
(perfect recall). The tensor of an information state is the game's feature array, as for an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec
import numpy as np
import pyspiel

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.memory import Memory, digest, observation
from spelunke.adapters.moment import Key, Moment, SpielTable, table_of
from spelunke.adapters.parameters import Parameter, default_parameter, read_parameter, write_parameter
from spelunke.core.chance import below, seed_stream
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.values import Stream
from spelunke.games import find_game, shelf
from spelunke.games.game import Game

PREFIX = "spelunke_"
TOGETHER = "_together"
_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)


class SpelunkeState(pyspiel.State):  # type: ignore[misc]
    """A state of a match, with the interface of OpenSpiel."""

    def __init__(self, game: SpelunkeGame) -> None:
        super().__init__(game)
        self.seen = Moment(Desk(game.table), Memory(), not game.table.worlds)

    @property
    def desk(self) -> Desk:
        """The match, with seats, actions and outcomes of chance as ints."""
        return self.seen.desk

    def current_player(self) -> int:
        """Return the player to act, or OpenSpiel's number for chance, or its number for the end of the game.

        If several players are to act, return SIMULTANEOUS if the game has simultaneous nodes, else the lowest player.
        """
        who = self.seen.who()
        if who < 0:
            return _CHANCE if who == CHANCE else _TERMINAL
        if who & (who - 1) and self._together():
            return _SIMULTANEOUS
        return (who & -who).bit_length() - 1

    def _together(self) -> bool:
        return self.get_game().get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS  # type: ignore[no-any-return]

    # Overridden because Python calls these methods at every node, and calls through OpenSpiel's C++ take ten
    # times as long.

    def is_chance_node(self) -> bool:
        """Return whether chance is to act."""
        return self.seen.who() == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Return whether several seats are to act and the game has simultaneous nodes."""
        who = self.seen.who()
        return who > 0 and who & (who - 1) != 0 and self._together()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of ``player``, by default the player to act, in ascending order.

        If the player may not act, return an empty list. If chance is to act, return the possible outcomes. At a
        simultaneous node, several players are to act, so give ``player``.
        """
        who = self.seen.who()
        if player is None and who > 0 and not who & (who - 1):
            return self.seen.desk.legal(who.bit_length() - 1)
        now = self.current_player()
        if now == _TERMINAL:
            return []
        if now == _CHANCE:
            return [outcome for outcome, _ in self.chance_outcomes()]
        if now == _SIMULTANEOUS:
            return super().legal_actions() if player is None else super().legal_actions(player)  # type: ignore[no-any-return]
        return self._legal_actions(now) if player is None or player == now else []

    def _legal_actions(self, player: int) -> list[int]:
        # At a simultaneous node, C++ also asks for the actions of the number SIMULTANEOUS, which kernels can't check.
        return self.seen.desk.legal(player) if player >= 0 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of the next chance event, each with its probability."""
        if self.seen.dealt:
            return self.seen.desk.odds()
        weights = [often for _, often in self._worlds()]
        total = sum(weights)
        return [(number, weight / total) for number, weight in enumerate(weights)]

    def _worlds(self) -> tuple[tuple[bytes, int], ...]:
        table = self.seen.desk.table
        assert isinstance(table, SpielTable)
        return table.worlds

    def _pick_world(self, number: int) -> None:
        """Continue from the copy of the position with index ``number`` (:meth:`SpielTable.redeal`).

        The history of each seat begins again, with its view of this copy.
        """
        table = self.seen.desk.table
        desk = Desk(table)
        desk.pool[0] = np.frombuffer(self._worlds()[number][0], table.game.rules.STATE)[0]
        memory = Memory()
        for seat in range(table.seats):
            memory.digests[seat] = digest(table.game, desk.state, seat)
        self.seen = Moment(desk, memory)

    def _apply_action(self, action: int) -> None:
        if not self.seen.dealt:
            self._pick_world(action)
            return
        who = self.seen.who()
        self.seen.step(who if who == CHANCE else (who & -who).bit_length() - 1, action)

    def _apply_actions(self, actions: list[int]) -> None:
        who = self.seen.who()
        given = [(seat, action) for seat, action in enumerate(actions) if who >> seat & 1]
        for seat, action in self.seen.desk.meet(given):
            self.seen.step(seat, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.seen.desk.table.game
        if not self.seen.dealt:
            return f"world {action}"
        if player == pyspiel.PlayerId.CHANCE:
            return str(game.notation.write_chance(game.moves.decode_chance(action)))
        return str(game.notation.write(game.moves.decode(action)))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.seen.who() == OVER

    def returns(self) -> list[float]:
        """Return each player's payoff, from 1 for the first place to -1 for the last. Before the end, return zeros."""
        return list(self.seen.desk.payoffs())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpelunkeState:
        """Return a random state that the player can't distinguish from this state."""
        table = self.seen.desk.table
        stream = seed_stream(int(sampler() * 2**53))
        view = table.game.view
        twin: SpelunkeState = self.clone()
        desk = Desk(table)
        desk.pool[0] = view.imagine(view.view(self.seen.desk.state, player), stream)
        if self.current_player() == player:
            _hear_others(desk, player, stream)
        memory = Memory()
        for seat in range(table.seats):
            memory.digests[seat] = (
                self.seen.memory.digest(table.game, player)
                if seat == player
                else digest(table.game, desk.state, seat)
            )
        twin.seen = Moment(desk, memory)
        return twin

    def __str__(self) -> str:
        desk = self.seen.desk
        text = msgspec.json.encode(desk.table.game.notation.write_position(desk.state)).decode()
        return text if self.seen.dealt else f"one of {len(self._worlds())} worlds: {text}"


def _hear_others(desk: Desk, player: int, stream: Stream) -> None:
    """Play, for each seat that acts before the player, a random action that leaves the player's view unchanged.

    Stop before the first seat that has no such action.
    """
    game = desk.table.game
    seen = observation(game, desk.state, player)
    while (seat := desk.seat()) not in {player, OVER, CHANCE}:
        answers = desk.legal(seat)
        while answers:
            tried = desk.copy()
            tried.play(seat, answers.pop(int(below(stream, len(answers)))))
            if observation(game, tried.state, player) == seen:
                desk.pool[0] = tried.pool[0]
                break
        else:
            return


class _Kind(Protocol):
    """OpenSpiel's type for the requested kind of observer."""

    perfect_recall: bool
    public_info: bool
    private_info: pyspiel.PrivateInfoType


class SpelunkeObserver:
    """An observer of OpenSpiel, which writes a player's view as text and as a tensor.

    If ``recall`` is true, the text also identifies the player's history.
    """

    def __init__(self, table: Table, recall: bool) -> None:
        self.table = table
        self.recall = recall
        self.tensor = np.zeros(table.features, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: SpelunkeState, player: int) -> None:
        """Write the features of the player's view into ``tensor``."""
        self.table.sweep.view_at(state.seen.desk.pool, 0, player, self.tensor)

    def string_from(self, state: SpelunkeState, player: int) -> str:
        """Return the player's view as text. With perfect recall, a digest of the player's history follows."""
        game = self.table.game
        text = observation(game, state.seen.desk.state, player).decode()
        if not self.recall:
            return text
        return f"{text} #{state.seen.memory.digest(game, player).hex()}"


class SpelunkeGame(pyspiel.Game):  # type: ignore[misc]
    """A registered game with its seats and options, with the interface of OpenSpiel."""

    def __init__(self, game: Game, kind: pyspiel.GameType, given: Mapping[str, Parameter]) -> None:
        options = tuple(
            (o.name, read_parameter(o, given[o.name]))
            for o in game.options
            if o.name in given and not (callable(o.default) and given[o.name] == default_parameter(o))
        )
        # OpenSpiel writes the parameters in this form into the text of a stored game.
        given = {
            **given,
            **{o.name: write_parameter(o, given[o.name]) for o in game.options if o.name in given},
        }
        position, worlds = str(given.get("position", "")), int(given.get("worlds", 0))
        self.table = table_of(Key(game.name, int(given.get("seats", 0)), options, position, worlds))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.actions,
            max_chance_outcomes=max(self.table.outcomes, len(self.table.worlds)),
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.table.longest + bool(self.table.worlds),
        )
        super().__init__(kind, info, dict(given))

    def new_initial_state(self) -> SpelunkeState:
        """Return the initial state: the start of the game, or the position of the parameter ``position``."""
        return SpelunkeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound of the number of chance nodes in a game.

        The bound is the maximum number of plies. If the parameter ``worlds`` is positive, add one, because the first
        chance node picks one of the redeals.
        """
        return self.table.longest + bool(self.table.worlds)

    def make_py_observer(
        self, kind: _Kind | None = None, params: Mapping[str, object] | None = None
    ) -> SpelunkeObserver | None:
        """Return an observer of all that one player knows.

        If the game has secrets and ``kind`` asks for other information, return None. The observer's text includes the
        history if ``kind.perfect_recall`` is true.
        """
        game = self.table.game
        if kind is not None and (game.hidden or game.together):
            of_one = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            if not (kind.public_info and of_one):
                return None
        return SpelunkeObserver(self.table, bool(kind and kind.perfect_recall))


def register(game: Game, together: bool = False) -> str:
    """Register a game in OpenSpiel, and return its name there.

    If ``together`` is true, the game has simultaneous nodes.
    """
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
            "worlds": 0,
            **{option.name: default_parameter(option) for option in game.options},
        },
    )

    def begin(self: SpelunkeGame, params: Mapping[str, Parameter] | None = None) -> None:
        SpelunkeGame.__init__(self, game, kind, params or {})

    # OpenSpiel releases this object after Python has ended. A class survives that, but a function does not.
    pyspiel.register_game(kind, type(name, (SpelunkeGame,), {"__init__": begin}))
    return name


NAMES: tuple[str, ...] = tuple(
    register(game, together)
    for game in shelf().values()
    for together in ((False, True) if game.together else (False,))
)
"""The names of the registered games in OpenSpiel."""


def load(name: str, seats: int | None = None, options: Mapping[str, object] | None = None) -> pyspiel.Game:
    """Return a registered game as a game of OpenSpiel.

    ``options`` have the form that the rest of Spelunke uses, not the form of OpenSpiel's parameters. Raise BadInput for
    an unknown game, and BadOption or BadInput for options or seats that the game doesn't allow.
    """
    game = find_game(name)
    settled = game.settle(seats or game.usual_seats, options)
    given = {
        option.name: write_parameter(option, settled[option.name])
        for option in game.options
        if options and option.name in options
    }
    return pyspiel.load_game(f"{PREFIX}{name}", given if seats is None else {**given, "seats": seats})
