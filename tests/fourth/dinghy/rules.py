"""The rules of Dinghy: kernels that read and change the state of one match."""

from typing import Annotated, Final

from dinghy import GAME
from spelunke.core import values
from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import Cell, Cells, Within, kernel, layout
from spelunke.core.values import Numbers, Stream

VERSION = 1
ROW: Final = 0
LAND: Final = 1
ACTIONS = 2
OUTCOMES = 6
LONGEST = 20_000
GOAL: Final = GAME.slot("goal")


class State(values.State):
    """The state of a match. The seat at ``turn`` may still lose the barrels ``aboard``."""

    seats: Cell
    options: Annotated[Cells, GAME.slots]
    turn: Annotated[Cell, Within(0, 2)]
    aboard: Annotated[Cell, Within(0, 1000)]
    rowing: Annotated[Cell, Within(0, 1)]
    ashore: Annotated[Cells, 3, Within(0, 1000)]


STATE = layout(State)


@kernel
def start(s: State, setup: Numbers) -> None:
    """Begin a match; ``setup`` has the number of seats, then the options."""
    s.seats = setup[0]
    s.options[:] = setup[1:]
    s.turn = 0
    s.aboard = 0
    s.rowing = 0
    s.ashore[:] = 0


@kernel
def actors(s: State) -> int:
    """Return CHANCE, OVER, or a number with a bit for each seat that is to act."""
    if s.rowing:
        return CHANCE
    for seat in range(s.seats):
        if s.ashore[seat] >= s.options[GOAL]:
            return OVER
    return 1 << int(s.turn)


@kernel
def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the legal actions in ascending order; return how many there are."""
    if actors(s) <= 0 or seat != s.turn:
        return 0
    out[0] = ROW
    out[1] = LAND
    return 2 if s.aboard > 0 else 1


@kernel
def play(s: State, seat: int, action: int) -> None:
    """Row into a wave, or bring the barrels ashore."""
    if action == ROW:
        s.rowing = 1
    else:
        s.ashore[seat] += s.aboard
        next_turn(s)


@kernel
def next_turn(s: State) -> None:
    """Give an empty boat to the next seat."""
    s.aboard = 0
    s.turn = (s.turn + 1) % s.seats


@kernel
def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the outcomes that chance has now and their weights; return how many there are."""
    for wave in range(6):
        outcomes[wave] = wave
        weights[wave] = 1
    return 6 if s.rowing else 0


@kernel
def apply_chance(s: State, outcome: int) -> None:
    """Let a wave come, with a number from one to six. A wave of one takes away all barrels aboard.

    Any other wave brings its number of barrels.
    """
    s.rowing = 0
    if outcome == 0:
        next_turn(s)
    else:
        s.aboard += outcome + 1


@kernel
def sample_chance(s: State, stream: Stream) -> int:
    """Draw one outcome at random. The outcomes have the weights that ``chances`` gives."""
    return below(stream, 6)


@kernel
def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write each seat's points and its rank; equal points share a rank."""
    for seat in range(s.seats):
        points[seat] = s.ashore[seat]
        ranks[seat] = 1
        for other in range(s.seats):
            if s.ashore[other] > s.ashore[seat]:
                ranks[seat] += 1
