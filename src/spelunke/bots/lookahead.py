"""Compute expected values in any game, by a search over a few decisions and all outcomes of chance.

The search is known as expectimax. The functions of this module are kernels: Numba can compile them. No function calls
itself, because a recursive function from Numba's disk cache crashes the process at its first call.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from spelunke.core.contract import CHANCE, OVER, actors, apply_chance, chances, legal, play, quiescent, worth
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool

# The columns of ``nodes``, the state of each node on the way down.
WHO: Final = 0
CHILD: Final = 1
CHILDREN: Final = 2
AHEAD: Final = 3
MASS: Final = 4


class Lookahead(Protocol):
    """The kernel :func:`judge`, bound to one game by :func:`spelunke.core.kernel.bind`."""

    def judge(
        self,
        pool: Pool,
        seat: int,
        depth: int,
        lists: Numbers,
        weights: Numbers,
        out: npt.NDArray[np.float64],
    ) -> int: ...


@kernel
def open_node(pool: Pool, i: int, lists: Numbers, weights: Numbers, nodes: npt.NDArray[np.int64]) -> bool:
    """Begin the search below the position ``pool[i]``. Return False if this position is a leaf, else True.

    If it is not a leaf, write the numbers of its actions or outcomes of chance into row ``i`` of ``lists``. Write the
    weights of the outcomes into row ``i`` of ``weights``, and the state of the search into row ``i`` of ``nodes``.
    """
    who = actors(pool[i])
    if who == OVER or quiescent(pool[i]):
        return False
    if who == CHANCE:
        nodes[i, CHILDREN] = chances(pool[i], lists[i], weights[i])
    elif nodes[i, AHEAD] == 0:
        return False
    else:
        actor = 0
        while not who >> actor & 1:
            actor += 1
        who = actor
        nodes[i, CHILDREN] = legal(pool[i], actor, lists[i])
    nodes[i, WHO] = who
    nodes[i, CHILD] = 0
    nodes[i, MASS] = 0
    return True


@kernel
def step_down(pool: Pool, i: int, lists: Numbers, nodes: npt.NDArray[np.int64]) -> None:
    """Apply the current action or outcome of ``pool[i]``, and write the new position into ``pool[i + 1]``."""
    number = lists[i, nodes[i, CHILD]]
    pool[i + 1] = pool[i]
    nodes[i + 1, AHEAD] = nodes[i, AHEAD]
    if nodes[i, WHO] == CHANCE:
        apply_chance(pool[i + 1], number)
    else:
        play(pool[i + 1], nodes[i, WHO], number)
        nodes[i + 1, AHEAD] -= 1


@kernel
def value(
    pool: Pool,
    top: int,
    seat: int,
    depth: int,
    lists: Numbers,
    weights: Numbers,
    nodes: npt.NDArray[np.int64],
    sums: npt.NDArray[np.float64],
) -> float:
    """Return the value of ``pool[top]`` for the seat, by a search over ``depth`` decisions.

    All other seats are assumed to play against this seat. ``pool[top + 1:]`` and the rows of the other arrays from
    ``top`` on are scratch space.
    """
    i = top
    nodes[i, AHEAD] = depth
    while True:
        if open_node(pool, i, lists, weights, nodes):
            sums[i] = 0.0
            step_down(pool, i, lists, nodes)
            i += 1
            continue
        found = worth(pool[i], seat)
        while True:
            if i == top:
                return found
            i -= 1
            k = nodes[i, CHILD]
            if nodes[i, WHO] == CHANCE:
                sums[i] += weights[i, k] * found
                nodes[i, MASS] += weights[i, k]
            elif k == 0 or (found > sums[i] if nodes[i, WHO] == seat else found < sums[i]):
                sums[i] = found
            nodes[i, CHILD] = k + 1
            if k + 1 < nodes[i, CHILDREN]:
                step_down(pool, i, lists, nodes)
                i += 1
                break
            found = sums[i]
            if nodes[i, WHO] == CHANCE:
                found /= nodes[i, MASS]


@kernel
def judge(
    pool: Pool, seat: int, depth: int, lists: Numbers, weights: Numbers, out: npt.NDArray[np.float64]
) -> int:
    """Write into ``out`` the value of each action that the seat may play in ``pool[0]``. Return their number.

    ``depth`` is the number of decisions to search, including the decision in ``pool[0]``. ``pool[1:]``, ``lists`` and
    ``weights`` are scratch space.
    """
    nodes = np.zeros((len(pool), 5), np.int64)
    sums = np.zeros(len(pool), np.float64)
    n = legal(pool[0], seat, lists[0])
    for k in range(n):
        pool[1] = pool[0]
        play(pool[1], seat, lists[0, k])
        out[k] = value(pool, 1, seat, depth - 1, lists, weights, nodes, sums)
    return n
