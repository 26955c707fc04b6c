"""Hash chains: the hash of each entry, its *link*, depends on all entries before it.

For the format, see docs/records.md. For the reasons, see docs/why/chains.md.

Each viewer (a seat, or the spectators) has a hash chain over exactly the events that the server has shown to this
viewer. So if two games differ only in facts that a viewer can't know, the viewer's links are equal in both. The rows
of the log have another hash chain. Its links are salted with the seed, so they can be checked only when the seed is
revealed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from spelunke.core.values import Event

FORMAT = "spelunke-chain-1"
HEAD = "spelunke-head-1"
AWAY = "!away"
"""The note that the clocks start again, for example because the server was down. The note belongs to no seat."""
UNDO = "!undo"
"""The note that a seat takes back its newest move.

If other players must agree first, the notes of their agreement come before this note.
"""
ASK, AGREE, REFUSE = f"{UNDO} ask", f"{UNDO} yes", f"{UNDO} no"


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"{type(value).__name__} can't be chained")


canonical: Callable[[object], bytes] = msgspec.json.Encoder(order="sorted", enc_hook=_plain).encode
"""Returns the canonical JSON text of a value, for hashes and signatures.

The text is UTF-8 without spaces, and the names in objects are sorted.
"""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The first entry of each hash chain of a table: everything that was fixed before the first row of the log.

    Each of ``seats`` is ``person`` or ``bot:LEVEL``. ``started`` is in milliseconds since 1970. ``commitment`` is the
    hash of the seed; the seed itself is not included. ``nonces`` has, for each seat, its nonce, or an empty text if it
    gave no nonce. ``nonce_commitments`` has, for each seat, the commitment to its nonce, or an empty text if it gave
    neither a commitment nor a nonce.

    If the game began from a given position, ``origin`` is the seal of this position (:func:`seal_origin`). It is
    empty if the game began in the usual way, and for older records. ``deal`` has the name of an event and the number
    of a deal. It is empty if the table does not share its chance with other tables. :meth:`text` leaves ``origin``
    and ``deal`` out if they are empty.
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
    deal: str = ""

    def text(self, viewer: int | str | None) -> bytes:
        """Return the first entry of a viewer's hash chain as canonical JSON. Its hash is the first link.

        ``viewer`` is a seat, None for a spectator, or ``"rows"`` for the rows of the log.
        """
        told = {"format": FORMAT, "viewer": viewer, **msgspec.structs.asdict(self)}
        for name in ("origin", "deal"):
            if not told[name]:
                del told[name]
        return canonical(told)

    def link(self, viewer: int | str | None) -> bytes:
        """Return the first link of a viewer's hash chain: the hash of the opening, in 32 bytes."""
        return hashlib.sha256(self.text(viewer)).digest()


def seal_origin(seed: bytes, table: str, origin: object) -> str:
    """Return the seal of the position from which a table's game began, as 64 hexadecimal digits.

    The seal is an HMAC with the seed as its key. So it can be checked when the seed is revealed.
    """
    return hmac.digest(seed, b"origin\n%s\n%s" % (table.encode(), canonical(origin)), "sha256").hex()


class Line(msgspec.Struct, frozen=True):
    """One row of the log.

    ``number`` counts from 1. ``seat`` is -1 for chance. ``ms`` is in milliseconds since the start. ``level`` is the
    level of the bot that made the move, or None. ``undone`` is true if the move was taken back later. The hash
    chains do not depend on ``undone``.
    """

    number: int
    seat: int
    text: str
    ms: int
    level: str | None = None
    undone: bool = False

    @property
    def is_note(self) -> bool:
        """Whether the row is a note of the server, not a ply of the match."""
        return self.text.startswith("!")


class RowChain:
    """The hash chain of a log's rows. ``link`` is the link of the last row, in 32 bytes.

    The links are salted. Without the seed, nobody can find out the text of a row by hashing likely texts.
    """

    __slots__ = ("_salts", "link")

    def __init__(self, opening: Opening, seed: bytes) -> None:
        self._salts = hmac.new(seed, b"salt\n%s\n" % opening.table.encode(), "sha256")
        self.link = opening.link("rows")

    def find(self, line: Line) -> bytes:
        """Return the link that this row gets if it is the next row. Do not add the row."""
        salt = (
            self._salts.copy()
        )  # ten times as fast as `hmac.digest`, which looks up the algorithm at each call
        salt.update(b"%d" % line.number)
        row = (line.number, line.seat, line.text, line.ms)
        text = canonical(row if line.level is None else (*row, line.level))
        return hashlib.sha256(self.link + salt.digest() + text).digest()

    def add(self, line: Line) -> bytes:
        """Add the next row and return its link."""
        self.link = self.find(line)
        return self.link


def tell_row(k: int, line: Line, events: Iterable[Event]) -> bytes:
    """Return the entry of a viewer's hash chain for a row of the log, as canonical JSON.

    ``k`` is the number of the entry in the chain, from 1. ``events`` are the row's events as the viewer saw them.
    """
    if not line.is_note:
        return canonical({"events": tuple(events), "k": k, "ms": line.ms, "seat": line.seat})
    seat = None if line.text == AWAY else line.seat
    return canonical({"k": k, "ms": line.ms, "note": line.text, "seat": seat})


def next_link(link: bytes, told: bytes) -> bytes:
    """Return the next link of a viewer's hash chain: the hash of the last ``link`` and the next entry, ``told``."""
    return hashlib.sha256(link + told).digest()


def nonce_commitment(nonce: str) -> str:
    """Return the SHA-256 of a nonce in hexadecimal.

    Until the game starts, the server shows the other players this commitment in place of the nonce.
    """
    return hashlib.sha256(nonce.encode()).hexdigest()


def write_head(table: str, viewer: int | None, seen: int, link: str) -> bytes:
    """Return the text that the server signs for the head of a viewer's hash chain.

    ``link`` is the last link of the chain so far, in hexadecimal. ``seen`` is the number of rows in the chain.
    """
    return canonical({"format": HEAD, "table": table, "viewer": viewer, "seen": seen, "link": link})
