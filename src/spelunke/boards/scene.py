"""The input for drawing a board: one moment of a table, with only what the viewer may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action, Event, View
from spelunke.core.words import Translator, plain

V = TypeVar("V", bound=View)

ArrowKind = Literal["best", "played", "chosen"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An action that a board marks: the best one, the one that was played, or the one that the viewer considers."""

    kind: ArrowKind
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One moment of a table as one viewer may see it.

    ``view`` is the game's View for that viewer; ``seat`` is None for a spectator. ``last`` are the newest events as
    the viewer may see them, oldest first. For a seat, they usually begin with the seat's own last action
    (:meth:`spelunke.records.viewer.LogViewer.last`).

    ``legal`` pairs each action that the viewer may take now with its move text. ``revise`` has, in the same
    form, the actions that change the viewer's choice while this choice is hidden from the other seats. ``arrows`` are
    the actions to mark.

    ``draft`` are the fields of the board's form that the viewer has filled in but not sent. ``considered`` is the
    game's preview of these fields (hook ``preview_draft``). ``private`` is the game's private data for this seat,
    such as its standing orders.

    ``table`` is the table's id, as in web addresses. Boards use it to make the ids of their elements unique.
    ``pause_ms`` is the length in milliseconds of a pause in which seats may call out of turn, and ``pause_left_ms``
    is the rest of this pause. Both are None if there is no pause. If ``past`` is true, the scene is a moment of a
    replay: nobody can act in it, so draw no forms. ``faces`` is a function that draws the portraits of the players,
    and returns them by seat. It returns an empty tuple if there are no portraits. Call this function only
    to show the portraits. If ``shared`` is true, several people look at the page: draw no private forms, such as
    standing orders, and call nobody *you*. If ``takes_orders`` is false, the player can't give standing orders, because
    they have resigned.
    """

    view: Any
    seat: int | None
    names: tuple[str, ...]
    legal: tuple[tuple[Action, str], ...] = ()
    revise: tuple[tuple[Action, str], ...] = ()
    last: tuple[Event, ...] = ()
    actors: tuple[int, ...] = ()
    over: bool = False
    outcome: Outcome | None = None
    translate: Translator = plain
    arrows: tuple[Arrow, ...] = ()
    table: str = "table"
    private: object = None
    draft: Mapping[str, Sequence[str]] = field(default_factory=dict)
    considered: Any = None
    pause_ms: int | None = None
    pause_left_ms: int | None = None
    past: bool = False
    preferences: dict[str, str] = field(default_factory=dict)
    faces: Callable[[], tuple[Markup, ...]] = tuple
    shared: bool = False
    takes_orders: bool = True

    @property
    def mine(self) -> bool:
        """Whether the viewer may take an action now. Changes of a hidden choice (``revise``) don't count."""
        return bool(self.legal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Generic[V]):
    """The end of a round (an hour, a deal), as one viewer may see it.

    ``before`` and ``view`` are the game's Views for that viewer at the beginning and after the end of the
    round. ``events`` are all events of the round that the viewer may see, oldest first. ``points_before`` and
    ``points`` are the points of each seat before and after the round, or None if the game has no points. If
    ``over`` is true, the game ended with this round. The other fields are as in :class:`Scene`.
    """

    before: V
    view: V
    events: tuple[Event, ...]
    seat: int | None
    names: tuple[str, ...]
    points_before: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    over: bool = False
    translate: Translator = plain
    table: str = "table"

    def say(self, text: str, **values: object) -> Markup:
        """Return the translation of a text, filled with ``values`` and then escaped."""
        return escape(self.translate(text).format(**values))

    def say_many(self, one: str, many: str, count: int, **values: object) -> Markup:
        """Return the translation of a text in the plural form for ``count``, filled with ``values`` and then escaped.

        ``one`` is the English singular, and ``many`` the English plural. ``{n}`` in the text is the count, unless
        ``values`` contain another ``n``.
        """
        return escape(self.translate.many(one, many, count).format(**{"n": count, **values}))


@dataclass(frozen=True, slots=True)
class OrderForm:
    """A terminal's form for standing orders (instructions for coming decisions). The viewer types them as one text.

    ``field`` is the key of this text in the stored orders, and ``now`` is the stored text. The first of
    ``lines`` shows how to write the text. The other lines explain more, for example what the typed text would do, or
    what is wrong with it.
    """

    field: str
    now: str
    lines: tuple[str, ...]


class ByKind:
    """Legal actions with their move texts, by the class of the action.

    An object without actions counts as false in an ``if``.
    """

    __slots__ = ("_of", "_pairs")

    def __init__(self, pairs: Sequence[tuple[Action, str]]) -> None:
        self._pairs = pairs
        self._of: dict[type[Action], list[tuple[Action, str]]] = {}
        for pair in pairs:
            self._of.setdefault(type(pair[0]), []).append(pair)

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def __contains__(self, kind: type[Action]) -> bool:
        return kind in self._of

    def __getitem__(self, kind: type[Action]) -> list[tuple[Any, str]]:
        return self._of.get(kind, [])

    def get(self, kind: type[Action], default: Iterable[tuple[Any, str]] = ()) -> list[tuple[Any, str]]:
        """Return the actions of this class with their move texts, or ``default`` if there are none."""
        return self[kind] or list(default)
