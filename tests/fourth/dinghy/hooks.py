"""The board of Dinghy, and the reason for a refusal."""

from markupsafe import Markup

from dinghy.events import Happened
from dinghy.moves import Action
from dinghy.rules import State
from dinghy.view import View
from spelunke.boards.markup import html, join
from spelunke.boards.scene import Scene
from spelunke.games.hooks import Hooks


class DinghyHooks(Hooks[State, Action, View, Happened]):
    """What Dinghy offers besides its rules."""

    def explain_refusal(self, action: Action, s: State) -> str:
        return "nothing is aboard yet"

    def prompt(self, scene: Scene) -> str:
        return "row on, or bring it ashore?" if scene.legal else ""

    def render_board(self, scene: Scene) -> Markup:
        seen: View = scene.view
        rows = join(
            html("<tr><th>{}</th><td>{}</td></tr>", name, barrels)
            for name, barrels in zip(scene.names, seen.ashore, strict=True)
        )
        buttons = join(
            html('<button class="button" name="move" value="{}">{}</button> ', text, text)
            for _action, text in scene.legal
        )
        return html("<table>{}</table><p>Aboard: {}</p><p>{}</p>", rows, seen.aboard, buttons)

    def render_terminal(self, scene: Scene) -> str:
        seen: View = scene.view
        return f"Ashore: {seen.ashore}, aboard: {seen.aboard}"


HOOKS = DinghyHooks()
