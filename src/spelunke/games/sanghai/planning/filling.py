"""Decide whether a hand can lay its contract and keep exactly one card (option last_round_at_once)."""

from __future__ import annotations

import numpy as np

from spelunke.core.arrays import empty, zeros
from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.counts import count_ranks, strip_wilds, wilds_in
from spelunke.games.sanghai.planning.naturals import ANY, ASK, ASKS, Ask, ask_run, ask_set, unmatched
from spelunke.games.sanghai.planning.wish import Wish, least_cards
from spelunke.games.sanghai.state import JOKER, KINDS, PLACES, RUN, SET, black_two, card_at, wide

LEVELS = 5


class Level:
    """One of the runs that the search tries now: its suit, lowest place and length, and a bit for each natural card.

    ``cost`` is the number of wild cards in the earlier runs. ``over`` is the number of cards by which the
    earlier runs exceed their least length.
    """

    suit: Long
    low: Long
    length: Long
    naturals: Long
    cost: Long
    over: Long


LEVEL = scratch(Level)


@kernel
def can_lay_all_but_one(h: Numbers, want: Wish) -> bool:
    """Return whether the melds of ``want`` can be laid so that exactly one card of ``h`` stays in the hand.

    The search tries all places and all lengths of the runs. If ``want`` has a begun run, the search takes it as its
    first run. If the hand has a natural card for a place of a run, the run takes it. With a wild card there, the same
    number of cards would stay. Cards are moved between melds only to give each meld a natural card.
    """
    free = wide(-1) - least_cards(want)
    for kind in range(KINDS):
        free += h[kind]
    if free < 0:
        return False
    return fill_runs(h, want, zeros(LEVELS, LEVEL), free)


@kernel
def fill_runs(h: Numbers, want: Wish, tried: Rows[Level], free: int) -> bool:
    """Return whether the melds of ``want`` can be laid with some choice of runs, so that exactly one card is left.

    ``free`` is the number of cards that must be laid beyond the least lengths of all melds.
    """
    g = empty(KINDS, np.int16)
    strip_wilds(h, want.black, g)
    wilds = wilds_in(h, want.black)
    begun = 1 if want.form == RUN else 0
    runs = want.runs + begun
    loose = want.sets > 0 or want.form == SET
    level = wide(0)
    begin_level(want, tried, level, begun)
    while level >= 0:
        run = tried[level]
        if level == runs:
            if settles(h, g, wilds - run.cost, want, tried, begun):
                return True
            level = step_back(g, tried, level)
            continue
        if run.suit > 3:
            level = step_back(g, tried, level)
            continue
        least = want.need if level < begun else want.length
        length = run.length
        if not loose and level == runs - 1:  # without sets, the last run must take all remaining cards
            length = max(length, least + free - run.over)
            run.length = length
        more = run.over + length - least
        low = run.low
        if low < 1 or low + length - 1 > PLACES or more > free:
            if level < begun:
                return False
            next_place(tried, level, want.length)
            continue
        cost = run.cost + take_run(g, tried, level)
        if cost <= wilds:
            tried[level + 1].cost = cost
            tried[level + 1].over = more
            level += 1
            begin_level(want, tried, level, begun)
        else:
            give_back(g, tried, level)
            run.length = length + 1
    return False


@kernel
def begin_level(want: Wish, tried: Rows[Level], level: int, begun: int) -> None:
    """Set ``tried[level]`` to the first run to try there: the begun run, or a run with the least length.

    In each combination of runs that the search tries, the new runs are sorted by suit and lowest place. So the search
    at this level does not begin before the place of the new run at the level before.
    """
    run = tried[level]
    if level == 0 and begun != 0:
        run.suit = want.what
        run.low = want.place
        run.length = want.need
        return
    run.length = want.length
    if level == 0 or (level == 1 and begun != 0 and want.apart == 0):
        key = want.least_run
    else:
        ahead = tried[level - 1]
        key = 16 * ahead.suit + ahead.low
        if want.apart != 0:
            key += ahead.length + 1
    run.suit = key >> 4
    run.low = key & 15


@kernel
def next_place(tried: Rows[Level], level: int, length: int) -> None:
    """Move the run ``tried[level]`` to the next place, and set its length to ``length``.

    After the last place of a suit comes the next suit.
    """
    run = tried[level]
    run.length = length
    run.low += 1
    if run.low > 15:
        run.low = 0
        run.suit += 1


