"""A guided first game: a fixed line of plies, with texts for the learner.

A game's lesson is data, and the server plays its line. It plays chance and the other seats automatically, waits
for the learner's own moves, and shows the text of the learner's current step. After the line, the game goes on
like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from spelunke.core.contract import CHANCE

LEARNER = 0
"""The learner's seat."""


class Step(msgspec.Struct, frozen=True):
    """One step of a lesson: a ply by ``seat`` (-1 is chance, 0 is the learner), or a text that the learner only reads.

    ``move`` is a move or an outcome of chance in the game's notation. It is empty if there is no ply. The page shows
    ``text`` while the step waits for the learner. Write plain English sentences, and say one thing at a time.
    """

    seat: int
    move: str = ""
    text: str = ""

    @property
    def waits(self) -> bool:
        """Whether the lesson waits at this step until the learner moves or reads."""
        return self.seat == LEARNER


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A guided game. The learner has seat 0.

    ``seats`` and ``options`` are the settings of the table, as a host would choose them. ``steps`` are in the
    order of play. But between two steps of the learner, steps of different seats may also be played in another order.
    ``short`` has the steps of a shorter lesson for people who know similar games; it may be empty. ``known`` is
    the label of the button for the shorter lesson, a short sentence in the learner's voice.
    """

    seats: tuple[str, ...]
    options: Mapping[str, object] = {}
    steps: tuple[Step, ...]
    known: str = ""
    short: tuple[Step, ...] = ()


def read(text: str) -> Step:
    """Return a step in which the learner reads a text."""
    return Step(LEARNER, text=text)


def do(move: str, text: str) -> Step:
    """Return a step in which the learner reads a text and plays this move."""
    return Step(LEARNER, move, text)


def chance(*outcomes: str) -> tuple[Step, ...]:
    """Return steps in which chance brings these outcomes, one after the other."""
    return tuple(Step(CHANCE, outcome) for outcome in outcomes)


class Progress:
    """The progress of a table in a lesson. The methods :meth:`follows` and :meth:`went_on` change it."""

    __slots__ = ("_left", "told")

    def __init__(self, steps: Sequence[Step]) -> None:
        self._left = list(steps)
        self.told = sum(step.waits for step in steps)

    @property
    def over(self) -> bool:
        """Whether all steps are done."""
        return not self._left

    @property
    def waiting(self) -> Step | None:
        """The step that waits for the learner. None at the end, or if another seat or chance has to move first."""
        return self._left[0] if self._left and self._left[0].waits else None

    @property
    def number(self) -> int:
        """The position of the current step among the learner's steps, counted from 1."""
        return self.told - sum(step.waits for step in self._left) + 1

    def due(self, seat: int) -> Step | None:
        """Return the next step of this seat (or of CHANCE), or None if there is none.

        A seat must wait for the learner: if a step of the learner comes first, also return None. Chance never has to
        wait.
        """
        for step in self._left:
            if step.seat == seat:
                return step
            if step.waits and seat != CHANCE:
                return None
        return None

    def follows(self, seat: int, move: str) -> bool:
        """Return whether this ply is the next step of its seat. If so, mark the step as done."""
        step = self.due(seat)
        if step is None or step.move != move:
            return False
        self._left.remove(step)
        return True

    def went_on(self) -> bool:
        """Mark the current step as read, and return True.

        If no step waits for the learner, or if the step requires a move, do nothing and return False.
        """
        step = self.waiting
        if step is None or step.move:
            return False
        self._left.remove(step)
        return True
