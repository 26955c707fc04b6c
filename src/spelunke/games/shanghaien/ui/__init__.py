"""The table of Shanghaien on the page and in the terminal. It contains no rules, and shows only the viewer's view.

``render_part`` implements the hook ``render_illustration``. Each other function implements the hook of the same name
(:mod:`spelunke.games.hooks`). The constant ``KEYS`` is the result of the hook ``key_help``, and ``THEMES`` is the
result of the hook ``themes``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.core.words import plain
from spelunke.games.shanghaien.ui import controls
from spelunke.games.shanghaien.ui.art import render_sprite
from spelunke.games.shanghaien.ui.board import render_board, render_part
from spelunke.games.shanghaien.ui.drawing import render_drawing
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.ui.picture import render_picture
from spelunke.games.shanghaien.ui.summary import render_summary

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "KEYS",
    "THEMES",
    "prompt",
    "render_board",
    "render_drawing",
    "render_part",
    "render_picture",
    "render_screen",
    "render_sprite",
    "render_summary",
    "render_terminal",
]

KEYS = (
    ("R", plain("roll")),
    ("1–6", plain("choose a die by its pips, then a card by its place from the left")),
    ("← →", plain("lay the chosen die on one of its two cards, the left or the right")),
    ("S", plain("call Shanghai; Enter confirms it")),
    ("W", plain("show who would get what")),
)

THEMES = {
    "place": plain("Where to lay a die"),
    "shanghai": plain("When to end the round"),
    "roll": plain("When to go on rolling"),
    "joker": plain("When to play a trick card as two sailors"),
    "pm1": plain("When to change a die by one"),
    "both": plain("When to lay both dice"),
    "again": plain("When to roll both dice again"),
    "trick": plain("When to play a trick card"),
    "direction": plain("Which end is number 1"),
    "reroll": plain("When to roll a double again"),
    "object": plain("When to object with the crazy captain"),
    "allow": plain("When to object with the crazy captain"),
}
"""The names of the themes of problems, and of the kinds of errors.

The key of a theme is the first word of the moves that solve problems of this theme. ``trick`` is the kind of all errors
with trick cards.
"""


def prompt(scene: Scene) -> str:
    """Return a short prompt for the viewer, or an empty text if the viewer has nothing to decide."""
    return controls.prompt(Frame(scene)) if scene.legal else ""


def render_terminal(scene: Scene) -> Text:
    """Return the board for a terminal of 80 columns."""
    from spelunke.games.shanghaien.ui import terminal

    return terminal.render_terminal(scene)


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    from spelunke.games.shanghaien.ui import screen as whole

    return whole.render_screen(scene, screen)
