"""Generic kernels that call a game's rules on one state of a pool (an array of states), for callers in Python.

A call with a pool and an index takes a tenth of the time of a call with a record.
"""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import actors, apply_chance, chances, legal, play, result, start
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Step(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def start_at(self, pool: Pool, i: int, setup: Numbers) -> None: ...
    def actors_at(self, pool: Pool, i: int) -> int: ...
    def legal_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...
    def play_at(self, pool: Pool, i: int, seat: int, action: int) -> None: ...
    def chances_at(self, pool: Pool, i: int, outcomes: Numbers, weights: Numbers) -> int: ...
    def apply_chance_at(self, pool: Pool, i: int, outcome: int) -> None: ...
    def result_at(self, pool: Pool, i: int, points: Numbers, ranks: Numbers) -> None: ...


@kernel
def start_at(pool: Pool, i: int, setup: Numbers) -> None:
    """Set ``pool[i]`` to the start of a game with this setup."""
    start(pool[i], setup)


@kernel
def actors_at(pool: Pool, i: int) -> int:
    """Return a bit mask of the seats that may act in ``pool[i]`` (bit 0 is seat 0), or CHANCE, or OVER."""
    return actors(pool[i])


@kernel
def legal_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions that are legal for the seat in the state ``pool[i]``. Return their number."""
    return legal(pool[i], seat, out)


@kernel
def play_at(pool: Pool, i: int, seat: int, action: int) -> None:
    """Play a legal action in ``pool[i]``, in place."""
    play(pool[i], seat, action)


@kernel
def chances_at(pool: Pool, i: int, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of the next chance event in ``pool[i]`` and their weights. Return their number."""
    return chances(pool[i], outcomes, weights)


@kernel
def apply_chance_at(pool: Pool, i: int, outcome: int) -> None:
    """Apply an outcome of chance to ``pool[i]``, in place."""
    apply_chance(pool[i], outcome)


@kernel
def result_at(pool: Pool, i: int, points: Numbers, ranks: Numbers) -> None:
    """Write the points and ranks of all seats into ``points`` and ``ranks``. The game in ``pool[i]`` must be over."""
    result(pool[i], points, ranks)
