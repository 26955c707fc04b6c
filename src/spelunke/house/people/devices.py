"""The devices of people. Each device has its own token. People see their devices in a list, and can log them out.

A browser's token is replaced (rotated) once a day. The new token is computed from the old one and a salt that
only the database has, so simultaneous requests get the same new token. The browser gets the new token in a
response. If this response is lost, the browser stays logged in, because the old token works until the new one
is first used, and for 2 minutes longer. If the old token is used even later, somebody has copied it, so the device is
logged out. For the reasons, see docs/why/members.md.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, RowMapping, case, delete, insert, not_, or_, select, update

from spelunke.core.caches import Cache
from spelunke.house.budgets import DEVICES, NAME_S
from spelunke.house.people.bans import check_ban
from spelunke.house.people.codes import DAY_MS, MINUTE_MS, end_requests, end_unconfirmed, read_code, take_code
from spelunke.house.people.holds import Hold
from spelunke.house.people.key_changes import What, note_key_change, note_new_device
from spelunke.house.refusals import HouseClosed, NotNow, NotProven, ShutOut, SpentCode
from spelunke.house.store import Store, Write, devices, members, people

log = structlog.get_logger("spelunke.house.people.devices")

MARK = "device"
IDLE_MS = 30 * DAY_MS
"""The time in ms without a visit after which a device is logged out."""
LONGEST_MS = 180 * DAY_MS
"""The longest time in ms for which a browser stays logged in, even if it is used every day."""
ROTATE_MS = DAY_MS
SEEN_MS = 4 * MINUTE_MS
"""The least time in ms between two recorded visits of a device. If sessions are short, `Lasting.noted_ms` is less.

The time is shorter than `house.people.ties.HERE_MS`, so that friends who use the site stay online.
"""
STRAY_MS = 2 * MINUTE_MS
"""The time in ms for which the old token is still accepted after a rotation, for requests that were already
sent.
"""
PROVEN_MS = 15 * MINUTE_MS
"""The time in ms after a proof of identity during which protected actions are allowed."""
MOST = 50
"""The maximum number of devices of one person.

