"""Events, which are tournaments and leagues. Their rounds begin and end automatically.

The tables of an event are ordinary tables of the site.
"""

from __future__ import annotations

import json
import secrets
import string
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection, Row, Update, and_, delete, func, insert, or_, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game
from spelunke.games.game import Game, Settled
from spelunke.house.daily import lead_of
from spelunke.house.events.book import Book
from spelunke.house.events.plans import MINUTE_MS, EventLine, EventLook, EventPlan, Status, check_plan
from spelunke.house.events.rounds import count_rounds, pair_round, split_tables
from spelunke.house.events.standings import next_divisions
from spelunke.house.lobby import Lobby, PlannedChair, Starting
from spelunke.house.outbox import Note, note
from spelunke.house.people import People
from spelunke.house.plan import BOT, ME
from spelunke.house.play import Play, check_level
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.store import (
    Ending,
    Leases,
    Store,
    Write,
    due,
    event_players,
    event_tables,
    events,
    put_seed,
    read_seed,
    seeds,
    tables,
    touch,
)
from spelunke.house.table import LEASE_MS
from spelunke.records.record import Deal

log = structlog.get_logger("spelunke.house.events")

KIND = "events"
HOUSE = "-"
OFTEN_MS, SELDOM_MS = 2_000, 60_000
"""The pauses in ms between two checks of the events.

`OFTEN_MS` is used while an event is running or due, and `SELDOM_MS` at other times.
"""
MOST = 1_024
"""The most entrants of an event."""
LAST = 1 << 30
"""A number greater than that of any round."""
MOST_OPEN = 5
"""The most unfinished events of one person."""
_PLAYERS_ONLY = (
    select(event_tables.c.table_id)
    .join(tables, tables.c.id == event_tables.c.table_id)
    .where(tables.c.players_only)
    .order_by(event_tables.c.table_id)
)
"""The query for tables of events that only their own players may see. The fixed order prevents deadlocks."""


def _new_id() -> str:
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(10))


