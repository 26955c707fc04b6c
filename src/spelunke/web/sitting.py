"""The page of a table, and what is done there: moves, seats, the deeds beside playing."""

from __future__ import annotations

import hashlib
import secrets

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.game import Game
from spelunke.house.messages import Answer, Person
from spelunke.records.record import write_record
from spelunke.web.forms import need, need_number, read_form, read_orders
from spelunke.web.live import draw_all, look_for, respond, stream_parts, write_parts, write_push, write_since
from spelunke.web.names import invent
from spelunke.web.pages import picture_of, site_of
from spelunke.web.parts.table import Draft, draw_draft, draw_keys, draw_log_lines
from spelunke.web.refusal import Refusal
from spelunke.web.site import call, translator
from spelunke.web.words import translate as _


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks: then the stream shows what changed, and the answer is empty."""
    return "hx-request" in request.headers


def sprite_of(game: Game) -> Markup:
    """Drawings that the game's board refers to; they stand outside of all that is pushed."""
    return game.hooks.render_sprite()


async def show_table(request: Request) -> Response:
    """The page of a table, for its seats and for whoever watches."""
    return await _table_page(request, await site_of(request).guest(request))


async def _table_page(request: Request, me: Person | None, draft: Draft | None = None) -> Response:
    site = site_of(request)
    table = request.path_params["table"]
    look, game = await call(look_for, site, table, me.id if me else None, 0, draft)
    parts = await call(draw_all, site, look, game, lambda path: site.link(request, path), draft)
    return await site.page(
        request,
        "table.html",
        here=f"/t/{table}",
        me=me,
        look=look,
        parts=parts,
        log=draw_log_lines(look.log),
        sprite=sprite_of(game),
        keys=draw_keys(game, translator(game)),
        since=write_since(look),
    )


async def stream_table(request: Request) -> Response:
    """The live stream of a table's page."""
    site = site_of(request)
    table = request.path_params["table"]
    me = await site.guest(request)
    await call(site.house.version, table, me.id if me else None)
    return respond(stream_parts(site, request, table, me.id if me else None))


async def whose_turn(request: Request) -> Response:
    """Whether the asker is asked to move: for hidden tabs, which hold no stream."""
    site = site_of(request)
    me = await site.guest(request)
    look, _game = await call(look_for, site, request.path_params["table"], me.id if me else None, 1 << 30)
    return JSONResponse(
        {"mine": bool(look.legal), "version": look.version}, headers={"cache-control": "no-store"}
    )


async def seated(request: Request) -> Person:
    """Who acts; a stranger is refused before the house is asked."""
    me = await site_of(request).guest(request)
    if me is None:
        raise Refusal(401, "unknown_person", _("You have no seat here: sit down at a table first."))
    return me


def back_to(request: Request, table: str | None = None) -> Response:
    """After a form: nothing for htmx (the stream shows it), the table's page for everybody else."""
    if table is None and wants_fragment(request):
        return Response(status_code=204, headers={"cache-control": "no-store"})
    return RedirectResponse(f"/t/{table or request.path_params['table']}", 303)


def settle(request: Request, answer: Answer) -> Response:
    """What the page is told about an action: the truth is on the stream, a stale one is said in words."""
    if answer.status == "stale":
        raise Refusal(
            409, "stale", _("The table has moved on since that page was drawn. Look again and choose anew.")
        )
    return back_to(request)


async def act(request: Request) -> Response:
    """A move from the board, or standing orders that the board's form holds as well; or what those would come to."""
    site = site_of(request)
    table = request.path_params["table"]
    form = await read_form(request)
    me = await seated(request)
    if "move" not in form and "draft" in form:
        return await _show_draft(request, me)
    if "move" not in form and "standing" in form:
        await call(site.house.set_standing, table, me.id, read_orders(form))
        return await _show_orders(request, me)
    if "move" not in form and "take_back" in form:
        ply, key = need_number(form, "ply"), need(form, "key")
        return settle(request, await call(site.house.take_back, table, me.id, ply, key))
    ply = need_number(form, "ply")
    move = need(form, "move")
    if move == "compose":
        move = await _compose(request, me)
    return settle(request, await call(site.house.act, table, me.id, move, ply, need(form, "key")))


async def _compose(request: Request, me: Person) -> str:
    """A move out of several fields (checked cards): the game puts its text together."""
    _look, game = await call(look_for, site_of(request), request.path_params["table"], me.id, 1 << 30)
    move = game.hooks.compose_move(await _all_fields(request))
    if move is None:
        raise Refusal(400, "field_wrong", _("The field {name} is a move.").format(name=repr("move")))
    return move


async def _all_fields(request: Request) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in (await request.form()).multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
    return fields


async def draft(request: Request) -> Response:
    """The board's form while it is filled in: like :func:`act`, but it can do nothing, and counts as reading."""
    return await _show_draft(request, await seated(request))


