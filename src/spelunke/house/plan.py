"""The host's plan for a table: its seats, its clock and its terms."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from spelunke.house.refusals import BadPlan

ME = "me"
"""The plan of a seat on which the host sits."""
OPEN = "open"
"""The plan of a seat for anybody who comes from the lobby or has the link."""
LINK = "link"
"""The plan of a seat for somebody who has the table's link."""
HERE = "here:"
"""The plan of a seat for another person on the host's device. The person's name follows (``here:Bert``)."""
BOT = "bot:"
"""The plan of a seat for a bot. The bot's level follows (``bot:greedy``)."""


MOST_DELAY = 200
"""The largest delay of spectators behind the game, in plies."""


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock of a table.

    ``none``: no clock. ``live``: each seat has ``minutes`` for the game and gains ``increment`` seconds with
    each decision. ``days``: each decision may take ``days``. When a seat's time is up, ``lose`` ends the game
    for it, and ``bot`` lets a bot play until the person returns; ``auto`` means lose at two seats and bot at
    more. ``grace``: the minutes after which the others may go on without an absent player; it does not apply
    to ``days``.
    """

    kind: Literal["none", "live", "days"] = "none"
    minutes: float = 15.0
    increment: float = 10.0
    days: float = 3.0
    out: Literal["auto", "lose", "bot"] = "auto"
    grace: float = 2.0

    @property
    def grace_ms(self) -> int | None:
        """The grace in milliseconds, or None at tables over days."""
        return None if self.kind == "days" else int(self.grace * 60_000)

    def check(self) -> Clock:
        """Return this clock. Raise BadPlan if a number is out of bounds."""
        if not 0.1 <= self.minutes <= 600:
            raise BadPlan(f"{self.minutes:g} is not possible; choose 0.1 to 600 minutes", "clock minutes")
        if not 0 <= self.increment <= 600:
            raise BadPlan(f"{self.increment:g} is not possible; choose 0 to 600 seconds", "clock increment")
        if not 0.04 <= self.days <= 30:
            raise BadPlan(f"{self.days:g} is not possible; choose 0.04 to 30 days", "clock days")
        if not 0.5 <= self.grace <= 600:
            raise BadPlan(f"{self.grace:g} is not possible; choose 0.5 to 600 minutes", "clock grace")
        return self

    def when_out(self, seats: int) -> Literal["lose", "bot"]:
        """Return the consequence for a seat whose time is up: it loses the game, or a bot plays for it."""
        if self.out == "auto":
            return "lose" if seats == 2 else "bot"
        return self.out


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a table besides its rules and its clock. For their meaning, see `Plan`."""

    rated: bool = False
    friends: bool = False
    delay: int = 0
    chat_closed: bool = False


USUAL = Terms()


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan of a new table.

    ``seats`` has one of ``me``, ``open``, ``link``, ``here:NAME``, ``bot:LEVEL`` per seat, in seat order.

    ``listed``: the table is shown in the lobby while seats are open, and later among the running tables.
    Spectators who know the address may watch an unlisted table too. If no ``clock`` is given, tables for
    strangers have a live clock, and others none.

    ``rated``: the result changes the ratings of its players, who must all be members. ``friends``: only
    friends of the host find it in the lobby, and only they and people with the link may sit down. ``delay``:
    the number of plies by which spectators are behind. ``chat_closed``: spectators don't see the players'
    chat.
    """

    game: str
    seats: tuple[str, ...]
    options: dict[str, object] = {}
    clock: Clock | None = None
    listed: bool = True
    rated: bool = False
    friends: bool = False
    delay: Annotated[int, msgspec.Meta(ge=0, le=MOST_DELAY)] = 0
    chat_closed: bool = False

    @property
    def usual_clock(self) -> Clock:
        """The clock of a table for which the host has chosen none."""
        strangers = self.rated or (self.listed and OPEN in self.seats)
        return Clock(kind="live") if strangers and not self.shares_device else Clock()

    @property
    def shares_device(self) -> bool:
        """Whether several people play on the host's device."""
        return any(word.startswith(HERE) for word in self.seats)

    @property
    def terms(self) -> Terms:
        """The terms of the planned table."""
        return Terms(rated=self.rated, friends=self.friends, delay=self.delay, chat_closed=self.chat_closed)

    def check_rated(self, *, standard: bool) -> None:
        """Raise BadPlan if a table with this plan can't be rated.

        `standard`: the rules of the table are the usual ones.
        """
        if not self.rated:
            return
        if any(word.startswith(BOT) for word in self.seats):
            raise BadPlan(
                "a rated game is for people only: take the bots away, or play without rating", "rated"
            )
        if not standard:
            raise BadPlan(
                "a rated game has the standard rules: leave the options as they are, or play without rating",
                "rated",
            )
        if (self.clock or self.usual_clock).kind == "none":
            raise BadPlan("a rated game needs a clock: choose live or over days", "rated")
