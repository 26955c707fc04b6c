"""Kernels that choose a seat's actions by the learned costs of hands (:mod:`.estimates`).

The best of several estimates is too often the one with the largest error. So another choice
replaces the planner's choice (:mod:`.quick`) only if it is better by a margin. For calls, the margin is 0.

``net`` is the network that :mod:`.learning` trained. ``tuned`` has the offset (a number that is added to each cost)
and a few other numbers. Players with different values of these other numbers played games against each other, and the
best values were chosen.

docs/why/hands.md has the reasons for this design.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.chance import below
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.sanghai import quick, state
from spelunke.games.sanghai.estimates import SIGNS, Reals, look_ahead, read_table, value_of
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.state import State, is_wild, wide
from spelunke.games.sanghai.traces import count_live, weigh_danger
from spelunke.games.sanghai.turns import asked

# The index of each tuned number. OFFSET, the first, is in `estimates`.
WILD: Final = 1
"""The index of the extra cost of discarding a wild card, in points."""
THROW: Final = 2
"""The index of a margin: the points by which another discard must be better than the planner's.

``DRAW`` and ``CALL`` are the indices of the margins for draws and calls.
"""
DRAW: Final = 3
CALL: Final = 4
CLOSE: Final = 5
"""The index of a limit: a discard is compared again if its cost exceeds the lowest cost by at most this limit.

This second comparison uses the mean costs after the next draw (:func:`look_at_throws`). If the limit is 0, there is no
second comparison.
"""
LEARNED: Final = 6
"""The index of a mask with a bit for each value of the option ``schedule``.

The bit is 1 if the contracts of this schedule were learned.
"""
NARROW: Final = 7
"""The index of a limit: a choice is compared again by playouts if its cost exceeds the lowest by at most this limit.

If the limit is 0, no choices are compared in this way. See :mod:`.foresight`.
"""
WORLDS: Final = 8
"""The index of the number of random deals of the hidden cards in which close choices are played out."""
TRUST: Final = 9
"""The index of the number of playouts whose mean counts as much as the learned cost."""
TUNED: Final = 10
FIRM: Final = 1000.0
"""A margin in points that no estimate reaches.

