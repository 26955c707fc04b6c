"""Kernels for quick choices in playouts.

They choose draws, calls, additions and discards like :class:`.bots.PlannerBot`. Votes are random, and each step of a
laying is the last legal one. The kernels use only the seat's own cards and the open cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.sanghai import state
from spelunke.games.sanghai.laying import legal_steps, may_lay, wish_of
from spelunke.games.sanghai.melds import fits, legal_swaps, may_add
from spelunke.games.sanghai.planning import FAR, Wish, lacking_less, lacking_without
from spelunke.games.sanghai.state import State, cards_wanted, is_wild, wide, worth_of
from spelunke.games.sanghai.turns import asked

KEEP_WILD: Final = 40.0
"""The extra cost, in points, of discarding a wild card before the contract is laid."""
HELPS_OTHERS: Final = 6.0
"""The cost, in points, of discarding a card that somebody could add to a meld at once."""


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick choice (see :func:`spelunke.core.contract.answer`)."""
    phase = s.phase
    if phase == state.WINDOW:
        if seat != s.turn:
            return wide(state.HEP if wants_call(s, seat) else state.PASS)
        if wants_top(s, seat):
            return wide(state.TAKE)
        return wide(state.STOCK if asked(s) == 0 else state.WAIT)
    if phase == state.VOTING:
        return wide(state.VOTE + s.caller[below(stream, int(s.tied))])
    if phase == state.OPENING:
        return wide(state.STOCK)
    if phase == state.TURN:
        if s.laid[seat] != 0:
            return go_out(s, seat, out)
        if not may_lay(s, seat):
            return worst_card(s, seat)
    n = legal_steps(s, seat, out, wide(0))
    return wide(out[n - 1])


@kernel
def wants_top(s: State, seat: int) -> bool:
    """Return whether the seat wants the top discard, because it helps the contract or can be added to a meld."""
    if s.laid[seat] != 0:
        return addable(s, wide(s.top))
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    return lacking_less(h, wish_of(s), wide(s.top), wide(FAR))[1]


@kernel
def wants_call(s: State, seat: int) -> bool:
    """Return whether the top discard is worth a call, by the rule of :meth:`.bots.PlannerBot.wants_call`."""
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    far, less = lacking_less(h, wish_of(s), wide(s.top), wide(FAR))
    size = cards_wanted(s)
    short = size - int(s.held[seat])
    if less:
        return short > 0 or far <= 3 or size >= 9
    return short > 0 and is_wild(s, wide(s.top))


@kernel
def addable(s: State, kind: int) -> bool:
    """Return whether a card of ``kind`` can be added to a meld on the table."""
    for m in range(s.melds):
        for end in range(3):
            if fits(s, kind, wide(m), wide(end)):
                return True
    return False


@kernel
def go_out(s: State, seat: int, out: Numbers) -> int:
    """Return an action for a seat that has laid its contract.

    The action swaps a wild card out if possible. Otherwise it adds the fitting card with the most points, but a wild
    card only if no other card fits. If nothing can be swapped or added, it discards the least useful card.
    """
    if s.held[seat] > 1 and may_add(s, seat):
        if s.options[state.JOKER_SWAP] != 0 and legal_swaps(s, seat, out, wide(0)) > 0:
            return wide(out[0])
        best = wide(-1)
        most = -1
        for kind in range(state.KINDS):
            if s.hand[seat, kind] == 0:
                continue
            value = worth_of(s, wide(kind)) - (100 if is_wild(s, wide(kind)) else 0) + 100
            if value <= most:
                continue
            for m in range(s.melds):
                for end in range(3):
                    if fits(s, wide(kind), wide(m), wide(end)):
                        best = wide(state.ADD + (32 * kind + m) * 3 + end)
                        most = value
        if best >= 0:
            return best
    return worst_card(s, seat)


@kernel
def worst_card(s: State, seat: int) -> int:
    """Return the action that discards the least useful card, which is chosen as in :func:`.hints.best_discard`."""
    score = np.empty(state.KINDS, np.float64)
    points = np.empty(state.KINDS, np.int16)
    others_laid = False
    for other in range(s.seats):
        if other != seat and s.laid[other] != 0:
            others_laid = True
    for kind in range(state.KINDS):
        points[kind] = worth_of(s, wide(kind))
    if s.laid[seat] != 0:
        for kind in range(state.KINDS):
            score[kind] = points[kind] if s.hand[seat, kind] > 0 else -1e9
    else:
        h = np.empty(state.KINDS, np.int16)
        unseen = np.empty(state.KINDS, np.int16)
        h[:] = s.hand[seat]
        count_unseen(s, seat, unseen)
        look_over(h, wish_of(s), unseen, points, score)
    best = wide(-1)
    for kind in range(state.KINDS):
        if s.hand[seat, kind] == 0:
            continue
        if others_laid and addable(s, wide(kind)):
            score[kind] -= HELPS_OTHERS
        if s.laid[seat] == 0 and is_wild(s, wide(kind)):
            score[kind] -= KEEP_WILD
        if best < 0 or score[kind] > score[best]:
            best = wide(kind)
    return wide(state.DISCARD) + best


@kernel
def count_unseen(s: State, seat: int, unseen: Numbers) -> int:
    """Write into ``unseen``, for each kind, the number of cards that the seat can't see. Return their sum."""
    unseen[:] = s.stock
    for other in range(s.seats):
        if other != seat:
            unseen += s.hand[other]
    if s.options[state.SHOW_DISCARDS] == 0 and s.piled > 0:
        unseen += s.pile
        unseen[s.top] -= 1
    count = 0
    for kind in range(state.KINDS):
        count += int(unseen[kind])
    return wide(count)


@kernel
def look_over(h: Numbers, want: Wish, unseen: Numbers, points: Numbers, out: npt.NDArray[np.float64]) -> None:
    """Write into ``out``, for each kind in the hand, the value of the hand after a discard of this kind.

    This is faster than :func:`.hints.survey`. If the discard leaves the fewest missing cards, the value counts missing
    cards, helping cards and points. Otherwise the value counts only missing cards.
    """
    fars = np.zeros(state.KINDS, np.int16)
    outs = np.zeros(state.KINDS, np.int16)
    least = lacking_without(h, want, unseen, fars, outs)
    for kind in range(state.KINDS):
        if h[kind] == 0:
            out[kind] = -1e9
        elif fars[kind] > least:
            out[kind] = -100.0 * fars[kind]
        else:
            out[kind] = -100.0 * least + 1.2 * outs[kind] + points[kind]
