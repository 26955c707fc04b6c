"""The memory of a search: the positions of a tree, with the seats' choices in each position (see :mod:`.learners`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers

Reals = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]

SEATS: Final = 12
"""The maximum number of seats in a search."""
PARTS: Final = 4
"""The maximum number of actions in one secret choice."""
NODES: Final = 192
ROWS: Final = 8192
DEEPEST: Final = 48

# Columns of ``nodes``.
KEY: Final = 0
MASK: Final = 1
VISITS: Final = 2
FIRST: Final = 3
COUNT: Final = FIRST + SEATS
WIDTH: Final = COUNT + SEATS

# The indices in ``used``.
USED_NODES: Final = 0
USED_ROWS: Final = 1
PLAYED: Final = 2


class Tree(NamedTuple):
    """The arrays of a search tree. Each row of ``nodes`` is a position.

    In all fields from ``plans`` on, each row is a choice. A seat's choices at a node are consecutive rows.
    """

    nodes: Wholes
    used: Wholes
    """The number of nodes in use, of rows in use, and of playouts."""
    plans: Numbers
    """The actions of each choice, and -1 after the last."""
    live: npt.NDArray[np.bool_]
    """Whether the search still tries a choice."""
    bias: Reals
    """The error that is added to a choice's value, so that a player is weaker."""
    regret: Reals
    now: Reals
    """The current probability of each choice. ``got`` is the choice's value in the newest round."""
    got: Reals
    share: Reals
    total: Reals
    square: Reals
    weight: Reals
    """For each choice, the sum of the weights of all rounds that tried the choice.

    ``share``, ``total`` and ``square`` are weighted sums over the same rounds: of the choice's probabilities, of its
    values, and of the squares of its values.
    """


def plant() -> Tree:
    """Return an empty tree."""
    reals = [np.zeros(ROWS) for _ in range(8)]
    return Tree(
        np.zeros((NODES, WIDTH), np.int64),
        np.zeros(3, np.int64),
        np.full((ROWS, PARTS), -1, np.int16),
        np.ones(ROWS, np.bool_),
        *reals,
    )
