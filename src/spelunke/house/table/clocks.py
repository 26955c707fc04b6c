"""Clocks, computed from the times in a table's log: the start of each decision and each seat's remaining
time.

docs/why/clocks.md describes expired clocks. It also explains why delays by the server cost no player any time.
"""

from __future__ import annotations

from spelunke.house.plan import Clock
from spelunke.house.table.log import AWAY, COME_BACK, STAND_IN, Row

DAY_MS = 86_400_000
SCENE_MS = 20_000
"""The time in ms for which live clocks stop after the end of a round, so that everybody can look at the
result.
"""


class Clocks:
    """The clocks of one table, updated from its log. Times are milliseconds since 1970.

    ``asked[seat]`` is the time since which the seat's clock runs: the start of its present decision, or later.
    It is None if the clock does not run: the seat has no decision, a bot plays the seat, or the seat's silence
    counts as an answer. ``bank[seat]`` is the time in ms that the seat had left when its clock last stopped.
    ``anew`` is the time at which the clocks were last restarted after an outage (the note `!away`), or 0.
    """

    __slots__ = ("_clock", "_kept", "_ran", "anew", "asked", "bank")

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self.anew = 0
        self.asked: list[int | None] = [None] * seats
        self.bank = [int(clock.minutes * 60_000)] * seats
        # whether time has run in the seat's present turn; if it has not, the seat gains no increment
        self._ran = [False] * seats
        # `asked`, `bank` and `_ran` of a seat before a bot stood in, until the seat's decision ends
        self._kept: list[tuple[int, int, bool] | None] = [None] * seats

    def acted(self, seat: int, at: int) -> None:
        """Stop the seat's clock at the time `at`, and subtract the time of the decision from the seat's time."""
        since = self.asked[seat]
        if since is not None:
            self.bank[seat] = max(0, self.bank[seat] - max(0, at - since))
            self.asked[seat] = None
            self._ran[seat] |= at >= since
        self._kept[seat] = None

    def ask(self, now: tuple[int, ...], runs: list[bool], at: int, begins: int | None = None) -> None:
        """Start and stop clocks after a new row of the log. The row was added at the time `at`.

        `now` are the seats to act after the row. ``runs[seat]`` says whether the seat's clock may run. If this
        call starts a clock, the clock counts from `at` or from ``begins``, whichever is later. A seat whose turn
        has ended gains the increment if its clock has run during the turn.
        """
        for seat, since in enumerate(self.asked):
            if seat in now and runs[seat]:
                if since is None:
                    self.asked[seat] = at if begins is None else max(at, begins)
                continue
            # A decision may end although its seat did not act (a window closed, or a bot took over). The seat
            # has still used the time.
            if since is not None or seat not in now:
                self.acted(seat, at)
            if self._ran[seat] and seat not in now:
                self._ran[seat] = False
                self.bank[seat] += int(self._clock.increment * 1000)

    def note(self, row: Row, begins: int) -> None:
        """Update the clocks after a note in the log.

        After an outage of the server, restart the running clocks, so that the outage costs no player any time. They
        count from `begins`, which is the time of the note or later. If a bot stands in and the person returns before
        the bot has acted, let the clock continue as if no bot had stood in. Otherwise a player could get
        unlimited time by leaving and returning again and again.
        """
        word, seat = row.note[0], row.seat
        if word == AWAY:
            self.anew = row.at
            self.asked = [None if since is None else begins for since in self.asked]
            self._kept = [None if kept is None else (begins, *kept[1:]) for kept in self._kept]
        elif word == STAND_IN:
            since, bank, ran = self.asked[seat], self.bank[seat], self._ran[seat]
            self.acted(seat, row.at)
            self._kept[seat] = None if since is None else (since, bank, ran)
        elif word == COME_BACK:
            kept, self._kept[seat] = self._kept[seat], None
            # Rows of older versions have no key. After them, the clock starts again: a running game loses no time.
            if kept is not None and row.key is not None:
                self.asked[seat], self.bank[seat], self._ran[seat] = kept

    def copy(self) -> Clocks:
        """Return an independent copy."""
        other = Clocks.__new__(Clocks)
        other._clock, other.anew = self._clock, self.anew
        other.asked, other.bank, other._ran = self.asked.copy(), self.bank.copy(), self._ran.copy()
        other._kept = self._kept.copy()
        return other

    def adopt(self, seat: int, other: Clocks) -> None:
        """Copy the seat's clock from `other`."""
        self.asked[seat], self.bank[seat], self._ran[seat] = (
            other.asked[seat],
            other.bank[seat],
            other._ran[seat],
        )
        self._kept[seat] = other._kept[seat]

    def forgive(self, seat: int, before: Clocks) -> None:
        """Stop the seat's clock, and give the seat the remaining time that it had in the earlier clocks `before`."""
        self.bank[seat], self._ran[seat] = before.bank[seat], before._ran[seat]
        self.asked[seat] = self._kept[seat] = None

    def deadline(self, seat: int) -> int | None:
        """Return the time at which the seat has no time left.

        If the seat's clock isn't running or the table has no clocks, return None.
        """
        since = self.asked[seat]
        if since is None or self._clock.kind == "none":
            return None
        if self._clock.kind == "days":
            return since + int(self._clock.days * DAY_MS)
        return since + self.bank[seat]

    def left(self, seat: int, now: int) -> int | None:
        """Return the milliseconds that the seat has left, at least 0, or None if the table has no clocks."""
        if self._clock.kind == "none":
            return None
        end = self.deadline(seat)
        if end is not None:
            return max(0, end - now)
        return int(self._clock.days * DAY_MS) if self._clock.kind == "days" else self.bank[seat]
