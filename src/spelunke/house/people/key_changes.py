"""Reports of changes to a member's logins.

A report is stored in the same commit as the change, and shown on the member's pages. Each change except
a new device is also reported by e-mail. The device that made the change does not show the report. The
member's other devices show it until the member confirms the change on one of them.
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
"""The most changes that the member's page shows."""


class KeyChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a member's logins, and its time.

    `label` is the name of the device or passkey that was changed, the new e-mail address, or empty. `new` is true if
    the member has not confirmed the change, unless the device that asks for the list made the change.
    """

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
    """Store the report of a change of a member's logins. For guests, do nothing.

    If `what` is in `ALERTS`, also queue an e-mail to the member. For a new e-mail address, queue nothing, because
    an e-mail was already queued when the member entered the address. Call this in the commit that makes the change.
    `device` is the device that made the change.
    """
    if connection.execute(select(members.c.person).where(members.c.person == person)).first() is None:
        return
    old = (key_changes.c.person == person, key_changes.c.at < now - KEPT_MS)
    connection.execute(delete(key_changes).where(*old))
    row = {"person": person, "what": what, "label": label[:64], "device": device, "at": now, "seen": False}
    connection.execute(insert(key_changes), row)
    if what in ALERTS and what != "address":  # the old address gets an e-mail when the new one is requested
        put_alerts(connection, person, what, now)


def note_new_device(connection: Connection, person: str, now: int, *, device: str, label: str) -> None:
    """Store the report of a new device.

    Do nothing if the member has used a device with this label before, or if no other device can show the
    report.
    """
    there = connection.execute(select(devices.c.label).where(devices.c.person == person)).scalars().all()
    before = select(key_changes.c.n).where(
        key_changes.c.person == person, key_changes.c.what == "device", key_changes.c.label == label[:64]
    )
    if there and label[:64] not in there and connection.execute(before).first() is None:
        note_key_change(connection, person, "device", now, label=label, device=device)


class KeyChanges:
    """The changes of a member's logins, as that member sees them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, person: str, device: str | None) -> tuple[KeyChange, ...]:
        """Return the newest changes of a person's logins, newest first.

        A change is `new` if the member has not confirmed it, unless `device` made it.
        """
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
        """Record that the member confirms the changes shown on this device.

        Afterwards, these changes are no longer shown as new.
        """
        told = or_(key_changes.c.device.is_(None), key_changes.c.device != device)
        mine = (key_changes.c.person == person, key_changes.c.seen.is_(False), told)
        self._store.writer.write(
            Write(call=lambda to: to.execute(update(key_changes).where(*mine).values(seen=True)))
        )
