"""The API endpoints for problems (positions to solve) and for the game of the day."""

from __future__ import annotations

from spelunke.web import daily_api, problem_api, shapes
from spelunke.web.endpoint import Endpoint

STUDY_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        "/problems/{game}",
        problem_api.list_problems,
        problem_api.Problems,
        "The problems of a game, and which of them the person has solved",
        faults=(404,),
    ),
    Endpoint(
        "GET",
        "/problems/{game}/{problem}",
        problem_api.show_problem,
        problem_api.ProblemLook,
        "The position of a problem and its possible answers; `today` is the problem of the day",
        faults=(404,),
    ),
    Endpoint(
        "POST",
        "/problems/{game}/{problem}",
        problem_api.answer_problem,
        problem_api.Explanation,
        "Answer a problem; returns whether that was right, and the value of each move",
        problem_api.AnswerIn,
        secured=True,
        faults=(400, 401, 404, 415),
    ),
    Endpoint(
        "GET",
        "/daily",
        daily_api.list_today,
        daily_api.TodaysGames,
        "Today's game of the day of each game, with the person's results",
    ),
    Endpoint(
        "GET",
        "/daily/{game}/{day}",
        daily_api.show_day,
        daily_api.DayLook,
        "The game of a day with its results, which are listed when the day is over or the person has played",
        query=("page",),
        faults=(400, 404),
    ),
    Endpoint(
        "POST",
        "/daily/{game}/{day}",
        daily_api.play_day,
        shapes.TableName,
        "Begin the game of a day, or return the table at which the person plays it",
        status=201,
        secured=True,
        faults=(400, 401, 403, 404, 409),
    ),
)
