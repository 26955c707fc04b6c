"""A direct connection to a client. Through it, other tasks can write into an open response."""

from __future__ import annotations

from asyncio import Transport
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uvicorn.protocols.http.flow_control import FlowControl

LINE = "house.line"
"""The key of a `Line` among the extensions of an ASGI scope."""


class Line:
    """A direct connection to a client, through which the server writes into an open response.

    The response is sent in HTTP chunks. Use the connection only between two complete chunks of the response.
    """

    __slots__ = ("_flow", "_transport")

    def __init__(self, transport: Transport, flow: FlowControl) -> None:
        self._transport = transport
        self._flow = flow

    def write_chunk(self, part: bytes) -> None:
        """Write a chunk immediately, or skip it if the client has not accepted earlier data."""
        if not (self._flow.write_paused or self._transport.is_closing()):
            self._transport.write(b"%x\r\n%b\r\n" % (len(part), part))
