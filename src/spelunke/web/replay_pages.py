"""The page of a finished game: any position as any seat or spectator saw it. Each position has its own address."""

from __future__ import annotations

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.boards.markup import join
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.house import House
from spelunke.house.lobby import TableLine
from spelunke.house.messages import Replay
from spelunke.house.study import Eyes, Teller
from spelunke.web.own_analysis_pages import device_of
from spelunke.web.pages import site_of
from spelunke.web.parts.analysis import Study
from spelunke.web.parts.overview import render_overview
from spelunke.web.parts.replay import WORST, render_replay, write_href
from spelunke.web.refusal import Refusal, translate_refusal, write_sentence
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import tongue_of, translator
from spelunke.web.words import translate as _


def read_ply(request: Request) -> int | None:
    """Return the position's number from the address (`?ply=`), or None for the last position."""
    text = request.query_params.get("ply", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 8):
        raise Refusal(400, "field_wrong", _("Give the position as a number, for example ply=12."))
    return int(text)


def read_eyes(request: Request) -> Eyes:
    """Return the viewpoint in the address: a seat, None for a spectator, or ``open`` for a view of all hands."""
    text = request.query_params.get("as", "open")
    if text in ("open", ""):
        return "open"
    if text == "table":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 3):
        raise Refusal(400, "field_wrong", _("Give “table”, “open” or the number of a seat (from 0)."))
    return int(text)


async def show_replay(request: Request) -> Response:
    """Show a position of a finished game: the whole page, or only its parts if a script asks.

    If the address asks for the worst error, redirect to the position of this error as soon as the analysis is done. If
    the address asks for verification (`?verify=`), also verify the record, and show the verdict.
    """
    site = site_of(request)
    table, eyes = request.path_params["table"], read_eyes(request)
    seeks = request.query_params.get("ply") == WORST
    ply = None if seeks else read_ply(request)
    me = await site.guest(request)
    reader = me.id if me else None
    house = site.link(request, "")

    def look() -> tuple[Replay, Game, Study, dict[str, Markup]]:
        found = site.house.replays.look(
            table,
            reader,
            ply=ply,
            eyes=eyes,
            translate=tongue_of().games,
            words=tongue_of().house,
        )
        game = find_game(found.game)
        study = study_of(site, found, reader, translator(game), seeks=seeks)
        position = write_line(site.house.replays.position(table, found.ply, reader))
        return found, game, study, render_replay(found, game, translator(game), position, study, house)

    replay, game, study, parts = await call(look)
    if seeks and (worst := study.find_worst()):
        # as the link of the tip: what the player saw there
        whose = worst.seat if eyes == "open" and replay.seat is not None else eyes
        return RedirectResponse(f"/t/{table}/replay{write_href(replay, worst.ply, whose)}", 303)
    if "hx-request" in request.headers:
        return HTMLResponse(str(join(parts.values())), headers={"cache-control": "no-store"})
    verdict = None
    if request.query_params.get("verify"):
        async with site.verifying:
            verdict = await call(site.house.replays.verify, table, reader)
    return await site.page(
        request,
        "replay.html",
        share=site.share(
            request,
            f"{replay.title}: {' – '.join(replay.names)}",
            f"/t/{table}/picture.png{'' if ply is None else f'?ply={replay.ply}'}",
        ),
        here=f"/t/{table}/replay{write_href(replay, replay.ply)}",
        me=me,
        replay=replay,
        parts=parts,
        overview=await call(render_overview, study),
        working=study.look.status == "working",
        sprite=game.hooks.render_sprite(),
        verdict=verdict,
        waiting=await call(find_waiting, site.house, me.id, table) if me else None,
    )


def study_of(
    site: Site, replay: Replay, reader: str | None, translate: Translator, *, seeks: bool = False
) -> Study:
    """Return a finished game with its analysis, for its page. This call blocks.

    If the server has no analysis of the game, use the analysis that the reader's own device computed, if any.
    """
    house = site.house
    look = house.analyses.look(replay.table, reader)
    if look.problem:
        look = msgspec.structs.replace(look, problem=write_sentence(translate_refusal(look.problem)))
    course = house.replays.course(replay.table, reader)
    open_yet = look.status in ("none", "failed")
    own = house.own_analyses.look(replay.table, reader) if open_yet else None
    device = device_of(site, course.game, replay.table) if open_yet else None
    teller = Teller(course, translate)
    return Study(
        replay,
        own or look,
        teller,
        lambda ply: write_href(replay, ply),
        own=own is not None,
        device=device,
        seeks=seeks,
    )


def find_waiting(house: House, person: str, but: str) -> TableLine | None:
    """Return a table that waits for the person, or None. Leave out the table ``but``."""
    mine = house.lists.my_tables(person, 20, finished=False)
    return next((line for line in mine if line.waits and line.table != but), None)


def write_line(position: bytes) -> str:
    """Return the content of a position file as one line of text."""
    return msgspec.json.format(position, indent=-1).decode()


async def show_position(request: Request) -> Response:
    """Send a position of a finished game as a JSON file."""
    table, ply = request.path_params["table"], read_ply(request)
    site = site_of(request)
    me = await site.guest(request)
    body = await call(site.house.replays.position, table, ply, me.id if me else None)
    name = f"{table}-{'end' if ply is None else ply}.json"
    return Response(
        body,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


def routes() -> list[Route]:
    """Return the routes of finished games."""
    return [
        Route("/t/{table}/replay", show_replay),
        Route("/t/{table}/position.json", show_position),
    ]
