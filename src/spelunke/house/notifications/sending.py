"""POST requests to addresses that people entered, without redirects and within a time limit.

Only the head of the response is read. At the time limit the connection is closed, even if the other side is
still sending.
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
    """The status of a response, and the seconds after which to retry, if the response has the header
    Retry-After.
    """

    status: int
    again_s: int | None = None


class Line(http.client.HTTPConnection):
    """A connection to an address that is already resolved.

    The host name is used only for TLS and in the request.
    """

    def __init__(self, place: Place, address: Address, *, seconds: float, tls: ssl.SSLContext | None) -> None:
        super().__init__(place.host, place.port, timeout=seconds)
        self._address = address
        self._tls = tls
        self.was_cut = False

    def connect(self) -> None:
        """Connect. With TLS, verify that the certificate belongs to the host name."""
        self.sock = socket.create_connection((str(self._address), self.port), self.timeout)
        if self._tls is not None:
            # Set `sock` before the handshake, so that the timer can interrupt the handshake too.
            secured = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secured
            secured.do_handshake()

    def cut(self) -> None:
        """Close the connection from another thread."""
        self.was_cut = True
        held = self.sock
        if held is not None:
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)


class Sender:
    """Sends POST requests to addresses in `allowed`, and by https to all public addresses. Thread-safe.

    Refuses all other requests.
    """

    def __init__(
        self, allowed: Allowed, *, seconds: float = SECONDS, tls: ssl.SSLContext | None = None
    ) -> None:
        self._allowed = allowed
        self._seconds = seconds
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Loading the machine's certificates takes 20 ms, so a house that never sends anything doesn't.
        return self._given_tls or ssl.create_default_context()

    def check(self, place: Place) -> None:
        """Raise NotReachable if requests to this place are not allowed now, or if its name is not known."""
        resolve(place, self._allowed)

    def post(self, place: Place, headers: Mapping[str, str], body: bytes) -> Answered:
        """Send a POST request and return the status of the response.

        Raise NotReachable if the place is not allowed, or if no valid response arrives in time.
        """
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
            if line.was_cut:  # the head may be incomplete, although it was parsed without an error
                raise TimeoutError
            return Answered(answer.status, _seconds(answer.getheader("retry-after")))
        except ssl.SSLCertVerificationError:
            raise NotReachable(f"the certificate of {place.host} is not valid", lasting=False) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            late = isinstance(error, TimeoutError) or line.was_cut
            why = "did not answer in time" if late else "can't be reached, or does not answer as it should"
            raise NotReachable(f"{place.host} {why}", lasting=False) from None
        finally:
            clock.cancel()
            line.close()


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 7 else None
