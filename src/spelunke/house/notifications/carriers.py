"""What a carrier is: it takes a message to one address, or says why it can't."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from spelunke.house.notifications.addresses import NotReachable
from spelunke.house.notifications.sending import Answered
from spelunke.house.outbox import Message


class Undelivered(Exception):  # a reason for the person's page; it never leaves this room
    """It was not taken. ``lasting``: no other try would do; else perhaps in ``again_s`` seconds."""

    def __init__(self, reason: str, *, lasting: bool = False, again_s: int | None = None) -> None:
        super().__init__(reason)
        self.lasting = lasting
        self.again_s = again_s


class Carrier(Protocol):
    """Takes messages by one way. Thread-safe."""

    def carry(self, address: str, details: Mapping[str, str], message: Message) -> None:
        """Deliver it; raises Undelivered."""


def judge(host: str, answered: Answered) -> None:
    """What a status means to whoever sent; raises Undelivered unless it was taken."""
    status = answered.status
    if 200 <= status < 300:
        return
    if status in {404, 410}:
        raise Undelivered(f"{host} says that this address is gone", lasting=True)
    if 300 <= status < 400:
        raise Undelivered(f"{host} sends elsewhere, and redirects are not followed", lasting=True)
    if status == 413:
        raise Undelivered(f"{host} finds it too large", lasting=True)
    if status in {400, 401, 403, 405}:
        raise Undelivered(f"{host} refuses it (status {status})", lasting=True)
    raise Undelivered(f"{host} does not take it now (status {status})", again_s=answered.again_s)


def undelivered(error: NotReachable) -> Undelivered:
    """The same, as a carrier says it."""
    return Undelivered(str(error), lasting=error.lasting)
