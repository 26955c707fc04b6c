"""The functions that draw a table of Sanghai, for pages and for terminals.

They know no rules, and show only what the viewer may see. ``render_part`` implements the hook ``render_illustration``.
Each other function implements the hook of the same name (:mod:`spelunke.games.hooks`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.core.words import plain
from spelunke.games.sanghai.ui.art import render_picture, render_sprite
from spelunke.games.sanghai.ui.board import render_board, render_part, say_short
from spelunke.games.sanghai.ui.drafts import describe_orders, render_picked, render_rehearsal
from spelunke.games.sanghai.ui.drawing import render_drawing
from spelunke.games.sanghai.ui.frame import Frame
from spelunke.games.sanghai.ui.hand import render_cards
from spelunke.games.sanghai.ui.orders import render_wrong
from spelunke.games.sanghai.ui.summary import render_summary

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "KEYS",
    "awaited",
    "describe_orders",
    "prompt",
    "render_board",
    "render_draft",
    "render_drawing",
    "render_part",
    "render_picture",
    "render_screen",
    "render_sprite",
    "render_summary",
    "render_terminal",
]


KEYS = (
    ("H", plain("hep!")),
    ("P", plain("pass")),
    ("S", plain("draw from the stock")),
    ("T", plain("take the discard")),
    ("W", plain("let the others answer first")),
    ("← →", plain("go to another card in your hand")),
    ("Alt ← →", plain("move this card to another place in your hand")),
)


def prompt(scene: Scene) -> str:
    """Return a short prompt for the viewer, or an empty text if the viewer has nothing to decide."""
    return say_short(Frame(scene)) if scene.legal else ""


def awaited(scene: Scene) -> str:
    """Return a sentence with the name of the player who may still call or vote.

    If the viewer does not wait for a call or a vote, return an empty text.

    Call this only if ``scene.actors`` has exactly one seat.
    """
    (seat,), seen, _ = scene.actors, scene.view, scene.translate
    if seen.phase == "window" and seat != seen.turn:
        return _("{name} may still call hep.").format(name=scene.names[seat])
    return _("Waiting for the vote of {name}.").format(name=scene.names[seat]) if seen.phase == "vote" else ""


def render_terminal(scene: Scene) -> Text:
    """Return the board for a terminal of 80 columns."""
    from spelunke.games.sanghai.ui import terminal  # it imports rich, which pages don't need

    return terminal.render(scene)


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    from spelunke.games.sanghai.ui import screen as whole

    return whole.render_screen(scene, screen)


def render_draft(scene: Scene) -> dict[str, Markup]:
    """Return the parts of the board that depend on unsent input of the viewer, by their HTML ids."""
    frame = Frame(scene)
    parts = {f"{frame.id}-picked": render_picked(frame), f"{frame.id}-rehearsal": render_rehearsal(frame)}
    parts |= {f"{frame.id}-wrong-{name}": part for name, part in render_wrong(frame).items()}
    if frame.me is not None and (scene.draft.get("draft") or ("",))[-1].split(" ")[0] in (
        "aside",
        "back",
        "again",
    ):
        parts[f"{frame.id}-hand"] = render_cards(frame)
    return parts
