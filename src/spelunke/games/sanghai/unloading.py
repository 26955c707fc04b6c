"""The most points that a hand can put down: by laying its contract alone, and with additions too (N-C11).

All ways are tried, except that a wild card is never left at the end of a run longer than it must be: it is put down
just as well elsewhere. One card stays in the hand to be discarded.
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
    black_two,
    wilds_in,
)
from spelunke.games.sanghai.table import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
    JOKER,
    KINDS,
    PLACES,
    RUN,
    SET,
    card_at,
)

ROW: Final = 60
"""Columns of a plan's row: form, suit or rank, lowest place, number of cards, then their kinds."""
CARDS_AT: Final = 4

# Places in the tally.
BEST: Final = 0
BOUND: Final = 1
HELD: Final = 2
TABLE_RUNS: Final = 3
TABLE_SETS: Final = 4


@kernel
def unload(h: Numbers, want: Want, worth: Numbers, sets: Numbers, runs: Numbers, plan: Numbers) -> int:
    """The most points that the counts ``h`` can put down, or -1 if the contract can't be laid.

    ``worth`` are the points of each kind. Additions go to table sets (``sets``: int16[13], 1 for each rank that lies
    there) and table runs (``runs``: int16[n, 3] of suit, low, high); with none of both it is the laying alone.
    ``plan`` (int16[4, ROW]) gets the melds that are laid.
    """
    tally = np.zeros(5, np.int64)
    tally[BEST] = -1
    least = 999
    for kind in range(KINDS):
        if h[kind] > 0:
            tally[BOUND] += np.int64(h[kind]) * worth[kind]
            tally[HELD] += h[kind]
            least = min(least, np.int64(worth[kind]))
    tally[BOUND] -= least
    tally[TABLE_RUNS] = len(runs)
    for rank in range(13):
        tally[TABLE_SETS] += sets[rank]
    if tally[HELD] < 3 * want[OF_SETS] + want[OF_LENGTH] * want[OF_RUNS] + 1:
        return -1
    left = np.empty(KINDS, np.int16)
    left[:] = h
    work = np.zeros((4, ROW), np.int16)
    plan[:] = 0
    nil = np.int64(0)
    unload_runs(left, want, worth, sets, runs, nil, nil, nil - 1, nil, nil, nil, nil, work, plan, tally)
    return int(tally[BEST])


@kernel
def unload_runs(
    h: Numbers,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    level: int,
    least: int,
    suit: int,
    low: int,
    place: int,
    naturals: int,
    value: int,
    work: Numbers,
    plan: Numbers,
    tally: Want,
) -> None:
    """Try the runs one after another; ``suit`` -1: none is under way."""
    length = want[OF_LENGTH]
    nil = np.int64(0)
    if tally[BEST] >= tally[BOUND]:
        return
    if suit < 0:
        if level == want[OF_RUNS]:
            c = np.empty(13, np.int16)
            for rank in range(13):
                c[rank] = h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39]
            if want[OF_BLACK] != 0:
                c[1] = h[14] + h[27]
            units = np.zeros(13, np.int16)
            unload_sets(
                h, c, want, worth, sets, runs, nil, want[OF_SETS], nil, units, value, work, plan, tally
            )
            return
        w = wilds_in(h, want[OF_BLACK])
        for key in range(least, 64):
            lowest = key & 15
            if lowest < 1 or lowest > 15 - length:
                continue
            lack = 0
            for spot in range(lowest, lowest + length):
                kind = card_at(key >> 4, spot)
                if h[kind] == 0 or (want[OF_BLACK] != 0 and black_two(kind)):
                    lack += 1
            if lack <= w:
                unload_runs(
                    h,
                    want,
                    worth,
                    sets,
                    runs,
                    level,
                    key,
                    key >> 4,
                    lowest,
                    lowest,
                    nil,
                    value,
                    work,
                    plan,
                    tally,
                )
        return
    size = place - low
    if size >= length and naturals > 0:
        ends_wild = wild_at(work, level, size - 1, suit, low) or wild_at(work, level, 0, suit, low)
        if size == length or not ends_wild:
            work[level, 0] = RUN
            work[level, 1] = suit
            work[level, 2] = low
            work[level, 3] = size
            after = 16 * suit + (min(place + 1, 15) if want[OF_APART] != 0 else low)
            unload_runs(
                h, want, worth, sets, runs, level + 1, after, nil - 1, nil, nil, nil, value, work, plan, tally
            )
    if place > PLACES:
        return
    own = card_at(suit, place)
    for turn in range(4):
        kind = own
        if turn == 1:
            kind = JOKER
        elif turn > 1:
            kind = BLACK_TWO_SPADES if turn == 2 else BLACK_TWO_CLUBS
            if kind == own or want[OF_BLACK] == 0:
                continue
        if h[kind] == 0:
            continue
        h[kind] -= 1
        work[level, CARDS_AT + size] = kind
        more = naturals + (1 if turn == 0 else 0)
        gained = value + worth[kind]
        unload_runs(
            h, want, worth, sets, runs, level, least, suit, low, place + 1, more, gained, work, plan, tally
        )
        h[kind] += 1


