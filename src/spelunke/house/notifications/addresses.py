"""Checks of web addresses that people enter. The server must not send requests into its own private network.

A name is resolved once, and all addresses in the result must be public. The connection goes to one of these
checked addresses, so it does not matter if the name resolves to another address a moment later. The only
exceptions are names and networks that the site's host allows. For the reasons, see docs/why/notifications.md.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

import msgspec

from spelunke.house.refusals import BadPlan

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LONGEST = 1024
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""The network of NAT64. The last 32 bits of an address in it are an IPv4 address."""
PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")
"""A network for protocols between machines. Some versions of Python report it as public."""
UNICAST = ipaddress.ip_network("2000::/3")
"""The part of IPv6 from which public addresses are allocated."""


class NotReachable(Exception):  # not a SpelunkeError: this package catches it and shows its reason
    """The server can't reach an address or is not allowed to send to it. ``lasting``: a retry would fail too."""

    def __init__(self, reason: str, *, lasting: bool) -> None:
        super().__init__(reason)
        self.lasting = lasting


class Place(msgspec.Struct, frozen=True):
    """The parts of a web address."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The value of the header Host in a request to this place."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.scheme == "https" else 80
        return host if self.port == usual else f"{host}:{self.port}"


def read_place(text: str) -> Place:
    """Return the parts of a web address that a person typed.

    Raise BadPlan if the address is malformed, begins with neither https nor http, or contains a user name or a
    password.
    """
    text = text.strip()
    if len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise BadPlan(
            f"an address has at most {LONGEST} characters, without spaces or accented letters; "
            "it should look like https://example.org/x",
            "address",
        )
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise BadPlan(
            "that is not a web address; it should look like https://example.org/x", "address"
        ) from None
    if url.scheme not in {"https", "http"} or not url.hostname:
        raise BadPlan("an address begins with https:// and the name of a server", "address")
    if url.username is not None or url.password is not None:
        raise BadPlan("an address must not contain a user name or a password", "address")
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    return Place(url.scheme, url.hostname.rstrip("."), port or (443 if url.scheme == "https" else 80), path)


def is_public(address: Address) -> bool:
    """Return whether an address belongs to one machine on the public internet.

    If the address contains other addresses (as in NAT64 or Teredo), these must be public too.
    """
    if isinstance(address, ipaddress.IPv4Address):
        kept = address.is_multicast or address.is_reserved or address in PROTOCOLS
        return address.is_global and not kept
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in TRANSLATED:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    within = [one for one in (address.sixtofour, *(address.teredo or ())) if one is not None]
    return address in UNICAST and address.is_global and all(map(is_public, within))


class Allowed(msgspec.Struct, frozen=True):
    """Names and networks that the site's host allows although their addresses are not public.

    `read_allowed` parses them.
    """

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def has(self, host: str, address: Address) -> bool:
        """Return whether the site's host allows a server with the name `host`, or a server with this address."""
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return host.lower() in self.names or any((mapped or address) in network for network in self.networks)


def read_allowed(text: str) -> Allowed:
    """Return the names and networks in a text such as `hooks.lan, 10.1.2.0/24`. Raise BadPlan for other text."""
    names, networks = [], []
    for word in (part.strip() for part in text.replace(",", " ").split()):
        try:
            networks.append(ipaddress.ip_network(word.strip("[]")))
        except ValueError:
            if not word.replace("-", "").replace(".", "").isalnum():
                raise BadPlan(
                    f"{word!r} is neither the name of a server nor a network such as 10.1.2.0/24"
                ) from None
            names.append(word.lower())
    return Allowed(frozenset(names), tuple(networks))


def resolve(place: Place, allowed: Allowed) -> Address:
    """Return an address of the place. The name is resolved once, and all addresses are checked.

    Raise NotReachable if the name is not known, if an address is not public, or if the place does not use https.
    Names and addresses that the site's host allows (`allowed`) need neither be public nor use https.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotReachable(f"the server {place.host} was not found", lasting=False) from None
    addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    if not addresses:
        raise NotReachable(f"the server {place.host} was not found", lasting=False)
    for address in addresses:
        if allowed.has(place.host, address):
            continue
        if not is_public(address):
            raise NotReachable(
                f"{place.host} is not on the public internet, and this site does not allow such addresses",
                lasting=True,
            )
        if place.scheme != "https":
            raise NotReachable(
                "only https addresses are allowed; write https:// instead of http://", lasting=True
            )
    return addresses[0]
