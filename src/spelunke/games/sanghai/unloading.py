"""The most points that a hand can put down: by laying its contract alone, and with additions too (N-C11).

All runs of all lengths are tried, all choices of ranks for the sets, and all ways to go on at the runs of the table. A
wild card never ends a run that is longer than it must be: it is put down just as well elsewhere. One card stays. A meld
that finds no natural card may get one of another meld, where a wild card then fills its place; that changes no points.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.bridging import go_on_at_table
from spelunke.games.sanghai.naturals import ASKS
from spelunke.games.sanghai.planner import (
    OF_ADD,
    OF_APART,
    OF_BLACK,
    OF_DISTINCT,
    OF_LENGTH,
    OF_ONE,
    OF_RUNS,
    OF_SETS,
    Numbers,
    Want,
    count_ranks,
    strip_wilds,
    wilds_in,
)
from spelunke.games.sanghai.plans import ROW, write_plan
from spelunke.games.sanghai.standing import apart, are_whole, find_melds, is_bare
from spelunke.games.sanghai.state import (
    JOKER,
    KINDS,
    PLACES,
    card_at,
    wide,
)

__all__ = ["ROW", "unload"]

# Places in the tally.
BEST: Final = 0
BOUND: Final = 1
HELD: Final = 2
WILDS: Final = 3
TABLE_SETS: Final = 4
WHOLE: Final = 5


@kernel
def unload(h: Numbers, want: Want, worth: Numbers, sets: Numbers, runs: Numbers, plan: Numbers) -> int:
    """The most points that the counts ``h`` can put down, or -1 if the contract can't be laid.

    ``worth`` are the points of each kind. Additions go to table sets (``sets``: int16[13], 1 for each rank that lies
    there) and table runs (``runs``: int16[n, 3] of suit, low, high); with none of both it is the laying alone,
    unless the wish has OF_ADD. Where the laying must leave exactly one card nothing can be added, so give none.
    ``plan`` (int16[4, ROW]) gets the melds that are laid.
    """
    tally = np.zeros(6, np.int64)
    tally[BEST] = -1
    tally[WILDS] = wilds_in(h, want[OF_BLACK])
    least = wide(999)
    for kind in range(KINDS):
        if h[kind] > 0:
            tally[BOUND] += wide(h[kind]) * worth[kind]
            tally[HELD] += h[kind]
            least = min(least, wide(worth[kind]))
    tally[WHOLE] = tally[BOUND]
    tally[BOUND] -= least
    for rank in range(13):
        tally[TABLE_SETS] += sets[rank]
    plan[:] = 0
    if tally[HELD] < 3 * want[OF_SETS] + want[OF_LENGTH] * want[OF_RUNS] + 1:
        return wide(-1)
    g = np.empty(KINDS, np.int16)
    strip_wilds(h, want[OF_BLACK], g)
    spans = np.empty((264, 3), np.int64)
    n = 0
    if want[OF_RUNS] > 0:
        n = find_spans(h, g, want, tally[WILDS], spans)
    try_runs(h, g, want, worth, sets, runs, spans, n, plan, tally)
    return tally[BEST]  # type: ignore[no-any-return]


@kernel
def find_spans(h: Numbers, g: Numbers, want: Want, w: int, spans: Want) -> int:
    """Runs (suit, low, high) that ``w`` wild cards could fill, by suit and place; returns how many.

    Each holds some natural card: of ``g``, or a black two of ``h`` in its place.
    """
    length = want[OF_LENGTH]
    partly = want[OF_APART] != 0 and want[OF_ADD] != 0  # the part to be laid may lie at a wild end
    n = 0
    for suit in range(4):
        for low in range(1, 16 - length):
            lack = 0
            for high in range(low, PLACES + 1):
                ends = g[card_at(suit, high)] > 0
                if not ends:
                    lack += 1
                    if lack > w:
                        break
                size = high - low + 1
                if size < length:
                    continue
                home = low <= 2 <= high and h[card_at(suit, 2)] > 0
                if lack == size and not home:
                    continue
                begins = g[card_at(suit, low)] > 0
                if size == length or (begins and ends) or (partly and (begins or ends)):
                    spans[n, 0] = suit
                    spans[n, 1] = low
                    spans[n, 2] = high
                    n += 1
    return n


@kernel
def try_runs(
    h: Numbers,
    g: Numbers,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    spans: Want,
    n: int,
    plan: Numbers,
    tally: Want,
) -> None:
    """Choose the runs one after another; the sets and the rest follow each choice."""
    chosen = np.zeros(5, np.int64)
    bits = np.zeros(5, np.int64)
    cost = np.zeros(5, np.int64)
    level = 0
    while level >= 0:
        if level == want[OF_RUNS]:
            try_sets(h, g, want, worth, sets, runs, spans, chosen, bits, cost[level], plan, tally)
            if tally[BEST] >= tally[BOUND]:
                return
        elif chosen[level] < n:
            span = chosen[level]
            if want[OF_APART] == 0 or want[OF_ADD] != 0 or apart(spans, chosen, level):
                lack = fill_span(g, spans, span, bits, level)
                if cost[level] + lack <= tally[WILDS]:
                    cost[level + 1] = cost[level] + lack
                    level += 1
                    chosen[level] = span
                    continue
                empty_span(g, spans, span, bits[level])
            chosen[level] += 1
            continue
        level -= 1
        if level >= 0:
            empty_span(g, spans, chosen[level], bits[level])
            chosen[level] += 1


@kernel
def fill_span(g: Numbers, spans: Want, span: int, bits: Want, level: int) -> int:
    """Natural cards into a run, in place; returns how many lack."""
    lack = 0
    found = 0
    for place in range(spans[span, 1], spans[span, 2] + 1):
        kind = card_at(spans[span, 0], place)
        if g[kind] > 0:
            g[kind] -= 1
            found |= 1 << place
        else:
            lack += 1
    bits[level] = found
    return lack


@kernel
def empty_span(g: Numbers, spans: Want, span: int, bits: int) -> None:
    """Undo :func:`fill_span`."""
    for place in range(spans[span, 1], spans[span, 2] + 1):
        if bits >> place & 1:
            g[card_at(spans[span, 0], place)] += 1


@kernel
def try_sets(
    h: Numbers,
    g: Numbers,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    spans: Want,
    chosen: Want,
    bits: Want,
    spent: int,
    plan: Numbers,
    tally: Want,
) -> None:
    """Choose the ranks of the sets by rising rank; what goes along with them follows each choice."""
    k = want[OF_SETS]
    c = np.empty(13, np.int16)
    count_ranks(g, c)
    all_of = np.empty(13, np.int16)  # with those in runs, and black twos
    count_ranks(h, all_of)
    units = np.zeros(13, np.int64)
    rank = np.zeros(6, np.int64)
    cost = np.zeros(6, np.int64)
    cost[0] = spent
    level = 0
    while level >= 0:
        if level == k:
            put_down(h, g, c, units, want, worth, sets, runs, spans, chosen, bits, cost[level], plan, tally)
            if tally[BEST] >= tally[BOUND]:
                return
        elif rank[level] < 13:
            r = rank[level]
            used = units[r]
            price = max(0, 3 * (used + 1) - c[r]) - max(0, 3 * used - c[r])
            free = used < all_of[r] and (used == 0 or want[OF_DISTINCT] == 0)
            if free and cost[level] + price <= tally[WILDS]:
                units[r] += 1
                cost[level + 1] = cost[level] + price
                level += 1
                rank[level] = r
            else:
                rank[level] += 1
            continue
        level -= 1
        if level >= 0:
            units[rank[level]] -= 1
            rank[level] += 1


@kernel
def put_down(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    units: Want,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    spans: Want,
    chosen: Want,
    bits: Want,
    spent: int,
    plan: Numbers,
    tally: Want,
) -> None:
    """Count what one choice of melds puts down, wild cards and additions included; note it if it is the most so far."""
    asks = np.zeros((ASKS, 4), np.int64)
    simple = are_whole(want, spans, chosen) and not is_bare(c, units, want, bits)
    if not simple and find_melds(h, units, want, spans, chosen, asks) == 0:
        return
    wild_worth = wide(worth[JOKER])
    rest = np.zeros(KINDS, np.int16)
    out = wide(0)  # points that stay in the hand
    left = wide(0)
    for kind in range(52):
        if g[kind] > 0 and units[kind % 13] == 0 and sets[kind % 13] == 0:
            rest[kind] = g[kind]
            out += wide(g[kind]) * worth[kind]
            left += g[kind]
    spare = tally[WILDS] - spent
    room = free_places(want, spans, chosen, runs)
    loose = left
    kept = out
    if len(runs) > 0 and left > 0:
        gained, taken, bridged = go_on_at_table(rest, worth, runs, spare, loose)
        out -= gained
        left -= taken
        room -= taken + bridged
        spare -= bridged
    stuck = wide(0)
    if want[OF_SETS] == 0 and tally[TABLE_SETS] == 0 and spare > room:
        stuck = spare - room
        left += stuck
        out += stuck * wild_worth
        spare = room
    drop = wide(-1)
    if left == 0:
        drop = cheapest_to_keep(h, g, c, units, want, worth, sets, spans, chosen, spare)
        out = wide(worth[drop]) if drop >= 0 else tally[WHOLE] + 1
        left = wide(1)
        if loose > 0:  # or one of those that could be added at the table's runs
            gained, taken, bridged = go_on_at_table(rest, worth, runs, tally[WILDS] - spent, loose - 1)
            if kept - gained < out:
                out = kept - gained
                left = loose - taken
                drop = wide(-1)
        if out > tally[WHOLE]:
            return
    if want[OF_ONE] != 0 and left != 1:
        return
    value = tally[WHOLE] - out
    if value > tally[BEST]:
        tally[BEST] = value
        if drop >= 0:
            h[drop] -= 1
        n = find_melds(h, units, want, spans, chosen, asks)
        write_plan(h, asks, n, want, are_whole(want, spans, chosen), plan)
        if drop >= 0:
            h[drop] += 1


@kernel
def free_places(want: Want, spans: Want, chosen: Want, runs: Numbers) -> int:
    """Places at the ends of the laid runs and of those on the table."""
    room = wide(0)
    for level in range(want[OF_RUNS]):
        span = chosen[level]
        room += PLACES - (spans[span, 2] - spans[span, 1] + 1)
        if (
            want[OF_APART] != 0 and want[OF_ADD] == 0
        ):  # those of one suit share its places, and one between two of them stays free
            for other in range(level):
                if spans[chosen[other], 0] == spans[span, 0]:
                    room -= PLACES + 1
                    break
    for row in range(len(runs)):
        room += PLACES - (wide(runs[row, 2]) - runs[row, 1] + 1)
    return room


@kernel
def cheapest_to_keep(
    h: Numbers,
    g: Numbers,
    c: Numbers,
    units: Want,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    spans: Want,
    chosen: Want,
    spare: int,
) -> int:
    """The cheapest card that can stay although all could go: one in excess, or one that a spare wild card replaces."""
    asks = np.zeros((ASKS, 4), np.int64)
    best = wide(999)
    which = wide(-1)
    if spare > 0 and h[JOKER] > 0:
        best = wide(worth[JOKER])
        which = wide(JOKER)
    for kind in range(52):
        if h[kind] == 0 or worth[kind] >= best:
            continue
        rank = kind % 13
        free = spare > 0
        if g[kind] > 0:  # among the sets, or added to one on the table
            free = free or (c[rank] > 3 * units[rank] if units[rank] > 0 else sets[rank] > 0)
        if free:
            h[kind] -= 1
            if find_melds(h, units, want, spans, chosen, asks) > 0:
                best = wide(worth[kind])
                which = wide(kind)
            h[kind] += 1
    return which
