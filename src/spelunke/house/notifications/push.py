"""Web Push: the service of the browser's vendor delivers messages that only that browser can decrypt.

The house's keys are computed from a seed (see `push_key` of `open_house`). The library pywebpush encrypts messages,
and py_vapid signs requests. The address of the vendor's service comes from the browser. The
address is checked like any other address that people enter, so that nobody can make the server send requests into its
own network.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from spelunke.house.notifications.addresses import NotReachable, read_place
from spelunke.house.notifications.carriers import Undelivered, judge, undelivered
from spelunke.house.notifications.sending import Sender
from spelunke.house.outbox import Message
from spelunke.house.refusals import BadPlan

LASTS_S = 24 * 3600
"""The seconds for which the push service keeps a message for a device that is off."""
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256."""
_MALFORMED = "the browser's subscription to notifications is malformed: turn notifications on again"


def _private(seed: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, ec.SECP256R1())


def _read(text: str, size: int, field: str) -> str:
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        raw = b""
    if len(raw) != size:
        raise BadPlan(_MALFORMED, field)
    return text


def check_subscription(endpoint: str, key: str, auth: str) -> dict[str, str]:
    """Return the keys of a browser's subscription in the form to store.

    Raise BadPlan if the subscription is malformed.
    """
    try:
        read_place(endpoint)
    except BadPlan:
        raise BadPlan(_MALFORMED, "endpoint") from None
    _read(key, 65, "p256dh")
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadPlan(_MALFORMED, "p256dh") from None
    return {"p256dh": key, "auth": _read(auth, 16, "auth")}


class Pusher:
    """Delivers messages by Web Push.

    `seed` has 32 bytes, from which the keys are made. `contact` is a mailto: or https: address, at which the
    operators of push services can reach the site's host.
    """

    def __init__(self, seed: bytes, contact: str, sender: Sender) -> None:
        self._key = _private(seed)
        self._contact = contact
        self._sender = sender

    @property
    def public(self) -> str:
        """The public key that browsers need for subscriptions."""
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def carry(self, address: str, details: Mapping[str, str], message: Message) -> None:
        """Deliver a message. Raise Undelivered if the message is not accepted.

        If the subscription has ended, the error is `lasting`.
        """
        # Import pywebpush here: it imports two HTTP clients, which a house without push never needs.
        from py_vapid import Vapid02
        from pywebpush import WebPusher

        place = read_place(address)
        told = {
            "title": message.title,
            "body": "\n".join(message.lines) if len(message.lines) > 1 else "",
            "url": message.path,
            "tag": message.path,
        }
        keys = {"p256dh": details["p256dh"], "auth": details["auth"]}
        body = WebPusher({"endpoint": address, "keys": keys}).encode(_fit(told))["body"]
        # The push service checks the time by its own clock, so use the machine's clock, not the house's.
        claims = {"aud": f"{place.scheme}://{place.authority}", "sub": self._contact}
        signed = Vapid02(self._key).sign(claims)
        headers = {
            "authorization": signed["Authorization"],
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(LASTS_S),
            "urgency": "normal",
        }
        try:
            answered = self._sender.post(place, headers, body)
        except NotReachable as error:
            raise undelivered(error) from None
        if answered.status in {404, 410}:
            raise Undelivered(
                "the subscription has ended: turn notifications on again in the browser of that device",
                lasting=True,
            )
        judge(place.host, answered)


def _fit(told: Mapping[str, str]) -> bytes:
    """Return the message as JSON that is small enough for all push services.

    Each of them accepts at least 4,096 bytes after encryption.
    """
    whole = msgspec.json.encode(told)
    if len(whole) <= 3000:
        return whole
    return msgspec.json.encode({**told, "body": told["body"][:500]})
