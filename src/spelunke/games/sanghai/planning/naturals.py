"""A natural card for each meld (N-R7): how many melds must do without, and which card each of them gets.

Wild cards fill places wherever they lie, so only two things decide whether melds can be laid: how many places wild
cards must fill, and whether each meld can have a natural card of its own. This is the second. A wild black two is a
natural card in its own place of a run and in a set of twos, so it counts here like any other card.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.state import JOKER, PLACES, RUN, SET

ANY: Final = 0
"""The form of a set that has no card yet and may take any rank that is open to it."""
ASKS: Final = 8
"""Room for the melds of a contract and one begun."""


class Ask:
    """A meld that asks for a natural card: its form, its rank or suit, and a run's lowest and highest place."""

    form: Long
    what: Long
    low: Long
    high: Long


ASK = scratch(Ask)


@kernel
def ask_set(asks: Rows[Ask], n: int, form: int, rank: int) -> int:
    """Note in row ``n`` that a set asks (``form`` SET or ANY); returns the rows that there are then."""
    asks[n].form = form
    asks[n].what = rank
    return n + 1


@kernel
def ask_run(asks: Rows[Ask], n: int, suit: int, low: int, high: int) -> int:
    """Note in row ``n`` that a run asks; returns the rows that there are then."""
    asks[n].form = RUN
    asks[n].what = suit
    asks[n].low = low
    asks[n].high = high
    return n + 1


@kernel
def would_do(kind: int, asks: Rows[Ask], k: int) -> bool:
    """Whether a card of that kind is natural in meld ``k``; a set of any rank is asked elsewhere."""
    rank = kind % 13
    ask = asks[k]
    if ask.form == SET:
        return bool(rank == ask.what)
    if ask.form != RUN or kind // 13 != ask.what:
        return False
    return bool(ask.low <= rank + 1 <= ask.high or (rank == 0 and ask.low <= PLACES <= ask.high))


@kernel
def unmatched(h: Numbers, asks: Rows[Ask], n: int, first: int, distinct: int) -> int:
    """How many of the ``n`` melds can't have a natural card of their own, however the cards of ``h`` are shared out.

    By Hall's theorem: the largest number by which some of the melds outnumber the cards that would do for them. Sets
    of any rank take ranks from ``first`` on; where sets are ``distinct`` only those that no other set has, and from
    each rank one card.
    """
    kinds = np.empty(JOKER, np.int64)
    masks = np.empty(JOKER, np.int64)
    loose = 0
    taken = 0
    for k in range(n):
        if asks[k].form == ANY:
            loose |= 1 << k
        elif asks[k].form == SET:
            taken |= 1 << asks[k].what
    m = 0
    for kind in range(JOKER):
        if h[kind] > 0:
            mask = 0
            for k in range(n):
                if would_do(kind, asks, k):
                    mask |= 1 << k
            if distinct == 0 and kind % 13 >= first:
                mask |= loose
            kinds[m] = kind
            masks[m] = mask
            m += 1
    worst = 0
    for group in range(1, 1 << n):
        lacking = 0
        for k in range(n):
            lacking += group >> k & 1
        ranks = 0
        for i in range(m):
            rank = kinds[i] % 13
            if masks[i] & group:
                lacking -= h[kinds[i]]
            elif distinct != 0 and loose & group and rank >= first and not (taken | ranks) >> rank & 1:
                ranks |= 1 << rank
                lacking -= 1
        worst = max(worst, lacking)
    return worst


@kernel
def match(avail: Numbers, asks: Rows[Ask], n: int, own: Longs) -> bool:
    """A natural card for each of the ``n`` melds, all of known rank, out of ``avail`` in place; whether there is one.

    ``own[k]`` gets the kind for meld ``k``.
    """
    level = 0
    own[0] = -1
    while level < n:
        kind = own[level] + 1
        while kind < JOKER and not (avail[kind] > 0 and would_do(kind, asks, level)):
            kind += 1
        if kind < JOKER:
            own[level] = kind
            avail[kind] -= 1
            level += 1
            if level < n:
                own[level] = -1
            continue
        level -= 1
        if level < 0:
            return False
        avail[own[level]] += 1
    return True
