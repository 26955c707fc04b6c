"""How Shanghaien looks. No logic: a face draws what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``draw(scene)`` the table in a terminal.
"""

from spelunke.games.shanghaien.face.art import picture, sprite
from spelunke.games.shanghaien.face.board import board

__all__ = ["board", "picture", "sprite"]
