"""The results of games of the day. They are stored after games end, compared, and listed in pages of 100."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.house.daily.choices import choices_of, count_choices
from spelunke.house.daily.days import Day, Days
from spelunke.house.daily.ranking import (
    Ranked,
    count_better,
    counted,
    has_finished,
    of_day,
    read_means,
    read_ranked,
)
from spelunke.house.people import NOBODY, friends_of, read_shown
from spelunke.house.play import TableStore
from spelunke.house.refusals import NotNow
from spelunke.house.store import Ending, Write, day_choices, day_plays, members, people, profiles, tables

PAGE = 100
SETTLED = 50
"""The most results that are stored before a page is shown. Further results are stored in the background."""


class ResultLine(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a day.

    ``lead`` is the number of points by which the person is ahead of the mean of the others at the table. Results are
    ranked by ``more``: the lead minus the mean lead of all results with the same deal, or of the whole day if the deal
    has only one result. ``place`` is the person's place at the table. ``table`` is the id of the finished table, or
    None as long as the reader may not see it. ``page`` is the address of the person's page, or None.
    """

    rank: int
    name: str
    figure: str
    colour: str
    place: int
    lead: float
    more: float
    deal: int
    you: bool
    table: str | None
    page: str | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A person's game of a day, and its rank. Only results that count have ranks.

    ``without`` is the reason why the result does not count, or empty. For ``place``, ``lead`` and ``more``, see
    `ResultLine`. ``place`` and ``lead`` are None if the game was not played to its end. ``more`` and ``rank`` are
    None if there is no result that counts. ``count`` is the number of results of the day that count, and ``same`` the
    number of those with the same deal.
    """

    table: str
    over: bool
    deal: int
    without: str
    place: int | None
    lead: float | None
    more: float | None
    rank: int | None
    count: int
    same: int


class Others(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a person, and the choices that people with the same deal made in the same position.

    ``counts`` pairs each move with the number of people who chose it, the most frequent move first. Only people whose
    results count are included. If there are none, ``counts`` has only the person's own choice.
    """

    ply: int
    played: str
    counts: tuple[tuple[str, int], ...]

    @property
    def all(self) -> int:
        """The number of people in ``counts``."""
        return sum(count for _, count in self.counts)

    @property
    def most(self) -> str:
        """The move that was chosen most often."""
        return self.counts[0][0]


class DayMark(msgspec.Struct, frozen=True, kw_only=True):
    """One day of a person's calendar.

    ``finished`` is the number of the person's results that count, and ``won`` the number of those with the first place.
    """

    day: str
    finished: int
    won: int


class Streak(msgspec.Struct, frozen=True, kw_only=True):
    """The lengths of a person's present series of days and of their longest series.

    A series consists of consecutive days. On each of these days, at least one result of the person counts. If the
    person has no such day today or yesterday, there is no present series, and ``now`` is 0.
    """

    now: int
    longest: int


def lead_of(scores: tuple[int, ...], ranks: tuple[int, ...], seat: int) -> float:
    """Return the number of points by which a seat is ahead of the mean points of the other seats.

    In games in which fewer points are better, it is this mean minus the seat's points. So a larger lead is better in
    every game.
    """
    best, last = ranks.index(min(ranks)), ranks.index(max(ranks))
    sign = -1 if scores[best] < scores[last] else 1
    others = [score for other, score in enumerate(scores) if other != seat]
    return sign * (scores[seat] - sum(others) / len(others))


