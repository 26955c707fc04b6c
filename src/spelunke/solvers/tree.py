"""The memory of a search: positions, and the choices of each seat that acts there (:mod:`.learners` fills it)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers

Reals = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]

SEATS: Final = 12
"""The most seats in a search."""
PARTS: Final = 4
"""The most actions in one secret choice."""
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
    """Positions (``nodes``) and choices (rows of the other arrays); a seat's choices at a node are consecutive rows."""

    nodes: Wholes
    used: Wholes
    """The number of nodes and rows in use, and of playouts."""
    plans: Numbers
    """The actions of each choice, -1 after the last."""
    live: npt.NDArray[np.bool_]
    """Whether a choice is still searched."""
    bias: Reals
    """The error that is added to a choice's value, for weaker players."""
    regret: Reals
    now: Reals
    """The current probability of each choice, and its value in this round."""
    got: Reals
    share: Reals
    total: Reals
    square: Reals
    weight: Reals
    """Sums over the rounds: of a choice's probabilities, its values, their squares, and the rounds' weights."""


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
