"""A seat's view as an array of numbers, for learning programs.

The kernels read only facts that the seat can know.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import CARDS, RANKS, SUITS
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planning import FAR, lacking
from spelunke.games.sanghai.state import ASKED, CALLED, KINDS, SEATS, WINDOW, State, wide

Floats = npt.NDArray[np.float32]

FEW: Final = 17
EACH: Final = 7
AT_SEATS: Final = FEW
AT_PHASE: Final = AT_SEATS + EACH * SEATS
AT_HAND: Final = AT_PHASE + 13
AT_TOP: Final = AT_HAND + KINDS
AT_HELPS: Final = AT_TOP + KINDS
AT_SETS: Final = AT_HELPS + KINDS
AT_LOWS: Final = AT_SETS + 13
AT_HIGHS: Final = AT_LOWS + 56
FEATURES: Final = AT_HIGHS + 56

NAMES = (
    "round", "rounds", "sets wanted", "runs wanted", "run length", "cards wanted", "cards missing", "my turn",
    "stock", "pile", "reshuffles", "i am asked", "i called", "calls known", "calls i may win", "seats",
    "laid this turn",
    *(f"{what} of seat +{k}" for k in range(SEATS) for what in
      ("cards", "calls won", "laid", "points", "on turn", "called", "dealer")),
    *(f"phase {k}" for k in range(13)),
    *(f"my {card}" for card in CARDS),
    *(f"top {card}" for card in CARDS),
    *(f"{card} helps" for card in CARDS),
    *(f"set of {rank} on the table" for rank in RANKS),
    *(f"run from {suit}{place}" for suit in SUITS for place in range(1, 15)),
    *(f"run to {suit}{place}" for suit in SUITS for place in range(1, 15)),
)  # fmt: skip


def feature_names() -> tuple[str, ...]:
    """Return the names of all ``FEATURES`` features."""
    return NAMES


@kernel
def features(s: State, seat: int, out: Floats) -> None:
    """Write the seat's view into ``out``: float32[FEATURES], in the order of ``NAMES``.

    Most values are from 0 to 1. These values can exceed 1: the number of cards of one kind, of cards missing for the
    contract, of cards in a seat's hand, of calls that a seat won, and of reshuffles. Values for points can exceed 1 or
    be negative.
    """
    out[:] = 0.0
    open_calls = are_calls_open(s)
    write_table(s, seat, out)
    if open_calls:
        out[13] = s.callers * (1.0 / 8.0)
    for k in range(s.seats):
        write_seat(s, (seat + k) % s.seats, open_calls, out[AT_SEATS + EACH * k :])
    out[AT_PHASE + s.phase] = 1.0
    write_hand(s, seat, out)
    if s.top != state.NONE:
        out[AT_TOP + s.top] = 1.0
    for m in range(s.melds):
        if s.form[m] == state.SET:
            out[AT_SETS + s.what[m]] = 1.0
        else:
            out[AT_LOWS + 14 * s.what[m] + s.low[m] - 1] = 1.0
            out[AT_HIGHS + 14 * s.what[m] + s.high[m] - 1] = 1.0


@kernel
def are_calls_open(s: State) -> bool:
    """Return whether all seats can see who has called.

    If calls are sealed, they become public after the last answer. Otherwise they are public at once.
    """
    if s.phase == WINDOW and s.options[state.HEP_WINDOW] != 0:
        for seat in range(s.seats):
            if s.answer[seat] == ASKED:
                return False
    return True


@kernel
def write_table(s: State, seat: int, out: Floats) -> None:
    """Write into ``out`` the facts about the round, the stock and the pile, and about the seat's own turn and calls."""
    out[0] = (s.lap + 1) * (1.0 / 10.0)
    out[1] = state.rounds(s) * (1.0 / 10.0)
    out[2] = state.sets_wanted(s) * (1.0 / 4.0)
    out[3] = state.runs_wanted(s) * (1.0 / 3.0)
    out[4] = state.run_length(s) * (1.0 / 10.0)
    out[5] = state.cards_wanted(s) * (1.0 / 15.0)
    out[7] = 1.0 if s.turn == seat else 0.0
    cards = 52.0 * s.options[state.PACKS] + state.copies(s, wide(state.JOKER))
    out[8] = s.stocked / cards
    out[9] = s.piled / cards
    out[10] = s.shuffled * (1.0 / 4.0)
    out[11] = 1.0 if s.answer[seat] == ASKED else 0.0
    out[12] = 1.0 if s.answer[seat] == CALLED else 0.0
    out[14] = (state.hep_limit(s) - s.heps[seat]) * (1.0 / 6.0)
    out[15] = s.seats * (1.0 / 8.0)
    out[16] = s.fresh


@kernel
def write_seat(s: State, seat: int, open_calls: bool, out: Floats) -> None:
    """Write the public facts of a seat into the first ``EACH`` elements of ``out``."""
    out[0] = s.held[seat] * (1.0 / 15.0)
    out[1] = s.heps[seat] * (1.0 / 5.0)
    out[2] = s.laid[seat]
    total = 0
    for lap in range(s.lap):
        total += s.sheet[lap, seat]
    out[3] = total * (1.0 / 400.0)
    out[4] = 1.0 if s.turn == seat else 0.0
    out[5] = 1.0 if open_calls and s.answer[seat] == CALLED else 0.0
    out[6] = 1.0 if s.dealer == seat else 0.0


@kernel
def write_hand(s: State, seat: int, out: Floats) -> None:
    """Write into ``out`` the seat's cards, the number of cards missing for the contract, and the kinds that help."""
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    helps = np.zeros(KINDS, np.int16)
    if s.laid[seat] == 0:
        out[6] = lacking(h, wish_of(s), wide(FAR), helps) * (1.0 / 12.0)
    for kind in range(KINDS):
        out[AT_HAND + kind] = h[kind] * (1.0 / 2.0)
        out[AT_HELPS + kind] = helps[kind]
