"""The optional features of a game: every hook with its signature, its default, and the time of its call.

A game overrides the hooks that it needs in one file of its folder, ``hooks.py``::

    class DinghyHooks(Hooks[State, Action, View, Event]):
        def explain_refusal(self, action: Action, s: State) -> str:
            return "nothing is aboard yet"

    HOOKS = DinghyHooks()

``hooks.py`` is imported on its first use (:attr:`spelunke.games.game.Game.hooks`). When the registry is built,
:mod:`spelunke.games.checks` checks the names and parameters of the hooks, and refuses a misspelt hook.

A hook changes nothing, stores nothing between calls, and may be called from any thread. It must not write to
the state record ``s``. ``docs/hooks.md`` describes every hook.
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
    import numpy as np
    import numpy.typing as npt
    from rich.console import RenderableType

    from spelunke.analysis.analysis import Appraiser, DeviceAppraiser
    from spelunke.boards.scene import OrderForm, Scene, Summary
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
"""The fields of a form: for each name, all its values in order."""

PositionWords = Mapping[str, object]
"""The contents of a position text, which is JSON."""


class Hooks(Generic[S, A, V, E]):
    """All hooks with their defaults. A game can be played even if it overrides none of them."""

    # --- answers out of turn, and their time ---

    def answer_window_ms(self, options: Options, live: bool, s: S) -> int | None:
        """Return the window of a decision: its time limit in milliseconds, or None if it has no limit.

        For a seat that has not acted when the window closes, the server plays ``silent_action``. The server calls
        this hook after each row of a table's log, if a seat is to act then. The window is the same for all seats that
        are to act. ``live`` is True if people play at the same time, and False at a table that lasts days. Everybody
        sees the length of the window, so it may depend only on facts that everybody knows. Default: None.
        """
        return None

    def visible_wait(self, options: Options, live: bool, s: S) -> tuple[str, int] | None:
        """Return the name and the length in milliseconds of a wait that everybody sees, or None if there is none.

        An example is a pause in which seats may call out of turn. The server calls the hook after each row of a
        table's log, if a seat is to act then. The result may depend only on facts that everybody knows. As long as the
        name stays the same, the wait goes on to its end, even if seats act during it. If a seat could not act before
        the wait, its clock starts only when the wait ends. Default: None.
        """
        return None

    def seats_maybe_asked(self, s: S, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        """Return a name for the current decision, and the seats that may still have to act, as far as the viewer knows.

        The result must not reveal which seats have already acted. Return None if everybody knows which seats are
        to act. After each row of a table's log, if a seat is to act then, the server calls the hook with ``viewer``
        None (a spectator). If the result is not None, the server also calls the hook for each viewer to whom it shows
        the table. For this viewer, the result alone decides whose turn it is and which clocks of other seats run.
        Default: None.
        """
        return None

    def silent_action(self, s: S, seat: int) -> A | None:
        """Return the action to play if the seat does not act before its window (its time limit) closes.

        If the table waits for the seat, return None.

        The server calls the hook when a window closes. If a decision has a window, the server also calls the hook after
        each row of the log, for every seat. If the result is an action, the clock of the seat does not run.
        Default: None.
        """
        return None

    def action_on_arrival(self, action: A, s: S, since_first_ms: int | None) -> A:
        """Return the action to play when ``action`` arrives at the server: ``action`` itself, or another one.

        The result may depend on the time of arrival. For example, if two seats call at nearly the same time, a game
        can record the second call as tied with the first. ``since_first_ms`` is the time in milliseconds since the
        first action of the same type in this decision, or None if ``action`` is the first.

        The server calls the hook before it plays an action. It also calls the hook for each legal action of a seat,
        with None as the time, to see whether another seat's action has changed the seat's choices. It does not offer a
        person an action for which the result is another action. Default: ``action``.
        """
        return action

    # --- standing orders ---

    def action_by_orders(self, orders: object, view: V, legal: Sequence[A]) -> A | None:
        """Return the action that a seat's standing orders choose now, or None if the seat has to decide.

        If the orders can't be read, return None too. The server calls the hook for a seat that is to act and
        has orders. If a game overrides this hook, its tables offer standing orders. Default: None.
        """
        return None

    def check_orders(self, orders: object, view: V) -> object:
        """Return standing orders (JSON values) in the form in which the server stores them.

        Raise BadInput if the orders can't be read. The server calls the hook when a seat sets its orders.
        Default: the orders as given.
        """
        return orders

    def describe_orders(self, scene: Scene) -> OrderForm | None:
        """Return the form for standing orders in a terminal, or None.

        ``scene.private`` has the stored orders. ``scene.considered`` has the preview of the text that the viewer
        has typed. The terminal calls the hook when the viewer writes orders. Default: None (the terminal then asks
        for the name and the value of a field).
        """
        return None

    # --- forms ---

    def preview_draft(
        self, fields: Fields, view: V, events: Callable[[], Iterable[E]], orders: object
    ) -> msgspec.Struct | None:
        """Return a preview of a form while the seat fills it in, or None. Only that seat's board shows the preview.

        ``fields`` are the current fields of the form; the mapping may be empty. ``events()`` returns
        all earlier events, as the seat may see them. ``orders`` are the seat's stored orders. The server calls the hook
        when the seat looks at the table. If ``fields`` is empty, the server uses the same preview until an event
        occurs or the orders change. The terminal also calls the hook for its board, but ``events()`` is then empty, and
        ``orders`` is None. The hook must not play or store anything. Default: None.
        """
        return None

    def compose_move(self, fields: Fields) -> str | None:
        """Return the move text for a form in which several fields make one move, for example several checked cards.

        Return None if the game has no such form. The server calls the hook when a form sends the move ``compose``. The
        terminal calls the hook when a click or a key on the board sends the fields (``send`` in
        :mod:`spelunke.boards.drafting`). The server and the terminal parse the result like a typed move. Default: None.
        """
        return None

    # --- words ---

    def explain_refusal(self, action: A, s: S) -> str:
        """Return the reason why an action is not legal in this state, as a clause without a capital letter, or
        an empty text.

        The server calls the hook for an illegal action. The reason may depend only on facts that the seat may
        know. Default: an empty text.
        """
        return ""

    def explain_events(
        self, events: Sequence[E], before: S, after: S, names: Sequence[str], translate: Translator
    ) -> tuple[str, ...]:
        """Return a sentence to add to the event's own sentence, for each of these events of one ply.

        Such a sentence can say why something did not happen. If there is nothing to add, it is an empty text.
        ``before`` and ``after`` are the states before and after the ply. ``events`` are the events that the reader may
        know, and the sentences may depend only on facts that everybody knows. The server calls the hook for each ply in
        the log of a table or a replay, and the terminal for each ply that it reports. Default: an empty tuple.
        """
        return ()

    def reveals(self, action: A, s: S) -> bool:
        """Return whether an action, played in state ``s``, reveals something hidden or hides something visible.

        The server calls the hook when a seat wants to take back its newest action. The seat can't take the action back
        if the result is True, or if chance has acted after this action. The result must not depend on hidden facts.
        Default: True. The server calls the hook only in games that override it. In all other games, an action can be
        taken back only if the game has neither hidden information nor simultaneous choices.
        """
        return True

    def hides_nothing(self, s: S) -> bool:
        """Return whether all seats and spectators know the same in state ``s``: their views differ only in ``seat``.

        If several people share a device, each of them usually opens their hand there before they act. But if the
        result is True and only one seat is to act, the page shows this seat's decision at once, to all people at the
        device. The server calls the hook only for shared devices, and only for games with hidden information or
        simultaneous choices. The result may depend only on facts that everybody knows. Default: False.
        """
        return False

    def move_forms(self) -> tuple[str, ...]:
        """Return an example of each form of move, such as ``place 4 left``. The most frequent form comes first.

        The terminal's help shows them. Default: an empty tuple.
        """
        return ()

    def begins_scene(self, event: E) -> bool:
        """Return whether a scene begins with this event.

        A scene is a series of events that the board shows as a whole. The board receives all events since the viewer's
        last action. If that action was in the middle of a scene, the board also receives the earlier events of this
        scene. To find them, the server calls the hook for the events from that action backwards. Default: False.
        """
        return False

    def sounds(self) -> Mapping[type[Event], str]:
        """Return a mapping from types of events to the sounds that the page plays: ``dice``, ``card`` or ``call``.

        Types without a sound are not in the mapping. The server calls the hook for the pages of tables. Default: an
        empty mapping (the game itself makes no sound).
        """
        return {}

    def title_language(self) -> str:
        """Return the code of the title's language, such as ``de``, or an empty text if the title is in no language.

        The server calls the hook for pages, so that screen readers pronounce the title correctly.
        Default: an empty text.
        """
        return ""

    def position_type(self) -> type[msgspec.Struct] | None:
        """Return the class that describes the JSON of position texts, for the published JSON Schema.

        Default: None (no schema).
        """
        return None

    # --- rounds, points, and games that are over ---

    def rounds_done(self, s: S) -> int:
        """Return the number of finished rounds (hours, deals) of the match.

        The server calls the hook after each row of a table's log. The result may depend only on facts that
        everybody knows. When the number rises, the table shows the summary of the round. Replays offer each
        round as a place to jump to. Default: 0 (there are no rounds).
        """
        return 0

    def setting_up(self, s: S) -> bool:
        """Return whether the table is being set up for a round.

        The summary of the round leaves out everything that seats gain during the set-up. The server calls the hook
        after each row of a table's log. The result may depend only on facts that everybody knows.
        Default: False (a round begins at the end of the previous one).
        """
        return False

    def name_round(self, s: S, translate: Translator) -> str:
        """Return the name of the current round, such as ``Hour 3``. If it is empty, the round has only a number.

        Summaries and the list of rounds in a replay show the name. Default: an empty text.
        """
        return ""

    def points(self, s: S) -> tuple[int, ...] | None:
        """Return the points that each seat would have if the game ended now, or None if points exist only at the end.

        The server calls the hook for each position of a replay, and for summaries. The result may depend only on
        facts that everybody knows. Default: None.
        """
        return None

    def open_view(self, s: S) -> V | None:
        """Return the view of a viewer from whom nothing is hidden, or None if a spectator already sees everything.

        The server calls the hook for positions of finished games and of the analysis board. At a running table, it
        also calls the hook to check whether anything is hidden now. Default: None.
        """
        return None

    # --- bots ---

    def bots(self) -> Mapping[str, Callable[..., Bot[V, A]]]:
        """Return the kinds of bots that only this game has, as a mapping by their names in ``levels.toml``.

        Each value is a function that makes a bot from the Game and the settings of a level. The server calls
        the hook if a level's ``bot`` is none of the general kinds. Default: an empty mapping.
        """
        return {}

    def warm_kernels(self) -> None:
        """Compile the kernels that a game needs only after its first moves, by calling each of them in advance.

        The process that compiles rules calls the hook while the server is already open. Default: do nothing.
        """

    # --- setting up positions ---

    def render_setup(self, position: PositionWords, translate: Translator) -> Markup | None:
        """Return the fields of a form for setting up a position, filled in from ``position``, or None.

        The analysis board shows the form. Without a form, people edit the position text. Default: None.
        """
        return None

    def read_setup(self, fields: Fields) -> PositionWords:
        """Return the position text for the fields of the form that :meth:`render_setup` made, as a mapping.

        Raise BadPosition if a field can't be read. The position itself is checked later, when its text is read.
        Default: an empty mapping.
        """
        return {}

    # --- measuring ---

    def appraiser(self) -> Appraiser[S, A] | None:
        """Return the game's own appraiser for analyses, or None.

        An appraiser computes the values of positions. Without one, playouts estimate the values. The server calls the
        hook for each analysis. The hook may take long, and the appraiser may cache its results (see
        :class:`spelunke.analysis.analysis.Appraiser`). Default: None.
        """
        return None

    def device_appraiser(self) -> Callable[[npt.NDArray[np.float64] | None], DeviceAppraiser[S, A]] | None:
        """Return a function that makes an appraiser for a reader's browser, or None.

        The browser computes the values for this appraiser. The function takes the browser's results, or None. With
        None, the appraiser only plans what the browser computes (see
        :class:`spelunke.analysis.analysis.DeviceAppraiser`). The server calls the hook for each analysis on a reader's
        device.

        Default: None. Then the browser runs the game's playouts. But if the game has its own :meth:`appraiser`, or if
        ``parts`` is 0 in its :meth:`playouts`, only the server analyses the game.
        """
        return None

    def device_file(self) -> bytes | None:
        """Return the file that browsers load for the values of :meth:`device_appraiser`, or None if they need none.

        ``make wasm`` calls the hook and stores the file beside the game's WebAssembly module. Default: None.
        """
        return None

    def playouts(self) -> Playouts[S, A, V]:
        """Return the settings of the playouts, such as the module with the quick choices, the depth and the budget.

        If the game has no appraiser, the server calls the hook for each analysis. In every game, the server calls it
        for the first estimates in the advice (see :class:`spelunke.analysis.playouts.Playouts`). Default: random
        choices to the end of the game.
        """
        return Playouts()

    def reasons(self, action: A, view: V, names: Sequence[str], translate: Translator) -> tuple[str, ...]:
        """Return the reasons for and against an action, as short sentences.

        The server calls the hook for the best alternatives of a decision, and for the action that was played.
        The reasons may use only the view and each seat's name in ``names``. A game can mark the reasons that speak for
        or against the action (``InFavour`` and ``Against`` of :mod:`spelunke.games.explaining`). If all marked reasons
        speak against the best move, the coach (which advises players) says how much better this move is than the
        others. Default: an empty tuple.
        """
        return ()

    def describe_action(self, action: A, view: V, names: Sequence[str], translate: Translator) -> str:
        """Return an action as an instruction to its player, such as ``Lay the 4 on Spanish 3``.

        If the result is an empty text, the sentence for the action's event is shown instead. The server calls the hook
        for texts to the player who acts: for each move in the advice and in problems, in the tip after a game, and in
        the player's own decisions in an analysis. The text may use only the view and each seat's name in ``names``, and
        should be the label of the action's button. It has no full stop. Default: an empty text.
        """
        return ""

    def themes(self) -> Mapping[str, str]:
        """Return the names of the themes of problems, such as ``Where to lay a die``.

        The key of a theme is the first word of the move that solves the problem. The collection of problems
        shows the names. If a theme has no name here, the collection shows its key. The kinds of errors
        (:meth:`kind_of_error`) have names here too. Default: an empty mapping.
        """
        return {}

    def kind_of_error(self, played: A, best: A) -> str:
        """Return the key of an error's kind in :meth:`themes`, or an empty text.

        The tip after a game names the kind of error that cost most. If the text is empty, the tip names the theme of
        the best move. Override the hook if this theme can be wrong. For example, if a player should not have played a
        trick card, the error is about tricks, even if the best move lays a die. Default: an empty text.
        """
        return ""

    def chance_key(self, s: S) -> tuple[int, ...]:
        """Return a key of the next chance event: ints that identify, for example, the second roll of seat 0 in
        round 3.

        The arena compares bots in games with the same luck. Several tables can have the same luck too
        (:mod:`spelunke.records.dealt`). In games with the same luck, the hook is called for each chance event, and the
        same key gives the same outcome. If a key occurs again in a game, its outcome is drawn independently.

        The key should identify the event precisely and depend little on earlier plies. Then luck has less
        influence on the comparison. Default: an empty tuple (chance events are identified by their order).
        """
        return ()

    # --- pages and terminal (``ui/`` of the game's folder) ---

    def render_board(self, scene: Scene) -> Markup | None:
        """Return the table as HTML and SVG for one viewer, with a button for every legal move, or None.

        The server calls the hook for each push to each viewer. The board may use only the scene. Default: None
        (the page shows a list of moves).
        """
        return None

    def render_summary(self, summary: Summary[V]) -> Markup | None:
        """Return the results of a round (the gains of each seat, and the reasons for them), or None.

        The server calls the hook for each viewer when a round has ended (hook ``rounds_done``), and at the end
        of a game. Default: None (the page shows the sentences of the round and the points).
        """
        return None

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        """Return those parts of the board, by id, that change while the viewer fills in a form.

        The server calls the hook when fields of a form with ``data-draft`` change. Default: an empty mapping.
        """
        return {}

    def render_sprite(self) -> Markup:
        """Return drawings that the board refers to.

        Each page contains them once, outside of the parts that the server pushes. Default: no drawings.
        """
        return Markup()

    def render_drawing(self, scene: Scene) -> Markup:
        """Return the board as one SVG drawing with all symbols to which it refers.

        The drawing has a ``viewBox``, and its colours use no variables. The server calls the hook for
        the preview picture of a link, and when a person downloads the picture of a position. In a preview, the title
        covers the lower half of the drawing.
        Default: no drawing (the game's own picture is shown).
        """
        return Markup()

    def render_picture(self) -> Markup:
        """Return a picture of the game for lobbies. Default: no picture."""
        return Markup()

    def render_illustration(self, part: str, scene: Scene) -> Markup | None:
        """Return a part of the board as a picture in the rules (:mod:`spelunke.games.illustration`), or None.

        The server calls the hook for each picture on the page of the rules. The picture may use only the scene,
        and its buttons do nothing. Default: None (the picture shows the whole board).
        """
        return None

    def render_terminal(self, scene: Scene) -> RenderableType:
        """Return the table for a terminal of 80 columns. Default: ``str(scene.view)``."""
        return str(scene.view)

    def render_screen(self, scene: Scene, screen: Screen) -> RenderableType:
        """Return the table for a terminal of any size (:mod:`spelunke.boards.screen`). ``spelunke tui`` shows it.

        The terminal calls the hook for each change, and each time the viewer considers a choice. While the viewer
        considers a choice, ``scene.arrows`` contains it with the kind ``chosen``. If a click on a part of the screen
        should play a move, give that part a Rich style with the meta entry ``move``, whose value is the move text.
        Default: the board of ``render_terminal``.
        """
        return self.render_terminal(scene)

    def prompt(self, scene: Scene) -> str:
        """Return a short prompt for the viewer, or an empty text if the viewer has nothing to decide.

        The server calls the hook for each push to a viewer who may act. The page shows the prompt
        in the line that says whose turn it is. Default: an empty text.
        """
        return ""

    def awaited(self, scene: Scene) -> str:
        """Return a sentence about the seat that the viewer waits for, such as "Bert may still call hep."

        The page shows this sentence. If it is an empty text, the page shows "It is Bert's turn." The server calls the
        hook for each push to a viewer, if exactly one seat is to act and it is not the viewer's.

        Default: an empty text.
        """
        return ""

    def key_help(self) -> tuple[tuple[str, str], ...]:
        """Return each key of the board with its effect, for the list of keys. Default: an empty tuple."""
        return ()

    # --- learning the game ---

    def lesson(self) -> Lesson | None:
        """Return the guided first game: a fixed line of plies with texts (:mod:`spelunke.games.lesson`).

        The server calls the hook when a lesson begins, and when it reads the log of a table that has a lesson. The
        moves are in the game's notation, and each is legal after the moves before it. If a new release changes a
        lesson, the lesson ends at all tables that are in the middle of it. Default: None (there is no lesson).
        """
        return None

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        """Return an explanation of each choice of the viewer, in plain words for a new player.

        The server calls the hook for each push to a viewer who may act, in the viewer's first games or as long as the
        viewer wants explanations. The terminal calls the hook for each decision of the viewer. The explanation may use
        only the scene. Default: an empty tuple.
        """
        return ()

    def signs(self) -> tuple[Sign, ...]:
        """Return the signs on the board (numbers, badges, icons) with their meanings, in reading order.

        The tour of the table's page shows them, and so does the list of signs in the rules. The texts are
        English, and the caller translates them. Default: an empty tuple.
        """
        return ()

    # --- not hooks: methods for callers ---

    @functools.cached_property
    def offered(self) -> frozenset[Callable[..., object]]:
        """The hooks that the game overrides, as functions of this class.

        Callers can write ``Hooks.prompt in game.hooks.offered``.
        """
        return frozenset(
            hook for name in hook_names() if getattr(type(self), name) is not (hook := getattr(Hooks, name))
        )

    def has(self, hook: Callable[..., object]) -> bool:
        """Return whether the game overrides this hook, for example ``game.hooks.has(Hooks.action_by_orders)``."""
        return hook in self.offered


@functools.cache
def hook_names() -> tuple[str, ...]:
    """Return the names of all hooks, in the order in which this module defines them."""
    return tuple(
        name
        for name, value in vars(Hooks).items()
        if inspect.isfunction(value) and name[0] != "_" and name != "has"
    )
