"""The bot that tries each legal action with many random games, and takes the action with the most wins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from spelunke.core.kernel import bind, pool
from spelunke.core.values import Action, Stream, View
from spelunke.games.game import Game

if TYPE_CHECKING:
    from spelunke.solvers.rollout import Rollout

A = TypeVar("A", bound=Action)
AT_ONCE = 8
"""The number of games for each action in each world (a random full state that fits the view).

The bot checks the clock after each world.
"""


class FlatBot:
    """A bot that tries each legal action with random games (flat Monte Carlo).

    It needs only the rules of a game, and serves as a standard of comparison for other bots. If ``games`` is given, the
    bot plays at least this number of games for each action. Otherwise it plays games for ``seconds`` of this thread's
    processor time. With this limit, it may choose differently when it gets the same view again.
    """

    def __init__(self, game: Game, seconds: float = 1.0, games: int = 0) -> None:
        self.game = game
        self.seconds = seconds
        self.games = games

    def choose(self, view: View, legal: Sequence[A], stream: Stream) -> A:
        """Return the action after which the seat won the most random games (:class:`spelunke.core.bot.Bot`)."""
        if len(legal) == 1:
            return legal[0]
        assert view.seat is not None
        rules = self.game.rules
        kernels = cast("Rollout", bind("spelunke.solvers.rollout", rules.__name__))
        actions = np.array([self.game.moves.encode(action)[0] for action in legal], np.int16)
        states = pool(rules.STATE, 2)
        wins = np.zeros(len(legal))
        points, ranks = (np.zeros(max(self.game.seats), np.int16) for _ in range(2))
        begun, played = time.thread_time(), 0
        while played < self.games if self.games else time.thread_time() - begun < self.seconds or not played:
            states[0] = self.game.view.imagine(view, stream)
            kernels.roll_out(states, view.seat, actions, stream, AT_ONCE, points, ranks, wins)
            played += AT_ONCE
        return legal[int(wins.argmax())]
