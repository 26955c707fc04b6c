"""The pages of invitation links, by which guests and members sit down at a table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.games.hooks import Hooks
from spelunke.house.people import check_name
from spelunke.house.store import run
from spelunke.web.forms import read_form
from spelunke.web.live import look_for
from spelunke.web.names import invent
from spelunke.web.pages import picture_of, site_of
from spelunke.web.table_pages import go_to
from spelunke.web.threads import call
from spelunke.web.words import translator


async def show_invitation(request: Request) -> Response:
    """Show the page of an invitation link, with a form to sit down. Mark the notifications about this table as read.

    If the person already has a seat at the table, redirect to the table instead.
    """
    site = site_of(request)
    table = request.path_params["table"]
    me = await site.guest(request)
    look, game = await call(look_for, site, table, me.id if me else None)
    if look.seat is not None:
        return go_to(table)
    if me is not None and await site.count_unread(me):
        await call(site.house.notifications.inbox.saw, me.id, table)
    host = next((seat.name for seat in look.seats if seat.host), look.title)
    free = look.status == "open" and any(seat.kind in ("open", "link") for seat in look.seats)
    return await site.page(
        request,
        "join.html",
        me=me,
        look=look,
        host=host,
        free=free,
        picture=picture_of(game),
        game=game,
        lesson=game.hooks.has(Hooks.lesson),
        tell=translator(game),
        name=me.name if me else invent(),
    )


async def accept_invitation(request: Request) -> Response:
    """Seat the person who opened an invitation link, under the name in the form.

    An unknown visitor becomes a guest. A member keeps the name of the account.
    """
    site = site_of(request)
    table, invite = request.path_params["table"], request.path_params["invite"]
    form = await read_form(request)
    await run(site.house.looks.version, table)
    name = form.get("name", "").strip()
    name = check_name(name) if name else ""
    me = await site.welcome(request, name)
    await call(site.house.lobby.join, table, me.id, invite=invite)
    # Rename last, so that a person whom the table refuses keeps the old name.
    if name and me.name != name and not me.member:
        me = await call(site.house.people.rename, me.id, name)
    response = go_to(table)
    site.remember(request, response, me)
    return response


ROUTES = [
    Route("/j/{table}/{invite}", show_invitation, methods=["GET"]),
    Route("/j/{table}/{invite}", accept_invitation, methods=["POST"]),
]
