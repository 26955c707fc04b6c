"""Presence: whether a seat's person is at the table, derived from connections and requests.

A person counts as present while they have an open event stream. Without a stream, a person counts as present
for 3 minutes after each page request and after each action that others can see. An action that others can't
see does not change presence: see docs/why/presence.md.

Workers use the bus to send each other sightings, which are messages that a person is present or away. If one is
lost, presence may be wrong for a short time. Presence is not secret. Only the time at which each person was
last present is stored.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

import msgspec

LINGER_MS = 4_000
"""The time in ms for which a person still counts as present after their stream ended.

The stream may reconnect.
"""
STREAM_MS = 60_000
"""The time in ms without a ping after which the server considers a page's stream closed.

A page with a stream pings every 45 s. If a ping gets no answer, the page repeats it every second
(`connection.js`).
"""
READ_MS = 180_000
"""The time in ms for which a person without a stream counts as present after a page request or a visible action."""
HIDDEN_MS = 75_000
"""The time in ms for which a person counts as away after a page in a background tab polled the server.

A page in a background tab polls every 20 s, to show whether the person must act. Browsers may slow the polls
down to one a minute.
"""
FRESH_MS = 10_000
"""The least time in ms between two sightings by page requests, and between two sightings by a program's
stream.
"""
SETTLE_MS = 8_000
"""The time in ms after a server's start during which people who were not seen yet count as unknown, not as offline.

People can reconnect during this time.
"""
MOST = 20_000

State = Literal["here", "away", "offline"]
"""The presence of a seat's person.

``here``: the person looks at the table. ``away``: the table is open in the background. ``offline``: it is not
open.
"""


class Sighting(msgspec.Struct, frozen=True):
    """A message that a seat's person has the table open, valid from ``at`` until ``until``, in ms since 1970.

    ``source`` identifies the stream or the kind of request. ``near`` is true if the person looks at the table, and
    false if the table is open in a background tab.
    """

    table: str
    seat: int
    source: str
    near: bool
    at: int
    until: int


class Sign(msgspec.Struct, frozen=True):
    """The presence of a seat. Times are in milliseconds since 1970.

    ``state`` is None if presence is unknown. ``since`` is the time at which the person last looked at the
    table, if the person is away or offline and the time is known. ``again`` is the time at which the presence
    may change without a new sighting, or None.
    """

    state: State | None = None
    since: int | None = None
    again: int | None = None


class Stay:
    """An open event stream of a person at a table.

    A ``lasting`` stream belongs to a program, and shows the person as present while it is open. The stream of a page
    shows the person as present only as long as the page sends pings. ``host`` is the owner of a shared device. While
    the device shows nobody's hand, its stream belongs to no person and shows the host as present.
    """

    __slots__ = ("ended", "host", "lasting", "seat", "source", "table", "told")

    def __init__(self, table: str, *, lasting: bool) -> None:
        self.table = table
        self.source = secrets.token_hex(6)
        self.lasting = lasting
        self.host: str | None = None
        # the seat of the stream's person, once known, and the time of its last sighting
        self.seat: int | None = None
        self.told = 0
        # `stay` may be called once more after the stream has ended. Such a call must not open the stream again.
        self.ended = False


class Presence:
    """The presence of people at all tables that this worker knows.

    Thread-safe. `tell` is called with each new sighting.
    """

    def __init__(
        self, now: Callable[[], int], tell: Callable[[Sighting], None] = lambda _sighting: None
    ) -> None:
        self._now = now
        self._tell = tell
        self._opened = now()
        # Increases with each sighting except pings. While it stays the same, no sign changes before its `Sign.again`.
        self.heard = 0
        self._gate = threading.Lock()
        self._sightings: OrderedDict[tuple[str, int], dict[str, Sighting]] = OrderedDict()
        # the sign of each seat, with the stored time of its person's last presence, until a sighting or time
        # changes it
        self._signs: dict[tuple[str, int], tuple[int | None, Sign]] = {}
        self._stays: dict[tuple[str, int], set[Stay]] = {}
        self._hushed: OrderedDict[tuple[str, str], int] = OrderedDict()

    def of(self, table: str, seat: int, seen: int | None = None, now: int | None = None) -> Sign:
        """Return the presence of a seat. ``seen`` is the stored time of its person's last presence."""
        key, now = (table, seat), self._now() if now is None else now
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
        """The time at which this worker began to collect sightings."""
        return self._opened

    def stay(self, stay: Stay, seat: int | None) -> bool:
        """Record that a stream is open. Call this repeatedly while the stream is open.

        `seat` is the seat of the stream's person, or None if the person has no seat. Return True at the first
        call with this seat, because the person has just arrived at the seat.
        """
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
        """Record that a stream has ended.

        Return whether the stream belonged to a seat that now has no other stream in this process.
        """
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
        """Record a ping from a page with a stream."""
        with self._gate:
            stays = tuple(self._stays.get((table, seat), ()))
        for stay in stays:
            self._sighting(table, seat, stay.source, near=True, ms=STREAM_MS)
        if not stays:  # the page's stream is at another worker
            self._sighting(table, seat, "ping", near=True, ms=STREAM_MS)

    def read(self, table: str, seat: int, *, near: bool = True) -> None:
        """Record that the seat's person requested a page or acted visibly.

        If `near` is false, record instead that the person's page polled in a background tab. Record nothing if the
        last record of the same kind is less than `FRESH_MS` old. If `near` is true, also record nothing while the
        seat has an open stream.
        """
        source, ms = ("read", READ_MS) if near else ("hidden", HIDDEN_MS)
        with self._gate:
            known = self._sightings.get((table, seat), {}).get(source)
            if near and (table, seat) in self._stays:
                return
        if known is None or self._now() - known.at >= FRESH_MS:
            self._sighting(table, seat, source, near=near, ms=ms)

    def hush(self, table: str, person: str) -> None:
        """Make `hushed` return True at its next call for this person if the call comes within `LINGER_MS`.

        Call this when the person has just sent a form. The browser then requests the page again. This request must not
        show others that the person acted.
        """
        with self._gate:
            self._hushed[table, person] = self._now()
            while len(self._hushed) > MOST:
                self._hushed.popitem(last=False)

    def hushed(self, table: str, person: str) -> bool:
        """Return whether this page request must not count as presence, because the person has just sent a form.

        For the reason, see `hush`. This holds for only one request: after this call, the person's page requests count
        again.
        """
        with self._gate:
            at = self._hushed.pop((table, person), None)
        return at is not None and self._now() - at < LINGER_MS

    def hear(self, sighting: Sighting) -> bool:
        """Record a sighting that this worker or another one has sent.

        Return True if the seat's presence has changed, or if it may now change at an earlier time than before
        (`Sign.again`).
        """
        key = (sighting.table, sighting.seat)
        with self._gate:
            sightings = self._sightings.get(key, {})
            known = sightings.get(sighting.source)
            longer = known is not None and self._now() < known.until <= sighting.until
            if longer and known is not None and known.near and sighting.near and "read" not in sightings:
                # A person who was present is still present, so other people see no change.
                sightings[sighting.source] = sighting
                self._sightings.move_to_end(key)
                return False
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
    """Remove expired sightings, but keep the newest one in which the person looked at the table."""
    last = max(
        (sighting for sighting in sightings.values() if sighting.near),
        key=lambda sighting: sighting.at,
        default=None,
    )
    for source, sighting in tuple(sightings.items()):
        if sighting.until <= now and sighting is not last:
            del sightings[source]
