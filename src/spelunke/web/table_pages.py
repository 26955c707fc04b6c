"""The page of a table, its live stream, and the forms of all operations at a table."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.inputs import StandingIn
from spelunke.house.messages import Answer, Look, Person
from spelunke.house.operation import Operation
from spelunke.house.operations import OPERATIONS
from spelunke.house.play import Hand
from spelunke.house.store import run
from spelunke.records.record import write_record
from spelunke.web.audience import hold_summary
from spelunke.web.cookies import HAND, LED, give_hand, read_hand
from spelunke.web.forms import read_fields, read_form, read_input, read_orders
from spelunke.web.live import look_for, page_asker_of, respond, stream_parts
from spelunke.web.occasions import find_occasion
from spelunke.web.pages import site_of
from spelunke.web.parts.buttons import OPEN_KEY
from spelunke.web.parts.coach import render_coach
from spelunke.web.parts.curtain import CURTAIN, GO_ON, render_curtain
from spelunke.web.parts.ending import is_at_one_device
from spelunke.web.parts.log import name_of, render_log_lines
from spelunke.web.parts.replay import WORST
from spelunke.web.parts.rules import render_card
from spelunke.web.parts.table import Draft, render_board, render_draft, render_keys, write_title
from spelunke.web.parts.teaching import render_tour
from spelunke.web.refusal import Refusal, write_refusal
from spelunke.web.renderings import Asker, Shown, render_all, since_of, write_parts, write_push, write_since
from spelunke.web.security import REFUSED
from spelunke.web.sheets import Sheets
from spelunke.web.site import HOST, Site
from spelunke.web.threads import call, do_at_table
from spelunke.web.words import LANGUAGE, translator
from spelunke.web.words import translate as _


def wants_fragment(request: Request) -> bool:
    """Return whether a script (htmx) sent the request. Then the response is a part of a page, or empty."""
    return "hx-request" in request.headers


def sprite_of(game: Game) -> Markup:
    """Return the SVG symbols that the game's board refers to. The page loads them once, outside the board."""
    return game.hooks.render_sprite()


async def show_table(request: Request) -> Response:
    """Show the page of a table, to players and to spectators.

    If the query contains `round=last`, show the summary of the last round. Otherwise, mark the person's notifications
    about the table as read. If the host opens the table on a shared device that has no cookie `HAND` yet, set this
    cookie, and redirect to the curtain (the page without any hand). Also redirect to the curtain if a person's hand was
    open when the device left the table, because now somebody else may hold the device.
    """
    site = site_of(request)
    me = await site.guest(request)
    opened = _shows_hand(request)
    led = request.cookies.get(HAND, "").endswith(LED)
    if opened and not led:
        return _close_hand(request)
    if request.query_params.get("round") == "last":
        if me is not None:
            await run(site.house.attendance.fetched, request.path_params["table"], me.id)
        return await table_page(request, me)
    table = request.path_params["table"]
    asker = await page_asker_of(site, request, table, _viewer(request, me))
    host = request.scope[HOST] if asker.recalls else None
    shown, log = await call(_draw_table, site, table, asker, host)
    if me is not None and await site.count_unread(me):
        await call(site.house.notifications.inbox.saw, me.id, table)
    if HAND not in request.cookies and any(seat.here for seat in shown.look.seats) and _is_host(shown.look):
        return _close_hand(request)  # from now on, this device is shared: first show the curtain
    page = await _write_page(request, me, shown.look, shown.parts, log)
    if led:
        give_hand(request, page, table, read_hand(request.cookies) if opened else CURTAIN)
    return page


def _shows_hand(request: Request) -> bool:
    """Return whether the device is shared, the game hides something, and a hand is open."""
    hand = Site.hand_of(request)
    return hand is not None and hand.curtained and hand.person is not None


def _close_hand(request: Request) -> Response:
    """Close the hand that a shared device shows, and redirect to the curtain (the page without any hand)."""
    table = request.path_params["table"]
    response = go_to(table)
    give_hand(request, response, table, CURTAIN)
    return response


