"""Who is the host of the house: alone allowed to read counters and what is wrong in detail.

Why it is made like this: docs/why/counters.md.
"""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from starlette.requests import Request

from spelunke.core.ui import plain
from spelunke.web.settings import Settings

FOR_THE_HOST = plain(
    "This is for the host of the house: send its metrics token, or ask on the machine itself."
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
    return _is_loopback(request.client.host) and _is_loopback(_host_of(request))


def _host_of(request: Request) -> str:
    """The host that was asked for, as it was sent; empty when that can't be read."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
