"""Functions that read a game's table from the database: its facts, its log and its chat."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy import Row as Found

from spelunke.house.messages import ChatLine
from spelunke.house.plan import Clock
from spelunke.house.refusals import UnknownTable
from spelunke.house.store.company_schema import ties, vacations
from spelunke.house.store.schema import chat, moves, people, seats, tables
from spelunke.house.table import Attention, Chair, Facts, Row
from spelunke.records.record import Deal, Origin

CHAT_SHOWN = 100
WATCHING = 1_000_000
"""The greatest number of a message in the players' chat. Messages in the spectators' chat have greater numbers."""
_LAST_ROW = select(func.max(moves.c.ply)).where(moves.c.table_id == tables.c.id).scalar_subquery()
_NEWEST = select(tables.c.rev, _LAST_ROW).where(tables.c.id == bindparam("table"))
_NEWEST_OF = select(tables.c.id, tables.c.rev, _LAST_ROW).where(
    tables.c.id.in_(bindparam("tables", expanding=True))
)


def read_newest(connection: Connection, table_id: str) -> tuple[int, int]:
    """Return the table's revision, and the number of the last row in its log (0 for an empty log).

    The revision counts all changes except moves. The two numbers show whether a table in memory has all changes.
    Raise UnknownTable.
    """
    found = connection.execute(_NEWEST, {"table": table_id}).first()
    if found is None:
        raise UnknownTable(f"there is no table {table_id}")
    return found[0], found[1] or 0


def read_newest_of(connection: Connection, table_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the two numbers of `read_newest` for each of these tables, by table id: revision and last row in its log.

    Leave out tables that are not stored.
    """
    found = connection.execute(_NEWEST_OF, {"tables": table_ids})
    return {table_id: (rev, row or 0) for table_id, rev, row in found}


def read_latest(connection: Connection) -> int:
    """Return the latest time at which a table was made, got full, started, ended, or got a row that spectators noticed.

    The row is a row of the table's log (for "notice", see `Table.noticed`). In running games, the times of all log rows
    count, even if spectators did not notice the rows. If no time is stored, return 0.
    """
    told = ("created_ms", "ready_ms", "started_ms", "ended_ms", "noticed_ms")
    running = select(tables.c.id).where(tables.c.status == "playing")
    rows = select(func.max(moves.c.at)).where(moves.c.table_id.in_(running))
    found = [
        *connection.execute(select(*(func.max(tables.c[name]) for name in told))).one(),
        connection.execute(rows).scalar(),
    ]
    return max((int(at) for at in found if at is not None), default=0)


def read_rows(connection: Connection, table_id: str, after: int) -> list[Row]:
    """Return the rows of a log after row `after`, in order."""
    query = (
        select(moves.c.ply, moves.c.seat, moves.c.move, moves.c.at, moves.c.key, moves.c.hand, moves.c.link)
        .where(moves.c.table_id == table_id, moves.c.ply > after)
        .order_by(moves.c.ply)
    )
    return [Row(*found) for found in connection.execute(query)]


def _read_chairs(connection: Connection, table_id: str) -> tuple[Chair, ...]:
    query = (
        select(
            seats.c.seat,
            seats.c.plan,
            seats.c.person,
            people.c.name,
            seats.c.nonce,
            seats.c.nonce_commitment,
            seats.c.standing,
            seats.c.standing_rev,
            seats.c.kept,
            seats.c.seen_ms,
            seats.c.nudged_ms,
            seats.c.nudged_by,
            seats.c.call_off_ms,
            seats.c.attention,
            people.c.figure,
            people.c.colour,
            seats.c.reaction,
            seats.c.reaction_ms,
            seats.c.eyes,
            seats.c.program,
            select(func.max(vacations.c.to_ms))
            .where(vacations.c.person == seats.c.person)
            .scalar_subquery()
            .label("vacation"),
            people.c.created_ms,
        )
        .select_from(
            seats.outerjoin(people, people.c.id == func.coalesce(seats.c.person, seats.c.kept)),
        )
        .where(seats.c.table_id == table_id)
        .order_by(seats.c.seat)
    )
    found = []
    for row in connection.execute(query):
        *chair, attention, figure, colour, reaction, reaction_ms, eyes, program, vacation, since = row
        more = {"attention": _read_attention(attention), "figure": figure or "", "colour": colour or ""}
        more |= {"reaction": reaction, "reaction_ms": reaction_ms}
        more |= {"eyes": bool(eyes), "program": bool(program), "vacation_ms": vacation, "since_ms": since}
        found.append(msgspec.structs.replace(Chair(*chair), **more))
    return tuple(found)


