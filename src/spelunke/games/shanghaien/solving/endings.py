"""The value of each settlement of six cards, for every state that both sides may have reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spelunke.games.shanghaien.solving.frame import Frame, Side
from spelunke.games.shanghaien.solving.stages import FINAL, Reals, Stage, nothing_falls, row_falls, trick_lead
from spelunke.games.shanghaien.solving.stakes import Aim, worth
from spelunke.games.shanghaien.state import ROUNDS

GRACE = 2e-4
"""The default of a player's ``grace``. With it, a decided game is still played well."""


@dataclass(frozen=True)
class Judge:
    """Values of crews after each round: ``stages[k]`` after k rounds, the last one exact.

    ``grace``: the value of a point, if a win is worth 1.
    """

    stages: Sequence[Stage]
    aim: Aim
    grace: float = GRACE

    def stage(self, rounds: int) -> Stage:
        """Return the values after this number of rounds."""
        return FINAL if rounds >= ROUNDS else self.stages[rounds]

    def crews(self, frame: Frame, sides: tuple[Side, Side], starter: int) -> float:
        """Return the value of both crews before the cards of the next round are dealt; ``frame.tavern``
        rounds are over.

        ``starter`` begins the next round; if it is negative, the starter is still to be drawn.
        """
        fallen = nothing_falls(frame.deck)
        stage = self.stage(frame.tavern)
        tally = stage.tally(fallen, *sides)
        lead = trick_lead(fallen, *sides)
        seats = (0, 1) if starter < 0 else (starter,)
        over = stage is FINAL
        found = [
            worth(self.aim, frame, *tally(*sides, seat), lead, over=over, grace=self.grace) for seat in seats
        ]
        return float(np.mean(found))


class Endings:
    """Values of the 729 settlements of a frame's cards, by both sides and the seat that called Shanghai."""

    def __init__(self, judge: Judge, frame: Frame, first: Side, second: Side) -> None:
        self._judge, self._frame = judge, frame
        stage = judge.stage(frame.tavern + 1)
        self._over = stage is FINAL
        self._fallen = row_falls(frame)
        self._tally = stage.tally(self._fallen, first, second)

    def __call__(self, first: Side, second: Side, caller: int) -> Reals:
        """Return the values for these states of the sides, float64[729]."""
        mean, variance = self._tally(first, second, 1 - caller)
        lead = trick_lead(self._fallen, first, second)
        judge = self._judge
        return worth(judge.aim, self._frame, mean, variance, lead, over=self._over, grace=judge.grace)
