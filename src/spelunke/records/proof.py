"""The proof in a record of format 2: how nonces were given, notes, links, and the house's signature."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="32 bytes in lower-case hexadecimal")]
Natural = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=200_000)]
LEVEL = r"^[^\x00-\x1f\x7f-\x9f]+$"
SHORT = 8
"""The number of digits of a row's link that a record contains."""

How = Literal["committed", "sent", "unopened", "none"]


class Given(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The commitment that was shown for a seat's nonce, and how the seat gave the nonce: ``[commitment, how]``.

    ``committed``: the house had only the commitment until all seats had given their commitments. ``sent``: the
    house had the nonce itself, and showed a commitment to it. ``unopened``: the seat gave a commitment but no
    nonce. ``none``: the seat gave nothing.
    """

    commitment: Hex | None
    how: How


class Note(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A row of the log that is not a ply: its number among all rows (from 1), the seat, the note, milliseconds."""

    row: Number
    seat: Annotated[int, Meta(ge=0, le=63)]
    text: Annotated[str, Meta(min_length=2, max_length=200, pattern=r"^![^\x00-\x1f\x7f-\x9f]+$")]
    ms: Natural


class Undone(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A row of the log whose move was taken back: its number among all rows (from 1), seat, text, milliseconds."""

    row: Number
    seat: Annotated[int, Meta(ge=0, le=63)]
    text: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=r"^[^!\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$")
    ]
    ms: Natural


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last link of a viewer's chain, and the number of rows that the viewer noticed.

    ``viewer`` is a seat, or null for a spectator.
    """

    viewer: Annotated[int, Meta(ge=0, le=63)] | None
    seen: Natural
    link: Hex


class Proof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof that moves and result are those of the played game.

    ``started``: milliseconds since 1970. ``bots``: for each level, the rows that a bot of this level played.
    ``links``: the first eight digits of the link before the first row, and of the link after each row.
    ``head``: all digits of the last link. ``signature``: the signature of the record without this field, by the
    owner of ``key``. ``undone``: the moves that were taken back, which are not plies; if there are none, the
    field is missing.
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
