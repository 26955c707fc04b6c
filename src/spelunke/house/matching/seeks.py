"""Seeks: requests of people for a game with strangers. The server regularly searches for people whose seeks match,
and makes a table for them.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from typing import Literal, get_args

import msgspec
import structlog
from sqlalchemy import Connection, delete, func, insert, select, update

from spelunke.bots.levels import default_level
from spelunke.core.errors import Refused
from spelunke.games import find_game, shelf
from spelunke.house.lobby import Lobby, NewTable, PlannedChair
from spelunke.house.matching.groups import Waiting, find_group, width_of
from spelunke.house.outbox import Note, note
from spelunke.house.people import People, find_ban, read_blocked
from spelunke.house.plan import BOT, ME, OPEN, Clock, Plan, Terms
from spelunke.house.play import TableStore, check_level
from spelunke.house.ratings import Ratings, Skill, read_skills
from spelunke.house.refusals import BadPlan, NotAllowed, NotNow
from spelunke.house.store import Leases, Write, due, seeks
from spelunke.house.table import LEASE_MS, Task

log = structlog.get_logger("spelunke.house.matching")

Pace = Literal["brisk", "steady", "days"]
PACES: dict[Pace, Clock] = {
    "brisk": Clock(kind="live", minutes=5, increment=5),
    "steady": Clock(kind="live", minutes=15, increment=10),
    "days": Clock(kind="days", days=3),
}
HOUSE, KIND = "-", "match"
"""The values of the columns `table_id` and `kind` of the stored task that matches seeks."""
MOST = 8
"""The most seeks of one person at a time."""
SEEN_MS = 90_000
"""The time in ms without a page request after which a seek for a live game is no longer matched.

A person's page requests their seeks every few seconds.
"""
BOTS_MS = {"live": 45_000, "days": 12 * 3_600_000}
"""The waiting time in ms after which the page offers bots instead of people."""
AGAIN_MS = {"live": 2_000, "days": 60_000}
"""The pause in ms between two searches while several people wait for the same kind of game."""
IDLE_MS = 10 * 60_000
GONE_MS = 30 * 60_000
"""The time in ms without a page request after which a seek for a live game is deleted.

