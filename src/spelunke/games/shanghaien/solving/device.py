"""Solve a round as one kernel, which browsers run as WebAssembly (docs/why/native.md).

The kernel computes the values of all settlements of a row, as :mod:`.endings` does with NumPy. It fills the blocks of
the round in the order of :class:`.Round`. A test compares the results with the values of :class:`.Round`.

All arguments are arrays of numbers, so that JavaScript can write them. :mod:`.elsewhere` makes them from the state of a
game, and from the networks.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.shanghaien.reckoning import gain
from spelunke.games.shanghaien.solving.blocks import (
    AGAIN,
    BOTH,
    JOKERS,
    NUDGED,
    OUT,
    STAY,
    Floats,
    Places,
    fill,
)
from spelunke.games.shanghaien.solving.device_network import (
    MEAN,
    ROW,
    STATES,
    SUMS,
    VARIANCE,
    WHOLE,
    WORK,
    correct,
    sum_up,
)
from spelunke.games.shanghaien.solving.dice import FIRST, SIZES, Shorts
from spelunke.games.shanghaien.solving.stages import Reals
from spelunke.games.shanghaien.state import DICE, NATIONS, SAILORS

ENDINGS: Final = 729

# The meaning of each element of ``frame``.
KINDS: Final = 0
"""In ``frame``: the kind of card 1. The kinds of the other five cards of the row follow."""
SETS: Final = 6
"""In ``frame``: for the first nation, the index of the set of its cards to come.

The indices for the other seven nations follow.
"""
TO_COME: Final = 14
"""In ``frame``: the number of trick cards to come."""
LEAD: Final = 15
STARTER: Final = 16
REROLL: Final = 17
FIRSTS: Final = 18
"""In ``frame``: the number of states of the first side.

Each has a row in ``sides``. The other rows belong to the second side.
"""
LEARNED: Final = 19
"""In ``frame``: 1 if a network values the settlements, and 0 after the last round."""
FRAME: Final = 20

# The columns of ``sides``: the strengths in the eight nations, then these.
HAND: Final = 8
SPENT: Final = 9
MORE: Final = 10
SIDE: Final = 11

# The meaning of each element of ``numbers``.
MIDDLE: Final = 0
"""In ``numbers``: the midpoint (see ``Round._judge``). The kernel writes it here, and subtracts it from all values."""
SCALE: Final = 1
FLOOR: Final = 2
POINTS: Final = 3
"""In ``numbers``: 1 if the aim is points, and 0 if it is to win.

All following elements are used only if the aim is to win.
"""
MARGIN: Final = 4
"""In ``numbers``: the lead in points from earlier games."""
SPREAD: Final = 5
"""In ``numbers``: the variance of the margins of later games."""
OVER: Final = 6
"""In ``numbers``: 1 if the game is over after this round and no later game adds to the margin, else 0."""
TIE: Final = 7
"""In ``numbers``: the result of a tie, if tricks don't decide it."""
SPARE: Final = 8
"""In ``numbers``: the lead in unplayed tricks from earlier games."""
BY_TRICKS: Final = 9
"""In ``numbers``: 1 if unplayed tricks decide a tie, else 0."""
LOST: Final = 10
"""In ``numbers``: the value of a lost game."""
WON: Final = 11
"""In ``numbers``: the value of a won game."""
NUMBERS: Final = 12


@kernel
def worth(numbers: Reals, mean: float, variance: float, spare: int) -> float:
    """Return the value of a margin for seat 0, as :func:`.stakes.worth` does with the argument ``grace=0``."""
    if numbers[POINTS] > 0:
        return mean
    total = mean + numbers[MARGIN]
    if numbers[OVER] > 0:
        won = 1.0 if total > 0 else -1.0
        if total == 0:
            rest = (spare + numbers[SPARE]) * numbers[BY_TRICKS]
            won = 1.0 if rest > 0 else -1.0 if rest < 0 else numbers[TIE]
    else:
        won = math.erf(total / math.sqrt(2.0 * max(variance + numbers[SPREAD], 1e-9)))
    return float(numbers[LOST] + (numbers[WON] - numbers[LOST]) * (1.0 + won) / 2)


