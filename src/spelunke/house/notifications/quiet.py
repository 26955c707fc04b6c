"""Quiet hours: a daily period without notifications, in the person's own time zone.

The waiting notifications are sent after this period. Other e-mails, such as login links, are not delayed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from spelunke.house.refusals import BadPlan

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones that people can choose."""
    found = (
        zone for zone in available_timezones() if "/" in zone and not zone.startswith(("posix/", "right/"))
    )
    return ("UTC", *sorted(found))


def check_zone(name: str) -> str:
    """Return the name of a time zone if it exists. Otherwise raise BadPlan."""
    if name == "UTC":
        return name
    try:
        if not re.fullmatch(r"[A-Za-z0-9_+/-]{1,64}", name):
            raise ValueError(name)
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadPlan(
            f"there is no time zone {name[:64]!r}; choose one such as Europe/Vienna, or UTC", "zone"
        ) from None
    return name


def read_time(text: str, field: str) -> int:
    """Return the minutes from midnight for a time of the day such as 22:30.

    Raise BadPlan if the text is malformed. `field` is the form field that the error names.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise BadPlan(f"{text[:16]!r} is not a time of day; it should look like 22:30", field)
    return int(found[1]) * 60 + int(found[2])


def write_time(minutes: int) -> str:
    """Return a time of the day as text such as 22:30. The argument is the time in minutes from midnight."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def quiet_until(now_ms: int, zone: str, begins: int | None, ends: int | None) -> int | None:
    """Return the end of the current quiet hours in milliseconds since 1970, or None outside quiet hours.

    `begins` and `ends` are in minutes from midnight. Quiet hours keep their local times when clocks change between
    winter time and summer time.
    """
    if begins is None or ends is None or begins == ends:
        return None
    try:
        there = ZoneInfo(zone) if zone != "UTC" else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # The zone was known when it was chosen.
        there = UTC
    now = datetime.fromtimestamp(now_ms / 1000, there)
    minute = now.hour * 60 + now.minute
    within = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    if not within:
        return None
    day = now.date() + timedelta(days=int(minute >= ends))
    over = datetime(day.year, day.month, day.day, ends // 60, ends % 60, tzinfo=there)
    return max(now_ms + 1, int(over.timestamp() * 1000))
