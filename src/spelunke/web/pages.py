"""The front page, the page for a new table, and their forms. All work without scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.bots.levels import first_level
from spelunke.core.errors import BadInput, UnknownGame
from spelunke.core.option import write_value
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.game import Game, Preset
from spelunke.games.hooks import Hooks
from spelunke.games.parts import Levels
from spelunke.house.people import check_name
from spelunke.house.plan import BOT, HERE, LINK, ME, OPEN
from spelunke.house.study import LastGame
from spelunke.records.problems import load_problems
from spelunke.web.forms import need, read_form, read_plan, shows_seats
from spelunke.web.parts.options import render_option, usual_value
from spelunke.web.refusal import Refusal, write_refusal
from spelunke.web.site import Site, playable
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
    learned: bool
    preset: Preset | None
    usual: Preset | None
    translate: Translator
    lesson: bool
    problems: bool

    @property
    def seats(self) -> int:
        """The default number of players in a game against bots."""
        return self.preset.seats if self.preset else self.game.usual_seats


def site_of(request: Request) -> Site:
    """Return the site (house, settings and templates) that serves the request."""
    site: Site = request.app.state.site
    return site


def picture_of(game: Game) -> Markup:
    """Return the game's own picture, or an empty text if it has none."""
    return game.hooks.render_picture()


_LOCAL = re.compile(r"/(?!/)[!-\[\]-~]*", re.ASCII)
"""Matches a path on this site, which begins with exactly one slash.

Control characters, spaces, backslashes and non-ASCII characters don't match, because browsers drop or rewrite some
of them.
"""


def local(path: str, fallback: str = "/") -> str:
    """Return `path` if it is a path on this site, else the fallback. This prevents redirects to other sites."""
    return path if _LOCAL.fullmatch(path) else fallback


# --- lobby ------------------------------------------------------------------------------------------------------


async def front(request: Request) -> Response:
    """Show the front page: all games, the person's tables, open tables and running tables."""
    site = site_of(request)
    me = await site.guest(request)
    reader = me.id if me else None
    mine = await call(site.house.lists.my_tables, me.id, 12, finished=False) if me else ()
    known = await call(site.house.histories.last_games, me.id) if me else {}
    levels = await call(site.house.histories.last_levels, me.id) if me else {}
    shown = sorted(playable(), key=lambda game: (game.place, game.title))
    cards = [_card(game, levels.get(game.name), known.get(game.name)) for game in shown]
    return await site.page(
        request,
        "front.html",
        me=me,
        newcomer=not (mine or known),
        cards=cards,
        mine=mine,
        asked=sum(line.waits for line in mine),
        open=[
            line
            for line in await call(site.house.lists.open_tables, None, 20, reader=reader)
            if line.seat is None
        ],
        running=await call(site.house.lists.running_tables, None, 20, reader=reader),
    )


def _card(game: Game, level: str | None, last: LastGame | None) -> Card:
    least, most = game.seats[0], game.seats[-1]
    players = (
        _.many("{n} player", "{n} players", least).format(n=least)
        if least == most
        else _("{least}–{most} players").format(least=least, most=most)
    )
    easy = _easy_form(game, last)
    has_easy = any(preset.first for preset in game.presets)
    return Card(
        game,
        picture_of(game),
        players,
        game.levels,
        _level_after(game, level),
        last is None or last.taught,
        last is not None,
        easy,
        _usual_form(game) if has_easy and not easy else None,
        translator(game),
        game.hooks.has(Hooks.lesson),
        load_problems(game) is not None,
    )


def _easy_form(game: Game, last: LastGame | None) -> Preset | None:
    """Return the preset for beginners if the person should play it next, else None.

    `last` is the person's newest finished game. The person should play the preset for beginners as their first game,
    also after a lesson. If they lost their newest game, and it had this preset, they should play it again: the game
    never becomes harder after a defeat.
    """
    easy = next((preset for preset in game.presets if preset.first), None)
    if easy is None or last is None or last.taught:
        return easy
    again = not last.won and easy.options.items() <= last.options.items()
    return easy if again else None


