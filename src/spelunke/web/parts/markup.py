"""HTML from values: a template of ours with everything filled in escaped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from string import Formatter

from markupsafe import Markup, escape


def html(template: str, /, *args: object, **values: object) -> Markup:
    """`template` (ours, trusted) with the values escaped into its braces; Markup values go in as they are."""
    pieces = _split(template)
    if pieces is None:
        return Markup(template).format(*args, **values)
    written = []
    for text, field in pieces:
        written.append(text)
        if field is not None:
            value = args[field] if isinstance(field, int) else values[field]
            written.append(value if type(value) is Markup else escape(value))
    return Markup("".join(written))


@lru_cache(maxsize=2048)
def _split(template: str) -> tuple[tuple[str, int | str | None], ...] | None:
    """A template as texts, each with the field that follows it; None where a field is more than a name or a number."""
    pieces: list[tuple[str, int | str | None]] = []
    counted = 0
    for text, name, form, conversion in Formatter().parse(template):
        if form or conversion or (name and not name.isidentifier() and not name.isdecimal()):
            return None
        if name == "":
            pieces.append((text, counted))
            counted += 1
        else:
            pieces.append((text, int(name) if name and name.isdecimal() else name))
    return tuple(pieces)


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts, escaped unless they are Markup, one after the other."""
    return Markup(between.join([part if type(part) is Markup else escape(part) for part in parts]))


def flag(name: str, on: bool) -> Markup:
    """A boolean attribute with its leading space, or nothing."""
    return Markup(f" {name}") if on else Markup()


def hidden(**fields: object) -> Markup:
    """Hidden inputs."""
    return join(
        html('<input type="hidden" name="{}" value="{}">', name, value) for name, value in fields.items()
    )
