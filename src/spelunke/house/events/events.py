"""Make, show, start and end tournaments and leagues, and let people enter and leave them."""

from __future__ import annotations

import secrets
import string

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, select, update

from spelunke.games import find_game
from spelunke.house.events.book import Book, drop_entries, end_events, touch_event
from spelunke.house.events.plans import EventLine, EventLook, EventPlan, check_plan
from spelunke.house.events.runner import EventRunner
from spelunke.house.events.standings import next_divisions
from spelunke.house.people import People
from spelunke.house.play import check_level
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.store import (
    Store,
    Write,
    event_players,
    events,
    new_seed,
    seeds,
)

MOST = 1_024
"""The maximum number of entrants of an event."""
MOST_OPEN = 5
"""The most unfinished events of one person."""


def _new_id() -> str:
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(10))


class Events:
    """Makes events, accepts entries, and shows events. `EventRunner` runs their rounds."""

    def __init__(self, store: Store, known: People, runner: EventRunner) -> None:
        self._store = store
        self._people = known
        self._runner = runner
        self._book = Book(store)

    def look(self, event: str, reader: str | None = None) -> EventLook:
        """Return an event with its present standings, as the reader may see it.

        Raise UnknownEvent if there is no such event.
        """
        return self._book.look(event, reader)

    def state(self, event: str) -> str:
        """Return a short text that differs after each change of an event. Raise UnknownEvent if there is none."""
        return self._book.state(event)

    def page(self, page: int = 1) -> tuple[EventLine, ...]:
        """Return a page of events: first those that are not over, then those that are over.

        In both groups, the newest events come first. Events that were called off are left out.
        """
        return self._book.page(page)

    def of_table(self, table: str) -> tuple[str, str] | None:
        """Return the id and the name of the event to which a table belongs, or None if it belongs to no
        event.
        """
        return self._book.of_table(table)

    def create(self, person: str, plan: EventPlan) -> str:
        """Make an event with this person as its host, and return the event's id.

        Store its name with single, usual spaces. Raise NotAllowed if the person is a guest, or NotNow if they have too
        many unfinished events. Raise UnknownGame, BadOption or BadPlan if the plan is not valid.
        """
        plan = msgspec.structs.replace(plan, name=" ".join(plan.name.split()))
        row = self._plan(person, plan, season=1)
        self._store.writer.write(Write(call=lambda connection: self._put(connection, row, plan)))
        return str(row["id"])

    def _plan(self, person: str, plan: EventPlan, *, season: int) -> dict[str, object]:
        """Return the row of a new event for the database.

        Raise NotAllowed if the person is a guest, or the errors of `check_plan`.
        """
        if not self._people.find(person).member:
            raise NotAllowed("only members can make tournaments: become a member first")
        game = check_plan(plan, self._store.now())
        return {
            "id": _new_id(),
            "game": game.name,
            "rules_version": game.version,
            "host": person,
            "plan": msgspec.json.encode(plan).decode(),
            "status": "open",
            "round": 0,
            "rounds": plan.rounds,
            "begins_ms": plan.begins_ms,
            "made_ms": self._store.now(),
            "season": season,
        }

    def _put(self, connection: Connection, row: dict[str, object], plan: EventPlan) -> None:
        """Store a new event. Raise NotNow if its host has too many unfinished events."""
        mine = (events.c.host == row["host"], events.c.status.in_(("open", "running")))
        count = connection.execute(select(func.count()).select_from(events).where(*mine)).scalar() or 0
        if count >= MOST_OPEN:
            raise NotNow(f"{MOST_OPEN} of your tournaments are not over; end one of them first")
        connection.execute(insert(events), row)
        if plan.duplicate:
            now = self._store.now()
            seed = new_seed(f"event:{row['id']}", now=now, begins_ms=now, reveal_ms=None)
            connection.execute(insert(seeds), seed)
        self._runner.hurry(connection)

    def enter(self, event: str, person: str, *, level: str | None = None) -> int:
        """Enter a person into an event, and return the entrant's number.

        If a level is given, enter a bot of that level instead; only the event's host may do this. If the event
        has begun, the entrant plays from the next round on. A person who has left may enter again. If the
        person has already entered, only return their number. Raise UnknownEvent or UnknownPerson if there
        is no such event or person. Raise NotAllowed if a level is given by somebody who is not the host, or
        BadPlan if the game has no such level. Raise NotNow if the event is over or full, or if it has begun and
        its kind allows no late entrants.
        """
        self._people.find(person)
        head, plan = self._book.head(event)
        if level is not None:
            if head.host != person:
                raise NotAllowed("only the host of the tournament can add bots")
            level = check_level(find_game(plan.game), level)
        here = event_players.c.event == event

        def put(connection: Connection) -> int:
            # The event may have begun or ended since it was read. `EventRunner.begin` compares `rev`.
            status, begun = touch_event(connection, event)
            if status in {"over", "off"}:
                raise NotNow("this tournament is over; enter another one, or make one")
            if status == "running" and not plan.admits_late:
                if plan.kind == "knockout":
                    raise NotNow("this knock-out has begun; enter another tournament")
                raise NotNow("nobody can enter this tournament after its start; enter another one")
            mine = select(event_players).where(here, event_players.c.person == person)
            known = None if level else connection.execute(mine).first()
            if known is not None:
                if known.until is not None:
                    back = (here, event_players.c.number == known.number)
                    values = {"until": None, "since": max(known.since, begun + 1)}
                    connection.execute(update(event_players).where(*back).values(**values))
                return int(known.number)
            count = connection.execute(select(func.max(event_players.c.number)).where(here)).scalar() or 0
            if count >= MOST:
                raise NotNow(f"this tournament is full: at most {MOST} players can enter")
            row = {"event": event, "number": count + 1, "person": None if level else person, "level": level}
            # Only a later season of a league has several divisions before its start. Newcomers begin in the last.
            last = connection.execute(select(func.max(event_players.c.division)).where(here)).scalar() or 1
            connection.execute(insert(event_players), {**row, "since": begun + 1, "division": last})
            return count + 1

        return self._store.writer.write(Write(call=put))

    def leave(self, event: str, person: str) -> None:
        """Let a person leave an event: at once if it has not begun, and otherwise after the present round.

        Raise UnknownEvent if there is no such event. Raise NotNow if the person has not entered the event, or if
        the event is over.
        """
        self._book.head(event)
        mine = (event_players.c.event == event, event_players.c.person == person)

        def put(connection: Connection) -> None:
            status, begun = touch_event(connection, event)
            known = connection.execute(select(event_players).where(*mine)).first()
            if known is None or known.until is not None:
                raise NotNow("you are not in this tournament")
            if status == "open":
                connection.execute(delete(event_players).where(*mine))
            elif status == "running":
                connection.execute(update(event_players).where(*mine).values(until=begun))
            else:
                raise NotNow("this tournament is over; you can't leave it any more")

        self._store.writer.write(Write(call=put))

    def start(self, event: str, person: str) -> None:
        """Begin an event on the order of its host.

        Raise UnknownEvent if there is no such event. Raise NotAllowed unless the person is the event's host. Raise
        NotNow if the event has begun, or if too few players have entered.
        """
        head, _ = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the tournament can start it")
        self._runner.begin(event)

    def end(self, event: str, person: str) -> None:
        """End an event with the present results. If it has not begun, call it off.

        Raise UnknownEvent if there is no such event. Raise NotAllowed unless the person is the event's host. Raise
        NotNow if the event is over.
        """
        head, _ = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the tournament can end it")
        if head.status in {"over", "off"}:
            raise NotNow("this tournament is over")
        self._runner.finish(event, "off" if head.status == "open" else "over")

    def next_season(self, event: str, person: str) -> str:
        """Make the next season of a league, and return the id of its event.

        If that season exists already, only return its id. The best entrants of each division move up by one
        division, and the last ones move down. Raise UnknownEvent if there is no such event. Raise
        NotAllowed unless the person is the league's host. Raise NotNow if the event is no league or is not over.
        Also raise the errors of `create`.
        """
        head, plan = self._book.head(event)
        if head.host != person:
            raise NotAllowed("only the host of the league can begin its next season")
        if plan.kind != "league" or head.status != "over":
            raise NotNow(
                "only a league has a next season, and it can begin only after this season has been played to its end"
            )
        if head.next_season is not None:
            return str(head.next_season)
        divisions = next_divisions(self._book.look(event, person).standings, plan.move)
        plan = msgspec.structs.replace(plan, previous=event, begins_ms=None)
        row = self._plan(person, plan, season=head.season + 1)
        players = {str(one.number): one for one in self._book.players(event)}
        # Within a division, the order is that of the standings: if a division loses players before the start, the
        # best of the next one move up.
        order = sorted(divisions, key=lambda name: divisions[name])
        rows = [
            {
                "event": row["id"],
                "number": number,
                "person": players[name].person,
                "level": players[name].level,
                "since": 1,
                "division": divisions[name],
            }
            for number, name in enumerate(order, 1)
        ]

        def put(connection: Connection) -> str:
            first = (events.c.id == event, events.c.next_season.is_(None))
            if not connection.execute(update(events).where(*first).values(next_season=row["id"])).rowcount:
                # Another request has made it at the same moment.
                return str(
                    connection.execute(select(events.c.next_season).where(events.c.id == event)).scalar()
                )
            self._put(connection, row, plan)
            if rows:  # everybody may have left
                connection.execute(insert(event_players), rows)
            return str(row["id"])

        return self._store.writer.write(Write(call=put))


def forget_events(connection: Connection, person: str, nobody: str, now: int) -> int:
    """Transfer to ``nobody`` the entries and events of a person who deletes their account.

    Delete their entries in events that have not begun. Call off each event of theirs that has no start time and has not
    begun, because no other person could begin it. ``nobody`` is the id of a new person with the mark `gone`. Return the
    number of transferred entries and events.
    """
    mine = event_players.c.person == person
    drop_entries(connection, mine)
    entries = connection.execute(update(event_players).where(mine).values(person=nobody)).rowcount
    waiting = and_(events.c.host == person, events.c.status == "open", events.c.begins_ms.is_(None))
    end_events(connection, waiting, "off", now)
    hosted = connection.execute(update(events).where(events.c.host == person).values(host=nobody)).rowcount
    return entries + hosted
