"""Tools for drawing a game's board: names, keys, translated texts, the legal moves by kind, and caches."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from markupsafe import Markup

from spelunke.boards.markup import escape, flag, html
from spelunke.boards.scene import ByKind, Scene
from spelunke.core.caches import Cache

T = TypeVar("T")

DRAWN = 96 << 20
"""The maximum size, in bytes, of each of the two caches for drawn parts: one for pages, one for boards."""
EMPTY, ROUGHLY = 1000, 4000
"""Sizes in bytes. ``EMPTY`` is the assumed size of a `Sheet` without parts.

A sheet reports its new size to the cache when the size has changed by more than ``ROUGHLY``.
"""

_drawn: Cache[Hashable, Markup] = Cache(DRAWN)


def draw_once(key: Hashable, draw: Callable[[], Markup]) -> Markup:
    """Return the result of `draw`, cached under a key.

    The key must contain the table, the seat, and everything else on which the result depends.
    """
    found = _drawn.get(key)
    if found is None:
        found = draw()
        _drawn.put(key, found, 1000 + 2 * len(found))
    return found


SHORT_NAME = 10
"""The maximum length of a name that is always shown in full. Longer names may be shortened."""
LONGEST_END = 8


def render_name(name: str, names: Iterable[str]) -> Markup:
    """Return a name as HTML that a style sheet can shorten to the available width.

    A name of at most ``SHORT_NAME`` characters is never shortened. ``names`` are all names that are shown nearby. If
    another name begins with the same characters (at least ``SHORT_NAME // 2`` of them), the style sheet shortens only
    this common beginning, so the two names still look different. After this beginning, at most ``LONGEST_END``
    characters are shown. Screen readers always get the whole name.
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
    """Return the length of the common beginning of two names."""
    return next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


NAMED = {f"arrow{way.lower()}": f"Arrow{way}" for way in ("Left", "Right", "Up", "Down")}
"""The names of the arrow keys in ``aria-keyshortcuts``. The dict's keys are the browser's names in lower case."""


@lru_cache(maxsize=1024)
def keyed(keys: str, *, hold: bool = False) -> Markup:
    """Return HTML attributes for a control, so that each of ``keys`` presses it. The attributes begin with a space.

    ``keys`` are values of the browser's ``KeyboardEvent.key`` in lower case, separated by spaces. If ``hold`` is true,
    the key does not play the control's move at once: the move waits for Enter.
    """
    shortcuts = " ".join(
        NAMED.get(key, key.upper() if len(key) == 1 else key.capitalize()) for key in keys.split()
    )
    return html(' data-key="{}" aria-keyshortcuts="{}"{}', keys, shortcuts, flag("data-hold", hold))


@lru_cache(maxsize=256)
def cap(key: str) -> Markup:
    """Return a label that shows the key of a control. Style sheets show it only on devices with a keyboard.

    Screen readers skip the label, because the control's attributes already name the key.
    """
    return html('<kbd class="key" aria-hidden="true">{}</kbd>', key)


class Sheet:
    """A cache of the drawn parts of one viewer's board, each with the input for which it was drawn.

    A part is drawn again if its new input differs from the stored input. If little has changed, this comparison
    is cheaper than hashing the input. The sheet keeps only the last version of each part. For the reasons, see
    docs/why/boards.md.
    """

    __slots__ = ("_key", "_made", "_parts", "_size", "_weighed")

    def __init__(self, key: Hashable) -> None:
        self._key = key
        self._parts: dict[Hashable, tuple[object, Markup]] = {}
        self._made: dict[Hashable, tuple[object, object]] = {}
        self._size = self._weighed = EMPTY

    def draw(self, part: Hashable, seen: object, draw: Callable[[], Markup]) -> Markup:
        """Return a part of the board. Draw it again only if its input, ``seen``, has changed."""
        held = self._parts.get(part)
        if held is not None and held[0] == seen:
            return held[1]
        found = draw()
        self._parts[part] = (seen, found)
        self._size += 2 * (len(found) - len(held[1])) if held is not None else 500 + 2 * len(found)
        if abs(self._size - self._weighed) > ROUGHLY:
            self._weighed = self._size
            _sheets.weigh(self._key, self, self._size)
        return found

    def once(self, part: Hashable, seen: object, make: Callable[[], T]) -> T:
        """Return the result of ``make``. Call ``make`` again only if its input, ``seen``, has changed.

        Use this method only for small results, because the cache does not count their size.
        """
        held = self._made.get(part)
        if held is not None and held[0] == seen:
            return cast(T, held[1])
        found = make()
        self._made[part] = (seen, found)
        return found


_sheets: Cache[Hashable, Sheet] = Cache(DRAWN)


class Stage:
    """A scene with the helpers that every board needs: translated texts, ids, and the legal moves by kind.

    Each game derives its own class. The class adds the game's view, and names for the things on the game's board.
    """

    def __init__(self, scene: Scene, mark: str) -> None:
        """Store the scene. `mark` is the game's prefix in ids and class names."""
        self.scene = scene
        self._ = scene.translate
        self.id = f"{scene.table}-{mark}"

    def say(self, text: str, **values: object) -> Markup:
        """Return the translation of a text, filled with ``values`` and then escaped."""
        told = self._(text)
        return escape(told.format(**values) if values or "{" in told else told)

    def say_many(self, one: str, many: str, count: int, **values: object) -> Markup:
        """Return the translation of a text in the plural form for ``count``, filled with ``values`` and then escaped.

        ``one`` is the English singular, and ``many`` the English plural. ``{n}`` in the text is the count, unless
        ``values`` contain another ``n``.
        """
        return escape(self._.many(one, many, count).format(**{"n": count, **values}))

    def say_in(self, context: str, text: str, **values: object) -> Markup:
        """Return the translation of a text in a context, filled with ``values`` and then escaped."""
        return escape(self._.within(context, text).format(**values))

    def name(self, seat: int) -> str:
        """Return ``You`` for the viewer, else the player's name.

        In a replay, or if several people look at the scene, always return the player's name.
        """
        return self._("You") if self.is_mine(seat) else self.scene.names[seat]

    def is_mine(self, seat: int) -> bool:
        """Return whether sentences speak to this seat as *you*.

        In a replay, return False for every seat. Also return False if several people look at the scene.
        """
        return seat == self.scene.seat and not self.scene.past and not self.scene.shared

    def named(self, seat: int) -> str:
        """Return the player's name, never ``You``. Use it in sentences in the third person."""
        return self.scene.names[seat]

    def called(self, seat: int) -> Markup:
        """Return the result of :meth:`name` in a form that the style sheet can shorten."""
        return render_name(self.name(seat), self.scene.names)

    @cached_property
    def sheet(self) -> Sheet:
        """The cached parts of this table's board for its viewer, in the viewer's language."""
        scene = self.scene
        key = (self.id, scene.seat, scene.names, scene.past, scene.shared, scene.translate)
        found = _sheets.get(key)
        if found is None:
            found = Sheet(key)
            _sheets.put(key, found, EMPTY)
        return found

    def kept(self, part: Hashable, seen: object, draw: Callable[[], Markup]) -> Markup:
        """Return a part of the board. Draw it again only if its input has changed.

        ``seen`` is all input of the part except the table, the seat, the names, the language, ``Scene.past`` and
        ``Scene.shared``.
        """
        return self.sheet.draw(part, seen, draw)

    def same(self, part: Hashable, seen: T) -> T:
        """Return the result of the previous call with this ``part`` if it is equal to ``seen``, else ``seen``.

        This makes later comparisons faster, because identical objects compare fastest.
        """
        return self.sheet.once(part, seen, lambda: seen)

    @cached_property
    def legal(self) -> ByKind:
        """The legal actions and their move texts, by kind."""
        return ByKind(self.scene.legal)

    @cached_property
    def free(self) -> ByKind:
        """The actions of ``Scene.legal`` and of ``Scene.revise`` with their move texts, by kind."""
        return ByKind(self.scene.legal + self.scene.revise)
