"""The live workers of a house, and for each table the worker that owns it.

Each worker updates its own row in the database every 0.4 s and reads the others' rows in the same statement.
The owner of a table is computed from these rows (`Ring`) and stored nowhere, so idle tables cost nothing.

If a worker sends no heartbeat for `LEASE_S` seconds, the others consider this worker dead. After the same time,
the worker itself stops trusting its list of workers. A worker whose list changes waits before it trusts its
tables in memory. After this wait, every other worker has seen the change or has stopped trusting its own
list. So two workers never trust their memory of the same table at the same time. If they did, each might add a
row with the same number to the table's log, but the primary key of the log allows only one. For the reasons,
see docs/why/ownership.md.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import structlog
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.ring import Ring

log = structlog.get_logger("spelunke.house.store.workers")

BEAT_S = 0.4
"""The seconds between two heartbeats of a worker."""
LEASE_S = 1.5
"""The seconds without a heartbeat after which the others consider a worker dead.

After the same time, that worker itself stops trusting its tables in memory.
"""
CHECK_S = 3.0
"""The seconds between two checks for changes that caused no notification."""
RECENT_S = 60.0
"""The seconds for which a worker without heartbeats is still listed as silent."""
FORGET_S = 3600
"""The seconds since a worker's last heartbeat after which its row may be removed.

