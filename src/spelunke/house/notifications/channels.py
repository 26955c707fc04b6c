"""The channels through which a person is notified, such as a browser, an e-mail address or a webhook.

The module also stores the person's settings for notifications, their language, and their choice of the letters that
stand for playing cards and nations.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from spelunke.house.notifications.mail import check_address
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.push import check_subscription
from spelunke.house.notifications.quiet import check_zone
from spelunke.house.notifications.sending import Sender
from spelunke.house.notifications.services import check_service
from spelunke.house.notifications.webhooks import check_hook
from spelunke.house.outbox import KINDS, PER_DAY, WAYS, Kind, Way, put_alerts, put_letter, wake
from spelunke.house.people import new_code, note_key_change, read_code, store_code, take_code
from spelunke.house.refusals import BadPlan, NotAllowed, NotNow, SpentCode, TooFast
from spelunke.house.store import Store, Write, channels, codes, deliveries, members, notification_choices

log = structlog.get_logger("spelunke.house.notifications")

MOST = 12
"""The most channels of one person."""


class ChannelLine(msgspec.Struct, frozen=True, kw_only=True):
    """A channel of a person, as that person sees it.

    ``problem`` is the reason for the channel's last failure, or the reason why the channel ``ended``.
    ``stopped``: the person has switched the channel off by the unsubscribe link. ``sent_ms`` is the time of the
    last delivery. After a failure, ``next_ms`` is the time of the next attempt.
    """

    id: str
    way: Way
    label: str
    confirmed: bool
    stopped: bool
    ended: bool
    problem: str | None
    sent_ms: int | None
    next_ms: int | None


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """A person's settings for notifications, and the person's choice of language and letters.

    ``off`` has the muted pairs, each of a kind of notification and a kind of channel. ``quiet_from`` and
    ``quiet_to`` are the start and end of quiet hours, in minutes from midnight in the time zone ``zone``.
    ``letters`` says which letters stand for playing cards and nations: a key of `core.letters.LETTERS`, such as
    ``english``, or None if the person has not chosen.
    """

    off: frozenset[tuple[Kind, Way]] = frozenset()
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    language: str = "en"
    letters: str | None = None


def read_choices(connection: Connection, person: str) -> Choices:
    """Return a person's settings for notifications. By default, nothing is muted."""
    row = connection.execute(
        select(notification_choices).where(notification_choices.c.person == person)
    ).first()
    if row is None:
        return Choices()
    pairs = {tuple(word.split(":", 1)) for word in row.off.split()}
    off = frozenset((kind, way) for kind in KINDS for way in WAYS if (kind, way) in pairs)
    return Choices(
        off=off,
        zone=row.zone,
        quiet_from=row.quiet_from,
        quiet_to=row.quiet_to,
        language=row.language,
        letters=row.letters,
    )


def address_key(way: str, address: str) -> str:
    """Return the key by which an address is found in the database.

    E-mail addresses that differ only in case have the same key.
    """
    return hashlib.sha256(f"{way} {address.lower() if way == 'mail' else address}".encode()).hexdigest()


