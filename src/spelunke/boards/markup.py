"""Make HTML from our own templates, with all values escaped.

All HTML of boards and pages is made here, most of it by `html` from templates in the source. Only `trusted` accepts
other text without escaping it, and only a few places may call it. No other module makes Markup from text.
`tests/test_markup.py` checks these rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from string import Formatter
from typing import NamedTuple

import markupsafe
from markupsafe import Markup

NOTHING = Markup()
SHORT, KEPT = 120, 8192
"""The maximum length of a text whose escaped form is cached, and the maximum number of texts in the cache."""

WIDE = re.compile("[^\x00-\xff]")

_make = str.__new__  # Markup's own constructor looks for `__html__` first, which costs more


def _narrow(text: str) -> str:
    """Return the text with a character reference (``&#8211;``) for each character beyond Latin-1.

    This saves memory: Python stores a text in one byte per character, but needs two or four if a single
    character is beyond Latin-1.
    """
    return WIDE.sub(lambda found: f"&#{ord(found[0])};", text)


class _Escaped(dict[str, Markup]):
    """A cache of escaped texts. Most short texts occur again and again."""

    def __missing__(self, text: str) -> Markup:
        escaped = markupsafe.escape(text)
        found = escaped if text.isascii() else _make(Markup, _narrow(escaped))
        if len(text) <= SHORT:
            if len(self) >= KEPT:
                self.clear()
            self[text] = found
        return found


class _Shape(NamedTuple):
    """A parsed template.

    ``pieces`` is its text, with an empty string in the place of each field. ``fields`` are the names or numbers
    of the fields, or None if the values fill them in order. ``whole`` is the text without the fields. If
    the template has no fields, :func:`html` returns ``whole`` unchanged.
    """

    pieces: list[str]
    fields: tuple[int | str, ...] | None
    whole: Markup


class _Shapes(dict[str, _Shape]):
    """A cache of parsed templates. Templates come from the source and its translations, so their number is limited."""

    def __missing__(self, template: str) -> _Shape:
        found = self[template] = _read(template)
        return found


_ESCAPED, _SHAPES = _Escaped(), _Shapes()


def _read(template: str) -> _Shape:
    """Return the parsed template. Raise ValueError if a field is more than a name or a number."""
    pieces, fields, counted = [""], list[int | str](), 0
    for literal, name, form, conversion in Formatter().parse(template):
        pieces[-1] += _narrow(literal)
        if name is None:
            continue
        if form or conversion or (name and not name.isidentifier() and not name.isdecimal()):
            raise ValueError(
                f"a field of a template is a name, a number or empty, not {name!r}: {template!r}"
            )
        pieces += ["", ""]
        if name == "":
            fields.append(counted)
            counted += 1
        else:
            fields.append(int(name) if name.isdecimal() else name)
    in_order = counted and fields == list(range(counted))
    return _Shape(pieces, None if in_order else tuple(fields), _make(Markup, "".join(pieces)))


def html(template: str, /, *args: object, **values: object) -> Markup:
    """Return the template with a value in place of each field. Escape all values that are not Markup.

    The template must be a literal in the source (for translated sentences, use `fill`). Its fields are ``{}`` for the
    next value, ``{0}`` for a value by number, or ``{name}`` for a value by name. Raise ValueError if a field has
    another form.
    """
    pieces, fields, whole = _SHAPES[template]
    if fields is not None:
        if not fields and not args and not values:
            return whole
        args = tuple([args[field] if type(field) is int else values[field] for field in fields])  # type: ignore[index]
    filled = pieces.copy()
    filled[1::2] = [
        value
        if type(value) is Markup
        else _ESCAPED[value]
        if type(value) is str
        else str(value)
        if type(value) is int
        else markupsafe.escape(value)
        for value in args
    ]
    return _make(Markup, "".join(filled))


def escape(value: object) -> Markup:
    """Return the value escaped for HTML, as `markupsafe.escape` does.

    If the value is a ``str``, its characters beyond Latin-1 become character references.
    """
    if type(value) is Markup:
        return value
    return _ESCAPED[value] if type(value) is str else markupsafe.escape(value)


def fill(sentence: str, **values: object) -> Markup:
    """Return a translated sentence with its values filled in. Escape everything except values that are Markup."""
    return html(escape(sentence), **values)


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Return the parts joined by ``between``. Escape the parts that are not Markup."""
    pieces = [part if type(part) is Markup else escape(part) for part in parts]
    return _make(Markup, str.join(escape(between), pieces) if between else "".join(pieces))


def flag(name: str, on: object) -> Markup:
    """Return a boolean attribute with a leading space if ``on`` is true, else nothing."""
    return html(" {}", name) if on else NOTHING


def rewrite(markup: Markup, pattern: re.Pattern[str], make: Callable[[Markup], Markup]) -> Markup:
    """Return the HTML with each match of the pattern replaced by the result of ``make``.

    A match must be a whole attribute or element.
    """
    return _make(Markup, pattern.sub(lambda found: make(_make(Markup, found[0])), markup))


def trusted(text: str) -> Markup:
    """Return a text as Markup without escaping it.

    Use this only for text that another library has escaped, and for this project's own style sheets. For all other
    text, use `html`.
    """
    return _make(Markup, text)


def hidden(**fields: object) -> Markup:
    """Return a hidden input for each name and value."""
    return join(
        html('<input type="hidden" name="{}" value="{}">', name, value) for name, value in fields.items()
    )
