"""A natural card for each meld (N-R7): how many melds must do without, and which card each of them gets.

Wild cards fill places wherever they lie, so only two things decide whether melds can be laid: how many places wild
cards must fill, and whether each meld can have a natural card of its own. This is the second. A wild black two is a
natural card in its own place of a run and in a set of twos, so it counts here like any other card.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.state import JOKER, RUN, SET

Numbers = npt.NDArray[np.int16]
Want = npt.NDArray[np.int64]

# A meld that asks for a natural card, as a row: its form, rank or suit, and a run's lowest and highest place.
ANY: Final = 0
"""The form of a set that has no card yet and may take any rank that is open to it."""
FORM: Final = 0
WHAT: Final = 1
LOW: Final = 2
HIGH: Final = 3
ASKS: Final = 8
"""Room for the melds of a contract and one begun."""


@kernel
def would_do(kind: int, asks: Want, k: int) -> bool:
    """Whether a card of that kind is natural in meld ``k``; a set of any rank is asked elsewhere."""
    rank = kind % 13
    if asks[k, FORM] == SET:
        return bool(rank == asks[k, WHAT])
    if asks[k, FORM] != RUN or kind // 13 != asks[k, WHAT]:
        return False
    low = asks[k, LOW]
    high = asks[k, HIGH]
    return bool(low <= rank + 1 <= high or (rank == 0 and low <= 14 <= high))


@kernel
def unmatched(h: Numbers, asks: Want, n: int, first: int, distinct: int) -> int:
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
        if asks[k, FORM] == ANY:
            loose |= 1 << k
        elif asks[k, FORM] == SET:
            taken |= 1 << asks[k, WHAT]
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
def match(avail: Numbers, asks: Want, n: int, own: Want) -> bool:
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
