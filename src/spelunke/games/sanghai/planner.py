"""What a hand lacks for a contract, exactly, and what would help (N-C11). Kernels on counts of cards, without a state.

A contract is so many sets of three and so many runs of one least length. Natural cards are given to runs first and
then to sets: a place of a run wants one kind, a set takes any of its rank, so no other way fills more places. Wild
cards fill what is left, except that each meld wants a natural card of its own (N-R7).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.table import BLACK_TWO_CLUBS, BLACK_TWO_SPADES, JOKER, KINDS, card_at

Numbers = npt.NDArray[np.int16]

FAR = 99
"""More cards than any contract takes."""


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
def find_windows(g: Numbers, length: int, keys: Numbers, lacks: Numbers) -> int:
    """All places of a run (16 * suit + lowest place) by ascending number of natural cards lacking; return how many."""
    n = 0
    where = np.zeros(16, np.int16)
    lack = np.empty(44, np.int16)
    key = np.empty(44, np.int16)
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
def lacking(
    h: Numbers,
    sets: int,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    apart: int,
    cap: int,
    helps: Numbers,
) -> int:
    """The fewest cards that must be added so that the contract can be laid, or ``cap`` if it is no fewer.

    ``helps`` (int16[53], or empty when not wanted) is set to 1 for each kind that lowers the number by one.
    """
    g = np.empty(KINDS, np.int16)
    g[:] = h
    g[JOKER] = 0
    if black != 0:
        g[BLACK_TWO_SPADES] = 0
        g[BLACK_TWO_CLUBS] = 0
    w = wilds_in(h, black)
    c = np.empty(13, np.int16)
    units = np.empty(13, np.int16)
    count_ranks(h, black, c)
    floor = 0
    if sets > 0:
        floor = price_sets(c, sets, distinct, units) >> 3
        if floor - w >= cap:
            return cap
    keys = np.empty(44, np.int16)
    lacks = np.empty(44, np.int16)
    n = 0
    if runs > 0:
        n = find_windows(g, length, keys, lacks)
        if floor + runs * lacks[0] - w >= cap:
            return cap
    best = np.empty(1, np.int16)
    best[0] = cap - 1
    found = np.zeros(1, np.int16)
    chosen = np.empty(4, np.int16)
    helps[:] = 0
    search(
        h,
        g,
        c,
        w,
        sets,
        runs,
        length,
        black,
        distinct,
        apart,
        keys,
        lacks,
        n,
        chosen,
        0,
        0,
        0,
        0,
        floor,
        best,
        helps,
        found,
    )
    return int(best[0]) if found[0] else cap


@kernel
def search(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    w: int,
    sets: int,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    apart: int,
    keys: Numbers,
    lacks: Numbers,
    n: int,
    chosen: Numbers,
    level: int,
    first: int,
    cost: int,
    bare: int,
    floor: int,
    best: Numbers,
    helps: Numbers,
    found: Numbers,
) -> int:
    """Choose the runs one after another, best windows first, and price the sets of what is left.

    ``best[0]`` is the number to reach or beat; ``found[0]`` says whether it was reached. Returns 1 to stop searching.
    """
    if level == runs:
        price_leaf(
            h,
            g,
            c,
            w,
            sets,
            runs,
            length,
            black,
            distinct,
            keys,
            chosen,
            cost,
            bare,
            best,
            helps,
            found,
        )
        return 1 if found[0] and (best[0] == 0 or (len(helps) == 0 and best[0] <= floor - w)) else 0
    left = runs - level
    for index in range(first, n):
        goal = best[0] - (1 if found[0] and len(helps) == 0 else 0)
        if cost + left * lacks[index] + floor - w > goal:
            break
        key = keys[index]
        suit = key >> 4
        low = key & 15
        if apart != 0:
            touches = False
            for other in range(level):
                ahead = keys[chosen[other]]
                if ahead >> 4 == suit and abs((ahead & 15) - low) <= length:
                    touches = True
            if touches:
                continue
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
        stop = 0
        if cost + lack + (left - 1) * lacks[index] + floor - w <= goal:
            chosen[level] = index
            stop = search(
                h,
                g,
                c,
                w,
                sets,
                runs,
                length,
                black,
                distinct,
                apart,
                keys,
                lacks,
                n,
                chosen,
                level + 1,
                index,
                cost + lack,
                bare + (1 if taken == 0 else 0),
                floor,
                best,
                helps,
                found,
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
def price_leaf(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    w: int,
    sets: int,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    keys: Numbers,
    chosen: Numbers,
    cost: int,
    bare: int,
    best: Numbers,
    helps: Numbers,
    found: Numbers,
) -> None:
    """Price one choice of runs with the sets of what is left; note it if it is as good as the best, and what helps."""
    units = np.zeros(13, np.int16)
    if sets > 0:
        price = price_sets(c, sets, distinct, units)
        cost += price >> 3
        bare += price & 7
    value = max(0, cost - w)
    if bare > value:
        bare = unmatched(h, units, c, runs, length, black, distinct, keys, chosen)
        value = max(value, bare)
    if value > best[0]:
        return
    if value < best[0] or not found[0]:
        best[0] = value
        found[0] = 1
        if len(helps) > 0:
            helps[:] = 0
    if len(helps) == 0 or value == 0:
        return
    if (
        bare >= value
    ):  # each meld wants a natural card: ask for each kind, one by one (this takes many wild cards)
        mark_bare(h, g, c, w, sets, runs, length, black, distinct, keys, chosen, value, helps)
        return
    helps[JOKER] = 1
    if black != 0:
        helps[BLACK_TWO_SPADES] = 1
        helps[BLACK_TWO_CLUBS] = 1
    mark_runs(h, g, runs, length, black, keys, chosen, helps)
    if sets > 0:
        mark_sets(c, units, distinct, helps)


@kernel
def mark_runs(
    h: Numbers, g: Numbers, runs: int, length: int, black: int, keys: Numbers, chosen: Numbers, helps: Numbers
) -> None:
    """Kinds of which the chosen runs have more places than the hand has cards."""
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
                    for mark in range(theirs & 15, (theirs & 15) + length):
                        if card_at(suit, mark) == kind:
                            places += 1
            have = int(h[kind])
            if black != 0 and (kind == BLACK_TWO_SPADES or kind == BLACK_TWO_CLUBS):
                have = 0
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
def mark_bare(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    w: int,
    sets: int,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    keys: Numbers,
    chosen: Numbers,
    value: int,
    helps: Numbers,
) -> None:
    """Kinds that lower the number for this choice of runs, by pricing it anew with each."""
    more = h.copy()
    units = np.zeros(13, np.int16)
    for kind in range(KINDS):
        more[kind] += 1
        now = wilds_in(more, black)
        rest = more.copy()
        rest[JOKER] = 0
        if black != 0:
            rest[BLACK_TWO_SPADES] = 0
            rest[BLACK_TWO_CLUBS] = 0
        cost = 0
        bare = 0
        for level in range(runs):
            suit = keys[chosen[level]] >> 4
            low = keys[chosen[level]] & 15
            lack = 0
            for place in range(low, low + length):
                spot = card_at(suit, place)
                if rest[spot] > 0:
                    rest[spot] -= 1
                else:
                    lack += 1
            cost += lack
            if lack == length:
                bare += 1
        ranks = np.empty(13, np.int16)
        count_ranks(rest, 0, ranks)
        units[:] = 0
        if sets > 0:
            price = price_sets(ranks, sets, distinct, units)
            cost += price >> 3
            bare += price & 7
        if bare > 0:
            bare = unmatched(more, units, ranks, runs, length, black, distinct, keys, chosen)
        if max(max(0, cost - now), bare) < value:
            helps[kind] = 1
        more[kind] -= 1


@kernel
def unmatched(
    h: Numbers,
    units: Numbers,
    c: Numbers,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    keys: Numbers,
    chosen: Numbers,
) -> int:
    """How many of the melds can't have a natural card of their own, when cards may change places between melds."""
    g = h.copy()
    g[JOKER] = 0
    wants = np.empty(
        8, np.int16
    )  # below 100 a run by its key, from 100 a set of that rank, 200 a set of any rank
    n = 0
    for level in range(runs):
        wants[n] = keys[chosen[level]]
        n += 1
    for rank in range(13):
        for nth in range(units[rank]):
            wants[n] = 100 + rank if nth < c[rank] else 200
            n += 1
    return n - match(g, wants, n, 0, length, distinct)