class DayResults:
    """The results of games of the day: for one person, for a person's friends, and for everybody."""

    def __init__(self, table_store: TableStore, calendar: Days) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._days = calendar

    # --- settling

    def settle(self, most: int = SETTLED) -> int:
        """Store the results of up to `most` finished games of the day, and return the number of these games.

        The results are stored in the order in which the games ended.
        """
        query = (
            select(
                day_plays.c.game,
                day_plays.c.day,
                day_plays.c.person,
                day_plays.c.table_id,
                day_plays.c.deal,
                tables.c.ended_ms,
                tables.c.outcome,
            )
            .join(tables, tables.c.id == day_plays.c.table_id)
            .where(day_plays.c.ended_ms.is_(None), tables.c.status == "over")
            .order_by(tables.c.ended_ms)
            .limit(most)
        )
        with self._store.read() as connection:
            found = connection.execute(query).all()
        for row in found:
            self._settle(row)
        return len(found)

    def _settle(self, row: Row[*tuple[Any, ...]]) -> None:
        try:
            with self._tables.open(row.table_id) as slot:
                match, facts = slot.table.match, slot.table.facts
                seat = facts.seat_of(row.person) or 0
                choices = () if match is None else tuple(choices_of(match, seat))
        except SpelunkeError:  # its rules are gone, or its log is damaged: count no choices
            choices, seat = (), 0
        ended = row.ended_ms or self._store.now()
        values = {"ended_ms": ended, **self._value(row, seat, ended)}
        this = and_(
            day_plays.c.game == row.game,
            day_plays.c.day == row.day,
            day_plays.c.person == row.person,
            day_plays.c.ended_ms.is_(None),
        )

        def put(connection: Connection) -> None:
            if not connection.execute(update(day_plays).where(this).values(**values)).rowcount:
                return  # another worker settled it
            if not values["without"]:
                count_choices(connection, (row.game, row.day, row.deal), choices)

        self._store.writer.write(Write(call=put))

    def _value(self, row: Row[*tuple[Any, ...]], seat: int, ended: int) -> dict[str, object]:
        ending = None if row.outcome is None else msgspec.json.decode(row.outcome, type=Ending)
        if ending is None or ending.scores is None:
            return {"without": "given up"}
        value: dict[str, object] = {
            "place": ending.ranks[seat],
            "lead": lead_of(ending.scores, ending.ranks, seat),
            "without": "",
        }
        if ending.helped and ending.helped[seat]:
            value["without"] = "helped"
        elif ended > self._days.of(row.game, row.day).reveal_ms:
            value["without"] = "late"
        return value

    # --- one person

    def standing(self, person: str, day: Day) -> Standing | None:
        """Return the person's game of a day with its rank, or None if they have not begun one."""
        self.settle()
        mine = (*of_day(day), day_plays.c.person == person)
        with self._store.read() as connection:
            row = connection.execute(select(day_plays).where(*mine)).first()
            if row is None:
                return None
            means = read_means(connection, day)
            count = sum(count for count, _ in means.values())
            rank = more = None
            if row.ended_ms is not None and not row.without:
                more = row.lead - means[row.deal][1]
                rank = 1 + count_better(connection, day, means, more)
        return Standing(
            table=row.table_id,
            over=row.ended_ms is not None,
            deal=row.deal,
            without=row.without or "",
            place=row.place,
            lead=row.lead,
            more=more,
            rank=rank,
            count=count,
            same=means.get(row.deal, (0, 0.0))[0],
        )

    def others(self, person: str, day: Day) -> tuple[Others, ...]:
        """Return the person's decisions with several legal actions, each with people's choices (see `Others`).

        Raise NotNow if the person has not begun their game of that day, or has not finished it.
        """
        self.settle()
        with self._store.read() as connection:
            query = select(day_plays).where(*of_day(day), day_plays.c.person == person)
            row = connection.execute(query).first()
        if row is None or row.ended_ms is None:
            raise NotNow(
                "you can compare your decisions only after you have finished your game of that day; a game from the "
                "archive does not count"
            )
        with self._tables.open(row.table_id) as slot:
            match, seat = slot.table.match, slot.table.facts.seat_of(person) or 0
            mine = () if match is None else tuple(choices_of(match, seat))
        spots = sorted({spot for _, spot, _ in mine})
        same = (day_choices.c.game == day.game, day_choices.c.day == day.day, day_choices.c.deal == row.deal)
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        with self._store.read() as connection:
            for first in range(0, len(spots), PAGE):
                some = day_choices.c.spot.in_(spots[first : first + PAGE])
                for found in connection.execute(select(day_choices).where(*same, some)):
                    counts[found.spot][found.move] = found._mapping["count"]
        return tuple(
            Others(ply=ply, played=move, counts=tuple((counts[spot] or Counter({move: 1})).most_common()))
            for ply, spot, move in mine
        )

    def marks(self, person: str, first: date, last: date) -> tuple[DayMark, ...]:
        """Return the days from `first` to `last` for which the person has a result that counts, in order."""
        query = (
            select(day_plays.c.day, day_plays.c.place)
            .where(day_plays.c.person == person, day_plays.c.lead.is_not(None), day_plays.c.without == "")
            .where(day_plays.c.day >= first.isoformat(), day_plays.c.day <= last.isoformat())
        )
        found: dict[str, list[int]] = defaultdict(list)
        with self._store.read() as connection:
            for day, place in connection.execute(query):
                found[day].append(place)
        return tuple(
            DayMark(day=day, finished=len(places), won=places.count(1))
            for day, places in sorted(found.items())
        )

    def streak(self, person: str) -> Streak:
        """Return the lengths of the person's present and longest series of days (see `Streak`)."""
        query = (
            select(day_plays.c.day)
            .distinct()
            .where(day_plays.c.person == person, day_plays.c.lead.is_not(None), day_plays.c.without == "")
        )
        with self._store.read() as connection:
            played = sorted(date.fromisoformat(day) for day in connection.execute(query).scalars())
        longest = row = 0
        before = None
        for day in played:
            row = row + 1 if before is not None and day - before == timedelta(1) else 1
            longest, before = max(longest, row), day
        goes_on = before is not None and self._days.today() - before <= timedelta(1)
        return Streak(now=row if goes_on else 0, longest=longest)

    # --- everybody

    def count(self, day: Day) -> int:
        """Return the number of a day's results that count (that are ranked)."""
        with self._store.read() as connection:
            return sum(count for count, _ in read_means(connection, day).values())

    def lines(self, day: Day, reader: str | None, page: int = 1) -> tuple[tuple[ResultLine, ...], int]:
        """Return a page of a day's results that count, at most 100, the best first, and the number of all of them.

        If the day is not over, raise NotNow unless the reader has finished their game of this day.
        """
        self.settle()
        with self._store.read() as connection:
            if day.when != "over" and not has_finished(connection, day, reader):
                raise NotNow(
                    "you can see other people's results after you have finished that day's game, or when that day is "
                    "in the archive"
                )
            means = read_means(connection, day)
            some = read_ranked(connection, day, means, PAGE * (page - 1), PAGE)
            count = sum(count for count, _ in means.values())
            return _write_lines(connection, day, some, reader), count

    def friends(self, day: Day, reader: str) -> tuple[ResultLine, ...]:
        """Return the results of the reader and their friends, the best first, with their ranks in the whole
        day.

        If no friend has a result that counts, or if the reader may not see results yet (see `lines`), return no
        lines.
        """
        self.settle()
        with self._store.read() as connection:
            if day.when != "over" and not has_finished(connection, day, reader):
                return ()
            among = {reader, *connection.execute(friends_of(reader)).scalars()}
            played = (*counted(day), day_plays.c.person.in_(among), day_plays.c.person != reader)
            if len(among) == 1 or connection.execute(select(day_plays.c.deal).where(*played)).first() is None:
                return ()
            ranked = read_ranked(connection, day, read_means(connection, day))
            return _write_lines(connection, day, [one for one in ranked if one.person in among], reader)


