"""The value of a position, computed from the rules alone: all continuations are played to the end.

The computation is slow, and shares only the rules with the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import bind, pool
from spelunke.core.step import Step
from spelunke.games.shanghaien.state import ACTIONS, OUTCOMES, STATE, State

Judge = Callable[[State], float]
DEEPEST = 80


class Plain:
    """The values of positions for seat 0, computed by recursion over every move and every outcome of chance.

    Values are cached. The bytes of a state are the key of its value.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.step = cast("Step", bind("spelunke.core.step", "spelunke.games.shanghaien.rules"))
        self.states = pool(STATE, DEEPEST)
        self.bytes = self.states.view(np.uint8).reshape(DEEPEST, -1)
        self.known: dict[bytes, float] = {}
        self.lists = np.zeros((DEEPEST, max(ACTIONS, OUTCOMES)), np.int16)
        self.weights = np.zeros_like(self.lists)

    def value(self, s: State) -> float:
        """Return the value of the position."""
        self.states[0] = s
        return self._value(0)

    def _value(self, at: int) -> float:
        key = self.bytes[at].tobytes()
        if key not in self.known:
            self.known[key] = self._work_out(at)
        return self.known[key]

    def _work_out(self, at: int) -> float:
        who = self.step.actors_at(self.states, at)
        if who == OVER:
            return self.judge(self.states[at])
        if who == CHANCE:
            count = self.step.chances_at(self.states, at, self.lists[at], self.weights[at])
            outcomes, weights = self.lists[at, :count].tolist(), self.weights[at, :count].tolist()
            total = 0.0
            for outcome, weight in zip(outcomes, weights, strict=True):
                self.bytes[at + 1] = self.bytes[at]
                self.step.apply_chance_at(self.states, at + 1, outcome)
                total += weight * self._value(at + 1)
            return total / sum(weights)
        seat = 0 if who & 1 else 1
        values = list(self.choices_at(at, seat).values())
        return max(values) if seat == 0 else min(values)

    def choices_at(self, at: int, seat: int) -> dict[int, float]:
        """Return the value of each of the seat's legal actions in the position ``states[at]``."""
        count = self.step.legal_at(self.states, at, seat, self.lists[at])
        found = {}
        for action in self.lists[at, :count].tolist():
            self.bytes[at + 1] = self.bytes[at]
            self.step.play_at(self.states, at + 1, seat, action)
            found[action] = self._value(at + 1)
        return found

    def choices(self, s: State, seat: int) -> dict[int, float]:
        """Return the value of each of the seat's legal actions in a position."""
        self.states[0] = s
        return self.choices_at(0, seat)


def margin(s: State) -> float:
    """Return the points of seat 0 minus those of seat 1 in a finished match."""
    return float(s.total[0] - s.total[1])


def winner(s: State) -> float:
    """Return 1 if seat 0 won, -1 if seat 1 did, or 0 for a shared win. Add 0.0002 for each point of the margin."""
    step = cast("Step", bind("spelunke.core.step", "spelunke.games.shanghaien.rules"))
    states = pool(STATE, 1)
    states[0] = s
    points, ranks = np.zeros(2, np.int16), np.zeros(2, np.int16)
    step.result_at(states, 0, points, ranks)
    return float(int(ranks[0] == 1) - int(ranks[1] == 1)) + 2e-4 * margin(s)