@kernel
def match(g: Numbers, wants: Numbers, n: int, at: int, length: int, distinct: int) -> int:
    """The most melds from number ``at`` on that can get a natural card each."""
    if at == n:
        return 0
    best = match(g, wants, n, at + 1, length, distinct)
    want = int(wants[at])
    for kind in range(52):
        if g[kind] == 0:
            continue
        rank = kind % 13
        if want >= 200:
            fits = True
            if distinct != 0:
                for other in range(n):
                    if wants[other] == 100 + rank:
                        fits = False
        elif want >= 100:
            fits = rank == want - 100
        else:
            low = want & 15
            fits = kind // 13 == want >> 4 and (
                low <= rank + 1 < low + length or (rank == 0 and low + length - 1 == 14)
            )
        if fits:
            g[kind] -= 1
            if want >= 200:
                wants[at] = 100 + rank
            got = 1 + match(g, wants, n, at + 1, length, distinct)
            wants[at] = want
            g[kind] += 1
            best = max(best, got)
            if best == n - at:
                return best
    return best


@kernel
def can_lay(h: Numbers, sets: int, runs: int, length: int, black: int, distinct: int, apart: int) -> bool:
    """Whether the counts hold the contract, the card to discard left aside."""
    return lacking(h, sets, runs, length, black, distinct, apart, 1, h[:0]) == 0
