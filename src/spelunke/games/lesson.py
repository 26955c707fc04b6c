"""A guided first game: a line of plies that is fixed, and what is said to the learner on the way.

A game's lesson is data. Who drives the table plays the line (chance and the other seats by itself, the learner's seat
when the learner does it) and shows the text of the step that waits. When the line is over the game goes on like any
other.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from spelunke.core.contract import CHANCE

LEARNER = 0
"""The seat of who learns."""


class Step(msgspec.Struct, frozen=True):
    """One step: a ply of that seat (-1 chance, 0 the learner), or without a ``move`` a text that the learner reads.

    ``move`` is a move text or an outcome of chance as its game writes it. ``text`` is what the learner is told while
    the step waits, in English; plain sentences, one thing at a time.
    """

    seat: int
    move: str = ""
    text: str = ""

    @property
    def waits(self) -> bool:
        """Whether the learner goes on from here: by a move, or by having read."""
        return self.seat == LEARNER


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A guided game. ``seats`` and ``options`` make its table (as a host asks for one); the learner has seat 0.

    ``steps`` are in the order in which they come about. Steps of different other seats that are asked together may be
    played in any order.
    """

    seats: tuple[str, ...]
    options: Mapping[str, object] = {}
    steps: tuple[Step, ...]


def read(text: str) -> Step:
    """The learner reads a text."""
    return Step(LEARNER, text=text)


def do(move: str, text: str) -> Step:
    """The learner plays a move that a text leads to."""
    return Step(LEARNER, move, text)


def chance(*outcomes: str) -> tuple[Step, ...]:
    """Chance brings these outcomes, one after the other."""
    return tuple(Step(CHANCE, outcome) for outcome in outcomes)


class Progress:
    """How far a table has come in a lesson. The steps that are left are changed in place by `follows` and `went_on`."""

    __slots__ = ("_left", "told")

    def __init__(self, lesson: Lesson) -> None:
        self._left = list(lesson.steps)
        self.told = sum(step.waits for step in lesson.steps)

    @property
    def over(self) -> bool:
        """Whether nothing is left of it."""
        return not self._left

    @property
    def waiting(self) -> Step | None:
        """The step that waits for the learner; None while others have to move before it, and at the end."""
        return self._left[0] if self._left and self._left[0].waits else None

    @property
    def number(self) -> int:
        """The number of the step that waits among those that the learner takes, from 1."""
        return self.told - sum(step.waits for step in self._left) + 1

    def due(self, seat: int) -> Step | None:
        """The step that this seat, or chance, takes next; None while it has to wait for the learner, or has none.

        Chance waits for nobody: it decides at once.
        """
        for step in self._left:
            if step.seat == seat:
                return step
            if step.waits and seat != CHANCE:
                return None
        return None

    def follows(self, seat: int, move: str) -> bool:
        """Whether this ply is the line; then its step is taken."""
        step = self.due(seat)
        if step is None or step.move != move:
            return False
        self._left.remove(step)
        return True

    def went_on(self) -> bool:
        """The learner has read what was told; False where a move is awaited."""
        step = self.waiting
        if step is None or step.move:
            return False
        self._left.remove(step)
        return True
