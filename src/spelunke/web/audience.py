"""Send the changes of each table to its readers: the open streams of pages and programs.

The server renders a table once for all readers who may see the same parts of it. Each stream sends its own heartbeat
(`live.follow`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator

from spelunke.house.house import House
from spelunke.house.messages import Glance, Look
from spelunke.house.play import Hand
from spelunke.house.refusals import WatchLater
from spelunke.house.store import Change, run
from spelunke.house.table import Stay
from spelunke.web.hearts import Hearts
from spelunke.web.parts.curtain import render_curtain
from spelunke.web.renderings import (
    Asker,
    Held,
    Kind,
    Renderings,
    Shown,
    Since,
    renew_asker,
    write_data,
    write_message,
    write_since,
)
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE, OWN_LETTERS

AT_ONCE = 50
"""The number of readers to serve (or of tables to close) before other requests get their turn."""

FEW = 8
"""Up to this number of readers, messages are made on the event loop, because a thread would cost more."""

Drawn = dict[tuple[Hashable, ...], Shown]
"""Renderings of a table. Two readers with the same key can use the same rendering.

A key contains everything on which its rendering depends: the kind, language, address, preferences and knowledge of the
reader, and the last ply of the reader's log.
"""
RELOAD = write_message(
    write_data(
        {},
        '<hx-partial hx-target="#curtain" hx-swap="beforeend"><meta http-equiv="refresh" content="0"></hx-partial>',
    ),
    "",
)
"""A message that makes a page reload."""
NO_CURTAIN = write_message(
    write_data({}, '<hx-partial hx-target="#curtain" hx-swap="innerHTML"></hx-partial>'), ""
)
"""A message that removes the curtain from the page of a shared device."""
News = bytes | Exception
"""A message for a stream, or the error that ends the stream."""


class Closing(Exception):  # handled within the web layer, where it ends a stream
    """Raised in a stream to end it, because the server is closing, or because another worker now owns the table."""


class Alarm:
    """Sets an `asyncio.Event` when the clock of the event loop reaches a given time.

    If the same time is set again, the present timer is kept, because a new timer for each wait would cost more.
    """

    __slots__ = ("_rings", "_timer", "_wake")

    def __init__(self, wake: asyncio.Event) -> None:
        self._wake = wake
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0

    def set(self, at: float) -> None:
        """Set the time of the alarm, in place of the previous time."""
        if self._timer is None or self._rings != at:
            self.stop()
            self._rings = at
            self._timer = asyncio.get_running_loop().call_at(at, self._ring)

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._wake.set()


class Reader:
    """An open stream: its person, the newest state that its client has, and at most one unsent message."""

    def __init__(
        self,
        kind: Kind,
        asker: Asker,
        since: Since,
        stay: Stay,
        write: Callable[[Look], bytes] = lambda _look: b"",
        changes: int = 0,
    ) -> None:
        self.kind: Kind = kind
        self.asker = asker
        # If several people share the device: its owner, and the value of the cookie `HAND` (see `cookies`). Otherwise
        # None and an empty text.
        self.host: str | None = None
        self.shown = ""
        # the present state of this device, the state for which its curtain was drawn, and the drawn curtain
        self.hand: Hand | None = None
        self.drawn_for: Hand | None = None
        self.curtain = ""
        # `People.changes` when the asker's wishes were read
        self.changes = changes
        self.since = since
        self.stay = stay
        # writes a look for a program
        self.write = write
        # the parts that the page shows
        self.held = Held()
        # whether the reader's newest message was made for a spectator; whether the reader has received the end of
        # the game
        self.watches = False
        self.over = False
        # whether something may have happened while a message was waiting
        self.behind = False
        # the waiting message
        self.news: News | None = None
        self._wake = asyncio.Event()

    def put(self, news: News) -> None:
        """Send a message, or end the stream with an error."""
        self.news = news
        self._wake.set()

    def rouse(self) -> None:
        """Wake the stream, even without a message."""
        self._wake.set()

    async def wait(self) -> bytes | None:
        """Return the next message, or None if `rouse` woke the stream. If `put` received an error, raise it."""
        await self._wake.wait()
        self._wake.clear()
        news, self.news = self.news, None
        if isinstance(news, Exception):
            raise news
        return news


class Audience:
    """The readers of a table.

    The audience reads the table after each change, for each new reader, and at set times. It sends each reader the
    changes that this reader may see.
    """

    def __init__(self, table: str, house: House, renderings: Renderings, seconds: float) -> None:
        self._table = table
        self._house = house
        self._renderings = renderings
        # The longest interval in seconds between two looks at the table. Notifications of changes may be lost.
        self._seconds = seconds
        self._looks_at = asyncio.get_running_loop().time() + seconds
        self._readers: dict[Reader, None] = {}
        self._asked: dict[Reader, None] = {}
        # all changes since the last look, joined
        self._heard: Change | None = None
        # whether the next look must read the store in any case
        self._unsure = True
        self._wake = asyncio.Event()
        self._alarm = Alarm(self._wake)
        self._running = asyncio.create_task(self._run())

    @property
    def readers(self) -> int:
        """The number of readers."""
        return len(self._readers)

    def enter(self, reader: Reader) -> None:
        """Add a reader."""
        self._readers[reader] = None
        self._unsure = True
        self.ask([reader])

    def leave(self, reader: Reader) -> None:
        """Remove a reader. If no reader is left, stop following the table."""
        self._readers.pop(reader, None)
        self._asked.pop(reader, None)
        if not self._readers:
            self._running.cancel()

    def end(self) -> None:
        """End all streams."""
        for reader in self._readers:
            reader.put(Closing())

    def ask(self, readers: Iterable[Reader]) -> None:
        """Request that the audience's task reads the table, and sends the table's changes to these readers."""
        self._asked |= dict.fromkeys(readers)
        self._wake.set()

    async def _run(self) -> None:
        bus = self._house.store.bus
        listener = bus.listen(self._table, self._hear)  # before the first look, so that no change is missed
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
                free = [reader for reader in asked if reader.news is None]
                for reader in asked:  # a reader with an unsent message asks again after it
                    reader.behind |= reader.news is not None
                await self._tell(free)
        finally:
            self._alarm.stop()
            bus.ignore(self._table, listener)

    def _hear(self, change: Change) -> None:
        if change.newest is None:
            self._unsure = True
        else:
            self._heard = change if self._heard is None else self._heard.joined(change)
        self.ask(self._readers)

    async def _tell(self, asked: list[Reader]) -> None:
        """Read the table for these readers, and send each reader the changes. Players come before spectators."""
        news: list[tuple[Reader, News]]
        newest = None if self._unsure or self._heard is None else self._heard.newest
        self._unsure = False  # first, so that a change during the look causes another look
        try:
            find = run if len(asked) <= FEW else call
            news, again_ms = await find(self._find, asked, newest)
        except Exception as error:  # noqa: BLE001  # each stream ends with it and logs it
            self._unsure = True
            news, again_ms = [(reader, error) for reader in asked], None
        if again_ms is not None:
            self._looks_at = min(self._looks_at, asyncio.get_running_loop().time() + again_ms / 1000 + 0.01)
        news.sort(key=lambda pair: pair[0].watches)
        for number, (reader, told) in enumerate(news, 1):
            reader.put(told)
            if not number % AT_ONCE:
                await asyncio.sleep(0)

    # --- on the event loop for few readers, in a thread for many

    def _find(
        self, asked: list[Reader], newest: tuple[int, int] | None
    ) -> tuple[list[tuple[Reader, News]], int | None]:
        """Return the messages for these readers, and the milliseconds after which to read the table again.

        The second value is None if the table needn't be read again before its next change.
        """
        news: list[tuple[Reader, News]] = []
        drawn: Drawn = {}
        kept = [reader for reader in asked if self._follow_hand(reader)]
        news += [(reader, RELOAD) for reader in asked if reader not in kept]
        asked = kept
        readers = [(reader.asker.person, reader.stay) for reader in asked]
        look = self._house.attendance.glances
        try:
            glances = look(self._table, readers, newest)
        except WatchLater as error:  # somebody lost their seat; the others stay
            asked = [reader for reader in asked if self._is_admitted(reader, error, news)]
            glances = look(self._table, [(reader.asker.person, reader.stay) for reader in asked], newest)
        for reader, glance in zip(asked, glances, strict=True):
            try:
                message = self._write_news(reader, glance, drawn)
            except Exception as error:  # noqa: BLE001  # as above; it must not affect the others
                news.append((reader, error))
            else:
                if message is not None:
                    news.append((reader, message))
        return news, min((g.again_ms for g in glances if g.again_ms is not None), default=None)

    def _is_admitted(self, reader: Reader, error: WatchLater, news: list[tuple[Reader, News]]) -> bool:
        """Return whether a reader may still watch the table. If not, add `error` to `news`, to end the stream."""
        try:
            self._house.looks.version(self._table, reader.asker.person)
        except WatchLater:
            news.append((reader, error))
            return False
        return True

    def _follow_hand(self, reader: Reader) -> bool:
        """Return whether the reader's page may get changes. If not, the page must reload.

        If several players share the reader's device, they look at the device in turn. `hand.person` is the player who
        may look now. If the page shows another player's view, and the game hides something, return False. If the
        game hides nothing, switch the page to the view of `hand.person`.
        """
        if reader.host is None:
            return True
        reader.hand = hand = self._house.hands.hand(self._table, reader.host, reader.shown)
        if hand is not None and hand.curtained and hand.person != reader.asker.person:
            return False
        if hand is not None:
            reader.asker = reader.asker._replace(
                person=hand.person, recalls=hand.summary, answered=hand.answered, decides=hand.decides
            )
        return True

    def _draw(self, reader: Reader, glance: Glance, drawn: Drawn) -> Shown | None:
        """Return the table as the reader sees it, or None if the page must reload.

        `drawn` stores each rendering, for other readers who may see the same.
        """
        asker, ply = reader.asker, reader.since.ply
        same = (reader.kind, *asker[1:], glance, ply)
        shown = drawn.get(same)
        if shown is None:
            shown = drawn[same] = self._renderings.draw(reader.kind, self._table, asker, glance, ply)
        if reader.host is None:
            return shown
        # The table may have changed after the hand was read. Then the drawn table does not fit the hand.
        if not self._follow_hand(reader):
            return None
        if reader.asker == asker:
            return shown
        (glance,) = self._house.attendance.glances(self._table, [(reader.asker.person, reader.stay)], None)
        return self._draw(reader, glance, drawn)

    def _write_news(self, reader: Reader, glance: Glance, drawn: Drawn) -> News | None:
        LANGUAGE.set(reader.asker.language)
        OWN_LETTERS.set(reader.asker.own_letters)
        known = (reader.since.version, reader.since.stamp)
        same = (glance.version, glance.stamp) == known and reader.hand == reader.drawn_for
        if same and (reader.kind == "look" or reader.held.marks is not None):
            return None
        ply = reader.since.ply
        if reader.kind == "page" and reader.changes != self._house.people.changes:
            reader.changes = self._house.people.changes
            reader.asker = renew_asker(self._house, reader.asker)
        shown = self._draw(reader, glance, drawn)
        if shown is None:
            return RELOAD
        look = shown.look
        if reader.kind == "page" and look.summary is not None:
            asker = reader.asker
            hold_summary(self._house, look, asker.person, reader.host if asker.recalls else None)
        # The summary and the decision that the page shows depend on the hand too.
        same_hand = reader.drawn_for is None or reader.hand == reader.drawn_for
        reader.drawn_for = reader.hand
        curtain = b"" if reader.hand is None else self._write_curtain(reader, reader.hand, look)
        if (look.version, look.stamp) == known and same_hand:
            if reader.held.marks is None and reader.kind == "page":
                reader.held = Held(shown.mark({}))
            return curtain or None
        reader.watches = look.seat is None
        reader.since = shown.since_after(ply)
        if reader.kind == "look":
            return shown.write_look(ply, reader.write)
        # At the end nothing is hidden any more, so the whole log is sent again.
        ended = look.status == "over" and not reader.over
        reader.over = look.status == "over"
        if ended and shown.since:
            shown = self._renderings.draw(reader.kind, self._table, reader.asker, shown.glance, 0)
            reader.since = shown.since_after(ply)
        message, reader.held = shown.write_parts(reader.held, ply, whole=ended)
        # NO_CURTAIN comes first because it has no id: the browser remembers the id of the last message.
        return NO_CURTAIN + message if ended and reader.host is not None else curtain + message

    @staticmethod
    def _write_curtain(reader: Reader, hand: Hand, look: Look) -> bytes:
        """Return a message that redraws the closed curtain (the cover over the hands) on a shared device.

        When a hand is opened or closed, the page reloads instead.

        Return no bytes in three cases: the device shows a player's hand, the game hides nothing, or the curtain is
        the same as in the stream's last message with a curtain. A curtain that the page itself contained does not
        count, because the table may have changed while the page was drawn.
        """
        if not hand.curtained or hand.person is not None:
            return b""
        curtain = str(render_curtain(look, hand))
        if curtain == reader.curtain:
            return b""
        reader.curtain = curtain
        part = f'<hx-partial hx-target="#curtain" hx-swap="morph:inner">{curtain}</hx-partial>'
        return write_message(write_data({}, part), write_since(reader.since))


def hold_summary(house: House, look: Look, person: str | None, host: str | None = None) -> None:
    """Tell the house that a player's page shows the summary of a round. Bots then wait. This is a blocking call.

    If several people at one device read the summary together, the device shows nobody's hand, so `look` has no seat.
    Then `host` is the owner of the device. If `look` has no summary, or if neither a seat nor a `host` is known, do
    nothing.
    """
    reader = host if look.seat is None else person
    if look.summary is not None and reader is not None:
        house.play.hold_summary(look.table, reader)


class Audiences:
    """The audiences of all tables that have readers in this process."""

    def __init__(self, house: House, renderings: Renderings, seconds: float) -> None:
        self._house = house
        self._renderings = renderings
        self._seconds = seconds
        self.hearts = Hearts()
        self._open: dict[str, Audience] = {}

    @property
    def readers(self) -> int:
        """The number of open streams."""
        return sum(audience.readers for audience in self._open.values())

    def end(self) -> None:
        """End all streams properly before the server closes."""
        for audience in self._open.values():
            audience.end()

    async def end_those(self, others: Callable[[str], bool]) -> None:
        """End the streams of the tables that other workers own, a few tables at a time.

        `others` returns whether another worker owns a table. Each client then reconnects to the worker that owns its
        table.
        """
        for number, table in enumerate(list(self._open)):
            audience = self._open.get(table)
            if audience is not None and others(table):
                audience.end()
            if not number % AT_ONCE:
                await asyncio.sleep(0.1)

    @contextlib.contextmanager
    def joined(self, table: str, reader: Reader) -> Iterator[Audience]:
        """Add a reader to the table's audience, and yield the audience. After the `with` block, remove the reader."""
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
