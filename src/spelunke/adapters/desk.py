"""Matches as the adapters use them: seats, actions and outcomes of chance are ints, not objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import bind, copy_pool, pool
from spelunke.core.native import hold
from spelunke.core.outcome import payoffs
from spelunke.core.values import Action, State, Stream
from spelunke.games.game import Game, Settled
from spelunke.games.hooks import Hooks

if TYPE_CHECKING:
    from spelunke.adapters.sweep import Sweep
    from spelunke.core.step import Step


KEPT = 1024
"""The most lists of probabilities that a table keeps (:meth:`Desk.odds`)."""


class Table:
    """A game with its seats, options, rules and initial state. All matches of the table share these data.

    If ``opening`` is given, matches begin from this state instead of the start of the game. Raise BadOption or BadInput
    for options or seats that the game doesn't allow.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        opening: State | None = None,
    ) -> None:
        rules, view = game.rules, game.view
        self.game = game
        self.seats = game.usual_seats if seats is None else seats
        self.options: Settled = game.settle(self.seats, options)
        self.setup = game.setup(self.seats, self.options)
        self.opening = opening
        self.actions: int = rules.ACTIONS
        self.outcomes: int = rules.OUTCOMES
        self.features: int = view.FEATURES
        self.longest: int = rules.LONGEST
        self.step = cast("Step", bind("spelunke.core.step", rules.__name__))
        self.sweep = cast("Sweep", bind("spelunke.adapters.sweep", rules.__name__, view.__name__))
        self.numbers = np.zeros(max(rules.ACTIONS, rules.OUTCOMES) + 1, np.int16)
        self.weights = np.zeros_like(self.numbers)
        self.odds: dict[bytes, list[tuple[int, float]]] = {}


class Desk:
    """One match, in which seats, actions and outcomes of chance are ints.

    Copies are cheap. The methods don't check their arguments.
    """

    __slots__ = ("pool", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pool = pool(table.game.rules.STATE, 1)
        if table.opening is None:
            table.step.start_at(self.pool, 0, table.setup)
        else:
            self.pool[0] = table.opening

    @property
    def state(self) -> State:
        """The state record of the match."""
        state: State = self.pool[0]
        return state

    def copy(self) -> Desk:
        """Return a copy of the match at the same table."""
        twin = Desk.__new__(Desk)
        twin.table = self.table
        twin.pool = copy_pool(self.pool)
        return twin

    def who(self) -> int:
        """Return the seats that may act, as the bits of an int. If no seat may act, return CHANCE or OVER."""
        return int(self.table.step.actors_at(self.pool, 0))

    def seat(self) -> int:
        """Return the lowest seat that may act, or CHANCE, or OVER."""
        who = self.who()
        return who if who in {CHANCE, OVER} else (who & -who).bit_length() - 1

    def legal(self, seat: int) -> list[int]:
        """Return the seat's legal actions in ascending order."""
        n = self.table.step.legal_at(self.pool, 0, seat, self.table.numbers)
        found: list[int] = self.table.numbers[:n].tolist()
        return found

    def mask(self, seat: int, extra: int = 0) -> npt.NDArray[np.int8]:
        """Return a mask of the seat's legal actions, as an int8 array of length ACTIONS + ``extra``."""
        found = np.zeros(self.table.actions + extra, np.int8)
        found[self.legal(seat)] = 1
        return found

    def play(self, seat: int, action: int) -> None:
        """Play a legal action."""
        self.table.step.play_at(self.pool, 0, seat, action)

    def meet(self, given: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Convert simultaneous choices of several seats to actions in sequence. Yield each seat with its action.

        ``given`` pairs each of these seats with its choice. The caller must play each yielded action before it requests
        the next one.

        The result is the same as on a server that receives all choices at the same time. For example, if several seats
        call at the same time, their calls are tied, and none of them counts as the first (hook ``action_on_arrival``).
        If the actions played so far make a seat's choice illegal, skip this choice.
        """
        moves, hooks = self.table.game.moves, self.table.game.hooks
        tied = hooks.has(Hooks.action_on_arrival)
        kinds: set[type[Action]] = set()
        for seat, number in given:
            if tied:
                action = moves.decode(number)
                since = 0 if type(action) in kinds else None
                kinds.add(type(action))
                (number,) = moves.encode(hooks.action_on_arrival(action, self.state, since), self.state)
            if number in self.legal(seat):
                yield seat, number

    def chances(self) -> list[tuple[int, int]]:
        """Return the possible outcomes of the next chance event, each with its weight."""
        table = self.table
        n = table.step.chances_at(self.pool, 0, table.numbers, table.weights)
        return list(zip(table.numbers[:n].tolist(), table.weights[:n].tolist(), strict=True))

    def odds(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of the next chance event, each with its probability.

        The same few lists of outcomes occur again and again in a game. So the table caches up to `KEPT` lists.
        """
        table = self.table
        n = table.step.chances_at(self.pool, 0, table.numbers, table.weights)
        key = table.numbers[:n].tobytes() + table.weights[:n].tobytes()
        found = table.odds.get(key)
        if found is None:
            weights = table.weights[:n].tolist()
            total = sum(weights)
            shares = [weight / total for weight in weights]
            found = list(zip(table.numbers[:n].tolist(), shares, strict=True))
            if len(table.odds) >= KEPT:
                table.odds.clear()
            table.odds[key] = found
        return found.copy()

    def apply_chance(self, outcome: int) -> None:
        """Apply an outcome of chance."""
        self.table.step.apply_chance_at(self.pool, 0, outcome)

    def decide_chance(self, stream: Stream) -> None:
        """Draw outcomes of chance with this random stream and apply them, until a seat may act or the game is over."""
        while self.who() == CHANCE:
            self.apply_chance(int(self.table.sweep.sample_chance_at(self.pool, 0, stream)))

    def advance(self, seat: int, action: int, stream: Stream) -> int:
        """Play a legal action, then draw outcomes of chance until a seat may act or the game is over.

        Return the lowest seat that may act next, or OVER. If ``action`` is below 0, only draw the outcomes. Write into
        ``table.numbers`` the number of legal actions of the returned seat, followed by these actions. All this takes
        only one call of compiled code.
        """
        return int(self.table.sweep.advance_at(self.pool, 0, seat, action, stream, self.table.numbers))

    def stepper(self, stream: Stream) -> Callable[[int, int], int]:
        """Return a function of ``seat`` and ``action`` that does the same as :meth:`advance` with this random stream.

        In Python, the returned function is the fastest way to advance a match. It writes into the current array
        ``self.pool``. If another array later replaces this array, the function still writes into the old array.
        """
        found = hold(self.table.sweep.advance_at, self.pool, 0, None, None, stream, self.table.numbers)
        return cast("Callable[[int, int], int]", found)

    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """Return the seat's view as features, a float32 array of length FEATURES."""
        found = np.zeros(self.table.features, np.float32)
        self.table.sweep.view_at(self.pool, 0, seat, found)
        return found

    def payoffs(self) -> tuple[float, ...]:
        """Return each seat's payoff, from 1 for the first place to -1 for the last. Before the end, return zeros."""
        seats = self.table.seats
        if self.who() != OVER:
            return (0.0,) * seats
        points, ranks = np.zeros(seats, np.int16), np.zeros(seats, np.int16)
        self.table.step.result_at(self.pool, 0, points, ranks)
        return payoffs(ranks.tolist())
