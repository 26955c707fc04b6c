"""Send preview pictures for links, boards as SVG and PNG files, and pages with a board that other sites can embed."""

from __future__ import annotations

import asyncio
import hashlib
from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spelunke.core.caches import Cache
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.budgets import PICTURES
from spelunke.house.house import House
from spelunke.house.messages import Look, Replay, Result
from spelunke.house.refusals import NotNow, WatchLater
from spelunke.records.problems import load_problems, set_up
from spelunke.web.numbers import write_date
from spelunke.web.pages import known_game, site_of
from spelunke.web.parts.problems import make_task_scene, name_seats
from spelunke.web.parts.replay import make_past_scene
from spelunke.web.pictures import draw_card, finish_drawing, to_png
from spelunke.web.refusal import Refusal
from spelunke.web.replay_pages import read_ply
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE, translator
from spelunke.web.words import translate as _

FRAMED = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors *"
)
"""The content policy of embedded pages: any site may frame them, and they can run no scripts."""
FRESH_S = 300
"""The time in seconds for which browsers and proxies may cache a preview picture or an embedded page."""


VARY = "accept-language, cookie"
"""The headers of a request that choose the language of the texts, and the letters of cards."""


@cache
def _drawn() -> Cache[str, bytes]:
    return Cache(PICTURES)


_GATE = asyncio.Semaphore(1)


async def _png(svg: str) -> Response:
    """Return an SVG as a PNG response. The PNG comes from the cache if possible."""
    key = hashlib.sha256(svg.encode()).hexdigest()
    found = _drawn().get(key)
    if found is None:
        async with _GATE:
            found = _drawn().get(key)
            if found is None:
                found = await call(to_png, svg)
                _drawn().put(key, found, len(found))
    return Response(found, media_type="image/png", headers=_headers(key))


def _headers(key: str) -> dict[str, str]:
    return {
        "cache-control": f"public, max-age={FRESH_S}",
        "vary": VARY,
        "etag": f'"{key[:20]}"',
        "cross-origin-resource-policy": "cross-origin",
    }


async def table_picture(request: Request) -> Response:
    """Send the preview picture of a table, with nothing that is hidden from spectators."""
    house = site_of(request).house
    return await _png(await call(_draw_table, house, request.path_params["table"], read_ply(request)))


def _draw_table(house: House, table: str, ply: int | None, reader: str | None = None) -> str:
    look = house.looks.look(table, reader)
    game = find_game(look.game)
    names = [seat.name for seat in look.seats]
    title = " – ".join(names)
    drawing = ""
    lines: list[str] = []
    if look.status == "over" and look.result is not None:
        kicker = _("{title} · result").format(title=game.title)
        replay = house.replays.look(table, reader, ply=ply, eyes=None)
        drawing = str(game.hooks.render_drawing(make_past_scene(replay, translator(game))))
        scores = look.result.scores
        lines.append(_say_result(names, look.result))
        if scores is not None:
            lines.append(" : ".join(map(str, scores)))
        if ply is not None:
            lines.append(_("position {n} of {all}").format(n=replay.ply, all=replay.plies))
    else:
        kicker = _say_state(game, look)
        if look.status == "open" and any(seat.kind in ("open", "link") for seat in look.seats):
            lines.append(_("A seat is free: come and play."))
    return draw_card(game, title, kicker, tuple(lines), drawing)


def _say_result(names: list[str], result: Result) -> str:
    if result.reason == "called_off":
        return _("Called off")
    won = [name for name, rank in zip(names, result.ranks, strict=True) if rank == 1]
    return _("Won by {names}").format(names=", ".join(won)) if len(won) < len(names) else _("A draw")


def _say_state(game: Game, look: Look) -> str:
    told = {
        "open": _("{title} · waiting for players"),
        "ready": _("{title} · about to start"),
        "playing": _("{title} · being played"),
    }
    return told.get(look.status, "{title}").format(title=game.title)


async def problem_picture(request: Request) -> Response:
    """Send the preview picture of a problem, without its answer."""
    game = known_game(request.path_params["game"])
    found = load_problems(game)
    problem = found.find(request.path_params["problem"]) if found else None
    if problem is None:
        raise Refusal(404, "not_found", _("There is no such problem."))

    def draw() -> str:
        match = set_up(game, problem)
        names = name_seats(match.seats)
        scene = make_task_scene(match, problem.seat, names, translator(game))
        sentence = _("{name} to move. Find the best move.").format(name=names[problem.seat])
        kicker = _("{title} · problem").format(title=game.title)
        drawing = str(game.hooks.render_drawing(scene))
        return draw_card(game, _("What is best?"), kicker, (sentence,), drawing)

    return await _png(await call(draw))


