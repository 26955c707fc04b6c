"""The base of the terminal program: themes, the terminal's minimum size, and the compilation of the games' rules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.geometry import Size

from spelunke.boards.screen import Colours
from spelunke.tui.small_screen import SmallScreen, fits
from spelunke.tui.themes import NIGHT, THEMES, colours_of
from spelunke.tui.widgets import Fitting

if TYPE_CHECKING:
    from spelunke.bots.warming import Warming


class Terminal(App[None]):
    """The base class of the terminal program. A subclass opens the first screen."""

    CSS_PATH = "tui.tcss"
    TITLE = "Spelunke"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "theme", show=False),
        Binding("ctrl+q,ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(
        self, *, theme: str = NIGHT.name, pace: float | None = None, seed: bytes | None = None
    ) -> None:
        super().__init__()
        if "SSH_CONNECTION" in os.environ:
            self.animation_level = "none"  # over SSH, each frame would need time on the network
        self._look = theme
        self.pace = pace
        self.seed = seed
        """The seed of chance for local games, if a test has set one, else None."""
        self.colours: Colours = colours_of()
        self._warming: Warming | None = None

    def on_mount(self) -> None:
        """Set the theme. Half a second later, begin to compile the games' rules."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._look
        self.set_class(self.colours == 0, "-plain")
        self.set_timer(0.5, self._warm)

    def _warm(self) -> None:
        """Compile the games' rules in the background, unless they were compiled ahead of time (docs/why/kernels.md)."""
        from spelunke.core.kernel import is_postponed

        if is_postponed():
            from spelunke.bots.warming import Warming
            from spelunke.games import shelf

            self._warming = Warming(shelf().values())
            self._warming.start()

    def on_unmount(self) -> None:
        """Stop compiling."""
        if self._warming is not None:
            self._warming.stop()

    def on_fitting_resized(self, message: Fitting.Resized) -> None:
        """Check the new size of the terminal."""
        self.check_size(message.size)

    def check_size(self, size: Size) -> None:
        """Cover the screen with one sentence while the terminal is too small. This does not stop the game."""
        covered = isinstance(self.screen, SmallScreen)
        if fits(size) == covered:
            if covered:
                self.pop_screen()
            else:
                self.push_screen(SmallScreen())

    def action_theme(self) -> None:
        """Switch between the light and the dark theme."""
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
