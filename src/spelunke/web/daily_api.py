"""The game of the day in the API: today's games, the results of a day, and the table to play a day's game."""

from __future__ import annotations

import msgspec
from starlette.requests import Request

from spelunke.house.daily import PAGE, Day, ResultLine, Standing, Streak
from spelunke.house.refusals import NotNow
from spelunke.web import shapes
from spelunke.web.api import asker, is_program, name_table
from spelunke.web.daily_pages import day_in, look_today
from spelunke.web.pages import known_game, site_of
from spelunke.web.profile_pages import last_page, read_page
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _


class TodaysGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the day. `count` is the number of its ranked results.

    `own` is the state and the rank of the person's own game, or null if they have not begun it.
    """

    title: str
    day: Day
    own: Standing | None
    count: int


class TodaysGames(msgspec.Struct, frozen=True, kw_only=True):
    """Today's games of the day.

    `streak` counts consecutive days with a result of the person. It is null for unknown visitors.
    """

    games: tuple[TodaysGame, ...]
    streak: Streak | None


class DayLook(msgspec.Struct, frozen=True, kw_only=True):
    """The game of a day with one page of its results, best first. `archive` lists up to 31 past days, newest first.

    Until the day is over, `results` and `friends` are empty for people who have not finished their game.
    """

    title: str
    day: Day
    own: Standing | None
    count: int
    page: int
    pages: int
    results: tuple[ResultLine, ...]
    friends: tuple[ResultLine, ...]
    archive: tuple[str, ...]


async def list_today(request: Request, _body: None) -> TodaysGames:
    """GET /daily. Return today's games, with the person's results."""
    site = site_of(request)
    house, me = site.house, await site.guest(request)

    games = await call(look_today, house, me.id if me else None)
    return TodaysGames(
        games=tuple(
            TodaysGame(title=game.title, day=day, own=own, count=count) for game, day, own, count in games
        ),
        streak=await call(house.day_results.streak, me.id) if me else None,
    )


async def show_day(request: Request, _body: None) -> DayLook:
    """GET /daily/{game}/{day}. Return the game of a day, with those results that the person may see."""
    site = site_of(request)
    house, me = site.house, await site.guest(request)
    game, reader = known_game(request.path_params["game"]), me.id if me else None
    page = read_page(request.query_params.get("page", ""))
    day = await call(house.days.of, game.name, day_in(request, house))
    try:
        results, count = await call(house.day_results.lines, day, reader, page)
    except NotNow:
        results, count, page = (), await call(house.day_results.count, day), 1
    return DayLook(
        title=game.title,
        day=day,
        own=await call(house.day_results.standing, reader, day) if reader else None,
        count=count,
        page=page,
        pages=last_page(count, page, PAGE) if results or page > 1 else 1,
        results=results,
        friends=await call(house.day_results.friends, day, reader) if reader else (),
        archive=await call(house.days.archive, game.name),
    )


async def play_day(request: Request, _body: None) -> shapes.TableName:
    """POST /daily/{game}/{day}. Begin or continue the person's game of a day, and return its table.

    Refuse programs until the day is over.
    """
    site = site_of(request)
    me = await asker(request)
    game, house = known_game(request.path_params["game"]), site.house
    day = await call(house.days.of, game.name, day_in(request, house))
    program = is_program(request)
    if program and day.when != "over":
        text = _(
            "Programs can't play the game of the day. Play it on its page, or in a terminal in which you have "
            "logged in with the link from your account page."
        )
        raise Refusal(403, "not_allowed", text)
    site.hurry(game)
    table = await call(house.days.play, me.id, game.name, day.day)
    if program:
        await call(house.showing.mark_program, table, me.id)
    return name_table(request, table)
