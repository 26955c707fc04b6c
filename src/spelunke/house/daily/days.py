"""The games of the day.

The server chooses a seed for each game and day, normally before the day begins. The seed determines several deals, and
each person gets one of them. Tables with the same deal have the same dice and cards. For the reasons, and for the
proof that the dice and cards follow from the seed, see docs/why/shared-chance.md.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import msgspec
import structlog
from sqlalchemy import Connection, func, insert, select, update

from spelunke.bots.levels import default_level
from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game, shelf
from spelunke.games.game import Game, Settled
from spelunke.house.lobby import Lobby, NewTable, PlannedChair, Starting
from spelunke.house.people import People
from spelunke.house.plan import BOT, ME
from spelunke.house.refusals import BadPlan, HouseClosed, NotNow, UnknownDay
from spelunke.house.store import (
    Conflict,
    Leases,
    Store,
    Write,
    day_plays,
    days,
    due,
    insert_new,
    new_seed,
    read_seed,
    seeds,
    tables,
)
from spelunke.house.table import LEASE_MS, OF_DAY
from spelunke.records.dealt import number_deal
from spelunke.records.record import Deal

log = structlog.get_logger("spelunke.house.daily")

KIND = "days"
HOUSE = "-"
"""The value of the column `table_id` in `due` for tasks that belong to no game table."""
AHEAD = 7
"""The number of coming days whose seeds are chosen in advance."""
EVERY_MS = 30 * 60 * 1000
FIRST_MS = 1_000
LATE_MS = 60 * 60 * 1000
"""The length in ms of the period after a day in which its games can still end with a result that counts."""
FEWEST, MOST, EACH = 2, 16, 20
"""The limits for the number of different deals of a day.

When the server chooses the day's seed, up to `AHEAD` days in advance, it also fixes this number: `FEWEST`, and one
more for every `EACH` people who began yesterday's game of the day, but at most `MOST`.
"""
OPENED = 200
"""The most tables that are opened to everybody in one write."""
DAYS = 31
"""The most past days that the archive lists."""

When = Literal["coming", "today", "closing", "over"]


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """The game of the day for one game and one date.

    ``when`` is the state of the day. The value ``closing`` means the hour after the day: nobody can begin its game any
    more, but games that end in this hour still count. ``level`` is the level of the bots. ``deals`` is the number of
    different deals. ``commitment`` is the SHA-256 of the seed, and ``bound_ms`` the time at which the server chose
    the seed. ``seed`` is None until it is published at ``reveal_ms``. Times are in milliseconds since 1970.
    """

    game: str
    day: str
    when: When
    seats: int
    options: Settled
    level: str
    deals: int
    commitment: str
    bound_ms: int
    begins_ms: int
    ends_ms: int
    reveal_ms: int
    seed: str | None = None

    @property
    def early(self) -> bool:
        """Whether the seed was chosen before the day began."""
        return self.bound_ms < self.begins_ms


def event_of(game: str, day: str) -> str:
    """Return the key under which the database stores the seed for this game and this day."""
    return f"{OF_DAY}{game}:{day}"


def _draw_seed(game: str, day: str, now: int) -> dict[str, object]:
    """Return a row for the table `seeds` with a new random seed for this game and this day."""
    begins = _begin_of(date.fromisoformat(day))
    reveal = begins + 24 * 60 * 60 * 1000 + LATE_MS
    return new_seed(event_of(game, day), now=now, begins_ms=begins, reveal_ms=reveal)


def read_day(text: str) -> date:
    """Return the date in a text like 2026-11-24. Raise UnknownDay for any other text."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise UnknownDay("write the day in this form: 2026-11-24") from None
    if found.isoformat() != text:
        raise UnknownDay("write the day in this form: 2026-11-24")
    return found


