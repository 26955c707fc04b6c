"""Compute the learned network in kernels, which browsers run as WebAssembly (docs/why/native.md).

A settlement is a way to share out the row's cards at the end of a round. The kernels compute one settlement at a time.
:mod:`.network` computes the same numbers with NumPy, for many settlements at once. :mod:`.device` calls the kernels.
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.shanghaien.solving.blocks import Floats, Places
from spelunke.games.shanghaien.solving.dice import Shorts
from spelunke.games.shanghaien.solving.stages import Reals
from spelunke.games.shanghaien.state import NATIONS

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
"""The name of each group of a network's weights, and its number of weights.

The groups are in the order of the file that devices load (:func:`.elsewhere.device_file`).
"""
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
MOST_TRICKS: Final = 10
TRICK: Final = 3.0
"""The value of a trick in the simple model, in points."""
ZERO: Final = np.float32(0.0)
WORK: Final = START + SUMS + LOOK + WEIGH

# The columns of ``model``: the mean and the variance of the margin.
MEAN: Final = 0
VARIANCE: Final = 1


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
    """Return one array for a nation in this state: its contributions to the network's sums, then its peaks.

    Contributions and peaks, which :mod:`.network` explains, are computed only once for each round, and stored in
    ``rows``. ``known`` is 1 for the states that ``rows`` has.
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
def joker_gain(tables: Floats, states: Places, first: int, mine: bool, theirs: bool, swap: bool) -> float:
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
def sum_up(
    weights: Floats,
    tables: Floats,
    sets: Shorts,
    to_come: int,
    strengths: Places,
    hands: Places,
    known: Shorts,
    rows: Floats,
    sums: Floats,
    told: Floats,
    model: Reals,
) -> None:
    """Compute the parts of a settlement's value that do not depend on the starter of the next round.

    ``strengths`` is int64[2, nations], and ``hands`` has each side's number of tricks. ``sets`` has, for each nation,
    the index of the set of its cards to come. ``to_come`` is the number of trick cards to come. For ``known`` and
    ``rows``, see :func:`row_of`.

    ``sums`` receives the network's sums, which its last layers read. ``told`` receives the features that belong to no
    single nation. ``model`` receives the mean and the variance of the margin by the simple model.
    """
    peaks = np.zeros(PEAKS, np.float32)
    states = np.zeros(NATIONS, np.int64)
    mean, variance = TRICK * (hands[0] - hands[1]), 1.0
    for j in range(SUMS):
        sums[j] = weights[AT_SUM_BIAS + j]
    for n in range(NATIONS):
        mine, theirs = min(strengths[0, n], STRONGEST), min(strengths[1, n], STRONGEST)
        state = (int(sets[n]) * (STRONGEST + 1) + mine) * (STRONGEST + 1) + theirs
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
    spread = math.sqrt(variance)
    told[0], told[1], told[2] = to_come / 3, mean / 10, spread / 10
    told[3] = math.tanh(mean / (spread + 1))
    for k in range(4):
        swap = k >= 2
        mine, theirs = (hands[1], hands[0]) if swap else (hands[0], hands[1])
        gained = joker_gain(tables, states, FEATURES + 3 * (k % 2), mine > 0, theirs > 0, swap)
        told[4 + 2 * k] = gained / 10
        told[5 + 2 * k] = math.tanh((mean + gained) / (spread + 1))
    layer(peaks, weights, AT_PEAK, sums)
    layer(told, weights, AT_WHOLE, sums)
    model[MEAN], model[VARIANCE] = mean, variance


@kernel
def correct(weights: Floats, told: Floats, sums: Floats, caller: int, work: Floats, out: Floats) -> None:
    """Write into ``out`` the network's two corrections of the simple model (:func:`.stages.guess`).

    ``caller`` is the seat that called Shanghai. The first correction is added to the mean, in units of 5 points. The
    second is added to the logarithm of the standard deviation. ``work`` is scratch space of ``WORK`` numbers.
    """
    start, again = work[:START], work[START : START + SUMS]
    look = work[START + SUMS : START + SUMS + LOOK]
    weigh = work[START + SUMS + LOOK : WORK]
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
