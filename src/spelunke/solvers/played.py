"""What came of playouts: the values of lines, how sure they are, and how much is to be believed of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from spelunke.core.analysis import Value

if TYPE_CHECKING:
    from spelunke.solvers.playouts import Samples


@dataclass(frozen=True)
class Played:
    """What came of lines: ``samples`` by line, playout and seat; ``ended`` where a line of itself ends the game."""

    samples: Samples
    ended: npt.NDArray[np.int16]

    def hedged(self, doubt: float | None, *, ended: bool = False) -> Played:
        """The same with a share of even chances mixed in; what ends the game of itself is certain, but for ``ended``.

        ``doubt`` is how much of that each other player brings. Without one it is a playout more, in which each is as
        likely to win (Jeffreys' prior). A mixture changes neither which line is best nor an equilibrium.
        """
        samples = self.samples.copy()
        seated = samples[..., 2] > 0
        seats = seated.sum(axis=-1, keepdims=True)
        if doubt is None:
            share = 1.0 / (1 + self.samples.shape[1])
        else:
            share = 1.0 - (1.0 - doubt) ** (seats - 1)
        even = seated / np.maximum(1, seats)
        lines = slice(None) if ended else self.ended == 0
        samples[lines, ..., 1] = ((1.0 - share) * samples[..., 1] + share * even)[lines]
        return Played(samples, self.ended)

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
        points_error, chance_error, rank_error = map(float, self.errors[line, seat])
        if self.ended[line] and points_error == chance_error == rank_error == 0.0:
            return Value(points, chance, rank=rank)
        return Value(points, chance, False, points_error, chance_error, rank=rank)

    def values(self, line: int) -> tuple[Value, ...]:
        """What a line is worth to each seat."""
        seats = int((self.samples[line, 0, :, 2] > 0).sum())
        return tuple(self.value(line, seat) for seat in range(seats))

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
