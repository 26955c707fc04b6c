"""Heartbeats of all streams with few timers. An idle stream needs no task, only a write now and then."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

TURN_S = 0.05
"""Heartbeats due within this time, in seconds, are sent together."""


class Heart:
    """Send a heartbeat after `seconds` without other data.

    Its timing depends on nothing else, so it reveals nothing.
    """

    __slots__ = ("beat", "said", "seconds")

    def __init__(self, seconds: float, beat: Callable[[], None]) -> None:
        self.seconds = seconds
        self.beat: Callable[[], None] | None = beat
        # when the stream last sent data, in the event loop's time; the stream updates it, because data
        # replaces a heartbeat
        self.said = asyncio.get_running_loop().time()

    def stop(self) -> None:
        """Stop."""
        self.beat = None


class Hearts:
    """The heartbeats of all streams.

    When a stream sends data, no timer changes: the heartbeat is checked again when it is due.
    """

    def __init__(self) -> None:
        self._turns: dict[int, list[Heart]] = {}

    def begin(self, heart: Heart) -> None:
        """Start the heartbeats of a stream until it stops."""
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
