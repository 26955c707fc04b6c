"""The types of the proof in a record of format 2: nonces, notes, hash chains, and the server's signature."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="32 bytes in lower-case hexadecimal")]
Natural = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=200_000)]
LEVEL = r"^[^\x00-\x1f\x7f-\x9f]+$"
SHORT = 8
"""The number of hexadecimal digits of each row's link in a record."""

How = Literal["committed", "sent", "unopened", "none"]


class Given(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The commitment to a seat's nonce, and the way in which the seat gave the nonce: ``[commitment, how]``.

    ``committed``: the seat gave its commitment first, and its nonce after all seats had committed. ``sent``: the
    seat gave its nonce without an earlier commitment, and the server made the commitment to it. ``unopened``: the
    seat gave a commitment but no nonce. ``none``: the seat gave nothing.
    """

    commitment: Hex | None
    how: How


class Note(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A row of the log that is neither a move nor an outcome of chance: ``[row, seat, text, ms]``.

    ``row`` is the number of this row in the log, from 1. ``ms`` is the time in milliseconds since the game's start.
    """

    row: Number
    seat: Annotated[int, Meta(ge=0, le=63)]
    text: Annotated[str, Meta(min_length=2, max_length=200, pattern=r"^![^\x00-\x1f\x7f-\x9f]+$")]
    ms: Natural


class Undone(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A row of the log whose move was taken back: ``[row, seat, text, ms]``.

    ``row`` is the number of this row in the log, from 1. ``ms`` is the time in milliseconds since the game's start.
    """

    row: Number
    seat: Annotated[int, Meta(ge=0, le=63)]
    text: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=r"^[^!\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$")
    ]
    ms: Natural


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last link of a viewer's hash chain, and the number of rows in the chain.

    ``viewer`` is a seat, or null for a spectator.
    """

    viewer: Annotated[int, Meta(ge=0, le=63)] | None
    seen: Natural
    link: Hex


class Proof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof that a record has the moves and the result of the played game.

    ``started``: the game's start in milliseconds since 1970. ``nonces``: how each seat gave its nonce. ``notes``: the
    rows of the log that are neither moves nor outcomes of chance. ``bots``: for each level, the numbers of the rows
    that a bot of this level played. ``links``: the hash chain of the log's rows, as one text. The text has the first
    eight digits of each hash in the chain. The first hash covers what was fixed before the first row, and each later
    hash belongs to one row. ``head``: all digits of the last hash in ``links``. ``heads``: the last hash of each
    viewer's own hash chain. ``undone``: the moves that were taken back. They are not among the plies of the record. If
    no move was taken back, the field is missing. ``signature``: the signature of the record by the owner of ``key``. It
    covers everything except this field.
    """

    started: Natural
    nonces: Annotated[tuple[Given, ...], Meta(min_length=1, max_length=64)]
    notes: Annotated[tuple[Note, ...], Meta(max_length=100_000)] = ()
    bots: dict[
        Annotated[str, Meta(min_length=1, max_length=64, pattern=LEVEL)],
        Annotated[tuple[Number, ...], Meta(max_length=100_000)],
    ] = {}
    links: Annotated[str, Meta(pattern=r"^([0-9a-f]{8})+$", max_length=200_001 * SHORT)]
    head: Hex
    heads: Annotated[tuple[Head, ...], Meta(min_length=1, max_length=65)]
    undone: Annotated[tuple[Undone, ...], Meta(min_length=1, max_length=100_000)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    key: Hex | None = None
    signature: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$")] | None = None
