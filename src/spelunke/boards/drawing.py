"""Tools for boards that are drawn as one SVG, for previews of links and for files."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import html

WIDTH, HEIGHT = 1200, 630
"""The size of a drawing in pixels. Messengers expect previews of links in this size."""


def nest(drawing: Markup, x: float, y: float, width: float, height: float) -> Markup:
    """Return an SVG drawing with this place and size, for use inside another SVG drawing."""
    start = len("<svg")
    return html(
        '<svg x="{}" y="{}" width="{}" height="{}"{}',
        *(f"{number:g}" for number in (x, y, width, height)),
        drawing[start:],
    )


def shorten(text: str, most: int) -> str:
    """Return the text, cut to at most ``most`` characters. A text that was cut ends with ``…``."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
