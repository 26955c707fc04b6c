"""The coach on the page of a table: immediate advice, and advice that takes longer."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spelunke.core.errors import SpelunkeError
from spelunke.house.refusals import NotYet
from spelunke.web.forms import read_form
from spelunke.web.live import look_for
from spelunke.web.pages import site_of
from spelunke.web.parts.coach import render_advice, render_silence, render_thinking
from spelunke.web.refusal import write_sentence
from spelunke.web.renderings import write_parts
from spelunke.web.table_pages import go_to, require_guest, table_page, wants_fragment
from spelunke.web.threads import call
from spelunke.web.words import translator

SOON_S = 0.7
"""The time in seconds that a page waits for advice before it shows that it takes longer."""
LONG_S = 20.0
"""The same for a page without scripts, where the person has to ask again."""
NOT_KEPT = {"cache-control": "no-store"}


async def ask_coach(request: Request) -> Response:
    """Send the values of each move to the coach's panel, or show the page with them."""
    await read_form(request)
    me = await require_guest(request)
    site, table = site_of(request), request.path_params["table"]
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    patience = SOON_S if wants_fragment(request) else LONG_S
    advise = partial(site.house.coach.advise, table, me.id, translate=translator(game), patience=patience)
    try:
        told = render_advice(look, await call(advise))
    except NotYet:
        told = render_thinking(look)
    if not wants_fragment(request):
        return await table_page(request, me, told=told)
    return HTMLResponse(str(write_parts({"coach-told": told})), headers=NOT_KEPT)


async def ask_again(request: Request) -> Response:
    """Send advice to a waiting panel: nothing until it is there, or the reason if it never comes."""
    site, table = site_of(request), request.path_params["table"]
    if not wants_fragment(request):
        return go_to(table)
    me = await require_guest(request)
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    advise = partial(site.house.coach.advise, table, me.id, translate=translator(game), patience=0.0)
    try:
        told = render_advice(look, await call(advise))
    except NotYet:
        return Response(status_code=204, headers=NOT_KEPT)
    except SpelunkeError as error:
        told = render_silence(write_sentence(str(error)))
    return HTMLResponse(str(write_parts({"coach-told": told})), headers=NOT_KEPT)


def routes() -> list[Route]:
    """Return the coach's routes."""
    return [
        Route("/t/{table}/hint", ask_coach, methods=["POST"]),
        Route("/t/{table}/hint", ask_again, methods=["GET"]),
    ]
