"""The rows of a table's log that one viewer has noticed. They are cached, and only new rows are read."""

from __future__ import annotations

import bisect
from collections import OrderedDict

import msgspec

from spelunke.core.values import Event, View
from spelunke.core.words import Translator
from spelunke.games.match import Match
from spelunke.house.messages import RoundSummary
from spelunke.house.table.log import Log
from spelunke.house.table.told import ToldLines
from spelunke.records.chain import Opening, next_link, tell_row

LANGUAGES = 2
"""The number of sets of sentences that are cached for one seat. Its person may switch languages."""
SPECTATORS = 8
"""The number of sets of sentences that are cached for all spectators together.

Spectators read in six languages, and players may change their names.
"""

Telling = tuple[tuple[str, ...], bool, tuple[Translator, ...]]
"""The key of a set of cached sentences: the names, whether the game is running, and the translators."""


class Noticed:
    """The events that a viewer received, row by row, and the number of rows that the viewer noticed.

    The viewer is a seat, or None for spectators. For the meaning of "notice", see `Table.noticed`. Before the
    game begins, the viewer has no hash chain, and `match` and `opening` (the first entry of the
    chain) are None.
    """

    __slots__ = (
        "_lines",
        "_links",
        "_log",
        "_match",
        "_opening",
        "_seat",
        "_told",
        "_view",
        "absence",
        "counts",
        "last",
        "newest",
        "open_to_all",
        "preview",
        "seen",
        "signature",
        "summary",
    )

    def __init__(
        self,
        log: Log,
        match: Match | None,
        seat: int | None,
        opening: Opening | None,
        *,
        open_to_all: Noticed | None = None,
    ) -> None:
        self._log = log
        self._match = match
        self._seat = seat
        self._opening = opening
        # the entries of the viewer's hash chain that `link_at` has computed so far
        self._links: list[bytes] = []
        # the server's signature, and the number of rows that it covers
        self.signature: tuple[int, str] | None = None
        # If a game hides nothing, all viewers receive the same events, and views that differ only in the seat.
        self.open_to_all = open_to_all
        self._told: dict[int, tuple[Event, ...]] = {} if open_to_all is None else open_to_all._told
        # the sentences that `told_lines` returns
        self._lines: OrderedDict[Telling, ToldLines] = OrderedDict()
        # counts[i]: the number of rows that the viewer noticed among the first i rows, as far as `follow` has read
        self.counts = [0]
        # `seen`: the number of rows that the viewer noticed; `newest`: the number of the newest of these rows, or 0
        self.seen = self.newest = 0
        # the view, with the number of noticed rows at which it was made
        self._view: tuple[int, View] | None = None
        # the preview of the seat's stored orders, with the number of rows and the orders
        self.preview: tuple[tuple[int, str | None], msgspec.Struct | None] | None = None
        # `Viewer.last`, with the number of noticed rows and whether the game is running
        self.last: tuple[tuple[int, bool], tuple[Event, ...]] | None = None
        # the viewer's newest knowledge of presence; kept by `sight.absence`
        self.absence: object | None = None
        # the summary of the newest finished round, with its row, whether the game is running, and its
        # language
        self.summary: tuple[tuple[int, bool, Translator], RoundSummary] | None = None

    def follow(self) -> None:
        """Read the rows that were added to the log since the last call. `Table.noticed` calls this."""
        counts, plies, match = self.counts, self._log.plies, self._match
        # If a game hides nothing, everybody notices every row.
        hides = match is not None and (match.game.hidden or match.game.together)
        for index in range(len(counts) - 1, len(plies)):
            ply = plies[index]
            told = self.events_of(index)
            if not hides or ply is None or match is None or told or match.plies[ply].seat == self._seat:
                self.seen += 1
                self.newest = index + 1
            counts.append(self.seen)

    def events_of(self, index: int) -> tuple[Event, ...]:
        """Return the events of row `index` that the viewer received when the row was added."""
        events = self._told.get(index)
        if events is None:
            ply = self._log.plies[index]
            events = () if ply is None or self._match is None else self._match.events_of(ply, self._seat)
            self._told[index] = events
        return events

    def told_lines(self, names: tuple[str, ...], *words: Translator, running: bool) -> ToldLines:
        """Return the cache of the log's sentences for these arguments. If there is none, make an empty one.

        `names` are the names of the seats. `words` translate the sentences into one language. `running` says
        whether the game is still running. Only the few caches that were used last are kept.
        """
        key = (names, running, words)
        found = self._lines.pop(key, None) or ToldLines()
        self._lines[key] = found
        most = SPECTATORS if self._seat is None else LANGUAGES
        while len(self._lines) > most:
            self._lines.popitem(last=False)
        return found

    def first_after(self, seen: int) -> int:
        """Skip the first `seen` rows that the viewer noticed, and return the log index of the next noticed row.

        If the viewer noticed no more rows, return the number of rows in the log.
        """
        return max(0, bisect.bisect_right(self.counts, seen) - 1)

    def told(self, since: int = 0) -> list[bytes]:
        """Return the texts that the viewer's hash chain covers, one for each row that the viewer noticed.

        Leave out the first `since` noticed rows. `records.chain.tell_row` makes the texts.
        """
        assert self._opening is not None
        began, counts = self._opening.started, self.counts
        return [
            tell_row(counts[index + 1], row.line(began), self.events_of(index))
            for index, row in enumerate(self._log.rows[self.first_after(since) :], self.first_after(since))
            if counts[index + 1] > counts[index]
        ]

    def link_at(self, seen: int) -> bytes:
        """Return the link of the viewer's hash chain after the first `seen` rows that the viewer noticed."""
        assert self._opening is not None
        links = self._links
        if not links:
            links.append(self._opening.link(self._seat))
        if len(links) <= seen:
            for told in self.told(len(links) - 1):
                links.append(next_link(links[-1], told))
        return links[seen]

    @property
    def view(self) -> View | None:
        """The game's View for the viewer, or None before the start.

        It is computed again only after a new row of the log that the viewer notices (`Table.noticed`), because no other
        row changes it.
        """
        if self._match is None:
            return None
        if self._view is None or self._view[0] != self.seen:
            everybody = self.open_to_all
            if everybody is None:
                view = self._match.view(self._seat)
            else:
                everybody.follow()
                shared = everybody.view
                assert shared is not None
                view = msgspec.structs.replace(shared, seat=self._seat)
            self._view = (self.seen, view)
        return self._view[1]
