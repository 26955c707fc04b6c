"""The open decisions of a table, and the facts about them that clocks must not reveal."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spelunke.house.table.clocks import Clocks
from spelunke.house.table.log import TIME, Row


class Decisions:
    """For each seat, the row at which its present decision opened."""

    __slots__ = ("_offered", "opened")

    def __init__(self, seats: int) -> None:
        # by seat, the number of rows when its present decision began, or None
        self.opened: list[int | None] = [None] * seats
        self._offered: list[tuple[bool, frozenset[object]]] = [(False, frozenset())] * seats

    def follow(self, seat: int, row: int, acting: bool, choices: frozenset[object]) -> None:
        """Update a seat's decision after a row.

        `acting`: the seat is to act. `choices` are its possible actions, or the possible changes of its
        sealed action. A decision continues while all its choices remain possible, whatever others do. If a
        sealed choice can be changed, that is a decision too.
        """
        was_acting, before = self._offered[seat]
        if not (acting or choices):
            self.opened[seat] = None
        elif self.opened[seat] is None or was_acting != acting or not before <= choices:
            self.opened[seat] = row
        self._offered[seat] = (acting, choices)


class VisibleWait(msgspec.Struct, frozen=True):
    """A time in which everybody sees that the table waits (hook `visible_wait`): its name, its start and its
    length.
    """

    name: str
    since: int
    ms: int

    @property
    def ends(self) -> int:
        """The time at which the wait ends."""
        return self.since + self.ms


class Checkpoint(msgspec.Struct, frozen=True):
    """A copy of the true clocks after a number of rows of the table and plies of the match."""

    row: int
    ply: int
    clocks: Clocks


class SecretAnswers:
    """The true clocks during a moment that hides who has answered (hook `seats_maybe_asked`)."""

    __slots__ = ("checkpoints", "name", "runs", "timed")

    def __init__(self, name: str, runs: list[bool], *, timed: bool) -> None:
        self.name = name
        # whether everybody sees the table wait in this moment; then no clock runs before the known end of the
        # wait
        self.timed = timed
        # for each seat, whether its clock runs while the seat is to act in this moment
        self.runs = runs
        # the true clocks at the start of the moment, and after each row since then
        self.checkpoints: list[Checkpoint] = []


def give_back(secret: SecretAnswers, clocks: Clocks, rows: Sequence[Row], *, live: bool) -> None:
    """Give back to the seats the time that they used in a live moment that hid who had answered.

    This is called at the end of that moment. Otherwise the used time would reveal which seats had answered.
    If a seat ran out of time, everybody saw it, and the seat gets nothing back.
    """
    if secret.timed or not live:
        return
    first = secret.checkpoints[0]
    late = {row.seat for row in rows[first.row :] if row.is_note and row.note[0] == TIME}
    for seat, runs in enumerate(secret.runs):
        if runs and seat not in late:
            clocks.forgive(seat, first.clocks)
