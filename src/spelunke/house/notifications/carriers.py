"""The interface of carriers, and the error that they raise. A carrier sends messages in one way, such as by e-mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from spelunke.house.notifications.addresses import NotReachable
from spelunke.house.notifications.sending import Answered
from spelunke.house.outbox import Message


class Undelivered(Exception):  # not a SpelunkeError: this package catches it and shows its reason
    """A message was not accepted.

    ``lasting``: a retry would not help. Otherwise the message can be sent again, after ``again_s`` seconds if
    given.
    """

    def __init__(self, reason: str, *, lasting: bool = False, again_s: int | None = None) -> None:
        super().__init__(reason)
        self.lasting = lasting
        self.again_s = again_s


class Carrier(Protocol):
    """Delivers messages through one kind of channel. Thread-safe."""

    def carry(self, address: str, details: Mapping[str, str], message: Message) -> None:
        """Deliver a message to an address. Raise Undelivered if the message is not accepted.

        `details` has further data of the channel.
        """


def judge(host: str, answered: Answered) -> None:
    """Raise Undelivered if a response means that the server `host` has not accepted the message."""
    status = answered.status
    if 200 <= status < 300:
        return
    if status in {404, 410}:
        raise Undelivered(f"{host} says that this address does not exist", lasting=True)
    if 300 <= status < 400:
        raise Undelivered(
            f"{host} answers with a redirect, and this site does not follow redirects", lasting=True
        )
    if status == 413:
        raise Undelivered(f"{host} says that the message is too large", lasting=True)
    if status in {400, 401, 403, 405}:
        raise Undelivered(f"{host} refuses the message (status {status})", lasting=True)
    raise Undelivered(f"{host} can't take the message now (status {status})", again_s=answered.again_s)


def undelivered(error: NotReachable) -> Undelivered:
    """Return an `Undelivered` with the reason of a `NotReachable`. Carriers raise it instead of the `NotReachable`."""
    return Undelivered(str(error), lasting=error.lasting)
