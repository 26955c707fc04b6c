"""A person's recent notifications, for the list on the person's page, and the number of unread ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, func, select, update

from spelunke.core.caches import Cache
from spelunke.games import shelf
from spelunke.house.budgets import NAME_S, UNREAD
from spelunke.house.outbox import Told
from spelunke.house.store import Store, Write, notifications, people, seats, tables

SHOWN = 50


def read_told(connection: Connection, person: str, *, unread: bool, limit: int = SHOWN) -> tuple[Told, ...]:
    """Return at most `limit` notifications of a person, newest first. With `unread`, leave out read ones."""
    which = [notifications.c.person == person]
    if unread:
        which.append(notifications.c.read_ms.is_(None))
    query = select(notifications).where(*which).order_by(notifications.c.at.desc()).limit(limit)
    rows = list(connection.execute(query).mappings())
    others: dict[str, list[str]] = {}
    if rows:
        sits = (
            select(seats.c.table_id, people.c.name)
            .join(people, people.c.id == seats.c.person)
            .where(seats.c.table_id.in_({row["table_id"] for row in rows}), seats.c.person != person)
            .order_by(seats.c.table_id, seats.c.seat)
        )
        for table, name in connection.execute(sits):
            others.setdefault(table, []).append(name)
    open_to = {row["table_id"] for row in rows if row["kind"] == "invited"}
    words = select(tables.c.id, tables.c.invite).where(tables.c.id.in_(open_to), tables.c.status == "open")
    invites = {row.id: row.invite for row in connection.execute(words)} if open_to else {}
    games = shelf()
    return tuple(
        Told(
            kind=row["kind"],
            table=row["table_id"],
            path=_path(row["kind"], row["table_id"], invites),
            title=games[row["game"]].title if row["game"] in games else row["game"],
            by=row["by_name"],
            others=tuple(others.get(row["table_id"], ())),
            at_ms=row["at"],
            unread=row["read_ms"] is None,
        )
        for row in rows
    )


def _path(kind: str, table: str, invites: Mapping[str, str]) -> str:
    if kind == "friend":
        return "/people"
    return f"/j/{table}/{invites[table]}" if kind == "invited" and table in invites else f"/t/{table}"


class Inbox:
    """The notifications of people. The number of unread ones is cached."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unread: Cache[str, int] = Cache(UNREAD, each=200, seconds=None if store.alone else NAME_S)
        self._changes = 0

    def known(self, person: str) -> int | None:
        """Return the number of a person's unread notifications if it is in the cache, or else None."""
        return self._unread.get(person)

    def unread(self, person: str) -> int:
        """Return the number of a person's unread notifications."""
        known = self._unread.get(person)
        if known is not None:
            return known
        changes = self._changes
        query = select(func.count()).where(
            notifications.c.person == person, notifications.c.read_ms.is_(None)
        )
        with self._store.read() as connection:
            found = int(connection.execute(query).scalar() or 0)
        if changes == self._changes:  # if notifications changed meanwhile, `found` may be outdated
            self._unread.put(person, found)
        return found

    def of(self, person: str) -> tuple[Told, ...]:
        """Return the newest notifications of a person, newest first."""
        with self._store.read() as connection:
            return read_told(connection, person, unread=False)

    def saw(self, person: str, table: str | None = None) -> None:
        """Mark a person's notifications about a table as read.

        If `table` is None, mark all notifications of the person.
        """
        which = [notifications.c.person == person, notifications.c.read_ms.is_(None)]
        if table is not None:
            which.append(notifications.c.table_id == table)
        with self._store.read() as connection:
            if connection.execute(select(notifications.c.at).where(*which).limit(1)).first() is None:
                return
        now = self._store.now()

        def change(connection: Connection) -> None:
            connection.execute(update(notifications).where(*which).values(read_ms=now))

        self._store.writer.write(Write(call=change))
        self.forget((person,))

    def forget(self, those: Iterable[str]) -> None:
        """Drop these people's numbers of unread notifications from the cache, because the numbers may have changed."""
        self._changes += 1
        for person in those:
            self._unread.drop(person)
