"""Messengers and the like, by apprise: those whose own hosts are fixed, and that the host of the house has named.

A service that takes a host from whoever sets it up would be a way into the host's network, so it is refused whatever is
named: those have webhooks.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterable, Mapping

from spelunke.house.notifications.carriers import Undelivered
from spelunke.house.notifications.outside import Outside
from spelunke.house.outbox import Message
from spelunke.house.refusals import BadPlan, NotAllowed

LONGEST = 512
LOCAL = frozenset(
    {"dbus", "glib", "gnome", "growl", "kde", "macosx", "qt", "syslog", "windows", "blink1", "gio"}
)
"""They act on the machine itself."""


def is_installed() -> bool:
    """Whether apprise is there: `pip install spelunke[services]`."""
    return importlib.util.find_spec("apprise") is not None


def check_services(names: Iterable[str]) -> None:
    """What the host named; raises BadPlan for what is no service, or would take a host from people."""
    names = sorted(names)
    if not names:
        return
    if not is_installed():
        raise BadPlan("services need apprise: install spelunke[services]")
    from apprise.plugins import N_MGR

    for name in names:
        if name not in N_MGR:
            raise BadPlan(f"apprise knows no service {name!r}; right would be tgram, discord or slack")
        templates = " ".join(getattr(N_MGR[name], "templates", ()))
        if name in LOCAL or "{host" in templates or "{url" in templates or not templates:
            raise BadPlan(
                f"{name!r} takes a host from whoever sets it up; people use a webhook or ntfy for that"
            )


def check_service(address: str, outside: Outside) -> str:
    """What such an address is called in its person's list; raises BadPlan, NotAllowed."""
    address = address.strip()
    name = address.partition("://")[0].lower()
    if name not in outside.services:
        listed = ", ".join(f"{one}://" for one in sorted(outside.services)) or "none"
        raise NotAllowed(f"the host of this house has listed these services: {listed}")
    if len(address) > LONGEST or not address.isprintable() or _open(address) is None:
        raise BadPlan(f"{name}:// can't be read so; its form stands in apprise's documentation", "address")
    return name


def _open(address: str) -> object | None:
    import apprise

    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # its lines name tokens
    # Without its options, by which one could ask for longer waits, attachments or redirects.
    plain = address.partition("?")[0]
    asset = apprise.AppriseAsset(http_redirects=False, secure_logging=True)
    return apprise.Apprise.instantiate(plain, asset=asset)


class Service:
    """Carries by apprise."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    def carry(self, address: str, _details: Mapping[str, str], message: Message) -> None:
        """Deliver it; raises Undelivered."""
        name = address.partition("://")[0].lower()
        if name not in self._outside.services:
            raise Undelivered(f"the host of this house no longer lists {name}", lasting=True)
        plugin = _open(address)
        text = "\n".join([*message.lines, message.url]).strip()
        notify = getattr(plugin, "notify", None)
        if notify is None or not notify(body=text, title="Spelunke"):
            raise Undelivered(f"{name} did not take it")
