"""Count the results of rated tables, store ratings, and answer queries about them.

The database table `results` has each person's place in each rated game, computed from the game's log. The
database table `ratings` is computed from `results`, in the order in which the games ended. The same games give
the same ratings, whether they are counted one by one or all together.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game, shelf
from spelunke.house.play import TableStore
from spelunke.house.ratings.counting import Counted, count_table
from spelunke.house.ratings.skill import SIGMA_CERTAIN, Skill, rate
from spelunke.house.store import (
    Write,
    house_settings,
    insert_or_update,
    members,
    people,
    profiles,
    ratings,
    results,
    tables,
)
from spelunke.house.table import Facts

log = structlog.get_logger("spelunke.house.ratings")

LINES = 50
"""The number of lines on a page of a leaderboard."""
MOST_POINTS = 500
"""The largest number of games in the chart of a person's rating. If there are more, it shows the newest ones."""
LOCK = "ratings"
"""The name of the setting whose row a worker locks in the database while it changes ratings."""


class RatingLine(msgspec.Struct, frozen=True, kw_only=True):
    """A person's rating, in points, in one game with one number of seats.

    With 95 % probability, the person's true rating is at most ``either_side`` points away from ``points``.
    ``provisional``: ``either_side`` is too large for a leaderboard. ``games`` is the number of games that changed the
    rating, and ``at_ms`` the end of the newest one in milliseconds since 1970.
    """

    game: str
    title: str
    seats: int
    points: int
    either_side: int
    provisional: bool
    games: int
    at_ms: int


class RatingPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A person's rating after one rated game. ``gone``: the person left that game before its end."""

    table: str
    at_ms: int
    place: int
    gone: bool
    points: int
    either_side: int


class BoardLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a leaderboard.

    ``address`` is the address of the person's page if everybody may see that page, or if the person is the reader.
    Otherwise it is an empty text.
    """

    rank: int
    name: str
    address: str
    points: int
    either_side: int
    games: int
    you: bool = False


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a leaderboard. The leaderboard lists people whose rating is certain enough.

    ``count`` is the number of people on all pages. ``waiting`` is the number of people whose rating is not
    certain enough yet.
    """

    game: str
    title: str
    seats: int
    lines: tuple[BoardLine, ...]
    count: int
    waiting: int


class Recount(msgspec.Struct, frozen=True, kw_only=True):
    """The result of computing all ratings again.

    ``ratings`` is the number of all ratings: one for each person, game and number of seats. ``changed`` is the number
    of ratings that were changed, added or removed. ``lost`` is the number of tables that are no longer stored.
    ``unreadable`` is the number of tables whose log can't be replayed. For lost and unreadable tables, the stored
    results were used.
    """

    tables: int
    ratings: int
    changed: int
    lost: int
    unreadable: int


