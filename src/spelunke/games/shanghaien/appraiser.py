"""Two values of a position of Shanghaien for analyses: the lead in points, and the chance to win.

The lead assumes that both seats play for points. The chance to win assumes that both play to win.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeVar

from spelunke.analysis.analysis import Appraiser, Value
from spelunke.core.words import plain
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.solving import Aim, Judge, Oracle, error_of, learned
from spelunke.games.shanghaien.state import EXTRA, FINISHED, MATCH, ROUNDS, SINGLE, State

T = TypeVar("T")
KEEP = 150_000_000
"""The maximum size of a cache of solved rounds, in bytes.

One cache is for points, and another one is for the chance to win.
"""
REMEMBERED = 8
GAMES = 3
"""The most games of a match."""


class ShanghaienAppraiser(Appraiser[State, Action]):
    """An appraiser that solves each round exactly, but assumes that nobody will play an extra card (:class:`.Oracle`).

    At the end of a round, the value of a position is the learned value of both crews. After the last round, it
    follows from the score.
    """

    method = plain(
        "Each round is calculated exactly. The value of the crews for later rounds is an estimate, learned from many "
        "games; in the last round, the score itself counts. If the options add extra cards, the calculation ignores "
        "extra cards that may still be played."
    )

    def __init__(self) -> None:
        self._open(*(Oracle(Judge(learned(aim), aim, grace=0.0), KEEP) for aim in (Aim.WIN, Aim.POINTS)))

    def _open(self, win: Oracle, points: Oracle) -> None:
        self._win, self._points = win, points
        self._choices: OrderedDict[bytes, Sequence[tuple[Action, Value]]] = OrderedDict()
        self._values: OrderedDict[bytes, tuple[Value, ...]] = OrderedDict()

    def part(self, s: State) -> int:
        """Return the number of the round, counted through all games of a match."""
        return int(s.games) * ROUNDS + min(int(s.tavern), ROUNDS - 1) + 1

    def values(self, s: State) -> tuple[Value, ...]:
        """Return each seat's lead and chance to win (see :class:`spelunke.analysis.analysis.Appraiser`)."""
        key = s.tobytes()
        if key not in self._values:
            points, win = self._points.value(s) + _lead_before(s), self._win.value(s)
            self._values[key] = (self._value(s, points, win), self._value(s, -points, -win))
            _trim(self._values)
        return self._values[key]

    def choices(self, s: State, seat: int) -> Sequence[tuple[Action, Value]]:
        """Return each legal action with the seat's lead and chance to win after it.

        See :class:`spelunke.analysis.analysis.Appraiser`.
        """
        key = s.tobytes()
        if key not in self._choices:
            points, win = self._points.choices(s, seat), self._win.choices(s, seat)
            sign, before = 1 if seat == 0 else -1, _lead_before(s)
            self._choices[key] = [
                (moves.decode(number), self._value(s, sign * (points[number] + before), sign * win[number]))
                for number in points
            ]
            _trim(self._choices)
        return self._choices[key]

    def _value(self, s: State, points: float, win: float) -> Value:
        if _is_exact(s):
            return Value(points, (1.0 + win) / 2)
        off = error_of(int(s.tavern) + 1)
        return Value(points, (1.0 + win) / 2, False, *off)


def _is_exact(s: State) -> bool:
    """Return whether the values of a position are exact.

    They are exact if the match ends with this round, and no seat may still play “sharks or exchange”. The crazy
    captain does not matter, because nobody may play it in the last round.
    """
    if s.phase == FINISHED:
        return True
    last = s.tavern == ROUNDS - 1 and (s.options[MATCH] == SINGLE or s.games == GAMES - 1)
    return bool(last and not any(s.hand[seat, EXTRA] and not s.spent[seat] for seat in range(2)))


def _lead_before(s: State) -> int:
    """Return seat 0's lead in points from the finished games of a match.

    After the match, it is 0, because then the value of the position already includes it.
    """
    return 0 if s.phase == FINISHED else int(s.total[0] - s.total[1])


def _trim(known: OrderedDict[bytes, T]) -> None:
    while len(known) > REMEMBERED:
        known.popitem(last=False)
