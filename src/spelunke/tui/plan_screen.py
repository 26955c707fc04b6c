"""The screen for a new table on a server. The other players are bots, anyone, or friends who have the link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from spelunke.tui.choose_screen import ChooseScreen
from spelunke.tui.client import Client
from spelunke.tui.desk import Refused
from spelunke.tui.offers import Offer
from spelunke.tui.settings import Setting, say_clock, table_settings, values_of, write_terms
from spelunke.tui.widgets import Keys
from spelunke.tui.words import translate as _


class PlanScreen(ChooseScreen):
    """Game, players, bots and settings for a new table.

    The screen's result is the id of the new table, or None if the person goes back. If the server refuses the table,
    the screen stays, so that nothing has to be chosen again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "free", show=False),
        Binding("l", "link", show=False),
        Binding("t", "turn('clock')", show=False),
        Binding("r", "turn('rated')", show=False),
    ]

    def __init__(self, client: Client, offers: Sequence[Offer]) -> None:
        self._client = client
        self._making = False
        self.conditions = table_settings()
        """The settings besides the rules. They stay if another game is selected."""
        super().__init__(offers)

    def place(self) -> str:
        """Return the address of the server. The screen shows it as the place where the game will be played."""
        return self._client.house

    def keys(self) -> Keys:
        """Return the keys of this screen."""
        return (
            ("Enter", _("against bots"), "play"),
            ("O", _("free seats for anyone"), "free"),
            ("L", _("for friends with the link"), "link"),
            ("Q", _("back"), "leave"),
        )

    def terms(self) -> Keys:
        """Return three keys: for the clock, for the choice between rated and unrated, and for all settings."""
        rated = next(one for one in self.conditions if one.name == "rated")
        usual = values_of(table_settings())
        others = [one for one in self.conditions if one.name != "rated" and one.name not in CLOCK]
        count = len(self.changed) + sum(one.value != usual[one.name] for one in others)
        more = _("more settings: {n} changed").format(n=count) if count else _("more settings")
        return (
            ("T", _("time: {clock}").format(clock=say_clock(self.conditions)), "turn('clock')"),
            ("R", _("rated: {answer}").format(answer=rated.text), "turn('rated')"),
            ("V", more, "settings"),
        )

    def listed_settings(self) -> list[Setting]:
        """Return the settings of the table, such as its clock, followed by the options of the game."""
        return [*self.conditions, *super().listed_settings()]

    def settings_title(self) -> str:
        """Return the title of the screen that changes the settings."""
        return _("The settings of this table")

    def take_settings(self, settings: list[Setting] | None) -> None:
        """Store the settings that the person has chosen on the screen of settings."""
        if settings is not None:
            self.conditions = settings[: len(self.conditions)]
        super().take_settings(settings)

    def action_turn(self, name: str) -> None:
        """Set the setting with this name to its next value."""
        self.conditions = [one.step(1) if one.name == name else one for one in self.conditions]
        self._tell()

    @work(group="make")
    async def _make(self, others: str) -> None:
        if self._making:  # the key was pressed twice
            return
        self._making = True
        plan = {
            "game": self.game.name,
            "seats": ["me", *[others] * (self.seats - 1)],
            **({"options": self.options} if self.options else {}),
            **write_terms(self.conditions, for_anyone=others == "open"),
        }
        try:
            made = await self._client.ask("POST", "/tables", plan)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        finally:
            self._making = False
        self.dismiss(str(made["table"]))

    def action_play(self) -> None:
        """Make a table against bots."""
        self._make(f"bot:{self.level}")

    def action_free(self) -> None:
        """Make a table with free seats for anyone."""
        self._make("open")

    def action_link(self) -> None:
        """Make a table whose free seats are reserved for people with the link."""
        self._make("link")

    def action_leave(self) -> None:
        """Go back without a table."""
        self.dismiss(None)


CLOCK = frozenset({"clock", "minutes", "increment", "days", "grace"})
"""The names of the settings that belong to the clock.

The key for all settings shows the number of changed settings. Settings of the clock and ``rated`` are not counted.
"""
