"""What is kept so that it need not be worked out twice: what, for whom, and until when. Of house, web, boards.

| kept | where | for whom: its key | until | at most |
|---|---|---|---|---|
| tables, replayed | `TableStore` | everybody | used longest ago | `TABLES` |
| names of people | `People` | everybody: the id | renamed or removed; by another worker: `NAME_S` | `PEOPLE` |
| who a cookie or a token is | `Site` | who shows it | used longest ago | `TOKENS` |
| who a device's token is | `Devices` | who shows it: its hash | ended, an hour; elsewhere `NAME_S` | `DEVICES` |
| how much a person has not read | `Inbox` | that person: the id | told, read; by another worker: `NAME_S` | `UNREAD` |
| what is asked after a row | `Moment` | everybody: nothing there is hidden | the next row | its table's |
| who is at a seat | `Presence` | everybody: nothing there is hidden | somebody is heard of, or time passes | its most |
| names, what proves chance | `Table.by_facts` | a seat, or all | the facts change | its table's |
| what was noticed, links, the view | `Noticed` | a seat, or all spectators | the view: the next row | its table's |
| cards that lie open | views of an open game | everybody: where all cards lie | used longest ago | `VIEWED` |
| where the newest round began and ended | `Table` | nobody: views are made of it | the next round | its table's |
| told lines of the log | `Noticed` | the same, by language and names | the end of the game | its table's |
| parts of pages, messages | `Renderings` | one `Knowledge`, language, address | see `RENDERED_S` | `RENDERINGS` |
| parts of boards and pages that seldom change | `draw_once` | one table, seat, language | used longest ago | `DRAWN` |
| short texts as HTML | `escape` | everybody: the text itself | used longest ago | 8,192 texts |
| finished games in all positions | `Replays` | everybody: nothing is hidden any more | used longest ago | `COURSES` |
| what proves a record | `Replays` | everybody | used longest ago | `VERDICTS` |
| analyses of finished games | `Analyses` | everybody | used longest ago | `ANALYSES` |
| judgements of positions | `Judging` | everybody: the position | used longest ago | `JUDGEMENTS` |
| lines of the log as HTML | `Renderings` | one `Knowledge` and language | lines before it change | `RENDERINGS` |
| files, compressed | `web.compressing` | everybody: the file itself | the end of the process | its files |

A key holds all that what is kept may rest on, so that nobody is handed what somebody else knows, and nobody's wait
tells what they can't know. What belongs to a table goes with it; the rest is a :class:`Cache`. Bytes are estimates.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
M = TypeVar("M", bound=str)

TABLES = 256 << 20
PEOPLE = 8 << 20
TOKENS = 8 << 20
DEVICES = 8 << 20
UNREAD = 4 << 20
RENDERINGS = 64 << 20
DRAWN = 192 << 20
VIEWED = 16 << 20
COURSES = 64 << 20
VERDICTS = 1 << 20
ANALYSES = 16 << 20
JUDGEMENTS = 8 << 20
NAME_S = 5.0
"""How long another worker may show the name that somebody has given up, or take a device that was ended."""
RENDERED_S = 1.0
"""What was drawn is shown while its reader's version and stamp stay, but so long at most: it tells the time left."""


class Cache(Generic[K, V]):
    """Values by key, of at most so many bytes in all; what was used longest ago goes first. Thread-safe.

    `seconds`: how long a value is good; then the oldest goes first, and goes when its time is over. Values of one kind
    may all count the same (`each`), or are weighed at `put`.
    """

    def __init__(
        self,
        most: int,
        *,
        each: int = 0,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._each = each
        self._seconds = seconds
        self._clock = clock
        self._gate = threading.Lock()
        self._held: OrderedDict[K, tuple[V, int, float]] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """How many bytes it is taken to hold."""
        return self._size

    def get(self, key: K) -> V | None:
        """The value, or None."""
        with self._gate:
            found = self._held.get(key)
            if found is None:
                return None
            value, size, at = found
            if self._seconds is not None and self._clock() - at > self._seconds:
                del self._held[key]
                self._size -= size
                return None
            if self._seconds is None:
                self._held.move_to_end(key)
            return value

    def put(self, key: K, value: V, size: int | None = None) -> None:
        """Keep a value of so many bytes."""
        size = self._each if size is None else size
        with self._gate:
            old = self._held.pop(key, None)
            self._held[key] = (value, size, self._clock())
            self._size += size - (0 if old is None else old[1])
            self._make_room()

    def weigh(self, key: K, value: V, size: int) -> None:
        """The value, if it is still held, has come to hold so many bytes."""
        with self._gate:
            found = self._held.get(key)
            if found is not None and found[0] is value:
                self._held[key] = (value, size, found[2])
                self._size += size - found[1]
                self._make_room()

    def _make_room(self) -> None:
        while self._size > self._most and len(self._held) > 1:
            self._size -= self._held.popitem(last=False)[1][1]
        if self._seconds is not None:
            over = self._clock() - self._seconds
            while self._held and next(iter(self._held.values()))[2] < over:
                self._size -= self._held.popitem(last=False)[1][1]

    def drop(self, key: K) -> None:
        """Forget a value."""
        with self._gate:
            old = self._held.pop(key, None)
            self._size -= 0 if old is None else old[1]

    def clear(self) -> None:
        """Forget all."""
        with self._gate:
            self._held.clear()
            self._size = 0


_drawn: Cache[Hashable, str] = Cache(DRAWN)


def draw_once(key: Hashable, draw: Callable[[], M]) -> M:
    """What `draw` gives, kept by a key that holds all that it rests on, and whose it is: a table and a seat there."""
    found = _drawn.get(key)
    if found is None:
        found = draw()
        _drawn.put(key, found, 1000 + 2 * len(found))
    return cast(M, found)