A seek that has found a table is deleted after the same time, counted from the moment when the table was found.
"""


class SeekLine(msgspec.Struct, frozen=True, kw_only=True):
    """A person's seek: a request for a game with strangers.

    ``pace`` is ``brisk``, ``steady`` or ``days``. ``since_ms`` is the start of the search in milliseconds
    since 1970. ``table`` is the id of the table that was found, or null. ``width`` is the rating difference
    in points that the person accepts now. ``waiting`` is the number of people who look for such a game. This
    person is included until a table is found. ``bots``: the page offers bots now.
    """

    id: str
    game: str
    title: str
    seats: int
    pace: Pace
    rated: bool
    since_ms: int
    table: str | None
    width: int
    waiting: int
    bots: bool


class Matching:
    """The seeks of people, and the search for people who match."""

    def __init__(self, table_store: TableStore, people: People, lobby: Lobby, ratings: Ratings) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people
        self._lobby = lobby
        self._ratings = ratings
        self._leases = Leases(self._store, due, LEASE_MS)

    # --- actions of people

    def seek(self, person: str, game: str, seats: int, pace: str, *, rated: bool) -> str:
        """Begin to look for a game with strangers, and return the id of the seek.

        `pace` is brisk, steady or days. The search goes on until a table is found or the person ends the seek. A seek
        for a live game also ends when it expires (`GONE_MS`), or when another seek of the person finds a live game.
        Raise UnknownPerson, UnknownGame, BadInput, NotAllowed or NotNow.
        """
        known, found = self._people.find(person), find_game(game)
        chosen = next((one for one in get_args(Pace) if one == pace), None)
        if chosen is None:
            raise BadPlan("choose “brisk”, “steady” or “days”", "pace")
        found.settle(seats, {})
        if rated and not known.member:
            raise NotAllowed(
                "only members can play rated games: become a member, or look for a game without rating"
            )
        now = self._store.now()
        row = {"id": secrets.token_hex(8), "person": person, "game": game, "seats": seats, "pace": chosen}
        row |= {"rated": rated, "created_ms": now, "seen_ms": now, "table_id": None, "found_ms": None}

        def put(connection: Connection) -> None:
            mine = (seeks.c.person == person, seeks.c.table_id.is_(None))
            same = (seeks.c.game == game, seeks.c.seats == seats, seeks.c.pace == chosen)
            if connection.execute(select(seeks.c.id).where(*mine, *same)).first() is not None:
                raise NotNow("you are looking for such a game already")
            count = connection.execute(select(func.count()).select_from(seeks).where(*mine)).scalar()
            if int(count or 0) >= MOST:
                raise NotNow(f"you are looking for {MOST} games already: stop looking for one of them first")
            connection.execute(insert(seeks), row)
            self._plan(connection, now)

        self._store.writer.write(Write(call=put))
        self._tables.schedule(HOUSE, [Task(HOUSE, KIND, 0, now, 0, now + LEASE_MS)])
        return str(row["id"])

    def end(self, person: str, seek: str) -> None:
        """End a seek. Raise NotNow if the person has no such seek."""
        self._store.writer.write(Write(call=lambda connection: _end(connection, person, seek)))

    def play_bots(self, person: str, seek: str, level: str | None = None) -> str:
        """End a seek, and return the id of a new table at which the person plays bots of this level.

        Raise NotNow if the person has no such seek, or if the seek has already found a table. Raise BadPlan for an
        unknown level. Also raise the errors of `Lobby.create`.
        """
        with self._store.read() as connection:
            row = connection.execute(
                select(seeks).where(seeks.c.id == seek[:16], seeks.c.person == person)
            ).first()
        if row is None or row.table_id is not None:
            raise NotNow("you are not looking for that game")
        game = find_game(row.game)
        bot = BOT + (default_level(game) if level is None else check_level(game, level))
        plan = Plan(game=row.game, seats=(ME, *[bot] * (row.seats - 1)), clock=Clock(), listed=False)
        return self._lobby.create(person, plan, lambda connection, _table: _end(connection, person, row.id))

    def of(self, person: str) -> tuple[SeekLine, ...]:
        """Return the person's seeks, oldest first. Also record that the person's page has requested them."""
        now = self._store.now()
        other = seeks.alias()
        same = [other.c[name] == seeks.c[name] for name in ("game", "seats", "pace", "rated")]
        others = select(func.count()).select_from(other).where(*same, other.c.table_id.is_(None))
        query = (
            select(seeks, others.scalar_subquery().label("waiting"))
            .where(seeks.c.person == person)
            .order_by(seeks.c.created_ms, seeks.c.id)
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        if any(now - row.seen_ms > SEEN_MS // 4 for row in rows):
            mine = update(seeks).where(seeks.c.person == person).values(seen_ms=now)
            self._store.writer.write(Write(call=lambda connection: connection.execute(mine).rowcount))
        games, lines = shelf(), []
        for row in rows:
            kind = PACES[row.pace].kind
            if row.game not in games:
                continue
            lines.append(
                SeekLine(
                    id=row.id,
                    game=row.game,
                    title=games[row.game].title,
                    seats=row.seats,
                    pace=row.pace,
                    rated=row.rated,
                    since_ms=row.created_ms,
                    table=row.table_id,
                    width=round(width_of(kind, now - row.created_ms)),
                    waiting=row.waiting,
                    bots=row.table_id is None and now - row.created_ms >= BOTS_MS[kind],
                )
            )
        return tuple(lines)

    def forget_found(self, person: str, table: str) -> None:
        """Delete the seek for which this table was found, because the person who made the seek has opened the table."""
        mine = (seeks.c.person == person, seeks.c.table_id == table)

        def change(connection: Connection) -> None:
            connection.execute(delete(seeks).where(*mine))

        self._store.writer.write(Write(call=change))

    # --- the due task

    def match(self) -> int:
        """Make tables for people whose seeks match, and schedule the next search.

        Return the number of new tables.
        """
        made = 0
        for kind, waiting in self._read_waiting().items():
            made += self._match_kind(*kind, waiting)
        self._store.writer.write(Write(call=self._finish))
        return made

    def _read_waiting(self) -> dict[tuple[str, int, Pace, bool], list[Waiting]]:
        now = self._store.now()
        found: dict[tuple[str, int, Pace, bool], list[Waiting]] = defaultdict(list)
        with self._store.read() as connection:
            rows = connection.execute(select(seeks).where(seeks.c.table_id.is_(None))).all()
            for row in rows:
                if PACES[row.pace].kind == "live" and now - row.seen_ms > SEEN_MS:
                    continue
                if find_ban(connection, row.person, now):
                    continue
                skill = read_skills(connection, (row.person,), row.game, row.seats).get(row.person, Skill())
                found[row.game, row.seats, row.pace, row.rated].append(
                    Waiting(seek=row.id, person=row.person, since_ms=row.created_ms, skill=skill)
                )
        return found

    def _match_kind(self, game: str, seats: int, pace: Pace, rated: bool, waiting: list[Waiting]) -> int:
        made = 0
        if game not in shelf():
            return 0
        with self._store.read() as connection:
            apart = read_blocked(connection, {one.person for one in waiting})
        while group := find_group(waiting, seats, PACES[pace].kind, self._store.now(), apart):
            try:
                self._make(game, pace, rated, group)
                made += 1
            except Refused as error:  # one of these people ended their seek at the same moment
                log.info("a match came to nothing", error=str(error))
            waiting = [one for one in waiting if one not in group]
        return made

    def _make(self, game: str, pace: Pace, rated: bool, group: tuple[Waiting, ...]) -> None:
        order = list(group)
        secrets.SystemRandom().shuffle(order)
        found, clock = find_game(game), PACES[pace]
        now = self._store.now()
        ids, persons = [one.seek for one in group], [one.person for one in group]

        def claim(connection: Connection, table: str) -> None:
            free = (seeks.c.id.in_(ids), seeks.c.table_id.is_(None))
            taken = connection.execute(update(seeks).where(*free).values(table_id=table, found_ms=now))
            if taken.rowcount != len(ids):
                raise NotNow("one of the players is no longer looking for that game")
            # End the other live seeks of these people, so that nobody gets two live games at once.
            if clock.kind == "live":
                live = [one for one, about in PACES.items() if about.kind == "live"]
                others = (seeks.c.person.in_(persons), seeks.c.table_id.is_(None), seeks.c.pace.in_(live))
                connection.execute(delete(seeks).where(*others))
            told = [
                Note(person=one, kind="found", table=table, game=game, live=clock.kind != "days")
                for one in persons
            ]
            note(connection, told, now)

        self._lobby.found(
            NewTable(
                game=found,
                options=found.settle(len(order), {}),
                clock=clock,
                chairs=[PlannedChair(ME if one is group[0] else OPEN, one.person) for one in order],
                host=group[0].person,
                listed=True,
                terms=Terms(rated=rated),
            ),
            also=claim,
        )
        self._store.noted(persons)

    def _finish(self, connection: Connection) -> None:
        """Delete seeks that have expired, and schedule the next search.

        If there are no seeks any more, delete the stored task that would run the search.
        """
        now = self._store.now()
        live = [one for one, about in PACES.items() if about.kind == "live"]
        old = (seeks.c.pace.in_(live), seeks.c.seen_ms < now - GONE_MS)
        connection.execute(delete(seeks).where(*old))
        connection.execute(delete(seeks).where(seeks.c.found_ms < now - GONE_MS))
        kinds = [seeks.c[name] for name in ("game", "seats", "pace", "rated")]
        query = select(*kinds, func.count()).where(seeks.c.table_id.is_(None)).group_by(*kinds)
        waiting = connection.execute(query).all()
        here = (due.c.table_id == HOUSE, due.c.kind == KIND)
        if not waiting and not connection.execute(select(seeks.c.id).limit(1)).first():
            connection.execute(delete(due).where(*here))
            return
        pauses = [AGAIN_MS[PACES[row.pace].kind] for row in waiting if row[-1] > 1]
        at = now + min(pauses, default=IDLE_MS)
        connection.execute(update(due).where(*here).values(at=at, claimed_ms=0))

    def _plan(self, connection: Connection, at: int) -> None:
        """Schedule the next search for the time `at`."""
        row = {"table_id": HOUSE, "kind": KIND, "seat": 0, "ply": 0, "at": at, "claimed_ms": at + LEASE_MS}
        if not self._leases.add(connection, **row):
            here = (due.c.table_id == HOUSE, due.c.kind == KIND)
            connection.execute(update(due).where(*here).values(at=at, claimed_ms=at + LEASE_MS))


def _end(connection: Connection, person: str, seek: str) -> None:
    """Delete a seek. Raise NotNow if the person has no such seek."""
    mine = (seeks.c.id == seek[:16], seeks.c.person == person)
    if not connection.execute(delete(seeks).where(*mine)).rowcount:
        raise NotNow("you are not looking for that game")
