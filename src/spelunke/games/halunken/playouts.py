"""The playouts of Halunken for analyses: quick choices for two hours (rounds), then an estimate from the crews."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spelunke.analysis import playouts
from spelunke.core.kernel import copy, kernel
from spelunke.games.halunken import first_look, state
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.sailors import worth_of
from spelunke.games.halunken.state import JACK, RUM, State
from spelunke.games.halunken.view import View

KERNELS = {"quick": "stage answer"}

# Three tables by number of seats (2 to 4) and remaining hours (1 to 8): the share of a crew's points that it keeps,
# the extra points of each sailor, and the standard deviation of the final points. They were fitted by least squares
# to the differences between seats, in 700 games of bots of the level "mate" for each number of seats
# (bench/advice.py).
KEEPS = np.array(
    [
        [0.93, 0.85, 0.78, 0.63, 0.51, 0.33, 0.09, 0.09],
        [0.83, 0.79, 0.74, 0.64, 0.57, 0.48, 0.44, 0.39],
        [0.91, 0.81, 0.80, 0.74, 0.71, 0.65, 0.69, 0.56],
    ]
)
EACH = np.array(
    [
        [-0.4, -0.6, -1.7, -1.8, -1.5, -0.7, 1.4, 0.0],
        [-1.8, -3.6, -5.5, -6.6, -6.8, -5.8, -5.3, 0.0],
        [-2.6, -3.8, -5.6, -6.9, -8.3, -8.5, -10.2, 0.0],
    ]
)
SPREAD = np.array(
    [
        [11.9, 15.9, 19.7, 22.1, 23.5, 24.4, 24.9, 25.0],
        [17.8, 20.7, 22.5, 24.0, 24.6, 24.9, 25.2, 25.4],
        [17.4, 21.7, 23.4, 24.7, 25.7, 26.2, 26.4, 26.7],
    ]
)


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write an estimate of each seat's final points into ``points``.

    Only the differences between the seats are meaningful: points that all seats are expected to gain equally, such as
    the points of later games of the match, are left out.
    Return the standard deviation of the final points from these estimates.

    A large crew is expected to lose points: captains with smaller crews may rob it, but it may not rob them.
    """
    left = state.HOURS - int(s.hour)
    row = int(s.seats) - 2
    for seat in range(s.seats):
        points[seat] = s.total[seat]
        if left > 0:
            points[seat] += (
                KEEPS[row, left - 1] * worth_of(s.crew[seat]) + EACH[row, left - 1] * s.hands[seat]
            )
    games = 2 - int(s.games) if s.options[state.MATCH] == state.THREE_GAMES else 0
    spread = SPREAD[row, left - 1] if left > 0 else 0.0
    return math.sqrt(spread * spread + SPREAD[row, state.HOURS - 1] * SPREAD[row, state.HOURS - 1] * games)


class HalunkenPlayouts(playouts.Playouts[State, Action, View]):
    """Playouts of two hours (rounds). All sealed cards of one hour count as one decision."""

    kernels = __name__
    parts = 2
    doubt = 0.12
    most = 16
    budget = playouts.Budget(worlds=1, first=120, last=720, here=600, chance=3600, secret=60_000, regret=400)

    def before_sealing(self, s: State) -> State | None:
        """Return the state before any seat sealed its choice. If no choice is secret now, return None.

        See :class:`spelunke.analysis.playouts.Playouts`.
        """
        if s.phase != state.CHOOSING:
            return None
        root = copy(s)
        root.sealed[:] = 0
        return root

    def first_look(self, seen: View, legal: Sequence[Action]) -> Sequence[tuple[Action, float]]:
        """Return the legal actions with a first estimate (see :class:`spelunke.analysis.playouts.Playouts`)."""
        return first_look.weigh(seen, legal)

    def sealed_by(self, s: State, seat: int) -> playouts.Steps:
        """Return the actions, as kernel numbers, with which the seat has sealed its cards in this hour.

        See :class:`spelunke.analysis.playouts.Playouts`.
        """
        steps = []
        if s.sealed[seat]:
            steps.append(state.CARD + int(s.sealed[seat]) - 1)
        if s.hirer == seat and s.sealed[JACK]:
            card = int(s.sealed[JACK])
            steps.append(state.JACK_CARD + (state.JACK_RUM if card == RUM else card - 1))
        return tuple(steps)
