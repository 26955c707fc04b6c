"""The actions at a table other than moves: taking a move back, asking the coach, playing another game, and more."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.screen import Screen

from spelunke.core.errors import SpelunkeError
from spelunke.tui.desk import Desk, Refused
from spelunke.tui.words import say_refusal
from spelunke.tui.words import translate as _


class TableActions(Screen[None]):
    """A base class for the screen of a table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", show=False),
        Binding("u", "undo", show=False),
        Binding("L", "log", show=False),
        Binding("O", "acts", show=False),
        Binding("S", "standing", show=False),
        Binding("R", "replay", show=False),
        Binding("H", "hint", show=False),
        Binding("N", "again", show=False),
    ]

    desk: Desk
    board_keys: tuple[tuple[str, str], ...]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    @work(group="acts")
    async def do(self, operation: str, **fields: object) -> None:
        """Run an operation other than a move. If the operation leads to another table, show that table."""
        try:
            following = await self.desk.do(operation, **fields)
        except Refused as error:
            self.refuse(str(error))
            return
        if following is not None:
            self.app.switch_screen(type(self)(following))

    def refuse(self, text: str) -> None:
        """Show an error in one sentence."""
        text = text[:1].upper() + text[1:].rstrip(".") + "."
        self.notify(text, severity="warning", markup=False)

    def action_lift(self) -> None:
        """Show the board. On a shared screen, it is hidden until the player to act presses Enter."""
        self.do("lift")

    def action_again(self) -> None:
        """Play another game like the finished one."""
        if self.desk.moment.status == "over" and self.desk.offers("again"):
            self.do("again")

    def action_standing(self) -> None:
        """Open the screen for standing orders: instructions for the coming decisions of the person's seat."""
        from spelunke.tui.orders_screen import OrdersScreen

        moment = self.desk.moment
        if "standing" in moment.may and moment.scene is not None:
            self.app.push_screen(OrdersScreen(self.desk, moment.scene))

    def action_acts(self) -> None:
        """Show the list of operations other than moves."""
        from spelunke.tui.acts_screen import ActsScreen

        self.app.push_screen(ActsScreen(self.desk.list_acts()), self._do_act)

    def _do_act(self, act: tuple[str, str, dict[str, object]] | None) -> None:
        if act is not None:
            self.do(act[1], **act[2])

    @work(group="hint", exclusive=True)
    async def action_hint(self) -> None:
        """Ask the coach for the value of each move."""
        from spelunke.tui.log_screen import LogScreen

        moment = self.desk.moment
        if moment.curtain or moment.scene is None or not moment.scene.legal or not self.desk.offers("hint"):
            return
        self.notify(_("The coach is thinking …"), timeout=2)
        try:
            lines = await self.desk.hint()
        except Refused as error:
            self.refuse(str(error))
            return
        self.app.push_screen(LogScreen(lines, _("The coach: the best moves first")))

    @work(group="record", exclusive=True)
    async def action_replay(self) -> None:
        """Open the finished game in the screen for replays, where the person can also analyse it."""
        if self.desk.moment.status != "over":
            return
        from spelunke.records.record import parse_record
        from spelunke.tui.replay_screen import ReplayScreen

        try:
            record = await self.desk.record()
            screen = None if record is None else ReplayScreen(parse_record(record))
        except SpelunkeError as error:  # a server may have other rules than this machine
            self.refuse(say_refusal(error))
            return
        if screen is not None:
            self.app.push_screen(screen)

    def action_undo(self) -> None:
        """Take the newest move back."""
        self.do("undo")

    def action_log(self) -> None:
        """Show the whole log."""
        from spelunke.tui.log_screen import LogScreen

        self.app.push_screen(LogScreen(self.desk.moment.log))

    def action_help(self) -> None:
        """Show the keys and the short rules."""
        from spelunke.tui.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.desk.moment.rules, self.board_keys))
