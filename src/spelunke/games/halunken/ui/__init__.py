"""The board of Halunken on the page and in the terminal. It contains no rules, and uses only the viewer's scene.

:mod:`spelunke.games.hooks` describes the functions: they have the names of the hooks, except that ``render_part`` is
the hook ``render_illustration``. The constant ``KEYS`` is the result of the hook ``key_help``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.boards.scene import OrderForm, Scene
from spelunke.boards.screen import Screen
from spelunke.core.words import plain
from spelunke.games.halunken import moves
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui.art import render_picture, render_sprite
from spelunke.games.halunken.ui.board import render_board, render_drawing, render_part
from spelunke.games.halunken.ui.frame import Frame
from spelunke.games.halunken.ui.summary import render_summary

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "KEYS",
    "describe_orders",
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
    ("1–7", plain("choose this card, or this number for the Rum; confirm with Enter")),
    ("R", plain("choose the Rum; confirm with Enter")),
    ("P", plain("pass")),
    ("N", plain("take nothing")),
    ("← →", plain("go one step back or forward in “Step by step”")),
)


def prompt(scene: Scene) -> str:
    """Return a short prompt for the viewer, or an empty text if the viewer has nothing to decide."""
    if not scene.legal:
        return ""
    frame = Frame(scene)
    asked = {
        "bidding": plain("offer a sailor for Black Jack, or pass"),
        "choosing": plain("lay a card face down"),
        "naming": plain("name a number for the Rum"),
        "picking": plain("choose how far Black Jack goes"),
        "placing": plain("choose where your captain starts"),
        "hiding": plain("choose where Black Jack starts"),
    }
    if moves.Give in frame.legal:
        return frame._("hand over a sailor")
    if moves.Pass in frame.legal and moves.Bid not in frame.legal:
        return frame._("you can only pass")
    if moves.Rob in frame.legal and (who := frame.view.asked_about) is not None:
        one = plain("rob {name}, or take nothing")
        two = plain("rob {name}, take a sailor out of the harbour, or take nothing")
        return frame._(two if moves.Fish in frame.legal else one).format(name=frame.name(who))
    if moves.Fish in frame.legal:
        return frame._("take a sailor out of the harbour, or none")
    if frame.view.phase == "naming" and frame.rum_of == JACK:
        return frame._("name a number for Black Jack's Rum")
    if moves.ChooseJack in frame.legal and frame.view.sealed is not None:
        return frame._("now lay Black Jack's card face down")
    if moves.Choose in frame.legal and frame.view.sealed_jack is not None:
        return frame._("now lay your captain's card face down")
    if frame.view.phase == "choosing" and frame.view.hour == 1:
        return frame._(
            "lay a card face down; equal cards cancel"
        )  # on phones this is the only place that says so
    return frame._(asked[frame.view.phase]) if frame.view.phase in asked else ""


def render_terminal(scene: Scene) -> Text:
    """Return the board for a terminal of 80 columns."""
    from spelunke.games.halunken.ui import terminal

    return terminal.render(scene)


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    from spelunke.games.halunken.ui import screen as whole

    return whole.render_screen(scene, screen)


def describe_orders(scene: Scene) -> OrderForm:
    """Return the form in which a terminal asks the viewer for their standing order."""
    from spelunke.games.halunken.ui import screen as whole

    return whole.describe_orders(scene)
