"""Whether what is left of a laying can be completed, by trying all ways, card by card. Kernels on counts of cards.

Slower than the planner's count of what is missing, and independent of it: the tests hold one against the other.
``one`` in the wish asks for a laying that leaves exactly one card (option last_round_at_once).
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
    Numbers,
    Want,
    count_ranks,
    wilds_in,
)
from spelunke.games.sanghai.table import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
    JOKER,
    KINDS,
    PLACES,
    black_two,
    card_at,
)

TURN_TO_WILD: Final = 100
"""Added to a wild card's kind in the order of a set's cards."""


@kernel
def begin(h: Numbers, n: int, want: Want, sets: int, rank: int, runs: int, run: int) -> bool:
    """Whether so many sets from ``rank`` on and runs from ``run`` (16 * suit + place) on can be laid of ``h``.

    ``h`` holds ``n`` cards and is left as it was.
    """
    if n < 3 * sets + want[OF_LENGTH] * runs + 1:
        return False
    return fill(h, n, want, sets, rank, runs, run, np.int64(-1), np.int64(0), np.int64(0), np.int64(0))


@kernel
def fill(
    h: Numbers,
    n: int,
    want: Want,
    sets: int,
    rank: int,
    runs: int,
    run: int,
    suit: int,
    low: int,
    place: int,
    naturals: int,
) -> bool:
    """Complete the run under way at ``place`` (``suit`` -1: none is), then the runs and sets still wanted."""
    length = want[OF_LENGTH]
    nil = np.int64(0)  # a literal would have the compiler make a version of this kernel for each
    if suit < 0:
        if runs == 0:
            return fill_sets(h, n, want, sets, rank)
        w = wilds_in(h, want[OF_BLACK])
        for key in range(run, 64):
            lowest = key & 15
            if lowest < 1 or lowest > 15 - length:
                continue
            lack = 0
            for spot in range(lowest, lowest + length):
                kind = card_at(key >> 4, spot)
                if h[kind] == 0 or (want[OF_BLACK] != 0 and black_two(kind)):
                    lack += 1
            if lack <= w and fill(h, n, want, sets, rank, runs - 1, key, key >> 4, lowest, lowest, nil):
                return True
        return False
    if place - low >= length and naturals > 0:
        least = 16 * suit + (min(place + 1, 15) if want[OF_APART] != 0 else low)
        if fill(h, n, want, sets, rank, runs, least, nil - 1, nil, nil, nil):
            return True
    if (place - low >= length and want[OF_ONE] == 0) or place > PLACES:
        return False
    own = card_at(suit, place)
    for turn in range(4):  # the card itself, a joker, the black twos
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
        more = naturals + (1 if turn == 0 else 0)
        done = fill(h, n - 1, want, sets, rank, runs, run, suit, low, place + 1, more)
        h[kind] += 1
        if done:
            return True
    return False


@kernel
def fill_sets(h: Numbers, n: int, want: Want, sets: int, rank: int) -> bool:
    """Whether so many sets of ranks from ``rank`` (0 is the ace) on can be laid of ``h``."""
    one = want[OF_ONE] != 0
    if n < 3 * sets + 1 or (one and sets == 0 and n != 1):
        return False
    if sets == 0:
        return True
    if not one:
        return share(h, want, sets, rank, one)
    for kind in range(KINDS):  # the card that stays
        if h[kind] > 0:
            h[kind] -= 1
            done = share(h, want, sets, rank, one)
            h[kind] += 1
            if done:
                return True
    return False


@kernel
def share(h: Numbers, want: Want, sets: int, rank: int, whole: bool) -> bool:
    """Whether ``h`` holds the sets, each with a natural card; ``whole``: using up all of it."""
    c = np.empty(13, np.int16)
    count_ranks(h, want[OF_BLACK], c)
    w = wilds_in(h, want[OF_BLACK])
    twos = w - h[JOKER]
    for _ in range(twos + 1):  # black twos that lie in a set of twos are natural there
        if share_out(c, w, sets, rank, want[OF_DISTINCT], whole):
            return True
        c[1] += 1
        w -= 1
    return False


@kernel
def share_out(c: Numbers, w: int, sets: int, rank: int, distinct: int, whole: bool) -> bool:
    """The same with natural cards counted by rank and ``w`` wild ones: the cheapest sets first."""
    units = np.zeros(13, np.int16)
    left = sets
    cost = 0
    if whole:
        for r in range(13):
            if c[r] > 0:
                if r < rank:
                    return False
                units[r] = 1
                cost += max(0, 3 - c[r])
                left -= 1
        if left < 0:
            return False
    for _ in range(left):
        best = 9
        which = -1
        for r in range(rank, 13):
            used = units[r]
            if used >= c[r] or (used > 0 and distinct != 0):
                continue
            price = max(0, 3 * (used + 1) - c[r]) - max(0, 3 * used - c[r])
            if price < best:
                best = price
                which = r
        if which < 0:
            return False
        units[which] += 1
        cost += best
    return cost <= w


@kernel
def fill_set(
    h: Numbers,
    n: int,
    want: Want,
    rank: int,
    cards: int,
    naturals: int,
    last: int,
    sets: int,
    runs: int,
) -> bool:
    """Complete the set of that rank (0 is the ace) with ``cards`` so far, then the rest of the contract."""
    if cards >= 3 and naturals > 0:
        if begin(h, n, want, sets, rank + want[OF_DISTINCT], runs, np.int64(0)):
            return True
        if want[OF_ONE] == 0:
            return False
    for turn in range(7):
        order = order_of(turn, rank, want[OF_BLACK])
        if order < last:
            continue
        own = order < TURN_TO_WILD
        kind = order if own else order - TURN_TO_WILD
        if h[kind] == 0 or (cards == 0 and not own):
            continue
        h[kind] -= 1
        done = fill_set(h, n - 1, want, rank, cards + 1, naturals + np.int64(own), order, sets, runs)
        h[kind] += 1
        if done:
            return True
    return False


@kernel
def order_of(turn: int, rank: int, black: int) -> int:
    """The cards that fit a set, in the order in which it lists them; -1 past those there are."""
    if turn < 4:
        return 13 * turn + rank
    if turn == 6:
        return TURN_TO_WILD + JOKER
    if black == 0 or rank == 1:
        return -2
    return TURN_TO_WILD + (BLACK_TWO_SPADES if turn == 4 else BLACK_TWO_CLUBS)
