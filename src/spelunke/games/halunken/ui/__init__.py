"""How the harbour looks, on the page and in the terminal. No logic: it shows what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``render_terminal(scene)`` the table in a terminal. ``ask(scene)`` says in
few words what is asked of the viewer, ``KEYS`` names the plain keys and what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.core.ui import Scene, plain
from spelunke.games.halunken.ui import panels
from spelunke.games.halunken.ui.art import picture, sprite
from spelunke.games.halunken.ui.board import board
from spelunke.games.halunken.ui.frame import Frame

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["KEYS", "ask", "board", "picture", "render_terminal", "sprite"]

KEYS = (
    ("1–7", plain("this card, or this number for the Rum; Enter lays it")),
    ("R", plain("the Rum; Enter lays it")),
    ("P", plain("pass")),
    ("N", plain("take nothing")),
    ("← →", plain("what happened, one step back or on")),
)


def ask(scene: Scene) -> str:
    """What is asked of the viewer, in few words; empty if nothing is."""
    return panels.ask(Frame(scene)) if scene.legal else ""


def render_terminal(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.halunken.ui import terminal

    return terminal.render(scene)
