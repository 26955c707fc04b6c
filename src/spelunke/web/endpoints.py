"""The list of all endpoints of the API, from which the routes and the OpenAPI document are made.

The operations at a table come from `house.operations`.
"""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.core.misfit import explain_misfit
from spelunke.house.messages import ToldRows
from spelunke.house.operation import Operation
from spelunke.house.operations import OPERATIONS
from spelunke.house.people import Company
from spelunke.house.plan import Plan
from spelunke.house.ratings import Board
from spelunke.house.study import AnalysisLook
from spelunke.records.fairness import Verdict
from spelunke.web import api, company_api, member_api, shapes, verify
from spelunke.web.endpoint import Endpoint
from spelunke.web.refusal import Refusal, status_of, write_sentence
from spelunke.web.study_endpoints import STUDY_ENDPOINTS
from spelunke.web.words import translate as _

ROOT = "/api/v1"
LARGEST = 1_000_000
"""The maximum size in bytes of a body after decompression."""


T = TypeVar("T")


TABLE = "/tables/{table}"
AT_TABLE = (400, 401, 403, 404, 409, 415)


def _at_table(operation: Operation) -> Endpoint:
    return Endpoint(
        operation.method,
        f"{TABLE}/{operation.name}",
        api.handle(operation),
        api.ANSWERS[operation.answer].shape,
        operation.summary,
        operation.input,
        secured=True,
        faults=(*AT_TABLE, *map(status_of, operation.raises)),
    )


BESIDE_OPERATIONS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        "/games",
        api.list_games,
        shapes.Games,
        "All games, with options, levels and named ways to play",
    ),
    Endpoint("GET", "/games/{game}", api.show_game, shapes.GameCard, "One game", faults=(404,)),
    Endpoint(
        "POST",
        "/guests",
        api.make_guest,
        shapes.Me,
        "Become a guest",
        shapes.GuestIn,
        201,
        faults=(400, 403, 415),
    ),
    Endpoint("GET", "/key", api.show_key, shapes.HouseKey, "The public key with which the server signs"),
    Endpoint(
        "POST",
        "/verdicts",
        verify.judge_record,
        Verdict,
        "Verify a record as `spelunke verify` does, with the key of this server",
        shapes.VerifyIn,
        faults=(400, 404, 413, 415, 429),
    ),
    Endpoint(
        "GET", "/me", api.show_me, shapes.Me, "The person whose token this is", secured=True, faults=(401,)
    ),
    Endpoint(
        "PATCH",
        "/me",
        api.rename_me,
        shapes.Me,
        "Change the name",
        shapes.NameIn,
        secured=True,
        faults=(400, 401, 409, 415),
    ),
    Endpoint(
        "POST",
        "/members",
        member_api.become_member,
        shapes.Me,
        "Become a member by name and password; a guest's token stops working",
        shapes.MemberIn,
        201,
        faults=(400, 403, 409, 410, 415),
    ),
    Endpoint(
        "POST",
        "/me/devices",
        member_api.log_in,
        shapes.Me,
        "Log in as a member; returns a token for a new device",
        shapes.LogIn,
        201,
        faults=(400, 403, 415),
    ),
    Endpoint(
        "POST",
        "/me/devices/link",
        member_api.link_device,
        shapes.Me,
        "Log in with the code from the link for another device, which the person's account page shows; for terminals",
        shapes.LinkIn,
        201,
        faults=(400, 403, 410, 415),
    ),
    Endpoint(
        "GET",
        "/me/devices",
        member_api.list_devices,
        shapes.Devices,
        "The person's devices",
        secured=True,
        faults=(401,),
    ),
    Endpoint(
        "POST",
        "/me/devices/{device}/end",
        member_api.end_device,
        shapes.Done,
        "Log out a device: its token stops working",
        secured=True,
        faults=(401, 409),
    ),
    Endpoint(
        "GET",
        "/me/people",
        company_api.list_people,
        Company,
        "Friends, requests, and blocked and muted people",
        secured=True,
        faults=(401,),
    ),
    Endpoint(
        "POST",
        "/me/people",
        company_api.ask_friend,
        shapes.Friends,
        "Ask a member to be a friend, by name",
        shapes.FriendIn,
        secured=True,
        faults=(400, 401, 403, 409, 415),
    ),
    Endpoint(
        "POST",
        "/me/people/{address}",
        company_api.change_tie,
        shapes.Friends,
        "Befriend, block or mute the person whose page this is, or undo that",
        shapes.TieIn,
        secured=True,
        faults=(400, 401, 403, 404, 409, 415),
    ),
    Endpoint(
        "POST",
        TABLE + "/report",
        company_api.report,
        shapes.Done,
        "Report messages of one person to the hosts",
        shapes.ReportIn,
        secured=True,
        faults=(400, 401, 404, 409, 415),
    ),
    Endpoint(
        "GET",
        "/me/seeks",
        company_api.list_seeks,
        shapes.Seeks,
        "The games for which the person is looking for opponents",
        secured=True,
        faults=(401,),
    ),
    Endpoint(
        "POST",
        "/me/seeks",
        company_api.seek,
        shapes.SeekName,
        "Look for strangers as opponents in a game",
        shapes.SeekIn,
        201,
        secured=True,
        faults=(400, 401, 403, 404, 409, 415),
    ),
    Endpoint(
        "POST",
        "/me/seeks/{seek}/end",
        company_api.end_seek,
        shapes.Done,
        "Stop looking for opponents",
        secured=True,
        faults=(401, 409),
    ),
    Endpoint(
        "POST",
        "/me/seeks/{seek}/bots",
        company_api.play_bots,
        shapes.TableName,
        "Play against bots instead of waiting for opponents",
        status=201,
        secured=True,
        faults=(401, 409),
    ),
    Endpoint(
        "GET",
        "/me/ratings",
        company_api.list_ratings,
        shapes.OwnRatings,
        "The person's ratings",
        secured=True,
        faults=(401,),
    ),
    Endpoint(
        "GET",
        "/ratings/{game}",
        company_api.show_board,
        Board,
        "The leaderboard of a game and number of seats",
        query=("seats", "page"),
        faults=(400, 404),
    ),
    Endpoint(
        "GET",
        "/tables",
        api.list_tables,
        shapes.Tables,
        "Tables: the open ones, the running ones, or the person's own",
        query=("list", "game", "seats", "pace", "rated", "friends", "least", "most"),
        faults=(400, 401, 404),
    ),
    Endpoint(
        "POST",
        "/tables",
        api.make_table,
        shapes.TableName,
        "Make a table",
        Plan,
        201,
        secured=True,
        faults=(400, 401, 403, 409, 415),
    ),
    Endpoint(
        "POST",
        "/lessons",
        api.begin_lesson,
        shapes.TableName,
        "Begin a lesson",
        shapes.LessonOf,
        201,
        secured=True,
        faults=(400, 401, 404, 409, 415),
    ),
    Endpoint(
        "GET",
        TABLE,
        api.show_table,
        shapes.LookOut,
        "A table as the person may see it, with the log lines after ply `since`",
        query=("since",),
        faults=(400, 404, 409),
    ),
    Endpoint(
        "GET",
        TABLE + "/stream",
        api.stream_table,
        None,
        "The same as a stream: an event `look` whenever the person can see a change",
        query=("since",),
        stream=True,
        faults=(404, 409),
    ),
    Endpoint(
        "GET",
        TABLE + "/chain",
        api.show_chain,
        ToldRows,
        "The texts of the person's chain after ply `since`; when the game is over, of another viewer's chain too",
        query=("since", "viewer"),
        faults=(400, 404, 409),
    ),
    Endpoint(
        "GET",
        TABLE + "/analysis",
        api.show_analysis,
        AnalysisLook,
        "The cost of each decision and the luck of a finished game, or the progress of the analysis",
        faults=(404, 409),
    ),
    Endpoint(
        "GET",
        TABLE + "/record",
        api.show_record,
        dict,
        "The whole finished game; the seed of an event or a day is left out until it is published",
        faults=(404, 409),
    ),
)


