"""An input line for one text, shown over another screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from spelunke.tui.widgets import Fitting


class AskSheet(Fitting, ModalScreen[str | None]):
    """An input line with a sentence above it. The screen's result is the typed text, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, question: str, value: str = "", secret: bool = False) -> None:
        super().__init__()
        self._question, self._value, self._secret = question, value, secret

    def compose(self) -> ComposeResult:
        """Make the sentence and the input line."""
        with Vertical(classes="sheet ask"):
            yield Static(self._question)
            yield Input(self._value, password=self._secret)

    def on_mount(self) -> None:
        """Focus the input line."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close the screen with the typed text as its result, or with None if the text is empty."""
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        """Close the screen without a text."""
        self.dismiss(None)
