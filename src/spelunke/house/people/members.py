"""Members: people who can log in on any device, by a password or a passkey. They need no e-mail address.

For the reasons, see docs/why/members.md.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Literal

import msgspec
import structlog
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from spelunke.house.people.codes import (
    Codes,
    end_requests,
    end_unconfirmed,
    new_code,
    read_code,
    store_code,
    take_code,
)
from spelunke.house.people.devices import Devices, Kind, add_device, name_in_logs
from spelunke.house.people.key_changes import KeyChanges, note_key_change
from spelunke.house.people.passkeys import NewKey, PasskeyLine, Passkeys, ShownKey, put_key
from spelunke.house.people.passwords import check_password, hash_password, is_outdated, is_right
from spelunke.house.people.people import People, check_name, fold_name, keys_of, put_name, taken
from spelunke.house.people.profiles import put_profiles
from spelunke.house.refusals import HouseClosed, NotAllowed, NotNow, WrongProof
from spelunke.house.store import (
    Store,
    Write,
    check,
    codes,
    devices,
    house_settings,
    insert_new,
    members,
    open_engine,
    passkeys,
    people,
)

log = structlog.get_logger("spelunke.house.people.members")

HOST = "host"
WRONG = "wrong name or password: try again, or use a passkey or a recovery code"


class Doors(msgspec.Struct, frozen=True, kw_only=True):
    """The rules for new people.

    ``guests``: the site accepts guests (``open``) or not. ``members``: anybody may become a member
    (``open``), or only people with an invitation.
    """

    guests: Literal["open", "closed"] = "open"
    members: Literal["open", "invited"] = "open"


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A member's account, as that member sees it."""

    person: str
    name: str
    host: bool
    since_ms: int
    has_password: bool
    passkeys: tuple[PasskeyLine, ...]
    recovery_codes: int


