"""Make HTML from trusted templates and escaped values."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from string import Formatter

import markupsafe
from markupsafe import Markup

NOTHING = Markup()
SHORT = 120
"""The most characters of a text whose escaped form is cached."""


def trusted(text: str) -> Markup:
    """Return our own text as Markup, unchanged.

    Markup's own constructor looks for `__html__` first, which costs more.
    """
    return str.__new__(Markup, text)


def escape(value: object) -> Markup:
    """Escape a value for HTML like `markupsafe.escape`. Short texts are cached, because most of them repeat."""
    if type(value) is str:
        return _escape_short(value) if len(value) <= SHORT else markupsafe.escape(value)
    return trusted(str(value)) if type(value) is int else markupsafe.escape(value)


@lru_cache(maxsize=8192)
def _escape_short(text: str) -> Markup:
    return markupsafe.escape(text)


def html(template: str, /, *args: object, **values: object) -> Markup:
    """Fill the values, escaped, into the braces of `template` (ours, trusted); Markup values are not escaped again."""
    shape = _read(template)
    if shape is None:
        return Markup(template).format(*args, **values)
    text, fields = shape
    given = args if fields is None else [args[f] if isinstance(f, int) else values[f] for f in fields]
    return trusted(text % tuple([value if type(value) is Markup else escape(value) for value in given]))


@lru_cache(maxsize=2048)
def _read(template: str) -> tuple[str, tuple[int | str, ...] | None] | None:
    """Convert a template to a text for `%`, with the fields that fill it (None if they are all in order).

    Return None if a field is more than a name or a number.
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
    """Join the parts, escaped unless they are Markup."""
    return trusted(between.join([part if type(part) is Markup else escape(part) for part in parts]))


def flag(name: str, on: bool) -> Markup:
    """Return a boolean attribute with its leading space, or nothing."""
    return trusted(f" {name}") if on else NOTHING


def hidden(**fields: object) -> Markup:
    """Return hidden inputs."""
    return join(
        html('<input type="hidden" name="{}" value="{}">', name, value) for name, value in fields.items()
    )
