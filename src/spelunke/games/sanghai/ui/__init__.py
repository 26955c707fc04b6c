"""How Sanghai looks. No logic: it shows what a view says.

``board(scene)`` is the table on a page, ``sprite()`` the drawings that it refers to (once on the page, outside of what is
pushed), ``picture()`` the game at a glance for lobbies, ``render_terminal(scene)`` the table in a terminal, ``compose(fields)`` the
move text of a form's checked cards, ``draft(scene)`` the parts of the board that follow what is picked or written, ``ask(scene)`` what is asked of the viewer
in few words. ``KEYS`` names the plain keys and what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from spelunke.core.ui import Scene, plain
from spelunke.games.sanghai.ui.art import picture, sprite
from spelunke.games.sanghai.ui.board import board, say_short
from spelunke.games.sanghai.ui.drafts import draw_picked, draw_rehearsal
from spelunke.games.sanghai.ui.frame import Frame

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["KEYS", "ask", "board", "compose", "draft", "picture", "render_terminal", "sprite"]


KEYS = (
    ("H", plain("hep!")),
    ("P", plain("pass")),
    ("S", plain("draw from the stock")),
    ("T", plain("take the discard")),
    ("W", plain("let the others answer first")),
    ("Alt ← →", plain("move the focused card, in my order")),
)


def ask(scene: Scene) -> str:
    """What is asked of the viewer, in few words; empty if nothing is."""
    return say_short(Frame(scene)) if scene.legal else ""


def render_terminal(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.sanghai.ui import terminal

    return terminal.render(scene)


def draft(scene: Scene) -> dict[str, Markup]:
    """The parts of the board, by id, that follow what the viewer has picked and written and not sent."""
    frame = Frame(scene)
    return {f"{frame.id}-picked": draw_picked(frame), f"{frame.id}-rehearsal": draw_rehearsal(frame)}