If another one is added, the device that was unused for the longest time is removed.
"""
_TOKEN = re.compile(r"device\.([0-9a-f]{32})\.([\w-]{43})", re.ASCII)

Kind = Literal["browser", "program", "terminal"]
WAYS = {"device": "link", "recovery": "recovery code", "back": "mail"}
"""The name of a login method in logs, by the kind of code."""
CHANGE: dict[str, What] = {"recovery": "recovery", "back": "mailed"}
"""The kinds of codes whose use is reported to the member by e-mail, with the name of the report."""


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """The owner of a token, and the device to which the token belongs. A caller may cache this until
    ``good_ms``.

    ``renewed`` is the new token if the browser must replace its token, or None. ``proven_ms`` is the time of the last
    proof of identity on this device, or 0.
    """

    device: str
    person: str
    kind: Kind
    proven_ms: int
    good_ms: int
    renewed: str | None = None


class Lasting(msgspec.Struct, frozen=True):
    """The lifetime of a browser's session.

    ``idle_ms`` is the longest time without a visit, and ``longest_ms`` the longest time altogether, both in
    milliseconds.
    """

    idle_ms: int = IDLE_MS
    longest_ms: int = LONGEST_MS

    @property
    def noted_ms(self) -> int:
        """The least time in ms between two recorded visits.

        It is much shorter than `idle_ms`. Otherwise a device in use could be logged out as idle.
        """
        return min(SEEN_MS, self.idle_ms // 6)


class DeviceLine(msgspec.Struct, frozen=True, kw_only=True):
    """A device of a person, as that person sees it. ``current``: it is the device of this request.

    ``created_ms`` is the time of the login, and ``seen_ms`` the time of the last recorded visit, in
    milliseconds since 1970.
    """

    id: str
    kind: Kind
    label: str
    created_ms: int
    seen_ms: int
    current: bool = False


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _next(salt: str, secret: str) -> str:
    made = hmac.digest(bytes.fromhex(salt), secret.encode(), "sha256")
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def name_in_logs(person: str) -> str:
    """Return a person's pseudonym in logs.

    It is always the same for a person. No page and no database row contains it.
    """
    return _hash(f"log {person}")[:12]


def is_token(text: str) -> bool:
    """Return whether a text looks like the token of a device."""
    return text.startswith(f"{MARK}.")


def add_device(
    connection: Connection, person: str, now: int, *, label: str, kind: Kind = "browser", proven: bool
) -> str:
    """Add a device of a person, and return the device's token. Raise ShutOut if the person is banned.

    `proven`: the person has just proved their identity. If the person has `MOST` devices already, log out the
    device that was unused for the longest time.
    """
    check_ban(connection, person, now)
    device, secret = secrets.token_hex(16), secrets.token_urlsafe(32)
    note_new_device(connection, person, now, device=device, label=label)
    known = select(devices.c.id).where(devices.c.person == person).order_by(devices.c.seen_ms.desc())
    for old in connection.execute(known.offset(MOST - 1)).scalars().all():
        connection.execute(delete(devices).where(devices.c.id == old))
    row = {
        "id": device,
        "person": person,
        "kind": kind,
        "label": label[:64],
        "token": _hash(secret),
        "salt": secrets.token_hex(32),
        "created_ms": now,
        "rotated_ms": now,
        "seen_ms": now,
        "proven_ms": now if proven else 0,
    }
    connection.execute(insert(devices), row)
    return f"{MARK}.{device}.{secret}"


class Devices:
    """The devices of people, and the owners of tokens. Recently used tokens are cached."""

    def __init__(self, store: Store, lasting: Lasting | None = None) -> None:
        self._store = store
        self._lasting = lasting or Lasting()
        # By the token's hash: tokens themselves are stored nowhere.
        self._known: Cache[str, Visit] = Cache(DEVICES, each=600, seconds=None if store.alone else NAME_S)
        self._changes = 0

    # --- finding
    # ----------------------------------------------------------------------------------------------------

    def known(self, token: str) -> Visit | None:
        """Return the owner and device of a token if they are cached and still valid, or else None."""
        found = self._known.get(_hash(token))
        return found if found is not None and self._store.now() < found.good_ms else None

    def find(self, token: str) -> Visit | None:
        """Look up a token in the database. Return its owner and device, or None if the token is not valid.

        Also record the visit and rotate the token, if these are due. If a browser sends a token that was
        replaced more than `STRAY_MS` ago, log the device out, because somebody has copied the token. Raise
        HouseClosed if the database can't be read, or if this logout can't be written.
        """
        parts = _TOKEN.fullmatch(token)
        if parts is None:
            return None
        changes = self._changes
        with self._store.read() as connection:
            query = select(devices).where(devices.c.id == parts[1])
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        visit = self._judge(row, parts[2])
        if visit is not None and visit.renewed is None and changes == self._changes:
            self._known.put(_hash(token), visit)
        return visit

    def _judge(self, row: RowMapping, secret: str) -> Visit | None:
        now, shown = self._store.now(), _hash(secret)
        if self._is_over(row, now):
            return None
        each = self._lasting.noted_ms
        renewed, rotated = None, row["rotated_ms"]
        if hmac.compare_digest(shown, row["token"]):
            if row["kind"] == "browser" and now - rotated >= ROTATE_MS:
                renewed = _next(row["salt"], secret)
                if row["next_token"] is None:
                    self._note(row, {"next_token": _hash(renewed)})
            elif now - row["seen_ms"] >= each:
                self._note(row, {"seen_ms": now})
        elif row["next_token"] is not None and hmac.compare_digest(shown, row["next_token"]):
            rotated = now
            self._note(
                row,
                {
                    "token": shown,
                    "last_token": row["token"],
                    "next_token": None,
                    "rotated_ms": now,
                    "seen_ms": now,
                },
            )
        elif row["last_token"] is not None and hmac.compare_digest(shown, row["last_token"]):
            if now - rotated >= STRAY_MS:
                log.warning("a token that was exchanged came back: its device is ended")
                self._end_copied(row["id"], row["person"])
                return None
            renewed = _next(row["salt"], secret)
        else:
            return None
        return Visit(
            device=row["id"],
            person=row["person"],
            kind=row["kind"],
            proven_ms=row["proven_ms"],
            good_ms=min(now + each, rotated + ROTATE_MS if row["kind"] == "browser" else now + each),
            renewed=None if renewed is None else f"{MARK}.{row['id']}.{renewed}",
        )

    def _is_over(self, row: RowMapping, now: int) -> bool:
        """Return whether the login of a device has expired.

        It expires if the device was unused for too long. In a browser, it also expires a fixed time after it began.
        """
        rest, lived = now - int(row["seen_ms"]), now - int(row["created_ms"])
        if row["kind"] != "browser":
            return rest > IDLE_MS
        return rest > self._lasting.idle_ms or lived > self._lasting.longest_ms

    def _note(self, row: RowMapping, values: Mapping[str, object]) -> None:
        # Update the row only if it is still as it was read. Of two simultaneous requests, the first counts;
        # both would write the same.
        same = (devices.c.id == row["id"], devices.c.token == row["token"])
        try:
            self._store.writer.write(
                Write(call=lambda connection: connection.execute(update(devices).where(*same).values(values)))
            )
        except HouseClosed:
            log.warning("a visit is not recorded: the store can't be written")

    def hold(self, visit: Visit | None, person: str) -> Hold:
        """Return an object that tells whether the person's login has ended. An open event stream uses it.

        If the person was identified by a device (`visit`), the login ends when the device is logged out. A guest
        who was identified by a cookie (`visit` is None) loses the login when they are banned. To cause little
        load, the object checks such a guest only after this worker has banned somebody or changed a device.
        """

        def device_is_gone(connection: Connection) -> bool:
            assert visit is not None
            query = select(devices.c.id).where(devices.c.id == visit.device)
            return connection.execute(query).first() is None

        def guest_is_out(connection: Connection) -> bool:
            try:
                check_ban(connection, person, self._store.now())
            except ShutOut:
                return True
            return False

        asks = visit is not None and not self._store.alone
        over = guest_is_out if visit is None else device_is_gone
        return Hold(self._store, over, lambda: self._changes, asks=asks)

    # --- logging in
    # -------------------------------------------------------------------------------------------------

    def come_by_link(self, code: str, label: str, device: Kind = "browser") -> str:
        """Log in another device of a person by the code in a link. Return the new device's token.

        Raise SpentCode if the code is not valid or the account was deleted, or ShutOut if the person is banned.
        """
        gone = "the account that this link belongs to was deleted"
        return self._come("device", code, people.c.id, gone, label, proven=False, device=device)

    def come_by_recovery(self, code: str, label: str) -> str:
        """Use a recovery code. Return the new device's token. Raise the errors of `come_by_link`."""
        return self._come(
            "recovery", code, members.c.person, "the account of this code was deleted", label, proven=True
        )

    def come_by_mail(self, code: str, label: str) -> str:
        """Use the code of a login e-mail. Return the new device's token. Raise the errors of `come_by_link`."""
        return self._come(
            "back",
            code,
            members.c.person,
            "the account that this link belongs to was deleted",
            label,
            proven=True,
        )

    def _come(
        self,
        kind: Literal["device", "recovery", "back"],
        code: str,
        known: ColumnElement[str],
        gone: str,
        label: str,
        *,
        proven: bool,
        device: Kind = "browser",
    ) -> str:
        """Use a login code, and return the new device's token.

        The code is valid only for the account for which it was issued. Raise the errors of `come_by_link`.
        `known` is the column with the ids of existing accounts. `gone` is the text of the error if the account
        was deleted.
        """
        code = read_code(code)

        def take(connection: Connection) -> tuple[str, str]:
            now = self._store.now()
            person = take_code(connection, kind, code, now)
            if person is None or connection.execute(select(known).where(known == person)).first() is None:
                raise SpentCode(gone)
            token = add_device(connection, person, now, label=label, kind=device, proven=proven)
            if kind in CHANGE:
                made = token.split(".")[1]
                note_key_change(connection, person, CHANGE[kind], now, label=label, device=made)
            return token, person

        token, person = self._store.writer.write(Write(call=take))
        self._store.noted(())
        log.info("came in", way=WAYS[kind], who=name_in_logs(person))
        return token

    # --- a person's devices ---------------------------------------------------------------------------------------

    def of(self, person: str, current: str | None = None) -> tuple[DeviceLine, ...]:
        """Return the devices of a person, the most recently used first. Leave out devices that are logged out.

        A device is logged out if it was unused for too long or is too old, see `_is_over`. ``current`` is the id
        of the device from which the request came.
        """
        now, browser = self._store.now(), devices.c.kind == "browser"
        used = devices.c.seen_ms >= case((browser, now - self._lasting.idle_ms), else_=now - IDLE_MS)
        young = or_(not_(browser), devices.c.created_ms >= now - self._lasting.longest_ms)
        query = (
            select(devices.c.id, devices.c.kind, devices.c.label, devices.c.created_ms, devices.c.seen_ms)
            .where(devices.c.person == person, used, young)
            .order_by(devices.c.seen_ms.desc(), devices.c.created_ms.desc())
        )
        with self._store.read() as connection:
            return tuple(
                DeviceLine(
                    id=row.id,
                    kind=row.kind,
                    label=row.label,
                    created_ms=row.created_ms,
                    seen_ms=row.seen_ms,
                    current=row.id == current,
                )
                for row in connection.execute(query)
            )

    def end(self, person: str, device: str, by: str | None = None) -> None:
        """Log out one device of a person: its token stops working.

        Raise NotNow, and change nothing, if there is no such device.

        All unused login codes of the person except recovery codes become invalid too, because the logged-out device
        may have requested them. For the same reason, unconfirmed e-mail addresses are removed. `by` is the device that
        requests the logout. If this device logs itself out, the unconfirmed addresses are kept.
        """
        mine = (devices.c.id == device, devices.c.person == person)

        def end(connection: Connection) -> None:
            if not connection.execute(delete(devices).where(*mine)).rowcount:
                raise NotNow("you have no such device")
            end_requests(connection, person)
            if by != device:
                end_unconfirmed(connection, person)

        if not device.isalnum():
            raise NotNow("you have no such device")
        self._store.writer.write(Write(call=end))
        self.forget()
        log.info("device ended", who=name_in_logs(person))

    def end_others(self, person: str, device: str | None) -> int:
        """Log out all devices of a person except `device`. Return the number of devices that were logged out.

        All unused login codes of the person except recovery codes become invalid too, and unconfirmed e-mail
        addresses are removed.
        """
        log.info("other devices ended", who=name_in_logs(person))
        others = (devices.c.person == person, devices.c.id != (device or ""))

        def end(connection: Connection) -> None:
            end_requests(connection, person)
            end_unconfirmed(connection, person)

        return self._end(*others, also=end)

    def _end_copied(self, device: str, person: str) -> None:
        """Log out a device whose token was copied.

        Also delete the person's unused login codes and unconfirmed e-mail addresses, because the thief may have
        requested them. Keep the recovery codes.
        """

        def end(connection: Connection) -> None:
            end_requests(connection, person)
            end_unconfirmed(connection, person)

        self._end(devices.c.id == device, also=end)

    def _end(self, *which: ColumnElement[bool], also: Callable[[Connection], None]) -> int:
        def end(connection: Connection) -> int:
            also(connection)
            return connection.execute(delete(devices).where(*which)).rowcount

        done = self._store.writer.write(Write(call=end))
        self.forget()
        return done

    def forget(self) -> None:
        """Drop all cached tokens, because devices were logged out or changed."""
        self._changes += 1
        self._known.clear()

    # --- proofs of identity
    # -----------------------------------------------------------------------------------------

    def require_proof(self, visit: Visit | None) -> None:
        """Raise NotProven unless the person has proved their identity on this device within the last 15
        minutes.
        """
        if visit is None or self._store.now() - visit.proven_ms > PROVEN_MS:
            raise NotProven("confirm that it is you, then try again")

    def prove(self, device: str) -> None:
        """Record that the person has just proved their identity on this device."""
        now = self._store.now()
        mine = devices.c.id == device
        self._store.writer.write(
            Write(call=lambda to: to.execute(update(devices).where(mine).values(proven_ms=now)))
        )
        self.forget()
