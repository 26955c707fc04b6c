"""The playouts of Halunken for analyses: quick choices for two hours (rounds), then an estimate from the crews.

Only the number for a Rum is chosen with more care than in :mod:`.quick`: all cards are open then, so the rest of the
hour can be foreseen. In the last hour, this number often decides the game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.analysis import playouts
from spelunke.core.kernel import copy, kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.halunken import first_look, quick, state
from spelunke.games.halunken.choices import legal
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.quick import gain, loss
from spelunke.games.halunken.sailors import (
    COLOURS,
    NONE,
    PLACE,
    SAILOR,
    VALUE,
    colour_of,
    worth_of,
)
from spelunke.games.halunken.state import FIELDS, FIGURES, JACK, NOBODY, RUM, State
from spelunke.games.halunken.view import View
from spelunke.games.halunken.walking import shows

KERNELS = {"quick": "stage"}
Reals: TypeAlias = npt.NDArray[np.float64]

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

UNSEEN: Final = 4.0
"""The standard deviation of the points of a sailor that nobody has seen yet."""


@kernel
def favourite(s: State, thief: int, crew: Numbers) -> int:
    """Return the sailor of ``crew`` that the thief would take, or NONE if the crew is empty (:func:`.quick.take`)."""
    best = NONE
    most = -1000.0
    for colour in range(COLOURS):
        mask = int(crew[colour])
        while mask:
            bit = mask & -mask
            sailor = int(SAILOR[colour, PLACE[bit % 19]])
            found = gain(s, thief, sailor) + quick.ENVY * VALUE[sailor]
            if found > most:
                most = found
                best = sailor
            mask ^= bit
    return best


@kernel
def unseen_gain(s: State, seat: int) -> float:
    """Return the mean of the points that the sailors that nobody has seen yet would bring the seat's crew.

    In a crew, one colour counts double. The seat's crew is assumed to keep this colour.
    """
    twice = colour_of(s.crew[seat])
    total = 0
    n = 0
    for colour in range(COLOURS):
        mask = int(s.unseen[colour])
        while mask:
            bit = mask & -mask
            total += (PLACE[bit % 19] + 1) * (2 if colour == twice else 1)
            n += 1
            mask ^= bit
    return total / max(1, n)


@kernel
def push(at: Numbers, figure: int) -> None:
    """Put a figure on the next free field. ``at`` has the field of each figure."""
    field = at[figure]
    taken = True
    while taken:
        field = (field + 1) % FIELDS
        taken = False
        for other in range(FIGURES):
            taken = taken or at[other] == field
    at[figure] = field


@kernel
def meet(s: State, mover: int, other: int, took: int, hands: Numbers, points: Reals) -> None:
    """Change ``points`` and ``hands`` as if ``mover`` robbed the captain that it meets (``other``).

    If ``other`` is Black Jack, ``mover`` takes a sailor from the harbour instead. The crews in the state stay the same.

    ``took`` is 1 if the mover has just taken a sailor in the tavern, else 0.
    """
    if other == JACK:
        sailor = favourite(s, mover, s.harbour)
    else:
        mine = hands[mover] - (took if s.options[state.ROB_COUNT] == state.BEFORE else 0)
        if mine > hands[other]:
            return
        sailor = favourite(s, mover, s.crew[other])
        if sailor != NONE:
            hands[other] -= 1
            points[other] -= loss(s, other, sailor)
    if sailor != NONE:
        hands[mover] += 1
        points[mover] += gain(s, mover, sailor)


@kernel
def foresee(
    s: State, seat: int, number: int, at: Numbers, taken: Numbers, hands: Numbers, points: Reals
) -> float:
    """Return the value that the rest of the hour (the round) has for the seat if the seat's Rum counts as ``number``.

    All captains move in order, take sailors and rob. A sailor that nobody has seen yet counts as the mean of all such
    sailors. Sailors that Black Jack takes count for nobody. With three or four players, Black Jack's own move is left
    out.

    Before the last hour of a match, the value is the lead over the mean of the other seats. In the last hour, the value
    grows with the chance to win: it is about 1 for a sure win, and about -1 for a sure loss. The other arguments are
    scratch space.
    """
    taken[:] = 0
    for figure in range(FIGURES):
        at[figure] = s.field[figure]
        if (s.staying >> figure) & 1:
            taken[at[figure]] = 1
    for who in range(s.seats):
        hands[who] = s.hands[who] + ((s.staying >> who) & 1)
        points[who] = s.total[who] + worth_of(s.crew[who])
    dark = False
    for step in range(1, RUM):
        mover = seat if step == number else NOBODY
        for figure in range(FIGURES):
            if (s.moving >> figure) & 1 and shows(s, figure) == step:
                mover = figure
        if mover == NOBODY:
            continue
        field = (at[mover] + step) % FIELDS
        other = NOBODY
        for figure in range(FIGURES):
            if at[figure] == field and figure != mover:
                other = figure
        at[mover] = field
        took = 0
        if taken[field] < s.under[field] + (s.top[field] != NONE):
            took = 1
        if mover != JACK and took:
            hands[mover] += 1
            if taken[field] == 0:
                points[mover] += gain(s, mover, s.top[field])
            else:
                points[mover] += unseen_gain(s, mover)
                dark = True
        taken[field] += took
        if other != NOBODY:
            if mover != JACK:
                meet(s, mover, other, took, hands, points)
            push(at, other)
    return lead(s, seat, points, dark)


@kernel
def lead(s: State, seat: int, points: Reals, dark: bool) -> float:
    """Return the value of these points for the seat at the end of the hour (:func:`foresee`).

    ``dark`` is true if the points contain the mean of the unseen sailors.
    """
    best = -1000.0
    others = 0.0
    for who in range(s.seats):
        if who != seat:
            best = max(best, points[who])
            others += points[who] / (s.seats - 1)
    if s.hour < state.HOURS - 1 or (s.options[state.MATCH] == state.THREE_GAMES and s.games < 2):
        return float(points[seat] - others)
    ahead = points[seat] - best
    return float(math.erf(ahead / (1.414 * UNSEEN if dark else 0.5)) + 0.001 * ahead)


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick choice (see :func:`spelunke.core.contract.answer`).

    To choose the number for a captain's Rum, foresee the rest of the hour for each number.
    """
    if s.phase != state.NAMING or s.laid[seat] != RUM:
        return int(quick.answer(s, seat, out, stream))
    n = legal(s, seat, out)
    at = np.zeros(FIGURES, np.int16)
    taken = np.zeros(FIELDS, np.int16)
    hands = np.zeros(FIGURES, np.int16)
    points = np.zeros(FIGURES, np.float64)
    best = int(out[0])
    most = -1000.0
    for k in range(n):
        found = foresee(s, seat, int(out[k]) - state.NAME + 1, at, taken, hands, points)
        if found > most:
            most = found
            best = int(out[k])
    return best


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write an estimate of each seat's final points into ``points``.

    Only the differences between the seats are meaningful: points that all seats are expected to gain equally, such as
    the points of later games of the match, are left out.
    Return the standard deviation of the errors of these estimates, one number for all seats.

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
