"""The optional features of Halunken und Spelunken. :mod:`spelunke.games.hooks` describes each hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from spelunke.boards.scene import OrderForm, Scene, Summary
from spelunke.boards.screen import Screen
from spelunke.core import values
from spelunke.core.bot import Bot
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.halunken import (
    events,
    happenings,
    knowledge,
    notation,
    reasons,
    refusals,
    sailors,
    spared,
    state,
    ui,
)
from spelunke.games.halunken.happenings import Event
from spelunke.games.halunken.lesson import LESSON
from spelunke.games.halunken.moves import Action, Choose, ChooseJack, Decline, Name, Rob, TakeBack
from spelunke.games.halunken.orders import action_by_orders, check_orders
from spelunke.games.halunken.position import PositionText
from spelunke.games.halunken.state import State
from spelunke.games.halunken.ui import teaching
from spelunke.games.halunken.view import View, open_view
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import Lesson

if TYPE_CHECKING:
    from rich.text import Text

    from spelunke.games.halunken import moves, view
    from spelunke.games.halunken.moves import Chance
    from spelunke.games.halunken.playouts import HalunkenPlayouts
    from spelunke.games.parts import Events, Knowledge, Moves, Notation, Views

    # These assignments let the type checker compare each module with its protocol.
    _moves: Moves[Action, Chance, State] = moves
    _events: Events[Event, Action, State] = events
    _notation: Notation[Action, Chance, State] = notation
    _view: Views[View, State] = view
    _knowledge: Knowledge[State] = knowledge

SOUNDS: Mapping[type[values.Event], str] = {
    happenings.Revealed: "call",
    happenings.Named: "call",
    happenings.Recruited: "card",
    happenings.Robbed: "card",
    happenings.Fished: "card",
}
THEMES = {
    "place": plain("Where to start"),
    "card": plain("Which card to lay"),
    "jack": plain("Where to send Black Jack"),
    "rum": plain("Which number to name"),
    "bid": plain("What to bid for Black Jack"),
    "pass": plain("When to leave Black Jack to others"),
    "rob": plain("Which sailor to rob"),
    "decline": plain("When to take nothing"),
    "harbour": plain("Whom to hire from the harbour"),
    "give": plain("Whom to hand over"),
}


class HalunkenHooks(Hooks[State, Action, View, Event]):
    """The hooks of Halunken und Spelunken.

    The orders of a seat are instructions for its bids for Black Jack. In :meth:`begins_scene`, a scene is a series of
    events that the board shows together. It begins when the cards are revealed. In the other hooks, ``scene`` is a
    :class:`~spelunke.boards.scene.Scene`: a moment of a table as one viewer may see it.
    """

    def action_by_orders(self, orders: object, view: View, legal: Sequence[Action]) -> Action | None:
        return action_by_orders(orders, view, legal)

    def check_orders(self, orders: object, view: View) -> object:
        return check_orders(orders, view)

    def describe_orders(self, scene: Scene) -> OrderForm:
        return ui.describe_orders(scene)

    def lesson(self) -> Lesson:
        return LESSON

    def explain_refusal(self, action: Action, s: State) -> str:
        return refusals.explain_refusal(action, s)

    def explain_events(
        self,
        events: Sequence[Event],
        before: State,
        after: State,
        names: Sequence[str],
        translate: Translator,
    ) -> tuple[str, ...]:
        found = spared.find_spared(events, before, after)
        return tuple(spared.say_spared(each, names, translate) for each in found)

    def reveals(self, action: Action, s: State) -> bool:
        return isinstance(action, Choose | ChooseJack | TakeBack | Name)

    def hides_nothing(self, s: State) -> bool:
        return bool(s.phase != state.CHOOSING)

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def title_language(self) -> str:
        return "de"

    def position_type(self) -> type[msgspec.Struct]:
        return PositionText

    def begins_scene(self, event: Event) -> bool:
        return events.begins_scene(event)

    def sounds(self) -> Mapping[type[values.Event], str]:
        return SOUNDS

    def rounds_done(self, s: State) -> int:
        return int(s.games) * state.HOURS + (0 if s.phase == state.FINISHED else int(s.hour))

    def setting_up(self, s: State) -> bool:
        return s.phase in state.SETTING_UP

    def name_round(self, s: State, translate: Translator) -> str:
        hour = translate("Hour {hour}").format(hour=min(int(s.hour) + 1, state.HOURS))
        if s.options[state.MATCH] != state.THREE_GAMES:
            return hour
        return translate("Game {game}, {round}").format(game=int(s.games) + 1, round=hour)

    def points(self, s: State) -> tuple[int, ...]:
        over = s.phase == state.FINISHED
        worth = [0 if over else int(sailors.worth_of(s.crew[who])) for who in range(int(s.seats))]
        return tuple(int(s.total[who]) + more for who, more in enumerate(worth))

    def open_view(self, s: State) -> View:
        return open_view(s)

    def bots(self) -> Mapping[str, Callable[..., Bot[View, Action]]]:
        return knowledge.BOTS

    def playouts(self) -> HalunkenPlayouts:
        from spelunke.games.halunken.playouts import HalunkenPlayouts  # only analyses need this module

        return HalunkenPlayouts()

    def reasons(
        self, action: Action, view: View, names: Sequence[str], translate: Translator
    ) -> tuple[str, ...]:
        return reasons.reasons(action, view, names, translate)

    def describe_action(self, action: Action, view: View, names: Sequence[str], translate: Translator) -> str:
        return teaching.describe_action(action, view, names, translate)

    def themes(self) -> Mapping[str, str]:
        return THEMES

    def kind_of_error(self, played: Action, best: Action) -> str:
        if isinstance(played, Choose | ChooseJack):  # both cards are chosen in one decision
            return notation.write(played).split()[0]
        if isinstance(played, Decline) and isinstance(best, Rob):  # no sailor was chosen
            return "decline"
        return ""

    def chance_key(self, s: State) -> tuple[int, ...]:
        return (int(s.games), int(s.hour), int(s.phase))

    def render_board(self, scene: Scene) -> Markup:
        return ui.render_board(scene)

    def render_summary(self, summary: Summary[View]) -> Markup:
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

    def key_help(self) -> tuple[tuple[str, str], ...]:
        return ui.KEYS

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        return teaching.explain_choices(scene)

    def signs(self) -> tuple[Sign, ...]:
        return teaching.SIGNS


HOOKS = HalunkenHooks()
