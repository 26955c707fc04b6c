"""The types of most request and response bodies of the API. The OpenAPI document is made from them.

The types for problems are in `web.problem_api`, and those for the game of the day in `web.daily_api`. The request
bodies of operations at a table are in `house.inputs`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from spelunke.house.inputs import Body, Json
from spelunke.house.lobby import TableLine
from spelunke.house.matching import Pace, SeekLine
from spelunke.house.messages import Look, SeatLook
from spelunke.house.people import Change, DeviceLine
from spelunke.house.ratings import RatingLine

Secret = Annotated[str, msgspec.Meta(max_length=1000)]
Code = Annotated[str, msgspec.Meta(max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern=r"\S")]


class GuestIn(Body, frozen=True):
    """A new guest. Without `name`, the server invents a name."""

    name: Name | None = None


class NameIn(Body, frozen=True):
    """The new name of the person who sends the request."""

    name: Name


class Considered(msgspec.Struct, frozen=True):
    """A preview: the effect that the sent fields would have, in the game's own format, or null. Nothing is played."""

    considered: Json


class Me(msgspec.Struct, frozen=True):
    """A person: the name, and whether the person is a member (has an account).

    `token` is null except in the answer to a request that creates a token. Send the token in the header
    `Authorization: Bearer TOKEN`. `letters` is the choice of letters for cards and nations: `notation`, `own` or
    `english`, or null if the person has not chosen. Only `GET /me` returns the choice; in other answers, it is null.
    """

    name: str
    token: str | None = None
    member: bool = False
    letters: str | None = None


class MemberIn(Body, frozen=True):
    """A sign-up. If the request has a guest's token, this guest becomes the member and keeps tables and games."""

    name: Name
    password: Secret
    invitation: Code | None = None


class LogIn(Body, frozen=True):
    """The name and password with which a member logs in."""

    name: Annotated[str, msgspec.Meta(max_length=100)]
    password: Secret


class LinkIn(Body, frozen=True):
    """A login by code. `code` is the code for a new device, from the account page. `label` names the device."""

    code: Code
    label: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Devices(msgspec.Struct, frozen=True):
    """The person's devices, the most recently used first."""

    devices: tuple[DeviceLine, ...]


class OptionCard(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. If `kind` is `choice`, `values` lists the possible values, and `titles` their names.

    `least` and `most` are the bounds of a number. If `fine` is true, the pages don't show the option, because it is too
    detailed for them.
    """

    name: str
    title: str
    help: str
    kind: Literal["switch", "choice", "count", "split", "other"]
    default: Json
    values: tuple[Json, ...] = ()
    titles: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    fine: bool = False


class Level(msgspec.Struct, frozen=True):
    """A level (strength) of a game's bots. To seat a bot at a new table, put `bot:` and the `name` into `seats`."""

    name: str
    title: str
    help: str = ""


class PresetCard(msgspec.Struct, frozen=True, kw_only=True):
    """A named way to play a game: the number of players, and the `options` to send with the plan of a table.

    `first` is true if this preset is meant for a person's first game.
    """

    name: str
    title: str
    help: str
    seats: int
    options: dict[str, Json]
    first: bool


class GameCard(msgspec.Struct, frozen=True, kw_only=True):
    """A game. `seats` are the possible numbers of players, and `minutes` the shortest and longest usual duration.

    `version` is the version of the rules.
    """

    name: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    minutes: tuple[int, int]
    version: int
    options: tuple[OptionCard, ...]
    levels: tuple[Level, ...]
    presets: tuple[PresetCard, ...] = ()


class Games(msgspec.Struct, frozen=True):
    """All games that can be played on this server."""

    games: tuple[GameCard, ...]


class Tables(msgspec.Struct, frozen=True):
    """The tables of the list that was requested."""

    tables: tuple[TableLine, ...]


class TableName(msgspec.Struct, frozen=True):
    """A table's id, and the full address of its page."""

    table: str
    url: str


class LessonOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson to begin. `short` chooses the shorter lesson, for people who know games of this kind."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    short: bool = False


class SeatTakenAt(msgspec.Struct, frozen=True):
    """The number of the seat that the person has taken. Seats count from 0."""

    seat: int


class HouseKey(msgspec.Struct, frozen=True):
    """The public key (Ed25519, hexadecimal) of the server's signatures. It is null if the server doesn't sign."""

    key: str | None


class VerifyIn(Body, frozen=True, kw_only=True):
    """A record to verify. `record` is the text of its file.

    `kept` is a link of a hash chain that a player or spectator stored during the game. Write it as six words, as 64
    hexadecimal digits, or as the text that the button on the table's page copies. `kept` is optional.
    """

    record: str
    kept: Annotated[str, msgspec.Meta(max_length=2_000)] = ""


class FriendIn(Body, frozen=True):
    """A friend request. `name` is the name of the member who receives it."""

    name: Name


class TieIn(Body, frozen=True):
    """A change of the relation to a person. `befriend` sends a friend request, or accepts one from this person."""

    do: Change


class Friends(msgspec.Struct, frozen=True):
    """The relation after a change: whether both people are friends now."""

    friends: bool


class ReportIn(Body, frozen=True, kw_only=True):
    """A report to the hosts of the site. `lines` are the numbers of one person's messages, and `text` is the reason."""

    lines: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=20)]
    text: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class SeekIn(Body, frozen=True, kw_only=True):
    """A request for opponents: the game, the number of seats, the pace, and whether the game is rated."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    seats: Annotated[int, msgspec.Meta(ge=2, le=8)]
    pace: Pace
    rated: bool = False


class SeekName(msgspec.Struct, frozen=True):
    """The id of a request for opponents (a seek)."""

    seek: str


class Seeks(msgspec.Struct, frozen=True):
    """The person's requests for opponents (seeks).

    To find opponents for live games, fetch this list at least once a minute. If the list is not fetched for 90 s, the
    seeks for live games find no opponents until the list is fetched again. If it is not fetched for 30 minutes, these
    seeks end.
    """

    seeks: tuple[SeekLine, ...]


class OwnRatings(msgspec.Struct, frozen=True):
    """The person's ratings. The rating with the most games comes first."""

    ratings: tuple[RatingLine, ...]


class Done(msgspec.Struct, frozen=True):
    """The request was accepted, and has no other result."""

    ok: bool = True


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action.

    `status` is `repeated` if the server had already accepted a request with the same `key`, else `done`.
    """

    status: Literal["done", "repeated"]
    ply: int
    version: int


class Move(msgspec.Struct, frozen=True):
    """A legal move. To play it, send `text`. `action` is the same move in the game's own format."""

    text: str
    action: Json


class SeatSight(SeatLook, frozen=True, kw_only=True):  # noqa: D101
    __doc__ = SeatLook.__doc__  # the API has published SeatLook under this name


_PAGES_ONLY = frozenset({"summary", "origin", "considered"})
"""Fields of `Look` that only pages use. The API leaves them out."""
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
"""Fields of `Look` that have another type in the API than in `house.messages`."""

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
