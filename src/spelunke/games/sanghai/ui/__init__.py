"""How Sanghai looks. No logic: it shows what a view says. Each function serves the hook of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from spelunke.boards.scene import Scene
from spelunke.core.words import plain
from spelunke.games.sanghai.ui.art import render_picture, render_sprite
from spelunke.games.sanghai.ui.board import render_board, render_part, say_short
from spelunke.games.sanghai.ui.drafts import render_picked, render_rehearsal
from spelunke.games.sanghai.ui.frame import Frame
from spelunke.games.sanghai.ui.hand import render_cards
from spelunke.games.sanghai.ui.summary import render_summary

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "KEYS",
    "prompt",
    "render_board",
    "render_draft",
    "render_part",
    "render_picture",
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
    ("Alt ← →", plain("move the focused card, in my order")),
)


def prompt(scene: Scene) -> str:
    """What is asked of the viewer, in few words; empty if nothing is."""
    return say_short(Frame(scene)) if scene.legal else ""


def render_terminal(scene: Scene) -> Text:
    """The board in a terminal of 80 columns."""
    from spelunke.games.sanghai.ui import terminal  # brings rich, which no page needs

    return terminal.render(scene)


def render_draft(scene: Scene) -> dict[str, Markup]:
    """The parts of the board, by id, that follow what the viewer has picked and written and not sent."""
    frame = Frame(scene)
    parts = {f"{frame.id}-picked": render_picked(frame), f"{frame.id}-rehearsal": render_rehearsal(frame)}
    if frame.me is not None and (scene.draft.get("draft") or ("",))[-1].split(" ")[0] in (
        "aside",
        "back",
        "again",
    ):
        parts[f"{frame.id}-hand"] = render_cards(frame)
    return parts
