"""The ranks of a day's results, computed by the database."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select

from spelunke.house.daily.days import Day
from spelunke.house.store import day_plays

ENOUGH = 2
"""The least number of results with the same deal from which a mean is computed.

For fewer results, the mean of all results of the day is used.
"""


class Ranked(NamedTuple):
    """A result that counts, with its rank. For ``more`` and ``lead``, see `house.daily.results.ResultLine`."""

    rank: int
    more: float
    person: str
    place: int
    lead: float
    deal: int
    table: str


def of_day(day: Day) -> tuple[ColumnElement[bool], ...]:
    """Return SQL conditions that select this day's rows of ``day_plays``."""
    return day_plays.c.game == day.game, day_plays.c.day == day.day


def counted(day: Day) -> tuple[ColumnElement[bool], ...]:
    """Return SQL conditions that select, in the table ``day_plays``, this day's results that count.

    A result counts if the game has ended and ``without``, the reason against counting it, is empty.
    """
    return *of_day(day), day_plays.c.ended_ms.is_not(None), day_plays.c.without == ""


def read_means(connection: Connection, day: Day) -> dict[int, tuple[int, float]]:
    """Return, for each deal of a day, the number of results that count, and their mean lead.

    A deal with fewer than `ENOUGH` results gets the mean lead of the whole day. A deal without results is left out.
    """
    query = (
        select(day_plays.c.deal, func.count(), func.avg(day_plays.c.lead))
        .where(*counted(day))
        .group_by(day_plays.c.deal)
    )
    found = {deal: (int(count), float(mean)) for deal, count, mean in connection.execute(query)}
    count = sum(one for one, _ in found.values())
    overall = sum(one * mean for one, mean in found.values()) / count if count else 0.0
    return {deal: (one, mean if one >= ENOUGH else overall) for deal, (one, mean) in found.items()}


def read_ranked(
    connection: Connection,
    day: Day,
    means: dict[int, tuple[int, float]],
    start: int = 0,
    most: int | None = None,
) -> list[Ranked]:
    """Return at most ``most`` of a day's results that count, the best first, from index ``start`` on.

    Without ``most``, return all of them. Equal results share a rank. ``means`` is the result of `read_means`.
    The database sorts the results, so a page loads only its own rows.
    """
    if not means:
        return []
    worth = day_plays.c.lead - case({deal: mean for deal, (_, mean) in means.items()}, value=day_plays.c.deal)
    query = (
        select(
            day_plays.c.lead, day_plays.c.person, day_plays.c.place, day_plays.c.deal, day_plays.c.table_id
        )
        .where(*counted(day))
        .order_by(worth.desc(), day_plays.c.place, day_plays.c.table_id)
        .limit(most)
        .offset(start)
    )
    ranked: list[Ranked] = []
    for number, (lead, person, place, deal, table) in enumerate(connection.execute(query), start + 1):
        more = round(lead - means[deal][1], 6)
        if not ranked:
            rank = 1 + count_better(connection, day, means, more)
        else:
            rank = ranked[-1].rank if ranked[-1].more == more else number
        ranked.append(Ranked(rank, more, person, place, lead, deal, table))
    return ranked


def count_better(connection: Connection, day: Day, means: dict[int, tuple[int, float]], more: float) -> int:
    """Return the number of a day's results that count and are better than ``more``.

    A result is better if its lead, minus the mean lead of its deal in ``means``, is larger than ``more``.
    """
    count = 0
    for deal, (_, mean) in means.items():
        better = (*counted(day), day_plays.c.deal == deal, day_plays.c.lead > more + mean + 1e-6)
        count += connection.execute(select(func.count()).select_from(day_plays).where(*better)).scalar() or 0
    return count


def has_finished(connection: Connection, day: Day, reader: str | None) -> bool:
    """Return whether the reader has finished their game of this day, even if its result does not count.

    Without a ``reader``, return False.
    """
    if reader is None:
        return False
    mine = (*of_day(day), day_plays.c.person == reader, day_plays.c.ended_ms.is_not(None))
    return connection.execute(select(day_plays.c.deal).where(*mine)).first() is not None
