"""Measure the least possible time of a move: HTTP, two streams and a durable commit, without any other work.

The floor is a bare ASGI app on uvicorn. For each `POST /act` with the body of a move, it writes a row into SQLite as
durably as the server does (WAL, `synchronous=FULL`). Then it sends a message of the server's size to each of two
streams, and answers with status 204.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import socket
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from players import HOST, Line, Server, find_port

BODY = b"move=roll&ply=12&key=key-00000012&link=" + b"0" * 64
FORM = "application/x-www-form-urlencoded"


def serve(port: int, file: str, size: int) -> None:
    """Run the app until the process is killed. ``size`` is the number of bytes in the data of a message."""
    import uvicorn

    line = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    line.execute("PRAGMA journal_mode=WAL")
    line.execute("PRAGMA synchronous=FULL")
    line.execute("CREATE TABLE moves (n INTEGER PRIMARY KEY, move BLOB)")
    message = b"id: 1.1.0\nevent: look\ndata: " + b"x" * size + b"\n\n"
    streams: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b": here\n\n", "more_body": True})
            streams.append(send)
            while (await receive())["type"] != "http.disconnect":
                pass
            streams.remove(send)
            return
        if scope["path"] == "/act":
            asked = await receive()
            line.execute("BEGIN IMMEDIATE")
            line.execute("INSERT INTO moves (move) VALUES (?)", (asked["body"],))
            line.execute("COMMIT")
            for stream in streams:
                await stream({"type": "http.response.body", "body": message, "more_body": True})
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(
        app, host=HOST, port=port, log_level="error", access_log=False, ws="none", lifespan="off"
    )
    uvicorn.Server(config).run()


@contextlib.contextmanager
def open_floor(size: int) -> Iterator[Server]:
    """Run the app in another process during this block. The data of its messages have ``size`` bytes."""
    port = find_port()
    with tempfile.TemporaryDirectory(
        prefix=".bench-", dir=Path.cwd()
    ) as folder:  # not in /tmp, which may be in memory, where no commit is durable
        given = (port, str(Path(folder, "floor.sqlite3")), size)
        process = multiprocessing.get_context("spawn").Process(target=serve, args=given, daemon=True)
        process.start()
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
                    break
                time.sleep(0.1)
            else:
                raise SystemExit("the floor did not open within half a minute")
            yield Server(port, process)
        finally:
            process.terminate()
            process.join(20)


async def _read(line: Line, told: asyncio.Event, size: int) -> None:
    assert line.reader is not None
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while got := int(await line.reader.readline() or b"0", 16):
            await line.reader.readexactly(got + 2)
            if got > size:
                told.set()


async def measure(server: Server, size: int, moves: int, batch: int) -> list[float]:
    """Return, for each batch of moves, the mean processor time of a move in milliseconds."""
    streams, told = [Line(server.port), Line(server.port)], [asyncio.Event(), asyncio.Event()]
    reading = []
    for line, event in zip(streams, told, strict=True):
        await line.open()
        line.send("GET", "/stream")
        await line.head()
        reading.append(asyncio.create_task(_read(line, event, size)))
    acting = Line(server.port, "x" * 60)
    await acting.open()
    each = []
    for _ in range(moves // batch):
        began = server.processor
        for _ in range(batch):
            acting.send("POST", "/act", BODY, FORM)
            await acting.answer()
            for event in told:
                await event.wait()
                event.clear()
        each.append((server.processor - began) / batch * 1000)
    for task in reading:
        task.cancel()
    for line in (*streams, acting):
        line.close()
    return each
