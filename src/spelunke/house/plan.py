"""The settings of a new table: its seats, its clock, and further settings, such as whether the game is rated."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from spelunke.house.refusals import BadPlan

ME = "me"
"""The value in `Plan.seats` for the host's own seat."""
OPEN = "open"
"""The value in `Plan.seats` for a seat that anybody may take, from the lobby or with the table's link."""
LINK = "link"
"""The value in `Plan.seats` for a seat that only somebody with the table's link may take."""
HERE = "here:"
"""The beginning of the value in `Plan.seats` for another person on the host's device.

The person's name follows (``here:Bert``).
"""
BOT = "bot:"
"""The beginning of the value in `Plan.seats` for a bot. The bot's level follows (``bot:greedy``)."""


MOST_DELAY = 200
"""The largest value of `Plan.delay`, in plies."""


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock of a table.

    ``kind``: ``none`` is no clock. With ``live``, each seat has ``minutes`` for the game and gains ``increment``
    seconds at the end of each turn in which its clock ran. With ``days``, each decision may take ``days`` days.

    ``out`` is the consequence if a seat's time is up. ``lose``: the seat loses the game. ``bot``: a bot plays
    until the person returns. ``auto``: ``lose`` at a table with two seats, and ``bot`` at a larger one.

    If a player has been absent on their turn for ``grace`` minutes, the other players may go on without the absent
    player. ``grace`` has no effect at a table where each decision may take days.
    """

    kind: Literal["none", "live", "days"] = "none"
    minutes: float = 15.0
    increment: float = 10.0
    days: float = 3.0
    out: Literal["auto", "lose", "bot"] = "auto"
    grace: float = 2.0

    @property
    def grace_ms(self) -> int | None:
        """The time in ms after which the other players may go on without an absent player.

        If each decision may take days, it is None.
        """
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
    """Further settings of a table. For their meaning, see `Plan`."""

    rated: bool = False
    friends: bool = False
    delay: int = 0
    chat_closed: bool = False


USUAL = Terms()


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a new table.

    ``seats`` has one value for each seat: ``me`` (the host), ``open`` (anybody), ``link`` (somebody with the
    table's link), ``here:NAME`` (another person on the host's device), or ``bot:LEVEL``. ``options`` are
    options of the game. ``listed``: the lobby shows the table, among the tables with free seats until it
    starts, and then among the running tables. Spectators who know the address may watch an unlisted table too.

    ``clock`` is the clock, or None for the default. By default, a table with several people on one device
    has no clock. Any other table has a live clock if it is rated, or if it is listed and has an ``open`` seat, and
    otherwise no clock.

    ``rated``: the result changes the ratings of the players, who must all be members. ``friends``: only
    friends of the host find the table in the lobby, and only they and people with the link may sit down.
    ``delay``: spectators see the game this number of plies late. ``chat_closed``: spectators don't see the
    players' chat.
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
        """The table's default clock, for a host who has not chosen a clock."""
        strangers = self.rated or (self.listed and OPEN in self.seats)
        return Clock(kind="live") if strangers and not self.shares_device else Clock()

    @property
    def shares_device(self) -> bool:
        """Whether several people play on the host's device."""
        return any(word.startswith(HERE) for word in self.seats)

    @property
    def terms(self) -> Terms:
        """The planned table's settings that belong to `Terms`."""
        return Terms(rated=self.rated, friends=self.friends, delay=self.delay, chat_closed=self.chat_closed)

    def check_rated(self, *, standard: bool) -> None:
        """Raise BadPlan if the plan asks for a rated table with settings that a rated table can't have.

        `standard`: all options have their default values.
        """
        if not self.rated:
            return
        if any(word.startswith(BOT) for word in self.seats):
            raise BadPlan(
                "a rated game is for people only: take the bots away, or play without rating", "rated"
            )
        if not standard:
            raise BadPlan(
                "a rated game has the standard rules: choose the default options, or play without rating",
                "rated",
            )
        if (self.clock or self.usual_clock).kind == "none":
            raise BadPlan("a rated game needs a clock: choose “Live” or “Over days”", "rated")
