"""Generic kernels that list all successors of positions, one ply at a time, for :mod:`spelunke.core.count`."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.core.contract import ACTIONS, CHANCE, OUTCOMES, OVER, actors, apply_chance, chances, legal, play
from spelunke.core.kernel import kernel
from spelunke.core.values import Pool

Counts: TypeAlias = npt.NDArray[np.int64]


class Perft(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def widest(self, states: Pool, first: int, last: int) -> int: ...
    def ended(self, states: Pool, out: npt.NDArray[np.bool_]) -> None: ...
    def expand(
        self,
        states: Pool,
        first: int,
        last: int,
        children: Pool,
        parents: Counts,
        weights: Counts,
        totals: Counts,
    ) -> int: ...


@kernel
def widest(states: Pool, first: int, last: int) -> int:
    """Return the total number of children of the states from ``first`` up to but not including ``last``."""
    out = np.zeros(max(1, ACTIONS, OUTCOMES), np.int16)
    weights = np.zeros(max(1, OUTCOMES), np.int16)
    count = 0
    for i in range(first, last):
        who = actors(states[i])
        if who == CHANCE:
            count += chances(states[i], out, weights)
        elif who != OVER:
            for seat in range(16):
                if who >> seat & 1:
                    count += legal(states[i], seat, out)
    return count


@kernel
def ended(states: Pool, out: npt.NDArray[np.bool_]) -> None:
    """Write into ``out``, for each state, whether its game is over."""
    for i in range(len(states)):
        out[i] = actors(states[i]) == OVER


@kernel
def expand(
    states: Pool,
    first: int,
    last: int,
    children: Pool,
    parents: Counts,
    weights: Counts,
    totals: Counts,
) -> int:
    """Write the children of the states from ``first`` up to but not including ``last``, and return their number.

    ``parents[i]`` is the index of the parent of ``children[i]``. If an outcome of chance leads to the child, its
    probability is ``weights[i] / totals[i]``. If an action leads to it, ``weights[i]`` is 1, and ``totals[i]`` is
    ``-n``, where ``n`` is the number of legal actions of all seats together. A state whose game is over has no
    children.
    """
    out = np.zeros(max(1, ACTIONS, OUTCOMES), np.int16)
    parts = np.zeros(max(1, OUTCOMES), np.int16)
    at = 0
    for i in range(first, last):
        who = actors(states[i])
        begun = at
        total = 0
        if who == CHANCE:
            n = chances(states[i], out, parts)
            for k in range(n):
                children[at] = states[i]
                apply_chance(children[at], out[k])
                parents[at] = i
                weights[at] = parts[k]
                total += int(parts[k])
                at += 1
        elif who != OVER:
            for seat in range(16):
                if who >> seat & 1:
                    n = legal(states[i], seat, out)
                    for k in range(n):
                        children[at] = states[i]
                        play(children[at], seat, out[k])
                        parents[at] = i
                        weights[at] = 1
                        total -= 1
                        at += 1
        for k in range(begun, at):
            totals[k] = total
    return at
