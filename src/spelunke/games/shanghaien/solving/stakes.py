"""What is played for: points, or to win, in a single game or a match of several."""

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
"""Standard deviation of the margin of a whole game between equals."""
GRACE = 1e-3
"""What a point is worth beside winning, so that a decided game is still played well."""
_GRID = np.linspace(-6.0, 6.0, 6001)
_TABLE = np.cumsum(np.exp(-(_GRID**2) / 2))
_TABLE = (_TABLE - _TABLE[0]) / (_TABLE[-1] - _TABLE[0])
_TABLE = (_TABLE + 1.0 - _TABLE[::-1]) / 2


class Aim(Enum):
    """What a value is counted in: ``POINTS`` is the final margin, ``WIN`` is 1 for a win and -1 for a loss."""

    POINTS = "points"
    WIN = "win"


def normal(z: Reals) -> Reals:
    """The chance of a normal variable to be below ``z`` standard deviations."""
    found: Reals = np.interp(z, _GRID, _TABLE)
    return found


def worth(aim: Aim, frame: Frame, mean: Reals, variance: Reals, spare: Reals, *, over: bool) -> Reals:
    """What margins of this game are worth to seat 0.

    ``spare``: by how many unplayed tricks seat 0 leads, for equal points; ``over``: the game is, and margins are exact.
    """
    if aim is Aim.POINTS:
        return mean
    match = frame.options[MATCH]
    if match == SINGLE:
        return _win(frame, mean, variance, spare, frame.opener, over=over) + GRACE * mean
    if match == BEST_OF_THREE:
        won = (1.0 + _win(frame, mean, variance, spare, frame.opener, over=over)) / 2
        first, second = frame.wins
        found: Reals = won * _lead(first + 1, second) + (1.0 - won) * _lead(first, second + 1) + GRACE * mean
        return found
    games = 2 - frame.games
    total = mean + (frame.total[0] - frame.total[1])
    rest = spare + (frame.spare[0] - frame.spare[1])
    ended = over and games <= 0
    return _win(frame, total, variance + games * SPREAD**2, rest, frame.opener, over=ended) + GRACE * mean


def _win(frame: Frame, mean: Reals, variance: Reals, spare: Reals, opener: int, *, over: bool) -> Reals:
    """From -1 to 1 how likely a margin wins; ``over``: it is exact."""
    if not over:
        return 2.0 * normal(mean / np.sqrt(np.maximum(variance, 1e-9))) - 1.0
    tie = np.zeros_like(mean)
    if frame.options[TIEBREAK] == UNUSED_TRICKS:
        tie = np.sign(spare)
    elif frame.options[TIEBREAK] == NOT_STARTER:
        tie = np.full_like(mean, -1.0 if opener == 0 else 1.0)
    return np.where(mean == 0, tie, np.sign(mean))


def _lead(first: int, second: int) -> float:
    """From -1 to 1 what a best of three is worth after so many wins, between equals."""
    if first >= 2 or second >= 2:
        return 1.0 if first > second else -1.0
    return (first - second) / 2


def finished(aim: Aim, margin: int, balance: int) -> float:
    """What a finished match is worth to seat 0: by its margin in points, and the sign of who won."""
    return float(margin) if aim is Aim.POINTS else (balance > 0) - (balance < 0) + GRACE * margin
