"""The past states of a match. Only a few are stored; each of the others is replayed from a stored one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from spelunke.core.values import State

APART = 32
"""The distance, in plies, between states that are stored for good."""
RECENT = 8
"""The number of newest states that are stored in addition."""


class Past:
    """All states of a match by number. ``step(state, ply)`` returns the state after that ply.

    Several threads may read at the same time, but not while another thread adds or removes a state.
    """

    __slots__ = ("_count", "_kept", "_newest", "_reached", "_step")

    def __init__(self, start: State, step: Callable[[State, int], State]) -> None:
        self._step = step
        self._kept = [start]
        self._newest = deque([start], RECENT)
        self._count = 1
        # The last replayed state and its number. A walk through the past asks for the next one.
        self._reached = (0, start)

    def add(self, state: State) -> None:
        """Append the next state. The caller must not change it any more."""
        if self._count % APART == 0:
            self._kept.append(state)
        self._newest.append(state)
        self._count += 1

    def take_back(self) -> State:
        """Remove the newest state. Return the state before it."""
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
        """Return the state with this number, from 0. It is the state before the ply with the same number.

        Do not change it.
        """
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