def _usual_form(game: Game) -> Preset | None:
    """Return the preset that has the default number of players and the default options, or None."""
    return next((one for one in game.presets if one.seats == game.usual_seats and not one.options), None)


def known_game(name: str) -> Game:
    """Return the playable game of this name. If there is none, refuse the request with status 404."""
    try:
        game = find_game(name)
    except UnknownGame as error:
        raise Refusal(404, "unknown_game", str(error)) from None
    if game not in playable():
        raise Refusal(
            404, "unknown_game", _("{title} can't be played on this site yet.").format(title=game.title)
        )
    return game


async def new_table(request: Request) -> Response:
    """Show the form of a new table, with the presets and the options of the game, except detailed (`fine`) options."""
    game = known_game(request.path_params["game"])
    site_of(request).hurry(game)
    query = request.query_params
    # A button for a preset also sends the fields of the form, so that nothing is lost that the person has set. The
    # button comes before the form's own field `preset`, which has the previous preset.
    presets = [game.preset(name) for name in query.getlist("preset")]
    chosen = presets[0] if presets else None
    if "offered" in query and chosen is not None:
        offered = _offer_seats(game, chosen, await _usual_level(request, game))
        given = _follow_preset(game, dict(query), presets[-1] if len(presets) > 1 else None, chosen, offered)
        return await _new_page(request, game, given, None, 200, chosen)
    typed = {name: query[name] for name in ("name", "names", "way") if name in query}
    return await _new_page(request, game, None, None, 200, chosen, typed)


def _offer_seats(game: Game, preset: Preset | None, level: str) -> list[str]:
    """Return the seats that the form of a new table suggests: the person, and bots of a level."""
    return [ME, *[BOT + level] * ((preset.seats if preset else game.usual_seats) - 1)]


def _write_options(preset: Preset | None) -> dict[str, str]:
    """Return the fields of the form for the options of a preset."""
    options = preset.options if preset else {}
    return {f"option.{name}": write_value(value) for name, value in options.items()}


def _follow_preset(
    game: Game, form: dict[str, str], before: Preset | None, preset: Preset, offered: list[str]
) -> dict[str, str]:
    """Return the fields of the form after the person has chosen another preset.

    A seat or an option that still has the value of the preset `before` gets the value of the new preset, whose seats
    are `offered`. All other fields stay as the person has set them, except the options of the new preset.
    """
    old_seats, old = form.get("offered", "").split(","), _write_options(before)
    given = {**form, "offered": ",".join(offered)}
    for seat in range(max(game.seats)):
        name = f"seat.{seat}"
        if form.get(name, "") == "".join(old_seats[seat : seat + 1]):
            given[name] = "".join(offered[seat : seat + 1])
    for option in game.options:
        name = f"option.{option.name}"
        if form.get(name) == old.get(name, usual_value(game, option)):
            given.pop(name)
    return given | _write_options(preset)


def _level_after(game: Game, last: str | None) -> str:
    """Return the default level of bots: `last` if it is a level of the game, else a weak level for beginners.

    `last` is the level of the bots in the person's newest finished game against bots alone, or None if there is none.
    """
    return last if last is not None and last in game.levels else first_level(game)


async def _usual_level(request: Request, game: Game) -> str:
    site = site_of(request)
    me = await site.guest(request)
    levels = await call(site.house.histories.last_levels, me.id) if me else {}
    return _level_after(game, levels.get(game.name))


async def _usual_preset(request: Request, game: Game) -> Preset | None:
    """Return the preset that the form of a new table shows when it opens, or None if the game has no presets.

    For a beginner, return the preset for beginners if the game has one (see `_easy_form`).
    """
    site = site_of(request)
    me = await site.guest(request)
    known = await call(site.house.histories.last_games, me.id) if me else {}
    easy = _easy_form(game, known.get(game.name))
    return easy or next((preset for preset in game.presets if not preset.first), None)