def _read_attention(stored: str | None) -> Attention:
    return Attention() if stored is None else msgspec.json.decode(stored, type=Attention)


def _read_chat(connection: Connection, table_id: str) -> tuple[tuple[ChatLine, ...], tuple[str, ...]]:
    """Return the newest lines of the players' chat and of the spectators' chat, and the writer of each line.

    The lines of both chats are sorted together by time, earliest first.
    """
    here = chat.c.table_id == table_id
    found: list[Found[Any]] = []
    for room in (chat.c.n <= WATCHING, chat.c.n > WATCHING):
        query = select(chat).where(here, room).order_by(chat.c.n.desc()).limit(CHAT_SHOWN)
        found += connection.execute(query).all()
    found.sort(key=lambda row: (row.at, row.n))
    lines = [ChatLine(n=row.n, seat=row.seat, name=row.name, text=row.text, at_ms=row.at) for row in found]
    return tuple(lines), tuple(row.person for row in found)


def _read_mutes(connection: Connection, writers: Collection[str]) -> dict[str, frozenset[str]]:
    """Return, for each person, the writers whom that person has muted or blocked."""
    if not writers:
        return {}
    query = select(ties.c.person, ties.c.other).where(
        ties.c.kind.in_(("muted", "blocked")), ties.c.other.in_(set(writers))
    )
    found: dict[str, set[str]] = {}
    for person, other in connection.execute(query):
        found.setdefault(person, set()).add(other)
    return {person: frozenset(others) for person, others in found.items()}


def _read_rematch(connection: Connection, table_id: str | None) -> tuple[frozenset[str], str | None]:
    """Return the people who have not answered the offer of a rematch, and the person who made the offer.

    `table_id` is the table of the rematch. If it is None, no rematch was offered.
    """
    if table_id is None:
        return frozenset(), None
    asked = select(seats.c.kept).where(seats.c.table_id == table_id, seats.c.kept.is_not(None))
    host = connection.execute(select(tables.c.host).where(tables.c.id == table_id)).scalar()
    return frozenset(person for person in connection.execute(asked).scalars() if person), host


def read_facts(connection: Connection, table_id: str) -> Facts:
    """Return the stored data of a table, with its seats and newest chat, but without its log. Raise UnknownTable."""
    found = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
    if found is None:
        raise UnknownTable(f"there is no table {table_id}")
    invited, offered_by = _read_rematch(connection, found["rematch"])
    said, writers = _read_chat(connection, table_id)
    return Facts(
        id=found["id"],
        game=found["game"],
        rules_version=found["rules_version"],
        options={
            name: tuple(value) if isinstance(value, list) else value
            for name, value in json.loads(found["options"]).items()
        },
        clock=msgspec.json.decode(found["clock"], type=Clock),
        listed=found["listed"],
        status=found["status"],
        host=found["host"],
        invite=found["invite"],
        seed=found["seed"],
        created_ms=found["created_ms"],
        ready_ms=found["ready_ms"],
        closed_ms=found["closed_ms"],
        started_ms=found["started_ms"],
        ended_ms=found["ended_ms"],
        rev=found["rev"],
        shown=found["shown"],
        offers={int(seat): row for seat, row in json.loads(found["offers"]).items()},
        previous=found["previous"],
        rematch=found["rematch"],
        invited=invited,
        offered_by=offered_by,
        result=found["result"],
        origin=None if found["origin"] is None else msgspec.json.decode(found["origin"], type=Origin),
        chairs=_read_chairs(connection, table_id),
        chat=said,
        writers=writers,
        mutes=_read_mutes(connection, writers),
        rated=bool(found["rated"]),
        counted_ms=found["counted_ms"],
        friends=bool(found["friends"]),
        delay=found["delay"] or 0,
        chat_closed=bool(found["chat_closed"]),
        deal=None if found["deal"] is None else msgspec.json.decode(found["deal"], type=Deal),
        players_only=bool(found["players_only"]),
    )
