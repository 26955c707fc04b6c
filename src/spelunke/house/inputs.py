"""What the deeds at a table take: bodies of requests, each refused where it has a field that is not known."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from spelunke.core.words import plain

Key = Annotated[
    str,
    msgspec.Meta(min_length=8, max_length=64, description="New for each action; sent twice, it plays once."),
]
Ply = Annotated[
    int, msgspec.Meta(ge=0, le=1_000_000, description="`ply` of the look that the action was chosen from.")
]
Link = Annotated[
    str,
    msgspec.Meta(
        max_length=64,
        pattern="^([0-9a-f]{64})?$",
        description="`chain.link` of that look: what is not the house's own past is refused. Empty: not looked at.",
    ),
]
Seat = Annotated[int, msgspec.Meta(ge=0, le=15)]
LevelName = Annotated[str, msgspec.Meta(max_length=64)]
Json: TypeAlias = Any
"""Any JSON value: a game of its own says what it means."""


# --- what deeds take --------------------------------------------------------------------------------------------


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request's body: what is not known is refused."""


class JoinIn(Body, frozen=True):
    """Which seat (the first free one by default), and the invitation where the seat needs one."""

    invite: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seat: Seat | None = None


class InviteIn(Body, frozen=True):
    """Whom: a member of the house, by name."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class NonceIn(Body, frozen=True):
    """The seat's share in chance, 1 to 64 printable characters without spaces, or first the SHA-256 of it.

    Who has committed to one by its SHA-256 opens it when `fairness.opening` says so.
    """

    nonce: Annotated[str, msgspec.Meta(max_length=64)] = ""
    commitment: Annotated[
        str, msgspec.Meta(max_length=64, pattern="^([0-9a-f]{64})?$", description="SHA-256 of the nonce")
    ] = ""


class FillIn(Body, frozen=True):
    """A bot for one free seat, or for all; without a level the game's first."""

    level: LevelName | None = None
    seat: Seat | None = None


class ActIn(Body, frozen=True):
    """A move as text."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Ply
    key: Key
    link: Link = ""


class TakeBackIn(Body, frozen=True):
    """Take the own sealed choice back."""

    ply: Ply
    key: Key
    link: Link = ""


class ResignIn(Body, frozen=True):
    """Give up."""

    key: Key


class DrawIn(Body, frozen=True):
    """Offer a draw, or answer one; `key` is needed to accept."""

    answer: Annotated[
        Literal["offer", "accept", "decline"],
        msgspec.Meta(extra={"refusal": plain("Choose offer, accept or decline.")}),
    ]
    key: Key | None = None


class AgainIn(Body, frozen=True):
    """The level of the bots; by default it stays."""

    level: LevelName | None = None


class PlayOnIn(Body, frozen=True):
    """From which position (of `plies` in the record; the last by default), at which seat, and against which bots."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    seat: Seat | None = None
    level: LevelName | None = None


class StandInIn(Body, frozen=True):
    """The level of the bot that stands in."""

    level: LevelName | None = None


class LessonIn(Body, frozen=True):
    """The text was read, or the learner goes on alone."""

    way: Annotated[Literal["read", "alone"], msgspec.Meta(extra={"refusal": plain("Choose read or alone.")})]
    ply: Ply
    key: Key


class NudgeIn(Body, frozen=True):
    """Which seat, of those in `waits`."""

    seat: Seat


class GoOnIn(Body, frozen=True):
    """Without which seat, of those in `waits`: let a bot play for it, take the win, or call the game off."""

    seat: Seat
    how: Annotated[
        Literal["bot", "win", "off"],
        msgspec.Meta(extra={"refusal": plain("Choose bot, win or off.")}),
    ]


class SayIn(Body, frozen=True):
    """A message at the table. With a key, the same message sent twice is said once."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    key: Key | None = None


class ReactIn(Body, frozen=True):
    """One of the reactions."""

    word: Annotated[
        Literal["cheers", "bravo", "haha", "ouch", "hm", "thanks"],
        msgspec.Meta(extra={"refusal": plain("Choose cheers, bravo, haha, ouch, hm or thanks.")}),
    ]


class StandingIn(Body, frozen=True):
    """The game's own orders for this seat; null forgets them."""

    orders: Json


class DraftIn(Body, frozen=True):
    """Fields of the board's form as the game names them, not sent yet: `card` for picked cards, `order.text`, ..."""

    fields: dict[
        str, Annotated[list[Annotated[str, msgspec.Meta(max_length=400)]], msgspec.Meta(max_length=64)]
    ] = {}
