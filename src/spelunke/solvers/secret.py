"""Evaluate a secret choice of several seats: the values of all combinations of choices, and the seats' mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spelunke.analysis.analysis import Value
from spelunke.analysis.playouts import Steps
from spelunke.solvers.equilibrium import Mixture, Payoffs, against, equilibrium


@dataclass(frozen=True)
class Option:
    """A possible next step of a seat.

    ``share`` is its probability in the mixture. ``gap`` is the standard error of the difference between its value
    and the value of the best step.
    """

    step: int
    share: float
    value: Value
    gap: float


@dataclass(frozen=True)
class Secret:
    """A simultaneous secret choice of ``seats``, with the results of its playouts.

    ``sequences`` has the choices of each of these seats, each as its steps. ``samples`` has an axis for the choice of
    each of these seats, then axes for playouts, all seats of the table, and kinds of payoff (points, chance, place).
    ``doubt`` is the weight of an even chance in the results (:mod:`.played`).
    """

    seats: tuple[int, ...]
    sequences: tuple[tuple[Steps, ...], ...]
    samples: Payoffs
    doubt: float = 0.0

    @cached_property
    def means(self) -> Payoffs:
        """The mean of the samples over the playouts, with the other axes of ``samples``."""
        found: Payoffs = self.samples.mean(axis=len(self.seats))
        return found

    @cached_property
    def mixtures(self) -> list[Mixture]:
        """For each seat, the probability of each of its choices in an equilibrium. The payoff is the chance to win."""
        return equilibrium(self.means[..., self.seats, 1])

    def options(self, seat: int, sealed: Steps) -> tuple[Option, ...]:
        """Return the possible next steps of a seat that has sealed some steps.

        Their values assume that the other seats choose by their mixtures.
        """
        me = self.seats.index(seat)
        kinds = [self._against(self.means[..., seat, kind], me) for kind in range(3)]
        chances = kinds[1]
        done = set(sealed)
        mine = [k for k, steps in enumerate(self.sequences[me]) if done < set(steps)]
        if not mine:
            return ()
        best = max(mine, key=lambda k: chances[k])
        whole = sum(self.mixtures[me][k] for k in mine) or 1.0
        found = []
        for step in sorted({step for k in mine for step in self.sequences[me][k]} - done):
            those = [k for k in mine if step in self.sequences[me][k]]
            top = max(those, key=lambda k: chances[k])
            value = Value(
                float(kinds[0][top]),
                float(chances[top]),
                False,
                self._error(me, seat, top, None, 0),
                self._error(me, seat, top, None, 1),
                rank=float(kinds[2][top]),
            )
            share = sum(self.mixtures[me][k] for k in those) / whole
            found.append(Option(step, float(share), value, self._error(me, seat, top, best, 1)))
        return tuple(sorted(found, key=lambda one: (-one.value.chance, -one.value.points)))

    def values(self) -> tuple[Value, ...]:
        """Return the value for each seat of the table if all seats choose by their mixtures."""
        means = self.means
        for mix in self.mixtures:
            means = np.tensordot(mix, means, axes=(0, 0))
        return tuple(Value(float(p), float(c), False, rank=float(r)) for p, c, r in means if r > 0)

    def _against(self, payoffs: Payoffs, me: int) -> Payoffs:
        return against(payoffs, self.mixtures, me)

    def _error(self, me: int, seat: int, choice: int, other: int | None, kind: int) -> float:
        """Return the standard error of a choice's value.

        If ``other`` is a choice, return the standard error of the difference between the values of the two choices.
        """
        if choice == other:
            return 0.0
        table = np.moveaxis(self.samples[..., seat, kind], me, 0)
        rows = table[choice] if other is None else table[other] - table[choice]
        rows = rows.reshape(-1, rows.shape[-1])
        weights = np.ones(1)
        for k, mix in enumerate(self.mixtures):
            if k != me:
                weights = np.outer(weights, mix).ravel()
        if rows.shape[1] > 1:
            off = rows.var(axis=1, ddof=1)
        else:  # with one playout of each combination, use the variance between combinations
            off = np.full(len(rows), rows.var())
        return float(np.sqrt(np.sum(weights**2 * off) / rows.shape[1]))


def lines_of(seats: Sequence[int], sequences: Sequence[Sequence[Steps]]) -> list[list[tuple[int, int]]]:
    """Return every combination of the seats' choices as a line: a list of pairs of a seat and its step.

    The last seat's choice varies fastest.
    """
    lines: list[list[tuple[int, int]]] = [[]]
    for seat, mine in zip(seats, sequences, strict=True):
        lines = [[*line, *((seat, step) for step in steps)] for line in lines for steps in mine]
    return lines
