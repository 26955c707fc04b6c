"""What Dinghy offers besides its rules."""

from __future__ import annotations

from markupsafe import Markup, escape

from dinghy import notation
from dinghy.moves import Action
from dinghy.rules import State
from dinghy.view import View
from spelunke.core.hooks import Hooks
from spelunke.core.ui import Scene
from spelunke.core.values import Event


class DinghyHooks(Hooks[State, Action, View, Event]):
    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def render_board(self, scene: Scene) -> Markup:
        buttons = Markup("").join(
            Markup('<button name="move" value="{0}">{0}</button>').format(text) for _, text in scene.legal
        )
        return Markup("<p>{}</p>{}").format(escape(str(scene.view.table)), buttons)

    def render_terminal(self, scene: Scene) -> str:
        return str(scene.view.table)


HOOKS = DinghyHooks()
