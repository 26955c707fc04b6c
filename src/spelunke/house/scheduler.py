"""Due work: what the house itself has to do at a time. A row per piece, so that a crash delays it and never loses it.

Kinds: `start` (nonces have had their time), `bot` (a bot moves), `clock` (a seat's time is up), `window`
(silence becomes an answer), `standing` (a seat's standing orders may act). The worker that wrote a row has
claimed it and does it by a timer of its own; past the claim any worker takes it (`FOR UPDATE SKIP LOCKED` on
PostgreSQL; one process on SQLite).
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.house.customs import has_standing
from spelunke.house.store.schema import due
from spelunke.house.store.writer import Write
from spelunke.house.table_store import TableStore
from spelunke.house.tables import Table

log = structlog.get_logger("spelunke.house.scheduler")

LEASE_MS = 10_000
"""How long a claim lasts past its time: a dead worker's work is late by this much."""
SWEEP_S = 1.0

Work = dict[str, Any]


def work_of(live: Table, *, bot_pause_ms: int, nonce_wait_ms: int) -> list[Work]:
    """All due work of a table, from its log and facts alone: whoever computes it gets the same."""
    if live.facts.status == "ready":
        return [_row(live, "start", 0, (live.facts.ready_ms or 0) + nonce_wait_ms, 0)]
    if not live.running:
        return []
    work = []
    deadlines = []
    for seat in live.actors:
        opened = live.opened[seat] or 0
        if live.hand(seat) is not None:
            work.append(_row(live, "bot", seat, live.opened_at(seat) + bot_pause_ms, opened))
            continue
        if (end := live.clocks.deadline(seat)) is not None:
            deadlines.append((end, seat, opened))
        if live.facts.chairs[seat].standing and has_standing(live):
            work.append(_row(live, "standing", seat, live.opened_at(seat) + bot_pause_ms, opened))
    if deadlines:
        end, seat, opened = min(deadlines)
        work.append(_row(live, "clock", seat, end, opened))
    closing = [(end, seat) for seat in live.actors if (end := live.window_closes(seat)) is not None]
    if closing:
        end, seat = min(closing)
        work.append(_row(live, "window", 0, end, live.opened[seat] or 0))
    return [piece for piece in work if (piece["kind"], piece["seat"], piece["ply"]) not in live.given_up]


def _row(live: Table, kind: str, seat: int, at: int, ply: int) -> Work:
    return {
        "table_id": live.facts.id,
        "kind": kind,
        "seat": seat,
        "at": at,
        "ply": ply,
        "claimed_ms": at + LEASE_MS,
    }


