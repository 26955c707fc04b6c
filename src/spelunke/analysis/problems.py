"""Problems: positions, from games of bots, in which the right moves are better than all others by a clear margin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

import msgspec

from spelunke.analysis.analysis import Alternative, Value
from spelunke.core.option import OptionsText as PositionText

FORMAT: Literal["spelunke-problems-1"] = "spelunke-problems-1"

EASY, MEDIUM, HARD = 1, 2, 3
FINE_COST = 0.02
"""In a secret choice, a move is right if its cost in chance to win is below this limit."""
FINE_SHARE = 0.10
"""In a secret choice, a move is right if its probability in the best mixture is at least this limit."""


def is_right(alternatives: Sequence[Alternative], chosen: Alternative, *, secret: bool) -> bool:
    """Return whether a chosen move is right: it is the best move, or good enough in a secret choice.

    In a secret choice, several seats choose at the same time. Then several moves are about equally good, because the
    best strategy is a mixture. So a move is also right if its share in the mixture is at least ``FINE_SHARE``, or if it
    costs less than ``FINE_COST``.
    """
    if chosen.move == alternatives[0].move:
        return True
    if not secret:
        return False
    cost = alternatives[0].value.chance - chosen.value.chance
    return (chosen.share is not None and chosen.share >= FINE_SHARE) or cost < FINE_COST


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One problem: a position in which ``seat`` has to find a right move.

    ``alternatives`` are the examined moves, the best first, with their values for the seat. ``theme`` is the first
    word of the best move. ``played`` is the move of a strong bot: the bot that played the game, or a bot of the
    strongest level. ``difficulty`` is 3 if ``played`` is not a right move. Otherwise, it is 1 if a bot of the default
    level finds a right move, and 2 if not. ``secret``: whether several seats choose at the same time; if so, several
    moves may be right (:func:`is_right`).
    """

    id: str
    theme: str
    difficulty: Literal[1, 2, 3]
    part: int
    seat: int
    position: PositionText
    alternatives: tuple[Alternative, ...]
    values: tuple[Value, ...]
    played: str
    source: str
    secret: bool = False

    @property
    def best(self) -> str:
        """The best move. In a secret choice, other moves may solve the problem too (:meth:`solves`)."""
        return self.alternatives[0].move

    @property
    def margin(self) -> float:
        """The chance to win after the best move, minus the chance to win after the best of the wrong moves.

        If no move is wrong, it is the chance to win after the best move.
        """
        wrong = [one.value.chance for one in self.alternatives if not self.solves(one.move)]
        return self.alternatives[0].value.chance - max(wrong, default=0.0)

    def solves(self, move: str) -> bool:
        """Return whether a move solves the problem. The move must be one of the alternatives."""
        chosen = next(one for one in self.alternatives if one.move == move)
        return is_right(self.alternatives, chosen, secret=self.secret)


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """The problems of a game. ``recipe`` is a command that makes the same collection again."""

    format: Literal["spelunke-problems-1"] = FORMAT
    game: str
    rules: int
    recipe: str
    made: str
    problems: tuple[Problem, ...]

    def find(self, name: str) -> Problem | None:
        """Return the problem with this id, or None."""
        return next((one for one in self.problems if one.id == name), None)

    def of_day(self, day: date) -> Problem:
        """Return the problem of a day. The collection must not be empty.

        Each day has the next problem of the collection. The day after the last problem has the first one again.
        """
        return self.problems[day.toordinal() % len(self.problems)]

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes of the problems (see :class:`Problem`). The theme with the most problems comes first."""
        count: dict[str, int] = {}
        for one in self.problems:
            count[one.theme] = count.get(one.theme, 0) + 1
        return tuple(sorted(count, key=lambda theme: (-count[theme], theme)))
