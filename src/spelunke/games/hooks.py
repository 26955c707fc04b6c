"""All that a game may offer besides its rules: every hook with its signature, when it is called, and its default.

A game overrides what it needs in one file of its folder, ``hooks.py``::

    class DinghyHooks(Hooks[State, Action, View, Event]):
        def explain_refusal(self, action: Action, s: State) -> str:
            return "nothing is aboard yet"

    HOOKS = DinghyHooks()

``hooks.py`` is loaded once, when something first asks (:attr:`spelunke.games.game.Game.hooks`). Names and parameters
are checked when the shelf is opened (:mod:`spelunke.games.checks`), without importing the file: a misspelt hook is
refused there. A hook changes nothing, keeps nothing between calls, and may be called from any thread. ``s`` is a state
record that must not be written to. ``docs/hooks.md`` lists every hook.
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

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spelunke.analysis.analysis import Appraiser
    from spelunke.boards.scene import Scene, Summary
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
"""A position text: what its JSON holds."""


class Hooks(Generic[S, A, V, E]):
    """The hooks with their defaults: a game that overrides nothing is played all the same."""

    # --- answers out of turn, and their time ---

    def answer_window_ms(self, options: Options, live: bool, s: S) -> int | None:
        """How many milliseconds the open decisions may wait until silence is an answer; None: for ever.

        Called after each row of a table, for all seats that are asked. ``live``: people sit together, it is not a
        table over days. It must not depend on anything that a seat may not know, or its length would tell.
        Default: None.
        """
        return None

    def visible_wait(self, options: Options, live: bool, s: S) -> tuple[str, int] | None:
        """Name and milliseconds of a time in which everybody sees the table wait; None: nobody does.

        Called after each row. Rests on nothing but what everybody knows. It is shown from when it began until it is
        over, whoever has answered meanwhile, and no clock of a seat that could not act before its end runs until
        then.
        Default: None.
        """
        return None

    def seats_maybe_asked(self, s: S, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
        """The name of a moment that tells nobody who has answered, and the seats that this viewer may take to be asked
        in it.

        Called after each row, for each viewer (None: a spectator). What others are shown of clocks and of who is
        asked rests on it alone. None: everybody knows who is asked.
        Default: None.
        """
        return None

    def silent_action(self, s: S, seat: int) -> A | None:
        """What a seat plays that has said nothing until its window closed; None: it is still waited for.

        Called when a window closes, and after each row for every seat that is asked: the clock of a seat whose
        silence is an answer does not run.
        Default: None.
        """
        return None

    def action_on_arrival(self, action: A, s: S, since_first_ms: int | None) -> A:
        """The action as it counts when it comes so many milliseconds after the first of its kind in this decision.

        Called before an action is played, and for each legal action to see which are one choice of the seat, whatever
        becomes of them in time (``since_first_ms`` None: it is the first). For calls that are as good as
        simultaneous.
        Default: the action itself.
        """
        return action

    # --- standing orders ---

    def action_by_orders(self, orders: object, view: V, legal: Sequence[A]) -> A | None:
        """What a seat's standing orders do now; None leaves it to the seat.

        Called for a seat that is asked and keeps orders. A game that overrides it has standing orders. Orders that
        mean nothing must do nothing.
        Default: None.
        """
        return None

    def check_orders(self, orders: object, view: V) -> object:
        """The orders (JSON values) as they are kept; raises BadInput for what means nothing.

        Called when a seat sets its orders.
        Default: as they were given.
        """
        return orders

    # --- forms ---

    def preview_draft(
        self, fields: Fields, view: V, events: Callable[[], Iterable[E]], orders: object
    ) -> msgspec.Struct | None:
        """What the fields of a form come to that the seat is still filling in; the board shows it to that seat alone.

        Called for each look of a seat, with the fields that its page has sent (empty: none). ``events()`` gives all
        events so far as the seat knows them, ``orders`` are those that are kept. Nothing is played or kept.
        Default: None.
        """
        return None

    def compose_move(self, fields: Fields) -> str | None:
        """The move text of a form whose move is put together from several fields (checked cards); None: the game has
        none.

        Called when a form sends the move ``compose``. The text is then read like any other.
        Default: None.
        """
        return None

    # --- words ---

    def explain_refusal(self, action: A, s: S) -> str:
        """Why an action is not legal in this state, as a clause without a capital; empty when nothing more is to be
        said.

        Called for an illegal action. May rest on nothing that the seat which tried it may not know.
        Default: empty.
        """
        return ""

    def move_forms(self) -> tuple[str, ...]:
        """What moves look like, the commonest first (``place 4 left``): for the help of the terminal.

        Default: none.
        """
        return ()

    def begins_scene(self, event: E) -> bool:
        """Whether a scene begins with this event, which the board tells as a whole.

        Called for the newest events: the board is given all from the last such event on, even after the viewer acted.
        Default: False.
        """
        return False

    def sounds(self) -> Mapping[type[Event], str]:
        """Name what is heard when events of these kinds come: ``dice``, ``card`` or ``call``.

        Called once, for the pages of tables.
        Default: none, nothing is heard of the game itself.
        """
        return {}

    def position_type(self) -> type[msgspec.Struct] | None:
        """The struct of the game's position text, for the published JSON Schema.

        Default: None, no schema.
        """
        return None

    # --- rounds, points, and games that are over ---

    def rounds_done(self, s: S) -> int:
        """How many rounds (hours, deals) of the match are over, whatever the game calls them.

        Called after each row. It rests on nothing but what everybody knows. When it goes up a round has ended: its
        summary is shown to those at the table, and a replay can go there.
        Default: 0, there are no rounds.
        """
        return 0

    def setting_up(self, s: S) -> bool:
        """Whether the table is being laid out for a round: what comes to anybody then is not what the round brought.

        Called after each row. It rests on nothing but what everybody knows.
        Default: False, a round begins where the one before has ended.
        """
        return False

    def name_round(self, s: S, translate: Callable[[str], str]) -> str:
        """What the round that is being played is called: ``Hour 3``; empty: it has a number and no name.

        Called for the list of rounds of a replay, and for summaries.
        Default: empty.
        """
        return ""

    def points(self, s: S) -> tuple[int, ...] | None:
        """The points of each seat as they stand, counted as at the end; None: there are none before the end.

        Called after each row of a game that is looked at again, and for summaries. It rests on nothing but what
        everybody knows.
        Default: None.
        """
        return None

    def open_view(self, s: S) -> V | None:
        """The View of somebody from whom nothing is hidden; None: a spectator sees all there is.

        Called for the positions of games that are over, and for no others.
        Default: None.
        """
        return None

    # --- bots ---

    def bots(self) -> Mapping[str, Callable[..., Bot[V, A]]]:
        """The game's own kinds of bots by the name that ``levels.toml`` uses; each is called with the Game and the
        settings.

        Called when a level is seated whose ``bot`` is none of the general ones.
        Default: none.
        """
        return {}

    def warm_kernels(self) -> None:
        """Call kernels that a first game does not reach at once, so that they are compiled before somebody waits for
        them.

        Called in the process that compiles beside an open house.
        Default: nothing.
        """

    # --- setting up positions ---

    def render_setup(self, position: PositionWords, translate: Callable[[str], str]) -> Markup | None:
        """The fields of a form in which a position is set up by hand, filled in from a position text; None: the text is
        all there is.

        Called for the analysis board.
        Default: None.
        """
        return None

    def read_setup(self, fields: Fields) -> PositionWords:
        """The position text that the fields of that form mean; raises BadPosition where one can't be read.

        Whether the position is possible is found when the text is read.
        Default: nothing.
        """
        return {}

    # --- measuring ---

    def appraiser(self) -> Appraiser[S, A] | None:
        """Who says what positions are worth, for analyses; None: they are played out many times.

        Called for each analysis. It may be slow to make and keep what it works out; see
        :class:`spelunke.analysis.analysis.Appraiser`.
        Default: None.
        """
        return None

    def playouts(self) -> Playouts[S, A, V]:
        """How positions are played out where no appraiser judges them: quick choices, how far, what is looked at first.

        Called for each analysis; see :class:`spelunke.analysis.playouts.Playouts`.
        Default: to the end of the game, everybody at random.
        """
        return Playouts()

    def reasons(
        self, action: A, view: V, names: Sequence[str], translate: Callable[[str], str]
    ) -> tuple[str, ...]:
        """What speaks for an action and against it, in short sentences made from what its seat sees; ``names`` by seat.

        Called for the best alternatives of a decision, and for what was played. It knows nothing but the view.
        Default: none.
        """
        return ()

    def themes(self) -> Mapping[str, str]:
        """What problems are about, by the first word of the move that solves them: ``Where to lay a die``.

        Called for the collection of problems. A theme that is not named here is called by that word.
        Default: none.
        """
        return {}

    def chance_key(self, s: S) -> tuple[int, ...]:
        """What it is that chance decides now (the second roll of seat 0 in round 3), as numbers.

        Called at each chance of games between bots that shall share their luck. Where the same key comes again in
        a game, its luck is another. The better it tells what is decided, and the less what was played before, the less
        luck is left in a comparison.
        Default: nothing, chance is told apart by how often there was one.
        """
        return ()

    # --- pages and terminal (``ui/`` of the game's folder) ---

    def render_board(self, scene: Scene) -> Markup | None:
        """The table as HTML and SVG for one viewer; every legal move is a button. None: a plain list of moves is shown.

        Called for each push of each viewer. Knows nothing but the scene.
        Default: None.
        """
        return None

    def render_summary(self, summary: Summary[V]) -> Markup | None:
        """What a round brought, card by card: who got what and why. None: its sentences and the points are told.

        Called when a round has ended (hook ``rounds_done``), and at the end of a game, for each viewer.
        Default: None.
        """
        return None

    def render_draft(self, scene: Scene) -> Mapping[str, Markup]:
        """The parts of the board, by id, that follow what the viewer picks or writes.

        Called when the fields of a form change that has ``data-draft``.
        Default: none.
        """
        return {}

    def render_sprite(self) -> Markup:
        """Drawings that the board refers to; they stand once on a page, outside of what is pushed.

        Default: none.
        """
        return Markup()

    def render_picture(self) -> Markup:
        """The game at a glance, for lobbies.

        Default: none.
        """
        return Markup()

    def render_illustration(self, part: str, scene: Scene) -> Markup | None:
        """A part of the board as a picture in the rules (:mod:`spelunke.games.illustration`); None: the whole board.

        Called for each picture that the page of the rules shows. Knows nothing but the scene; nothing can be pressed.
        Default: None.
        """
        return None

    def render_terminal(self, scene: Scene) -> RenderableType:
        """The table in a terminal of 80 columns.

        Default: the view as it is.
        """
        return str(scene.view)

    def prompt(self, scene: Scene) -> str:
        """What is asked of the viewer, in few words; empty if nothing is.

        Called for each push to a viewer who may act; the page says it beside whose turn it is.
        Default: empty.
        """
        return ""

    def key_help(self) -> tuple[tuple[str, str], ...]:
        """The plain keys of the board and what they do, for the list of keys.

        Default: none.
        """
        return ()

    # --- learning the game ---

    def lesson(self) -> Lesson | None:
        """The guided first game: a fixed line of plies with what is said on the way (:mod:`spelunke.games.lesson`).

        Called when a lesson begins, and when its table is replayed. Its moves are written as the game writes them, and
        are legal one after the other. A lesson that has been changed ends at tables that are in the midst of it.
        Default: None, the game is not taught.
        """
        return None

    def explain_choices(self, scene: Scene) -> tuple[Meaning, ...]:
        """What each choice of the viewer does, in plain words, for somebody who plays the game for the first times.

        Called for each push to a viewer who may act, in a person's first games. Knows nothing but the scene.
        Default: none, nothing is explained.
        """
        return ()

    def signs(self) -> tuple[Sign, ...]:
        """The signs on the board (numbers, badges, icons) and what each means, in the order in which one looks at them.

        Called for the tour through the table's page, and for the list of signs in the rules. English, translated by
        who shows it.
        Default: none.
        """
        return ()

    # --- not hooks: what the callers ask ---

    def has(self, hook: Callable[..., object]) -> bool:
        """Whether the game overrides this hook: ``game.hooks.has(Hooks.action_by_orders)``."""
        return getattr(type(self), hook.__name__) is not hook


@functools.cache
def hook_names() -> tuple[str, ...]:
    """The names of all hooks, in the order of this page."""
    return tuple(
        name
        for name, value in vars(Hooks).items()
        if inspect.isfunction(value) and name[0] != "_" and name != "has"
    )
