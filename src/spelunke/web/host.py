"""Recognize the operator of the server, and find this machine's address in the local network.

Only the operator may read metrics and the details of health checks. For the reasons, see docs/why/counters.md.
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
    "Only the operator of the server may read this: send the metrics token, or send the "
    "request from the server's own machine."
)
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "cf-connecting-ip")
"""Headers that proxies and tunnels set. Through a proxy on this machine, each request seems to come from here."""


def is_host(request: Request, settings: Settings) -> bool:
    """Return whether the request comes from the operator.

    If a token is set, the request must contain the token. Otherwise the request must come from this machine, without
    a proxy's header (`FORWARDED`), and its Host header must name this machine too. Without the check of the Host
    header, a hostile site could point its own domain at this machine, and make a browser here send requests to this
    server.
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
    """Return whether the host name in the request is a loopback name, such as localhost."""
    return is_loopback(_host_of(request))


def find_network_address() -> str | None:
    """Return this machine's IPv4 address in the local network, or None if it has none. This sends no data."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: the system only chooses a route
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if is_loopback(found) or found == "0.0.0.0" else found  # noqa: S104


def _host_of(request: Request) -> str:
    """Return the requested host, or an empty text if it can't be parsed."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is localhost or another loopback address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
