"""What the JSON API gives, and takes beside the deeds at a table, as typed structs; OpenAPI is made from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from spelunke.house.inputs import Body, Json
from spelunke.house.messages import (
    Look,
    SeatLook,
    TableLine,
)
from spelunke.house.people import DeviceLine

Secret = Annotated[str, msgspec.Meta(max_length=1000)]
Code = Annotated[str, msgspec.Meta(max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern=r"\S")]


class GuestIn(Body, frozen=True):
    """A new guest; without a name one is invented."""

    name: Name | None = None


class NameIn(Body, frozen=True):
    """Another name."""

    name: Name


class Considered(msgspec.Struct, frozen=True):
    """What those fields, or the standing orders that are kept, come to in the game's own terms; null for nothing."""

    considered: Json


class Me(msgspec.Struct, frozen=True):
    """Who asks. `token` goes into `Authorization: Bearer`; it is told once, when it is made."""

    name: str
    token: str | None = None
    member: bool = False


class MemberIn(Body, frozen=True):
    """Become a member; with the token of a guest, that guest, who keeps tables and games."""

    name: Name
    password: Secret
    invitation: Code | None = None


class LogIn(Body, frozen=True):
    """Name and password of a member."""

    name: Annotated[str, msgspec.Meta(max_length=100)]
    password: Secret


class Devices(msgspec.Struct, frozen=True):
    """The devices of the asker, the one that came last first."""

    devices: tuple[DeviceLine, ...]


class OptionCard(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a game. `values` lists what can be chosen where that is a list."""

    name: str
    title: str
    help: str
    kind: Literal["switch", "choice", "count", "split", "other"]
    default: Json
    values: tuple[Json, ...] = ()
    least: int | None = None
    most: int | None = None


class Level(msgspec.Struct, frozen=True):
    """A strength of the bots."""

    name: str
    title: str


class GameCard(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the shelf."""

    name: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    minutes: tuple[int, int]
    version: int
    options: tuple[OptionCard, ...]
    levels: tuple[Level, ...]


class Games(msgspec.Struct, frozen=True):
    """The shelf."""

    games: tuple[GameCard, ...]


class Tables(msgspec.Struct, frozen=True):
    """Tables of one list."""

    tables: tuple[TableLine, ...]


class TableName(msgspec.Struct, frozen=True):
    """A table's id, and the whole address of its page."""

    table: str
    url: str


class LessonOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that is to be taught."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SeatTakenAt(msgspec.Struct, frozen=True):
    """Where the person sits."""

    seat: int


class HouseKey(msgspec.Struct, frozen=True):
    """The public key (Ed25519, hexadecimal) that checks what the house signs; null for a house that doesn't."""

    key: str | None


class Done(msgspec.Struct, frozen=True):
    """Accepted."""

    ok: bool = True


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an action: `done`, or `repeated` when its key was played before."""

    status: Literal["done", "repeated"]
    ply: int
    version: int


class Move(msgspec.Struct, frozen=True):
    """A legal move: its text (send this), and the action as the game types it."""

    text: str
    action: Json


class SeatSight(SeatLook, frozen=True, kw_only=True):  # noqa: D101
    __doc__ = SeatLook.__doc__  # under this name the API published it


_PAGES_ONLY = frozenset({"summary", "origin", "considered"})
"""Fields of a look that pages alone are made of."""
_WRITTEN: dict[str, object] = {
    "options": dict[str, Json],
    "seats": tuple[SeatSight, ...],
    "view": Json,
    "legal": tuple[Move, ...],
    "revise": tuple[Move, ...],
    "last": tuple[Json, ...],
    "may": tuple[str, ...],
    "standing": Json,
}
"""Fields that are written in another form than the house holds them in."""

LookOut = msgspec.defstruct(
    "LookOut",
    [
        (field.name, _WRITTEN.get(field.name, field.type))
        if field.required
        else (field.name, _WRITTEN.get(field.name, field.type), field.default)
        for field in msgspec.structs.fields(Look)
        if field.name not in _PAGES_ONLY
    ],
    namespace={"__doc__": "A table as the asker may see it."},
    module=__name__,
    frozen=True,
    kw_only=True,
)
