"""An estimate of a position of Shanghaien.

It settles the row as if the round ended now. Then it estimates each nation's points from the sailors of both seats and
from the cards that are still in the deck.
"""

from __future__ import annotations

import math

from spelunke.core.kernel import kernel
from spelunke.games.shanghaien.reckoning import gain, place_of, strength, taker, unplayed
from spelunke.games.shanghaien.state import (
    COPIES,
    DEALING,
    FINISHED,
    NATIONS,
    NOTHING,
    ROUNDS,
    SAILORS,
    State,
)

SHARE = 0.35
"""The probability that a given side gets an unseen sailor. It is less than one half, because some go to nobody."""
MISSES = 0.62
"""The probability that a side without sailors of a nation doesn't get a given unseen sailor of that nation."""
VICTORY = 12.0
"""The points that winning is worth, so that bots play for the win at the end of a game."""
SPARE_TRICK = 0.6
"""The value of an unplayed trick card in addition to its one point, while it can still be played."""


@kernel
def worth(s: State, seat: int) -> float:
    """Return the seat's estimated lead over the other seat at the end of the current game, in points.

    The lead includes the points of earlier games of the match. The seat that has won more games of the match gets extra
    points (``VICTORY``). When the match is over, the result contains no estimates.
    """
    other = 1 - seat
    if s.phase == FINISHED:
        margin = float(s.total[seat] - s.total[other])
        if s.wins[seat] != s.wins[other]:
            margin += VICTORY if s.wins[seat] > s.wins[other] else -VICTORY
        return margin
    total = float(unplayed(s, seat) - unplayed(s, other))
    total += float(s.total[seat] - s.total[other]) + VICTORY * float(s.wins[seat] - s.wins[other])
    if s.tavern < ROUNDS - 1:
        total += SPARE_TRICK * float(unplayed(s, seat) - unplayed(s, other))
    for nation in range(NATIONS):
        mine = strength(s, seat, nation)
        theirs = strength(s, other, nation)
        if s.end > 0:
            for number in range(6):
                place = place_of(number, s.end)
                kind = s.row[place]
                if kind >> 2 == nation and kind < SAILORS and not s.down[place]:
                    winner = taker(s, number)
                    if winner == seat:
                        mine += (kind & 3) + 1
                    elif winner == other:
                        theirs += (kind & 3) + 1
        total += prospect(s, nation, mine, theirs)
    if s.end > 0:
        for number in range(6):
            place = place_of(number, s.end)
            if s.row[place] >= SAILORS and not s.down[place]:
                winner = taker(s, number)
                if winner != NOTHING:
                    card = 1.0 + SPARE_TRICK if s.tavern < ROUNDS - 1 else 1.0
                    total += card if winner == seat else -card
    return total


@kernel
def prospect(s: State, nation: int, mine: int, theirs: int) -> float:
    """Return the expected lead of one side over the other in a nation, in points.

    ``mine`` and ``theirs`` are the sums of each side's sailors of this nation. Cards of this nation that are still in
    the deck may change these sums.
    """
    cards = 0
    pips = 0
    squares = 0
    for value in range(4):
        n = min(s.deck[4 * nation + value], COPIES[value])
        cards += n
        pips += n * (value + 1)
        squares += n * (value + 1) * (value + 1)
    if cards == 0:
        return float(gain(mine, theirs) - gain(theirs, mine))
    coming = SHARE * pips
    lead = math.tanh((mine - theirs) / (1.2 * math.sqrt(squares) + 0.5))
    contested = lead * (min(mine, theirs) + coming)
    if mine > 0 and theirs > 0:
        return contested
    alone = MISSES**cards
    if theirs == 0 and mine > 0:
        return alone * (mine + coming) + (1.0 - alone) * contested
    if mine == 0 and theirs > 0:
        return -alone * (theirs + coming) + (1.0 - alone) * contested
    return 0.0


@kernel
def quiescent(s: State) -> bool:
    """Return whether a search should stop at this position. It stops while a new row is being dealt."""
    return s.phase == DEALING
