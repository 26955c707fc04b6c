"""Sentences about a finished game, ply by ply: what was done, and what could have been done instead."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.core.match import Match
from spelunke.core.values import Action
from spelunke.house.replays import Course


class Teller:
    """Tells plies and moves of a finished game with all open, in the words of its game."""

    def __init__(self, course: Course, translate: Callable[[str], str]) -> None:
        self._course = course
        self._translate = translate
        self._names = course.table.names

    def ply(self, number: int) -> str:
        """What was played, or what chance brought."""
        return self._say(self._course.match, number)

    def move(self, number: int, text: str) -> str:
        """What would have been played by this move text instead of a ply."""
        at = self._course.match_at(number)
        at.act(self._course.match.plies[number].seat, at.parse(text))
        return self._say(at, 0)

    def action(self, number: int, text: str) -> Action:
        """The action that a move text means there."""
        return self._course.match_at(number).parse(text)

    def _say(self, match: Match, number: int) -> str:
        say = self._course.game.events.say
        told = (say(event, self._names, self._translate) for event in match.events_of(number))
        return " ".join(sentence for sentence in told if sentence)
