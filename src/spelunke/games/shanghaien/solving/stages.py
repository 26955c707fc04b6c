"""What both crews are worth between two rounds: nation by nation, with the trick cards and who starts.

A :class:`Stage` stands for the moment after so many rounds. It gives the mean and the variance of the final margin, of
which :mod:`.stakes` makes a chance to win. The last one is exact; :func:`guess` makes the others by a simple model,
:mod:`.learned` from a file.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.state import COPIES

Reals: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
STRONGEST = 21
"""Strengths above this count as this in a table: a nation has 13, a joker adds 2."""
LEFT = 24
"""Ways in which a nation's five cards can be still to come or not."""
SHARE = 0.37
"""How likely a side gets a card that is still to come."""
TRICK = 3.0
"""What an unplayed trick is worth before the last round."""


def margins(mine: Whole, theirs: Whole) -> Whole:
    """What a nation brings to the first side minus the second (S-R25)."""
    alone = np.where(theirs == 0, mine, 0) - np.where(mine == 0, theirs, 0)
    met = np.where(mine > theirs, theirs, 0) - np.where(theirs > mine, mine, 0)
    found: Whole = np.where((mine == 0) | (theirs == 0), alone, met)
    return found


def left_of(ones: int, twos: int, threes: int, fours: int) -> int:
    """The number of what is still to come of a nation: how many cards of each value."""
    return ones + 2 * twos + 4 * threes + 12 * fours


def cards_left(left: int) -> tuple[int, int, int, int]:
    """The inverse of :func:`left_of`."""
    return left % 2, left // 2 % 2, left // 4 % 3, left // 12


@dataclass(frozen=True)
class Stage:
    """Mean and variance of the final margin of seat 0, added up over nations.

    ``mean`` and ``variance``: float64[24, 22, 22] by what is to come of a nation and both strengths; None for the end
    of the game, which is exact. ``trick``: what the n-th trick in a hand adds, the last one for all beyond; by kind.
    ``start``: what it is worth to begin the next round. ``scale`` and ``floor`` turn the summed variance into that of
    the margin.
    """

    mean: Reals | None
    variance: Reals | None
    trick: tuple[tuple[float, ...], ...]
    start: float = 0.0
    scale: float = 1.0
    floor: float = 0.0

    @property
    def kinds(self) -> bool:
        """Whether it matters which tricks are left in a hand."""
        return len(set(self.trick)) > 1

    def nation(self, left: int, mine: Whole, theirs: Whole) -> tuple[Reals, Reals]:
        """What a nation adds to the mean and to the variance, for each of the given strengths."""
        if self.mean is None or self.variance is None:
            exact = margins(mine, theirs).astype(np.float64)
            return exact, np.zeros_like(exact)
        at = (left, np.minimum(mine, STRONGEST), np.minimum(theirs, STRONGEST))
        return self.mean[at], self.variance[at]

    def hand(self, kind: int, count: Whole) -> Reals:
        """What so many tricks of a kind (0 to 2) are worth in a hand."""
        values = self.trick[kind]
        steps = np.cumsum((0.0, *values))
        beyond = np.maximum(count - len(values), 0) * values[-1]
        found: Reals = steps[np.minimum(count, len(values))] + beyond
        return found


FINAL = Stage(None, None, ((1.0,), (1.0,), (1.0,)))
"""The end of the game: the score itself (S-R25, S-R26)."""


@functools.cache
def chances_of(left: int, share: float) -> tuple[tuple[int, int, float], ...]:
    """How a nation's cards to come may fall: what each side gains by them, and how likely that is."""
    cards = [value for value, n in enumerate(cards_left(left), 1) for _ in range(n)]
    found: dict[tuple[int, int], float] = {}
    for takers in itertools.product((0, 1, 2), repeat=len(cards)):
        weight = float(np.prod([share if who else 1.0 - 2 * share for who in takers]))
        mine = sum(card for card, who in zip(cards, takers, strict=True) if who == 1)
        theirs = sum(card for card, who in zip(cards, takers, strict=True) if who == 2)
        found[mine, theirs] = found.get((mine, theirs), 0.0) + weight
    return tuple((mine, theirs, weight) for (mine, theirs), weight in found.items())


@functools.cache
def guess_nations(share: float = SHARE) -> tuple[Reals, Reals]:
    """Mean and variance of a nation's margin when each side gets each card to come with that chance."""
    mine, theirs = np.indices((STRONGEST + 1, STRONGEST + 1))
    mean = np.zeros((LEFT, STRONGEST + 1, STRONGEST + 1))
    square = np.zeros_like(mean)
    for left in range(LEFT):
        if any(n > int(most) for n, most in zip(cards_left(left), COPIES, strict=True)):
            continue
        for first, second, weight in chances_of(left, share):
            margin = margins(mine + first, theirs + second)
            mean[left] += weight * margin
            square[left] += weight * margin**2
    return mean, np.maximum(square - mean**2, 0.0)


@functools.cache
def guess() -> Stage:
    """A simple model: cards to come fall to each side by a fixed chance, a trick is worth three points."""
    mean, variance = guess_nations()
    return Stage(mean, variance, ((TRICK,), (TRICK,), (TRICK,)), floor=1.0)
