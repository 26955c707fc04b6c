"""What every way in which six cards can fall is worth, for all that both sides may have become by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spelunke.games.shanghaien.solving.dice import ENDINGS, takers
from spelunke.games.shanghaien.solving.frame import Frame, Row, Side
from spelunke.games.shanghaien.solving.stages import FINAL, Reals, Stage, Whole, left_of
from spelunke.games.shanghaien.solving.stakes import Aim, worth
from spelunke.games.shanghaien.state import NATIONS, ROUNDS, SAILORS

KINDS = 3


@dataclass(frozen=True)
class Judge:
    """Values of crews after each round: ``stages[k]`` after k of them, the last one exact."""

    stages: Sequence[Stage]
    aim: Aim

    def stage(self, rounds: int) -> Stage:
        """The values after so many rounds."""
        return FINAL if rounds >= ROUNDS else self.stages[rounds]

    def crews(self, frame: Frame, sides: Sequence[Side], starter: int) -> float:
        """What both crews are worth before the cards of the next round are dealt; ``frame.tavern`` rounds are over."""
        stage = self.stage(frame.tavern)
        nothing = np.zeros(1, np.int64)
        mean, variance = np.zeros(1), np.zeros(1)
        for nation in range(NATIONS):
            add = [nothing + side.strength[nation] for side in sides]
            found = stage.nation(_left(frame, nation), add[0], add[1])
            mean, variance = mean + found[0], variance + found[1]
        none = np.zeros((KINDS, 1), np.int64)
        (mine, first), (theirs, second) = (_hand(stage, side, none) for side in sides)
        margin = mean + mine - theirs
        return float(_value(self.aim, stage, frame, margin, variance, first - second, starter)[0])


class Endings:
    """Values of the 729 ways in which the cards of a frame can fall, by both sides and who called Shanghai."""

    def __init__(self, judge: Judge, frame: Frame, first: Side, second: Side) -> None:
        self._judge, self._frame = judge, frame
        self._stage = judge.stage(frame.tavern + 1)
        self._start = (first, second)
        self._hands: dict[tuple[int, Row], tuple[Reals, Reals]] = {}
        who = takers()
        self._gained = np.zeros((2, KINDS, ENDINGS), np.int64)
        added = np.zeros((2, NATIONS, ENDINGS), np.int64)
        for number, kind in enumerate(frame.row):
            for seat in range(2):
                got = who[:, number] == seat + 1
                if kind >= SAILORS:
                    self._gained[seat, kind - SAILORS] += got
                elif kind >= 0:
                    added[seat, kind >> 2] += got * ((kind & 3) + 1)
        self._nations = [
            self._nation(nation, added[0, nation], added[1, nation]) for nation in range(NATIONS)
        ]
        self._mean = np.sum([found[0, 0][0] for found in self._nations], axis=0)
        self._variance = np.sum([found[0, 0][1] for found in self._nations], axis=0)

    def _nation(self, nation: int, mine: Whole, theirs: Whole) -> dict[tuple[int, int], tuple[Reals, Reals]]:
        """The nation's part by what jokers of this round add to both strengths."""
        left = _left(self._frame, nation)
        first, second = (side.strength[nation] for side in self._start)
        return {
            (a, b): self._stage.nation(left, mine + first + a, theirs + second + b)
            for a in (0, 2)
            for b in (0, 2)
        }

    def __call__(self, first: Side, second: Side, caller: int) -> Reals:
        """The values when the sides have become these, float64[729]."""
        mean, variance = self._mean, self._variance
        for nation in range(NATIONS):
            a = first.strength[nation] - self._start[0].strength[nation]
            b = second.strength[nation] - self._start[1].strength[nation]
            if a or b:
                parts, before = self._nations[nation][a, b], self._nations[nation][0, 0]
                mean = mean + (parts[0] - before[0])
                variance = variance + (parts[1] - before[1])
        mine, has = self._tricks(0, first)
        theirs, other = self._tricks(1, second)
        margin, starter = mean + mine - theirs, 1 - caller
        return _value(self._judge.aim, self._stage, self._frame, margin, variance, has - other, starter)

    def _tricks(self, seat: int, side: Side) -> tuple[Reals, Reals]:
        """See :func:`_hand`; the same hand comes again and again."""
        key = (seat, side.hand)
        if key not in self._hands:
            self._hands[key] = _hand(self._stage, side, self._gained[seat])
        return self._hands[key]


def _left(frame: Frame, nation: int) -> int:
    ones, twos, threes, fours = frame.deck[4 * nation : 4 * nation + 4]
    return left_of(ones, twos, threes, fours)


def _hand(stage: Stage, side: Side, gained: Whole) -> tuple[Reals, Reals]:
    """What a hand adds to the margin of its seat with the tricks that it gains, int[3, ...], and how many it has."""
    extra = float(sum(side.hand[KINDS:]))  # each is a point in the end, whatever it does
    value, count = np.full(gained.shape[-1], extra), np.full(gained.shape[-1], extra)
    for kind in range(KINDS):
        held = side.hand[kind] + gained[kind]
        value += stage.hand(kind, held)
        count += held
    return value, count


def _value(
    aim: Aim, stage: Stage, frame: Frame, mean: Reals, variance: Reals, spare: Reals, starter: int
) -> Reals:
    mean = mean + (stage.start if starter == 0 else -stage.start)
    spread = stage.scale * variance + stage.floor
    return worth(aim, frame, mean, spread, spare, over=stage is FINAL)
