"""The number of cards missing for parts of a contract: for runs, for sets, and for melds without a natural card.

A *window* is a possible run: a suit and the lowest place. Natural cards go to runs first and then to sets. No
other distribution fills more places, because a place of a run accepts only one kind, while a set accepts any card
of its rank.
"""

from __future__ import annotations

from typing import Annotated, Final

from spelunke.core.arrays import zeros
from spelunke.core.kernel import Cells, kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.counts import wilds_in
from spelunke.games.sanghai.planning.naturals import ANY, ASK, ASKS, ask_run, ask_set, unmatched
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import BLACK_TWO_CLUBS, BLACK_TWO_SPADES, RUN, SET, card_at, wide

FAR: Final = 99
"""A number of missing cards that is larger than any real one."""
TWO: Final = 1
"""The rank of the twos; 0 is the ace."""
ONES: Final = 0x11111111111111
"""A 1 in each of the 14 groups of 4 bits that :func:`has_run` reads: one group for each place of a suit."""
TOPS: Final = 8 * ONES
COUNTED: Final = 7
"""The length of the longest runs that :func:`has_run` can count."""
WINDOWS: Final = 44
"""The number of windows for the shortest runs: 4 suits, 11 lowest places."""


class Search:
    """The state of one search: the results so far, and the current choice of runs.

    The *level* of the search is the number of runs that are chosen so far.
    """

    best: Long
    """The number of missing cards to reach or beat."""
    found: Long
    """1 if some choice has reached ``best``, else 0."""
    floor: Long
    """The number of cards that the sets lack if no further run takes natural cards."""
    wilds: Long
    least: Long
    """A lower bound of the number of missing cards."""
    enough: Long
    """The kinds, as a set of bits, that ``marked`` must include before the search may stop.

    If it is 0, the search marks no kinds.
    """
    marked: Long
    """The kinds, as a set of bits, that are known to help."""
    lone: Long
    """1 if a natural card is missing, so that the helping kinds must be found one by one; else 0."""
    windows: Long
    """The windows that a run may take, with the fewest missing cards first.

    ``windows`` is their number. ``keys`` has the position of each (16 * suit + lowest place), and ``lacks`` its
    number of missing cards.
    """
    keys: Annotated[Longs, 44]
    lacks: Annotated[Longs, 44]
    chosen: Annotated[Longs, 5]
    """For each chosen run, the index of its window (``chosen``), and a bit for each place with a natural card
    (``taken``).
    """
    taken: Annotated[Longs, 5]
    cost: Annotated[Longs, 5]
    """For each level, the missing cards of the earlier runs and the begun one (``cost``), and the number of
    these runs without a natural card (``bare``).
    """
    bare: Annotated[Longs, 5]
    holds: Annotated[Longs, 44]
    """Kinds, as sets of bits.

    For each window: the kinds that the hand has (``holds``) and lacks (``wants``). For each level: the kinds
    that the earlier runs took (``used``) and lacked (``gone``).
    """
    wants: Annotated[Longs, 44]
    used: Annotated[Longs, 5]
    gone: Annotated[Longs, 5]
    slots: Annotated[Longs, 16]
    """Working space for sorting the windows."""
    found_keys: Annotated[Longs, 44]
    found_lacks: Annotated[Longs, 44]
    naturals: Annotated[Cells, 53]
    """The remaining natural cards by kind (``naturals``) and by rank (``ranks``), and the chosen sets by rank
    (``units``).
    """
    ranks: Annotated[Cells, 13]
    units: Annotated[Cells, 13]


SEARCH = scratch(Search)


@kernel
def falls_short(h: Numbers, want: Wish) -> bool:
    """Return whether the hand surely has too few wild cards for the melds of ``want``.

    If the result is False, a search must decide. This kernel is much faster than a search. It looks at the sets
    and at the runs separately, so it may count one card twice: for a set and for a run. It ignores a begun meld.
    """
    lacking = wide(0)
    if want.sets > 0:
        full, pairs, singles = wide(0), wide(0), wide(0)
        for rank in range(13):
            cards = wide(h[rank]) + h[rank + 13] + h[rank + 26] + h[rank + 39]
            if rank == TWO and want.black != 0:
                cards -= wide(h[BLACK_TWO_SPADES]) + h[BLACK_TWO_CLUBS]
            full += cards // 3
            pairs += wide(cards % 3 == 2)
            singles += wide(cards % 3 == 1)
        rest = max(want.sets - full, 0)
        lacking += min(rest, pairs)
        rest = max(rest - pairs, 0)
        lacking += 2 * min(rest, singles)
        lacking += 3 * max(rest - singles, 0)
    spare = wilds_in(h, want.black) - lacking
    if spare < 0:
        return True
    needed = want.length - spare // max(want.runs, 1)
    if want.runs == 0 or needed <= 0 or want.length > COUNTED:
        return False
    return not has_run(h, want.length, needed, want.black)


@kernel
def has_run(h: Numbers, length: int, needed: int, black: int) -> bool:
    """Return whether natural cards fill at least ``needed`` places of some run of ``length`` cards.

    For each suit, one number has 4 bits for each place. By adding shifted copies of this number, the kernel counts the
    natural cards of all runs of the suit at once.
    ``length`` must be at most ``COUNTED``.
    """
    over = (8 - needed) * ONES  # the highest bit of a group is set if the count is at least `needed`
    for suit in range(4):
        cards = wide(0)
        for rank in range(13):
            cards |= wide(h[13 * suit + rank] > 0) << (4 * rank)
        if black != 0 and (suit == BLACK_TWO_SPADES // 13 or suit == BLACK_TWO_CLUBS // 13):
            cards &= ~(wide(1) << (4 * TWO))
        cards |= (cards & 1) << (4 * 13)  # an ace is also the highest card
        counts = wide(0)
        for place in range(length):
            counts += cards >> (4 * place)
        if (counts + over) & TOPS != 0:
            return True
    return False


@kernel
def find_windows(g: Numbers, want: Wish, work: Rows[Search]) -> None:
    """Write the windows (possible runs) into ``work``, those with the fewest missing cards first.

    Leave out the windows that come before ``want.least_run`` in the order of suits and lowest places.
    """
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
    """Return the cost of the wanted sets: 8 * (missing cards) + (number of sets without a natural card).

    If the begun meld of ``want`` is a set, it counts too.

    ``c`` counts the natural cards of each rank, and ``units`` receives the number of new sets of each rank.
    Each further set of a rank costs at least as much as the one before. So choosing the cheapest set each time
    is best.
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
    """Take the natural cards for a run out of ``g`` and ``c``. Return the number of places without a card.

    ``taken[level]`` receives a bit for each place with a card.
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
    """Put back into ``g`` and ``c`` the natural cards that :func:`take_window` took."""
    low = key & 15
    for place in range(low, low + length):
        if bits >> place & 1:
            kind = card_at(key >> 4, place)
            g[kind] += 1
            c[kind % 13] += 1


@kernel
def touches(keys: Longs, chosen: Longs, level: int, key: int, length: int) -> bool:
    """Return whether a possible run overlaps or touches a run that was chosen before (option no_adjacent_runs)."""
    for other in range(level):
        ahead = keys[chosen[other]]
        if ahead >> 4 == key >> 4 and abs((ahead & 15) - (key & 15)) <= length:
            return True
    return False


@kernel
def left_bare(h: Numbers, units: Numbers, c: Numbers, want: Wish, work: Rows[Search]) -> int:
    """Return the least number of melds without a natural card of their own, if cards may be moved between melds."""
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
