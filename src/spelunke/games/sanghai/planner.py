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
from spelunke.games.sanghai.naturals import Numbers, Want
from spelunke.games.sanghai.pricing import (
    FAR,
    OF_ADD,
    OF_APART,
    OF_BARE,
    OF_BLACK,
    OF_DISTINCT,
    OF_FORM,
    OF_LENGTH,
    OF_NEED,
    OF_ONE,
    OF_PLACE,
    OF_RANK,
    OF_RUN,
    OF_RUNS,
    OF_SETS,
    OF_WHAT,
    count_ranks,
    find_windows,
    least_cards,
    left_bare,
    price_sets,
    put_back,
    strip_wilds,
    take_window,
    touches,
    wilds_in,
    wish,
)
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

__all__ = [
    "FAR",
    "OF_ADD",
    "OF_APART",
    "OF_BARE",
    "OF_BLACK",
    "OF_DISTINCT",
    "OF_FORM",
    "OF_LENGTH",
    "OF_NEED",
    "OF_ONE",
    "OF_PLACE",
    "OF_RANK",
    "OF_RUN",
    "OF_RUNS",
    "OF_SETS",
    "OF_WHAT",
    "Numbers",
    "Want",
    "can_lay",
    "count_ranks",
    "lacking",
    "least_cards",
    "strip_wilds",
    "wilds_in",
    "wish",
]

# Places in the tally of a search.
BEST: Final = 0
FOUND: Final = 1
FLOOR: Final = 2
WILDS: Final = 3
WINDOWS: Final = 4
COST: Final = 5
BARE: Final = 6
MARKED: Final = 7
LONE: Final = 8
LEAST: Final = 9


@kernel
def lacking(h: Numbers, want: Want, cap: int, helps: Numbers) -> int:
    """The fewest cards that must be added so that the wish can be laid, or ``cap`` if it is no fewer.

    ``helps`` (int16[53], or empty when not wanted) is set to 1 for each kind that lowers the number by one.
    """
    helps[:] = 0
    tally = np.zeros(10, np.int64)
    far = look(h, want, cap, tally, helps[:0])
    if 0 < far < cap and len(helps) > 0:  # with the number known, only the best choices are gone through
        look(h, want, far + 1, tally, helps)
        if tally[LONE] != 0:
            ask_for_each(h, want, far, tally, helps)
    return far


@kernel
def ask_for_each(h: Numbers, want: Want, far: int, tally: Want, helps: Numbers) -> None:
    """Note each further kind that lowers the number, by looking anew with it: almost all of the hand is wild."""
    more = np.empty(KINDS, np.int16)
    more[:] = h
    for kind in range(KINDS):
        if helps[kind] == 0:
            more[kind] += 1
            if look(more, want, far, tally, helps[:0]) < far:
                helps[kind] = 1
            more[kind] -= 1


@kernel
def look(h: Numbers, want: Want, cap: int, tally: Want, helps: Numbers) -> int:
    """:func:`lacking` in one pass; ``helps`` is zero before, and lacks kinds where ``tally[LONE]`` is set after."""
    w = wilds_in(h, want[OF_BLACK])
    g = np.empty(KINDS, np.int16)
    strip_wilds(h, want[OF_BLACK], g)
    cost = 0
    bare = 0
    if want[OF_FORM] == RUN:
        taken = 0
        for place in range(want[OF_PLACE], want[OF_PLACE] + want[OF_NEED]):
            kind = card_at(want[OF_WHAT], place)
            if g[kind] > 0:
                g[kind] -= 1
                taken += 1
            else:
                cost += 1
        if want[OF_BARE] != 0 and taken == 0:
            bare = 1
    c = np.empty(13, np.int16)
    count_ranks(g, c)
    floor = 0
    if want[OF_SETS] > 0 or want[OF_FORM] == SET:
        floor = price_sets(c, want, np.empty(13, np.int16)) >> 3
    alone = want[OF_SETS] + want[OF_RUNS] + want[OF_BARE]  # melds that want a natural card
    for kind in range(JOKER):
        alone -= h[kind]
    least = max(0, cost + floor - w, alone)
    if least >= cap:
        return cap
    keys = np.empty(44, np.int64)
    lacks = np.empty(44, np.int64)
    n = 0
    if want[OF_RUNS] > 0:
        n = find_windows(g, want[OF_LENGTH], want[OF_RUN], keys, lacks)
        if n == 0 or cost + floor + want[OF_RUNS] * lacks[0] - w >= cap:
            return cap
    tally[BEST] = cap - 1
    tally[FOUND] = 0
    tally[FLOOR] = floor
    tally[WILDS] = w
    tally[WINDOWS] = n
    tally[COST] = cost
    tally[BARE] = bare
    tally[MARKED] = 0
    tally[LONE] = 0
    tally[LEAST] = least
    search(h, g, c, want, keys, lacks, tally, helps)
    return tally[BEST] if tally[FOUND] else cap


