"""The bot that searches a few decisions ahead, and takes the action with the highest value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.errors import BadInput
from spelunke.core.kernel import bind, pool
from spelunke.core.noise import normal
from spelunke.core.values import Action, Stream, View
from spelunke.games.game import Game

if TYPE_CHECKING:
    from spelunke.bots.lookahead import Lookahead

A = TypeVar("A", bound=Action)


class GreedyBot:
    """A bot that evaluates each action by a search over ``depth`` decisions.

    The game's function ``worth`` evaluates the positions at the end of the search. If several actions have the same
    value, the bot takes one of them at random. If the game hides facts, the bot evaluates each action in ``worlds``
    random full states that fit its view, and uses the mean. ``noise`` is the standard deviation of the bot's errors,
    in points. The constructor raises BadInput if ``depth`` or ``worlds`` is below 1.
    """

    def __init__(self, game: Game, depth: int = 2, worlds: int = 1, noise: float = 0.0) -> None:
        if min(depth, worlds) < 1:
            raise BadInput(f"depth and worlds must be whole numbers from 1, not {depth} and {worlds}")
        self.game = game
        self.depth = depth
        self.noise = noise
        self.worlds = worlds if game.hidden else 1

    def choose(self, view: View, legal: Sequence[A], stream: Stream) -> A:
        """Return the action with the highest value (:class:`spelunke.core.bot.Bot`)."""
        if len(legal) == 1:
            return legal[0]
        values = self.judge(view, len(legal), stream)
        if self.noise:
            values += [self.noise * normal(stream) for _ in legal]
        best = np.flatnonzero(values >= values.max() - 1e-9)
        return legal[int(best[int(below(stream, len(best)))])]

    def judge(self, view: View, count: int, stream: Stream) -> npt.NDArray[np.float64]:
        """Return the value of each legal action in points, as a float64 array of length ``count``.

        ``count`` is the number of legal actions.
        """
        assert view.seat is not None
        rules = self.game.rules
        module = bind("spelunke.bots.lookahead", rules.__name__, self.game.knowledge.__name__)
        kernels = cast("Lookahead", module)
        levels = 2 * self.depth + 4
        states = pool(rules.STATE, levels)
        lists = np.zeros((levels, max(rules.ACTIONS, rules.OUTCOMES)), np.int16)
        weights = np.zeros_like(lists)
        found = np.zeros(lists.shape[1], np.float64)
        total = np.zeros(count, np.float64)
        for _ in range(self.worlds):
            states[0] = self.game.view.imagine(view, stream)
            kernels.judge(states, view.seat, self.depth, lists, weights, found)
            total += found[:count]
        return total / self.worlds
