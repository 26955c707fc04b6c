"""What Sanghai offers besides its rules; each hook is described in :mod:`spelunke.core.hooks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from spelunke.core.bot import Bot
from spelunke.core.hooks import Fields, Hooks, Options
from spelunke.core.ui import Scene
from spelunke.games.sanghai import knowledge, moves, notation, ui
from spelunke.games.sanghai.events import Event
from spelunke.games.sanghai.moves import Action
from spelunke.games.sanghai.state import State
from spelunke.games.sanghai.view import View

if TYPE_CHECKING:
    from rich.text import Text


class SanghaiHooks(Hooks[State, Action, View, Event]):
    """The window for calls and its time, standing orders, the tray in which a contract is put together."""

    def answer_window_ms(self, options: Options, live: bool, s: State) -> int | None:
        return moves.window(options, live, s)

    def visible_wait(self, options: Options, live: bool, s: State) -> tuple[str, int] | None:
        return moves.pause(options, live, s)

    def seats_maybe_asked(self, s: State, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        return moves.asked(s, viewer)

    def silent_action(self, s: State, seat: int) -> Action | None:
        return moves.silence(s, seat)

    def action_on_arrival(self, action: Action, s: State, since_first_ms: int | None) -> Action:
        return moves.arrive(action, s, since_first_ms)

    def action_by_orders(self, orders: object, view: View, legal: Sequence[Action]) -> Action | None:
        action: Action | None = moves.stand(orders, view, legal)
        return action

    def check_orders(self, orders: object, view: View) -> object:
        return moves.check_private(orders, view)

    def preview_draft(
        self, fields: Fields, view: View, events: Callable[[], Iterable[Event]], orders: object
    ) -> msgspec.Struct | None:
        return moves.consider(fields, view, events, orders)

    def compose_move(self, fields: Fields) -> str:
        return moves.compose(fields)

    def explain_refusal(self, action: Action, s: State) -> str:
        return moves.explain(action, s)

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def position_type(self) -> type[msgspec.Struct]:
        return notation.PositionText

    def bots(self) -> Mapping[str, Callable[..., Bot[View, Action]]]:
        return knowledge.BOTS

    def warm_kernels(self) -> None:
        knowledge.warm()

    def render_board(self, scene: Scene) -> Markup:
        return ui.board(scene)

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        return ui.draft(scene)

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


HOOKS = SanghaiHooks()
