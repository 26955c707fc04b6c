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
    """The host's settings for outgoing messages. By default, only Web Push works.

    ``base`` is the site's address in links. ``webhooks`` has the names of servers to which people may send
    webhooks, or ``*`` for all servers. ``services`` are the services of the library apprise that people may use.
    ``allowed`` are private names and networks to which messages may go. ``contact`` is an address at which push
    services can reach the site's host. ``seconds`` is the timeout of a delivery.
    """

    base: str = ""
    mail: MailServer | None = None
    webhooks: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    allowed: Allowed = Allowed()
    contact: str = ""
    seconds: float = 10.0

    def may_hook(self, host: str) -> bool:
        """Return whether people may send webhooks to the server with the name `host`.

        ``webhooks`` must contain the name, ``*``, or an entry like `*.example.org` that matches the name.
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
