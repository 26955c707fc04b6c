"""Forward requests for tables that other worker processes own, over Unix sockets, and return the responses.

Each socket carries ASGI messages, preceded by their lengths: first a request with its body, then the
parts of the response. A worker trusts everybody who can open its socket. Therefore only the operator's account
can open the folder of the sockets, and no client can pretend that a request was forwarded. A worker never
forwards a request twice. For the reasons, see docs/why/ownership.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import socket
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spelunke.house.house import House
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import NOT_KNOWN, Worker, Workers, keep_folder_private, open_engine
from spelunke.web.audience import Audiences
from spelunke.web.security import SAFE, Answer
from spelunke.web.settings import Settings
from spelunke.web.threads import call

log = structlog.get_logger("spelunke.web.forwarding")

TABLE = re.compile(r"/(?:t|j|api/v1/tables)/([0-9A-Za-z]+)")
"""Finds the id of the table in a path, as `deploy/nginx/table.conf` does."""
HANDED_OVER = "handed_over"
"""The key in the ASGI scope that marks a forwarded request."""
CONNECT_S = 1.0
SETTLE_S = 5.0
"""The pause, in seconds, between a change of the live workers and the move of streams to their tables' owners."""
BEAT_PATIENCE_S = 1.0
"""The timeout, in seconds, of the database connection on which a worker reports that it is alive.

The timeout is shorter than the time for which a worker may stay silent.
"""
LENGTH = 4


class Asked(msgspec.Struct, array_like=True):
    """A forwarded request, with the fields of ASGI's scope and the body.

    If the body is larger than the limit, only its beginning is sent. It suffices for the refusal.
    """

    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: list[tuple[bytes, bytes]]
    scheme: str
    http_version: str
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    root_path: str
    body: bytes


