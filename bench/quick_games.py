"""Generic kernels for ``bench/searches.py`` that play whole games.

As in playouts, the kernel ``answer`` chooses the actions of all seats.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from spelunke.core.chance import below
from spelunke.core.contract import (
    ACTIONS,
    CHANCE,
    OVER,
    actors,
    answer,
    apply_chance,
    play,
    result,
    sample_chance,
    start,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream


class QuickGames(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def quick_games(self, pool: Pool, setup: Numbers, stream: Stream, games: int) -> int: ...

    def kept_games(
        self,
        pool: Pool,
        setup: Numbers,
        stream: Stream,
        kept: Pool,
        games: Numbers,
        ranks: Numbers,
        every: int,
    ) -> int: ...


@kernel
def quick_games(pool: Pool, setup: Numbers, stream: Stream, games: int) -> int:
    """Play ``games`` games in ``pool[0]``. Return the number of decisions."""
    out = np.zeros(max(1, ACTIONS), np.int16)
    decisions = 0
    for _ in range(games):
        start(pool[0], setup)
        while True:
            who = actors(pool[0])
            if who == OVER:
                break
            if who == CHANCE:
                apply_chance(pool[0], sample_chance(pool[0], stream))
                continue
            seat = 0
            while not who >> seat & 1:
                seat += 1
            play(pool[0], seat, answer(pool[0], seat, out, stream))
            decisions += 1
    return decisions


@kernel
def kept_games(
    pool: Pool, setup: Numbers, stream: Stream, kept: Pool, games: Numbers, ranks: Numbers, every: int
) -> int:
    """Play a game in ``pool[0]`` for each row of ``ranks``, and write the ranks of its seats into this row.

    Also store about one of ``every`` positions in ``kept``, and the index of its game in ``games``, until the arrays
    are full. Return the number of stored positions.
    """
    out = np.zeros(max(1, ACTIONS), np.int16)
    points = np.zeros(ranks.shape[1], np.int16)
    n = 0
    for game in range(len(ranks)):
        start(pool[0], setup)
        while True:
            who = actors(pool[0])
            if who == OVER:
                break
            if who == CHANCE:
                apply_chance(pool[0], sample_chance(pool[0], stream))
                continue
            if n < len(kept) and below(stream, every) == 0:
                kept[n] = pool[0]
                games[n] = game
                n += 1
            seat = 0
            while not who >> seat & 1:
                seat += 1
            play(pool[0], seat, answer(pool[0], seat, out, stream))
        result(pool[0], points, ranks[game])
    return n
