"""Random deals of the hidden cards that fit one seat's view, weighted by the public actions of the other seats."""

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
    """Deal the hands of the other seats and the stock again at random, in place. ``seat`` -1 deals all hands again.

    A card that a seat openly took, and has not played since, stays in its hand. The other cards are dealt one
    by one, weighted by their probability in that hand. The cards of the pile stay.
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
    """Draw a kind by its weight, and remove one card of it from ``unseen``. Return the kind."""
    weights = unseen.astype(np.int64) * leans
    at = below(stream, int(weights.sum()))
    for kind in range(state.KINDS):
        at -= int(weights[kind])
        if at < 0:
            unseen[kind] -= 1
            return wide(kind)
    return wide(state.JOKER)
