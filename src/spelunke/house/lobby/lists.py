"""Lists of tables: open tables, running tables, and the tables of one person."""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from spelunke.core.errors import SpelunkeError
from spelunke.house.messages import Status
from spelunke.house.people import friends_of, is_hosted_for
from spelunke.house.plan import BOT, Clock
from spelunke.house.play import TableStore
from spelunke.house.ratings import MU, read_points
from spelunke.house.sight import Viewer
from spelunke.house.store import moves, ratings, seats, tables, ties

LISTED_MS = 24 * 60 * 60 * 1000
"""The time in ms for which an open table is listed. Later, people with the table's link can still join."""
MOST_LISTED = 200
MOST_RUNNING = 500
"""The most running tables of one person that `Lists.next_table` considers."""


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list.

    ``yours``: it is the viewer's turn. ``turn``: if it is the turn of another player on the viewer's device, the name
    of this player, or else empty. ``seat`` is the viewer's own seat, or null. ``seats`` has the name at each seat, or
    null if no player sits there yet. ``since_ms`` is the time of the newest event that the viewer can see, in
    milliseconds since 1970. ``changed`` has the options that differ from the usual rules. ``free``: anybody may sit
    down. ``lesson``: it is a lesson. ``rated``: its result changes ratings. ``friends``: only the host's friends, and
    people with the table's link, may sit down.
    """

    table: str
    game: str
    title: str
    status: Status
    seats: tuple[str | None, ...]
    changed: dict[str, str]
    clock: Clock
    ply: int
    since_ms: int
    yours: bool = False
    turn: str = ""
    seat: int | None = None
    result: str | None = None
    free: bool = False
    lesson: bool = False
    rated: bool = False
    friends: bool = False

    @property
    def waits(self) -> bool:
        """Whether the table waits for the viewer, or for another player on the viewer's device."""
        return self.yours or bool(self.turn)