def _viewer(request: Request, me: Person | None) -> str | None:
    """Return the id of the person whose view the page shows, or None for a spectator's view.

    While no hand of a shared device is open, the page shows a spectator's view.
    """
    hand = Site.hand_of(request)
    return None if me is None or (hand is not None and hand.person is None) else me.id


def _is_host(look: Look) -> bool:
    return look.seat is not None and look.seats[look.seat].host


async def show_hand(request: Request) -> Response:
    """Show the hand of one player at a shared device, or hide all hands."""
    form = await read_form(request)
    table = request.path_params["table"]
    if await site_of(request).guest(request) is None:
        await require_guest(request)
    hand = Site.hand_of(request)
    shown = form.get("seat", CURTAIN)
    if hand is None:
        raise Refusal(409, "not_now", _("Only one person plays on this device."))
    if shown == GO_ON:
        if hand.summary:
            await call(site_of(request).house.play.dismiss_summary, table, next(iter(hand.people.values())))
        shown = CURTAIN
    if shown != CURTAIN and shown not in map(str, hand.people):
        raise Refusal(400, "field_wrong", _("Choose somebody who plays on this device."))
    response = go_to(table)
    if shown != CURTAIN:
        if hand.summary:  # opening a hand dismisses the summary for everybody at the device
            await call(site_of(request).house.play.dismiss_summary, table, hand.people[int(shown)])
        shown = hand.open(shown)
    give_hand(request, response, table, shown, led=shown != CURTAIN)
    return response


def _draw_table(site: Site, table: str, asker: Asker, host: str | None) -> tuple[Shown, Markup]:
    """Return the rendered table with its whole log. This call blocks. For `host`, see `hold_summary`."""
    if asker.person is not None:
        site.house.attendance.fetched(table, asker.person)
    glance = site.house.attendance.glance(table, asker.person)
    shown = site.renderings.draw("page", table, asker, glance, 0)
    hold_summary(site.house, shown.look, asker.person, host)
    return shown, site.renderings.write_log(shown, asker)


async def table_page(
    request: Request,
    me: Person | None,
    draft: Draft | None = None,
    told: Markup | None = None,
    best: str = "",
    wrong: str = "",
) -> Response:
    """Return the page of a table.

    `draft` has the fields of the board's form for a preview, `told` is the coach's advice, `best` is the coach's best
    move, and `wrong` is the reason for which the form was refused. Each is shown only if it is given.

    If the query contains `round=last`, show the summary of the last round.
    """
    site = site_of(request)
    table = request.path_params["table"]
    recall = request.query_params.get("round") == "last"
    viewer = _viewer(request, me)
    asker = await page_asker_of(site, request, table, viewer)
    look, game = await call(look_for, site, table, viewer, 0, draft, recall=recall, decides=asker.decides)
    await call(hold_summary, site.house, look, viewer)
    parts = await call(
        render_all,
        look,
        game,
        LANGUAGE.get(),
        asker.address,
        draft,
        explains=asker.explains,
        coached=asker.coached,
    )
    if told is not None:
        parts["coach"] = render_coach(look, told, coached=asker.coached)
    if best:
        parts["board"] = render_board(look, game, translator(game), best=best)
    return await _write_page(request, me, look, parts, render_log_lines(look.log, name_of(look)), wrong)


