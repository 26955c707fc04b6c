"""Tables in memory, with their locks. They are updated when the tables in the database change."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec
import structlog
from sqlalchemy import Connection, update

from spelunke.house.budgets import TABLES
from spelunke.house.outbox import news_of
from spelunke.house.refusals import DamagedLog, UnknownTable
from spelunke.house.store import (
    Change,
    Conflict,
    Store,
    Turnstile,
    Write,
    call_away,
    read_facts,
    read_newest,
    read_newest_of,
    read_rows,
    seats,
    tables,
    touch,
)
from spelunke.house.table import Chair, Facts, Pauses, Row, Table, Task, tasks_of

log = structlog.get_logger("spelunke.house.store")

TABLE_BYTES, ROW_BYTES = 60_000, 2_000
"""The estimated size in bytes of a table in memory, and of each row of its log. Measured rows had 1,000 to
2,600 bytes.
"""

AT_ONCE = 500
"""The number of tables that one query checks for changes."""

T = TypeVar("T")


class Slot:
    """A table's place in memory.

    While you read or change `table`, hold `lock`, which serves threads in the order of their arrival.
    """

    __slots__ = ("kept", "lock", "size", "stale", "tasks", "term", "used", "users")

    def __init__(self) -> None:
        self.lock = Turnstile()
        # the table; None until it is loaded
        self.kept: Table | None = None
        # the stored tasks, as far as this process wrote them
        self.tasks: list[Task] | None = None
        # whether facts were changed in the database but not in memory
        self.stale = False
        # the term in which the table in memory is known to be current, see `Workers.term`; 0: in none
        self.term = 0
        # whether the table was opened since the last check
        self.used = True
        # the table's estimated size in bytes
        self.size = 0
        # The number of threads that hold the lock or wait for it. Unless it is 0, the slot is not removed:
        # otherwise a table could get two slots.
        self.users = 0

    @property
    def table(self) -> Table:
        """The table. Use it only within :meth:`TableStore.open`, which locks the slot and loads the table."""
        assert self.kept is not None
        return self.kept

    def forget(self) -> None:
        """Drop the table from memory, so that it is loaded again when it is next opened.

        The caller must hold the slot's lock.
        """
        self.kept = None
        self.tasks = None


class TableStore:
    """Tables in memory with their locks. To read or change a table, first `open` it."""

    def __init__(self, store: Store, *, in_memory: int = TABLES, pauses: Pauses | None = None) -> None:
        self.store = store
        self.pauses = pauses or Pauses()
        # by table, the problem with its log, if the log is damaged
        self.damaged: dict[str, str] = {}
        # the host's reason for closing the house for a while; empty while it is open
        self.closed = ""
        self._most = in_memory
        self._slots: OrderedDict[str, Slot] = OrderedDict()
        # estimated bytes of all tables in memory
        self._held = 0
        self._gate = threading.Lock()
        # called with a table and its tasks when they have changed
        self.schedule: Callable[[str, list[Task]], None] = lambda _table_id, _tasks: None
        store.changed = self.changed
        store.bus.heard = self._hear
        store.workers.check = self.check_held
        for name, text, read in (
            ("tables_in_memory", "Tables held in memory", lambda: self.in_memory),
            ("tables_watched", "Tables of which streams are open here", lambda: store.bus.tables_watched),
        ):
            store.metrics.watch(name, text, read)

    @property
    def in_memory(self) -> int:
        """The number of tables in memory."""
        return len(self._slots)

    def in_mind(self, table_id: str) -> Table | None:
        """Return the table if it is in memory, even if it lacks stored changes. Otherwise return None."""
        slot = self._slots.get(table_id)
        return None if slot is None else slot.kept

    def facts_in_memory(self, table_id: str) -> Facts | None:
        """Return the facts (stored data except the log) of a table in memory, without waiting for the table's lock.

        The facts may lack changes by other workers. If the table is not in memory, return None.
        """
        with self._gate:
            slot = self._slots.get(table_id)
            if slot is None or (table := slot.kept) is None:
                return None
            self._slots.move_to_end(table_id)
        slot.used = True
        return table.facts

    @contextlib.contextmanager
    def open(
        self, table_id: str, *, fresh: bool = True, newest: tuple[int, int] | None = None
    ) -> Iterator[Slot]:
        """Lock the table, load it into memory if necessary, and yield its slot.

        If `fresh` is false, the table in memory may lack stored changes. If `fresh` is true, first apply the
        stored changes that the table in memory lacks. For this, read the database if the table is marked as
        outdated. If another worker may have changed the table without a notification (see `_term`), also read the
        database, unless the table in memory is at least as new as `newest`.

        `newest` is the table's newest revision and the number of its newest row, as far as the caller knows. Raise
        UnknownTable, UnknownGame, DamagedLog or HouseClosed.
        """
        with self._gate:
            slot = self._slots.get(table_id)
            if slot is None:
                slot = self._slots[table_id] = Slot()
            else:
                self._slots.move_to_end(table_id)
            slot.users += 1
        try:
            with slot.lock:
                slot.used = True
                if slot.kept is None or slot.stale or not self.store.alone:
                    self._bring_up(slot, table_id, fresh, newest)
                slot.table.paused = self.closed if slot.table.facts.clock.kind == "live" else ""
                yield slot
                self._weigh(table_id, slot)
        except UnknownTable:
            self._let_go(table_id)
            raise
        finally:
            with self._gate:
                slot.users -= 1

    def _bring_up(self, slot: Slot, table_id: str, fresh: bool, newest: tuple[int, int] | None) -> None:
        """Load the table into its slot, or apply the changes that were stored since it was loaded.

        For `fresh` and `newest`, see `open`. Raise DamagedLog, or the errors of reading.
        """
        term = 0 if self.store.alone else self._term(table_id)
        # whether no other worker can have changed the table in memory without a notification
        is_new = self.store.alone or (term > 0 and slot.term == term)
        try:
            if slot.kept is None:
                slot.stale = False
                slot.kept = call_away(lambda: self._load(table_id))
                slot.term = term
            elif fresh and (slot.stale or not (is_new or _has(slot.table, newest))):
                slot.stale = False
                try:
                    call_away(lambda: self._refresh(slot, table_id))
                    slot.term = term
                except BaseException:
                    slot.stale = True  # the next opening has to read it
                    raise
        except DamagedLog as error:
            slot.forget()
            if table_id not in self.damaged:
                log.error("damaged log", table=table_id, row=error.row)
            self.damaged[table_id] = str(error)
            raise

    def _term(self, table_id: str) -> int:
        """Return the number of the term (see `Workers.term`) in which this worker owns the table.

        During a term, no table changes its owner. Return 0 if this worker does not own the table, or if it would not be
        notified when another worker changes the table.
        """
        store = self.store
        hears = store.bus.reaches_others or (store.bus.problem is None and len(store.workers.living) == 1)
        return store.workers.term(table_id) if hears else 0

    def _hear(self, change: Change | None) -> None:
        """Mark a table as outdated if another worker has changed it. If `change` is None, mark all tables."""
        with self._gate:
            slots = list(self._slots.values()) if change is None else [self._slots.get(change.table)]
        for slot in slots:
            if slot is None or slot.kept is None:
                continue
            if change is None or change.newest is None or not _has(slot.kept, change.newest):
                slot.stale = True

    def check_held(self) -> None:
        """Find tables in memory that other workers have changed without a notification.

        Mark these tables as outdated, and notify their listeners. Check only tables that this worker owns. Of
        these, check only those that have an open stream at this worker or that were opened since the last check.
        All other tables in memory are read again when they are next opened.
        """
        watched = self.store.bus.watched
        held = {}
        with self._gate:
            for table_id, slot in self._slots.items():
                if slot.used or table_id in watched:
                    held[table_id] = slot
                    slot.used = False
                else:
                    slot.term = 0
        names = [table_id for table_id, slot in held.items() if slot.term and slot.kept is not None]
        for first in range(0, len(names), AT_ONCE):
            some = names[first : first + AT_ONCE]
            with self.store.read() as connection:
                found = read_newest_of(connection, some)
            for table_id in some:
                table, newest = held[table_id].kept, found.get(table_id)
                if table is not None and (newest is None or not _has(table, newest)):
                    held[table_id].stale = True
                    self.store.bus.deliver(Change(table=table_id, ply=-1, version=-1))

    def _weigh(self, table_id: str, slot: Slot) -> None:
        """Update the estimated size of the table.

        If all tables together are too large, drop the least recently used ones.
        """
        size = 0 if slot.kept is None else TABLE_BYTES + ROW_BYTES * slot.kept.row
        if size == slot.size:
            return
        with self._gate:
            if self._slots.get(table_id) is not slot:
                return
            self._held += size - slot.size
            slot.size = size
            going = []
            for name, other in self._slots.items():
                if self._held <= self._most:
                    break
                if not other.users:
                    self._held -= other.size
                    going.append(name)
            for name in going:
                del self._slots[name]

    def _let_go(self, table_id: str) -> None:
        with self._gate:
            slot = self._slots.pop(table_id, None)
            self._held -= 0 if slot is None else slot.size

    def _load(self, table_id: str) -> Table:
        with self.store.read() as connection:
            table = Table(read_facts(connection, table_id))
            if table.match is not None:
                table.replay(read_rows(connection, table_id, 0))
                table.notice()  # do this now, while nobody else waits for the table
        self.damaged.pop(table_id, None)
        self.store.metrics.replays.inc()
        return table

    def _refresh(self, slot: Slot, table_id: str) -> None:
        table = slot.table
        with self.store.read() as connection:
            rev, row = read_newest(connection, table_id)
            if rev != table.facts.rev:
                facts = read_facts(connection, table_id)
                same = facts.nonces == table.facts.nonces and facts.started_ms == table.facts.started_ms
                if same and len(facts.chairs) == table.seats and row >= table.row:
                    table.adopt(facts)
                else:
                    slot.kept = table = Table(facts)
                slot.tasks = None
            if row != table.row and table.match is not None:
                slot.tasks = None
                if row < table.row:  # can't happen: the log only grows
                    slot.kept = table = Table(read_facts(connection, table_id))
                table.replay(read_rows(connection, table_id, table.row))

    def commit(
        self,
        slot: Slot,
        rows: list[Row],
        call: Callable[[Connection], None] | None = None,
        *,
        quiet: bool = False,
        began: bool = False,
    ) -> None:
        """Store rows that are already applied to the slot's table, together with the table's tasks.

        Notifications for absent people are stored too. `call` makes further writes in the same commit. Unless
        `quiet`, publish the change. `began`: the game starts with these rows. Raise Conflict, HouseClosed or
        an error of `call`. After an error, the slot drops its table, so that nobody sees uncommitted rows.
        """
        table = slot.table
        table_id = table.facts.id
        tasks = tasks_of(table, self.pauses)
        changed = tasks != slot.tasks
        if not (rows or call or changed):
            return
        news = news_of(
            table, rows, lambda seat: self.store.presence.of(table_id, seat).state == "here", began=began
        )
        now = self.store.now()

        def change(connection: Connection) -> None:
            if call is not None:
                call(connection)
            if news is not None:
                news.write(connection, now)

        write = Write(moves=[row.stored(table_id) for row in rows], call=call if news is None else change)
        spectator = table.noticed(None)
        if rows and spectator.newest >= rows[0].number:
            write.noticed = (table_id, table.time_after(spectator.newest))
        if changed:
            write.due = (table_id, [task.stored() for task in tasks])
        try:
            self.store.writer.write(write)
        except BaseException:
            slot.forget()
            # If the write succeeds later, once the store answers again, everything read meanwhile is
            # outdated.
            write.future.add_done_callback(lambda _done: self._mark_stale(table_id))
            raise
        if changed:
            slot.tasks = tasks
            self.schedule(table_id, tasks)
        if news is not None:
            self.store.noted(news.people)
        if not quiet:
            self.store.bus.publish(Change(table=table_id, ply=table.row, version=table.facts.rev + table.row))

    def change(self, table_id: str, call: Callable[[Connection], T], *, shown: bool = True) -> T:
        """Commit a change of a table's facts: its stored data except the log.

        `call` makes the change, and its result is returned.

        The table's revision (`Facts.rev`) increases. Before `call` runs, the table's row in the database is locked, so
        that changes of the same table happen one after the other. If `shown`, publish the change. Raise UnknownTable,
        or the errors of `Writer.write`.
        """

        def whole(connection: Connection) -> T:
            touch(connection, table_id, shown=shown)
            return call(connection)

        write = Write(call=whole)
        try:
            value = self.store.writer.write(write)
        except BaseException:
            write.future.add_done_callback(lambda _done: self._mark_stale(table_id))
            raise
        self.changed(table_id, shown=shown)
        return value

    def changed(self, table_id: str, *, shown: bool = True) -> None:
        """Mark a table as outdated, because its facts (its stored data except the log) were changed.

        If the change is visible (`shown`), publish it.
        """
        self._mark_stale(table_id)
        if shown:
            self.store.bus.publish(Change(table=table_id, ply=-1, version=-1))

    def _mark_stale(self, table_id: str) -> None:
        with self._gate:
            slot = self._slots.get(table_id)
        if slot is not None:
            slot.stale = True

    def drop(self, table_id: str) -> None:
        """Drop a deleted table from memory, and notify its viewers."""
        self._let_go(table_id)
        self.schedule(table_id, [])
        self.store.bus.publish(Change(table=table_id, ply=-1, version=-1))


def keep_chair(table: Table, chair: Chair) -> Callable[[Connection], None]:
    """Return a function that stores a changed chair (the stored data of a seat).

    The function raises Conflict if the stored table has changed since `table` was read, because the tasks in
    the same commit were computed from `table`.
    """
    rev, row = table.facts.rev, table.row
    own = (seats.c.table_id == table.facts.id, seats.c.seat == chair.seat)
    values = {
        "standing": chair.orders,
        "standing_rev": chair.orders_rev,
        "attention": msgspec.json.encode(chair.attention).decode(),
    }

    def keep(connection: Connection) -> None:
        same = (tables.c.id == table.facts.id, tables.c.rev == rev - 1)
        done = connection.execute(update(tables).where(*same).values(rev=rev))
        if done.rowcount != 1 or read_newest(connection, table.facts.id)[1] != row:
            raise Conflict("the table changed before your change could be saved")
        connection.execute(update(seats).where(*own).values(**values))

    return keep


def _has(table: Table, newest: tuple[int, int] | None) -> bool:
    """Return whether the table in memory is at least as new as the revision and the row number in ``newest``."""
    return newest is not None and newest[0] <= table.facts.rev and newest[1] <= table.row
