"""A server for benchmarks, and fast clients that play and watch at its tables.

A player opens a stream for a page (`page`) or for a program (`json`). It plays random legal moves, which it takes from
the newest message of the stream, and knows nothing else. The clients write to their sockets without an HTTP library.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import random
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote_plus

import msgspec

from spelunke.web.patches import PageParts

Kind = Literal["page", "json"]
HOST = "127.0.0.1"
_MOVE = re.compile(rb'name="move" value="([^"]*)"')
_HIDDEN = {name: re.compile(rb'name="%s" value="([^"]*)"' % name.encode()) for name in ("ply", "key", "link")}


# --- the server, in its own process ---------------------------------------------------------------------------


def serve(port: int, database: str, redis: str = "") -> None:
    """Run a server without rate limits, because all clients of a benchmark have the same address."""
    import uvicorn

    from spelunke.bots.warming import load_compiler

    load_compiler()  # as `spelunke serve` does
    from spelunke.house.house import open_house
    from spelunke.web.app import create_app, set_up_logs
    from spelunke.web.collecting import Collector
    from spelunke.web.gate import make_config
    from spelunke.web.settings import Settings

    many = 10**9
    settings = Settings(
        database=database,
        redis=redis,
        port=port,
        secret="the secret of a benchmark",
        metrics_token="of a benchmark",
        log_level="error",
        reads_per_minute=many,
        writes_per_minute=many,
        tables_per_hour=many,
        connections=many,
        connections_per_address=many,
        streams_per_address=many,
    )
    set_up_logs(settings)
    house = open_house(database, redis=redis, bot_pause=0.7, nonce_wait=5.0)
    app = create_app(settings, house, closing=house.close)
    Collector().start()
    uvicorn.Server(make_config(app, settings)).run()


@dataclass
class Server:
    """A running server, and the resources that its process uses."""

    port: int
    process: Any

    @property
    def processor(self) -> float:
        """The processor time of all threads of the server so far, in seconds."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    @property
    def memory(self) -> float:
        """The memory of the server in megabytes."""
        told = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", told)[1]) / 1024  # type: ignore[index]

    @property
    def own_memory(self) -> float:
        """The memory of the server in megabytes, without the memory that it shares with other processes."""
        told = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return sum(int(kb) for kb in re.findall(r"Private_(?:Clean|Dirty):\s+(\d+)", told)) / 1024


def find_port() -> int:
    """Return the number of a free port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def open_server(database: str, redis: str = "", port: int = 0) -> Iterator[Server]:
    """Yield a new server that already answers, and stop it at the end."""
    port = port or find_port()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(port, database, redis), daemon=True
    )
    process.start()
    try:
        for _ in range(1800):
            try:
                urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=5).close()
                break
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        else:
            raise SystemExit("the house did not open within three minutes")
        yield Server(port, process)
    finally:
        process.terminate()
        process.join(20)


# --- lines ---------------------------------------------------------------------------------------------------------


class Line:
    """A keep-alive connection for HTTP requests and their answers."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.token = port, token
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Connect to the server, if there is no connection or the server has closed it."""
        if self.reader is None or self.reader.at_eof():
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port, limit=2**20)

    def send(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> None:
        assert self.writer is not None
        who = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nHX-Request: true\r\n{who}{length}\r\n"
        )
        self.writer.write(head.encode() + body)

    async def answer(self) -> tuple[int, bytes]:
        status, headers = await self.head()
        length = int(headers.get(b"content-length", b"0"))
        assert self.reader is not None
        return status, await self.reader.readexactly(length) if length else b""

    async def insist(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        """Send a request until it is answered, and return the status and the content of the answer.

        A busy server closes connections that seem idle. It is safe to send a move again, because the server plays a
        move with the same key only once.
        """
        while True:
            await self.open()
            self.send(method, path, body, kind)
            try:
                return await self.answer()
            except (ConnectionError, asyncio.IncompleteReadError):
                self.reader = None

    async def head(self) -> tuple[int, dict[bytes, bytes]]:
        assert self.reader is not None
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        named = (line.split(b": ", 1) for line in lines if line)
        return int(first.split()[1]), {name.lower(): value for name, value in named}

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        await self.open()
        self.send(method, path, b"" if body is None else msgspec.json.encode(body))
        status, content = await self.answer()
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
        return msgspec.json.decode(content) if content[:1] in b"{[" and content else content

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


@dataclass
class Stream:
    """A client's stream of a table, with its newest message and the time of this message."""

    port: int
    table: str
    kind: Kind
    token: str = ""
    ply: int = -1
    at: float = 0.0
    messages: int = 0
    size: int = 0
    content: bytes = b""
    page: PageParts = field(default_factory=PageParts)
    line: Line = field(init=False)
    reading: asyncio.Task[None] | None = None
    told: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self) -> None:
        self.line = Line(self.port, self.token)
        await self.line.open()
        root = "/api/v1/tables" if self.kind == "json" else "/t"
        self.line.send("GET", f"{root}/{self.table}/stream")
        status, _headers = await self.line.head()
        assert status == 200, status
        self.reading = asyncio.create_task(self._read())
        while not self.messages:
            await self.told.wait()
            self.told.clear()

    async def _read(self) -> None:
        reader = self.line.reader
        assert reader is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while size := int(await reader.readline() or b"0", 16):
                part = (await reader.readexactly(size + 2))[:-2]
                if part.startswith(b"id: "):
                    self.at = time.perf_counter()
                    self.ply = int(part[4:60].split(b".")[1])
                    self.messages += 1
                    self.size += len(part)
                    if self.kind == "json":
                        self.content = part
                    elif b'"board":' in part:  # else only presence has changed
                        self.page.take(part[part.index(b"data: ") + 6 :].strip())
                        self.content = self.page.part("board").encode()
                    self.told.set()

    async def reach(self, ply: int) -> float:
        """Wait for a message with at least this ply, and return its time in seconds."""
        while self.ply < ply:
            self.told.clear()
            await self.told.wait()
        return self.at

    def choose(self, chooser: random.Random) -> tuple[str, bytes, str] | None:
        """Return the path, the body and the content type of a request with a random legal move.

        Return None if this client may not act.
        """
        if self.kind == "json":
            body = self.content[self.content.index(b"data: ") + 6 :]
            look = msgspec.json.decode(body)
            if not look["legal"]:
                return None
            move = chooser.choice(look["legal"])["text"]
            act = {
                "move": move,
                "ply": look["ply"],
                "key": f"key-{look['ply']:08d}",
                "link": look["chain"]["link"],
            }
            return f"/api/v1/tables/{self.table}/act", msgspec.json.encode(act), "application/json"
        moves = _MOVE.findall(self.content)
        if not moves:
            return None
        known = {
            name: found[1].decode() for name, own in _HIDDEN.items() if (found := own.search(self.content))
        }
        fields = {**known, "move": chooser.choice(moves).decode()}
        form = "&".join(f"{name}={quote_plus(value)}" for name, value in fields.items())
        return f"/t/{self.table}/act", form.encode(), "application/x-www-form-urlencoded"

    def close(self) -> None:
        if self.reading is not None:
            self.reading.cancel()
        self.line.close()


