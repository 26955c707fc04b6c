"""What the JSON API takes and gives, as typed structs; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from spelunke.house.messages import ChatLine, Fairness, LogLine, Result, SeatLook, Status, TableLine
from spelunke.house.plan import Clock

Key = Annotated[
    str,
    msgspec.Meta(min_length=8, max_length=64, description="New for each action; sent twice, it plays once."),
]
Ply = Annotated[
    int, msgspec.Meta(ge=0, le=1_000_000, description="`ply` of the look that the action was chosen from.")
]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern=r"\S")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=15)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request's body: what is not known is refused."""


class GuestIn(Body, frozen=True):
    """A new guest; without a name one is invented."""

    name: Name | None = None


class NameIn(Body, frozen=True):
    """Another name."""

    name: Name


class JoinIn(Body, frozen=True):
    """Which seat (the first free one by default), and the invitation where the seat needs one."""

    invite: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seat: Seat | None = None


class NonceIn(Body, frozen=True):
    """The seat's share in chance: 1 to 64 printable characters without spaces."""

    nonce: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class FillIn(Body, frozen=True):
    """A bot for one free seat, or for all; without a level the game's first."""

    level: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    seat: Seat | None = None


class ActIn(Body, frozen=True):
    """A move as text."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Ply
    key: Key


class TakeBackIn(Body, frozen=True):
    """Take the own sealed choice back."""

    ply: Ply
    key: Key


class ResignIn(Body, frozen=True):
    """Give up."""

    key: Key


class DrawIn(Body, frozen=True):
    """Offer a draw, or answer one; `key` is needed to accept."""

    answer: Literal["offer", "accept", "decline"]
    key: Key | None = None


class StandInIn(Body, frozen=True):
    """The level of the bot that stands in."""

    level: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class SayIn(Body, frozen=True):
    """A message at the table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class StandingIn(Body, frozen=True):
    """The game's own orders for this seat; null forgets them."""

    orders: Any


class DraftIn(Body, frozen=True):
    """Fields of the board's form as the game names them, not sent yet: `card` for picked cards, `order.text`, ..."""

    fields: dict[
        str, Annotated[list[Annotated[str, msgspec.Meta(max_length=400)]], msgspec.Meta(max_length=64)]
    ] = {}


class Considered(msgspec.Struct, frozen=True):
    """What those fields, or the standing orders that are kept, come to in the game's own terms; null for nothing."""

    considered: Any


class Me(msgspec.Struct, frozen=True):
    """Who asks. `token` goes into `Authorization: Bearer`; it is told once, to a new guest."""

    name: str
    token: str | None = None


class OptionCard(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a game. `values` lists what can be chosen where that is a list."""

    name: str
    title: str
    help: str
    kind: Literal["switch", "choice", "count", "split", "other"]
    default: Any
    values: tuple[Any, ...] = ()
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


class SeatTakenAt(msgspec.Struct, frozen=True):
    """Where the person sits."""

    seat: int


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
    action: Any


class SeatSight(SeatLook, frozen=True, kw_only=True):  # noqa: D101
    __doc__ = SeatLook.__doc__  # under this name the API published it


class LookOut(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the asker may see it."""

    table: str
    game: str
    title: str
    rules_version: int
    options: dict[str, Any]
    changed: dict[str, str]
    clock: Clock
    listed: bool
    status: Status
    ply: int
    version: int
    now_ms: int
    created_ms: int
    started_ms: int | None
    seat: int | None
    seats: tuple[SeatSight, ...]
    names: tuple[str, ...]
    actors: tuple[int, ...]
    view: Any
    legal: tuple[Move, ...]
    revise: tuple[Move, ...]
    last: tuple[Any, ...]
    log: tuple[LogLine, ...]
    chat: tuple[ChatLine, ...]
    fairness: Fairness
    may: tuple[str, ...]
    invite: str | None = None
    rematch: str | None = None
    previous: str | None = None
    result: Result | None = None
    standing: Any = None
    pause_ms: int | None = None
    pause_left_ms: int | None = None
