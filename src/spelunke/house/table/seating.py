"""The players of seats: bots that stand in for people, and seats that resigned, according to the notes in the log."""

from __future__ import annotations

from collections.abc import Sequence

from spelunke.house.table.facts import Chair, Facts
from spelunke.house.table.log import CALLED_OFF, COME_BACK, DRAW, LEFT, RESIGN, STAND_IN, TIME, Row


class Seating:
    """The bots that stand in for people, the seats that resigned, and the note that ended the game."""

    __slots__ = ("came_ms", "ended_by", "resigned", "stand_ins")

    def __init__(self, seats: int) -> None:
        # by seat, the level of the bot that plays for its person
        self.stand_ins: list[str | None] = [None] * seats
        # by seat, when the newest bot began to stand in; 0 before the first
        self.came_ms = [0] * seats
        self.resigned: list[int] = []
        self.ended_by: Row | None = None

    def apply(self, row: Row, facts: Facts) -> bool:
        """Apply a note. Return False if it does not concern the players."""
        word, level = row.note
        seats = len(self.stand_ins)
        if word in {DRAW, CALLED_OFF}:
            self.ended_by = row
        elif word == STAND_IN or (word == TIME and facts.clock.when_out(seats) == "bot"):
            self._stand_in(row, level)
        elif word == COME_BACK:
            self.stand_ins[row.seat] = None
        elif word in {RESIGN, TIME, LEFT}:
            self.resigned.append(row.seat)
            if seats - len(self.resigned) < 2:
                self.ended_by = row
            elif facts.chairs[row.seat].level is None and self.stand_ins[row.seat] is None:
                self._stand_in(row, level)
        else:
            return False
        return True

    def _stand_in(self, row: Row, level: str) -> None:
        self.stand_ins[row.seat], self.came_ms[row.seat] = level, row.at


def find_helped(chairs: Sequence[Chair], rows: Sequence[Row]) -> tuple[int, ...]:
    """Return 1 for each seat at which a bot has made a move for its person, else 0."""
    moved = {row.seat for row in rows if row.bot is not None and not row.is_note}
    return tuple(int(chair.level is None and chair.seat in moved) for chair in chairs)
