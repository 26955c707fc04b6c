"""Deal the hidden cards at random, so that the result fits one seat's view.

Hands that fit the public actions of their owners are more likely.
"""

from __future__ import annotations

import numpy as np

from spelunke.core.chance import below
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.sanghai import state
from spelunke.games.sanghai.state import State, wide
from spelunke.games.sanghai.traces import TRACES, lean, read_worth


@kernel
def redeal(s: State, seat: int, stream: Stream) -> None:
    """Deal new hidden cards at random to all seats except ``seat``, in place. If ``seat`` is -1, deal to all seats.

    The cards come from the stock and from the hands of these seats. The cards that are left over become the new stock.
    A card that a seat openly took, and has not played since, stays in its hand. The hands get their other cards one by
    one. Which cards are likely in a hand depends on the public actions of its owner (:func:`.traces.lean`). The pile
    does not change.
    """
    unseen = np.empty(state.KINDS, np.int16)
    unseen[:] = s.stock
    wanting = np.zeros(state.SEATS, np.int16)
    leans = np.zeros((state.SEATS, state.KINDS), np.int16)
    traces = np.zeros((state.KINDS, TRACES))
    worth = np.zeros(state.KINDS)
    read_worth(s, worth)
    missing = 0
    for other in range(s.seats):
        if other != seat:
            unseen += s.hand[other]
            unseen -= s.taken[other]
            wanting[other] = s.held[other] - s.taken[other].sum()
            missing += int(wanting[other])
            s.hand[other] = s.taken[other]
            if wanting[other] > 0:
                lean(s, wide(other), worth, traces, leans[other])
    dealt = np.zeros((state.SEATS, state.KINDS), np.int16)
    at = 0
    while missing > 0:
        if wanting[at] > 0:
            dealt[at, draw_leaning(unseen, leans[at], stream)] += 1
            wanting[at] -= 1
            missing -= 1
        at = (at + 1) % int(s.seats)
    s.hand += dealt
    s.stock[:] = unseen


@kernel
def draw_leaning(unseen: Numbers, leans: Numbers, stream: Stream) -> int:
    """Draw a random kind of card. Remove one card of this kind from ``unseen``, and return the kind.

    The probability of a kind is proportional to its count in ``unseen`` times its weight in ``leans``.
    """
    # A loop, because Numba writes the path of this file into the library for a product of arrays (docs/why/release.md).
    total = 0
    for kind in range(state.KINDS):
        total += int(unseen[kind]) * int(leans[kind])
    at = below(stream, total)
    for kind in range(state.KINDS):
        at -= int(unseen[kind]) * int(leans[kind])
        if at < 0:
            unseen[kind] -= 1
            return wide(kind)
    return wide(state.JOKER)