A worker removes such rows when it joins.
"""

# The workers with a recent heartbeat, and the time since that heartbeat by the clock of the database. The query
# reads the rows as they were before its update, so it adds this worker's own row.
_BEAT = text(
    """
    with clock as (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now_ms),
    mine as (
        insert into workers (id, name, socket, since_ms, beat_ms)
        select :id, :name, :socket, now_ms, now_ms from clock
        on conflict (id) do update set beat_ms = excluded.beat_ms
        returning id, name, socket, since_ms
    )
    select id, name, socket, since_ms, now_ms - beat_ms as silent_ms
    from workers, clock where id <> :id and beat_ms > now_ms - :recent
    union all select id, name, socket, since_ms,
    coalesce((select now_ms - beat_ms from workers, clock where id = :id), :lease) from mine
    order by since_ms, id
    """
)
_LEAVE = text("delete from workers where id = :id")
_FORGET = text(
    "delete from workers where beat_ms < extract(epoch from clock_timestamp()) * 1000 - cast(:age as bigint)"
)


class Worker(NamedTuple):
    """A worker: its id, its name in the ring, and its socket for requests that other workers forward to it."""

    id: str
    name: str
    socket: str


class _Belief(NamedTuple):
    """The live workers by name, and the period in which this worker may trust its tables in memory."""

    term: int
    by_name: Mapping[str, Worker]
    ring: Ring
    trusts_from: float
    holds_until: float

    def find(self, table_id: str) -> Worker | None:
        """Return the worker that owns a table. If no live worker is known, return None."""
        return self.by_name.get(self.ring.find(table_id) or "")


class Workers:
    """The workers of a house, as far as this worker knows.

    Thread-safe. Before `join`, no owner of any table is known.
    """

    def __init__(self) -> None:
        self.me: Worker | None = None
        # called every few seconds after `join`, to find changes that caused no notification
        self.check: Callable[[], None] = lambda: None
        # called after each change of the live workers
        self.changed: Callable[[], None] = lambda: None
        self._engine: Engine | None = None
        self._line: Connection | None = None
        # workers that are silent but have not left, and workers whose name a newer worker has
        self.silent: frozenset[Worker] = frozenset()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        # replaced as a whole, so that readers never see a part of a change
        self._belief = _Belief(0, {}, Ring(()), 0.0, 0.0)
        self._troubled = False

    @property
    def living(self) -> frozenset[Worker]:
        """All known live workers. If two have the same name, only the newer one is included."""
        return frozenset(self._belief.by_name.values())

    def join(self, engine: Engine, name: str, socket: str) -> None:
        """Add this worker to the workers of the house, and start sending its heartbeats.

        `engine` must be used for nothing else. Raise HouseClosed if the database can't be reached.
        """
        self.me = Worker(secrets.token_hex(6), name, socket)
        self._engine = engine
        try:
            with engine.connect() as line:
                line.execute(_FORGET, {"age": FORGET_S * 1000})
            self._beat()
        except SQLAlchemyError as error:
            engine.dispose()
            raise HouseClosed(f"the workers can't be counted: {type(error).__name__}") from None
        self._thread = threading.Thread(target=self._run, name="house-workers", daemon=True)
        self._thread.start()

    def leave(self) -> None:
        """Give up all tables, and remove this worker from the list that the others read."""
        if self._thread is None or self._engine is None or self.me is None:
            return
        self._stopping.set()
        self._thread.join()
        self._thread = None
        self._belief = self._belief._replace(holds_until=0.0)
        self._hang_up()
        with contextlib.suppress(SQLAlchemyError), self._engine.connect() as line:
            line.execute(_LEAVE, {"id": self.me.id})
        self._engine.dispose()

    def owner(self, table_id: str) -> Worker | None:
        """Return the worker that owns a table, if it is another worker.

        If this worker is the owner, or if the owner is unknown, return None.
        """
        belief = self._belief
        if belief.holds_until <= time.monotonic():
            return None
        owner = belief.find(table_id)
        return None if owner == self.me else owner

    def term(self, table_id: str) -> int:
        """Return the number of the current term, or 0 if this worker's copy of the table may be out of date.

        Terms are numbered from 1. A new term begins when the live workers change or when a heartbeat of this
        worker was late. The copy in memory is reliable only if this worker owns the table and trusts its list
        of workers.
        """
        belief = self._belief
        trusted = belief.trusts_from <= time.monotonic() < belief.holds_until
        return belief.term if trusted and belief.find(table_id) == self.me else 0

    def _run(self) -> None:
        checked = time.monotonic()
        while not self._stopping.wait(BEAT_S):
            try:
                self._beat()
                if time.monotonic() - checked >= CHECK_S:
                    checked = time.monotonic()
                    self.check()
                self._troubled = False
            except (SQLAlchemyError, HouseClosed) as error:  # The current belief expires by time.
                self._hang_up()
                if not self._troubled:
                    self._troubled = True
                    log.warning("the workers can't be counted", error=type(error).__name__)
            except Exception:
                log.exception("counting the workers failed")

    def _beat(self) -> None:
        """Send this worker's heartbeat, and read the heartbeats of the others."""
        assert self.me is not None
        assert self._engine is not None
        began = time.monotonic()
        if self._line is None:
            self._line = self._engine.connect()
            # If the server crashes, only heartbeats may be lost.
            self._line.exec_driver_sql("set synchronous_commit = off")
        lease = int(LEASE_S * 1000)
        given = {**self.me._asdict(), "lease": lease, "recent": int(RECENT_S * 1000)}
        found = self._line.execute(_BEAT, given).all()
        told = {Worker(row.id, row.name, row.socket): row.silent_ms for row in found}
        # Others may have taken this worker for dead meanwhile. Its own clock may not show that if the machine
        # was paused.
        belief = self._belief
        late = began >= belief.holds_until or told[self.me] >= lease
        # Of two workers with one name, the younger counts: the other is usually its dead predecessor.
        by_name = {
            worker.name: worker for worker, silent in told.items() if worker == self.me or silent < lease
        }
        self.silent = frozenset(told) - frozenset(by_name.values())
        new = by_name != belief.by_name
        if new or late:
            ring = Ring(sorted(by_name)) if new else belief.ring
            belief = _Belief(belief.term + 1, by_name, ring, time.monotonic() + LEASE_S, 0.0)
        self._belief = belief._replace(holds_until=began + LEASE_S)
        if new:
            log.info("workers", living=sorted(by_name))
            self.changed()

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(SQLAlchemyError):
                line.close()
