"""The optional features of Sanghai. :mod:`spelunke.games.hooks` describes each hook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from spelunke.boards.scene import OrderForm, Scene, Summary
from spelunke.boards.screen import Screen
from spelunke.core import values
from spelunke.core.bot import Bot
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.hooks import Fields, Hooks, Options
from spelunke.games.lesson import Lesson
from spelunke.games.sanghai import (
    bots,
    drafts,
    events,
    happenings,
    hints,
    knowledge,
    moves,
    notation,
    reasons,
    refusals,
    state,
    timing,
    ui,
)
from spelunke.games.sanghai.happenings import Event
from spelunke.games.sanghai.lesson import LESSON
from spelunke.games.sanghai.moves import Action, Add, Chance, Discard, LayDown, Swap
from spelunke.games.sanghai.orders import action_by_orders, check_orders
from spelunke.games.sanghai.position_text import PositionText
from spelunke.games.sanghai.state import State
from spelunke.games.sanghai.ui import teaching
from spelunke.games.sanghai.view import View, open_view

if TYPE_CHECKING:
    from rich.text import Text

    from spelunke.games.parts import Events, Knowledge, Moves, Notation, Views
    from spelunke.games.sanghai import view as views
    from spelunke.games.sanghai.playouts import SanghaiPlayouts

    # These assignments let the type checker compare each module with its protocol.
    _moves: Moves[Action, Chance, State] = moves
    _events: Events[Event, Action, State] = events
    _notation: Notation[Action, Chance, State] = notation
    _view: Views[View, State] = views
    _knowledge: Knowledge[State] = knowledge

SOUNDS: Mapping[type[values.Event], str] = {
    happenings.Called: "call",
    happenings.Drew: "card",
    happenings.Took: "card",
    happenings.Discarded: "card",
    happenings.Laid: "card",
    happenings.Added: "card",
    happenings.Swapped: "card",
}
THEMES = {
    "discard": plain("What to discard"),
    "stock": plain("When to draw from the stock"),
    "take": plain("When to take the discard"),
    "hep": plain("When to call"),
    "pass": plain("When to let a discard pass"),
    "wait": plain("When to let the others call or pass first"),
    "lay": plain("When to lay the contract"),
    "add": plain("What to add to melds"),
    "swap": plain("When to swap a joker out"),
    "vote": plain("Whom to vote for"),
}


class SanghaiHooks(Hooks[State, Action, View, Event]):
    """The hooks of the game, for example for the time to call, for standing orders, and for the contract tray.

    The contract tray compares the picked cards with the contract of the round.
    """

    def answer_window_ms(self, options: Options, live: bool, s: State) -> int | None:
        return timing.answer_window_ms(options, live, s)

    def visible_wait(self, options: Options, live: bool, s: State) -> tuple[str, int] | None:
        return timing.visible_wait(options, live, s)

    def seats_maybe_asked(self, s: State, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        return timing.seats_maybe_asked(s, viewer)

    def silent_action(self, s: State, seat: int) -> Action | None:
        return timing.silent_action(s, seat)

    def action_on_arrival(self, action: Action, s: State, since_first_ms: int | None) -> Action:
        return timing.action_on_arrival(action, s, since_first_ms)

    def action_by_orders(self, orders: object, view: View, legal: Sequence[Action]) -> Action | None:
        return action_by_orders(orders, view, legal)

    def check_orders(self, orders: object, view: View) -> object:
        return check_orders(orders, view)

    def preview_draft(
        self, fields: Fields, view: View, events: Callable[[], Iterable[Event]], orders: object
    ) -> drafts.Draft | None:
        return drafts.preview_draft(fields, view, events, orders)

    def describe_orders(self, scene: Scene) -> OrderForm:
        return ui.describe_orders(scene)

    def compose_move(self, fields: Fields) -> str:
        return drafts.compose_move(fields)

    def lesson(self) -> Lesson:
        return LESSON

    def explain_refusal(self, action: Action, s: State) -> str:
        return refusals.explain_refusal(action, s)

    def reveals(self, action: Action, s: State) -> bool:
        return not isinstance(action, LayDown | Add | Swap)

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def position_type(self) -> type[msgspec.Struct]:
        return PositionText

    def sounds(self) -> Mapping[type[values.Event], str]:
        return SOUNDS

    def rounds_done(self, s: State) -> int:
        return int(s.lap) + int(s.phase == state.FINISHED)

    def name_round(self, s: State, translate: Translator) -> str:
        return translate("Round {n}").format(n=int(s.lap) + 1)

    def points(self, s: State) -> tuple[int, ...]:
        sheet = s.sheet[: self.rounds_done(s)]
        return tuple(int(sum(int(row[seat]) for row in sheet)) for seat in range(int(s.seats)))

    def open_view(self, s: State) -> View:
        return open_view(s)

    def bots(self) -> Mapping[str, Callable[..., Bot[View, Action]]]:
        return bots.BOTS

    def playouts(self) -> SanghaiPlayouts:
        from spelunke.games.sanghai.playouts import SanghaiPlayouts  # only analyses need this module

        return SanghaiPlayouts()

    def reasons(
        self, action: Action, view: View, names: Sequence[str], translate: Translator
    ) -> tuple[str, ...]:
        return reasons.reasons(action, view, names, translate)

    def describe_action(self, action: Action, view: View, names: Sequence[str], translate: Translator) -> str:
        return teaching.describe_action(action, view, names, translate)

    def themes(self) -> Mapping[str, str]:
        return THEMES

    def kind_of_error(self, played: Action, best: Action) -> str:
        if isinstance(best, Discard):  # the error was to lay, to add or to swap before the discard
            kind = notation.write(played).split()[0]
            return kind if kind in THEMES else "lay"  # the small steps of a laying
        return ""

    def chance_key(self, s: State) -> tuple[int, ...]:
        return (int(s.lap), int(s.phase), int(s.shuffled), int(s.stocked))

    def warm_kernels(self) -> None:
        hints.warm_kernels()

    def render_board(self, scene: Scene) -> Markup:
        return ui.render_board(scene)

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        return ui.render_draft(scene)

    def render_summary(self, summary: Summary[View]) -> Markup | None:
        return ui.render_summary(summary)

    def render_drawing(self, scene: Scene) -> Markup:
        return ui.render_drawing(scene)

    def render_sprite(self) -> Markup:
        return ui.render_sprite()

    def render_picture(self) -> Markup:
        return ui.render_picture()

    def render_illustration(self, part: str, scene: Scene) -> Markup | None:
        return ui.render_part(part, scene)

    def render_terminal(self, scene: Scene) -> Text:
        return ui.render_terminal(scene)

    def render_screen(self, scene: Scene, screen: Screen) -> Text:
        return ui.render_screen(scene, screen)

    def prompt(self, scene: Scene) -> str:
        return ui.prompt(scene)

    def awaited(self, scene: Scene) -> str:
        return ui.awaited(scene)

    def key_help(self) -> tuple[tuple[str, str], ...]:
        return ui.KEYS

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        return teaching.explain_choices(scene)

    def signs(self) -> tuple[Sign, ...]:
        return teaching.SIGNS


HOOKS = SanghaiHooks()
