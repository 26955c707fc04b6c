"""Solve a round as one kernel, which browsers run as WebAssembly (docs/why/native.md).

The kernel values all settlements of a row as :mod:`.endings` does with NumPy, and fills the blocks of the round in the
order of :class:`.Round`. A test compares both.

All arguments are arrays of numbers, so that JavaScript can write them. :mod:`.elsewhere` makes them from the state of a
game, and from the networks.
"""

from __future__ import annotations

import functools
import math
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.shanghaien.solving.blocks import AGAIN, BOTH, JOKERS, NUDGED, OUT, STAY, fill
from spelunke.games.shanghaien.solving.dice import FIRST, SIZES
from spelunke.games.shanghaien.state import DICE, NATIONS, SAILORS

Floats: TypeAlias = npt.NDArray[np.float32]
Shorts: TypeAlias = npt.NDArray[np.int16]
Longs: TypeAlias = npt.NDArray[np.int64]
Reals: TypeAlias = npt.NDArray[np.float64]

# The layers of a network, and where the weights of each begin in the list of all weights.
FEATURES: Final = 33
NATION: Final = 64
INNER: Final = 80
PEAKS: Final = 32
SUMS: Final = 96
LOOK: Final = 96
WEIGH: Final = 48
TRICKS: Final = 4
WHOLE: Final = 12
START: Final = 5
LAYERS: Final = (
    ("nation", FEATURES * NATION),
    ("nation_bias", NATION),
    ("inner", NATION * INNER),
    ("inner_bias", INNER),
    ("sum", INNER * SUMS),
    ("sum_bias", SUMS),
    ("tricks", 2 * TRICKS * SUMS),
    ("peak", PEAKS * SUMS),
    ("whole", WHOLE * SUMS),
    ("start", START * SUMS),
    ("look", SUMS * LOOK),
    ("look_bias", LOOK),
    ("weigh", LOOK * WEIGH),
    ("weigh_bias", WEIGH),
    ("out", WEIGH * 2),
    ("out_bias", 2),
)
"""The names of a network's weights in the file, in order, each with the number of its weights."""
STATES: Final = 24 * 22 * 22
"""The number of states of a nation.

A state consists of the set of the nation's cards to come, and the strengths of both sides.
"""
STRONGEST: Final = 21
COLUMNS: Final = FEATURES + 6 + 2
"""The number of columns in the tables, which have a row for each state of a nation.

The columns are the features, the gains of jokers, and the mean and the variance of the simple model. They are stored
one after the other.
"""
ROW: Final = SUMS + PEAKS
"""The number of values that a network computes for each state of a nation.

They are contributions to the sums, then peaks.
"""
ENDINGS: Final = 729
MOST_TRICKS: Final = 10
TRICK: Final = 3.0
"""The value of a trick in the simple model, in points."""
ZERO: Final = np.float32(0.0)

# The meaning of each element of ``frame``.
KINDS: Final = 0
"""The kind of card 1. The kinds of the other five cards of the row follow."""
SETS: Final = 6
"""The index of the set of cards to come of the first nation. The indices of the other seven nations follow."""
TO_COME: Final = 14
"""The number of trick cards to come."""
LEAD: Final = 15
STARTER: Final = 16
REROLL: Final = 17
FIRSTS: Final = 18
"""The number of states of the first side. All other rows of ``sides`` belong to the second side."""
LEARNED: Final = 19
"""1 if a network values the settlements, and 0 after the last round."""
FRAME: Final = 20

# The columns of ``sides``: the strengths in the eight nations, then these.
HAND: Final = 8
SPENT: Final = 9
MORE: Final = 10
SIDE: Final = 11

# The meaning of each element of ``numbers``.
MIDDLE: Final = 0
"""The midpoint of all values. The kernel writes it here, and subtracts it from all values."""
SCALE: Final = 1
FLOOR: Final = 2
POINTS: Final = 3
"""1 if the aim is points, and 0 if it is to win. All following elements are used only for a win."""
MARGIN: Final = 4
"""The lead in points from earlier games."""
SPREAD: Final = 5
"""The variance of the margins of later games."""
OVER: Final = 6
"""1 if the margins decide the game or match, else 0."""
TIE: Final = 7
"""The result of a tie, if tricks don't decide it."""
SPARE: Final = 8
"""The lead in unplayed tricks from earlier games."""
BY_TRICKS: Final = 9
"""1 if unplayed tricks decide a tie, else 0."""
LOST: Final = 10
"""The value of a lost game."""
WON: Final = 11
"""The value of a won game."""
NUMBERS: Final = 12


