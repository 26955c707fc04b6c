"""Results of an analysis's playouts for tests, in the form in which browsers send them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from spelunke.solvers.elsewhere import Plan
from spelunke.solvers.played import Played
from spelunke.solvers.secret import Settled


def pack_played(found: Played, seats: int) -> list[float]:
    """Return the results of playouts as the numbers that a browser sends, for a table of ``seats`` seats."""
    above = np.triu_indices(len(found.apart), 1)
    seated = (one[:, :seats] for one in (found.means, found.errors, found.alike))
    parts = (found.left, *seated, found.apart[above])
    return [float(number) for part in parts for number in np.asarray(part).ravel()]


def pack_settled(found: Settled, seats: int) -> list[float]:
    """Return the solution of a secret choice as the numbers that a browser sends, for a table of ``seats`` seats."""
    numbers = [float(found.deciders), *map(float, found.stand[:seats].ravel())]
    for parts in zip(found.mixtures, found.values, found.errors, found.gaps, strict=True):
        numbers += [float(number) for part in parts for number in part.ravel()]
    return numbers


def pack(numbers: Sequence[float]) -> bytes:
    return np.array(numbers, "<f4").tobytes()


def even_results(plan: Plan) -> bytes:
    """Return results of a plan's playouts in which all lines of play are equally good for all seats."""
    seats = plan.seats
    place = [0.0, 1 / seats, 1.0] * seats
    numbers: list[float] = []

    def lines(count: int, seat: int) -> None:
        numbers.extend([0.0] * count + place * count + [0.0] * 3 * seats * count + [1.0] * seats * count)
        numbers.extend([0.0] * (count * (count - 1) if seat >= 0 else 0))

    for task in plan.tasks:
        if task.seats:
            numbers += [0.0, *place]
            for size in map(len, task.sequences):
                numbers += [1 / size] * size + [0.0, 1 / seats, 1.0] * size + [0.0] * (2 * size + size * size)
            continue
        lines(len(task.lines), task.seat)
        if task.last is not None:
            lines(min(len(task.lines), task.keep + (task.played >= task.keep)), task.seat)
    assert all(map(math.isfinite, numbers))
    return pack(numbers)


def approximately(found: Any) -> Any:
    """Return ``found`` with each number as `pytest.approx`, to compare it with results of 32-bit arithmetic."""
    if isinstance(found, dict):
        return {name: approximately(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return type(found)(approximately(value) for value in found)
    return pytest.approx(found, abs=1e-5, rel=1e-5) if isinstance(found, float) else found
