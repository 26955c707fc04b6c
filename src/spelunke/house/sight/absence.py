"""The actions that a viewer may take because another player is absent.

These actions depend only on the viewer's knowledge of the seats to act, on the clocks that the viewer sees,
and on presence. So they are the same whether or not a player has answered in secret. For the reasons, see
docs/why/presence.md.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import msgspec

from spelunke.house.messages import Wait
from spelunke.house.sight.viewers import Viewer
from spelunke.house.table import Presence, Sign

NOBODY = Sign()
THERE = frozenset({None, "here"})
"""The states of presence in which a player does not count as absent. None means unknown."""
NUDGE_MS = 60_000
NUDGE_DAYS_MS = 12 * 3_600_000
"""The least time in ms between two reminders (nudges) to the same seat.

`NUDGE_DAYS_MS` is for tables where each decision may take days, and `NUDGE_MS` for all others.
"""


class Absence:
    """The presence of all seats, the absent players for whom the viewer waits, and the actions that the
    viewer may take because of their absence.
    """

    def __init__(self, viewer: Viewer, presence: Presence, now: int) -> None:
        self._viewer = viewer
        self._table = table = viewer.table
        self._presence = presence
        self._now = now
        # the times at which a part of this object may change without an event
        self._moments: list[int] = []
        # the values on which a cached object depends, see `of`
        self._rests_on: tuple[object, ...] = ()
        # each seat's presence; empty for bots and free seats
        signs = []
        for chair in table.facts.chairs:
            sign = (
                NOBODY
                if chair.person is None
                else presence.of(table.facts.id, chair.seat, chair.seen_ms, now)
            )
            signs.append(sign)
            if sign.again is not None:
                self._moments.append(sign.again)
        if True in table.here:
            signs = self._with_device(signs)
        self.signs = tuple(signs)
        # the absent seats to act, as far as the viewer knows; empty if the viewer does not play
        seat = viewer.seat
        self.waits: tuple[Wait, ...] = ()
        missed = not table.paused and any(sign.state not in THERE for sign in signs)
        if missed and viewer.plays and seat not in table.seating.resigned:
            found = [self._wait(other) for other in viewer.asked if other != seat]
            self.waits = tuple(wait for wait in found if wait is not None)
        # all actions of the viewer against absent players, with the names in `Look.may`
        self.operations = frozenset(word for wait in self.waits for word in wait.may)
        # a short text that changes with the viewer's knowledge of the absence, and with a pause of the game.
        # It differs between seats, whose looks can have the same version: a page may change from one to another.
        known = tuple([(sign.state, sign.since) for sign in signs])
        self.stamp = _stamp(known, self.waits, table.paused, seat)
        # the next time in `_moments`, or None
        self.again = min((moment for moment in self._moments if moment > now), default=None)

    @classmethod
    def of(cls, viewer: Viewer, presence: Presence, now: int) -> Absence:
        """Return the viewer's cached `Absence` if it is still valid. Otherwise make and cache a new one."""
        rests_on = (presence.heard, viewer.table.row, viewer.table.facts, viewer.table.paused)
        kept = viewer.noticed.absence
        if isinstance(kept, Absence) and kept._rests_on == rests_on:
            again = kept.again
            if again is None or now < again:
                return kept
        made = cls(viewer, presence, now)
        made._rests_on = rests_on
        viewer.noticed.absence = made
        return made

    def _with_device(self, signs: list[Sign]) -> list[Sign]:
        """Return each seat's presence.

        If one of the people who share the host's device is present, all of them count as present.
        If all people at the table share the device and none is present, the presence of all is unknown, because no
        page is open while they hand the device over.
        """
        facts = self._table.facts
        there = {chair.seat for chair in facts.at_device(facts.host)}
        present = next((signs[seat] for seat in there if signs[seat].state == "here"), None)
        if present is None and all(seat in there for seat in self._table.people):
            present = NOBODY  # while the players hand the device over, no page is open
        if present is None:
            return signs
        return [present if seat in there else sign for seat, sign in enumerate(signs)]

    def wait_for(self, seat: int) -> Wait | None:
        """Return data about the viewer's wait for the absent player at this seat.

        If the viewer does not wait for that player, return None.
        """
        return next((wait for wait in self.waits if wait.seat == seat), None)

    def _wait(self, seat: int) -> Wait | None:
        chair, sign = self._table.facts.chairs[seat], self.signs[seat]
        asked = self._viewer.clocks.asked[seat]
        if chair.person is None or asked is None or sign.state in THERE:
            return None
        since = max(asked, sign.since or 0, self._presence.opened)
        if since > self._now:
            self._moments.append(since)
            return None
        grace = self._table.facts.clock.grace_ms
        ends = None if grace is None else since + grace
        # If the table also waits for the viewer, the viewer can only agree with the others.
        waits = self._viewer.seat not in self._table.actors
        may = set()
        if waits and self._may_nudge(chair.nudged_ms):
            may.add("nudge")
        if ends is not None and ends > self._now:
            self._moments.append(ends)
        elif ends is not None:
            may |= self._ways_on(waits, since)
        return Wait(
            seat=seat,
            since_ms=since,
            grace_ends_ms=ends,
            nudged_ms=chair.nudged_ms if (chair.nudged_ms or 0) > asked else None,
            may=frozenset(may),
            agreed=self._agreed(since),
            missing=self.missing(since),
        )

    def _may_nudge(self, nudged: int | None) -> bool:
        days = self._table.facts.clock.kind == "days"
        again = (nudged or 0) + (NUDGE_DAYS_MS if days else NUDGE_MS)
        if again > self._now:
            self._moments.append(again)
        return again <= self._now

    def _ways_on(self, waits: bool, since: int) -> set[str]:
        """Return the actions with which the viewer may go on without an absent player after the grace period.

        For this period, see `Clock.grace`. `waits`: the viewer is not to act, and only waits for others. `since` is
        the time at which the wait for the absent player began.
        """
        table, seat = self._table, self._viewer.seat
        people = table.people
        ways = {"let_bot"} if waits else set()
        if waits and table.seats == 2 and len(people) == 2:
            ways.add("take_win")
        # A seat that has agreed can end the game if the others who had to agree have left meanwhile.
        if (waits or len(people) > 2) and (seat not in self._agreed(since) or not self.missing(since)):
            ways.add("call_off")
        return ways

    def _agreed(self, since: int) -> tuple[int, ...]:
        """Return the seats whose people have agreed, at the time `since` or later, to call the game off."""
        chairs = self._table.facts.chairs
        return tuple(seat for seat in self._table.people if (chairs[seat].call_off_ms or 0) >= max(since, 1))

    def missing(self, since: int) -> tuple[int, ...]:
        """Return the seats of people who are present and have not agreed to call the game off.

        An agreement before the time `since` does not count.
        """
        agreed = self._agreed(since)
        there = (seat for seat in self._table.people if self.signs[seat].state == "here")
        return tuple(seat for seat in there if seat not in agreed)

    @property
    def nudged_by(self) -> int | None:
        """The seat that last reminded (nudged) the viewer during the present decision, or None."""
        viewer, chair = self._viewer, self._viewer.chair
        if chair is None or viewer.seat not in self._table.actors or not viewer.plays:
            return None
        asked = self._table.clocks.asked[chair.seat]
        if chair.nudged_ms is None or asked is None or chair.nudged_ms <= asked:
            return None
        return chair.nudged_by


@lru_cache(maxsize=4096)
def _stamp(
    signs: tuple[tuple[str | None, int | None], ...], waits: tuple[Wait, ...], paused: str, seat: int | None
) -> str:
    return f"{zlib.crc32(msgspec.json.encode((signs, waits, paused, seat))):08x}"
