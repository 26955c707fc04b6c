"""The store that the house stands on: store, writer, bus, time, and the tables in memory with their locks."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spelunke.house.bus import Bus
from spelunke.house.facts import Chair, Facts
from spelunke.house.messages import ChatLine, Hint
from spelunke.house.metrics import Metrics
from spelunke.house.plan import Clock
from spelunke.house.refusals import HouseClosed, UnknownTable
from spelunke.house.store.schema import chat, moves, people, seats, tables
from spelunke.house.store.writer import Conflict, Write, Writer
from spelunke.house.tables import Row, Table
from spelunke.house.turnstile import Turnstile

CHAT_SHOWN = 100
NEWEST = select(
    tables.c.rev, select(func.max(moves.c.ply)).where(moves.c.table_id == tables.c.id).scalar_subquery()
).where(tables.c.id == bindparam("table"))
"""What tells whether a table in memory is still as stored."""


class _Slot:
    """A table's place in memory; whoever reads or changes `table` holds `lock`, in the order of coming."""

    __slots__ = ("due", "lock", "stale", "table")

    def __init__(self) -> None:
        self.lock = Turnstile()
        self.table: Table | None = None
        # the due work that is stored, as far as this process wrote it
        self.due: list[dict[str, Any]] | None = None
        # whether facts were changed past `table`
        self.stale = False


class TableStore:
    """Shared by lobby, play, look and timers."""

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        bus: Bus,
        clock: Callable[[], float] | None = None,
        *,
        alone: bool = False,
        in_memory: int = 2000,
    ) -> None:
        self.engine = engine
        self.reader = reader
        # Nobody else writes: what is in memory is as stored unless this process changed it otherwise.
        self._alone = alone
        self.writer = Writer(engine)
        self.bus = bus
        self.metrics = Metrics()
        self._clock = clock or time.time
        self._most = in_memory
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._gate = threading.Lock()
        self.schedule: Callable[[str, list[dict[str, Any]]], None] = lambda _table, _work: None
        self.work_of: Callable[[Table], list[dict[str, Any]]] = lambda _live: []

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int(self._clock() * 1000)

    @property
    def in_memory(self) -> int:
        """How many tables are held."""
        return len(self._slots)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the newest commits; raises HouseClosed when the store can't be reached."""
        try:
            connection = self.reader.connect()
        except SQLAlchemyError as error:
            raise HouseClosed(f"the store can't be reached ({error.__class__.__name__})") from None
        with connection:
            try:
                yield connection
            except DBAPIError as error:
                raise HouseClosed(f"the store does not answer ({error.__class__.__name__})") from None

    @contextlib.contextmanager
    def open(
        self, table: str, *, fresh: bool = True, newest: tuple[int, int] | None = None
    ) -> Iterator[_Slot]:
        """The table's slot, locked and loaded. `fresh`: as stored now; else perhaps behind another worker.

        `newest` is the table's rev and last ply where they were just read; they need not be asked for again.
        Raises UnknownTable, UnknownGame, HouseClosed.
        """
        with self._gate:
            slot = self._slots.get(table)
            if slot is None:
                slot = self._slots[table] = _Slot()
                while len(self._slots) > self._most:
                    self._slots.popitem(last=False)
            else:
                self._slots.move_to_end(table)
        with slot.lock:
            try:
                if slot.table is None:
                    slot.table = self._load(table)
                elif fresh and (slot.stale or not self._alone):
                    slot.stale = False
                    self._refresh(slot, table, newest)
                yield slot
            except UnknownTable:
                with self._gate:
                    self._slots.pop(table, None)
                raise

    def forget(self, slot: _Slot) -> None:
        """Let the next open load the table anew (call it with the slot held)."""
        slot.table = None
        slot.due = None

    def _load(self, table: str) -> Table:
        with self.read() as connection:
            facts = read_facts(connection, table)
            live = Table(facts)
            if live.match is not None:
                live.replay(read_rows(connection, table, 0))
        self.metrics.replays.inc()
        return live

    def _refresh(self, slot: _Slot, table: str, newest: tuple[int, int] | None) -> None:
        live = slot.table
        assert live is not None
        if newest == (live.facts.rev, live.ply):
            return
        with self.read() as connection:
            found = connection.execute(NEWEST, {"table": table}).first()
            if found is None:
                raise UnknownTable(f"there is no table {table}")
            rev, ply = found[0], found[1] or 0
            if rev != live.facts.rev:
                facts = read_facts(connection, table)
                same = facts.nonces == live.facts.nonces and facts.started_ms == live.facts.started_ms
                if same and len(facts.chairs) == live.seats and ply >= live.ply:
                    live.facts = facts
                else:
                    self.forget(slot)
                    slot.table = live = Table(facts)
                slot.due = None
            if ply != live.ply and live.match is not None:
                slot.due = None
                if ply < live.ply:  # never: the log only grows
                    slot.table = live = Table(read_facts(connection, table))
                live.replay(read_rows(connection, table, live.ply))

    def commit(
        self,
        slot: _Slot,
        rows: list[Row],
        call: Callable[[Connection], Any] | None = None,
        *,
        quiet: bool = False,
    ) -> Any:
        """Make rows durable that `slot.table` already holds, with its due work, and tell the bus (unless `quiet`).

        On any failure the slot forgets its table, so that nothing that was not committed is ever seen. Raises Conflict.
        """
        live = slot.table
        assert live is not None
        table = live.facts.id
        work = self.work_of(live)
        job = Write(moves=[_store(table, row) for row in rows], call=call)
        changed = work != slot.due
        if not (rows or call or changed):
            return None
        if changed:
            job.due = (table, list(work))
        try:
            value = self.writer.write(job)
        except BaseException as error:
            self.forget(slot)
            if isinstance(error, Conflict):
                self.metrics.conflicts.inc()
            raise
        if changed:
            slot.due = work
            self.schedule(table, work)
        if not quiet:
            self.tell(table, live)
        return value

    def tell(self, table: str, live: Table) -> None:
        """A hint that the table has changed."""
        self.bus.publish(Hint(table=table, ply=live.ply, version=live.facts.rev + live.ply))

    def change(self, table: str, call: Callable[[Connection], Any], *, shown: bool = True) -> Any:
        """Commit a change of a table's facts: `call` makes it, `rev` goes up with it, the bus is told.

        The table's row is locked first, so changes of one table follow one another on every database. What is not
        `shown` to others makes no sound on the bus.
        """

        def whole(connection: Connection) -> Any:
            touch(connection, table, shown=shown)
            return call(connection)

        value = self.writer.write(Write(call=whole))
        self.changed(table, shown=shown)
        return value

    def changed(self, table: str, *, shown: bool = True) -> None:
        """The table's facts were changed in the store: look there before it is used again, and tell the bus."""
        with self._gate:
            slot = self._slots.get(table)
        if slot is not None:
            slot.stale = True
        if shown:
            self.bus.publish(Hint(table=table, ply=-1, version=-1))

    def close(self) -> None:
        """Write what is queued, and let go of the store and the bus."""
        self.writer.close()
        self.bus.close()
        self.engine.dispose()
        self.reader.dispose()