async def day_picture(request: Request) -> Response:
    """Send the preview picture of a game of the day."""
    house = site_of(request).house
    game = known_game(request.path_params["game"])
    day = await call(house.days.of, game.name, request.path_params["day"])
    count = await call(house.day_results.count, day)
    lines = [_("The same dice and cards for all, against the same bots.")]
    if count:
        lines.append(
            _.many(
                "{n} result so far",
                "{n} results so far",
                count,
            ).format(n=count)
        )
    kicker = _("{title} · game of the day").format(title=game.title)
    return await _png(draw_card(game, write_date(day.day), kicker, tuple(lines)))


async def event_picture(request: Request) -> Response:
    """Send the preview picture of a tournament or league."""
    house = site_of(request).house
    look = await call(house.events.look, request.path_params["event"])
    game = find_game(look.plan.game)
    names = {str(one.number): one.name for one in look.players}
    lines = [_.many("{n} player", "{n} players", len(look.players)).format(n=len(look.players))]
    if look.round:
        lines = [_("round {n} of {all}").format(n=look.round, all=look.rounds)]
        lines += [f"{line.rank}. {names[line.name]}" for line in look.standings[:2]]
    kicker = _("{title} · tournament").format(title=game.title)
    return await _png(draw_card(game, look.plan.name, kicker, tuple(lines)))


async def position_svg(request: Request) -> Response:
    """Send a position of a finished game as an SVG file."""
    svg, name = await _position(request)
    return Response(svg, media_type="image/svg+xml", headers=_saved(f"{name}.svg"))


async def position_png(request: Request) -> Response:
    """Send a position of a finished game as a PNG file."""
    svg, name = await _position(request)
    async with _GATE:
        png = await call(to_png, svg)
    return Response(png, media_type="image/png", headers=_saved(f"{name}.png"))


def _saved(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}


async def _position(request: Request) -> tuple[str, str]:
    site, table, ply = site_of(request), request.path_params["table"], read_ply(request)
    house, me = site.house, await site.guest(request)

    def draw() -> tuple[str, str]:
        replay = house.replays.look(table, me.id if me else None, ply=ply, eyes=None)
        game = find_game(replay.game)
        drawing = str(game.hooks.render_drawing(make_past_scene(replay, translator(game))))
        if drawing:
            return finish_drawing(game, drawing), f"{table}-{replay.ply}"
        return _draw_table(house, table, replay.ply, me.id if me else None), f"{table}-{replay.ply}"

    return await call(draw)


async def embed_table(request: Request) -> Response:
    """Show only the board of a position of a finished game, for other sites to embed.

    Raise NotNow if the game is not over.
    """
    site = site_of(request)
    table, ply = request.path_params["table"], read_ply(request)

    def draw() -> tuple[Replay, Game, str]:
        try:
            replay = site.house.replays.look(table, ply=ply, eyes=None)
        except WatchLater:
            raise
        except NotNow:
            raise NotNow("a game can be embedded only when it is over") from None
        game = find_game(replay.game)
        return replay, game, str(game.hooks.render_board(make_past_scene(replay, translator(game))) or "")

    replay, game, board = await call(draw)
    html = site.templates.get_template("embed.html").render(
        replay=replay,
        game=game,
        board=board,
        sprite=game.hooks.render_sprite(),
        address=site.link(request, f"/t/{table}/replay?ply={replay.ply}"),
        language=LANGUAGE.get(),
    )
    headers = {
        "content-security-policy": FRAMED,
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": f"public, max-age={FRESH_S}",
        "vary": VARY,
    }
    return HTMLResponse(html, headers=headers)


def routes() -> list[Route]:
    """Return the routes of pictures and embedded pages."""
    return [
        Route("/t/{table}/picture.png", table_picture),
        Route("/t/{table}/position.svg", position_svg),
        Route("/t/{table}/position.png", position_png),
        Route("/problems/{game}/{problem}/picture.png", problem_picture),
        Route("/daily/{game}/{day}/picture.png", day_picture),
        Route("/events/{event}/picture.png", event_picture),
        Route("/embed/t/{table}", embed_table),
    ]
