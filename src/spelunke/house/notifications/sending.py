"""One POST to an address that somebody gave: to where it was found, no further, and not for long.

Redirects are not followed, of the answer nothing but its head is read, and the connection is cut when its time is
over, however slowly the other side drips.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from functools import cached_property

import msgspec

from spelunke.house.notifications.addresses import Address, Allowed, NotReachable, Place, resolve

SECONDS = 10.0


class Answered(msgspec.Struct, frozen=True):
    """What came back: a status, and after how many seconds it may be tried again if the other side said so."""

    status: int
    again_s: int | None = None


class Line(http.client.HTTPConnection):
    """A connection to an address that was looked up before; the name is for TLS and the request alone."""

    def __init__(self, place: Place, address: Address, *, seconds: float, tls: ssl.SSLContext | None) -> None:
        super().__init__(place.host, place.port, timeout=seconds)
        self._address = address
        self._tls = tls
        self.was_cut = False

    def connect(self) -> None:
        """Connect, and prove by TLS that the name is right."""
        self.sock = socket.create_connection((str(self._address), self.port), self.timeout)
        if self._tls is not None:
            # Known before its handshake, so that the clock can cut it in the middle of that too.
            secured = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secured
            secured.do_handshake()

    def cut(self) -> None:
        """End it from another thread, whatever it waits for."""
        self.was_cut = True
        held = self.sock
        if held is not None:
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)


class Sender:
    """Sends within the bounds that the host of the house has set. Thread-safe."""

    def __init__(
        self, allowed: Allowed, *, seconds: float = SECONDS, tls: ssl.SSLContext | None = None
    ) -> None:
        self._allowed = allowed
        self._seconds = seconds
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Reading the machine's certificates takes 20 ms: a house that never sends anything starts without.
        return self._given_tls or ssl.create_default_context()

    def check(self, place: Place) -> None:
        """Whether that place may be sent to, as it is known now; raises NotReachable."""
        resolve(place, self._allowed)

    def post(self, place: Place, headers: Mapping[str, str], body: bytes) -> Answered:
        """Send it; raises NotReachable where nothing was answered in time."""
        ends = time.monotonic() + self._seconds
        address = resolve(place, self._allowed)
        left = max(0.1, ends - time.monotonic())
        tls = self._tls if place.scheme == "https" else None
        line = Line(place, address, seconds=left, tls=tls)
        clock = threading.Timer(left, line.cut)
        clock.daemon = True
        clock.start()
        try:
            sent = {"host": place.authority, "user-agent": "Spelunke", "connection": "close", **headers}
            line.request("POST", place.path, body, sent)
            answer = line.getresponse()
            if line.was_cut:  # in the middle of the head, which then looks whole
                raise TimeoutError
            return Answered(answer.status, _seconds(answer.getheader("retry-after")))
        except ssl.SSLCertVerificationError:
            raise NotReachable(f"the certificate of {place.host} is not right", lasting=False) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            late = isinstance(error, TimeoutError) or line.was_cut
            why = "did not answer in time" if late else "can't be reached, or does not answer as it should"
            raise NotReachable(f"{place.host} {why}", lasting=False) from None
        finally:
            clock.cancel()
            line.close()


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 7 else None