def _write_lines(
    connection: Connection, day: Day, some: Sequence[Ranked], reader: str | None
) -> tuple[ResultLine, ...]:
    known = _read_people(connection, [one.person for one in some])
    lines = []
    for one in some:
        name, figure, colour, page_of = known.get(one.person, (NOBODY, "", "", None))
        you = one.person == reader
        lines.append(
            ResultLine(
                rank=one.rank,
                name=name,
                figure=figure,
                colour=colour,
                place=one.place,
                lead=one.lead,
                more=one.more,
                deal=one.deal,
                you=you,
                table=one.table if day.when == "over" or you else None,
                page=page_of,
            )
        )
    return tuple(lines)


def _read_people(connection: Connection, persons: list[str]) -> dict[str, tuple[str, str, str, str | None]]:
    """Return each person's name, the figure and the colour of their portrait, and the address of their page.

    The address is None unless everybody may see the page.
    """
    query = (
        select(
            people.c.id,
            people.c.name,
            people.c.figure,
            people.c.colour,
            profiles.c.address,
            profiles.c.shown,
            members.c.person.is_not(None),
        )
        .select_from(
            people.outerjoin(profiles, profiles.c.person == people.c.id).outerjoin(
                members, members.c.person == people.c.id
            )
        )
        .where(people.c.id.in_(persons))
    )
    return {
        row[0]: (
            row[1],
            row[2] or "",
            row[3] or "",
            row[4] if row[4] and read_shown(row[5], member=bool(row[6])) == "everybody" else None,
        )
        for row in connection.execute(query)
    }
