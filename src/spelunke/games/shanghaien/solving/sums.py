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
    """Compute a gradient with respect to the table of :func:`add_up`, and add it to ``out``.

    ``slopes[k]`` is the gradient with respect to the sum that :func:`add_up` computes for sample ``k``. It is added to
    the rows ``states[k]`` of ``out``.
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
    """Compute a gradient with respect to the table of :func:`find_largest`, and add it to ``out``.

    ``slopes[k, j]`` is the derivative with respect to the maximum that :func:`find_largest` finds in column ``j`` for
    sample ``k``. It is added to ``out[where[k, j], j]``.
    """
    for k in range(len(where)):
        for j in range(where.shape[1]):
            out[where[k, j], j] += slopes[k, j]
