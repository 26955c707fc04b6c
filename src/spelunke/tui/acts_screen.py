"""All that can be done at a table besides playing, as a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.client import Json
from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _

Act = tuple[str, str, dict[str, object]]
"""A sentence for people, the operation, and its fields."""


def list_acts(may: frozenset[str], waits: list[Mapping[str, Json]]) -> list[Act]:
    """Return the operations that the table allows now (docs/protocol.md)."""
    known: list[tuple[str, Act]] = [
        ("start", (_("Start now"), "start", {})),
        ("fill", (_("Put bots on the free seats"), "fill", {})),
        ("take_back", (_("Take your sealed choice back"), "take-back", {})),
        ("undo", (_("Take your newest move back"), "undo", {})),
        ("ask_undo", (_("Ask to take your newest move back"), "undo", {})),
        ("answer_undo", (_("Agree that a move is taken back"), "undo", {"answer": "agree"})),
        ("answer_undo", (_("Refuse that a move is taken back"), "undo", {"answer": "refuse"})),
        ("offer_draw", (_("Offer a draw"), "draw", {"answer": "offer"})),
        ("accept_draw", (_("Accept the draw"), "draw", {"answer": "accept"})),
        ("decline_draw", (_("Decline the draw"), "draw", {"answer": "decline"})),
        ("rematch", (_("Offer another game"), "rematch", {})),
        ("accept_rematch", (_("Play another game"), "rematch", {})),
        ("decline_rematch", (_("Decline another game"), "decline-rematch", {})),
        ("hint", (_("Show the value of each move"), "hint", {})),
        ("analyse", (_("Analyse the game"), "analyse", {})),
        ("stand_in", (_("Let a bot play for you"), "stand-in", {})),
        ("come_back", (_("Play yourself again"), "come-back", {})),
        ("dismiss_summary", (_("Go on from the summary"), "dismiss-summary", {})),
        ("show_hand", (_("Show your hand to spectators"), "show-hand", {"shown": True})),
        ("hide_hand", (_("Hide your hand from spectators"), "show-hand", {"shown": False})),
        ("leave", (_("Stand up"), "leave", {})),
        ("resign", (_("Give up"), "resign", {})),
    ]
    found = [act for word, act in known if word in may]
    for wait in waits:
        for how, text in (
            ("nudge", _("Remind the absent player")),
            ("let_bot", _("Let a bot play for the absent player")),
            ("take_win", _("Take the win over the absent player")),
            ("call_off", _("Call the game off")),
        ):
            if how not in wait.get("may", ()):
                continue
            fields: dict[str, object] = {"seat": wait["seat"]}
            if how == "nudge":
                found.append((text, "nudge", fields))
            else:
                found.append((text, "go-on", fields | {"how": how}))
    return found


class ActsScreen(Fitting, ModalScreen[Act | None]):
    """The list of operations. The screen's result is the chosen operation."""

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
                yield Static(_("There is nothing to do at the moment besides playing."))
            yield KeyBar()

    def on_mount(self) -> None:
        """Show the keys, and focus the list."""
        self.query_one(KeyBar).show((("Esc", _("back"), "close"),))
        if self._acts:
            self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen operation."""
        self.dismiss(self._acts[event.option_index])

    def action_close(self) -> None:
        """Close the screen without a choice."""
        self.dismiss(None)
