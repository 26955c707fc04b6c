"""The oracle: the value of any position of a match.

The oracle solves whole rounds. It keeps solved rounds in memory, by default up to a total size of ``KEEP``.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from spelunke.core.kernel import bind, pool
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.solving.endings import Endings, Judge
from spelunke.games.shanghaien.solving.frame import (
    END,
    PHASE,
    REROLLED,
    SPENT,
    STARTER,
    TRICKED,
    TURN,
    Frame,
    Side,
    Table,
    read,
)
from spelunke.games.shanghaien.solving.round import Doubles, Laid, Round
from spelunke.games.shanghaien.solving.stakes import finished
from spelunke.games.shanghaien.state import (
    ACTIONS,
    AFTER_FIRST_ROLL,
    DEALING,
    DIRECTION_TIMING,
    DRAWING_STARTER,
    FINISHED,
    LEFT,
    OBJECTING,
    RIGHT,
    ROLLING,
    SHANGHAI,
    STATE,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.state import TURN as TURN_PHASE

if TYPE_CHECKING:
    from spelunke.core.step import Step

RULES = f"{GAME.package}.rules"
KEEP = 400_000_000
"""The default of the maximum size of the solved rounds that are kept, in bytes.

Above the maximum size, the oracle drops the least recently used rounds, but never those of the latest :class:`.Frame`.
"""


class Oracle:
    """The values of positions for seat 0, if both sides play perfectly.

    The aim of ``judge`` decides whether many points or a win is best. The values are exact within a round, except in
    games with the two extra cards, which options add. The oracle assumes that nobody will play an extra card, and
    counts it only as a card in hand. One of these cards is the crazy captain. If a seat has already played it, the
    oracle assumes that the seat objects only to dice that are already rolled. Several threads may use an oracle.
    """

    def __init__(self, judge: Judge, keep: int = KEEP) -> None:
        self.judge = judge
        self._keep = keep
        self._lock = threading.Lock()
        self._rounds: OrderedDict[Frame, list[Round]] = OrderedDict()

    # --- solving ---

    def _find(self, t: Table, end: int) -> tuple[Round, tuple[int, int]]:
        """Return a solved round that contains this position, and the index of each seat's side (see :class:`.Round`).

        If no stored round contains the position, solve the position's round. ``end`` is the end of the row at which
        card 1 lies.
        """
        frame, lead, sides, dice = t.frame(end), t.lead, t.sides, t.placed
        with self._lock:
            known = self._rounds.setdefault(frame, [])
            self._rounds.move_to_end(frame)
            for found in known:
                numbers = found.find(lead, sides, dice)
                if numbers is not None:
                    return found, numbers
            solved = self._solve(frame, lead, sides)
            known.append(solved)
            self._forget()
        numbers = solved.find(lead, sides, dice)
        assert numbers is not None
        return solved, numbers

    def _solve(self, frame: Frame, lead: int, sides: tuple[Side, Side]) -> Round:
        endings = Endings(self.judge, frame, *sides)
        return Round(frame, lead, *sides, endings)

    @property
    def size(self) -> int:
        """The total size of the stored rounds, in bytes."""
        return sum(found.store.nbytes for known in self._rounds.values() for found in known)

    def _forget(self) -> None:
        size = self.size
        while size > self._keep and len(self._rounds) > 1:
            _, known = self._rounds.popitem(last=False)
            size -= sum(found.store.nbytes for found in known)

    # --- values ---

    def value(self, s: State) -> float:
        """Return the value of the position for seat 0."""
        t = read(s)
        phase = t[PHASE]
        if phase == TURN_PHASE and t[END] != UNFIXED:
            table, numbers = self._find(t, t[END])
            return table.turn(t[TURN], numbers, t.codes)
        if phase in (TURN_PHASE, ROLLING):
            return float(self._rolls(t).mean())
        if phase in (DEALING, DRAWING_STARTER, FINISHED):
            return self._between(s, t)
        seat = 1 - t[TURN] if phase == OBJECTING else t[TURN]
        values = list(self.choices(s, seat).values())
        return max(values) if seat == 0 else min(values)

    def choices(self, s: State, seat: int) -> dict[int, float]:
        """Return a mapping from the number of each legal action to the action's value for seat 0."""
        out = np.zeros(ACTIONS, np.int16)
        states = pool(STATE, 1)
        states[0] = s
        raw, before = states.view(np.uint8), s.tobytes()
        found: dict[int, float] = {}
        step = _step()
        for action in out[: step.legal_at(states, 0, seat, out)].tolist():
            if action == SHANGHAI:
                t = read(s)
                table, numbers = self._find(t, t[END])
                found[action] = table.ended(seat, numbers, t.codes)
                continue
            raw[:] = np.frombuffer(before, np.uint8)
            step.play_at(states, 0, seat, action)
            found[action] = self.value(states[0])
        return found

    def rolls(self, s: State) -> Doubles:
        """Return the value for seat 0 of each roll that the seat on turn can get now, float64[6, 6].

        The indices are the two dice.
        """
        return self._rolls(read(s))

    def _rolls(self, t: Table) -> Doubles:
        mover = t[TURN]
        ends = (LEFT, RIGHT) if t[END] == UNFIXED else (t[END],)
        found = [self._find(t, end) for end in ends]
        table = found[0][0]
        reroll = table.frame.reroll and not t[TRICKED] and not t[REROLLED]
        laid = [one.laid(mover, sides, t.codes, tricks=not t[SPENT + mover]) for one, sides in found]
        if table.frame.options[DIRECTION_TIMING] == AFTER_FIRST_ROLL:
            best = np.max([one.rolls(reroll) for one in laid], axis=0)
        else:
            best = functools.reduce(Laid.join, laid).rolls(reroll)
        return table.seen(best, mover)

    def _between(self, s: State, t: Table) -> float:
        """Return the value for seat 0 of a position between two rounds or after the end of the match.

        If the deal of a row is not finished, the cards that already lie in the row count as not dealt yet.
        """
        frame = t.frame(LEFT)
        if s.phase == FINISHED:
            states = pool(STATE, 1)
            states[0] = s
            points, ranks = np.zeros(2, np.int16), np.zeros(2, np.int16)
            _step().result_at(states, 0, points, ranks)
            return finished(
                self.judge.aim, int(s.total[0] - s.total[1]), int(ranks[1] - ranks[0]), self.judge.grace
            )
        deck = list(frame.deck)
        for kind in frame.row:
            if kind >= 0:
                deck[kind] += 1
        return self.judge.crews(replace(frame, deck=tuple(deck)), t.sides, t[STARTER])


def _step() -> Step:
    """Return the kernels that step through a game.

    All Python code shares them, so they are compiled only once.
    """
    return cast("Step", bind("spelunke.core.step", RULES))
