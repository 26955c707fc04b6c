"""Positions between two rounds to learn from, and what they turn out to be worth once the next cards are dealt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spelunke.games.shanghaien.solving.dice import code_of
from spelunke.games.shanghaien.solving.endings import Endings, Judge
from spelunke.games.shanghaien.solving.frame import Frame, Side
from spelunke.games.shanghaien.solving.round import Laid, Round
from spelunke.games.shanghaien.solving.stages import SHARE, Stage, left_of
from spelunke.games.shanghaien.solving.stakes import Aim
from spelunke.games.shanghaien.state import COPIES, GAME, KINDS, NATIONS, NOTHING, SAILORS

TRICKS = (3, 2, 3)
USED = 0.5
"""How likely a trick card is played before the game is over."""
ROW = 6
MOST_JOKERS = 2
"""Nations that a joker may join while learning: those where it gains most. Others hardly ever are better."""


@dataclass(frozen=True)
class Crews:
    """Both sides between two rounds; seat 0 begins the next one."""

    rounds: int
    deck: tuple[int, ...]
    sides: tuple[Side, Side]


def deal_crews(rng: np.random.Generator, rounds: int) -> Crews:
    """A position after so many rounds in which each side got each card with the same chance."""
    cards = np.repeat(np.arange(KINDS), [*np.tile(COPIES, NATIONS), *TRICKS])
    rng.shuffle(cards)
    strength = np.zeros((2, NATIONS), np.int64)
    sailors = np.zeros((2, NATIONS), bool)
    hand = np.zeros((2, 5), np.int64)
    played: list[int] = []
    for kind in cards[: ROW * rounds].tolist():
        seat = int(rng.choice(3, p=[SHARE, SHARE, 1 - 2 * SHARE]))
        if seat == 2:
            continue
        if kind < SAILORS:
            strength[seat, kind >> 2] += (kind & 3) + 1
            sailors[seat, kind >> 2] = True
        elif rng.random() < USED:
            played.append(seat)
        else:
            hand[seat, kind - SAILORS] += 1
    for seat in played:
        with_sailors = np.flatnonzero(sailors[seat])
        if len(with_sailors) and rng.random() < 0.5:
            strength[seat, rng.choice(with_sailors)] += 2
    deck = np.bincount(cards[ROW * rounds :], minlength=KINDS)
    first, second = (
        Side(tuple(hand[k].tolist()), tuple(strength[k].tolist()), tuple(sailors[k].tolist()), False)
        for k in range(2)
    )
    return Crews(rounds, tuple(deck.tolist()), (first, second))


def deal_row(rng: np.random.Generator, crews: Crews) -> Frame:
    """The next round of it, with six cards drawn from the deck."""
    cards = np.repeat(np.arange(KINDS), crews.deck)
    row = rng.choice(cards, ROW, replace=False)
    deck = np.array(crews.deck) - np.bincount(row, minlength=KINDS)
    options = GAME.setup(2, GAME.settle(2))[1:]
    return Frame(
        row=tuple(row.tolist()),
        deck=tuple(deck.tolist()),
        tavern=crews.rounds,
        starter=0,
        opener=NOTHING,
        options=tuple(options.tolist()),
        games=0,
        wins=(0, 0),
        total=(0, 0),
        spare=(0, 0),
    )


def fewer_jokers(stage: Stage, deck: tuple[int, ...], sides: tuple[Side, Side]) -> tuple[Side, Side]:
    """The sides with jokers only for the nations where two more gain most."""
    found = []
    for seat, side in enumerate(sides):
        gains = []
        for nation in range(NATIONS):
            left = left_of(*deck[4 * nation : 4 * nation + 4])
            mine, theirs = (np.array([one.strength[nation]]) for one in (side, sides[1 - seat]))
            gain = stage.nation(left, mine + 2, theirs)[0] - stage.nation(left, mine, theirs)[0]
            gains.append(float(gain[0]) if side.sailors[nation] else -1e9)
        best = np.argsort(gains)[::-1][:MOST_JOKERS]
        sailors = tuple(side.sailors[n] and n in best for n in range(NATIONS))
        found.append(replace(side, sailors=sailors))
    return found[0], found[1]


def solve_start(judge: Judge, frame: Frame, sides: tuple[Side, Side], *, both_ends: bool = True) -> float:
    """What a round is worth to seat 0 before its first roll; with one end of the row as card 1 if not both may be."""
    nothing = code_of([0] * ROW)
    kinds = judge.stage(frame.tavern + 1).kinds
    laid: Laid | None = None
    table: Round | None = None
    for row in (frame.row, frame.row[::-1])[: 1 + both_ends]:
        one = replace(frame, row=row)
        table = Round(one, 0, *sides, Endings(judge, one, *sides), kinds=kinds)
        found = table.laid(frame.starter, (0, 0), (nothing, nothing), tricks=not sides[frame.starter].spent)
        laid = found if laid is None else laid.join(found)
    assert laid is not None
    assert table is not None
    return float(table.seen(laid.rolls(frame.reroll), frame.starter).mean())


class Sample(NamedTuple):
    """What a position turned out to be worth to seat 0 once the next row was dealt.

    ``points``: with one end of the row fixed. Of one in four also the chance to win (-1 to 1), and what more it is
    worth to choose the end.
    """

    number: int
    points: float
    win: float | None = None
    choice: float | None = None


def draw(judges: tuple[Judge, Judge], seed: int, rounds: int, number: int) -> Sample:
    """The sample of that number of the positions after so many rounds."""
    rng = np.random.default_rng([seed, rounds, number])
    crews = deal_crews(rng, rounds)
    frame = deal_row(rng, crews)
    win, points = judges
    assert (win.aim, points.aim) == (Aim.WIN, Aim.POINTS)
    sides = fewer_jokers(win.stage(rounds + 1), frame.deck, crews.sides)
    found = solve_start(points, frame, sides, both_ends=False)
    if number % 4:
        return Sample(number, found)
    choice = solve_start(points, frame, sides) - found
    return Sample(number, found, solve_start(win, frame, sides, both_ends=False), choice)
