"""Kernels that estimate a seat's hand from its public actions.

Public actions are the cards that the seat took or discarded, the discards that it did not take, and its melds. The
kernels look at no hidden card. :func:`lean` weighs how likely each card is in the seat's hand, and random hands are
dealt with these weights. :func:`wants` estimates the probability that the seat wants the card that is discarded now.

The command ``python -m spelunke.games.sanghai.tracing`` fitted the weights to games between the bots of :mod:`.quick`
and :mod:`.shrewd`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.quick import addable
from spelunke.games.sanghai.state import (
    State,
    hep_limit,
    is_wild,
    run_length,
    runs_wanted,
    sets_wanted,
    wide,
    worth_of,
)

Reals = npt.NDArray[np.float64]
TRACES: Final = 16
"""The number of features of one kind of card for one seat.

Most of them describe the seat's actions with cards of the same rank, and with cards of the same suit up to three ranks
away. The others describe its actions with this kind of card, the points of the card, and whether it is wild.
"""
WHOLE: Final = 10
"""The number of further features: those of the seat and of the round."""
FINE: Final = 64
"""Weights in a redeal are whole multiples of 1 / ``FINE``."""

# With these weights, the mean log likelihood of a hidden card is -3.725 (without them -3.827). For a hand after its
# laying it is -3.151 (-3.601), and for a wanted card -0.371 (-0.468).
LEAN_UNLAID = np.array(
    [0.77, -0.12, 0.95, 0.2, -0.95, -0.04, -0.62, -0.07, -0.28, -0.05, -0.27, 0.02, 0.15, 0.15, -0.23, -0.39]
)  # fmt: skip
LEAN_LAID = np.array(
    [-3.04, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.43, 0.0, -1.87, 0.0]
)  # fmt: skip
TAKES = np.array(
    [
        0.7, -0.58, 1.63, 0.36, -1.07, 0.11, -0.68, 0.0, -0.96, 0.1, -0.45, -0.04, -1.67, -0.98, -0.19, 3.96,
        -0.91, 1.79, 0.29, 0.73, 0.44, -0.4, -0.92, -0.35, -0.96, -0.06,
    ]
)  # fmt: skip
CALLS = np.array(
    [
        0.68, -0.57, 1.63, 0.34, -1.08, 0.11, -0.66, -0.01, -0.96, 0.09, -0.44, -0.04, -1.66, -0.97, -0.19, 3.84,
        -0.97, 1.9, 0.27, 0.8, 0.46, -0.41, -0.97, -0.33, -0.92, -0.04,
    ]
)  # fmt: skip


@kernel
def read_worth(s: State, out: Reals) -> None:
    """Write into ``out``, for each kind, its points divided by 10, or -1 if the kind is wild."""
    for kind in range(state.KINDS):
        out[kind] = -1.0 if is_wild(s, wide(kind)) else worth_of(s, wide(kind)) / 10.0


@kernel
def read_traces(s: State, seat: int, worth: Reals, out: Reals) -> None:
    """Write into ``out`` a row of features for each kind of card, computed from the public actions of the seat."""
    out[:] = 0.0
    deeds = np.zeros((3, state.KINDS))
    deeds[0] = s.taken[seat]
    deeds[1] = s.thrown[seat]
    deeds[2] = s.let_go[seat]
    if s.laid[seat] != 0:
        for kind in range(state.KINDS):
            out[kind, 0] = 1.0 if addable(s, wide(kind)) else 0.0
            out[kind, 12] = min(2.0, deeds[1, kind])
            out[kind, 14] = worth[kind]
        return
    sets = sets_wanted(s) / max(1.0, float(sets_wanted(s) + runs_wanted(s)))
    ranks = np.zeros(13)
    near = np.zeros(state.KINDS)
    for way in range(3):
        ranks[:] = 0.0
        near[:] = 0.0
        for kind in range(state.JOKER):
            count = deeds[way, kind]
            if count > 0.0 and worth[kind] > 0.0:
                ranks[kind % 13] += count
                first = kind - kind % 13
                for step in range(-3, 4):
                    place = kind % 13 + step
                    if step != 0 and place >= 0 and place <= 13:
                        near[first + place % 13] += count * (1.25 - 0.25 * abs(step))
        for kind in range(state.JOKER):
            rank = min(2.0, ranks[kind % 13])
            close = min(2.0, near[kind])
            out[kind, 4 * way] = rank * sets
            out[kind, 4 * way + 1] = rank * (1.0 - sets)
            out[kind, 4 * way + 2] = close * (1.0 - sets)
            out[kind, 4 * way + 3] = close * sets
    for kind in range(state.KINDS):
        if worth[kind] < 0.0:
            out[kind] = 0.0
            out[kind, 15] = 1.0
        else:
            out[kind, 12] = min(2.0, deeds[1, kind])
            out[kind, 13] = min(2.0, deeds[2, kind])
            out[kind, 14] = worth[kind]


@kernel
def lean(s: State, seat: int, worth: Reals, traces: Reals, out: Numbers) -> None:
    """Write a weight for each kind into ``out``: the likelihood that a card of that kind is in the seat's hand.

    The weights are whole numbers; ``FINE`` stands for 1. ``worth`` comes from :func:`read_worth`, and ``traces`` is
    working space.
    """
    read_traces(s, seat, worth, traces)
    levels = (traces * (LEAN_LAID if s.laid[seat] != 0 else LEAN_UNLAID)).sum(axis=1)
    for kind in range(state.KINDS):
        out[kind] = max(1, min(40 * FINE, int(FINE * math.exp(levels[kind]))))


@kernel
def read_whole(s: State, seat: int, out: Reals) -> None:
    """Write into ``out`` the features that do not depend on a kind of card.

    They are the contract, the number of turns played, the size of the hand, calls won, cards openly taken, and
    whether any seat has laid.
    """
    laid = 0
    for other in range(s.seats):
        laid += int(s.laid[other])
    taken = 0
    for kind in range(state.KINDS):
        taken += int(s.taken[seat, kind])
    turns = s.turns / (10.0 * s.seats)
    out[0] = 1.0
    out[1] = sets_wanted(s) / 4.0
    out[2] = runs_wanted(s) / 3.0
    out[3] = runs_wanted(s) * run_length(s) / 12.0
    out[4] = turns
    out[5] = min(1.0, 4.0 * turns)
    out[6] = s.held[seat] / 12.0
    out[7] = s.heps[seat] / 3.0
    out[8] = taken / 4.0
    out[9] = 1.0 if laid > 0 else 0.0


@kernel
def wants(s: State, seat: int, kind: int, traces: Reals, whole: Reals, next_one: bool) -> float:
    """Return the probability that the seat wants a card of that kind if another seat discards it.

    If ``next_one`` is true, the seat plays next and may take the card. Otherwise it may call for the card. ``traces``
    and ``whole`` have the features of the seat.
    """
    if s.laid[seat] != 0:
        return 1.0 if next_one and traces[kind, 0] > 0.0 else 0.0
    if not next_one and s.heps[seat] >= hep_limit(s):
        return 0.0
    learned = TAKES if next_one else CALLS
    level = 0.0
    for k in range(TRACES):
        level += traces[kind, k] * learned[k]
    for k in range(WHOLE):
        level += whole[k] * learned[TRACES + k]
    return 1.0 / (1.0 + math.exp(-level))


@kernel
def weigh_danger(s: State, seat: int, kinds: Numbers, next_wants: Reals, calls: Reals) -> None:
    """Write two probabilities for each kind that has a positive number in ``kinds``.

    ``next_wants`` receives the probability that the next seat takes a discard of that kind. ``calls`` receives
    the probability that the next seat does not take it and another seat calls for it.
    """
    traces = np.zeros((state.KINDS, TRACES))
    worth = np.zeros(state.KINDS)
    whole = np.zeros(WHOLE)
    read_worth(s, worth)
    next_wants[:] = 0.0
    calls[:] = 0.0
    for away in range(1, s.seats):
        other = (seat + away) % s.seats
        read_traces(s, wide(other), worth, traces)
        read_whole(s, wide(other), whole)
        for kind in range(state.KINDS):
            if kinds[kind] > 0:
                chance = wants(s, wide(other), wide(kind), traces, whole, away == 1)
                if away == 1:
                    next_wants[kind] = chance
                else:
                    calls[kind] += (1.0 - calls[kind]) * chance
    for kind in range(state.KINDS):
        calls[kind] *= 1.0 - next_wants[kind]


@kernel
def count_live(s: State, seat: int, live: Numbers, known: Numbers) -> int:
    """Write the number of unseen cards of each kind into ``live``. Return the number of all unseen cards.

    An unseen card is in the stock, or hidden in the hand of another seat. ``known`` receives the counts of the cards
    that other seats openly took and still hold. These cards do not count as unseen.
    """
    live[:] = s.stock
    known[:] = 0
    for other in range(s.seats):
        if other != seat:
            live += s.hand[other]
            known += s.taken[other]
    live -= known
    count = 0
    for kind in range(state.KINDS):
        count += int(live[kind])
    return wide(count)
