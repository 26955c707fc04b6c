"""Kernels that estimate the cost of a hand (see :func:`judge`) with a learned network.

They use only facts that the seat knows. ``net`` is the network that :mod:`.learning` trained. It has one row for each
hidden unit: the weights of the features, an offset, and the weight of the unit in the cost.
``tuned`` has the numbers that :mod:`.shrewd` describes.

docs/why/hands.md has the reasons for this design.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.planning import FAR, Wish, lacking
from spelunke.games.sanghai.state import (
    State,
    cards_wanted,
    hep_limit,
    is_wild,
    run_length,
    runs_wanted,
    sets_wanted,
    wide,
    worth_of,
)

Reals = npt.NDArray[np.float64]
SIGNS: Final = 41
"""The number of features of a hand."""
OFFSET: Final = 0
"""The index of the tuned number that is added to each cost. The other indexes are in :mod:`.shrewd`."""


@kernel
def judge(net: Reals, tuned: Reals, signs: Reals) -> float:
    """Return the expected cost of a hand: its seat's points in this round minus the mean points of the other seats.

    ``signs`` has the features of the hand.
    """
    cost = tuned[OFFSET]
    for unit in range(len(net)):
        level = net[unit, SIGNS]
        for k in range(SIGNS):
            level += net[unit, k] * signs[k]
        if level > 0.0:
            cost += net[unit, SIGNS + 1] * level
    return float(cost)


@kernel
def read_table(s: State, seat: int, signs: Reals) -> None:
    """Write into ``signs`` the features that do not depend on the seat's hand. Set all other features to 0."""
    signs[:] = 0.0
    laid = 0
    least = 20
    fewest = 20
    for other in range(s.seats):
        if other != seat:
            fewest = min(fewest, int(s.held[other]))
            if s.laid[other] != 0:
                laid += 1
                least = min(least, int(s.held[other]))
    others = float(s.seats - 1)
    signs[8] = sets_wanted(s) / 4.0
    signs[9] = runs_wanted(s) / 3.0
    signs[10] = runs_wanted(s) * run_length(s) / 12.0
    signs[11] = laid / others
    signs[12] = 2.0 / (1.0 + least) if laid > 0 else 0.0
    signs[13] = s.turns / (10.0 * s.seats)
    signs[14] = (hep_limit(s) - s.heps[seat]) / 3.0
    signs[15] = float(s.laid[(seat + 1) % s.seats])
    signs[16] = s.seats / 8.0
    away = (int(s.turn) - seat) % int(s.seats)
    signs[17] = ((int(s.seats) - away) % int(s.seats)) / others
    signs[18] = 1.0 if s.phase == state.DRAWING and s.turn == seat else 0.0
    signs[19] = 1.0 if laid > 0 and least <= 2 else 0.0
    signs[20] = fewest / 12.0
    signs[27] = min(1.0, s.turns / (3.0 * s.seats))
    following = (seat + 1) % s.seats
    signs[28] = 2.0 / (1.0 + s.held[following]) if s.laid[following] != 0 else 0.0
    second = 20
    skipped = False
    for other in range(s.seats):
        if other != seat and s.laid[other] != 0:
            if s.held[other] == least and not skipped:
                skipped = True
            else:
                second = min(second, int(s.held[other]))
    signs[29] = 2.0 / (1.0 + second)
    most = 0
    for other in range(s.seats):
        if other != seat and s.laid[other] == 0:
            taken = 0
            for kind in range(state.KINDS):
                taken += int(s.taken[other, kind])
            most = max(most, taken)
            if other == following:
                signs[36] = taken / 4.0
    signs[37] = most / 6.0


@kernel
def count_outs(helps: Numbers, unseen: Numbers) -> int:
    """Return the number of unseen cards whose kind is marked in ``helps``."""
    outs = 0
    for kind in range(state.KINDS):
        if helps[kind] != 0:
            outs += int(unseen[kind])
    return wide(outs)


@kernel
def read_ranks(h: Numbers, unseen: Numbers, whole: float, signs: Reals) -> None:
    """Write into ``signs`` the features of beginnings of sets: pairs, triplets, and the unseen cards that would help.

    ``h`` has the counts of the hand, and ``unseen`` the counts of the unseen cards. ``whole`` is the sum of ``unseen``.
    """
    pairs = 0
    threes = 0
    live_pairs = 0
    live_ones = 0
    for rank in range(13):
        mine = h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39]
        if mine == 0:
            continue
        live = int(unseen[rank]) + unseen[rank + 13] + unseen[rank + 26] + unseen[rank + 39]
        if mine >= 3:
            threes += 1
        if mine == 2:
            pairs += 1
            live_pairs += live
        elif mine == 1:
            live_ones += live
    signs[22] = pairs / 5.0
    signs[23] = threes / 4.0
    signs[30] = 4.0 * live_pairs / whole
    signs[31] = 4.0 * live_ones / whole


