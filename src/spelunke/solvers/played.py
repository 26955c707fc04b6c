"""The results of playouts: the values of lines, and the errors of these values.

A line is a sequence of steps from a position. People play differently from playouts, so the chance to win that
playouts give can be wrong. Therefore it is averaged with an even chance, which is the same for all seats. The weight
of the even chance in this average, from 0 to 1, is called the doubt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.analysis.analysis import Value

if TYPE_CHECKING:
    from spelunke.solvers.playouts import Samples

Reals: TypeAlias = npt.NDArray[np.float64]
Chances: TypeAlias = Reals
"""The chance to win of each seat."""
SAME = 1e-9
"""Chances that differ by less than this count as equal."""


def share_of_doubt(doubt: float | None, left: int, seats: int, games: int, knower: int = -1) -> float:
    """Return the weight, from 0 to 1, of the even chance that is mixed into the results of playouts.

    ``doubt`` is the probability that one player plays so differently from the playouts that their results are wrong. It
    is the same for each player. ``left`` has a bit for each seat that has a choice in the playouts. The result is
    1 - (1 - ``doubt``) ** n. Here n is the number of seats in ``left`` other than ``knower`` (the seat whose
    decision is judged, or -1), and n is at most ``seats`` - 1.

    If ``doubt`` is None, the even chance counts like one more playout: the result is 1 / (1 + ``games``). If ``doubt``
    is None and ``left`` is 0, the result is 0.
    """
    if doubt is None:
        return 1.0 / (1 + games) if left else 0.0
    others = sum(left >> seat & 1 for seat in range(seats) if seat != knower)
    return 1.0 - float((1.0 - doubt) ** min(others, seats - 1))


@dataclass(frozen=True)
class Played:
    """The results of the playouts of lines: means and standard errors.

    ``means`` and ``errors`` have the axes line, seat and kind (:data:`spelunke.solvers.playouts.Samples`). ``alike``
    says for each line and seat whether all playouts had the same result. ``apart`` has, for each pair of lines, the
    standard errors of the differences in the points and in the chance to win of ``seat``. If ``seat`` is -1, ``apart``
    is empty. ``left`` has a number for each line, with a bit for each seat that has a choice in the line's playouts
    (which begin after the line). ``games`` is the number of playouts of each line.

    Chances to win may be averaged with an even chance, the same for all seats, or with the certain result that takes
    its place (:meth:`hedged`). ``share`` is the weight of this even chance or certain result, or 0. ``all_alike`` is
    true if the chances of every line are averaged in this way, also of lines that end the game.
    """

    means: Reals
    errors: Reals
    alike: npt.NDArray[np.bool_]
    apart: Reals
    left: npt.NDArray[np.int16]
    games: int
    seat: int = -1
    share: float = 0.0
    all_alike: bool = False

    @classmethod
    def of(cls, samples: Samples, left: npt.NDArray[np.int16], seat: int = -1) -> Played:
        """Return the results of these samples.

        If ``seat`` is not -1, compare each line of the samples with each other line: compute the standard errors of the
        differences between their results for this seat (``apart``).
        """
        lines, games = samples.shape[:2]
        root = np.sqrt(games)
        alike = np.all(np.ptp(samples, axis=1) == 0, axis=-1)
        means = samples.mean(axis=1)
        means[alike] = samples[:, 0][alike]  # without an error of rounding
        apart = np.zeros((lines, lines, 2) if seat >= 0 else (0, 0, 2))
        for line in range(len(apart)):
            lost = samples[line, :, seat, :2] - samples[:, :, seat, :2]
            apart[line] = lost.std(axis=1) / root
        return cls(means, samples.std(axis=1) / root, alike, apart, left, games, seat)

    def hedged(self, share: float, aim: Chances | None = None) -> Played:
        """Return the results with an even chance mixed in, with the weight ``share``.

        Without ``aim``, the even chance is mixed into all lines, also into lines that end the game. The best line
        and any equilibrium stay the same, and all differences between lines shrink in proportion.

        ``aim`` is the certain result of the best line (:meth:`sure_best`). If it is given, it replaces the even
        chance, and lines that end the game stay unchanged. The other lines come closer to the best line, in
        proportion to their distance from it.
        """
        if not share:
            return self
        means, errors, apart = self.means.copy(), self.errors.copy(), self.apart.copy()
        scale = np.where((self.left != 0) | (aim is None), 1.0 - share, 1.0)
        if aim is None:
            seated = means[..., 2] > 0
            aim = seated / np.maximum(1, seated.sum(axis=-1, keepdims=True))
        means[..., 1] = scale[:, None] * means[..., 1] + (1.0 - scale[:, None]) * aim
        errors[..., 1] *= scale[:, None]
        if self.seat >= 0:
            own = self.errors[:, self.seat, 1]
            together = (own[:, None] ** 2 + own[None] ** 2 - apart[..., 1] ** 2) / 2  # the covariance
            scaled = (scale * own) ** 2
            mixed = scaled[:, None] + scaled[None] - 2 * scale[:, None] * scale[None] * together
            apart[..., 1] = np.where(
                scale[:, None] == scale[None],
                scale[:, None] * apart[..., 1],
                np.sqrt(np.maximum(0.0, mixed)),
            )
        all_alike = bool(np.all(scale != 1.0))
        return replace(self, means=means, errors=errors, apart=apart, share=share, all_alike=all_alike)

    def sure_best(self, seat: int) -> Chances | None:
        """Return each seat's chance to win after the best line of ``seat``, if this line ends the game.

        If several lines are equally good, it is enough that one of them ends the game. If none does, return None.
        """
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
        return int((self.means[0, :, 2] > 0).sum())

    def value(self, line: int, seat: int) -> Value:
        """Return the value of a line for a seat."""
        points, chance, rank = map(float, self.means[line, seat])
        if not self.all_alike and not self.left[line] and self.alike[line, seat]:
            return Value(points, chance, rank=rank)
        points_error, chance_error, _ = map(float, self.errors[line, seat])
        return Value(points, chance, False, points_error, chance_error, rank=rank)

    def values(self, line: int) -> tuple[Value, ...]:
        """Return the value of a line (a sequence of steps) for each seat."""
        return tuple(self.value(line, seat) for seat in range(self.seats))

    def order(self, seat: int) -> list[int]:
        """Return the indices of the lines in order, the best line for the seat first."""
        means = self.means[:, seat]
        return sorted(range(len(means)), key=lambda line: (-means[line, 1], -means[line, 0], line))

    def beside(self, best: int, line: int, value: Value) -> Value:
        """Return an estimate of the value of ``line`` for ``seat``, by comparison with the line ``best``.

        ``value`` is the value of ``best`` that additional playouts gave. The result is ``value`` minus the mean
        difference between the two lines. This difference has a smaller error than the value of ``line`` from its own
        playouts, because both lines were played out with the same random numbers. The estimated chance to win is at
        least 0, and at most the chance in ``value``.

        If the playouts of ``line`` gave an exact value, return that value instead.
        """
        own = self.value(line, self.seat)
        if own.exact:
            return own
        points, chance, rank = map(float, self.means[best, self.seat] - self.means[line, self.seat])
        off = self.apart[best, line]
        return Value(
            value.points - points,
            min(1.0, max(0.0, value.chance - max(0.0, chance))),
            False,
            float(np.hypot(value.points_error, off[0])),
            float(np.hypot(value.chance_error, off[1])),
            rank=(value.rank or 0.0) - rank,
        )

    def gap(self, best: int, line: int) -> float:
        """Return the standard error of the difference between two chances to win of :attr:`seat`.

        They are the chances after the line ``best`` and after the line ``line``. A line is a sequence of steps.
        """
        return float(self.apart[best, line, 1])
