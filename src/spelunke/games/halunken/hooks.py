"""What Halunken und Spelunken offers besides its rules; each hook is described in :mod:`spelunke.core.hooks`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from spelunke.core.bot import Bot
from spelunke.core.hooks import Hooks
from spelunke.core.ui import Scene
from spelunke.games.halunken import events, knowledge, moves, notation, ui
from spelunke.games.halunken.events import Event
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.state import State
from spelunke.games.halunken.view import View

if TYPE_CHECKING:
    from rich.text import Text


class HalunkenHooks(Hooks[State, Action, View, Event]):
    """Standing bids for Black Jack, hours that are told as scenes."""

    def action_by_orders(self, orders: object, view: View, legal: Sequence[Action]) -> Action | None:
        return moves.stand(orders, view, legal)

    def explain_refusal(self, action: Action, s: State) -> str:
        return moves.explain(action, s)

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def position_type(self) -> type[msgspec.Struct]:
        return notation.PositionText

    def begins_scene(self, event: Event) -> bool:
        return events.opens(event)

    def bots(self) -> Mapping[str, Callable[..., Bot[View, Action]]]:
        return knowledge.BOTS

    def render_board(self, scene: Scene) -> Markup:
        return ui.board(scene)

    def render_sprite(self) -> Markup:
        return ui.sprite()

    def render_picture(self) -> Markup:
        return ui.picture()

    def render_terminal(self, scene: Scene) -> Text:
        return ui.render_terminal(scene)

    def prompt(self, scene: Scene) -> str:
        return ui.ask(scene)

    def key_help(self) -> tuple[tuple[str, str], ...]:
        return ui.KEYS


HOOKS = HalunkenHooks()
