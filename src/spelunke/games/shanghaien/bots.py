"""The bot that solves each round and judges its end by what the crews are worth."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from spelunke.core.chance import below
from spelunke.core.game import Game
from spelunke.core.values import Stream
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.solving import Aim, Judge, Oracle, guess
from spelunke.games.shanghaien.state import ROUNDS
from spelunke.games.shanghaien.view import View, imagine

EVEN = 1e-6
"""Values that differ by less are equal: the solver counts with seven digits."""


@functools.lru_cache(maxsize=8)
def oracle(values: str = "simple", aim: Aim = Aim.WIN) -> Oracle:
    """The oracle that all who judge crews in the same way share, with its solved rounds."""
    return Oracle(Judge([guess()] * ROUNDS, aim))


class SolverBot:
    """Plays each round exactly, for the chance to win that ``values`` give the crews at its end.

    ``noise``: by how much (a standard deviation of the chance to win, counted from -1 to 1) it misjudges each choice.
    """

    def __init__(self, game: Game, values: str = "simple", noise: float = 0.0) -> None:
        self.game = game
        self.values = values
        self.noise = noise

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """See :class:`spelunke.core.bot.Bot`."""
        if len(legal) == 1:
            return legal[0]
        assert view.seat is not None
        s = imagine(view, stream)
        found = oracle(self.values).choices(s, view.seat)
        mine = np.array([found[moves.encode(action)[0]] for action in legal])
        if view.seat == 1:
            mine = -mine
        if self.noise:
            mine += [self.noise * _normal(stream) for _ in legal]
        best = np.flatnonzero(mine >= mine.max() - EVEN)
        return legal[int(best[int(below(stream, len(best)))])]


def _normal(stream: Stream) -> float:
    """A number from the normal distribution; moves the stream (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log((int(below(stream, 2**30)) + 1) / 2**30))
    return radius * math.cos(2.0 * math.pi * int(below(stream, 2**30)) / 2**30)


BOTS = {"solver": SolverBot}
