"""Positions between two rounds, for learning. Their values come from solving the round that follows."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.solving.dice import NUMBERS, code_of, settled, takers
from spelunke.games.shanghaien.solving.endings import Endings, Judge
from spelunke.games.shanghaien.solving.frame import Frame, Pair, Row, Side, expand
from spelunke.games.shanghaien.solving.round import Laid, Round
from spelunke.games.shanghaien.solving.stages import guess, left_by_nation
from spelunke.games.shanghaien.solving.stakes import Aim
from spelunke.games.shanghaien.solving.walks import (
    NOBODY,
    Crews,
    Walker,
    after_fall,
    after_round,
    at_the_start,
)
from spelunke.games.shanghaien.state import COPIES, KINDS, NATIONS, NOTHING, ROUNDS

Pool: TypeAlias = npt.NDArray[np.int8]
"""Positions after each of the first seven rounds of each game, int8[games, 7, BRANCHES, CELLS]."""

TRICKS = (3, 2, 3)
ROW = 6
MOST_JOKERS, MOST_AT_LAST = 1, 3
"""The number of nations that are chosen for each side's jokers: in most rounds, and in the last round.

In samples, jokers may join only chosen nations (see :func:`fewer_jokers`). The number is larger in the last round,
because one joker may decide the game.
"""
BRANCHES = 8
"""The number of positions that are made from each round of a game.

The first one is the position from which the game continues. The others are alternative ends of the round.
"""
CALM, CARELESS = 0.003, 0.03
"""The standard deviations of the players' errors in the value of each choice.

Each round is played several times: in half of these plays both players are calm, and in the other half careless.
"""
TWISTED = 0.4
"""The share of alternative ends in which one or two cards get a random taker, independent of the dice."""
SIDE_CELLS = 5 + NATIONS + NATIONS
CELLS = KINDS + 2 * SIDE_CELLS
SPENT_AT_RANDOM, JOINS_AT_RANDOM = 0.4, 0.7
"""Two probabilities for each side in a round with a random end.

With the first probability, a side that has a trick plays one. With the second probability, a side that plays a trick
and has a sailor lays the trick as a joker.
"""
SPENT = 6
"""The maximum number of variants with spent tricks that are solved with each sample (see :func:`spent_crews`)."""
SOLVED_FOR_POINTS = 3
"""Samples whose number is divisible by this are solved for points too, unless :func:`draw` solves them ``briefly``."""
SOLVED_FROM_BOTH_ENDS = 12
"""Samples whose number is divisible by this are solved for both directions of the row, unless solved ``briefly``.

