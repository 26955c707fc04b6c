"""The workers of a house: who lives, and so which table belongs to whom.

Each worker tells by a row of its own, twice a second, that it lives, and reads the rows of the others with the same
statement. The owner of a table is computed from them (`Ring`) and stored nowhere, so that a table that stands still
costs nothing. What a worker believes holds until its row would count as dead for others, and no longer; after a change
it trusts its memory only when all others have either heard of it or lost their own belief. So two workers never trust
theirs at the same time. The log's key decides every race whatever anybody believes.

Why it is made like this: docs/why/ownership.md.
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
"""How often a worker tells that it lives."""
LEASE_S = 1.5
"""After how long without that it counts as dead for others, and trusts its own memory no more."""
CHECK_S = 3.0
"""How often it is asked whether something changed of which no word came."""
RECENT_S = 60.0
"""For so long it is known of a worker that it has fallen silent."""
FORGET_S = 3600
"""After how long the row of a dead worker is removed."""

# Who has told of itself lately, and how long it was silent by the clock of the database. It reads the rows as they were
# before it, so its own is added.
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
    """A worker: its id, its name in the ring, and the socket on which it takes what others have for it."""

    id: str
    name: str
    socket: str


class _Belief(NamedTuple):
    """Who lives, by name; from when memory may be trusted by that, and until when it holds."""

    term: int
    by_name: Mapping[str, Worker]
    ring: Ring
    trusts_from: float
    holds_until: float

    def find(self, table_id: str) -> Worker | None:
        """Whose table it is."""
        return self.by_name.get(self.ring.find(table_id) or "")


class Workers:
    """What this worker knows of all; thread-safe. It owns nothing, and nobody else does, until it has joined."""

    def __init__(self) -> None:
        self.me: Worker | None = None
        # called now and then while joined: has something changed of which no word came?
        self.check: Callable[[], None] = lambda: None
        # called after every change of who lives
        self.changed: Callable[[], None] = lambda: None
        self._engine: Engine | None = None
        self._line: Connection | None = None
        # those that have fallen silent without leaving
        self.silent: frozenset[Worker] = frozenset()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        # replaced as a whole, so that nobody reads half of one
        self._belief = _Belief(0, {}, Ring(()), 0.0, 0.0)
        self._troubled = False

    @property
    def living(self) -> frozenset[Worker]:
        """All that live, as far as is known here; of two with one name the younger."""
        return frozenset(self._belief.by_name.values())

    def join(self, engine: Engine, name: str, socket: str) -> None:
        """Be one of the workers from now on, by beats on an engine of its own. Raises HouseClosed."""
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
        """Own nothing from now on, and tell the others."""
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
        """Return the other worker that a table belongs to; None where that is this one, or not known."""
        belief = self._belief
        if belief.holds_until <= time.monotonic():
            return None
        owner = belief.find(table_id)
        return None if owner == self.me else owner

    def term(self, table_id: str) -> int:
        """Return under which belief, counted from 1, the memory of this table may be trusted now; 0 under none."""
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
            except (SQLAlchemyError, HouseClosed) as error:  # what is believed ends by itself
                self._hang_up()
                if not self._troubled:
                    self._troubled = True
                    log.warning("the workers can't be counted", error=type(error).__name__)
            except Exception:
                log.exception("counting the workers failed")

    def _beat(self) -> None:
        """Tell that this worker lives, and take in who else does."""
        assert self.me is not None
        assert self._engine is not None
        began = time.monotonic()
        if self._line is None:
            self._line = self._engine.connect()
            # Of beats, and of nothing else, the last may be lost when the server falls over.
            self._line.exec_driver_sql("set synchronous_commit = off")
        lease = int(LEASE_S * 1000)
        given = {**self.me._asdict(), "lease": lease, "recent": int(RECENT_S * 1000)}
        found = self._line.execute(_BEAT, given).all()
        told = {Worker(row.id, row.name, row.socket): row.silent_ms for row in found}
        # Others may have taken this one for dead meanwhile; its own clock need not tell, where a machine was paused.
        belief = self._belief
        late = began >= belief.holds_until or told[self.me] >= lease
        # Of two with one name the younger counts: the other is most often its dead predecessor.
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
