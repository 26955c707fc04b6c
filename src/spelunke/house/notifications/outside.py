"""The host's settings for outgoing messages: the site's address, e-mail, webhooks, and allowed destinations."""

from __future__ import annotations

from typing import Literal

import msgspec

from spelunke.house.notifications.addresses import Allowed
from spelunke.house.outbox import Way

Security = Literal["starttls", "tls", "none"]


class MailServer(msgspec.Struct, frozen=True, kw_only=True):
    """The mail server for outgoing e-mails, and the sender's address."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = ""


class Outside(msgspec.Struct, frozen=True, kw_only=True):
    """The host's settings for outgoing messages. By default, only push works.

    ``base`` is the site's address in links. ``webhooks`` are the hosts to which people may send webhooks, or
    ``*`` for all hosts. ``services`` are the services of the library apprise that people may use. ``allowed``
    are private names and networks to which messages may go. ``contact`` is the host's address for push
    services. ``seconds`` is the timeout of a delivery.
    """

    base: str = ""
    mail: MailServer | None = None
    webhooks: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    allowed: Allowed = Allowed()
    contact: str = ""
    seconds: float = 10.0

    def may_hook(self, host: str) -> bool:
        """Return whether people may send webhooks to this host.

        The list ``webhooks`` must contain the host, ``*``, or an entry like `*.example.org` that matches it.
        """
        host = host.lower()
        above = {f"*.{host.split('.', n)[n]}" for n in range(1, host.count(".") + 1)}
        return bool({"*", host, *above} & self.webhooks)

    @property
    def ways(self) -> frozenset[Way]:
        """The kinds of channels that people can add."""
        found: set[Way] = {"push"}
        if self.mail is not None:
            found.add("mail")
        if self.webhooks:
            found |= {"webhook", "ntfy"}
        if self.services:
            found.add("service")
        return frozenset(found)
