"""What a game's board is made from, and nothing besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, Literal, TypeVar

from markupsafe import Markup

from spelunke.core.caches import draw_once
from spelunke.core.markup import escape, flag, html
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action, Event, View

V = TypeVar("V", bound=View)


def plain(text: str) -> str:
    """The translation into the language the words are written in."""
    return text


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """The same names, numbered from the second of a kind on, so that a log can't be misread."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(found)


SHORT_NAME = 10
"""So many letters are shown everywhere in full; of longer names the middle may be left out."""
LONGEST_END = 8


def render_name(name: str, names: Iterable[str]) -> Markup:
    """A name that a style sheet may shorten where it has no room, so that those beginning alike are still told apart.

    ``names`` are all that stand beside it. What is left out is left out before the letters that tell it from them; who
    listens hears all of it.
    """
    if len(name) <= SHORT_NAME:
        return escape(name)
    same = max((_common(name, other) for other in names if other != name), default=0)
    cut = min(same, len(name) - 3) if same >= SHORT_NAME // 2 else len(name)
    end = name[cut:] if len(name) - cut <= LONGEST_END else f"{name[cut : cut + LONGEST_END - 1]}…"
    return html(
        '<span class="name" title="{0}"><span class="sr">{0}</span>'
        '<span class="name-head" aria-hidden="true">{1}</span>'
        '<span class="name-end" aria-hidden="true">{2}</span></span>',
        name,
        name[:cut],
        end,
    )


def _common(one: str, other: str) -> int:
    """How many letters two names begin with alike."""
    return next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


NAMED = {f"arrow{way.lower()}": f"Arrow{way}" for way in ("Left", "Right", "Up", "Down")}
"""Keys that are not just capitalized by the browser."""


@lru_cache(maxsize=1024)
def keyed(keys: str, *, hold: bool = False) -> Markup:
    """Attributes (with a leading space) that let a control be pressed by a plain key, or by any of several.

    The names are those of the browser's ``KeyboardEvent.key`` in lower case. With ``hold`` the key alone does not
    play: the move waits for Enter.
    """
    shortcuts = " ".join(
        NAMED.get(key, key.upper() if len(key) == 1 else key.capitalize()) for key in keys.split()
    )
    return html(' data-key="{}" aria-keyshortcuts="{}"{}', keys, shortcuts, flag("data-hold", hold))


@lru_cache(maxsize=256)
def cap(key: str) -> Markup:
    """A key's cap beside the words of its control, where there is a keyboard; unheard, as the control tells its key."""
    return html('<kbd class="key" aria-hidden="true">{}</kbd>', key)


ArrowKind = Literal["best", "played"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An action that a board marks: the best there was, or what was done instead."""

    kind: ArrowKind
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One moment of a table as one viewer may see it.

    ``view`` is the game's View for that viewer; ``seat`` is None for a spectator. ``legal`` pairs each action that the
    viewer may take now with its move text. ``last`` are the events since the viewer's last own act, oldest first, as
    that viewer may know them. ``arrows`` are actions to be marked (empty when nothing is). ``table`` is the table's
    name in addresses, for ids that must be unique on a page. ``private`` is what the game keeps for this seat alone
    at the house (standing orders). ``revise`` pairs the ways to change a choice that the viewer has sealed with
    their move texts, like ``legal``. ``draft`` are the fields of the board's form that the viewer has filled in and
    not sent, ``considered`` is what the game makes of them. While everybody sees the table wait, ``pause_ms`` is how
    long in all, and ``pause_left_ms`` what is left. ``past``: it is a moment of a game that is over, looked at again;
    nothing can be done in it, so forms of any kind are out of place.
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
    translate: Callable[[str], str] = plain
    arrows: tuple[Arrow, ...] = ()
    table: str = "table"
    private: object = None
    draft: Mapping[str, Sequence[str]] = field(default_factory=dict)
    considered: Any = None
    pause_ms: int | None = None
    pause_left_ms: int | None = None
    past: bool = False
    preferences: dict[str, str] = field(default_factory=dict)

    @property
    def mine(self) -> bool:
        """Whether the viewer is asked to act."""
        return bool(self.legal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Generic[V]):
    """What a round (an hour, a deal) brought, as one viewer may know it: what is shown at its end.

    ``before`` and ``view`` are the game's Views for that viewer at its beginning and after its end, ``events`` all that
    the viewer was told in between, oldest first. ``points_before`` and ``points`` are by seat (hook ``points``; None:
    the game counts none). ``over``: the game ended with it. The rest is as in :class:`Scene`.
    """

    before: V
    view: V
    events: tuple[Event, ...]
    seat: int | None
    names: tuple[str, ...]
    points_before: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    over: bool = False
    translate: Callable[[str], str] = plain
    table: str = "table"

    def say(self, text: str, **values: object) -> Markup:
        """A translated sentence with its values, escaped."""
        return escape(self.translate(text).format(**values))


class ByKind:
    """Actions with their move texts, sorted by the kind of action; false when there are none."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Sequence[tuple[Action, str]]) -> None:
        self._pairs = pairs

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def __contains__(self, kind: type[Action]) -> bool:
        return any(type(action) is kind for action, _ in self._pairs)

    def __getitem__(self, kind: type[Action]) -> list[tuple[Any, str]]:
        return [pair for pair in self._pairs if isinstance(pair[0], kind)]

    def get(self, kind: type[Action], default: Iterable[tuple[Any, str]] = ()) -> list[tuple[Any, str]]:
        """The actions of this kind, or ``default`` where there are none."""
        return self[kind] or list(default)


class Stage:
    """A scene with what every board asks of it: its words, an id for its parts, the legal moves by kind.

    A game makes its own of it, which knows the game's view and what its things are called.
    """

    def __init__(self, scene: Scene, mark: str) -> None:
        """`mark` is the game's own letters in ids and class names."""
        self.scene = scene
        self._ = scene.translate
        self.id = f"{scene.table}-{mark}"

    def say(self, text: str, **values: object) -> Markup:
        """A translated sentence with its values, escaped."""
        return escape(self._(text).format(**values))

    def name(self, seat: int) -> str:
        """``You`` for the viewer, else the player's name; in a past that is looked at again all have their names."""
        mine = seat == self.scene.seat and not self.scene.past
        return self._("You") if mine else self.scene.names[seat]

    def called(self, seat: int) -> Markup:
        """The same as :meth:`name`, for places where it may have to be shortened."""
        return render_name(self.name(seat), self.scene.names)

    def kept(self, part: str, seen: Hashable, draw: Callable[[], str]) -> str:
        """A part of the board that seldom changes, drawn once; rests on what is ``seen`` and on the scene's words."""
        scene = self.scene
        return draw_once((self.id, part, scene.seat, scene.names, scene.past, scene.translate, seen), draw)

    @cached_property
    def legal(self) -> ByKind:
        """The legal actions and their move texts, by kind."""
        return ByKind(self.scene.legal)

    @cached_property
    def free(self) -> ByKind:
        """Like `legal`, with the ways to change a choice that is sealed."""
        return ByKind(self.scene.legal + self.scene.revise)