@kernel
def wild_at(work: Numbers, level: int, at: int, suit: int, low: int) -> bool:
    """Whether that card of the run under way stands for another."""
    return work[level, CARDS_AT + at] != card_at(suit, low + at)  # type: ignore[no-any-return]


@kernel
def unload_sets(
    h: Numbers,
    c: Numbers,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    rank: int,
    left: int,
    cost: int,
    units: Numbers,
    value: int,
    work: Numbers,
    plan: Numbers,
    tally: Want,
) -> None:
    """Try the ranks of the sets; ``cost`` wild cards are bound in those chosen."""
    if left == 0:
        settle(h, c, want, worth, sets, runs, cost, units, value, work, plan, tally)
        return
    if rank == 13 or tally[BEST] >= tally[BOUND]:
        return
    w = wilds_in(h, want[OF_BLACK])
    twos = w - h[JOKER]
    most = left if want[OF_DISTINCT] == 0 else 1
    for count in range(most, -1, -1):
        own = c[rank] + (twos if rank == 1 else 0)
        lack = max(0, 3 * count - c[rank])
        if count > own or cost + lack > w:
            continue
        units[rank] = count
        unload_sets(
            h,
            c,
            want,
            worth,
            sets,
            runs,
            rank + 1,
            left - count,
            cost + lack,
            units,
            value,
            work,
            plan,
            tally,
        )
        units[rank] = 0


@kernel
def settle(
    h: Numbers,
    c: Numbers,
    want: Want,
    worth: Numbers,
    sets: Numbers,
    runs: Numbers,
    cost: int,
    units: Numbers,
    value: int,
    work: Numbers,
    plan: Numbers,
    tally: Want,
) -> None:
    """One choice of melds: put down what goes along with them, and note it if it is the most so far."""
    rest = np.empty(KINDS, np.int16)
    rest[:] = h
    least = 999  # points of the cheapest card that could stay in the hand instead
    drop = -1
    for kind in range(52):
        if rest[kind] == 0 or (want[OF_BLACK] != 0 and black_two(kind)):
            continue
        rank = kind % 13
        if units[rank] > 0 or sets[rank] > 0:
            value += np.int64(rest[kind]) * worth[kind]
            rest[kind] = 0
            loose = units[rank] == 0 or (c[rank] > units[rank] and c[rank] > 3 * units[rank])
            if units[rank] > 0 and not loose and c[rank] > units[rank]:
                loose = wilds_in(h, want[OF_BLACK]) > cost  # a wild card that is left over takes its place
            if loose and worth[kind] < least:
                least = np.int64(worth[kind])
                drop = kind
    if tally[TABLE_RUNS] > 0:
        value = unload_table(
            rest,
            want,
            worth,
            runs,
            np.int64(0),
            np.int64(0),
            cost,
            value,
            units,
            sets,
            work,
            tally,
            np.int64(least),
        )
        if value <= tally[BEST]:
            return
        finish_plan(h, c, want, units, value, -1, work, plan, tally)
        return
    w = wilds_in(rest, want[OF_BLACK])
    spare = w - cost
    room = free_places(want, work, runs)
    if want[OF_SETS] == 0 and tally[TABLE_SETS] == 0 and spare > room:
        spare = room
    stay = w - cost - spare
    value, least_wild = put_wilds(rest, want, worth, cost + spare, value)
    if spare > 0 and least_wild < least:
        least = least_wild
        drop = JOKER
    naturals = 0
    for kind in range(52):
        if not (want[OF_BLACK] != 0 and black_two(kind)):
            naturals += rest[kind]
    stay += naturals
    if stay == 0:
        if least == 999:
            return
        value -= least
        stay = 1
    else:
        drop = -1
    if want[OF_ONE] != 0 and stay != 1:
        return
    if value > tally[BEST]:
        finish_plan(h, c, want, units, value, drop, work, plan, tally)