If the margin for discards, draws or calls has this value, the planner alone decides on them.
"""


@kernel
def weigh_throws(s: State, seat: int, h: Numbers, held: int, net: Reals, tuned: Reals, out: Reals) -> float:
    """Write into ``out``, for each kind in the hand, the expected cost of the hand after a discard of that kind.

    Each cost includes the danger that the next player takes the discard or another player calls for it. Return the
    least cost.
    """
    live = np.empty(state.KINDS, np.int16)
    known = np.empty(state.KINDS, np.int16)
    signs = np.zeros(SIGNS)
    next_wants = np.empty(state.KINDS)
    calls = np.empty(state.KINDS)
    want = wish_of(s)
    count = count_live(s, seat, live, known)
    weigh_danger(s, seat, h, next_wants, calls)
    read_table(s, seat, signs)
    signs[17] = 1.0
    signs[18] = 0.0
    least = 1e9
    for kind in range(state.KINDS):
        out[kind] = 1e9
        if h[kind] == 0:
            continue
        h[kind] -= 1
        signs[38] = next_wants[kind]
        signs[39] = calls[kind]
        cost = value_of(s, h, held - 1, want, live, known, count, net, tuned, signs)
        if is_wild(s, wide(kind)):
            cost += tuned[WILD]
        h[kind] += 1
        out[kind] = cost
        least = min(least, cost)
    return float(least)


@kernel
def look_at_throws(
    s: State, seat: int, h: Numbers, held: int, usual: int, net: Reals, tuned: Reals, costs: Reals
) -> float:
    """Compare the best discards by their mean cost after the next draw, and write these costs into ``costs``.

    When this kernel is called, ``costs`` must have the costs from :func:`weigh_throws`. Only the discard ``usual`` and
    discards close to the best one are compared. All others get a prohibitive cost. Return the least cost.
    """
    live = np.empty(state.KINDS, np.int16)
    known = np.empty(state.KINDS, np.int16)
    signs = np.zeros(SIGNS)
    want = wish_of(s)
    count = count_live(s, seat, live, known)
    read_table(s, seat, signs)
    signs[17] = 1.0
    signs[18] = 0.0
    reach = costs.min() + tuned[CLOSE]
    for kind in range(state.KINDS):
        if costs[kind] > reach and kind != usual:
            costs[kind] = 1e9
        elif h[kind] > 0:
            h[kind] -= 1
            bare = value_of(s, h, held - 1, want, live, known, count, net, tuned, signs)
            costs[kind] += look_ahead(s, h, held - 1, want, live, known, count, net, tuned, signs) - bare
            h[kind] += 1
    return float(costs.min())


@kernel
def price_throws(s: State, seat: int, usual: int, net: Reals, tuned: Reals, costs: Reals) -> float:
    """Write the expected cost of each possible discard into ``costs``. Return the least cost.

    If ``tuned[CLOSE]`` is positive, the costs of the best discards are estimated again (:func:`look_at_throws`).
    """
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    held = wide(s.held[seat])
    least = weigh_throws(s, seat, h, held, net, tuned, costs)
    if tuned[CLOSE] > 0.0:
        least = look_at_throws(s, seat, h, held, usual, net, tuned, costs)
    return least


@kernel
def best_throw(s: State, seat: int, net: Reals, tuned: Reals) -> int:
    """Return the discard with the least expected cost if it costs clearly less than the planner's discard.

    Otherwise return the planner's discard.
    """
    usual = quick.worst_card(s, seat)
    if tuned[THROW] >= FIRM:
        return usual
    costs = np.empty(state.KINDS)
    least = price_throws(s, seat, wide(usual - state.DISCARD), net, tuned, costs)
    if costs[usual - state.DISCARD] - tuned[THROW] <= least:
        return usual
    for kind in range(state.KINDS):
        if costs[kind] <= least:
            return wide(state.DISCARD + kind)
    return usual


@kernel
def price_top(s: State, seat: int, net: Reals, tuned: Reals) -> float:
    """Return the expected gain of taking the top discard rather than a card from the stock, for the seat on turn.

    If the planner would take the discard, ``tuned[DRAW]`` points are added to the gain. Otherwise they are subtracted.
    """
    h = np.empty(state.KINDS, np.int16)
    live = np.empty(state.KINDS, np.int16)
    known = np.empty(state.KINDS, np.int16)
    signs = np.zeros(SIGNS)
    h[:] = s.hand[seat]
    held = wide(s.held[seat])
    count = count_live(s, seat, live, known)
    read_table(s, seat, signs)
    signs[18] = 1.0
    gain = value_of(s, h, held, wish_of(s), live, known, count, net, tuned, signs)
    h[s.top] += 1
    costs = np.empty(state.KINDS)
    gain -= weigh_throws(s, seat, h, held + 1, net, tuned, costs)
    return float(gain + (tuned[DRAW] if quick.wants_top(s, seat) else -tuned[DRAW]))


@kernel
def wants_top(s: State, seat: int, net: Reals, tuned: Reals) -> bool:
    """Return whether the seat on turn takes the top discard rather than a card from the stock."""
    if s.laid[seat] != 0 or tuned[DRAW] >= FIRM:
        return quick.wants_top(s, seat)
    return bool(price_top(s, seat, net, tuned) > 0.0)


@kernel
def price_call(s: State, seat: int, net: Reals, tuned: Reals) -> float:
    """Return the expected gain of having the top discard as an additional card, for a seat that may call.

    If the planner would call, ``tuned[CALL]`` points are added to the gain. Otherwise they are subtracted.
    """
    h = np.empty(state.KINDS, np.int16)
    live = np.empty(state.KINDS, np.int16)
    known = np.empty(state.KINDS, np.int16)
    signs = np.zeros(SIGNS)
    want = wish_of(s)
    h[:] = s.hand[seat]
    held = wide(s.held[seat])
    count = count_live(s, seat, live, known)
    read_table(s, seat, signs)
    gain = value_of(s, h, held, want, live, known, count, net, tuned, signs)
    h[s.top] += 1
    signs[14] -= 1.0 / 3.0
    gain -= value_of(s, h, held + 1, want, live, known, count, net, tuned, signs)
    return float(gain + (tuned[CALL] if quick.wants_call(s, seat) else -tuned[CALL]))


@kernel
def wants_call(s: State, seat: int, net: Reals, tuned: Reals) -> bool:
    """Return whether the seat calls for the top discard."""
    if tuned[CALL] >= FIRM:
        return quick.wants_call(s, seat)
    return bool(price_call(s, seat, net, tuned) > 0.0)


@kernel
def choose(s: State, seat: int, net: Reals, tuned: Reals, out: Numbers, stream: Stream) -> int:
    """Return the action that the seat chooses. Call this kernel only if the seat can't lay its contract now.

    If the network was trained on the contracts of this game's schedule, the learned costs decide on draws, calls and
    discards until the seat has laid. All other choices are those of :mod:`.quick`.
    """
    if not int(tuned[LEARNED]) >> int(s.options[state.SCHEDULE]) & 1:
        return quick.answer(s, seat, out, stream)
    phase = s.phase
    if phase == state.WINDOW:
        if seat != s.turn:
            return wide(state.HEP if wants_call(s, seat, net, tuned) else state.PASS)
        if wants_top(s, seat, net, tuned):
            return wide(state.TAKE)
        return wide(state.STOCK if asked(s) == 0 else state.WAIT)
    if phase == state.VOTING:
        return wide(state.VOTE + s.caller[below(stream, int(s.tied))])
    if phase == state.OPENING:
        return wide(state.STOCK)
    if s.laid[seat] != 0:
        return quick.go_out(s, seat, out)
    return best_throw(s, seat, net, tuned)


def usual() -> Reals:
    """Return the default ``tuned`` of the learned player, with the offset 0.

    The offset is a number that is added to each cost. Learning sets it together with the network.
    """
    found = np.zeros(TUNED)
    found[[WILD, THROW, DRAW, CALL, CLOSE]] = 20.0, 1.0, 2.0, 0.0, 4.0
    found[[NARROW, WORLDS, TRUST]] = 4.0, 24.0, 12.0
    return found
