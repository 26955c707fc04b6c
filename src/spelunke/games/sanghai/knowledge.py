"""An evaluation of positions, for bots that look ahead. The bots of :mod:`.bots` use the planner instead."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planning import FAR, lacking
from spelunke.games.sanghai.state import DEALING, FINISHED, KINDS, State, hand_points, rounds, wide

LATE = 7.0
"""The approximate cost of a missing card, in points. Rounds often end before the card comes."""


@kernel
def worth(s: State, seat: int) -> float:
    """Return the mean points of the other seats minus the points of this seat, because fewer points are better.

    The points include the expected points of the hands in this round.
    """
    mine = 0.0
    others = 0.0
    for who in range(s.seats):
        value = 0.0
        for lap in range(rounds(s)):
            value += s.sheet[lap, who]
        if s.phase != FINISHED:
            value += threat(s, who)
        if who == seat:
            mine = value
        else:
            others += value
    return float(others / (s.seats - 1) - mine)


@kernel
def threat(s: State, seat: int) -> float:
    """Return the expected points of the seat's hand at the end of this round."""
    points = float(hand_points(s, seat))
    if s.laid[seat] != 0:
        return 0.6 * points
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    far = lacking(h, wish_of(s), wide(FAR), h[:0])
    return 0.5 * points + LATE * min(far, 5)


@kernel
def quiescent(s: State) -> bool:
    """Return whether a search should stop at this position.

    A search stops while chance chooses the first dealer, and while the cards of a round are being dealt.
    """
    return bool(s.phase <= DEALING)