async def _write_page(
    request: Request, me: Person | None, look: Look, parts: Mapping[str, Markup], log: Markup, wrong: str = ""
) -> Response:
    site, game = site_of(request), find_game(look.game)
    sheets = Sheets(request, site.statics, site.static, look.game)
    hand = site.hand_of(request)
    page = await site.page(
        request,
        "table.html",
        sheets=sheets.elements,
        share=site.share(
            request,
            f"{game.title}: {' – '.join(seat.name for seat in look.seats)}",
            f"/t/{look.table}/picture.png",
        ),
        here=f"/t/{look.table}",
        me=me,
        owner=next((seat.name for seat in look.seats if seat.host), "") if hand is not None else "",
        look=look,
        alone=is_at_one_device(look),
        parts=parts,
        log=log,
        wrong=wrong,
        status=400 if wrong else 200,
        sprite=sprite_of(game),
        keys=render_keys(game, translator(game)),
        card=render_card(game.card(LANGUAGE.get(), len(look.seats), look.options)),
        tour=render_tour(game, translator(game)),
        since=write_since(since_of(look)),
        title=write_title(look),
        beat_ms=round(site.settings.beat * 1000),
        curtain=render_curtain(look, hand),
        hand=hand.name if hand is not None else "",
        occasion=await call(find_occasion, site.house, look),
    )
    page.headers["content-security-policy"] = sheets.policy
    return page


async def stream_table(request: Request) -> Response:
    """Stream the changes of a table's page, as server-sent events."""
    site = site_of(request)
    table = request.path_params["table"]
    me = await site.guest(request)
    viewer = _viewer(request, me)
    await run(site.house.looks.version, table, viewer)
    return respond(stream_parts(site, request, table, viewer))


async def whose_turn(request: Request) -> Response:
    """Send as JSON whether the page asks for a move, whether somebody nudged the person, and the table's version.

    Pages in hidden tabs request this regularly, because they close their stream.
    """
    site, table = site_of(request), request.path_params["table"]
    me = await site.guest(request)
    if me is not None:
        await run(site.house.attendance.ping, table, me.id, near=False)
    look, _game = await call(look_for, site, table, _viewer(request, me), 1 << 30)
    mine = bool(look.legal) or ((hand := site.hand_of(request)) is not None and hand.decides is not None)
    told = {"mine": mine, "nudged": look.nudged_by is not None, "version": look.version}
    return JSONResponse(told, headers={"cache-control": "no-store"})


async def still_here(request: Request) -> Response:
    """Record that the person is still at the table. Pages request this regularly."""
    site = site_of(request)
    me = await site.guest(request)
    if me is not None:
        await run(site.house.attendance.ping, request.path_params["table"], me.id)
    return Response(status_code=204, headers={"cache-control": "no-store"})


