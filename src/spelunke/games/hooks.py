"""The optional features of a game: every hook with its signature, its default, and when the server calls it.

A game overrides the hooks that it needs in one file of its folder, ``hooks.py``::

    class DinghyHooks(Hooks[State, Action, View, Event]):
        def explain_refusal(self, action: Action, s: State) -> str:
            return "nothing is aboard yet"

    HOOKS = DinghyHooks()

``hooks.py`` is loaded once, on first use (:attr:`spelunke.games.game.Game.hooks`). When the registry is
built, :mod:`spelunke.games.checks` checks names and parameters without importing the file, and refuses a
misspelt hook. A hook changes nothing, keeps nothing between calls, and may be called from any thread. It must
not write to the state record ``s``. ``docs/hooks.md`` describes every hook.
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
"""Every option of a table, with its checked value."""
Fields = Mapping[str, Sequence[str]]
"""The fields of a form: for each name, all values in order."""

PositionWords = Mapping[str, object]
"""The contents of a position text, which is JSON."""


class Hooks(Generic[S, A, V, E]):
    """All hooks with their defaults. A game that overrides none of them can still be played."""

    # --- answers out of turn, and their time ---

    def answer_window_ms(self, options: Options, live: bool, s: S) -> int | None:
        """Return the time in milliseconds after which silence counts as an answer. None: there is no limit.

        This time is called the window of a decision. Called after each row of a table's log, for all seats to
        act. ``live``: people play at the same time; false at a table over days. The result may depend only on
        what everybody knows, because everybody sees the length of the window. Default: None.
        """
        return None

    def visible_wait(self, options: Options, live: bool, s: S) -> tuple[str, int] | None:
        """Return the name and the length in milliseconds of a wait that everybody sees. None: there is none.

        Called after each row. The result may depend only on what everybody knows. The wait is shown from its
        beginning to its end, even if answers arrive meanwhile. If a seat could not act before the wait, its
        clock starts only when the wait ends. Default: None.
        """
        return None

    def seats_maybe_asked(self, s: S, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        """Return a name for this decision that does not reveal who has answered, and the seats that may be deciding.

        Called after each row, for each viewer (None: a spectator). Only this result determines which clocks
        and turns others see. None: everybody knows who is to act. Default: None.
        """
        return None

    def silent_action(self, s: S, seat: int) -> A | None:
        """Return the action of a seat that was silent until its window closed.

        None: the table waits for the seat. Called when a window closes, and after each row for every seat to
        act: if the result is an action, the clock of the seat does not run. Default: None.
        """
        return None

    def action_on_arrival(self, action: A, s: S, since_first_ms: int | None) -> A:
        """Return the action that is played instead of ``action``, depending on its time of arrival.

        Use it for calls that are nearly simultaneous. If a call comes soon enough, a game can record it as
        tied with the first one. ``since_first_ms`` is the time since the first action of this kind in this
        decision; None: this action is the first. Called before an action is played. Also called for each
        legal action, to find actions that are the same choice of the seat at different times. Default: the
        action itself.
        """
        return action

    # --- standing orders ---

    def action_by_orders(self, orders: object, view: V, legal: Sequence[A]) -> A | None:
        """Return the action that a seat's standing orders choose now.

        None: the orders leave the decision to the seat. Called for a seat that is to act and has orders. If a
        game overrides this hook, its tables offer standing orders. If the orders can't be read, return None.
        Default: None.
        """
        return None

    def check_orders(self, orders: object, view: V) -> object:
        """Return the orders (JSON values) in the form in which they are stored.

        Raise BadInput if they can't be read. Called when a seat sets its orders. Default: the orders as
        given.
        """
        return orders

    # --- forms ---

    def preview_draft(
        self, fields: Fields, view: V, events: Callable[[], Iterable[E]], orders: object
    ) -> msgspec.Struct | None:
        """Return a preview of a form that the seat is still filling in. Only that seat's board shows it.

        Called each time the seat looks at the table, with the form fields that its page has sent (empty:
        none). ``events()`` returns all events so far, as the seat may see them; ``orders`` are the stored
        ones. The hook must not play or store anything. Default: None.
        """
        return None

    def compose_move(self, fields: Fields) -> str | None:
        """Return the move text for a form that combines several fields, such as checked cards.

        None: there is no such form. Called when a form sends the move ``compose``. The text is then parsed
        like any other. Default: None.
        """
        return None

    # --- words ---

    def explain_refusal(self, action: A, s: S) -> str:
        """Return the reason why an action is not legal in this state.

        It is a clause without a capital, or empty. Called for an illegal action. The reason may depend only
        on what the seat that tried the action may know. Default: empty.
        """
        return ""

    def reveals(self, action: A, s: S) -> bool:
        """Return whether an action, played in state ``s``, shows a hidden thing to anybody or hides a visible one.

        Called when a seat wants to take its newest action back. If the result is true, or if chance has
        decided something after the action, the seat can't take it back. The result must not depend on hidden
        information. Default: False for games without hidden information, True for all others.
        """
        return True

    def move_forms(self) -> tuple[str, ...]:
        """Return an example of each form of move (``place 4 left``), the most frequent first.

        Called for the help of the terminal. Default: none.
        """
        return ()

    def begins_scene(self, event: E) -> bool:
        """Return whether a scene begins with this event.

        A scene is a series of events that the board shows as a whole. Called for the newest events. The board
        receives all events from the start of the last scene on, even if the viewer has acted since.
        Default: False.
        """
        return False

    def sounds(self) -> Mapping[type[Event], str]:
        """Return the sound that the page plays for each type of event: ``dice``, ``card`` or ``call``.

        Called once, for the pages of tables. Default: none, the game itself makes no sound.
        """
        return {}

    def position_type(self) -> type[msgspec.Struct] | None:
        """Return the struct of the game's position text, for the published JSON Schema.

        Default: None, no schema is published.
        """
        return None

    # --- rounds, points, and games that are over ---

    def rounds_done(self, s: S) -> int:
        """Return the number of finished rounds (hours, deals) of the match.

        Called after each row. The result may depend only on what everybody knows. When the number rises, the
        table shows the summary of the round, and a replay gets a place to jump to. Default: 0, there are no
        rounds.
        """
        return 0

    def setting_up(self, s: S) -> bool:
        """Return whether the table is now being laid out for a round.

        Points that a seat gains during this time are not a result of the round. Called after each row. The
        result may depend only on what everybody knows. Default: False, a round begins at the end of the
        previous one.
        """
        return False

    def name_round(self, s: S, translate: Translator) -> str:
        """Return the name of the current round, such as ``Hour 3``. Empty: the round has only a number.

        Called for the list of rounds of a replay, and for summaries. Default: empty.
        """
        return ""

    def points(self, s: S) -> tuple[int, ...] | None:
        """Return the current points of each seat, counted as at the end. None: there are no points before the end.

        Called after each row of a replay, and for summaries. The result may depend only on what everybody
        knows. Default: None.
        """
        return None

    def open_view(self, s: S) -> V | None:
        """Return the view of a viewer from whom nothing is hidden. None: a spectator already sees everything.

        Called only for positions of finished games. Default: None.
        """
        return None

    # --- bots ---

    def bots(self) -> Mapping[str, Callable[..., Bot[V, A]]]:
        """Return the game's own kinds of bots. The keys are the names in ``levels.toml``.

        Each value is a function of the Game and the settings of the level. Called when a bot sits down whose
        level has a ``bot`` that is not one of the general kinds. Default: none.
        """
        return {}

    def warm_kernels(self) -> None:
        """Call the kernels that a first game needs only late.

        So they are compiled before anyone waits for them. Called in the process that compiles while the
        server is already open. Default: nothing.
        """

    # --- setting up positions ---

    def render_setup(self, position: PositionWords, translate: Translator) -> Markup | None:
        """Return the fields of a form for setting up a position, filled in from ``position``.

        None: there is no form. Called for the analysis board. Without a form, people edit the position text.
        Default: None.
        """
        return None

    def read_setup(self, fields: Fields) -> PositionWords:
        """Return the position text for the fields of the form of `render_setup`.

        Raise BadPosition if a field can't be read. Whether the position is possible is checked later, when
        the text is read. Default: nothing.
        """
        return {}

    # --- measuring ---

    def appraiser(self) -> Appraiser[S, A] | None:
        """Return an appraiser, which computes the values of positions for analyses.

        None: playouts estimate the values. Called for each analysis. An appraiser may take long to make and
        may cache its results; see :class:`spelunke.analysis.analysis.Appraiser`. Default: None.
        """
        return None

    def playouts(self) -> Playouts[S, A, V]:
        """Return the settings of playouts: quick choices, depth, and order of search.

        Called for each analysis of a game without an appraiser; see
        :class:`spelunke.analysis.playouts.Playouts`. Default: random choices to the end of the game.
        """
        return Playouts()

    def reasons(self, action: A, view: V, names: Sequence[str], translate: Translator) -> tuple[str, ...]:
        """Return the reasons for and against an action, as short sentences. ``names`` are by seat.

        Called for the best alternatives of a decision, and for the action that was played. The reasons may
        use only the view. Default: none.
        """
        return ()

    def themes(self) -> Mapping[str, str]:
        """Return the names of the themes of problems.

        The key is the first word of the move that solves the problem. A name is for example ``Where to lay a
        die``. Called for the collection of problems. If a theme has no name here, its key is shown.
        Default: none.
        """
        return {}

    def chance_key(self, s: S) -> tuple[int, ...]:
        """Return numbers that identify what chance decides now, such as the second roll of seat 0 in round 3.

        In comparisons of bots, games share their luck: the same key gives the same outcome. Called at each
        chance of such games. If a key occurs again in the same game, its outcome is drawn independently. The
        key should identify the decision precisely and depend little on earlier plies: then comparisons
        contain less luck. Default: nothing; chances are identified by their count.
        """
        return ()

    # --- pages and terminal (``ui/`` of the game's folder) ---

    def render_board(self, scene: Scene) -> Markup | None:
        """Return the table as HTML and SVG for one viewer, with a button for every legal move.

        None: there is no board. Called for each push to each viewer. The board may use only the scene.
        Default: None, and the page shows a list of moves.
        """
        return None

    def render_summary(self, summary: Summary[V]) -> Markup | None:
        """Return the results of a round: the gains of each seat, and their reasons.

        None: the page shows the sentences of the round and the points instead. Called when a round has ended
        (hook ``rounds_done``), and at the end of a game, for each viewer. Default: None.
        """
        return None

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        """Return the parts of the board, by id, that depend on the viewer's unsent input.

        Called when the fields of a form with ``data-draft`` change. Default: none.
        """
        return {}

    def render_sprite(self) -> Markup:
        """Return drawings to which the board refers.

        Each page contains them once, outside of the pushed parts. Default: none.
        """
        return Markup()

    def render_drawing(self, scene: Scene) -> Markup:
        """Return the board as one SVG drawing with all symbols to which it refers.

        It has a ``viewBox`` and colours without variables. Called for pictures of links and for files of positions.
        The title of a link's picture covers the lower half. Default: none, and the picture of the game is shown.
        """
        return Markup()

    def render_picture(self) -> Markup:
        """Return a picture of the game for lobbies.

        Default: none.
        """
        return Markup()

    def render_illustration(self, part: str, scene: Scene) -> Markup | None:
        """Return a part of the board as a picture in the rules (:mod:`spelunke.games.illustration`).

        None: the picture shows the whole board. Called for each picture on the page of the rules. The picture
        may use only the scene. Its buttons do nothing. Default: None.
        """
        return None

    def render_terminal(self, scene: Scene) -> RenderableType:
        """Return the table for a terminal of 80 columns.

        Default: the view as Python writes it.
        """
        return str(scene.view)

    def render_screen(self, scene: Scene, screen: Screen) -> RenderableType:
        """Return the table for a terminal of any size (:mod:`spelunke.boards.screen`), for ``spelunke tui``.

        Called for each change, and when the viewer considers a choice. Then this choice is in ``arrows`` as
        ``chosen``. If a part plays a move when it is pressed, its style has the meta ``move`` with the move
        text. Default: the board of ``render_terminal``.
        """
        return self.render_terminal(scene)

    def prompt(self, scene: Scene) -> str:
        """Return a short prompt for the viewer. If the viewer has nothing to decide, return an empty text.

        Called for each push to a viewer who may act. The page shows the prompt beside the turn.
        Default: empty.
        """
        return ""

    def key_help(self) -> tuple[tuple[str, str], ...]:
        """Return each key of the board with its effect, for the list of keys.

        Default: none.
        """
        return ()

    # --- learning the game ---

    def lesson(self) -> Lesson | None:
        """Return the guided first game: a fixed line of plies with texts (:mod:`spelunke.games.lesson`).

        Called when a lesson begins, and when its table is replayed. Its moves are in the game's notation, and
        each is legal after those before it. If a new release changes a lesson, the lesson ends at all tables
        that have begun it. Default: None, there is no lesson.
        """
        return None

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        """Return an explanation of each choice of the viewer, in plain words for a new player.

        Called in the first games of a person, for each push to a viewer who may act. The explanation may use
        only the scene. Default: none.
        """
        return ()

    def signs(self) -> tuple[Sign, ...]:
        """Return the signs on the board (numbers, badges, icons) with their meanings, in reading order.

        Called for the tour of the table's page, and for the list of signs in the rules. The texts are
        English; the caller translates them. Default: none.
        """
        return ()

    # --- not hooks: questions of the callers ---

    @functools.cached_property
    def offered(self) -> frozenset[Callable[..., object]]:
        """The hooks that the game overrides, as functions of this class.

        So you can write ``Hooks.prompt in game.hooks.offered``.
        """
        return frozenset(
            hook for name in hook_names() if getattr(type(self), name) is not (hook := getattr(Hooks, name))
        )

    def has(self, hook: Callable[..., object]) -> bool:
        """Return whether the game overrides this hook, for example ``game.hooks.has(Hooks.action_by_orders)``."""
        return hook in self.offered


@functools.cache
def hook_names() -> tuple[str, ...]:
    """Return the names of all hooks, in the order of this module."""
    return tuple(
        name
        for name, value in vars(Hooks).items()
        if inspect.isfunction(value) and name[0] != "_" and name != "has"
    )
