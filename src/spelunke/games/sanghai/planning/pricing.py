"""What parts of a contract cost: windows for runs, the cheapest sets, and which melds have no natural card.

Natural cards are given to runs first and then to sets: a place of a run wants one kind, a set takes any of its rank, so
no other way fills more places.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from spelunke.core.kernel import Cells, kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.naturals import ANY, ASK, ASKS, ask_run, ask_set, unmatched
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import RUN, SET, card_at, wide

FAR: Final = 99
"""More cards than any contract takes."""
WINDOWS: Final = 44
"""Places of the shortest runs."""


class Search:
    """The work of one search: what it found so far, and the choice of runs that is tried."""

    best: Long
    """The number to reach or beat."""
    found: Long
    """Whether it was reached."""
    floor: Long
    """Cards that the sets lack before runs take any."""
    wilds: Long
    least: Long
    """No choice lacks fewer."""
    enough: Long
    """Kinds, as a set of bits: once all of them are known to help, no other choice is tried; 0: none is asked for."""
    marked: Long
    """The kinds, as a set of bits, of which it is known that they help."""
    lone: Long
    """Whether a natural card lacks, so that what helps must be looked for kind by kind."""
    windows: Long
    """Places of a run, the best first: how many there are, where (16 * suit + lowest place), what they lack."""
    keys: Annotated[Longs, 44]
    lacks: Annotated[Longs, 44]
    chosen: Annotated[Longs, 5]
    """By level, one for each run: the window that is tried, and a bit for each place that has its natural card."""
    taken: Annotated[Longs, 5]
    cost: Annotated[Longs, 5]
    """By level what the runs before it lack, one under way included, and how many of them have no natural card."""
    bare: Annotated[Longs, 5]
    holds: Annotated[Longs, 44]
    """Kinds, as sets of bits: by window what the hand has for it and lacks, by level what the runs took and lacked."""
    wants: Annotated[Longs, 44]
    used: Annotated[Longs, 5]
    gone: Annotated[Longs, 5]
    slots: Annotated[Longs, 16]
    """Room for sorting windows."""
    found_keys: Annotated[Longs, 44]
    found_lacks: Annotated[Longs, 44]
    naturals: Annotated[Cells, 53]
    """Natural cards that are left, by kind and by rank; sets by rank."""
    ranks: Annotated[Cells, 13]
    units: Annotated[Cells, 13]


SEARCH = scratch(Search)


@kernel
def find_windows(g: Numbers, want: Wish, work: Rows[Search]) -> None:
    """All places that the next run may take, by ascending number of natural cards lacking."""
    w = work[0]
    length = want.length
    n = 0
    slots, lack, key = w.slots, w.found_lacks, w.found_keys
    slots[:] = 0
    for suit in range(4):
        base = 13 * suit
        have = 0
        for place in range(1, length):
            if g[base + place - 1] > 0:
                have += 1
        for low in range(1, 16 - length):
            last = low + length - 1
            if g[base + (last - 1) % 13] > 0:
                have += 1
            if 16 * suit + low >= want.least_run:
                lack[n] = length - have
                key[n] = 16 * suit + low
                slots[length - have + 1] += 1
                n += 1
            if g[base + low - 1] > 0:
                have -= 1
    for k in range(1, 16):
        slots[k] += slots[k - 1]
    keys, lacks = w.keys, w.lacks
    for k in range(n):
        slot = slots[lack[k]]
        slots[lack[k]] += 1
        keys[slot] = key[k]
        lacks[slot] = lack[k]
    w.windows = n


@kernel
def price_sets(c: Numbers, want: Wish, units: Numbers) -> int:
    """Cards lacking for the wanted sets (one begun included) of ranks counted in ``c``; ``units`` gets the new ones.

    Each further set of a rank costs at least as much as the one before, so the cheapest ones together are best.
    Returned as 8 * cost + sets without a natural card.
    """
    units[:] = 0
    cost = 0
    bare = 0
    begun = want.what if want.form == SET else -1
    if begun >= 0:
        cost = max(0, want.need - c[begun])
        if want.bare != 0 and c[begun] == 0:
            bare = 1
    for _ in range(want.sets):
        best = FAR
        which = -1
        for rank in range(want.least_rank, 13):
            used = units[rank]
            if used > 0 and want.distinct != 0:
                continue
            base = want.need if rank == begun else 0
            own = used + (want.bare if rank == begun else 0)
            left = c[rank] - 3 * used - base
            price = 2 * max(0, 3 - max(0, left)) + (1 if c[rank] <= own else 0)
            if price < best:
                best = price
                which = rank
        if which < 0:
            return 8 * FAR
        if best & 1:
            bare += 1
        units[which] += 1
        cost += best >> 1
    return 8 * cost + bare


@kernel
def take_window(g: Numbers, c: Numbers, key: int, length: int, taken: Longs, level: int) -> int:
    """Natural cards into a run, in place; ``taken[level]`` gets a bit for each place, returned is how many lack."""
    suit = key >> 4
    low = key & 15
    lack = 0
    bits = 0
    for place in range(low, low + length):
        kind = card_at(suit, place)
        if g[kind] > 0:
            g[kind] -= 1
            c[kind % 13] -= 1
            bits |= 1 << place
        else:
            lack += 1
    taken[level] = bits
    return lack


@kernel
def put_back(g: Numbers, c: Numbers, key: int, length: int, bits: int) -> None:
    """Undo :func:`take_window`."""
    low = key & 15
    for place in range(low, low + length):
        if bits >> place & 1:
            kind = card_at(key >> 4, place)
            g[kind] += 1
            c[kind % 13] += 1


@kernel
def touches(keys: Longs, chosen: Longs, level: int, key: int, length: int) -> bool:
    """Whether the window overlaps or touches one chosen before (option no_adjacent_runs)."""
    for other in range(level):
        ahead = keys[chosen[other]]
        if ahead >> 4 == key >> 4 and abs((ahead & 15) - (key & 15)) <= length:
            return True
    return False


@kernel
def left_bare(h: Numbers, units: Numbers, c: Numbers, want: Wish, work: Rows[Search]) -> int:
    """How many melds of a choice can't have a natural card of their own, when cards may change places between melds."""
    w = work[0]
    asks = np.zeros(ASKS, ASK)
    n = 0
    for level in range(want.runs):
        key = w.keys[w.chosen[level]]
        low = key & 15
        n = ask_run(asks, n, key >> 4, low, low + want.length - 1)
    begun = -1
    if want.form == RUN and want.bare != 0:
        n = ask_run(asks, n, want.what, want.place, want.place + want.need - 1)
    elif want.form == SET and want.bare != 0:
        n = ask_set(asks, n, wide(SET), want.what)
        begun = want.what
    for rank in range(13):
        used = 1 if rank == begun else 0
        for nth in range(units[rank]):
            n = ask_set(asks, n, wide(SET if nth + used < c[rank] else ANY), rank)
    return unmatched(h, asks, n, want.least_rank, want.distinct)
