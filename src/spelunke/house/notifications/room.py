"""The notifications of a house: the list on each person's page, the channels, and the sending of messages."""

from __future__ import annotations

from collections.abc import Iterable

from spelunke.core.words import Translator, plain
from spelunke.house.notifications.carriers import Carrier
from spelunke.house.notifications.channels import Channels
from spelunke.house.notifications.dispatch import Dispatcher
from spelunke.house.notifications.inbox import Inbox
from spelunke.house.notifications.mail import Mailer
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.postman import Postman
from spelunke.house.notifications.push import Pusher
from spelunke.house.notifications.sending import Sender
from spelunke.house.notifications.services import Service
from spelunke.house.notifications.webhooks import Ntfy, Webhook
from spelunke.house.outbox import InLanguage, Way
from spelunke.house.store import Store

THREADS = 4
"""The number of threads that send messages, each to one address at a time."""


def _untranslated(_language: str) -> Translator:
    return plain


class Notifications:
    """The notifications of a server.

    `push_key` has 32 bytes, from which the keys of Web Push are made. If it is None, there is no push.
    `words` returns the translator of a language. If `runs` is false, messages are sent only by `tick`.
    """

    def __init__(
        self,
        store: Store,
        outside: Outside,
        push_key: bytes | None,
        words: InLanguage | None = None,
        *,
        runs: bool,
    ) -> None:
        sender = Sender(outside.allowed, seconds=outside.seconds)
        self.outside = outside
        self.inbox = Inbox(store)
        self.channels = Channels(store, outside, sender)
        carriers: dict[Way, Carrier] = {}
        self._pusher = None if push_key is None else Pusher(push_key, outside.contact, sender)
        if self._pusher is not None:
            carriers["push"] = self._pusher
        mailer = None if outside.mail is None else Mailer(outside.mail, seconds=outside.seconds)
        if mailer is not None:
            carriers["mail"] = mailer
        if outside.webhooks:
            carriers["webhook"], carriers["ntfy"] = Webhook(outside, sender), Ntfy(outside, sender)
        if outside.services:
            carriers["service"] = Service(outside)
        tongue = words or _untranslated
        postman = Postman(store, outside, mailer, tongue)
        self._dispatcher = Dispatcher(
            store, outside, carriers, postman, tongue, threads=THREADS if runs else 0
        )
        store.noted = self._noted

    @property
    def push_key(self) -> str | None:
        """The public key that browsers need to subscribe, or None if there is no push."""
        return None if self._pusher is None else self._pusher.public

    def _noted(self, people: Iterable[str]) -> None:
        self.inbox.forget(people)
        self._dispatcher.wake()

    def begin(self) -> None:
        """Start sending."""
        self._dispatcher.begin()

    def wake(self) -> None:
        """Let the sending thread check now for messages that are due."""
        self._dispatcher.wake()

    def tick(self) -> int:
        """Send everything that is due, in this thread. Return the number of people and e-mails handled.

        This is for tests and programs without timers. If threads send the messages (`runs`), do nothing and return 0.
        """
        return self._dispatcher.tick()

    def close(self) -> None:
        """Stop sending."""
        self._dispatcher.close()
