"""What came of playouts: the values of lines, how sure they are, and how much is to be believed of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.analysis.analysis import Value

if TYPE_CHECKING:
    from spelunke.solvers.playouts import Samples

Chances: TypeAlias = npt.NDArray[np.float64]
"""By seat."""
SAME = 1e-9
"""Chances that differ by less are the same."""


def share_of_doubt(doubt: float | None, left: int, seats: int, games: int, knower: int = -1) -> float:
    """How much of even chances is to be mixed into what playouts say, as long as anybody in ``left`` decides anything.

    ``doubt`` is how much of that each other player brings who still has a choice: other than ``knower``, or where
    nobody asks for himself, all but one. Without it, it is one of ``games`` playouts more, in which each is as likely
    to win (Jeffreys' prior).
    """
    if doubt is None:
        return 1.0 / (1 + games) if left else 0.0
    others = sum(left >> seat & 1 for seat in range(seats) if seat != knower)
    return 1.0 - float((1.0 - doubt) ** min(others, seats - 1))


@dataclass(frozen=True)
class Played:
    """What came of lines: ``samples`` by line, playout and seat.

    ``left``: who decides anything after a line (see :func:`spelunke.solvers.playouts.play_out`). ``share``: how much
    doubt is mixed in; ``all_alike``: into lines that end the game as well.
    """

    samples: Samples
    left: npt.NDArray[np.int16]
    share: float = 0.0
    all_alike: bool = False

    def hedged(self, share: float, aim: Chances | None = None) -> Played:
        """The same with that share of even chances mixed in, into all lines alike, those that end the game among them.

        So it changes neither which line is best nor an equilibrium, and what lines lose of each other shrinks alike.
        ``aim``: what is mixed in instead, where it is what the best line comes to for certain (:meth:`sure_best`); then
        what ends the game stays as it is, and any other line still loses of the best what it lost, but for the share.
        """
        if not share:
            return self
        samples = self.samples.copy()
        if aim is None:
            seated = samples[..., 2] > 0
            even = seated / np.maximum(1, seated.sum(axis=-1, keepdims=True))
            samples[..., 1] = (1.0 - share) * samples[..., 1] + share * even
        else:
            open_ones = self.left != 0
            samples[open_ones, ..., 1] = (1.0 - share) * samples[open_ones, ..., 1] + share * aim
        return Played(samples, self.left, share, aim is None)

    def sure_best(self, seat: int) -> Chances | None:
        """What a line that ends the game comes to, if none is better for a seat."""
        best = self.means[:, seat, 1].max()
        for line in self.order(seat):
            if not self.left[line] and self.means[line, seat, 1] >= best - SAME:
                found: Chances = self.means[line, :, 1]
                return found
        return None

    @cached_property
    def deciders(self) -> int:
        """Who decides anything after any of the lines."""
        return int(np.bitwise_or.reduce(self.left))

    @property
    def seats(self) -> int:
        """How many sit there."""
        return int((self.samples[0, 0, :, 2] > 0).sum())

    @property
    def games(self) -> int:
        """How many playouts each line had."""
        return int(self.samples.shape[1])

    @cached_property
    def means(self) -> npt.NDArray[np.float64]:
        """The samples' means, by line, seat and kind."""
        found: npt.NDArray[np.float64] = self.samples.mean(axis=1)
        return found

    @cached_property
    def errors(self) -> npt.NDArray[np.float64]:
        """The standard errors of these."""
        found: npt.NDArray[np.float64] = self.samples.std(axis=1) / np.sqrt(self.samples.shape[1])
        return found

    def value(self, line: int, seat: int) -> Value:
        """What a line is worth to a seat."""
        points, chance, rank = map(float, self.means[line, seat])
        if (
            not self.all_alike
            and not self.left[line]
            and np.all(np.ptp(self.samples[line, :, seat], axis=0) == 0)
        ):
            points, chance = map(float, self.samples[line, 0, seat, :2])
            return Value(points, chance, rank=rank)
        points_error, chance_error, _ = map(float, self.errors[line, seat])
        return Value(points, chance, False, points_error, chance_error, rank=rank)

    def values(self, line: int) -> tuple[Value, ...]:
        """What a line is worth to each seat."""
        return tuple(self.value(line, seat) for seat in range(self.seats))

    def order(self, seat: int) -> list[int]:
        """The lines, the best for a seat first."""
        means = self.means[:, seat]
        return sorted(range(len(means)), key=lambda line: (-means[line, 1], -means[line, 0], line))

    def beside(self, best: int, line: int, seat: int, value: Value) -> Value:
        """What a line is worth when the best one, played out more often since, is worth ``value``.

        By how much it is worse is known better than what it is worth, as both met the same chance.
        """
        own = self.value(line, seat)
        if own.exact:
            return own
        lost = self.samples[best, :, seat] - self.samples[line, :, seat]
        points, chance, rank = (float(mean) for mean in lost.mean(axis=0))
        off = lost.std(axis=0) / np.sqrt(len(lost))
        return Value(
            value.points - points,
            min(1.0, max(0.0, value.chance - max(0.0, chance))),
            False,
            float(np.hypot(value.points_error, off[0])),
            float(np.hypot(value.chance_error, off[1])),
            rank=(value.rank or 0.0) - rank,
        )

    def gap(self, best: int, line: int, seat: int) -> float:
        """The standard error of what a line loses of another: both met the same chance."""
        lost = self.samples[best, :, seat, 1] - self.samples[line, :, seat, 1]
        return float(lost.std() / np.sqrt(len(lost)))
