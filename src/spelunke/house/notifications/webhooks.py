"""Webhooks: messages as JSON for programs, or as plain text for ntfy and compatible servers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from spelunke.house.notifications.addresses import NotReachable, Place, read_place
from spelunke.house.notifications.carriers import judge, undelivered
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.sending import Sender
from spelunke.house.outbox import Message
from spelunke.house.refusals import BadPlan, NotAllowed


def check_hook(address: str, outside: Outside, sender: Sender) -> Place:
    """Return the parts of a webhook's address.

    Raise BadPlan if the address can't be used, or NotAllowed if the site's host does not allow webhooks to it.
    """
    place = read_place(address)
    if not outside.may_hook(place.host):
        raise NotAllowed(
            f"this site may not send notifications to {place.host}: ask the operator of the server to allow this, or "
            "use another address"
        )
    try:
        sender.check(place)
    except NotReachable as error:
        raise BadPlan(str(error), "address") from None
    return place


class Webhook:
    """Delivers a message as JSON: its title and its link, and for each of its lines the kind, the text and the link."""

    def __init__(self, outside: Outside, sender: Sender) -> None:
        self._outside = outside
        self._sender = sender

    def carry(self, address: str, _details: Mapping[str, str], message: Message) -> None:
        """Deliver a message to the webhook with this address. Raise Undelivered if the message is not accepted."""
        told = {
            "title": message.title,
            "url": message.url,
            "told": [
                {"kind": kind, "text": text, "url": url}
                for kind, text, url in zip(message.kinds, message.lines, message.urls, strict=True)
            ],
        }
        self._post(address, {"content-type": "application/json"}, msgspec.json.encode(told))

    def _post(self, address: str, headers: Mapping[str, str], body: bytes) -> None:
        place = read_place(address)
        try:
            if not self._outside.may_hook(place.host):
                why = f"this site may no longer send notifications to {place.host}"
                raise NotReachable(why, lasting=True)
            answered = self._sender.post(place, headers, body)
        except NotReachable as error:
            raise undelivered(error) from None
        judge(place.host, answered)


class Ntfy(Webhook):
    """Delivers a message in the format of ntfy: the text is the body, and title and link are headers."""

    def carry(self, address: str, _details: Mapping[str, str], message: Message) -> None:
        """Deliver a message to the ntfy topic with this address. Raise Undelivered if the message is not accepted."""
        headers = {"content-type": "text/plain; charset=utf-8", "title": "Spelunke", "click": message.url}
        self._post(address, headers, "\n".join(message.lines).encode())
