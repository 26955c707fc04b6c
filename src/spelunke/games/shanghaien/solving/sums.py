"""Kernels for sums and maxima over rows of a table, and for their gradients.

They are the inner loops of learning.
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
    """Write, for each sample, the sum of eight rows of a table into ``out``."""
    for k in range(len(states)):
        row = out[k]
        row[:] = 0.0
        for n in range(states.shape[1]):
            state = states[k, n]
            for j in range(len(row)):
                row[j] += table[state, j]


@kernel
def hand_back(slopes: Floats, states: States, out: Floats) -> None:
    """Add the gradient of each sample to the eight rows of ``out`` whose table rows were summed for this sample."""
    for k in range(len(states)):
        for n in range(states.shape[1]):
            state = states[k, n]
            for j in range(out.shape[1]):
                out[state, j] += slopes[k, j]


@kernel
def find_largest(table: Floats, states: States, out: Floats, where: States) -> None:
    """Write, for each sample and column, the maximum of eight rows of a table into ``out``.

    Write into ``where`` the index of the table row that has the maximum.
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
    """Add the gradient of each sample and column to the row of ``out`` whose table row had the maximum."""
    for k in range(len(where)):
        for j in range(where.shape[1]):
            out[where[k, j], j] += slopes[k, j]
