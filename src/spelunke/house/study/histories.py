"""The finished games of a person.

The endings of games are stored with the tables, so a list can show them without replaying the games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    and_,
    case,
    exists,
    func,
    not_,
    or_,
    select,
    update,
)

from spelunke.core.errors import SpelunkeError
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.house.people import Profile, is_hosted_for, like_name, met_by, read_shown
from spelunke.house.plan import BOT
from spelunke.house.play import TableStore
from spelunke.house.store import (
    Ending,
    HelpOf,
    RankOf,
    ReasonOf,
    Write,
    members,
    moves,
    people,
    profiles,
    seats,
    tables,
    write_ending,
)
from spelunke.house.table import BY_BOT, BY_DEVICE, BY_UNDO, LESSON, find_helped, name_seats, seat_companions

PAGE = 100
DAY_MS = 24 * 60 * 60 * 1000
UNTOLD = 200
"""The largest number of games that are replayed before a person's list is filtered by result.

Only games without a stored ending are replayed. They ended under an old version.
"""

Ended = Literal["any", "won", "drawn", "lost"]


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game in the list of a player, who sat at ``seat``.

    ``names``, ``ranks`` and ``scores`` are by seat. ``scores`` is None if the game was not played to its end.
    ``begun_from_position``: this game began from a position of another game. ``helped``: a bot made a move for
    the player. ``undone``: the player took moves back against bots. ``at_one_device``: several people played on
    one device. In the last three cases, the game does not count as won. ``pages`` has the address of each
    player's page by seat, or None for a bot and for a player who does not show the page to the reader.
    """

    table: str
    game: str
    title: str
    ended_ms: int
    seat: int
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str
    begun_from_position: bool = False
    helped: bool = False
    undone: bool = False
    at_one_device: bool = False
    pages: tuple[str | None, ...] = ()


class GameTally(msgspec.Struct, frozen=True, kw_only=True):
    """The number of times that a person has finished a game (``played``), and the number of their wins (``won``).

    Wins with help by a bot, with moves taken back, or on a shared device are not counted in ``won``.
    """

    game: str
    title: str
    played: int
    won: int


class LastGame(NamedTuple):
    """The options of a finished game, whether its player won without help, and whether it was a lesson."""

    options: dict[str, object]
    won: bool
    taught: bool


