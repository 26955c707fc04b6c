"""The values of games and matches for the two aims of play: many points, or a win."""

from __future__ import annotations

from enum import Enum

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
    """Return the value for seat 0 of each margin of the current game.

    A margin is seat 0's lead in points at the end of the game. Each margin has an expected value in ``mean`` and a
    variance in ``variance``. If ``over`` is true, the game is over, and ``mean`` has the exact margins.

    ``spare`` is seat 0's lead in unplayed tricks. It breaks ties if the option for tie-breaks says so. ``grace`` is
    the value of a point if a win is worth 1. A positive ``grace`` makes players play well even after a game is
    decided.
    """
    if aim is Aim.POINTS:
        return mean
    match = frame.options[MATCH]
    if match == SINGLE:
        return _win(frame, mean, variance, spare, frame.opener, over=over) + grace * mean
    if match == BEST_OF_THREE:
        won = (1.0 + _win(frame, mean, variance, spare, frame.opener, over=over)) / 2
        first, second = frame.wins
        found: Reals = won * _lead(first + 1, second) + (1.0 - won) * _lead(first, second + 1) + grace * mean
        return found
    games = 2 - frame.games
    total = mean + (frame.total[0] - frame.total[1])
    rest = spare + (frame.spare[0] - frame.spare[1])
    ended = over and games <= 0
    return _win(frame, total, variance + games * SPREAD**2, rest, frame.opener, over=ended) + grace * mean


def terms_of(aim: Aim, frame: Frame, *, over: bool) -> tuple[float, ...]:
    """Return the numbers from which a device computes :func:`worth` without ``grace``.

    Their order is that of :mod:`.device`, from ``POINTS`` on.
    """
    match, (first, second) = frame.options[MATCH], frame.wins
    tie = frame.options[TIEBREAK]
    later = 0 if match in (SINGLE, BEST_OF_THREE) else 2 - frame.games
    in_all = match not in (SINGLE, BEST_OF_THREE)
    return (
        float(aim is Aim.POINTS),
        float(frame.total[0] - frame.total[1]) if in_all else 0.0,
        later * SPREAD**2,
        float(over and later <= 0),
        0.0 if tie != NOT_STARTER else -1.0 if frame.opener == 0 else 1.0,
        float(frame.spare[0] - frame.spare[1]) if in_all else 0.0,
        float(tie == UNUSED_TRICKS),
        _lead(first, second + 1) if match == BEST_OF_THREE else -1.0,
        _lead(first + 1, second) if match == BEST_OF_THREE else 1.0,
    )


def _win(frame: Frame, mean: Reals, variance: Reals, spare: Reals, opener: int, *, over: bool) -> Reals:
    """Return the expected result for seat 0: 1 is a sure win, and -1 is a sure loss.

    If ``over`` is true, ``mean`` has the exact margins. Else each margin is a normal variable with this mean and
    variance.
    """
    if not over:
        return 2.0 * normal(mean / np.sqrt(np.maximum(variance, 1e-9))) - 1.0
    tie = np.zeros_like(mean)
    if frame.options[TIEBREAK] == UNUSED_TRICKS:
        tie = np.sign(spare)
    elif frame.options[TIEBREAK] == NOT_STARTER:
        tie = np.full_like(mean, -1.0 if opener == 0 else 1.0)
    return np.where(mean == 0, tie, np.sign(mean))


def _lead(first: int, second: int) -> float:
    """Return the value of a best-of-three match for the first player, from -1 to 1.

    ``first`` and ``second`` are the numbers of games that the two players have won. The players are assumed to be
    equally strong.
    """
    if first >= 2 or second >= 2:
        return 1.0 if first > second else -1.0
    return (first - second) / 2


def finished(aim: Aim, margin: int, balance: int, grace: float) -> float:
    """Return the value of a finished match for seat 0.

    ``margin`` is seat 0's lead in points. ``balance`` is positive if seat 0 won, negative if seat 1 did, and 0
    for a shared win.
    """
    return float(margin) if aim is Aim.POINTS else (balance > 0) - (balance < 0) + grace * margin
