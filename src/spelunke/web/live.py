"""Live streams of a table (server-sent events). They send each change that the viewer can see.

Each message with a new state of the table carries a version number, so a client that reconnects gets exactly what it
missed. Such a message is sent only when something changes that the viewer can see, so its timing reveals nothing
hidden.
For the reasons, see docs/why/pages.md.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from spelunke.core.digits import is_number
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.house.people import Hold
from spelunke.house.refusals import UnknownTable, WatchLater
from spelunke.house.table import Stay
from spelunke.web.audience import RELOAD, Closing, Reader
from spelunke.web.cookies import read_hand
from spelunke.web.hearts import Heart
from spelunke.web.lines import LINE, Line
from spelunke.web.parts.table import Draft
from spelunke.web.renderings import Asker, Since
from spelunke.web.site import EXPLAIN_COOKIE, HOST, Site
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE, OWN_LETTERS, tongue_of

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
SEND = "send"
"""The key in the ASGI scope for the `send` of `moving.Moves`. Streams use it to bypass the middleware after `Moves`."""


def write_beat(seconds: float) -> bytes:
    """Return a heartbeat for a page, with the milliseconds until the next heartbeat.

    The heartbeat is an event of the stream. A comment line would not do, because a page's scripts can't see it.
    """
    return b"event: beat\ndata: %d\n\n" % round(seconds * 1000)


def read_since(request: Request) -> Since:
    """Return the version that the client already has, from `Last-Event-ID` or `?since=`. Ignore malformed values."""
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
    decides: int | None = None,
) -> tuple[Look, Game]:
    """Return the table as the person may see it, and its game, in the language of the request. This call blocks.

    The log begins after ply `since`. For `draft` and `recall`, see `house.play.looks.Looks.look`,
    and for `decides`, see `visit` there.
    """
    tongue = tongue_of()
    _glance, look = site.house.looks.visit(
        table,
        person,
        since=since,
        translate=tongue.games,
        words=tongue.house,
        draft=draft,
        recall=recall,
        decides=decides,
    )
    return look, find_game(look.game)


def asker_of(site: Site, request: Request, person: str | None) -> Asker:
    """Return the reader of a table, with the request's language and letters on cards (see `core.letters`)."""
    return Asker(person, LANGUAGE.get(), site.invite(request, ""), own_letters=OWN_LETTERS.get())


FIRST_GAMES = 3
"""By default, the page explains choices in this number of a person's first games of each kind."""


async def page_asker_of(site: Site, request: Request, table: str, person: str | None) -> Asker:
    """Return the reader of a page with their preferences, which are fields of `Asker`.

    `explains` is true if the person always wants explanations of choices. If they have no preference, it is true in
    their first games. `coached` is true if they want to see the value of each choice without asking for it.
    """
    hand = site.hand_of(request)
    asker = asker_of(site, request, person)
    if hand is not None:
        asker = asker._replace(recalls=hand.summary, answered=hand.answered, decides=hand.decides)
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
    """Count a stream as open during the `with` block. Yield a `Stay`, which records that the person is present.

    A program's stream is `lasting`: the person is present while it is open. For a page's stream, the person is present
    only while the page also sends regular requests.
    """
    stay = site.house.attendance.stay(table, lasting=lasting)
    site.meter.streams.inc()
    try:
        yield stay
    finally:
        site.house.attendance.leave(stay)
        site.meter.streams.dec()


async def stream_parts(site: Site, request: Request, table: str, person: str | None) -> AsyncGenerator[bytes]:
    """Yield the messages for a viewer's page. Begin after the version that the page already shows."""
    with staying(site, table, lasting=False) as stay:
        changes = site.house.people.changes
        asker = await page_asker_of(site, request, table, person)
        reader = Reader("page", asker, read_since(request), stay, changes=changes)
        hand = site.hand_of(request)
        if hand is not None:
            if hand.curtained and request.query_params.get("hand", hand.name) != hand.name:
                yield RELOAD  # the curtain has opened or closed since the page was loaded
            reader.host, reader.shown = request.scope[HOST], read_hand(request.cookies)
            stay.host = reader.host
        beat_s = min(site.settings.beat, site.settings.heartbeat)
        line = line_of(request)
        async for part in follow(site, table, reader, write_beat, beat_s, site.hold(request, person), line):
            yield part
            del part


async def follow(
    site: Site,
    table: str,
    reader: Reader,
    beat: bytes | Callable[[float], bytes],
    beat_s: float,
    hold: Hold | None = None,
    line: Line | None = None,
) -> AsyncGenerator[bytes]:
    """Yield messages for a reader when there is a change, and a heartbeat after `beat_s` seconds without a change.

    `beat` is the heartbeat, or a function that returns the heartbeat. The function gets the number of seconds until the
    next heartbeat. With a function, heartbeats become rarer while there are no changes (`hearts.Heart`). Their
    timing depends only on the messages that this reader gets, so it reveals no hidden events.

    If there is a `line` (a direct connection to the client), heartbeats are normally written to it instead of
    being yielded. If there is a `hold`, it ends the stream when the reader's device is logged out. If the reader may no
    longer see the table, or if the server closes, raise the error that ends the stream (`Reader.wait`).
    """
    yield b": here\n\n"

    def give_sign() -> None:
        if line is None or (hold is not None and hold.in_doubt):
            reader.rouse()
        else:
            line.write_chunk(sign())

    def sign() -> bytes:
        return beat if isinstance(beat, bytes) else beat(heart.seconds)

    heart = Heart(beat_s, give_sign, calms=not isinstance(beat, bytes))
    loop = asyncio.get_running_loop()
    with site.audiences.joined(table, reader) as audience, contextlib.ExitStack() as stack:
        stack.callback(heart.stop)
        site.audiences.hearts.begin(heart)
        while True:
            message = await reader.wait()
            if hold is not None and hold.in_doubt and await call(hold.is_over):
                return
            if message is None:
                yield sign()
                continue
            if reader.behind:
                reader.behind = False
                audience.ask([reader])
            if reader.watches:
                site.meter.pushes.inc()
            yield message
            heart.said = loop.time()
            del message  # otherwise each stream would keep its last message in memory


def line_of(request: Request) -> Line | None:
    """Return the direct connection to the client, or None if the server provides none or if this is no GET request."""
    line = request.scope.get("extensions", {}).get(LINE)
    return line if request.method == "GET" else None


class EventStream(Response):
    """A streaming response that ends when its client disconnects.

    The request's own task sends the messages. A second task waits for the disconnect.
    """

    def __init__(self, stream: AsyncGenerator[bytes]) -> None:
        self._stream = stream
        self.status_code = 200
        self.media_type = "text/event-stream"
        self.background = None
        self.init_headers(HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send messages until the stream ends, or until the client is gone."""
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
            listening.result()  # raise the error that broke the connection, if there was one
        finally:
            listening.remove_done_callback(stop)
            listening.cancel()

    async def _send_all(self, send: Send) -> None:
        async with contextlib.aclosing(self._stream):
            # the table was deleted, or admits only its players: the next request gets the refusal
            with contextlib.suppress(UnknownTable, WatchLater, Closing):
                async for part in self._stream:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                    del part  # release it while waiting for the next one
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def respond(stream: AsyncGenerator[bytes]) -> EventStream:
    """Return a stream as a response that proxies don't buffer.

    The response ends if the table is deleted, if the viewer may no longer see the table, if another worker takes the
    table over, or if the server closes.
    """
    return EventStream(stream)
