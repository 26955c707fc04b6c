"""Passkeys: keys in a device or in a password manager that sign challenges of the server.

The library webauthn parses and verifies what a browser sends. If the library reports an error, this module
raises WrongProof, always with the same text. Loading the library takes a second, so it is loaded when it is
first needed, and never in the writer thread.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import secrets
from collections.abc import Iterator

import msgspec
import structlog
from sqlalchemy import Connection, select, update

from spelunke.house.people.codes import store_code, take_code
from spelunke.house.people.devices import name_in_logs
from spelunke.house.people.key_changes import note_key_change
from spelunke.house.refusals import NotNow, WrongProof
from spelunke.house.store import Store, Write, insert_new, members, passkeys

log = structlog.get_logger("spelunke.house.people.passkeys")

NAME = "Spelunke"
MOST = 20
"""The most passkeys of one member."""
_UNREADABLE = "this passkey can't be read: try again, or log in by another method"
_UNKNOWN = "this passkey is not known: log in by another method, then add it again"


class Place(msgspec.Struct, frozen=True):
    """The site to which passkeys belong: the domain name to which they are bound, and the origins of pages
    that may use them.
    """

    name: str
    origins: tuple[str, ...]


class NewKey(msgspec.Struct, frozen=True, kw_only=True):
    """A verified new passkey, made for a challenge of the server.

    ``person`` is the member or guest who requested it, or None for a stranger. If the person becomes a member with this
    passkey, ``handle`` becomes their user handle for passkeys. A member keeps the handle of their account, and
    ``handle`` is not used.
    """

    challenge: bytes
    handle: str
    person: str | None
    credential: bytes
    public_key: bytes
    sign_count: int
    label: str


class ShownKey(msgspec.Struct, frozen=True, kw_only=True):
    """A verified passkey that has signed a challenge, and its owner.

    ``key`` is the passkey's id. ``counted`` is the stored number of signatures that the passkey has made, and
    ``sign_count`` is the new number.
    """

    challenge: bytes
    key: str
    person: str
    counted: int
    sign_count: int


class PasskeyLine(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey as its owner sees it."""

    id: str
    label: str
    created_ms: int
    used_ms: int | None


def _id_of(credential: bytes) -> str:
    return hashlib.sha256(credential).hexdigest()


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _handle_of(challenge: bytes) -> str:
    """Return the handle (the user id for passkeys) of a person who becomes a member by answering this
    challenge.

    The handle is computed, so it need not be stored until the passkey arrives.
    """
    return _encode(hashlib.sha256(b"handle " + challenge).digest())


