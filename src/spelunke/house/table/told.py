"""The sentences of a log for one viewer in one language. They are cached, and new rows add new ones."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable

from spelunke.house.messages import LogLine
from spelunke.house.table.log import Row

Tell = Callable[[int, Row], Iterable[LogLine]]
"""A function that returns the lines of a row, given the row and its index."""


class ToldLines:
    """Cached log lines in the order of their plies. `tell` is called only once for each row."""

    __slots__ = ("_lines", "_rows")

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._rows = 0

    def after(self, since: int, rows: list[Row], tell: Tell) -> tuple[LogLine, ...]:
        """Return the lines after ply `since`.

        `rows` are all rows of the log, for which `tell` makes the lines.
        """
        for index in range(self._rows, len(rows)):
            self._lines.extend(tell(index, rows[index]))
        self._rows = len(rows)
        first = bisect.bisect_right(self._lines, since, key=lambda line: line.ply)
        return tuple(self._lines[first:])
