"""The optional features of Shanghaien. :mod:`spelunke.games.hooks` describes each hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from spelunke.boards.scene import Scene, Summary
from spelunke.boards.screen import Screen
from spelunke.core import values
from spelunke.core.cells import cell
from spelunke.core.words import Translator
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import Lesson
from spelunke.games.shanghaien import claims, events, notation, refusals, state, ui
from spelunke.games.shanghaien.events import Event
from spelunke.games.shanghaien.lesson import LESSON
from spelunke.games.shanghaien.moves import TRICK_MOVES, Action, Allow
from spelunke.games.shanghaien.position import PositionText
from spelunke.games.shanghaien.reasons import reasons
from spelunke.games.shanghaien.state import ROLLING, State
from spelunke.games.shanghaien.ui import setup, teaching
from spelunke.games.shanghaien.view import View

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.text import Text

    from spelunke.analysis.analysis import Appraiser, DeviceAppraiser
    from spelunke.analysis.playouts import Playouts
    from spelunke.core.bot import Bot
    from spelunke.games.parts import Events, Knowledge, Moves, Notation, Views
    from spelunke.games.shanghaien import knowledge, moves, view
    from spelunke.games.shanghaien.moves import Chance

    # These assignments let the type checker compare each module with its protocol.
    _moves: Moves[Action, Chance, State] = moves
    _events: Events[Event, Action, State] = events
    _notation: Notation[Action, Chance, State] = notation
    _view: Views[View, State] = view
    _knowledge: Knowledge[State] = knowledge

SOUNDS: Mapping[type[values.Event], str] = {
    events.Rolled: "dice",
    events.Laid: "card",
    events.BothLaid: "card",
    events.FedToSharks: "card",
    events.JokerLaid: "card",
    events.Settled: "call",
}


class ShanghaienHooks(Hooks[State, Action, View, Event]):
    """The hooks of Shanghaien.

    Both seats see the same facts and never act at the same time. So hooks for secrets and for simultaneous actions
    are not needed.
    """

    def lesson(self) -> Lesson:
        return LESSON

    def explain_refusal(self, action: Action, s: State) -> str:
        return refusals.explain(action, s)

    def move_forms(self) -> tuple[str, ...]:
        return notation.GRAMMAR

    def position_type(self) -> type[msgspec.Struct]:
        return PositionText

    def sounds(self) -> Mapping[type[values.Event], str]:
        return SOUNDS

    def rounds_done(self, s: State) -> int:
        # The server calls this after each row of a log. So use `cell`, the fastest access to a field.
        return cell(s, "games") * state.ROUNDS + (
            0 if cell(s, "phase") == state.FINISHED else cell(s, "tavern")
        )

    def name_round(self, s: State, translate: Translator) -> str:
        tavern = translate("Tavern {tavern}").format(tavern=min(int(s.tavern) + 1, state.ROUNDS))
        if s.options[state.MATCH] == state.SINGLE:
            return tavern
        return translate("Game {game}, {round}").format(game=int(s.games) + 1, round=tavern)

    def points(self, s: State) -> tuple[int, ...]:
        return claims.standing(s)

    def bots(self) -> Mapping[str, Callable[..., Bot[View, Action]]]:
        from spelunke.games.shanghaien import bots

        return bots.BOTS

    def render_setup(self, position: Mapping[str, object], translate: Translator) -> Markup:
        return setup.render_setup(position, translate)

    def read_setup(self, fields: Mapping[str, Sequence[str]]) -> dict[str, object]:
        return setup.read_setup(fields)

    def appraiser(self) -> Appraiser[State, Action]:
        from spelunke.games.shanghaien.appraiser import ShanghaienAppraiser

        return ShanghaienAppraiser()

    def device_appraiser(self) -> Callable[[npt.NDArray[np.float64] | None], DeviceAppraiser[State, Action]]:
        from spelunke.games.shanghaien.solving.elsewhere import PlanningAppraiser

        return PlanningAppraiser

    def device_file(self) -> bytes:
        from spelunke.games.shanghaien.solving import elsewhere

        return elsewhere.device_file()

    def playouts(self) -> Playouts[State, Action, View]:
        from spelunke.games.shanghaien.first_look import FirstLook

        return FirstLook()

    def reasons(
        self, action: Action, view: View, names: Sequence[str], translate: Translator
    ) -> tuple[str, ...]:
        return reasons(action, view, names, translate)

    def describe_action(self, action: Action, view: View, names: Sequence[str], translate: Translator) -> str:
        return teaching.describe_action(action, view, names, translate)

    def themes(self) -> Mapping[str, str]:
        return ui.THEMES

    def kind_of_error(self, played: Action, best: Action) -> str:
        if isinstance(best, Allow):  # to object and to allow the die are one decision
            return "object"
        return "trick" if isinstance(played, TRICK_MOVES) or isinstance(best, TRICK_MOVES) else ""

    def chance_key(self, s: State) -> tuple[int, ...]:
        game = (int(s.games), int(s.tavern), int(s.phase))
        if s.phase != ROLLING:
            return (*game, int(s.dealt))
        seat = int(s.turn)
        return (*game, seat, int(s.placed[seat]), int(s.tricked), int(s.rerolled))

    def render_board(self, scene: Scene) -> Markup:
        return ui.render_board(scene)

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

    def key_help(self) -> tuple[tuple[str, str], ...]:
        return ui.KEYS

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        return teaching.explain_choices(scene)

    def signs(self) -> tuple[Sign, ...]:
        return teaching.SIGNS


HOOKS = ShanghaienHooks()