@kernel
def step_back(g: Numbers, tried: Rows[Level], level: int) -> int:
    """Go back to the previous level and make its run one card longer. Return the previous level, or -1 from level 0."""
    if level > 0:
        give_back(g, tried, level - 1)
        tried[level - 1].length += 1
    return level - 1


@kernel
def take_run(g: Numbers, tried: Rows[Level], level: int) -> int:
    """Take the natural cards for the run ``tried[level]`` out of ``g``.

    Return the number of places without a natural card.
    """
    run = tried[level]
    suit, low = run.suit, run.low
    found = 0
    lack = 0
    for place in range(low, low + run.length):
        kind = card_at(suit, place)
        if g[kind] > 0:
            g[kind] -= 1
            found |= 1 << place
        else:
            lack += 1
    run.naturals = found
    return lack


@kernel
def give_back(g: Numbers, tried: Rows[Level], level: int) -> None:
    """Put the natural cards of the run ``tried[level]`` back into ``g``, which counts the free cards of each kind."""
    run = tried[level]
    suit, low, bits = run.suit, run.low, run.naturals
    for place in range(low, low + run.length):
        if bits >> place & 1:
            g[card_at(suit, place)] += 1


@kernel
def settles(h: Numbers, g: Numbers, wilds: int, want: Wish, tried: Rows[Level], begun: int) -> bool:
    """Return whether the sets of ``want`` can take all but one of the cards that the runs in ``tried`` leave.

    Return False if some meld, set or run, would have no natural card.
    """
    asks = zeros(ASKS, ASK)
    n = 0
    bare = False
    for level in range(want.runs + begun):
        if level < begun and want.bare == 0:
            continue
        run = tried[level]
        n = ask_run(asks, n, run.suit, run.low, run.low + run.length - 1)
        bare = bare or run.naturals == 0
    c = empty(13, np.int16)
    count_ranks(g, c)
    for kind in range(KINDS):  # try each kind as the card that stays
        if h[kind] == 0:
            continue
        wild = kind == JOKER or (want.black != 0 and black_two(kind))
        if (wilds if wild else g[kind]) == 0:
            continue
        if not wild:
            c[kind % 13] -= 1
        shared = share_out(c, wilds - 1 if wild else wilds, want, asks, n)
        if not wild:
            c[kind % 13] += 1
        if shared < 0:
            continue
        if not bare and shared & 1 == 0:
            return True
        h[kind] -= 1
        alone = unmatched(h, asks, shared >> 1, want.least_rank, want.distinct)
        h[kind] += 1
        if alone == 0:
            return True
    return False


@kernel
def share_out(c: Numbers, wilds: int, want: Wish, asks: Rows[Ask], n: int) -> int:
    """Distribute all natural cards and wild cards among the wanted sets, and write the sets into ``asks``.

    The first set is written into row ``n``. ``c`` counts the natural cards by rank, and ``wilds`` is the number of wild
    cards. Return 2 * (the new number of rows), plus 1 if some set has no natural card yet. Return -1 if some card fits
    no set, or if there are too few wild cards.
    """
    units = zeros(13, np.int64)
    begun = want.what if want.form == SET else -1
    left = want.sets
    cost = 0
    bare = 0
    if begun >= 0:
        cost = max(0, want.need - c[begun])
        if want.bare != 0:
            n = ask_set(asks, n, wide(SET), begun)
            if c[begun] == 0:
                bare = 1
    for rank in range(13):
        if c[rank] > 0 and rank != begun:
            if rank < want.least_rank or left == 0:
                return -1
            units[rank] = 1
            cost += max(0, 3 - c[rank])
            left -= 1
            n = ask_set(asks, n, wide(SET), rank)
    if want.sets == 0 and begun < 0 and wilds > 0:
        return -1
    for _ in range(left):
        best = 99
        which = -1
        for rank in range(want.least_rank, 13):
            used = units[rank]
            if used > 0 and want.distinct != 0:
                continue
            base = want.need if rank == begun else 0
            own = used + (want.bare if rank == begun else 0)
            price = 2 * (max(0, base + 3 * (used + 1) - c[rank]) - max(0, base + 3 * used - c[rank]))
            price += 1 if own >= c[rank] else 0
            if price < best:
                best = price
                which = rank
        if which < 0:
            return -1
        units[which] += 1
        cost += best >> 1
        n = ask_set(asks, n, wide(ANY if best & 1 else SET), which)
        if best & 1:
            bare = 1
    return 2 * n + bare if cost <= wilds else -1
