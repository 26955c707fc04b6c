"""Write a plan of a laying: the cards of each meld, with a joker for each wild card."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from spelunke.core.arrays import empty, zeros
from spelunke.core.kernel import Cells, kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.counts import strip_wilds, wilds_in
from spelunke.games.sanghai.planning.naturals import ASK, ASKS, Ask, match
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import JOKER, KINDS, PLACES, RUN, card_at, wide


class Planned:
    """One meld of a plan: its form, its suit or rank, the lowest place of a run, the number of cards, and their
    kinds.
    """

    form: Long
    what: Long
    low: Long
    length: Long
    kinds: Annotated[Cells, 56]


PLANNED = scratch(Planned)


@kernel
def put_kind(plan: Rows[Planned], row: int, kind: int) -> None:
    """Add a card of ``kind`` to the meld in ``row``."""
    meld = plan[row]
    meld.kinds[meld.length] = kind
    meld.length += 1


@kernel
def write_plan(h: Numbers, asks: Rows[Ask], n: int, want: Wish, whole: bool, plan: Rows[Planned]) -> None:
    """Write into ``plan`` the melds of ``asks`` with cards of the hand ``h``. ``n`` is the number of melds.

    There must be a natural card for each meld. Cards that fit no meld are left out. Each wild card is written as a
    joker, except a black two that is the natural card of its meld. The calling function replaces the jokers by the real
    wild cards. If ``whole`` is true, the remaining wild cards are put down too. Otherwise they are kept for additions.
    """
    avail = empty(KINDS, np.int16)
    avail[:] = h
    own = zeros(ASKS, np.int64)
    spare_sets(avail, n, want, asks, own)
    wilds = wilds_in(avail, want.black)
    strip_wilds(avail, want.black, avail)
    for row in range(len(plan)):
        plan[row].length = 0
    for row in range(n):
        meld = plan[row]
        meld.form = asks[row].form
        meld.what = asks[row].what
        meld.low = 0
        if meld.form == RUN:
            wilds -= write_run(avail, asks, row, own[row], plan)
        else:
            last = row == n - 1 or asks[row + 1].what != asks[row].what
            wilds -= write_set(avail, own[row], last, plan, row)
    if not whole:
        return
    if want.sets > 0:
        for _ in range(wilds):
            put_kind(plan, n - 1, wide(JOKER))
        return
    lengthen(plan, n, wilds, want)


@kernel
def write_run(avail: Numbers, asks: Rows[Ask], row: int, own: int, plan: Rows[Planned]) -> int:
    """Write the cards of a run into this row of the plan. Return the number of wild cards.

    ``own`` is a natural card of the run that was already taken out of ``avail``. This kernel takes the other natural
    cards of the run out of ``avail``.
    """
    plan[row].low = asks[row].low
    wilds = 0
    for place in range(asks[row].low, asks[row].high + 1):
        kind = card_at(asks[row].what, place)
        if kind == own:
            own = -1
        elif avail[kind] > 0:
            avail[kind] -= 1
        else:
            kind = JOKER
            wilds += 1
        put_kind(plan, row, kind)
    return wilds


@kernel
def write_set(avail: Numbers, own: int, last: bool, plan: Rows[Planned], row: int) -> int:
    """Write the cards of a set into this row of the plan: first ``own``, then cards that are taken out of ``avail``.

    ``own`` is a natural card of the set that was already taken out of ``avail``.

    ``last`` is True for the last set of a rank. This set takes all remaining cards of the rank. Any other set takes at
    most three cards. Return the number of wild cards.
    """
    put_kind(plan, row, own)
    for suit in range(4):
        kind = 13 * suit + plan[row].what
        while avail[kind] > 0 and (last or plan[row].length < 3):
            avail[kind] -= 1
            put_kind(plan, row, kind)
    wilds = 0
    while plan[row].length < 3:
        put_kind(plan, row, wide(JOKER))
        wilds += 1
    return wilds


@kernel
def spare_sets(avail: Numbers, n: int, want: Wish, asks: Rows[Ask], own: Longs) -> None:
    """Take from the counts ``avail`` a natural card for each run and each set, and write its kind into ``own``.

    First, each set takes a card of its rank that no run needs. Then the runs, and the sets that got no card, take any
    natural cards (:func:`match`). If a set takes a card that a run needs, a wild card fills the place in the run.
    """
    left = empty(KINDS, np.int16)
    strip_wilds(avail, want.black, left)
    for k in range(want.runs):
        for place in range(asks[k].low, asks[k].high + 1):
            kind = card_at(asks[k].what, place)
            if left[kind] > 0:
                left[kind] -= 1
    some = empty(ASKS, ASK)
    which = zeros(ASKS, np.int64)
    found = zeros(ASKS, np.int64)
    m = 0
    for k in range(n):
        own[k] = -1
        if k >= want.runs:
            for suit in range(4):
                kind = 13 * suit + asks[k].what
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
def lengthen(plan: Rows[Planned], n: int, wilds: int, want: Wish) -> None:
    """Add up to ``wilds`` wild cards to the ends of the runs, as long as places are free."""
    for row in range(n):
        meld = plan[row]
        while wilds > 0 and is_free(plan, n, row, meld.low + meld.length, want):
            put_kind(plan, row, wide(JOKER))
            wilds -= 1
        while wilds > 0 and is_free(plan, n, row, meld.low - 1, want):
            for at in range(meld.length, 0, -1):
                meld.kinds[at] = meld.kinds[at - 1]
            meld.kinds[0] = JOKER
            meld.low -= 1
            meld.length += 1
            wilds -= 1


@kernel
def is_free(plan: Rows[Planned], n: int, row: int, place: int, want: Wish) -> bool:
    """Return whether the run in ``row`` may get one more card, at the place with the number ``place``.

    With the option no_adjacent_runs, ``place`` must be neither in another run of the suit nor next to one.
    """
    if place < 1 or place > PLACES:
        return False
    if want.apart != 0:
        for other in range(n):
            if other != row and plan[other].what == plan[row].what:
                low = plan[other].low
                if low - 1 <= place <= low + plan[other].length:
                    return False
    return True
