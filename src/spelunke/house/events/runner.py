"""The rounds of events, which begin and end automatically.

The tables of an event are ordinary tables of the site.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from spelunke.core.errors import Refused, SpelunkeError
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.daily import lead_of
from spelunke.house.events.book import Book, StoredRow, drop_entries, end_events, is_gone, is_missing
from spelunke.house.events.plans import MINUTE_MS, EventPlan, Status
from spelunke.house.events.rounds import count_rounds, pair_round, split_divisions, split_tables
from spelunke.house.events.standings import Meeting
from spelunke.house.lobby import Lobby, NewTable, PlannedChair, Starting
from spelunke.house.outbox import Note, note
from spelunke.house.plan import BOT, ME
from spelunke.house.play import Play, TableStore, stand_in_level
from spelunke.house.refusals import HouseClosed, NotNow, NotYet, SiteClosed
from spelunke.house.store import (
    Conflict,
    Ending,
    Leases,
    Write,
    due,
    event_players,
    event_tables,
    events,
    read_seed,
    tables,
)
from spelunke.house.table import LEASE_MS, ROUND_OFF
from spelunke.records.record import Deal

log = structlog.get_logger("spelunke.house.events")

KIND = "events"
HOUSE = "-"
OFTEN_MS, SELDOM_MS = 2_000, 60_000
"""The pauses in ms between two checks of the events.

`OFTEN_MS` is used while an event is running or due, and `SELDOM_MS` at other times.
"""
ATTEMPTS = 5
"""The most attempts to begin an event while people enter or leave."""
LAST = 1 << 30
"""A number greater than the number of any round."""
_PLAYERS_ONLY = (
    select(event_tables.c.table_id)
    .join(tables, tables.c.id == event_tables.c.table_id)
    .where(tables.c.players_only)
    .order_by(event_tables.c.table_id)
)
"""The query for those tables of events that only the table's own players may see.

