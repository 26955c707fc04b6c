"""The tip for a player after a game, and the buttons to become friends.

The page starts an analysis of the game, and shows the tip when the analysis is done.
"""

from __future__ import annotations

import contextlib

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.house.refusals import BadPlan, NotSeated, TooFast
from spelunke.house.study import Teller
from spelunke.web.forms import read_form
from spelunke.web.live import look_for
from spelunke.web.pages import site_of
from spelunke.web.parts.ending import render_others
from spelunke.web.parts.tip import find_tip, render_no_error, render_no_tip, render_tip, render_tip_later
from spelunke.web.renderings import write_parts
from spelunke.web.site import Site
from spelunke.web.table_pages import go_to, require_guest, wants_fragment
from spelunke.web.threads import call
from spelunke.web.words import translator

FEW = 3
"""The number of free decisions from which a player without errors is praised."""


async def ask_tip(request: Request) -> Response:
    """Start the analysis of a finished game, and send the player's tip or the progress.

    If the game can't be analysed, send an empty element. If scripts are off, redirect to the table. Refuse spectators.
    """
    await read_form(request)
    return await _tell(request, begin=True)


async def ask_tip_again(request: Request) -> Response:
    """Send the player's tip or the progress of the analysis, as `ask_tip` does, but start no analysis."""
    return await _tell(request, begin=False)


async def _tell(request: Request, *, begin: bool) -> Response:
    site, table = site_of(request), request.path_params["table"]
    me = await require_guest(request)
    if not wants_fragment(request):
        return go_to(table)
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    if look.seat is None:
        raise NotSeated("you have no seat at this table; you may watch")
    told = await call(_draw, site, look, game, look.seat, me.id, begin)
    return HTMLResponse(str(write_parts({"tip": told})), headers={"cache-control": "no-store"})


def _draw(site: Site, look: Look, game: Game, seat: int, person: str, begin: bool) -> Markup:
    """Draw the tip for a seat of a finished game, or the progress of the analysis. This call blocks.

    Raise NotNow while the game is running.
    """
    house = site.house
    if begin:
        with contextlib.suppress(
            BadPlan, TooFast
        ):  # nothing was played, or too many are waiting: then there is no tip
            house.analyses.begin(look.table, person)
    found = house.analyses.look(look.table, person)
    if found.status == "working":
        return render_tip_later(look.table, found.done, found.plies)
    if found.analysis is None:
        return render_no_tip()
    course = house.replays.course(look.table, person)
    own = [one for one in found.analysis.decisions if one.seat == seat and one.ply not in course.unchosen]
    if not own:  # bots or a lesson played the whole game for the player
        return render_no_tip()
    translate = translator(game)
    teller = Teller(course, translate)
    tip = find_tip(own, game, teller)
    gave_up = look.result is not None and look.result.quits and look.result.quits[seat] is not None
    if tip is None and (gave_up or sum(not one.forced for one in own) < FEW):
        return render_no_error()
    return render_tip(look.table, game, tip, teller, translate)


async def show_others(request: Request) -> Response:
    """Send the buttons that ask the other players of a finished game to become friends. Guests get no buttons.

    If scripts are off, redirect to the table.
    """
    site, table = site_of(request), request.path_params["table"]
    me = await require_guest(request)
    if not wants_fragment(request):
        return go_to(table)
    others = await call(site.house.ties.others_at, me.id, table) if me.member else ()
    told = render_others(table, others)
    return HTMLResponse(str(write_parts({"friends": told})), headers={"cache-control": "no-store"})


def routes() -> list[Route]:
    """Return the routes of the tip after a game, and of the buttons to become friends."""
    return [
        Route("/t/{table}/tip", ask_tip, methods=["POST"]),
        Route("/t/{table}/tip", ask_tip_again, methods=["GET"]),
        Route("/t/{table}/friends", show_others),
    ]
