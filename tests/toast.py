"""The rules of a tiny game. One seat chooses first. Then the two other seats choose in secret, at the same time.

Seat 0 chooses 0 or 1 twice. Then seats 1 and 2 each choose 0 or 1. Seat 0 takes the first place if it has chosen 1
twice, else the last place. The choices of seats 1 and 2 change nothing.
"""

from __future__ import annotations

from typing import Annotated

from spelunke.core import values
from spelunke.core.contract import OVER
from spelunke.core.kernel import Cell, Cells, kernel, layout
from spelunke.core.values import Numbers, Stream

ACTIONS = 2


class State(values.State):
    """The number of choices of seat 0, their sum, and whether each other seat has chosen."""

    chosen: Cell
    both: Cell
    sealed: Annotated[Cells, 3]


STATE = layout(State)


@kernel
def actors(s: State) -> int:
    """Return OVER, or a number with a bit for each seat that is to act."""
    if s.chosen < 2:
        return 1
    left = 0
    for seat in range(1, 3):
        if s.sealed[seat] == 0:
            left |= 1 << seat
    return left or OVER


@kernel
def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the legal actions, and return their number."""
    who = actors(s)
    if who == OVER or not who >> seat & 1:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Choose 0 always."""
    return 0


@kernel
def play(s: State, seat: int, action: int) -> None:
    """Play a choice in place."""
    if seat == 0:
        s.chosen += 1
        s.both += action
    else:
        s.sealed[seat] = 1


@kernel
def apply_chance(s: State, outcome: int) -> None:
    """Do nothing, because nothing is left to chance."""


@kernel
def sample_chance(s: State, stream: Stream) -> int:
    """Return 0, because nothing is left to chance."""
    return 0


@kernel
def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write the points and the ranks."""
    first = s.both == 2
    for seat in range(3):
        points[seat] = 0
        ranks[seat] = 2 if first else 1
    ranks[0] = 1 if first else 3
