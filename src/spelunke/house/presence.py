"""Presence: whether somebody is at a seat, as connections tell. Nothing of it is secret, and little of it is stored.

A worker claims for a while that a seat's person is there: as long as a page's stream is open, some minutes after a
page was fetched that has none, and after an act of which everybody was told. Workers tell each other their claims by
the bus; one that gets lost costs a wrong word for half a minute. What nobody is told of moves no claim:
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
SETTLE_MS = 8_000
"""After its opening a house waits for its people to come back before it says that somebody is not there."""
MOST = 20_000

State = Literal["here", "away", "offline"]
"""``here``: looks at the table. ``away``: has it open behind another page. ``offline``: neither."""


class Claim(msgspec.Struct, frozen=True):
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

    __slots__ = ("lasting", "seat", "source", "table")

    def __init__(self, table: str, *, lasting: bool) -> None:
        self.table = table
        self.source = secrets.token_hex(6)
        self.lasting = lasting
        # whose stream it is, once that is known
        self.seat: int | None = None


class Presence:
    """The claims for all tables that this worker has heard of; thread-safe. `tell` gets each new claim."""

    def __init__(self, now: Callable[[], int], tell: Callable[[Claim], None] = lambda _claim: None) -> None:
        self._now = now
        self._tell = tell
        self._opened = now()
        self._gate = threading.Lock()
        self._claims: OrderedDict[tuple[str, int], dict[str, Claim]] = OrderedDict()
        self._stays: dict[tuple[str, int], set[Stay]] = {}
        self._hushed: OrderedDict[tuple[str, str], int] = OrderedDict()

    def of(self, table: str, seat: int, seen: int | None = None) -> Sign:
        """What is known of a seat; ``seen`` is when its person was last there, as far as that is stored."""
        now = self._now()
        with self._gate:
            claims = tuple(self._claims.get((table, seat), {}).values())
        near = [claim for claim in claims if claim.near]
        here = max((claim.until for claim in near), default=0)
        if here > now:
            return Sign("here", None, here)
        since = max((claim.at for claim in near), default=0) or seen
        hidden = max((claim.until for claim in claims if not claim.near), default=0)
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
            self.leave(stay)
        stay.seat = seat
        if seat is None:
            return False
        with self._gate:
            self._stays.setdefault((stay.table, seat), set()).add(stay)
        if came or stay.lasting:
            self._claim(stay.table, seat, stay.source, near=True, ms=STREAM_MS)
        return came

    def leave(self, stay: Stay) -> bool:
        """A stream has ended; returns whether it was the seat's last one here."""
        if stay.seat is None:
            return False
        with self._gate:
            others = self._stays.get((stay.table, stay.seat), set())
            others.discard(stay)
            if not others:
                self._stays.pop((stay.table, stay.seat), None)
        self._claim(stay.table, stay.seat, stay.source, near=True, ms=LINGER_MS)
        return not others

    def ping(self, table: str, seat: int) -> None:
        """A page that has a stream shows that its line is alive."""
        with self._gate:
            stays = tuple(self._stays.get((table, seat), ()))
        for stay in stays:
            self._claim(table, seat, stay.source, near=True, ms=STREAM_MS)
        if not stays:  # its stream is another worker's
            self._claim(table, seat, "ping", near=True, ms=STREAM_MS)

    def read(self, table: str, seat: int, *, near: bool = True) -> None:
        """The seat's person fetched a page or acted aloud; not ``near``: a hidden page of theirs asked something."""
        with self._gate:
            if near and (table, seat) in self._stays:
                return
        self._claim(table, seat, "read" if near else "hidden", near=near, ms=READ_MS if near else HIDDEN_MS)

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

    def hear(self, claim: Claim) -> bool:
        """Take a claim in, this worker's or another's; returns whether what is shown of the seat changes by it,

        or will change sooner.
        """
        key = (claim.table, claim.seat)
        before = self.of(*key)
        with self._gate:
            claims = self._claims.setdefault(key, {})
            self._claims.move_to_end(key)
            claims[claim.source] = claim
            if claim.near and claim.source != "read":
                claims.pop("read", None)
            _trim(claims, self._now())
            while len(self._claims) > MOST:
                self._claims.popitem(last=False)
        after = self.of(*key)
        sooner = (after.again or 0) < (before.again or 0)
        return (before.state, before.since) != (after.state, after.since) or sooner

    def _claim(self, table: str, seat: int, source: str, *, near: bool, ms: int) -> None:
        now = self._now()
        self._tell(Claim(table, seat, source, near, now, now + ms))


def _trim(claims: dict[str, Claim], now: int) -> None:
    """Forget what is over, but for the newest word of the person's being there."""
    last = max((claim for claim in claims.values() if claim.near), key=lambda claim: claim.at, default=None)
    for source, claim in tuple(claims.items()):
        if claim.until <= now and claim is not last:
            del claims[source]
