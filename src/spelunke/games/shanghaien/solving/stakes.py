"""The values of games and matches for the two aims of play: many points, or a win."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

from spelunke.games.shanghaien.solving.frame import Frame
from spelunke.games.shanghaien.solving.stages import Reals
from spelunke.games.shanghaien.state import (
    BEST_OF_THREE,
    MATCH,
    NOT_STARTER,
    SINGLE,
    TIEBREAK,
    UNUSED_TRICKS,
)

SPREAD = 13.0
"""The standard deviation of the margin of a whole game between equal players, in points."""
_GRID = np.linspace(-6.0, 6.0, 6001)
_TABLE = np.cumsum(np.exp(-(_GRID**2) / 2))
_TABLE = (_TABLE - _TABLE[0]) / (_TABLE[-1] - _TABLE[0])
_TABLE = (_TABLE + 1.0 - _TABLE[::-1]) / 2


class Aim(Enum):
    """The aim of the players, which decides the unit of values.

    With ``POINTS``, a value is the final margin in points. With ``WIN``, a win is 1 and a loss is -1.
    """

    POINTS = "points"
    WIN = "win"


def normal(z: Reals) -> Reals:
    """Return the probability that a normal variable is less than ``z`` standard deviations above its mean."""
    found: Reals = np.interp(z, _GRID, _TABLE)
    return found


def worth(
    aim: Aim, frame: Frame, mean: Reals, variance: Reals, spare: Reals, *, over: bool, grace: float
) -> Reals:
    """Return the value for seat 0 of each forecast of the margin.

    The margin is seat 0's lead in points at the end of the current game. A forecast consists of the expected margin
    in ``mean`` and its variance in ``variance``. If ``over`` is true, the game is over, and ``mean`` has the exact
    margins.

    ``spare`` is seat 0's lead in unplayed tricks. With one option of the game, this lead breaks ties. ``grace`` is
    the value of a point if a win is worth 1. A positive ``grace`` makes players play well even after a game is
    decided.
    """
    if aim is Aim.POINTS:
        return mean
    terms = terms_of(aim, frame, over=over)
    result = _win(terms, mean + terms.margin, variance + terms.variance, spare + terms.spare)
    if frame.options[MATCH] == BEST_OF_THREE:
        won = (1.0 + result) / 2
        result = won * terms.won + (1.0 - won) * terms.lost
    return result + grace * mean


class Terms(NamedTuple):
    """The numbers by which the margin of a game decides the value of a match for seat 0 (:func:`worth`).

    ``points`` is 1 if the aim is points. The other numbers are used only if the aim is to win. ``margin`` and
    ``spare`` are the leads in points and in unplayed tricks from earlier games. ``variance`` is the variance of the
    margins of later games. ``over`` is 1 if the game is over and no later game adds to the margin. ``tie`` is the
    result of a tie. If ``by_tricks`` is 1, unplayed tricks decide a tie instead, unless they are equal too. ``lost``
    and ``won`` are the values of a lost and of a won game.
    """

    points: float
    margin: float
    variance: float
    over: float
    tie: float
    spare: float
    by_tricks: float
    lost: float
    won: float


def terms_of(aim: Aim, frame: Frame, *, over: bool) -> Terms:
    """Return the terms of a match: the numbers by which the margin of a game decides the match's value for seat 0.

    If ``over`` is true, the match's present game is over. The terms are in a fixed order, because the kernel for
    devices reads them by index: ``POINTS`` to ``WON`` in :mod:`.device`.
    """
    match, (first, second) = frame.options[MATCH], frame.wins
    tie = frame.options[TIEBREAK]
    in_all = match not in (SINGLE, BEST_OF_THREE)
    later = 2 - frame.games if in_all else 0
    last = match == BEST_OF_THREE and frame.games == 2
    drawn = (
        _lead(first, second, last=True) if last else 0.0
    )  # who won a game before wins the match with a draw
    return Terms(
        points=float(aim is Aim.POINTS),
        margin=float(frame.total[0] - frame.total[1]) if in_all else 0.0,
        variance=later * SPREAD**2,
        over=float(over and later <= 0),
        tie=drawn if tie != NOT_STARTER else -1.0 if frame.opener == 0 else 1.0,
        spare=float(frame.spare[0] - frame.spare[1]) if in_all else 0.0,
        by_tricks=float(tie == UNUSED_TRICKS),
        lost=_lead(first, second + 1, last=last) if match == BEST_OF_THREE else -1.0,
        won=_lead(first + 1, second, last=last) if match == BEST_OF_THREE else 1.0,
    )


def _win(terms: Terms, mean: Reals, variance: Reals, spare: Reals) -> Reals:
    """Return the expected result for seat 0: 1 is a sure win, and -1 is a sure loss.

    If ``terms.over`` is 1, ``mean`` has the exact margins. Else each margin is a normal variable with this mean and
    variance.
    """
    if not terms.over:
        return 2.0 * normal(mean / np.sqrt(np.maximum(variance, 1e-9))) - 1.0
    tie = np.where(terms.by_tricks * spare == 0, terms.tie, np.sign(spare))
    return np.where(mean == 0, tie, np.sign(mean))


def _lead(first: int, second: int, *, last: bool) -> float:
    """Return the value of a best-of-three match for the first player, from -1 to 1.

    ``first`` and ``second`` are the numbers of games that the two players have won. ``last`` is whether no game is
    left. The players are assumed to be equally strong.
    """
    if last or first >= 2 or second >= 2:
        return float((first > second) - (first < second))
    return (first - second) / 2


def finished(aim: Aim, margin: int, balance: int, grace: float) -> float:
    """Return the value of a finished match for seat 0.

    ``margin`` is seat 0's lead in points. ``balance`` is positive if seat 0 won, negative if seat 1 did, and 0
    for a shared win.
    """
    return float(margin) if aim is Aim.POINTS else (balance > 0) - (balance < 0) + grace * margin
