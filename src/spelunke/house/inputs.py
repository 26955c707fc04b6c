"""The request bodies of operations at a table. The server refuses bodies with unknown fields."""

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
"""Any JSON value. Each game defines its meaning."""


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request body. The server refuses unknown fields."""


class JoinIn(Body, frozen=True):
    """A request to sit down at ``seat``.

    By default, the server chooses a seat that is kept for you, else a seat for people with the table's link, else any
    other free seat. ``invite`` is the code in the table's link. Only some seats need it.
    """

    invite: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seat: Seat | None = None


class InviteIn(Body, frozen=True):
    """The name of the member to invite to the table."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class NonceIn(Body, frozen=True):
    """A text that the player contributes to chance (a nonce), or first a commitment to such a text.

    ``nonce`` has 1 to 64 printable characters without spaces. ``commitment`` is its SHA-256. Send one of the
    two. A player who sent a commitment sends the nonce when `fairness.opening` in the `Look` is true.
    """

    nonce: Annotated[str, msgspec.Meta(max_length=64)] = ""
    commitment: Annotated[
        str, msgspec.Meta(max_length=64, pattern="^([0-9a-f]{64})?$", description="SHA-256 of the nonce")
    ] = ""


class FillIn(Body, frozen=True):
    """A request to put a bot on the free seat ``seat``, or by default bots on all free seats.

    ``level`` is the bots' level. By default it is the game's usual one.
    """

    level: LevelName | None = None
    seat: Seat | None = None


class ActIn(Body, frozen=True):
    """A move of your seat, as text."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Ply
    key: Key
    link: Link = ""


class TakeBackIn(Body, frozen=True):
    """A request to take back your secret choice. This is possible until the last player has chosen."""

    ply: Ply
    key: Key
    link: Link = ""


class ResignIn(Body, frozen=True):
    """A resignation. Requests with the same ``key`` count once."""

    key: Key


class DrawIn(Body, frozen=True):
    """A draw offer, or the answer to an offer.

    Acceptances with the same ``key`` count once.
    """

    answer: Annotated[
        Literal["offer", "accept", "decline"],
        msgspec.Meta(extra={"refusal": plain("Choose “offer”, “accept” or “decline”.")}),
    ]
    key: Key | None = None


class UndoIn(Body, frozen=True):
    """A request to take back your newest move, or the answer to another player's request."""

    answer: Annotated[
        Literal["ask", "agree", "refuse"],
        msgspec.Meta(extra={"refusal": plain("Choose “ask”, “agree” or “refuse”.")}),
    ] = "ask"
    key: Key | None = None


class AgainIn(Body, frozen=True):
    """A request for the next game against bots.

    ``level`` is the bots' level. By default, the bots keep the level that they had in the finished game.
    """

    level: LevelName | None = None


class PlayOnIn(Body, frozen=True):
    """A request to play on from a position of a finished game, against bots.

    ``ply`` is the number of plies before the position. By default, it is the end of the game. ``seat`` is
    your seat, by default the one that you had, or the seat to act if you had none. ``level`` is the bots' level.
    By default, bots of the finished game keep their levels.
    """

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    seat: Seat | None = None
    level: LevelName | None = None


class StandInIn(Body, frozen=True):
    """A request that a bot plays for your seat.

    ``level`` is the bot's level, by default the game's usual one.
    """

    level: LevelName | None = None


class LessonIn(Body, frozen=True):
    """A step in a lesson: you have read the text (``read``), or you play the rest without the lesson
    (``alone``).
    """

    way: Annotated[
        Literal["read", "alone"], msgspec.Meta(extra={"refusal": plain("Choose “read” or “alone”.")})
    ]
    ply: Ply
    key: Key


class NudgeIn(Body, frozen=True):
    """A request to remind an absent player. ``seat`` is the player's seat, one of those in `waits` of the `Look`."""

    seat: Seat


class GoOnIn(Body, frozen=True):
    """A way to go on without an absent player. ``seat`` is the player's seat, one of those in `waits` of the `Look`.

    ``bot``: a bot plays for the player. ``win``: you win. ``off``: you want to end the game without a winner.
    """

    seat: Seat
    how: Annotated[
        Literal["bot", "win", "off"],
        msgspec.Meta(extra={"refusal": plain("Choose “bot”, “win” or “off”.")}),
    ]


class SayIn(Body, frozen=True):
    """A chat message. If several requests have the same ``key``, the message is posted once."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    key: Key | None = None


class ReactIn(Body, frozen=True):
    """A reaction, such as applause, to show beside your portrait. ``word`` is its name."""

    word: Annotated[
        Literal["cheers", "bravo", "haha", "ouch", "hm", "thanks"],
        msgspec.Meta(extra={"refusal": plain("Choose “cheers”, “bravo”, “haha”, “ouch”, “hm” or “thanks”.")}),
    ]


class ShowIn(Body, frozen=True):
    """A request to let spectators see everything that your seat sees.

    If ``shown`` is false, it is a request to hide your seat's secrets from spectators again.
    """

    shown: Annotated[bool, msgspec.Meta(extra={"refusal": plain("Choose “true” or “false”.")})]


class StandingIn(Body, frozen=True):
    """Your instructions for coming decisions of your seat (standing orders). Each game defines their form.

    A value of null deletes the stored instructions.
    """

    orders: Json


class DraftIn(Body, frozen=True):
    """A request to preview an action that you are composing on the board. Nothing changes in the game.

    ``fields`` has the values of the board's form so far, by field name. Each game has its own names. For example,
    the field `card` has the cards that you have picked.
    """

    fields: dict[
        str, Annotated[list[Annotated[str, msgspec.Meta(max_length=400)]], msgspec.Meta(max_length=64)]
    ] = {}
