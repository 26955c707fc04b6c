"""Picking things on a table's board before a move, with the mouse or with keys that the board defines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text
from textual.events import Click, Key
from textual.message_pump import MessagePump

from spelunke.boards.drafting import Fields, Step, apply_step, drop_words, keep_fields
from spelunke.boards.scene import Scene

if TYPE_CHECKING:
    from spelunke.games.game import Game

TICK = 0.2
"""The interval in seconds for redrawing the board while it shows the remaining time of a pause."""


class Drafting(MessagePump):
    """A base class for screens with a board on which a person picks things before a move."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._fields: Fields = {}
        self._steps: dict[str, Step] = {}
        self._leads_to = ""
        self._about = ""
        self.board_keys: tuple[tuple[str, str], ...] = ()
        """The keys of the drawn board with their effects, for the help."""
        self._waits = False

    def on_mount(self) -> None:
        """Start a timer. While the board shows the remaining time of a pause, the timer redraws the board."""
        self.set_interval(TICK, self._tick)

    def _tick(self) -> None:
        if self._waits:
            self.redraw()

    def drafted(self, scene: Scene, game: Game) -> Scene:
        """Return the scene with the things that the person has picked, and with the game's preview of these things."""
        self._waits = scene.pause_ms is not None
        if not self._fields:
            return scene
        found = game.hooks.preview_draft(self._fields, scene.view, tuple, None)
        return replace(scene, draft=self._fields, considered=found)

    def drawn(self, board: RenderableType) -> None:
        """Store the keys that the drawn board defines.

        When a new round of the game begins, forget the things that were picked in the previous round, except those that
        a board keeps (:func:`keep_fields`).
        """
        meta = board.style.meta if isinstance(board, Text) and isinstance(board.style, Style) else {}
        self._steps, self._leads_to = meta.get("keys", {}), meta.get("consider", "")
        self.board_keys = meta.get("told", ())
        before, self._about = self._about, meta.get("about", "")
        kept = keep_fields(self._fields)
        if before and before != self._about and kept != self._fields:
            self._fields = kept
            self.redraw()

    def on_key(self, event: Key) -> None:
        """Carry out the step, such as picking a card, that the board has assigned to the pressed key."""
        step = self._steps.get(event.key)
        if step is not None and not self.typing:
            event.stop()
            self.do_step(step)

    def on_click(self, event: Click) -> None:
        """Run the step that the board has assigned to the clicked part."""
        step = event.style.meta.get("draft")
        if step is not None:
            self.do_step(tuple(step))

    def do_step(self, step: Step) -> None:
        """Change the selection of things that the person has picked on the board, or send it as a move."""
        what, field, value = step
        if what in ("send", "play"):
            move: str | None = value
            if what == "send":
                move = self.game_shown.hooks.compose_move({**self._fields, field: (value,)})
            self._fields = keep_fields(self._fields)
            self.play(move or "")
            return
        self._fields = apply_step(self._fields, step)
        self.redraw()
        if self._leads_to:
            self.consider(self._leads_to)

    def forget(self, move: str) -> None:
        """Drop the picked things that a played move names, such as the played cards."""
        self._fields = drop_words(self._fields, set(move.split()))

    # --- for the screen to provide

    @property
    def typing(self) -> bool:
        """Whether the board's keys have no effect, because the person is typing or the board is hidden."""
        raise NotImplementedError

    @property
    def game_shown(self) -> Game:
        """The game at this table."""
        raise NotImplementedError

    def play(self, move: str) -> object:
        """Play a move."""
        raise NotImplementedError

    def consider(self, move: str) -> None:
        """Highlight a move in the list of choices."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw the board again."""
        raise NotImplementedError