@dataclass
class Pair:
    """Two players at a table of Shanghaien. Each has a stream and a connection for actions."""

    port: int
    kind: Kind
    seed: int
    table: str = ""
    game: str = "shanghaien"
    players: tuple[str, ...] = ()
    streams: list[Stream] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    moves: int = 0
    over: bool = False
    # seconds from a move to its answer, and to the other's stream
    answered: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chooser = random.Random(self.seed)

    async def sit(self) -> None:
        """Make a new table, seat both players, and open their streams. At the first call, sign both up as guests."""
        self.close_streams()
        if not self.lines:
            for name in ("Anna", "Bert"):
                line = Line(self.port)
                line.token = (await line.ask("POST", "/api/v1/guests", {"name": name}))["token"]
                self.lines.append(line)
        host, guest = self.lines
        plan = {"game": self.game, "seats": ["me", "open"], "listed": False}
        self.table = (await host.ask("POST", "/api/v1/tables", plan))["table"]
        api = f"/api/v1/tables/{self.table}"
        await guest.ask("POST", f"{api}/join", {})
        for line in self.lines:
            await line.ask("POST", f"{api}/nonce", {"nonce": "bench"})
        self.over = False
        self.streams = [Stream(self.port, self.table, self.kind, line.token) for line in self.lines]
        for stream in self.streams:
            await stream.open()
        # both players are present now, and both streams have reported it
        await asyncio.sleep(0.05)

    async def move(self) -> bool:
        """Play one move, and wait until both streams have it. Return False if the game is over."""
        chosen = [stream.choose(self.chooser) for stream in self.streams]
        place = next((place for place, act in enumerate(chosen) if act is not None), None)
        if place is None:
            self.over = True
            return False
        before = [stream.ply for stream in self.streams]
        line, own, other = self.lines[place], self.streams[place], self.streams[1 - place]
        await line.open()
        began = time.perf_counter()
        status, content = await line.insist("POST", *chosen[place])
        if status >= 400:
            raise RuntimeError(f"{chosen[place]!r}: {status} {content[:300]!r}")
        self.answered.append(time.perf_counter() - began)
        self.shown.append(await other.reach(before[1 - place] + 1) - began)
        await own.reach(before[place] + 1)
        self.moves += 1
        return True

    def close_streams(self) -> None:
        for stream in self.streams:
            stream.close()
        self.streams = []

    def close(self) -> None:
        self.close_streams()
        for line in self.lines:
            line.close()
