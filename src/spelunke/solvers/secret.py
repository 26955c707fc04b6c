"""A secret choice as a game of its own: what each way in which it falls is worth, and how often to choose what."""

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
    """One next step of a seat: its share in the mixture, what it is worth, and how sure that is."""

    step: int
    share: float
    value: Value
    gap: float


@dataclass(frozen=True)
class Secret:
    """``seats`` choose at once; ``sequences`` are, for each, all that it may seal, whatever comes first of it.

    ``samples``: by the choice of each, playout, seat of the table and kind (points, chance, place). ``doubt``: how much
    of even chances is mixed into them.
    """

    seats: tuple[int, ...]
    sequences: tuple[tuple[Steps, ...], ...]
    samples: Payoffs
    doubt: float = 0.0

    @cached_property
    def means(self) -> Payoffs:
        """The samples without the playouts."""
        found: Payoffs = self.samples.mean(axis=len(self.seats))
        return found

    @cached_property
    def mixtures(self) -> list[Mixture]:
        """How often each seat chooses what, in an equilibrium of the chances to win."""
        return equilibrium(self.means[..., self.seats, 1])

    def options(self, seat: int, sealed: Steps) -> tuple[Option, ...]:
        """What the seat may seal next, after what it has sealed already; against the mixtures of the others."""
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
        """What it is worth to each seat of the table if all choose by their mixtures."""
        means = self.means
        for mix in self.mixtures:
            means = np.tensordot(mix, means, axes=(0, 0))
        return tuple(Value(float(p), float(c), False, rank=float(r)) for p, c, r in means if r > 0)

    def _against(self, payoffs: Payoffs, me: int) -> Payoffs:
        return against(payoffs, self.mixtures, me)

    def _error(self, me: int, seat: int, choice: int, other: int | None, kind: int) -> float:
        """The standard error of the value of a choice, or of its difference from another's."""
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
        else:  # one playout of each: how ways to fall differ says no less
            off = np.full(len(rows), rows.var())
        return float(np.sqrt(np.sum(weights**2 * off) / rows.shape[1]))


def lines_of(seats: Sequence[int], sequences: Sequence[Sequence[Steps]]) -> list[list[tuple[int, int]]]:
    """Every way in which the choice can fall, as steps with their seats; the last seat's choice varies fastest."""
    lines: list[list[tuple[int, int]]] = [[]]
    for seat, mine in zip(seats, sequences, strict=True):
        lines = [[*line, *((seat, step) for step in steps)] for line in lines for steps in mine]
    return lines
