"""Clocks, derived from the times in a table's log: the start of each decision, and the time left per seat.

For expired clocks, and for server delays, which cost no player time, see docs/why/clocks.md.
"""

from __future__ import annotations

from spelunke.house.plan import Clock

DAY_MS = 86_400_000
SCENE_MS = 20_000
"""After the end of a round, live clocks stop for this time, so that everybody can look at the result."""


class Clocks:
    """The clocks of one table, updated from its log. Times are milliseconds since 1970.

    ``asked[seat]`` is the start of the seat's present decision (None: it has none), or a later time if time
    counts from then. Clocks of seats played by bots don't run.
    """

    __slots__ = ("_clock", "_ran", "asked", "bank")

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self.asked: list[int | None] = [None] * seats
        self.bank = [int(clock.minutes * 60_000)] * seats
        # whether time has run in the seat's present turn; only then it earns the increment
        self._ran = [False] * seats

    def acted(self, seat: int, at: int) -> None:
        """Stop the seat's clock and charge the time of its decision."""
        since = self.asked[seat]
        if since is not None:
            self.bank[seat] = max(0, self.bank[seat] - max(0, at - since))
            self.asked[seat] = None
            self._ran[seat] |= at >= since

    def ask(self, now: tuple[int, ...], runs: list[bool], at: int, begins: int | None = None) -> None:
        """Update the clocks after a row.

        `now` are the seats to act; ``runs[seat]`` says whether the seat's time counts.

        Clocks that start now start at ``begins`` if that is later.
        """
        for seat, since in enumerate(self.asked):
            if seat in now and runs[seat]:
                if since is None:
                    self.asked[seat] = at if begins is None else max(at, begins)
                continue
            # A seat may stop being asked without acting (a window closed, a bot took over); it is charged for
            # its time.
            self.acted(seat, at)
            if self._ran[seat] and seat not in now:
                self._ran[seat] = False
                self.bank[seat] += int(self._clock.increment * 1000)

    def begin_anew(self, at: int) -> None:
        """Restart the running clocks: the server was down, and nobody is charged for that."""
        self.asked = [None if since is None else at for since in self.asked]

    def copy(self) -> Clocks:
        """Return an independent copy."""
        other = Clocks.__new__(Clocks)
        other._clock = self._clock
        other.asked, other.bank, other._ran = self.asked.copy(), self.bank.copy(), self._ran.copy()
        return other

    def adopt(self, seat: int, other: Clocks) -> None:
        """Copy the seat's clock from `other`."""
        self.asked[seat], self.bank[seat], self._ran[seat] = (
            other.asked[seat],
            other.bank[seat],
            other._ran[seat],
        )

    def forgive(self, seat: int, before: Clocks) -> None:
        """Undo all charges of the seat since `before`; its present decision starts again."""
        self.bank[seat], self._ran[seat] = before.bank[seat], before._ran[seat]
        self.asked[seat] = None

    def deadline(self, seat: int) -> int | None:
        """Return the time when the seat's time is up, or None if its clock isn't running."""
        since = self.asked[seat]
        if since is None or self._clock.kind == "none":
            return None
        if self._clock.kind == "days":
            return since + int(self._clock.days * DAY_MS)
        return since + self.bank[seat]

    def left(self, seat: int, now: int) -> int | None:
        """Return the milliseconds left, 0 when time is up, and None without a clock."""
        if self._clock.kind == "none":
            return None
        end = self.deadline(seat)
        if end is not None:
            return max(0, end - now)
        return int(self._clock.days * DAY_MS) if self._clock.kind == "days" else self.bank[seat]