@kernel
def put_wilds(rest: Numbers, want: Want, worth: Numbers, count: int, value: int) -> tuple[int, int]:
    """Points with so many wild cards put down, and what the cheapest of them counts; all kinds of them count alike."""
    least = np.int64(worth[JOKER])
    return value + count * least, least


@kernel
def free_places(want: Want, work: Numbers, runs: Numbers) -> int:
    """Places at the ends of the laid runs and of those on the table."""
    room = 0
    for level in range(want[OF_RUNS]):
        room += PLACES - work[level, 3]
    for row in range(len(runs)):
        room += PLACES - (runs[row, 2] - runs[row, 1] + 1)
    return room


@kernel
def unload_table(
    rest: Numbers,
    want: Want,
    worth: Numbers,
    runs: Numbers,
    row: int,
    gap: int,
    cost: int,
    value: int,
    units: Numbers,
    sets: Numbers,
    work: Numbers,
    tally: Want,
    least: int,
) -> int:
    """The most points with what is left added to the table's runs, from run ``row`` on; -1 if none is better.

    ``gap`` places of the runs before are taken. A run is taken up first (even turns) and then down.
    """
    w = wilds_in(rest, want[OF_BLACK])
    if row == 2 * len(runs):
        spare = w - cost
        naturals = 0
        for kind in range(52):
            if not (want[OF_BLACK] != 0 and black_two(kind)):
                naturals += rest[kind]
        if want[OF_SETS] == 0 and tally[TABLE_SETS] == 0:
            spare = min(spare, free_places(want, work, runs) - gap)
        stay = w - cost - spare + naturals
        total = value + (cost + spare) * np.int64(worth[JOKER])
        if stay == 0:
            cheapest = least
            if spare > 0:
                cheapest = min(cheapest, np.int64(worth[JOKER]))
            if cheapest == 999:
                return -1
            total -= cheapest
            stay = 1
        if want[OF_ONE] != 0 and stay != 1:
            return -1
        return total
    run = row >> 1
    suit = np.int64(runs[run, 0])
    best = unload_table(rest, want, worth, runs, row + 1, gap, cost, value, units, sets, work, tally, least)
    up = row & 1 == 0
    place = np.int64(runs[run, 2]) + 1 if up else np.int64(runs[run, 1]) - 1
    free = w - cost
    gained = 0
    taken = 0
    bridged = 0
    cards = 0
    while 1 <= place <= PLACES:
        kind = card_at(suit, place)
        if rest[kind] > 0 and not (want[OF_BLACK] != 0 and black_two(kind)):
            rest[kind] -= 1
            taken |= 1 << place
            cards += 1
            gained += np.int64(worth[kind])
            got = unload_table(
                rest,
                want,
                worth,
                runs,
                row + 1,
                gap + bridged + cards,
                cost + bridged,
                value + gained,
                units,
                sets,
                work,
                tally,
                least,
            )
            best = max(best, got)
        else:
            bridged += 1
            if bridged > free:
                break
        place += 1 if up else -1
    for spot in range(1, PLACES + 1):
        if taken >> spot & 1:
            rest[card_at(suit, spot)] += 1
    return best


