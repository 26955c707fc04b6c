"""The rule that each meld needs a natural card (N-R7).

Wild cards fill any place. So two questions decide whether melds can be laid. How many places must wild
cards fill? Can each meld have a natural card of its own? This module answers the second question. Even if
black twos are wild, a black two counts as a natural card in a set of twos, and at the place of the two in a run of its
suit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.arrays import empty
from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.state import JOKER, PLACES, RUN, SET

ANY: Final = 0
"""The form of a set that has no card yet and may still get any rank."""
ASKS: Final = 8
"""The maximum number of melds: those of a contract, and one that has begun."""


class Ask:
    """A meld that needs a natural card: its form, its rank or suit, and the lowest and highest place of a run."""

    form: Long
    what: Long
    low: Long
    high: Long


ASK = scratch(Ask)


@kernel
def ask_set(asks: Rows[Ask], n: int, form: int, rank: int) -> int:
    """Write into row ``n`` of ``asks`` a set that needs a natural card. Return the new number of rows.

    ``form`` is ANY if the set has no card yet and may still get any rank; otherwise it is SET.
    """
    asks[n].form = form
    asks[n].what = rank
    return n + 1


@kernel
def ask_run(asks: Rows[Ask], n: int, suit: int, low: int, high: int) -> int:
    """Write into row ``n`` of ``asks`` a run that needs a natural card. Return the new number of rows."""
    asks[n].form = RUN
    asks[n].what = suit
    asks[n].low = low
    asks[n].high = high
    return n + 1


@kernel
def would_do(kind: int, asks: Rows[Ask], k: int) -> bool:
    """Return whether a card of ``kind`` is natural in the meld ``asks[k]``.

    Return False for each set of form ANY, because its rank is still open.
    """
    rank = kind % 13
    ask = asks[k]
    if ask.form == SET:
        return bool(rank == ask.what)
    if ask.form != RUN or kind // 13 != ask.what:
        return False
    return bool(ask.low <= rank + 1 <= ask.high or (rank == 0 and ask.low <= PLACES <= ask.high))


@kernel
def unmatched(h: Numbers, asks: Rows[Ask], n: int, first: int, distinct: int) -> int:
    """Return the least number of melds in ``asks`` that get no natural card of their own from the hand ``h``.

    ``n`` is the number of melds. Take any group of melds, and count its melds and the cards that fit at least one of
    them. By Hall's theorem, the result is the largest difference (melds minus cards) over all groups.

    A set of form ANY may get any rank from ``first`` on. If ``distinct`` is 1, no two sets have the same rank, so all
    cards of a rank count as one card for the sets of form ANY.
    """
    kinds = empty(JOKER, np.int64)
    masks = empty(JOKER, np.int64)
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
    """Take from the counts ``avail`` one natural card for each of the ``n`` melds in ``asks``.

    ``own[k]`` receives the kind of the card for meld ``k``. Return whether every meld got a card. Call this function
    only if no set in ``asks`` has the form ANY.
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
