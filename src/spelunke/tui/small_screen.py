"""A screen with one sentence, shown while the terminal is too small. It doesn't stop the game."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from spelunke.tui.widgets import Fitting
from spelunke.tui.words import translate as _

WIDTH, HEIGHT = 80, 24


def fits(size: Size) -> bool:
    """Return whether the terminal is large enough."""
    return size.width >= WIDTH and size.height >= HEIGHT


class SmallScreen(Fitting, Screen[None]):
    """A sentence with the minimum size of the terminal, and its present size."""

    def compose(self) -> ComposeResult:
        """Make an empty text for the sentence."""
        yield Static(id="small")

    def on_mount(self) -> None:
        """Write the sentence, with the size of the terminal in it."""
        self._write()

    def fit(self) -> None:
        """Write the new size of the terminal into the sentence on the screen."""
        self._write()

    def on_screen_resume(self) -> None:
        """Report the terminal's size to the program again: it may have changed while another screen was on top."""
        self.post_message(self.Resized(self.app.size))

    def _write(self) -> None:
        text = _(
            "Make the terminal larger: {columns} columns and {lines} lines are needed; it has {width} and {height}."
        )
        size = self.app.size
        self.query_one("#small", Static).update(
            text.format(columns=WIDTH, lines=HEIGHT, width=size.width, height=size.height)
        )
