"""Signs of life of all streams, by few timers: a stream that stands still costs a write now and then, and no task."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

TURN_S = 0.05
"""Hearts that are to beat within so short a time beat together."""


class Heart:
    """One stream's: beats when nothing was `said` for so many seconds. When it beats rests on nothing else."""

    __slots__ = ("beat", "said", "seconds")

    def __init__(self, seconds: float, beat: Callable[[], None]) -> None:
        self.seconds = seconds
        self.beat: Callable[[], None] | None = beat
        # the time of the event loop at which the stream said something last
        self.said = asyncio.get_running_loop().time()

    def speak(self) -> None:
        """Note that the stream says something now, which is a sign of life itself."""
        self.said = asyncio.get_running_loop().time()

    def stop(self) -> None:
        """Beat no more."""
        self.beat = None


class Hearts:
    """Those of all streams here. What a stream says moves nothing: its heart is looked at again when it is due."""

    def __init__(self) -> None:
        self._turns: dict[int, list[Heart]] = {}

    def begin(self, heart: Heart) -> None:
        """Have a heart beat from now on, until it is stopped."""
        turn = math.ceil((heart.said + heart.seconds) / TURN_S)
        if turn not in self._turns:
            self._turns[turn] = []
            asyncio.get_running_loop().call_at(turn * TURN_S, self._take, turn)
        self._turns[turn].append(heart)

    def _take(self, turn: int) -> None:
        now = max(asyncio.get_running_loop().time(), turn * TURN_S)
        for heart in self._turns.pop(turn):
            if heart.beat is None:
                continue
            if heart.said + heart.seconds <= now:
                heart.beat()
                heart.said = now
            self.begin(heart)
