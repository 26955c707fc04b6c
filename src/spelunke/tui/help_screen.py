"""The help screen: the keys, and the rules of a game on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.markdown import Markdown
from rich.table import Table
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _


def key_table(board: Sequence[tuple[str, str]] = ()) -> Table:
    """Return the list of keys with their effects. ``board`` has the additional keys of the game's own board."""
    table = Table.grid(padding=(0, 3))
    table.add_column(style="bold", no_wrap=True)
    for key, effect in (
        ("↑ ↓", _("go through the choices; the board shows the effect of each")),
        ("Enter", _("play the marked choice")),
        ("0–9 a–z", _("immediately play the choice that has this key")),
        *board,
        (":", _("type a move in words")),
        ("u", _("take your newest move back")),
        ("L", _("the whole log")),
        ("T", _("write a message")),
        ("S", _("orders")),
        ("H", _("coach")),
        ("R", _("replay and analysis")),
        ("O", _("all that you can do at this table")),
        ("?", _("this help")),
        ("F2", _("switch between the dark and the light colours")),
        ("q", _("leave the table")),
        ("Ctrl Q", _("end the program")),
    ):
        table.add_row(key, effect)
    return table


class HelpScreen(Fitting, ModalScreen[None]):
    """Help, shown over the previous screen. ``card`` has the game's short rules as Markdown, or is empty."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "close", show=False),
    ]

    def __init__(self, card: str, board_keys: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._card, self._board_keys = card, board_keys

    def compose(self) -> ComposeResult:
        """Make the help."""
        with VerticalScroll(classes="sheet"):
            yield Static(_("Keys"), classes="title")
            yield Static(key_table(self._board_keys))
            if self._card:
                yield Static(Markdown(self._card), id="card")
            yield KeyBar(id="help-keys")

    def on_mount(self) -> None:
        """Show the keys, and focus the text so that the arrow keys scroll it."""
        self.query_one(KeyBar).show((("Esc", _("back"), "close"),))
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()