@kernel
def share_out(
    frame: Shorts, sides: Shorts, one: int, two: int, ending: int, strengths: Places, hands: Places
) -> int:
    """Compute the strengths and tricks of two sides after a settlement gives them the cards of the row.

    Return the number of the same settlement with the sides exchanged. ``one`` and ``two`` are the indices in ``sides``
    at which the sides begin. Write the strength of each side in each nation into ``strengths``, and the number of
    tricks of each side into ``hands``.
    """
    for n in range(NATIONS):
        strengths[0, n], strengths[1, n] = sides[one + n], sides[two + n]
    hands[0], hands[1] = sides[one + HAND], sides[two + HAND]
    left, swapped, place = ending, 0, 1
    for card in range(DICE):
        taker, kind = left % 3, frame[KINDS + card]
        left //= 3
        if taker > 0:
            swapped += (3 - taker) * place
            if kind >= SAILORS:
                hands[taker - 1] += 1
            elif kind >= 0:
                strengths[taker - 1, kind >> 2] += (kind & 3) + 1
        place *= 3
    return swapped


@kernel
def value_endings(
    weights: Floats,
    tables: Floats,
    frame: Shorts,
    sides: Shorts,
    numbers: Reals,
    ends: Floats,
) -> None:
    """Write into ``ends`` the value of each settlement for the seat that called Shanghai.

    ``ends`` is float32[2, firsts, seconds, 729], with the indices of ``Round._judge``. Write the midpoint
    into ``numbers``: it is halfway between the smallest and the largest value for seat 0. Each entry of ``ends`` is the
    settlement's value for seat 0 minus this midpoint. If seat 1 called Shanghai, the sign is reversed.
    """
    firsts = int(frame[FIRSTS])
    seconds = len(sides) // SIDE - firsts
    half = firsts * seconds * ENDINGS
    known, rows = np.zeros(STATES, np.int16), np.empty(STATES * ROW, np.float32)
    strengths, hands = np.zeros((2, NATIONS), np.int64), np.zeros(2, np.int64)
    sums, told = np.zeros(SUMS, np.float32), np.zeros(WHOLE, np.float32)
    work, out = np.zeros(WORK, np.float32), np.zeros(2, np.float32)
    model = np.zeros(2, np.float64)
    sets, to_come = frame[SETS : SETS + NATIONS], int(frame[TO_COME])
    least, most = 1e30, -1e30
    for pair in range(firsts * seconds):
        one = pair // seconds * SIDE
        two = (firsts + pair % seconds) * SIDE
        for ending in range(ENDINGS):
            swapped = share_out(frame, sides, one, two, ending, strengths, hands)
            spare = hands[0] - hands[1]
            model[MEAN], model[VARIANCE] = spare, 0.0
            if frame[LEARNED] > 0:
                sum_up(weights, tables, sets, to_come, strengths, hands, known, rows, sums, told, model)
            else:
                for n in range(NATIONS):
                    model[MEAN] += gain(strengths[0, n], strengths[1, n]) - gain(
                        strengths[1, n], strengths[0, n]
                    )
            for caller in range(2):
                mean, variance = model[MEAN], model[VARIANCE]
                if frame[LEARNED] > 0:
                    correct(weights, told, sums, caller, work, out)
                    mean += out[0] * 5.0
                    wider = math.exp(2 * min(max(float(out[1]), -1.5), 1.5))
                    variance = (numbers[SCALE] * variance + numbers[FLOOR]) * wider
                value = worth(numbers, mean, variance, spare)
                least, most = min(least, value), max(most, value)
                ends[caller * half + pair * ENDINGS + (swapped if caller else ending)] = value
    middle = (least + most) / 2
    numbers[MIDDLE] = middle
    for k in range(half):
        ends[k] = ends[k] - middle
        ends[half + k] = middle - ends[half + k]