@kernel
def search(
    h: Numbers, g: Numbers, c: Numbers, want: Want, keys: Want, lacks: Want, tally: Want, helps: Numbers
) -> None:
    """Choose the runs one after another, best windows first, and price the sets of what is left.

    ``tally[BEST]`` is the number to reach or beat; ``tally[FOUND]`` says whether it was reached. Bit sets of kinds say
    what a choice holds and lacks, so that a last run that shares nothing with the others is passed over when all that
    it lacks is known to help: many choices are equally good where a hand is far from its contract.
    """
    runs = want[OF_RUNS]
    marking = len(helps) > 0 and want[OF_SETS] == 0 and want[OF_FORM] == 0
    kinds = np.zeros((4, 44 if marking else 0), np.int64)
    holds, wants, used, gone = kinds[0], kinds[1], kinds[2], kinds[3]
    if marking:
        split_windows(g, keys, tally[WINDOWS], want[OF_LENGTH], holds, wants)
    length = want[OF_LENGTH]
    least = tally[FLOOR] - tally[WILDS]
    chosen = np.zeros(5, np.int64)
    taken = np.zeros(5, np.int64)
    cost = np.zeros(5, np.int64)
    bare = np.zeros(5, np.int64)
    cost[0] = tally[COST]
    bare[0] = tally[BARE]
    level = 0
    while level >= 0:
        back = False
        if level == runs:
            price_leaf(h, c, want, keys, chosen, taken, cost[level], bare[level], tally, helps)
            if tally[FOUND] and (tally[BEST] == 0 or (len(helps) == 0 and tally[BEST] <= tally[LEAST])):
                return
            back = True
        else:
            index = chosen[level]
            left = runs - level
            goal = tally[BEST] - (1 if tally[FOUND] and len(helps) == 0 else 0)
            if index >= tally[WINDOWS] or cost[level] + left * lacks[index] + least > goal:
                back = True
            elif (
                marking
                and left == 1
                and tally[FOUND] != 0
                and holds[index] != 0
                and bare[level] == 0
                and holds[index] & used[level] == 0
                and (wants[index] | gone[level]) & ~tally[MARKED] == 0
                and cost[level] + lacks[index] - tally[WILDS] >= tally[BEST]
            ) or (want[OF_APART] != 0 and touches(keys, chosen, level, keys[index], length)):
                chosen[level] += 1
            else:
                lack = take_window(g, c, keys[index], length, taken, level)
                if cost[level] + lack + (left - 1) * lacks[index] + least <= goal:
                    cost[level + 1] = cost[level] + lack
                    bare[level + 1] = bare[level] + (1 if taken[level] == 0 else 0)
                    if marking:
                        used[level + 1] = used[level] | holds[index]
                        gone[level + 1] = gone[level] | missed(keys[index], length, taken[level])
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
    h: Numbers,
    c: Numbers,
    want: Want,
    keys: Want,
    chosen: Want,
    taken: Want,
    cost: int,
    bare: int,
    tally: Want,
    helps: Numbers,
) -> None:
    """Price one choice of runs with the sets of what is left; note it if it is as good as the best, and what helps."""
    units = np.zeros(13, np.int16)
    if want[OF_SETS] > 0 or want[OF_FORM] == SET:
        price = price_sets(c, want, units)
        cost += price >> 3
        bare += price & 7
    value = max(0, cost - tally[WILDS])
    if bare > value:
        bare = left_bare(h, units, c, want, keys, chosen)
        value = max(value, bare)
    if value > tally[BEST]:
        return
    if value < tally[BEST] or not tally[FOUND]:
        tally[BEST] = value
        tally[FOUND] = 1
        tally[MARKED] = 0
        tally[LONE] = 0
        helps[:] = 0
    if len(helps) == 0 or value == 0:
        return
    if bare >= value:  # it takes a natural card, and of which kinds depends on all the melds
        tally[LONE] = 1
        return
    helps[JOKER] = 1
    if want[OF_BLACK] != 0:
        helps[BLACK_TWO_SPADES] = 1
        helps[BLACK_TWO_CLUBS] = 1
    mark_runs(want, keys, chosen, taken, tally, helps)
    if want[OF_SETS] > 0:
        mark_sets(c, units, want[OF_DISTINCT], helps)


@kernel
def mark_runs(want: Want, keys: Want, chosen: Want, taken: Want, tally: Want, helps: Numbers) -> None:
    """Kinds that the chosen runs lack."""
    fresh = wide(0)
    for level in range(want[OF_RUNS]):
        fresh |= missed(keys[chosen[level]], want[OF_LENGTH], taken[level])
    fresh &= ~tally[MARKED]
    tally[MARKED] |= fresh
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
def split_windows(g: Numbers, keys: Want, n: int, length: int, holds: Want, wants: Want) -> None:
    """For each of ``n`` places of a run the kinds that the hand has for it and those that it lacks, as sets of bits."""
    for k in range(n):
        low = keys[k] & 15
        for place in range(low, low + length):
            kind = card_at(keys[k] >> 4, place)
            if g[kind] > 0:
                holds[k] |= 1 << kind
            else:
                wants[k] |= 1 << kind


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


@kernel
def can_lay(h: Numbers, want: Want) -> bool:
    """Whether the counts hold what is wished, the card to discard left aside."""
    return lacking(h, want, wide(1), h[:0]) == 0