class Said(msgspec.Struct, array_like=True):
    """A part of a response: the head if ``status`` is not 0, else a piece of the body."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = msgspec.field(default_factory=list)
    body: bytes = b""
    more: bool = True


_asked, _said = msgspec.msgpack.Decoder(Asked), msgspec.msgpack.Decoder(Said)


class Exchange:
    """One worker's connections for forwarding: its own socket, and its connections to the other workers."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.socket_folder
        self._name = settings.worker_name
        self._database = settings.database
        self.body_limit = settings.body_limit
        self.workers = Workers()
        # the requests that this worker answers for others now; their number since the start; the connections to
        # other workers
        self._serving: set[asyncio.Task[None]] = set()
        self.taken_over = 0
        self._lines: defaultdict[Worker, set[asyncio.StreamWriter]] = defaultdict(set)
        self._moving: asyncio.Task[None] | None = None
        # forwarded requests
        self.passages: set[Passage] = set()

    @contextlib.asynccontextmanager
    async def open(self, app: Starlette, house: House) -> AsyncIterator[None]:
        """Let this worker own tables and accept forwarded requests until the end of the `with` block.

        If the worker can't open its socket or use the database, it owns no tables.
        """
        loop = asyncio.get_running_loop()
        self.workers = house.store.workers

        def changed() -> None:
            loop.call_soon_threadsafe(self._rearrange, app.state.site.audiences)

        self.workers.changed = changed
        async with contextlib.AsyncExitStack() as opened:
            try:
                file = await opened.enter_async_context(self._listening(app))
                engine = open_engine(self._database, autocommit=True, most=1, patience=BEAT_PATIENCE_S)
                await call(self.workers.join, engine, self._name, str(file))
            except (OSError, HouseClosed) as error:
                log.warning("this worker owns no tables", error=str(error))
            try:
                yield
            finally:
                if self._moving is not None:
                    self._moving.cancel()
                await self.leave()

    @contextlib.asynccontextmanager
    async def _listening(self, app: ASGIApp) -> AsyncIterator[Path]:
        """Yield a socket's path, and answer forwarded requests there. Raise OSError if no socket can be made."""
        file = self._folder / f"{secrets.token_hex(4)}.sock"
        await call(self._clean)
        server = await asyncio.start_unix_server(lambda r, w: self._take_over(app, r, w), file)
        try:
            yield file
        finally:
            server.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)
            file.unlink(missing_ok=True)

    async def leave(self) -> None:
        """Give up all tables, and end the streams that this worker forwards. All other requests are still answered."""
        await call(self.workers.leave)
        for passage in self.passages:
            passage.end_stream()

    def _clean(self) -> None:
        """Make the folder for sockets, and remove sockets without a listener. Raise OSError if that fails."""
        keep_folder_private(self._folder)
        for file in self._folder.glob("*.sock"):
            with socket.socket(socket.AF_UNIX) as probe:
                try:
                    probe.connect(str(file))
                except ConnectionRefusedError:
                    file.unlink(missing_ok=True)
                except FileNotFoundError:
                    pass

    def _rearrange(self, audiences: Audiences) -> None:
        """React to a change in the list of workers that are alive.

        Cut the connections to workers whose heartbeats have stopped, and move streams to the tables' new owners.
        """
        self._cut_lines()
        if self._moving is not None:
            self._moving.cancel()
        self._moving = asyncio.get_running_loop().create_task(self._move_streams(audiences))

    async def _move_streams(self, audiences: Audiences) -> None:
        """Wait, then end the streams of tables that another worker owns. The clients of these streams reconnect.

        Because of the pause (`SETTLE_S`), a single late heartbeat of a worker moves no streams.
        """
        await asyncio.sleep(SETTLE_S)
        await audiences.end_those(lambda table: self.workers.owner(table) is not None)

    def _cut_lines(self) -> None:
        """Cut the connections to workers whose heartbeats have stopped.

        Keep the connections to a worker that is shutting down: it still answers requests.
        """
        for worker in self.workers.silent & self._lines.keys():
            for line in self._lines.pop(worker):
                line.transport.abort()

    @contextlib.asynccontextmanager
    async def line_to(
        self, worker: Worker
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Yield a connection to another worker, and cut it at the end of the `with` block.

        Raise OSError if the worker can't be reached.
        """
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_unix_connection(worker.socket)
        lines = self._lines[worker]
        lines.add(writer)
        try:
            yield reader, writer
        finally:
            lines.discard(writer)
            if not lines and self._lines.get(worker) is lines:
                del self._lines[worker]
            writer.transport.abort()

    async def _take_over(
        self, app: ASGIApp, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Read a forwarded request from the connection, and write the response."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            asked = _asked.decode(await _read(reader))
            await asyncio.sleep(0)
            self.taken_over += 1
            if not reader.at_eof():  # otherwise the sender gave up while this process was paused
                await _answer(app, asked, reader, writer)
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError):
            pass  # the forwarding worker is gone
        except asyncio.CancelledError:
            pass  # the server is closing
        except Exception as error:  # noqa: BLE001  # the app has logged it; only the connection ends here
            log.warning("a forwarded request failed", kind=type(error).__name__)
        finally:
            self._serving.discard(task)
            writer.close()


async def _answer(
    app: ASGIApp, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    bodies = [asked.body]

    async def receive() -> Message:
        if bodies:
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}
        with contextlib.suppress(OSError):
            await reader.read(1)  # only the end of the connection can follow
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            said = Said(message["status"], list(message.get("headers", [])))
        else:
            said = Said(body=message.get("body", b""), more=message.get("more_body", False))
        _write(writer, said)
        with contextlib.suppress(
            OSError
        ):  # like a server, drop the response if the client is gone; `receive` reports that
            await writer.drain()

    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": asked.http_version,
        "method": asked.method,
        "path": asked.path,
        "raw_path": asked.raw_path,
        "query_string": asked.query,
        "root_path": asked.root_path,
        "scheme": asked.scheme,
        "headers": asked.headers,
        "client": asked.client,
        "server": asked.server,
        HANDED_OVER: True,
    }
    await app(scope, receive, send)


class Forwarding:
    """ASGI middleware that forwards requests for other workers' tables."""

    def __init__(self, app: ASGIApp, exchange: Exchange, answer: Answer) -> None:
        self.app = app
        self.exchange = exchange
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request if another worker owns its table. Otherwise answer the request here."""
        owner = None
        if scope["type"] == "http" and HANDED_OVER not in scope and (found := TABLE.match(scope["path"])):
            owner = self.exchange.workers.owner(found[1])
        if owner is None:
            await self.app(scope, receive, send)
            return
        body = await _read_body(receive, self.exchange.body_limit)
        if body is None:
            return  # the client is gone
        passage = Passage(scope, body, receive, send)
        self.exchange.passages.add(passage)
        try:
            async with self.exchange.line_to(owner) as (reader, writer):
                await passage.go(reader, writer)
                return
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            if not passage.ended:
                log.warning("a worker does not answer", worker=owner.name, error=type(error).__name__)
        finally:
            self.exchange.passages.discard(passage)
        await self._answer_instead(passage, owner)

    async def _answer_instead(self, passage: Passage, owner: Worker) -> None:
        """Finish a request here after its forwarding failed or was cut short.

        If the response has begun and is a stream, end the stream. If any other response has begun, raise
        ConnectionAbortedError. If no response has begun, answer the request here, or refuse it. Refuse it if it isn't
        safe to run twice and the other worker may already have run it.
        """
        scope = passage.scope
        if passage.begun:
            # The client reopens a stream; any other response must not look complete.
            if not passage.streams:
                raise ConnectionAbortedError(f"worker {owner.name} went away in the middle of an answer")
            await passage.send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not passage.handed_over or scope["method"] in SAFE or scope["path"].endswith("/act"):
            # An action has a key, so it is played once even if it arrives twice.
            await self.app(scope, passage.receive_again(), passage.send)
        else:
            await self.answer(scope, 503, NOT_KNOWN)(scope, passage.receive_again(), passage.send)


class Passage:
    """A forwarded request with its response."""

    def __init__(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.send = send
        # whether the other worker may have received the request; whether its response has begun, is a stream,
        # and was ended here
        self.handed_over = self.begun = self.streams = self.ended = False
        self._body = body
        self._receive = receive
        self._writer: asyncio.StreamWriter | None = None

    async def go(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send the request to the other worker, and the response to the client. If the client disconnects, stop.

        If the connection to the other worker breaks, raise OSError or IncompleteReadError. If the other worker sends
        a malformed message, raise msgspec.DecodeError.
        """
        self.handed_over = True
        self._writer = writer
        _write(writer, self._asked())
        await writer.drain()
        gone = asyncio.create_task(self._watch(writer))
        try:
            more = True
            while more:
                said = _said.decode(await _read(reader))
                more = said.more
                await self._pass_on(said)
        except (OSError, asyncio.IncompleteReadError):
            if not (gone.done() and not gone.cancelled()):
                raise
        finally:
            gone.cancel()

    def end_stream(self) -> None:
        """End a response that is a stream, because this worker is closing. Other responses continue."""
        if self.streams and self._writer is not None:
            self.ended = True
            self._writer.transport.abort()

    async def _watch(self, writer: asyncio.StreamWriter) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        writer.transport.abort()

    async def _pass_on(self, said: Said) -> None:
        if said.status:
            self.begun = True
            self.streams = (b"content-type", b"text/event-stream; charset=utf-8") in said.headers
            await self.send(
                {"type": "http.response.start", "status": said.status, "headers": list(said.headers)}
            )
        else:
            await self.send({"type": "http.response.body", "body": said.body, "more_body": said.more})

    def receive_again(self) -> Receive:
        """Return an ASGI `receive` that begins with the request's body, so that this worker can answer the request."""
        bodies = [self._body]

        async def receive() -> Message:
            if bodies:
                return {"type": "http.request", "body": bodies.pop(), "more_body": False}
            return await self._receive()

        return receive

    def _asked(self) -> Asked:
        scope = self.scope
        return Asked(
            method=scope["method"],
            path=scope["path"],
            raw_path=scope.get("raw_path") or b"",
            query=scope["query_string"],
            headers=list(scope["headers"]),
            scheme=scope["scheme"],
            http_version=scope["http_version"],
            client=scope.get("client"),
            server=scope.get("server"),
            root_path=scope.get("root_path", ""),
            body=self._body,
        )


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body, or None if the client is gone.

    If the body is longer than `limit`, stop reading, and return more than `limit` bytes.
    """
    parts, size, more = [], 0, True
    while more and size <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    return b"".join(parts)


def _write(writer: asyncio.StreamWriter, message: msgspec.Struct) -> None:
    packed = msgspec.msgpack.encode(message)
    writer.write(len(packed).to_bytes(LENGTH, "big") + packed)


async def _read(reader: asyncio.StreamReader) -> bytes:
    return await reader.readexactly(int.from_bytes(await reader.readexactly(LENGTH), "big"))
