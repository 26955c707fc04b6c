"""Delete tables that never began, and guests without a table, after some time.

Also delete expired codes and bans, devices that were not used for a long time, and old notifications. If the
operator has set limits for old games and chat messages, delete these too.

Cleaning is a task with its own row in `due`. One worker at a time claims the row and deletes in small
batches, so that moves need not wait for it. Each batch checks again, in its own transaction, which rows may
be deleted (docs/why/cleaning.md).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, exists, or_, select, update

from spelunke.house.outbox import forget_people, remove_old
from spelunke.house.people import IDLE_MS, remove_ties
from spelunke.house.play import TableStore
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import (
    Leases,
    Write,
    analyses,
    answers,
    bans,
    chat,
    codes,
    deliveries,
    devices,
    due,
    event_players,
    events,
    members,
    moves,
    notifications,
    own_problems,
    people,
    profiles,
    seats,
    seeks,
    solvers,
    tables,
)
from spelunke.house.table import LEASE_MS

log = structlog.get_logger("spelunke.house.work.cleaning")

KIND = "clean"
HOUSE = "-"
"""The value of the column `table_id` in `due` for tasks that belong to no game table."""
DAY_MS = 24 * 60 * 60 * 1000
EVERY_MS = 6 * 60 * 60 * 1000
"""The pause in ms between two cleanings."""
PAUSE_MS = 1_000
"""The pause in ms between two batches of one cleaning."""
FIRST_MS = 15 * 60 * 1000
"""The time in ms between the first start of the house and its first cleaning."""


class Keeping(msgspec.Struct, frozen=True, kw_only=True):
    """The number of days for which the house keeps each kind of data. The value 0 means for ever."""

    unstarted: float = 14.0
    """The number of days for which tables that never began are kept.

    The days are counted from the table's creation, or from its closing if it was closed.
    """
    guests: float = 90.0
    """The number of days for which unused guests are kept.

    A guest is unused if the guest has no seat at any table, has entered no tournament, and hosts none. Banned guests
    are kept longer.

    The days are counted from the guest's creation.
    """
    finished: float = 0.0
    """The number of days for which finished games are kept, with moves, chat and record.

    The days are counted from the end of the game.
    """
    chat: float = 0.0
    """The number of days for which chat messages at finished tables are kept.

    The days are counted from the time of the message.
    """


class Cleaner:
    """Deletes unused data in batches of at most `batch` tables or guests.

    After it has deleted guests, it calls `forget`, which clears the cache of people.
    """

    def __init__(
        self,
        table_store: TableStore,
        keeping: Keeping,
        *,
        batch: int = 100,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._leases = Leases(table_store.store, due, LEASE_MS)
        self._keeping = keeping
        self._batch = batch
        self._forget = forget

    def begin(self) -> None:
        """Store the task of cleaning, unless it is already stored."""
        there = select(due.c.at).where(due.c.table_id == HOUSE, due.c.kind == KIND)
        row = {"table_id": HOUSE, "kind": KIND, "seat": 0, "ply": 0, "at": self._store.now() + FIRST_MS}
        try:
            with self._store.read() as connection:
                if connection.execute(there).first() is not None:
                    return
            self._store.writer.write(Write(call=lambda connection: self._leases.add(connection, **row)))
        except HouseClosed as error:  # The disk may be full. The next start stores it.
            log.warning("cleaning is not planned", error=str(error))

    def clean(self) -> int:
        """Delete one batch, and schedule the next one. Return the number of deleted tables and guests."""
        gone = self._store.writer.write(Write(call=self._remove_tables))
        for table_id in gone:
            self._tables.drop(table_id)
        left = self._store.writer.write(Write(call=self._remove_guests)) if len(gone) < self._batch else 0
        if left:
            self._forget()
        more = max(len(gone), left) >= self._batch
        after = self._store.now() + (PAUSE_MS if more else EVERY_MS)
        self._store.writer.write(
            Write(call=lambda connection: self._leases.release(connection, HOUSE, KIND, 0, at=after))
        )
        return len(gone) + left

    def _ago(self, days: float) -> int:
        return self._store.now() - int(days * DAY_MS)

    def _unused(self) -> list[ColumnElement[bool]]:
        """Return SQL conditions. A table may be deleted if it fulfils at least one of them.

        The conditions come from the limits that the operator has set. Without limits, the list is empty.
        """
        found: list[ColumnElement[bool]] = []
        keeping = self._keeping
        if keeping.unstarted:
            before = self._ago(keeping.unstarted)
            found.append(and_(tables.c.status.in_(("open", "ready")), tables.c.created_ms < before))
            closed = (tables.c.started_ms.is_(None), tables.c.ended_ms < before)
            found.append(and_(tables.c.status == "over", *closed))
        if keeping.finished:
            played = (tables.c.started_ms.is_not(None), tables.c.ended_ms < self._ago(keeping.finished))
            found.append(and_(tables.c.status == "over", *played))
        return found

    def _remove_tables(self, connection: Connection) -> list[str]:
        rules = self._unused()
        if not rules:
            return []
        # On PostgreSQL, lock the tables. A table that another transaction is changing at this moment is left for a
        # later batch.
        query = (
            select(tables.c.id, tables.c.previous, tables.c.rematch)
            .where(or_(*rules))
            .limit(self._batch)
            .with_for_update(skip_locked=True)
        )
        found = list(connection.execute(query))
        gone = [table_id for table_id, _, _ in found]
        if not gone:
            return []
        for table in (moves, chat, due, seats, analyses, own_problems, notifications, deliveries):
            connection.execute(delete(table).where(table.c.table_id.in_(gone)))
        connection.execute(delete(tables).where(tables.c.id.in_(gone)))
        self._unlink(connection, {(t, before) for t, before, _ in found if before}, tables.c.rematch.name)
        self._unlink(connection, {(t, after) for t, _, after in found if after}, tables.c.previous.name)
        return gone

    @staticmethod
    def _unlink(connection: Connection, links: set[tuple[str, str]], column: str) -> None:
        """Clear one column's references to deleted game tables in the rows of stored ones.

        `column` is `rematch` or `previous`. Each pair in `links` has the id of a deleted game table, and the id of a
        stored one that may refer to it in this column.
        """
        if links:
            here = (tables.c.id == bindparam("there"), tables.c[column] == bindparam("gone"))
            counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
            values = [{"there": there, "gone": gone} for gone, there in sorted(links)]
            connection.execute(update(tables).where(*here).values({column: None, **counted}), values)

    def _remove_guests(self, connection: Connection) -> int:
        now = self._store.now()
        connection.execute(delete(codes).where(codes.c.ends_ms < now))
        connection.execute(delete(devices).where(devices.c.seen_ms < now - IDLE_MS))
        connection.execute(delete(bans).where(bans.c.until_ms < now))
        remove_old(connection, now)
        if self._keeping.chat:
            over = select(tables.c.id).where(tables.c.status == "over")
            old = (chat.c.at < self._ago(self._keeping.chat), chat.c.table_id.in_(over))
            connection.execute(delete(chat).where(*old))
        if not self._keeping.guests:
            return 0
        sits = exists(select(seats.c.seat).where(seats.c.person == people.c.id))
        member = exists(select(members.c.since_ms).where(members.c.person == people.c.id))
        # A banned person must not return as an unknown guest.
        out = exists(select(bans.c.since_ms).where(bans.c.person == people.c.id))
        # A tournament keeps its players, and the person who has its host's place after a deleted account.
        enters = exists(select(event_players.c.number).where(event_players.c.person == people.c.id))
        leads = people.c.id.in_(select(events.c.host))
        idle = and_(~sits, ~member, ~out, ~enters, ~leads)
        query = (
            select(people.c.id)
            .where(people.c.created_ms < self._ago(self._keeping.guests), idle)
            .limit(self._batch)
            .with_for_update(skip_locked=True)
        )
        gone = list(connection.execute(query).scalars())
        if gone:
            for table in (answers, solvers, own_problems, devices, codes, profiles, seeks):
                connection.execute(delete(table).where(table.c.person.in_(gone)))
            remove_ties(connection, gone)
            forget_people(connection, gone)
            connection.execute(delete(people).where(people.c.id.in_(gone)))
        return len(gone)
