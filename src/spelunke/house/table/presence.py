"""Presence: whether somebody is at a seat, as connections tell. Nothing of it is secret, and little of it is stored.

A worker believes for a while that a seat's person is there: as long as a page's stream is open, some minutes after a
page was fetched that has none, and after an act of which everybody was told. Workers tell each other their sightings by
the bus; one that gets lost costs a wrong word for half a minute. What nobody is told of moves no sighting:
docs/why/presence.md.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

import msgspec

LINGER_MS = 4_000
"""A stream that ended may come back: so long its person still counts as being here."""
STREAM_MS = 60_000
"""A page with a stream gives a sign every 25 seconds: without one for so long, its line is dead."""
READ_MS = 180_000
"""Who fetches a page and opens no stream is taken to look at it for so long."""
HIDDEN_MS = 75_000
"""A hidden page asks every 20 seconds whose turn it is; browsers slow that down to once a minute."""
FRESH_MS = 10_000
"""Who fetches again and again, or whose stream stays open, is believed so long without another sighting."""
SETTLE_MS = 8_000
"""After its opening a house waits for its people to come back before it says that somebody is not there."""
MOST = 20_000

State = Literal["here", "away", "offline"]
"""``here``: looks at the table. ``away``: has it open behind another page. ``offline``: neither."""


class Sighting(msgspec.Struct, frozen=True):
    """One source's word for a seat: heard of at ``at``, believed until ``until``; ``near``: looks at the table."""

    table: str
    seat: int
    source: str
    near: bool
    at: int
    until: int


class Sign(msgspec.Struct, frozen=True):
    """What is known of a seat now: its state (None: not known yet), since when it is away, and when that may change."""

    state: State | None = None
    since: int | None = None
    again: int | None = None


class Stay:
    """One open stream; ``lasting``: a program's, which counts as long as it is open. A page's must give signs."""

    __slots__ = ("ended", "lasting", "seat", "source", "table", "told")

    def __init__(self, table: str, *, lasting: bool) -> None:
        self.table = table
        self.source = secrets.token_hex(6)
        self.lasting = lasting
        # whose stream it is, once that is known, and when it was last told that they are there
        self.seat: int | None = None
        self.told = 0
        # a look that was on its way when it ended must not bring it back
        self.ended = False


