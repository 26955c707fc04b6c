"""Limits below HTTP: the size of requests and their heads, the time for a request, and the number of connections.

For the reasons, see docs/why/gate.md.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from spelunke.web.lines import LINE, Line
from spelunke.web.security import network_of
from spelunke.web.settings import Settings

HEAD_BYTES = 32_768
HEAD_LINES = 100
CHUNKING = 8
"""The factor by which the received bytes may exceed the body limit, because tiny chunks have an overhead."""
AHEAD = 16
"""The maximum number of pipelined requests of a connection. Browsers don't pipeline."""
WAITING = 256
WAITING_PER_ADDRESS = 32
"""The maximum number of connections of one address without a complete request. Trusted proxies have no such limit.

`WAITING` is the maximum for all addresses together. If one of these limits is exceeded, the server closes one of
the connections that this limit counts. It closes the connection that has been without a complete request for longest.
"""
SEND_BUFFER = 262_144
"""The size in bytes of the system's send buffer for a connection. By default, the system lets it grow to megabytes."""
SPARE_FILES = 200
"""The number of open files reserved for everything except connections: database, threads, pipes."""


def raise_file_limit() -> int:
    """Raise this process's limit of open files, up to 65,536 if the system allows that. Return the limit.

    If this process may open any number of files, return 65,536. If the system has no such limits, return 512.
    """
    try:
        import resource
    except ImportError:  # this system has no such limits
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(65_536, hard) if hard != resource.RLIM_INFINITY else 65_536
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


class Doors:
    """The connections of a server. They are counted by address, except connections through a trusted proxy."""

    def __init__(self, settings: Settings, trusted: frozenset[str], files: int) -> None:
        self.most = max(16, min(settings.connections, files - SPARE_FILES))
        self.per_address = settings.connections_per_address
        self.seconds = settings.request_seconds
        self.stalled_seconds = settings.stalled_seconds
        self.most_bytes = HEAD_BYTES + CHUNKING * settings.body_limit
        self._trusted = trusted
        self._inside: Counter[str] = Counter()
        self._waiting: dict[Gate, None] = {}
        self._waiting_by: Counter[str] = Counter()

    def address_of(self, client: tuple[str, int] | None) -> str:
        """Return the network under which a client's connections are counted.

        Return an empty text for a trusted proxy, and for a client without an address.
        """
        if client is None or client[0] in self._trusted or "*" in self._trusted:
            return ""
        return network_of(client[0])

    def enter(self, gate: Gate) -> bool:
        """Count a new connection. Return False if there are too many."""
        self._inside[gate.address] += 1
        alone = not gate.address or self._inside[gate.address] <= self.per_address
        return alone and self._inside.total() <= self.most

    def leave(self, gate: Gate) -> None:
        """Remove a connection from the count."""
        self.serve(gate)
        self._inside[gate.address] -= 1
        if not self._inside[gate.address]:
            del self._inside[gate.address]

    def wait(self, gate: Gate) -> None:
        """Record that this connection is waiting: the server expects a request from it.

        If more than `WAITING_PER_ADDRESS` connections of this address are waiting, cut the one among them that has
        waited longest. Otherwise, if more than `WAITING` connections are waiting in total, cut the one that has waited
        longest.
        """
        self.serve(gate)
        self._waiting[gate] = None
        self._waiting_by[gate.address] += 1
        if gate.address and self._waiting_by[gate.address] > WAITING_PER_ADDRESS:
            next(other for other in self._waiting if other.address == gate.address).cut()
        elif len(self._waiting) > WAITING:
            next(iter(self._waiting)).cut()

    def serve(self, gate: Gate) -> None:
        """Record that the server expects no request from this connection now. Then `wait` can't cut the connection."""
        if gate in self._waiting:
            del self._waiting[gate]
            self._waiting_by[gate.address] -= 1
            if not self._waiting_by[gate.address]:
                del self._waiting_by[gate.address]


