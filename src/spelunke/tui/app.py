"""The program on the whole screen."""

from __future__ import annotations

from typing import Any

from spelunke.tui.start_screen import StartScreen
from spelunke.tui.terminal import Terminal


class SpelunkeApp(Terminal):
    """``spelunke tui``. ``house`` is the address of a server to open at once."""

    def __init__(self, *, house: str | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._house = house

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(StartScreen())
        if self._house is not None:
            from spelunke.tui.client import Client
            from spelunke.tui.house_screen import HouseScreen
            from spelunke.tui.tokens import load_token

            self.push_screen(HouseScreen(Client(self._house, load_token(self._house))))
        self.check_size(self.size)
