"""Draw offers, and requests to take a move back.

A draw offer is stored outside the log, together with the length of the log at the time of the offer. A request
to take a move back is a note in the log.
"""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.core.contract import CHANCE
from spelunke.house.table.log import AGREE, ASK, AWAY, Log, Row
from spelunke.house.table.noticed import Noticed


class DrawOffers:
    """The draw offers at a table.

    `made[seat]` is the number of rows in the log when the seat made its offer. If the offer was declined, the
    value is -1 minus that number.
    """

    __slots__ = ("_all", "_log", "made")

    def __init__(self, made: Mapping[int, int], log: Log, everybody: Noticed) -> None:
        self.made = made
        self._log = log
        self._all = everybody

    @property
    def valid(self) -> tuple[int, ...]:
        """The seats with a valid offer. An offer is valid until it is declined or another seat acts visibly."""
        return tuple(
            seat for seat, row in self.made.items() if row >= 0 and not self._was_moved_since(row, seat)
        )

    @property
    def declined(self) -> tuple[int, ...]:
        """The seats whose offer was declined. A seat stays here until another seat acts visibly."""
        return tuple(
            seat for seat, row in self.made.items() if row < 0 and not self._was_moved_since(-row - 1, seat)
        )

    def _was_moved_since(self, row: int, seat: int) -> bool:
        """Return whether another seat has visibly acted after row `row` of the log.

        The note that gives time back after an outage (`!away`) has a seat, but it is no action of that seat.
        """
        rows, counts = self._log.rows, self._all.counts
        return any(
            rows[index].seat not in {seat, CHANCE}
            and rows[index].move != AWAY
            and counts[index] != counts[index + 1]
            for index in range(row, len(rows))
        )

    def made_since_own_move(self, seat: int) -> bool:
        """Return whether the seat has offered a draw since its last move. A declined offer counts too."""
        row = self.made.get(seat)
        if row is None:
            return False
        since = row if row >= 0 else -row - 1
        return self._log.last_move(seat) <= since

    def with_offer(self, seat: int) -> dict[int, int]:
        """Return all draw offers, including a new one that this seat makes now."""
        return {**self.made, seat: len(self._log.rows)}

    def declined_by(self, seat: int) -> dict[int, int] | None:
        """Return all offers as they are after this seat has declined the offers of the other seats.

        If no other seat has a valid offer, return None.
        """
        declined = set(self.valid) - {seat}
        if not declined:
            return None
        return {other: -row - 1 if other in declined else row for other, row in self.made.items()}


class Asking:
    """The open request of a seat to take its newest move back, computed from the notes in the log."""

    __slots__ = ("agreed", "by", "since")

    def __init__(self) -> None:
        # the seat that asks, or None; the seats that have agreed
        self.by: int | None = None
        self.agreed: frozenset[int] = frozenset()
        # the number of plies of the match at the newest request; at each number, a seat may ask only once
        self.since = -1

    def note(self, row: Row, ply: int) -> None:
        """Update this request after a note in the log that makes it, agrees to it or refuses it.

        `ply` is the match's number of plies.
        """
        if row.move == ASK:
            self.by, self.agreed, self.since = row.seat, frozenset(), ply
        elif row.move == AGREE:
            self.agreed |= {row.seat}
        else:
            self.by = None

    def lapse(self) -> None:
        """End the request, because the game went on or the move was taken back."""
        self.by = None
