"""Lists of people and tables for hosts.

They show names, times and counts, but nothing about the games themselves. Because hosts play too, the order
of tables must not reveal secret actions. So this order depends only on changes that spectators can see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from spelunke.games import shelf
from spelunke.house.people import FOR_GOOD, HOST, like_name, put_profiles
from spelunke.house.plan import BOT
from spelunke.house.refusals import UnknownProfile
from spelunke.house.store import Store, Write, bans, devices, members, people, profiles, seats, tables

PEOPLE_A_PAGE = 50
IDLE_MS = 24 * 60 * 60 * 1000
"""A time in ms. If spectators have seen nothing new in a game for this time, the game is listed as idle."""

GONE = "there is no such person"

Group = Literal["members", "guests", "shut out"]
State = Literal["running", "idle", "waiting"]


class PersonLine(msgspec.Struct, frozen=True, kw_only=True):
    """A person in a list for hosts.

    ``address`` is the address of the person's page. In forms, this address identifies the person. ``shut_out_ms`` is
    the end of a ban, 0 for a permanent ban, or None without a ban. ``games`` is the number of finished games, and
    ``running`` the number of running games. Only `Registry.person` counts games: in lists, both numbers are 0.
    """

    address: str
    name: str
    member: bool
    host: bool
    since_ms: int
    seen_ms: int | None
    shut_out_ms: int | None
    games: int = 0
    running: int = 0


class HouseTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is not over, in a list for hosts.

    ``seats`` has the players' names, or None for a free seat.
    """

    table: str
    title: str
    status: str
    listed: bool
    created_ms: int
    noticed_ms: int | None
    seats: tuple[str | None, ...]


