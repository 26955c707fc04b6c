"""The API's handlers for sign-up, login and devices.

The API makes no recovery codes, because a person must see and note them: only the site's pages make them.
"""

from __future__ import annotations

from starlette.requests import Request

from spelunke.house.people import keys_of
from spelunke.web import shapes
from spelunke.web.api import asker
from spelunke.web.entering import count_try
from spelunke.web.pages import site_of
from spelunke.web.threads import call
from spelunke.web.words import translate as _


async def _me_of(request: Request, token: str) -> shapes.Me:
    house = site_of(request).house
    visit = await call(house.devices.find, token)
    assert visit is not None  # the login has just been made
    return shapes.Me((await call(house.people.find, visit.person)).name, token, member=True)


async def become_member(request: Request, body: shapes.MemberIn) -> shapes.Me:
    """POST /members. Sign up by name and password. Return the token of a new device."""
    site = site_of(request)
    await count_try(site, request)
    me = await site.guest(request)
    token = await call(
        site.house.members.become,
        me.id if me else None,
        body.name,
        label=_("A program"),
        password=body.password,
        invitation=body.invitation or "",
        kind="program",
    )
    return await _me_of(request, token)


async def log_in(request: Request, body: shapes.LogIn) -> shapes.Me:
    """POST /me/devices. Log in by name and password. Return the token of a new device."""
    site = site_of(request)
    await count_try(site, request, keys_of(body.name)[-1])
    token = await call(
        site.house.members.log_in, body.name, body.password, label=_("A program"), kind="program"
    )
    return await _me_of(request, token)


async def link_device(request: Request, body: shapes.LinkIn) -> shapes.Me:
    """POST /me/devices/link. Log in a terminal, by a code that the user made in the browser."""
    site = site_of(request)
    await count_try(site, request)
    token = await call(
        site.house.devices.come_by_link, body.code, body.label or _("Unknown device"), device="terminal"
    )
    visit = await call(site.house.devices.find, token)
    assert visit is not None  # the login has just been made
    me = await call(site.house.people.find, visit.person)
    return shapes.Me(me.name, token, member=me.member)


async def list_devices(request: Request, _body: None) -> shapes.Devices:
    """GET /me/devices. Return the person's devices."""
    site = site_of(request)
    me = await asker(request)
    visit = site.visit(request)
    return shapes.Devices(await call(site.house.devices.of, me.id, visit.device if visit else None))


async def end_device(request: Request, _body: None) -> shapes.Done:
    """POST /me/devices/{device}/end. Log out a device: its token stops working."""
    site = site_of(request)
    me = await asker(request)
    visit = site.visit(request)
    device = request.path_params["device"][:64]
    await call(site.house.devices.end, me.id, device, visit.device if visit else None)
    return shapes.Done()
