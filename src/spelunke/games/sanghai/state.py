"""The state record of a game, the numbers of phases, actions and options, and small kernels that other modules use.

A card is a number, its *kind*: ``13 * suit + rank - 1`` (suits spades, hearts, diamonds, clubs; ranks 1 to 13,
the ace is 1), or 52 for the joker. Equal cards are one kind (N-C10). So a hand, the stock and the pile are
counts by kind. The places of a run are 1 to 14, and an ace fits both ends. A *lap* is the number of a round,
counted from 0.
"""

from __future__ import annotations

from itertools import permutations
from typing import Annotated, Final

import numpy as np

from spelunke.core import values
from spelunke.core.kernel import Cell, Cells, kernel, layout
from spelunke.games.sanghai import ACE_WORTH, GAME, JOKER_WORTH

VERSION = 1
KINDS: Final = 53
STEPS: Final = KINDS + 1
"""The largest number of laying steps that are legal at one time: a card of each kind, and the end of the meld."""
JOKER: Final = 52
BLACK_TWO_SPADES: Final = 1
BLACK_TWO_CLUBS: Final = 40
SEATS: Final = 8
ROUNDS: Final = 10
"""The number of rounds in the longest schedule."""
MELDS: Final = 32
PLACES: Final = 14
NONE: Final = -1
TURN_LIMIT: Final = 200
"""The number of turns per seat after which the round ends and all seats score their hands (N-C7)."""

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
ADD: Final = 178  # + (32 * kind + meld) * 3 + end (0 of a set, 1 below a run, 2 above a run)
SWAP: Final = 5266  # + (32 * kind + meld) * 4 + way (as in melds.swaps_out)
CLOSE_AS: Final = 11922  # + index in ORDERS - 1: close the last meld, and number the melds in that order
ACTIONS: Final = 11945

# Outcomes of chance.
CARD: Final = 0  # + kind
DEALER: Final = 53  # + seat
LUCKY: Final = 61  # + seat
OUTCOMES: Final = 69

LONGEST: Final = 1 + ROUNDS * (SEATS * 16 + SEATS * TURN_LIMIT * (2 * SEATS + 6) + 3 * 216)

# The form of a meld, and the content of a place in a run.
SET: Final = 1
RUN: Final = 2
NATURAL: Final = 1
WILD: Final = 2  # + 0 joker, 1 two of spades, 2 two of clubs

# A seat's answer to the card that it can call for.
SILENT: Final = 0
ASKED: Final = 1
PASSED: Final = 2
CALLED: Final = 3

# The index of each option in the field ``options``. The game's definition explains their values.
PACKS = GAME.slot("packs")
JOKERS_PER_PACK = GAME.slot("jokers_per_pack")
HEP_WINDOW = GAME.slot("hep_window")
HEP_PRIORITY = GAME.slot("hep_priority")
HEP_TIE = GAME.slot("hep_tie")
HEP_TIE_MS = GAME.slot("hep_tie_ms")
HEP_LIMIT = GAME.slot("hep_limit")
HEP_PENALTY = GAME.slot("hep_penalty")
JOKER_SWAP = GAME.slot("joker_swap")
BLACK_TWOS_WILD = GAME.slot("black_twos_wild")
JOKER_POINTS = GAME.slot("joker_points")
FACE_POINTS = GAME.slot("face_points")
ACE_POINTS = GAME.slot("ace_points")
LAST_ROUND_AT_ONCE = GAME.slot("last_round_at_once")
BLIND_BONUS = GAME.slot("go_out_blind_bonus")
SCHEDULE = GAME.slot("schedule")
DISTINCT_SETS = GAME.slot("distinct_sets")
NO_ADJACENT_RUNS = GAME.slot("no_adjacent_runs")
LAYOFF_SAME_TURN = GAME.slot("layoff_same_turn")
RESHUFFLE_LIMIT = GAME.slot("reshuffle_limit")
SHOW_DISCARDS = GAME.slot("show_discards")

# Values of the option hep_tie (0 is the nearest in turn), and of the longest schedule.
BY_VOTE: Final = 1
NOBODY: Final = 2
BY_CHANCE: Final = 3
LONG_SCHEDULE: Final = 3

# The contracts of each schedule: sets, runs, least length of the runs (N-R2). A set has at least three cards.
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


MOST_MELDS: Final = 4
"""The number of melds in the largest contract."""
ORDERS = np.array(list(permutations(range(MOST_MELDS))), np.int16)
"""All orders of a laying's melds (N-C10), one in each row.

Entry ``k`` of a row is the number that the meld laid as number ``k`` gets. Both numbers count from 0. In the first row,
the melds keep their numbers.
"""


class State(values.State):
    """The record of one game with all its rounds.

    The stock has no order: ``stock`` counts its cards by kind, and chance chooses a card whenever one is drawn.

    ``pile`` counts all cards of the pile. Only its two topmost cards are also stored in order, as ``top`` and
    ``under``. When a seat gets the top card, ``under`` becomes ``top``. Then ``under`` is unknown until the next
    discard.
    """

    # table
    seats: Cell
    options: Annotated[Cells, GAME.slots]
    # game: the results of each round
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
    # public facts of this round, by seat: cards openly taken and still held, cards discarded, and cards let go
    taken: Annotated[Cells, 8, 53]
    thrown: Annotated[Cells, 8, 53]
    let_go: Annotated[Cells, 8, 53]
    # turn
    fresh: Cell
    wilds: Cell
    # the time after a discard, in which seats may call for it
    giver: Cell
    answer: Annotated[Cells, 8]
    caller: Annotated[Cells, 8]
    callers: Cell
    tied: Cell
    waits: Cell
    ballot: Annotated[Cells, 8]
    owed: Cell
    owing: Cell
    # melds on the table; the cells of a set count naturals by suit, then jokers, twos of spades, twos of clubs
    melds: Cell
    owner: Annotated[Cells, 32]
    form: Annotated[Cells, 32]
    what: Annotated[Cells, 32]
    low: Annotated[Cells, 32]
    high: Annotated[Cells, 32]
    cells: Annotated[Cells, 32, 14]
    # a laying in progress
    sets_left: Cell
    runs_left: Cell
    least_rank: Cell
    least_run: Cell