All other samples are solved for one direction.
"""


def write_crews(crews: Crews) -> list[int]:
    """Return a position as a list of numbers. ``CELLS`` is the length of the list."""
    cells = list(crews.deck)
    for side in crews.sides:
        cells += [*side.hand, *side.strength, *map(int, side.sailors)]
    return cells


def read_crews(rounds: int, cells: npt.NDArray[np.int8]) -> Crews:
    """Return the position that :func:`write_crews` wrote into these cells."""
    numbers = cells.tolist()
    sides = []
    for begin in (KINDS, KINDS + SIDE_CELLS):
        hand, strength = numbers[begin : begin + 5], numbers[begin + 5 : begin + 5 + NATIONS]
        sailors = numbers[begin + 5 + NATIONS : begin + SIDE_CELLS]
        sides.append(Side(tuple(hand), tuple(strength), tuple(map(bool, sailors)), False))
    return Crews(rounds, tuple(numbers[:KINDS]), (sides[0], sides[1]))


def full_deck() -> Row:
    """Return the number of cards of each kind in the whole game."""
    return (*np.tile(COPIES, NATIONS).tolist(), *TRICKS)


def deal_row(rng: np.random.Generator, crews: Crews) -> Frame:
    """Return the frame (the unchanging parts) of the next round, with six random cards from the deck as its row."""
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


def fewer_jokers(crews: Crews) -> tuple[Side, Side]:
    """Return both sides, changed so that they may lay jokers only in some nations.

    For each side, choose the nations in which its joker would gain most. Each side may lay jokers in the nations chosen
    for either side, so that it can answer the other side's jokers.
    """
    left = left_by_nation(crews.deck)
    most = MOST_AT_LAST if crews.rounds == ROUNDS - 1 else MOST_JOKERS
    best: set[int] = set()
    for seat, side in enumerate(crews.sides):
        gains = []
        for nation in range(NATIONS):
            mine, theirs = (np.array([one.strength[nation]]) for one in (side, crews.sides[1 - seat]))
            after, before = (guess().nation(left[nation], mine + more, theirs)[0][0] for more in (2, 0))
            gains.append(float(after - before) if side.sailors[nation] else -1e9)
        best |= set(np.argsort(gains)[::-1][:most].tolist())
    first, second = (
        replace(side, sailors=tuple(has and n in best for n, has in enumerate(side.sailors)))
        for side in crews.sides
    )
    return first, second


# --- positions ---


def play_game(judge: Judge, rng: np.random.Generator) -> list[list[Crews]]:
    """Play a game in which both sides choose by the judge's values.

    Return a list for each of the first seven rounds: the positions after alternative ends of this round. The game
    continues from the first position.
    """
    found = []
    crews = at_the_start(full_deck())
    calm, careless = Walker(rng, CALM), Walker(rng, CARELESS)
    for _ in range(ROUNDS - 1):
        frame = deal_row(rng, crews)
        sides = fewer_jokers(crews)
        table = Round(frame, 0, *sides, Endings(judge, frame, *sides))
        positions = []
        for branch in range(BRANCHES):
            walker = careless if branch % 2 else calm
            ended = walker.walk([table])
            who = takers()[settled()[ended.codes[0], ended.codes[1]]]
            if branch and rng.random() < TWISTED:
                who = who.copy()
                who[rng.choice(ROW, rng.integers(1, 3), replace=False)] = rng.integers(3)
            positions.append(whole_hands(after_round(table, ended, who.tolist()), crews, ended.caller))
        found.append(positions)
        crews = positions[0]
    return found


def whole_hands(now: Crews, before: Crews, caller: int) -> Crews:
    """Return the position ``now`` without the limits that :func:`fewer_jokers` set for the previous round.

    In the result, each side may lay jokers in all nations in which it has sailors. ``before`` is the position before
    that round, and ``caller`` the seat that ended it.
    """
    old = before.sides if caller == 1 else before.sides[::-1]
    sides = [
        replace(one, sailors=tuple(a or b for a, b in zip(one.sailors, was.sailors, strict=True)))
        for one, was in zip(now.sides, old, strict=True)
    ]
    return Crews(now.rounds, now.deck, (sides[0], sides[1]))


def end_at_random(rng: np.random.Generator, before: Crews) -> Crews:
    """Return a position after a round with random dice. Such positions are unlikely in real games.

    They are needed for learning, because a player who compares choices must also know the values of unlikely
    positions.
    """
    frame = deal_row(rng, before)
    caller = int(rng.integers(2))
    sides = []
    for side in before.sides:
        held = [kind for kind, n in enumerate(side.hand) if n]
        nations = [nation for nation, has in enumerate(side.sailors) if has]
        if held and rng.random() < SPENT_AT_RANDOM:
            joins = bool(nations) and rng.random() < JOINS_AT_RANDOM
            nation = int(rng.choice(nations)) if joins else NOTHING
            side = side.plays(int(rng.choice(held)), nation)
        sides.append(side)
    count = int(rng.integers(2, 6))
    laid = (count, max(1, count - int(rng.integers(2))))
    codes = [code_of(np.bincount(rng.integers(NUMBERS, size=n), minlength=NUMBERS).tolist()) for n in laid]
    # The caller's dice are the first in ``codes``, whatever the caller's seat. So ``codes[caller]`` is that of seat 0.
    who = takers()[settled()[codes[caller], codes[1 - caller]]].tolist()
    return after_fall(frame, (sides[0], sides[1]), who, caller)


# --- the values of positions ---


def solve_row(judge: Judge, frame: Frame, sides: tuple[Side, Side], ends: int = 2) -> list[Round]:
    """Return the solved rounds for the frame's row and for this row reversed, or only the first if ``ends`` is 1."""
    rows = (frame.row, frame.row[::-1])[:ends]
    return [
        Round(one, 0, *sides, Endings(judge, one, *sides))
        for one in (replace(frame, row=row) for row in rows)
    ]


def begin(tables: Sequence[Round], numbers: Pair = NOBODY) -> float:
    """Return the value of a round for seat 0 before the round's first roll.

    ``tables`` are solved rounds, one for each direction that the starter may choose. ``numbers`` has the number of a
    side for each seat: the index in the list of all sides that the seat can have in the round (see :class:`.Round`). By
    default, both seats have the sides with which the round starts.
    """
    nothing = code_of([0] * ROW)
    starter = tables[0].frame.starter
    laid = [table.laid(starter, numbers, (nothing, nothing), tricks=True) for table in tables]
    best = functools.reduce(Laid.join, laid).rolls(tables[0].frame.reroll)
    return float(tables[0].seen(best, starter).mean())


