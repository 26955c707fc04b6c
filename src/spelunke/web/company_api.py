"""Friends, quick match and ratings in the API."""

from __future__ import annotations

from starlette.requests import Request

from spelunke.house.people import Company
from spelunke.house.ratings import Board
from spelunke.web import shapes
from spelunke.web.api import asker, is_program, name_table
from spelunke.web.match_pages import choose_board
from spelunke.web.pages import known_game, site_of
from spelunke.web.profile_pages import read_page
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _


async def list_people(request: Request, _body: None) -> Company:
    """GET /me/people. Return the person's friends, friend requests, and blocked and muted people."""
    me = await asker(request)
    return await call(site_of(request).house.ties.of, me.id)


async def ask_friend(request: Request, body: shapes.FriendIn) -> shapes.Friends:
    """POST /me/people. Ask a member, by name, to be a friend."""
    me = await asker(request)
    return shapes.Friends(await call(site_of(request).house.ties.befriend, me.id, body.name))


async def change_tie(request: Request, body: shapes.TieIn) -> shapes.Friends:
    """POST /me/people/{address}. Befriend, block or mute a person, or end one of these relations."""
    me = await asker(request)
    address = request.path_params["address"]
    return shapes.Friends(await call(site_of(request).house.ties.change, me.id, address, body.do))


async def report(request: Request, body: shapes.ReportIn) -> shapes.Done:
    """POST /tables/{table}/report. Report messages of one person to the site's hosts (administrators)."""
    me = await asker(request)
    reports = site_of(request).house.reports
    await call(reports.report_lines, request.path_params["table"], me.id, lines=body.lines, text=body.text)
    return shapes.Done()


async def list_seeks(request: Request, _body: None) -> shapes.Seeks:
    """GET /me/seeks. Return the games for which the person seeks opponents."""
    me = await asker(request)
    return shapes.Seeks(await call(site_of(request).house.matching.of, me.id))


async def seek(request: Request, body: shapes.SeekIn) -> shapes.SeekName:
    """POST /me/seeks. Seek opponents for a game. Return the id of the seek."""
    site = site_of(request)
    me = await asker(request)
    game = known_game(body.game)
    if body.rated and is_program(request):
        raise Refusal(
            403, "not_allowed", _("Programs can't look for rated games. Look for one in your browser.")
        )
    site.hurry(game)
    return shapes.SeekName(
        await call(site.house.matching.seek, me.id, game.name, body.seats, body.pace, rated=body.rated)
    )


async def end_seek(request: Request, _body: None) -> shapes.Done:
    """POST /me/seeks/{seek}/end. Stop seeking opponents."""
    me = await asker(request)
    await call(site_of(request).house.matching.end, me.id, request.path_params["seek"])
    return shapes.Done()


async def play_bots(request: Request, _body: None) -> shapes.TableName:
    """POST /me/seeks/{seek}/bots. Play against bots instead of waiting. Return the table."""
    me = await asker(request)
    seek = request.path_params["seek"]
    return name_table(request, await call(site_of(request).house.matching.play_bots, me.id, seek))


async def list_ratings(request: Request, _body: None) -> shapes.OwnRatings:
    """GET /me/ratings. Return the person's ratings."""
    me = await asker(request)
    return shapes.OwnRatings(await call(site_of(request).house.ratings.of, me.id))


async def show_board(request: Request, _body: None) -> Board:
    """GET /ratings/{game}. Return one page of the leaderboard for a game and a number of seats.

    For the number of seats, see `choose_board`.
    """
    site = site_of(request)
    me = await site.guest(request)
    game = known_game(request.path_params["game"])
    seats = await choose_board(request, game)
    page = read_page(request.query_params.get("page", ""))
    return await call(site.house.ratings.board, game.name, seats, page, reader=me.id if me else None)
