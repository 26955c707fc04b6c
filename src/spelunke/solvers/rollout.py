"""Generic kernels that evaluate each action by random games after it (flat Monte Carlo)."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import (
    ACTIONS,
    CHANCE,
    OVER,
    actors,
    apply_chance,
    legal,
    play,
    result,
    sample_chance,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream


class Rollout(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def roll_out(
        self,
        pool: Pool,
        seat: int,
        actions: Numbers,
        stream: Stream,
        games: int,
        points: Numbers,
        ranks: Numbers,
        out: npt.NDArray[np.float64],
    ) -> None: ...


@kernel
def roll_out(
    pool: Pool,
    seat: int,
    actions: Numbers,
    stream: Stream,
    games: int,
    points: Numbers,
    ranks: Numbers,
    out: npt.NDArray[np.float64],
) -> None:
    """Play ``games`` random games after each action, and add the seat's number of wins to ``out``.

    A win that n seats share counts as 1/n. ``pool[0]`` is the position, and ``pool[1]`` is scratch space. ``points``
    and ``ranks`` are scratch space with a number for each seat.
    """
    listed = np.zeros(max(1, ACTIONS), np.int16)
    for k in range(len(actions)):
        for _ in range(games):
            pool[1] = pool[0]
            play(pool[1], seat, actions[k])
            who = actors(pool[1])
            while who != OVER:
                if who == CHANCE:
                    apply_chance(pool[1], sample_chance(pool[1], stream))
                else:
                    actor = 0
                    while not who >> actor & 1:
                        actor += 1
                    n = legal(pool[1], actor, listed)
                    play(pool[1], actor, listed[below(stream, n)])
                who = actors(pool[1])
            result(pool[1], points, ranks)
            if ranks[seat] == 1:
                first = 0
                for other in range(len(ranks)):
                    first += ranks[other] == 1
                out[k] += 1.0 / first