@functools.cache
def _offsets() -> dict[str, int]:
    found, at = {}, 0
    for name, size in LAYERS:
        found[name] = at
        at += size
    return found | {"end": at}


AT_NATION: Final = _offsets()["nation"]
AT_NATION_BIAS: Final = _offsets()["nation_bias"]
AT_INNER: Final = _offsets()["inner"]
AT_INNER_BIAS: Final = _offsets()["inner_bias"]
AT_SUM: Final = _offsets()["sum"]
AT_SUM_BIAS: Final = _offsets()["sum_bias"]
AT_TRICKS: Final = _offsets()["tricks"]
AT_PEAK: Final = _offsets()["peak"]
AT_WHOLE: Final = _offsets()["whole"]
AT_START: Final = _offsets()["start"]
AT_LOOK: Final = _offsets()["look"]
AT_LOOK_BIAS: Final = _offsets()["look_bias"]
AT_WEIGH: Final = _offsets()["weigh"]
AT_WEIGH_BIAS: Final = _offsets()["weigh_bias"]
AT_OUT: Final = _offsets()["out"]
AT_OUT_BIAS: Final = _offsets()["out_bias"]
WEIGHTS: Final = _offsets()["end"]


@kernel
def layer(given: Floats, weights: Floats, at: int, out: Floats) -> None:
    """Add the product of a vector and a matrix to ``out``. The matrix begins at ``at`` in the weights."""
    wide = len(out)
    for i in range(len(given)):
        x = given[i]
        if x != ZERO:
            row = weights[at + i * wide : at + (i + 1) * wide]
            for j in range(wide):
                out[j] += x * row[j]


@kernel
def bend(values: Floats) -> None:
    """Replace negative values by 0."""
    for j in range(len(values)):
        values[j] = max(values[j], ZERO)


@kernel
def row_of(state: int, weights: Floats, tables: Floats, known: Shorts, rows: Floats) -> Floats:
    """Return the numbers that a network computes for a nation's state.

    They are computed only once for each round: ``known`` says for which states ``rows`` has them.
    """
    row = rows[state * ROW : (state + 1) * ROW]
    if known[state] == 0:
        known[state] = 1
        first = weights[AT_NATION_BIAS : AT_NATION_BIAS + NATION].copy()
        told = np.empty(FEATURES, np.float32)
        for j in range(FEATURES):
            told[j] = tables[j * STATES + state]
        layer(told, weights, AT_NATION, first)
        bend(first)
        inside = weights[AT_INNER_BIAS : AT_INNER_BIAS + INNER].copy()
        layer(first, weights, AT_INNER, inside)
        bend(inside)
        row[:] = ZERO
        layer(inside, weights, AT_SUM, row[:SUMS])
        for j in range(PEAKS):
            row[SUMS + j] = inside[j]
    return row


@kernel
def gain(tables: Floats, states: Longs, first: int, mine: bool, theirs: bool, swap: bool) -> float:
    """Return the gain of the first side by jokers, in points.

    One side lays its best joker or none. Then the other side gives its best answer.

    ``first`` is the first column of the gains in ``tables``. If ``swap`` is true, the second side chooses first.
    ``mine`` is true if the side that chooses first has tricks, and ``theirs`` if the other side has some.
    """
    sign, one, other = (-1.0, first + 1, first) if swap else (1.0, first, first + 1)
    least, where = 0.0, -1
    for n in range(NATIONS):
        found = sign * tables[other * STATES + states[n]]
        if n == 0 or found < least:
            least, where = found, n
    lowest, second = min(least, 0.0), 0.0
    most, answered = -1e30, -1e30
    for n in range(NATIONS):
        if n != where:
            second = min(second, sign * tables[other * STATES + states[n]])
    for n in range(NATIONS):
        laid = sign * tables[one * STATES + states[n]]
        most = max(most, laid)
        elsewhere = second if n == where else lowest
        answered = max(answered, min(laid + elsewhere, sign * tables[(first + 2) * STATES + states[n]]))
    waits = lowest if theirs else 0.0
    if mine:
        return sign * max(answered if theirs else most, waits)
    return sign * waits


