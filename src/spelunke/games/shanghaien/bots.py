"""A bot that solves each round: it computes each action's value from all continuations to the end of the round.

At the end of a round, the value of a position is the value of both crews."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from spelunke.core.chance import below
from spelunke.core.noise import normal
from spelunke.core.values import Stream
from spelunke.games.game import Game
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.solving import Aim, Judge, Oracle, as_if_over, guess, learned
from spelunke.games.shanghaien.state import ROUNDS
from spelunke.games.shanghaien.view import View, imagine

SIMPLE = {"simple": guess, "now": as_if_over}
EVEN = 1e-6
"""Values count as equal if they differ by less than this. The solver computes with seven digits."""


@functools.lru_cache(maxsize=4)
def oracle(values: str) -> Oracle:
    """Return an :class:`Oracle` that uses the given values of crews.

    Calls with the same argument share the oracle and its solved rounds. ``values`` is ``learned`` for the learned
    values, ``simple`` for a simple model, or ``now`` for the score if the game ended now.
    """
    stages = learned(Aim.WIN) if values == "learned" else [SIMPLE[values]()] * ROUNDS
    return Oracle(Judge(stages, Aim.WIN))


class SolverBot:
    """A bot that plays for the chance to win, by solving each round exactly.

    ``values`` is the argument of :func:`oracle`. ``noise`` is the standard deviation of the bot's error in the value of
    each choice. A value is a chance to win, scaled from -1 (a loss) to 1 (a win).
    """

    def __init__(self, game: Game, values: str = "learned", noise: float = 0.0) -> None:
        self.game = game
        self.values = values
        self.noise = noise

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """Return the chosen legal action (see :class:`spelunke.core.bot.Bot`)."""
        if len(legal) == 1:
            return legal[0]
        assert view.seat is not None
        s = imagine(view, stream)
        found = oracle(self.values).choices(s, view.seat)
        mine = np.array([found[moves.encode(action)[0]] for action in legal])
        if view.seat == 1:
            mine = -mine
        if self.noise:
            mine += [self.noise * normal(stream) for _ in legal]
        best = np.flatnonzero(mine >= mine.max() - EVEN)
        return legal[int(best[int(below(stream, len(best)))])]


BOTS = {"solver": SolverBot}
