"""Analyses whose playouts ran on a reader's own device. They are shown to this reader only.

A separate process, the analyst, plans the playouts and makes the analysis from their results. So neither
running tables nor the server's analyses wait for the analyst. A device could send wrong results, so the analysis is not
stored, and other people never see it.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from spelunke.analysis.analysis import Analysis, Analyst, force
from spelunke.core.caches import Cache
from spelunke.core.errors import BadInput
from spelunke.games.game import Game
from spelunke.house.budgets import OWN_ANALYSES, RESULTS
from spelunke.house.refusals import HouseClosed, NotNow, NotYet, TooFast
from spelunke.house.store import Store
from spelunke.house.study.analyses import AnalysisLook
from spelunke.house.study.replays import Replays
from spelunke.records.record import write_record

RESULTS_S = 300.0
"""The time in seconds in which a device must send the next part of its results."""
PATIENCE_S = 20.0
"""The longest time in seconds for which a request waits for its turn. Then the page asks for the server's analysis."""
MOST_WAITING = 8
"""The maximum number of requests that wait or are being answered. Each of them holds a thread of the server."""


class OwnAnalyses:
    """Lets a reader's device run the playouts of an analysis, and caches the analysis for this reader."""

    def __init__(self, store: Store, replays: Replays, analyst: Analyst) -> None:
        self._store = store
        self._replays = replays
        self._analyst = analyst
        self._closed = False
        self._places = threading.BoundedSemaphore(MOST_WAITING)
        self._turn = threading.Lock()
        self._parts: Cache[tuple[str, str], bytes] = Cache(RESULTS, seconds=RESULTS_S)
        self._known: Cache[tuple[str, str], tuple[int, bytes]] = Cache(OWN_ANALYSES)

    def offers(self, game: Game) -> bool:
        """Return whether a person's own device can compute analyses of this game."""
        from spelunke.solvers.elsewhere import can_play_elsewhere

        return can_play_elsewhere(game)

    def plan(self, table_id: str, person: str | None = None) -> bytes:
        """Return the playouts that a device must run for the analysis of a finished game.

        The result is JSON compressed by gzip.

        Raise the errors of `Replays.look`. Raise NotNow if devices can't analyse this game, or BadInput if the
        game is too long. Raise TooFast if too many requests wait, NotYet if this request waited too long, or
        HouseClosed after `close`.
        """
        self._check(table_id, person)
        record = self._record(table_id, person)
        with self._asking() as analyst:
            return analyst.plan(record)

    def add(self, table_id: str, person: str, at: int, size: int, part: bytes) -> bool:
        """Add a part of the results of a plan. Return whether the part was the last one.

        After the last part, make the analysis. ``at`` is the offset of the part in the results, and ``size``
        the size of all results, both in bytes. Send the parts in order. Raise the errors of `plan`. Raise
        BadInput if a part is missing or arrived too late, or if the results are wrong or too large.
        """
        from spelunke.solvers.elsewhere import MOST_RESULTS

        self._check(table_id, person)
        key = (table_id, person)
        known = self._parts.get(key) or b"" if at else b""
        if size > MOST_RESULTS or len(known) != at or at + len(part) > size:
            raise BadInput(
                "the results are too large, or their parts did not arrive in order; send them again from the start",
                "at",
            )
        results = known + part
        if len(results) < size:
            self._parts.put(key, results, len(results))
            return False
        self._parts.drop(key)
        record = self._record(table_id, person)
        with self._asking() as analyst:
            found = analyst.finish(record, results)
        found = force(found, self._replays.course(table_id, person).taught)
        body = zlib.compress(msgspec.json.encode(found), 6)
        self._known.put(key, (self._store.now(), body), len(body))
        return True

    def look(self, table_id: str, person: str | None) -> AnalysisLook | None:
        """Return the reader's own analysis of a finished game, or None if there is none."""
        found = self._known.get((table_id, person)) if person is not None else None
        if found is None:
            return None
        made_ms, body = found
        analysis = msgspec.json.decode(zlib.decompress(body), type=Analysis)
        plies = len(analysis.curve) - 1
        return AnalysisLook(
            table=table_id, status="done", done=plies, plies=plies, made_ms=made_ms, analysis=analysis
        )

    def _check(self, table_id: str, person: str | None) -> None:
        """Raise NotNow if the reader's device can't analyse this game. Raise the errors of `Replays.about`."""
        game, _plies = self._replays.about(table_id, person)
        if not self.offers(game):
            raise NotNow("only the server can analyse this game")

    def _record(self, table_id: str, person: str | None) -> bytes:
        return write_record(self._replays.record(table_id, person))

    @contextmanager
    def _asking(self) -> Iterator[Analyst]:
        """Wait for the analyst, and yield it. Until the end of the block, no other request can use the analyst.

        Raise TooFast if too many requests wait, NotYet if this request waited too long, or HouseClosed after
        `close`.
        """
        if not self._places.acquire(blocking=False):
            raise TooFast(f"{MOST_WAITING} games are waiting to be analysed; ask again in a few minutes")
        try:
            if not self._turn.acquire(timeout=PATIENCE_S):
                raise NotYet("other games are still being analysed; ask again in a moment")
            try:
                if self._closed:
                    raise HouseClosed("the server is shutting down; please try again in a moment")
                yield self._analyst
            finally:
                self._turn.release()
        finally:
            self._places.release()

    def close(self) -> None:
        """Stop the analyst. Requests that wait for it fail."""
        self._closed = True
        self._analyst.close()