class Ratings:
    """Counts the results of rated tables, and answers queries about ratings."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    # --- counting

    def count(self, table_id: str) -> None:
        """Count the result of a finished rated table, and update the ratings.

        If the table is not rated, if its game is not over, or if its result is already counted, do nothing.
        """
        with self._tables.open(table_id) as slot:
            facts, found = slot.table.facts, count_table(slot.table)
        if not (facts.rated and facts.status == "over" and facts.counted_ms is None):
            return

        def change(connection: Connection) -> None:
            _lock(connection)
            fresh = (tables.c.id == table_id, tables.c.counted_ms.is_(None))
            counted = update(tables).where(*fresh).values(counted_ms=self._store.now())
            if not connection.execute(counted).rowcount or not found:
                return
            connection.execute(insert(results), [_row(facts, one) for one in found])
            pool = _pool(facts.game, len(facts.chairs))
            later = select(results.c.table_id).where(
                *pool,
                (results.c.ended_ms > (facts.ended_ms or 0))
                | ((results.c.ended_ms == (facts.ended_ms or 0)) & (results.c.table_id > table_id)),
            )
            if connection.execute(later.limit(1)).first() is not None:
                _compute(connection, facts.game, len(facts.chairs))
            else:
                _add(connection, facts, found)

        self._tables.change(table_id, change, shown=False)
        with self._tables.open(table_id) as slot:
            self._tables.commit(slot, [], quiet=True)

    def recount(self) -> Recount:
        """Compute all ratings again from the logs of all rated tables, and store them."""
        which = (tables.c.rated, tables.c.status == "over", tables.c.started_ms.is_not(None))
        with self._store.read() as connection:
            ids = list(connection.execute(select(tables.c.id).where(*which)).scalars())
        fresh: dict[str, list[dict[str, object]]] = {}
        unreadable = 0
        for table_id in ids:
            try:
                with self._tables.open(table_id) as slot:
                    fresh[table_id] = [_row(slot.table.facts, one) for one in count_table(slot.table)]
            except SpelunkeError as error:
                log.warning("a rated table can't be replayed", table=table_id, error=str(error))
                unreadable += 1

        def change(connection: Connection) -> Recount:
            _lock(connection)
            before = _read_all(connection)
            stored = set(connection.execute(select(results.c.table_id).distinct()).scalars())
            for table_id, rows in fresh.items():
                connection.execute(delete(results).where(results.c.table_id == table_id))
                if rows:
                    connection.execute(insert(results), rows)
            # Not the games that ended meanwhile: the running server counts them.
            counted = update(tables).where(tables.c.id == bindparam("counted"))
            if ids:
                connection.execute(
                    counted.values(counted_ms=tables.c.ended_ms), [{"counted": one} for one in ids]
                )
            connection.execute(delete(ratings))
            pools = select(results.c.game, results.c.seats).distinct()
            for game, seats in connection.execute(pools).all():
                _compute(connection, game, seats)
            after = _read_all(connection)
            return Recount(
                tables=len(fresh),
                ratings=len(after),
                changed=sum(before.get(key) != after.get(key) for key in before.keys() | after.keys()),
                lost=len(stored - set(ids)),
                unreadable=unreadable,
            )

        return self._store.writer.write(Write(call=change))

    # --- questions

    def of(self, person: str) -> tuple[RatingLine, ...]:
        """Return a person's ratings, except in games that this server lacks.

        The rating with the most games comes first.
        """
        query = (
            select(ratings)
            .where(ratings.c.person == person)
            .order_by(ratings.c.games.desc(), ratings.c.game, ratings.c.seats)
        )
        games = shelf()
        with self._store.read() as connection:
            return tuple(
                _line(row, games[row.game].title) for row in connection.execute(query) if row.game in games
            )

    def skill(self, person: str, game: str, seats: int) -> Skill:
        """Return a person's skill in a game with this number of seats.

        If the person has no rating there yet, return a beginner's skill.
        """
        with self._store.read() as connection:
            return read_skills(connection, (person,), game, seats).get(person, Skill())

    def history(self, person: str, game: str, seats: int) -> tuple[RatingPoint, ...]:
        """Return a person's rating after each game that changed the rating, in the order of the games.

        If there are more than `MOST_POINTS` games, leave out the oldest ones.
        """
        query = (
            select(results)
            .where(results.c.person == person, *_pool(game, seats), results.c.mu.is_not(None))
            .order_by(results.c.ended_ms.desc(), results.c.table_id.desc())
            .limit(MOST_POINTS)
        )
        with self._store.read() as connection:
            found = connection.execute(query).all()
        return tuple(
            RatingPoint(
                table=row.table_id,
                at_ms=row.ended_ms,
                place=row.place,
                gone=row.gone,
                points=Skill(row.mu, row.sigma).points,
                either_side=Skill(row.mu, row.sigma).either_side,
            )
            for row in reversed(found)
        )

    def board(self, game: str, seats: int, page: int = 1, *, reader: str | None = None) -> Board:
        """Return a page of a leaderboard. Raise UnknownGame.

        A line links to the person's page if everybody may see that page, or if the person is the reader.
        People who have deleted their accounts are not listed.
        """
        title = find_game(game).title
        known = ratings.join(members, members.c.person == ratings.c.person)
        pool = (ratings.c.game == game, ratings.c.seats == seats)
        certain = ratings.c.sigma <= SIGMA_CERTAIN
        query = (
            select(ratings, people.c.name, profiles.c.address, profiles.c.shown)
            .select_from(
                known.join(people, people.c.id == ratings.c.person).outerjoin(
                    profiles, profiles.c.person == ratings.c.person
                )
            )
            .where(*pool, certain)
            .order_by(ratings.c.mu.desc(), ratings.c.person)
            .limit(LINES)
            .offset(LINES * (max(1, page) - 1))
        )
        with self._store.read() as connection:
            counts = [
                int(
                    connection.execute(select(func.count()).select_from(known).where(*pool, one)).scalar()
                    or 0
                )
                for one in (certain, ~certain)
            ]
            rows = connection.execute(query).all()
        lines = tuple(
            BoardLine(
                rank=rank,
                name=row.name,
                address=(row.address or "") if row.shown == "everybody" or row.person == reader else "",
                points=Skill(row.mu, row.sigma).points,
                either_side=Skill(row.mu, row.sigma).either_side,
                games=row.games,
                you=row.person == reader,
            )
            for rank, row in enumerate(rows, LINES * (max(1, page) - 1) + 1)
        )
        return Board(game=game, title=title, seats=seats, lines=lines, count=counts[0], waiting=counts[1])

    def pools(self, game: str) -> tuple[int, ...]:
        """Return the table sizes, in seats, for which at least one person has a rating in this game."""
        query = select(ratings.c.seats).where(ratings.c.game == game).distinct().order_by(ratings.c.seats)
        with self._store.read() as connection:
            return tuple(connection.execute(query).scalars())


def read_skills(connection: Connection, persons: Sequence[str], game: str, seats: int) -> dict[str, Skill]:
    """Return the stored skills of these people, by person. Leave out people without a rating."""
    query = select(ratings.c.person, ratings.c.mu, ratings.c.sigma).where(
        ratings.c.person.in_(persons), ratings.c.game == game, ratings.c.seats == seats
    )
    return {row.person: Skill(row.mu, row.sigma) for row in connection.execute(query)}


def _line(row: Any, title: str) -> RatingLine:
    skill = Skill(row.mu, row.sigma)
    return RatingLine(
        game=row.game,
        title=title,
        seats=row.seats,
        points=skill.points,
        either_side=skill.either_side,
        provisional=skill.provisional,
        games=row.games,
        at_ms=row.at,
    )


def _pool(game: str, seats: int) -> tuple[ColumnElement[bool], ...]:
    return results.c.game == game, results.c.seats == seats


def _row(facts: Facts, one: Counted) -> dict[str, object]:
    return {
        "table_id": facts.id,
        "person": one.person,
        "game": facts.game,
        "seats": len(facts.chairs),
        "ended_ms": facts.ended_ms or 0,
        "seat": one.seat,
        "place": one.place,
        "gone": one.gone,
        "counts": one.counts,
        "mu": None,
        "sigma": None,
    }


def _lock(connection: Connection) -> None:
    """Wait until no other worker changes ratings, and lock ratings until the transaction ends."""
    insert_or_update(connection, house_settings, {"name": LOCK, "value": ""}, {"value": ""})


def _read_all(connection: Connection) -> dict[tuple[str, str, int], tuple[float, float, int]]:
    return {
        (row.person, row.game, row.seats): (row.mu, row.sigma, row.games)
        for row in connection.execute(select(ratings))
    }


def _play(skills: dict[str, Skill], rows: Sequence[Any]) -> dict[str, Skill]:
    """Return the new skills of the people whose ratings a game changes.

    `rows` are the game's results in seat order.
    """
    rated = rate([skills.get(row.person, Skill()) for row in rows], [row.place for row in rows])
    return {row.person: skill for row, skill in zip(rows, rated, strict=True) if row.counts}


def _add(connection: Connection, facts: Facts, found: Sequence[Counted]) -> None:
    """Update the ratings after a game. `found` are the results of the game.

    Call this only if the ratings do not yet include any game that ended later than this game.
    """
    seats = len(facts.chairs)
    skills = read_skills(connection, [one.person for one in found], facts.game, seats)
    ended = facts.ended_ms or 0
    for person, skill in _play(skills, found).items():
        mine = (ratings.c.person == person, ratings.c.game == facts.game, ratings.c.seats == seats)
        values = {"mu": skill.mu, "sigma": skill.sigma, "at": ended}
        more = {**values, "games": ratings.c.games + 1}
        if not connection.execute(update(ratings).where(*mine).values(**more)).rowcount:
            key = {"person": person, "game": facts.game, "seats": seats}
            connection.execute(insert(ratings), {**key, **values, "games": 1})
        here = (results.c.table_id == facts.id, results.c.person == person)
        connection.execute(update(results).where(*here).values(mu=skill.mu, sigma=skill.sigma))


def _compute(connection: Connection, game: str, seats: int) -> None:
    """Compute all ratings for a game and a number of seats from the stored results."""
    order = (results.c.ended_ms, results.c.table_id, results.c.seat)
    rows = connection.execute(select(results).where(*_pool(game, seats)).order_by(*order)).all()
    skills: dict[str, Skill] = {}
    games: dict[str, int] = {}
    last: dict[str, int] = {}
    for table_id, group in itertools.groupby(rows, key=lambda row: row.table_id):
        players = list(group)
        new = _play(skills, players)
        for person, skill in new.items():
            games[person] = games.get(person, 0) + 1
            last[person] = players[0].ended_ms
            here = (results.c.table_id == table_id, results.c.person == person)
            connection.execute(update(results).where(*here).values(mu=skill.mu, sigma=skill.sigma))
        skills.update(new)
    connection.execute(delete(ratings).where(ratings.c.game == game, ratings.c.seats == seats))
    _put(connection, game, seats, skills, games, last)


def _put(
    connection: Connection,
    game: str,
    seats: int,
    skills: dict[str, Skill],
    games: dict[str, int],
    last: dict[str, int],
) -> None:
    rows: Iterable[dict[str, object]] = (
        {
            "person": person,
            "game": game,
            "seats": seats,
            "mu": skill.mu,
            "sigma": skill.sigma,
            "games": games[person],
            "at": last[person],
        }
        for person, skill in sorted(skills.items())
    )
    if found := list(rows):
        connection.execute(insert(ratings), found)
