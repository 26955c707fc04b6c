"""The most points that a hand can put down: by laying its contract alone, and with additions too (N-C11).

All runs of all lengths are tried, all choices of ranks for the sets, and all ways to go on at the runs of the table. A
wild card never ends a run that is longer than it must be: it is put down just as well elsewhere. One card stays.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.planner import (
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
from spelunke.games.sanghai.table import (
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
TWOS: Final = 6


@kernel
def unload(h: Numbers, want: Want, worth: Numbers, sets: Numbers, runs: Numbers, plan: Numbers) -> int:
    """The most points that the counts ``h`` can put down, or -1 if the contract can't be laid.

    ``worth`` are the points of each kind. Additions go to table sets (``sets``: int16[13], 1 for each rank that lies
    there) and table runs (``runs``: int16[n, 3] of suit, low, high); with none of both it is the laying alone.
    ``plan`` (int16[4, ROW]) gets the melds that are laid.
    """
    tally = np.zeros(7, np.int64)
    tally[BEST] = -1
    tally[WILDS] = wilds_in(h, want[OF_BLACK])
    tally[TWOS] = tally[WILDS] - h[JOKER]  # black twos are natural in a set of twos
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
        n = find_spans(g, want[OF_LENGTH], tally[WILDS], spans)
    try_runs(g, want, worth, sets, runs, spans, n, plan, tally)
    return tally[BEST]  # type: ignore[no-any-return]


@kernel
def find_spans(g: Numbers, length: int, w: int, spans: Want) -> int:
    """Runs (suit, low, high) that ``w`` wild cards could fill, by suit and place; returns how many."""
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
                if size < length or lack == size:
                    continue
                if size == length or (ends and g[card_at(suit, low)] > 0):
                    spans[n, 0] = suit
                    spans[n, 1] = low
                    spans[n, 2] = high
                    n += 1
    return n


@kernel
def try_runs(
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
            try_sets(g, want, worth, sets, runs, spans, chosen, bits, cost[level], plan, tally)
            if tally[BEST] >= tally[BOUND]:
                return
        elif chosen[level] < n:
            span = chosen[level]
            if want[OF_APART] == 0 or apart(spans, chosen, level):
                lack = fill_span(g, spans, span, bits, level)
                if bits[level] != 0 and cost[level] + lack <= tally[WILDS]:
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
def apart(spans: Want, chosen: Want, level: int) -> bool:
    """Whether the run neither overlaps nor touches those chosen before (option no_adjacent_runs)."""
    span = chosen[level]
    for other in range(level):
        ahead = chosen[other]
        if (
            spans[ahead, 0] == spans[span, 0]
            and spans[ahead, 1] <= spans[span, 2] + 1
            and spans[span, 1] <= spans[ahead, 2] + 1
        ):
            return False
    return True


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
    units = np.zeros(13, np.int64)
    rank = np.zeros(6, np.int64)
    cost = np.zeros(6, np.int64)
    cost[0] = spent
    level = 0
    while level >= 0:
        if level == k:
            put_down(g, c, units, want, worth, sets, runs, spans, chosen, bits, cost[level], plan, tally)
            if tally[BEST] >= tally[BOUND]:
                return
        elif rank[level] < 13:
            r = rank[level]
            used = units[r]
            price = max(0, 3 * (used + 1) - c[r]) - max(0, 3 * used - c[r])
            own = c[r] + (tally[TWOS] if r == 1 else 0)
            free = used < own and (used == 0 or want[OF_DISTINCT] == 0)
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
        drop = cheapest_to_keep(g, c, units, want, worth, sets, spans, chosen, bits, spare)
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
        write_plan(g, units, want, spans, chosen, bits, drop, tally[WILDS], plan)


@kernel
def free_places(want: Want, spans: Want, chosen: Want, runs: Numbers) -> int:
    """Places at the ends of the laid runs and of those on the table."""
    room = wide(0)
    for level in range(want[OF_RUNS]):
        span = chosen[level]
        room += PLACES - (spans[span, 2] - spans[span, 1] + 1)
    for row in range(len(runs)):
        room += PLACES - (wide(runs[row, 2]) - runs[row, 1] + 1)
    return room


@kernel
def cheapest_to_keep(
    g: Numbers,
    c: Numbers,
    units: Want,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    spans: Want,
    chosen: Want,
    bits: Want,
    spare: int,
) -> int:
    """The cheapest card that can stay although all could go: one in excess, or one that a spare wild card replaces."""
    best = wide(999)
    which = wide(-1)
    if spare > 0:
        best = wide(worth[JOKER])
        which = wide(JOKER)
    for kind in range(52):
        if g[kind] > 0 and worth[kind] < best:  # among the sets, or added to one on the table
            rank = kind % 13
            if units[rank] > 0:
                free = c[rank] > 3 * units[rank] or (spare > 0 and c[rank] > units[rank])
            else:
                free = sets[rank] > 0 or spare > 0
            if free:
                best = wide(worth[kind])
                which = wide(kind)
    if spare > 0:
        for level in range(want[OF_RUNS]):
            span = chosen[level]
            if bits[level] & (bits[level] - 1) == 0:
                continue  # its only natural card
            for place in range(spans[span, 1], spans[span, 2] + 1):
                kind = card_at(spans[span, 0], place)
                if bits[level] >> place & 1 and worth[kind] < best:
                    best = wide(worth[kind])
                    which = wide(kind)
    return which


@kernel
def go_on_at_table(
    rest: Numbers, worth: Numbers, runs: Numbers, spare: int, most: int
) -> tuple[int, int, int]:
    """The most points of ``rest`` (``most`` cards) that the table's runs take: points, cards, wild cards bridging.

    Each end of each run is taken as far as some natural card; all combinations are tried.
    """
    ends = 2 * len(runs)
    stop = np.zeros(ends + 1, np.int64)  # how far this end goes now
    start = np.zeros(ends + 1, np.int64)
    bits = np.zeros(ends + 1, np.int64)
    used = np.zeros(ends + 1, np.int64)
    gain = np.zeros(ends + 1, np.int64)
    cards = np.zeros(ends + 1, np.int64)
    best = wide(0)
    best_cards = wide(0)
    best_wilds = wide(0)
    level = 0
    start[0] = 1
    while level >= 0:
        if level == ends:
            if gain[level] > best or (gain[level] == best and used[level] < best_wilds):
                best = gain[level]
                best_cards = cards[level]
                best_wilds = used[level]
            level -= 1
            continue
        run = level >> 1
        suit = wide(runs[run, 0])
        up = level & 1 == 0
        if start[level] != 0:  # first leave this end as it is
            start[level] = 0
            stop[level] = 0
            bits[level] = 0
            used[level + 1] = used[level]
            gain[level + 1] = gain[level]
            cards[level + 1] = cards[level]
            level += 1
            if level < ends:
                start[level] = 1
            continue
        for place in range(1, PLACES + 1):  # take back what this end had
            if bits[level] >> place & 1:
                rest[card_at(suit, place)] += 1
        bits[level] = 0
        reach = stop[level] + 1
        found = False
        while not found:
            place = wide(runs[run, 2]) + reach if up else wide(runs[run, 1]) - reach
            if place < 1 or place > PLACES:
                break
            if rest[card_at(suit, place)] > 0:
                found = True
            else:
                reach += 1
        if not found:
            level -= 1
            continue
        stop[level] = reach
        wild = wide(0)
        points = wide(0)
        count = wide(0)
        for far in range(1, reach + 1):
            place = wide(runs[run, 2]) + far if up else wide(runs[run, 1]) - far
            kind = card_at(suit, place)
            if rest[kind] > 0:
                rest[kind] -= 1
                bits[level] |= 1 << place
                points += worth[kind]
                count += 1
            else:
                wild += 1
        if used[level] + wild > spare or cards[level] + count > most:
            for place in range(1, PLACES + 1):
                if bits[level] >> place & 1:
                    rest[card_at(suit, place)] += 1
            bits[level] = 0
            level -= 1
            continue
        used[level + 1] = used[level] + wild
        gain[level + 1] = gain[level] + points
        cards[level + 1] = cards[level] + count
        level += 1
        if level < ends:
            start[level] = 1
    return best, best_cards, best_wilds
