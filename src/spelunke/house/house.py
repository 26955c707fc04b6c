"""The facade: everything that a server, a terminal or a test may ask of the house.

All methods are synchronous and thread-safe and may wait for the disk: call them from a thread pool
(`await run_in_threadpool(house.look, ...)`), never on an event loop. Only `subscribe` is asynchronous.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from spelunke.house.plan import Plan
from spelunke.house.sight import Answer, Health, Hint, Look, Person, TableLine


def plain(text: str) -> str:
    """The translation into the language that the words are written in."""
    return text


class House:
    """A house on a database. Open it once per process with `open_house`, and close it."""

    # --- people -------------------------------------------------------------------------------------------------

    def create_guest(self, name: str) -> Person:
        """A new person; its id goes into a signed cookie. The name is trimmed to one line of 1 to 24 characters (BadPlan)."""
        raise NotImplementedError

    def person(self, person: str) -> Person:
        """Who that id is; raises UnknownPerson."""
        raise NotImplementedError

    def rename(self, person: str, name: str) -> Person:
        """Give a person another name, at running tables as well; raises UnknownPerson, BadPlan."""
        raise NotImplementedError

    # --- lobby --------------------------------------------------------------------------------------------------

    def open_tables(self, game: str | None = None, limit: int = 50) -> tuple[TableLine, ...]:
        """Listed tables with a free seat, newest first."""
        raise NotImplementedError

    def my_tables(self, person: str, limit: int = 50) -> tuple[TableLine, ...]:
        """Tables where the person sits: those that wait for it first, then running, then open, then over (newest first)."""
        raise NotImplementedError

    def running_tables(self, game: str | None = None, limit: int = 50) -> tuple[TableLine, ...]:
        """Listed tables that are being played, for spectators, last changed first."""
        raise NotImplementedError

    # --- a table before it starts -------------------------------------------------------------------------------

    def create_table(self, person: str, plan: Plan) -> str:
        """Make a table and return its id, 10 letters and digits. A table without free seats is `ready` at once.

        Raises UnknownPerson, UnknownGame, BadOption, BadPlan.
        """
        raise NotImplementedError

    def join(self, table: str, person: str, *, invite: str = "", seat: int | None = None) -> int:
        """Sit down at a free seat (the first that the person may take, if none is named) and return it; twice is once.

        `invite` is `Look.invite` of the host, needed for seats planned as `link`. Two who race for a seat: one gets
        it, the other SeatTaken. Raises UnknownTable, NotNow.
        """
        raise NotImplementedError

    def leave(self, table: str, person: str) -> None:
        """Stand up before the start; an open table that its host leaves is closed (`over`). Raises NotSeated, NotNow."""
        raise NotImplementedError

    def add_nonce(self, table: str, person: str, nonce: str) -> None:
        """Give the seat's share in chance (1 to 64 printable characters, no spaces); replaceable until the start.

        When all seats are taken and every person has given one the game starts at once; it starts without the missing
        ones a few seconds later (setting `nonce_wait`), or by `start`. Raises BadNonce, NotSeated, NotNow.
        """
        raise NotImplementedError

    def start(self, table: str, person: str) -> None:
        """Start now: any seated person when all seats are taken; the host also with free seats, which bots then fill

        if it says so by `fill`. Raises NotSeated, NotNow.
        """
        raise NotImplementedError

    def fill(self, table: str, person: str, level: str | None = None, seat: int | None = None) -> None:
        """The host puts a bot on one free seat, or on all; `level` None is the game's first. Raises NotSeated, NotNow, BadPlan."""
        raise NotImplementedError

    # --- looking ------------------------------------------------------------------------------------------------

    def look(
        self,
        table: str,
        person: str | None = None,
        *,
        since: int = 0,
        translate: Callable[[str], str] = plain,
        words: Callable[[str], str] = plain,
    ) -> Look:
        """The table as this person may see it (None or somebody without a seat: a spectator).

        `since` is the ply after which log lines are wanted. `translate` is for the game's sentences, `words` for the
        house's own. Raises UnknownTable, and UnknownGame when the rules of its version are not available.
        """
        raise NotImplementedError

    def version(self, table: str, person: str | None = None) -> int:
        """The version that a look would have now; cheap. Raises UnknownTable."""
        raise NotImplementedError

    def subscribe(self, table: str) -> AsyncIterator[Hint]:
        """Hints from now on, newest wins: a slow reader misses the ones between. Never ends by itself; `aclose` it.

        A hint may be missed when workers lose each other: look again after a heartbeat's silence.
        """
        raise NotImplementedError

    def record(self, table: str) -> Any:
        """The whole game as a `spelunke.records.record.Record`, seed and all; raises NotNow before the game is over."""
        raise NotImplementedError

    # --- playing ------------------------------------------------------------------------------------------------

    def act(self, table: str, person: str, move: str, ply: int, key: str) -> Answer:
        """Play a move text for the person's seat; returns after it is durable.

        `ply` is `Look.ply` of the look that it was chosen from; `key` is any text of 8 to 64 characters, new for each
        action. Raises UnknownTable, NotSeated, BadText, IllegalMove, NotYourTurn, GameOver, NotNow; the table is then as it was.
        """
        raise NotImplementedError

    def take_back(self, table: str, person: str, ply: int, key: str) -> Answer:
        """Take back the seat's own sealed choice while others still choose; raises NotNow when that can't be (any more)."""
        raise NotImplementedError

    def resign(self, table: str, person: str, key: str) -> Answer:
        """Give up: at two seats the game is over; at more the seat's place is last and a bot plays on for it."""
        raise NotImplementedError

    def offer_draw(self, table: str, person: str) -> Answer:
        """Offer a draw to all others; it lapses when another seat moves. Once per own move. Raises NotNow."""
        raise NotImplementedError

    def accept_draw(self, table: str, person: str, key: str) -> Answer:
        """Accept; when every person at the table has offered or accepted, the game is drawn. Raises NotNow without an offer."""
        raise NotImplementedError

    def decline_draw(self, table: str, person: str) -> Answer:
        """Decline; the offer is gone. Raises NotNow without an offer."""
        raise NotImplementedError

    def rematch(self, table: str, person: str) -> str:
        """The table of the next game with the same people and settings, seats moved on by one; made by the first who asks."""
        raise NotImplementedError

    def stand_in(self, table: str, person: str, level: str | None = None) -> Answer:
        """Let a bot play for the person's own seat until `come_back`; raises NotSeated, NotNow."""
        raise NotImplementedError

    def come_back(self, table: str, person: str) -> Answer:
        """Take the own seat over from the bot again; raises NotSeated, NotNow."""
        raise NotImplementedError

    # --- beside the game ----------------------------------------------------------------------------------------

    def say(self, table: str, person: str, text: str) -> None:
        """Chat, 1 to 300 characters, at most 5 messages in 10 seconds; spectators too. Raises BadMessage, TooFast."""
        raise NotImplementedError

    def set_standing(self, table: str, person: str, orders: Any) -> None:
        """Keep the game's own orders for this seat (JSON-able, at most 4 kB, None forgets); only its owner sees them."""
        raise NotImplementedError

    # --- the house itself ---------------------------------------------------------------------------------------

    def health(self) -> Health:
        """How the house is; never raises."""
        raise NotImplementedError

    def metrics(self) -> bytes:
        """All counters in the text format of Prometheus; holds no names and no table ids."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop timers and bots, write what is queued, close the store. What is due is taken up by the next start."""
        raise NotImplementedError


def open_house(
    database: str,
    *,
    redis: str = "",
    bot_pause: float = 0.7,
    nonce_wait: float = 5.0,
    bot_threads: int = 2,
    timers: bool = True,
    clock: Callable[[], float] | None = None,
) -> House:
    """Open the house on a SQLAlchemy address (`sqlite:///path`, `postgresql+psycopg://...`); migrates a SQLite file by itself.

    `bot_pause`: seconds before a bot moves. `timers=False` leaves due work to `House.tick()` (tests, with `clock`, a
    function that returns seconds since 1970).
    """
    raise NotImplementedError
