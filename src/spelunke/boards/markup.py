"""HTML from values: a template of ours with everything filled in escaped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from string import Formatter

import markupsafe
from markupsafe import Markup

NOTHING = Markup()
SHORT = 120
"""Texts of so many characters at most are kept as they were escaped."""


def trusted(text: str) -> Markup:
    """Text of ours as Markup, as it is. Markup's own constructor looks for `__html__` first, which costs more."""
    return str.__new__(Markup, text)


def escape(value: object) -> Markup:
    """The value for HTML, as `markupsafe.escape` writes it; short texts mostly come again, and are kept."""
    if type(value) is str:
        return _escape_short(value) if len(value) <= SHORT else markupsafe.escape(value)
    return trusted(str(value)) if type(value) is int else markupsafe.escape(value)


@lru_cache(maxsize=8192)
def _escape_short(text: str) -> Markup:
    return markupsafe.escape(text)


def html(template: str, /, *args: object, **values: object) -> Markup:
    """`template` (ours, trusted) with the values escaped into its braces; Markup values go in as they are."""
    shape = _read(template)
    if shape is None:
        return Markup(template).format(*args, **values)
    text, fields = shape
    given = args if fields is None else [args[f] if isinstance(f, int) else values[f] for f in fields]
    return trusted(text % tuple([value if type(value) is Markup else escape(value) for value in given]))


@lru_cache(maxsize=2048)
def _read(template: str) -> tuple[str, tuple[int | str, ...] | None] | None:
    """A template as a text to be formatted by `%`, with the fields that fill it, None where these are all in order.

    None altogether where a field is more than a name or a number.
    """
    text, fields, counted = "", list[int | str](), 0
    for literal, name, form, conversion in Formatter().parse(template):
        if form or conversion or (name and not name.isidentifier() and not name.isdecimal()):
            return None
        text += literal.replace("%", "%%")
        if name is None:
            continue
        text += "%s"
        if name == "":
            fields.append(counted)
            counted += 1
        else:
            fields.append(int(name) if name.isdecimal() else name)
    return text, None if counted and fields == list(range(counted)) else tuple(fields)


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts, escaped unless they are Markup, one after the other."""
    return trusted(between.join([part if type(part) is Markup else escape(part) for part in parts]))


def flag(name: str, on: bool) -> Markup:
    """A boolean attribute with its leading space, or nothing."""
    return trusted(f" {name}") if on else NOTHING


def hidden(**fields: object) -> Markup:
    """Hidden inputs."""
    return join(
        html('<input type="hidden" name="{}" value="{}">', name, value) for name, value in fields.items()
    )
