"""The screen that changes the settings of a new table. It is shown over the previous screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.ask import AskSheet
from spelunke.tui.settings import Setting
from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _

VALUE = 24
"""The number of columns for a value."""


class SettingsScreen(Fitting, ModalScreen[list[Setting] | None]):
    """A list of settings. ← and → set the highlighted setting to its previous or next value.

    Enter also sets the highlighted setting to its next value. If the setting has no list of values, Enter opens a line
    to type a value.

    The screen's result is the list of settings with the new values.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("escape,q,V", "close", show=False),
    ]

    def __init__(self, title: str, settings: Sequence[Setting]) -> None:
        super().__init__()
        self._title = title
        self.settings = list(settings)

    def compose(self) -> ComposeResult:
        """Make the list, and below it the text that explains the highlighted setting."""
        with Vertical(classes="sheet settings"):
            yield Static(self._title, classes="title")
            yield OptionList(id="settings")
            yield Static(id="meaning")
            yield KeyBar()

    def on_mount(self) -> None:
        """Show the keys, and focus the list."""
        self.query_one(KeyBar).show(
            (
                ("← →", _("change"), "step(1)"),
                ("Enter", _("change, or type"), "enter"),
                ("Esc", _("back"), "close"),
            )
        )
        self._listed.focus()

    def fit(self) -> None:
        """Write the list again for the new width."""
        self.call_after_refresh(self._list)

    @property
    def _listed(self) -> OptionList:
        return self.query_one("#settings", OptionList)

    def _list(self) -> None:
        before = self._listed.highlighted
        self._listed.clear_options().add_options([Option(self._write(one)) for one in self.settings])
        self._listed.highlighted = (before or 0) if self.settings else None

    def _write(self, one: Setting) -> Text:
        room = self._listed.content_size.width - 4
        text = Text(" " + one.title, no_wrap=True, overflow="ellipsis")
        text.truncate(room - VALUE - 1, overflow="ellipsis", pad=True)
        text.append(" " + one.text, "bold")
        text.truncate(room, overflow="ellipsis")
        return text

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the meaning of the highlighted setting."""
        self.query_one("#meaning", Static).update(Text(self.settings[event.option_index].help))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Set the selected setting to its next value. If it has no list of values, ask for a value."""
        one = self.settings[event.option_index]
        if one.values:
            self.action_step(1)
        else:
            self.app.push_screen(AskSheet(f"{one.title}:", one.text), self._type)

    def _type(self, text: str | None) -> None:
        place = self._listed.highlighted
        if text is None or place is None:
            return
        try:
            self._set(place, self.settings[place].read(text))
        except ValueError:
            self.notify(_("Type a number."), severity="warning")

    def action_step(self, by: int) -> None:
        """Go to the next or the previous value of the highlighted setting."""
        place = self._listed.highlighted
        if place is not None and self.settings[place].values:
            self._set(place, self.settings[place].step(by))

    def _set(self, place: int, setting: Setting) -> None:
        self.settings[place] = setting
        self._listed.replace_option_prompt_at_index(place, self._write(setting))

    def action_enter(self) -> None:
        """Change the highlighted setting."""
        self._listed.action_select()

    def action_close(self) -> None:
        """Close the screen. Its result has the changed values."""
        self.dismiss(self.settings)