@kernel
def margin(mine: int, theirs: int) -> int:
    """Return the points that a nation brings the first side, minus those that it brings the second side (S-R25)."""
    if mine == 0 or theirs == 0:
        return mine - theirs
    if mine == theirs:
        return 0
    return theirs if mine > theirs else -mine


@kernel
def worth(numbers: Reals, mean: float, variance: float, spare: int) -> float:
    """Return the value of a margin for seat 0, as :func:`.stakes.worth` does."""
    if numbers[POINTS] > 0:
        return mean
    total = mean + numbers[MARGIN]
    if numbers[OVER] > 0:
        won = 1.0 if total > 0 else -1.0
        if total == 0:
            rest = spare + numbers[SPARE]
            won = numbers[TIE]
            if numbers[BY_TRICKS] > 0:
                won = 1.0 if rest > 0 else -1.0 if rest < 0 else 0.0
    else:
        won = math.erf(total / math.sqrt(2.0 * max(variance + numbers[SPREAD], 1e-9)))
    return float(numbers[LOST] + (numbers[WON] - numbers[LOST]) * (1.0 + won) / 2)


@kernel
def value_endings(
    weights: Floats,
    tables: Floats,
    frame: Shorts,
    sides: Shorts,
    numbers: Reals,
    ends: Floats,
) -> None:
    """Write into ``ends`` the value of each settlement for the caller, float32[2, firsts, seconds, 729].

    The indices are those of ``_ends`` in :class:`.Round`. Write the midpoint of all values into ``numbers``, and
    subtract it from the values.
    """
    firsts = int(frame[FIRSTS])
    seconds = len(sides) // SIDE - firsts
    half = firsts * seconds * ENDINGS
    known, rows = np.zeros(STATES, np.int16), np.empty(STATES * ROW, np.float32)
    states = np.zeros(NATIONS, np.int64)
    added = np.zeros((2, NATIONS), np.int64)
    hands = np.zeros(2, np.int64)
    sums = np.zeros(SUMS, np.float32)
    again = np.zeros(SUMS, np.float32)
    peaks = np.zeros(PEAKS, np.float32)
    told = np.zeros(WHOLE, np.float32)
    start = np.zeros(START, np.float32)
    look = np.zeros(LOOK, np.float32)
    weigh = np.zeros(WEIGH, np.float32)
    out = np.zeros(2, np.float32)
    jokers = np.zeros(4, np.float64)
    least, most = 1e30, -1e30
    for pair in range(firsts * seconds):
        one = pair // seconds * SIDE
        two = (firsts + pair % seconds) * SIDE
        for ending in range(ENDINGS):
            for n in range(NATIONS):
                added[0, n], added[1, n] = sides[one + n], sides[two + n]
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
                        added[taker - 1, kind >> 2] += (kind & 3) + 1
                place *= 3
            spare = hands[0] - hands[1]
            mean, variance = float(spare), 0.0
            if frame[LEARNED] == 0:
                for n in range(NATIONS):
                    mean += margin(added[0, n], added[1, n])
            else:
                mean, variance = TRICK * spare, 1.0
                peaks[:] = ZERO
                for j in range(SUMS):
                    sums[j] = weights[AT_SUM_BIAS + j]
                for n in range(NATIONS):
                    mine, theirs = min(added[0, n], STRONGEST), min(added[1, n], STRONGEST)
                    state = (int(frame[SETS + n]) * (STRONGEST + 1) + mine) * (STRONGEST + 1) + theirs
                    states[n] = state
                    mean += tables[(FEATURES + 6) * STATES + state]
                    variance += tables[(FEATURES + 7) * STATES + state]
                    row = row_of(state, weights, tables, known, rows)
                    for j in range(SUMS):
                        sums[j] += row[j]
                    for j in range(PEAKS):
                        peaks[j] = max(peaks[j], row[SUMS + j])
                for seat in range(2):
                    count = min(hands[seat], MOST_TRICKS)
                    for step in range(TRICKS):
                        share = np.float32(count / 3 if step == 3 else 1.0 if count > step else 0.0)
                        base = AT_TRICKS + (seat * TRICKS + step) * SUMS
                        for j in range(SUMS):
                            sums[j] += share * weights[base + j]
                have, has = hands[0] > 0, hands[1] > 0
                jokers[0] = gain(tables, states, FEATURES, have, has, False)
                jokers[1] = gain(tables, states, FEATURES + 3, have, has, False)
                jokers[2] = gain(tables, states, FEATURES, has, have, True)
                jokers[3] = gain(tables, states, FEATURES + 3, has, have, True)
                spread = math.sqrt(variance)
                told[0], told[1], told[2] = frame[TO_COME] / 3, mean / 10, spread / 10
                told[3] = math.tanh(mean / (spread + 1))
                for k in range(4):
                    told[4 + 2 * k] = jokers[k] / 10
                    told[5 + 2 * k] = math.tanh((mean + jokers[k]) / (spread + 1))
                layer(peaks, weights, AT_PEAK, sums)
                layer(told, weights, AT_WHOLE, sums)
            for caller in range(2):
                final, wide = mean, variance
                if frame[LEARNED] > 0:
                    for k in range(4):
                        start[k] = told[(4 if caller == 1 else 8) + k]
                    start[4] = 1.0 if caller == 1 else -1.0
                    again[:] = sums
                    layer(start, weights, AT_START, again)
                    bend(again)
                    look[:] = weights[AT_LOOK_BIAS : AT_LOOK_BIAS + LOOK]
                    layer(again, weights, AT_LOOK, look)
                    bend(look)
                    weigh[:] = weights[AT_WEIGH_BIAS : AT_WEIGH_BIAS + WEIGH]
                    layer(look, weights, AT_WEIGH, weigh)
                    bend(weigh)
                    out[:] = weights[AT_OUT_BIAS : AT_OUT_BIAS + 2]
                    layer(weigh, weights, AT_OUT, out)
                    final = mean + out[0] * 5.0
                    wider = math.exp(2 * min(max(float(out[1]), -1.5), 1.5))
                    wide = (numbers[SCALE] * variance + numbers[FLOOR]) * wider
                value = worth(numbers, final, wide, spare)
                least, most = min(least, value), max(most, value)
                ends[caller * half + pair * ENDINGS + (swapped if caller else ending)] = value
    middle = (least + most) / 2
    numbers[MIDDLE] = middle
    for k in range(half):
        ends[k] = ends[k] - middle
        ends[half + k] = middle - ends[half + k]