class Events:
    """Makes and runs events, and accepts entries."""

    def __init__(self, store: Store, known: People, lobby: Lobby, starting: Starting, play: Play) -> None:
        self._store = store
        self._people = known
        self._lobby = lobby
        self._starting = starting
        self._play = play
        self._book = Book(store)
        self._leases = Leases(store, due, LEASE_MS)

    # --- reading

    def look(self, event: str, reader: str | None = None) -> EventLook:
        """Return an event with its present standings, as the reader may see it. Raise UnknownEvent."""
        return self._book.look(event, reader)

    def page(self, page: int = 1) -> tuple[EventLine, ...]:
        """Return a page of events: first those that are not over, then the others.

        In both groups, the newest events come first.
        """
        return self._book.page(page)

    def of_table(self, table: str) -> tuple[str, str] | None:
        """Return the id and the name of the event to which a table belongs, or None if it belongs to no
        event.
        """
        return self._book.of_table(table)

    # --- due work

    def work(self) -> None:
        """Begin events and rounds that are due, and schedule the next check. `TaskRunner` calls this."""
        now = self._store.now()
        waiting = and_(events.c.status == "open", events.c.begins_ms.is_not(None), events.c.begins_ms <= now)
        query = select(events.c.id, events.c.status).where(or_(events.c.status == "running", waiting))
        with self._store.read() as connection:
            found = connection.execute(query).all()
        for row in found:
            try:
                if row.status == "open":
                    self._open_first(row.id)
                else:
                    self.go_on(row.id)
            except SpelunkeError as error:
                log.warning("an event waits", which=row.id, error=str(error))
        after = now + (OFTEN_MS if found else SELDOM_MS)
        self._store.writer.write(
            Write(call=lambda connection: self._leases.release(connection, HOUSE, KIND, 0, at=after))
        )

    def _hurry(self, connection: Connection) -> None:
        """Schedule a check of the events for now. If no check is stored yet, store one."""
        here = (due.c.table_id == HOUSE, due.c.kind == KIND)
        now = self._store.now()
        if not connection.execute(update(due).where(*here).values(at=now)).rowcount:
            self._leases.add(connection, table_id=HOUSE, kind=KIND, seat=0, ply=0, at=now)

    def _open_first(self, event: str) -> None:
        """Begin an event that is due. If too few players have entered, call it off."""
        try:
            self._begin(event)
        except NotNow as error:
            log.info("an event is called off", which=event, why=str(error))
            self._set(event, "open", status="off")

    # --- before the start

    def create(self, person: str, plan: EventPlan) -> str:
        """Make an event of which the person is the host, and return its id.

        Raise NotAllowed for guests, NotNow if the person has too many unfinished events, UnknownGame,
        BadOption or BadPlan.
        """
        if not self._people.find(person).member:
            raise NotAllowed("only members make events: sign up first, it takes one click")
        game = check_plan(plan, self._store.now())
        mine = (events.c.host == person, events.c.status.in_(("open", "running")))
        event = _new_id()
        row = {
            "id": event,
            "game": game.name,
            "rules_version": game.version,
            "host": person,
            "plan": msgspec.json.encode(plan).decode(),
            "status": "open",
            "round": 0,
            "rounds": plan.rounds,
            "begins_ms": plan.begins_ms,
            "made_ms": self._store.now(),
            "season": 1,
        }

        def put(connection: Connection) -> None:
            count = connection.execute(select(func.count()).select_from(events).where(*mine)).scalar() or 0
            if count >= MOST_OPEN:
                raise NotNow(f"{MOST_OPEN} of your events are not over; end one of them first")
            connection.execute(insert(events), row)
            if plan.duplicate:
                self._bind(connection, event)
            self._hurry(connection)

        self._store.writer.write(Write(call=put))
        return event

    def _bind(self, connection: Connection, event: str) -> None:
        now = self._store.now()
        put_seed(connection, f"event:{event}", now=now, begins_ms=now, reveal_ms=None)

    def enter(self, event: str, person: str, *, level: str | None = None) -> int:
        """Enter a person into an event, and return the number of the new entrant.

        If a level is given, enter a bot of that level instead; only the event's host may do this. If the
        event has begun, the entrant plays from the next round on. A person who has left may enter again.
        Raise NotAllowed, or NotNow if the event is over or full, or if nobody can enter this kind of event
        after its start.
        """
        self._people.find(person)
        head, plan = self._book.head(event)
        if level is not None:
            if head.host != person:
                raise NotAllowed("only the host of the event adds bots")
            level = check_level(find_game(plan.game), level)
        if head.status in {"over", "off"}:
            raise NotNow("this event is over; enter another one, or make one")
        if head.status == "running" and plan.kind == "knockout":
            raise NotNow("this knock-out has begun; enter another event")
        if head.status == "running" and plan.kind in {"robin", "league"} and plan.seats == (2,):
            raise NotNow("in this event everybody meets everybody, and it has begun; enter the next one")
        here = event_players.c.event == event

        def put(connection: Connection) -> int:
            connection.execute(update(events).where(events.c.id == event).values(rev=events.c.rev + 1))
            mine = select(event_players).where(here, event_players.c.person == person)
            known = None if level else connection.execute(mine).first()
            if known is not None:
                if known.until is not None:
                    back = (here, event_players.c.number == known.number)
                    values = {"until": None, "since": max(known.since, head.round + 1)}
                    connection.execute(update(event_players).where(*back).values(**values))
                return int(known.number)
            count = connection.execute(select(func.max(event_players.c.number)).where(here)).scalar() or 0
            if count >= MOST:
                raise NotNow(f"this event is full: it has {MOST} players")
            row = {"event": event, "number": count + 1, "person": None if level else person, "level": level}
            connection.execute(insert(event_players), {**row, "since": head.round + 1, "division": 1})
            return count + 1

        return self._store.writer.write(Write(call=put))

    def leave(self, event: str, person: str) -> None:
        """Leave an event: at once if it has not begun, and otherwise after the present round. Raise NotNow."""
        head, _ = self._book.head(event)
        mine = (event_players.c.event == event, event_players.c.person == person)

        def put(connection: Connection) -> None:
            known = connection.execute(select(event_players).where(*mine)).first()
            if known is None or known.until is not None:
                raise NotNow("you have not entered this event")
            if head.status == "open":
                connection.execute(delete(event_players).where(*mine))
            elif head.status == "running":
                connection.execute(update(event_players).where(*mine).values(until=head.round))
            else:
                raise NotNow("this event is over; there is nothing to leave")

        self._store.writer.write(Write(call=put))

    def start(self, event: str, person: str) -> None:
        """Begin an event on the order of its host.

        Raise NotNow if it has begun, or if too few players have entered. Raise NotAllowed for other people.
        """
        head, _ = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the event starts it")
        self._begin(event)

    def end(self, event: str, person: str) -> None:
        """End an event with the present results. If it has not begun, call it off.

        Raise NotAllowed unless the person is its host. Raise NotNow if it is over.
        """
        head, _ = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the event ends it")
        if head.status in {"over", "off"}:
            raise NotNow("this event is over")
        self._finish(event, "off" if head.status == "open" else "over")

    # --- rounds

    def _begin(self, event: str) -> None:
        head, plan = self._book.head(event)
        if head.status != "open":
            raise NotNow("this event has begun already")
        entrants = self._book.entrants(event)
        sizes = plan.seats
        split_tables(len(entrants), sizes)
        rounds = plan.rounds or count_rounds(plan.kind, len(entrants), sizes)
        if plan.kind == "league" and plan.previous is None:
            self._divide(event, plan)
        if not self._set(event, "open", status="running", rounds=rounds):
            raise NotNow("this event has begun already")
        self._next_round(event)

    def _divide(self, event: str, plan: EventPlan) -> None:
        """Distribute the entrants of a league's first season among divisions, in the order of their entry."""

        def put(connection: Connection) -> None:
            mine = event_players.c.event == event
            for (number,) in connection.execute(select(event_players.c.number).where(mine)).all():
                division = 1 + (number - 1) // plan.division_size
                this = (mine, event_players.c.number == number)
                connection.execute(update(event_players).where(*this).values(division=division))

        self._store.writer.write(Write(call=put))

    def _set(self, event: str, before: Status, **values: object) -> bool:
        """Store these values for an event if its status is ``before``. Return whether they were stored."""

        def put(connection: Connection) -> bool:
            same = (events.c.id == event, events.c.status == before)
            done = connection.execute(update(events).where(*same).values(**values, rev=events.c.rev + 1))
            self._hurry(connection)
            return done.rowcount == 1

        return self._store.writer.write(Write(call=put))

    def _next_round(self, event: str) -> None:
        """Pair the next round and make its tables. If the event has no further round, end it."""
        head, plan = self._book.head(event)
        number = head.round + 1
        if number > head.rounds:
            self._finish(event, "over")
            return
        entrants, meetings = self._book.entrants(event), self._book.meetings(event)
        try:
            paired = pair_round(plan.kind, number, entrants, meetings, plan.seats, plan.scoring)
        except NotNow as error:
            if number == 1:
                raise
            log.info("an event ends", which=event, why=str(error))
            self._finish(event, "over")
            return
        ends = self._store.now() + plan.round_minutes * MINUTE_MS
        rows = [
            {
                "event": event,
                "round": number,
                "number": place,
                "players": json.dumps([int(name) for name in one.names]),
                "ranks": "[1]" if one.bye else None,
                "leads": "[0.0]" if one.bye else None,
            }
            for place, one in enumerate(paired, 1)
        ]

        def put(connection: Connection) -> bool:
            same = (events.c.id == event, events.c.status == "running", events.c.round == head.round)
            values = {"round": number, "ends_ms": ends, "rev": events.c.rev + 1}
            if connection.execute(update(events).where(*same).values(**values)).rowcount != 1:
                return False  # another worker has paired it
            connection.execute(insert(event_tables), rows)
            return True

        if self._store.writer.write(Write(call=put)):
            self._lay_tables(event)

    def _lay_tables(self, event: str) -> None:
        """Make those tables of the present round that do not exist yet.

        Usually these are all tables. After a crash, some may exist already.
        """
        head, plan = self._book.head(event)
        missing = (
            event_tables.c.event == event,
            event_tables.c.round == head.round,
            event_tables.c.table_id.is_(None),
            event_tables.c.ranks.is_(None),
        )
        with self._store.read() as connection:
            rows = connection.execute(select(event_tables).where(*missing)).all()
            seed = read_seed(connection, f"event:{event}") if plan.duplicate else None
        players = {player.number: player for player in self._book.players(event)}
        game = find_game(plan.game)
        for row in rows:
            seated = [players[number] for number in json.loads(row.players)]
            self._lay(event, plan, game, row, seated, seed)

    def _lay(
        self,
        event: str,
        plan: EventPlan,
        game: Game,
        row: Row[*tuple[Any, ...]],
        seated: list[Row[*tuple[Any, ...]]],
        seed: str | None,
    ) -> None:
        chairs = [
            PlannedChair(ME, one.person) if one.person else PlannedChair(BOT + str(one.level), None)
            for one in seated
        ]
        host = next((one.person for one in seated if one.person), self._book.head(event)[0].host)
        settled: Settled = game.settle(len(chairs), plan.options)
        table = self._lobby.found(
            game.name,
            game.version,
            settled,
            plan.clock,
            chairs,
            host=host,
            listed=False,
            begin=False,
            deal=None if seed is None else Deal(event=f"event:{event}", number=row.round),
            seed=seed,
            players_only=seed is not None,
        )
        this = (
            event_tables.c.event == event,
            event_tables.c.round == row.round,
            event_tables.c.number == row.number,
            event_tables.c.table_id.is_(None),
            event_tables.c.ranks.is_(None),  # the round may have been cut off meanwhile
        )
        persons = [one.person for one in seated if one.person]
        notes = [
            Note(person=one, kind="round", table=table, game=game.name, live=plan.clock.kind != "days")
            for one in persons
        ]

        def put(connection: Connection) -> bool:
            mine = update(event_tables).where(*this).values(table_id=table)
            if connection.execute(mine).rowcount != 1:
                return False  # another worker made this table
            note(connection, notes, self._store.now())
            return True

        if self._store.writer.write(Write(call=put)):
            self._store.noted(persons)
            self._starting.start(table, nonces_due=seed is not None)

    def go_on(self, event: str) -> None:
        """Store the results of finished tables, and begin the next round if the present one is over.

        A round is over when all its tables are over, or when its time is up.
        """
        head, plan = self._book.head(event)
        if head.status != "running":
            return
        self._lay_tables(event)
        late = head.ends_ms is not None and self._store.now() >= head.ends_ms
        here = (event_tables.c.event == event, event_tables.c.ranks.is_(None))
        query = select(event_tables, tables.c.status, tables.c.outcome).outerjoin(
            tables, tables.c.id == event_tables.c.table_id
        )
        with self._store.read() as connection:
            waiting = connection.execute(query.where(*here)).all()
        left = 0
        for row in waiting:
            ranks, leads = _result_of(row.outcome, row.status, len(json.loads(row.players)))
            if not ranks and late:
                ranks, leads = self._cut(row)
            if not ranks:
                left += 1
                continue
            this = (event_tables.c.event == event, event_tables.c.round == row.round)
            self._keep(update(event_tables).where(*this, event_tables.c.number == row.number), ranks, leads)
        if left:
            return
        self._open_tables(event, head.round)
        pause = plan.pause_minutes * MINUTE_MS
        if head.paused_ms is None and pause and head.round < head.rounds:
            self._set(event, "running", paused_ms=self._store.now() + pause)
        elif head.paused_ms is None or head.paused_ms <= self._store.now():
            if head.paused_ms is not None:
                self._set(event, "running", paused_ms=None)
            self._next_round(event)

    def _open_tables(self, event: str, until: int) -> None:
        """Let everybody see the tables of a duplicate event up to the round `until`, which must be over.

        After that round, nobody can profit from knowing its cards or dice.
        """
        here = (event_tables.c.event == event, event_tables.c.round <= until)
        with self._store.read() as connection:
            shared = connection.execute(_PLAYERS_ONLY.where(*here)).scalars().all()
        if not shared:
            return

        def put(connection: Connection) -> None:
            for table in shared:
                touch(connection, table)
                connection.execute(update(tables).where(tables.c.id == table).values(players_only=False))

        self._store.writer.write(Write(call=put))
        for table in shared:
            self._store.changed(table)

    def _keep(self, change: Update, ranks: tuple[int, ...], leads: tuple[float, ...]) -> None:
        values = {"ranks": json.dumps(ranks), "leads": json.dumps(leads)}
        statement = change.values(**values)
        self._store.writer.write(Write(call=lambda connection: connection.execute(statement).rowcount))

    def _cut(self, row: Row[*tuple[Any, ...]]) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """End a table because the time of its round is up. Return its result, which is a tie."""
        count = len(json.loads(row.players))
        if row.table_id is not None:
            try:
                self._play.call_off(row.table_id, lambda _connection: None)
            except SpelunkeError as error:
                log.info("a table could not be called off", table=row.table_id, error=str(error))
        return (1,) * count, (0.0,) * count

    def _finish(self, event: str, status: Status) -> None:
        """End an event with this status, and publish its seed."""

        def put(connection: Connection) -> None:
            alive = (events.c.id == event, events.c.status.in_(("open", "running")))
            values = {"status": status, "ended_ms": self._store.now(), "rev": events.c.rev + 1}
            connection.execute(update(events).where(*alive).values(**values))
            shown = seeds.c.event == f"event:{event}"
            connection.execute(update(seeds).where(shown).values(reveal_ms=self._store.now()))

        self._store.writer.write(Write(call=put))
        self._open_tables(event, LAST)  # the revealed seed also determines the cards and dice of later rounds

    def next_season(self, event: str, person: str) -> str:
        """Make the next season of a league, and return the id of its event.

        The best entrants of each division move up by one division, and the last move down. Raise NotAllowed
        or NotNow.
        """
        head, plan = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the league begins its next season")
        if plan.kind != "league" or head.status != "over":
            raise NotNow("a season follows a league's season that is over")
        if head.next_season is not None:
            return str(head.next_season)
        divisions = next_divisions(self._book.look(event, person).standings, plan.move)
        made = self.create(person, msgspec.structs.replace(plan, previous=event, begins_ms=None))
        players = {str(one.number): one for one in self._book.players(event)}
        order = sorted(divisions, key=lambda name: (divisions[name], int(name)))
        rows = [
            {
                "event": made,
                "number": number,
                "person": players[name].person,
                "level": players[name].level,
                "since": 1,
                "division": divisions[name],
            }
            for number, name in enumerate(order, 1)
        ]

        def put(connection: Connection) -> None:
            connection.execute(insert(event_players), rows)
            connection.execute(update(events).where(events.c.id == made).values(season=head.season + 1))
            connection.execute(update(events).where(events.c.id == event).values(next_season=made))

        self._store.writer.write(Write(call=put))
        return made


def forget_events(connection: Connection, person: str, nobody: str) -> None:
    """Transfer the entries and events of a person who deletes their account to ``nobody``.

    ``nobody`` is the id of a new person without a name.
    """
    mine = event_players.c.person == person
    connection.execute(update(event_players).where(mine).values(person=nobody))
    connection.execute(update(events).where(events.c.host == person).values(host=nobody))


def _result_of(
    outcome: str | None, status: str | None, count: int
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the ranks and leads by seat of a finished table.

    If the table is not finished, return two empty tuples.
    """
    if status != "over":
        return (), ()
    if outcome is None:  # closed before its start
        return (1,) * count, (0.0,) * count
    ending = msgspec.json.decode(outcome, type=Ending)
    if ending.scores is None:
        return ending.ranks, (0.0,) * count
    return ending.ranks, tuple(lead_of(ending.scores, ending.ranks, seat) for seat in range(count))
