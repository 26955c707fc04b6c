"""Figures about a person's rated games, for hosts who suspect a second account or help by a bot.

The figures contain no judgement.
"""

from __future__ import annotations

import itertools
import statistics

import msgspec
from sqlalchemy import Connection, func, select

from spelunke.core.errors import SpelunkeError
from spelunke.house.people import NOBODY
from spelunke.house.store import Store, moves, people, profiles, results, tables, ties
from spelunke.house.study import Analyses

GAMES = 20
"""The number of newest rated games of a person from which figures are computed. Deleted games do not count."""


class SameDevice(msgspec.Struct, frozen=True, kw_only=True):
    """Another person who has logged in from the same browser.

    ``address`` is the address of their page. ``together`` is the number of rated games in which both have
    played.
    """

    name: str
    address: str
    together: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures about a person's newest rated games.

    ``shared`` are people who used the same browser. ``games`` are the tables of these games, and
    ``decisions`` is the number of the person's moves with a thinking time. ``median_ms`` is the median thinking time,
    and ``middle_ms`` has the first and the third quartile of thinking times, in milliseconds. ``analysed`` is the
    number of those games that have an analysis and in which no bot moved for the person. ``judged`` is the
    number of the person's decisions with several legal moves in the games that ``analysed`` counts. ``best`` is
    the number of those decisions without any loss according to the analysis. A high number is no proof of a bot's
    help: in easy positions, people find the best move too.
    """

    shared: tuple[SameDevice, ...]
    games: tuple[str, ...]
    decisions: int
    median_ms: int
    middle_ms: tuple[int, int]
    analysed: int
    judged: int
    best: int


class Measuring:
    """Computes figures about people. The caller must have checked that the reader is a host."""

    def __init__(self, store: Store, analyses: Analyses) -> None:
        self._store = store
        self._analyses = analyses

    def of(self, address: str) -> Figures:
        """Return statistics about the person whose page has this address.

        If there is no such person, all values are 0 or empty.
        """
        person = select(profiles.c.person).where(profiles.c.address == address[:16])
        with self._store.read() as connection:
            who = str(connection.execute(person).scalar() or "")
            shared = _shared(connection, who)
            newest = (
                select(results.c.table_id, results.c.seat)
                .where(results.c.person == who)
                .where(results.c.table_id.in_(select(tables.c.id)))  # old games may be deleted
                .order_by(results.c.ended_ms.desc())
                .limit(GAMES)
            )
            seats = {row.table_id: row.seat for row in connection.execute(newest)}
            times = [ms for table, seat in seats.items() for ms in _times(connection, table, seat)]
            alone = {table: seat for table, seat in seats.items() if not _has_bot(connection, table, seat)}
        quarters = statistics.quantiles(times, n=4) if len(times) > 1 else [0.0, 0.0, 0.0]
        analysed = judged = best = 0
        for table, seat in alone.items():  # an analysis does not tell a bot's moves from the person's
            try:
                found = self._analyses.look(table).analysis
            except SpelunkeError:  # the log is damaged, or was deleted at this moment
                continue
            if found is None:
                continue
            mine = [one for one in found.decisions if one.seat == seat and not one.forced]
            analysed, judged = analysed + 1, judged + len(mine)
            best += sum(one.cost_chance <= 0 for one in mine)
        return Figures(
            shared=shared,
            games=tuple(seats),
            decisions=len(times),
            median_ms=round(quarters[1]),
            middle_ms=(round(quarters[0]), round(quarters[2])),
            analysed=analysed,
            judged=judged,
            best=best,
        )


def _shared(connection: Connection, person: str) -> tuple[SameDevice, ...]:
    one, other = results.alias(), results.alias()
    together = (
        select(func.count())
        .where(one.c.person == person, other.c.person == ties.c.other, one.c.table_id == other.c.table_id)
        .scalar_subquery()
    )
    query = (
        select(people.c.name, profiles.c.address, together.label("together"))
        .select_from(
            ties.outerjoin(people, people.c.id == ties.c.other).outerjoin(
                profiles, profiles.c.person == ties.c.other
            )
        )
        .where(ties.c.person == person, ties.c.kind == "device")
        .order_by(ties.c.at)
    )
    return tuple(
        SameDevice(name=row.name or NOBODY, address=row.address or "", together=row.together)
        for row in connection.execute(query)
    )


def _has_bot(connection: Connection, table: str, seat: int) -> bool:
    """Return whether a bot made a move for this seat."""
    here = (moves.c.table_id == table, moves.c.seat == seat, moves.c.hand.is_not(None))
    return connection.execute(select(moves.c.ply).where(*here).limit(1)).first() is not None


def _times(connection: Connection, table: str, seat: int) -> list[int]:
    """Return the thinking time in ms for each move that the person at this seat made.

    The thinking time is the time since the previous entry in the table's log. A move in the first entry is left out,
    because it has no thinking time. Moves that a bot made for the seat are left out. Moves by standing orders
    (instructions that the person stored) are included.
    """
    query = select(moves.c.seat, moves.c.at, moves.c.hand, moves.c.move).where(moves.c.table_id == table)
    rows = connection.execute(query.order_by(moves.c.ply)).all()
    return [
        row.at - before.at
        for before, row in itertools.pairwise(rows)
        if row.seat == seat and row.hand is None and not row.move.startswith("!")
    ]
