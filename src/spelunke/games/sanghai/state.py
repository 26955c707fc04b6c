"""The table of one game: its constants, its state record, and the small kernels that everything else is built on.

Cards are kinds: ``13 * suit + rank - 1`` (suits spades, hearts, diamonds, clubs; ranks 1 to 13, the ace is 1), and the
joker. Equal cards are one (N-C10), so a hand, the stock and the pile are counts. The places of a run are 1 to 14; an
ace is at home in both ends.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt

from spelunke.core import values
from spelunke.core.kernel import Cell, Cells, kernel, layout

Numbers = npt.NDArray[np.int16]

VERSION = 1
KINDS: Final = 53
JOKER: Final = 52
BLACK_TWO_SPADES: Final = 1
BLACK_TWO_CLUBS: Final = 40
SEATS: Final = 8
ROUNDS: Final = 10
"""Room for the rounds of the longest schedule."""
MELDS: Final = 32
PLACES: Final = 14
NONE: Final = -1
TURN_LIMIT: Final = 200
"""Turns per seat and round after which all score their hands (N-C7)."""

# Phases.
SEATING: Final = 0
DEALING: Final = 1
OPENING: Final = 2
WINDOW: Final = 3
VOTING: Final = 4
TYING: Final = 5
PENALTY: Final = 6
DRAWING: Final = 7
TURN: Final = 8
LAYING: Final = 9
SETTING: Final = 10
RUNNING: Final = 11
FINISHED: Final = 12

# Actions.
STOCK: Final = 0
TAKE: Final = 1
WAIT: Final = 2
HEP: Final = 3
HEP_TIED: Final = 4
PASS: Final = 5
VOTE: Final = 6  # + seat
DISCARD: Final = 14  # + kind
OPEN_SET: Final = 67  # + rank - 1
OPEN_RUN: Final = 80  # + 11 * suit + lowest place - 1
PUT: Final = 124  # + kind
CLOSE: Final = 177
ADD: Final = 178  # + (32 * kind + meld) * 3 + end (0 to a set, 1 below a run, 2 above it)
SWAP: Final = (
    5266  # + (32 * kind + meld) * 4 + way (0 own place or a set's joker, 1 top ace, 2 and 3 black twos)
)
ACTIONS: Final = 11922

# Outcomes of chance.
CARD: Final = 0  # + kind
DEALER: Final = 53  # + seat
LUCKY: Final = 61  # + seat
OUTCOMES: Final = 69

LONGEST: Final = 1 + ROUNDS * (SEATS * 16 + SEATS * TURN_LIMIT * (2 * SEATS + 6) + 3 * 216)

# What a meld is, and what lies in a place of a run.
SET: Final = 1
RUN: Final = 2
NATURAL: Final = 1
WILD: Final = 2  # + 0 joker, 1 two of spades, 2 two of clubs

# How a seat stands to the card that can be called.
SILENT: Final = 0
ASKED: Final = 1
PASSED: Final = 2
CALLED: Final = 3

# Option values, in the order of the card.
BY_VOTE: Final = 1
NOBODY: Final = 2
BY_CHANCE: Final = 3

# Contracts of each schedule: sets, runs, least length of its runs (N-R2). A set has at least three cards.
ROUNDS_OF = np.array([8, 4, 7, 10], np.int16)
SETS_OF = np.array(
    [
        [2, 1, 0, 3, 2, 1, 0, 4, 0, 0],
        [2, 0, 2, 4, 0, 0, 0, 0, 0, 0],
        [2, 1, 0, 3, 2, 1, 0, 0, 0, 0],
        [2, 1, 0, 3, 1, 2, 0, 1, 3, 0],
    ],
    np.int16,
)
RUNS_OF = np.array(
    [
        [0, 1, 2, 0, 1, 2, 3, 0, 0, 0],
        [0, 2, 1, 0, 0, 0, 0, 0, 0, 0],
        [0, 1, 2, 0, 1, 2, 3, 0, 0, 0],
        [0, 1, 2, 0, 1, 1, 3, 1, 1, 3],
    ],
    np.int16,
)
LENGTH_OF = np.array(
    [
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
        [4, 4, 4, 4, 7, 5, 4, 10, 5, 5],
    ],
    np.int16,
)


class State(values.State):
    """One game of all its rounds. What is face down has no order: ``stock`` counts it, chance decides when it is seen.

    Of the pile only the two topmost cards can ever come up one by one (a called card leaves, the next discard covers
    what was under it), so ``top`` and ``under`` are told apart and the rest is counted; ``pile`` counts all of it.
    """

    # options
    seats: Cell
    packs: Cell
    jokers: Cell
    sequenced: Cell
    by_seat: Cell
    tie: Cell
    tie_ms: Cell
    limit: Cell
    penalty: Cell
    swaps: Cell
    black: Cell
    joker_points: Cell
    face_ten: Cell
    ace_points: Cell
    at_once: Cell
    blind: Cell
    schedule: Cell
    distinct: Cell
    apart: Cell
    same_turn: Cell
    reshuffles: Cell
    deal_needed: Cell
    open_pile: Cell
    seconds: Cell
    # game: what each round brought
    lap: Cell
    dealer: Cell
    sheet: Annotated[Cells, 10, 8]
    won: Annotated[Cells, 10]
    down: Annotated[Cells, 10, 8]
    # round
    phase: Cell
    turn: Cell
    dealt: Cell
    turns: Cell
    shuffled: Cell
    stocked: Cell
    stock: Annotated[Cells, 53]
    piled: Cell
    top: Cell
    under: Cell
    pile: Annotated[Cells, 53]
    hand: Annotated[Cells, 8, 53]
    held: Annotated[Cells, 8]
    heps: Annotated[Cells, 8]
    laid: Annotated[Cells, 8]
    # turn
    fresh: Cell
    wilds: Cell
    # window
    giver: Cell
    answer: Annotated[Cells, 8]
    caller: Annotated[Cells, 8]
    callers: Cell
    tied: Cell
    waits: Cell
    ballot: Annotated[Cells, 8]
    owed: Cell
    owing: Cell
    # melds on the table; of a set, the cells are naturals by suit, then jokers, twos of spades, twos of clubs
    melds: Cell
    owner: Annotated[Cells, 32]
    form: Annotated[Cells, 32]
    what: Annotated[Cells, 32]
    low: Annotated[Cells, 32]
    high: Annotated[Cells, 32]
    cells: Annotated[Cells, 32, 14]
    # a laying under way
    sets_left: Cell
    runs_left: Cell
    least_rank: Cell
    least_run: Cell


STATE = layout(State)


@kernel
def wide(n: Any) -> int:
    """The number as an int64: no literal, of which the compiler would make a version of the called kernel each."""
    return np.int64(n)  # type: ignore[return-value]


@kernel
def rounds(s: Any) -> int:
    """How many rounds this game has."""
    return int(ROUNDS_OF[s.schedule])


@kernel
def sets_wanted(s: Any) -> int:
    """Sets of this round's contract."""
    return int(SETS_OF[s.schedule, s.lap])


