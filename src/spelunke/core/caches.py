"""A thread-safe cache with a limit in bytes, and optionally a lifetime for its values."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """A thread-safe mapping from keys to values, with at most `most` bytes of values in total.

    If the values exceed the limit, the cache evicts the least recently used ones. If `seconds` is given, each value
    expires after that time, and the cache evicts the oldest values instead. The cache keeps at least one value, even if
    this value alone exceeds the limit. `each` is the size of every value, in bytes. If the sizes differ, pass the size
    of each value to `put`.
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
        """The total size of the cached values, in bytes."""
        return self._size

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None if it is not cached or has expired."""
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
        """Store a value of `size` bytes (`each` by default). Evict other values if the cache is too large."""
        size = self._each if size is None else size
        with self._gate:
            old = self._held.pop(key, None)
            self._held[key] = (value, size, self._clock())
            self._size += size - (0 if old is None else old[1])
            self._make_room()

    def weigh(self, key: K, value: V, size: int) -> None:
        """Set the size of a value, in bytes, if this value is still cached under the key.

        If the cache is then too large, evict values, possibly this value too.
        """
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
        """Remove the value of a key, if it is cached."""
        with self._gate:
            old = self._held.pop(key, None)
            self._size -= 0 if old is None else old[1]

    def clear(self) -> None:
        """Remove all values."""
        with self._gate:
            self._held.clear()
            self._size = 0
