"""The rules of Dinghy."""

from __future__ import annotations

from typing import Annotated, Any

from spelunke.core import values
from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import Cell, Cells, kernel, layout

VERSION = 1
ROW = 0
LAND = 1
ACTIONS = 2
OUTCOMES = 6
LONGEST = 20_000


class State(values.State):
    seats: Cell
    goal: Cell
    turn: Cell
    aboard: Cell
    rowing: Cell
    ashore: Annotated[Cells, 3]


STATE = layout(State)


@kernel
def start(s: Any, setup: Any) -> None:
    s.seats = setup[0]
    s.goal = setup[1]
    s.turn = 0
    s.aboard = 0
    s.rowing = 0
    s.ashore[:] = 0


@kernel
def actors(s: Any) -> int:
    if s.rowing:
        return CHANCE
    for seat in range(s.seats):
        if s.ashore[seat] >= s.goal:
            return OVER
    return 1 << int(s.turn)


@kernel
def legal(s: Any, seat: int, out: Any) -> int:
    if actors(s) <= 0 or seat != s.turn:
        return 0
    out[0] = ROW
    out[1] = LAND
    return 2 if s.aboard > 0 else 1


@kernel
def play(s: Any, seat: int, action: int) -> None:
    if action == ROW:
        s.rowing = 1
    else:
        s.ashore[seat] += s.aboard
        next_turn(s)


@kernel
def next_turn(s: Any) -> None:
    s.aboard = 0
    s.turn = (s.turn + 1) % s.seats


@kernel
def chances(s: Any, outcomes: Any, weights: Any) -> int:
    for wave in range(6):
        outcomes[wave] = wave
        weights[wave] = 1
    return 6 if s.rowing else 0


@kernel
def apply_chance(s: Any, outcome: int) -> None:
    s.rowing = 0
    if outcome == 0:
        next_turn(s)
    else:
        s.aboard += outcome + 1


@kernel
def sample_chance(s: Any, stream: Any) -> int:
    return below(stream, 6)


@kernel
def result(s: Any, points: Any, ranks: Any) -> None:
    for seat in range(s.seats):
        points[seat] = s.ashore[seat]
        ranks[seat] = 1
        for other in range(s.seats):
            if s.ashore[other] > s.ashore[seat]:
                ranks[seat] += 1
