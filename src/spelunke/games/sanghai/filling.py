"""Laying that must leave exactly one card (option last_round_at_once): whether what is left of it can be completed."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.naturals import ANY, ASKS, FORM, HIGH, LOW, WHAT, unmatched
from spelunke.games.sanghai.planner import (
    OF_APART,
    OF_BARE,
    OF_BLACK,
    OF_DISTINCT,
    OF_FORM,
    OF_LENGTH,
    OF_NEED,
    OF_PLACE,
    OF_RANK,
    OF_RUN,
    OF_RUNS,
    OF_SETS,
    OF_WHAT,
    Numbers,
    Want,
    count_ranks,
    least_cards,
    strip_wilds,
    wilds_in,
)
from spelunke.games.sanghai.state import JOKER, KINDS, PLACES, RUN, SET, black_two, card_at, wide

LEVELS = 5


@kernel
def can_lay_all_but_one(h: Numbers, want: Want) -> bool:
    """Whether the wish can be laid so that exactly one card of ``h`` stays.

    Runs are tried at all places and in all lengths; the run begun is the first of them. Which cards stand in a run
    does not matter for the number that stays, so natural cards are used where there are any, and change places only so
    that each meld has one.
    """
    g = np.empty(KINDS, np.int16)
    strip_wilds(h, want[OF_BLACK], g)
    w = wilds_in(h, want[OF_BLACK])
    begun = 1 if want[OF_FORM] == RUN else 0
    runs = want[OF_RUNS] + begun
    free = wide(-1) - least_cards(want)  # cards beyond the least, which make melds longer
    for kind in range(KINDS):
        free += h[kind]
    if free < 0:
        return False
    loose = want[OF_SETS] > 0 or want[OF_FORM] == SET
    low = np.zeros(LEVELS, np.int64)  # 16 * suit + lowest place to be filled
    size = np.zeros(LEVELS, np.int64)
    bits = np.zeros(LEVELS, np.int64)
    cost = np.zeros(LEVELS, np.int64)
    over = np.zeros(LEVELS, np.int64)
    level = wide(0)
    begin_level(want, low, size, level, begun)
    while level >= 0:
        if level == runs:
            if settles(h, g, w - cost[level], want, low, size, bits, begun):
                return True
            level -= 1
            if level >= 0:
                give_back(g, low[level], size[level], bits[level])
                size[level] += 1
            continue
        suit = low[level] >> 4
        place = low[level] & 15
        if suit > 3:
            level -= 1
            if level >= 0:
                give_back(g, low[level], size[level], bits[level])
                size[level] += 1
            continue
        least = want[OF_NEED] if level < begun else want[OF_LENGTH]
        if not loose and level == runs - 1:  # the last run takes all that is left
            size[level] = max(size[level], least + free - over[level])
        more = over[level] + size[level] - least
        if place < 1 or place + size[level] - 1 > PLACES or more > free:
            if level < begun:
                return False
            low[level] += 1
            size[level] = want[OF_LENGTH]
            continue
        lack = draw_run(g, low[level], size[level], bits, level)
        if cost[level] + lack <= w:
            cost[level + 1] = cost[level] + lack
            over[level + 1] = more
            level += 1
            begin_level(want, low, size, level, begun)
        else:
            give_back(g, low[level], size[level], bits[level])
            size[level] += 1
    return False


@kernel
def begin_level(want: Want, low: Want, size: Want, level: int, begun: int) -> None:
    """The first run to be tried at a level, not before the one ahead of it."""
    if level == 0 and begun != 0:
        low[0] = 16 * want[OF_WHAT] + want[OF_PLACE]
        size[0] = want[OF_NEED]
        return
    size[level] = want[OF_LENGTH]
    if level == 0 or (level == 1 and begun != 0 and want[OF_APART] == 0):
        low[level] = want[OF_RUN]
    elif want[OF_APART] != 0:
        low[level] = low[level - 1] + size[level - 1] + 1
    else:
        low[level] = low[level - 1]


@kernel
def draw_run(g: Numbers, low: int, size: int, bits: Want, level: int) -> int:
    """Natural cards into the places of a run, in place; returns how many lack."""
    suit = low >> 4
    first = low & 15
    found = 0
    lack = 0
    for place in range(first, first + size):
        kind = card_at(suit, place)
        if g[kind] > 0:
            g[kind] -= 1
            found |= 1 << place
        else:
            lack += 1
    bits[level] = found
    return lack


@kernel
def give_back(g: Numbers, low: int, size: int, bits: int) -> None:
    """Undo :func:`draw_run`."""
    first = low & 15
    for place in range(first, first + size):
        if bits >> place & 1:
            g[card_at(low >> 4, place)] += 1


@kernel
def settles(
    h: Numbers, g: Numbers, w: int, want: Want, low: Want, size: Want, bits: Want, begun: int
) -> bool:
    """Whether the sets take what the runs leave, all but one card, and each meld can have a natural card."""
    asks = np.zeros((ASKS, 4), np.int64)
    n = 0
    bare = False
    for level in range(want[OF_RUNS] + begun):
        if level < begun and want[OF_BARE] == 0:
            continue
        asks[n, FORM] = RUN
        asks[n, WHAT] = low[level] >> 4
        asks[n, LOW] = low[level] & 15
        asks[n, HIGH] = asks[n, LOW] + size[level] - 1
        n += 1
        bare = bare or bits[level] == 0
    c = np.empty(13, np.int16)
    count_ranks(g, c)
    for kind in range(KINDS):  # the card that stays
        if h[kind] == 0:
            continue
        wild = kind == JOKER or (want[OF_BLACK] != 0 and black_two(kind))
        if (w if wild else g[kind]) == 0:
            continue
        if not wild:
            c[kind % 13] -= 1
        shared = share_out(c, w - 1 if wild else w, want, asks, n)
        if not wild:
            c[kind % 13] += 1
        if shared < 0:
            continue
        if not bare and shared & 1 == 0:
            return True
        h[kind] -= 1
        alone = unmatched(h, asks, shared >> 1, want[OF_RANK], want[OF_DISTINCT])
        h[kind] += 1
        if alone == 0:
            return True
    return False


@kernel
def share_out(c: Numbers, w: int, want: Want, asks: Want, n: int) -> int:
    """Whether all of these cards (counts by rank and ``w`` wild ones) make the sets, if each finds a natural card.

    The sets are noted in ``asks`` from row ``n`` on. Returned as 2 * rows, plus 1 if some set has no card of its own
    yet; -1 if the cards don't fit.
    """
    units = np.zeros(13, np.int64)
    begun = want[OF_WHAT] if want[OF_FORM] == SET else -1
    left = want[OF_SETS]
    cost = 0
    bare = 0
    if begun >= 0:
        cost = max(0, want[OF_NEED] - c[begun])
        if want[OF_BARE] != 0:
            asks[n, FORM] = SET
            asks[n, WHAT] = begun
            n += 1
            if c[begun] == 0:
                bare = 1
    for rank in range(13):
        if c[rank] > 0 and rank != begun:
            if rank < want[OF_RANK] or left == 0:
                return -1
            units[rank] = 1
            cost += max(0, 3 - c[rank])
            left -= 1
            asks[n, FORM] = SET
            asks[n, WHAT] = rank
            n += 1
    if want[OF_SETS] == 0 and begun < 0 and w > 0:
        return -1
    for _ in range(left):
        best = 99
        which = -1
        for rank in range(want[OF_RANK], 13):
            used = units[rank]
            if used > 0 and want[OF_DISTINCT] != 0:
                continue
            base = want[OF_NEED] if rank == begun else 0
            own = used + (want[OF_BARE] if rank == begun else 0)
            price = 2 * (max(0, base + 3 * (used + 1) - c[rank]) - max(0, base + 3 * used - c[rank]))
            price += 1 if own >= c[rank] else 0
            if price < best:
                best = price
                which = rank
        if which < 0:
            return -1
        units[which] += 1
        cost += best >> 1
        asks[n, FORM] = ANY if best & 1 else SET
        asks[n, WHAT] = which
        n += 1
        if best & 1:
            bare = 1
    return 2 * n + bare if cost <= w else -1
