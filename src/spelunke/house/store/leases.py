"""Leases: a worker claims a row of the database for a while, so that no other worker does the same task.

The column `claimed_ms` has the end of a lease. After that time, any worker may claim the row. So if a worker
dies, its tasks are late but never lost. Some database tables have a column `at`: the time at which a row is
due.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    bindparam,
    case,
    func,
    select,
    update,
)

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.store import Store, insert_new
from spelunke.house.store.writer import Write

Found = Row[tuple[object, ...]]
"""A row that was read from the database, with its values in the order of the table's columns."""

log = structlog.get_logger("spelunke.house")


class Leases:
    """The leases on the rows of one database table.

    A row is identified by its primary key. Each lease lasts `lasts_ms`. `most` is the greatest number of rows
    that `due` and `claim_due` return.
    """

    def __init__(self, store: Store, table: Table, lasts_ms: int, *, most: int = 100) -> None:
        self._store = store
        self._table = table
        self._lasts_ms = lasts_ms
        self._most = most
        self._key = [column.name for column in table.primary_key.columns]

    def begin(self) -> None:
        """End all leases if no other process can hold one.

        If no row is leased, write nothing. If the database can't be read or written, for example because the
        disk is full, the leases stay until they expire.
        """
        held = self._table.c.claimed_ms > 0
        try:
            with self._store.read() as connection:
                found = self._store.alone and connection.execute(select(1).where(held).limit(1)).first()
            if found:
                free = update(self._table).where(held).values(claimed_ms=0)
                self._store.writer.write(Write(call=lambda connection: connection.execute(free).rowcount))
        except HouseClosed as error:
            log.warning("claims stay", table=self._table.name, error=str(error))

    def due(self) -> Sequence[Found]:
        """Return due rows, oldest first. Leased rows are included."""
        with self._store.read() as connection:
            return connection.execute(self._due(self._store.now())).all()

    def claim_due(self, may: Callable[[Found, int], bool] | None = None) -> Sequence[Found]:
        """Lease due rows, the oldest first, and return the leased rows. If there are none, write nothing.

        By default, lease the rows without a valid lease. If `may` is given, `may(row, now)` decides for each row
        whether to lease it. Then even a row with a valid lease can be leased. `now` is the present time in ms.
        """
        now = self._store.now()
        free = self._due(now)
        if may is None:
            free = free.where(self._table.c.claimed_ms <= now)
        with self._store.read() as connection:
            if not any(may is None or may(row, now) for row in connection.execute(free)):
                return []

        def take(connection: Connection) -> Sequence[Found]:
            found = connection.execute(free.with_for_update(skip_locked=True))
            taken = [row for row in found if may is None or may(row, now)]
            if taken:
                same = [self._table.c[name] == bindparam(f"its_{name}") for name in self._key]
                held = update(self._table).where(*same).values(claimed_ms=now + self._lasts_ms)
                names = [{f"its_{name}": row._mapping[name] for name in self._key} for row in taken]
                connection.execute(held, names)
            return taken

        return self._store.writer.write(Write(call=take))

    def next_ms(self) -> int | None:
        """Return the earliest time at which some row can be leased, or None if there are no rows.

        A row can be leased at its due time, or at the end of its lease if that is later.
        """
        at, until = self._table.c.at, self._table.c.claimed_ms
        with self._store.read() as connection:
            return connection.execute(select(func.min(case((until > at, until), else_=at)))).scalar()

    def _due(self, now: int) -> Select[tuple[object, ...]]:
        at = self._table.c.at
        return select(self._table).where(at <= now).order_by(at).limit(self._most)

    def add(self, connection: Connection, **row: object) -> bool:
        """Insert a row, unless a row with its key exists. Return whether the row was inserted.

        Unless `claimed_ms` is given, the row is not leased.
        """
        return bool(insert_new(connection, self._table, {"claimed_ms": 0, **row}))

    def claim(self, connection: Connection, key: str, *free: ColumnElement[bool], **values: object) -> bool:
        """Lease the row with this key if it is free, and set its columns to `values`.

        If no row has this key, insert a leased row with `values`. Return whether this worker now has the lease.
        A row is free if its lease has ended and the row meets the additional SQL conditions `free`.
        """
        now = self._store.now()
        free = (*self._is([key]), self._table.c.claimed_ms <= now, *free)
        values["claimed_ms"] = now + self._lasts_ms
        if connection.execute(update(self._table).where(*free).values(**values)).rowcount:
            return True
        return self.add(connection, **{self._key[0]: key}, **values)

    def renew(self, connection: Connection, *key: object, **values: object) -> int:
        """Extend the lease of the row with this key, and set its columns to `values`.

        Return the number of changed rows.
        """
        return self._set(connection, key, {**values, "claimed_ms": self._store.now() + self._lasts_ms})

    def release(self, connection: Connection, *key: object, **values: object) -> int:
        """End the lease of the row with this key, and set its columns to `values`.

        To do the task again later, pass its next time as `at`. Return the number of changed rows.
        """
        return self._set(connection, key, {**values, "claimed_ms": 0})

    def _set(self, connection: Connection, key: Sequence[object], values: dict[str, object]) -> int:
        return connection.execute(update(self._table).where(*self._is(key)).values(**values)).rowcount

    def _is(self, key: Sequence[object]) -> list[ColumnElement[bool]]:
        return [self._table.c[name] == value for name, value in zip(self._key, key, strict=True)]
