"""One line to type, over the screen that asks for it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from spelunke.tui.widgets import Fitting


class AskSheet(Fitting, ModalScreen[str | None]):
    """One line to type, with a sentence above it; the answer is the text, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, question: str, value: str = "", secret: bool = False) -> None:
        super().__init__()
        self._question, self._value, self._secret = question, value, secret

    def compose(self) -> ComposeResult:
        """Make the question."""
        with Vertical(classes="sheet ask"):
            yield Static(self._question)
            yield Input(self._value, password=self._secret)

    def on_mount(self) -> None:
        """Take the keys."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer."""
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        """Go back without an answer."""
        self.dismiss(None)
