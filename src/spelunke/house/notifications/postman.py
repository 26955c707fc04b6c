"""Send e-mails that are not notifications: confirmations, logins and alerts."""

from __future__ import annotations

import structlog
from sqlalchemy import Connection, delete, select, update

from spelunke.core.words import plain
from spelunke.house.notifications.carriers import Undelivered
from spelunke.house.notifications.channels import address_key, new_confirmation
from spelunke.house.notifications.mail import Mailer
from spelunke.house.notifications.outside import Outside
from spelunke.house.outbox import ALERTS, MINUTE_MS, PAUSE_MS, SECOND_MS, InLanguage
from spelunke.house.people import hash_code, new_code, store_code
from spelunke.house.store import Leases, Store, Write, channels, codes, letters, members, people

log = structlog.get_logger("spelunke.house.notifications")

LEASE_MS = 180 * SECOND_MS
"""The time in ms of a lease for one e-mail, or for the messages of one person.

A person may have a dozen channels. The lease is longer than the usual timeouts of that many deliveries together.
"""
BATCH = 50
PAUSES_MS = (MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS)


class Postman:
    """Sends queued e-mails. `words` returns the translator of a language."""

    def __init__(self, store: Store, outside: Outside, mailer: Mailer | None, words: InLanguage) -> None:
        self.leases = Leases(store, letters, LEASE_MS, most=BATCH)
        self._store = store
        self._base = outside.base
        self._mailer = mailer
        self._words = words

    def _say(self, language: str, text: str) -> str:
        return self._words(language)(text)

    def send(self, letter: str) -> None:
        """Send one queued e-mail, and delete it from the queue. `letter` is the id of the e-mail.

        If the mail server does not accept the e-mail now, schedule another attempt. If the e-mail is too old,
        has no recipient, was refused permanently, or has failed too often, delete it unsent. Also delete it if the
        site sends no e-mail.
        """
        now = self._store.now()
        with self._store.read() as connection:
            row = connection.execute(select(letters).where(letters.c.id == letter)).first()
        if row is None:
            return
        if self._mailer is None or row.ends_ms < now:
            self._done(letter)
            return
        try:
            if row.kind in ALERTS:
                self._alert(row.kind, row.address, row.language)
            elif row.kind == "confirm":
                self._confirm(row.channel, row.address, row.language, now)
            else:
                self._bring_back(row.address, row.language, now)
        except Undelivered as error:
            log.warning("a letter was not delivered", kind=row.kind, given_up=error.lasting)
            self._put_off(letter, row.channel, row.tries, error, now)
            return
        self._done(letter)

    def _alert(self, kind: str, address: str, language: str) -> None:
        if self._mailer is None:
            return
        text = plain(
            "{what} If you did this, all is well. If you did not, log in (with a passkey or a recovery code, if "
            "your password no longer works) and set a new password at once: {link}"
        )
        told = self._say(language, text).format(
            what=self._say(language, ALERTS[kind]), link=f"{self._base}/me/account"
        )
        self._mailer.send(address, self._say(language, plain("Your account was changed")), told)

    def _confirm(self, channel: str, address: str, language: str, now: int) -> None:
        def make(connection: Connection) -> tuple[str, str] | None:
            found = connection.execute(
                select(channels.c.person, people.c.name)
                .join(people, people.c.id == channels.c.person)
                .where(channels.c.id == channel, channels.c.confirmed_ms.is_(None))
            ).first()
            return None if found is None else (new_confirmation(connection, found[0], channel, now), found[1])

        made = self._store.writer.write(Write(call=make))
        if made is None or self._mailer is None:
            return
        code, name = made
        text = plain(
            "{name} wants to receive e-mails about games at this address. If that is you, open this link within a "
            "day:\n"
            "\n"
            "{link}\n"
            "\n"
            "If it is not you, do nothing: we send no e-mails about games to an address that nobody has confirmed."
        )
        link = f"{self._base}/mail/confirm/{channel}/{code}"
        title = self._say(language, plain("Is this your address?"))
        self._mailer.send(address, title, self._say(language, text).format(name=name, link=link))

    def _bring_back(self, address: str, language: str, now: int) -> None:
        """Send an e-mail with a login link to each member who has confirmed this address.

        Leave out members who were sent a link within the last `PAUSE_MS`. Raise Undelivered if the mail server
        does not accept an e-mail.
        """

        def make(connection: Connection) -> list[tuple[str, str, str]]:
            key = address_key("mail", address)
            found = connection.execute(
                select(channels.c.person, people.c.name, channels.c.address)
                .join(people, people.c.id == channels.c.person)
                .join(members, members.c.person == channels.c.person)
                .where(channels.c.address_key == key, channels.c.confirmed_ms.is_not(None))
            ).all()
            made = []
            for person, name, to in found:
                mine = (codes.c.kind == "back", codes.c.person == person)
                if connection.execute(
                    select(codes.c.code).where(*mine, codes.c.created_ms > now - PAUSE_MS)
                ).first():
                    continue  # an e-mail is on its way
                connection.execute(delete(codes).where(*mine))
                code = new_code()
                store_code(connection, "back", person, now, code)
                made.append((name, code, to))
            return made

        text = plain(
            "{name}, this link logs you in to your account. It works once, within half an hour:\n"
            "\n"
            "{link}\n"
            "\n"
            "If you did not ask for it, do nothing: we sent the link only to you, so nobody else can use it."
        )
        for name, code, to in self._store.writer.write(Write(call=make)):
            link = f"{self._base}/back/{code}"
            title = self._say(language, plain("Your link to log in"))
            if self._mailer is None:
                return
            try:
                self._mailer.send(to, title, self._say(language, text).format(name=name, link=link))
            except Undelivered:
                # Otherwise the retry would send nothing, as if this e-mail were on its way.
                self._forget(code)
                raise

    def _forget(self, code: str) -> None:
        mine = codes.c.code == hash_code("back", code)
        self._store.writer.write(
            Write(call=lambda connection: connection.execute(delete(codes).where(mine)).rowcount)
        )

    def _done(self, letter: str) -> None:
        self._store.writer.write(
            Write(
                call=lambda connection: (
                    connection.execute(delete(letters).where(letters.c.id == letter)).rowcount
                )
            )
        )

    def _put_off(self, letter: str, channel: str | None, tries: int, error: Undelivered, now: int) -> None:
        over = error.lasting or tries >= len(PAUSES_MS)

        def keep(connection: Connection) -> None:
            if channel is not None:
                values: dict[str, object] = {"problem": str(error)}
                if over:
                    values["ended_ms"] = now
                connection.execute(update(channels).where(channels.c.id == channel).values(values))
            if over:
                connection.execute(delete(letters).where(letters.c.id == letter))
                return
            self.leases.release(connection, letter, at=now + PAUSES_MS[tries], tries=tries + 1)

        self._store.writer.write(Write(call=keep))
