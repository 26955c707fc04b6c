"""What a hand lacks for a contract, exactly, and what would help (N-C11). Kernels on counts of cards, without a state.

A contract is so many sets of three and so many runs of one least length. Natural cards are given to runs first and
then to sets: a place of a run wants one kind, a set takes any of its rank, so no other way fills more places. Wild
cards fill what is left, except that each meld wants a natural card of its own (N-R7).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.table import BLACK_TWO_CLUBS, BLACK_TWO_SPADES, JOKER, KINDS, black_two, card_at

Numbers = npt.NDArray[np.int16]

Want = npt.NDArray[np.int64]

FAR: Final = 99
"""More cards than any contract takes."""

# Places in a wish.
OF_SETS: Final = 0
OF_RUNS: Final = 1
OF_LENGTH: Final = 2
OF_BLACK: Final = 3
OF_DISTINCT: Final = 4
OF_APART: Final = 5
OF_ONE: Final = 6

# Places in the tally of a search.
BEST: Final = 0
FOUND: Final = 1
FLOOR: Final = 2
WILDS: Final = 3
WINDOWS: Final = 4


@kernel
def wilds_in(h: Numbers, black: int) -> int:
    """Wild cards among the counts; black twos too where they are wild."""
    w = int(h[JOKER])
    if black != 0:
        w += int(h[BLACK_TWO_SPADES]) + int(h[BLACK_TWO_CLUBS])
    return w


@kernel
def count_ranks(h: Numbers, black: int, c: Numbers) -> None:
    """Natural cards of each rank, into ``c`` (int16[13])."""
    for rank in range(13):
        c[rank] = h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39]
    if black != 0:
        c[1] -= h[BLACK_TWO_SPADES] + h[BLACK_TWO_CLUBS]


@kernel
def find_windows(g: Numbers, length: int, keys: Want, lacks: Want) -> int:
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
def price_sets(c: Numbers, sets: int, distinct: int, units: Numbers) -> int:
    """Cards lacking for the best ``sets`` sets of ranks counted in ``c``; ``units`` gets the sets of each rank.

    Each further set of a rank costs at least as much as the one before, so the cheapest ones together are best.
    Returned as cost * 8 + sets without a natural card.
    """
    units[:] = 0
    cost = 0
    bare = 0
    for _ in range(sets):
        best = FAR
        which = 0
        for rank in range(13):
            used = units[rank]
            if used > 0 and distinct != 0:
                continue
            left = c[rank] - 3 * used
            price = 2 * max(0, 3 - max(0, left)) + (1 if c[rank] <= used else 0)
            if price < best:
                best = price
                which = rank
        if c[which] <= units[which]:
            bare += 1
        units[which] += 1
        cost += best >> 1
    return 8 * cost + bare


@kernel
def wish(
    sets: int, runs: int, length: int, black: int, distinct: int, apart: int, one: int
) -> npt.NDArray[np.int64]:
    """A contract with the options that bear on it, as one argument: int64[7], see the ``OF_`` numbers."""
    want = np.empty(7, np.int64)
    want[OF_SETS] = sets
    want[OF_RUNS] = runs
    want[OF_LENGTH] = length
    want[OF_BLACK] = black
    want[OF_DISTINCT] = distinct
    want[OF_APART] = apart
    want[OF_ONE] = one
    return want


@kernel
def lacking(h: Numbers, want: Want, cap: int, helps: Numbers) -> int:
    """The fewest cards that must be added so that the contract can be laid, or ``cap`` if it is no fewer.

    ``helps`` (int16[53], or empty when not wanted) is set to 1 for each kind that lowers the number by one.
    """
    sets = want[OF_SETS]
    runs = want[OF_RUNS]
    length = want[OF_LENGTH]
    black = want[OF_BLACK]
    w = wilds_in(h, black)
    c = np.empty(13, np.int16)
    count_ranks(h, black, c)
    floor = 0
    helps[:] = 0
    if sets > 0:
        floor = price_sets(c, sets, want[OF_DISTINCT], np.empty(13, np.int16)) >> 3
        if floor - w >= cap:
            return cap
    g = np.empty(KINDS, np.int16)
    g[:] = h
    g[JOKER] = 0
    if black != 0:
        g[BLACK_TWO_SPADES] = 0
        g[BLACK_TWO_CLUBS] = 0
    keys = np.empty(44, np.int64)
    lacks = np.empty(44, np.int64)
    n = 0
    if runs > 0:
        n = find_windows(g, length, keys, lacks)
        if floor + runs * lacks[0] - w >= cap:
            return cap
    tally = np.empty(5, np.int64)
    tally[BEST] = cap - 1
    tally[FOUND] = 0
    tally[FLOOR] = floor
    tally[WILDS] = w
    tally[WINDOWS] = n
    nil = np.int64(0)
    search(h, g, c, want, keys, lacks, np.empty(4, np.int64), nil, nil, nil, nil, tally, helps)
    return int(tally[BEST]) if tally[FOUND] else cap


@kernel
def search(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    want: Want,
    keys: Want,
    lacks: Want,
    chosen: Want,
    level: int,
    first: int,
    cost: int,
    bare: int,
    tally: Want,
    helps: Numbers,
) -> int:
    """Choose the runs one after another, best windows first, and price the sets of what is left.

    ``tally[BEST]`` is the number to reach or beat; ``tally[FOUND]`` says whether it was reached. Returns 1 to stop.
    """
    least = tally[FLOOR] - tally[WILDS]
    if level == want[OF_RUNS]:
        price_leaf(h, g, c, want, keys, chosen, cost, bare, tally, helps)
        if tally[FOUND] and (tally[BEST] == 0 or (len(helps) == 0 and tally[BEST] <= least)):
            return 1
        return 0
    left = want[OF_RUNS] - level
    length = want[OF_LENGTH]
    for index in range(first, tally[WINDOWS]):
        goal = tally[BEST] - (1 if tally[FOUND] and len(helps) == 0 else 0)
        if cost + left * lacks[index] + least > goal:
            break
        key = keys[index]
        if want[OF_APART] != 0 and touches(keys, chosen, level, key, length):
            continue
        suit = key >> 4
        low = key & 15
        lack = 0
        taken = 0
        for place in range(low, low + length):
            kind = card_at(suit, place)
            if g[kind] > 0:
                g[kind] -= 1
                c[kind % 13] -= 1
                taken |= 1 << place
            else:
                lack += 1
        stop = np.int64(0)
        if cost + lack + (left - 1) * lacks[index] + least <= goal:
            chosen[level] = index
            zero = 1 if taken == 0 else 0
            stop = search(
                h, g, c, want, keys, lacks, chosen, level + 1, index, cost + lack, bare + zero, tally, helps
            )
        for place in range(low, low + length):
            if taken >> place & 1:
                kind = card_at(suit, place)
                g[kind] += 1
                c[kind % 13] += 1
        if stop:
            return 1
    return 0


@kernel
def touches(keys: Want, chosen: Want, level: int, key: int, length: int) -> bool:
    """Whether the window overlaps or touches one chosen before (option no_adjacent_runs)."""
    for other in range(level):
        ahead = keys[chosen[other]]
        if ahead >> 4 == key >> 4 and abs((ahead & 15) - (key & 15)) <= length:
            return True
    return False


@kernel
def price_leaf(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    want: Want,
    keys: Want,
    chosen: Want,
    cost: int,
    bare: int,
    tally: Want,
    helps: Numbers,
) -> None:
    """Price one choice of runs with the sets of what is left; note it if it is as good as the best, and what helps."""
    units = np.zeros(13, np.int16)
    if want[OF_SETS] > 0:
        price = price_sets(c, want[OF_SETS], want[OF_DISTINCT], units)
        cost += price >> 3
        bare += price & 7
    value = max(0, cost - tally[WILDS])
    if bare > value:
        bare = unmatched(h, units, c, want, keys, chosen)
        value = max(value, bare)
    if value > tally[BEST]:
        return
    if value < tally[BEST] or not tally[FOUND]:
        tally[BEST] = value
        tally[FOUND] = 1
        helps[:] = 0
    if len(helps) == 0 or value == 0:
        return
    if (
        bare >= value
    ):  # each meld wants a natural card: ask for each kind, one by one (this takes many wild cards)
        mark_bare(h, want, keys, chosen, value, helps)
        return
    helps[JOKER] = 1
    if want[OF_BLACK] != 0:
        helps[BLACK_TWO_SPADES] = 1
        helps[BLACK_TWO_CLUBS] = 1
    mark_runs(h, g, want, keys, chosen, helps)
    if want[OF_SETS] > 0:
        mark_sets(c, units, want[OF_DISTINCT], helps)


@kernel
def mark_runs(h: Numbers, g: Numbers, want: Want, keys: Want, chosen: Want, helps: Numbers) -> None:
    """Kinds of which the chosen runs have more places than the hand has cards."""
    runs = want[OF_RUNS]
    length = want[OF_LENGTH]
    for level in range(runs):
        suit = keys[chosen[level]] >> 4
        low = keys[chosen[level]] & 15
        for place in range(low, low + length):
            kind = card_at(suit, place)
            if g[kind] > 0:
                continue
            places = 0
            for other in range(runs):
                theirs = keys[chosen[other]]
                if theirs >> 4 == suit:
                    for spot in range(theirs & 15, (theirs & 15) + length):
                        if card_at(suit, spot) == kind:
                            places += 1
            have = 0 if want[OF_BLACK] != 0 and black_two(kind) else h[kind]
            if places > have:
                helps[kind] = 1


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
def mark_bare(h: Numbers, want: Want, keys: Want, chosen: Want, value: int, helps: Numbers) -> None:
    """Kinds that lower the number for this choice of runs, by pricing it anew with each."""
    more = np.empty(KINDS, np.int16)
    rest = np.empty(KINDS, np.int16)
    ranks = np.empty(13, np.int16)
    units = np.zeros(13, np.int16)
    more[:] = h
    for kind in range(KINDS):
        more[kind] += 1
        rest[:] = more
        rest[JOKER] = 0
        if want[OF_BLACK] != 0:
            rest[BLACK_TWO_SPADES] = 0
            rest[BLACK_TWO_CLUBS] = 0
        cost = 0
        bare = 0
        for level in range(want[OF_RUNS]):
            suit = keys[chosen[level]] >> 4
            low = keys[chosen[level]] & 15
            lack = 0
            for place in range(low, low + want[OF_LENGTH]):
                spot = card_at(suit, place)
                if rest[spot] > 0:
                    rest[spot] -= 1
                else:
                    lack += 1
            cost += lack
            if lack == want[OF_LENGTH]:
                bare += 1
        count_ranks(rest, 0, ranks)
        units[:] = 0
        if want[OF_SETS] > 0:
            price = price_sets(ranks, want[OF_SETS], want[OF_DISTINCT], units)
            cost += price >> 3
            bare += price & 7
        if bare > 0:
            bare = unmatched(more, units, ranks, want, keys, chosen)
        if max(cost - wilds_in(more, want[OF_BLACK]), bare) < value:
            helps[kind] = 1
        more[kind] -= 1


@kernel
def unmatched(h: Numbers, units: Numbers, c: Numbers, want: Want, keys: Want, chosen: Want) -> int:
    """How many of the melds can't have a natural card of their own, when cards may change places between melds."""
    g = np.empty(KINDS, np.int16)
    g[:] = h
    g[JOKER] = 0
    asks = np.empty(
        8, np.int64
    )  # below 100 a run by its key, from 100 a set of that rank, 200 a set of any rank
    n = 0
    for level in range(want[OF_RUNS]):
        asks[n] = keys[chosen[level]]
        n += 1
    for rank in range(13):
        for nth in range(units[rank]):
            asks[n] = 100 + rank if nth < c[rank] else 200
            n += 1
    return n - match(g, asks, np.int64(n), np.int64(0), want[OF_LENGTH], want[OF_DISTINCT])


@kernel
def match(g: Numbers, asks: Want, n: int, at: int, length: int, distinct: int) -> int:
    """The most melds from number ``at`` on that can get a natural card each."""
    if at == n:
        return 0
    best = match(g, asks, n, at + 1, length, distinct)
    ask = asks[at]
    for kind in range(52):
        if g[kind] == 0:
            continue
        rank = kind % 13
        if ask >= 200:
            fits = True
            if distinct != 0:
                for other in range(n):
                    if asks[other] == 100 + rank:
                        fits = False
        elif ask >= 100:
            fits = rank == ask - 100
        else:
            low = ask & 15
            fits = kind // 13 == ask >> 4 and (
                low <= rank + 1 < low + length or (rank == 0 and low + length - 1 == 14)
            )
        if fits:
            g[kind] -= 1
            if ask >= 200:
                asks[at] = 100 + rank
            got = 1 + match(g, asks, n, at + 1, length, distinct)
            asks[at] = ask
            g[kind] += 1
            best = max(best, got)
            if best == n - at:
                return best
    return best


@kernel
def can_lay(h: Numbers, want: Want) -> bool:
    """Whether the counts hold the contract, the card to discard left aside."""
    return lacking(h, want, np.int64(1), h[:0]) == 0
