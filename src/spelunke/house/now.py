"""What time it is: everything in the house that needs the time takes it from here.

Why it is made like this: docs/why/failures.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

SLEW = 1 / 200
"""How fast the house's time may approach the machine's: nobody's clock runs wrong by more than 0.3 s in a minute."""
JUMP_S = 60.0
"""How far the machine's clock may be off before the host is told."""


def _count_on() -> float:
    """Seconds that pass whatever is done to the machine's clock, and while the machine sleeps where that can be had."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Now:
    """Seconds since 1970 that never go back and never jump, whatever is done to the machine's clock.

    It begins with the machine's clock, or with `after` where that is later, counts on by itself, and approaches the
    machine's clock slowly. `wall` and `count` are for tests: the clock that may jump, and the one that doesn't.
    """

    def __init__(self, wall: Callable[[], float] = time.time, count: Callable[[], float] = _count_on) -> None:
        self._wall = wall
        self._count = count
        self._gate = threading.Lock()
        self._counted = count()
        self._now = wall()

    def __call__(self) -> float:
        """The time now."""
        with self._gate:
            counted = self._count()
            passed = max(0.0, counted - self._counted)
            self._counted = counted
            away = self._wall() - (self._now + passed)
            self._now += passed + max(-passed * SLEW, min(passed * SLEW, away))
            return self._now

    def begin_after(self, seconds: float) -> None:
        """Go on from there if it is later: times that are in the log already have been."""
        with self._gate:
            self._now = max(self._now, seconds)

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
