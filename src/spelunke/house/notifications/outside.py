"""What the host of a house has set for what goes out of it: its address, mail, webhooks, and whom it may reach."""

from __future__ import annotations

from typing import Literal

import msgspec

from spelunke.house.notifications.addresses import Allowed
from spelunke.house.outbox import Way

Security = Literal["starttls", "tls", "none"]


class MailServer(msgspec.Struct, frozen=True, kw_only=True):
    """Where the house hands in its mail, and in whose name."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = ""


class Outside(msgspec.Struct, frozen=True, kw_only=True):
    """All of it; nothing but push works unless the host has set it. ``base``: the address of the house in links.

    ``webhooks``: the hosts that people may name, ``*`` for all. ``services``: names of what apprise knows.
    """

    base: str = ""
    mail: MailServer | None = None
    webhooks: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    allowed: Allowed = Allowed()
    contact: str = ""
    seconds: float = 10.0

    def may_hook(self, host: str) -> bool:
        """Whether people may have webhooks sent to that host: it is listed, or one above it as `*.example.org`."""
        host = host.lower()
        above = {f"*.{host.split('.', n)[n]}" for n in range(1, host.count(".") + 1)}
        return bool({"*", host, *above} & self.webhooks)

    @property
    def ways(self) -> frozenset[Way]:
        """The ways that people can choose."""
        found: set[Way] = {"push"}
        if self.mail is not None:
            found.add("mail")
        if self.webhooks:
            found |= {"webhook", "ntfy"}
        if self.services:
            found.add("service")
        return frozenset(found)
