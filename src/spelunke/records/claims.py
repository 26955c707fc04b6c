"""Types for the claims of a record: its statements, and whether each is proven."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

State = Literal["proven", "not proven", "contradicted"]
Name = Literal["chance", "nonces", "rules", "moves", "result", "kept"]


class Deviation(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a record is wrong, and the reason; ``ply`` is None if that place is not a ply."""

    place: str
    ply: int | None = None
    reason: str


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One statement of a record, and whether it is proven.

    ``text`` gives the proof, or the reason why the statement is not proven. If a ply of the record contradicts the
    statement, ``ply`` is its number. The statements are:

    ``chance``: the outcomes of chance came from the committed seed and the nonces in the record. ``nonces``: all
    players committed to their nonces before any nonce was shown. ``rules``: all moves and the result follow the
    rules. ``moves``: the moves agree with the hash chain. ``result``: the server signed the record's result, scores,
    players, times and length. ``kept``: the record agrees with the data that the reader kept.

    To prove nonces, moves and result, the record needs the signature of a server whose key the reader knows.
    Anybody can sign with a key of their own.
    """

    claim: Name
    state: State
    text: str
    ply: int | None = None


class KeptLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that a reader kept during a game: a hash of a viewer's hash chain, in hexadecimal or as six words.

    ``seen`` is the number of rows that the chain had when the reader kept the link, or None if unknown. ``viewer`` is
    the seat to which the chain belongs, None for the spectators, or ``any`` if unknown. ``signature`` and ``key``
    prove that the owner of the key showed this link.
    """

    link: str
    seen: int | None = None
    viewer: int | Literal["any"] | None = "any"
    table: str | None = None
    key: str | None = None
    signature: str | None = None


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The data that a participant saved during a game. A record is compared with this data."""

    commitment: str | None = None
    nonces: Mapping[int, str] = {}
    key: str | None = None
    links: tuple[KeptLink, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The public keys that the reader knows: the server's ``key``, and the key of each saved link in ``links``."""
        return frozenset(key for key in (self.key, *(link.key for link in self.links)) if key)

    def __bool__(self) -> bool:
        return bool(self.commitment or self.nonces or self.key or self.links)


def proven(claim: Name, text: str) -> Claim:
    """Return a claim that is proven."""
    return Claim(claim=claim, state="proven", text=text)


def unproven(claim: Name, text: str) -> Claim:
    """Return a claim that is not proven; ``text`` gives the reason."""
    return Claim(claim=claim, state="not proven", text=text)


def contradicted(claim: Name, deviation: Deviation) -> Claim:
    """Return a claim that is contradicted by the deviation."""
    text = f"{deviation.place}: {deviation.reason}"
    return Claim(claim=claim, state="contradicted", text=text, ply=deviation.ply)
