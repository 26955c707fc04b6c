"""The dark and the light theme of the terminal, with the colours of the web pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.theme import Theme

if TYPE_CHECKING:
    from spelunke.boards.screen import Colours

NIGHT = Theme(
    name="night",
    primary="#e9b44c",
    secondary="#7fb2c9",
    accent="#f2c14e",
    warning="#e07a3f",
    error="#d9534f",
    success="#7cb36a",
    foreground="#ece3d0",
    background="#0f1a26",
    surface="#15232f",
    panel="#1d2f3e",
    dark=True,
)
DAY = Theme(
    name="day",
    primary="#8a4b12",
    secondary="#1d5a78",
    accent="#a8560f",
    warning="#a8560f",
    error="#a3231f",
    success="#3d6b2c",
    foreground="#2a2118",
    background="#f3ead7",
    surface="#ebdfc6",
    panel="#e0d1b2",
    dark=False,
)
THEMES = (NIGHT, DAY)


def colours_of(environment: dict[str, str] | None = None) -> Colours:
    """Return the number of colours of the terminal, according to ``NO_COLOR``, ``COLORTERM`` and ``TERM``."""
    given = os.environ if environment is None else environment
    term = given.get("TERM", "")
    if given.get("NO_COLOR") or term == "dumb":
        return 0
    if given.get("COLORTERM", "").lower() in ("truecolor", "24bit") or term.endswith("-direct"):
        return 16777216
    return 256 if "256" in term else 16
