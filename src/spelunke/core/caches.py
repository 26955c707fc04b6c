"""A cache of values by key that lets go of what was used longest ago, or is too old. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values by key, of at most so many bytes in all; what was used longest ago goes first. Thread-safe.

    `seconds`: how long a value is good; then the oldest goes first, and goes when its time is over. Values of one kind
    may all count the same (`each`), or are weighed at `put`.
    """

    def __init__(
        self,
        most: int,
        *,
        each: int = 0,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._each = each
        self._seconds = seconds
        self._clock = clock
        self._gate = threading.Lock()
        self._held: OrderedDict[K, tuple[V, int, float]] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """How many bytes it is taken to hold."""
        return self._size

    def get(self, key: K) -> V | None:
        """The value, or None."""
        with self._gate:
            found = self._held.get(key)
            if found is None:
                return None
            value, size, at = found
            if self._seconds is not None and self._clock() - at > self._seconds:
                del self._held[key]
                self._size -= size
                return None
            if self._seconds is None:
                self._held.move_to_end(key)
            return value

    def put(self, key: K, value: V, size: int | None = None) -> None:
        """Keep a value of so many bytes."""
        size = self._each if size is None else size
        with self._gate:
            old = self._held.pop(key, None)
            self._held[key] = (value, size, self._clock())
            self._size += size - (0 if old is None else old[1])
            self._make_room()

    def weigh(self, key: K, value: V, size: int) -> None:
        """The value, if it is still held, has come to hold so many bytes."""
        with self._gate:
            found = self._held.get(key)
            if found is not None and found[0] is value:
                self._held[key] = (value, size, found[2])
                self._size += size - found[1]
                self._make_room()

    def _make_room(self) -> None:
        while self._size > self._most and len(self._held) > 1:
            self._size -= self._held.popitem(last=False)[1][1]
        if self._seconds is not None:
            over = self._clock() - self._seconds
            while self._held and next(iter(self._held.values()))[2] < over:
                self._size -= self._held.popitem(last=False)[1][1]

    def drop(self, key: K) -> None:
        """Forget a value."""
        with self._gate:
            old = self._held.pop(key, None)
            self._size -= 0 if old is None else old[1]

    def clear(self) -> None:
        """Forget all."""
        with self._gate:
            self._held.clear()
            self._size = 0
