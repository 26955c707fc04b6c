"""The size of the terminal that a board is drawn for, and the colours that it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colours = Literal[0, 16, 256, 16777216]
"""The number of colours that a terminal shows; 0 for none."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The space for a board: columns, lines, and the number of colours.

    A colour never carries a meaning alone: a letter or a sign always has the same meaning. So a board that
    was drawn for one number of colours can be read with another number.
    """

    width: int = 80
    height: int = 16
    colours: Colours = 16777216

    @property
    def wide(self) -> bool:
        """Whether the terminal is wider than a board of 80 columns needs."""
        return self.width >= 96

    @property
    def tall(self) -> bool:
        """Whether the terminal is higher than a board for 24 lines needs."""
        return self.height >= 26
