"""What one viewer noticed of the rows of a table: kept from look to look, and only ever added to."""

from __future__ import annotations

import bisect
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from spelunke.core.values import Event, View
from spelunke.house.messages import RoundSummary
from spelunke.house.table.log import Log
from spelunke.house.table.told import ToldLines
from spelunke.records.chain import Opening, next_link, tell_row
from spelunke.records.viewer import MatchViewer

LANGUAGES = 2
"""In so many languages the sentences of a log are kept for one viewer."""

Words = Callable[[str], str]
Telling = tuple[tuple[str, ...], bool, tuple[Words, ...]]
"""What sentences rest on besides the rows: names, whether the game runs, languages."""


class Noticed:
    """The events that a viewer was told, row by row, and how many rows it noticed: what it can't know counts nothing.

    Without a viewer and what its chain begins with the table has not started.
    """

    __slots__ = (
        "_counts",
        "_lines",
        "_links",
        "_log",
        "_open_to_all",
        "_opening",
        "_told",
        "_view",
        "_viewer",
        "absence",
        "preview",
        "signature",
        "summary",
    )

    def __init__(
        self,
        log: Log,
        viewer: MatchViewer | None,
        opening: Opening | None,
        *,
        open_to_all: Noticed | None = None,
    ) -> None:
        self._log = log
        self._viewer = viewer
        self._opening = opening
        # see `link_at`, as far as it was asked for
        self._links: list[bytes] = []
        # the house's, and of which number of rows
        self.signature: tuple[int, str] | None = None
        # where a game hides nothing, everybody is told the same, and sees the same from another seat
        self._open_to_all = open_to_all
        self._told: dict[int, tuple[Event, ...]] = {} if open_to_all is None else open_to_all._told
        # see `told_lines`
        self._lines: OrderedDict[Telling, ToldLines] = OrderedDict()
        # see `counts`, as far as it was asked for
        self._counts = [0]
        # the view after so many rows
        self._view: tuple[int, View] | None = None
        # what the seat's kept orders come to, after so many rows and with those orders
        self.preview: tuple[tuple[int, str | None], msgspec.Struct | None] | None = None
        # what the viewer knew of who is there when that was asked last; kept by `sight.absence`
        self.absence: object | None = None
        # the summary of the newest round that ended, with its row, whether the game runs, and its language
        self.summary: tuple[tuple[int, bool, Words], RoundSummary] | None = None

    def events_of(self, index: int) -> tuple[Event, ...]:
        """What the viewer was told of row `index` when it happened."""
        events = self._told.get(index)
        if events is None:
            ply = self._log.ply_of(index)
            events = () if ply is None or self._viewer is None else self._viewer.told(ply)
            self._told[index] = events
        return events

    def told_lines(self, names: tuple[str, ...], *words: Words, running: bool) -> ToldLines:
        """What is kept of the log's sentences with those names and in that language, of a few languages."""
        key = (names, running, words)
        found = self._lines.pop(key, None) or ToldLines()
        self._lines[key] = found
        while len(self._lines) > LANGUAGES:
            self._lines.popitem(last=False)
        return found

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
        if len(counts) <= len(self._log.rows):
            for index in range(len(counts) - 1, len(self._log.rows)):
                counts.append(counts[-1] + self._notices(index))
        return counts

    def _notices(self, index: int) -> bool:
        ply = self._log.ply_of(index)
        return ply is None or self._viewer is None or self._viewer.notices(ply, self.events_of(index))

    def told(self, since: int = 0) -> list[bytes]:
        """What is chained of the rows after so many that the viewer noticed (`records.chain.tell_row`)."""
        assert self._opening is not None
        began, counts = self._opening.started, self.counts
        return [
            tell_row(counts[index + 1], row.line(began), self.events_of(index))
            for index, row in enumerate(self._log.rows[self.first_after(since) :], self.first_after(since))
            if counts[index + 1] > counts[index]
        ]

    def link_at(self, seen: int) -> bytes:
        """The link of the viewer's chain after so many rows that it noticed, at most all."""
        assert self._opening is not None
        links = self._links
        if not links:
            links.append(self._opening.link(None if self._viewer is None else self._viewer.seat))
        if len(links) <= seen:
            for told in self.told(len(links) - 1):
                links.append(next_link(links[-1], told))
        return links[seen]

    def _make_view(self, viewer: MatchViewer) -> View:
        everybody = None if self._open_to_all is None else self._open_to_all.view
        return viewer.view if everybody is None else msgspec.structs.replace(everybody, seat=viewer.seat)

    @property
    def view(self) -> View | None:
        """The game's View, made once per row; None before the start."""
        if self._viewer is None:
            return None
        row = len(self._log.rows)
        if self._view is None or self._view[0] != row:
            self._view = (row, self._make_view(self._viewer))
        return self._view[1]
