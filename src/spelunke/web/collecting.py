"""Tune garbage collection for a server: long-lived objects are excluded from collections.

For the reasons, see docs/why/collecting.md.
"""

from __future__ import annotations

import gc
import threading

YOUNG = 10_000
"""The number of new objects after which the young generation is collected. A collection takes some milliseconds."""
ROUNDS = 5
"""After this number of collections of the young generation, the middle generation is collected too."""
NEVER = 1 << 30
WHOLE_S = 600.0
"""The interval in seconds between full collections. All requests wait during such a collection."""


class Collector:
    """Controls the garbage collector of a serving process from `start` to `stop`."""

    def __init__(self, seconds: float = WHOLE_S) -> None:
        self._seconds = seconds
        self._stopped = threading.Event()
        self._before = gc.get_threshold()
        self._thread = threading.Thread(target=self._run, name="collector", daemon=True)

    def start(self) -> None:
        """Start the tuned collection, and exclude all present objects from it."""
        self.settle()
        gc.set_threshold(YOUNG, ROUNDS, NEVER)
        self._thread.start()

    def settle(self) -> None:
        """Collect garbage, then exclude all remaining objects, such as compiled rules, from later collections."""
        gc.collect()
        gc.freeze()

    def stop(self) -> None:
        """Restore the settings from before `start`. Further calls do nothing."""
        if not self._stopped.is_set():
            self._stopped.set()
            gc.set_threshold(*self._before)
            gc.unfreeze()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            gc.collect()
