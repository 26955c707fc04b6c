"""Going on at the runs of the table: natural cards at their ends, and wild ones in the gaps before them."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.naturals import Numbers
from spelunke.games.sanghai.state import PLACES, card_at, wide


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
