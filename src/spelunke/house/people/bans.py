"""Bans of people. A ban is permanent or ends at a given time. Hosts of the site decide (`house.hosting`)."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, or_, select

from spelunke.house.refusals import ShutOut
from spelunke.house.store import bans

FOR_GOOD = 0
"""The value of `Person.shut_out_ms` for a permanent ban."""


def is_shut_out(until_ms: int | None, now: int) -> bool:
    """Return whether a person is banned at the time `now`.

    `until_ms` is the person's `Person.shut_out_ms`: the end of the ban, `FOR_GOOD` for a permanent ban, or None
    for a person who is not banned.
    """
    return until_ms is not None and (until_ms == FOR_GOOD or now < until_ms)


def refuse_shut_out(until_ms: int | None) -> ShutOut:
    """Return the error for a banned person.

    `until_ms` is the end of the ban. For a permanent ban, it is `FOR_GOOD` or None (the value
    in the database).
    """
    if not until_ms:
        return ShutOut("the hosts of this house have shut you out; ask one of them why")
    day = f"{datetime.fromtimestamp(until_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return ShutOut(f"the hosts of this house have shut you out until {day}; ask one of them why")


def find_ban(connection: Connection, person: str, now: int) -> ShutOut | None:
    """Return the error ShutOut if this person (a member or a guest) is banned at the time `now`, or else None."""
    counts = or_(bans.c.until_ms.is_(None), bans.c.until_ms > now)
    row = connection.execute(select(bans.c.until_ms).where(bans.c.person == person, counts)).first()
    return None if row is None else refuse_shut_out(row.until_ms)


def check_ban(connection: Connection, person: str, now: int) -> None:
    """Raise ShutOut if a person is banned."""
    if refusal := find_ban(connection, person, now):
        raise refusal


def put_ban(connection: Connection, person: str, now: int, until_ms: int | None) -> None:
    """Ban a person from `now` until `until_ms`. If `until_ms` is None, the ban is permanent.

    This replaces an earlier ban.
    """
    connection.execute(delete(bans).where(bans.c.person == person))
    connection.execute(insert(bans), {"person": person, "since_ms": now, "until_ms": until_ms})
