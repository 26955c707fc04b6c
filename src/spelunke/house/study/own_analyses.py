"""Analyses whose playouts ran on a reader's own device. They are shown to this reader only.

The house plans the playouts and makes the analysis from their results. A device could send wrong results, so
the analysis is not stored, and other people never see it.
"""

from __future__ import annotations

import zlib

import msgspec

from spelunke.analysis.analysis import Analysis
from spelunke.core.caches import Cache
from spelunke.core.errors import BadInput
from spelunke.games.game import Game
from spelunke.house.budgets import OWN_ANALYSES, RESULTS
from spelunke.house.refusals import NotNow
from spelunke.house.store import Store
from spelunke.house.study.analyses import AnalysisLook
from spelunke.house.study.replays import Course, Replays

RESULTS_S = 300.0
"""The time in seconds in which a device must send all parts of its results."""
MOST_RESULTS = 2_000_000
"""The maximum size of the results of one game, in bytes."""


class OwnAnalyses:
    """Lets a reader's device run the playouts of an analysis, and caches the analysis for this reader."""

    def __init__(self, store: Store, replays: Replays) -> None:
        self._store = store
        self._replays = replays
        self._parts: Cache[tuple[str, str], bytes] = Cache(RESULTS, seconds=RESULTS_S)
        self._known: Cache[tuple[str, str], tuple[int, bytes]] = Cache(OWN_ANALYSES)

    def offers(self, game: Game) -> bool:
        """Return whether devices can run the playouts of this game's analyses."""
        from spelunke.solvers.elsewhere import can_play_elsewhere

        return can_play_elsewhere(game)

    def plan(self, table_id: str, person: str | None = None) -> bytes:
        """Return the playouts that the analysis of a finished game needs, as JSON.

        Raise the errors of `Replays.look`. Raise NotNow if devices can't run this game's playouts.
        """
        from spelunke.solvers.elsewhere import plan_analysis

        return msgspec.json.encode(plan_analysis(self._course(table_id, person).match))

    def add(self, table_id: str, person: str, at: int, size: int, part: bytes) -> bool:
        """Add a part of the results of a plan. If the part is the last one, make the analysis and return
        True.

        ``at`` is the offset of the part in the results, and ``size`` the size of all results, both in bytes.
        Send the parts in order. Raise the errors of `Replays.look`, and BadInput if the results are wrong.
        """
        from spelunke.solvers.elsewhere import finish_analysis

        course = self._course(table_id, person)
        key = (table_id, person)
        known = self._parts.get(key) or b"" if at else b""
        if size > MOST_RESULTS or len(known) != at or at + len(part) > size:
            raise BadInput(
                "send the parts of the results in order: this one does not begin where the last one ended",
                "at",
            )
        results = known + part
        if len(results) < size:
            self._parts.put(key, results, len(results))
            return False
        self._parts.drop(key)
        found = finish_analysis(course.match, course.table.names, table_id, results)
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

    def _course(self, table_id: str, person: str | None) -> Course:
        """Return a finished game.

        Raise NotNow if the reader's device can't run the playouts of this game's analysis. Raise the errors of
        `Replays.course`.
        """
        course = self._replays.course(table_id, person)
        if not self.offers(course.game):
            raise NotNow("only the server can analyse this game")
        return course
