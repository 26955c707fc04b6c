"""Bots that search by playouts (:mod:`spelunke.solvers.search`), also in positions with secret choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import msgspec
import numpy as np

from spelunke.core.bot import AnyBot
from spelunke.core.chance import below
from spelunke.core.errors import BadInput
from spelunke.core.kernel import pool
from spelunke.core.values import Action, State, Stream, View
from spelunke.games.game import Game
from spelunke.solvers.search import (
    BARE,
    Budget,
    Choice,
    Finding,
    Mixture,
    Plan,
    agreeing,
    best_answer,
    is_compiled,
    search,
    trimmed,
)

A = TypeVar("A", bound=Action)
FINE = 1 << 24


class SearchBot:
    """A bot that searches for the best probability of each choice, and then draws a choice with these probabilities.

    ``looks``: the number of playouts. ``ahead``: the number of parts of the game (hours, rounds) to search, including
    the current one. ``trim``: the bot never makes choices whose probability is below this fraction of the largest
    probability. ``noise``: the standard deviation of the bot's errors, in units of the payoff. ``cores``: the number of
    threads.

    ``milliseconds``: the processor time of the search. If it is given, it limits the search instead of ``looks``. Then
    the bot may choose differently when it gets the same view again. ``paranoid``: if this is 1, the search assumes that
    all others play against the bot.

    Until the game's rules are compiled, the bot makes only a few playouts, and ignores ``milliseconds``.
    """

    def __init__(
        self,
        game: Game,
        looks: int = 10_000,
        ahead: int = 2,
        trim: float = 0.25,
        noise: float = 0.0,
        cores: int = 1,
        milliseconds: float | None = None,
        paranoid: int = 0,
    ) -> None:
        self.game = game
        self.budget = Budget(looks, milliseconds, ahead, cores, bool(paranoid))
        self.trim = trim
        self.noise = noise

    def choose(self, view: View, legal: Sequence[A], stream: Stream) -> A:
        """Search, draw a choice, and return the first action of this choice that the seat has not taken yet.

        A secret choice may have several actions. Each call returns only one of them. Raise Refused if the position
        has too many choices for the search.
        """
        if len(legal) == 1:
            return legal[0]
        assert view.seat is not None
        budget = self.budget
        if not is_compiled(self.game):
            budget = msgspec.structs.replace(
                budget, simulations=min(budget.simulations, BARE), milliseconds=None
            )
        s = self.game.view.imagine(view, stream)
        found = self.find(s, view.seat, budget, stream)
        left = agreeing(self.game, s, view.seat, found.choices)
        by_number = {self.game.moves.encode(action)[0]: action for action in legal}
        action = draw([(choice, rest) for choice, rest in left if rest], self.trim, stream)
        return by_number.get(action, legal[0])

    def find(self, s: State, seat: int, budget: Budget, stream: Stream) -> Finding:
        """Search a position for a seat, and return the result."""
        return search(self.game, s, seat, budget, stream, self.noise)


class AnswerBot(SearchBot):
    """A bot that knows how its opponents choose, and plays the best answer.

    Its gains show how exploitable its opponents are.

    By default, the bot assumes that each opponent is a :class:`SearchBot` with the same settings, without noise. If
    ``to`` is given, the bot assumes that each opponent is the bot ``to``. To estimate how often an opponent makes each
    choice, this bot calls ``to.choose`` repeatedly. ``asks`` is the number of choices for each estimate. The
    constructor raises BadInput if ``asks`` is below 1.
    """

    def __init__(
        self,
        game: Game,
        looks: int = 10_000,
        ahead: int = 2,
        trim: float = 0.25,
        cores: int = 1,
        milliseconds: float | None = None,
        paranoid: int = 0,
        asks: int = 24,
        to: AnyBot | None = None,
    ) -> None:
        super().__init__(game, looks, ahead, trim, 0.0, cores, milliseconds, paranoid)
        if asks < 1:
            raise BadInput(f"asks must be a whole number from 1, not {asks}")
        self.to = to
        self.asks = asks

    def find(self, s: State, seat: int, budget: Budget, stream: Stream) -> Finding:
        """Return the best response to opponents whose choices have known probabilities (:func:`.best_answer`)."""
        to = self.to
        if to is None:
            return best_answer(self.game, s, seat, budget, stream, self.trim)

        def policy(there: State, other: int) -> Mixture:
            return ask(self.game, to, there, other, self.asks, stream)

        return best_answer(self.game, s, seat, budget, stream, policy=policy)


def ask(game: Game, bot: AnyBot, s: State, seat: int, times: int, stream: Stream) -> Mixture:
    """Return the estimated probability of each choice of a bot in the position ``s``.

    For the estimate, the bot chooses ``times`` times. ``seat`` is the bot's seat. ``s`` must be a position in which
    several seats choose together and none has chosen yet.
    """
    rules, states = game.rules, pool(game.rules.STATE, 1)
    listed = np.zeros(max(1, rules.ACTIONS), np.int16)
    found: Counter[Plan] = Counter()
    for _ in range(times):
        states[0] = s
        there: State = states[0]
        plan: list[int] = []
        while (who := int(rules.actors(there))) > 0 and who >> seat & 1:
            n = rules.legal(there, seat, listed)
            legal = [game.moves.decode(int(number)) for number in listed[:n]]
            action = bot.choose(game.view.view(there, seat), legal, stream)
            for number in game.moves.encode(action, there):
                rules.play(there, seat, number)
                plan.append(number)
        found[tuple(sorted(plan))] += 1
    return {plan: count / times for plan, count in found.items()}


def draw(left: Sequence[tuple[Choice, tuple[int, ...]]], trim: float, stream: Stream) -> int:
    """Draw a choice at random. Return the first of its remaining actions, or -1 if ``left`` is empty.

    ``left`` pairs each choice with its remaining actions: those that the seat has not taken yet. A choice's
    probability is proportional to its ``share``. Choices with small shares are never drawn (see ``trim`` of
    :class:`SearchBot`).
    """
    if not left:
        return -1
    kept = trimmed(np.array([choice.share for choice, _ in left]), trim)
    at = np.searchsorted(np.cumsum(kept), int(below(stream, FINE)) / FINE, side="right")
    return left[min(int(at), len(left) - 1)][1][0]
