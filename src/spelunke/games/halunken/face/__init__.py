"""How the harbour looks, on the page and in the terminal. No logic: a face draws what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``draw(scene)`` the table in a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.core.face import Scene
from spelunke.games.halunken.face.art import picture, sprite
from spelunke.games.halunken.face.board import board

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["board", "draw", "picture", "sprite"]


def draw(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.halunken.face import terminal

    return terminal.draw(scene)
