"""Leaderboards, and the page to find a game: quick match, seeks (requests for opponents), lists of tables."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.digits import is_number
from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.house.lobby import TableWish
from spelunke.house.matching import Pace, SeekLine
from spelunke.house.ratings import LINES
from spelunke.web.entering import need_person
from spelunke.web.forms import need, read_form
from spelunke.web.pages import known_game, site_of
from spelunke.web.profile_pages import last_page, read_page
from spelunke.web.refusal import Refusal
from spelunke.web.site import playable
from spelunke.web.threads import call
from spelunke.web.words import translate as _

PLAY = "/play"
PACES: dict[Pace, tuple[str, str]] = {
    "brisk": (plain("Brisk"), plain("5 minutes each, plus 5 seconds per decision")),
    "steady": (plain("Steady"), plain("15 minutes each, plus 10 seconds per decision")),
    "days": (plain("Over days"), plain("3 days for each decision")),
}
CLOCKS = {
    "any": plain("any pace"),
    "none": plain("no clock"),
    "live": plain("live"),
    "days": plain("over days"),
}
RATED = {"any": plain("rated or not"), "yes": plain("rated"), "no": plain("not rated")}
SEEKING = "seeking"
"""The name of a cookie that is set while the person seeks opponents. It makes scripts ask the server for news."""
SEEKING_S = 30 * 60


def _number(text: str, name: str) -> int:
    if not is_number(text or "0") or len(text) > 6:
        raise Refusal(
            400, "field_wrong", _("The field {name} must be a whole number.").format(name=repr(name))
        )
    return int(text or "0")


def read_seats(request: Request) -> int:
    """Return the number of seats in the query, or 0 if the query has none. Refuse a text that is not a number."""
    return _number(request.query_params.get("seats", ""), "seats")


def _mark(response: Response, seeks: tuple[SeekLine, ...]) -> Response:
    """Set the cookie `SEEKING` if a seek (request for opponents) still waits. Otherwise delete the cookie.

    Return the response.
    """
    if any(one.table is None for one in seeks):
        response.set_cookie(SEEKING, "1", max_age=SEEKING_S, samesite="lax")
    else:
        response.delete_cookie(SEEKING, samesite="lax")
    return response


def read_table_wish(request: Request) -> tuple[TableWish, str]:
    """Read the request's query. Return the filter for tables, and the name of the game or an empty text for all games.

    Refuse unknown values. But for `friends`, any value except `yes` counts as no.
    """
    given = request.query_params
    game = given.get("game", "")
    if game:
        known_game(game)
    try:
        wish = msgspec.convert(
            {
                "seats": read_seats(request),
                "pace": given.get("pace", "") or "any",
                "rated": given.get("rated", "") or "any",
                "with_friends": given.get("friends", "") == "yes",
                "least": _number(given.get("least", ""), "least"),
                "most": _number(given.get("most", ""), "most"),
            },
            TableWish,
        )
    except msgspec.ValidationError:
        raise Refusal(
            400,
            "field_wrong",
            _(
                "Choose a pace (“any”, “none”, “live” or “days”), and whether games are rated "
                "(“yes”, “no” or “any”)."
            ),
        ) from None
    return wish, game


async def show_play(request: Request) -> Response:
    """Show the page to find a game: quick match, the person's seeks, and the tables that match a filter."""
    site = site_of(request)
    house = site.house
    me = await site.guest(request)
    reader = me.id if me else None
    wish, game = read_table_wish(request)
    seeks = await call(house.matching.of, me.id) if me else ()
    open_tables = await call(house.lists.open_tables, game or None, wish=wish, reader=reader)
    running = await call(house.lists.running_tables, game or None, wish=wish, reader=reader)
    ratings = await call(house.ratings.of, me.id) if me else ()
    page = await site.page(
        request,
        "play.html",
        me=me,
        here=PLAY,
        games=_games(),
        seeks=seeks,
        paces=[(pace, _(title), _(text)) for pace, (title, text) in PACES.items()],
        pace_of={pace: _(title) for pace, (title, _text) in PACES.items()},
        clocks=[(value, _(word)) for value, word in CLOCKS.items()],
        rates=[(value, _(word)) for value, word in RATED.items()],
        wish=wish,
        wished=game,
        filtered=wish != TableWish() or bool(game),
        open=[line for line in open_tables if line.seat is None],
        running=running,
        ratings={(line.game, line.seats): line for line in ratings},
    )
    return _mark(page, seeks)


