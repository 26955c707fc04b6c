"""The list of the operations that a person can use at a table besides moves."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.acts import Act
from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _


class ActsScreen(Fitting, ModalScreen[Act | None]):
    """The list of the operations at a table besides moves. The screen's result is the chosen one, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,O", "close", show=False)]

    def __init__(self, acts: list[Act]) -> None:
        super().__init__()
        self._acts = acts

    def compose(self) -> ComposeResult:
        """Make the list."""
        with VerticalScroll(classes="sheet"):
            yield Static(_("At this table"), classes="title")
            if self._acts:
                yield OptionList(*[Option(text) for text, _name, _fields in self._acts])
            else:
                yield Static(_("There is nothing else to do here at the moment."))
            yield KeyBar()

    def on_mount(self) -> None:
        """Show the keys, and focus the list."""
        self.query_one(KeyBar).show((("Esc", _("back"), "close"),))
        if self._acts:
            self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the screen with the chosen operation as its result."""
        self.dismiss(self._acts[event.option_index])

    def action_close(self) -> None:
        """Close the screen without a choice."""
        self.dismiss(None)
