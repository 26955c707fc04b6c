"""How Shanghaien looks. No logic: a face draws what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``draw(scene)`` the table in a terminal. ``ask(scene)`` says in
few words what is asked of the viewer, ``KEYS`` names the plain keys and what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.core.face import Scene, plain
from spelunke.games.shanghaien.face import asking
from spelunke.games.shanghaien.face.art import picture, sprite
from spelunke.games.shanghaien.face.board import board
from spelunke.games.shanghaien.face.frame import Frame

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["KEYS", "ask", "board", "draw", "picture", "sprite"]

KEYS = (
    ("R", plain("roll")),
    ("1–6", plain("this die; then the card at this place, counted from the left")),
    ("S", plain("call Shanghai; Enter confirms it")),
    ("W", plain("show who would get what")),
)


def ask(scene: Scene) -> str:
    """What is asked of the viewer, in few words; empty if nothing is."""
    return asking.ask(Frame(scene)) if scene.legal else ""


def draw(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.shanghaien.face import terminal

    return terminal.draw(scene)