class Channels:
    """Adds, confirms, stops and removes channels of people, and stores people's settings for notifications."""

    def __init__(self, store: Store, outside: Outside, sender: Sender) -> None:
        self._store = store
        self._outside = outside
        self._sender = sender

    def of(self, person: str) -> tuple[ChannelLine, ...]:
        """Return a person's channels, the oldest first."""
        query = select(channels).where(channels.c.person == person).order_by(channels.c.created_ms)
        with self._store.read() as connection:
            return tuple(
                ChannelLine(
                    id=row.id,
                    way=row.kind,
                    label=row.label,
                    confirmed=row.confirmed_ms is not None,
                    stopped=row.stopped_ms is not None,
                    ended=row.ended_ms is not None,
                    problem=row.problem,
                    sent_ms=row.sent_ms,
                    next_ms=row.next_ms,
                )
                for row in connection.execute(query)
            )

    # --- adding ---------------------------------------------------------------------------------------------------

    def add_push(
        self, person: str, endpoint: str, key: str, auth: str, *, label: str, device: str = ""
    ) -> str:
        """Add a browser's subscription, and return the channel's id.

        `endpoint`, `key` and `auth` are the address and the two keys of the subscription. If other people have
        added the same subscription, remove it from them. If `device` is given, the subscription ends when that
        device is logged out. Raise BadPlan if the subscription is malformed, or NotNow if the person has too
        many channels.
        """
        details = check_subscription(endpoint, key, auth)
        if device:
            details["device"] = device
        return self._add(person, "push", endpoint, details, label=label, alone=True)

    def add_mail(self, person: str, address: str, language: str) -> str:
        """Add a member's e-mail address, send a confirmation link there, and return the channel's id.

        `language` is the language of that e-mail. The new address replaces an earlier one. Raise BadPlan if the
        address is malformed. Raise NotAllowed for a guest, or if the site sends no e-mail. Raise NotNow if the
        person has confirmed this address already or has too many channels, or TooFast after too many e-mails.
        """
        address = check_address(address)
        if self._outside.mail is None:
            raise NotAllowed("this site sends no e-mail")
        self._require_member(person)
        return self._add(person, "mail", address, {}, label=address, language=language)

    def add_hook(self, person: str, way: str, address: str) -> str:
        """Add a member's webhook, ntfy topic, or service of the library apprise. Return the channel's id.

        `way` is ``webhook``, ``ntfy`` or ``service``. Raise BadPlan if `way` is none of these, or if the
        address can't be used. Raise NotAllowed for a guest, or if the site's host does not allow the address.
        Raise NotNow if the person has too many channels.
        """
        self._require_member(person)
        if way == "service":
            label = check_service(address, self._outside)
            return self._add(person, "service", address.strip(), {}, label=label)
        if way not in {"webhook", "ntfy"}:
            raise BadPlan("choose “webhook”, “ntfy” or “service”", "way")
        place = check_hook(address, self._outside, self._sender)
        return self._add(
            person, "ntfy" if way == "ntfy" else "webhook", address.strip(), {}, label=place.host
        )

    def _require_member(self, person: str) -> None:
        with self._store.read() as connection:
            query = select(members.c.person).where(members.c.person == person)
            if connection.execute(query).first() is None:
                raise NotAllowed("only members can do that: become a member first")

    def _add(
        self,
        person: str,
        way: Way,
        address: str,
        details: Mapping[str, str],
        *,
        label: str,
        alone: bool = False,
        language: str = "",
    ) -> str:
        channel, now = secrets.token_hex(8), self._store.now()
        key = address_key(way, address)
        row = {
            "id": channel,
            "person": person,
            "kind": way,
            "address": address,
            "address_key": key,
            "details": msgspec.json.encode(dict(details)).decode(),
            "label": label[:64],
            "stop": secrets.token_urlsafe(24),
            "created_ms": now,
            "confirmed_ms": None if way == "mail" else now,
            "tries": 0,
        }

        def add(connection: Connection) -> None:
            # A person has one mail address. A channel that is added again replaces the old one.
            mine = channels.c.person == person
            same = (
                or_(channels.c.address_key == key, channels.c.kind == "mail")
                if way == "mail"
                else channels.c.address_key == key
            )
            if way == "mail":
                _check_new(connection, mine & (channels.c.address_key == key))
                put_alerts(connection, person, "address", now)
            _remove(connection, same if alone else mine & same)
            count = connection.execute(select(func.count()).where(mine)).scalar() or 0
            if count >= MOST:
                raise NotNow(
                    f"you have {MOST} ways to receive notifications, which is the limit: remove one first"
                )
            connection.execute(insert(channels), row)
            if way == "mail":
                _write_to(connection, person, channel, address, language, now)
            else:
                wake(connection, person, now)

        self._store.writer.write(Write(call=add))
        log.info("channel added", way=way)
        return channel

    # --- changing -------------------------------------------------------------------------------------------------

    def confirm_mail(self, channel: str, code: str) -> None:
        """Confirm an e-mail address with the code from its confirmation link.

        Raise SpentCode if the code is not valid, or if the channel was removed.
        """
        code = read_code(code)

        def confirm(connection: Connection) -> None:
            now = self._store.now()
            take_code(connection, "mail", f"{channel} {code}", now)
            values = {"confirmed_ms": now, "problem": None, "tries": 0, "ended_ms": None, "next_ms": None}
            this = channels.c.id == channel
            if not connection.execute(update(channels).where(this).values(values)).rowcount:
                raise SpentCode(
                    "the e-mail address that this link confirms was changed or removed: ask for another e-mail"
                )
            person, address = connection.execute(
                select(channels.c.person, channels.c.address).where(this)
            ).one()
            note_key_change(connection, person, "address", now, label=address)
            wake(connection, person, now)

        self._store.writer.write(Write(call=confirm))
        self._store.noted(())
        log.info("address confirmed")

    def remove(self, person: str, channel: str) -> None:
        """Remove a channel of a person. Raise NotNow if the person has no such channel."""

        def take(connection: Connection) -> None:
            mine = (channels.c.person == person) & (channels.c.id == channel)
            if not channel.isalnum() or not _remove(connection, mine):
                raise NotNow("you have no such way to receive notifications")

        self._store.writer.write(Write(call=take))

    def remove_push(self, person: str, endpoint: str) -> None:
        """Remove a browser's subscription of this person, if it exists."""
        key = address_key("push", endpoint)
        mine = (channels.c.person == person) & (channels.c.address_key == key)
        self._store.writer.write(Write(call=lambda connection: _remove(connection, mine)))

    def resume(self, person: str, channel: str, language: str) -> None:
        """Resume sending to a channel that was stopped or that ended after failures.

        If its address is unconfirmed, send another confirmation link to the address, in this language. Raise NotNow
        if there is no such channel, or TooFast after too many e-mails.
        """

        def again(connection: Connection) -> None:
            now = self._store.now()
            mine = (channels.c.person == person, channels.c.id == channel)
            row = connection.execute(select(channels).where(*mine)).first() if channel.isalnum() else None
            if row is None:
                raise NotNow("you have no such way to receive notifications")
            fresh = {"stopped_ms": None, "ended_ms": None, "tries": 0, "next_ms": None, "problem": None}
            connection.execute(update(channels).where(*mine).values(fresh))
            if row.confirmed_ms is None:
                _write_to(connection, person, channel, row.address, language, now)
            wake(connection, person, now)

        self._store.writer.write(Write(call=again))

    def look_stop(self, stop: str) -> Way:
        """Return the kind of channel to which an unsubscribe link belongs. `stop` is the token in the link.

        Raise SpentCode if the link is unknown.
        """
        with self._store.read() as connection:
            found = connection.execute(select(channels.c.kind).where(channels.c.stop == stop[:64])).scalar()
        if found is None:
            raise SpentCode("this link is not valid, or the address or device that it belongs to was removed")
        way: Way = found
        return way

    def stop(self, stop: str) -> None:
        """Stop the channel to which an unsubscribe link belongs. Raise SpentCode if the link is unknown."""
        self.look_stop(stop)
        change = (
            update(channels)
            .where(channels.c.stop == stop[:64], channels.c.stopped_ms.is_(None))
            .values(stopped_ms=self._store.now())
        )
        self._store.writer.write(Write(call=lambda connection: connection.execute(change).rowcount))
        log.info("stopped by its link")

    # --- choices --------------------------------------------------------------------------------------------------

    def choices(self, person: str) -> Choices:
        """Return a person's settings for notifications."""
        with self._store.read() as connection:
            return read_choices(connection, person)

    def choose(self, person: str, choices: Choices) -> None:
        """Store a person's settings for notifications. Raise BadPlan for an unknown time zone.

        Also raise BadPlan if only the start or only the end of quiet hours is given.
        """
        check_zone(choices.zone)
        if (choices.quiet_from is None) != (choices.quiet_to is None):
            raise BadPlan("give both the start and the end of the quiet hours, or neither", "quiet")
        values = {
            "off": " ".join(sorted(f"{kind}:{way}" for kind, way in choices.off)),
            "zone": choices.zone,
            "quiet_from": choices.quiet_from,
            "quiet_to": choices.quiet_to,
            "language": choices.language[:16],
            "letters": choices.letters,
        }

        def keep(connection: Connection) -> None:
            connection.execute(delete(notification_choices).where(notification_choices.c.person == person))
            connection.execute(insert(notification_choices), {"person": person, **values})
            wake(connection, person, self._store.now())

        self._store.writer.write(Write(call=keep))

    def language_of(self, person: str) -> str | None:
        """Return the language that a person has chosen on any device, or None if they have chosen no
        language.
        """
        query = select(notification_choices.c.language).where(notification_choices.c.person == person)
        with self._store.read() as connection:
            found: str | None = connection.execute(query).scalar()
            return found

    def speak(self, person: str, language: str) -> None:
        """Store the language that a person has chosen for messages and for all their devices."""
        kept = self.language_of(person)
        if kept is None:
            self.choose(person, Choices(language=language))
        elif kept != language:
            change = update(notification_choices).where(notification_choices.c.person == person)
            change = change.values(language=language[:16])
            self._store.writer.write(Write(call=lambda connection: connection.execute(change).rowcount))

    def letters_of(self, person: str) -> str | None:
        """Return the person's choice of the letters that stand for playing cards and nations.

        The result is a key of `core.letters.LETTERS`, such as ``english``. It is None if the person has not chosen.
        The choice is valid on all devices of the person.
        """
        return self.choices(person).letters

    def choose_letters(self, person: str, letters: str, language: str) -> None:
        """Store the person's choice of the letters that stand for playing cards and nations.

        `letters` is a key of `core.letters.LETTERS`, such as ``english``.
        If the person has chosen no language yet, store ``language`` too.
        """
        if self.language_of(person) is None:
            self.choose(person, Choices(language=language, letters=letters))
        else:
            change = update(notification_choices).where(notification_choices.c.person == person)
            change = change.values(letters=letters)
            self._store.writer.write(Write(call=lambda connection: connection.execute(change).rowcount))

    # --- logging back in by mail
    # ------------------------------------------------------------------------------------

    def ask_back(self, address: str, language: str) -> None:
        """Queue a login e-mail in this language to the member with this address.

        The caller can't find out whether there is such a member. Raise BadPlan if the address is malformed, or
        NotAllowed if the site sends no e-mail.
        """
        address = check_address(address)
        if self._outside.mail is None:
            raise NotAllowed("this site sends no e-mail: use a recovery code")
        now = self._store.now()
        self._store.writer.write(
            Write(call=lambda connection: put_letter(connection, "back", address, now, language))
        )


