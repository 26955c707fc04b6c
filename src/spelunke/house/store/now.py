"""What time it is: everything in the house that needs the time takes it from here.

Why it is made like this: docs/why/failures.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

SLEW = 1 / 200
"""How fast the house's time may approach the machine's: nobody's clock runs wrong by more than 0.3 s in a minute."""
LOOK_S = 0.25
"""How often the machine's clock is looked at; in between the house's goes on evenly."""
JUMP_S = 60.0
"""How far the machine's clock may be off before the host is told."""


_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def _count_on() -> float:
    """Seconds that pass whatever is done to the machine's clock, and while the machine sleeps where that can be had."""
    return time.monotonic() if _BOOT is None else time.clock_gettime(_BOOT)


class Now:
    """Seconds since 1970 that never go back and never jump, whatever is done to the machine's clock.

    It begins with the machine's clock, or with `after` where that is later, counts on by itself, and approaches the
    machine's clock slowly. `wall` and `count` are for tests: the clock that may jump, and the one that doesn't.
    """

    def __init__(self, wall: Callable[[], float] = time.time, count: Callable[[], float] = _count_on) -> None:
        self._wall = wall
        self._count = count
        self._gate = threading.Lock()
        counted = count()
        # what it was at a count, how fast it goes from there, and up to which count that holds
        self._course = (counted, wall(), 1.0, counted)

    def __call__(self) -> float:
        """The time now."""
        counted = self._count()
        began, now, rate, until = self._course
        if began <= counted < until:
            return now + (counted - began) * rate
        with self._gate:
            return self._look(counted)

    def _look(self, counted: float) -> float:
        """Look at the machine's clock, and keep how fast to go for a while; the time at that count."""
        began, now, rate, until = self._course
        settled = max(0.0, min(counted, until) - began)
        passed = max(0.0, counted - began - settled)
        now += settled * rate + passed
        now += _bound(self._wall() - now, passed * SLEW)
        rate = 1 + _bound((self._wall() - now) / LOOK_S, SLEW)
        counted = max(counted, began)
        self._course = (counted, now, rate, counted + LOOK_S)
        return now

    def begin_after(self, seconds: float) -> None:
        """Go on from there if it is later: times that are in the log already have been."""
        with self._gate:
            now = self._look(self._count())
            counted = self._course[0]
            self._course = (counted, max(now, seconds), 1.0, counted)

    @property
    def problem(self) -> str | None:
        """How far the machine's clock is off, where that is much; for the host."""
        away = self._wall() - self()
        if abs(away) < JUMP_S:
            return None
        way = "ahead of" if away > 0 else "behind"
        return (
            f"the machine's clock is {abs(away):.0f} seconds {way} the house's; the house goes on by its own"
        )


def _bound(seconds: float, most: float) -> float:
    """So many seconds, but neither more nor less than that."""
    return max(-most, min(most, seconds))
