"""The one way in which a test waits for what happens elsewhere: it asks until it is so, and fails if it never is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 120.0
"""Seconds after which something hangs; a busy machine only takes longer."""


def wait_until(
    ask: Callable[[], Found | None],
    what: str = "it never came to that",
    *,
    patience: float = PATIENCE,
    pause: float = 0.01,
) -> Found:
    """Ask until the answer is true and return it; fails with ``what`` after ``patience`` seconds."""
    until = time.monotonic() + patience
    while not (found := ask()):
        assert time.monotonic() < until, what
        time.sleep(pause)
    return found
