"""Codes that work once, for the purposes in `Kind`: a second device, an invitation, recovery, and others.

The database has only the SHA-256 of each code. A code has at least 130 random bits, so nobody can guess it, and no
salt is needed. When a code is used, its row is deleted. So if two people have the same code, only one of them
can use it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Literal

import structlog
from sqlalchemy import Connection, delete, func, insert, select

from spelunke.house.people.key_changes import note_key_change
from spelunke.house.refusals import SpentCode
from spelunke.house.store import Store, Write, channels, codes, deliveries, letters

log = structlog.get_logger("spelunke.house.people.codes")

Kind = Literal["device", "invitation", "host", "recovery", "passkey", "log-in", "mail", "back", "friend"]
"""The purpose of a code.

`device` logs in a second device. `invitation` lets a person become a member. `host` makes a member a host.
`recovery` logs in a member who has lost everything else. `passkey` and `log-in` are challenges that a passkey
signs. `mail` confirms an e-mail address. `back` is sent by e-mail and logs in a member. `friend` makes two
people friends.
"""

MINUTE_MS = 60 * 1000
DAY_MS = 24 * 60 * MINUTE_MS
LASTS_MS: dict[Kind, int] = {
    "device": 10 * MINUTE_MS,
    "invitation": 7 * DAY_MS,
    "host": DAY_MS,
    "recovery": 36_500 * DAY_MS,
    "passkey": 5 * MINUTE_MS,
    "log-in": 5 * MINUTE_MS,
    "mail": DAY_MS,
    "back": 30 * MINUTE_MS,
    "friend": 7 * DAY_MS,
}
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet. Its letters are hard to confuse, and `read_code` corrects the usual typing errors."""
LENGTH = 26
RECOVERY_CODES = 10
_READ = str.maketrans({"I": "1", "L": "1", "O": "0", "U": "V"})


def read_code(text: str) -> str:
    """Return the code that a person typed, in its normal spelling. Raise SpentCode if it is malformed."""
    code = "".join(text.split()).replace("-", "").upper().translate(_READ)
    if len(code) != LENGTH or not set(code) <= set(LETTERS):
        raise SpentCode("this is not a code of this site: check it, or ask for a new one")
    return code


def group(code: str) -> str:
    """Return the code in groups of five letters, as it is printed."""
    return "-".join(code[at : at + 5] for at in range(0, len(code), 5))


def hash_code(kind: Kind, code: str | bytes) -> str:
    """Return the hash under which a code is stored."""
    raw = code.encode() if isinstance(code, str) else code
    return hashlib.sha256(kind.encode() + b" " + raw).hexdigest()


def store_code(connection: Connection, kind: Kind, person: str | None, now: int, code: str | bytes) -> None:
    """Store a code, and delete expired ones."""
    connection.execute(delete(codes).where(codes.c.ends_ms < now))
    connection.execute(
        insert(codes),
        {
            "code": hash_code(kind, code),
            "kind": kind,
            "person": person,
            "created_ms": now,
            "ends_ms": now + LASTS_MS[kind],
        },
    )


def take_code(connection: Connection, kind: Kind, code: str | bytes, now: int) -> str | None:
    """Use a code. Return the person to whom the code belongs, or None if it belongs to nobody.

    A code can be used only once. Raise SpentCode if the code is not valid.
    """
    mine = (codes.c.code == hash_code(kind, code), codes.c.kind == kind, codes.c.ends_ms >= now)
    found = connection.execute(delete(codes).where(*mine).returning(codes.c.person)).first()
    if found is None:
        raise SpentCode("this link or code is wrong, or no longer valid: check it, or ask for a new one")
    whose: str | None = found[0]
    return whose


def end_requests(connection: Connection, person: str) -> None:
    """Delete a person's unused login codes, except the recovery codes.

    Also delete the challenges for the person's new passkeys, and the person's unsent login e-mails. Call this
    in the commit that logs out devices of the person.
    """
    asked = codes.c.kind.in_(("device", "back", "passkey"))
    connection.execute(delete(codes).where(codes.c.person == person, asked))
    # An unsent e-mail has no code yet: the code is made when it is sent.
    to = select(func.lower(channels.c.address)).where(channels.c.person == person, channels.c.kind == "mail")
    connection.execute(delete(letters).where(letters.c.kind == "back", func.lower(letters.c.address).in_(to)))


def end_unconfirmed(connection: Connection, person: str) -> None:
    """Remove a person's unconfirmed e-mail addresses.

    Otherwise, a thief who had added an address could still confirm it by the link in an earlier e-mail. Then the thief
    would receive login e-mails at this address, and could log in.
    """
    asked = (channels.c.person == person, channels.c.kind == "mail", channels.c.confirmed_ms.is_(None))
    gone = list(connection.execute(select(channels.c.id).where(*asked)).scalars())
    for table in (letters, deliveries):
        connection.execute(delete(table).where(table.c.channel.in_(gone)))
    connection.execute(delete(channels).where(channels.c.id.in_(gone)))


class Codes:
    """Makes codes, and finds the person to whom a code belongs.

    To use a code, call `take_code`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(
        self,
        kind: Kind,
        person: str | None = None,
        *,
        also: Callable[[Connection], None] = lambda connection: None,
    ) -> str:
        """Return a new code. The writes of `also` are committed together with it.

        If the code is for a second device, the person's earlier codes for second devices stop working.
        """
        code = new_code()

        def keep(connection: Connection) -> None:
            if kind == "device":
                connection.execute(delete(codes).where(codes.c.kind == kind, codes.c.person == person))
            store_code(connection, kind, person, self._store.now(), code)
            also(connection)

        self._store.writer.write(Write(call=keep))
        log.info("code made", kind=kind)
        return code

    def look(self, kind: Kind, code: str) -> str | None:
        """Return the person to whom a code belongs, or None if it belongs to no person. The code stays valid.

        Raise SpentCode if the code is not valid.
        """
        mine = (codes.c.code == hash_code(kind, read_code(code)), codes.c.kind == kind)
        with self._store.read() as connection:
            found = connection.execute(
                select(codes.c.person).where(*mine, codes.c.ends_ms >= self._store.now())
            ).first()
        if found is None:
            raise SpentCode("this link is wrong, or no longer valid: ask for a new one")
        whose: str | None = found[0]
        return whose

    def make_recovery(self, person: str, device: str | None = None) -> tuple[str, ...]:
        """Make new recovery codes for a member, and return them as they are printed (see `group`).

        The old codes stop working. `device` is the device that requested the codes. The member's other devices
        show that new codes were made.
        """
        made = [new_code() for _ in range(RECOVERY_CODES)]
        now = self._store.now()

        def keep(connection: Connection) -> None:
            connection.execute(delete(codes).where(codes.c.kind == "recovery", codes.c.person == person))
            for code in made:
                store_code(connection, "recovery", person, now, code)
            note_key_change(connection, person, "codes", now, device=device)

        self._store.writer.write(Write(call=keep))
        self._store.noted(())
        log.info("recovery codes made")
        return tuple(map(group, made))

    def count_recovery(self, person: str) -> int:
        """Return the number of unused recovery codes that the person has."""
        query = select(func.count()).where(codes.c.kind == "recovery", codes.c.person == person)
        with self._store.read() as connection:
            return int(connection.execute(query).scalar() or 0)


def new_code() -> str:
    """Return a new code of 26 letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
