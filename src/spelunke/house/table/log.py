"""The log of a table: its stored rows, and the number of each row's ply in the match.

A row is a move of a seat, an outcome of chance (seat -1), or a note of the house. The text of a note begins
with `!`.
"""

from __future__ import annotations

import msgspec

from spelunke.records import chain

RESIGN, TIME, DRAW = "!resign", "!time", "!draw"
STAND_IN, COME_BACK, AWAY = "!bot", "!person", chain.AWAY
LEFT, CALLED_OFF = "!left", "!off"
HOUSE_OFF = f"{CALLED_OFF} house"
"""The text of the note for a game that a host of the site called off."""
ROUND_OFF = f"{CALLED_OFF} round"
"""The text of the note that calls off a game of a tournament because the time of the round is over."""
LESSON, READ, ALONE = "!lesson", "!read", "!alone"
"""Notes of lessons: the lesson begins, its learner has read a text, or its learner plays on without the
lesson.
"""
UNDO, ASK, AGREE, REFUSE = chain.UNDO, chain.ASK, chain.AGREE, chain.REFUSE
"""Notes about taking back a seat's newest move.

`UNDO`: the seat takes its move back. `ASK`: it asks the others for permission. `AGREE`, `REFUSE`: another
seat answers.
"""
SHORT = "short"
"""The text after `LESSON` in the note that begins the shorter lesson of a game."""


class Row(msgspec.Struct, frozen=True):
    """A row of the log, numbered from 1. `bot` is the level of the bot that moved, or None.

    `at` is the row's time in milliseconds since 1970. `key` is the text that identifies the request for the
    move. `link` is the row's link in the hash chain of the log: a hash of this row and all earlier rows. Rows
    in memory don't keep `link`.
    """

    number: int
    seat: int
    move: str
    at: int
    key: str | None = None
    bot: str | None = None
    link: str | None = None

    @property
    def is_note(self) -> bool:
        """Whether the row is a note, such as a resignation. A note is not a ply of the match."""
        return self.move.startswith("!")

    @property
    def by_person(self) -> bool:
        """Whether the seat's person made this move by a request.

        This is false if a bot or standing orders made the move, and if the person's silence counted as the move.
        The row must be an action of a seat.
        """
        return self.bot is None and self.key is not None

    @property
    def note(self) -> tuple[str, str]:
        """The first word of a note (a row that is no ply), and the rest of its text."""
        word, _, rest = self.move.partition(" ")
        return word, rest

    def line(self, began: int) -> chain.Line:
        """Return the row in the form from which its link in the hash chain is computed.

        `began` is the time at which the table's game began.
        """
        return chain.Line(self.number, self.seat, self.move, self.at - began, self.bot)

    def stored(self, table_id: str) -> dict[str, object]:
        """Return the row as it is stored in the database."""
        return {
            "table_id": table_id,
            "ply": self.number,
            "seat": self.seat,
            "move": self.move,
            "at": self.at,
            "key": self.key,
            "hand": self.bot,
            "link": self.link,
        }


class Log:
    """The rows of a table in order. Rows are added, but never removed."""

    __slots__ = ("_keys", "_moved", "plies", "rows", "undone")

    def __init__(self) -> None:
        self.rows: list[Row] = []
        # by row (from 0), its ply of the match, or None for a note and a move that was taken back
        self.plies: list[int | None] = []
        self._keys: set[tuple[int, str]] = set()
        # by seat, the row number of its newest move
        self._moved: dict[int, int] = {}
        # the indexes of rows whose moves were taken back
        self.undone: set[int] = set()

    def append(self, row: Row, ply: int | None) -> None:
        """Add a row, and the number of its ply in the match (None for a note, which is no ply)."""
        self.rows.append(row)
        self.plies.append(ply)
        if row.key:
            self._keys.add((row.seat, row.key))
        if ply is not None:
            self._moved[row.seat] = row.number

    def newest_ply(self) -> int:
        """Return the index of the newest row that is a ply of the match. The log must have such a row."""
        return next(at for at in range(len(self.rows) - 1, -1, -1) if self.plies[at] is not None)

    def void(self, index: int) -> None:
        """Record that the move of row `index` was taken back. The row then has no ply in the match any more."""
        self.plies[index] = None
        self.undone.add(index)

    def last_move(self, seat: int) -> int:
        """Return the row number of the seat's newest move, or 0 if the seat has not moved yet.

        A move that was taken back counts too.
        """
        return self._moved.get(seat, 0)

    def has(self, seat: int, key: str) -> bool:
        """Return whether the log already has a row of this seat from the request with this key."""
        return (seat, key) in self._keys
