"""What parts of a contract cost: windows for runs, the cheapest sets, and which melds have no natural card.

Natural cards are given to runs first and then to sets: a place of a run wants one kind, a set takes any of its rank, so
no other way fills more places.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.naturals import (
    ANY,
    ASKS,
    FORM,
    HIGH,
    LOW,
    WHAT,
    Numbers,
    Want,
    unmatched,
)
from spelunke.games.sanghai.state import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
    JOKER,
    RUN,
    SET,
    card_at,
    wide,
)

FAR: Final = 99
"""More cards than any contract takes."""

# Places in a wish: the contract, its options, and how far a laying has come.
OF_SETS: Final = 0
OF_RUNS: Final = 1
OF_LENGTH: Final = 2
OF_BLACK: Final = 3
OF_DISTINCT: Final = 4
OF_APART: Final = 5
OF_ONE: Final = 6
OF_RANK: Final = 7  # least rank (0 is the ace) of the sets still wanted
OF_RUN: Final = 8  # least run still wanted: 16 * suit + lowest place
OF_FORM: Final = 9  # the meld under way: 0 none, SET or RUN
OF_WHAT: Final = 10  # its rank or suit
OF_PLACE: Final = 11  # the next place of a run
OF_NEED: Final = 12  # cards that it needs at least
OF_BARE: Final = 13  # whether it still wants a natural card
OF_ADD: Final = 14  # whether cards are added after the laying, in the same turn (asked for most points alone)
WISH: Final = 15


@kernel
def wish(sets: int, runs: int, length: int, black: int, distinct: int, apart: int, one: int) -> Want:
    """A contract with the options that bear on it, as one argument: int64[WISH], see the ``OF_`` numbers."""
    want = np.zeros(WISH, np.int64)
    want[OF_SETS] = sets
    want[OF_RUNS] = runs
    want[OF_LENGTH] = length
    want[OF_BLACK] = black
    want[OF_DISTINCT] = distinct
    want[OF_APART] = apart
    want[OF_ONE] = one
    return want


@kernel
def least_cards(want: Want) -> int:
    """The fewest cards that a wish takes."""
    return want[OF_NEED] + 3 * want[OF_SETS] + want[OF_LENGTH] * want[OF_RUNS]  # type: ignore[no-any-return]


@kernel
def wilds_in(h: Numbers, black: int) -> int:
    """Wild cards among the counts; black twos too where they are wild."""
    w = wide(h[JOKER])
    if black != 0:
        w += h[BLACK_TWO_SPADES] + h[BLACK_TWO_CLUBS]
    return w


@kernel
def strip_wilds(h: Numbers, black: int, g: Numbers) -> None:
    """The natural cards of ``h`` into ``g``."""
    g[:] = h
    g[JOKER] = 0
    if black != 0:
        g[BLACK_TWO_SPADES] = 0
        g[BLACK_TWO_CLUBS] = 0


@kernel
def count_ranks(g: Numbers, c: Numbers) -> None:
    """Cards of each rank, into ``c`` (int16[13])."""
    for rank in range(13):
        c[rank] = g[rank] + g[rank + 13] + g[rank + 26] + g[rank + 39]


@kernel
def find_windows(g: Numbers, length: int, least: int, keys: Want, lacks: Want) -> int:
    """All places of a run (16 * suit + lowest place) by ascending number of natural cards lacking; return how many."""
    n = 0
    where = np.zeros(16, np.int64)
    lack = np.empty(44, np.int64)
    key = np.empty(44, np.int64)
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
            if 16 * suit + low >= least:
                lack[n] = length - have
                key[n] = 16 * suit + low
                where[length - have + 1] += 1
                n += 1
            if g[base + low - 1] > 0:
                have -= 1
    for k in range(1, 16):
        where[k] += where[k - 1]
    for k in range(n):
        slot = where[lack[k]]
        where[lack[k]] += 1
        keys[slot] = key[k]
        lacks[slot] = lack[k]
    return n


@kernel
def price_sets(c: Numbers, want: Want, units: Numbers) -> int:
    """Cards lacking for the wanted sets (one begun included) of ranks counted in ``c``; ``units`` gets the new ones.

    Each further set of a rank costs at least as much as the one before, so the cheapest ones together are best.
    Returned as 8 * cost + sets without a natural card.
    """
    units[:] = 0
    cost = 0
    bare = 0
    begun = want[OF_WHAT] if want[OF_FORM] == SET else -1
    if begun >= 0:
        cost = max(0, want[OF_NEED] - c[begun])
        if want[OF_BARE] != 0 and c[begun] == 0:
            bare = 1
    for _ in range(want[OF_SETS]):
        best = FAR
        which = -1
        for rank in range(want[OF_RANK], 13):
            used = units[rank]
            if used > 0 and want[OF_DISTINCT] != 0:
                continue
            base = want[OF_NEED] if rank == begun else 0
            own = used + (want[OF_BARE] if rank == begun else 0)
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
def take_window(g: Numbers, c: Numbers, key: int, length: int, taken: Want, level: int) -> int:
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
def touches(keys: Want, chosen: Want, level: int, key: int, length: int) -> bool:
    """Whether the window overlaps or touches one chosen before (option no_adjacent_runs)."""
    for other in range(level):
        ahead = keys[chosen[other]]
        if ahead >> 4 == key >> 4 and abs((ahead & 15) - (key & 15)) <= length:
            return True
    return False


@kernel
def left_bare(h: Numbers, units: Numbers, c: Numbers, want: Want, keys: Want, chosen: Want) -> int:
    """How many melds of a choice can't have a natural card of their own, when cards may change places between melds."""
    asks = np.zeros((ASKS, 4), np.int64)
    n = 0
    for level in range(want[OF_RUNS]):
        key = keys[chosen[level]]
        asks[n, FORM] = RUN
        asks[n, WHAT] = key >> 4
        asks[n, LOW] = key & 15
        asks[n, HIGH] = (key & 15) + want[OF_LENGTH] - 1
        n += 1
    begun = -1
    if want[OF_FORM] != 0 and want[OF_BARE] != 0:
        asks[n, FORM] = want[OF_FORM]
        asks[n, WHAT] = want[OF_WHAT]
        asks[n, LOW] = want[OF_PLACE]
        asks[n, HIGH] = want[OF_PLACE] + want[OF_NEED] - 1
        n += 1
        if want[OF_FORM] == SET:
            begun = want[OF_WHAT]
    for rank in range(13):
        used = 1 if rank == begun else 0
        for nth in range(units[rank]):
            asks[n, FORM] = SET if nth + used < c[rank] else ANY
            asks[n, WHAT] = rank
            n += 1
    return unmatched(h, asks, n, want[OF_RANK], want[OF_DISTINCT])
