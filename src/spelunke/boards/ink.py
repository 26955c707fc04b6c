"""Tools for drawing a board with text: colours, lines of a fixed width, and parts that can be clicked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text

from spelunke.boards.screen import Screen


class Ink:
    """Text styles for one terminal. If the terminal has no colours, text is bold or reversed instead."""

    def __init__(self, screen: Screen) -> None:
        self._colours = screen.colours

    def on(self, true: str, few: str, dark: bool = False) -> Style:
        """Return the style of text on a coloured background.

        ``true`` is the colour on a terminal with 256 colours or more. ``few`` is the name of the colour on a
        terminal with 16 colours. If ``dark`` is true, the background is dark, so the text on it is light.
        """
        if self._colours == 0:
            return Style(reverse=True, bold=True)
        if self._colours == 16:
            return Style(bgcolor=few, color="white" if dark else "black", bold=True)
        return Style(bgcolor=true, color="#f8f1e0" if dark else "#14100c", bold=True)

    def of(self, true: str, few: str, bold: bool = True) -> Style:
        """Return the style of text in a colour. ``true`` and ``few`` are as in `on`."""
        if self._colours == 0:
            return Style(bold=bold)
        return Style(color=few if self._colours == 16 else true, bold=bold)


def press(move: str) -> Style:
    """Return a style for a part of the board. A click on the part plays the move."""
    return Style(meta={"move": move})


def centred(text: str, width: int) -> str:
    """Return the text centred in ``width`` columns, and cut if it is longer."""
    cell = Text(text)
    cell.truncate(width)
    room = width - cell.cell_len
    return " " * (room // 2) + cell.plain + " " * (room - room // 2)


def fit(text: Text, width: int) -> Text:
    """Return the text with exactly ``width`` columns: padded with spaces, or cut."""
    found = text.copy()
    found.truncate(width)
    found.pad_right(width - found.cell_len)
    return found


def beside(blocks: Sequence[Sequence[Text]], gap: str = " ") -> list[Text]:
    """Return the lines of several blocks side by side. All blocks must have the same number of lines."""
    return [Text(gap).join(line) for line in zip(*blocks, strict=True)]


def stack(lines: Iterable[Text], height: int) -> Text:
    """Return the lines as one text with at most ``height`` lines."""
    return Text("\n").join(list(lines)[:height])