@kernel
def runs_wanted(s: Any) -> int:
    """Runs of this round's contract."""
    return int(RUNS_OF[s.schedule, s.lap])


@kernel
def run_length(s: Any) -> int:
    """Least length of this round's runs."""
    return int(LENGTH_OF[s.schedule, s.lap])


@kernel
def cards_wanted(s: Any) -> int:
    """Least number of cards that this round's contract takes (N-T20)."""
    return 3 * sets_wanted(s) + run_length(s) * runs_wanted(s)


@kernel
def cards_dealt(s: Any) -> int:
    """Cards dealt to each seat in this round (N-R3, N-A3)."""
    if s.seats == 2:
        return max(11, cards_wanted(s))
    return 11


@kernel
def hep_limit(s: Any) -> int:
    """Cards that a seat may get by calling in this round (N-A8); one more in the last rounds of the long schedule."""
    return int(s.limit) + (1 if s.schedule == 3 and s.lap >= 8 else 0)


@kernel
def copies(s: Any, kind: int) -> int:
    """How many cards of that kind the packs hold."""
    return int(s.packs) * int(s.jokers) if kind == JOKER else int(s.packs)


@kernel
def black_two(kind: int) -> bool:
    """Whether it is a two of spades or clubs."""
    return kind in (BLACK_TWO_SPADES, BLACK_TWO_CLUBS)


@kernel
def is_wild(s: Any, kind: int) -> bool:
    """Whether a card of that kind can stand for others."""
    return kind == JOKER or (s.black != 0 and black_two(kind))


@kernel
def worth_of(s: Any, kind: int) -> int:
    """Points of a card left in the hand (N-R12)."""
    if is_wild(s, kind):
        return int(s.joker_points)
    rank = kind % 13 + 1
    if rank == 1:
        return int(s.ace_points)
    if rank > 10 and s.face_ten != 0:
        return 10
    return rank


@kernel
def hand_points(s: Any, seat: int) -> int:
    """Points of the seat's hand."""
    total = 0
    for kind in range(KINDS):
        if s.hand[seat, kind] > 0:
            total += int(s.hand[seat, kind]) * worth_of(s, kind)
    return total


@kernel
def card_at(suit: int, place: int) -> int:
    """The kind that is at home in that place of a run; 1 and 14 are the ace."""
    return 13 * suit + (place - 1) % 13


@kernel
def wild_cell(kind: int) -> int:
    """0 joker, 1 two of spades, 2 two of clubs."""
    if kind == JOKER:
        return 0
    return 1 if kind == BLACK_TWO_SPADES else 2


@kernel
def wild_kind(cell: int) -> int:
    """The inverse of :func:`wild_cell`."""
    if cell == 0:
        return JOKER
    return BLACK_TWO_SPADES if cell == 1 else BLACK_TWO_CLUBS


@kernel
def give(s: Any, seat: int, kind: int) -> None:
    """A card into the seat's hand."""
    s.hand[seat, kind] += 1
    s.held[seat] += 1


@kernel
def lose(s: Any, seat: int, kind: int) -> None:
    """A card out of the seat's hand."""
    s.hand[seat, kind] -= 1
    s.held[seat] -= 1