async def show_record(request: Request) -> Response:
    """Send the record of a finished game as a file."""
    site = site_of(request)
    me = await site.guest(request)
    record = await call(site.house.replays.record, request.path_params["table"], me.id if me else None)
    body = write_record(record)
    name = f"{request.path_params['table']}.json"
    return Response(
        body,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


# --- operations at a table
# --------------------------------------------------------------------------------------


async def require_guest(request: Request) -> Person:
    """Return the guest or member who sent the request. Refuse unknown visitors.

    Also refuse a shared device on which no hand is open.
    """
    me = await site_of(request).guest(request)
    if me is None:
        raise Refusal(
            401,
            "unknown_person",
            _("You aren't logged in. Log in, or play a game as a guest if this site accepts guests."),
        )
    if _viewer(request, me) is None:
        raise Refusal(409, "not_now", _("The curtain hides all hands. Press “I am …: show my hand” first."))
    return me


def back_to_table(request: Request) -> Response:
    """Return an empty response if a script asks, else a redirect to the table.

    A script needs no content, because the stream shows the change.
    """
    if wants_fragment(request):
        return Response(status_code=204, headers={"cache-control": "no-store"})
    table = request.path_params["table"]
    response = go_to(table)
    if _shows_hand(request):
        give_hand(request, response, table, read_hand(request.cookies), led=True)
    return response


def lead(request: Request, path: str) -> Response:
    """Return a redirect to another page: a header for a script (htmx), else the status 303."""
    if wants_fragment(request):
        return Response(status_code=204, headers={"cache-control": "no-store", "hx-redirect": path})
    return RedirectResponse(path, 303)


def go_to(table: str) -> Response:
    """Return a redirect to the page of a table."""
    return RedirectResponse(f"/t/{table}", 303)


async def do(request: Request, operation: Operation) -> Response:
    """Run the operation that a form requests. Some operations make a guest of an unknown visitor."""
    form = await read_form(request)
    site = site_of(request)
    if operation.name == "undo" and form.get("key", "").startswith(OPEN_KEY):
        _hand, _seat, me = await _find_openly(request, form)
    else:
        me = await (site.welcome(request) if operation.welcomes else require_guest(request))
    response = await _do(request, operation, me, form)
    if operation.welcomes:
        site.remember(request, response, me)
    return response


async def _do(request: Request, operation: Operation, me: Person, form: Mapping[str, str]) -> Response:
    """Run the operation, and return the response. Refuse an action that was chosen from an outdated page."""
    own = {"key": own_key(operation.name, me)} if operation.once else {}
    given = read_input(operation.input, form, own) if operation.input else None
    table = request.path_params["table"]
    if operation.may_be_secret and not wants_fragment(request):
        site_of(request).house.attendance.hush(table, me.id)
    if REFUSED in request.scope:
        raise request.scope[REFUSED]
    done = await do_at_table(operation, site_of(request).house, table, me.id, given)
    if isinstance(done, Answer) and done.status == "stale":
        raise Refusal(
            409,
            "stale",
            _("The game has gone on since your page was loaded. Look at the table again, then choose."),
        )
    if operation.then == "front":
        return lead(request, "/")
    if operation.then == "table":
        return lead(request, f"/t/{done if isinstance(done, str) else table}")
    if operation.then == "replay":
        return lead(request, f"/t/{table}/replay?ply={WORST}")
    return back_to_table(request)


def own_key(operation: str, me: Person) -> str:
    """Return the key of an operation that a person can run only once at a table.

    The server recognizes repetitions by the key. The key doesn't reveal the person's id.
    """
    return f"{operation}-{hashlib.sha256(me.id.encode()).hexdigest()[:24]}"


async def refuse_operation(request: Request) -> Response:
    """Refuse an unknown operation."""
    await read_form(request)
    await require_guest(request)
    raise Refusal(404, "not_found", _("A table has no operation of that name."))


# --- the form around the board ----------------------------------------------------------------------------------


async def act(request: Request) -> Response:
    """Handle the form around the board: play a move, store standing orders, take a choice back, or show a preview.

    If standing orders are refused and scripts are off, show the table again with the orders as they were sent.
    """
    form = await read_form(request)
    if form.get("key", "").startswith(OPEN_KEY) and "move" in form:
        return await _act_openly(request, form)
    me = await require_guest(request)
    if "move" not in form and "draft" in form:
        return await _show_draft(request, me)
    if "move" not in form and "standing" in form:
        orders = StandingIn(orders=read_orders(form))
        house, table = site_of(request).house, request.path_params["table"]
        if not wants_fragment(request):
            house.attendance.hush(table, me.id)
        try:
            await call(OPERATIONS["standing"].do, house, table, me.id, orders)
        except BadInput as error:
            if wants_fragment(request):
                raise
            return await table_page(request, me, await _all_fields(request), wrong=write_refusal(error))
        return await _show_orders(request, me)
    if "move" not in form and "take_back" in form:
        return await _do(request, OPERATIONS["take-back"], me, form)
    if form.get("move") == "compose":
        form["move"] = await _compose(request, me)
    return await _do(request, OPERATIONS["act"], me, form)


async def _act_openly(request: Request, form: Mapping[str, str]) -> Response:
    """Play a move that a shared device sent without an open hand. The form names the seat of the person who plays it.

    Without an open hand, the page shows a spectator's view. So its form has a spectator's ply, which counts only the
    log rows that spectators notice. If this ply is current and the person is to decide, replace it by the person's ply.
    """
    site, table = site_of(request), request.path_params["table"]
    hand, seat, person = await _find_openly(request, form)
    form = {**form, "link": ""}  # a spectator's
    watched, _game = await call(look_for, site, table, None, 1 << 30)
    if hand.decider == seat and form.get("ply") == str(watched.ply):
        own, _game = await call(look_for, site, table, person.id, 1 << 30)
        form["ply"] = str(own.ply)
    return await _do(request, OPERATIONS["act"], person, form)


async def _find_openly(request: Request, form: Mapping[str, str]) -> tuple[Hand, int, Person]:
    """Return the state of a shared device, and the seat and the person that the key of this form names (`OPEN_KEY`).

    Refuse the form if the person does not play on this device.
    """
    site = site_of(request)
    await site.guest(request)
    hand = Site.hand_of(request)
    seat = form["key"].removeprefix(OPEN_KEY).partition("-")[0]
    people = {} if hand is None else {str(one): person for one, person in hand.people.items()}
    if hand is None or seat not in people:
        await require_guest(request)
        raise Refusal(409, "not_now", _("Only one person plays on this device."))
    return hand, int(seat), await call(site.house.people.find, people[seat])


async def _compose(request: Request, me: Person) -> str:
    """Return the move that the game makes from several fields of the form, such as selected cards."""
    _look, game = await call(look_for, site_of(request), request.path_params["table"], me.id, 1 << 30)
    move = game.hooks.compose_move(await _all_fields(request))
    if move is None:
        raise Refusal(400, "field_wrong", _("The field {name} must be a move.").format(name=repr("move")))
    return move


async def _all_fields(request: Request) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in await read_fields(request):
        fields.setdefault(name, []).append(value)
    return fields


async def draft(request: Request) -> Response:
    """Send a preview: the effect that the fields of the board's form would have.

    The table doesn't change, so rate limits count the request as a read.
    """
    return await _show_draft(request, await require_guest(request))


async def _show_draft(request: Request, me: Person) -> Response:
    """Return a preview: the effect that the form's fields would have. The table doesn't change."""
    fields = await _all_fields(request)
    if not wants_fragment(request):
        return await table_page(request, me, fields)
    site = site_of(request)
    look, game = await run(look_for, site, request.path_params["table"], me.id, 1 << 30, fields)
    parts = render_draft(look, game, translator(game), fields)
    return HTMLResponse(str(write_parts(parts)), headers={"cache-control": "no-store"})


async def _show_orders(request: Request, me: Person) -> Response:
    """Return the parts of the page that change when the person stores standing orders: `head`, `meanings` and `board`.

    The stream doesn't send these parts, because storing orders is no event at the table. But the orders may act at
    once. So the answer names its version of the table, and the page ignores it after a newer message of the stream. If
    scripts are off, redirect to the table instead.
    """
    if not wants_fragment(request):
        return back_to_table(request)
    site = site_of(request)
    table = request.path_params["table"]
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    asker = await page_asker_of(site, request, table, me.id)
    parts = await call(render_all, look, game, LANGUAGE.get(), asker.address, explains=asker.explains)
    push = write_push({name: parts[name] for name in ("head", "meanings", "board")}, look, 0, look.log)
    headers = {"cache-control": "no-store", "spelunke-version": str(look.version)}
    return HTMLResponse(str(push), headers=headers)


def _endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await do(request, operation)

    return endpoint


def often() -> list[Route]:
    """Return the most frequent routes, to be tried first. The router tries one route after the other."""
    return [
        Route("/t/{table}/act", act, methods=["POST"]),
        Route("/t/{table}", show_table),
        Route("/t/{table}/stream", stream_table),
        Route("/t/{table}/turn", whose_turn),
        Route("/t/{table}/here", still_here),
    ]


def routes() -> list[Route]:
    """Return the rarer routes of a table: operations, the record, previews, shared devices. `often` has the others."""
    return [
        Route("/t/{table}/record.json", show_record),
        Route("/t/{table}/draft", draft, methods=["POST"]),
        Route("/t/{table}/hand", show_hand, methods=["POST"]),
        *(
            Route(f"/t/{{table}}/{operation.name}", _endpoint(operation), methods=["POST"])
            for operation in OPERATIONS.values()
            if operation.page == "form"
        ),
        Route("/t/{table}/{operation}", refuse_operation, methods=["POST"]),
    ]
