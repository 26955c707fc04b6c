"""The inputs of operations at a table: request bodies, each refused if it has an unknown field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from spelunke.core.words import plain

Key = Annotated[
    str,
    msgspec.Meta(
        min_length=8, max_length=64, description="A new text for each action; a repeated key plays once."
    ),
]
Ply = Annotated[
    int, msgspec.Meta(ge=0, le=1_000_000, description="`ply` of the look that the action was chosen from.")
]
Link = Annotated[
    str,
    msgspec.Meta(
        max_length=64,
        pattern="^([0-9a-f]{64})?$",
        description="`chain.link` of that look; refused if the server has another past. Empty: not checked.",
    ),
]
Seat = Annotated[int, msgspec.Meta(ge=0, le=15)]
LevelName = Annotated[str, msgspec.Meta(max_length=64)]
Json: TypeAlias = Any
"""Any JSON value; each game defines its meaning."""


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request body. Unknown fields are refused."""


class JoinIn(Body, frozen=True):
    """The seat (by default the first free one), and the invitation if the seat needs one."""

    invite: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seat: Seat | None = None


class InviteIn(Body, frozen=True):
    """The name of a member of the house."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class NonceIn(Body, frozen=True):
    """The seat's share in chance, 1 to 64 printable characters without spaces, or first its SHA-256.

    A player who committed to a nonce sends it once `fairness.opening` is true.
    """

    nonce: Annotated[str, msgspec.Meta(max_length=64)] = ""
    commitment: Annotated[
        str, msgspec.Meta(max_length=64, pattern="^([0-9a-f]{64})?$", description="SHA-256 of the nonce")
    ] = ""


class FillIn(Body, frozen=True):
    """A bot for one free seat, or for all; without a level, the game's first."""

    level: LevelName | None = None
    seat: Seat | None = None


class ActIn(Body, frozen=True):
    """A move as text."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Ply
    key: Key
    link: Link = ""


class TakeBackIn(Body, frozen=True):
    """A request to take back your own sealed choice."""

    ply: Ply
    key: Key
    link: Link = ""


class ResignIn(Body, frozen=True):
    """A resignation."""

    key: Key


class DrawIn(Body, frozen=True):
    """A draw offer, or the answer to one; `key` is needed to accept."""

    answer: Annotated[
        Literal["offer", "accept", "decline"],
        msgspec.Meta(extra={"refusal": plain("Choose offer, accept or decline.")}),
    ]
    key: Key | None = None


class UndoIn(Body, frozen=True):
    """A request to take your newest move back, or the answer to one."""

    answer: Annotated[
        Literal["ask", "agree", "refuse"],
        msgspec.Meta(extra={"refusal": plain("Choose ask, agree or refuse.")}),
    ] = "ask"
    key: Key | None = None


class AgainIn(Body, frozen=True):
    """The level of the bots; by default it stays the same."""

    level: LevelName | None = None


class PlayOnIn(Body, frozen=True):
    """The position (of `plies` in the record; the last by default), your seat, and the level of the bots."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    seat: Seat | None = None
    level: LevelName | None = None


class StandInIn(Body, frozen=True):
    """The level of the bot that stands in."""

    level: LevelName | None = None


class LessonIn(Body, frozen=True):
    """A step in a lesson: the text was read, or the rest is played without the lesson."""

    way: Annotated[Literal["read", "alone"], msgspec.Meta(extra={"refusal": plain("Choose read or alone.")})]
    ply: Ply
    key: Key


class NudgeIn(Body, frozen=True):
    """The seat to nudge, one of those in `waits`."""

    seat: Seat


class GoOnIn(Body, frozen=True):
    """The absent seat, one of those in `waits`, and the remedy: let a bot play, take the win, or call the game off."""

    seat: Seat
    how: Annotated[
        Literal["bot", "win", "off"],
        msgspec.Meta(extra={"refusal": plain("Choose bot, win or off.")}),
    ]


class SayIn(Body, frozen=True):
    """A chat message. If a key is given, a repeated message is posted once."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    key: Key | None = None


class ReactIn(Body, frozen=True):
    """A reaction, by its name."""

    word: Annotated[
        Literal["cheers", "bravo", "haha", "ouch", "hm", "thanks"],
        msgspec.Meta(extra={"refusal": plain("Choose cheers, bravo, haha, ouch, hm or thanks.")}),
    ]


class ShowIn(Body, frozen=True):
    """A seat's choice: `shown` if spectators may see what it sees."""

    shown: Annotated[bool, msgspec.Meta(extra={"refusal": plain("Choose true or false.")})]


class StandingIn(Body, frozen=True):
    """The standing orders for this seat, as the game defines them; null deletes them."""

    orders: Json


class DraftIn(Body, frozen=True):
    """Unsent fields of the board's form as the game names them: `card` for picked cards, `order.text`, and so on."""

    fields: dict[
        str, Annotated[list[Annotated[str, msgspec.Meta(max_length=400)]], msgspec.Meta(max_length=64)]
    ] = {}
