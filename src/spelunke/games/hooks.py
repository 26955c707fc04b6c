"""The optional features of a game: every hook with its signature, the time of its call, and its default.

A game overrides the hooks that it needs in one file of its folder, ``hooks.py``::

    class DinghyHooks(Hooks[State, Action, View, Event]):
        def explain_refusal(self, action: Action, s: State) -> str:
            return "nothing is aboard yet"


    HOOKS = DinghyHooks()

``hooks.py`` is loaded once, on first use (:attr:`spelunke.games.game.Game.hooks`). When the registry is built,
:mod:`spelunke.games.checks` checks names and parameters without importing the file, and refuses a misspelt hook. A
hook changes nothing, keeps nothing between calls, and may be called from any thread. It must not write to the state
record ``s``. ``docs/hooks.md`` lists every hook.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from markupsafe import Markup

from spelunke.analysis.playouts import Playouts
from spelunke.core.option import Value
from spelunke.core.values import Action, Event, State, View
from spelunke.core.words import Translator

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spelunke.analysis.analysis import Appraiser
    from spelunke.boards.scene import Scene, Summary
    from spelunke.boards.screen import Screen
    from spelunke.core.bot import Bot
    from spelunke.games.explaining import Meaning, Sign
    from spelunke.games.lesson import Lesson

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)
E = TypeVar("E", bound=Event)
Options = Mapping[str, Value]
"""Every option of a table with its checked value."""
Fields = Mapping[str, Sequence[str]]
"""The fields of a form: all values of each name, in order."""

PositionWords = Mapping[str, object]
"""A position text: the contents of its JSON."""


class Hooks(Generic[S, A, V, E]):
    """The hooks with their defaults. A game that overrides none can still be played."""

    # --- answers out of turn, and their time ---

    def answer_window_ms(self, options: Options, live: bool, s: S) -> int | None:
        """Return the time in milliseconds after which silence answers an open decision. None: there is no limit.

        Called after each row of a table, for all seats to act. ``live``: people play at the same time, unlike
        at a table over days. It may depend only on what everybody knows: everybody sees the length of the
        window. Default: None.
        """
        return None

    def visible_wait(self, options: Options, live: bool, s: S) -> tuple[str, int] | None:
        """Return the name and the milliseconds of a wait that everybody sees. None: there is none.

        Called after each row. It may depend only on what everybody knows. The wait is shown from its
        beginning to its end, even if answers arrive meanwhile. A seat that could not act before has no
        running clock until the wait ends. Default: None.
        """
        return None

    def seats_maybe_asked(self, s: S, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        """Return a moment's name that does not reveal who has answered, and the seats that may have a decision in it.

        Called after each row, for each viewer (None: a spectator). The result alone decides which clocks and
        which turns others see. None: everybody knows who is to act. Default: None.
        """
        return None

    def silent_action(self, s: S, seat: int) -> A | None:
        """Return the action of a seat that was silent until its window closed. None: the table waits for the seat.

        Called when a window closes, and after each row for every seat to act: if silence is an answer, the
        seat's clock does not run. Default: None.
        """
        return None

    def action_on_arrival(self, action: A, s: S, since_first_ms: int | None) -> A:
        """Return the action that is played instead of ``action``, which arrived after others of its kind.

        Use it for calls that are nearly simultaneous. If a call comes soon enough, a game can record it as
        tied with the first one. ``since_first_ms`` is the time since the first action of this kind in this
        decision; None: this is the first. Called before an action is played. Also called for each legal
        action, to find actions that are the same choice of the seat at different times. Default: the action
        itself.
        """
        return action

    # --- standing orders ---

    def action_by_orders(self, orders: object, view: V, legal: Sequence[A]) -> A | None:
        """Return the action that a seat's standing orders choose now. None: the seat decides.

        Called for a seat that is to act and has orders. A game that overrides it has standing orders. If the
        orders mean nothing, return None. Default: None.
        """
        return None

    def check_orders(self, orders: object, view: V) -> object:
        """Return the orders (JSON values) in the form in which they are stored. Raise BadInput if they mean nothing.

        Called when a seat sets its orders.
        Default: the orders as given.
        """
        return orders

    # --- forms ---

    def preview_draft(
        self, fields: Fields, view: V, events: Callable[[], Iterable[E]], orders: object
    ) -> msgspec.Struct | None:
        """Return a preview of a form that the seat is still filling in. Only that seat's board shows it.

        Called for each look of a seat, with the form fields that its page has sent (empty: none).
        ``events()`` returns all events so far as the seat knows them; ``orders`` are the stored ones. Nothing
        is played or stored. Default: None.
        """
        return None

    def compose_move(self, fields: Fields) -> str | None:
        """Return the move text of a form that combines several fields, such as checked cards. None: there is no form.

        Called when a form sends the move ``compose``. The text is then parsed like any other.
        Default: None.
        """
        return None

    # --- words ---

    def explain_refusal(self, action: A, s: S) -> str:
        """Return the reason why an action is not legal in this state: a clause without a capital, or nothing.

        Called for an illegal action. It may depend only on what the seat that tried it may know.
        Default: empty.
        """
        return ""

    def reveals(self, action: A, s: S) -> bool:
        """Return whether an action, played in state ``s``, shows something hidden to anybody, or hides
        something from anybody.

        Called when a seat wants to take its newest action back. If the result is true, or if chance has decided
        something after the action, the seat can't take it back. The result must not depend on hidden information.
        Default: actions of games that hide nothing reveal nothing, all others do.
        """
        return True

    def move_forms(self) -> tuple[str, ...]:
        """Return an example of each form of move (``place 4 left``) for the terminal's help, the most frequent first.

        Default: none.
        """
        return ()

    def begins_scene(self, event: E) -> bool:
        """Return whether a scene begins with this event. The board shows a scene as a whole.

        Called for the newest events. The board receives all events from the last such event on, even after the viewer
        acted.
        Default: False.
        """
        return False

    def sounds(self) -> Mapping[type[Event], str]:
        """Return the sound that the page plays at each kind of event: ``dice``, ``card`` or ``call``.

        Called once, for the pages of tables.
        Default: none, the game itself makes no sound.
        """
        return {}

    def position_type(self) -> type[msgspec.Struct] | None:
        """Return the struct of the game's position text, for the published JSON Schema.

        Default: None, no schema.
        """
        return None

    # --- rounds, points, and games that are over ---

    def rounds_done(self, s: S) -> int:
        """Return the number of finished rounds (hours, deals) of the match.

        Called after each row. It may depend only on what everybody knows. When the number rises, the table shows the
        summary of the round, and a replay gets a place to jump to.
        Default: 0, there are no rounds.
        """
        return 0

    def setting_up(self, s: S) -> bool:
        """Return whether the table is being laid out for a round.

        Points gained during this time are not a result of the round.

        Called after each row. It may depend only on what everybody knows. Default: False, a round begins at
        the end of the previous one.
        """
        return False

    def name_round(self, s: S, translate: Translator) -> str:
        """Return the name of the current round, such as ``Hour 3``. Empty: it has only a number.

        Called for the list of rounds of a replay, and for summaries.
        Default: empty.
        """
        return ""

    def points(self, s: S) -> tuple[int, ...] | None:
        """Return the current points of each seat, counted as at the end. None: there are no points before the end.

        Called after each row of a replay, and for summaries. It may depend only on what everybody knows.
        Default: None.
        """
        return None

    def open_view(self, s: S) -> V | None:
        """Return the view of a viewer from whom nothing is hidden. None: a spectator already sees everything.

        Called only for positions of games that are over.
        Default: None.
        """
        return None

    # --- bots ---

    def bots(self) -> Mapping[str, Callable[..., Bot[V, A]]]:
        """Return the game's own kinds of bots by their names in ``levels.toml``; each takes the Game and the settings.

        Called when a bot sits down whose level has a ``bot`` that is none of the general kinds. Default: none.
        """
        return {}

    def warm_kernels(self) -> None:
        """Call kernels that a first game reaches late, so that they are compiled before anyone waits for them.

        Called in the process that compiles while the server is already open.
        Default: nothing.
        """

    # --- setting up positions ---

    def render_setup(self, position: PositionWords, translate: Translator) -> Markup | None:
        """Return a form's fields for setting up a position, filled in from its text. None: there is only the text.

        Called for the analysis board.
        Default: None.
        """
        return None

    def read_setup(self, fields: Fields) -> PositionWords:
        """Return the position text for the fields of the form of `render_setup`. Raise BadPosition if a field can't
        be read. Whether the position is possible is checked later, when the text is read.

        Default: nothing.
        """
        return {}

    # --- measuring ---

    def appraiser(self) -> Appraiser[S, A] | None:
        """Return an appraiser, which values positions for analyses. None: positions are valued by playouts.

        Called for each analysis. It may be slow to make and may keep its results; see
        :class:`spelunke.analysis.analysis.Appraiser`.
        Default: None.
        """
        return None

    def playouts(self) -> Playouts[S, A, V]:
        """Return the playouts for positions without an appraiser: quick choices, depth, and order of search.

        Called for each analysis; see :class:`spelunke.analysis.playouts.Playouts`.
        Default: random choices to the end of the game.
        """
        return Playouts()

    def reasons(self, action: A, view: V, names: Sequence[str], translate: Translator) -> tuple[str, ...]:
        """Return the reasons for and against an action, as short sentences. ``names`` by seat.

        Called for the best alternatives of a decision, and for the action that was played. It may use only the view.
        Default: none.
        """
        return ()

    def themes(self) -> Mapping[str, str]:
        """Return the themes of problems, by the first word of the move that solves them: ``Where to lay a die``.

        Called for the collection of problems. If a theme has no name here, it is called by that word.
        Default: none.
        """
        return {}

    def chance_key(self, s: S) -> tuple[int, ...]:
        """Return numbers that identify what chance decides now, such as the second roll of seat 0 in round 3.

        Called at each chance of bot games that share their luck. If the same key occurs again in a game, its
        luck is different. The key should say precisely what is decided and little about earlier plies: then
        comparisons contain less luck. Default: nothing; chances are identified by their count.
        """
        return ()

    # --- pages and terminal (``ui/`` of the game's folder) ---

    def render_board(self, scene: Scene) -> Markup | None:
        """Return the table as HTML and SVG for one viewer; every legal move is a button. None: a plain list of moves.

        Called for each push to each viewer. It may use only the scene.
        Default: None.
        """
        return None

    def render_summary(self, summary: Summary[V]) -> Markup | None:
        """Return the results of a round, with the gains of each seat and their reasons. None: the sentences of the
        round and the points are shown.

        Called when a round has ended (hook ``rounds_done``), and at the end of a game, for each viewer.
        Default: None.
        """
        return None

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        """Return the parts of the board, by id, that depend on the viewer's unsent input.

        Called when the fields of a form with ``data-draft`` change. Default: none.
        """
        return {}

    def render_sprite(self) -> Markup:
        """Return drawings that the board refers to. They are in each page once, outside of the pushed parts.

        Default: none.
        """
        return Markup()

    def render_picture(self) -> Markup:
        """Return a picture of the game for lobbies.

        Default: none.
        """
        return Markup()

    def render_illustration(self, part: str, scene: Scene) -> Markup | None:
        """Return a part of the board as a picture in the rules (:mod:`spelunke.games.illustration`). None: the whole
        board.

        Called for each picture on the page of the rules. It may use only the scene; the picture has no working
        buttons.
        Default: None.
        """
        return None

    def render_terminal(self, scene: Scene) -> RenderableType:
        """Return the table for a terminal of 80 columns.

        Default: the view as it is.
        """
        return str(scene.view)

    def render_screen(self, scene: Scene, screen: Screen) -> RenderableType:
        """Return the table for a terminal of any size (:mod:`spelunke.boards.screen`), for ``spelunke tui``.

        Called for each change, and whenever the viewer considers a choice, which is then in ``arrows`` as
        ``chosen``. A part that plays a move when it is pressed has the style meta ``move`` with the move
        text. Default: the board of ``render_terminal``.
        """
        return self.render_terminal(scene)

    def prompt(self, scene: Scene) -> str:
        """Return a short prompt for the viewer, empty if there is nothing to decide.

        Called for each push to a viewer who may act. The page shows it beside the turn.
        Default: empty.
        """
        return ""

    def key_help(self) -> tuple[tuple[str, str], ...]:
        """Return the single keys of the board and their effects, for the list of keys.

        Default: none.
        """
        return ()

    # --- learning the game ---

    def lesson(self) -> Lesson | None:
        """Return the guided first game: a fixed line of plies with texts (:mod:`spelunke.games.lesson`).

        Called when a lesson begins, and when its table is replayed. Its moves are written in the game's notation and
        are legal one after the other. If a new release changes a lesson, the lesson ends at all tables that have
        begun it. Default: None, there is no lesson.
        """
        return None

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        """Return an explanation of each choice of the viewer, in plain words for a new player.

        Called for each push to a viewer who may act, in a person's first games. It may use only the scene.
        Default: none, nothing is explained.
        """
        return ()

    def signs(self) -> tuple[Sign, ...]:
        """Return the signs on the board (numbers, badges, icons) with their meanings, in reading order.

        Called for the tour of the table's page, and for the list of signs in the rules. The texts are English; the
        caller translates them.
        Default: none.
        """
        return ()

    # --- not hooks: questions of the callers ---

    @functools.cached_property
    def offered(self) -> frozenset[Callable[..., object]]:
        """The hooks that the game overrides, as functions of this class: ``Hooks.prompt in game.hooks.offered``."""
        return frozenset(
            hook for name in hook_names() if getattr(type(self), name) is not (hook := getattr(Hooks, name))
        )

    def has(self, hook: Callable[..., object]) -> bool:
        """Return whether the game overrides this hook: ``game.hooks.has(Hooks.action_by_orders)``."""
        return hook in self.offered


@functools.cache
def hook_names() -> tuple[str, ...]:
    """Return the names of all hooks, in the order of this module."""
    return tuple(
        name
        for name, value in vars(Hooks).items()
        if inspect.isfunction(value) and name[0] != "_" and name != "has"
    )