def _read(text: str) -> tuple[bytes, bytes]:
    """Return the challenge and the credential's ID from a browser's answer. Neither is verified yet.

    Raise WrongProof if the answer is malformed.
    """
    try:
        found = json.loads(text)
        client = json.loads(_decode(found["response"]["clientDataJSON"]))
        return _decode(client["challenge"]), _decode(found["rawId"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WrongProof(_UNREADABLE) from None


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Raise WrongProof instead of any error that the library's parsers raise."""
    try:
        yield
    except Exception:  # noqa: BLE001
        raise WrongProof(_UNREADABLE) from None


def put_key(connection: Connection, person: str, key: NewKey, now: int) -> None:
    """Store a new passkey. Its challenge can't be used again.

    Raise SpentCode if the challenge was used or has expired, or WrongProof if the challenge was made for
    another person. Raise NotNow if the person has `MOST` passkeys, or if this passkey is stored already.
    """
    if take_code(connection, "passkey", key.challenge, now) != key.person:
        raise WrongProof(_UNREADABLE)
    known = connection.execute(select(passkeys.c.id).where(passkeys.c.person == person)).all()
    if len(known) >= MOST:
        raise NotNow(f"you have {MOST} passkeys, which is the limit: remove one first")
    row = {
        "id": _id_of(key.credential),
        "person": person,
        "credential": key.credential,
        "public_key": key.public_key,
        "sign_count": key.sign_count,
        "label": key.label[:64],
        "created_ms": now,
        "used_ms": None,
    }
    if not insert_new(connection, passkeys, row):
        raise NotNow("this passkey was added already: log in with it")


class Passkeys:
    """Passkeys of members: challenges for browsers, and the browsers' answers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ask_new(self, place: Place, person: str | None, name: str) -> str:
        """Return, as JSON, the options with which a browser makes a passkey for a person.

        `person` is None for somebody who is not known yet. The browser shows `name` with the passkey.
        """
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import structs

        challenge = secrets.token_bytes(32)
        with self._store.read() as connection:
            mine = members.c.person == person
            handle = connection.execute(select(members.c.handle).where(mine)).scalar()
            query = select(passkeys.c.credential).where(passkeys.c.person == person)
            known = list(connection.execute(query).scalars()) if person else []
        now = self._store.now()
        self._store.writer.write(Write(call=lambda to: store_code(to, "passkey", person, now, challenge)))
        options = generate_registration_options(
            rp_id=place.name,
            rp_name=NAME,
            user_name=name,
            user_display_name=name,
            user_id=_decode(handle or _handle_of(challenge)),
            challenge=challenge,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=raw) for raw in known],
        )
        return options_to_json(options)

    def read_new(self, place: Place, person: str | None, answer: str, label: str) -> NewKey:
        """Return the verified passkey that a browser made. Raise WrongProof if the answer can't be verified.

        Only `put_key` checks that the server made the challenge.
        """
        from webauthn import verify_registration_response

        challenge, credential = _read(answer)
        with _readable():
            made = verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=list(place.origins),
                require_user_verification=True,
            )
        if made.credential_id != credential:
            raise WrongProof(_UNREADABLE)
        return NewKey(
            challenge=challenge,
            handle=_handle_of(challenge),
            person=person,
            credential=made.credential_id,
            public_key=made.credential_public_key,
            sign_count=made.sign_count,
            label=label,
        )

    def add(self, person: str, key: NewKey, device: str | None = None) -> None:
        """Add a passkey to a member. Raise the errors of `put_key`.

        `device` is the device from which the request came. The member's other devices show that a passkey was
        added.
        """

        def put(connection: Connection) -> None:
            now = self._store.now()
            put_key(connection, person, key, now)
            note_key_change(connection, person, "passkey", now, label=key.label, device=device)

        self._store.writer.write(Write(call=put))
        self._store.noted(())
        log.info("passkey added", who=name_in_logs(person))

    def ask_log_in(self, place: Place) -> str:
        """Return, as JSON, the options with which a browser logs in by a passkey.

        The options name no member, because the passkey's answer will identify its owner.
        """
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers import structs

        challenge = secrets.token_bytes(32)
        now = self._store.now()
        self._store.writer.write(Write(call=lambda to: store_code(to, "log-in", None, now, challenge)))
        options = generate_authentication_options(
            rp_id=place.name,
            challenge=challenge,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    def read_log_in(self, place: Place, answer: str) -> ShownKey:
        """Return the verified passkey that a browser used. The caller completes the login with `use`.

        Only `use` checks that the server made the challenge. Raise WrongProof if the passkey is not known, or
        if the answer can't be verified.
        """
        from webauthn import verify_authentication_response

        challenge, credential = _read(answer)
        query = (
            select(passkeys.c.id, passkeys.c.person, passkeys.c.public_key, passkeys.c.sign_count)
            .join(members, members.c.person == passkeys.c.person)
            .where(passkeys.c.id == _id_of(credential))
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise WrongProof(_UNKNOWN)
        with _readable():
            shown = verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=list(place.origins),
                credential_public_key=row.public_key,
                credential_current_sign_count=row.sign_count,
                require_user_verification=True,
            )
        return ShownKey(
            challenge=challenge,
            key=row.id,
            person=row.person,
            counted=row.sign_count,
            sign_count=shown.new_sign_count,
        )

    def use(self, connection: Connection, shown: ShownKey, now: int) -> str:
        """Complete a login with a passkey: return its owner. The challenge can't be used again.

        Raise SpentCode if the challenge was used or has expired. Raise WrongProof if the passkey has been removed, or
        if its signature counter has changed since it was read.
        """
        take_code(connection, "log-in", shown.challenge, now)
        same = (passkeys.c.id == shown.key, passkeys.c.sign_count == shown.counted)
        values = {"sign_count": shown.sign_count, "used_ms": now}
        if not connection.execute(update(passkeys).where(*same).values(values)).rowcount:
            raise WrongProof(_UNKNOWN)
        return shown.person

    def of(self, person: str) -> tuple[PasskeyLine, ...]:
        """Return a member's passkeys, oldest first."""
        query = (
            select(passkeys.c.id, passkeys.c.label, passkeys.c.created_ms, passkeys.c.used_ms)
            .where(passkeys.c.person == person)
            .order_by(passkeys.c.created_ms, passkeys.c.id)
        )
        with self._store.read() as connection:
            return tuple(
                PasskeyLine(id=row.id, label=row.label, created_ms=row.created_ms, used_ms=row.used_ms)
                for row in connection.execute(query)
            )