def solve_start(judge: Judge, frame: Frame, sides: tuple[Side, Side], ends: int = 2) -> float:
    """Solve the round, and return its value for seat 0 before the first roll (see :func:`begin`)."""
    return begin(solve_row(judge, frame, sides, ends))


def spent_crews(crews: Crews, sides: tuple[Side, Side]) -> dict[Pair, Crews]:
    """Return variants of the position, by key. In a variant, one seat or both have played their last trick.

    The key is a pair: for each seat, the index of its side (its tricks and crews) in the solved round of the position
    (:class:`.Round`). The solved round has the values of the variants too. Variants in which a trick has laid a second
    die are left out.
    """
    firsts, seconds = (expand(side)[0] for side in sides)
    found = {}
    for numbers in itertools.product(range(len(firsts)), range(len(seconds))):
        pair = (firsts[numbers[0]], seconds[numbers[1]])
        if numbers != NOBODY and all(
            not side.spent or (not side.more and not any(side.hand)) for side in pair
        ):
            first, second = (replace(side, spent=False) for side in pair)
            found[numbers] = Crews(crews.rounds, crews.deck, (first, second))
    return found


class Sample(NamedTuple):
    """The value for seat 0 of a position between two rounds, computed from one deal of the next row.

    Each entry of ``win`` has, for each seat, the index of its side in the solved round (:class:`.Round`), and then a
    value from -1 (a loss) to 1 (a win). The first entry is for the position, and the others are for variants with spent
    tricks (see :func:`spent_crews`). ``points`` has the same entries with values in points, or is None.

    All these values are for one direction of the row. If the starter may choose the direction, the position's value is
    larger by ``more_win`` or ``more_points``. In most samples, both are None.
    """

    number: int
    win: list[tuple[int, int, float]]
    points: list[tuple[int, int, float]] | None = None
    more_win: float | None = None
    more_points: float | None = None


def deal_sample(crews: Crews, seed: int, number: int) -> tuple[Frame, tuple[Side, Side], list[Pair]]:
    """Deal the row of a sample. Return the frame with this row, each seat's side, and the pairs that the sample uses.

    The solved round lists all sides that each seat can have (see :class:`.Round`). A pair has two indices: one in the
    list of seat 0, and one in the list of seat 1. The first pair is for the position itself. The others are for some
    variants from :func:`spent_crews`.
    """
    rng = np.random.default_rng([seed, crews.rounds, number])
    frame = deal_row(rng, crews)
    sides = fewer_jokers(crews)
    others = list(spent_crews(crews, sides))
    some = rng.permutation(len(others))[:SPENT].tolist()
    return frame, sides, [NOBODY, *(others[k] for k in some)]


def draw(judges: dict[Aim, Judge], crews: Crews, seed: int, number: int, *, briefly: bool = False) -> Sample:
    """Return one sample of the value of a position between two rounds.

    If ``briefly`` is true, compute only values for wins, not for points, and only for one direction of the row.
    """
    frame, sides, pairs = deal_sample(crews, seed, number)
    aims = [Aim.WIN] if briefly or number % SOLVED_FOR_POINTS else [Aim.WIN, Aim.POINTS]
    ends = 1 if briefly or number % SOLVED_FROM_BOTH_ENDS else 2
    found, more = [], []
    for aim in aims:
        tables = solve_row(judges[aim], frame, sides, ends)
        values = [begin(tables[:1], pair) for pair in pairs]
        found.append([(*pair, value) for pair, value in zip(pairs, values, strict=True)])
        if len(tables) > 1:
            more.append(begin(tables) - values[0])
    if more:
        return Sample(number, found[0], found[1], *more)
    return Sample(number, found[0], found[1] if len(found) > 1 else None)


# --- the values of positions, played to the end ---


def play_out(judge: Judge, crews: Crews, rng: np.random.Generator) -> float:
    """Play a game from this position to its end. Both sides play perfectly by the judge's values.

    Each round gives a difference: its solved value after the deal, minus the value that the judge expected before the
    deal. Return the sum of these differences, for seat 0.

    The result contains the luck of the cards, but no luck of the dice, because the value of a solved round is the mean
    over all rolls. The mean of many results estimates the error of the judge's value of the position.
    """
    found, sign = 0.0, 1
    while True:
        frame = deal_row(rng, crews)
        sides = fewer_jokers(crews)
        tables = solve_row(judge, frame, sides)
        found += sign * (begin(tables) - judge.crews(replace(frame, deck=crews.deck), crews.sides, 0))
        if crews.rounds == ROUNDS - 1:
            return found
        ended = Walker(rng, 0.0).walk(tables)
        crews = whole_hands(after_round(tables[ended.table], ended), crews, ended.caller)
        sign = sign if ended.caller == 1 else -sign
