"""Chains: every row of a log is bound to all that came before it. Steps: docs/records.md; reasons: docs/why/chains.md.

Each viewer has a chain over exactly what it was told, so two games that differ only in what a viewer can't know give it
the same links. The rows themselves have one as well, which is salted: it is open when the seed is.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

import msgspec
import numpy as np

from spelunke.core.values import Event

FORMAT = "spelunke-chain-1"
HEAD = "spelunke-head-1"
AWAY = "!away"
"""The note that the house was away; it is about nobody, whoever's time was running."""


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"{type(value).__name__} can't be chained")


_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=_plain)


def canonical(value: object) -> bytes:
    """The one JSON text of a value: names sorted, no spaces, UTF-8; what is hashed and signed."""
    return _ENCODER.encode(value)


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What every chain of a table begins with: all that was settled before the first row, the seed by its hash.

    ``seats`` are ``person`` or ``bot:LEVEL``, ``started`` is in milliseconds since 1970; of each nonce there is the
    text and the commitment to it, empty where there was none. ``origin`` seals the position that the game was begun
    from (:func:`seal_origin`); it is empty, and no part of the text, where the game began at its start.
    """

    table: str
    game: str
    rules: int
    options: dict[str, str]
    seats: tuple[str, ...]
    started: int
    commitment: str
    nonces: tuple[str, ...]
    nonce_commitments: tuple[str, ...]
    origin: str = ""

    def text(self, viewer: int | str | None) -> bytes:
        """The text that the chain of this viewer begins with: a seat, None (a spectator), or ``rows`` for the log."""
        told = {"format": FORMAT, "viewer": viewer, **msgspec.structs.asdict(self)}
        if not self.origin:
            del told["origin"]
        return canonical(told)

    def link(self, viewer: int | str | None) -> bytes:
        """The link before the first row."""
        return hashlib.sha256(self.text(viewer)).digest()


def seal_origin(seed: bytes, table: str, origin: object) -> str:
    """What the chains of a table tell of the position that it was begun from; it can be opened when the seed is."""
    return hmac.digest(seed, b"origin\n%s\n%s" % (table.encode(), canonical(origin)), "sha256").hex()


class Line(msgspec.Struct, frozen=True):
    """One row of the log: number from 1, who (-1 is chance), what, milliseconds since the start, the bot's level."""

    number: int
    seat: int
    text: str
    ms: int
    level: str | None = None

    @property
    def is_note(self) -> bool:
        """Whether the house noted it, so that it is no ply of the match."""
        return self.text.startswith("!")

    def written(self) -> bytes:
        """What is chained of it."""
        row = (self.number, self.seat, self.text, self.ms)
        return canonical(row if self.level is None else (*row, self.level))


class RowChain:
    """The chain of a log's rows; ``link`` is the last. Who doesn't have the seed can't try which row gives a link."""

    __slots__ = ("_salts", "link")

    def __init__(self, opening: Opening, seed: bytes) -> None:
        self._salts = hmac.new(seed, b"salt\n%s\n" % opening.table.encode(), "sha256")
        self.link = opening.link("rows")

    def find(self, line: Line) -> bytes:
        """The link that the next row will have."""
        salt = self._salts.copy()  # a tenth of what `hmac.digest` takes, which looks for its algorithm anew
        salt.update(b"%d" % line.number)
        return hashlib.sha256(self.link + salt.digest() + line.written()).digest()

    def add(self, line: Line) -> bytes:
        """Add the next row; its link."""
        self.link = self.find(line)
        return self.link


def tell_row(k: int, line: Line, events: Iterable[Event]) -> bytes:
    """What is chained of the k-th row that a viewer noticed (k from 1), as that viewer was told of it."""
    if not line.is_note:
        return canonical({"events": tuple(events), "k": k, "ms": line.ms, "seat": line.seat})
    seat = None if line.text == AWAY else line.seat
    return canonical({"k": k, "ms": line.ms, "note": line.text, "seat": seat})


def next_link(link: bytes, told: bytes) -> bytes:
    """The link of a viewer's chain after a row that it was told like that."""
    return hashlib.sha256(link + told).digest()


def nonce_commitment(nonce: str) -> str:
    """What is shown of a nonce until everybody has committed to theirs: its SHA-256, in hexadecimal."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def write_head(table: str, viewer: int | None, seen: int, link: str) -> bytes:
    """What a house signs of a chain that it shows to a viewer."""
    return canonical({"format": HEAD, "table": table, "viewer": viewer, "seen": seen, "link": link})
