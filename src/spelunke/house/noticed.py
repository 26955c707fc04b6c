"""What one viewer noticed of the rows of a table: kept from look to look, and only ever added to."""

from __future__ import annotations

import bisect

import msgspec

from spelunke.core.values import Event, View
from spelunke.house.log import Log
from spelunke.records.viewer import MatchViewer


class Noticed:
    """The events that a viewer was told, row by row, and how many rows it noticed: what it can't know counts nothing.

    `everything`: the game hides nothing, so that each row is noticed.
    """

    __slots__ = ("_counts", "_everything", "_log", "_told", "_view", "_viewer", "preview")

    def __init__(self, log: Log, viewer: MatchViewer | None, *, everything: bool) -> None:
        self._log = log
        self._viewer = viewer
        self._everything = everything
        self._told: dict[int, tuple[Event, ...]] = {}
        # see `counts`, as far as it was asked for
        self._counts = [0]
        # the view after so many rows
        self._view: tuple[int, View] | None = None
        # what the seat's kept orders come to, after so many rows and with those orders
        self.preview: tuple[tuple[int, str | None], msgspec.Struct | None] | None = None

    def events_of(self, index: int) -> tuple[Event, ...]:
        """What the viewer was told of row `index` when it happened."""
        events = self._told.get(index)
        if events is None:
            ply = self._log.ply_of(index)
            events = () if ply is None or self._viewer is None else self._viewer.told(ply)
            self._told[index] = events
        return events

    def seen_at(self, row: int) -> int:
        """How many of the first `row` rows the viewer noticed."""
        return self.counts[row]

    @property
    def seen(self) -> int:
        """How many rows the viewer noticed."""
        return self.counts[-1]

    @property
    def newest(self) -> int:
        """How many rows there were when the viewer last noticed one."""
        counts = self.counts
        return bisect.bisect_left(counts, counts[-1])

    def first_after(self, seen: int) -> int:
        """The index of the first row that is not among the first `seen` that the viewer noticed."""
        return max(0, bisect.bisect_right(self.counts, seen) - 1)

    @property
    def counts(self) -> list[int]:
        """counts[i]: how many of the first i rows the viewer noticed; not to be changed."""
        counts = self._counts
        for index in range(len(counts) - 1, len(self._log.rows)):
            counts.append(counts[-1] + self._notices(index))
        return counts

    def _notices(self, index: int) -> bool:
        if self._everything or self._log.ply_of(index) is None:
            return True
        own = self._viewer is not None and self._log.rows[index].seat == self._viewer.seat
        return own or bool(self.events_of(index))

    @property
    def view(self) -> View | None:
        """The game's View, made once per row; None before the start."""
        if self._viewer is None:
            return None
        row = len(self._log.rows)
        if self._view is None or self._view[0] != row:
            self._view = (row, self._viewer.view)
        return self._view[1]
