"""Analyses of finished games. They are computed in the background on request, and stored.

A worker that computes an analysis leases a row in the database and renews the lease while it works. The row
shows other workers the progress. If the lease has expired, its worker has stopped, and the next request
begins the analysis again.
"""

from __future__ import annotations

import queue
import threading
import zlib
from collections.abc import Callable
from typing import Literal

import msgspec
import structlog
from sqlalchemy import Connection, select

from spelunke.analysis.analysis import Analysis, Analyst, force
from spelunke.core.caches import Cache
from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.house.budgets import ANALYSES
from spelunke.house.refusals import BadPlan, TooFast
from spelunke.house.store import Leases, Store, Write, analyses
from spelunke.house.study.replays import Replays
from spelunke.records.record import Record, write_record

log = structlog.get_logger("spelunke.house.study.analyses")

LEASE_MS = 60_000
"""The time in ms for which a lease lasts after it was last renewed.

It is long, because the first ply may have to wait for compilation.
"""
RENEW_MS = 1_000
MOST_WAITING = 32


class AnalysisLook(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of a finished game, and its progress.

    The values of ``status`` are:

    ``none``: no analysis was requested, or the last one was broken off. ``working``: an analysis is being
    computed. ``done``: it is finished. ``failed``: ``problem`` gives the reason. ``impossible``: the game has
    no action and no outcome of chance to analyse.

    The field ``done`` is the number of actions and outcomes of chance that are analysed so far, and ``plies``
    is their total number. ``made_ms`` is the time at which the analysis was finished, in milliseconds since 1970.
    """

    table: str
    status: Literal["none", "working", "done", "failed", "impossible"]
    done: int = 0
    plies: int = 0
    problem: str = ""
    made_ms: int | None = None
    analysis: Analysis | None = None


class Analyses:
    """The analyses of finished games.

    If ``waits`` is true, a thread computes requested analyses. Otherwise the caller must call `work_off`.
    """

    def __init__(self, store: Store, replays: Replays, analyst: Analyst, *, waits: bool) -> None:
        self._store = store
        self._leases = Leases(store, analyses, LEASE_MS)
        self._leases.begin()
        self._replays = replays
        self._analyst = analyst
        # requested analyses, with the person who requested each; None ends the thread
        self._queue: queue.Queue[tuple[str, str | None] | None] = queue.Queue()
        self._progress: dict[str, tuple[int, int]] = {}
        self._known: Cache[str, AnalysisLook] = Cache(ANALYSES)
        self._gate = threading.Lock()
        self._waits = waits
        self._thread: threading.Thread | None = None
        self._closed = False

    # --- asking ---

    def look(self, table_id: str, person: str | None = None) -> AnalysisLook:
        """Return the analysis of a finished game, or its progress.

        Raise UnknownTable. Raise NotNow if the game is running or never began, or WatchLater while only its
        players may see it.
        """
        _game, plies = self._replays.about(table_id, person)
        if not plies:
            return AnalysisLook(table=table_id, status="impossible")
        with self._gate:
            known = self._known.get(table_id)
            if known is not None:
                return known
            progress = self._progress.get(table_id)
        if progress is not None:
            return AnalysisLook(table=table_id, status="working", done=progress[0], plies=progress[1])
        return self._read(table_id, plies)

    def _read(self, table_id: str, plies: int) -> AnalysisLook:
        with self._store.read() as connection:
            row = connection.execute(select(analyses).where(analyses.c.table_id == table_id)).first()
        if row is None:
            return AnalysisLook(table=table_id, status="none", plies=plies)
        if row.body is not None:
            body = zlib.decompress(row.body)
            analysis = msgspec.json.decode(body, type=Analysis)
            found = AnalysisLook(
                table=table_id, status="done", done=plies, plies=plies, made_ms=row.made_ms, analysis=analysis
            )
            self._known.put(table_id, found, 4 * len(body))
            return found
        if row.problem:
            return AnalysisLook(table=table_id, status="failed", plies=plies, problem=row.problem)
        if row.claimed_ms > self._store.now():
            return AnalysisLook(table=table_id, status="working", done=row.done, plies=row.plies)
        return AnalysisLook(table=table_id, status="none", plies=plies)

    def begin(self, table_id: str, person: str | None = None) -> None:
        """Begin to analyse a finished game, unless an analysis is stored or running.

        `look` returns the progress. Anybody who may see the game may request its analysis. Raise the errors of `look`.
        Raise BadPlan if the game has nothing to analyse, or TooFast if too many analyses wait.
        """
        look = self.look(table_id, person)
        if look.status == "impossible":
            raise BadPlan("no move was played, so there is nothing to analyse", "table")
        if look.status in ("done", "working"):
            return
        with self._gate:
            if table_id in self._progress:
                return
            if len(self._progress) >= MOST_WAITING:
                raise TooFast(f"{MOST_WAITING} games are waiting to be analysed; ask again in a few minutes")
            self._progress[table_id] = (0, look.plies)
        try:
            if not self._store.writer.write(Write(call=lambda c: self._claim(c, table_id, look.plies))):
                self._forget(table_id)
                return
        except BaseException:
            self._forget(table_id)
            raise
        self._queue.put((table_id, person))
        self._start()

    def _claim(self, connection: Connection, table_id: str, plies: int) -> bool:
        """Lease the row of a table's analysis. Return False if another worker computes it or has finished it."""
        free = analyses.c.body.is_(None)
        return self._leases.claim(connection, table_id, free, done=0, plies=plies, problem=None)

    # --- working ---

    def _start(self) -> None:
        with self._gate:
            if not self._waits or self._closed or self._thread is not None:
                return
            self._thread = threading.Thread(target=self._run, name="house-analyses", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (asked := self._queue.get()) is not None:
            self._work(*asked)

    def work_off(self) -> int:
        """Compute all requested analyses in this thread, and return their number.

        If another thread computes them, do nothing and return 0.
        """
        done = 0
        while not self._waits and not self._queue.empty():
            asked = self._queue.get()
            if asked is not None:
                self._work(*asked)
                done += 1
        return done

    def _work(self, table_id: str, person: str | None) -> None:
        try:
            made = self._make(self._replays.record(table_id, person))
            made = force(made, self._replays.course(table_id, person).taught)
            body = zlib.compress(msgspec.json.encode(made), 6)
            self._keep(self._leases.release, table_id, body=body, made_ms=self._store.now())
        except BadInput as error:
            self._fail(table_id, str(error))
        except SpelunkeError as error:  # cancelled, or the store failed: the next request begins again
            log.warning("an analysis was broken off", table=table_id, error=str(error))
            self._fail(table_id, None)
        except Exception as error:
            log.exception("an analysis failed", table=table_id)
            # The sentence of `solvers/analyst.py`, which has translations.
            self._fail(
                table_id,
                f"the analysis failed ({type(error).__name__}); please report this game to the operator of the server",
            )
        finally:
            self._forget(table_id)

    def _make(self, record: Record) -> Analysis:
        renewed = self._store.now()

        def tell(done: int, of: int) -> None:
            nonlocal renewed
            with self._gate:
                self._progress[record.table] = (done, of)
            if self._store.now() - renewed >= RENEW_MS:
                renewed = self._store.now()
                self._keep(self._leases.renew, record.table, done=done)

        return self._analyst.analyse(write_record(record), tell)

    def _keep(self, change: Callable[..., int], table_id: str, **values: object) -> None:
        self._store.writer.write(Write(call=lambda connection: change(connection, table_id, **values)))

    def _fail(self, table_id: str, problem: str | None) -> None:
        try:
            self._keep(self._leases.release, table_id, problem=problem)
        except SpelunkeError as error:
            log.warning("that an analysis failed is not kept", table=table_id, error=str(error))

    def _forget(self, table_id: str) -> None:
        with self._gate:
            self._progress.pop(table_id, None)

    def close(self) -> None:
        """Cancel the running analysis and the waiting requests.

        After the next start of the server, a new request begins an analysis again.
        """
        with self._gate:
            self._closed = True
            thread = self._thread
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put(None)
        self._analyst.close()
        if thread is not None:
            thread.join(timeout=5)
