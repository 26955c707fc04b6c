"""The cookies that say who comes: a guest's, signed and kept by the browser alone, and the token of a device.

Over TLS their names begin with `__Host-`, which browsers take from this very house alone, for all of its paths. Over
plain http, as on one's own machine, there is no such name. Why it is made like this: docs/why/members.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from spelunke.house.people import IDLE_MS

GUEST = "guest"
DEVICE = "device"
KEPT = 400 * 24 * 3600
"""Seconds that a guest's cookie lives: the longest that browsers allow."""
DEVICE_KEPT = IDLE_MS // 1000
RENEWED = "renewed token"
"""Where a request notes that its answer brings another token of its device."""


def _is_secure(scheme: str) -> bool:
    return scheme == "https"


def name_cookie(cookie: str, scheme: str) -> str:
    """The cookie's name on such a connection."""
    return f"__Host-{cookie}" if _is_secure(scheme) else cookie


def read_cookie(request: Request, cookie: str) -> str:
    """Return what the browser shows, or nothing; see `find_cookie`."""
    return find_cookie(request.cookies, cookie, request.scope["scheme"])


def find_cookie(cookies: Mapping[str, str], cookie: str, scheme: str) -> str:
    """Return a cookie's value, or nothing. A guest's may have the plain name that it was given before."""
    shown = cookies.get(name_cookie(cookie, scheme))
    return shown or (cookies.get(GUEST, "") if cookie == GUEST else "")


def give_cookie(request: Request, response: Response, cookie: str, value: str) -> None:
    """Put a cookie on a response."""
    response.set_cookie(
        name_cookie(cookie, request.url.scheme),
        value,
        max_age=KEPT if cookie == GUEST else DEVICE_KEPT,
        httponly=True,
        samesite="lax",
        secure=_is_secure(request.url.scheme),
    )


def take_cookie(request: Request, response: Response, cookie: str) -> None:
    """Let the browser forget a cookie, under both of its names."""
    scheme = request.url.scheme
    for name in {name_cookie(cookie, scheme), cookie}:
        response.delete_cookie(name, httponly=True, samesite="lax", secure=_is_secure(scheme))


def renew(scope: Scope, headers: MutableHeaders) -> None:
    """Give the browser its device's next token with whatever answer this is, unless the answer brings one itself."""
    token = scope.get(RENEWED)
    if token is None:
        return
    name = name_cookie(DEVICE, scope["scheme"])
    if any(given.startswith(f"{name}=") for given in headers.getlist("set-cookie")):
        return
    secure = "; Secure" if _is_secure(scope["scheme"]) else ""
    headers.append(
        "set-cookie",
        f"{name}={token}; HttpOnly; Max-Age={DEVICE_KEPT}; Path=/; SameSite=lax{secure}",
    )
    headers["cache-control"] = "no-store"
