"""What the hosts of a house have: its members, invitations, and who may come in."""

from __future__ import annotations

from typing import get_args, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.house.members import Doors
from spelunke.house.messages import Person
from spelunke.web.entering import need_member
from spelunke.web.forms import need, read_form
from spelunke.web.pages import site_of
from spelunke.web.parts.games import render_day
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _


async def _need_host(request: Request) -> Person:
    """The host who asks; who wants to change something has shown lately who it is."""
    site = site_of(request)
    me, _device = await need_member(site, request, proven=request.method == "POST")
    await call(site.house.members.require_host, me.id)
    return me


async def show_house(request: Request) -> Response:
    """Members, invitations, doors."""
    return await _house_page(request, await _need_host(request))


async def _house_page(request: Request, me: Person, invitation: str = "") -> Response:
    site = site_of(request)
    members = site.house.members
    return await site.page(
        request,
        "house.html",
        me=me,
        here="/house",
        members=await call(members.all),
        doors=await call(members.doors),
        invitation=invitation,
        day=render_day,
    )


async def invite(request: Request) -> Response:
    """A link that makes one person a member, shown this once."""
    site = site_of(request)
    me = await _need_host(request)
    code = await call(site.house.members.codes.make, "invitation")
    return await _house_page(request, me, site.link(request, f"/invited/{code}"))


async def set_doors(request: Request) -> Response:
    """Settle who may come in."""
    site = site_of(request)
    form = await read_form(request)
    await _need_host(request)
    hints = get_type_hints(Doors)
    given = {name: need(form, name) for name in hints}
    if any(value not in get_args(hints[name]) for name, value in given.items()):
        raise Refusal(400, "field_wrong", _("A door is open, closed or by invitation."))
    await call(
        site.house.members.set_doors,
        Doors(
            guests="closed" if given["guests"] == "closed" else "open",
            members="invited" if given["members"] == "invited" else "open",
        ),
    )
    return RedirectResponse("/house", 303)


async def set_host(request: Request) -> Response:
    """Make a member host, or take that back."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    await call(
        site.house.members.set_host, request.path_params["member"][:64], host=need(form, "host") == "yes"
    )
    still = await call(site.house.members.of, me.id)
    return RedirectResponse("/house" if still is not None and still.host else "/me/account", 303)


ROUTES = [
    Route("/house", show_house),
    Route("/house/invitations", invite, methods=["POST"]),
    Route("/house/doors", set_doors, methods=["POST"]),
    Route("/house/members/{member}/host", set_host, methods=["POST"]),
]
