"""A screen with the whole log of a table, or with another list of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from spelunke.tui.desk import Line
from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _


class LogScreen(Fitting, ModalScreen[None]):
    """A list of lines, such as the log of a table with all details. In a log, the newest line is at the bottom."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,L,H,enter", "close", show=False)]

    def __init__(self, lines: Sequence[Line], title: str = "") -> None:
        super().__init__()
        self._title = title or _("Log")
        self._lines = tuple(lines)

    def compose(self) -> ComposeResult:
        """Make the list."""
        text = Text()
        for line in self._lines:
            style = "bold underline" if line.tone == "heading" else "dim" if line.tone == "detail" else ""
            text.append(f"{line.key:>4}  ", "dim")
            text.append(line.text + "\n", style)
        with VerticalScroll(classes="sheet"):
            yield Static(self._title, classes="title")
            yield Static(text)
            yield KeyBar()

    def on_mount(self) -> None:
        """Focus the list. If it is a log, scroll it to its newest line."""
        self.query_one(KeyBar).show((("Esc", _("back"), "close"),))
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self._title == _("Log"):
            scroll.scroll_end(animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()
