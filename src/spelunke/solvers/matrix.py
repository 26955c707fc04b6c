"""Compute exact solutions of zero-sum games in which each of two seats has one secret choice."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Reals: TypeAlias = npt.NDArray[np.float64]
TINY = 1e-12


def solve(payoffs: Reals) -> tuple[float, Reals, Reals]:
    """Return the value of a zero-sum matrix game for the row player, and the best mixtures of rows and of columns.

    ``payoffs`` are those of the row player. The method is Dantzig's simplex algorithm for the columns' mixture, with
    payoffs shifted so that all are positive. Bland's rule guarantees that the algorithm ends.
    """
    rows, columns = payoffs.shape
    shift = 1.0 - float(payoffs.min())
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = payoffs + shift
    table[:rows, columns:-1] = np.eye(rows)
    table[:rows, -1] = 1.0
    table[-1, :columns] = -1.0
    basis = np.arange(columns, columns + rows)
    while True:
        entering = np.flatnonzero(table[-1, :-1] < -TINY)
        if not len(entering):
            break
        k = int(entering[0])
        usable = table[:rows, k] > TINY
        ratio = np.where(usable, table[:rows, -1] / np.where(usable, table[:rows, k], 1.0), np.inf)
        ties = np.flatnonzero(ratio <= ratio.min() + TINY)
        r = int(ties[np.argmin(basis[ties])])
        table[r] /= table[r, k]
        for other in range(rows + 1):
            if other != r:
                table[other] -= table[other, k] * table[r]
        basis[r] = k
    whole = float(table[-1, -1])
    mine = table[-1, columns:-1] / whole
    theirs = np.zeros(columns + rows)
    theirs[basis] = table[:rows, -1]
    return 1.0 / whole - shift, mine, theirs[:columns] / whole
