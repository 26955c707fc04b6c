"""The value of both crews between two rounds: the mean and the variance of the final margin.

The margin is seat 0's points minus seat 1's. A :class:`Stage` has the values after a number of rounds.
:mod:`.stakes` turns them into chances to win. The last stage is exact (:data:`FINAL`). For the other stages,
:func:`guess` has a simple model, and :mod:`.learned` reads learned models from a file.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.dice import ENDINGS, takers
from spelunke.games.shanghaien.solving.frame import Frame, Row, Side
from spelunke.games.shanghaien.state import COPIES, NATIONS, SAILORS

Reals: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
STRONGEST = 21
"""The highest strength in a table. Higher strengths are treated like this one.

A nation's cards add up to 13, and a joker adds 2.
"""
LEFT = 24
"""The number of different sets of a nation's cards that may still come."""
SHARE = 0.37
"""The probability that a given side gets a card that is still to come."""
TRICK = 3.0
"""The value of an unplayed trick before the last round, in points."""


def margins(mine: Whole, theirs: Whole) -> Whole:
    """Return the points that a nation brings the first side, minus those that it brings the second side (S-R25)."""
    alone = np.where(theirs == 0, mine, 0) - np.where(mine == 0, theirs, 0)
    met = np.where(mine > theirs, theirs, 0) - np.where(theirs > mine, mine, 0)
    found: Whole = np.where((mine == 0) | (theirs == 0), alone, met)
    return found


def cards_left(left: int) -> tuple[int, int, int, int]:
    """Return how many cards of each value, from 1 to 4, a nation has still to come.

    ``left`` is a number that `left_by_nation` has computed from these counts.
    """
    return left % 2, left // 2 % 2, left // 4 % 3, left // 12


def left_by_nation(deck: Row) -> Row:
    """Return one number for each nation: a code for the counts of its cards to come (see `cards_left`).

    ``deck`` has the number of cards to come of each kind.
    """
    return tuple(
        deck[4 * n] + 2 * deck[4 * n + 1] + 4 * deck[4 * n + 2] + 12 * deck[4 * n + 3] for n in range(NATIONS)
    )


@dataclass(frozen=True)
class Fallen:
    """Possible settlements of a round. A settlement gives each card of the row to one of the sides, or to nobody.

    In the shapes below, ``ways`` is the number of settlements. ``added`` has the strength that each side gains in
    each nation, int64[2, 8, ways]. ``gained`` has the trick cards that each side gains, int64[2, ways]. ``left`` has,
    for each nation, the index of the set of its cards to come. ``tricks`` is the number of trick cards to come.
    """

    added: Whole
    gained: Whole
    left: Row
    tricks: int


def nothing_falls(deck: Row) -> Fallen:
    """Return the single settlement in which no side gets a card."""
    nobody = np.zeros((2, NATIONS, 1), np.int64), np.zeros((2, 1), np.int64)
    return Fallen(*nobody, left_by_nation(deck), sum(deck[SAILORS:]))


def row_falls(frame: Frame) -> Fallen:
    """Return all 729 settlements of a row: each of its six cards goes to one of the two sides, or to nobody."""
    who = takers()
    added, gained = np.zeros((2, NATIONS, ENDINGS), np.int64), np.zeros((2, ENDINGS), np.int64)
    for number, kind in enumerate(frame.row):
        for seat in range(2):
            got = who[:, number] == seat + 1
            if kind >= SAILORS:
                gained[seat] += got
            elif kind >= 0:
                added[seat, kind >> 2] += got * ((kind & 3) + 1)
    return Fallen(added, gained, left_by_nation(frame.deck), sum(frame.deck[SAILORS:]))


class Tally(Protocol):
    """A function that returns the values of settlements, for given states of both sides."""

    def __call__(self, first: Side, second: Side, starter: int) -> tuple[Reals, Reals]:
        """Return the mean and the variance of the final margin for each settlement.

        A settlement is a way to share out the row's cards at the end of a round. ``starter`` is the seat that begins
        the next round.
        """
        ...


class Stage(Protocol):
    """The values of crews after a given number of rounds."""

    def tally(self, fallen: Fallen, first: Side, second: Side) -> Tally:
        """Return a function that computes the values of the settlements in ``fallen``.

        The function's first two arguments are the sides at the end of the round: ``first`` and ``second``, each
        unchanged or after one more trick.
        """
        ...


@dataclass(frozen=True)
class Simple:
    """A model that adds up the values of the nations, and gives each trick the same value.

    ``mean`` and ``variance`` are indexed by the set of a nation's cards to come and by both strengths,
    float64[24, 22, 22]. After the last round, both are None, and the model computes the exact points. ``trick`` is the
    value of a trick in points, and ``floor`` is added to the variance.
    """

    mean: Reals | None
    variance: Reals | None
    trick: float
    floor: float = 0.0

    def nation(self, left: int, mine: Whole, theirs: Whole) -> tuple[Reals, Reals]:
        """Return a nation's contribution to the mean and the variance of the final margin, for each pair of strengths.

        The margin is seat 0's points minus seat 1's.
        """
        if self.mean is None or self.variance is None:
            exact = margins(mine, theirs).astype(np.float64)
            return exact, np.zeros_like(exact)
        at = (left, np.minimum(mine, STRONGEST), np.minimum(theirs, STRONGEST))
        return self.mean[at], self.variance[at]

    def tally(self, fallen: Fallen, first: Side, second: Side) -> Tally:
        """Return the object that computes the values of the settlements in ``fallen`` (see :meth:`Stage.tally`)."""
        return Sum(self, fallen, first, second)