def endpoints() -> tuple[Endpoint, ...]:
    """Return all endpoints of the API. The operations at a table come last."""
    return (*BESIDE_OPERATIONS, *STUDY_ENDPOINTS, *map(_at_table, OPERATIONS.values()))


async def _read_bytes(request: Request) -> bytes:
    """Return the body, decompressed if it was sent with `Content-Encoding: gzip`.

    Refuse a body in another encoding, a damaged body, and a body that is too large after decompression.
    """
    data = await request.body()
    if request.headers.get("content-encoding", "identity") == "identity":
        return data
    if request.headers["content-encoding"] != "gzip":
        raise Refusal(415, "not_gzip", _("Send the body uncompressed, or compressed by gzip."))
    inflating = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        data = inflating.decompress(data, LARGEST + 1)
        whole = inflating.eof or len(data) > LARGEST
    except zlib.error:
        whole = False
    if not whole:
        raise Refusal(400, "not_gzip", _("The body is not compressed by gzip, or its end is missing."))
    if len(data) > LARGEST:
        sentence = _.many(
            "The request is too large: at most {bytes} byte is accepted.",
            "The request is too large: at most {bytes} bytes are accepted.",
            LARGEST,
        ).format(bytes=LARGEST)
        raise Refusal(413, "too_large", sentence)
    return data


async def read_body(request: Request, kind: type[T]) -> T:
    """Return the body, parsed as `kind`. If it is not JSON of this type, refuse the request with the reason."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "not_json", _("Send the body as application/json."))
    try:
        return msgspec.json.decode(await _read_bytes(request), type=kind)
    except msgspec.ValidationError as error:
        reason, place = explain_misfit(str(error), kind if issubclass(kind, msgspec.Struct) else None)
        raise Refusal(400, "body_wrong", write_sentence(f"{place or 'the body'}: {reason}")) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(400, "not_json", _("The body is not JSON.")) from None


def _answer(by_method: dict[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        endpoint = by_method["GET" if request.method == "HEAD" else request.method]
        body: object = await read_body(request, endpoint.body) if endpoint.body else None
        answer = await endpoint.handler(request, body)
        if isinstance(answer, Response):
            return answer
        return Response(
            api.ENCODER.encode(answer),
            endpoint.status,
            {"cache-control": "no-store"},
            media_type="application/json",
        )

    return answer


def routes() -> list[Route]:
    """Return one route per path, so that a 405 answer lists the allowed methods. The most frequent path comes first."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints():
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [
        Route(ROOT + path, _answer(by_method), methods=list(by_method), name=f"api {path}")
        for path, by_method in sorted(paths.items(), key=lambda pair: pair[0] != "/tables/{table}/act")
    ]
