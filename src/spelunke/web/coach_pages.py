"""Requests to the coach on the page of a table. Some advice comes at once, other advice takes seconds."""

from __future__ import annotations

from functools import partial

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.errors import SpelunkeError
from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.house.refusals import NotNow, NotYet, TooFast
from spelunke.house.study import FirstLook
from spelunke.web.forms import need, read_form
from spelunke.web.live import look_for
from spelunke.web.pages import local, site_of
from spelunke.web.parts.coach import (
    best_of,
    is_forced,
    render_advice,
    render_coach,
    render_forced,
    render_silence,
    render_thinking,
)
from spelunke.web.refusal import Refusal, write_refusal
from spelunke.web.renderings import write_parts
from spelunke.web.site import Site
from spelunke.web.table_pages import go_to, require_guest, table_page, wants_fragment
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

SOON_S = 0.5
"""The seconds for which a page waits for values. Then it shows a first look: advice without values."""
LONG_S = 20.0
"""The seconds for which a page without scripts waits for values, because it can't fetch them later."""
NOT_KEPT = {"cache-control": "no-store"}


async def ask_coach(request: Request) -> Response:
    """Send the coach's panel with the value of each move. If scripts are off, show the whole page with the panel.

    If the values are late, or the coach is busy, the panel contains a first look (advice without values) instead. If
    only one move is possible, the panel says so.

    Sometimes no advice is possible, for example because the page is outdated. Then send an empty response to a script.
    If scripts are off, raise NotNow instead.
    """
    await read_form(request)
    me = await require_guest(request)
    site, table = site_of(request), request.path_params["table"]
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    patience = SOON_S if wants_fragment(request) else LONG_S
    advise = partial(site.house.coach.advise, table, me.id, translate=translator(game), patience=patience)
    best = ""
    try:
        if is_forced(look):
            told = render_forced()
        else:
            advice = await call(advise)
            told, best = render_advice(look, advice), best_of(advice)
    except (NotYet, TooFast) as error:
        first = await _first_look(site, table, me.id, game)
        told = render_thinking(look, first, busy=isinstance(error, TooFast))
    except NotNow:
        if not wants_fragment(request):
            raise
        return Response(status_code=204, headers=NOT_KEPT)  # the page is a move behind
    if not wants_fragment(request):
        return await table_page(request, me, told=told, best=best)
    return _answer(look, told)


def _answer(look: Look, told: Markup) -> Response:
    """Return advice on the decision in `look`, for a script. A page that now shows another decision ignores it."""
    place = f'coach[data-ply="{look.ply}"] #coach-told'
    return HTMLResponse(str(write_parts({place: told})), headers=NOT_KEPT)


async def _first_look(site: Site, table: str, person: str, game: Game) -> FirstLook | None:
    """Return the coach's first look (advice without values), or None if the person can't get advice now."""
    glance = partial(site.house.coach.glance, table, person, translate=translator(game))
    try:
        return await call(glance)
    except SpelunkeError:
        return None


async def choose_coach(request: Request) -> Response:
    """Store whether the coach gives advice at each decision.

    Send the coach's panel to the script of a table's page, whose address has the table: the process of the table's
    streams must know the choice. If scripts are off, redirect back to the page that sent the form.
    """
    form = await read_form(request)
    site, chosen = site_of(request), need(form, "coach")
    if chosen not in ("on", "off"):
        raise Refusal(400, "field_wrong", _("Choose “on” or “off”."))
    me = await require_guest(request)
    choose = partial(site.house.people.choose_coach, me.id, coached=chosen == "on")
    if "table" not in request.path_params:
        await call(choose)
        return RedirectResponse(local(form.get("back", "/")), 303)
    look, _game = await call(look_for, site, request.path_params["table"], me.id, 1 << 30)
    await call(choose)
    panel = write_parts({"coach": render_coach(look, coached=chosen == "on")})
    return HTMLResponse(str(panel), headers=NOT_KEPT | {"spelunke-version": str(look.version)})


async def ask_again(request: Request) -> Response:
    """Send advice to a waiting panel.

    While the advice is computed, or the coach is busy, send nothing. If it can't be computed, send the reason. If
    scripts are off, redirect to the table.
    """
    site, table = site_of(request), request.path_params["table"]
    if not wants_fragment(request):
        return go_to(table)
    me = await require_guest(request)
    look, game = await call(look_for, site, table, me.id, 1 << 30)
    advise = partial(site.house.coach.advise, table, me.id, translate=translator(game), patience=0.0)
    try:
        told = render_advice(look, await call(advise))
    except (NotYet, TooFast):
        return Response(status_code=204, headers=NOT_KEPT)
    except SpelunkeError as error:
        told = render_silence(write_refusal(error))
    return _answer(look, told)


def routes() -> list[Route]:
    """Return the coach's routes."""
    return [
        Route("/t/{table}/hint", ask_coach, methods=["POST"]),
        Route("/t/{table}/hint", ask_again, methods=["GET"]),
        Route("/t/{table}/coach", choose_coach, methods=["POST"]),
        Route("/me/coach", choose_coach, methods=["POST"]),
    ]