def _games() -> list[Game]:
    return sorted(playable(), key=lambda game: (game.place, game.title))


async def seek(request: Request) -> Response:
    """Start to seek opponents for a game. An unknown visitor becomes a guest."""
    site = site_of(request)
    form = await read_form(request)
    kind, _at, seats = need(form, "kind").partition(" ")
    game = known_game(kind)
    site.hurry(game)
    me = await site.welcome(request)
    await call(
        site.house.matching.seek,
        me.id,
        game.name,
        _number(seats, "kind"),
        need(form, "pace"),
        rated=form.get("rated") == "on",
    )
    response = RedirectResponse(PLAY, 303)
    site.remember(request, response, me)
    return _mark(response, await call(site.house.matching.of, me.id))


async def end_seek(request: Request) -> Response:
    """Stop seeking opponents for a game."""
    site = site_of(request)
    me = await need_person(site, request)
    await call(site.house.matching.end, me.id, request.path_params["seek"])
    return _mark(RedirectResponse(PLAY, 303), await call(site.house.matching.of, me.id))


async def play_bots(request: Request) -> Response:
    """End a seek, make a table for a game against bots instead, and redirect to this table."""
    site = site_of(request)
    me = await need_person(site, request)
    table = await call(site.house.matching.play_bots, me.id, request.path_params["seek"])
    return _mark(RedirectResponse(f"/t/{table}", 303), await call(site.house.matching.of, me.id))


async def show_state(request: Request) -> Response:
    """Send the state of a person's seeks to a page's script: a found table, and the seeks that still wait.

    Send each found table only once, and delete its seek.
    """
    site = site_of(request)
    me = await site.guest(request)
    seeks = await call(site.house.matching.of, me.id) if me else ()
    found = next((one for one in seeks if one.table is not None), None)
    if me is not None and found is not None and found.table is not None:
        await call(site.house.matching.forget_found, me.id, found.table)
    told = {
        "found": None if found is None else f"/t/{found.table}",
        "words": "" if found is None else _("Players were found for {title}").format(title=found.title),
        "to": _("To the table"),
        "bots": any(one.bots for one in seeks),
        "waiting": [one.waiting for one in seeks if one.table is None],
    }
    return _mark(JSONResponse(told, headers={"cache-control": "no-store"}), seeks)


async def choose_board(request: Request, game: Game) -> int:
    """Return the number of seats in the query, for a leaderboard of the game.

    If the query has none, return the smallest number for which somebody has a rating. If nobody has a rating, return
    the game's smallest number of seats. Refuse a number with which the game can't be played.
    """
    pools = await call(site_of(request).house.ratings.pools, game.name)
    seats = read_seats(request) or (pools[0] if pools else min(game.seats))
    if seats not in game.seats:
        sentence = _("{title} can't be played with this number of people: {n}.").format(
            title=game.title, n=seats
        )
        raise Refusal(404, "not_found", sentence)
    return seats


async def show_board(request: Request) -> Response:
    """Show the leaderboard for a game and a number of seats (`?seats=`, see `choose_board`)."""
    site = site_of(request)
    game = known_game(request.path_params["game"])
    me = await site.guest(request)
    seats = await choose_board(request, game)
    page = read_page(request.query_params.get("page", ""))
    board = await call(site.house.ratings.board, game.name, seats, page, reader=me.id if me else None)
    return await site.page(
        request,
        "ratings.html",
        me=me,
        here=f"/ratings/{game.name}",
        game=game,
        games=_games(),
        board=board,
        seats=seats,
        page=page,
        pages=last_page(board.count, page, LINES),
    )


ROUTES = [
    Route(PLAY, show_play),
    Route("/seeks", seek, methods=["POST"]),
    Route("/seeks/state", show_state),
    Route("/seeks/{seek}/end", end_seek, methods=["POST"]),
    Route("/seeks/{seek}/bots", play_bots, methods=["POST"]),
    Route("/ratings/{game}", show_board),
]