class TableWish(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for lists of tables.

    ``seats`` is the number of seats (0: any). ``with_friends``: a friend of the reader sits at the table. ``least``
    and ``most`` are limits in points (0: no limit). They apply to the rating that a table's host has for the
    table's game and number of seats. A host without a rating counts with the initial rating.
    """

    seats: int = 0
    pace: Literal["any", "none", "live", "days"] = "any"
    rated: Literal["any", "yes", "no"] = "any"
    with_friends: bool = False
    least: int = 0
    most: int = 0


EVERY = TableWish()


def _open_to(reader: str | None) -> list[ColumnElement[bool]]:
    """Return the SQL conditions for tables that a reader may find in a list."""
    if reader is None:
        return [is_hosted_for(None)]
    blocks = exists(
        select(ties.c.kind).where(
            ties.c.kind == "blocked",
            or_(
                and_(ties.c.person == reader, ties.c.other == tables.c.host),
                and_(ties.c.person == tables.c.host, ties.c.other == reader),
            ),
        )
    )
    return [is_hosted_for(reader), ~blocks]


def _matching(wish: TableWish, reader: str | None) -> list[ColumnElement[bool]]:
    """Return the SQL conditions for tables that match a filter."""
    found: list[ColumnElement[bool]] = []
    chairs = select(func.count()).where(seats.c.table_id == tables.c.id).scalar_subquery()
    if wish.seats:
        found.append(chairs == wish.seats)
    if wish.least or wish.most:
        its = (
            ratings.c.person == tables.c.host,
            ratings.c.game == tables.c.game,
            ratings.c.seats == chairs,
        )
        rated = func.coalesce(select(ratings.c.mu).where(*its).scalar_subquery(), MU)
        if wish.least:
            found.append(rated >= read_points(wish.least))
        if wish.most:
            found.append(rated <= read_points(wish.most))
    if wish.pace != "any":
        found.append(tables.c.clock.like(f'%"kind":"{wish.pace}"%'))
    if wish.rated == "yes":
        found.append(tables.c.rated.is_(True))
    elif wish.rated == "no":
        found.append(or_(tables.c.rated.is_(None), tables.c.rated.is_(False)))
    if wish.with_friends:
        mine = friends_of(reader or "")
        found.append(
            exists(select(seats.c.seat).where(seats.c.table_id == tables.c.id, seats.c.person.in_(mine)))
        )
    return found


def _bound(limit: int) -> int:
    return max(1, min(limit, MOST_LISTED))


class Lists:
    """Lists of tables, as each reader may see them."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def open_tables(
        self, game: str | None = None, limit: int = 50, *, wish: TableWish = EVERY, reader: str | None = None
    ) -> tuple[TableLine, ...]:
        """Return at most `limit` listed tables that have a free seat and are at most a day old, newest first.

        A seat that is kept for a person is not free. A table for friends is included only if the reader is its host
        or a friend of the host. If the host has blocked the reader, or the reader has blocked the host, the table is
        left out.
        """
        fresh = tables.c.created_ms > self._store.now() - LISTED_MS
        own = (seats.c.table_id == tables.c.id, seats.c.person.is_(None), seats.c.kept.is_(None))
        free = exists(select(seats.c.seat).where(*own, seats.c.plan.not_like(f"{BOT}%")))
        query = select(tables.c.id).where(
            tables.c.status == "open", tables.c.listed, fresh, free, *_open_to(reader)
        )
        query = query.where(*_matching(wish, reader))
        if game:
            query = query.where(tables.c.game == game)
        return self._lines(query.order_by(tables.c.created_ms.desc(), tables.c.id).limit(_bound(limit)), None)

    def running_tables(
        self, game: str | None = None, limit: int = 50, *, wish: TableWish = EVERY, reader: str | None = None
    ) -> tuple[TableLine, ...]:
        """Return at most `limit` listed running tables, for spectators.

        Tables with the newest visible change come first. The rules of `open_tables` for friends and for blocked people
        hold here too.
        """
        query = select(tables.c.id).where(tables.c.status == "playing", tables.c.listed, *_open_to(reader))
        query = query.where(*_matching(wish, reader))
        if game:
            query = query.where(tables.c.game == game)
        # A secret action must not move its table up in the list or into it.
        last = func.coalesce(tables.c.noticed_ms, tables.c.started_ms).desc()
        lines = self._lines(query.order_by(last, tables.c.id).limit(_bound(limit)), None)
        return tuple(sorted(lines, key=lambda line: -line.since_ms))

    def my_tables(self, person: str, limit: int = 50, *, finished: bool = True) -> tuple[TableLine, ...]:
        """Return at most `limit` tables of a person.

        First come tables that wait for the person or for somebody else on their device, then other running tables, open
        ones, and, if `finished`, finished ones. If the person has more tables than `limit`, leave out finished tables
        before others, and older tables before newer ones.
        """
        mine = select(seats.c.table_id).where(seats.c.person == person)
        query = (
            select(tables.c.id)
            .where(tables.c.id.in_(mine), *(() if finished else (tables.c.status != "over",)))
            .order_by((tables.c.status == "over"), tables.c.created_ms.desc(), tables.c.id)
            .limit(_bound(limit))
        )
        order = {"playing": 0, "ready": 1, "open": 1, "over": 2}
        lines = self._lines(query, person)
        return tuple(sorted(lines, key=lambda line: (not line.waits, order[line.status])))

    def next_table(self, person: str, after: str = "") -> str | None:
        """Return the id of a table that waits for a move of the person or of their device, or None if there is none.

        The tables are ordered by the time of the newest event that the person has noticed at each, the oldest first. By
        default, return the first. If the table `after` also waits for the person's move, return the table that follows
        it, or the first if `after` is the last. If only `after` waits, return None.
        """
        mine = select(seats.c.table_id).where(seats.c.person == person)
        query = select(tables.c.id).where(tables.c.id.in_(mine), tables.c.status == "playing")
        waiting = [line for line in self._lines(query.limit(MOST_RUNNING), person) if line.waits]
        waiting.sort(key=lambda line: (line.since_ms, line.table))
        order = [line.table for line in waiting]
        if after in order:
            # Cycle, so that a person who leaves a hard decision for later reaches the other tables.
            at = order.index(after)
            order = order[at + 1 :] + order[:at]
        return order[0] if order else None

    def _lines(self, query: Select[tuple[str]], person: str | None) -> tuple[TableLine, ...]:
        last = select(func.max(moves.c.ply)).where(moves.c.table_id == tables.c.id).scalar_subquery()
        with self._store.read() as connection:
            found = list(connection.execute(query.add_columns(tables.c.rev, last)))
        lines = []
        for table_id, rev, row in found:
            try:
                lines.append(self._line(table_id, person, (rev, row or 0)))
            except SpelunkeError:  # The table was deleted meanwhile, or this server lacks its rules.
                continue
        return tuple(lines)

    def _line(self, table_id: str, person: str | None, newest: tuple[int, int]) -> TableLine:
        with self._tables.open(table_id, newest=newest) as slot:
            table, facts, viewer = slot.table, slot.table.facts, Viewer.of(slot.table, person)
            names = table.names
            own = viewer.plays and viewer.seat in table.actors
            here = (chair.seat for chair in facts.at_device(person) if not own and table.running)
            asked = next((seat for seat in here if seat in table.actors and table.bot_at(seat) is None), None)
            return TableLine(
                table=facts.id,
                game=facts.game,
                title=table.game.title,
                status=facts.status,
                seats=tuple(None if chair.free else names[chair.seat] for chair in facts.chairs),
                changed=table.game.changed(table.seats, facts.options),
                clock=facts.clock,
                ply=viewer.seen,
                since_ms=viewer.last_at,
                yours=own,
                turn="" if asked is None else names[asked],
                seat=viewer.seat,
                result=facts.result,
                lesson=table.taught,
                free=any(chair.kind == "open" for chair in facts.chairs),
                rated=facts.rated,
                friends=facts.friends,
            )