def _check_new(connection: Connection, which: ColumnElement[bool]) -> None:
    """Raise NotNow if this channel of the person exists and its address is confirmed."""
    row = connection.execute(select(channels).where(which, channels.c.confirmed_ms.is_not(None))).first()
    if row is None:
        return
    if row.stopped_ms is not None or row.ended_ms is not None:
        raise NotNow("you have this address already, but it is switched off: choose “Try again” beside it")
    raise NotNow("you have this address already, and it is confirmed")


def _write_to(
    connection: Connection, person: str, channel: str, address: str, language: str, now: int
) -> None:
    """Queue an e-mail with a link that confirms the person's address.

    Raise TooFast if too many such e-mails were sent within a day, or if too many e-mails are waiting.
    """
    lately = select(func.count()).where(codes.c.kind == "mail", codes.c.person == person)
    if int(connection.execute(lately).scalar() or 0) >= PER_DAY:
        raise TooFast(f"you have asked for {PER_DAY} e-mails within 24 hours: try again in 24 hours")
    put_letter(connection, "confirm", address, now, language, channel=channel)


def new_confirmation(connection: Connection, person: str, channel: str, now: int) -> str:
    """Store and return a code for a link that confirms this channel."""
    code = new_code()
    store_code(connection, "mail", person, now, f"{channel} {code}")
    return code


def _remove(connection: Connection, which: ColumnElement[bool]) -> int:
    found = list(connection.execute(select(channels.c.id).where(which)).scalars())
    if found:
        connection.execute(delete(deliveries).where(deliveries.c.channel.in_(found)))
        connection.execute(delete(channels).where(channels.c.id.in_(found)))
    return len(found)
