"""Generic kernels: one state of a pool at a time, for callers in Python.

A call with a pool and an index takes a tenth of the time of a call with a record.
"""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import actors, apply_chance, chances, legal, play, result, start
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Step(Protocol):
    """This module as :func:`spelunke.core.kernel.bind` loads it for one game."""

    def start_at(self, pool: Pool, i: int, setup: Numbers) -> None: ...
    def actors_at(self, pool: Pool, i: int) -> int: ...
    def legal_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...
    def play_at(self, pool: Pool, i: int, seat: int, action: int) -> None: ...
    def chances_at(self, pool: Pool, i: int, outcomes: Numbers, weights: Numbers) -> int: ...
    def apply_chance_at(self, pool: Pool, i: int, outcome: int) -> None: ...
    def result_at(self, pool: Pool, i: int, points: Numbers, ranks: Numbers) -> None: ...


@kernel
def start_at(pool: Pool, i: int, setup: Numbers) -> None:
    """Fill ``pool[i]`` in place."""
    start(pool[i], setup)


@kernel
def actors_at(pool: Pool, i: int) -> int:
    """Return a bit per seat that may act, or CHANCE, or OVER."""
    return actors(pool[i])


@kernel
def legal_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` and return their number."""
    return legal(pool[i], seat, out)


@kernel
def play_at(pool: Pool, i: int, seat: int, action: int) -> None:
    """Play a legal action in place."""
    play(pool[i], seat, action)


@kernel
def chances_at(pool: Pool, i: int, outcomes: Numbers, weights: Numbers) -> int:
    """Write the outcomes and weights of the next chance and return their number."""
    return chances(pool[i], outcomes, weights)


@kernel
def apply_chance_at(pool: Pool, i: int, outcome: int) -> None:
    """Apply this outcome of chance in place."""
    apply_chance(pool[i], outcome)


@kernel
def result_at(pool: Pool, i: int, points: Numbers, ranks: Numbers) -> None:
    """Write points and ranks of a state that is over."""
    result(pool[i], points, ranks)
