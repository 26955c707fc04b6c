"""Live streams of a table (server-sent events): whole parts, as soon as this viewer can see something new.

Each message carries the viewer's version, so whoever comes back gets exactly what is true now. A message is sent when
the viewer's own version changes, or what it sees of who is there, and never otherwise, so its timing tells nothing
about what others can't show.

Why it is made like this: docs/why/pages.md.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from spelunke.core.digits import is_number
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.house.people import Hold
from spelunke.house.refusals import UnknownTable
from spelunke.house.table import Stay
from spelunke.web.audience import Closing, Reader
from spelunke.web.hearts import Heart
from spelunke.web.lines import LINE, Line
from spelunke.web.parts.table import Draft
from spelunke.web.renderings import Asker, Since
from spelunke.web.site import EXPLAIN_COOKIE, Site
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE, tongue_of

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
SEND = "send"
"""Where a request keeps the `send` of the server, past all middleware, which has nothing to say to a message."""
BEAT = b"event: beat\n\n"
"""A sign of life for a page, whose scripts can see events and no comments."""


def read_since(request: Request) -> Since:
    """What the client has: `Last-Event-ID` wins over `?since=`; nothing for anything that is not understood."""
    text = request.headers.get("last-event-id") or request.query_params.get("since", "")
    version, _, rest = text.partition(".")
    ply, _, stamp = rest.partition(".")
    if is_number(version) and is_number(ply or "0") and len(text) < 48:
        return Since(int(version), int(ply or 0), stamp)
    return Since()


def look_for(
    site: Site,
    table: str,
    person: str | None,
    since: int = 0,
    draft: Draft | None = None,
    *,
    recall: bool = False,
) -> tuple[Look, Game]:
    """The table as that person may see it, in the language of the request. Blocking."""
    tongue = tongue_of()
    look = site.house.looks.look(
        table, person, since=since, translate=tongue.games, words=tongue.house, draft=draft, recall=recall
    )
    return look, find_game(look.game)


def asker_of(site: Site, request: Request, person: str | None) -> Asker:
    """Who asks, in the language of the request."""
    return Asker(person, LANGUAGE.get(), site.invite(request, ""))


FIRST_GAMES = 3
"""What choices mean is told until somebody has finished so many games of a kind."""


async def page_asker_of(site: Site, request: Request, table: str, person: str | None) -> Asker:
    """Who asks for a page, and what they wish to be told.

    What choices mean is told as they wish, or in their first games; what each is worth, where they have the coach on.
    """
    asker = asker_of(site, request, person)
    if person is not None:
        known = site.house.people.known(person)
        if known is None:
            known = await call(site.house.people.find, person)
        asker = asker._replace(coached=known.coached)
    wish = request.cookies.get(EXPLAIN_COOKIE, "auto")
    if wish == "never" or person is None:
        return asker
    if wish != "always":
        finished = await call(site.house.histories.count_finished, person, table, FIRST_GAMES)
        if finished >= FIRST_GAMES:
            return asker
    return asker._replace(explains=True)


@contextlib.contextmanager
def staying(site: Site, table: str, *, lasting: bool) -> Iterator[Stay]:
    """Count an open stream, and give the stay that keeps its person at the table (`Attendance.glances`)."""
    stay = site.house.attendance.stay(table, lasting=lasting)
    site.meter.streams.inc()
    try:
        yield stay
    finally:
        site.house.attendance.leave(stay)
        site.meter.streams.dec()


async def stream_parts(site: Site, request: Request, table: str, person: str | None) -> AsyncGenerator[bytes]:
    """The page's stream for one viewer, from the version that its page has."""
    with staying(site, table, lasting=False) as stay:
        asker = await page_asker_of(site, request, table, person)
        reader = Reader("page", asker, read_since(request), stay)
        beat_s = min(site.settings.beat, site.settings.heartbeat)
        line = line_of(request)
        async for part in follow(site, table, reader, BEAT, beat_s, site.hold(request, person), line):
            yield part
            del part


async def follow(
    site: Site,
    table: str,
    reader: Reader,
    beat: bytes,
    beat_s: float,
    hold: Hold | None = None,
    line: Line | None = None,
) -> AsyncGenerator[bytes]:
    """What is new to a reader, as soon as there is something, and a sign of life every so many seconds.

    It ends with the device that opened it. A message is a sign of life too. When a heart beats rests on nothing else:
    what a reader is not told must not make the next beat later. A beat goes to the `line` past this task, if it can.
    """
    yield b": here\n\n"

    def give_sign() -> None:
        if line is None or (hold is not None and hold.in_doubt):
            reader.rouse()
        else:
            line.write_chunk(beat)

    heart = Heart(beat_s, give_sign)
    with site.audiences.joined(table, reader) as audience, contextlib.ExitStack() as stack:
        stack.callback(heart.stop)
        site.audiences.hearts.begin(heart)
        while True:
            message = await reader.wait()
            if hold is not None and hold.in_doubt and await call(hold.is_over):
                return
            if message is None:
                yield beat
                continue
            if reader.behind:
                reader.behind = False
                audience.ask([reader])
            if reader.watches:
                site.meter.pushes.inc()
            yield message
            heart.speak()
            del message  # else each stream holds what it sent last until something new comes


def line_of(request: Request) -> Line | None:
    """The line to the client, where what serves the house tells it."""
    line = request.scope.get("extensions", {}).get(LINE)
    return line if request.method == "GET" else None


class EventStream(Response):
    """A stream that ends when its client goes. Starlette's has two tasks in a group for that, this one has one."""

    def __init__(self, stream: AsyncGenerator[bytes]) -> None:
        self._stream = stream
        self.status_code = 200
        self.media_type = "text/event-stream"
        self.background = None
        self.init_headers(HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what comes until nothing does any more, or nobody is there to take it."""
        sending = asyncio.current_task()
        assert sending is not None
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def listen() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        def stop(_listening: asyncio.Task[None]) -> None:
            sending.cancel()

        listening = asyncio.create_task(listen())
        listening.add_done_callback(stop)
        try:
            await self._send_all(scope.get(SEND, send))
        except asyncio.CancelledError:
            if not listening.done():
                raise
            sending.uncancel()
            listening.result()  # raises what broke the line, if it was not the client that went
        finally:
            listening.remove_done_callback(stop)
            listening.cancel()

    async def _send_all(self, send: Send) -> None:
        async with contextlib.aclosing(self._stream):
            with contextlib.suppress(UnknownTable, Closing):  # cleaned away: who asks again is told
                async for part in self._stream:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                    del part  # nothing of it is held while the next is waited for
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def respond(stream: AsyncGenerator[bytes]) -> EventStream:
    """Return a stream as a response that no proxy holds back; it ends with its table."""
    return EventStream(stream)
