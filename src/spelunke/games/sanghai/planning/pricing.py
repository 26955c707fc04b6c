"""The cost of parts of a contract: windows for runs, the cheapest sets, and melds without a natural card.

Natural cards go to runs first and then to sets: a place of a run needs one kind, a set takes any card of its rank, so
no other distribution fills more places.
"""

from __future__ import annotations

from typing import Annotated, Final

from spelunke.core.arrays import zeros
from spelunke.core.kernel import Cells, kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.naturals import ANY, ASK, ASKS, ask_run, ask_set, unmatched
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import RUN, SET, card_at, wide

FAR: Final = 99
"""A number of cards that is larger than any contract."""
WINDOWS: Final = 44
"""Places of the shortest runs."""


class Search:
    """The state of one search: the results so far, and the current choice of runs."""

    best: Long
    """The number to reach or beat."""
    found: Long
    """Whether the number ``best`` was reached."""
    floor: Long
    """The cards that the sets lack if the runs take no cards."""
    wilds: Long
    least: Long
    """A lower bound for all choices."""
    enough: Long
    """The kinds, as a set of bits, that the search must find: it stops when all of them are known to help. 0: no
    kinds are needed.
    """
    marked: Long
    """The kinds, as a set of bits, that are known to help."""
    lone: Long
    """Whether a natural card is lacking, so that helping kinds must be searched one by one."""
    windows: Long
    """Places of a run, the best first: their number, position (16 * suit + lowest place), and missing cards."""
    keys: Annotated[Longs, 44]
    lacks: Annotated[Longs, 44]
    chosen: Annotated[Longs, 5]
    """By level, one for each run: the current window, and a bit for each place that has its natural card."""
    taken: Annotated[Longs, 5]
    cost: Annotated[Longs, 5]
    """By level, the missing cards of earlier runs, including one under way, and the number of runs without natural
    cards.
    """
    bare: Annotated[Longs, 5]
    holds: Annotated[Longs, 44]
    """Sets of bits of kinds. By window: the kinds that the hand has, and those that it lacks. By level: the kinds
    that the runs took, and those that they lacked.
    """
    wants: Annotated[Longs, 44]
    used: Annotated[Longs, 5]
    gone: Annotated[Longs, 5]
    slots: Annotated[Longs, 16]
    """Space for sorting windows."""
    found_keys: Annotated[Longs, 44]
    found_lacks: Annotated[Longs, 44]
    naturals: Annotated[Cells, 53]
    """Remaining natural cards, by kind and by rank; sets by rank."""
    ranks: Annotated[Cells, 13]
    units: Annotated[Cells, 13]


SEARCH = scratch(Search)


@kernel
def find_windows(g: Numbers, want: Wish, work: Rows[Search]) -> None:
    """List all places that the next run may take, by ascending number of missing natural cards."""
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
    """Return the number of cards lacking for the wanted sets (including a begun one), for ranks counted in ``c``.

    ``units`` receives the chosen new sets.

    Each further set of a rank costs at least as much as the one before, so the cheapest ones together are
    best. The result is 8 * cost + sets without a natural card.
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
    """Take natural cards for a run, in place. ``taken[level]`` receives a bit for each place. Return the missing
    number.
    """
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
    """Undo the work of :func:`take_window`."""
    low = key & 15
    for place in range(low, low + length):
        if bits >> place & 1:
            kind = card_at(key >> 4, place)
            g[kind] += 1
            c[kind % 13] += 1


@kernel
def touches(keys: Longs, chosen: Longs, level: int, key: int, length: int) -> bool:
    """Return whether the window overlaps or touches an earlier one (option no_adjacent_runs)."""
    for other in range(level):
        ahead = keys[chosen[other]]
        if ahead >> 4 == key >> 4 and abs((ahead & 15) - (key & 15)) <= length:
            return True
    return False


@kernel
def left_bare(h: Numbers, units: Numbers, c: Numbers, want: Wish, work: Rows[Search]) -> int:
    """Return the number of melds that can't have a natural card of their own, even if cards are moved between melds."""
    w = work[0]
    asks = zeros(ASKS, ASK)
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
