"""Which worker a table belongs to: the ring of nginx's `hash … consistent`, so that both come to the same one.

Each server has 160 points, numbers made from its name; a table belongs to the server of the first point at or after the
number of its id. A server that is not there is passed over, so that only its own tables move.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from zlib import crc32

POINTS = 160
"""So many for each server, as nginx has it for one of weight 1."""


class Ring:
    """Servers by the names that stand in nginx's `upstream`: an address with its port, or without one."""

    def __init__(self, names: Iterable[str]) -> None:
        points: dict[int, str] = {}
        for name in names:
            for number in _points_of(name):
                points.setdefault(number, name)
        self._numbers = sorted(points)
        self._names = [points[number] for number in self._numbers]

    def find(self, key: str) -> str | None:
        """Return the name of the server that a key belongs to; None on an empty ring."""
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
