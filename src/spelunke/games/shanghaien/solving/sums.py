"""Kernels (functions that Numba can compile) for sums and maxima over rows of a table, and for their gradients.

Learning calls these functions in its inner loops.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel

Floats: TypeAlias = npt.NDArray[np.float32]
States: TypeAlias = npt.NDArray[np.int32]


@kernel
def add_up(table: Floats, states: States, out: Floats) -> None:
    """Write the sum of the table's rows ``states[k]`` into ``out[k]``, for each sample ``k``."""
    for k in range(len(states)):
        row = out[k]
        row[:] = 0.0
        for n in range(states.shape[1]):
            state = states[k, n]
            for j in range(len(row)):
                row[j] += table[state, j]


@kernel
def hand_back(slopes: Floats, states: States, out: Floats) -> None:
    """Add the gradient of each sample, ``slopes[k]``, to the rows ``states[k]`` of ``out``.

    This is the gradient of :func:`add_up` with respect to the table.
    """
    for k in range(len(states)):
        for n in range(states.shape[1]):
            state = states[k, n]
            for j in range(out.shape[1]):
                out[state, j] += slopes[k, j]


@kernel
def find_largest(table: Floats, states: States, out: Floats, where: States) -> None:
    """Write the maximum of the table's rows ``states[k]``, column by column, into ``out[k]``, for each sample ``k``.

    Write the index of the row that has the maximum of column ``j`` into ``where[k, j]``.
    """
    for k in range(len(states)):
        for j in range(out.shape[1]):
            best = states[k, 0]
            for n in range(1, states.shape[1]):
                if table[states[k, n], j] > table[best, j]:
                    best = states[k, n]
            out[k, j] = table[best, j]
            where[k, j] = best


@kernel
def hand_back_largest(slopes: Floats, where: States, out: Floats) -> None:
    """Add the gradient of each sample and column, ``slopes[k, j]``, to ``out[where[k, j], j]``.

    This is the gradient of :func:`find_largest` with respect to the table.
    """
    for k in range(len(where)):
        for j in range(where.shape[1]):
            out[where[k, j], j] += slopes[k, j]
