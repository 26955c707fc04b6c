"""Assign tables to workers with the ring of nginx's `hash … consistent`, so that nginx finds the same worker.

Each server has 160 points, hashes of its name. A table belongs to the server of the first point at or after
the hash of its id. If a server is missing, only its own tables move.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from zlib import crc32

POINTS = 160
"""The number of points of a server; nginx uses this many for weight 1."""


class Ring:
    """Servers by the names in nginx's `upstream`: an address with or without its port."""

    def __init__(self, names: Iterable[str]) -> None:
        points: dict[int, str] = {}
        for name in names:
            for number in _points_of(name):
                points.setdefault(number, name)
        self._numbers = sorted(points)
        self._names = [points[number] for number in self._numbers]

    def find(self, key: str) -> str | None:
        """Return the name of the server that a key belongs to, or None on an empty ring."""
        if not self._names:
            return None
        place = bisect_left(self._numbers, crc32(key.encode()))
        return self._names[place % len(self._names)]


def _points_of(name: str) -> Iterable[int]:
    host, _, port = name.rpartition(":")
    if not host or (port and not port.isdecimal()):
        host, port = name, ""
    base = crc32(f"{host}\0{port}".encode())
    number = 0
    for _ in range(POINTS):
        number = crc32(number.to_bytes(4, "little"), base)
        yield number