class GameWish(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for a person's games.

    ``opponent`` is a part of an opponent's name, ``ended`` the result for the person, and ``days`` the number
    of past days (0: all). An empty value matches all games, and so does the result ``any``.
    """

    game: str = ""
    opponent: str = ""
    ended: Ended = "any"
    days: int = 0


ALL = GameWish()


_REASON = ReasonOf(tables.c.outcome)
_RANK = RankOf(tables.c.outcome, seats.c.seat)
_HELPED = HelpOf(tables.c.outcome, seats.c.seat) > 0
"""An SQL condition: the game does not count for the seat's person (see `house.table.seating`)."""
TAUGHT = exists(
    select(moves.c.ply).where(
        moves.c.table_id == tables.c.id, moves.c.ply == 1, moves.c.move.startswith(LESSON)
    )
)
"""An SQL condition: the game was a lesson."""
_WON = and_(_RANK == 1, _REASON.not_in(("agreed", "called_off")), not_(_HELPED))
_RESULTS: dict[Ended, ColumnElement[bool]] = {
    "won": _WON,
    "drawn": _REASON == "agreed",
    "lost": _RANK > 1,
}


class Histories:
    """The finished games of people, newest first."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def games(
        self, person: str, page: int = 1, wish: GameWish = ALL, *, reader: str | None
    ) -> tuple[tuple[GameLine, ...], int]:
        """Return a page of a person's finished games that match the filter, and the number of all matching
        games.

        A page has 100 games, the newest first. Readers other than the person see only listed tables and tables
        at which they sat themselves. Some games are counted but not listed: those whose rules this server lacks, and
        those that have no stored ending and can't be replayed.
        """
        page = max(1, page)
        if wish.ended != "any":
            self._complete(person)
        which = _which(person, wish, reader, self._store.now())
        query = (
            select(
                tables.c.id,
                tables.c.game,
                tables.c.ended_ms,
                tables.c.outcome,
                tables.c.origin.is_not(None),
                seats.c.seat,
            )
            .where(*which)
            .order_by(tables.c.ended_ms.desc(), tables.c.id)
        )
        with self._store.read() as connection:
            count = connection.execute(select(func.count()).select_from(tables, seats).where(*which)).scalar()
            found = list(connection.execute(query.limit(PAGE).offset(PAGE * (page - 1))))
            chairs = _read_chairs(connection, [row[0] for row in found])
            met = _read_met(connection, chairs.values(), reader)
        lines = []
        for table_id, name, ended_ms, ending, begun, seat in found:
            game = shelf().get(name)
            told = self._ending(table_id, ending)
            if game is None or told is None:  # this server lacks its rules
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
                    helped=bool(told.helped) and told.helped[seat] == BY_BOT,
                    undone=bool(told.helped) and told.helped[seat] == BY_UNDO,
                    at_one_device=bool(told.helped) and told.helped[seat] == BY_DEVICE,
                    pages=_pages(chairs[table_id], met),
                )
            )
        return tuple(lines), int(count or 0)

    def own(self, person: str, page: int = 1, wish: GameWish = ALL) -> tuple[tuple[GameLine, ...], int]:
        """Return the result of `games` for a person who is also the reader."""
        return self.games(person, page, wish, reader=person)

    def of(
        self, profile: Profile, reader: str | None, page: int = 1, wish: GameWish = ALL
    ) -> tuple[tuple[GameLine, ...], int]:
        """Return the result of `games` for the person whose profile is given."""
        return self.games(profile.person, page, wish, reader=reader)

    def tallies(self, person: str, reader: str | None) -> tuple[GameTally, ...]:
        """Return, by game, the numbers of games that a person has finished and won.

        The game that they have played most comes first. Only games that the reader may see in the person's
        list are counted.
        """
        query = (
            select(tables.c.game, func.count(), func.sum(case((_WON, 1), else_=0)))
            .select_from(tables, seats)
            .where(*_which(person, ALL, reader, 0))
            .group_by(tables.c.game)
            .order_by(func.count().desc(), tables.c.game)
        )
        known = shelf()
        with self._store.read() as connection:
            return tuple(
                GameTally(game=name, title=known[name].title, played=played, won=int(won or 0))
                for name, played, won in connection.execute(query)
                if name in known
            )

    def last_games(self, person: str) -> dict[str, LastGame]:
        """Return a mapping: from the name of each game to the last table at which the person finished that game.

        A lesson is returned only if the person has finished no other table of that game.
        """
        taught = case((TAUGHT, 1), else_=0)
        place = func.row_number().over(
            partition_by=tables.c.game, order_by=(taught, tables.c.ended_ms.desc())
        )
        found = (
            select(
                tables.c.game,
                tables.c.options,
                _WON.label("won"),
                taught.label("taught"),
                place.label("place"),
            )
            .select_from(tables, seats)
            .where(*_finished(person))
            .subquery()
        )
        query = select(found.c.game, found.c.options, found.c.won, found.c.taught).where(found.c.place == 1)
        with self._store.read() as connection:
            return {
                game: LastGame(msgspec.json.decode(options), bool(won), bool(taught))
                for game, options, won, taught in connection.execute(query)
            }

    def last_levels(self, person: str) -> dict[str, str]:
        """Return, by game, the level of the bots in the person's newest finished game without other people.

        If the bots of that game had several levels, return the first in alphabetical order. Lessons don't count,
        because the player did not choose the bots.
        """
        other, mate = seats.alias(), seats.alias()
        people_too = exists(
            select(mate.c.seat).where(
                mate.c.table_id == tables.c.id,
                mate.c.seat != seats.c.seat,
                not_(mate.c.plan.startswith(BOT)),
            )
        )
        query = (
            select(tables.c.game, func.min(other.c.plan))
            .where(*_finished(person), not_(TAUGHT), not_(people_too))
            .where(other.c.table_id == tables.c.id, other.c.seat != seats.c.seat)
            .group_by(tables.c.id, tables.c.game, tables.c.ended_ms)
            .order_by(tables.c.ended_ms)
        )
        with self._store.read() as connection:
            return {game: plan.removeprefix(BOT) for game, plan in connection.execute(query)}

    def count_finished(self, person: str, table_id: str, most: int) -> int:
        """Return the number of times that a person has finished the game that is played at this table.

        Stop counting at `most`.
        """
        this = tables.alias()
        query = (
            select(tables.c.id)
            .where(this.c.id == table_id, tables.c.game == this.c.game, *_finished(person))
            .limit(most)
        )
        with self._store.read() as connection:
            return len(connection.execute(query).all())

    def _complete(self, person: str) -> None:
        """Store the ending of each finished game of the person whose ending is not stored yet, up to `UNTOLD` games.

        An `Ending` has the final ranks and scores.
        """
        query = select(tables.c.id).where(*_finished(person), tables.c.outcome.is_(None)).limit(UNTOLD)
        with self._store.read() as connection:
            missing = list(connection.execute(query).scalars())
        for table_id in missing:
            self._ending(table_id, None)

    def _ending(self, table_id: str, stored: str | None) -> Ending | None:
        """Return the ending of a game. If it is not stored, replay the game once and store its ending.

        If the game can't be replayed or has no outcome yet, return None.
        """
        if stored is not None:
            return msgspec.json.decode(stored, type=Ending)
        try:
            with self._tables.open(table_id) as slot:
                outcome = slot.table.outcome
                helped = find_helped(slot.table.facts.chairs, slot.table.log.rows)
        except SpelunkeError:
            return None
        if outcome is None:
            return None
        text = write_ending(outcome, helped)

        def keep(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table_id).values(outcome=text))

        self._store.writer.write(Write(call=keep))
        return msgspec.json.decode(text, type=Ending)


def _finished(person: str) -> tuple[ColumnElement[bool], ...]:
    return (
        tables.c.id == seats.c.table_id,
        seats.c.person == person,
        tables.c.status == "over",
        tables.c.started_ms.is_not(None),
    )


def _which(person: str, wish: GameWish, reader: str | None, now: int) -> list[ColumnElement[bool]]:
    """Return SQL conditions for the person's games that match the filter and that the reader may see."""
    found = list(_finished(person))
    other = seats.alias()
    there = other.c.table_id == tables.c.id
    if reader != person:
        shown = and_(tables.c.listed, is_hosted_for(reader))
        sat = exists(select(other.c.seat).where(there, other.c.person == reader))
        found.append(or_(shown, sat) if reader is not None else shown)
    if wish.game:
        found.append(tables.c.game == wish.game)
    if wish.days:
        found.append(tables.c.ended_ms >= now - wish.days * DAY_MS)
    if wish.opponent:
        against = other.outerjoin(people, people.c.id == other.c.person)
        called = _called(other, wish.opponent)
        found.append(
            exists(
                select(other.c.seat).select_from(against).where(there, other.c.seat != seats.c.seat, called)
            )
        )
    if wish.ended != "any":
        found.append(_RESULTS[wish.ended])
    return found


def _called(chair: FromClause, part: str) -> ColumnElement[bool]:
    """Return an SQL condition for seats whose player has a name that contains `part`.

    A bot has a level, and the name of a character of this level. Only the level is stored. So a bot's seat
    matches if the title of its level, or the name of any character of the level, contains `part`.
    """
    folded = part.casefold()
    bots = [
        and_(tables.c.game == game.name, chair.c.plan == BOT + level)
        for game in shelf().values()
        for level, told in game.levels.items()
        if any(
            folded in name.casefold()
            for name in (str(told.get("title", level)), *game.players.get(level, ()))
        )
    ]
    return or_(like_name(part), *bots)


Chair = Row[tuple[str, str, str | None, str | None, int | None, str | None, str | None, bool]]


def _read_chairs(connection: Connection, ids: Sequence[str]) -> dict[str, list[Chair]]:
    """Return the seats of these tables, by table.

    Each seat comes with its entry in `Plan.seats`, its person, and the settings of the person's page.
    """
    query = (
        select(
            seats.c.table_id,
            seats.c.plan,
            seats.c.person,
            people.c.name,
            people.c.created_ms,
            profiles.c.address,
            profiles.c.shown,
            members.c.person.is_not(None).label("member"),
        )
        .select_from(
            seats.outerjoin(people, people.c.id == seats.c.person)
            .outerjoin(profiles, profiles.c.person == seats.c.person)
            .outerjoin(members, members.c.person == seats.c.person)
        )
        .where(seats.c.table_id.in_(ids))
        .order_by(seats.c.table_id, seats.c.seat)
    )
    found: dict[str, list[Chair]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.table_id].append(row)
    return found


def _name(game: Game, chairs: Sequence[Chair]) -> tuple[str, ...]:
    """Return the names of all seats."""
    levels = [chair.plan.removeprefix(BOT) if chair.plan.startswith(BOT) else None for chair in chairs]
    companions = seat_companions(game, chairs[0].table_id, levels)
    return name_seats([(chair.name or chair.plan, chair.created_ms) for chair in chairs], companions)


def _read_met(connection: Connection, found: Iterable[Sequence[Chair]], reader: str | None) -> frozenset[str]:
    """Return the reader, and all people at these tables who are the reader's friends or have played with the reader.

    A person can restrict their page to `mates`: their friends, and people who have played with them. The reader may
    see such a page if the result contains its owner. Without a reader, the result is empty.
    """
    if reader is None:
        return frozenset()
    beside, others = {reader}, set[str]()
    for chairs in found:
        persons = {chair.person for chair in chairs if chair.person is not None}
        (beside if reader in persons else others).update(persons)
    # The games in the list have begun, so the people who sat beside the reader have played with the reader.
    others -= beside
    return frozenset(beside) | (met_by(connection, reader, others) if others else frozenset())


def _pages(chairs: Sequence[Chair], met: Collection[str]) -> tuple[str | None, ...]:
    """Return the addresses of the players' pages, by seat.

    The address is None if there is no page, or if its owner does not show it to the reader. `met` is the result of
    `_read_met`.
    """
    return tuple(chair.address if _is_seen(chair, met) else None for chair in chairs)


def _is_seen(chair: Chair, met: Collection[str]) -> bool:
    shown = read_shown(chair.shown, member=bool(chair.member))
    return shown == "everybody" or (shown == "mates" and chair.person in met)
