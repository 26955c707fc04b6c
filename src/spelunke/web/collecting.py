"""When Python looks for objects that only hold each other: not among all that the house holds while people play.

Why it is made like this: docs/why/collecting.md.
"""

from __future__ import annotations

import gc
import threading

YOUNG = 10_000
"""So many objects more than went by themselves, and the young are looked through: some milliseconds."""
ROUNDS = 5
"""After so many times those that stayed are looked through with them."""
NEVER = 1 << 30
WHOLE_S = 600.0
"""So often all is looked through, which stops everybody for the time that it takes."""


class Collector:
    """For a process that serves: from `start` to `stop` it decides when Python looks for garbage."""

    def __init__(self, seconds: float = WHOLE_S) -> None:
        self._seconds = seconds
        self._stopped = threading.Event()
        self._before = gc.get_threshold()
        self._thread = threading.Thread(target=self._run, name="collector", daemon=True)

    def start(self) -> None:
        """Begin; what is there now is taken to stay."""
        self.settle()
        gc.set_threshold(YOUNG, ROUNDS, NEVER)
        self._thread.start()

    def settle(self) -> None:
        """What is there now stays as long as the process: programs, kernels. It is looked through no more."""
        gc.collect()
        gc.freeze()

    def stop(self) -> None:
        """Leave it to Python again; nothing happens the second time."""
        if not self._stopped.is_set():
            self._stopped.set()
            gc.set_threshold(*self._before)
            gc.unfreeze()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            gc.collect()