class Gate(HttpToolsProtocol):
    """A connection with limits: the size of each request and of its head, and the time for each request."""

    doors: ClassVar[Doors]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._extensions: dict[str, Line] = {}
        self._timer: asyncio.TimerHandle | None = None
        # runs while the client accepts no data
        self._stall: asyncio.TimerHandle | None = None
        # The request being answered; `cycle` is the newest one, which may wait behind others.
        self._answering: RequestResponseCycle | None = None
        self._refused = False
        # The state of the current request: the number of bytes since its first data, the size of its head, and
        # whether its head and its body are complete.
        self._bytes = self._head = self._lines = 0
        self._headed = self._complete = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's signature
        """Start the time limit for the first request, or refuse the connection if there are too many."""
        super().connection_made(transport)
        self.address = self.doors.address_of(self.client)
        self._extensions = {LINE: Line(transport, self.flow)}
        wire = transport.get_extra_info("socket")
        if wire is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if self.doors.enter(self):
            self._await_request()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections. Try again in a moment.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after the connection."""
        self._stop_timer()
        self._stop_stall()
        self.doors.leave(self)
        if self._answering is not None:
            self._answering.disconnected = True  # uvicorn notifies only the newest request
            self._answering.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the received data. If a request exceeds its limits, refuse it and ignore all later data."""
        if self._refused:
            return
        super().data_received(data)
        if not self._is_owed():
            return
        self._bytes += len(data)
        if self._is_wide() or self._bytes > (self.doors.most_bytes if self._headed else HEAD_BYTES):
            self._refuse_size()

    def on_message_begin(self) -> None:
        """Start to count the bytes and the time of a new request. Cut a connection with too many pipelined requests."""
        self._bytes = self._head = self._lines = 0
        self._headed = self._complete = False
        if self._timer is None:
            self._await_request()
        if len(self.pipeline) >= AHEAD:
            self.cut()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count the bytes of the URL."""
        self._head += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count the bytes of a header line, or of a trailer after the body."""
        self._head += len(name) + len(value)
        self._lines += 1
        if not self._is_wide():
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start to answer a request. If its head exceeds the limits, refuse it instead."""
        self._headed = True
        if self._is_wide():
            self._refuse_size()
        elif not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Record that the request is complete."""
        if self._refused:
            return
        self._complete = True
        self._stop_timer()
        self.doors.serve(self)
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        cycle.scope["extensions"] = cast(dict[str, dict[object, object]], self._extensions)
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Record that the server waits for the next request. uvicorn limits the idle time."""
        if self._complete and not self.transport.is_closing():
            self.doors.wait(self)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Stop sending while the client accepts no data, and cut the connection after a time limit."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(self.doors.stalled_seconds, self.cut)

    def resume_writing(self) -> None:
        """Resume sending."""
        self._stop_stall()
        super().resume_writing()

    def cut(self) -> None:
        """Cut the connection."""
        self._refused = True
        self.doors.serve(self)
        self._stop_timer()
        self.transport.abort()

    def _is_owed(self) -> bool:
        return not (self._refused or self._complete or self.transport.is_closing())

    def _is_wide(self) -> bool:
        return self._head > HEAD_BYTES or self._lines > HEAD_LINES

    def _await_request(self) -> None:
        self._timer = self.loop.call_later(self.doors.seconds, self._end_time)
        self.doors.wait(self)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _end_time(self) -> None:
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request took too long to arrive.")

    def _refuse_size(self) -> None:
        if self._headed and not self._is_wide():
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large.")
        else:
            sentence = f"The head of a request has at most {HEAD_BYTES} bytes and {HEAD_LINES} lines."
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence)

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        """Send the reason, and close the connection, even if the client doesn't read.

        If a response is in progress, close the connection without the reason.
        """
        self._refused = True
        self._stop_timer()
        self.doors.serve(self)
        begun = self.cycle is not None  # uvicorn sets it with the first request
        if begun and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
            return
        body = sentence.encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\nretry-after: 30\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        self.loop.call_later(1, self.transport.abort)


def make_config(
    app: ASGIApp, settings: Settings, *, port: int | None = None, log_level: str = "warning"
) -> Config:
    """Return uvicorn's configuration. WebSockets are off: nothing uses them, and they would bypass `Gate`'s limits."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port if port is None else port,
        log_level=log_level,
        access_log=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        lifespan="on",
        ws="none",
    )
    allowed = config.forwarded_allow_ips or ""
    names = allowed.split(",") if isinstance(allowed, str) else allowed
    made = Doors(settings, frozenset(name.strip() for name in names), raise_file_limit())

    class Door(Gate):
        doors = made

    config.http = Door
    return config
