"""The club's evenings: dates that hosts announce, and a calendar file with these dates."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, or_, select

from spelunke.house.readable import is_readable
from spelunke.house.refusals import BadPlan, NotNow
from spelunke.house.store import Store, Write, evenings, house_log

LONGEST_TITLE, LONGEST_ABOUT = 64, 500
MOST = 50
AHEAD = timedelta(days=182)
"""The period from now on for which the dates of a weekly evening are listed."""
SHOWN = 100
PAST_MS = 24 * 3_600_000
"""The time in ms after the start of an evening after which it is surely over. No evening lasts longer."""


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """One date of a club evening. ``evening`` is the evening's id: all dates of a weekly evening have the same id."""

    evening: str
    title: str
    about: str
    begins_ms: int
    minutes: int
    zone: str
    weekly: bool
    changed_ms: int


class Evenings:
    """The evenings of the club. Before each change, the caller must check that the person is a host."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, host: str, title: str, about: str, begins: str, minutes: int, zone: str, *, weekly: bool
    ) -> str:
        """Announce an evening, and return its id.

        `begins` is a local time such as `2026-12-01T20:00` in the time zone `zone`. `minutes` is the length
        of the evening. Also delete single evenings that began at least 24 hours ago. Raise BadPlan if one of the values
        is not valid, or NotNow if the calendar is full.
        """
        title, about = " ".join(title.split()), " ".join(about.split())
        if len(title) > LONGEST_TITLE or not is_readable(title):
            raise BadPlan(f"a title has 1 to {LONGEST_TITLE} characters", "title")
        if len(about) > LONGEST_ABOUT or (about and not is_readable(about)):
            raise BadPlan(f"a description has at most {LONGEST_ABOUT} characters", "about")
        if not 10 <= minutes <= 24 * 60:
            raise BadPlan("an evening lasts 10 minutes to 24 hours", "minutes")
        if zone not in available_timezones():
            raise BadPlan(f"there is no time zone {zone[:64]!r}; choose one like Europe/Berlin", "zone")
        try:
            local = datetime.fromisoformat(begins)
        except ValueError:
            raise BadPlan("give the start as a date and a time, such as 2026-12-01T20:00", "begins") from None
        if local.tzinfo is not None or not 2000 < local.year < 2200:
            raise BadPlan(
                "give the start as a local time in the chosen time zone, between the years 2001 and 2199, and without "
                "an offset such as +01:00",
                "begins",
            )
        at = int(local.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)
        if at < self._store.now() and not weekly:
            raise BadPlan("that time has passed: choose one in the future", "begins")
        row = {"id": secrets.token_hex(8), "title": title, "about": about, "begins_ms": at}
        row |= {"minutes": minutes, "zone": zone, "every": "weekly" if weekly else "once", "ends_ms": None}

        def put(connection: Connection) -> None:
            now = self._store.now()
            past = (evenings.c.every == "once", evenings.c.begins_ms <= now - PAST_MS)
            connection.execute(delete(evenings).where(*past))
            if int(connection.execute(select(func.count()).select_from(evenings)).scalar() or 0) >= MOST:
                raise NotNow(f"the calendar has {MOST} evenings already: remove one first")
            connection.execute(insert(evenings), {**row, "changed_ms": now})
            self._log(connection, host, f"+ {title}")

        self._store.writer.write(Write(call=put))
        return str(row["id"])

    def remove(self, host: str, evening: str) -> None:
        """Remove an evening with all its dates. Raise NotNow if it was already removed."""

        def change(connection: Connection) -> None:
            mine = evenings.c.id == evening[:16]
            title = connection.execute(delete(evenings).where(mine).returning(evenings.c.title)).scalar()
            if title is None:
                raise NotNow("this evening was removed already")
            self._log(connection, host, f"- {title}")

        self._store.writer.write(Write(call=change))

    def coming(self) -> tuple[Evening, ...]:
        """Return the next dates that are not over, at most `SHOWN`, the earliest first."""
        now = self._store.now()
        fresh = or_(evenings.c.every == "weekly", evenings.c.begins_ms > now - PAST_MS)
        with self._store.read() as connection:
            rows = connection.execute(select(evenings).where(fresh)).all()
        found = [one for row in rows for one in _dates(row, now)]
        return tuple(sorted(found, key=lambda one: (one.begins_ms, one.evening))[:SHOWN])

    def _log(self, connection: Connection, host: str, about: str) -> None:
        line = {"at": self._store.now(), "host": host, "what": "evening", "whom": None, "about": about}
        connection.execute(insert(house_log), line)


def _dates(row: Row[Any], now: int) -> Iterator[Evening]:
    """Yield those dates of an evening that are not over. For a weekly evening, yield only dates in the period `AHEAD`.

    A weekly evening keeps its local time when clocks change between winter time and summer time.
    """
    zone = ZoneInfo(row.zone)
    first = datetime.fromtimestamp(row.begins_ms / 1000, UTC).astimezone(zone)
    today = datetime.fromtimestamp(now / 1000, UTC)
    weekly = row.every == "weekly"
    skip = max(0, (today.date() - first.date()).days // 7 - 1) if weekly else 0
    while True:
        day: date = first.date() + timedelta(weeks=skip)
        begins = datetime.combine(day, first.time(), zone)
        at = int(begins.timestamp() * 1000)
        if begins > today + AHEAD and weekly:
            return
        if at + row.minutes * 60_000 > now:
            yield Evening(
                evening=row.id,
                title=row.title,
                about=row.about,
                begins_ms=at,
                minutes=row.minutes,
                zone=row.zone,
                weekly=weekly,
                changed_ms=row.changed_ms,
            )
        if not weekly:
            return
        skip += 1


def write_calendar(dates: tuple[Evening, ...], name: str, url: str) -> bytes:
    """Return the dates as an iCalendar file (RFC 5545), with times in UTC."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Spelunke//Evenings//EN",
        f"X-WR-CALNAME:{_escape(name)}",
    ]
    for one in dates:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.evening}-{_stamp(one.begins_ms)[:8]}@spelunke",
            f"DTSTAMP:{_stamp(one.changed_ms)}",
            f"DTSTART:{_stamp(one.begins_ms)}",
            f"DURATION:PT{one.minutes}M",
            f"SUMMARY:{_escape(one.title)}",
            *([f"DESCRIPTION:{_escape(one.about)}"] if one.about else []),
            f"URL:{url}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines).encode()


def _stamp(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def _fold(line: str) -> str:
    """Return a line, broken into parts of at most 75 bytes. Never break it within a character."""
    parts: list[str] = []
    part, size = "", 0
    for letter in line:
        wide = len(letter.encode())
        if size + wide > (75 if not parts else 74):
            parts.append(part)
            part, size = "", 0
        part += letter
        size += wide
    return "\r\n ".join([*parts, part])