class Sum:
    """A :class:`Tally` that computes the values of a :class:`Simple` stage."""

    def __init__(self, stage: Simple, fallen: Fallen, first: Side, second: Side) -> None:
        self._stage, self._fallen, self._start = stage, fallen, (first, second)
        self._parts: dict[tuple[int, int, int], tuple[Reals, Reals]] = {}
        before = [self.nation(nation, 0, 0) for nation in range(NATIONS)]
        self._mean = np.sum([mean for mean, _ in before], axis=0)
        self._variance = np.sum([variance for _, variance in before], axis=0) + stage.floor

    def nation(self, nation: int, a: int, b: int) -> tuple[Reals, Reals]:
        """Return a nation's contribution to the mean and the variance of the final margin, for each settlement.

        The margin is seat 0's points minus seat 1's. The settlements are the possible ones of the round that ends
        (:class:`Fallen`). ``a`` and ``b`` are the strengths that jokers have added for the first and for the second
        side.
        """
        key = (nation, a, b)
        if key not in self._parts:
            mine = self._fallen.added[0, nation] + self._start[0].strength[nation] + a
            theirs = self._fallen.added[1, nation] + self._start[1].strength[nation] + b
            self._parts[key] = self._stage.nation(self._fallen.left[nation], mine, theirs)
        return self._parts[key]

    def jokers(self, first: Side, second: Side) -> list[tuple[int, int, int]]:
        """Return the nations in which jokers have added strength, each with the added strengths of both sides."""
        sides = zip(
            first.strength, second.strength, self._start[0].strength, self._start[1].strength, strict=True
        )
        return [(n, a - c, b - d) for n, (a, b, c, d) in enumerate(sides) if (a, b) != (c, d)]

    def __call__(self, first: Side, second: Side, starter: int) -> tuple[Reals, Reals]:
        """Return the mean and the variance of the margin (see :class:`Tally`)."""
        mean, variance = self._mean, self._variance
        for nation, a, b in self.jokers(first, second):
            parts, before = self.nation(nation, a, b), self.nation(nation, 0, 0)
            mean = mean + (parts[0] - before[0])
            variance = variance + (parts[1] - before[1])
        return mean + self._stage.trick * trick_lead(self._fallen, first, second), variance


def trick_lead(fallen: Fallen, first: Side, second: Side) -> Reals:
    """Return the number of seat 0's unplayed tricks minus seat 1's after each settlement, float64[settlements]."""
    gained = fallen.gained
    found: Reals = (gained[0] - gained[1] + sum(first.hand) - sum(second.hand)).astype(np.float64)
    return found


FINAL = Simple(None, None, 1.0)
"""The exact stage for the end of the game: the score itself (S-R25, S-R26)."""


@functools.cache
def chances_of(left: int, share: float) -> tuple[tuple[int, int, float], ...]:
    """Return the pairs of strengths that the two sides may gain from a nation's cards to come.

    Each pair is given with its probability. A card goes to the one side with probability ``share``, to the other side
    with the same probability, and else to nobody.
    """
    cards = [value for value, n in enumerate(cards_left(left), 1) for _ in range(n)]
    found: dict[tuple[int, int], float] = {}
    for who in itertools.product((0, 1, 2), repeat=len(cards)):
        weight = float(np.prod([share if seat else 1.0 - 2 * share for seat in who]))
        mine = sum(card for card, seat in zip(cards, who, strict=True) if seat == 1)
        theirs = sum(card for card, seat in zip(cards, who, strict=True) if seat == 2)
        found[mine, theirs] = found.get((mine, theirs), 0.0) + weight
    return tuple((mine, theirs, weight) for (mine, theirs), weight in found.items())


@functools.cache
def guess_nations(share: float = SHARE) -> tuple[Reals, Reals]:
    """Return the mean and the variance of a nation's margin, float64[24, 22, 22] each.

    The indices are the set of the nation's cards to come, and the strengths of the two sides. A card to come goes to
    the one side with probability ``share``, to the other side with the same probability, and else to nobody.
    """
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
def guess() -> Simple:
    """Return the simple model of the values of crews, which is not learned.

    This model assumes that each side gets a card with a fixed probability, and that a trick is worth three points.
    """
    mean, variance = guess_nations()
    return Simple(mean, variance, TRICK, floor=1.0)


@functools.cache
def as_if_over() -> Simple:
    """Return a model in which crews count as if the game ended now."""
    mean = np.stack([margins(*np.indices((STRONGEST + 1, STRONGEST + 1)))] * LEFT).astype(np.float64)
    return Simple(mean, np.zeros_like(mean), 1.0, floor=100.0)
