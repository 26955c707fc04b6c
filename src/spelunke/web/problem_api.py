"""Endpoints of the API for problems (positions to solve): list a game's problems, show one, and answer it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from starlette.requests import Request

from spelunke.analysis.problems import Collection, Problem
from spelunke.games.game import Game
from spelunke.house.inputs import Body, Json
from spelunke.house.ratings import ProblemLine, Solver
from spelunke.house.study import say_to_player, say_why
from spelunke.records.problems import set_up
from spelunke.web import shapes
from spelunke.web.api import asker
from spelunke.web.pages import site_of
from spelunke.web.parts.problems import name_seats
from spelunke.web.problem_pages import collection_of
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

TODAY = "today"


class ProblemCard(msgspec.Struct, frozen=True, kw_only=True):
    """A problem in a list. `part` is the round of the game, and `difficulty` is from 1 (easy) to 3 (hard).

    `solved` is null until the person has answered. `rating` is null until somebody has answered.
    """

    id: str
    number: int
    theme: str
    difficulty: int
    part: int
    solved: bool | None
    rating: ProblemLine | None


class Problems(msgspec.Struct, frozen=True, kw_only=True):
    """The problems of a game. `today` is the id of the problem of the day.

    `solver` is the person's rating at these problems, or null before the first answer.
    """

    game: str
    title: str
    today: str
    solver: Solver | None
    problems: tuple[ProblemCard, ...]


class ProblemLook(msgspec.Struct, frozen=True, kw_only=True):
    """The position of a problem, as the seat to act sees the table. `legal` has the possible answers.

    `secret` is true if all players choose at the same time here. Then several answers may be right.
    """

    id: str
    game: str
    title: str
    seat: int
    names: tuple[str, ...]
    difficulty: int
    secret: bool
    view: Json
    legal: tuple[shapes.Move, ...]


class AnswerIn(Body, frozen=True):
    """The answer to a problem. `move` is the `text` of one of the problem's legal moves."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """A possible answer with its value: the chance to win (0 to 1) and the expected lead in points.

    `told` is the move as an instruction, such as “Lay the 4 on Spanish 3.”, and `why` are the reasons for and
    against it. If all players choose at the same time, the best play is random, and `share` is the probability with
    which it chooses the move.
    """

    move: str
    told: str
    chance: float
    points: float
    share: float | None
    right: bool
    why: tuple[str, ...]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an answer. `lost` is the chance to win that the answer gives away (0 to 1).

    `moves` are all possible answers, the best first. `chances` has each seat's chance to win in the position.
    """

    right: bool
    lost: float
    theme: str
    moves: tuple[Worth, ...]
    chances: tuple[float, ...]


def _problem_of(request: Request) -> tuple[Game, Collection, Problem]:
    game, found = collection_of(request)
    name = request.path_params["problem"]
    problem = found.of_day(datetime.now(UTC).date()) if name == TODAY else found.find(name)
    if problem is None:
        raise Refusal(404, "not_found", _("There is no such problem."))
    return game, found, problem


def _say_theme(game: Game, problem: Problem) -> str:
    return translator(game)(game.hooks.themes().get(problem.theme, problem.theme))


async def list_problems(request: Request, _body: None) -> Problems:
    """GET /problems/{game}. Return a game's problems, with the person's results."""
    game, found = collection_of(request)
    site = site_of(request)
    answers, me = site.house.answers, await site.guest(request)
    answered = await call(answers.of, me.id, game.name) if me else {}
    rated = await call(answers.problems, game.name)
    return Problems(
        game=game.name,
        title=game.title,
        today=found.of_day(datetime.now(UTC).date()).id,
        solver=await call(answers.solver, me.id, game.name) if me else None,
        problems=tuple(
            ProblemCard(
                id=one.id,
                number=number,
                theme=_say_theme(game, one),
                difficulty=one.difficulty,
                part=one.part,
                solved=answered.get(one.id),
                rating=rated.get(one.id),
            )
            for number, one in enumerate(found.problems, 1)
        ),
    )


async def show_problem(request: Request, _body: None) -> ProblemLook:
    """GET /problems/{game}/{problem}. Return the position and the possible answers, without their values."""
    game, _found, problem = _problem_of(request)
    match = await call(set_up, game, problem)
    judged = {one.move for one in problem.alternatives}
    # The order of the legal moves reveals nothing; the order of the alternatives would reveal the best one.
    legal = ((action, game.notation.write(action)) for action in match.legal(problem.seat))
    return ProblemLook(
        id=problem.id,
        game=game.name,
        title=game.title,
        seat=problem.seat,
        names=name_seats(match.seats),
        difficulty=problem.difficulty,
        secret=problem.secret,
        view=match.view(problem.seat),
        legal=tuple(shapes.Move(text, action) for action, text in legal if text in judged),
    )


async def answer_problem(request: Request, body: AnswerIn) -> Explanation:
    """POST /problems/{game}/{problem}. Store whether the answer is right. Return this, and the value of each move."""
    me = await asker(request)
    game, _found, problem = _problem_of(request)
    move = body.move.strip()
    chosen = next((one for one in problem.alternatives if one.move == move), None)
    if chosen is None:
        raise Refusal(400, "field_wrong", _("That move can't be played here."))
    right, hard = problem.solves(move), problem.difficulty
    keep = site_of(request).house.answers.keep
    await call(lambda: keep(me.id, game.name, problem.id, right=right, difficulty=hard))
    match = await call(set_up, game, problem)
    names, tell, seat = name_seats(match.seats), translator(game), problem.seat

    def explain() -> tuple[Worth, ...]:
        return tuple(
            Worth(
                move=one.move,
                told=say_to_player(match, seat, one.move, names, tell),
                chance=one.value.chance,
                points=one.value.points,
                share=one.share,
                right=problem.solves(one.move),
                why=say_why(match, seat, one.move, names, tell),
            )
            for one in problem.alternatives
        )

    return Explanation(
        right=right,
        lost=max(0.0, problem.alternatives[0].value.chance - chosen.value.chance),
        theme=_say_theme(game, problem),
        moves=await call(explain),
        chances=tuple(value.chance for value in problem.values),
    )
