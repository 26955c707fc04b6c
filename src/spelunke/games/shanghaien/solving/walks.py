"""Walks through solved rounds, to get positions for learning.

A walk plays a round once. Both sides make their best choices, with small errors. A round is solved once and walked
many times. Each walk ends in a position of its own, so one game gives many positions for each of its rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spelunke.games.shanghaien.solving.dice import FIRST, NUMBERS, code_of, settled, size_of, steps, takers
from spelunke.games.shanghaien.solving.frame import Frame, Row, Side
from spelunke.games.shanghaien.solving.round import Round
from spelunke.games.shanghaien.state import AGAIN, BOTH, DICE, NATIONS, PM1, SAILORS

Pair = tuple[int, int]
NOBODY: Pair = (0, 0)


@dataclass(frozen=True)
class Crews:
    """The crews and trick cards of both sides between two rounds. Seat 0 begins the next round.

    ``rounds`` is the number of finished rounds. ``deck`` has the number of cards of each kind that are still to
    come.
    """

    rounds: int
    deck: Row
    sides: tuple[Side, Side]


class Option(NamedTuple):
    """One way to lay the dice: its value for the mover, and the state after it.

    ``table`` is the index of a solved round in the argument ``tables`` of :meth:`Walker.walk`. ``sides`` has the index
    of each seat's side in that round (:class:`.Round`). ``code`` is the code of all laid dice of the mover
    (:mod:`.dice`). It is negative if the mover rolls again before laying a die.
    """

    worth: float
    table: int
    sides: Pair
    code: int


class Ended(NamedTuple):
    """The end of a round: the seat that called Shanghai, and the final state.

    ``table`` is the index of a solved round in the argument ``tables`` of :meth:`Walker.walk`. ``sides`` has, for each
    seat, the index of its side (its tricks and crews) in that round (:class:`.Round`). ``codes`` has the code of each
    seat's laid dice (:mod:`.dice`).
    """

    table: int
    caller: int
    sides: Pair
    codes: Pair


class Walker:
    """A player that plays rounds for both sides.

    ``off`` is the standard deviation of the player's error in the value of each choice.
    """

    def __init__(self, rng: np.random.Generator, off: float) -> None:
        self._rng, self._off = rng, off

    def walk(self, tables: Sequence[Round]) -> Ended:
        """Play a round from its first roll. Return the seat that called Shanghai, and the final state.

        If several solved rounds are given, each is for one direction of the row, and the starter chooses one.
        """
        nothing = code_of([0] * NUMBERS)
        mover, sides, codes = tables[0].frame.starter, NOBODY, (nothing, nothing)
        open_tables = list(range(len(tables)))
        while True:
            if len(open_tables) == 1 and self._calls(tables[open_tables[0]], mover, sides, codes):
                return Ended(open_tables[0], mover, sides, codes)
            roll = self._roll()
            found = [o for k in open_tables for o in options(tables[k], k, mover, sides, codes, roll)]
            best = self._best(found)
            if best.code < 0:
                after, again = best.sides, self._roll()
                laid = [laid_as(tables[k], k, mover, after, codes, again) for k in open_tables]
                best = self._best([o for some in laid for o in some])
            open_tables, sides = [best.table], best.sides
            codes = (best.code, codes[1]) if mover == 0 else (codes[0], best.code)
            mover = 1 - mover

    def _roll(self) -> Pair:
        low, high = self._rng.integers(NUMBERS, size=2).tolist()
        return low, high

    def _best(self, found: Sequence[Option]) -> Option:
        if len(found) == 1:
            return found[0]
        if not self._off:
            return max(found)
        noise = self._rng.normal(size=len(found)) * self._off
        return found[int(np.argmax([one.worth for one in found] + noise))]

    def _calls(self, table: Round, mover: int, sides: Pair, codes: Pair) -> bool:
        size = size_of(codes[mover])
        if size < 2 or size >= DICE - 1:
            return size >= 2
        sign = 1 if mover == 0 else -1
        lost = sign * (table.turn(mover, sides, codes) - table.ended(mover, sides, codes))
        slip = abs(self._rng.normal()) * self._off if self._off else 0.0
        return lost <= slip + 1e-6


def laid_as(table: Round, number: int, mover: int, sides: Pair, codes: Pair, dice: Row) -> list[Option]:
    """Return the ways to lay one die. ``dice`` has the possible values of the die, counted from 0.

    ``table`` is a solved round, and ``number`` is its index in the argument ``tables`` of :meth:`Walker.walk`.
    """
    values = table.row(mover, sides, *(codes if mover == 0 else codes[::-1]))
    mine = codes[mover]
    first, step = FIRST[size_of(mine) + 1], steps()[mine]
    return [Option(float(values[d]), number, sides, first + int(step[d])) for d in set(dice)]


def options(table: Round, number: int, mover: int, sides: Pair, codes: Pair, dice: Pair) -> list[Option]:
    """Return all ways to lay the dice after a roll, with and without tricks.

    ``table`` is a solved round, and ``number`` is its index in the argument ``tables`` of :meth:`Walker.walk`.
    """
    found = laid_as(table, number, mover, sides, codes, dice)
    mine, theirs = codes[mover], codes[1 - mover]
    first, step = FIRST[size_of(mine) + 1], steps()[mine]
    for (trick, joker), become in table.moves(mover, sides).items():
        for side in become:
            after = (side, sides[1]) if mover == 0 else (sides[0], side)
            if joker:
                found += laid_as(table, number, mover, after, codes, dice)
            elif trick == PM1:
                near = {d + more for d in dice for more in (-1, 1)} & set(range(NUMBERS))
                found += laid_as(table, number, mover, after, codes, (*near,))
            elif trick == AGAIN:
                row = table.row(mover, after, mine, theirs)
                mean = float(np.maximum(row[:, None], row[None, :]).mean())
                found.append(Option(mean, number, after, -1))
            elif trick == BOTH:
                half = first + int(step[dice[0]])
                both = FIRST[size_of(half) + 1] + int(steps()[half, dice[1]])
                worth = table.row(mover, after, half, theirs)[dice[1]]
                found.append(Option(float(worth), number, after, both))
    return found


def after_round(table: Round, ended: Ended, who: Sequence[int] | None = None) -> Crews:
    """Return the crews after the settlement.

    ``who`` has one entry for each card, by the card's number: 0 if nobody takes the card, 1 for the first side, and 2
    for the second. If ``who`` is None, the dice decide.
    """
    if who is None:
        who = takers()[settled()[ended.codes[0], ended.codes[1]]].tolist()
    first, second = (table.sides[seat][ended.sides[seat]] for seat in range(2))
    return after_fall(table.frame, (first, second), who, ended.caller)


def after_fall(frame: Frame, sides: tuple[Side, Side], who: Sequence[int], caller: int) -> Crews:
    """Return the crews after ``caller`` has called Shanghai and the sides have taken the cards of the row.

    ``who`` has one entry for each card, by the card's number: 0 if nobody takes the card, 1 for the first side, and 2
    for the second.
    """
    found = []
    for seat, side in enumerate(sides):
        hand, strength, sailors = list(side.hand), list(side.strength), list(side.sailors)
        for kind, taker in zip(frame.row, who, strict=True):
            if taker != seat + 1:
                continue
            if kind >= SAILORS:
                hand[kind - SAILORS] += 1
            else:
                strength[kind >> 2] += (kind & 3) + 1
                sailors[kind >> 2] = True
        found.append(Side(tuple(hand), tuple(strength), tuple(sailors), False))
    begins = 1 - caller
    return Crews(frame.tavern + 1, frame.deck, (found[begins], found[1 - begins]))


def at_the_start(deck: Row) -> Crews:
    """Return the crews at the start of a game, which are empty."""
    side = Side((0,) * 5, (0,) * NATIONS, (False,) * NATIONS, False)
    return Crews(0, deck, (side, side))
