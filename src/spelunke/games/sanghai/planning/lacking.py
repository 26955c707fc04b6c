"""What a hand lacks for a contract, exactly, and what would help (N-C11). Kernels on counts of cards, without a state.

A contract is so many sets of three and so many runs of one least length. Natural cards are given to runs first and
then to sets: a place of a run wants one kind, a set takes any of its rank, so no other way fills more places. Wild
cards fill what is left, except that each meld wants a natural card of its own (N-R7).

The same question is asked in the midst of a laying, where one meld is begun and the next may not come before it; the
wish then says what is left.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.core.scratch import Longs, Rows
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.counts import count_ranks, strip_wilds, wilds_in
from spelunke.games.sanghai.planning.pricing import (
    SEARCH,
    WINDOWS,
    Search,
    find_windows,
    left_bare,
    price_sets,
    put_back,
    take_window,
    touches,
)
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
    JOKER,
    KINDS,
    RUN,
    SET,
    card_at,
    wide,
)

# Sets of kinds, as bits: by window what the hand has for it and lacks, by level what the runs chosen took and lacked.
HOLDS: Final = 0
WANTS: Final = 1
USED: Final = 2
GONE: Final = 3


@kernel
def can_lay(h: Numbers, want: Wish) -> bool:
    """Whether the counts hold what is wished, the card to discard left aside."""
    return lacking(h, want, wide(1), h[:0]) == 0


@kernel
def lacking(h: Numbers, want: Wish, cap: int, helps: Numbers) -> int:
    """The fewest cards that must be added so that the wish can be laid, or ``cap`` if it is no fewer.

    ``helps`` (int16[53], or empty when not wanted) is set to 1 for each kind that lowers the number by one.
    """
    helps[:] = 0
    work = np.zeros(1, SEARCH)
    far = look(h, want, cap, work, helps[:0])
    if 0 < far < cap and len(helps) > 0:  # with the number known, only the best choices are gone through
        look(h, want, far + 1, work, helps)
        if work[0].lone != 0:
            ask_for_each(h, want, far, work, helps)
    return far


@kernel
def ask_for_each(h: Numbers, want: Wish, far: int, work: Rows[Search], helps: Numbers) -> None:
    """Note each further kind that lowers the number, by looking anew with it: almost all of the hand is wild."""
    more = np.empty(KINDS, np.int16)
    more[:] = h
    for kind in range(KINDS):
        if helps[kind] == 0:
            more[kind] += 1
            if look(more, want, far, work, helps[:0]) < far:
                helps[kind] = 1
            more[kind] -= 1


@kernel
def look(h: Numbers, want: Wish, cap: int, work: Rows[Search], helps: Numbers) -> int:
    """:func:`lacking` in one pass; ``helps`` is zero before, and lacks kinds where ``lone`` is set after."""
    wilds = wilds_in(h, want.black)
    g = np.empty(KINDS, np.int16)
    strip_wilds(h, want.black, g)
    cost = 0
    bare = 0
    if want.form == RUN:
        taken = 0
        for place in range(want.place, want.place + want.need):
            kind = card_at(want.what, place)
            if g[kind] > 0:
                g[kind] -= 1
                taken += 1
            else:
                cost += 1
        if want.bare != 0 and taken == 0:
            bare = 1
    c = np.empty(13, np.int16)
    count_ranks(g, c)
    floor = 0
    if want.sets > 0 or want.form == SET:
        floor = price_sets(c, want, np.empty(13, np.int16)) >> 3
    alone = want.sets + want.runs + want.bare  # melds that want a natural card
    for kind in range(JOKER):
        alone -= h[kind]
    least = max(0, cost + floor - wilds, alone)
    if least >= cap:
        return cap
    w = work[0]
    w.windows = 0
    if want.runs > 0:
        find_windows(g, want, work)
        if w.windows == 0 or cost + floor + want.runs * w.lacks[0] - wilds >= cap:
            return cap
    w.best = cap - 1
    w.found = 0
    w.floor = floor
    w.wilds = wilds
    w.cost = cost
    w.bare = bare
    w.marked = 0
    w.lone = 0
    w.least = least
    search(h, g, c, want, work, helps)
    return w.best if w.found else cap


@kernel
def search(h: Numbers, g: Numbers, c: Numbers, want: Wish, work: Rows[Search], helps: Numbers) -> None:
    """Choose the runs one after another, best windows first, and price the sets of what is left.

    Bit sets of kinds say what a choice holds and lacks, so that a last run that shares nothing with the others is
    passed over when all that it lacks is known to help: many choices are equally good where a hand is far from its
    contract.
    """
    w = work[0]
    keys, lacks, chosen, taken = w.keys, w.lacks, w.chosen, w.taken
    length, windows, wilds = want.length, w.windows, w.wilds
    marking = len(helps) > 0 and want.sets == 0 and want.form == 0
    kinds = np.zeros((4, WINDOWS if marking else 0), np.int64)
    if marking:
        split_windows(g, keys, windows, length, kinds)
    least = w.floor - wilds
    cost = np.zeros(5, np.int64)
    bare = np.zeros(5, np.int64)
    cost[0] = w.cost
    bare[0] = w.bare
    chosen[0] = 0
    level = 0
    while level >= 0:
        back = False
        if level == want.runs:
            price_leaf(h, c, want, work, cost[level], bare[level], helps)
            if w.found and (w.best == 0 or (len(helps) == 0 and w.best <= w.least)):
                return
            back = True
        else:
            index = chosen[level]
            left = want.runs - level
            goal = w.best - (1 if w.found and len(helps) == 0 else 0)
            if index >= windows or cost[level] + left * lacks[index] + least > goal:
                back = True
            elif (
                marking
                and left == 1
                and w.found != 0
                and bare[level] == 0
                and adds_nothing(kinds, index, level, w.marked)
                and cost[level] + lacks[index] - wilds >= w.best
            ) or (want.apart != 0 and touches(keys, chosen, level, keys[index], length)):
                chosen[level] += 1
            else:
                lack = take_window(g, c, keys[index], length, taken, level)
                if cost[level] + lack + (left - 1) * lacks[index] + least <= goal:
                    cost[level + 1] = cost[level] + lack
                    bare[level + 1] = bare[level] + (1 if taken[level] == 0 else 0)
                    if marking:
                        kinds[USED, level + 1] = kinds[USED, level] | kinds[HOLDS, index]
                        lost = missed(keys[index], length, taken[level])
                        kinds[GONE, level + 1] = kinds[GONE, level] | lost
                    level += 1
                    chosen[level] = index
                else:
                    put_back(g, c, keys[index], length, taken[level])
                    chosen[level] += 1
        if back:
            level -= 1
            if level >= 0:
                put_back(g, c, keys[chosen[level]], length, taken[level])
                chosen[level] += 1


@kernel
def price_leaf(
    h: Numbers, c: Numbers, want: Wish, work: Rows[Search], cost: int, bare: int, helps: Numbers
) -> None:
    """Price one choice of runs with the sets of what is left; note it if it is as good as the best, and what helps."""
    w = work[0]
    units = np.zeros(13, np.int16)
    if want.sets > 0 or want.form == SET:
        price = price_sets(c, want, units)
        cost += price >> 3
        bare += price & 7
    value = max(0, cost - w.wilds)
    if bare > value:
        bare = left_bare(h, units, c, want, work)
        value = max(value, bare)
    if value > w.best:
        return
    if value < w.best or not w.found:
        w.best = value
        w.found = 1
        w.marked = 0
        w.lone = 0
        helps[:] = 0
    if len(helps) == 0 or value == 0:
        return
    if bare >= value:  # it takes a natural card, and of which kinds depends on all the melds
        w.lone = 1
        return
    helps[JOKER] = 1
    if want.black != 0:
        helps[BLACK_TWO_SPADES] = 1
        helps[BLACK_TWO_CLUBS] = 1
    mark_runs(want, work, helps)
    if want.sets > 0:
        mark_sets(c, units, want.distinct, helps)


@kernel
def mark_runs(want: Wish, work: Rows[Search], helps: Numbers) -> None:
    """Kinds that the chosen runs lack."""
    w = work[0]
    fresh = wide(0)
    keys, chosen, taken = w.keys, w.chosen, w.taken
    for level in range(want.runs):
        fresh |= missed(keys[chosen[level]], want.length, taken[level])
    fresh &= ~w.marked
    w.marked |= fresh
    kind = 0
    while fresh != 0:
        if fresh & 1:
            helps[kind] = 1
        fresh >>= 1
        kind += 1


@kernel
def missed(key: int, length: int, bits: int) -> int:
    """The kinds, as a set of bits, of the places of a run that :func:`take_window` found no card for."""
    kinds = 0
    low = key & 15
    for place in range(low, low + length):
        if not bits >> place & 1:
            kinds |= 1 << card_at(key >> 4, place)
    return kinds


@kernel
def split_windows(g: Numbers, keys: Longs, n: int, length: int, kinds: Longs) -> None:
    """For each of ``n`` places of a run the kinds that the hand has for it and those that it lacks, as sets of bits."""
    for k in range(n):
        low = keys[k] & 15
        for place in range(low, low + length):
            kind = card_at(keys[k] >> 4, place)
            if g[kind] > 0:
                kinds[HOLDS, k] |= 1 << kind
            else:
                kinds[WANTS, k] |= 1 << kind


@kernel
def adds_nothing(kinds: Longs, index: int, level: int, marked: int) -> bool:
    """Whether a window shares no card with the runs chosen before, and all that they lack together is marked."""
    holds = kinds[HOLDS, index]
    lost = kinds[WANTS, index] | kinds[GONE, level]
    return bool(holds != 0 and holds & kinds[USED, level] == 0 and lost & ~marked == 0)


@kernel
def mark_sets(c: Numbers, units: Numbers, distinct: int, helps: Numbers) -> None:
    """Ranks that lack a card in some best choice of sets: those chosen, and those as cheap as the dearest chosen."""
    dearest = 0
    for rank in range(13):
        if units[rank] > 0:
            dearest = max(dearest, min(3, max(0, 3 * units[rank] - c[rank])))
    if dearest == 0:
        return
    for rank in range(13):
        used = units[rank]
        lacks = used > 0 and 3 * used > c[rank]
        if not lacks and not (used > 0 and distinct != 0):
            lacks = max(0, 3 - max(0, c[rank] - 3 * used)) == dearest
        if lacks:
            for suit in range(4):
                helps[13 * suit + rank] = 1