class Presence:
    """The sightings for all tables that this worker has heard of; thread-safe. `tell` gets each new sighting."""

    def __init__(
        self, now: Callable[[], int], tell: Callable[[Sighting], None] = lambda _sighting: None
    ) -> None:
        self._now = now
        self._tell = tell
        self._opened = now()
        # goes up with each sighting: until then, and until `Sign.again`, every sign stays as it is
        self.heard = 0
        self._gate = threading.Lock()
        self._sightings: OrderedDict[tuple[str, int], dict[str, Sighting]] = OrderedDict()
        # what is known of a seat, with when its person was last there, until somebody is heard of or time changes it
        self._signs: dict[tuple[str, int], tuple[int | None, Sign]] = {}
        self._stays: dict[tuple[str, int], set[Stay]] = {}
        self._hushed: OrderedDict[tuple[str, str], int] = OrderedDict()

    def of(self, table: str, seat: int, seen: int | None = None) -> Sign:
        """What is known of a seat; ``seen`` is when its person was last there, as far as that is stored."""
        key, now = (table, seat), self._now()
        with self._gate:
            kept = self._signs.get(key)
            if kept is not None and kept[0] == seen and (kept[1].again is None or now < kept[1].again):
                return kept[1]
            sign = self._find(tuple(self._sightings.get(key, {}).values()), seen, now)
            if len(self._signs) >= MOST:
                self._signs.clear()
            self._signs[key] = (seen, sign)
            return sign

    def _find(self, sightings: tuple[Sighting, ...], seen: int | None, now: int) -> Sign:
        near = [sighting for sighting in sightings if sighting.near]
        here = max((sighting.until for sighting in near), default=0)
        if here > now:
            return Sign("here", None, here)
        since = max((sighting.at for sighting in near), default=0) or seen
        hidden = max((sighting.until for sighting in sightings if not sighting.near), default=0)
        if hidden > now:
            return Sign("away", since, hidden)
        if not near and now < self._opened + SETTLE_MS:
            return Sign(None, None, self._opened + SETTLE_MS)
        return Sign("offline", since)

    @property
    def opened(self) -> int:
        """Since when this worker can know who is there."""
        return self._opened

    def stay(self, stay: Stay, seat: int | None) -> bool:
        """A stream is open, and this seat's; call it now and then. Returns whether that seat has just come."""
        came = seat is not None and stay.seat != seat
        if stay.seat is not None and stay.seat != seat:
            self._leave_seat(stay, stay.seat)
        stay.seat = seat
        if seat is None:
            return False
        now = self._now()
        if came or (stay.lasting and now - stay.told >= FRESH_MS):
            stay.told = now
            with self._gate:
                if stay.ended:
                    return False
                self._stays.setdefault((stay.table, seat), set()).add(stay)
            self._sighting(stay.table, seat, stay.source, near=True, ms=STREAM_MS)
        return came

    def leave(self, stay: Stay) -> bool:
        """A stream has ended; returns whether it was the seat's last one here."""
        with self._gate:
            stay.ended = True
        return stay.seat is not None and self._leave_seat(stay, stay.seat)

    def _leave_seat(self, stay: Stay, seat: int) -> bool:
        with self._gate:
            others = self._stays.get((stay.table, seat), set())
            others.discard(stay)
            if not others:
                self._stays.pop((stay.table, seat), None)
        self._sighting(stay.table, seat, stay.source, near=True, ms=LINGER_MS)
        return not others

    def ping(self, table: str, seat: int) -> None:
        """A page that has a stream shows that its line is alive."""
        with self._gate:
            stays = tuple(self._stays.get((table, seat), ()))
        for stay in stays:
            self._sighting(table, seat, stay.source, near=True, ms=STREAM_MS)
        if not stays:  # its stream is another worker's
            self._sighting(table, seat, "ping", near=True, ms=STREAM_MS)

    def read(self, table: str, seat: int, *, near: bool = True) -> None:
        """The seat's person fetched a page or acted aloud; not ``near``: a hidden page of theirs asked something."""
        source, ms = ("read", READ_MS) if near else ("hidden", HIDDEN_MS)
        with self._gate:
            known = self._sightings.get((table, seat), {}).get(source)
            if near and (table, seat) in self._stays:
                return
        if known is None or self._now() - known.at >= FRESH_MS:
            self._sighting(table, seat, source, near=near, ms=ms)

    def hush(self, table: str, person: str) -> None:
        """The next page that this person fetches follows a form of theirs, and must not tell that there was one."""
        with self._gate:
            self._hushed[table, person] = self._now()
            while len(self._hushed) > MOST:
                self._hushed.popitem(last=False)

    def hushed(self, table: str, person: str) -> bool:
        """Whether the page that is fetched now follows a form; asked once."""
        with self._gate:
            at = self._hushed.pop((table, person), None)
        return at is not None and self._now() - at < LINGER_MS

    def hear(self, sighting: Sighting) -> bool:
        """Take a sighting in, this worker's or another's; returns whether what is shown of the seat changes by it,

        or will change sooner.
        """
        key = (sighting.table, sighting.seat)
        before = self.of(*key)
        with self._gate:
            self.heard += 1
            sightings = self._sightings.setdefault(key, {})
            self._sightings.move_to_end(key)
            self._signs.pop(key, None)
            sightings[sighting.source] = sighting
            if sighting.near and sighting.source != "read":
                sightings.pop("read", None)
            _trim(sightings, self._now())
            while len(self._sightings) > MOST:
                self._signs.pop(self._sightings.popitem(last=False)[0], None)
        after = self.of(*key)
        sooner = (after.again or 0) < (before.again or 0)
        return (before.state, before.since) != (after.state, after.since) or sooner

    def _sighting(self, table: str, seat: int, source: str, *, near: bool, ms: int) -> None:
        now = self._now()
        self._tell(Sighting(table, seat, source, near, now, now + ms))


def _trim(sightings: dict[str, Sighting], now: int) -> None:
    """Forget what is over, but for the newest word of the person's being there."""
    last = max(
        (sighting for sighting in sightings.values() if sighting.near),
        key=lambda sighting: sighting.at,
        default=None,
    )
    for source, sighting in tuple(sightings.items()):
        if sighting.until <= now and sighting is not last:
            del sightings[source]