def touch(connection: Connection, table: str, *, shown: bool = True) -> None:
    """Count the table's `rev` up (and what is shown); locks its row. Raises UnknownTable."""
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + int(shown)}
    done = connection.execute(update(tables).where(tables.c.id == table).values(**counted))
    if done.rowcount != 1:
        raise UnknownTable(f"there is no table {table}")


def _store(table: str, row: Row) -> dict[str, Any]:
    return {
        "table_id": table,
        "ply": row.ply,
        "seat": row.seat,
        "move": row.move,
        "at": row.at,
        "key": row.key,
        "hand": row.hand,
    }


def read_rows(connection: Connection, table: str, after: int) -> list[Row]:
    """The rows of a log after ply `after`, in order."""
    query = (
        select(moves.c.ply, moves.c.seat, moves.c.move, moves.c.at, moves.c.key, moves.c.hand)
        .where(moves.c.table_id == table, moves.c.ply > after)
        .order_by(moves.c.ply)
    )
    return [Row(*found) for found in connection.execute(query)]


def read_facts(connection: Connection, table: str) -> Facts:
    """A table's facts, chairs and newest chat; raises UnknownTable."""
    found = connection.execute(select(tables).where(tables.c.id == table)).mappings().first()
    if found is None:
        raise UnknownTable(f"there is no table {table}")
    query = (
        select(
            seats.c.seat,
            seats.c.plan,
            seats.c.person,
            people.c.name,
            seats.c.nonce,
            seats.c.standing,
            seats.c.standing_rev,
        )
        .select_from(seats.outerjoin(people, people.c.id == seats.c.person))
        .where(seats.c.table_id == table)
        .order_by(seats.c.seat)
    )
    chairs = tuple(Chair(*row) for row in connection.execute(query))
    said = connection.execute(
        select(chat.c.n, chat.c.seat, chat.c.name, chat.c.text, chat.c.at)
        .where(chat.c.table_id == table)
        .order_by(chat.c.n.desc())
        .limit(CHAT_SHOWN)
    )
    lines = [ChatLine(n=n, seat=seat, name=name, text=text, at_ms=at) for n, seat, name, text, at in said]
    return Facts(
        id=found["id"],
        game=found["game"],
        rules_version=found["rules_version"],
        options={
            name: tuple(value) if isinstance(value, list) else value
            for name, value in json.loads(found["options"]).items()
        },
        clock=msgspec.json.decode(found["clock"], type=Clock),
        listed=found["listed"],
        status=found["status"],
        host=found["host"],
        invite=found["invite"],
        seed=found["seed"],
        created_ms=found["created_ms"],
        ready_ms=found["ready_ms"],
        started_ms=found["started_ms"],
        ended_ms=found["ended_ms"],
        rev=found["rev"],
        shown=found["shown"],
        offers={int(seat): ply for seat, ply in json.loads(found["offers"]).items()},
        previous=found["previous"],
        rematch=found["rematch"],
        result=found["result"],
        chairs=chairs,
        chat=tuple(reversed(lines)),
    )
