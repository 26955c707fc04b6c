"""Send the heartbeats of all streams with few timers, instead of a timer for each stream."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

TURN_S = 0.05
"""Heartbeats due within this time, in seconds, are sent together."""
CALM_AFTER = 12
"""After this number of heartbeats without other data, the interval between heartbeats grows."""
CALM_TIMES = 4
"""The factor by which the interval between heartbeats grows after `CALM_AFTER` heartbeats."""


class Heart:
    """Sends a stream's heartbeat after `seconds` without other data.

    If `calms` is true, the interval becomes longer after `CALM_AFTER` heartbeats in a row, until the stream
    sends other data. `beat` writes the heartbeat. During this call, `seconds` has the next interval. The timing
    depends on the stream's own data only, so it reveals nothing that is hidden from the viewer.
    """

    __slots__ = ("_calms", "_quick_s", "_quiet", "beat", "said", "seconds")

    def __init__(self, seconds: float, beat: Callable[[], None], *, calms: bool = False) -> None:
        self.seconds = self._quick_s = seconds
        self._calms = calms
        # the number of heartbeats in a row, without other data
        self._quiet = 0
        self.beat: Callable[[], None] | None = beat
        # The time of the last data or heartbeat, by the event loop's clock. The stream sets it when it sends data,
        # because data make a heartbeat needless.
        self.said = asyncio.get_running_loop().time()

    def stop(self) -> None:
        """Stop the heartbeats."""
        self.beat = None

    def check(self, began: float, now: float) -> None:
        """Send a heartbeat if it is due. The present interval began at `began`."""
        if self.said != began:  # other data was sent
            self._quiet, self.seconds = 0, self._quick_s
        if self.beat is None or self.said + self.seconds > now:
            return
        self._quiet += 1
        if self._calms and self._quiet == CALM_AFTER:
            self.seconds = CALM_TIMES * self._quick_s
        self.beat()
        self.said = now


class Hearts:
    """Sends the heartbeats of all streams.

    One timer serves all streams whose heartbeats are due within the same `TURN_S` seconds. If a stream has sent other
    data in the meantime, its heartbeat is due later. Then the timer only moves the stream to a later timer.
    """

    def __init__(self) -> None:
        # for each turn of the timer: the hearts, each with the time at which its present interval began
        self._turns: dict[int, list[tuple[Heart, float]]] = {}

    def begin(self, heart: Heart) -> None:
        """Send the heartbeats of a stream until `Heart.stop` is called."""
        turn = math.ceil((heart.said + heart.seconds) / TURN_S)
        if turn not in self._turns:
            self._turns[turn] = []
            asyncio.get_running_loop().call_at(turn * TURN_S, self._take, turn)
        self._turns[turn].append((heart, heart.said))

    def _take(self, turn: int) -> None:
        now = max(asyncio.get_running_loop().time(), turn * TURN_S)
        for heart, began in self._turns.pop(turn):
            if heart.beat is not None:
                heart.check(began, now)
                self.begin(heart)
