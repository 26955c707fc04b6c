"""The pages for people, and the forms on them. All of it works without scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.bots.levels import default_level, first_level
from spelunke.core.errors import BadInput, UnknownGame
from spelunke.core.game import Game
from spelunke.core.hooks import Hooks
from spelunke.core.parts import Levels
from spelunke.games import find_game
from spelunke.house.histories import PAGE
from spelunke.house.plan import BOT, LINK, ME, OPEN
from spelunke.records.problems import load_problems
from spelunke.web import words
from spelunke.web.cookies import KEPT
from spelunke.web.forms import need, read_form, read_plan
from spelunke.web.parts.games import render_game
from spelunke.web.parts.options import render_option
from spelunke.web.refusal import Refusal
from spelunke.web.security import LANGUAGE_COOKIE
from spelunke.web.site import EXPLAIN_COOKIE, EXPLAINS, THEME_COOKIE, THEMES, Site, playable
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator


@dataclass(frozen=True)
class Card:
    """A game as the front page shows it."""

    game: Game
    picture: Markup
    players: str
    levels: Levels
    level: str
    first: bool
    translate: Callable[[str], str]
    lesson: bool
    problems: bool


def site_of(request: Request) -> Site:
    """The site that the request came to."""
    site: Site = request.app.state.site
    return site


def picture_of(game: Game) -> Markup:
    """The game's own picture, or nothing."""
    return game.hooks.render_picture()


def local(path: str, fallback: str = "/") -> str:
    """`path` if it is an address of this house, else the fallback."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else fallback


# --- lobby ------------------------------------------------------------------------------------------------------


async def front(request: Request) -> Response:
    """The shelf, my tables, open tables."""
    site = site_of(request)
    me = await site.guest(request)
    mine = await call(site.house.my_tables, me.id, 12, finished=False) if me else ()
    known = await call(site.house.games_finished, me.id) if me else frozenset()
    cards = [_card(game, first=game.name not in known) for game in playable()]
    return await site.page(
        request,
        "front.html",
        me=me,
        cards=cards,
        mine=mine,
        asked=sum(line.yours for line in mine),
        open=[line for line in await call(site.house.open_tables, None, 20) if line.seat is None],
        running=await call(site.house.running_tables, None, 20),
    )


def _card(game: Game, *, first: bool) -> Card:
    least, most = game.seats[0], game.seats[-1]
    players = (
        _("{n} players").format(n=least)
        if least == most
        else _("{least}–{most} players").format(least=least, most=most)
    )
    return Card(
        game,
        picture_of(game),
        players,
        game.levels,
        first_level(game) if first else default_level(game),
        first,
        translator(game),
        game.hooks.has(Hooks.lesson),
        load_problems(game) is not None,
    )


def known_game(name: str) -> Game:
    """The game in an address; 404 when there is none."""
    try:
        game = find_game(name)
    except UnknownGame as error:
        raise Refusal(404, "unknown_game", str(error)) from None
    if game not in playable():
        raise Refusal(404, "unknown_game", _("{title} is not finished yet.").format(title=game.title))
    return game


async def new_table(request: Request) -> Response:
    """The form for a table with all that can be chosen."""
    game = known_game(request.path_params["game"])
    site_of(request).hurry(game)
    return await _new_page(request, game, None, "", 200)


async def _usual_level(request: Request, game: Game) -> str:
    """The level that a bot has unless another is chosen: a weaker one in somebody's first game."""
    site = site_of(request)
    me = await site.guest(request)
    known = await call(site.house.games_finished, me.id) if me else frozenset()
    return default_level(game) if game.name in known else first_level(game)


async def _new_page(
    request: Request, game: Game, given: dict[str, str] | None, sentence: str, status: int
) -> Response:
    site = site_of(request)
    level = await _usual_level(request, game)
    tell = translator(game)
    levels = [
        (BOT + name, _("Bot: {level}").format(level=tell(str(level.get("title", name)))))
        for name, level in game.levels.items()
    ]
    places = [
        ("", _("nobody")),
        (ME, _("me")),
        (OPEN, _("anybody")),
        (LINK, _("a friend with the link")),
        *levels,
    ]
    chosen = [ME, *[BOT + level] * (game.usual_seats - 1)]
    return await site.page(
        request,
        "new.html",
        status=status,
        game=game,
        least=min(game.seats),
        most=max(game.seats),
        places=places,
        chosen=chosen + [""] * (max(game.seats) - len(chosen)),
        fields=[render_option(game, option, given, tell) for option in game.options],
        given=given,
        sentence=sentence,
    )


