"""The figures and colours that people choose for their portraits. `web.parts.portraits` draws them."""

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
"""The figures that people can choose for portraits. The first four are captains."""
COLOURS = ("red", "blue", "green", "purple", "amber", "teal", "rose", "slate")


def check_portrait(figure: str, colour: str) -> None:
    """Raise BadPlan if the figure or the colour is unknown."""
    if figure not in FIGURES:
        raise BadPlan(f"{figure!r} is not a figure; choose {', '.join(FIGURES)}", "figure")
    if colour not in COLOURS:
        raise BadPlan(f"{colour!r} is not a colour; choose {', '.join(COLOURS)}", "colour")
