"""Choose a game for a new table of a server: against bots, with free seats, or for friends with the link."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from spelunke.tui.choose_screen import ChooseScreen
from spelunke.tui.words import translate as _


class PlanScreen(ChooseScreen):
    """The lists of the first screen, for a table of a server. The result is the table's plan, as the API expects it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "free", show=False),
        Binding("l", "link", show=False),
    ]

    def __init__(self, house: str) -> None:
        super().__init__()
        self._house = house

    def place(self) -> str:
        """Return the name of the place where the game will be played."""
        return self._house

    def keys(self) -> tuple[tuple[str, str, str], ...]:
        """Return the keys of this screen."""
        return (
            ("Enter", _("against bots"), "play"),
            ("O", _("free seats for anyone"), "free"),
            ("L", _("for friends with the link"), "link"),
            ("Q", _("back"), "leave"),
        )

    def _plan(self, others: str) -> None:
        seats = ["me", *[others] * (self.seats - 1)]
        self.dismiss({"game": self.game.name, "seats": seats})

    def action_play(self) -> None:
        """Plan a table against bots."""
        self._plan(f"bot:{self.level}")

    def action_free(self) -> None:
        """Plan a table with free seats for anyone."""
        self._plan("open")

    def action_link(self) -> None:
        """Plan a table whose free seats are kept for people with the link."""
        self._plan("link")

    def action_leave(self) -> None:
        """Go back without a table."""
        self.dismiss(None)
