"""Write numbers, percentages, dates and times as the language of the request does, and read numbers.

For languages other than English, Babel provides the decimal signs, the percent signs, and the forms of dates and times.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from spelunke.core.catalogues import ENGLISH, locale_of
from spelunke.web.words import LANGUAGE

MINUS = "\N{MINUS SIGN}"
NUMBER = re.compile(r"-?\d{1,12}(\.\d{0,12})?|-?\.\d{1,12}", re.ASCII)
"""Matches a number without thousands separators, with or without a decimal point."""


class Signs(NamedTuple):
    """A language's decimal sign, and the text that follows a percentage."""

    point: str
    percent: str


@cache
def _signs_of(language: str) -> Signs:
    if language == ENGLISH:
        return Signs(".", " %")
    locale = locale_of(language)
    pattern = locale.percent_formats[None].pattern
    return Signs(locale.number_symbols["latn"]["decimal"], pattern.rpartition("0")[2])


def signs() -> Signs:
    """Return the decimal sign and the percent sign of the request's language."""
    return _signs_of(LANGUAGE.get())


def write_number(value: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return a number with `digits` digits after the point. If ``sign``, mark positive numbers with a plus."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0.0:
        before = ""
    else:
        before = MINUS if value < 0 else "+" if sign else ""
    return f"{before}{text.replace('.', signs().point)}"


def read_number(text: str) -> float:
    """Return a number that a person typed, with a point or with the decimal sign of the request's language.

    Thousands separators are not accepted, because the thousands separator of one language is the decimal sign of
    another. Raise ValueError if the text is not a number.
    """
    found = NUMBER.fullmatch(text.replace(signs().point, ".").replace(MINUS, "-"))
    if not found:
        raise ValueError(text)
    return float(found[0])


def write_short(value: float, digits: int, *, sign: bool = False) -> str:
    """Return a number as :func:`write_number` does, but omit zeros at the end of the decimal places."""
    whole, point, part = write_number(value, digits, sign=sign).partition(signs().point)
    part = part.rstrip("0")
    return f"{whole}{point}{part}" if part else whole


def write_percent(value: float, digits: int = 0, *, sign: bool = False) -> str:
    """Return a percentage: ``50 %`` for the value 50. The parameters are as in :func:`write_number`."""
    return write_number(value, digits, sign=sign) + signs().percent


def write_time(at: datetime) -> str:
    """Return a time of day in hours and minutes."""
    if LANGUAGE.get() == ENGLISH:
        return f"{at:%H:%M}"
    from babel.dates import format_time

    return format_time(at, "short", locale=locale_of(LANGUAGE.get()))


def write_date(text: str) -> str:
    """Return a date, given as ``2026-11-27``, in the form of the request's language."""
    return write_day(datetime.fromisoformat(text))


def write_month(day: date) -> str:
    """Return the month and year of a date."""
    if LANGUAGE.get() == ENGLISH:
        return f"{day:%B %Y}"
    from babel.dates import format_skeleton

    return format_skeleton("yMMMM", day, locale=locale_of(LANGUAGE.get()))


def write_day(at: datetime, *, time: bool = False) -> str:
    """Return a date. If ``time``, add the time of day."""
    if LANGUAGE.get() == ENGLISH:
        return f"{at:%Y-%m-%d %H:%M}" if time else f"{at:%Y-%m-%d}"
    from babel.dates import format_date, format_datetime

    locale = locale_of(LANGUAGE.get())
    return format_datetime(at, "short", locale=locale) if time else format_date(at, "medium", locale=locale)
