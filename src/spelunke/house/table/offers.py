"""Draw offers, which everybody sees; each is stored beside the log with its row."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.core.contract import CHANCE
from spelunke.house.table.log import Log
from spelunke.house.table.noticed import Noticed


class DrawOffers:
    """The offers of a table. `made[seat]` is the number of rows at the offer, or -1 minus that if it was declined."""

    __slots__ = ("_all", "_log", "made")

    def __init__(self, made: Mapping[int, int], log: Log, everybody: Noticed) -> None:
        self.made = made
        self._log = log
        self._all = everybody

    @property
    def valid(self) -> tuple[int, ...]:
        """The seats whose offer still holds, because nobody else has visibly moved since."""
        return tuple(
            seat for seat, row in self.made.items() if row >= 0 and not self._was_moved_since(row, seat)
        )

    def _was_moved_since(self, row: int, seat: int) -> bool:
        """Return whether another seat has visibly acted since there were `row` rows."""
        rows, counts = self._log.rows, self._all.counts
        return any(
            rows[index].seat not in {seat, CHANCE} and counts[index] != counts[index + 1]
            for index in range(row, len(rows))
        )

    def made_since_own_move(self, seat: int) -> bool:
        """Return whether the seat has offered a draw (declined or not) and not moved since."""
        row = self.made.get(seat)
        if row is None:
            return False
        since = row if row >= 0 else -row - 1
        return self._log.last_move(seat) <= since

    def with_offer(self, seat: int) -> dict[int, int]:
        """Return all offers after this seat makes one now."""
        return {**self.made, seat: len(self._log.rows)}

    def declined_by(self, seat: int) -> dict[int, int] | None:
        """Return all offers after this seat declines those of others, or None if there are none."""
        declined = set(self.valid) - {seat}
        if not declined:
            return None
        return {other: -row - 1 if other in declined else row for other, row in self.made.items()}
