"""What a search remembers: positions, and what each seat that acts there may choose (:mod:`.learners` fills it)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers

Reals = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]

SEATS: Final = 12
"""Seats that a search has room for."""
PARTS: Final = 4
"""Actions that one secret choice is made of, at most."""
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

# Places in ``used``.
USED_NODES: Final = 0
USED_ROWS: Final = 1
PLAYED: Final = 2


class Tree(NamedTuple):
    """Positions (``nodes``) and choices (rows of the other arrays); a node's choices of a seat stand side by side."""

    nodes: Wholes
    used: Wholes
    """Nodes and rows in use, and how many playouts were played."""
    plans: Numbers
    """The actions of each choice, -1 behind the last."""
    live: npt.NDArray[np.bool_]
    """Whether a choice is still looked at."""
    bias: Reals
    """By how much a choice is misjudged, for weaker players."""
    regret: Reals
    now: Reals
    """How likely each choice is at present, and what it brought in this round."""
    got: Reals
    share: Reals
    total: Reals
    square: Reals
    weight: Reals
    """Sums over the rounds: of how likely a choice was, of its values, of their squares, and of the rounds' weights."""


def plant() -> Tree:
    """An empty tree."""
    reals = [np.zeros(ROWS) for _ in range(8)]
    return Tree(
        np.zeros((NODES, WIDTH), np.int64),
        np.zeros(3, np.int64),
        np.full((ROWS, PARTS), -1, np.int16),
        np.ones(ROWS, np.bool_),
        *reals,
    )
