"""Leases on rows that are due: a worker takes a row for a while, so that no other does the same.

`claimed_ms` says until when a worker holds a row. Past that moment anybody may take it, so the work of a worker that
died is late and never lost. `at`, where a table has it, says when a row is due.
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
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.store import Store
from spelunke.house.store.writer import Write

Found = Row[tuple[object, ...]]
"""A row as it was read, in the order of its table's columns."""

log = structlog.get_logger("spelunke.house")


class Leases:
    """The leases on one table's rows, which are named by primary key. One ends `lasts_ms` after it began."""

    def __init__(self, store: Store, table: Table, lasts_ms: int, *, most: int = 100) -> None:
        self._store = store
        self._table = table
        self._lasts_ms = lasts_ms
        self._most = most
        self._key = [column.name for column in table.primary_key.columns]

    def begin(self) -> None:
        """Free all rows where this is the only process: nobody else can hold one.

        Writes nothing where none is held. On a full disk they stay, and their leases end a little later.
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
        """Return the rows that are due, the oldest first, held or not."""
        with self._store.read() as connection:
            return connection.execute(self._due(self._store.now())).all()

    def claim_due(self, may: Callable[[Found, int], bool] | None = None) -> Sequence[Found]:
        """Claim the oldest rows that are due and that nobody holds. Writes nothing where there is none.

        `may` decides instead which of the due rows this worker takes, held or not: it is given a row and the time.
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
        """Return when the next row can be claimed: when it is due, or once its lease ends."""
        at, until = self._table.c.at, self._table.c.claimed_ms
        with self._store.read() as connection:
            return connection.execute(select(func.min(case((until > at, until), else_=at)))).scalar()

    def _due(self, now: int) -> Select[tuple[object, ...]]:
        at = self._table.c.at
        return select(self._table).where(at <= now).order_by(at).limit(self._most)

    def add(self, connection: Connection, **row: object) -> bool:
        """Insert a row unless it is there; nobody holds it, if `claimed_ms` doesn't say otherwise."""
        try:
            with connection.begin_nested():
                connection.execute(insert(self._table), {"claimed_ms": 0, **row})
        except IntegrityError:  # another worker, in the same moment
            return False
        return True

    def claim(self, connection: Connection, key: str, *free: ColumnElement[bool], **values: object) -> bool:
        """Claim a row that nobody holds, made if there is none, and set these values; `free`: more conditions."""
        now = self._store.now()
        free = (*self._is([key]), self._table.c.claimed_ms <= now, *free)
        values["claimed_ms"] = now + self._lasts_ms
        if connection.execute(update(self._table).where(*free).values(**values)).rowcount:
            return True
        return self.add(connection, **{self._key[0]: key}, **values)

    def renew(self, connection: Connection, *key: object, **values: object) -> int:
        """Hold a row from now on for as long as a new lease lasts, and set these values."""
        return self._set(connection, key, {**values, "claimed_ms": self._store.now() + self._lasts_ms})

    def release(self, connection: Connection, *key: object, **values: object) -> int:
        """Let go of a row and set these values: `at`, where it is to be tried again later."""
        return self._set(connection, key, {**values, "claimed_ms": 0})

    def _set(self, connection: Connection, key: Sequence[object], values: dict[str, object]) -> int:
        return connection.execute(update(self._table).where(*self._is(key)).values(**values)).rowcount

    def _is(self, key: Sequence[object]) -> list[ColumnElement[bool]]:
        return [self._table.c[name] == value for name, value in zip(self._key, key, strict=True)]
