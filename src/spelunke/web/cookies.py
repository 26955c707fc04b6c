"""The cookies that identify people: the signed cookie of a guest, and the token of a member's device.

Over TLS, the names of these two cookies begin with `__Host-`. Browsers accept such a cookie only from the host itself,
and only with the path `/`. Over plain HTTP, for example on your own machine, the names have no prefix. If several
players share a device, a third cookie (`HAND`) says whose hand of cards the device shows. For the reasons, see
docs/why/members.md.
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
HAND = "hand"
"""The cookie for a table at which several people share a device. It contains the value of `house.play.Hand.open` for
the seat whose hand is shown, or `-` if no hand is shown. `LED` follows the value until the page has loaded.

Browsers send it only with requests for this table's pages. It gives no rights without the cookie of the device's
owner.
"""
LED = "+"
"""The end of the cookie `HAND` while the server leads the device to the page of the open hand. If a page is requested
without it, the device returns to the table, and perhaps somebody else holds it now."""
KEPT = 400 * 24 * 3600
"""The lifetime in seconds of the cookies for guests, hands and choices: the maximum that browsers allow."""
DEVICE_KEPT = IDLE_MS // 1000
RENEWED = "renewed token"
"""The key in the ASGI scope for a renewed token that the response must set."""


def _is_secure(scheme: str) -> bool:
    return scheme == "https"


def name_cookie(cookie: str, scheme: str) -> str:
    """Return the full name of a cookie: over TLS, with the prefix `__Host-`."""
    return f"__Host-{cookie}" if _is_secure(scheme) else cookie


def read_cookie(request: Request, cookie: str) -> str:
    """Return the value of a cookie, or an empty text if the browser did not send it. See `find_cookie`."""
    return find_cookie(request.cookies, cookie, request.scope["scheme"])


def find_cookie(cookies: Mapping[str, str], cookie: str, scheme: str) -> str:
    """Return a cookie's value, or an empty text if the cookie is missing.

    A guest's cookie may have an old name without the prefix `__Host-`, so try this name too.
    """
    shown = cookies.get(name_cookie(cookie, scheme))
    return shown or (cookies.get(GUEST, "") if cookie == GUEST else "")


def give_cookie(request: Request, response: Response, cookie: str, value: str) -> None:
    """Set a cookie on a response."""
    response.set_cookie(
        name_cookie(cookie, request.url.scheme),
        value,
        max_age=KEPT if cookie == GUEST else DEVICE_KEPT,
        httponly=True,
        samesite="lax",
        secure=_is_secure(request.url.scheme),
    )


def read_hand(cookies: Mapping[str, str]) -> str:
    """Return the value of the cookie `HAND`, without the mark `LED` that it may have at its end."""
    return cookies[HAND].removesuffix(LED)


def give_hand(request: Request, response: Response, table: str, shown: str, *, led: bool = False) -> None:
    """Set the cookie of a device that several players of a table share. The cookie says which hand is shown.

    `shown` is the value of `house.play.Hand.open`, or `-` if all hands are hidden. If `led`, the cookie gets the mark
    `LED`. With this mark, the next request for the table's page shows the open hand. Without it, the request closes
    the hand.
    """
    response.set_cookie(
        HAND,
        f"{shown}{LED}" if led else shown,
        max_age=KEPT,
        path=f"/t/{table}",
        httponly=True,
        samesite="lax",
        secure=_is_secure(request.url.scheme),
    )


def take_cookie(request: Request, response: Response, cookie: str) -> None:
    """Delete a cookie, under its full name (see `name_cookie`) and under its name without the prefix `__Host-`."""
    scheme = request.url.scheme
    for name in {name_cookie(cookie, scheme), cookie}:
        response.delete_cookie(name, httponly=True, samesite="lax", secure=_is_secure(scheme))


def renew(scope: Scope, headers: MutableHeaders) -> None:
    """Add the cookie with the device's renewed token to a response, and forbid caches to store the response.

    If no token was renewed, or if the response sets this cookie already, do nothing.
    """
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
