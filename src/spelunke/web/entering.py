"""What the pages and the API of members share: how often one may try, where keys count, what a device is called."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import re
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spelunke.house.messages import Person
from spelunke.house.people import Place
from spelunke.house.refusals import NotNow
from spelunke.web.cookies import DEVICE, GUEST, give_cookie, take_cookie
from spelunke.web.host import is_loopback
from spelunke.web.refusal import Refusal
from spelunke.web.security import network_of
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import translate as _

BROWSERS = (
    ("Firefox", "Firefox/|FxiOS/"),
    ("Edge", "Edg(?:e|A|iOS)?/"),
    ("Opera", "OPR/"),
    ("Samsung Internet", "SamsungBrowser/"),
    ("Chrome", "Chrome/|CriOS/"),
    ("Safari", "Safari/"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac", "Mac OS X|Macintosh"),
    ("Linux", "Linux|X11"),
)


def label_of(request: Request) -> str:
    """What the asker's device is called in its owner's list, by what the browser says of itself."""
    agent = request.headers.get("user-agent", "")[:400]
    browser = next((name for name, sign in BROWSERS if re.search(sign, agent)), "")
    system = next((name for name, sign in SYSTEMS if re.search(sign, agent)), "")
    if browser and system:
        return f"{browser}, {system}"
    return browser or system or _("Some device")


async def count_try(site: Site, request: Request, key: str | None = None) -> None:
    """Count a try to come in, by network and by what is looked up; refused when there were too many.

    Names are counted whether they are known or not, so that nothing is told by it.
    """
    client = request.client.host if request.client else "unknown"
    allowed = await site.limits.allow("log-in", network_of(client))
    if allowed and key is not None:
        hashed = hashlib.sha256(key.encode(errors="replace")).hexdigest()
        allowed = await site.limits.allow("name", hashed)
    _require(allowed)


async def count_guess(site: Site, person: str, device: str) -> None:
    """Count a guess of a member's password on a device of that member, where strangers' guesses count nothing."""
    allowed = await site.limits.allow("device", device)
    _require(allowed and await site.limits.allow("devices", person))


def _require(allowed: bool) -> None:
    if not allowed:
        raise Refusal(
            429,
            "too_many_tries",
            _("Too many attempts. Wait an hour, or use a passkey or another device."),
        )


def place_of(site: Site, request: Request) -> Place | None:
    """Where passkeys count: the house's own name. None where browsers make none: plain http, or a bare number."""
    given = urlsplit(site.settings.base_url)
    asked = f"{request.url.scheme}://{request.url.netloc}"
    try:
        url = given if given.netloc else urlsplit(asked)
        name = url.hostname or ""
    except ValueError:
        return None
    try:
        ipaddress.ip_address(name)
    except ValueError:
        pass
    else:
        return None
    if not name or (url.scheme != "https" and not is_loopback(name)):
        return None
    return Place(name, (f"{url.scheme}://{url.netloc}",))


def need_place(site: Site, request: Request) -> Place:
    """The same, for who wants to use a passkey; refused where there is none."""
    place = place_of(site, request)
    if place is None:
        raise Refusal(
            409,
            "no_passkeys_here",
            _("Passkeys need an address with a name and https; take a password here."),
        )
    return place


def is_open_wire(request: Request) -> bool:
    """Whether others on the network can read along: plain http to another machine."""
    return request.url.scheme != "https" and not is_loopback(request.url.hostname or "")


async def let_in(site: Site, request: Request, token: str, path: str) -> Response:
    """To a page, with the token of a new device."""
    response = RedirectResponse(path, 303)
    await remember_device(site, request, response, token)
    return response


async def remember_device(site: Site, request: Request, response: Response, token: str) -> None:
    """Put a device's token on a response, and end the device that this browser was before."""
    await end_current(site, request)
    give_cookie(request, response, DEVICE, token)


async def end_current(site: Site, request: Request) -> None:
    """End the device that asks, if it is one."""
    me = await site.guest(request)
    visit = site.visit(request)
    if me is not None and visit is not None and visit.kind == "browser":
        with contextlib.suppress(NotNow):
            await call(site.house.devices.end, me.id, visit.device)


def forget_device(request: Request, response: Response) -> None:
    """Let the browser forget its device's token."""
    take_cookie(request, response, DEVICE)


def forget_guest(request: Request, response: Response) -> None:
    """Let the browser forget the guest that it was."""
    take_cookie(request, response, GUEST)


async def need_person(site: Site, request: Request) -> Person:
    """Who asks, a guest or a member; a stranger is refused."""
    me = await site.guest(request)
    if me is None:
        raise Refusal(401, "unknown_person", _("You have no account here yet. Log in, or just play a game."))
    return me


async def need_member(site: Site, request: Request, *, proven: bool = False) -> tuple[Person, str]:
    """The member who asks, and the device; refused for others. `proven`: it was shown lately who it is."""
    me = await need_person(site, request)
    visit = site.visit(request)
    if not me.member or visit is None:
        raise Refusal(
            403, "not_a_member", _("That is for members: become one first, on the page of your account.")
        )
    if proven:
        site.house.devices.require_proof(visit)
    return me, visit.device
