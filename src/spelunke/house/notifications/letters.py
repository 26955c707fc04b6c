"""Letters that are not notifications: one confirms an address, one brings a member back in. Kept until they are sent.

Their codes are made when they are sent, so none lies in the store, and whoever asks for a letter waits as long whether
its address is known or not.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, func, insert, select

from spelunke.house.notifications.kinds import HOUR_MS
from spelunke.house.refusals import TooFast
from spelunke.house.store.schema import letters

LASTS_MS = {"confirm": 24 * HOUR_MS, "back": HOUR_MS // 2}
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
    """Have a letter written as soon as can be; raises TooFast, but never for one that brings somebody back.

    Whoever asks to come back in is told the same whatever becomes of it.
    """
    waits = connection.execute(select(func.count()).select_from(letters)).scalar() or 0
    same = connection.execute(select(func.count()).where(letters.c.address == address)).scalar() or 0
    if waits >= MOST_WAITING or same >= PER_ADDRESS:
        if kind == "back":
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
