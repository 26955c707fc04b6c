"""The line to a client, for what may go there past the task that makes its answer."""

from __future__ import annotations

from asyncio import Transport
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uvicorn.protocols.http.flow_control import FlowControl

LINE = "house.line"
"""Its name among the extensions of an ASGI scope."""


class Line:
    """One connection, between two chunks of an answer that has begun, has no length, and goes on."""

    __slots__ = ("_flow", "_transport")

    def __init__(self, transport: Transport, flow: FlowControl) -> None:
        self._transport = transport
        self._flow = flow

    def write_chunk(self, part: bytes) -> None:
        """Write a chunk at once; nothing where the client has not taken what was sent before."""
        if not (self._flow.write_paused or self._transport.is_closing()):
            self._transport.write(b"%x\r\n%b\r\n" % (len(part), part))
