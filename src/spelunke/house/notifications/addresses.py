"""Where the house may send what people ask for: never into the network of its host.

An address is resolved once, all that it resolves to must be public, and the connection is made to what was found and
checked, so a name that means something else a moment later gains nothing. What the host allows by name or network is
the one exception. Why it is made like this: docs/why/notifications.md.
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
"""NAT64: the last 32 bits are an IPv4 address."""
PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")
"""For protocols between machines; not all versions of Python say that it is not public."""
UNICAST = ipaddress.ip_network("2000::/3")
"""All that has been given out of IPv6."""


class NotReachable(Exception):  # a reason for the person's page; it never leaves this room
    """An address that the house doesn't send to, or can't find; ``lasting`` where another try would find the same."""

    def __init__(self, reason: str, *, lasting: bool) -> None:
        super().__init__(reason)
        self.lasting = lasting


class Place(msgspec.Struct, frozen=True):
    """An address of the web, taken apart: what is asked of whom."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What the request says it is for."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.scheme == "https" else 80
        return host if self.port == usual else f"{host}:{self.port}"


def read_place(text: str) -> Place:
    """A web address as somebody gave it; raises BadPlan for one that can't be."""
    text = text.strip()
    if len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise BadPlan(
            f"an address has at most {LONGEST} plain characters, such as https://example.org/x", "address"
        )
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise BadPlan("that is no address; right would be https://example.org/x", "address") from None
    if url.scheme not in {"https", "http"} or not url.hostname:
        raise BadPlan("an address begins with https:// and a name", "address")
    if url.username is not None or url.password is not None:
        raise BadPlan("an address that people give holds no name and no password before its host", "address")
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    return Place(url.scheme, url.hostname.rstrip("."), port or (443 if url.scheme == "https" else 80), path)


def is_public(address: Address) -> bool:
    """Whether that is an address of the whole internet, of one machine, and so is each that is written within it."""
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
    """What the host of the house allows besides public addresses: names and networks, as `read_allowed` takes them."""

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def has(self, host: str, address: Address) -> bool:
        """Whether that address is allowed though it may be no public one."""
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return host.lower() in self.names or any((mapped or address) in network for network in self.networks)


def read_allowed(text: str) -> Allowed:
    """`hooks.lan, 10.1.2.0/24`: names and networks; raises BadPlan for what is neither."""
    names, networks = [], []
    for word in (part.strip() for part in text.replace(",", " ").split()):
        try:
            networks.append(ipaddress.ip_network(word.strip("[]")))
        except ValueError:
            if not word.replace("-", "").replace(".", "").isalnum():
                raise BadPlan(f"{word!r} is no name and no network such as 10.1.2.0/24") from None
            names.append(word.lower())
    return Allowed(frozenset(names), tuple(networks))


def resolve(place: Place, allowed: Allowed) -> Address:
    """Where that is; raises NotReachable. Asks for the name once, and what is returned is what was checked."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotReachable(f"the name {place.host} is not known", lasting=False) from None
    addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    if not addresses:
        raise NotReachable(f"the name {place.host} is not known", lasting=False)
    for address in addresses:
        if allowed.has(place.host, address):
            continue
        if not is_public(address):
            raise NotReachable(
                f"{place.host} is not on the public internet, and the host of this house has not allowed it",
                lasting=True,
            )
        if place.scheme != "https":
            raise NotReachable("only https is sent to; put https:// before the address", lasting=True)
    return addresses[0]
