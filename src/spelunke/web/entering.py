"""Functions for logging in, shared by pages and API: rate limits, device labels, cookies, passkeys."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import re
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spelunke.core.letters import LETTERS
from spelunke.house.messages import Person
from spelunke.house.people import Place
from spelunke.house.refusals import NotNow
from spelunke.web.cookies import DEVICE, GUEST, KEPT, give_cookie, take_cookie
from spelunke.web.host import is_loopback
from spelunke.web.refusal import Refusal
from spelunke.web.security import LANGUAGE_COOKIE, network_of
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import LETTERS_COOKIE, languages
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
    """Return a label for the device, such as “Firefox, Linux”, made from the User-Agent header."""
    agent = request.headers.get("user-agent", "")[:400]
    browser = next((name for name, sign in BROWSERS if re.search(sign, agent)), "")
    system = next((name for name, sign in SYSTEMS if re.search(sign, agent)), "")
    if browser and system:
        return f"{browser}, {system}"
    return browser or system or _("Unknown device")


async def count_try(site: Site, request: Request, key: str | None = None) -> None:
    """Count a login attempt. Refuse the request after too many attempts.

    One limit is for the network of the client. If `key` is given (an account's name or e-mail address), another limit
    is for this key. Unknown names count too: otherwise the limit would reveal which names exist.
    """
    client = request.client.host if request.client else "unknown"
    allowed = await site.limits.allow("log-in", network_of(client))
    if allowed and key is not None:
        hashed = hashlib.sha256(key.encode(errors="replace")).hexdigest()
        allowed = await site.limits.allow("name", hashed)
    _require(allowed)


async def count_guess(site: Site, person: str, device: str) -> None:
    """Count a password attempt on a device that is logged in as this member. Refuse it after too many attempts.

    Two limits apply: for this device, and for all devices of the member. Attempts to log in count separately
    (`count_try`), so a stranger can't exhaust these limits.
    """
    allowed = await site.limits.allow("device", device)
    _require(allowed and await site.limits.allow("devices", person))


def _require(allowed: bool) -> None:
    if not allowed:
        raise Refusal(
            429,
            "too_many_tries",
            _("Too many attempts. Wait an hour, or try a passkey."),
        )


def place_of(site: Site, request: Request) -> Place | None:
    """Return the site for which passkeys are valid.

    Browsers support no passkeys on a bare IP address, or with plain http on a host other than localhost. For such a
    site, return None.
    """
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
    """Return the site for which passkeys are valid. Refuse the request if passkeys can't be used."""
    place = place_of(site, request)
    if place is None:
        raise Refusal(
            409,
            "no_passkeys_here",
            _("Passkeys need https and a host name. Use a password here."),
        )
    return place


def is_open_wire(request: Request) -> bool:
    """Return whether others on the network can read the connection: plain http to another machine."""
    return request.url.scheme != "https" and not is_loopback(request.url.hostname or "")


async def let_in(site: Site, request: Request, token: str, path: str) -> Response:
    """Return a redirect to `path`. The response also sets the cookie that logs the new device in."""
    response = RedirectResponse(path, 303)
    await remember_device(site, request, response, token)
    return response


async def remember_device(site: Site, request: Request, response: Response, token: str) -> None:
    """Add the cookie with a new login's token to a response, and end the login that the browser had before.

    Also copy the person's choices to the browser (`_bring_choices`). If another person used the site in this browser
    before, record that both people have used the same browser. The hosts can see this.
    """
    before = await site.guest(request)
    await end_current(site, request)
    give_cookie(request, response, DEVICE, token)
    visit = await call(site.house.devices.find, token)
    if visit is not None and before is not None:
        await call(site.house.ties.note_device, before.id, visit.person)
    if visit is not None:
        await _bring_choices(site, request, response, visit.person)


async def _bring_choices(site: Site, request: Request, response: Response, person: str) -> None:
    """Copy two of the person's choices to the browser: the language, and the letters on cards (see `core.letters`).

    If the browser already has a language, keep this language. If it already has letters, keep these letters.
    """
    channels = site.house.notifications.channels
    if LANGUAGE_COOKIE not in request.cookies:
        language = await call(channels.language_of, person)
        if language in languages():
            response.set_cookie(LANGUAGE_COOKIE, language, max_age=KEPT, samesite="lax")
    if LETTERS_COOKIE not in request.cookies:
        letters = await call(channels.letters_of, person)
        if letters is not None and letters in LETTERS:
            response.set_cookie(LETTERS_COOKIE, letters, max_age=KEPT, samesite="lax")


async def end_current(site: Site, request: Request) -> None:
    """Log out the device that sent the request, if it is a browser."""
    me = await site.guest(request)
    visit = site.visit(request)
    if me is not None and visit is not None and visit.kind == "browser":
        with contextlib.suppress(NotNow):
            await call(site.house.devices.end, me.id, visit.device, visit.device)


def forget_device(request: Request, response: Response) -> None:
    """Delete the device's cookie."""
    take_cookie(request, response, DEVICE)


def forget_guest(request: Request, response: Response) -> None:
    """Delete the guest's cookie."""
    take_cookie(request, response, GUEST)


async def need_person(site: Site, request: Request) -> Person:
    """Return the guest or member who sent the request. Refuse everybody else."""
    me = await site.guest(request)
    if me is None:
        raise Refusal(
            401,
            "unknown_person",
            _("You aren't logged in. Log in, or play a game as a guest if this site accepts guests."),
        )
    return me


async def need_member(site: Site, request: Request, *, proven: bool = False) -> tuple[Person, str]:
    """Return the member who sent the request, and their device. Refuse everybody else.

    If `proven`, also refuse a member who has not recently confirmed their identity.
    """
    me = await need_person(site, request)
    visit = site.visit(request)
    if not me.member or visit is None:
        raise Refusal(
            403,
            "not_a_member",
            _("Only members can do that. Your account page says how to become one."),
        )
    if proven:
        site.house.devices.require_proof(visit)
    return me, visit.device
