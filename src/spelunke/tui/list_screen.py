"""The base of the screens that list things of a server: tables, problems, the games of a day."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.client import Client
from spelunke.tui.widgets import Fitting, Headline, KeyBar, Keys


class ListScreen(Fitting, Screen[None]):
    """A headline, a sentence, a list, and the keys. Enter opens the highlighted entry."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "refresh", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self.client = client

    def compose(self) -> ComposeResult:
        """Make the parts of the screen."""
        yield Headline(id="head")
        yield Static(id="state")
        yield OptionList(id="entries")
        yield from self.compose_below()
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Focus the list."""
        self.entries.focus()

    def on_screen_resume(self) -> None:
        """Fetch the list. Textual calls this when the screen opens, and when the person returns to it."""
        self.action_refresh()

    @property
    def entries(self) -> OptionList:
        """The widget with the list of entries."""
        return self.query_one("#entries", OptionList)

    def fit(self) -> None:
        """Write the first line and the keys again for the new width."""
        self.query_one("#head", Headline).show(*self.head())
        self.query_one("#keys", KeyBar).show(self.keys())

    def tell(self, text: str) -> None:
        """Show one sentence above the list."""
        self.query_one("#state", Static).update(Text(text))

    def fill(self, options: Iterable[Option], first: int = 0) -> None:
        """Show these entries, and highlight the entry with the same index as before.

        If no entry was highlighted before, highlight the one with the index ``first``. If there are too few entries,
        highlight the last one.
        """
        before = self.entries.highlighted
        self.entries.clear_options().add_options(options)
        count = self.entries.option_count
        self.entries.highlighted = min(first if before is None else before, count - 1) if count else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the selected entry."""
        if event.option_id:
            self.open_entry(event.option_id)

    def action_open(self) -> None:
        """Open the highlighted entry."""
        self.entries.action_select()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()

    # --- for the screen to provide

    def compose_below(self) -> ComposeResult:
        """Make the parts below the list."""
        yield from ()

    def head(self) -> tuple[str, str]:
        """Return the texts at the left and the right end of the first line."""
        raise NotImplementedError

    def keys(self) -> Keys:
        """Return the keys of this screen, each with its effect in words and the name of its action."""
        raise NotImplementedError

    def action_refresh(self) -> object:
        """Fetch the list."""
        raise NotImplementedError

    def open_entry(self, name: str) -> object:
        """Open the entry with this id."""
        raise NotImplementedError
