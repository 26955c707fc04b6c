"""The oracle: what any position of a round is worth, by tables that are solved once and kept for the round."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from spelunke.core.kernel import bind, pool
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.solving.dice import code_of
from spelunke.games.shanghaien.solving.endings import Endings, Judge
from spelunke.games.shanghaien.solving.frame import Frame, Side, frame_of, lead_of, side_of
from spelunke.games.shanghaien.solving.round import Doubles, Laid, Round
from spelunke.games.shanghaien.solving.stakes import finished
from spelunke.games.shanghaien.state import (
    ACTIONS,
    AFTER_FIRST_ROLL,
    DEALING,
    DIRECTION_TIMING,
    FINISHED,
    LEFT,
    OBJECTING,
    RIGHT,
    ROLLING,
    SHANGHAI,
    STATE,
    TURN,
    UNFIXED,
    State,
)

if TYPE_CHECKING:
    from spelunke.core.step import Step

RULES = f"{GAME.package}.rules"
KEEP = 400_000_000
"""Bytes of solved rounds that are kept; the oldest are forgotten."""


class Oracle:
    """Values of positions for seat 0, when both sides play on perfectly for what the judge counts.

    Exact within a round. The two extra cards of the options are not looked ahead at: they count as cards in the hand,
    and what has been done with them as it stands. May be asked by several threads.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._lock = threading.Lock()
        self._rounds: OrderedDict[Frame, list[Round]] = OrderedDict()

    # --- solving ---

    def _find(self, s: State, end: int) -> tuple[Round, tuple[int, int]]:
        """The table that holds this position, solved now if there is none."""
        frame = frame_of(s, end)
        lead, sides, dice = lead_of(s), (side_of(s, 0), side_of(s, 1)), s.placed.tolist()
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
        kinds = self.judge.stage(frame.tavern + 1).kinds
        return Round(frame, lead, *sides, endings, kinds=kinds)

    def _forget(self) -> None:
        size = sum(found.store.nbytes for known in self._rounds.values() for found in known)
        while size > KEEP and len(self._rounds) > 1:
            _, known = self._rounds.popitem(last=False)
            size -= sum(found.store.nbytes for found in known)

    # --- values ---

    def value(self, s: State) -> float:
        """What the position is worth to seat 0."""
        if s.phase == TURN and s.end != UNFIXED:
            table, numbers = self._find(s, int(s.end))
            return table.turn(int(s.turn), numbers, _codes(s))
        if s.phase == TURN:
            return self._mean(s)
        if s.phase == ROLLING:
            return self._mean(s)
        if s.phase in (DEALING, FINISHED):
            return self._between(s)
        seat = 1 - int(s.turn) if s.phase == OBJECTING else int(s.turn)
        values = list(self.choices(s, seat).values())
        return max(values) if seat == 0 else min(values)

    def choices(self, s: State, seat: int) -> dict[int, float]:
        """What each legal action of the seat is worth to seat 0."""
        out = np.zeros(ACTIONS, np.int16)
        states = pool(STATE, 1)
        states[0] = s
        found: dict[int, float] = {}
        for action in out[: _step().legal_at(states, 0, seat, out)].tolist():
            if action == SHANGHAI:
                table, numbers = self._find(s, int(s.end))
                found[action] = table.ended(seat, numbers, _codes(s))
                continue
            states[0] = s
            _step().play_at(states, 0, seat, action)
            found[action] = self.value(states[0])
        return found

    def rolls(self, s: State) -> Doubles:
        """What each roll of two dice is worth to seat 0, float64[6, 6], when the one on turn rolls now."""
        mover = int(s.turn)
        ends = (LEFT, RIGHT) if s.end == UNFIXED else (int(s.end),)
        found = [self._find(s, end) for end in ends]
        table = found[0][0]
        reroll = table.frame.reroll and not s.tricked and not s.rerolled
        laid = [one.laid(mover, sides, _codes(s), tricks=not s.spent[mover]) for one, sides in found]
        if s.options[DIRECTION_TIMING] == AFTER_FIRST_ROLL:
            best = np.max([one.rolls(reroll) for one in laid], axis=0)
        else:
            best = functools.reduce(Laid.join, laid).rolls(reroll)
        return table.seen(best, mover)

    def _mean(self, s: State) -> float:
        """The mean over all rolls."""
        return float(self.rolls(s).mean())

    def _between(self, s: State) -> float:
        """What crews are worth while cards are dealt, which count as one chance; what a finished match is worth."""
        frame = frame_of(s, LEFT)
        sides = (side_of(s, 0), side_of(s, 1))
        if s.phase == FINISHED:
            states = pool(STATE, 1)
            states[0] = s
            points, ranks = np.zeros(2, np.int16), np.zeros(2, np.int16)
            _step().result_at(states, 0, points, ranks)
            return finished(self.judge.aim, int(s.total[0] - s.total[1]), int(ranks[1] - ranks[0]))
        deck = list(frame.deck)
        for kind in frame.row:
            if kind >= 0:
                deck[kind] += 1
        return self.judge.crews(replace(frame, deck=tuple(deck)), sides, int(s.starter))


def _step() -> Step:
    """The rules as everybody calls them from Python, so that they are compiled once."""
    return cast("Step", bind("spelunke.core.step", RULES))


def _codes(s: State) -> tuple[int, int]:
    dice = s.dice.tolist()
    return code_of(dice[0]), code_of(dice[1])
