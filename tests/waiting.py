"""Wait for something that happens elsewhere: poll until it is so, and fail if it never is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 120.0
"""The time after which something hangs, in seconds; a busy machine only takes longer."""
LONGEST_PAUSE = 0.05


def wait_until(
    ask: Callable[[], Found | None],
    what: str = "it never came to that",
    *,
    patience: float = PATIENCE,
    pause: float = 0.01,
) -> Found:
    """Poll until the answer is true and return it; fail with ``what`` after ``patience`` seconds.

    The pauses grow: a poll is often a request to a server, and many polls would slow that server.
    """
    until = time.monotonic() + patience
    while not (found := ask()):
        assert time.monotonic() < until, what
        time.sleep(pause)
        pause = max(pause, min(pause * 1.2, LONGEST_PAUSE))
    return found