@kernel
def read_suits(h: Numbers, unseen: Numbers, whole: float, signs: Reals) -> None:
    """Write into ``signs`` three features of possible runs: the complete runs, and unseen cards for incomplete runs.

    One feature counts the unseen cards for runs that lack one card, and another those for runs that lack two cards.
    The parameters are those of :func:`read_ranks`.
    """
    near = 0
    gaps = 0
    live_gaps = 0
    for suit in range(4):
        for low in range(1, 12):
            mine = 0
            live = 0
            for place in range(low, low + 4):
                kind = 13 * suit + (place - 1) % 13
                if h[kind] > 0:
                    mine += 1
                else:
                    live += int(unseen[kind])
            if mine == 3:
                gaps += live
            elif mine == 2:
                live_gaps += live
            elif mine == 4:
                near += 1
    signs[24] = near / 4.0
    signs[32] = 8.0 * gaps / whole
    signs[33] = 4.0 * live_gaps / whole


@kernel
def lonely_points(s: State, h: Numbers) -> int:
    """Return the points of the lonely cards in the hand ``h``.

    A lonely card is the only card of its rank in the hand, and the hand has no other card of its suit within 2 places.
    The ace has place 1, and also place 14: it is within 2 places of the queen and of the king.
    """
    lonely = 0
    for suit in range(4):
        for rank in range(13):
            kind = 13 * suit + rank
            if h[kind] == 1 and h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39] == 1:
                alone = True
                for other in (rank - 2, rank - 1, rank + 1, rank + 2):
                    if other >= 0 and other <= 13 and h[13 * suit + other % 13] > 0:
                        alone = False
                if alone:
                    lonely += worth_of(s, wide(kind))
    return wide(lonely)


@kernel
def read_hand(
    s: State,
    h: Numbers,
    held: int,
    want: Wish,
    unseen: Numbers,
    known: Numbers,
    count: int,
    helps: Numbers,
    signs: Reals,
) -> int:
    """Write into ``signs`` the features of a hand: missing cards, helping cards, points, and beginnings of melds.

    Return the number of missing cards, and mark the helping cards in ``helps`` (see :func:`.planning.lacking`). ``h``
    has the counts of the hand, and ``held`` is their sum. ``unseen`` has the counts of the unseen cards, and ``count``
    is their sum. ``known`` has the counts of the cards that other seats openly took.
    """
    far = lacking(h, want, wide(FAR), helps)
    outs = count_outs(helps, unseen)
    owned = count_outs(helps, known)
    points = 0
    wilds = 0
    dear = 0
    for kind in range(state.KINDS):
        if h[kind] > 0:
            worth = worth_of(s, wide(kind))
            points += int(h[kind]) * worth
            if is_wild(s, wide(kind)):
                wilds += int(h[kind])
            elif worth > 9:
                dear += int(h[kind])
    whole = max(1.0, float(count))
    read_ranks(h, unseen, whole, signs)
    read_suits(h, unseen, whole, signs)
    lonely = lonely_points(s, h)
    signs[0] = far / 4.0
    signs[1] = 1.0 if far == 0 else 0.0
    signs[2] = 1.0 if far == 1 else 0.0
    signs[3] = 1.0 if far == 2 else 0.0
    signs[4] = outs / whole
    signs[5] = points / 100.0
    signs[6] = held / 12.0
    signs[7] = wilds / 3.0
    signs[21] = max(0, cards_wanted(s) - held) / 4.0
    signs[25] = dear / 8.0
    signs[26] = (held - cards_wanted(s)) / 6.0
    signs[34] = lonely / 40.0
    signs[35] = (points - lonely) / 100.0
    signs[40] = owned / 4.0
    return far


@kernel
def value_of(
    s: State,
    h: Numbers,
    held: int,
    want: Wish,
    live: Numbers,
    known: Numbers,
    count: int,
    net: Reals,
    tuned: Reals,
    signs: Reals,
) -> float:
    """Return the expected cost of a hand (see :func:`judge`).

    ``signs`` must have the features that :func:`read_table` writes. ``live`` has the counts of
    the unseen cards, and ``count`` is their sum. ``known`` has the counts of the cards that other seats openly took.
    """
    helps = np.zeros(state.KINDS, np.int16)
    read_hand(s, h, held, want, live, known, count, helps, signs)
    return judge(net, tuned, signs)


@kernel
def look_ahead(
    s: State,
    h: Numbers,
    held: int,
    want: Wish,
    live: Numbers,
    known: Numbers,
    count: int,
    net: Reals,
    tuned: Reals,
    signs: Reals,
) -> float:
    """Return the expected cost of a hand: the mean over all cards that may be drawn next.

    If the drawn card helps, the mean includes the cost of the hand after the best discard. Otherwise it includes the
    cost of the present hand. The arguments are as in :func:`value_of`.
    """
    helps = np.zeros(state.KINDS, np.int16)
    none = np.zeros(0, np.int16)
    far = read_hand(s, h, held, want, live, known, count, helps, signs)
    here = judge(net, tuned, signs)
    gained = 0.0
    for kind in range(state.KINDS):
        if helps[kind] == 0 or live[kind] == 0:
            continue
        h[kind] += 1
        live[kind] -= 1
        best = here
        for gone in range(state.KINDS):
            if h[gone] == 0:
                continue
            h[gone] -= 1
            if lacking(h, want, wide(far), none) < far:
                best = min(best, value_of(s, h, held, want, live, known, count, net, tuned, signs))
            h[gone] += 1
        live[kind] += 1
        h[kind] -= 1
        gained += live[kind] * (here - best)
    return float(here - gained / max(1.0, float(count)))
