"""How Shanghaien looks. No logic: it shows what a view says.

``render_board(scene)`` is the table on a page, ``render_sprite()`` the drawings that it refers to (once on the page,
outside of what is pushed), ``render_picture()`` the game at a glance for lobbies, ``render_terminal(scene)`` the table in
a terminal. ``prompt(scene)`` says in few words what is asked of the viewer, ``KEYS`` names the plain keys and what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.boards.scene import Scene
from spelunke.core.words import plain
from spelunke.games.shanghaien.ui import controls
from spelunke.games.shanghaien.ui.art import render_sprite
from spelunke.games.shanghaien.ui.board import render_board, render_part
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
    "render_part",
    "render_picture",
    "render_sprite",
    "render_summary",
    "render_terminal",
]

KEYS = (
    ("R", plain("roll")),
    ("1–6", plain("this die; then the card at this place, counted from the left")),
    ("S", plain("call Shanghai; Enter confirms it")),
    ("W", plain("show who would get what")),
)

THEMES = {
    "place": plain("Where to lay a die"),
    "shanghai": plain("When to end the round"),
    "roll": plain("When to go on rolling"),
    "joker": plain("When a trick card becomes two sailors"),
    "pm1": plain("When to change a die by one"),
    "both": plain("When to lay both dice"),
    "again": plain("When to roll both dice again"),
}
"""What problems are about, by the first word of the move that solves them."""


def prompt(scene: Scene) -> str:
    """What is asked of the viewer, in few words; empty if nothing is."""
    return controls.prompt(Frame(scene)) if scene.legal else ""


def render_terminal(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.shanghaien.ui import terminal

    return terminal.render_terminal(scene)
