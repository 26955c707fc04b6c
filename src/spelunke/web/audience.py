"""All who have a stream of one table open here: one looks for all of them, and draws once for who knows the same.

A stream's heart beats by itself (`live.follow`); from here it only gets what is new to its reader.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator

from spelunke.house.house import House
from spelunke.house.messages import Change, Glance, Look
from spelunke.house.store import run
from spelunke.house.table import Stay
from spelunke.web.hearts import Hearts
from spelunke.web.renderings import Asker, Held, Kind, Renderings, Shown, Since
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE

AT_ONCE = 50
"""So many are told before the requests of others have their turn."""

FEW = 8
"""For so many is looked on the event loop itself: less than what a thread would cost."""

Drawn = dict[tuple[Hashable, ...], Shown]
"""What was drawn in one go, by kind, language, address and knowledge of its readers, and what they have of the log."""
News = bytes | Exception
"""What a stream is to send, or to end with."""


class Closing(Exception):  # never leaves the web: a stream ends with it
    """The house closes: its streams end."""


class Alarm:
    """Sets an event at a time of the event loop.

    One serves as long as the time stays: most waits end before it, and setting one costs more than they do.
    """

    __slots__ = ("_rings", "_timer", "_wake")

    def __init__(self, wake: asyncio.Event) -> None:
        self._wake = wake
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0

    def set(self, at: float) -> None:
        """Ring at that time, and at no other."""
        if self._timer is None or self._rings != at:
            self.stop()
            self._rings = at
            self._timer = asyncio.get_running_loop().call_at(at, self._ring)

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._wake.set()


class Reader:
    """One stream: who reads it, what it has, and what waits for it, at most one message."""

    def __init__(
        self,
        kind: Kind,
        asker: Asker,
        since: Since,
        stay: Stay,
        write: Callable[[Look], bytes] = lambda _look: b"",
    ) -> None:
        self.kind: Kind = kind
        self.asker = asker
        self.since = since
        self.stay = stay
        # how a look is written for a program
        self.write = write
        # what its page shows
        self.held = Held()
        # whether its newest message was a spectator's, and whether it was told how the game ended
        self.watches = False
        self.over = False
        # whether something may have happened while a message waited
        self.behind = False
        self._news: News | None = None
        self._wake = asyncio.Event()

    @property
    def has_news(self) -> bool:
        """Whether something waits for it."""
        return self._news is not None

    def put(self, news: News) -> None:
        """Let the stream send this, or end with it."""
        self._news = news
        self._wake.set()

    def rouse(self) -> None:
        """Let the stream go round once although there may be nothing to send."""
        self._wake.set()

    async def wait(self) -> bytes | None:
        """Return the next message, or None when it was roused. Raises what the stream is to end with."""
        await self._wake.wait()
        self._wake.clear()
        news, self._news = self._news, None
        if isinstance(news, Exception):
            raise news
        return news


class Audience:
    """The readers of one table. It looks at each change, at each alarm, and for who comes."""

    def __init__(self, table: str, house: House, renderings: Renderings, seconds: float) -> None:
        self._table = table
        self._house = house
        self._renderings = renderings
        # it looks at least so often, as changes may get lost
        self._seconds = seconds
        self._looks_at = asyncio.get_running_loop().time() + seconds
        self._readers: dict[Reader, None] = {}
        self._asked: dict[Reader, None] = {}
        # the newest that any change told of those that did
        self._heard: Change | None = None
        # whether the next look has to ask the store, whatever was heard
        self._unsure = True
        self._wake = asyncio.Event()
        self._alarm = Alarm(self._wake)
        self._running = asyncio.create_task(self._run())

    @property
    def readers(self) -> int:
        """How many there are."""
        return len(self._readers)

    def enter(self, reader: Reader) -> None:
        """Somebody comes."""
        self._readers[reader] = None
        self._unsure = True
        self.ask([reader])

    def leave(self, reader: Reader) -> None:
        """Somebody goes; without anybody it ends."""
        self._readers.pop(reader, None)
        self._asked.pop(reader, None)
        if not self._readers:
            self._running.cancel()

    def end(self) -> None:
        """Let all streams end."""
        for reader in self._readers:
            reader.put(Closing())

    def ask(self, readers: Iterable[Reader]) -> None:
        """Look whether there is something new for these."""
        self._asked |= dict.fromkeys(readers)
        self._wake.set()

    async def _run(self) -> None:
        bus = self._house.store.bus
        listener = bus.listen(
            self._table, self._hear
        )  # before the first look, so that nothing is missed in between
        try:
            while True:
                self._alarm.set(self._looks_at)
                await self._wake.wait()
                now = asyncio.get_running_loop().time()
                if self._looks_at <= now:
                    self._looks_at = now + self._seconds
                    self._unsure = True
                    self.ask(self._readers)
                self._wake.clear()
                asked, self._asked = self._asked, {}
                await self._tell([reader for reader in asked if not self._is_behind(reader)])
        finally:
            self._alarm.stop()
            bus.ignore(self._table, listener)

    def _hear(self, change: Change) -> None:
        if change.newest is None:
            self._unsure = True
        else:
            self._heard = change if self._heard is None else self._heard.joined(change)
        self.ask(self._readers)

    @staticmethod
    def _is_behind(reader: Reader) -> bool:
        """Whether it has not taken its last message yet: it is looked for when it has."""
        reader.behind |= reader.has_news
        return reader.has_news

    async def _tell(self, asked: list[Reader]) -> None:
        """Look for these readers, and give each what is new to it: first those who play."""
        news: list[tuple[Reader, News]]
        newest = None if self._unsure or self._heard is None else self._heard.newest
        self._unsure = False  # first: what is heard during the look is looked for again
        try:
            find = run if len(asked) <= FEW else call
            news, again_ms = await find(self._find, asked, newest)
        except Exception as error:  # noqa: BLE001  # each stream ends with it, and it is logged there
            self._unsure = True
            news, again_ms = [(reader, error) for reader in asked], None
        if again_ms is not None:
            self._looks_at = min(self._looks_at, asyncio.get_running_loop().time() + again_ms / 1000 + 0.01)
        news.sort(key=lambda pair: pair[0].watches)
        for number, (reader, told) in enumerate(news, 1):
            reader.put(told)
            if not number % AT_ONCE:
                await asyncio.sleep(0)

    # --- on the event loop for few, away from it for many

    def _find(
        self, asked: list[Reader], newest: tuple[int, int] | None
    ) -> tuple[list[tuple[Reader, News]], int | None]:
        """What is new to these readers, and after how many milliseconds to look again although nothing is heard."""
        news: list[tuple[Reader, News]] = []
        drawn: Drawn = {}
        readers = [(reader.asker.person, reader.stay) for reader in asked]
        glances = self._house.attendance.glances(self._table, readers, newest)
        for reader, glance in zip(asked, glances, strict=True):
            try:
                message = self._write_news(reader, glance, drawn)
            except Exception as error:  # noqa: BLE001  # as above; it is not the others'
                news.append((reader, error))
            else:
                if message is not None:
                    news.append((reader, message))
        return news, min((g.again_ms for g in glances if g.again_ms is not None), default=None)

    def _write_news(self, reader: Reader, glance: Glance, drawn: Drawn) -> bytes | None:
        LANGUAGE.set(reader.asker.language)
        known = (reader.since.version, reader.since.stamp)
        if (glance.version, glance.stamp) == known and (
            reader.kind == "look" or reader.held.marks is not None
        ):
            return None
        ply = reader.since.ply
        same = (reader.kind, *reader.asker[1:], glance, ply)
        shown = drawn.get(same)
        if shown is None:
            shown = drawn[same] = self._renderings.draw(reader.kind, self._table, reader.asker, glance, ply)
        look = shown.look
        if reader.kind == "page":
            hold_summary(self._house, look, reader.asker.person)
        if (look.version, look.stamp) == known:
            if reader.held.marks is None and reader.kind == "page":
                reader.held = Held(shown.marks)
            return None
        reader.watches = look.seat is None
        reader.since = shown.since_after(ply)
        if reader.kind == "look":
            return shown.write_look(ply, reader.write)
        # At the end everything is open: the log is told again, with what was hidden until now.
        ended = look.status == "over" and not reader.over
        reader.over = look.status == "over"
        if ended and shown.since:
            shown = self._renderings.draw(reader.kind, self._table, reader.asker, shown.glance, 0)
            reader.since = shown.since_after(ply)
        message, reader.held = shown.write_parts(reader.held, ply, whole=ended)
        return message


def hold_summary(house: House, look: Look, person: str | None) -> None:
    """The page is about to show a summary to who sits there: bots wait until it goes on. Blocking."""
    if look.summary is not None and look.seat is not None and person is not None:
        house.play.hold_summary(look.table, person)


class Audiences:
    """Those of all tables that somebody here reads."""

    def __init__(self, house: House, renderings: Renderings, seconds: float) -> None:
        self._house = house
        self._renderings = renderings
        self._seconds = seconds
        self.hearts = Hearts()
        self._open: dict[str, Audience] = {}

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return sum(audience.readers for audience in self._open.values())

    def end(self) -> None:
        """The house closes: let all streams end, so that nobody's is broken off."""
        for audience in self._open.values():
            audience.end()

    async def end_those(self, others: Callable[[str], bool]) -> None:
        """Let the streams of these tables end, some at a time: they are opened again where their table is."""
        for number, table in enumerate(list(self._open)):
            audience = self._open.get(table)
            if audience is not None and others(table):
                audience.end()
            if not number % AT_ONCE:
                await asyncio.sleep(0.1)

    @contextlib.contextmanager
    def joined(self, table: str, reader: Reader) -> Iterator[Audience]:
        """The reader among those of the table."""
        audience = self._open.get(table)
        if audience is None:
            audience = Audience(table, self._house, self._renderings, self._seconds)
            self._open[table] = audience
        audience.enter(reader)
        try:
            yield audience
        finally:
            audience.leave(reader)
            if not audience.readers and self._open.get(table) is audience:
                del self._open[table]
