"""A plan for each channel of a person: the notifications to send now, and the time of the next delivery.

The plan depends only on stored data and on presence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from sqlalchemy import Connection, select

from spelunke.house.notifications.channels import Choices, read_choices
from spelunke.house.notifications.inbox import read_told
from spelunke.house.notifications.quiet import quiet_until
from spelunke.house.outbox import HOUR_MS, KINDS, MINUTE_MS, PAUSES_MS, Told, Way, is_open
from spelunke.house.people import find_ban
from spelunke.house.store import channels, deliveries, notifications

MOST_LINES = 20
"""The most notifications in one message. The list on the person's page shows the others too."""


class Channel(msgspec.Struct, frozen=True):
    """A channel of a person, with its deliveries.

    ``stop`` is the token of its unsubscribe link. ``tries`` counts failed attempts in a row. The keys of
    ``sent`` are pairs of a notification's kind and a table's id. Each value has two times: when the newest
    delivered notification of this pair was made, and when it was delivered.
    """

    id: str
    way: Way
    address: str
    details: Mapping[str, str]
    stop: str
    tries: int
    next_ms: int | None
    sent_ms: int | None
    sent: Mapping[tuple[str, str], tuple[int, int]]


class Waiting(msgspec.Struct, frozen=True):
    """The newest unread notifications of a person, with the person's open channels and the person's settings.

    ``told`` has at most `inbox.SHOWN` notifications, the newest first.
    A channel is open if messages may be sent to it (`house.outbox.is_open`). ``live`` has the ids of tables
    whose clock does not allow days for a decision. No e-mails are sent about them.
    """

    told: tuple[Told, ...]
    live: frozenset[str]
    channels: tuple[Channel, ...]
    choices: Choices


def read_waiting(connection: Connection, person: str, now: int) -> Waiting:
    """Return a person's newest unread notifications, open channels and settings.

    If nothing is unread or the person is banned, the result is empty.
    """
    told = read_told(connection, person, unread=True)
    if not told or find_ban(connection, person, now):
        return Waiting((), frozenset(), (), Choices())
    live = select(notifications.c.table_id).where(notifications.c.person == person, notifications.c.live)
    query = select(channels).where(channels.c.person == person, *is_open())
    rows = list(connection.execute(query.order_by(channels.c.created_ms)))
    sent: dict[str, dict[tuple[str, str], tuple[int, int]]] = {row.id: {} for row in rows}
    for row in connection.execute(select(deliveries).where(deliveries.c.channel.in_(sent))):
        sent[row.channel][row.kind, row.table_id] = (row.at, row.sent_ms)
    found = tuple(
        Channel(
            row.id,
            row.kind,
            row.address,
            msgspec.json.decode(row.details, type=dict[str, str]),
            row.stop,
            row.tries,
            row.next_ms,
            row.sent_ms,
            sent[row.id],
        )
        for row in rows
    )
    return Waiting(
        told, frozenset(connection.execute(live).scalars()), found, read_choices(connection, person)
    )


class Plan(msgspec.Struct, frozen=True):
    """The notifications that a channel must deliver now, and the time at which to plan again.

    ``now`` may be empty. ``next_ms`` is None if no notification waits.
    """

    now: tuple[Told, ...]
    next_ms: int | None


def plan(waiting: Waiting, channel: Channel, now: int, is_here: Callable[[str], bool]) -> Plan:
    """Return the plan for one channel. `is_here` returns whether the person is looking at a table now.

    Notifications of the same kind about the same table are sent at most once an hour. If at least one
    notification is due, the message has all notifications that may be sent now, but at most `MOST_LINES`.
    """
    free, times = [], []
    choices = waiting.choices
    quiet = quiet_until(now, choices.zone, choices.quiet_from, choices.quiet_to)
    soonest = max(
        channel.next_ms or 0, (channel.sent_ms or 0) + PAUSES_MS.get(channel.way, 0) if channel.sent_ms else 0
    )
    due = False
    for one in waiting.told:
        if (one.kind, channel.way) in choices.off or (channel.way == "mail" and one.table in waiting.live):
            continue
        at, sent_ms = channel.sent.get((one.kind, one.table), (0, 0))
        if at >= one.at_ms:
            continue
        allowed = max(soonest, sent_ms + HOUR_MS if sent_ms else 0)
        when = max(allowed, one.at_ms + KINDS[one.kind].delay_ms)
        if quiet is not None:
            times.append(max(when, quiet))
        elif is_here(one.table):
            times.append(max(when, now + MINUTE_MS))
        elif allowed > now:
            times.append(when)
        else:
            free.append(one)
            times.append(when)
            due = due or when <= now
    batch = tuple(free[:MOST_LINES]) if due else ()
    return Plan(batch, min(times, default=None))
