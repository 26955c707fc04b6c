"""Messengers and other services, through the library apprise.

People can use only services that are listed in the site's settings. A service whose users enter a server name is
refused even if it is listed, because its users could make the site send requests into a private network. For
their own servers, people can use webhooks and ntfy.
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
"""Services that act on the server's own machine."""


def is_installed() -> bool:
    """Return whether apprise is installed. `pip install spelunke[services]` installs it."""
    return importlib.util.find_spec("apprise") is not None


def check_services(names: Iterable[str]) -> None:
    """Check the names of the services that are listed in the site's settings.

    Raise BadPlan if apprise is not installed or does not know a service. Two kinds of services are not allowed either:
    those with which people could send messages to any server, and those that act on the site's own machine.
    """
    names = sorted(names)
    if not names:
        return
    if not is_installed():
        raise BadPlan("these services need the package apprise: install spelunke[services]")
    from apprise.plugins import N_MGR

    for name in names:
        if name not in N_MGR:
            raise BadPlan(
                f"the package apprise has no service {name!r}; choose for example tgram, discord or slack"
            )
        templates = " ".join(getattr(N_MGR[name], "templates", ()))
        if name in LOCAL or "{host" in templates or "{url" in templates or not templates:
            raise BadPlan(
                f"this site can't allow the service {name!r}: its users could choose the server that receives the "
                "messages, or start actions on the machine of this site; instead of this service, people can use a "
                "webhook or ntfy"
            )


def check_service(address: str, outside: Outside) -> str:
    """Return the name of the service with this address, to show in the person's list of channels.

    Raise NotAllowed if the site does not allow the service, or BadPlan if the address can't be read.
    """
    address = address.strip()
    name = address.partition("://")[0].lower()
    if name not in outside.services:
        if not outside.services:
            raise NotAllowed("this site allows no services of this kind: use a webhook or ntfy instead")
        listed = ", ".join(f"{one}://" for one in sorted(outside.services))
        raise NotAllowed(f"this site allows these services: {listed}")
    if len(address) > LONGEST or not address.isprintable() or _open(address) is None:
        raise BadPlan(
            f"this {name}:// address can't be read; the documentation of Apprise shows the right form",
            "address",
        )
    return name


def _open(address: str) -> object | None:
    import apprise

    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # its log lines contain tokens
    # Drop the options, which could request longer waits, attachments or redirects.
    plain = address.partition("?")[0]
    asset = apprise.AppriseAsset(http_redirects=False, secure_logging=True)
    return apprise.Apprise.instantiate(plain, asset=asset)


class Service:
    """Delivers messages through the library apprise."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    def carry(self, address: str, _details: Mapping[str, str], message: Message) -> None:
        """Deliver a message through the service with this address.

        Raise Undelivered if the message is not accepted.
        """
        name = address.partition("://")[0].lower()
        if name not in self._outside.services:
            raise Undelivered(f"this site no longer allows {name}", lasting=True)
        plugin = _open(address)
        text = "\n".join([*message.lines, message.url]).strip()
        notify = getattr(plugin, "notify", None)
        if notify is None or not notify(body=text, title="Spelunke"):
            raise Undelivered(f"{name} could not be reached, or did not accept the message")
