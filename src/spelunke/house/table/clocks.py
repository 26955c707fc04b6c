"""Clocks, derived from the times in a table's log: who is asked since when, and how long each seat has left.

What happens when time is up, and why a late house is not a player's fault: docs/why/clocks.md.
"""

from __future__ import annotations

from spelunke.house.plan import Clock

DAY_MS = 86_400_000
SCENE_MS = 20_000
"""So long after the end of a round no live clock runs: everybody looks at what it brought."""


class Clocks:
    """The clocks of one table, moved on by its log. Times in milliseconds since 1970.

    ``asked[seat]`` is when the seat's present decision began (None: it is not asked), or when its time begins to count,
    if that is still to come. Seats that a bot plays don't run.
    """

    __slots__ = ("_clock", "_ran", "asked", "bank")

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self.asked: list[int | None] = [None] * seats
        self.bank = [int(clock.minutes * 60_000)] * seats
        # whether time has run in the seat's present turn: only then it earns the increment
        self._ran = [False] * seats

    def acted(self, seat: int, at: int) -> None:
        """The seat has decided: its time is taken, and stops."""
        since = self.asked[seat]
        if since is not None:
            self.bank[seat] = max(0, self.bank[seat] - max(0, at - since))
            self.asked[seat] = None
            self._ran[seat] |= at >= since

    def ask(self, now: tuple[int, ...], runs: list[bool], at: int, begins: int | None = None) -> None:
        """After a row: `now` are asked; ``runs[seat]``: whether its time counts (a person plays it, ...).

        What begins to run now does so at ``begins``, where that is later.
        """
        for seat, since in enumerate(self.asked):
            if seat in now and runs[seat]:
                if since is None:
                    self.asked[seat] = at if begins is None else max(at, begins)
                continue
            # No longer asked although it did not act (a window closed, a bot took over): its time counts.
            self.acted(seat, at)
            if self._ran[seat] and seat not in now:
                self._ran[seat] = False
                self.bank[seat] += int(self._clock.increment * 1000)

    def begin_anew(self, at: int) -> None:
        """The house was away: what ran meanwhile is nobody's time."""
        self.asked = [None if since is None else at for since in self.asked]

    def copy(self) -> Clocks:
        """The same clocks as they are now; they go on apart."""
        other = Clocks.__new__(Clocks)
        other._clock = self._clock
        other.asked, other.bank, other._ran = self.asked.copy(), self.bank.copy(), self._ran.copy()
        return other

    def adopt(self, seat: int, other: Clocks) -> None:
        """Set the seat's clock to what it is in `other`."""
        self.asked[seat], self.bank[seat], self._ran[seat] = (
            other.asked[seat],
            other.bank[seat],
            other._ran[seat],
        )

    def forgive(self, seat: int, before: Clocks) -> None:
        """Charge the seat nothing for what it has used since `before`; if it is asked still, that begins anew."""
        self.bank[seat], self._ran[seat] = before.bank[seat], before._ran[seat]
        self.asked[seat] = None

    def deadline(self, seat: int) -> int | None:
        """When the seat's time is up, or None when its clock does not run."""
        since = self.asked[seat]
        if since is None or self._clock.kind == "none":
            return None
        if self._clock.kind == "days":
            return since + int(self._clock.days * DAY_MS)
        return since + self.bank[seat]

    def left(self, seat: int, now: int) -> int | None:
        """Milliseconds left, 0 when time is up; None without a clock."""
        if self._clock.kind == "none":
            return None
        end = self.deadline(seat)
        if end is not None:
            return max(0, end - now)
        return int(self._clock.days * DAY_MS) if self._clock.kind == "days" else self.bank[seat]
