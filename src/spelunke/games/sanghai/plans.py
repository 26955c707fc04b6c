"""Writing down the melds of a plan: which cards lie in which meld, wild ones as jokers."""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.naturals import ASKS, FORM, HIGH, LOW, WHAT, Numbers, Want, match
from spelunke.games.sanghai.pricing import (
    OF_APART,
    OF_BLACK,
    OF_RUNS,
    OF_SETS,
    strip_wilds,
    wilds_in,
)
from spelunke.games.sanghai.state import (
    JOKER,
    KINDS,
    PLACES,
    RUN,
    card_at,
)

ROW: Final = 60
"""Columns of a plan's row: form, suit or rank, lowest place, number of cards, then their kinds."""
CARDS_AT: Final = 4


@kernel
def write_plan(h: Numbers, asks: Want, n: int, want: Want, whole: bool, plan: Numbers) -> None:
    """Write the ``n`` melds with the cards of ``h``, which holds a natural card for each; what has no place stays.

    Wild cards are written as jokers and told apart by the caller; only a black two that is the natural card of its meld
    is written as itself. ``whole``: wild cards that are left are put down too; else they are kept for additions.
    """
    plan[:] = 0
    avail = np.empty(KINDS, np.int16)
    avail[:] = h
    own = np.zeros(ASKS, np.int64)
    spare_sets(avail, n, want, asks, own)
    w = wilds_in(avail, want[OF_BLACK])
    strip_wilds(avail, want[OF_BLACK], avail)
    for row in range(n):
        plan[row, 0] = asks[row, FORM]
        plan[row, 1] = asks[row, WHAT]
        if asks[row, FORM] == RUN:
            plan[row, 2] = asks[row, LOW]
            for place in range(asks[row, LOW], asks[row, HIGH] + 1):
                kind = card_at(asks[row, WHAT], place)
                if kind == own[row]:
                    own[row] = -1
                elif avail[kind] > 0:
                    avail[kind] -= 1
                else:
                    kind = JOKER
                    w -= 1
                plan[row, CARDS_AT + plan[row, 3]] = kind
                plan[row, 3] += 1
            continue
        plan[row, CARDS_AT] = own[row]
        plan[row, 3] = 1
        last = row == n - 1 or asks[row + 1, WHAT] != asks[row, WHAT]
        for suit in range(4):
            kind = 13 * suit + asks[row, WHAT]
            while avail[kind] > 0 and (last or plan[row, 3] < 3):
                avail[kind] -= 1
                plan[row, CARDS_AT + plan[row, 3]] = kind
                plan[row, 3] += 1
        while plan[row, 3] < 3:
            plan[row, CARDS_AT + plan[row, 3]] = JOKER
            plan[row, 3] += 1
            w -= 1
    if not whole:
        return
    if want[OF_SETS] > 0:
        for _ in range(w):
            plan[n - 1, CARDS_AT + plan[n - 1, 3]] = JOKER
            plan[n - 1, 3] += 1
        return
    lengthen(plan, n, w, want)


@kernel
def spare_sets(avail: Numbers, n: int, want: Want, asks: Want, own: Want) -> None:
    """A natural card for each meld into ``own``, out of ``avail`` in place.

    Sets take what the runs have no place for as far as that goes: only who has none of those takes one from a run, or a
    black two, and a wild card fills that place.
    """
    left = np.empty(KINDS, np.int16)
    strip_wilds(avail, want[OF_BLACK], left)
    runs = want[OF_RUNS]
    for k in range(runs):
        for place in range(asks[k, LOW], asks[k, HIGH] + 1):
            kind = card_at(asks[k, WHAT], place)
            if left[kind] > 0:
                left[kind] -= 1
    some = np.empty((ASKS, 4), np.int64)
    which = np.zeros(ASKS, np.int64)
    found = np.zeros(ASKS, np.int64)
    m = 0
    for k in range(n):
        own[k] = -1
        if k >= runs:
            for suit in range(4):
                kind = 13 * suit + asks[k, WHAT]
                if own[k] < 0 and left[kind] > 0:
                    own[k] = kind
                    left[kind] -= 1
                    avail[kind] -= 1
        if own[k] < 0:
            some[m] = asks[k]
            which[m] = k
            m += 1
    match(avail, some, m, found)
    for k in range(m):
        own[which[k]] = found[k]


@kernel
def lengthen(plan: Numbers, n: int, w: int, want: Want) -> None:
    """Put ``w`` wild cards to the ends of the runs, as far as there is room for them."""
    for row in range(n):
        while w > 0 and is_free(plan, n, row, plan[row, 2] + plan[row, 3], want):
            plan[row, CARDS_AT + plan[row, 3]] = JOKER
            plan[row, 3] += 1
            w -= 1
        while w > 0 and is_free(plan, n, row, plan[row, 2] - 1, want):
            for at in range(plan[row, 3], 0, -1):
                plan[row, CARDS_AT + at] = plan[row, CARDS_AT + at - 1]
            plan[row, CARDS_AT] = JOKER
            plan[row, 2] -= 1
            plan[row, 3] += 1
            w -= 1


@kernel
def is_free(plan: Numbers, n: int, row: int, place: int, want: Want) -> bool:
    """Whether the run in ``row`` may grow to that place, next to an end of it (option no_adjacent_runs)."""
    if place < 1 or place > PLACES:
        return False
    if want[OF_APART] != 0:
        for other in range(n):
            if other != row and plan[other, 1] == plan[row, 1]:
                low = plan[other, 2]
                if low - 1 <= place <= low + plan[other, 3]:
                    return False
    return True