async def make_table(request: Request) -> Response:
    """Open a table; a stranger becomes a guest on the way."""
    site = site_of(request)
    form = await read_form(request)
    game = find_game(need(form, "game"))
    site.hurry(game)
    if form.get("quick") == "bot" and not form.get("level"):
        form["level"] = await _usual_level(request, game)
    try:
        plan = read_plan(game, form)
        me = await site.welcome(request)
        table = await call(site.house.create_table, me.id, plan)
    except BadInput as error:
        if "quick" in form:
            raise
        return await _new_page(request, game, form, str(error), 400)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


async def begin_lesson(request: Request) -> Response:
    """Begin a guided game; a stranger becomes a guest on the way."""
    site = site_of(request)
    game = known_game(need(await read_form(request), "game"))
    site.hurry(game)
    me = await site.welcome(request)
    table = await call(site.house.begin_lesson, me.id, game.name)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


# --- people -----------------------------------------------------------------------------------------------------


async def show_me(request: Request) -> Response:
    """Name, look, language, my tables, the games that I have played."""
    site = site_of(request)
    me = await site.guest(request)
    page = read_page(request.query_params.get("page", ""))
    mine = await call(site.house.my_tables, me.id, finished=False) if me else ()
    games, count = await call(site.house.my_games, me.id, page) if me else ((), 0)
    pages = max(1, -(-count // PAGE))
    if page > pages:
        raise Refusal(
            404, "not_found", _("There are no games on that page; the last page is {n}.").format(n=pages)
        )
    return await site.page(
        request,
        "me.html",
        me=me,
        mine=mine,
        games=[(line, render_game(line)) for line in games],
        count=count,
        page=page,
        pages=pages,
        languages=words.languages(),
        explain=request.cookies.get(EXPLAIN_COOKIE, "auto"),
    )


def read_page(text: str) -> int:
    """The number of a page, from 1; the first if none is named."""
    if not text:
        return 1
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 6 and int(text)):
        raise Refusal(400, "field_wrong", _("Pages are numbered from 1."))
    return int(text)


async def rename_me(request: Request) -> Response:
    """Take another name."""
    site = site_of(request)
    name = need(await read_form(request), "name")
    me = await site.guest(request)
    if me:
        me = await call(site.house.rename, me.id, name)
    else:
        me = await call(site.house.create_guest, name)
    response = RedirectResponse("/me", 303)
    site.remember(request, response, me)
    return response


async def choose_theme(request: Request) -> Response:
    """Light, dark, or as the device says."""
    form = await read_form(request)
    theme = need(form, "theme")
    if theme not in THEMES:
        raise Refusal(400, "field_wrong", _("Choose auto, light or dark."))
    response = RedirectResponse(local(form.get("back", "/")), 303)
    response.set_cookie(THEME_COOKIE, theme, max_age=KEPT, samesite="lax")
    return response


async def choose_explaining(request: Request) -> Response:
    """Whether choices at a table are explained: in the first games, always, or never."""
    form = await read_form(request)
    wish = need(form, "explain")
    if wish not in EXPLAINS:
        raise Refusal(400, "field_wrong", _("Choose auto, always or never."))
    response = RedirectResponse(local(form.get("back", "/")), 303)
    response.set_cookie(EXPLAIN_COOKIE, wish, max_age=KEPT, samesite="lax")
    return response


async def choose_language(request: Request) -> Response:
    """One of the languages that the house speaks."""
    form = await read_form(request)
    language = need(form, "language")
    if language not in words.languages():
        raise Refusal(400, "field_wrong", _("The house does not speak that language yet."))
    response = RedirectResponse(local(form.get("back", "/")), 303)
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=KEPT, samesite="lax")
    return response


ROUTES = [
    Route("/", front),
    Route("/new/{game}", new_table),
    Route("/tables", make_table, methods=["POST"]),
    Route("/lessons", begin_lesson, methods=["POST"]),
    Route("/me", show_me, methods=["GET"]),
    Route("/me", rename_me, methods=["POST"]),
    Route("/me/theme", choose_theme, methods=["POST"]),
    Route("/me/language", choose_language, methods=["POST"]),
    Route("/me/explain", choose_explaining, methods=["POST"]),
]
