"""Laying that must leave exactly one card (option last_round_at_once): whether what is left of it can be completed."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
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
    strip_wilds,
    wilds_in,
)
from spelunke.games.sanghai.table import KINDS, PLACES, RUN, SET, card_at, wide

LEVELS = 5


@kernel
def can_lay_all_but_one(h: Numbers, want: Want) -> bool:
    """Whether the wish can be laid so that exactly one card of ``h`` stays.

    Runs are tried at all places and in all lengths; the run begun is the first of them. Which cards stand in a run
    does not matter for the number that stays, so natural cards are used where there are any.
    """
    g = np.empty(KINDS, np.int16)
    strip_wilds(h, want[OF_BLACK], g)
    w = wilds_in(h, want[OF_BLACK])
    begun = 1 if want[OF_FORM] == RUN else 0
    runs = want[OF_RUNS] + begun
    low = np.zeros(LEVELS, np.int64)  # 16 * suit + lowest place to be filled
    size = np.zeros(LEVELS, np.int64)
    bits = np.zeros(LEVELS, np.int64)
    cost = np.zeros(LEVELS, np.int64)
    level = wide(0)
    begin_level(want, low, size, level, begun)
    while level >= 0:
        if level == runs:
            if settles(g, w - cost[level], want):
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
        if place < 1 or place + size[level] - 1 > PLACES:
            if level == 0 and begun != 0:
                return False
            low[level] += 1
            size[level] = want[OF_LENGTH]
            continue
        lack = draw_run(g, low[level], size[level], bits, level)
        bare = bits[level] == 0 and (level > 0 or begun == 0 or want[OF_BARE] != 0)
        if cost[level] + lack <= w and not bare:
            cost[level + 1] = cost[level] + lack
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
def settles(g: Numbers, w: int, want: Want) -> bool:
    """Whether the sets take what the runs leave (natural cards and ``w`` wild ones), all but one card."""
    left = wide(w)
    for kind in range(KINDS):
        left += g[kind]
    if want[OF_SETS] == 0 and want[OF_FORM] != SET:
        return bool(left == 1)
    c = np.empty(13, np.int16)
    count_ranks(g, c)
    if w > 0 and sets_take(c, w - 1, want):  # a wild card stays
        return True
    for rank in range(13):
        if c[rank] > 0:
            c[rank] -= 1
            done = sets_take(c, w, want)
            c[rank] += 1
            if done:
                return True
    return False


@kernel
def sets_take(c: Numbers, w: int, want: Want) -> bool:
    """Whether all of these cards make the sets. Black twos may be natural in a set of twos."""
    spare = 2 if want[OF_BLACK] != 0 else 0
    for own in range(min(spare, w) + 1):
        c[1] += own
        done = shares(c, w - own, want)
        c[1] -= own
        if done:
            return True
    return False


@kernel
def shares(c: Numbers, w: int, want: Want) -> bool:
    """The same with natural cards counted by rank and ``w`` wild ones."""
    units = np.zeros(13, np.int64)
    begun = want[OF_WHAT] if want[OF_FORM] == SET else -1
    left = want[OF_SETS]
    cost = 0
    if begun >= 0:
        cost = max(0, want[OF_NEED] - c[begun])
        if want[OF_BARE] != 0 and c[begun] == 0:
            return False
    for rank in range(13):
        if c[rank] > 0 and rank != begun:
            if rank < want[OF_RANK]:
                return False
            units[rank] = 1
            cost += max(0, 3 - c[rank])
            left -= 1
    if left < 0:
        return False
    for _ in range(left):
        best = 9
        which = -1
        for rank in range(want[OF_RANK], 13):
            used = units[rank]
            base = want[OF_NEED] if rank == begun else 0
            own = used + (want[OF_BARE] if rank == begun else 0)
            if own >= c[rank] or (used > 0 and want[OF_DISTINCT] != 0):
                continue
            price = max(0, base + 3 * (used + 1) - c[rank]) - max(0, base + 3 * used - c[rank])
            if price < best:
                best = price
                which = rank
        if which < 0:
            return False
        units[which] += 1
        cost += best
    return cost <= w
