"""The states that a match has been in. Few are kept: the others are played again from the one before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from spelunke.core.values import State

APART = 32
"""Every so many plies a state is kept for good."""
RECENT = 8
"""So many of the newest are kept besides."""


class Past:
    """All states of a match by number, the newest the last. ``step(state, ply)`` is the state after ply number ``ply``.

    Readable from several threads while none adds or takes away.
    """

    __slots__ = ("_count", "_kept", "_newest", "_reached", "_step")

    def __init__(self, start: State, step: Callable[[State, int], State]) -> None:
        self._step = step
        self._kept = [start]
        self._newest = deque([start], RECENT)
        self._count = 1
        # the last state that was played again, and its number: who goes through the past asks for the next one
        self._reached = (0, start)

    def add(self, state: State) -> None:
        """The next state, which nobody changes any more."""
        if self._count % APART == 0:
            self._kept.append(state)
        self._newest.append(state)
        self._count += 1

    def take_back(self) -> State:
        """Forget the newest state; the one before it."""
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
        """State ``number``, from 0: as it was before that ply. Not to be changed."""
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
