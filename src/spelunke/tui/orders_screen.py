"""The screen for standing orders (moves to play later): an input line, help on writing them, and their effect."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from spelunke.boards.drafting import Fields
from spelunke.boards.scene import OrderForm, Scene
from spelunke.tui.acts import read_orders
from spelunke.tui.desk import Desk, Refused
from spelunke.tui.widgets import Fitting, KeyBar
from spelunke.tui.words import translate as _

PAUSE = 0.3
"""The pause in seconds after the last pressed key. Then the screen shows the effect of the typed orders."""


class OrdersScreen(Fitting, ModalScreen[None]):
    """An input line with the standing orders of the person's seat. An empty line deletes them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, desk: Desk, scene: Scene) -> None:
        super().__init__()
        self._desk, self._scene = desk, scene
        self._form: OrderForm | None = desk.moment.game.hooks.describe_orders(scene)

    def compose(self) -> ComposeResult:
        """Make the input line, and the place for the text below it."""
        with VerticalScroll(classes="sheet"):
            yield Static(_("Standing orders"), classes="title")
            yield Static(_("The server always follows your orders. Only you see them."))
            yield Input(self._form.now if self._form else "", select_on_focus=False)
            yield Static(id="form")
            yield KeyBar()

    def on_mount(self) -> None:
        """Show the effect of the stored orders.

        If the game lacks a form for orders (hook ``describe_orders``), do not show the effect, but a hint on how to
        write orders as text.
        """
        self.query_one(KeyBar).show((("Enter", _("save"), "save"), ("Esc", _("back"), "close")))
        self.query_one(Input).focus()
        if self._form is None:
            hint = _(
                "Write your orders as text. If an order has a name, write it as “name: value”. To delete your "
                "orders, leave the line empty."
            )
            self.query_one("#form", Static).update(Text(hint))
        else:
            self._tell(self._form)
            self._try(self._form.now)

    def _tell(self, form: OrderForm) -> None:
        first, *rest = form.lines
        text = Text(first + "\n", "dim")
        for line in rest:
            text.append("\n" + line)
        self.query_one("#form", Static).update(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the effect of the typed orders when no key has been pressed for ``PAUSE`` seconds.

        If the game lacks a form for orders, do nothing.
        """
        if self._form is not None:
            self.set_timer(PAUSE, lambda: self._is_typed(event.value) and self._try(event.value))

    def _is_typed(self, text: str) -> bool:
        return self.is_attached and self.query_one(Input).value == text

    @work(exclusive=True, group="try")
    async def _try(self, text: str) -> None:
        assert self._form is not None
        fields: Fields = {f"order.{self._form.field}": (text,)}
        try:
            found = await self._desk.preview(fields)
        except Refused:
            return  # the text can still be saved, and then an error is shown
        form = self._desk.moment.game.hooks.describe_orders(
            replace(self._scene, draft=fields, considered=found)
        )
        if form is not None:
            self._tell(form)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save the typed orders."""
        self._save(event.value.strip())

    def action_save(self) -> None:
        """Save the typed orders."""
        self._save(self.query_one(Input).value.strip())

    @work(exclusive=True, group="save")
    async def _save(self, text: str) -> None:
        orders = {self._form.field: text} if self._form is not None and text else read_orders(text)
        try:
            await self._desk.do("standing", orders=orders)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            self.notify(_("The orders are saved.") if text else _("The orders are deleted."))
            self.dismiss()

    def action_close(self) -> None:
        """Close the screen, and change nothing."""
        self.dismiss()
