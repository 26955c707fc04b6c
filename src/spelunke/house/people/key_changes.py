"""What changed about how a member comes in: kept with the change itself, told on the member's pages, written by mail.

The device that did it is not told; any other of that member's is, until somebody says there that it was themselves.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update

from spelunke.house.outbox import ALERTS, put_alerts
from spelunke.house.store import Store, Write, devices, key_changes, members

What = Literal["password", "passkey", "unkey", "codes", "recovery", "mailed", "address", "device"]
KEPT_MS = 365 * 24 * 60 * 60 * 1000
TOLD = 20
"""So many are told at most, the newest first."""


class KeyChange(msgspec.Struct, frozen=True, kw_only=True):
    """What changed, and when; `label` is the device or key. `new`: nobody has said that it was themselves."""

    what: str
    label: str
    at_ms: int
    new: bool


def note_key_change(
    connection: Connection,
    person: str,
    what: What,
    now: int,
    *,
    label: str = "",
    device: str | None = None,
) -> None:
    """Keep a change in its own commit, and have its member written to; nothing for a guest."""
    if connection.execute(select(members.c.person).where(members.c.person == person)).first() is None:
        return
    old = (key_changes.c.person == person, key_changes.c.at < now - KEPT_MS)
    connection.execute(delete(key_changes).where(*old))
    row = {"person": person, "what": what, "label": label[:64], "device": device, "at": now, "seen": False}
    connection.execute(insert(key_changes), row)
    if (
        what in ALERTS and what != "address"
    ):  # the address of before is written to as the new one is asked for
        put_alerts(connection, person, what, now)


def note_new_device(connection: Connection, person: str, now: int, *, device: str, label: str) -> None:
    """The same of a device that is about to come, if none like it was there before, and there is another to be told."""
    there = connection.execute(select(devices.c.label).where(devices.c.person == person)).scalars().all()
    before = select(key_changes.c.n).where(
        key_changes.c.person == person, key_changes.c.what == "device", key_changes.c.label == label[:64]
    )
    if there and label[:64] not in there and connection.execute(before).first() is None:
        note_key_change(connection, person, "device", now, label=label, device=device)


class KeyChanges:
    """What is told of it to the member."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, person: str, device: str | None) -> tuple[KeyChange, ...]:
        """The newest changes; `new` are those that this device did not make itself, and nobody has dismissed."""
        query = (
            select(key_changes)
            .where(key_changes.c.person == person)
            .order_by(key_changes.c.n.desc())
            .limit(TOLD)
        )
        with self._store.read() as connection:
            return tuple(
                KeyChange(
                    what=row.what,
                    label=row.label,
                    at_ms=row.at,
                    new=not row.seen and (row.device is None or row.device != device),
                )
                for row in connection.execute(query)
            )

    def dismiss(self, person: str, device: str) -> None:
        """It was this member: what was told here is told on no page any more."""
        told = or_(key_changes.c.device.is_(None), key_changes.c.device != device)
        mine = (key_changes.c.person == person, key_changes.c.seen.is_(False), told)
        self._store.writer.write(
            Write(call=lambda to: to.execute(update(key_changes).where(*mine).values(seen=True)))
        )
