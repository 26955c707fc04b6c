"""Generic kernels: expected value by looking a few decisions ahead, over all that chance can bring (expectimax)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.contract import CHANCE, OVER, actors, chances, land, legal, play, quiet, worth
from spelunke.core.kernel import kernel

Pool = npt.NDArray[Any]
Lists = npt.NDArray[np.int16]


@kernel
def value(pool: Pool, i: int, seat: int, depth: int, lists: Lists, weights: Lists) -> float:
    """What ``pool[i]`` promises the seat when all see ``depth`` decisions ahead and others mean it ill.

    ``pool[i + 1:]`` are scratch, as are the rows of ``lists`` and ``weights`` from ``i`` on.
    """
    who = actors(pool[i])
    if who == OVER or quiet(pool[i]):
        return worth(pool[i], seat)
    if who == CHANCE:
        n = chances(pool[i], lists[i], weights[i])
        total = 0.0
        mass = 0
        for k in range(n):
            pool[i + 1] = pool[i]
            land(pool[i + 1], lists[i, k])
            total += weights[i, k] * value(pool, i + 1, seat, depth, lists, weights)
            mass += weights[i, k]
        return total / mass
    if depth == 0:
        return worth(pool[i], seat)
    actor = 0
    while not who >> actor & 1:
        actor += 1
    n = legal(pool[i], actor, lists[i])
    best = 0.0
    for k in range(n):
        pool[i + 1] = pool[i]
        play(pool[i + 1], actor, lists[i, k])
        found = value(pool, i + 1, seat, depth - 1, lists, weights)
        if k == 0 or (found > best if actor == seat else found < best):
            best = found
    return best


@kernel
def judge(
    pool: Pool, seat: int, depth: int, lists: Lists, weights: Lists, out: npt.NDArray[np.float64]
) -> int:
    """Write what each legal action of the seat in ``pool[0]`` promises into ``out``; return how many there are."""
    n = legal(pool[0], seat, lists[0])
    for k in range(n):
        pool[1] = pool[0]
        play(pool[1], seat, lists[0, k])
        out[k] = value(pool, 1, seat, depth - 1, lists, weights)
    return n
