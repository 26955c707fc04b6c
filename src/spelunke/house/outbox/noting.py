"""Store notifications in the same commit as their causes, so that a crash can't separate them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, select, update

from spelunke.house.outbox.kinds import KINDS, Kind
from spelunke.house.store import (
    channels,
    deliveries,
    insert_or_update,
    letters,
    notification_choices,
    notifications,
    outbox,
)

KEPT_MS = 60 * 24 * 60 * 60 * 1000
"""The time in ms for which a notification stays in the list."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A notification to store, about a table or a friend request.

    ``person`` is its recipient, and ``by`` the name of the person who caused it. ``live``: the table's clock
    does not allow days for a decision, so no e-mail is sent. For a friend request, ``table`` is the address of the
    sender's page, and ``game`` is empty.
    """

    person: str
    kind: Kind
    table: str
    game: str
    live: bool
    by: str | None = None


def is_open() -> tuple[ColumnElement[bool], ...]:
    """Return the SQL conditions that a channel must meet to be used: it is confirmed, not stopped, and has
    not ended.
    """
    return (
        channels.c.confirmed_ms.is_not(None),
        channels.c.stopped_ms.is_(None),
        channels.c.ended_ms.is_(None),
    )


def note(connection: Connection, notes: Iterable[Note], now: int) -> None:
    """Store notifications, and schedule the sending of messages.

    If a person already has a notification of the same kind about the same table, mark the old one as unread and
    give it the time `now`.
    """
    for one in sorted(notes, key=lambda one: one.person):
        key = {"person": one.person, "kind": one.kind, "table_id": one.table, "game": one.game}
        fresh: dict[str, object] = {"at": now, "read_ms": None, "by_name": one.by, "live": one.live}
        insert_or_update(connection, notifications, {**key, **fresh}, fresh)
        wake(connection, one.person, now + KINDS[one.kind].delay_ms)


def wake(connection: Connection, person: str, at: int) -> None:
    """Schedule a check of the person's channels for the time `at`, unless an earlier check is already scheduled.

    If the person has no usable channels, do nothing.
    """
    usable = and_(channels.c.person == person, *is_open())
    if connection.execute(select(channels.c.id).where(usable).limit(1)).first() is None:
        return
    sooner = {"at": case((outbox.c.at > at, at), else_=outbox.c.at)}
    insert_or_update(connection, outbox, {"person": person, "at": at, "claimed_ms": 0}, sooner)


def settle(
    connection: Connection, table: str, kinds: Iterable[Kind], now: int, people: Iterable[str] | None = None
) -> None:
    """Mark notifications of these kinds about this table as read, for each of `people`.

    If `people` is None, mark them for everybody.
    """
    which = [
        notifications.c.table_id == table,
        notifications.c.kind.in_(tuple(kinds)),
        notifications.c.read_ms.is_(None),
    ]
    if people is not None:
        which.append(notifications.c.person.in_(tuple(people)))
    connection.execute(update(notifications).where(*which).values(read_ms=now))


def read_people(connection: Connection, table: str) -> list[str]:
    """Return the ids of all people who have notifications about a table."""
    query = select(notifications.c.person).where(notifications.c.table_id == table).distinct()
    return list(connection.execute(query).scalars())


def count_told(connection: Connection, table: str, kind: Kind) -> int:
    """Return the number of people who have a notification of this kind about a table."""
    which = (notifications.c.table_id == table, notifications.c.kind == kind)
    return int(connection.execute(select(func.count()).where(*which)).scalar() or 0)


def remove_old(connection: Connection, now: int) -> None:
    """Delete notifications that are older than `KEPT_MS`."""
    connection.execute(delete(notifications).where(notifications.c.at < now - KEPT_MS))


def forget_people(connection: Connection, gone: Iterable[str]) -> None:
    """Delete all notifications, channels and settings of people who are removed from the database."""
    gone = tuple(gone)
    mine = select(channels.c.id).where(channels.c.person.in_(gone))
    connection.execute(delete(letters).where(letters.c.channel.in_(mine)))
    connection.execute(delete(deliveries).where(deliveries.c.channel.in_(mine)))
    for table in (notifications, channels, notification_choices, outbox):
        connection.execute(delete(table).where(table.c.person.in_(gone)))
