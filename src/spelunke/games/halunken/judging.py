"""Judge positions at the end of an hour (a round): estimate the payoff of a seat at the end of the match.

The weights come from :mod:`.learning`.
"""

from __future__ import annotations

from math import tanh
from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.halunken.quick import catch, loss
from spelunke.games.halunken.sailors import COLOURS, PLACE, SAILOR, worth_of
from spelunke.games.halunken.state import FIELDS, FINISHED, JACK, MODE, NOBODY, RUM, STANDARD, State
from spelunke.games.halunken.walking import figure_at
from spelunke.games.halunken.weights import WEIGHTS

TRAITS: Final = 9


@kernel
def best_catch(s: State, seat: int) -> float:
    """Return the largest estimated gain in points from one of the seat's remaining movement cards 1 to 7.

    If no card gains points, return 0. The other figures are assumed to stay where they are.
    """
    best = 0.0
    for number in range(1, RUM):
        if (s.cards[seat] >> (number - 1)) & 1:
            best = max(best, catch(s, seat, seat, number))
    return best


@kernel
def most_of_a_colour(s: State, seat: int) -> int:
    """Return the number of sailors in the largest colour of the crew."""
    most = 0
    for colour in range(COLOURS):
        n = 0
        mask = int(s.crew[seat, colour])
        while mask:
            mask &= mask - 1
            n += 1
        most = max(most, n)
    return most


@kernel
def danger(s: State, seat: int) -> float:
    """Return the probability that Black Jack's next card endangers the seat's captain.

    With two players, a card endangers the captain if it leads exactly to the captain's field. Rum never does. With
    three or four players, a card endangers the captain if it lets Black Jack overtake the captain. In these
    games, Black Jack never stops on an occupied field: he goes on to the next free field, and overtakes each captain on
    the way (H-R20, H-A22).
    """
    far = (s.field[seat] - s.field[JACK]) % FIELDS
    passes = s.options[MODE] == STANDARD
    while passes and far > 1 and figure_at(s, (s.field[JACK] + far - 1) % FIELDS, JACK) != NOBODY:
        far -= 1
    n = 0
    hits = 0
    for card in range(1, 13):
        if (s.cards[JACK] >> (card - 1)) & 1:
            n += 1
            hits += card >= far if passes else card == far and card != RUM
    return hits / max(1, n)


@kernel
def traits(s: State, seat: int, out: npt.NDArray[np.float64]) -> None:
    """Write the seat's traits at the end of an hour (a round) into ``out`` (float64[9], values of the order of 1).

    Traits 0 to 3 are the points, the number of sailors, the number of sailors of the largest colour, and the result
    of :func:`best_catch`. Traits 4 to 6 are the right to open the bidding, a Rum in hand, and the danger from Black
    Jack. Traits 7 and 8 are the points that the crew would lose without its most valuable sailor, and without its
    least valuable one.

    Each trait except the right to open the bidding is relative to the mean of the other seats.
    """
    each = 1.0 / (s.seats - 1)
    for k in range(TRAITS):
        out[k] = 0.0
    for who in range(s.seats):
        sign = 1.0 if who == seat else -each
        out[0] += sign * (s.total[who] + worth_of(s.crew[who])) / 20.0
        out[1] += sign * s.hands[who]
        out[2] += sign * most_of_a_colour(s, who)
        out[3] += sign * best_catch(s, who) / 10.0
        out[5] += sign * ((s.cards[who] >> (RUM - 1)) & 1)
        out[6] += sign * danger(s, who)
        dearest = 0.0
        # The value may be negative: without one sailor of a pair, another colour may count double (H-A41).
        cheapest = 0.0
        first = True
        for colour in range(COLOURS):
            mask = int(s.crew[who, colour])
            while mask:
                bit = mask & -mask
                lost = float(loss(s, who, SAILOR[colour, PLACE[bit % 19]]))
                dearest = lost if first else max(dearest, lost)
                cheapest = lost if first else min(cheapest, lost)
                first = False
                mask ^= bit
        out[7] += sign * dearest / 10.0
        out[8] += sign * cheapest / 10.0
    out[4] = 1.0 if s.opener == seat else 0.0


@kernel
def value(s: State, seat: int) -> float:
    """Return the seat's expected payoff at the end of the match, from 1 to -1, judged at the end of an hour (a round).

    After the end of the match, return a number near 0 with the sign of the seat's lead in points. A search adds this
    number to the payoff, so that it prefers the larger lead if payoffs are equal.
    """
    if s.phase == FINISHED:
        ahead = 0.0
        for who in range(s.seats):
            ahead += s.total[who] * (1.0 if who == seat else -1.0 / (s.seats - 1))
        return 0.02 * tanh(ahead / 40.0)
    found = np.zeros(TRAITS, np.float64)
    traits(s, seat, found)
    total = 0.0
    for k in range(TRAITS):
        total += WEIGHTS[s.seats, s.hour, k] * found[k]
    return tanh(total)
