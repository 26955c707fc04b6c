"""The games that a person has played. How they ended is stored with their tables: no game is replayed for a list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, func, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.core.game import Game
from spelunke.core.outcome import Outcome
from spelunke.core.ui import tell_apart
from spelunke.games import shelf
from spelunke.house.messages import GameLine
from spelunke.house.plan import BOT
from spelunke.house.store.schema import people, seats, tables
from spelunke.house.store.writer import Write
from spelunke.house.table_store import TableStore

PAGE = 20


class Ending(msgspec.Struct, frozen=True):
    """How a game ended, as it is stored: ``scores`` None where it was not played out."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str


def write_ending(outcome: Outcome) -> str:
    """What is stored of an outcome."""
    scores = outcome.scores if outcome.reason == "played" else None
    return msgspec.json.encode(Ending(outcome.ranks, scores, outcome.reason)).decode()


class Histories:
    """Finished games by person, the newest first."""

    def __init__(self, store: TableStore) -> None:
        self._store = store

    def games(self, person: str, page: int) -> tuple[tuple[GameLine, ...], int]:
        """See `House.my_games`."""
        mine = (
            tables.c.id == seats.c.table_id,
            seats.c.person == person,
            tables.c.status == "over",
            tables.c.started_ms.is_not(None),
        )
        query = (
            select(
                tables.c.id,
                tables.c.game,
                tables.c.ended_ms,
                tables.c.outcome,
                tables.c.origin.is_not(None),
                seats.c.seat,
            )
            .where(*mine)
            .order_by(tables.c.ended_ms.desc(), tables.c.id)
        )
        with self._store.read() as connection:
            count = connection.execute(select(func.count()).select_from(tables, seats).where(*mine)).scalar()
            found = list(connection.execute(query.limit(PAGE).offset(PAGE * (page - 1))))
            chairs = _read_chairs(connection, [row[0] for row in found])
        lines = []
        for table_id, name, ended_ms, ending, begun, seat in found:
            game = shelf().get(name)
            told = self._ending(table_id, ending)
            if game is None or told is None:  # begun with rules that are not here
                continue
            lines.append(
                GameLine(
                    table=table_id,
                    game=name,
                    title=game.title,
                    ended_ms=ended_ms or 0,
                    seat=seat,
                    names=_name(game, chairs[table_id]),
                    ranks=told.ranks,
                    scores=told.scores,
                    reason=told.reason,
                    begun_from_position=bool(begun),
                )
            )
        return tuple(lines), int(count or 0)

    def games_finished(self, person: str) -> frozenset[str]:
        """See `House.games_finished`."""
        query = (
            select(tables.c.game)
            .distinct()
            .where(
                tables.c.id == seats.c.table_id,
                seats.c.person == person,
                tables.c.status == "over",
                tables.c.started_ms.is_not(None),
            )
        )
        with self._store.read() as connection:
            return frozenset(row[0] for row in connection.execute(query))

    def count_finished(self, person: str, table_id: str, most: int) -> int:
        """See `House.count_finished`."""
        this = tables.alias()
        query = (
            select(tables.c.id)
            .where(
                this.c.id == table_id,
                tables.c.game == this.c.game,
                tables.c.id == seats.c.table_id,
                seats.c.person == person,
                tables.c.status == "over",
                tables.c.started_ms.is_not(None),
            )
            .limit(most)
        )
        with self._store.read() as connection:
            return len(connection.execute(query).all())

    def _ending(self, table_id: str, stored: str | None) -> Ending | None:
        """How a game ended; one that ended before endings were stored is replayed once."""
        if stored is not None:
            return msgspec.json.decode(stored, type=Ending)
        try:
            with self._store.open(table_id) as slot:
                outcome = slot.table.outcome
        except SpelunkeError:
            return None
        if outcome is None:
            return None
        text = write_ending(outcome)

        def keep(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table_id).values(outcome=text))

        self._store.writer.write(Write(call=keep))
        return msgspec.json.decode(text, type=Ending)


def _read_chairs(connection: Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str | None]]]:
    """By table, the plan and the name of each seat."""
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


def _name(game: Game, chairs: Sequence[tuple[str, str | None]]) -> tuple[str, ...]:
    """What each seat is called; a bot by its level's title."""
    levels = game.levels
    called = []
    for plan, name in chairs:
        level = plan.removeprefix(BOT)
        called.append(name or str(levels.get(level, {}).get("title", level)))
    return tell_apart(called)