async def _new_page(
    request: Request,
    game: Game,
    given: dict[str, str] | None,
    refused: BadInput | None,
    status: int,
    preset: Preset | None = None,
    mates: dict[str, str] | None = None,
) -> Response:
    """Return the page with the form for a new table.

    If this form was `refused` before, or if the person chose a preset in it, `given` has all its fields, and the page
    shows them again. `mates` has the names that the person typed for the people at this device, if the person pressed
    “Play on this device” on another page and the server refused that form. If the field `way` is “here”, as in links
    from the front page, “Play on this device” is the main button and asks for names.
    """
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
        (HERE, _("somebody on this device")),
        *levels,
    ]
    if preset is None and given is None:
        preset = await _usual_preset(request, game)
    chosen = _offer_seats(game, preset, level)
    options = _write_options(preset)
    seats = [seat for at in range(max(game.seats)) if given and (seat := given.get(f"seat.{at}"))]
    sentence = write_refusal(refused) if refused else ""
    part, _space, wrong = refused.place.rpartition(" ") if refused else ("", "", "")
    wrong_option = wrong if part == "option" else ""
    return await site.page(
        request,
        "new.html",
        status=status,
        game=game,
        least=min(game.seats),
        most=max(game.seats),
        places=places,
        offered=given.get("offered", "") if given else ",".join(chosen),
        chosen=chosen + [""] * (max(game.seats) - len(chosen)),
        fields=[
            render_option(
                game, option, given or options, tell, wrong=sentence if option.name == wrong_option else ""
            )
            for option in game.options
            if not option.fine
        ],
        given=given,
        unchanged=given is None or given.get("offered") == ",".join(seats),
        opened=given is not None and (refused is not None or _write_options(preset) != _options_of(given)),
        mates=mates or {},
        shared=(given or mates or {}).get("way") == "here",
        preset=preset,
        tell=tell,
        sentence=sentence,
        wrong=wrong,
        wrong_option=next((tell(option.title) for option in game.options if option.name == wrong_option), ""),
    )


def _options_of(form: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in form.items() if name.startswith("option.")}


async def make_table(request: Request) -> Response:
    """Make a table, and redirect to it. An unknown visitor becomes a guest.

    If a form of the page for a new table has a wrong value, show that page again with the error.
    """
    site = site_of(request)
    form = await read_form(request)
    game = find_game(need(form, "game"))
    site.hurry(game)
    if form.get("quick") == "bot" and not form.get("level"):
        form["level"] = await _usual_level(request, game)
    try:
        plan = read_plan(game, form)
        name = form.get("name", "").strip()
        name = check_name(name) if name else ""
        me = await site.welcome(request, name)
        table = await call(site.house.lobby.create, me.id, plan)
        if name and me.name != name and not me.member:  # a member keeps the name of the account
            me = await call(site.house.people.rename, me.id, name)
    except BadInput as error:
        preset = game.preset(form.get("preset", ""))
        if form.get("quick") == "here" and not shows_seats(form):
            return await _new_page(request, game, None, error, 400, preset, form)
        if "quick" in form and not shows_seats(form):
            raise
        return await _new_page(request, game, form, error, 400, preset)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


async def begin_lesson(request: Request) -> Response:
    """Begin a lesson, and redirect to its table. An unknown visitor becomes a guest."""
    site = site_of(request)
    form = await read_form(request)
    game = known_game(need(form, "game"))
    site.hurry(game)
    me = await site.welcome(request)
    table = await call(site.house.next_games.begin_lesson, me.id, game.name, short=bool(form.get("short")))
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


ROUTES = [
    Route("/", front),
    Route("/new/{game}", new_table),
    Route("/tables", make_table, methods=["POST"]),
    Route("/lessons", begin_lesson, methods=["POST"]),
]
