"""Two pages of each person: a public page with games and ratings, and a private page that also lists their tables."""

from __future__ import annotations

from typing import get_args
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.house.people import KeyChange, clean_name
from spelunke.house.ratings import RatingLine
from spelunke.house.readable import is_readable
from spelunke.house.study import PAGE, Ended, GameLine, GameWish
from spelunke.web.account_pages import tell_changes
from spelunke.web.pages import site_of
from spelunke.web.parts.games import GameTold, render_date, render_day, render_game
from spelunke.web.parts.ratings import render_history, say_interval
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _

PERIODS = {"": 0, "week": 7, "month": 31, "year": 366}
"""The periods by which a list of games can be filtered, in days before today. 0 means all games."""
RESULTS: dict[Ended, str] = {
    "any": plain("any result"),
    "won": plain("won"),
    "drawn": plain("draw"),
    "lost": plain("not won"),
}
LONGEST_NAME = 64


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the list of a person's games, with its filter."""

    lines: list[tuple[GameLine, GameTold]]
    count: int
    page: int
    pages: int
    path: str
    wish: GameWish
    past: str

    @property
    def filtered(self) -> bool:
        """Whether the list is filtered."""
        return self.wish != GameWish()

    def link(self, page: int) -> str:
        """Return the address of the page with this number, with the same filter."""
        asked = {
            "game": self.wish.game,
            "opponent": self.wish.opponent,
            "result": "" if self.wish.ended == "any" else self.wish.ended,
            "past": self.past,
            "page": page,
        }
        return f"{self.path}?{urlencode({key: value for key, value in asked.items() if value})}#games"


def read_page(text: str) -> int:
    """Return the page number in a text, or 1 if the text is empty. Refuse anything but a number from 1 to 99999."""
    if not text:
        return 1
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 6 and int(text)):
        raise Refusal(400, "field_wrong", _("Give a page number from 1 to 99999."))
    return int(text)


def read_searched_name(text: str) -> str:
    """Return a name to search for, in the form in which names are stored. Refuse a text that can't be a name."""
    pasted = " ".join(text.split())
    name = clean_name(pasted)
    if len(name) > LONGEST_NAME or (pasted and not (name and is_readable(pasted))):
        raise Refusal(
            400,
            "field_wrong",
            _.many(
                "Give a name of at most {n} letter.", "Give a name of at most {n} letters.", LONGEST_NAME
            ).format(n=LONGEST_NAME),
        )
    return name


def last_page(count: int, page: int, size: int = PAGE) -> int:
    """Return the number of pages of a list. If ``page`` is beyond the last page, refuse the request."""
    pages = max(1, -(-count // size))
    if page > pages:
        raise Refusal(
            404, "not_found", _("There is nothing on that page; the last page is {n}.").format(n=pages)
        )
    return pages


def read_wish(request: Request) -> tuple[GameWish, str]:
    """Return the filter for games from the query, and the name of the filter's period (a key of `PERIODS`).

    Refuse unknown values.
    """
    given = request.query_params
    game, ended, past = given.get("game", ""), given.get("result", "") or "any", given.get("past", "")
    if game and game not in shelf():
        raise Refusal(400, "field_wrong", _("There is no such game here: choose one from the list."))
    if ended not in get_args(Ended):
        raise Refusal(400, "field_wrong", _("Choose “any result”, “won”, “draw” or “not won”."))
    if past not in PERIODS:
        raise Refusal(
            400,
            "field_wrong",
            _("Choose “at any time”, “in the past week”, “in the past month” or “in the past year”."),
        )
    opponent = read_searched_name(given.get("opponent", ""))
    wish = msgspec.convert(
        {"game": game, "opponent": opponent, "ended": ended, "days": PERIODS[past]}, GameWish
    )
    return wish, past


def _games(found: tuple[tuple[GameLine, ...], int], page: int, wish: GameWish, past: str, path: str) -> Games:
    lines, count = found
    return Games(
        lines=[(line, render_game(line)) for line in lines],
        count=count,
        page=page,
        pages=last_page(count, page),
        path=path,
        wish=wish,
        past=past,
    )


async def _rated(request: Request, person: str) -> list[tuple[RatingLine, str, Markup]]:
    """Return a person's ratings, each with its margin of error in words and the chart of its history."""
    ratings = site_of(request).house.ratings
    found = []
    for line in await call(ratings.of, person):
        points = await call(ratings.history, person, line.game, line.seats)
        found.append((line, say_interval(line), render_history(points)))
    return found


async def show_me(request: Request) -> Response:
    """Show the person's own page: their tables, games and ratings."""
    site = site_of(request)
    house = site.house
    me = await site.guest(request)
    page = read_page(request.query_params.get("page", ""))
    wish, past = read_wish(request)
    visit = site.visit(request)
    profile = await call(house.profiles.of, me.id) if me else None
    changes: list[tuple[KeyChange, str]] = []
    if profile is not None and profile.changed and visit is not None:
        changes = tell_changes(await call(house.members.changes.of, profile.person, visit.device))
    found = await call(house.histories.own, me.id, page, wish) if me else ((), 0)
    mine = await call(house.lists.my_tables, me.id, finished=False) if me else ()
    return await site.page(
        request,
        "me.html",
        me=me,
        here="/me",
        mine=mine,
        asked=sum(line.waits for line in mine),
        profile=profile,
        tallies=await call(house.histories.tallies, me.id, me.id) if me else (),
        changes=changes,
        games=_games(found, page, wish, past, "/me"),
        rated=await _rated(request, me.id) if me else (),
        results=[(value, _(word)) for value, word in RESULTS.items()],
        nothing_waits="none" in request.query_params,
        day=render_date,
        moment=render_day,
    )


async def show_profile(request: Request) -> Response:
    """Show the public page of a person, with the games that the reader may see.

    If the reader is this person, list only the games that a stranger may see.
    """
    site = site_of(request)
    house = site.house
    me = await site.guest(request)
    reader = me.id if me else None
    profile = await call(house.profiles.find, request.path_params["address"], reader)
    page = read_page(request.query_params.get("page", ""))
    wish, past = read_wish(request)
    path = f"/p/{profile.address}"
    # Show the owner what a stranger would see.
    seen_by = None if profile.own else reader
    found = await call(house.histories.of, profile, seen_by, page, wish)
    return await site.page(
        request,
        "profile.html",
        me=me,
        here=path,
        profile=profile,
        tallies=await call(house.histories.tallies, profile.person, seen_by),
        games=_games(found, page, wish, past, path),
        rated=await _rated(request, profile.person),
        ties=await call(house.ties.between, me.id, profile.person) if me else frozenset(),
        results=[(value, _(word)) for value, word in RESULTS.items()],
        day=render_date,
    )


async def next_table(request: Request) -> Response:
    """Redirect to a table that waits for the person's move (:meth:`.Lists.next_table`).

    If the query parameter `after` is the id of a waiting table, redirect to the next table in the order of that
    method. After the last table, the first one is next. If no table except `after` waits, redirect to the person's
    page.
    """
    site = site_of(request)
    me = await site.guest(request)
    after = request.query_params.get("after", "")[:16]
    table = await call(site.house.lists.next_table, me.id, after) if me else None
    return RedirectResponse(f"/t/{table}" if table else "/me?none=1", 303)


ROUTES = [
    Route("/me", show_me, methods=["GET"]),
    Route("/me/next", next_table),
    Route("/p/{address}", show_profile),
]
