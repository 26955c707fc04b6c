"""Answer frequent reads faster than the app: tables, their streams, and reports that a person is present (`/here`).

`Reads` answers ordinary requests of known people. It passes all other requests on to the app. These include the
requests that must be refused: only the app writes refusals. See docs/why/way-of-a-move.md.
"""

from __future__ import annotations

import time
from typing import Literal

from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from spelunke.core.digits import is_number
from spelunke.core.errors import SpelunkeError
from spelunke.core.letters import LETTERS
from spelunke.house.store import run
from spelunke.web.api import encode_look, stream_looks
from spelunke.web.limits import Limits
from spelunke.web.live import look_for, respond, stream_parts
from spelunke.web.moving import JSON, PAGE, PROGRAM, write_head
from spelunke.web.security import COUNTED, LANGUAGE_COOKIE, network_of
from spelunke.web.site import Site
from spelunke.web.words import LANGUAGE, LETTERS_COOKIE, OWN_LETTERS, choose

HERE, STREAM = "/here", "/stream"
SINCE = b"since="
Way = Literal["here", "page stream", "stream", "look"]


class Reads:
    """ASGI middleware that answers frequent reads itself, so that they skip the middleware `Journal` and `Guard`."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ordinary read, or pass the request on to the app."""
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or not await self._answer(scope, receive, send)
        ):
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Answer a request and return True. If the app must answer, return False."""
        found = _find_way(scope)
        if found is None:
            return False
        way, table, since = found
        began = time.perf_counter()

        # Admit: identify the person, and count the request.
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        cookies = cookie_parser(headers.get("cookie", ""))
        site: Site = scope["app"].state.site
        me = site.known_at_once(scope, cookies, headers.get("authorization", ""))
        has_body = "content-length" in headers or "transfer-encoding" in headers
        if me is None or has_body or len(headers) != len(scope["headers"]):
            return False
        network = network_of((scope.get("client") or ("unknown", 0))[0])
        is_stream = way in {"page stream", "stream"}
        if is_stream and not self.limits.may_stream(network):
            return False
        if not await self.limits.allow("read", network):
            return False  # the app counts it again, and refuses it with a sentence
        scope[COUNTED] = True
        LANGUAGE.set(choose(cookies.get(LANGUAGE_COOKIE), headers.get("accept-language", "")))
        OWN_LETTERS.set(LETTERS.get(cookies.get(LETTERS_COOKIE, "")))

        # Read.
        house, body = site.house, b""
        try:
            if way == "here":
                await run(house.attendance.ping, table, me.id)
            elif way == "look":
                await run(house.attendance.fetched, table, me.id)
                body = encode_look((await run(look_for, site, table, me.id, since))[0])
            else:
                await run(house.looks.version, table, me.id)
        except SpelunkeError:
            return False

        # Answer.
        head = write_head()
        if way != "here":
            path = (
                "/t/{table}/stream"
                if way == "page stream"
                else f"/api/v1/tables/{{table}}{is_stream * STREAM}"
            )
            site.meter.note(path, "GET", 200, time.perf_counter() - began, at_table=False)
        if is_stream:
            request = Request(scope, receive)
            page = way == "page stream"
            parts = stream_parts(site, request, table, me.id) if page else stream_looks(request, table, me.id)
            stream = respond(parts)
            stream.raw_headers += [pair for pair in head if pair[0] != b"cache-control"]
            with self.limits.streaming(network):
                await stream(scope, receive, send)
            return True
        if body:
            head += [(b"content-type", JSON.encode()), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200 if body else 204, "headers": head})
        await send({"type": "http.response.body", "body": body})
        return True


def _find_way(scope: Scope) -> tuple[Way, str, int] | None:
    """Return the kind of read, the table, and the ply after which the log in the answer begins.

    Only reads of the kind `look` use the ply. For all other kinds, it is 0. If the app must answer, return None.
    """
    path, query = scope["path"], scope["query_string"]
    if path.startswith(PAGE):
        rest = path[len(PAGE) :]
        if rest.endswith(HERE):
            return "here", rest[: -len(HERE)], 0
        return ("page stream", rest[: -len(STREAM)], 0) if rest.endswith(STREAM) else None
    if not path.startswith(PROGRAM):
        return None
    rest = path[len(PROGRAM) :]
    if rest.endswith(STREAM):
        return "stream", rest[: -len(STREAM)], 0
    since = query[len(SINCE) :].decode("latin-1")
    # A whole log takes long: the app writes it in a thread.
    plain = "/" not in rest and query.startswith(SINCE) and is_number(since)
    return ("look", rest, int(since)) if plain and int(since) > 0 else None