STATE = layout(State)


@kernel
def wide(n: int) -> int:
    """Return the number as an int64.

    Fields of a record are int16. In a kernel that is not compiled, NumPy would compute with them in int16, while
    compiled kernels compute in int64. Python code also converts a field before it calls a kernel: otherwise the
    compiler makes a version of that kernel for int16. Literals need no conversion.
    """
    return np.int64(n)  # type: ignore[return-value]


@kernel
def rounds(s: State) -> int:
    """Return the number of rounds of this game."""
    return int(ROUNDS_OF[s.options[SCHEDULE]])


@kernel
def sets_wanted(s: State) -> int:
    """Return the number of sets in this round's contract."""
    return int(SETS_OF[s.options[SCHEDULE], s.lap])


@kernel
def runs_wanted(s: State) -> int:
    """Return the number of runs in this round's contract."""
    return int(RUNS_OF[s.options[SCHEDULE], s.lap])


@kernel
def run_length(s: State) -> int:
    """Return the least length of the runs in this round's contract."""
    return int(LENGTH_OF[s.options[SCHEDULE], s.lap])


@kernel
def cards_wanted(s: State) -> int:
    """Return the least number of cards with which this round's contract can be laid (N-T20)."""
    return 3 * sets_wanted(s) + run_length(s) * runs_wanted(s)


@kernel
def cards_dealt(s: State) -> int:
    """Return the number of cards dealt to each seat in this round (N-R3, N-A3)."""
    if s.seats == 2:
        return max(11, cards_wanted(s))
    return 11


@kernel
def hep_limit(s: State) -> int:
    """Return the number of calls that a seat may win in this round (N-A8).

    In the last two rounds of the longest schedule, the limit is one more than the option says.
    """
    return int(s.options[HEP_LIMIT]) + (1 if s.options[SCHEDULE] == LONG_SCHEDULE and s.lap >= 8 else 0)


@kernel
def copies(s: State, kind: int) -> int:
    """Return the number of cards of that kind in the packs."""
    packs = int(s.options[PACKS])
    return packs * int(s.options[JOKERS_PER_PACK]) if kind == JOKER else packs


@kernel
def black_two(kind: int) -> bool:
    """Return whether a card of that kind is a two of spades or clubs."""
    return kind in (BLACK_TWO_SPADES, BLACK_TWO_CLUBS)


@kernel
def is_wild(s: State, kind: int) -> bool:
    """Return whether a card of that kind is wild."""
    return kind == JOKER or (s.options[BLACK_TWOS_WILD] != 0 and black_two(kind))


@kernel
def worth_of(s: State, kind: int) -> int:
    """Return the points of a card of that kind that is left in the hand (N-R12)."""
    if is_wild(s, kind):
        return JOKER_WORTH[s.options[JOKER_POINTS]]
    rank = kind % 13 + 1
    if rank == 1:
        return ACE_WORTH[s.options[ACE_POINTS]]
    if rank > 10 and s.options[FACE_POINTS] != 0:
        return 10
    return rank


@kernel
def hand_points(s: State, seat: int) -> int:
    """Return the points of all cards in the seat's hand."""
    total = 0
    for kind in range(KINDS):
        if s.hand[seat, kind] > 0:
            total += int(s.hand[seat, kind]) * worth_of(s, kind)
    return total


@kernel
def card_at(suit: int, place: int) -> int:
    """Return the kind of the natural card at that place of a run. Places 1 and 14 are the ace."""
    return 13 * suit + (place - 1) % 13


@kernel
def wild_cell(kind: int) -> int:
    """Return a wild kind's number among the wild kinds: 0 joker, 1 two of spades, 2 two of clubs.

    In ``State.cells``, an offset is added to this number.
    """
    if kind == JOKER:
        return 0
    return 1 if kind == BLACK_TWO_SPADES else 2


@kernel
def wild_kind(cell: int) -> int:
    """Return the wild kind with the number ``cell`` among the wild kinds. This reverses :func:`wild_cell`."""
    if cell == 0:
        return JOKER
    return BLACK_TWO_SPADES if cell == 1 else BLACK_TWO_CLUBS


@kernel
def give(s: State, seat: int, kind: int) -> None:
    """Add a card to the seat's hand."""
    s.hand[seat, kind] += 1
    s.held[seat] += 1


@kernel
def give_openly(s: State, seat: int, kind: int) -> None:
    """Add a card to the seat's hand, and note that all seats saw it."""
    give(s, seat, kind)
    s.taken[seat, kind] += 1


@kernel
def lose(s: State, seat: int, kind: int) -> None:
    """Remove a card from the seat's hand.

    If the seat openly took an equal card, also remove that card from the public record of the cards that it took.
    """
    s.hand[seat, kind] -= 1
    s.held[seat] -= 1
    if s.taken[seat, kind] > 0:
        s.taken[seat, kind] -= 1


@kernel
def forget(s: State) -> None:
    """Clear the public facts of the round: the cards that seats took, discarded, or could have had but did not take."""
    s.taken[:] = 0
    s.thrown[:] = 0
    s.let_go[:] = 0