class Registry:
    """Lists of people and tables for hosts, divided into pages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def people(self, group: Group, name: str, page: int) -> tuple[tuple[PersonLine, ...], int]:
        """Return a page of people, and the number of all people in the list.

        Members are sorted by name. Guests and banned people are sorted by the time of their first visit,
        newest first. If `name` is given, list only people whose names contain it.
        """
        now = self._store.now()
        which = _group(group, now)
        if name:
            which.append(like_name(name))
        order = (members.c.name_key,) if group == "members" else (people.c.created_ms.desc(),)
        query = (
            _line()
            .where(*which)
            .order_by(*order, people.c.id)
            .limit(PEOPLE_A_PAGE)
            .offset(PEOPLE_A_PAGE * (page - 1))
        )
        with self._store.read() as connection:
            count = connection.execute(select(func.count()).select_from(_PEOPLE).where(*which)).scalar()
            rows = _read(connection, query)
        nameless = [row.id for row in rows if row.address is None]
        if nameless:
            self._store.writer.write(Write(call=lambda to: put_profiles(to, nameless)))
            with self._store.read() as connection:
                rows = _read(connection, query)
        return tuple(_person(row, now) for row in rows), int(count or 0)

    def person(self, address: str) -> PersonLine:
        """Return the person whose page has this address, with the number of their games.

        Raise UnknownProfile if there is no such page.
        """
        if not (address.isascii() and address.isprintable()):
            raise UnknownProfile(GONE)
        with self._store.read() as connection:
            rows = _read(connection, _line().where(profiles.c.address == address[:16]))
            if not rows:
                raise UnknownProfile(GONE)
            mine = (tables.c.id == seats.c.table_id, seats.c.person == rows[0].id)
            count = select(func.count()).select_from(tables, seats).where(*mine)
            over = (tables.c.status == "over", tables.c.started_ms.is_not(None))
            games = connection.execute(count.where(*over)).scalar()
            running = connection.execute(count.where(tables.c.status == "playing")).scalar()
        line = _person(rows[0], self._store.now())
        return msgspec.structs.replace(line, games=int(games or 0), running=int(running or 0))

    def tables(self, state: State, page: int) -> tuple[tuple[HouseTable, ...], int]:
        """Return a page of the tables in this state (running, idle or waiting), and the number of all of them.

        Tables with the newest visible change come first.
        """
        last = func.coalesce(tables.c.noticed_ms, tables.c.started_ms, tables.c.created_ms)
        since = self._store.now() - IDLE_MS
        which = {
            "running": and_(tables.c.status == "playing", last >= since),
            "idle": and_(tables.c.status == "playing", last < since),
            "waiting": tables.c.status.in_(("open", "ready")),
        }[state]
        query = select(tables).where(which).order_by(last.desc(), tables.c.id)
        with self._store.read() as connection:
            count = connection.execute(select(func.count()).select_from(tables).where(which)).scalar()
            rows = list(connection.execute(query.limit(PEOPLE_A_PAGE).offset(PEOPLE_A_PAGE * (page - 1))))
            sitting = _read_seats(connection, [row.id for row in rows])
        known = shelf()
        found = tuple(
            HouseTable(
                table=row.id,
                title=known[row.game].title if row.game in known else row.game,
                status=row.status,
                listed=row.listed,
                created_ms=row.created_ms,
                noticed_ms=row.noticed_ms or row.started_ms,
                seats=tuple(_called(row.game, plan, name) for plan, name in sitting[row.id]),
            )
            for row in rows
        )
        return found, int(count or 0)


_SEEN = select(func.max(devices.c.seen_ms)).where(devices.c.person == people.c.id).scalar_subquery()
_SAT = select(func.max(seats.c.seen_ms)).where(seats.c.person == people.c.id).scalar_subquery()
_PEOPLE = (
    people.outerjoin(members, members.c.person == people.c.id)
    .outerjoin(bans, bans.c.person == people.c.id)
    .outerjoin(profiles, profiles.c.person == people.c.id)
)


class _Found(NamedTuple):
    """A row in the result of the query for people."""

    id: str
    address: str | None
    name: str
    created_ms: int
    since_ms: int | None
    role: str | None
    seen_ms: int | None
    sat_ms: int | None
    shut_ms: int | None
    until_ms: int | None


def _read(connection: Connection, query: Select[*tuple[object, ...]]) -> list[_Found]:
    return [_Found(**row) for row in connection.execute(query).mappings()]


def _line() -> Select[*tuple[object, ...]]:
    return select(
        people.c.id,
        profiles.c.address,
        people.c.name,
        people.c.created_ms,
        members.c.since_ms,
        members.c.role,
        _SEEN.label("seen_ms"),
        _SAT.label("sat_ms"),
        bans.c.since_ms.label("shut_ms"),
        bans.c.until_ms,
    ).select_from(_PEOPLE)


def _group(group: Group, now: int) -> list[ColumnElement[bool]]:
    if group == "members":
        return [members.c.person.is_not(None)]
    if group == "guests":
        return [members.c.person.is_(None), people.c.gone.is_not(True)]
    return [bans.c.person.is_not(None), or_(bans.c.until_ms.is_(None), bans.c.until_ms > now)]


def _person(row: _Found, now: int) -> PersonLine:
    counts = row.shut_ms is not None and (row.until_ms is None or row.until_ms > now)
    seen = max((at for at in (row.seen_ms, row.sat_ms) if at is not None), default=None)
    return PersonLine(
        address=row.address or "",
        name=row.name,
        member=row.since_ms is not None,
        host=row.role == HOST,
        since_ms=row.created_ms if row.since_ms is None else row.since_ms,
        seen_ms=seen,
        shut_out_ms=(row.until_ms or FOR_GOOD) if counts else None,
    )


def _read_seats(connection: Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str | None]]]:
    query = (
        select(seats.c.table_id, seats.c.plan, people.c.name)
        .select_from(seats.outerjoin(people, people.c.id == seats.c.person))
        .where(seats.c.table_id.in_(ids))
        .order_by(seats.c.table_id, seats.c.seat)
    )
    found: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.table_id].append((row.plan, row.name))
    return found


def _called(game: str, plan: str, name: str | None) -> str | None:
    """Return the name of a seat's player: a person's name, or the title of a bot's level.

    ``plan`` is the seat's value in `Plan.seats`. ``name`` is the name of the person who sits there, or None. Return
    None for a free seat.
    """
    if name is not None or not plan.startswith(BOT) or game not in shelf():
        return name
    level = plan.removeprefix(BOT)
    return str(shelf()[game].levels.get(level, {}).get("title", level))