async def _show_draft(request: Request, me: Person) -> Response:
    """What the form would come to if it were sent, for whoever fills it in; nothing changes, and nobody is told."""
    fields = await _all_fields(request)
    if not wants_fragment(request):
        return await _table_page(request, me, fields)
    site = site_of(request)
    look, game = await call(look_for, site, request.path_params["table"], me.id, 1 << 30, fields)
    parts = await call(draw_draft, look, game, translator(game), fields)
    return HTMLResponse(str(write_parts(parts)), headers={"cache-control": "no-store"})


async def _show_orders(request: Request, me: Person) -> Response:
    """The own board with what was kept: nobody else is told anything, so nothing comes by the stream."""
    if not wants_fragment(request):
        return back_to(request)
    site = site_of(request)
    look, game = await call(look_for, site, request.path_params["table"], me.id, 1 << 30)
    parts = await call(draw_all, site, look, game, lambda path: site.link(request, path))
    push = write_push({"board": parts["board"]}, look, 0)
    return HTMLResponse(str(push), headers={"cache-control": "no-store"})


async def take_back(request: Request) -> Response:
    """Take the own sealed choice back."""
    site = site_of(request)
    form = await read_form(request)
    me = await seated(request)
    ply, key = need_number(form, "ply"), need(form, "key")
    return settle(request, await call(site.house.take_back, request.path_params["table"], me.id, ply, key))


async def join_table(request: Request) -> Response:
    """Sit down at an open seat."""
    site = site_of(request)
    table = request.path_params["table"]
    await read_form(request)
    me = await site.welcome(request)
    await call(site.house.join, table, me.id)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


async def show_invitation(request: Request) -> Response:
    """What an invited friend sees first."""
    site = site_of(request)
    table = request.path_params["table"]
    me = await site.guest(request)
    look, game = await call(look_for, site, table, me.id if me else None)
    if look.seat is not None:
        return RedirectResponse(f"/t/{table}", 303)
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
        name=me.name if me else invent(),
    )


async def accept_invitation(request: Request) -> Response:
    """Sit down by the link, under a name of one's own."""
    site = site_of(request)
    table, invite = request.path_params["table"], request.path_params["invite"]
    form = await read_form(request)
    await call(site.house.version, table)
    name = form.get("name", "").strip()
    me = await site.welcome(request, name)
    if name and me.name != name:
        me = await call(site.house.rename, me.id, name)
    await call(site.house.join, table, me.id, invite=invite)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


async def do(request: Request) -> Response:
    """Everything else that a button at the table does, by the last word of its address."""
    site = site_of(request)
    house = site.house
    table, deed = request.path_params["table"], request.path_params["deed"]
    form = await read_form(request)
    if deed == "chat":
        me = await site.welcome(request)
        await call(house.say, table, me.id, need(form, "text"))
        response = back_to(request)
        site.remember(request, response, me)
        return response
    me = await seated(request)
    if deed == "nonce":
        await call(house.add_nonce, table, me.id, need(form, "nonce"))
    elif deed == "start":
        await call(house.start, table, me.id)
    elif deed == "fill":
        await call(house.fill, table, me.id, form.get("level") or None)
    elif deed == "leave":
        await call(house.leave, table, me.id)
        return RedirectResponse("/", 303)
    elif deed == "resign":
        await call(house.resign, table, me.id, own_key("resign", me))
    elif deed == "draw":
        answer = need(form, "answer")
        if answer == "accept":
            await call(house.accept_draw, table, me.id, f"accept-{secrets.token_hex(8)}")
        elif answer == "offer":
            await call(house.offer_draw, table, me.id)
        elif answer == "decline":
            await call(house.decline_draw, table, me.id)
        else:
            raise Refusal(400, "field_wrong", _("Choose offer, accept or decline."))
    elif deed == "rematch":
        return back_to(request, await call(house.rematch, table, me.id))
    elif deed == "stand-in":
        await call(house.stand_in, table, me.id, form.get("level") or None)
    elif deed == "come-back":
        await call(house.come_back, table, me.id)
    else:
        raise Refusal(404, "not_found", _("There is no such thing to do at a table."))
    return back_to(request)


def own_key(deed: str, me: Person) -> str:
    """The key of what a person can do once at a table; it doesn't give the person's id away."""
    return f"{deed}-{hashlib.sha256(me.id.encode()).hexdigest()[:24]}"


async def show_record(request: Request) -> Response:
    """The whole game as a file, when it is over."""
    site = site_of(request)
    record = await call(site.house.record, request.path_params["table"])
    body = write_record(record)
    name = f"{request.path_params['table']}.json"
    return Response(
        body,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


ROUTES = [
    Route("/j/{table}/{invite}", show_invitation, methods=["GET"]),
    Route("/j/{table}/{invite}", accept_invitation, methods=["POST"]),
    Route("/t/{table}", show_table),
    Route("/t/{table}/stream", stream_table),
    Route("/t/{table}/turn", whose_turn),
    Route("/t/{table}/record.json", show_record),
    Route("/t/{table}/act", act, methods=["POST"]),
    Route("/t/{table}/draft", draft, methods=["POST"]),
    Route("/t/{table}/take-back", take_back, methods=["POST"]),
    Route("/t/{table}/join", join_table, methods=["POST"]),
    Route("/t/{table}/{deed}", do, methods=["POST"]),
]