@kernel
def can_have(side: Shorts, number: int, dice: int) -> bool:
    """Return whether a side can have laid ``dice`` dice, as :class:`.Round` says."""
    more = int(side[MORE])
    most = DICE if more > 0 or (side[SPENT] > 0 and number == 0) else DICE - 1
    return 2 * more <= dice <= most


@kernel
def lay_out(frame: Shorts, sides: Shorts, at: Longs) -> int:
    """Write into ``at`` where each block begins in the store, or -1. Return the size of the store.

    The order is that of :class:`.Round`: int64[2, firsts, seconds, 7].
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
    """Return the other side's number of laid dice, if the mover has laid ``mine`` dice."""
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
    """Write the number of the settlement for each pair of codes, as :func:`.dice.settled` has it."""
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
    """Solve a round: write the value of each settlement into ``ends``, and of each state into ``store``.

    Return the size of the store. If ``store`` is smaller, nothing is computed.

    The first element of ``tricks`` is the length of a row. Two rows follow, one for each seat. A row has the number of
    the seat's side after each trick: first the tricks that change a die, roll again, and lay both dice, then the
    jokers. If the seat can't play a trick, the number is -1. ``steps``, ``counts`` and ``settled`` are the tables of
    :mod:`.dice`. If the first number in ``settled`` is negative, write this table first.
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
    at: Longs,
    mover: int,
    one: int,
    two: int,
    seconds: int,
    mine: int,
    theirs: int,
    place: int,
) -> Longs:
    """Return the places in the store of a block and of those that may follow, as :func:`.blocks.fill_block` needs them.

    ``one`` and ``two`` are the numbers of both sides, and ``place`` is where the block begins.
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
