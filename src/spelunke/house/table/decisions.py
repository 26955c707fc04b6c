"""Decisions that are open at a table, and what the clocks must not tell of them while they are."""

from __future__ import annotations

import msgspec

from spelunke.house.table.clocks import Clocks


class Decisions:
    """Since which row each seat's present decision is open."""

    __slots__ = ("_offered", "opened")

    def __init__(self, seats: int) -> None:
        # opened[seat]: rows there were when the seat's present decision began, None when it has none
        self.opened: list[int | None] = [None] * seats
        self._offered: list[tuple[bool, frozenset[object]]] = [(False, frozenset())] * seats

    def follow(self, seat: int, row: int, acting: bool, choices: frozenset[object]) -> None:
        """After a row: whether the seat is asked, and what it may choose or change.

        A decision goes on while all that could be chosen still can be, whatever others do meanwhile; a sealed choice
        that can be changed is a decision too.
        """
        was_acting, before = self._offered[seat]
        if not (acting or choices):
            self.opened[seat] = None
        elif self.opened[seat] is None or was_acting != acting or not before <= choices:
            self.opened[seat] = row
        self._offered[seat] = (acting, choices)

    def close(self, seat: int) -> None:
        """The seat has decided."""
        self.opened[seat] = None


class VisibleWait(msgspec.Struct, frozen=True):
    """A time in which everybody sees the table wait (hook `visible_wait`): its name, when it began, how long it is."""

    name: str
    since: int
    ms: int

    @property
    def ends(self) -> int:
        """When it is over."""
        return self.since + self.ms


class Checkpoint(msgspec.Struct, frozen=True):
    """The true clocks when a table had so many rows, and its match so many plies."""

    row: int
    ply: int
    clocks: Clocks


class SecretAnswers:
    """A moment in which it is told to nobody who has answered (hook `seats_maybe_asked`), as it has gone so far."""

    __slots__ = ("checkpoints", "name", "runs", "timed")

    def __init__(self, name: str, runs: list[bool], *, timed: bool) -> None:
        self.name = name
        # whether everybody sees the table wait for it: then no clock runs before the end that everybody knows
        self.timed = timed
        # whose clocks run while they are asked in it
        self.runs = runs
        # at its beginning, and after each row since
        self.checkpoints: list[Checkpoint] = []
