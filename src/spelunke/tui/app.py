"""The program on the whole screen."""

from __future__ import annotations

from spelunke.tui.start_screen import StartScreen
from spelunke.tui.terminal import Terminal


class SpelunkeApp(Terminal):
    """``spelunke tui``."""

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(StartScreen())
        self.check_size(self.size)
