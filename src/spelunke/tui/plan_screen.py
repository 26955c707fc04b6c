"""The screen for a new table on a server: against bots, with free seats, or for friends with the link."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from spelunke.tui.choose_screen import ChooseScreen
from spelunke.tui.words import translate as _


class PlanScreen(ChooseScreen):
    """Game, players and bots for a new table. The screen's result is the table's settings, as the API expects them."""

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
        """Plan a table whose free seats are reserved for people with the link."""
        self._plan("link")

    def action_leave(self) -> None:
        """Go back without a table."""
        self.dismiss(None)
