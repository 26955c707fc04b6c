"""E-mails that are not notifications: they confirm an address, log in a member, or report changes of an
account.

An e-mail is stored until it is sent. Its code is made when it is sent, so no code is stored in plain text. If
somebody asks for a login e-mail, the response takes the same time whether or not a member has the address.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, func, insert, select

from spelunke.core.words import plain
from spelunke.house.outbox.kinds import HOUR_MS
from spelunke.house.refusals import TooFast
from spelunke.house.store import channels, letters, notification_choices

ALERTS = {
    "password": plain("Your password was changed."),
    "passkey": plain("A passkey was added to your account."),
    "unkey": plain("A passkey was removed from your account."),
    "codes": plain("New recovery codes were made for your account."),
    "recovery": plain("Somebody logged in with one of your recovery codes."),
    "mailed": plain("Somebody logged in with a link that was sent to this address."),
    "address": plain("Your account has a new e-mail address in place of this one."),
}
"""The texts of e-mails that report a change of an account to its member, by kind.

A member who receives one can notice that somebody else made the change.
"""
LASTS_MS = {"confirm": 24 * HOUR_MS, "back": HOUR_MS // 2} | dict.fromkeys(ALERTS, 72 * HOUR_MS)
MOST_WAITING = 1000
"""The most waiting e-mails to all addresses together.

The limit keeps the queue small if the mail server fails.
"""
PER_ADDRESS = 3
PER_DAY = 6
"""The most unused links in confirmation e-mails to one member.

A link lasts a day. The limit protects the recipients.
"""
PAUSE_MS = 5 * 60_000
"""The least time in ms between two login e-mails to the same member, unless the first link was used."""


def put_letter(
    connection: Connection, kind: str, address: str, now: int, language: str, *, channel: str | None = None
) -> None:
    """Queue an e-mail of this kind. If the e-mail confirms a channel's address, `channel` is the channel's id.

    Don't queue the e-mail if `MOST_WAITING` e-mails are waiting, or if `PER_ADDRESS` e-mails to this address are
    waiting. For an e-mail that reports a change, only `MOST_WAITING` counts. If a limit is reached, raise TooFast for a
    confirmation, and silently drop other kinds. So a request for a login e-mail always gets the same answer.
    """
    waits = connection.execute(select(func.count()).select_from(letters)).scalar() or 0
    same = connection.execute(select(func.count()).where(letters.c.address == address)).scalar() or 0
    # Even if many e-mails to the address wait, one that reports a change is queued.
    if waits >= MOST_WAITING or (same >= PER_ADDRESS and kind not in ALERTS):
        if kind != "confirm":
            return
        raise TooFast("too many e-mails are waiting to be sent; try again later")
    row = {
        "id": secrets.token_hex(8),
        "kind": kind,
        "address": address,
        "channel": channel,
        "language": language[:16],
        "at": now,
        "ends_ms": now + LASTS_MS[kind],
        "tries": 0,
        "claimed_ms": 0,
    }
    connection.execute(insert(letters), row)


def put_alerts(connection: Connection, person: str, kind: str, now: int) -> None:
    """Queue e-mails that report a change of a member's logins. Call this in the commit of the change.

    The e-mails go to all confirmed addresses of the member, even if the member wants no notifications by
    e-mail.
    """
    query = select(channels.c.address).where(
        channels.c.person == person, channels.c.kind == "mail", channels.c.confirmed_ms.is_not(None)
    )
    for address in list(connection.execute(query).scalars()):
        chosen = select(notification_choices.c.language).where(notification_choices.c.person == person)
        language = connection.execute(chosen).scalar() or "en"
        put_letter(connection, kind, address, now, language)
