"""Writing down the melds of a plan: which cards lie in which meld, wild ones as jokers."""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.pricing import OF_RUNS, OF_SETS, Numbers, Want
from spelunke.games.sanghai.table import JOKER, KINDS, PLACES, RUN, SET, card_at, wide

ROW: Final = 60
"""Columns of a plan's row: form, suit or rank, lowest place, number of cards, then their kinds."""
CARDS_AT: Final = 4


@kernel
def write_plan(
    g: Numbers,
    units: Want,
    want: Want,
    spans: Want,
    chosen: Want,
    bits: Want,
    drop: int,
    w: int,
    plan: Numbers,
) -> None:
    """Write the melds of the best choice; wild cards are written as jokers and told apart by the caller."""
    plan[:] = 0
    rest = np.empty(KINDS, np.int16)
    rest[:] = g
    swap = drop  # a kind that stays: out of the sets if there is one too many, else out of a run
    if 0 <= drop < JOKER and rest[drop] > 0:
        rest[drop] -= 1
        swap = wide(-1)
    n = 0
    for level in range(want[OF_RUNS]):
        span = chosen[level]
        plan[n, 0] = RUN
        plan[n, 1] = spans[span, 0]
        plan[n, 2] = spans[span, 1]
        alone = bits[level] & (bits[level] - 1) == 0
        for place in range(spans[span, 1], spans[span, 2] + 1):
            kind = card_at(spans[span, 0], place)
            if not bits[level] >> place & 1:
                kind = JOKER
            elif kind == swap and not alone:
                kind = JOKER
                swap = wide(-1)
            plan[n, CARDS_AT + plan[n, 3]] = kind
            plan[n, 3] += 1
        n += 1
    for rank in range(13):
        for unit in range(units[rank]):
            later = units[rank] - unit - 1
            plan[n, 0] = SET
            plan[n, 1] = rank
            have = 0
            for suit in range(4):
                have += rest[13 * suit + rank]
            most = max(0, have - later) if later == 0 else min(3, max(0, have - later))
            for suit in range(4):
                kind = 13 * suit + rank
                while rest[kind] > 0 and plan[n, 3] < most:
                    rest[kind] -= 1
                    plan[n, CARDS_AT + plan[n, 3]] = kind
                    plan[n, 3] += 1
            while plan[n, 3] < 3:
                plan[n, CARDS_AT + plan[n, 3]] = JOKER
                plan[n, 3] += 1
            n += 1
    used = wide(0)
    for row in range(n):
        for at in range(plan[row, 3]):
            if plan[row, CARDS_AT + at] == JOKER:
                used += 1
    more = w - used - (1 if drop == JOKER else 0)
    if want[OF_SETS] > 0:
        for _ in range(more):
            plan[n - 1, CARDS_AT + plan[n - 1, 3]] = JOKER
            plan[n - 1, 3] += 1
        return
    for row in range(n):
        while more > 0 and plan[row, 2] + plan[row, 3] <= PLACES:
            plan[row, CARDS_AT + plan[row, 3]] = JOKER
            plan[row, 3] += 1
            more -= 1
        while more > 0 and plan[row, 2] > 1:
            for at in range(plan[row, 3], 0, -1):
                plan[row, CARDS_AT + at] = plan[row, CARDS_AT + at - 1]
            plan[row, CARDS_AT] = JOKER
            plan[row, 2] -= 1
            plan[row, 3] += 1
            more -= 1
