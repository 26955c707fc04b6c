"""The clock for all code of the house. For the reasons, see docs/why/failures.md."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

SLEW = 1 / 200
"""The greatest rate at which the house's clock approaches the machine's clock: 0.3 s per minute."""
LOOK_S = 0.25
"""The seconds for which the house's clock runs at a constant rate, after it was compared with the machine's clock."""
JUMP_S = 60.0
"""The least difference in seconds between the house's clock and the machine's clock at which the host is warned."""


_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)
_count_on: Callable[[], float] = time.monotonic if _BOOT is None else partial(time.clock_gettime, _BOOT)
"""A function that returns the seconds of a clock that nobody can set.

On systems that allow this, the clock also runs while the machine sleeps.
"""


class Now:
    """A clock that gives the seconds since 1970 and never goes back.

    It starts at the machine's time. If somebody sets the machine's clock, this clock does not jump: it
    approaches the new time slowly. Only `begin_after` makes it jump forward. `wall` and `count` are for tests:
    `wall` replaces the machine's clock, and `count` the monotonic clock, which nobody can set.
    """

    def __init__(self, wall: Callable[[], float] = time.time, count: Callable[[], float] = _count_on) -> None:
        self._wall = wall
        self._count = count
        self._gate = threading.Lock()
        counted = count()
        # the monotonic clock and the house's time at the last reading, the rate of the house's clock since then, and
        # the time of the monotonic clock until which this rate is used
        self._course = (counted, wall(), 1.0, counted)

    def __call__(self) -> float:
        """Return the present time in seconds since 1970."""
        counted = self._count()
        began, now, rate, until = self._course
        if began <= counted < until:
            return now + (counted - began) * rate
        with self._gate:
            return self._look(counted)

    def _look(self, counted: float) -> float:
        """Read the machine's clock, and set the rate of the house's clock until the next reading.

        `counted` is the present value of the monotonic clock. Return the house's present time.
        """
        began, now, rate, until = self._course
        settled = max(0.0, min(counted, until) - began)
        passed = max(0.0, counted - began - settled)
        now += settled * rate + passed
        most = passed * SLEW
        now += max(-most, min(most, self._wall() - now))
        rate = 1 + max(-SLEW, min(SLEW, (self._wall() - now) / LOOK_S))
        counted = max(counted, began)
        self._course = (counted, now, rate, counted + LOOK_S)
        return now

    def begin_after(self, seconds: float) -> None:
        """Set the clock to `seconds` (since 1970) if the clock is behind that time.

        Call this at the start with the latest stored time, because new times must not be earlier.
        """
        with self._gate:
            now = self._look(self._count())
            counted = self._course[0]
            self._course = (counted, max(now, seconds), 1.0, counted)

    @property
    def problem(self) -> str | None:
        """A sentence for the host if the house's clock and the machine's clock differ much, or None."""
        away = self._wall() - self()
        if abs(away) < JUMP_S:
            return None
        way = "ahead of" if away > 0 else "behind"
        return (
            f"the machine's clock is {abs(away):.0f} seconds {way} the house's; the house keeps its own time"
        )
