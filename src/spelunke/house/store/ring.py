"""Assign tables to workers by the same hash ring as nginx's `hash … consistent`.

So nginx sends a request about a table to the worker that owns the table. Each worker has 160 points on the ring,
which are hashes of the worker's name. A table belongs to the worker of the first point at or after the hash of the
table's id. If a worker is missing, only its own tables move to other workers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from zlib import crc32

POINTS = 160
"""The number of points of each worker. nginx uses this number for weight 1."""


class Ring:
    """A hash ring of workers.

    The workers have the same names as in nginx's `upstream`: an address with or without a port.
    """

    def __init__(self, names: Iterable[str]) -> None:
        points: dict[int, str] = {}
        for name in names:
            for number in _points_of(name):
                points.setdefault(number, name)
        self._numbers = sorted(points)
        self._names = [points[number] for number in self._numbers]

    def find(self, key: str) -> str | None:
        """Return the name of the worker to which a key belongs. If the ring has no workers, return None."""
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