@kernel
def can_have(side: Shorts, number: int, dice: int) -> bool:
    """Return whether a seat with this side may already have laid this number of dice (see ``Round._can_have``).

    ``number`` is the side's index.
    """
    more = int(side[MORE])
    most = DICE if more > 0 or (side[SPENT] > 0 and number == 0) else DICE - 1
    return 2 * more <= dice <= most


@kernel
def lay_out(frame: Shorts, sides: Shorts, at: Places) -> int:
    """Write into ``at`` the index in the store at which each block begins. Return the size of the store.

    The store has all values of a round. A block has the values of all states with the same mover, the same sides, and
    the same numbers of laid dice. ``at`` has one entry for each block: it is an array int64[2, firsts, seconds, 7] in
    flat form. The indices of this array are the mover, the side of seat 0, the side of seat 1, and the number of dice
    that the mover has laid. A side is given by its index in the sides that its seat can reach by tricks
    (:func:`.frame.expand`). If a block can't occur, its entry in ``at`` is -1.
    """
    firsts = int(frame[FIRSTS])
    seconds = len(sides) // SIDE - firsts
    size = 0
    at[:] = -1
    for one in range(firsts):
        for two in range(seconds):
            first = sides[one * SIDE : (one + 1) * SIDE]
            second = sides[(firsts + two) * SIDE : (firsts + two + 1) * SIDE]
            for mover in range(2):
                for mine in range(DICE + 1):
                    theirs = others(frame, first, second, mover, mine)
                    own, other = (mine, theirs) if mover == 0 else (theirs, mine)
                    if can_have(first, one, own) and can_have(second, two, other):
                        at[((mover * firsts + one) * seconds + two) * (DICE + 1) + mine] = size
                        size += SIZES[mine] * SIZES[theirs]
    return size


@kernel
def others(frame: Shorts, first: Shorts, second: Shorts, mover: int, mine: int) -> int:
    """Return the number of dice that the other seat has laid at a turn of ``mover``, who has laid ``mine`` dice."""
    gained = int(first[MORE]) - int(second[MORE])
    lead = int(frame[LEAD]) + (gained if frame[STARTER] == 0 else -gained)
    return mine - lead if mover == frame[STARTER] else mine + lead + 1


@kernel
def pips_beside(counts: Shorts, code: int, card: int) -> int:
    """Return the pips of the dice on the cards beside a card."""
    found = 0
    if card > 0:
        found += counts[code * DICE + card - 1] * card
    if card < DICE - 1:
        found += counts[code * DICE + card + 1] * (card + 2)
    return found


@kernel
def settle(counts: Shorts, settled: Shorts) -> None:
    """Write into ``settled`` the table :func:`.dice.settled`: the settlement for each pair of codes of laid dice.

    The first code stands for the first side's laid dice, the second for the second side's. The settlement says which
    side gets each card. It is stored as an index of :func:`.dice.takers`.
    """
    codes = len(counts) // DICE
    for mine in range(codes):
        for theirs in range(codes):
            found, place = 0, 1
            for card in range(DICE):
                dice = counts[mine * DICE + card]
                lead = dice - counts[theirs * DICE + card]
                if lead == 0 and dice > 0:
                    lead = pips_beside(counts, mine, card) - pips_beside(counts, theirs, card)
                found += place if lead > 0 else 2 * place if lead < 0 else 0
                place *= 3
            settled[mine * codes + theirs] = found


