"""Letters that are not notifications: they confirm an address, bring a member back in, or tell what was changed there.

They are kept until they are sent. Their codes are made when they are sent, so none lies in the store, and whoever asks
for a letter waits as long whether its address is known or not.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, func, insert, select

from spelunke.core.words import plain
from spelunke.house.outbox.kinds import HOUR_MS
from spelunke.house.refusals import TooFast
from spelunke.house.store import channels, letters, notification_choices

ALERTS = {
    "password": plain("Your password was set anew."),
    "passkey": plain("A passkey was added to your account."),
    "unkey": plain("A passkey was removed from your account."),
    "codes": plain("New recovery codes were made for your account."),
    "recovery": plain("Somebody came in by one of your recovery codes."),
    "mailed": plain("Somebody came in by a link that was sent to this address."),
    "address": plain("Another mail address was given for your account, in place of this one."),
}
"""What a member is written to about, whose address is known to be theirs, so that nobody else does it unnoticed."""
LASTS_MS = {"confirm": 24 * HOUR_MS, "back": HOUR_MS // 2} | dict.fromkeys(ALERTS, 72 * HOUR_MS)
MOST_WAITING = 1000
"""Letters that wait to be sent in all; a mail server that is gone must not fill the store."""
PER_ADDRESS = 3
PER_DAY = 6
"""Letters that one member may have sent to confirm addresses, so that nobody's is filled with them."""
PAUSE_MS = 5 * 60_000
"""Between two letters that bring the same member back in."""


def put_letter(
    connection: Connection, kind: str, address: str, now: int, language: str, *, channel: str | None = None
) -> None:
    """Have a letter written as soon as can be; raises TooFast, but only for one that confirms an address.

    Whoever asks to come back in is told the same whatever becomes of it.
    """
    waits = connection.execute(select(func.count()).select_from(letters)).scalar() or 0
    same = connection.execute(select(func.count()).where(letters.c.address == address)).scalar() or 0
    # Who asks for many letters must not keep one back that warns of them.
    if waits >= MOST_WAITING or (same >= PER_ADDRESS and kind not in ALERTS):
        if kind != "confirm":
            return
        raise TooFast("letters to that address are on their way already; wait for them a while")
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
    """Have a member written to about a change of how they come in, in the commit of that change.

    Also where they want no notifications by mail; nothing where they have confirmed no address.
    """
    query = select(channels.c.address).where(
        channels.c.person == person, channels.c.kind == "mail", channels.c.confirmed_ms.is_not(None)
    )
    for address in list(connection.execute(query).scalars()):
        chosen = select(notification_choices.c.language).where(notification_choices.c.person == person)
        language = connection.execute(chosen).scalar() or "en"
        put_letter(connection, kind, address, now, language)
