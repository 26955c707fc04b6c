"""Read events from the database, delete entries, put rounds off, and end events."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, select, update

from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.events.plans import EventLine, EventLook, EventPlan, EventPlayer, EventTable, Status
from spelunke.house.events.standings import Entrant, Meeting, rank_all
from spelunke.house.people import NOBODY
from spelunke.house.refusals import UnknownEvent
from spelunke.house.store import Store, event_players, event_tables, events, people, seeds, tables

StoredRow = Row[*tuple[Any, ...]]
"""A row as SQLAlchemy returns it. Its columns are attributes."""


class Book:
    """The stored data of events, and events as readers may see them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def head(self, event: str) -> tuple[StoredRow, EventPlan]:
        """Return the stored row of an event, and the event's plan. Raise UnknownEvent if there is no such event."""
        with self._store.read() as connection:
            row = connection.execute(select(events).where(events.c.id == event)).first()
        if row is None:
            raise _unknown()
        return row, msgspec.json.decode(row.plan, type=EventPlan)

    def players(self, event: str) -> list[StoredRow]:
        """Return the rows of the event's players with their names, in the order of their numbers."""
        query = (
            select(event_players, people.c.name, people.c.gone)
            .outerjoin(people, people.c.id == event_players.c.person)
            .where(event_players.c.event == event)
            .order_by(event_players.c.number)
        )
        with self._store.read() as connection:
            return list(connection.execute(query))

    def entrants(self, event: str) -> list[Entrant]:
        """Return the event's players in the form that the pairing functions need."""
        return [
            Entrant(str(one.number), one.number, one.since, 0 if is_gone(one) else one.until, one.division)
            for one in self.players(event)
        ]

    def tables(self, event: str) -> tuple[EventTable, ...]:
        """Return all tables of all rounds, sorted by round and number."""
        query = (
            select(event_tables, tables.c.players_only)
            .outerjoin(tables, tables.c.id == event_tables.c.table_id)
            .where(event_tables.c.event == event)
            .order_by(event_tables.c.round, event_tables.c.number)
        )
        with self._store.read() as connection:
            return tuple(
                EventTable(
                    round=row.round,
                    number=row.number,
                    table=row.table_id,
                    players=tuple(json.loads(row.players)),
                    ranks=tuple(json.loads(row.ranks)) if row.ranks else (),
                    leads=tuple(json.loads(row.leads)) if row.leads else (),
                    over=bool(row.ranks),
                    players_only=bool(row.players_only),
                )
                for row in connection.execute(query)
            )

    def meetings(self, event: str) -> list[Meeting]:
        """Return the event's tables in the form that the functions for standings need."""
        return _meetings(self.tables(event))

    def look(self, event: str, reader: str | None = None) -> EventLook:
        """Return an event with its present standings, as the reader may see it.

        Raise UnknownEvent if there is no such event.
        """
        head, plan = self.head(event)
        game = find_game(plan.game)
        found = self.players(event)
        rows = tuple(map(_hide_result, self.tables(event)))
        me = next((one for one in found if reader and one.person == reader), None)
        with self._store.read() as connection:
            bound = connection.execute(select(seeds).where(seeds.c.event == f"event:{event}")).first()
            named = select(people.c.name).where(people.c.id == head.host, people.c.gone.is_not(True))
            host_name = connection.execute(named).scalar()
        mine = [one.table for one in rows if me and me.number in one.players and not one.over and one.table]
        return EventLook(
            id=event,
            plan=plan,
            status=head.status,
            round=head.round,
            rounds=head.rounds,
            host=reader is not None and head.host == reader,
            host_name=host_name or NOBODY,
            entered=me is not None and me.until is None,
            left=me is not None and me.until is not None,
            ends_ms=head.ends_ms if head.status == "running" else None,
            players=tuple(
                EventPlayer(
                    number=one.number,
                    name=NOBODY if is_gone(one) else one.name or _name_bot(game, one.level, one.number),
                    level=one.level,
                    you=one is me,
                    left=one.until is not None or is_gone(one),
                    division=one.division,
                )
                for one in found
            ),
            tables=rows,
            standings=rank_all(self.entrants(event), _meetings(rows), plan.scoring),
            commitment=bound.commitment if bound else None,
            seed=bound.seed if bound and bound.reveal_ms is not None else None,
            yours=mine[0] if mine else None,
            season=head.season,
            next_season=head.next_season,
        )

    def state(self, event: str) -> str:
        """Return a text that differs after each change of an event. This takes one query.

        Hidden results of tables (`_hide_result`) don't change it. Raise UnknownEvent if there is no such event.
        """
        result = case((tables.c.players_only.is_not(True), event_tables.c.ranks))
        query = (
            select(
                events.c.rev,
                func.count(event_tables.c.table_id),
                func.count(result),
                func.coalesce(events.c.next_season, ""),
            )
            .outerjoin(event_tables, event_tables.c.event == events.c.id)
            .outerjoin(tables, tables.c.id == event_tables.c.table_id)
            .where(events.c.id == event)
            .group_by(events.c.id)
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise _unknown()
        return ".".join(map(str, row))

    def of_table(self, table: str) -> tuple[str, str] | None:
        """Return the id and the name of the event to which a table belongs, or None if it belongs to no
        event.
        """
        query = (
            select(events.c.id, events.c.plan)
            .join(event_tables, event_tables.c.event == events.c.id)
            .where(event_tables.c.table_id == table)
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.id, msgspec.json.decode(row.plan, type=EventPlan).name)

    def page(self, page: int = 1, size: int = 50) -> tuple[EventLine, ...]:
        """Return a page of events: first those that are not over, then those that are over.

        In both groups, the newest events come first. Events that were called off are left out.
        """
        count = (
            select(func.count())
            .where(event_players.c.event == events.c.id)
            .correlate(events)
            .scalar_subquery()
        )
        query = (
            select(events, count.label("players"))
            .where(events.c.status != "off")
            .order_by(events.c.status == "over", events.c.made_ms.desc())
            .limit(size)
            .offset(size * (page - 1))
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        found = []
        for row in rows:
            plan = msgspec.json.decode(row.plan, type=EventPlan)
            found.append(
                EventLine(
                    id=row.id,
                    name=plan.name,
                    game=row.game,
                    kind=plan.kind,
                    status=row.status,
                    round=row.round,
                    rounds=row.rounds,
                    players=row.players,
                    begins_ms=row.begins_ms,
                    duplicate=plan.duplicate,
                )
            )
        return tuple(found)


def is_gone(player: StoredRow) -> bool:
    """Return whether a player's account was deleted. `player` is a row of `Book.players`.

    Entries that an earlier version stored can have the id of a person who is no longer in the table `people`.
    """
    return player.person is not None and (player.name is None or bool(player.gone))


def is_missing(player: StoredRow, round_number: int) -> bool:
    """Return whether a player left before this round, or deleted the account. `player` is a row of `Book.players`.

    Such a player may have a table in the round nevertheless, if they left while the round was paired.
    """
    return is_gone(player) or (player.until is not None and player.until < round_number)


def touch_event(connection: Connection, event: str) -> tuple[Status, int]:
    """Increase the revision of an event, and return the event's present status and round.

    Raise UnknownEvent if it does not exist.
    """
    change = update(events).where(events.c.id == event).values(rev=events.c.rev + 1)
    row = connection.execute(change.returning(events.c.status, events.c.round)).first()
    if row is None:
        raise _unknown()
    return row.status, row.round


def _unknown() -> UnknownEvent:
    return UnknownEvent(plain("there is no such tournament; choose one from the list"))


def drop_entries(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete the entries that meet the condition `which`, in events that have not begun."""
    entered = select(event_players.c.event).where(which)
    here = (events.c.id.in_(entered), events.c.status == "open")
    connection.execute(update(events).where(*here).values(rev=events.c.rev + 1))
    waiting = select(events.c.id).where(events.c.status == "open")
    connection.execute(delete(event_players).where(which, event_players.c.event.in_(waiting)))


def end_events(connection: Connection, which: ColumnElement[bool], status: Status, now: int) -> None:
    """Give this status to the events that are not over and meet the condition `which`. Publish their random seeds."""
    alive = events.c.status.in_(("open", "running"))
    values = {"status": status, "ended_ms": now, "rev": events.c.rev + 1}
    ended = connection.execute(update(events).where(which, alive).values(**values).returning(events.c.id))
    names = [f"event:{event}" for event in ended.scalars()]
    connection.execute(update(seeds).where(seeds.c.event.in_(names)).values(reveal_ms=now))


def put_off_rounds(connection: Connection, ms: int) -> None:
    """Put off, by `ms`, the ends of the present rounds and pauses of running events with live clocks."""
    live = (events.c.status == "running", events.c.plan.like('%"kind":"live"%'))
    later = {"ends_ms": events.c.ends_ms + ms, "paused_ms": events.c.paused_ms + ms}
    connection.execute(update(events).where(*live).values(**later, rev=events.c.rev + 1))


def _meetings(rows: Iterable[EventTable]) -> list[Meeting]:
    return [
        Meeting(one.round, tuple(map(str, one.players)), one.ranks, one.leads, one.number) for one in rows
    ]


def _hide_result(one: EventTable) -> EventTable:
    """Return the table of an event. If only the table's players may see the table, leave out its result.

    Other tables of the round may still play with the same cards and dice. The result could reveal some of these cards
    and dice.
    """
    return msgspec.structs.replace(one, ranks=(), leads=()) if one.players_only else one


def _name_bot(game: Game, level: str | None, number: int) -> str:
    told = game.levels.get(level or "", {})
    return f"{told.get('title', level)} {number}"