class Scheduler:
    """Does due work when its time comes: own work by a heap, lapsed work of others by sweeping.

    `do(work)` may take long and runs in a pool of threads. Without `threads`, nothing happens by itself: call `tick`.
    """

    def __init__(
        self, store: TableStore, do: Callable[[Work], None], *, threads: int = 2, alone: bool = True
    ) -> None:
        self._store = store
        self._do = do
        self._alone = alone
        self._heap: list[tuple[int, int, str]] = []
        self._count = 0
        # the newest work of each table; heap entries only say when to look
        self._work: dict[str, list[Work]] = {}
        self._busy: set[tuple[str, str, int, int]] = set()
        self._wake = threading.Condition()
        self._stop = False
        self._stopping = threading.Event()
        self._pool = ThreadPoolExecutor(threads, "house-due") if threads else None
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._run, "house-timers"), (self._sweep_for_ever, "house-sweeper"))
        ]

    def begin(self) -> None:
        """Take up what is due from before, and start."""
        if self._alone:
            # The one process that there is: nobody else can hold a claim.
            self._store.writer.write(
                Write(call=lambda c: c.execute(update(due).values(claimed_ms=0)).rowcount)
            )
        if self._pool is not None:
            for thread in self._threads:
                thread.start()

    @property
    def alive(self) -> bool:
        """Whether timers run (or are not meant to)."""
        return self._pool is None or all(thread.is_alive() for thread in self._threads)

    def schedule(self, table: str, work: list[Work]) -> None:
        """This is now all due work of the table that this process has claimed."""
        with self._wake:
            if work:
                self._work[table] = work
                for piece in work:
                    self._count += 1
                    heapq.heappush(self._heap, (piece["at"], self._count, table))
                self._wake.notify_all()
            else:
                self._work.pop(table, None)

    def tick(self) -> int:
        """Do everything that is due now, here and at once; returns how many pieces."""
        done = 0
        while True:
            ready = self._sweep(claim=False)
            if not ready:
                return done
            for piece in ready:
                self._do(piece)
                done += 1

    def late(self) -> int:
        """By how many milliseconds the oldest due work is late."""
        with self._store.read() as connection:
            first = connection.execute(select(due.c.at).order_by(due.c.at).limit(1)).scalar()
        return max(0, self._store.now() - first) if first is not None else 0

    def close(self) -> None:
        """Stop; what runs is waited for."""
        self._stopping.set()
        with self._wake:
            self._stop = True
            self._wake.notify_all()
        if self._pool is not None:
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(timeout=5)
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._stop:
                    return
                now = self._store.now()
                if not self._heap or self._heap[0][0] > now:
                    wait = (self._heap[0][0] - now) / 1000 if self._heap else 60.0
                    self._wake.wait(min(wait, 60.0))
                    continue
                _, _, table = heapq.heappop(self._heap)
                ready = [piece for piece in self._work.get(table, ()) if piece["at"] <= now]
            for piece in ready:
                self._hand_out(piece)

    def _hand_out(self, piece: Work) -> None:
        name = (piece["table_id"], piece["kind"], piece["seat"], piece["ply"])
        with self._wake:
            if name in self._busy or self._stop or self._pool is None:
                return
            try:
                self._pool.submit(self._work_off, piece, name)
            except RuntimeError:  # the interpreter ends; the next start takes it up
                return
            self._busy.add(name)

    def _work_off(self, piece: Work, name: tuple[str, str, int, int]) -> None:
        try:
            self._do(piece)
        except SpelunkeError as error:
            log.warning("due work failed", kind=piece["kind"], error=str(error))
        except Exception:
            log.exception("due work failed", kind=piece["kind"])
        finally:
            with self._wake:
                self._busy.discard(name)

    def _sweep_for_ever(self) -> None:
        while not self._stopping.is_set():
            try:
                for piece in self._sweep(claim=True):
                    self._hand_out(piece)
            except SpelunkeError as error:
                log.warning("sweep failed", error=str(error))
            except Exception:
                log.exception("sweep failed")
            self._stopping.wait(SWEEP_S)

    def _sweep(self, *, claim: bool) -> list[Work]:
        """Overdue work; `claim`: only what nobody holds, and hold it."""
        now = self._store.now()
        columns = (due.c.table_id, due.c.kind, due.c.seat, due.c.at, due.c.ply, due.c.claimed_ms)
        overdue = select(*columns).where(due.c.at <= now).order_by(due.c.at).limit(100)
        free = overdue.where(due.c.claimed_ms <= now)
        with self._store.read() as connection:
            found = [row._asdict() for row in connection.execute(free if claim else overdue)]
        if not claim or not found:
            return found

        def take(connection: Connection) -> list[Work]:
            taken = [row._asdict() for row in connection.execute(free.with_for_update(skip_locked=True))]
            if taken:
                same = [due.c[name] == bindparam(f"b_{name}") for name in ("table_id", "kind", "seat")]
                connection.execute(
                    update(due).where(*same).values(claimed_ms=now + LEASE_MS),
                    [{f"b_{name}": row[name] for name in ("table_id", "kind", "seat")} for row in taken],
                )
            return taken

        taken: list[Work] = self._store.writer.write(Write(call=take))
        return taken
