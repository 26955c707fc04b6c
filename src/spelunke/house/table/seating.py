"""The bots that replace people, and the seats that resigned, according to the notes in the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from spelunke.core.outcome import Outcome
from spelunke.house.plan import ME
from spelunke.house.table.facts import Chair, Facts
from spelunke.house.table.log import CALLED_OFF, COME_BACK, DRAW, LEFT, RESIGN, STAND_IN, TIME, UNDO, Row

BY_BOT, BY_UNDO, BY_DEVICE = 1, 2, 3
"""The reasons why a game does not count for a person, as stored numbers.

`BY_BOT`: a bot moved for the person. `BY_UNDO`: the person took moves back against bots. `BY_DEVICE`: several
people played on one device.
"""

Quit = Literal["resigned", "time", "left"]
QUITS: dict[str, Quit] = {RESIGN: "resigned", TIME: "time", LEFT: "left"}
"""For each note with which a player gives a game up, the reason (see `house.messages.Result`)."""


class Seating:
    """The bots that play for people, and the seats that resigned.

    If a note of the log (a row that is no ply, such as a resignation) ended the game, ``ended_by`` is this note.
    """

    __slots__ = ("came_ms", "ended_by", "quits", "resigned", "stand_ins")

    def __init__(self, seats: int) -> None:
        # by seat, the level of the bot that plays for its person
        self.stand_ins: list[str | None] = [None] * seats
        # by seat, when the newest bot began to stand in; 0 before the first
        self.came_ms = [0] * seats
        self.resigned: list[int] = []
        # by seat, why its player gave the game up
        self.quits: list[Quit | None] = [None] * seats
        self.ended_by: Row | None = None

    def apply(self, row: Row, facts: Facts) -> bool:
        """Apply a note of the log: update the resigned seats, and the bots that play for people.

        If the note ends the game, store the note. Return False if the note changes nothing here.
        """
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
            self.quits[row.seat] = QUITS[word]
            if seats - len(self.resigned) < 2:
                self.ended_by = row
            elif facts.chairs[row.seat].level is None and self.stand_ins[row.seat] is None:
                self._stand_in(row, level)
        else:
            return False
        return True

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of a game that a note ended, else None. A note is a log row without a ply, such as resigning."""
        ended, seats = self.ended_by, len(self.stand_ins)
        if ended is None:
            return None
        word = ended.note[0]
        if word in {DRAW, CALLED_OFF}:
            return Outcome((0,) * seats, (1,) * seats, "agreed" if ended.move == DRAW else "called_off")
        last = seats - len(self.resigned) + 1
        ranks = tuple(last if seat in self.resigned else 1 for seat in range(seats))
        return Outcome((0,) * seats, ranks, QUITS[word])

    def _stand_in(self, row: Row, level: str) -> None:
        self.stand_ins[row.seat], self.came_ms[row.seat] = level, row.at


def find_helped(chairs: Sequence[Chair], rows: Sequence[Row]) -> tuple[int, ...]:
    """Return, for each seat, the reason why the game does not count for its person, or 0 if there is no reason.

    The reasons are `BY_BOT`, `BY_UNDO` and `BY_DEVICE`. The game does not count for people at a shared device, but
    it may count for people at other devices. If a person takes moves back and all other players are bots, the game is
    practice and does not count. If several people play, moves that were taken back don't matter, because all other
    people agreed.
    """
    moved = {row.seat for row in rows if row.bot is not None and not row.is_note}
    alone = sum(chair.level is None for chair in chairs) <= 1
    undone = {row.seat for row in rows if alone and row.move == UNDO}
    shared = any(chair.here for chair in chairs)

    def reason(chair: Chair) -> int:
        if chair.level:
            return 0
        if chair.here or (shared and chair.plan == ME):
            return BY_DEVICE
        if chair.seat in moved:
            return BY_BOT
        return BY_UNDO if chair.seat in undone else 0

    return tuple(reason(chair) for chair in chairs)
