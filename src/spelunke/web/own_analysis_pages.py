"""The analysis of a finished game on the reader's own device: the plan of its playouts, and their results.

The script ``own-analysis.js`` asks for the plan, runs the playouts in a worker (``judge.js``), and sends the results.
A process of the server makes the plan. From the results, it makes the analysis (``solvers/analyst.py``).
"""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.core.digits import is_number
from spelunke.games.game import Game
from spelunke.web.compressing import find_codings
from spelunke.web.pages import site_of
from spelunke.web.parts.begin_analysis import Device
from spelunke.web.refusal import Refusal
from spelunke.web.scripts import JUDGE
from spelunke.web.security import network_of
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import translate as _

KIND = "application/octet-stream"
LONGEST_NUMBER = 9


def device_of(site: Site, game: Game, table: str) -> Device | None:
    """Return the addresses that the reader's device needs to analyse this table's finished game.

    Return None if only the server can analyse this game.
    """
    module = f"{game.name}.wasm"
    if module not in site.statics or not site.house.own_analyses.offers(game):
        return None
    weights = f"{game.name}.weights"
    given = site.static(weights) if weights in site.statics else ""
    return Device(site.static(JUDGE), site.static(module), f"/t/{table}/playouts", given)


async def show_plan(request: Request) -> Response:
    """Send the plan of the playouts that the analysis of a finished game needs."""
    site = site_of(request)
    me = await site.guest(request)
    await _count(request, site)
    table = request.path_params["table"]
    plan = await call(site.house.own_analyses.plan, table, me.id if me else None)
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if "gzip" in find_codings(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
    else:
        plan = await call(gzip.decompress, plan)
    return Response(plan, media_type="application/json", headers=headers)


async def take_results(request: Request) -> Response:
    """Store a part of the playouts' results. After the last part, the reader's page shows the analysis.

    An unknown visitor becomes a guest.
    """
    site = site_of(request)
    if request.headers.get("content-type", "") != KIND:
        raise Refusal(415, "not_a_form", _("Send the request as a form."))
    at, size = (_read_number(request, name) for name in ("at", "size"))
    part = await request.body()
    if at + len(part) >= size:  # the server makes the analysis from all parts
        await _count(request, site)
    me = await site.welcome(request)
    await call(site.house.own_analyses.add, request.path_params["table"], me.id, at, size, part)
    response = Response(status_code=204, headers={"cache-control": "no-store"})
    site.remember(request, response, me)
    return response


async def _count(request: Request, site: Site) -> None:
    """Refuse the request if the client's network requests plans or finishes analyses too often (one limit for both)."""
    client = request.client.host if request.client else "unknown"
    if not await site.limits.allow("verify", network_of(client)):
        raise Refusal(429, "too_many_tries", _("Too many attempts. Wait a minute."))


def _read_number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    if not is_number(text) or len(text) > LONGEST_NUMBER:
        raise Refusal(400, "field_wrong", _("The field {name} must be a whole number.").format(name=name))
    return int(text)


def routes() -> list[Route]:
    """Return the routes of analyses on the reader's device."""
    return [
        Route("/t/{table}/playouts", show_plan, methods=["GET"]),
        Route("/t/{table}/playouts", take_results, methods=["POST"]),
    ]
