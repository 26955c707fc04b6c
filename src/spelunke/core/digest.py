"""A generic kernel that computes a digest of random games, to compare two implementations of the same rules."""

from __future__ import annotations

import numpy as np

from spelunke.core.chance import below
from spelunke.core.contract import (
    ACTIONS,
    CHANCE,
    OUTCOMES,
    OVER,
    actors,
    apply_chance,
    chances,
    legal,
    play,
    sample_chance,
    start,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream

PRIME = 2147483647


@kernel
def digest(pool: Pool, cells: Numbers, setup: Numbers, stream: Stream, plies: int, stride: int) -> int:
    """Play ``plies`` plies of random games in ``pool[0]``, and return a hash of these games.

    At each ply, the hash covers the legal actions of the seat that plays, or the outcomes of chance with their weights.
    At every ``stride``-th ply, it also covers the whole state. After the end of a game, the start of the next game
    counts as a ply, but adds nothing to the hash. ``cells`` is the memory of ``pool[0]`` as int16. The stream advances.
    """
    out = np.zeros(max(1, ACTIONS, OUTCOMES), np.int16)
    weights = np.zeros(max(1, OUTCOMES), np.int16)
    mixed = 1
    start(pool[0], setup)
    for ply in range(plies):
        who = actors(pool[0])
        if who == OVER:
            start(pool[0], setup)
            continue
        if who == CHANCE:
            n = chances(pool[0], out, weights)
            for k in range(n):
                mixed = (mixed * 1000003 + 7 * int(out[k]) + int(weights[k])) % PRIME
            apply_chance(pool[0], sample_chance(pool[0], stream))
        else:
            seat = below(stream, 16)
            while not who >> seat & 1:
                seat = (seat + 1) % 16
            n = legal(pool[0], seat, out)
            for k in range(n):
                mixed = (mixed * 1000003 + int(out[k]) + 1) % PRIME
            play(pool[0], seat, out[below(stream, n)])
        if ply % stride == 0:
            for k in range(len(cells)):
                mixed = (mixed * 1000003 + int(cells[k]) + 40000) % PRIME
    return mixed
