"""The sentences of a table's log for one viewer in one language. They are cached."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable

from spelunke.house.messages import LogLine
from spelunke.house.table.log import Row

Tell = Callable[[int, Row], Iterable[LogLine]]
"""A function that takes the index of a row and the row itself, and returns the row's lines."""


class ToldLines:
    """Cached lines of a log, in order. The lines of each row are made only once."""

    __slots__ = ("_lines", "_rows")

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._rows = 0

    def after(self, since: int, rows: list[Row], tell: Tell) -> tuple[LogLine, ...]:
        """Return the lines whose `ply` is greater than `since`.

        `rows` are all rows of the log. `tell` makes the lines of the rows that are not cached yet.
        """
        for index in range(self._rows, len(rows)):
            self._lines.extend(tell(index, rows[index]))
        self._rows = len(rows)
        first = bisect.bisect_right(self._lines, since, key=lambda line: line.ply)
        return tuple(self._lines[first:])