The fixed order of the rows prevents deadlocks.
"""


class EventRunner:
    """Begins events, makes the tables of their rounds, stores the results, and ends events."""

    def __init__(self, table_store: TableStore, lobby: Lobby, starting: Starting, play: Play) -> None:
        self._tables = table_store
        self._store = store = table_store.store
        self._lobby = lobby
        self._starting = starting
        self._play = play
        self._book = Book(store)
        self._leases = Leases(store, due, LEASE_MS)

    def work(self) -> None:
        """Begin events that are due, continue running events (`go_on`), and schedule the next check.

        An event that fails is logged, and does not stop the others. While a host of the site has closed the site, only
        schedule the next check. `TaskRunner` calls this.
        """
        now = self._store.now()
        waiting = and_(events.c.status == "open", events.c.begins_ms.is_not(None), events.c.begins_ms <= now)
        query = select(events.c.id, events.c.status).where(or_(events.c.status == "running", waiting))
        with self._store.read() as connection:
            found = connection.execute(query).all()
        for row in () if self._tables.closed else found:
            step = self._open_first if row.status == "open" else self.go_on
            try:
                step(row.id)
            except SpelunkeError as error:
                log.warning("an event waits", which=row.id, error=str(error))
            except Exception:
                log.exception("an event failed", which=row.id)
        after = now + (OFTEN_MS if found else SELDOM_MS)
        self._store.writer.write(
            Write(call=lambda connection: self._leases.release(connection, HOUSE, KIND, 0, at=after))
        )

    def _open_first(self, event: str) -> None:
        """Begin an event that is due. If too few players have entered, call it off."""
        try:
            self.begin(event)
        except NotNow as error:
            log.info("an event is called off", which=event, why=str(error))
            now, waiting = self._store.now(), and_(events.c.id == event, events.c.status == "open")
            self._store.writer.write(Write(call=lambda to: end_events(to, waiting, "off", now)))

    def begin(self, event: str) -> None:
        """Begin an event with its first round.

        Raise UnknownEvent, or NotNow if the event has begun or too few players have entered. Raise NotYet if people
        enter or leave during each of `ATTEMPTS` attempts.
        """
        for _ in range(ATTEMPTS):
            if self._try_to_begin(event):
                break
        else:
            raise NotYet("players are entering and leaving at this moment; try again")
        self._lay_tables(event)
        self._store.writer.write(Write(call=self.hurry))

    def _try_to_begin(self, event: str) -> bool:
        """Pair and store the first round. Return False, and store nothing, if somebody enters or leaves meanwhile.

        Raise the errors of `begin`.
        """
        self._drop_gone(event)
        head, plan = self._book.head(event)
        if head.status != "open":
            raise NotNow("this tournament has begun already, or was called off")
        entrants = self._book.entrants(event)
        split_tables(len(entrants), plan.seats)
        most = len(entrants)
        if plan.kind == "league":
            divisions = split_divisions(entrants, plan.division_size)
            entrants = [msgspec.structs.replace(one, division=divisions[one.name]) for one in entrants]
            if plan.seats == (2,):  # larger tables mix the divisions
                most = max(Counter(divisions.values()).values())
        rounds = plan.rounds or count_rounds(plan.kind, most, plan.seats)
        paired = pair_round(plan.kind, 1, entrants, [], plan.seats, plan.scoring)

        def put(connection: Connection) -> bool:
            # This locks the event's row: in PostgreSQL, somebody could otherwise enter or leave meanwhile.
            same = and_(events.c.status == "open", events.c.rev == head.rev)
            if not self._put_round(connection, event, plan, 1, paired, same, status="running", rounds=rounds):
                return False
            for one in entrants:
                this = (event_players.c.event == event, event_players.c.number == int(one.name))
                connection.execute(update(event_players).where(*this).values(division=one.division))
            return True

        # One transaction: if the first round can't be stored, the event has not begun.
        return self._store.writer.write(Write(call=put))

    def _drop_gone(self, event: str) -> None:
        """Delete the entries of people whose accounts were deleted, if the event has not begun."""
        gone = [one.number for one in self._book.players(event) if is_gone(one)]
        if gone:
            which = and_(event_players.c.event == event, event_players.c.number.in_(gone))
            self._store.writer.write(Write(call=lambda connection: drop_entries(connection, which)))

    def _next_round(self, event: str, done: int) -> None:
        """Pair the next round, and make its tables. `done` is the number of the round that is over.

        If the event has no further round, or if the round can't be paired, end the event. Do nothing if another
        thread or worker has paired the round.
        """
        head, plan = self._book.head(event)
        if head.round != done:
            return
        number = done + 1
        if number > head.rounds:
            self.finish(event, "over")
            return
        entrants, meetings = self._book.entrants(event), self._book.meetings(event)
        try:
            paired = pair_round(plan.kind, number, entrants, meetings, plan.seats, plan.scoring)
        except NotNow as error:
            log.info("an event ends", which=event, why=str(error))
            self.finish(event, "over")
            return

        def put(connection: Connection) -> bool:
            running = events.c.status == "running"
            return self._put_round(connection, event, plan, number, paired, running)

        if self._store.writer.write(Write(call=put)):
            self._lay_tables(event)

    def _put_round(
        self,
        connection: Connection,
        event: str,
        plan: EventPlan,
        number: int,
        paired: Sequence[Meeting],
        same: ColumnElement[bool],
        **values: object,
    ) -> bool:
        """Store a round's tables, its end time, and new ``values`` of the event. Return whether they were stored.

        If the event does not meet the SQL condition `same`, or if another worker has stored this round, store nothing.
        """
        ends = self._store.now() + plan.round_minutes * MINUTE_MS
        before = (events.c.id == event, events.c.round == number - 1, same)
        values |= {"round": number, "ends_ms": ends, "rev": events.c.rev + 1}
        if connection.execute(update(events).where(*before).values(**values)).rowcount != 1:
            return False
        rows = [
            {
                "event": event,
                "round": number,
                "number": one.number,
                "players": json.dumps([int(name) for name in one.names]),
                "ranks": "[1]" if one.bye else None,
                "leads": "[0.0]" if one.bye else None,
            }
            for one in paired
        ]
        connection.execute(insert(event_tables), rows)
        return True

    def _lay_tables(self, event: str) -> None:
        """Make all tables of the present round that do not exist yet.

        Some tables exist already if the server crashed while it made the tables of this round. If a table can't be
        made, the next check tries again. Raise SiteClosed if a host has closed the site.
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
            if not rows:
                return
            seed = read_seed(connection, f"event:{event}") if plan.duplicate else None
        players = {player.number: player for player in self._book.players(event)}
        game = find_game(plan.game)
        for row in rows:
            seated = [players[number] for number in json.loads(row.players)]
            try:
                if sum(not is_missing(one, row.round) for one in seated) < 2:
                    self._forfeit(row, seated)
                else:
                    self._lay(event, plan, game, row, seated, seed)
            except (HouseClosed, SiteClosed):
                raise
            except SpelunkeError as error:  # one table must not hold the others or the end of the round up
                log.warning("a table of an event waits", which=event, number=row.number, error=str(error))

    def _forfeit(self, row: StoredRow, seated: list[StoredRow]) -> None:
        """Store the result of a table without making the table.

        Call this if all its players, or all except one, left before the round or deleted their accounts. The
        remaining player wins. If no player remains, the result is a tie.
        """
        here = [not is_missing(one, row.round) for one in seated]
        ranks = tuple(1 if one or not any(here) else 1 + sum(here) for one in here)
        self._keep(row, ranks, (0.0,) * len(seated))

    def _lay(
        self,
        event: str,
        plan: EventPlan,
        game: Game,
        row: StoredRow,
        seated: list[StoredRow],
        seed: str | None,
    ) -> None:
        persons = [one.person for one in seated if one.person and not is_missing(one, row.round)]
        chairs = [
            PlannedChair(ME, one.person)
            if one.person in persons
            else PlannedChair(BOT + (one.level or stand_in_level(game)), None)
            for one in seated
        ]
        host = persons[0] if persons else self._book.head(event)[0].host
        this = (
            event_tables.c.event == event,
            event_tables.c.round == row.round,
            event_tables.c.number == row.number,
            event_tables.c.table_id.is_(None),
            event_tables.c.ranks.is_(None),  # the round may have been cut off meanwhile
        )

        def put(connection: Connection, table: str) -> None:
            mine = update(event_tables).where(*this).values(table_id=table)
            if connection.execute(mine).rowcount != 1:
                raise Conflict  # another worker has made this table
            live = plan.clock.kind != "days"
            notes = [
                Note(person=one, kind="round", table=table, game=game.name, live=live) for one in persons
            ]
            note(connection, notes, self._store.now())

        new = NewTable(
            game=game,
            options=game.settle(len(chairs), plan.options),
            clock=plan.clock,
            chairs=chairs,
            host=host,
            deal=None if seed is None else Deal(event=f"event:{event}", number=row.round),
            seed=seed,
            players_only=seed is not None,
        )
        try:
            table = self._lobby.found(new, begin=False, also=put)
        except Conflict:
            return
        self._store.noted(persons)
        self._starting.start(table, nonces_due=seed is not None)

    def go_on(self, event: str) -> None:
        """Store the results of finished tables. If the present round is over, begin its pause or the next round.

        First, make missing tables of the round. A round is over when all its tables are over, or when its time
        is up. When the time is up, unfinished tables end in a tie. After the last round, end the event. Raise
        UnknownEvent, or SiteClosed if a host has closed the site.
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
            self._keep(row, ranks, leads)
        if left:
            return
        self._open_tables(event, head.round)
        pause = plan.pause_minutes * MINUTE_MS
        if head.paused_ms is None and pause and head.round < head.rounds:
            self._set_pause(event, self._store.now() + pause)
        elif head.paused_ms is None or head.paused_ms <= self._store.now():
            if head.paused_ms is not None:
                self._set_pause(event, None)
            self._next_round(event, head.round)

    def _open_tables(self, event: str, until: int) -> None:
        """Let everybody see those tables that only their players could see, in all rounds up to `until`.

        These are the tables of a duplicate event: all tables of a round have the same dice and cards. The rounds, or
        the whole event, must be over. Then nobody can profit from knowing these dice and cards.
        """
        here = (event_tables.c.event == event, event_tables.c.round <= until)
        with self._store.read() as connection:
            shared = connection.execute(_PLAYERS_ONLY.where(*here)).scalars().all()
        if shared:
            self._store.open_tables(shared)

    def _keep(self, row: StoredRow, ranks: tuple[int, ...], leads: tuple[float, ...]) -> None:
        """Store the result of the table with this `row` of `event_tables`, unless a result is already stored."""
        this = (
            event_tables.c.event == row.event,
            event_tables.c.round == row.round,
            event_tables.c.number == row.number,
            event_tables.c.ranks.is_(None),
        )
        values = {"ranks": json.dumps(ranks), "leads": json.dumps(leads)}
        statement = update(event_tables).where(*this).values(**values)
        self._store.writer.write(Write(call=lambda connection: connection.execute(statement).rowcount))

    def _cut(self, row: StoredRow) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """End a table because the time of its round is up. Return its result, which is a tie.

        If the game ended a moment before, return its real result. If the table can't be ended now, return two empty
        tuples: the next check tries again.
        """
        count = len(json.loads(row.players))
        if row.table_id is not None:
            try:
                self._play.call_off(row.table_id, note=ROUND_OFF)
            except SpelunkeError as error:
                log.info("a table could not be called off", table=row.table_id, error=str(error))
                query = select(tables.c.status, tables.c.outcome).where(tables.c.id == row.table_id)
                with self._store.read() as connection:
                    found = connection.execute(query).first()
                if found is not None and found.status == "over":
                    return _result_of(found.outcome, found.status, count)
                if isinstance(error, Refused | HouseClosed):  # not, for example, a damaged log
                    return (), ()
        return (1,) * count, (0.0,) * count

    def finish(self, event: str, status: Status) -> None:
        """End an event with this status, publish its random seed, and let everybody see its tables."""
        now = self._store.now()
        self._store.writer.write(
            Write(call=lambda connection: end_events(connection, events.c.id == event, status, now))
        )
        self._open_tables(event, LAST)  # the revealed seed also determines the cards and dice of later rounds

    def hurry(self, connection: Connection) -> None:
        """Set the time of the next check of all events to now, even if it was scheduled for a later time."""
        here = (due.c.table_id == HOUSE, due.c.kind == KIND)
        now = self._store.now()
        if not connection.execute(update(due).where(*here).values(at=now)).rowcount:
            self._leases.add(connection, table_id=HOUSE, kind=KIND, seat=0, ply=0, at=now)

    def _set_pause(self, event: str, paused_ms: int | None) -> None:
        """Store the end of the pause after a running event's round, or None if there is no pause any more.

        Also set the time of the next check of all events to now.
        """

        def put(connection: Connection) -> None:
            same = (events.c.id == event, events.c.status == "running")
            values = {"paused_ms": paused_ms, "rev": events.c.rev + 1}
            connection.execute(update(events).where(*same).values(**values))
            self.hurry(connection)

        self._store.writer.write(Write(call=put))


def _result_of(
    outcome: str | None, status: str | None, count: int
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the ranks and leads by seat of a finished table with `count` players.

    `outcome` is the stored ending, and `status` the status of the table. If the table is not finished, return
    two empty tuples. A table that was closed before its start is a tie.
    """
    if status != "over":
        return (), ()
    if outcome is None:  # closed before its start
        return (1,) * count, (0.0,) * count
    ending = msgspec.json.decode(outcome, type=Ending)
    if ending.scores is None:
        return ending.ranks, (0.0,) * count
    return ending.ranks, tuple(lead_of(ending.scores, ending.ranks, seat) for seat in range(count))
