"""The terminal program that fills the whole screen."""

from __future__ import annotations

from spelunke.tui.start_screen import StartScreen
from spelunke.tui.terminal import Terminal
from spelunke.tui.themes import NIGHT


class SpelunkeApp(Terminal):
    """The program of the command ``spelunke tui``. ``house`` is the address of a server to open at once, or None."""

    def __init__(
        self,
        *,
        house: str | None = None,
        theme: str = NIGHT.name,
        pace: float | None = None,
        seed: bytes | None = None,
    ) -> None:
        super().__init__(theme=theme, pace=pace, seed=seed)
        self._house = house

    def on_mount(self) -> None:
        """Open the first screen. If ``house`` was given, open the screen of this server on top of the first one."""
        self.push_screen(StartScreen())
        if self._house is not None:
            from spelunke.tui.client import Client
            from spelunke.tui.house_screen import HouseScreen
            from spelunke.tui.tokens import load_token

            self.push_screen(HouseScreen(Client(self._house, load_token(self._house))))
        self.check_size(self.size)
