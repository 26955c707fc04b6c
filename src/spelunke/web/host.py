"""Who is the host of the house: alone allowed to read counters and what is wrong in detail.

Why it is made like this: docs/why/counters.md.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from starlette.requests import Request

from spelunke.core.words import plain
from spelunke.web.settings import Settings

FOR_THE_HOST = plain(
    "This is only for whoever runs the house: send its metrics token, or ask from the machine itself."
)
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "cf-connecting-ip")
"""Headers of proxies and tunnels: behind one of these every request seems to come from this machine."""


def is_host(request: Request, settings: Settings) -> bool:
    """Whether the request shows the host's token; where none is set, whether it was made on this machine itself.

    A browser on this machine may be led here by a page under a name of its own, so the name must be this machine's too.
    """
    if settings.metrics_token:
        shown = request.headers.get("authorization", "")
        return shown[:7].lower() == "bearer " and secrets.compare_digest(
            shown[7:].encode(), settings.metrics_token.encode()
        )
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return is_loopback(request.client.host) and is_loopback(_host_of(request))


def asked_here(request: Request) -> bool:
    """Whether the name that was asked for means this machine itself, to whoever asks."""
    return is_loopback(_host_of(request))


def find_network_address() -> str | None:
    """This machine's address in the local network, for links; None where it has none. Nothing is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of nobody: the system only chooses the way there
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if is_loopback(found) or found == "0.0.0.0" else found  # noqa: S104


def _host_of(request: Request) -> str:
    """The host that was asked for, as it was sent; empty when that can't be read."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
