"""The results of playouts: the values of lines, and the errors of these values.

A line is a sequence of steps from a position. Playouts after a line can be wrong, because people play differently. So
an even chance is mixed into their results: the chance to win if all seats are equally likely to win. Its weight, from
0 to 1, is called the doubt.
"""

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
"""The chance to win of each seat."""
SAME = 1e-9
"""Chances that differ by less than this count as equal."""


def share_of_doubt(doubt: float | None, left: int, seats: int, games: int, knower: int = -1) -> float:
    """Return the doubt in the results of playouts: the weight of an even chance, from 0 to 1.

    ``left`` has a bit for each seat that decides after a line. ``doubt`` is the doubt that each other player with a
    choice adds. The other players are all seats but ``knower``, or all seats but one if ``knower`` is -1. If
    ``doubt`` is None, the even chance counts as one more playout besides the ``games``. If ``left`` is 0, the result
    is 0.
    """
    if doubt is None:
        return 1.0 / (1 + games) if left else 0.0
    others = sum(left >> seat & 1 for seat in range(seats) if seat != knower)
    return 1.0 - float((1.0 - doubt) ** min(others, seats - 1))


@dataclass(frozen=True)
class Played:
    """The results of the playouts of lines.

    ``samples`` has the axes line, playout, seat and kind (:data:`spelunke.solvers.playouts.Samples`). ``left`` has a
    number for each line, with a bit for each seat that decides after the line. ``share`` is the doubt in the samples.
    ``all_alike`` is true if the doubt is also in lines that end the game.
    """

    samples: Samples
    left: npt.NDArray[np.int16]
    share: float = 0.0
    all_alike: bool = False

    def hedged(self, share: float, aim: Chances | None = None) -> Played:
        """Return the results with an even chance mixed in, with the weight ``share``.

        Without ``aim``, the even chance is mixed into all lines, also into lines that end the game. The best line
        and any equilibrium stay the same, and all differences between lines shrink in proportion.

        ``aim`` is the certain result of the best line (:meth:`sure_best`). If it is given, it is mixed in instead
        of an even chance, and lines that end the game stay unchanged. The loss of the other lines shrinks in
        proportion.
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
        """Return the result of a seat's best line if that line ends the game, else None."""
        best = self.means[:, seat, 1].max()
        for line in self.order(seat):
            if not self.left[line] and self.means[line, seat, 1] >= best - SAME:
                found: Chances = self.means[line, :, 1]
                return found
        return None

    @cached_property
    def deciders(self) -> int:
        """The seats that have a decision to make after at least one of the lines, as bits."""
        return int(np.bitwise_or.reduce(self.left))

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int((self.samples[0, 0, :, 2] > 0).sum())

    @property
    def games(self) -> int:
        """The number of playouts of each line."""
        return int(self.samples.shape[1])

    @cached_property
    def means(self) -> npt.NDArray[np.float64]:
        """The means of the samples over the playouts, with the axes line, seat and kind (points, chance, place)."""
        found: npt.NDArray[np.float64] = self.samples.mean(axis=1)
        return found

    @cached_property
    def errors(self) -> npt.NDArray[np.float64]:
        """The standard errors of :attr:`means`, as an array of the same shape."""
        found: npt.NDArray[np.float64] = self.samples.std(axis=1) / np.sqrt(self.samples.shape[1])
        return found

    def value(self, line: int, seat: int) -> Value:
        """Return the value of a line for a seat."""
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
        """Return the value of a line for each seat."""
        return tuple(self.value(line, seat) for seat in range(self.seats))

    def order(self, seat: int) -> list[int]:
        """Return the indices of the lines in order, the best line for the seat first."""
        means = self.means[:, seat]
        return sorted(range(len(means)), key=lambda line: (-means[line, 1], -means[line, 0], line))

    def beside(self, best: int, line: int, seat: int, value: Value) -> Value:
        """Return the value of a line: ``value``, the new value of the best line, minus the difference of the lines.

        The new value comes from more playouts. The difference of the lines has a smaller error than the line's own
        value, because both lines were played with the same chance.
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
        """Return the standard error of the difference between two lines in their chance to win."""
        lost = self.samples[best, :, seat, 1] - self.samples[line, :, seat, 1]
        return float(lost.std() / np.sqrt(len(lost)))
