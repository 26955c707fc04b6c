"""What a seat sees, as an array of numbers for learners. A kernel that reads nothing the seat can't know."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.cards import CARDS, RANKS, SUITS
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planner import lacking
from spelunke.games.sanghai.state import (
    ASKED,
    CALLED,
    KINDS,
    NONE,
    SEATS,
    SET,
    WINDOW,
    cards_wanted,
    copies,
    hep_limit,
    rounds,
    run_length,
    runs_wanted,
    sets_wanted,
    wide,
)

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
    """A name for each of the ``FEATURES`` numbers."""
    return NAMES


@kernel
def features(s: Any, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write what the seat sees into ``out`` (float32[FEATURES], each about 0 to 1), in the order of the names."""
    out[:] = 0.0
    helps = np.zeros(KINDS, np.int16)
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    missing = 0
    if s.laid[seat] == 0:
        missing = lacking(h, wish_of(s), wide(99), helps)
    open_calls = s.phase != WINDOW or s.sequenced == 0
    if not open_calls:
        open_calls = True
        for other in range(s.seats):
            if s.answer[other] == ASKED:
                open_calls = False
    out[0] = (s.lap + 1) * (1.0 / 10.0)
    out[1] = rounds(s) * (1.0 / 10.0)
    out[2] = sets_wanted(s) * (1.0 / 4.0)
    out[3] = runs_wanted(s) * (1.0 / 3.0)
    out[4] = run_length(s) * (1.0 / 10.0)
    out[5] = cards_wanted(s) * (1.0 / 15.0)
    out[6] = missing * (1.0 / 12.0)
    out[7] = 1.0 if s.turn == seat else 0.0
    cards = 52.0 * s.packs + copies(s, KINDS - 1)
    out[8] = s.stocked / cards
    out[9] = s.piled / cards
    out[10] = s.shuffled * (1.0 / 4.0)
    out[11] = 1.0 if s.answer[seat] == ASKED else 0.0
    out[12] = 1.0 if s.answer[seat] == CALLED else 0.0
    if open_calls:
        out[13] = s.callers * (1.0 / 8.0)
    out[14] = (hep_limit(s) - s.heps[seat]) * (1.0 / 6.0)
    out[15] = s.seats * (1.0 / 8.0)
    out[16] = s.fresh
    for k in range(s.seats):
        other = (seat + k) % s.seats
        at = AT_SEATS + EACH * k
        out[at] = s.held[other] * (1.0 / 15.0)
        out[at + 1] = s.heps[other] * (1.0 / 5.0)
        out[at + 2] = s.laid[other]
        total = 0
        for lap in range(s.lap):
            total += s.sheet[lap, other]
        out[at + 3] = total * (1.0 / 400.0)
        out[at + 4] = 1.0 if s.turn == other else 0.0
        if open_calls and s.answer[other] == CALLED:
            out[at + 5] = 1.0
        out[at + 6] = 1.0 if s.dealer == other else 0.0
    out[AT_PHASE + s.phase] = 1.0
    for kind in range(KINDS):
        out[AT_HAND + kind] = h[kind] * (1.0 / 2.0)
        out[AT_HELPS + kind] = helps[kind]
    if s.top != NONE:
        out[AT_TOP + s.top] = 1.0
    for m in range(s.melds):
        if s.form[m] == SET:
            out[AT_SETS + s.what[m]] = 1.0
        else:
            out[AT_LOWS + 14 * s.what[m] + s.low[m] - 1] = 1.0
            out[AT_HIGHS + 14 * s.what[m] + s.high[m] - 1] = 1.0
