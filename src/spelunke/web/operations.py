"""Every operation of the API in one table: its place, what it takes and gives. Routes and description come from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.house.plan import Plan
from spelunke.web import api, shapes
from spelunke.web.refusal import Refusal, write_sentence
from spelunke.web.words import translate as _

ROOT = "/api/v1"


@dataclass(frozen=True)
class Operation:
    """One thing that the API does: its place, its handler, what it takes and gives."""

    method: Literal["GET", "POST", "PATCH", "PUT"]
    path: str
    handler: Callable[[Request, Any], Awaitable[Any]]
    answer: type | None
    summary: str
    body: type | None = None
    status: int = 200
    query: tuple[str, ...] = ()
    secured: bool = False
    stream: bool = False
    faults: tuple[int, ...] = ()


T = "/tables/{table}"
AT_TABLE = (400, 401, 403, 404, 409, 415)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "GET", "/games", api.list_games, shapes.Games, "The games of the shelf, with options and levels"
    ),
    Operation("GET", "/games/{game}", api.show_game, shapes.GameCard, "One game", faults=(404,)),
    Operation(
        "POST", "/guests", api.make_guest, shapes.Me, "Become a guest", shapes.GuestIn, 201, faults=(400, 415)
    ),
    Operation("GET", "/me", api.show_me, shapes.Me, "Who asks", secured=True, faults=(401,)),
    Operation(
        "PATCH",
        "/me",
        api.rename_me,
        shapes.Me,
        "Take another name",
        shapes.NameIn,
        secured=True,
        faults=(400, 401, 415),
    ),
    Operation(
        "GET",
        "/tables",
        api.list_tables,
        shapes.Tables,
        "Tables: open, running, or mine",
        query=("list", "game"),
        faults=(400, 401, 404),
    ),
    Operation(
        "POST",
        "/tables",
        api.make_table,
        shapes.TableName,
        "Make a table",
        Plan,
        201,
        secured=True,
        faults=(400, 401, 415),
    ),
    Operation(
        "GET",
        T,
        api.show_table,
        shapes.LookOut,
        "A table as the asker may see it; log lines after ply `since`",
        query=("since",),
        faults=(400, 404),
    ),
    Operation(
        "GET",
        T + "/stream",
        api.stream_table,
        None,
        "The same, live: an event `look` whenever the asker can see something new",
        query=("since",),
        stream=True,
        faults=(404,),
    ),
    Operation(
        "GET",
        T + "/record",
        api.show_record,
        dict,
        "The whole game with its seed, when it is over",
        faults=(404, 409),
    ),
    Operation(
        "POST",
        T + "/join",
        api.join_table,
        shapes.SeatTakenAt,
        "Sit down",
        shapes.JoinIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/leave",
        api.leave_table,
        shapes.Done,
        "Stand up before the start",
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/nonce",
        api.add_nonce,
        shapes.Done,
        "Give the own share in chance",
        shapes.NonceIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation("POST", T + "/start", api.start_table, shapes.Done, "Start now", secured=True, faults=AT_TABLE),
    Operation(
        "POST",
        T + "/fill",
        api.fill_table,
        shapes.Done,
        "Put bots on free seats (the host)",
        shapes.FillIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST", T + "/act", api.act, shapes.Acted, "Play a move", shapes.ActIn, secured=True, faults=AT_TABLE
    ),
    Operation(
        "POST",
        T + "/take-back",
        api.take_back,
        shapes.Acted,
        "Take the own sealed choice back",
        shapes.TakeBackIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/resign",
        api.resign,
        shapes.Acted,
        "Give up",
        shapes.ResignIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/draw",
        api.draw,
        shapes.Acted,
        "Offer a draw, or answer the offer",
        shapes.DrawIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/rematch",
        api.rematch,
        shapes.TableName,
        "The table of the next game",
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/stand-in",
        api.stand_in,
        shapes.Acted,
        "Let a bot play for the own seat",
        shapes.StandInIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/come-back",
        api.come_back,
        shapes.Acted,
        "Take the own seat over again",
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/chat",
        api.say,
        shapes.Done,
        "Say something",
        shapes.SayIn,
        secured=True,
        faults=(*AT_TABLE, 429),
    ),
    Operation(
        "PUT",
        T + "/standing",
        api.set_standing,
        shapes.Done,
        "Keep the game's own standing orders",
        shapes.StandingIn,
        secured=True,
        faults=AT_TABLE,
    ),
    Operation(
        "POST",
        T + "/draft",
        api.consider,
        shapes.Considered,
        "What picked cards or orders would come to, for the own seat alone; changes nothing",
        shapes.DraftIn,
        secured=True,
        faults=AT_TABLE,
    ),
)


async def read_body(request: Request, kind: type) -> Any:
    """The body as `kind`; refused with the place and the reason."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "not_json", _("Send this as application/json."))
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except msgspec.ValidationError as error:
        raise Refusal(400, "body_wrong", write_sentence(str(error).replace("$", "body"))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(400, "not_json", _("The body is not JSON.")) from None


def _endpoint(operations: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        body = await read_body(request, operation.body) if operation.body else None
        answer = await operation.handler(request, body)
        if isinstance(answer, Response):
            return answer
        return Response(
            api.ENCODER.encode(answer),
            operation.status,
            {"cache-control": "no-store"},
            media_type="application/json",
        )

    return endpoint


def routes() -> list[Route]:
    """One route per path, so that a wrong method is answered with the right ones."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return [
        Route(ROOT + path, _endpoint(operations), methods=list(operations), name=f"api {path}")
        for path, operations in paths.items()
    ]
