"""The past states of a match. Only a few are stored. The others are computed by replaying plies from a stored state."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from spelunke.core.values import State

APART = 32
"""The distance, in plies, between the states that stay stored."""
RECENT = 8
"""The number of newest states that are also stored."""


class Past:
    """All states of a match. State ``n`` is the state before ply ``n``.

    ``step(state, n)`` must return the state after ply ``n``, given the state before it.

    Several threads may read at the same time, but not while another thread adds or removes a state.
    """

    __slots__ = ("_count", "_kept", "_newest", "_reached", "_step")

    def __init__(self, start: State, step: Callable[[State, int], State]) -> None:
        self._step = step
        self._kept = [start]
        self._newest = deque([start], RECENT)
        self._count = 1
        # the number and state of the last replay, because a caller that walks through the past needs the next one
        self._reached = (0, start)

    def add(self, state: State) -> None:
        """Append the next state. The caller must not change it afterwards."""
        if self._count % APART == 0:
            self._kept.append(state)
        self._newest.append(state)
        self._count += 1

    def take_back(self) -> State:
        """Remove the newest state, and return the state before it."""
        self._count -= 1
        self._newest.pop()
        if self._count % APART == 0:
            self._kept.pop()
        if self._reached[0] >= self._count:
            self._reached = (0, self._kept[0])
        if not self._newest:
            self._newest.append(self.at(self._count - 1))
        return self._newest[-1]

    def at(self, number: int) -> State:
        """Return the state before the ply with this number, counted from 0. The caller must not change it."""
        recent = number - self._count + len(self._newest)
        if recent >= 0:
            return self._newest[recent]
        if number % APART == 0:
            return self._kept[number // APART]
        first, state = number - number % APART, self._kept[number // APART]
        reached = self._reached
        if first <= reached[0] <= number:
            first, state = reached
        for ply in range(first, number):
            state = self._step(state, ply)
        self._reached = (number, state)
        return state
