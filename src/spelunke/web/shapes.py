"""The types of the JSON API except for operations at a table. The OpenAPI document is made from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from spelunke.house.inputs import Body, Json
from spelunke.house.matching import Pace, SeekLine
from spelunke.house.messages import (
    Look,
    SeatLook,
    TableLine,
)
from spelunke.house.people import Change, DeviceLine
from spelunke.house.ratings import RatingLine

Secret = Annotated[str, msgspec.Meta(max_length=1000)]
Code = Annotated[str, msgspec.Meta(max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern=r"\S")]


class GuestIn(Body, frozen=True):
    """A new guest; without a name one is invented."""

    name: Name | None = None


class NameIn(Body, frozen=True):
    """A new name."""

    name: Name


class Considered(msgspec.Struct, frozen=True):
    """The preview of these fields, or of the stored standing orders, in the game's own terms; null for none."""

    considered: Json


class Me(msgspec.Struct, frozen=True):
    """The person of the request. Send `token` in the header `Authorization: Bearer`.

    It is returned only once, when it is made.
    """

    name: str
    token: str | None = None
    member: bool = False


class MemberIn(Body, frozen=True):
    """A sign-up; with a guest's token, that guest becomes a member and keeps tables and games."""

    name: Name
    password: Secret
    invitation: Code | None = None


class LogIn(Body, frozen=True):
    """Name and password of a member."""

    name: Annotated[str, msgspec.Meta(max_length=100)]
    password: Secret


class LinkIn(Body, frozen=True):
    """The code of a link for another device, as the page of the account shows it, and a name for the new device."""

    code: Code
    label: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Devices(msgspec.Struct, frozen=True):
    """The person's devices, the most recently used first."""

    devices: tuple[DeviceLine, ...]


class OptionCard(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `values` lists the choices if there is a list."""

    name: str
    title: str
    help: str
    kind: Literal["switch", "choice", "count", "split", "other"]
    default: Json
    values: tuple[Json, ...] = ()
    least: int | None = None
    most: int | None = None


class Level(msgspec.Struct, frozen=True):
    """A level of the bots."""

    name: str
    title: str


class GameCard(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    name: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    minutes: tuple[int, int]
    version: int
    options: tuple[OptionCard, ...]
    levels: tuple[Level, ...]


class Games(msgspec.Struct, frozen=True):
    """All games."""

    games: tuple[GameCard, ...]


class Tables(msgspec.Struct, frozen=True):
    """Tables of one list."""

    tables: tuple[TableLine, ...]


class TableName(msgspec.Struct, frozen=True):
    """A table's id, and the full address of its page."""

    table: str
    url: str


class LessonOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game of a lesson; ``short``: the shorter lesson for those who know games of this kind."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    short: bool = False


class SeatTakenAt(msgspec.Struct, frozen=True):
    """The person's seat."""

    seat: int


class HouseKey(msgspec.Struct, frozen=True):
    """The public key (Ed25519, hexadecimal) of the house's signatures; null if the house doesn't sign."""

    key: str | None


class VerifyIn(Body, frozen=True, kw_only=True):
    """The text of a record's file to verify, and the link of the game that the sender kept, as a page shows it."""

    record: str
    kept: Annotated[str, msgspec.Meta(max_length=2_000)] = ""


class FriendIn(Body, frozen=True):
    """A member to ask, by name."""

    name: Name


class TieIn(Body, frozen=True):
    """A change of the tie to a person. `befriend` asks, or accepts their request."""

    do: Change


class Friends(msgspec.Struct, frozen=True):
    """The tie after a change: `friends` if both are friends now."""

    friends: bool


class ReportIn(Body, frozen=True, kw_only=True):
    """Messages of one person to show to the hosts, by their numbers, and what is wrong with them."""

    lines: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=20)]
    text: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class SeekIn(Body, frozen=True, kw_only=True):
    """A game to look for with strangers."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    seats: Annotated[int, msgspec.Meta(ge=2, le=8)]
    pace: Pace
    rated: bool = False


class SeekName(msgspec.Struct, frozen=True):
    """The id of a seek."""

    seek: str


class Seeks(msgspec.Struct, frozen=True):
    """The person's seeks. A request for them keeps seeks of live games active."""

    seeks: tuple[SeekLine, ...]


class OwnRatings(msgspec.Struct, frozen=True):
    """The person's ratings, the most played first."""

    ratings: tuple[RatingLine, ...]


class Done(msgspec.Struct, frozen=True):
    """Accepted."""

    ok: bool = True


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action: `done`, or `repeated` if its key was played before."""

    status: Literal["done", "repeated"]
    ply: int
    version: int


class Move(msgspec.Struct, frozen=True):
    """A legal move: its text (send this), and the action in the game's own type."""

    text: str
    action: Json


class SeatSight(SeatLook, frozen=True, kw_only=True):  # noqa: D101
    __doc__ = SeatLook.__doc__  # the API published it under this name


_PAGES_ONLY = frozenset({"summary", "origin", "considered"})
"""Fields of a look that only pages use."""
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
"""Fields with another type in the API than in the house."""

LookOut = msgspec.defstruct(
    "LookOut",
    [
        (field.name, _WRITTEN.get(field.name, field.type))
        if field.required
        else (field.name, _WRITTEN.get(field.name, field.type), field.default)
        for field in msgspec.structs.fields(Look)
        if field.name not in _PAGES_ONLY
    ],
    namespace={"__doc__": "A table as the person may see it."},
    module=__name__,
    frozen=True,
    kw_only=True,
)
