"""How Dinghy looks."""

from __future__ import annotations

from markupsafe import Markup, escape

from spelunke.core.ui import Scene


def board(scene: Scene) -> Markup:
    buttons = Markup("").join(
        Markup('<button name="move" value="{0}">{0}</button>').format(text) for _, text in scene.legal
    )
    return Markup("<p>{}</p>{}").format(escape(str(scene.view.table)), buttons)


def render_terminal(scene: Scene) -> str:
    return str(scene.view.table)