def _begin_of(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


class Days:
    """Chooses the seeds of coming days, and makes the tables of people who play a game of the day."""

    def __init__(self, store: Store, people: People, lobby: Lobby, starting: Starting) -> None:
        self._store = store
        self._people = people
        self._lobby = lobby
        self._starting = starting
        self._leases = Leases(store, due, LEASE_MS)

    # --- fixing seeds

    def _plan(self) -> None:
        """Store the task that chooses the seeds of coming days, unless it is already stored.

        `bind` calls this after it has chosen seeds.
        """
        row = {"table_id": HOUSE, "kind": KIND, "seat": 0, "ply": 0, "at": self._store.now() + FIRST_MS}
        there = select(due.c.at).where(due.c.table_id == HOUSE, due.c.kind == KIND)
        try:
            with self._store.read() as connection:
                if connection.execute(there).first() is not None:
                    return
            self._store.writer.write(Write(call=lambda connection: self._leases.add(connection, **row)))
        except HouseClosed as error:
            log.warning("days are not planned", error=str(error))

    def work(self) -> None:
        """Choose the missing seeds of today and the coming days, and let everybody see the tables of past days.

        Also schedule the next run. `House._work_on_days` calls this.
        """
        self.bind()
        self._open_tables()
        now, today = self._store.now(), self.today()
        reveals = (_begin_of(day) + LATE_MS for day in (today, today + timedelta(1)))
        after = min(now + EVERY_MS, next(at for at in reveals if at > now))
        self._store.writer.write(
            Write(call=lambda connection: self._leases.release(connection, HOUSE, KIND, 0, at=after))
        )

    def today(self) -> date:
        """Return the present date in UTC."""
        return datetime.fromtimestamp(self._store.now() / 1000, UTC).date()

    def bind(self, only: str | None = None) -> None:
        """Choose the missing seeds of today and the coming days. If `only` is given, do so for this game only."""
        today = self.today()
        wanted = [(today + timedelta(ahead)).isoformat() for ahead in range(AHEAD + 1)]
        with self._store.read() as connection:
            query = select(days.c.game, days.c.day).where(days.c.day.in_(wanted))
            known = {(row.game, row.day) for row in connection.execute(query)}
        found = False
        for name, game in shelf().items():
            missing = [day for day in wanted if (name, day) not in known]
            if missing and only in {None, name}:
                self._bind(game, missing)
                found = True
        if found:
            self._plan()

    def _bind(self, game: Game, missing: list[str]) -> None:
        try:
            preset = game.preset(game.daily)
            seats = preset.seats if preset else game.usual_seats
            options = game.settle(seats, preset.options if preset else {})
            level = default_level(game)
        except SpelunkeError as error:  # a game that can't be played must not stop the others
            log.warning("no game of the day", game=game.name, error=str(error))
            return
        now = self._store.now()

        def put(connection: Connection) -> None:
            played = self._count_last(connection, game.name)
            row = {"game": game.name, "rules_version": game.version, "seats": seats, "level": level}
            row |= {"options": json.dumps(options), "deals": min(MOST, FEWEST + played // EACH)}
            # another worker may plan the same days at the same moment: the first one counts
            insert_new(connection, days, *({**row, "day": day} for day in missing))
            insert_new(connection, seeds, *(_draw_seed(game.name, day, now) for day in missing))

        self._store.writer.write(Write(call=put))

    def _count_last(self, connection: Connection, game: str) -> int:
        """Return the number of people who began yesterday's game of the day. ``game`` is the name of the game."""
        yesterday = (self.today() - timedelta(1)).isoformat()
        mine = (day_plays.c.game == game, day_plays.c.day == yesterday)
        return connection.execute(select(func.count()).select_from(day_plays).where(*mine)).scalar() or 0

    def _open_tables(self) -> None:
        """Let everybody see the tables of the days that are over."""
        query = (
            select(tables.c.id)
            .join(day_plays, day_plays.c.table_id == tables.c.id)
            .join(seeds, seeds.c.event == OF_DAY + day_plays.c.game + ":" + day_plays.c.day)
            .where(tables.c.players_only.is_(True), seeds.c.reveal_ms <= self._store.now())
            .order_by(tables.c.id)
            .limit(OPENED)
        )
        while True:
            with self._store.read() as connection:
                over = connection.execute(query).scalars().all()
            if not over:
                return
            self._store.open_tables(over)

    # --- reading

    def of(self, game: str, day: str) -> Day:
        """Return the game of the day for this game and date.

        If the day is today and its seed is missing, choose the seed first. Raise UnknownGame if there is no such
        game. Raise UnknownDay if `day` is not a date like 2026-11-24, or if no seed was chosen for it.
        """
        find_game(game)
        read_day(day)
        found = self._read(game, day)
        if found is None and day == self.today().isoformat():
            self.bind(game)
            found = self._read(game, day)
        if found is None:
            raise UnknownDay("that day has no game; choose a day from the archive")
        return found

    def _read(self, game: str, day: str) -> Day | None:
        its = seeds.c.event == OF_DAY + days.c.game + ":" + days.c.day
        query = select(days, seeds).join(seeds, its).where(days.c.game == game, days.c.day == day)
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        now = self._store.now()
        begins, reveal = row["begins_ms"], row["reveal_ms"]
        ends = reveal - LATE_MS
        when: When = "over" if now >= reveal else "closing" if now >= ends else "today"
        if now < begins:
            when = "coming"
        return Day(
            game=game,
            day=day,
            when=when,
            seats=row["seats"],
            options={
                name: tuple(value) if isinstance(value, list) else value
                for name, value in json.loads(row["options"]).items()
            },
            level=row["level"],
            deals=row["deals"],
            commitment=row["commitment"],
            bound_ms=row["made_ms"],
            begins_ms=begins,
            ends_ms=ends,
            reveal_ms=reveal,
            seed=row["seed"] if when == "over" else None,
        )

    def archive(self, game: str) -> tuple[str, ...]:
        """Return the dates of a game's past days, newest first, at most `DAYS`.

        People can still play the games of these days, but the results do not count.
        """
        now = self._store.now()
        query = (
            select(days.c.day)
            .join(seeds, seeds.c.event == OF_DAY + days.c.game + ":" + days.c.day)
            .where(days.c.game == game, seeds.c.reveal_ms <= now)
            .order_by(days.c.day.desc())
            .limit(DAYS)
        )
        with self._store.read() as connection:
            return tuple(connection.execute(query).scalars())

    def of_table(self, table: str) -> tuple[str, str] | None:
        """Return the game and the date of a table whose result may count for a day.

        Return None for all other tables, also for those that were made after their day was over.
        """
        query = select(day_plays.c.game, day_plays.c.day).where(day_plays.c.table_id == table)
        with self._store.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.game, row.day)

    # --- playing

    def play(self, person: str, game: str, day: str) -> str:
        """Return the person's table of a day. If they have none, make one.

        After the day, always make a new table, whose result does not count. Raise UnknownPerson, UnknownGame or
        UnknownDay if the person, the game or the day is unknown. Raise NotNow if the day has not begun, or if the
        day is closing and the person has no table of the day. Raise BadPlan if the rules of that day's game are no
        longer installed. Raise SiteClosed if a new table is needed and a host has closed the site.
        """
        self._people.find(person)
        found = self.of(game, day)
        if found.when == "coming":
            raise NotNow(f"the game of {day} begins on that day at 0:00 UTC; play today's game")
        if found.when == "over":
            return self._begin(person, found)
        known = self._find_own(person, found)
        if known is not None:
            return known
        if found.when == "closing":
            raise NotNow(
                "that day is over; its game moves to the archive within an hour, and you can play it there, "
                "but the result will not count"
            )
        return self._begin(person, found)

    def _begin(self, person: str, day: Day) -> str:
        game = find_game(day.game)
        with self._store.read() as connection:
            version = connection.execute(
                select(days.c.rules_version).where(days.c.game == day.game, days.c.day == day.day)
            ).scalar()
            seed = read_seed(connection, event_of(day.game, day.day))
        if version != game.version or seed is None:
            raise BadPlan("the rules of that day's game are no longer installed; choose another day", "day")
        number = number_deal(bytes.fromhex(seed), person, day.deals)
        chairs = [PlannedChair(ME, person), *[PlannedChair(BOT + day.level, None)] * (day.seats - 1)]
        counts = day.when != "over"

        def put(connection: Connection, table: str) -> None:
            if not counts:
                return
            row = {"game": day.game, "day": day.day, "person": person, "table_id": table, "deal": number}
            connection.execute(insert(day_plays), {**row, "began_ms": self._store.now()})

        new = NewTable(
            game=game,
            options=day.options,
            chairs=chairs,
            host=person,
            deal=Deal(event=event_of(day.game, day.day), number=number),
            seed=seed,
            players_only=counts,
        )
        try:
            table = self._lobby.found(new, begin=False, also=put)
        except Conflict:  # the person pressed the button twice
            known = self._find_own(person, day)
            if known is None:
                raise
            return known
        self._starting.start(table, nonces_due=True)
        return table

    def _find_own(self, person: str, day: Day) -> str | None:
        """Return the id of the person's table of this day, or None."""
        mine = (day_plays.c.game == day.game, day_plays.c.day == day.day, day_plays.c.person == person)
        with self._store.read() as connection:
            return connection.execute(select(day_plays.c.table_id).where(*mine)).scalar()


def forget_days(connection: Connection, person: str, nobody: str) -> int:
    """Transfer a person's games of the day to ``nobody``, because the person deletes their account.

    Return the number of transferred games. ``nobody`` is the id of a new person with the mark `gone`.
    """
    mine = day_plays.c.person == person
    return connection.execute(update(day_plays).where(mine).values(person=nobody)).rowcount
