"""Evaluate a secret choice of several seats: find the mixture of each seat, and the values of its choices.

A seat's mixture has the probability of each of its choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from spelunke.analysis.analysis import Value
from spelunke.analysis.playouts import Steps
from spelunke.solvers.equilibrium import Mixture, Payoffs, against, equilibrium


@dataclass(frozen=True)
class Option:
    """A possible next step of a seat in a secret choice.

    ``share`` is the step's probability in the seat's mixture, given the steps that the seat has sealed. ``gap`` is the
    standard error of this difference: the step's chance to win minus the best step's.
    """

    step: int
    share: float
    value: Value
    gap: float


@dataclass(frozen=True)
class Settled:
    """The mixtures and values of a secret choice, computed from its playouts.

    The first four fields have an entry for each seat that chooses. ``mixtures``: the probability of each choice of the
    seat. ``values``: the seat's points, its chance to win, and its place after each choice, if the others choose by
    their mixtures. ``errors``: the standard errors of these points and chances. ``gaps``: for each pair of choices,
    the standard error of the difference between their chances. ``stand`` has the points, the chance and the place of
    each seat of the table, if all choose by their mixtures. ``deciders`` has a bit for each seat that has a choice in
    the playouts (which begin after the secret choice).
    """

    mixtures: tuple[Mixture, ...]
    values: tuple[Payoffs, ...]
    errors: tuple[Payoffs, ...]
    gaps: tuple[Payoffs, ...]
    stand: Payoffs
    deciders: int

    @classmethod
    def of(cls, samples: Payoffs, seats: Sequence[int], deciders: int) -> Settled:
        """Return the mixtures and values that follow from the samples of playouts.

        ``samples`` has an axis for the choice of each of the ``seats``, then axes for playouts, all seats of the table,
        and kinds of payoff (points, chance, place).
        """
        means = samples.mean(axis=len(seats))
        mixtures = equilibrium(means[..., seats, 1])
        stand = means
        for mix in mixtures:
            stand = np.tensordot(mix, stand, axes=(0, 0))
        values, errors, gaps = [], [], []
        for me, seat in enumerate(seats):
            values.append(np.stack([against(means[..., seat, k], mixtures, me) for k in range(3)], axis=-1))
            weights = np.ones(1)
            for k, mix in enumerate(mixtures):
                if k != me:
                    weights = np.outer(weights, mix).ravel()
            tables = [_rows(samples, me, seat, kind) for kind in range(2)]
            errors.append(np.stack([_errors(table, weights) for table in tables], axis=-1))
            gaps.append(np.stack([_errors(row - tables[1], weights) for row in tables[1]]))
        return cls(tuple(mixtures), tuple(values), tuple(errors), tuple(gaps), stand, deciders)

    def hedged(self, share: float) -> Settled:
        """Return a copy in which each chance to win is averaged with an even chance.

        The even chance is the same for all seats, and ``share`` is the weight of the even chance (:mod:`.played`). If
        ``share`` is 0, return ``self``. The mixtures don't change.
        """
        if not share:
            return self
        even = 1.0 / int((self.stand[:, 2] > 0).sum())
        stand = self.stand.copy()
        stand[:, 1] = np.where(stand[:, 2] > 0, (1.0 - share) * stand[:, 1] + share * even, 0.0)
        values = tuple(one * [1.0, 1.0 - share, 1.0] + [0.0, share * even, 0.0] for one in self.values)
        errors = tuple(one * [1.0, 1.0 - share] for one in self.errors)
        gaps = tuple(one * (1.0 - share) for one in self.gaps)
        return replace(self, values=values, errors=errors, gaps=gaps, stand=stand)


def _rows(samples: Payoffs, me: int, seat: int, kind: int) -> Payoffs:
    """Return a seat's payoffs of one kind. The axes are the seat's choice, the choices of the others, and playouts.

    ``me`` is the axis of the seat's choice in ``samples``. For the other axes of ``samples``, see :meth:`Settled.of`.
    """
    table = np.moveaxis(samples[..., seat, kind], me, 0)
    return table.reshape(len(table), -1, table.shape[-1])


def _errors(rows: Payoffs, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the standard error of the mean payoff of each choice.

    ``rows`` has the axes of :func:`_rows`. ``weights`` has the probability of each combination of the others' choices.
    """
    games = rows.shape[-1]
    if games > 1:
        off = rows.var(axis=-1, ddof=1)
    else:  # with one playout of each combination, use the variance between combinations
        off = np.repeat(rows.var(axis=(1, 2))[:, None], rows.shape[1], axis=1)
    found: npt.NDArray[np.float64] = np.sqrt(off @ weights**2 / games)
    return found


@dataclass(frozen=True)
class Secret:
    """A simultaneous secret choice of ``seats``, with its values.

    ``sequences`` has the choices of each of these seats. A choice is a sequence of steps. Each chance to win in the
    values is an average with an even chance, the same for all seats. ``doubt`` is the weight of this even chance
    (:mod:`.played`).
    """

    seats: tuple[int, ...]
    sequences: tuple[tuple[Steps, ...], ...]
    settled: Settled
    doubt: float = 0.0

    def options(self, seat: int, sealed: Steps, played: Steps = ()) -> tuple[Option, ...]:
        """Return a seat's possible next steps after the steps that it has sealed, the best first.

        A step has the value of the best choice that contains this step and the sealed steps. The values assume that the
        other seats choose by their mixtures. If a step was ``played``, leave out the steps that go with it in one
        choice, such as a card for another figure: none of them could replace it.
        """
        me, settled = self.seats.index(seat), self.settled
        values, errors, mix = settled.values[me], settled.errors[me], settled.mixtures[me]
        done = set(sealed)
        mine = [k for k, steps in enumerate(self.sequences[me]) if done < set(steps)]
        if not mine:
            return ()
        if played:
            done |= {
                step for k in mine if {*played} < {*self.sequences[me][k]} for step in self.sequences[me][k]
            }
            done -= {*played}
        best = max(mine, key=lambda k: values[k, 1])
        whole = sum(mix[k] for k in mine) or 1.0
        found = []
        for step in sorted({step for k in mine for step in self.sequences[me][k]} - done):
            those = [k for k in mine if step in self.sequences[me][k]]
            top = max(those, key=lambda k: values[k, 1])
            points, chance, rank = map(float, values[top])
            value = Value(points, chance, False, float(errors[top, 0]), float(errors[top, 1]), rank=rank)
            share = sum(mix[k] for k in those) / whole
            found.append(Option(step, float(share), value, float(settled.gaps[me][best, top])))
        return tuple(sorted(found, key=lambda one: (-one.value.chance, -one.value.points)))

    def values(self) -> tuple[Value, ...]:
        """Return the value for each seat of the table if all seats choose by their mixtures."""
        return tuple(
            Value(float(p), float(c), False, rank=float(r)) for p, c, r in self.settled.stand if r > 0
        )


def lines_of(seats: Sequence[int], sequences: Sequence[Sequence[Steps]]) -> list[list[tuple[int, int]]]:
    """Return a line for each combination of the seats' choices. The last seat's choice varies fastest.

    A line is a list of all steps of the combination. Each step is a pair: the seat, and the number of its action.
    """
    lines: list[list[tuple[int, int]]] = [[]]
    for seat, mine in zip(seats, sequences, strict=True):
        lines = [[*line, *((seat, step) for step in steps)] for line in lines for steps in mine]
    return lines
