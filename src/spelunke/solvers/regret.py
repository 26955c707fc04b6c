"""Kernels for the choices of a search: set probabilities by regret, draw or select a choice, and add up values."""

from __future__ import annotations

import numpy as np

from spelunke.core.chance import bits
from spelunke.core.kernel import kernel
from spelunke.core.values import Stream
from spelunke.solvers.tree import Tree

EAGER = 0.5
"""The weight of rarely tried choices in :func:`most_promising`."""


@kernel
def mix(tree: Tree, first: int, count: int) -> None:
    """Set the current probabilities of the choices in the tree's rows from ``first`` to ``first + count - 1``.

    The probabilities are in proportion to the regrets; a negative regret counts as 0. If no regret is positive, all
    choices are equally likely. But a choice that the search no longer tries has the probability 0.
    """
    whole = 0.0
    for k in range(first, first + count):
        if tree.live[k] and tree.regret[k] > 0.0:
            whole += tree.regret[k]
    alive = 0
    for k in range(first, first + count):
        alive += tree.live[k]
    for k in range(first, first + count):
        if not tree.live[k]:
            tree.now[k] = 0.0
        elif whole > 0.0:
            tree.now[k] = max(0.0, tree.regret[k]) / whole
        else:
            tree.now[k] = 1.0 / alive


@kernel
def draw(tree: Tree, first: int, count: int, stream: Stream) -> int:
    """Draw a choice by the current probabilities, and return its row. Advance the stream.

    The choices are in the tree's rows from ``first`` to ``first + count - 1``.
    """
    left = bits(stream) / 4294967296.0
    for k in range(first, first + count):
        left -= tree.now[k]
        if left < 0.0:
            return k
    k = first + count - 1
    while k > first and tree.now[k] == 0.0:
        k -= 1
    return k


@kernel
def note(tree: Tree, row: int, weight: float, got: float) -> None:
    """Add ``got``, a value of the choice in ``row``, to the choice's sums in the tree, with this weight."""
    tree.total[row] += weight * got
    tree.square[row] += weight * got * got
    tree.weight[row] += weight


@kernel
def most_promising(tree: Tree, first: int, count: int, visits: int) -> int:
    """Return the row of the choice to try next: a choice with good values, or a choice with few tries."""
    best = first
    most = -1e9
    for row in range(first, first + count):
        if tree.weight[row] == 0.0:
            return row
        worth = tree.total[row] / tree.weight[row] + EAGER * np.sqrt(np.log(visits) / tree.weight[row])
        if worth > most:
            most = worth
            best = row
    return best
