"""The JSON endpoints for passkeys, which the page's script calls. `house.people.passkeys` checks the data.

An answer has options for the browser, or the address of the next page (`to`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spelunke.house.people import check_name
from spelunke.web.endpoints import read_body
from spelunke.web.entering import (
    count_try,
    forget_guest,
    label_of,
    need_member,
    need_place,
    remember_device,
)
from spelunke.web.pages import local, site_of
from spelunke.web.threads import call

ACCOUNT = "/me/account"


class Wish(msgspec.Struct, frozen=True):
    """The body of a request for a new passkey. A person who signs up gives their name."""

    name: str = ""


class Made(msgspec.Struct, frozen=True):
    """A new passkey as the browser sends it. A person who signs up also gives a name, and perhaps a code.

    If ``as`` is ``host``, ``code`` is the code with which a person becomes a host. Otherwise it is the code of an
    invitation.
    """

    key: msgspec.Raw
    name: str = ""
    code: str = ""
    as_: str = msgspec.field(name="as", default="")


class Shown(msgspec.Struct, frozen=True):
    """A passkey's signature as the browser sends it, and the page to return to."""

    key: msgspec.Raw
    back: str = ""


def _told(body: bytes | str) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _go(path: str) -> JSONResponse:
    return JSONResponse({"to": path}, headers={"cache-control": "no-store"})


async def ask_new(request: Request) -> Response:
    """Send the options with which the browser can make a passkey for a member, or for a person who signs up."""
    site = site_of(request)
    wish = await read_body(request, Wish)
    place = need_place(site, request)
    me = await site.guest(request)
    if me is not None and me.member:
        await need_member(site, request, proven=True)
        name = me.name
    else:
        await count_try(site, request)
        name = check_name(wish.name)
        await call(site.house.members.check_free, name)
    keys = site.house.members.passkeys
    return _told(await call(keys.ask_new, place, me.id if me else None, name))


async def become(request: Request) -> Response:
    """Sign up with a passkey instead of a password."""
    site = site_of(request)
    made = await read_body(request, Made)
    place = need_place(site, request)
    await count_try(site, request)
    me = await site.guest(request)
    members, label = site.house.members, label_of(request)
    person = me.id if me else None
    key = await call(members.passkeys.read_new, place, person, bytes(made.key).decode(), label)
    as_host = made.as_ == "host"
    token = await call(
        members.become,
        person,
        made.name,
        label=label,
        key=key,
        invitation="" if as_host else made.code,
        host_code=made.code if as_host else "",
    )
    response = _go("/house" if as_host else f"{ACCOUNT}?new=1")
    await remember_device(site, request, response, token)
    forget_guest(request, response)
    return response


async def add(request: Request) -> Response:
    """Add a passkey to a member."""
    site = site_of(request)
    made = await read_body(request, Made)
    place = need_place(site, request)
    me, device = await need_member(site, request, proven=True)
    keys = site.house.members.passkeys
    key = await call(keys.read_new, place, me.id, bytes(made.key).decode(), label_of(request))
    await call(keys.add, me.id, key, device)
    return _go(ACCOUNT)


async def ask_log_in(request: Request) -> Response:
    """Send the options with which the browser asks for a passkey, at a login or to confirm a member's identity."""
    site = site_of(request)
    place = need_place(site, request)
    await count_try(site, request)
    return _told(await call(site.house.members.passkeys.ask_log_in, place))


async def log_in(request: Request) -> Response:
    """Log in with a passkey."""
    site = site_of(request)
    given = await read_body(request, Shown)
    place = need_place(site, request)
    members = site.house.members
    shown = await call(members.passkeys.read_log_in, place, bytes(given.key).decode())
    token = await call(members.log_in_by_key, shown, label=label_of(request))
    response = _go(local(given.back, "/me"))
    await remember_device(site, request, response, token)
    return response


async def confirm(request: Request) -> Response:
    """Check the passkey with which a member confirms their identity."""
    site = site_of(request)
    given = await read_body(request, Shown)
    place = need_place(site, request)
    me, device = await need_member(site, request)
    members = site.house.members
    shown = await call(members.passkeys.read_log_in, place, bytes(given.key).decode())
    await call(members.prove_by_key, me.id, device, shown)
    return _go(local(given.back, ACCOUNT))


Handler = Callable[[Request], Awaitable[Response]]
PATHS: dict[str, Handler] = {
    "/passkeys/options": ask_new,
    "/passkeys/member": become,
    "/passkeys/log-in/options": ask_log_in,
    "/passkeys/log-in": log_in,
    "/me/passkeys": add,
    "/me/confirm/passkey": confirm,
}
ROUTES = [Route(path, handler, methods=["POST"]) for path, handler in PATHS.items()]
