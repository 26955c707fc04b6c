"""How Sanghai looks. No logic: a face draws what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``draw(scene)`` the table in a terminal, ``compose(fields)`` the
move text of a form's checked cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spelunke.core.face import Scene
from spelunke.games.sanghai.face.art import picture, sprite
from spelunke.games.sanghai.face.board import board

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["board", "compose", "draw", "picture", "sprite"]


def draw(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.sanghai.face import terminal

    return terminal.draw(scene)


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """The move text of a form with several fields of one name; see :func:`.moves.compose`."""
    from spelunke.games.sanghai import moves

    return moves.compose(fields)
