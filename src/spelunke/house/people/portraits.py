"""The figures and colours that people choose their portrait from; they are drawn by `web.parts.portraits`."""

from __future__ import annotations

from spelunke.house.refusals import BadPlan

FIGURES = (
    "tricorne",
    "redbeard",
    "braid",
    "eyepatch",
    "cook",
    "gunner",
    "pilot",
    "widow",
    "fiddler",
    "parrot",
)
"""What a portrait shows; the first four are captains."""
COLOURS = ("red", "blue", "green", "purple", "amber", "teal", "rose", "slate")


def check_portrait(figure: str, colour: str) -> None:
    """Refuse a figure or a colour that nobody can draw; raises BadPlan."""
    if figure not in FIGURES:
        raise BadPlan(f"{figure!r} is no figure; choose {', '.join(FIGURES)}", "figure")
    if colour not in COLOURS:
        raise BadPlan(f"{colour!r} is no colour; choose {', '.join(COLOURS)}", "colour")
