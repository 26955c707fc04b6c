"""What Dinghy offers besides its rules."""

from __future__ import annotations

import msgspec
from markupsafe import Markup, escape

from dinghy import notation
from dinghy.events import Happened
from dinghy.moves import Action
from dinghy.rules import State
from dinghy.view import View
from spelunke.boards.scene import Scene
from spelunke.games.hooks import Hooks


class DinghyHooks(Hooks[State, Action, View, Happened]):
    """A board, and the words of a refusal."""

    def explain_refusal(self, action: Action, s: State) -> str:
        return "nothing is aboard yet"

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def position_type(self) -> type[msgspec.Struct]:
        return notation.PositionText

    def render_board(self, scene: Scene) -> Markup:
        buttons = Markup("").join(
            Markup('<button name="move" value="{0}">{0}</button>').format(text) for _, text in scene.legal
        )
        return Markup("<p>{}</p>{}").format(escape(str(scene.view.table)), buttons)

    def render_terminal(self, scene: Scene) -> str:
        return str(scene.view.table)


HOOKS = DinghyHooks()