class Members:
    """Signs members up, logs them in, sets their passwords, removes their passkeys, and appoints hosts of the site."""

    def __init__(self, store: Store, known: People, at_hand: Devices) -> None:
        self._store = store
        self._people = known
        self.devices = at_hand
        self.codes = Codes(store)
        self.passkeys = Passkeys(store)
        self.changes = KeyChanges(store)

    # --- signing up
    # -------------------------------------------------------------------------------------------------

    def become(
        self,
        person: str | None,
        name: str,
        *,
        label: str,
        password: str = "",
        key: NewKey | None = None,
        invitation: str = "",
        host_code: str = "",
        kind: Kind = "browser",
    ) -> str:
        """Make a guest a member with a password or a passkey. Return the new device's token.

        If `person` is None, make a new person. A guest keeps their games. The guest's cookie stops working.
        `label` is the device's name. `host_code` makes the member a host of the site, and all other host codes
        stop working. With a `host_code`, no `invitation` is needed.

        Raise BadPlan for an unusable name, NameTaken if another member has the name, or WeakPassword. Raise
        NotAllowed if the site requires an invitation and none is given, or SpentCode for a used or wrong code.
        Raise NotNow if the person is a member already, ShutOut if they are banned, TooFast if too many passwords are
        being checked, or the errors of `put_key`.
        """
        name = check_name(name)
        stored = None
        if key is None:
            check_password(password, name)
            stored = hash_password(password)
        invitation = read_code(invitation) if invitation else ""
        host_code = read_code(host_code) if host_code else ""
        handle = secrets.token_urlsafe(32) if key is None else key.handle

        def make(connection: Connection) -> tuple[str, str, list[str]]:
            now = self._store.now()
            if host_code:
                take_code(connection, "host", host_code, now)
                connection.execute(delete(codes).where(codes.c.kind == "host"))
            elif invitation:
                take_code(connection, "invitation", invitation, now)
            elif self._doors(connection).members == "invited":
                raise NotAllowed("you need an invitation to become a member: ask the host for a link")
            who = person or secrets.token_urlsafe(18)
            if person is None:
                connection.execute(insert(people), {"id": who, "name": name, "created_ms": now})
            row = {
                "person": who,
                "name_key": fold_name(name),
                "handle": handle,
                "password": stored,
                "role": HOST if host_code else None,
                "since_ms": now,
            }
            if connection.execute(select(members.c.person).where(members.c.person == who)).first():
                raise NotNow("you are a member already")
            if not insert_new(connection, members, row):
                raise taken(name)
            put_profiles(connection, [who])
            if key is not None:
                put_key(connection, who, key, now)
            touched = put_name(connection, who, name)
            token = add_device(connection, who, now, label=label, kind=kind, proven=True)
            return token, who, touched

        token, who, touched = self._store.writer.write(Write(call=make))
        log.info("became a member", who=name_in_logs(who), by_key=key is not None, host=bool(host_code))
        self._people.forget()
        for table_id in touched:
            self._store.changed(table_id)
        return token

    def check_free(self, name: str) -> None:
        """Raise NameTaken if a member has this name. Call this before a passkey is made for the name.

        Raise BadPlan for an unusable name.
        """
        name = check_name(name)
        with self._store.read() as connection:
            query = select(members.c.person).where(members.c.name_key == fold_name(name))
            if connection.execute(query).first() is not None:
                raise taken(name)

    # --- logging in
    # -------------------------------------------------------------------------------------------------

    def log_in(self, name: str, password: str, *, label: str, kind: Kind = "browser") -> str:
        """Log a member in by name and password, and return the new device's token.

        Raise WrongProof if the name or the password is wrong. The error does not say which of them. Raise
        ShutOut if the member is banned, or TooFast if too many passwords are being checked.
        """
        keys = keys_of(name)
        query = select(members.c.person, members.c.password).where(members.c.name_key.in_(keys))
        with self._store.read() as connection:
            row = connection.execute(query.order_by(members.c.name_key != keys[0])).first()
        stored = None if row is None else row.password
        if not is_right(stored, password) or row is None or stored is None:
            log.warning("wrong password", who=None if row is None else name_in_logs(row.person))
            raise WrongProof(WRONG)
        fresh = hash_password(password) if is_outdated(stored) else stored

        def enter(connection: Connection) -> str:
            same = (members.c.person == row.person, members.c.password == stored)
            if not connection.execute(update(members).where(*same).values(password=fresh)).rowcount:
                raise WrongProof(WRONG)  # the password was changed at this moment
            return add_device(connection, row.person, self._store.now(), label=label, kind=kind, proven=True)

        token = self._store.writer.write(Write(call=enter))
        log.info("came in", way="password", who=name_in_logs(row.person))
        return token

    def log_in_by_key(self, shown: ShownKey, *, label: str) -> str:
        """Log a member in by a passkey, and return the new device's token.

        Raise SpentCode if the challenge was used or has expired. Raise WrongProof if the passkey has been removed, or
        if its signature counter has changed since it was read. Raise ShutOut if the member is banned.
        """

        def enter(connection: Connection) -> str:
            now = self._store.now()
            person = self.passkeys.use(connection, shown, now)
            return add_device(connection, person, now, label=label, proven=True)

        token = self._store.writer.write(Write(call=enter))
        log.info("came in", way="passkey", who=name_in_logs(shown.person))
        return token

    def prove(self, person: str, device: str, password: str) -> None:
        """Prove the person's identity on a device by password.

        Raise WrongProof if the password is wrong, or TooFast if too many passwords are being checked.
        """
        with self._store.read() as connection:
            query = select(members.c.password).where(members.c.person == person)
            stored = connection.execute(query).scalar()
        if not is_right(stored, password):
            log.warning("wrong password", who=name_in_logs(person))
            raise WrongProof("that is not your password: try again, or use a passkey or a recovery code")
        self.devices.prove(device)

    def prove_by_key(self, person: str, device: str, shown: ShownKey) -> None:
        """Prove the person's identity on a device by a passkey.

        Raise WrongProof if the passkey belongs to another member, or the errors of `Passkeys.use`.
        """

        def check(connection: Connection) -> None:
            if self.passkeys.use(connection, shown, self._store.now()) != person:
                raise WrongProof("this passkey belongs to another member: use one of yours")

        self._store.writer.write(Write(call=check))
        self.devices.prove(device)

    def set_password(self, person: str, device: str, password: str) -> None:
        """Set a new password, and log out the person's other devices.

        All unused login codes except recovery codes become invalid too, and unconfirmed e-mail addresses are
        removed. Raise WeakPassword. Raise UnknownPerson if there is no such person, NotNow for a guest, or TooFast if
        too many passwords are being checked.
        """
        check_password(password, self._people.find(person).name)
        stored = hash_password(password)

        def change(connection: Connection) -> None:
            mine = members.c.person == person
            if not connection.execute(update(members).where(mine).values(password=stored)).rowcount:
                raise NotNow("only members have a password: become a member first")
            others = (devices.c.person == person, devices.c.id != device)
            connection.execute(delete(devices).where(*others))
            end_requests(connection, person)
            end_unconfirmed(connection, person)
            note_key_change(connection, person, "password", self._store.now(), device=device)

        self._store.writer.write(Write(call=change))
        log.info("password set", who=name_in_logs(person))
        self._store.noted(())
        self.devices.forget()

    # --- one member
    # -------------------------------------------------------------------------------------------------

    def of(self, person: str) -> Member | None:
        """Return a member's account, or None for a guest."""
        query = (
            select(people.c.name, members.c.role, members.c.since_ms, members.c.password.is_not(None))
            .join(members)
            .where(people.c.id == person)
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return Member(
            person=person,
            name=row[0],
            host=row[1] == HOST,
            since_ms=row[2],
            has_password=bool(row[3]),
            passkeys=self.passkeys.of(person),
            recovery_codes=self.codes.count_recovery(person),
        )

    def remove_key(self, person: str, key: str, device: str | None = None) -> None:
        """Remove a passkey.

        Raise NotNow if the member has no such passkey, or if it is their only passkey and they have no password.
        """

        def remove(connection: Connection) -> None:
            if not key.isalnum():
                raise NotNow("you have no such passkey")
            has = select(members.c.password.is_not(None)).where(members.c.person == person)
            count = select(func.count()).where(passkeys.c.person == person)
            if not connection.execute(has).scalar() and connection.execute(count).scalar() == 1:
                raise NotNow(
                    "this is your last passkey, and you have no password: first set a password, or add another passkey"
                )
            mine = (passkeys.c.person == person, passkeys.c.id == key)
            label = connection.execute(select(passkeys.c.label).where(*mine)).scalar()
            if not connection.execute(delete(passkeys).where(*mine)).rowcount:
                raise NotNow("you have no such passkey")
            note_key_change(connection, person, "unkey", self._store.now(), label=label or "", device=device)

        self._store.writer.write(Write(call=remove))
        self._store.noted(())
        log.info("passkey removed", who=name_in_logs(person))

    # --- the host of the house ------------------------------------------------------------------------------------

    def require_host(self, person: str) -> None:
        """Raise NotAllowed unless the person is a host of the site."""
        query = select(members.c.role).where(members.c.person == person)
        with self._store.read() as connection:
            if connection.execute(query).scalar() != HOST:
                raise NotAllowed("only the hosts of the site can do that")

    def has_host(self) -> bool:
        """Return whether the site has a host."""
        with self._store.read() as connection:
            query = select(members.c.person).where(members.c.role == HOST).limit(1)
            return connection.execute(query).first() is not None

    def become_host(self, person: str, code: str) -> None:
        """Make a member a host of the site. `code` comes from the link that the server printed.

        All other host codes stop working. Raise SpentCode if the code is not valid, or NotNow for a guest.
        """
        code = read_code(code)

        def make(connection: Connection) -> None:
            take_code(connection, "host", code, self._store.now())
            connection.execute(delete(codes).where(codes.c.kind == "host"))
            mine = members.c.person == person
            if not connection.execute(update(members).where(mine).values(role=HOST)).rowcount:
                raise NotNow("only a member can be a host: become a member first")

        self._store.writer.write(Write(call=make))
        log.info("became host", who=name_in_logs(person))

    def doors(self) -> Doors:
        """Return the rules for new people."""
        with self._store.read() as connection:
            return self._doors(connection)

    @staticmethod
    def _doors(connection: Connection) -> Doors:
        rows = connection.execute(select(house_settings.c.name, house_settings.c.value))
        return msgspec.convert({row.name: row.value for row in rows}, Doors)

    def set_doors(self, doors: Doors, also: Callable[[Connection], None] = lambda connection: None) -> None:
        """Set the rules for new people. The writes of `also` are committed together with them."""

        def change(connection: Connection) -> None:
            values = msgspec.structs.asdict(doors)
            connection.execute(delete(house_settings).where(house_settings.c.name.in_(values)))
            rows = [{"name": name, "value": value} for name, value in values.items()]
            connection.execute(insert(house_settings), rows)
            also(connection)

        self._store.writer.write(Write(call=change))
        log.info("doors set", guests=doors.guests, members=doors.members)


def make_host_code(database: str) -> str:
    """Store and return a code that makes a member a host of the site. The server need not be running.

    Raise HouseClosed if the database can't be opened or written, or if its tables are missing or belong to another
    version.
    """
    engine = open_engine(database, most=1)
    code = new_code()
    try:
        if problem := check(engine):
            raise HouseClosed(f"{problem}; start the server once, or run `spelunke migrate`")
        with engine.begin() as connection:
            store_code(connection, "host", None, int(time.time() * 1000), code)
    except SQLAlchemyError as error:
        raise HouseClosed(f"the database can't be written: {type(error).__name__}") from None
    finally:
        engine.dispose()
    return code