@kernel
def solve(
    weights: Floats,
    tables: Floats,
    frame: Shorts,
    sides: Shorts,
    tricks: Shorts,
    numbers: Reals,
    steps: Shorts,
    counts: Shorts,
    settled: Shorts,
    ends: Floats,
    store: Floats,
) -> int:
    """Solve a round: write the value of each settlement into ``ends``, and the value of each state into ``store``.

    Return the size that the store needs. If ``store`` is smaller, the round is not solved.

    ``tricks`` begins with a number, the length of its rows. Two rows follow, one for each seat. A row has, for each
    trick, the index of the side that the seat has after playing it. The first three tricks are: change a die, roll
    again, and lay both dice. The jokers follow. For a trick that the seat can't play, the index is -1.

    ``steps``, ``counts`` and ``settled`` are the tables of :mod:`.dice`. If ``settled`` begins with a negative number,
    this table is computed before the round is solved.
    """
    if settled[0] < 0:
        settle(counts, settled)
    firsts = int(frame[FIRSTS])
    seconds = len(sides) // SIDE - firsts
    at = np.empty(2 * firsts * seconds * (DICE + 1), np.int64)
    size = lay_out(frame, sides, at)
    if size > len(store):
        return size
    value_endings(weights, tables, frame, sides, numbers, ends)
    for after in range(3):
        for laid in range(2 * DICE, -1, -1):
            for mover in range(2):
                for pair in range(firsts * seconds):
                    one, two = pair // seconds, pair % seconds
                    first = sides[one * SIDE : (one + 1) * SIDE]
                    second = sides[(firsts + two) * SIDE : (firsts + two + 1) * SIDE]
                    if (first[SPENT] == 0) + (second[SPENT] == 0) != after:
                        continue
                    for mine in range(DICE + 1):
                        place = at[(mover * firsts * seconds + pair) * (DICE + 1) + mine]
                        theirs = others(frame, first, second, mover, mine)
                        if place >= 0 and mine + theirs == laid:
                            places = follow(frame, tricks, at, mover, one, two, seconds, mine, theirs, place)
                            fall = (mover * firsts * seconds + pair) * ENDINGS
                            fill(
                                store,
                                places,
                                mine,
                                SIZES[mine],
                                SIZES[theirs],
                                FIRST[mine],
                                FIRST[theirs],
                                steps.reshape((-1, DICE)),
                                settled.reshape((len(steps) // DICE, -1)),
                                ends[fall : fall + ENDINGS],
                                frame[REROLL] > 0,
                            )
    return size


@kernel
def follow(
    frame: Shorts,
    tricks: Shorts,
    at: Places,
    mover: int,
    one: int,
    two: int,
    seconds: int,
    mine: int,
    theirs: int,
    place: int,
) -> Places:
    """Return a new array for the parameter ``at`` of :func:`.blocks.fill_block`, which computes one block.

    The array has the index in the store at which this block begins (``place``), and the indices at which the blocks
    begin that may follow. The block is given by the mover, both sides (``one`` and ``two`` are their indices), and the
    numbers of laid dice. ``at`` is the array from :func:`lay_out`.
    """
    wide, firsts = int(tricks[0]), int(frame[FIRSTS])
    row = tricks[1 + mover * wide : 1 + (mover + 1) * wide]
    count = 0
    if mine <= DICE - 2 and (one if mover == 0 else two) == 0:
        while 3 + count < wide and row[3 + count] >= 0:
            count += 1
    places = np.full(JOKERS + count, -1, np.int64)
    places[OUT] = place
    base = (1 - mover) * firsts
    if mine <= DICE - 2:
        places[STAY] = at[((base + one) * seconds + two) * (DICE + 1) + theirs]
        if (one if mover == 0 else two) == 0:
            for k in range(3 + count):
                side = int(row[k])
                if side >= 0:
                    after = (base + side) * seconds + two if mover == 0 else (base + one) * seconds + side
                    to = NUDGED if k == 0 else AGAIN if k == 1 else BOTH if k == 2 else JOKERS + k - 3
                    places[to] = at[after * (DICE + 1) + theirs]
    return places
