"""The plan of an event, and the data of events as a reader may see them."""

from __future__ import annotations

from typing import Literal

import msgspec

from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.events.rounds import Kind
from spelunke.house.events.standings import Place, Scoring
from spelunke.house.plan import Clock
from spelunke.house.readable import is_readable
from spelunke.house.refusals import BadPlan

LONGEST_NAME = 60
MINUTE_MS = 60_000

Status = Literal["open", "running", "over", "off"]


class EventPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan of an event.

    ``kind`` is the kind of event. ``seats`` are the sizes of tables, largest first. ``rounds`` is the number
    of rounds, or 0 for the usual number. ``begins_ms`` is the start in milliseconds since 1970. If it is
    None, the host starts the event. ``round_minutes`` is the time limit of a round, at which its
    unfinished tables end in a tie. ``pause_minutes`` is the pause between two rounds.

    ``duplicate``: all tables of a round have the same dice and cards. ``scoring``: standings are by
    ``places`` or by ``points``. ``move``: after a season of a league, this number of entrants of each
    division moves up, and the same number moves down. ``division_size`` is the largest size of a league's divisions.
    ``previous`` is the id of the previous season's event.
    """

    game: str
    name: str
    kind: Kind = "swiss"
    seats: tuple[int, ...] = (2,)
    rounds: int = 0
    options: dict[str, object] = {}
    clock: Clock = Clock(kind="live", minutes=15, increment=10)
    begins_ms: int | None = None
    round_minutes: int = 60
    pause_minutes: int = 0
    duplicate: bool = False
    scoring: Scoring = "places"
    move: int = 1
    division_size: int = 8
    previous: str | None = None

    @property
    def admits_late(self) -> bool:
        """Whether people can enter after the start, or come back after they have left."""
        return self.kind == "swiss" or (self.kind != "knockout" and self.seats != (2,))


class EventLine(msgspec.Struct, frozen=True, kw_only=True):
    """An event in a list."""

    id: str
    name: str
    game: str
    kind: Kind
    status: Status
    round: int
    rounds: int
    players: int
    begins_ms: int | None
    duplicate: bool


class EventTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round. ``players`` are the numbers of its entrants, by seat.

    ``number`` is the table's number in its round. In a knock-out, it is the place in the bracket (see `Meeting`).
    ``table`` is the table's id. It is None for a bye, and until the table is made. ``ranks`` and ``leads``
    are the results by seat. They are empty until the table is over. ``players_only`` is true if only the
    table's own players may see the table, because the round is not over yet. In an `EventLook`, such a table
    has no results: only ``over`` shows that its game has ended.
    """

    round: int
    number: int
    table: str | None
    players: tuple[int, ...]
    ranks: tuple[int, ...]
    leads: tuple[float, ...]
    over: bool
    players_only: bool


class EventPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant of an event: a person, or a bot with a level. ``you`` is true if the reader is this entrant."""

    number: int
    name: str
    level: str | None
    you: bool
    left: bool
    division: int


class EventLook(msgspec.Struct, frozen=True, kw_only=True):
    """An event as one reader may see it.

    ``host`` is true if the reader is the event's host, and ``host_name`` is the name of the host. ``entered`` is true
    if the reader has entered the event, and ``left`` if they have left it. ``yours`` is the reader's unfinished table,
    or None. ``ends_ms`` is the end of the present round. If the tables share dice and cards, these are computed from a
    seed, and ``commitment`` is the SHA-256 of the seed. Otherwise ``commitment`` is None. ``seed`` is None until the
    seed is published at the end of the event.
    """

    id: str
    plan: EventPlan
    status: Status
    round: int
    rounds: int
    host: bool
    host_name: str
    entered: bool
    left: bool
    ends_ms: int | None
    players: tuple[EventPlayer, ...]
    tables: tuple[EventTable, ...]
    standings: tuple[Place, ...]
    commitment: str | None
    seed: str | None
    yours: str | None
    season: int
    next_season: str | None


def check_plan(plan: EventPlan, now: int) -> Game:
    """Return the game of a plan if the plan is valid. Otherwise raise BadPlan, BadOption or UnknownGame."""
    game = find_game(plan.game)
    if len(plan.name) > LONGEST_NAME or not is_readable(plan.name):
        raise BadPlan(f"give the tournament a name of 1 to {LONGEST_NAME} characters", "name")
    sizes = plan.seats
    if not sizes or any(size not in game.seats for size in sizes) or max(sizes) > 4:
        allowed = ", ".join(str(size) for size in game.seats if size <= 4)
        raise BadPlan(
            f"in a tournament of {game.title}, a table can have these numbers of seats: {allowed}",
            "seats",
        )
    if tuple(sizes) not in {(2,), (3,), (4,), (4, 3)}:
        raise BadPlan("choose tables of 2, 3 or 4 players, or a mix of tables of 4 and tables of 3", "seats")
    if plan.kind == "knockout" and tuple(sizes) != (2,):
        raise BadPlan("a knock-out needs tables of 2 players", "seats")
    if not 0 <= plan.rounds <= 100:
        raise BadPlan("choose 1 to 100 rounds, or 0 for the usual number", "rounds")
    if not 1 <= plan.round_minutes <= 60 * 24 * 60:
        raise BadPlan("a round takes 1 minute to 60 days", "round_minutes")
    if not 0 <= plan.pause_minutes <= 60 * 24:
        raise BadPlan("the pause between two rounds takes at most a day", "pause_minutes")
    if not (1 <= plan.move <= 4 and 2 <= plan.division_size <= 64):
        raise BadPlan(
            "a division has 2 to 64 players; 1 to 4 of them move up, and the same number moves down",
            "division_size",
        )
    if (
        plan.begins_ms is not None
        and not now - MINUTE_MS <= plan.begins_ms <= now + 366 * 24 * 60 * MINUTE_MS
    ):
        raise BadPlan("choose a start in the future, at most a year ahead", "begins_ms")
    plan.clock.check()
    for size in sizes:
        game.settle(size, plan.options)
    return game
