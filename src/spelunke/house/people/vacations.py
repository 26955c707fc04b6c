"""Vacations of people who play games in which each decision may take days.

If the time for such a decision runs out during the person's vacation, the seat gets the full time again. Each person
has a limited number of days of vacation a year. A whole vacation counts in the year in which it begins.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from spelunke.house.refusals import BadPlan, NotNow
from spelunke.house.store import Store, Write, house_log, house_settings, seats, tables, vacations

DAY_MS = 24 * 3_600_000
USUAL_DAYS, MOST_DAYS = 30, 366
SETTING = "vacation_days"


class Vacation(msgspec.Struct, frozen=True, kw_only=True):
    """A person's vacation.

    ``until_ms`` is its end in milliseconds since 1970, or None if they are not on vacation. ``left`` is the
    number of days that they may still take this year, of ``a_year`` days.
    """

    until_ms: int | None
    left: int
    a_year: int


class Vacations:
    """The vacations of all people, and methods to begin and end them.

    For their effect on clocks, see `house.work.task_runner`. Live clocks ignore vacations.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def days_a_year(self) -> int:
        """Return the number of days of vacation that each person may take in a year."""
        with self._store.read() as connection:
            return _read_days(connection)

    def set_days(self, host: str, days: int) -> None:
        """Set the number of days of vacation that each person may take in a year.

        `host` is the host who does this. Raise BadPlan if `days` is not from 0 to 366.
        """
        if not 0 <= days <= MOST_DAYS:
            raise BadPlan(f"choose 0 to {MOST_DAYS} days a year", "days")

        def change(connection: Connection) -> None:
            connection.execute(delete(house_settings).where(house_settings.c.name == SETTING))
            connection.execute(insert(house_settings), {"name": SETTING, "value": str(days)})
            line = {
                "at": self._store.now(),
                "host": host,
                "what": "vacation",
                "about": f"{days}",
                "whom": None,
            }
            connection.execute(insert(house_log), line)

        self._store.writer.write(Write(call=change))

    def of(self, person: str) -> Vacation:
        """Return the person's vacation, and the number of days that they may still take this year."""
        with self._store.read() as connection:
            return self._find(connection, person)

    def begin(self, person: str, days: int) -> int:
        """Begin a vacation now. Return its end in milliseconds since 1970.

        Raise BadPlan if `days` is less than 1. Raise NotNow if the person is on vacation already, or has fewer than
        `days` days left this year.
        """
        if days < 1:
            raise BadPlan("a vacation lasts at least a day", "days")

        def put(connection: Connection) -> int:
            now = self._find(connection, person)
            if now.until_ms is not None:
                raise NotNow("you are on vacation already: end this vacation before you begin another one")
            if days > now.left:
                raise NotNow(
                    f"this vacation is too long: you have {now.left} of {now.a_year} days left this year"
                )
            at = self._store.now()
            row = {"person": person, "from_ms": at, "to_ms": at + days * DAY_MS}
            connection.execute(insert(vacations), row)
            touched.extend(_touch_tables(connection, person))
            return at + days * DAY_MS

        touched: list[str] = []
        ends = self._store.writer.write(Write(call=put))
        for table_id in touched:
            self._store.changed(table_id)
        return ends

    def end(self, person: str) -> None:
        """End the person's vacation now. The current day counts as used.

        Raise NotNow if the person is not on vacation.
        """
        now = self._store.now()
        mine = (vacations.c.person == person, vacations.c.from_ms <= now, vacations.c.to_ms > now)

        def change(connection: Connection) -> None:
            if not connection.execute(update(vacations).where(*mine).values(to_ms=now)).rowcount:
                raise NotNow("you are not on vacation")
            touched.extend(_touch_tables(connection, person))

        touched: list[str] = []
        self._store.writer.write(Write(call=change))
        for table_id in touched:
            self._store.changed(table_id)

    def is_away(self, person: str) -> bool:
        """Return whether the person is on vacation now."""
        now = self._store.now()
        mine = (vacations.c.person == person, vacations.c.from_ms <= now, vacations.c.to_ms > now)
        with self._store.read() as connection:
            return connection.execute(select(vacations.c.to_ms).where(*mine)).first() is not None

    def _find(self, connection: Connection, person: str) -> Vacation:
        now = self._store.now()
        year = datetime.fromtimestamp(now / 1000, UTC).year
        start = int(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000)
        mine = (vacations.c.person == person, vacations.c.to_ms > start)
        rows = connection.execute(select(vacations).where(*mine)).all()
        used = sum(-(-(row.to_ms - row.from_ms) // DAY_MS) for row in rows if row.from_ms >= start)
        until = max((row.to_ms for row in rows if row.from_ms <= now < row.to_ms), default=None)
        a_year = _read_days(connection)
        return Vacation(until_ms=until, left=max(0, a_year - used), a_year=a_year)


def _read_days(connection: Connection) -> int:
    query = select(house_settings.c.value).where(house_settings.c.name == SETTING)
    found = connection.execute(query).scalar()
    return USUAL_DAYS if found is None else int(found)


def _touch_tables(connection: Connection, person: str) -> list[str]:
    """Mark as changed the person's running tables at which each decision may take days. Return their ids.

    At these tables, the other players see whether the person is on vacation.
    """
    mine = select(seats.c.table_id).where(seats.c.person == person)
    here = (tables.c.id.in_(mine), tables.c.status == "playing", tables.c.clock.like('%"kind":"days"%'))
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
    touched = connection.execute(update(tables).where(*here).values(**counted).returning(tables.c.id))
    return list(touched.scalars())
