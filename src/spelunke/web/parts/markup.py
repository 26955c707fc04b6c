"""HTML from values: a template of ours with everything filled in escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape


def html(template: str, /, *args: object, **values: object) -> Markup:
    """`template` (ours, trusted) with the values escaped into its braces; Markup values go in as they are."""
    return Markup(template).format(*args, **values)


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts, escaped unless they are Markup, one after the other."""
    return Markup(between).join(escape(part) for part in parts)


def flag(name: str, on: bool) -> Markup:
    """A boolean attribute with its leading space, or nothing."""
    return Markup(f" {name}") if on else Markup()


def hidden(**fields: object) -> Markup:
    """Hidden inputs."""
    return join(
        html('<input type="hidden" name="{}" value="{}">', name, value) for name, value in fields.items()
    )