@kernel
def finish_plan(
    h: Numbers,
    c: Numbers,
    want: Want,
    units: Numbers,
    value: int,
    drop: int,
    work: Numbers,
    plan: Numbers,
    tally: Want,
) -> None:
    """Write the melds: runs as tried, sets with all their cards, spare wild cards where they fit."""
    tally[BEST] = value
    plan[:] = 0
    rest = np.empty(KINDS, np.int16)
    rest[:] = h
    if drop >= 0 and drop != JOKER:
        rest[drop] -= 1
    n = want[OF_RUNS]
    plan[:n] = work[:n]
    for rank in range(13):
        count = np.int64(units[rank])
        for unit in range(count):
            plan[n, 0] = SET
            plan[n, 1] = rank
            later = count - unit - 1
            for suit in range(4):
                kind = 13 * suit + rank
                if want[OF_BLACK] != 0 and black_two(kind):
                    continue
                while rest[kind] > 0 and naturals_of(rest, rank, want[OF_BLACK]) > later:
                    if unit < count - 1 and plan[n, 3] >= 3:
                        break
                    take_card(rest, plan, n, kind)
            n += 1
    for row in range(want[OF_RUNS], n):
        fill_row(rest, plan, row, want[OF_BLACK])
    spare = wilds_in(rest, want[OF_BLACK]) - (1 if drop == JOKER else 0)
    if n > want[OF_RUNS]:
        for _ in range(spare):
            take_wild(rest, plan, n - 1, want[OF_BLACK])
        return
    for row in range(n):
        while spare > 0 and plan[row, 2] + plan[row, 3] <= PLACES:
            take_wild(rest, plan, row, want[OF_BLACK])
            spare -= 1
        while spare > 0 and plan[row, 2] > 1:
            take_wild(rest, plan, row, want[OF_BLACK])
            last = plan[row, 3] - 1
            kind = plan[row, CARDS_AT + last]
            for at in range(last, 0, -1):
                plan[row, CARDS_AT + at] = plan[row, CARDS_AT + at - 1]
            plan[row, CARDS_AT] = kind
            plan[row, 2] -= 1
            spare -= 1


@kernel
def naturals_of(rest: Numbers, rank: int, black: int) -> int:
    """Cards of a rank that are left, black twos left aside where they are wild."""
    total = np.int64(rest[rank] + rest[rank + 13] + rest[rank + 26] + rest[rank + 39])
    if black != 0 and rank == 1:
        total = np.int64(rest[14] + rest[27])
    return total


@kernel
def take_card(rest: Numbers, plan: Numbers, row: int, kind: int) -> None:
    """A card into a row of the plan."""
    rest[kind] -= 1
    plan[row, CARDS_AT + plan[row, 3]] = kind
    plan[row, 3] += 1


@kernel
def take_wild(rest: Numbers, plan: Numbers, row: int, black: int) -> None:
    """A wild card into a row of the plan: jokers first."""
    if rest[JOKER] > 0:
        take_card(rest, plan, row, JOKER)
    elif black != 0 and rest[BLACK_TWO_SPADES] > 0:
        take_card(rest, plan, row, BLACK_TWO_SPADES)
    elif black != 0 and rest[BLACK_TWO_CLUBS] > 0:
        take_card(rest, plan, row, BLACK_TWO_CLUBS)


@kernel
def fill_row(rest: Numbers, plan: Numbers, row: int, black: int) -> None:
    """Wild cards until the set has three; a set of twos without a red one takes a black two first."""
    if plan[row, 3] == 0:
        if rest[BLACK_TWO_SPADES] > 0:
            take_card(rest, plan, row, BLACK_TWO_SPADES)
        elif rest[BLACK_TWO_CLUBS] > 0:
            take_card(rest, plan, row, BLACK_TWO_CLUBS)
    while plan[row, 3] < 3 and wilds_in(rest, black) > 0:
        take_wild(rest, plan, row, black)
