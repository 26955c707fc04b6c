"""The space in a terminal for which a board is drawn, and the terminal's number of colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colours = Literal[0, 16, 256, 16777216]
"""The number of colours that a terminal can show, or 0 for a terminal without colours."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The space for a board: columns, lines, and the number of colours.

    Boards never express a meaning by colour alone: a letter or a sign always expresses it too. So a board that was
    drawn for many colours can also be read without colours.
    """

    width: int = 80
    height: int = 16
    colours: Colours = 16777216

    @property
    def wide(self) -> bool:
        """Whether the board has at least 96 columns, so that more fits side by side."""
        return self.width >= 96

    @property
    def tall(self) -> bool:
        """Whether the board has at least 26 lines, so that it shows more than on a terminal of 24 lines."""
        return self.height >= 26

    @property
    def high(self) -> bool:
        """Whether the board has at least 34 lines, so that cards can be drawn large."""
        return self.height >= 34
