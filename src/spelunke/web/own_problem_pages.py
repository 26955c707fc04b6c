"""Problems from a person's own games: the list, and the page of a problem with its board and explanation."""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.boards.markup import html
from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.messages import Person
from spelunke.house.study import Posed, say_to_player, say_why
from spelunke.web.forms import need, read_form
from spelunke.web.numbers import write_percent
from spelunke.web.pages import local, site_of
from spelunke.web.parts.judgement import fold
from spelunke.web.parts.problems import draw_task, mark_answer, say_secret, say_theme
from spelunke.web.parts.values import render_choice
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

MINE = "/me/problems"


async def _need_me(request: Request) -> Person:
    me = await site_of(request).guest(request)
    if me is None:
        raise Refusal(
            401,
            "unknown_person",
            _("You aren't logged in. Log in, or play a game as a guest if this site accepts guests."),
        )
    return me


async def show_own(request: Request) -> Response:
    """Add new problems from the person's analysed games, and show the list of the person's problems.

    Problems that are due for repetition are at the top of the list.
    """
    site, me = site_of(request), await _need_me(request)
    problems = site.house.own_problems
    await call(problems.collect, me.id)
    lines = await call(problems.list, me.id)
    told = []
    for line in lines:
        game = find_game(line.game)
        told.append((line, game.title, say_theme(game, line.theme, translator(game))))
    return await site.page(
        request,
        "own_problems.html",
        me=me,
        here="/me",
        lines=told,
        due=sum(line.state == "due" for line in lines),
        learned=sum(line.state == "learned" for line in lines),
    )


async def next_own(request: Request) -> Response:
    """Redirect to the problem that has been due for longest. If none is due, redirect to the list."""
    site, me = site_of(request), await _need_me(request)
    try:
        line = await call(site.house.own_problems.next, me.id)
    except SpelunkeError:
        return RedirectResponse(MINE, 303)
    return RedirectResponse(f"{MINE}/{line.table}/{line.ply}", 303)


def _ply_in(request: Request) -> int:
    text = request.path_params["ply"]
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Refusal(404, "not_found", _("There is no such problem."))
    return int(text)


async def show_own_problem(request: Request) -> Response:
    """Show a problem with its board as the person's seat saw it. After an answer, also explain the problem."""
    site, me = site_of(request), await _need_me(request)
    table, ply = request.path_params["table"], _ply_in(request)
    posed = await call(site.house.own_problems.pose, me.id, table, ply)
    game = find_game(posed.line.game)
    answer = request.query_params.get("answer", "")
    if answer:
        posed.find(answer)
    return await site.page(
        request,
        "own_problem.html",
        me=me,
        here="/me",
        game=game,
        line=posed.line,
        answer=answer,
        solved=bool(answer) and posed.solves(answer),
        secret=posed.decision.secret,
        board=await call(_draw, game, posed, answer),
        sprite=game.hooks.render_sprite(),
        verdict=_judge(posed, answer) if answer else "",
        panel=await call(_explain, game, posed, answer) if answer else "",
    )


def _draw(game: Game, posed: Posed, answer: str) -> Markup:
    judged = {one.move for one in posed.decision.alternatives}
    marks = mark_answer(posed.best.move, answer)
    return draw_task(posed.match, posed.decision.seat, posed.names, judged, marks, translator(game))


def _judge(posed: Posed, answer: str) -> Markup:
    if posed.solves(answer):
        return html('<p class="notice good" role="status"><b>{}</b></p>', _("Right."))
    return html(
        '<p class="notice bad" role="status"><b>{}</b> {}</p>',
        _("Not the best:"),
        _("this move costs you {percent} of a win.").format(
            percent=write_percent(100 * posed.cost_of(answer), 1)
        ),
    )


def _explain(game: Game, posed: Posed, answer: str) -> Markup:
    tell, best, seat = translator(game), posed.best, posed.decision.seat
    note = html("<p>{}</p>", say_secret()) if posed.decision.secret else ""
    rows = [
        render_choice(
            say_to_player(posed.match, seat, one.move, posed.names, tell) or one.move,
            one.value,
            best.value,
            "played" if one.move == answer else "",
            _("your answer"),
            why=say_why(posed.match, seat, one.move, posed.names, tell)
            if one.move in (answer, best.move)
            else (),
            seats=len(posed.names),
        )
        for one in posed.decision.alternatives
    ]
    return html('{}<h3 class="an-choose">{}</h3>{}', note, _("What each move is worth"), fold(rows))


async def answer_own(request: Request) -> Response:
    """Judge the person's answer, and redirect to the problem with its explanation.

    If the problem was due, store the time at which it is due again.
    """
    site, me = site_of(request), await _need_me(request)
    table, ply = request.path_params["table"], _ply_in(request)
    move = need(await read_form(request), "move").strip()
    await call(site.house.own_problems.answer, me.id, table, ply, move)
    return RedirectResponse(local(f"{MINE}/{table}/{ply}?{urlencode({'answer': move})}"), 303)


def routes() -> list[Route]:
    """Return the routes of problems from people's own games."""
    return [
        Route(MINE, show_own),
        Route(f"{MINE}/next", next_own),
        Route(MINE + "/{table}/{ply}", show_own_problem, methods=["GET"]),
        Route(MINE + "/{table}/{ply}", answer_own, methods=["POST"]),
    ]
