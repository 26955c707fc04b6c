"""The pages of problems: the problem of the day, and each game's collection by theme and difficulty.

A person answers a problem with a move, and then sees its explanation.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.analysis.problems import Collection, Problem
from spelunke.boards.markup import NOTHING
from spelunke.games.game import Game
from spelunke.records.position import write_position
from spelunke.records.problems import load_problems, set_up
from spelunke.web.forms import need, read_form
from spelunke.web.pages import known_game, site_of
from spelunke.web.parts.problems import (
    draw_problem,
    name_seats,
    render_answer,
    render_collection,
    render_solver,
    render_task,
    render_verdict,
    say_rated,
)
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

DIFFICULTIES = ("1", "2", "3")


def collection_of(request: Request) -> tuple[Game, Collection]:
    """Return the game in the address, and its problems. If the game has none, refuse the request with status 404."""
    game = known_game(request.path_params["game"])
    found = load_problems(game)
    if found is None:
        raise Refusal(404, "not_found", _("There are no problems of {title} yet.").format(title=game.title))
    return game, found


def _problem_of(request: Request) -> tuple[Game, Collection, Problem]:
    game, found = collection_of(request)
    problem = found.find(request.path_params["problem"])
    if problem is None:
        raise Refusal(404, "not_found", _("There is no such problem."))
    return game, found, problem


async def _answered(request: Request, game: Game) -> Mapping[str, bool]:
    site = site_of(request)
    me = await site.guest(request)
    return await call(site.house.answers.of, me.id, game.name) if me else {}


async def _solver(request: Request, game: Game) -> Markup:
    """Draw the person's rating at the game's problems, and their streak. Before their first answer, draw nothing."""
    site = site_of(request)
    me = await site.guest(request)
    found = await call(site.house.answers.solver, me.id, game.name) if me else None
    return render_solver(found) if found else NOTHING


async def show_collection(request: Request) -> Response:
    """Show a game's problems, filtered by theme or difficulty. Mark those that the person has solved or failed."""
    game, found = collection_of(request)
    theme, difficulty = request.query_params.get("theme", ""), request.query_params.get("difficulty", "")
    if (theme and theme not in found.themes) or (difficulty and difficulty not in DIFFICULTIES):
        raise Refusal(400, "field_wrong", _("There is no such theme or difficulty."))
    chosen = [
        one for one in found.problems if theme in ("", one.theme) and difficulty in ("", str(one.difficulty))
    ]
    site, tell = site_of(request), translator(game)
    return await site.page(
        request,
        "problems.html",
        game=game,
        today=found.of_day(datetime.now(UTC).date()),
        body=render_collection(
            game,
            found,
            chosen,
            await _answered(request, game),
            (theme, difficulty),
            tell,
            await call(site.house.answers.problems, game.name),
        ),
        solver=await _solver(request, game),
        open=not (game.hidden or game.together),
    )


async def show_today(request: Request) -> Response:
    """Redirect to the problem of the day."""
    game, found = collection_of(request)
    return RedirectResponse(f"/problems/{game.name}/{found.of_day(datetime.now(UTC).date()).id}", 302)


async def show_problem(request: Request) -> Response:
    """Show a problem with its board. If the address contains an answer (`?answer=`), also show the explanation."""
    game, found, problem = _problem_of(request)
    site, tell = site_of(request), translator(game)
    match = await call(set_up, game, problem)
    names = name_seats(match.seats)
    answer = request.query_params.get("answer", "")
    if answer and answer not in {one.move for one in problem.alternatives}:
        raise Refusal(400, "field_wrong", _("That move can't be played here."))
    order = [one.id for one in found.problems]
    after = order[(order.index(problem.id) + 1) % len(order)]
    me = await site.guest(request)
    solver = await call(site.house.answers.solver, me.id, game.name) if me else None
    rated = (await call(site.house.answers.problems, game.name)).get(problem.id)
    panel = (
        await call(render_answer, game, problem, match, answer, names, tell)
        if answer
        else render_task(problem, rated, solver)
    )
    study = urlencode({"position": write_position(match).decode()})
    return await site.page(
        request,
        "problem.html",
        share=site.share(
            request, _("Problem") + f": {game.title}", f"/problems/{game.name}/{problem.id}/picture.png"
        ),
        game=game,
        problem=problem,
        answer=answer,
        solved=bool(answer) and problem.solves(answer),
        rated=say_rated(rated) if rated and answer else "",
        solver=render_solver(solver) if solver and answer else "",
        decider=names[problem.seat],
        today=found.of_day(datetime.now(UTC).date()).id == problem.id,
        board=draw_problem(problem, match, names, tell, answer),
        sprite=game.hooks.render_sprite(),
        verdict=await call(render_verdict, problem, match, answer, names, tell) if answer else "",
        panel=panel,
        after=after,
        # The analysis board can't show a position with hidden cards, and the position's file would reveal these cards.
        study="" if game.hidden or game.together else f"/analysis/{game.name}?{study}",
    )


async def answer_problem(request: Request) -> Response:
    """Store whether the pressed move is right, and redirect to the explanation.

    An unknown visitor becomes a guest, so that the server can store their results.
    """
    game, _found, problem = _problem_of(request)
    site = site_of(request)
    move = need(await read_form(request), "move").strip()
    if move not in {one.move for one in problem.alternatives}:
        raise Refusal(400, "field_wrong", _("That move can't be played here."))
    me = await site.welcome(request)
    right, hard = problem.solves(move), problem.difficulty
    keep = site.house.answers.keep
    await call(lambda: keep(me.id, game.name, problem.id, right=right, difficulty=hard))
    response = RedirectResponse(f"/problems/{game.name}/{problem.id}?{urlencode({'answer': move})}", 303)
    site.remember(request, response, me)
    return response


def routes() -> list[Route]:
    """Return the routes of problems."""
    return [
        Route("/problems/{game}", show_collection),
        Route("/problems/{game}/today", show_today),
        Route("/problems/{game}/{problem}", show_problem, methods=["GET"]),
        Route("/problems/{game}/{problem}", answer_problem, methods=["POST"]),
    ]
