"""The present decisions of a table's seats, and the waits that everybody sees.

During a decision with secret answers, copies of the table's clocks are stored here too.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spelunke.house.table.clocks import Clocks
from spelunke.house.table.log import TIME, Row


class Decisions:
    """For each seat, the row of the log at which its present decision began."""

    __slots__ = ("_offered", "opened")

    def __init__(self, seats: int) -> None:
        # by seat, the number of rows when its present decision began, or None
        self.opened: list[int | None] = [None] * seats
        self._offered: list[tuple[bool, frozenset[object]]] = [(False, frozenset())] * seats

    def follow(self, seat: int, row: int, acting: bool, choices: frozenset[object]) -> None:
        """Update a seat's decision after a row of the log.

        `acting` is true if the seat is to act. `choices` are the seat's possible actions. If the seat has already
        chosen an action in secret, `choices` are the actions that may replace the chosen action, and the decision
        is whether to replace it. If only one seat acts at a time, `choices` is empty. A new decision begins when
        `acting` changes or one of the earlier choices is lost. Otherwise the decision continues, whatever other
        seats do.
        """
        was_acting, before = self._offered[seat]
        if not (acting or choices):
            self.opened[seat] = None
        elif self.opened[seat] is None or was_acting != acting or not before <= choices:
            self.opened[seat] = row
        self._offered[seat] = (acting, choices)


class VisibleWait(msgspec.Struct, frozen=True):
    """A period in which everybody sees that the table waits (hook `visible_wait`).

    ``since`` is its start in milliseconds since 1970, and ``ms`` its length in milliseconds.
    """

    name: str
    since: int
    ms: int

    @property
    def ends(self) -> int:
        """The time at which the wait ends."""
        return self.since + self.ms


class Checkpoint(msgspec.Struct, frozen=True):
    """A copy of a table's clocks, with the numbers of rows and plies after which it was made."""

    row: int
    ply: int
    clocks: Clocks


class SecretAnswers:
    """Copies of a table's clocks during a decision that hides which seats have answered.

    The decision's `name` comes from the hook `seats_maybe_asked`. The true clocks would reveal which seats have
    answered, so a viewer does not see other seats' true clocks during the decision. `Viewer.clocks` computes what
    the viewer sees instead.
    """

    __slots__ = ("checkpoints", "name", "runs", "timed")

    def __init__(self, name: str, runs: list[bool], *, timed: bool) -> None:
        self.name = name
        # whether everybody sees the table wait during the decision; then no clock runs before the wait ends
        self.timed = timed
        # for each seat, whether its clock runs while a person, and not a bot, is to act there
        self.runs = runs
        # the true clocks at the start of the decision, and after each row since then
        self.checkpoints: list[Checkpoint] = []


def give_back(secret: SecretAnswers, clocks: Clocks, rows: Sequence[Row], *, live: bool) -> None:
    """Give back to each seat the time that it used for a decision with secret answers.

    Call this at the end of the decision. Otherwise the used time would reveal which seats had answered. The
    function changes `clocks` in place. If `live` is false (the table has no live clock), or if the decision had a
    visible wait, it does nothing. A seat that ran out of time gets nothing back, because everybody saw its time end.
    """
    if secret.timed or not live:
        return
    first = secret.checkpoints[0]
    late = {row.seat for row in rows[first.row :] if row.is_note and row.note[0] == TIME}
    for seat, runs in enumerate(secret.runs):
        if runs and seat not in late:
            clocks.forgive(seat, first.clocks)
