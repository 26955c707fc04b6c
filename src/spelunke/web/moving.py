"""The fast path of a move: `POST /t/TABLE/act` of a page and `POST /api/v1/tables/TABLE/act` of a program.

`Moves` answers an ordinary move in one function. It passes all other requests on to the app, for example
previews of unfinished moves, requests without a known token, and illegal moves. So only the app writes refusals. An
illegal move is tried twice, by `Moves` and then by the app, and has no effect. For the reasons, see
docs/why/way-of-a-move.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spelunke.core.errors import SpelunkeError
from spelunke.house.inputs import ActIn
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import run
from spelunke.web.forms import FIELDS, PLAIN_FORM
from spelunke.web.limits import Limits
from spelunke.web.live import SEND
from spelunke.web.security import COUNTED, HEADERS, LANGUAGE_COOKIE, REFUSED, network_of
from spelunke.web.site import Site
from spelunke.web.words import LANGUAGE, choose

PAGE, PROGRAM, ACT = "/t/", "/api/v1/tables/", "/act"
LONGEST = 8_192
"""The maximum size in bytes of the body of an ordinary move."""
JSON = "application/json"
COMPOSE = "compose"
"""The value of `move` if the game composes the move from other fields."""
SAME_SITE = frozenset({"same-origin", "none"})


class NotPlain(Exception):  # handled in this module
    """Raised if `Moves` can't answer the request, so that the app must handle it."""


class Moves:
    """ASGI middleware that answers moves. Of the site's other middleware, only `forwarding.Forwarding` runs before it.

    If a request asks for a stream, `Moves` stores its own `send` in the scope and passes the request on. With this
    `send`, the stream bypasses the middleware that runs after `Moves`.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request if it is an ordinary, legal move of a known person. Pass all others on to the app.

        The docstring of this module has examples of requests that are not ordinary.
        """
        path: str = scope.get("path", "")
        if path.endswith("/stream"):
            scope[SEND] = send
        if not path.endswith(ACT) or scope["type"] != "http" or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        body: bytes | None = None
        try:
            # Admit: identify person and table.
            start = PAGE if path.startswith(PAGE) else PROGRAM
            table = path[len(start) : -len(ACT)]
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            cookies = cookie_parser(headers.get("cookie", ""))
            site: Site = scope["app"].state.site
            me = site.known_at_once(scope, cookies, headers.get("authorization", ""))
            length = headers.get("content-length", "")
            short = length.isdecimal() and len(length) < 5 and int(length) <= LONGEST
            once = len(headers) == len(scope["headers"]) and "transfer-encoding" not in headers
            plain = path.startswith(start) and short and once
            if me is None or not (plain and _is_same_site(scope, headers)):
                raise NotPlain
            body = await _read_body(receive)
            given = _read_move(start, headers, body)
            network = network_of((scope.get("client") or ("unknown", 0))[0])
            if not await self.limits.allow("write", network):
                raise NotPlain  # the app counts it again, and refuses it with a sentence
            scope[COUNTED] = True

            # Load, apply, commit, publish.
            house = site.house
            if start == PROGRAM:
                house.attendance.hush(table, me.id)
                if "authorization" in headers and not house.showing.is_marked(table, me.id):
                    raise NotPlain  # the app marks the seat as a program's
            answer = await run(house.play.act, table, me.id, given.move, given.ply, given.key, given.link)
            if answer.status == "stale":
                raise NotPlain
        except ClientDisconnect:
            return
        except (NotPlain, SpelunkeError) as error:
            if isinstance(error, HouseClosed):
                scope[REFUSED] = error  # the app reports it without a retry
            await self.app(scope, receive if body is None else _again(body, receive), send)
            return

        told = b"" if start == PAGE else msgspec.json.encode(answer)
        LANGUAGE.set(choose(cookies.get(LANGUAGE_COOKIE), headers.get("accept-language", "")))
        head = write_head()
        if told:
            head += [(b"content-type", JSON.encode()), (b"content-length", b"%d" % len(told))]
        await send({"type": "http.response.start", "status": 200 if told else 204, "headers": head})
        await send({"type": "http.response.body", "body": told})


def write_head() -> list[tuple[bytes, bytes]]:
    """Return the headers that each response of the fast paths (`Moves`, `Reads`) has."""
    return [*HEADERS, (b"content-language", LANGUAGE.get().encode())]


async def _read_body(receive: Receive) -> bytes:
    """Return the whole body. Raise ClientDisconnect if the client is gone."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body


def _is_same_site(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from a page of this site, or from a program that is not a browser.

    If this is false, the app's middleware `security.Guard` decides. `Guard` also accepts the site's public address as
    origin.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in SAME_SITE
    origin = headers.get("origin")
    return origin is None or origin == f"{scope['scheme']}://{headers.get('host', '')}"


def _read_move(start: str, headers: Mapping[str, str], body: bytes) -> ActIn:
    """Return the move from a form or from JSON. Raise NotPlain for anything else."""
    kind = headers.get("content-type")
    try:
        if start == PROGRAM and kind == JSON:
            return msgspec.json.decode(body, type=ActIn)
        if start == PAGE and kind == PLAIN_FORM and "hx-request" in headers:
            text = body.decode("latin-1")
            form: dict[str, str] = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS))
            if form.get("move", COMPOSE) != COMPOSE:
                known = {name: form[name] for name in ActIn.__struct_fields__ if name in form}
                return msgspec.convert(known, ActIn, strict=False)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        pass
    raise NotPlain


def _again(body: bytes, receive: Receive) -> Receive:
    """Return an ASGI `receive` that first delivers the already read body again, and afterwards calls `receive`."""
    first = True

    async def receive_again() -> Message:
        nonlocal first
        if first:
            first = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return receive_again
