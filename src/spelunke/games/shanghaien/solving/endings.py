"""The values of all settlements of a row, for all tricks that both sides may have played.

A settlement assigns each of the six cards to one side or to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spelunke.games.shanghaien.solving.frame import Frame, Side
from spelunke.games.shanghaien.solving.stages import FINAL, Reals, Stage, nothing_falls, row_falls, trick_lead
from spelunke.games.shanghaien.solving.stakes import Aim, worth
from spelunke.games.shanghaien.state import ROUNDS

GRACE = 2e-4
"""The default of ``grace``: the value of a point if a win is worth 1.

It makes players play well even after the game is decided.
"""


@dataclass(frozen=True)
class Judge:
    """The values of crews after each round. ``stages[k]`` has the values after ``k`` rounds.

    The values after the last round are exact. ``grace`` is the value of a point if a win is worth 1.
    """

    stages: Sequence[Stage]
    aim: Aim
    grace: float = GRACE

    def stage(self, rounds: int) -> Stage:
        """Return the values of crews after this number of rounds, as a :class:`Stage`."""
        return FINAL if rounds >= ROUNDS else self.stages[rounds]

    def crews(self, frame: Frame, sides: tuple[Side, Side], starter: int) -> float:
        """Return the value of both crews for seat 0, before the cards of the next round are dealt.

        ``frame.tavern`` rounds are finished. ``starter`` is the seat that begins the next round; if it is
        negative, chance has not chosen it yet.
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
    """The values of all 729 settlements of a row.

    They depend on the state of both sides at the end of the round, and on the seat that called Shanghai.
    """

    def __init__(self, judge: Judge, frame: Frame, first: Side, second: Side) -> None:
        self._judge, self._frame = judge, frame
        stage = judge.stage(frame.tavern + 1)
        self._over = stage is FINAL
        self._fallen = row_falls(frame)
        self._tally = stage.tally(self._fallen, first, second)

    def __call__(self, first: Side, second: Side, caller: int) -> Reals:
        """Return the value for seat 0 of each settlement of the row, float64[729].

        A settlement assigns each of the six cards to one side or to nobody.

        ``first`` and ``second`` are the sides when the seat ``caller`` calls Shanghai.
        """
        mean, variance = self._tally(first, second, 1 - caller)
        lead = trick_lead(self._fallen, first, second)
        judge = self._judge
        return worth(judge.aim, self._frame, mean, variance, lead, over=self._over, grace=judge.grace)
