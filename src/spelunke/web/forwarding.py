"""Requests of a table that belongs to another worker: handed to it over a Unix socket, and its answer back.

What goes over the socket are the messages of ASGI, each with its length before it: first the request with its whole
body, then the answer as it comes. Whoever can open the socket is trusted, so its folder is its owner's alone; from
elsewhere nobody can say that a request was handed over. What was handed over is answered where it arrives.

Why it is made like this: docs/why/ownership.md.
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
"""Where a path names its table, as `deploy/nginx/table.conf` has it."""
HANDED_OVER = "handed_over"
"""In the scope of a request that another worker had first."""
CONNECT_S = 1.0
SETTLE_S = 5.0
"""How long others have lived before streams move to them."""
BEAT_PATIENCE_S = 1.0
"""How long the database of the workers may say nothing: less than a worker may be silent."""
LENGTH = 4


class Asked(msgspec.Struct, array_like=True):
    """A request, as ASGI has it, with its body."""

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
    """A part of the answer: its head where there is a status, else a piece of its body."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = msgspec.field(default_factory=list)
    body: bytes = b""
    more: bool = True


_asked, _said = msgspec.msgpack.Decoder(Asked), msgspec.msgpack.Decoder(Said)


class Exchange:
    """One worker's side of it: its socket, its place among the workers, and what it has handed to others."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.socket_folder
        self._name = settings.worker_name
        self._database = settings.database
        self.body_limit = settings.body_limit
        self.workers = Workers()
        # what others have for this one now and have had so far, and lines to others, by worker
        self._serving: set[asyncio.Task[None]] = set()
        self.taken_over = 0
        self._lines: defaultdict[Worker, set[asyncio.StreamWriter]] = defaultdict(set)
        self._moving: asyncio.Task[None] | None = None
        # what is on its way to others and back
        self.passages: set[Passage] = set()

    @contextlib.asynccontextmanager
    async def open(self, app: Starlette, house: House) -> AsyncIterator[None]:
        """Take over requests and own tables until the end of the block; where that can't be, own none."""
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
        """Answer what others hand over, on a socket of this worker's own. Raises OSError."""
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
        """Own no tables any more and end streams that were handed on; what else was begun is answered still."""
        await call(self.workers.leave)
        for passage in self.passages:
            passage.end_stream()

    def _clean(self) -> None:
        """Make the folder, and remove sockets on which nobody listens any more. Raises OSError."""
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
        """Others live than before."""
        self._cut_lines()
        if self._moving is not None:
            self._moving.cancel()
        self._moving = asyncio.get_running_loop().create_task(self._move_streams(audiences))

    async def _move_streams(self, audiences: Audiences) -> None:
        """Let streams of tables that are another's now be opened anew, there; not because somebody was late once."""
        await asyncio.sleep(SETTLE_S)
        await audiences.end_those(lambda table: self.workers.owner(table) is not None)

    def _cut_lines(self) -> None:
        """Wait no longer for workers that stand still; one that leaves answers what it has."""
        for worker in self.workers.silent & self._lines.keys():
            for line in self._lines.pop(worker):
                line.transport.abort()

    @contextlib.asynccontextmanager
    async def line_to(
        self, worker: Worker
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A line to another worker, which is cut when that one is gone. Raises OSError."""
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
        """Answer a request that another worker has handed over."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            asked = _asked.decode(await _read(reader))
            await asyncio.sleep(0)
            self.taken_over += 1
            if not reader.at_eof():  # else it has stood here while this process stood still, and was given up
                await _answer(app, asked, reader, writer)
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError):
            pass  # who handed it over has gone
        except asyncio.CancelledError:
            pass  # the house closes
        except Exception as error:  # noqa: BLE001  # the app has told it; here only the line ends
            log.warning("what was handed over failed", kind=type(error).__name__)
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
            await reader.read(1)  # nothing more comes but the end
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            said = Said(message["status"], list(message.get("headers", [])))
        else:
            said = Said(body=message.get("body", b""), more=message.get("more_body", False))
        _write(writer, said)
        with contextlib.suppress(
            OSError
        ):  # as servers do it: who has gone gets nothing, and `receive` tells so
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
    """ASGI middleware that hands requests of other workers' tables to these."""

    def __init__(self, app: ASGIApp, exchange: Exchange, answer: Answer) -> None:
        self.app = app
        self.exchange = exchange
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request over, or answer it here."""
        owner = None
        if scope["type"] == "http" and HANDED_OVER not in scope and (found := TABLE.match(scope["path"])):
            owner = self.exchange.workers.owner(found[1])
        if owner is None:
            await self.app(scope, receive, send)
            return
        body = await _read_body(receive, self.exchange.body_limit)
        if body is None:
            return  # who asked has gone
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
        """The table's worker has gone before all was answered: do here what may be done twice."""
        scope = passage.scope
        if passage.begun:
            # A stream is opened again by who reads it; anything else must not look whole.
            if not passage.streams:
                raise ConnectionAbortedError(f"worker {owner.name} went away in the middle of an answer")
            await passage.send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not passage.handed_over or scope["method"] in SAFE or scope["path"].endswith("/act"):
            # An action has a key, so it is done once wherever it comes.
            await self.app(scope, passage.receive_again(), passage.send)
        else:
            await self.answer(scope, 503, NOT_KNOWN)(scope, passage.receive_again(), passage.send)


class Passage:
    """One request on its way to another worker and back."""

    def __init__(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.send = send
        # whether the other worker may have it; whether its answer has begun, is a stream, and was ended here
        self.handed_over = self.begun = self.streams = self.ended = False
        self._body = body
        self._receive = receive
        self._writer: asyncio.StreamWriter | None = None

    async def go(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand it over and pass the answer on; ends early when its client goes. Raises what breaks the line."""
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
        """This worker closes: if it is a stream, let it end here."""
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
        """The request's body once more, for who answers it here."""
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
    """The whole body, or as much of it as shows that it is too large; None when its client has gone."""
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
