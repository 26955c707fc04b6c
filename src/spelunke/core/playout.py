"""Generic kernels that play whole games at random, without calls to Python."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from spelunke.core.arrays import empty
from spelunke.core.chance import below
from spelunke.core.contract import (
    ACTIONS,
    CHANCE,
    OVER,
    actors,
    apply_chance,
    legal,
    play,
    sample_chance,
    start,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, State, Stream


class Playout(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def playout(self, s: State, stream: Stream, out: Numbers) -> int: ...
    def playouts(self, pool: Pool, i: int, setup: Numbers, stream: Stream, games: int) -> int: ...


@kernel
def playout(s: State, stream: Stream, out: Numbers) -> int:
    """Play random moves in ``s`` until the game is over. Return the number of decisions. Change ``s`` in place.

    In each decision, all legal actions are equally likely. ``out`` is scratch space for actions.
    """
    decisions = 0
    while True:
        who = actors(s)
        while who == CHANCE:
            apply_chance(s, sample_chance(s, stream))
            who = actors(s)
        if who == OVER:
            return decisions
        seat = 0
        while not who >> seat & 1:
            seat += 1
        n = legal(s, seat, out)
        action = out[0] if n == 1 else out[below(stream, n)]
        play(s, seat, action)
        decisions += 1


@kernel
def playouts(pool: Pool, i: int, setup: Numbers, stream: Stream, games: int) -> int:
    """Play ``games`` whole random games in ``pool[i]``, one after the other. Return the total number of decisions."""
    out = empty(ACTIONS, np.int16)
    decisions = 0
    for _ in range(games):
        start(pool[i], setup)
        decisions += playout(pool[i], stream, out)
    return decisions
