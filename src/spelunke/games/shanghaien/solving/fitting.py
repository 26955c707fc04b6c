"""From solved samples to a stage: least squares over what nations, tricks and the start add to the margin.

The margin is a sum over nations of a function of both strengths and of what is still to come. The function is a mix of
a few shapes, the simple model with several chances among them, and beside it a small correction of each single state,
held near zero where few samples speak of it. Changing the seats over changes only its sign.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from spelunke.games.shanghaien.solving.samples import Crews, Sample
from spelunke.games.shanghaien.solving.stages import (
    LEFT,
    STRONGEST,
    Reals,
    Stage,
    Whole,
    cards_left,
    guess_nations,
    left_of,
    margins,
)
from spelunke.games.shanghaien.solving.stakes import normal
from spelunke.games.shanghaien.state import NATIONS

SIZE = STRONGEST + 1
COUNTED = 4
"""Tricks in a hand beyond these count like the last."""
FIRM = 1.0
"""How strongly shapes are held near zero, in units of the variance of a sample."""
FREE = 40.0
"""The same for single states."""
KIND = 20.0
"""The same for what one kind of trick is worth more than another."""


@functools.cache
def shapes() -> Reals:
    """What a nation may add to the margin, float64[shapes, 24, 22, 22], each odd under a change of seats."""
    mine, theirs = np.indices((SIZE, SIZE)).astype(np.float64)
    pips = np.array([sum(value * n for value, n in enumerate(cards_left(k), 1)) for k in range(LEFT)])
    cards = np.array([sum(cards_left(k)) for k in range(LEFT)])
    reach = (1.0 + np.sqrt(pips))[:, None, None]
    lead = np.tanh((mine - theirs) / reach)
    low = np.minimum(mine, theirs)
    alone = (theirs == 0) * mine - (mine == 0) * theirs
    whole = np.ones((LEFT, 1, 1))
    to_come = pips[:, None, None] * whole
    found = [guess_nations(share)[0] for share in (0.2, 0.3, 0.37, 0.45)]
    found += [
        whole * margins(mine.astype(np.int64), theirs.astype(np.int64)),
        lead,
        lead * low,
        lead * to_come,
        whole * alone,
        alone * (cards[:, None, None] == 0),
        np.sign(alone) * to_come,
        np.sign(mine - theirs) * (cards[:, None, None] > 0),
    ]
    return np.stack([np.broadcast_to(part, (LEFT, SIZE, SIZE)) for part in found])


def _states(samples: Sequence[Crews]) -> tuple[Whole, Whole, Whole]:
    """What is to come and both strengths, each int64[samples, 8]."""
    left = [[left_of(*s.deck[4 * n : 4 * n + 4]) for n in range(NATIONS)] for s in samples]
    mine, theirs = ([s.sides[k].strength for s in samples] for k in range(2))
    return np.array(left), np.minimum(mine, STRONGEST), np.minimum(theirs, STRONGEST)


def _hands(samples: Sequence[Crews]) -> tuple[Reals, Reals]:
    """By how many a seat leads in first, second ... tricks; and in each kind."""
    hands = np.array([[side.hand[:3] for side in s.sides] for s in samples])
    whole = hands.sum(axis=2)
    steps = np.stack([(whole >= n).astype(float) for n in range(1, COUNTED)] + [_beyond(whole)], axis=-1)
    return steps[:, 0] - steps[:, 1], (hands[:, 0] - hands[:, 1]).astype(float)


def _beyond(whole: Whole) -> Reals:
    found: Reals = np.maximum(whole - COUNTED + 1, 0).astype(float)
    return found


def fit(crews: Sequence[Crews], samples: Sequence[Sample]) -> Stage:
    """The stage that fits best to what positions turned out to be worth."""
    points = np.array([sample.points for sample in samples])
    left, mine, theirs = _states(crews)
    basis = shapes()
    plain = basis[:, left, mine, theirs].sum(axis=2).T
    steps, kinds = _hands(crews)
    known, single = _single_states(left, mine, theirs)
    start = np.ones((len(samples), 1))
    matrix = np.hstack([plain, steps, start, kinds, single])
    hold = np.concatenate(
        [
            np.full(plain.shape[1] + steps.shape[1], FIRM),
            [1e-6],
            np.full(kinds.shape[1], KIND),
            np.full(single.shape[1], FREE),
        ]
    )
    # The simple model stands where nothing is known; what is learned is the difference from it.
    guessed = guess_nations()[0][left, mine, theirs].sum(axis=1) + 2.5 * steps.sum(axis=1)
    found = np.linalg.solve(matrix.T @ matrix + np.diag(hold), matrix.T @ (points - guessed))
    parts = np.split(found, np.cumsum([plain.shape[1], steps.shape[1], 1, kinds.shape[1]]))
    mean = guess_nations()[0] + np.tensordot(parts[0], basis, axes=1)
    for (k, a, b), value in zip(known, parts[4].tolist(), strict=True):
        mean[k, a, b] += value
        mean[k, b, a] -= value
    trick = tuple(tuple(2.5 + parts[1] + kind) for kind in parts[3].tolist())
    choice = float(np.mean([sample.choice for sample in samples if sample.choice is not None]))
    margin = guessed + matrix @ found
    judged = [k for k, sample in enumerate(samples) if sample.win is not None]
    win = np.array([samples[k].win for k in judged])
    variance = guess_nations()[1]
    scale, floor = _spread(margin[judged], variance[left, mine, theirs].sum(axis=1)[judged], win)
    return Stage(mean, variance, trick, float(parts[2][0]) + choice, scale, floor)


def _single_states(left: Whole, mine: Whole, theirs: Whole) -> tuple[list[tuple[int, int, int]], Reals]:
    """The states of nations that occur, the stronger side first, and how often in each sample."""
    high, low = np.maximum(mine, theirs), np.minimum(mine, theirs)
    code = (left * SIZE + high) * SIZE + low
    code[mine == theirs] = -1
    names = np.unique(code)
    names = names[names >= 0]
    counts = np.zeros((len(left), len(names)))
    for nation in range(NATIONS):
        rows = np.flatnonzero(code[:, nation] >= 0)
        columns = np.searchsorted(names, code[rows, nation])
        counts[rows, columns] += np.sign(mine - theirs)[rows, nation]
    return [(int(n) // SIZE // SIZE, int(n) // SIZE % SIZE, int(n) % SIZE) for n in names], counts


def _spread(margin: Reals, variance: Reals, win: Reals) -> tuple[float, float]:
    """How the summed variance becomes that of the margin, so that chances to win fit best."""

    def error(scale: float, floor: float) -> float:
        spread = np.sqrt(np.maximum(scale * variance + floor, 1e-6))
        return float(np.mean((2 * normal(margin / spread) - 1 - win) ** 2))

    scales, floors = np.geomspace(0.05, 3.0, 25), np.concatenate([[0.01], np.geomspace(0.3, 150.0, 30)])
    _, scale, floor = min((error(s, f), s, f) for s in scales.tolist() for f in floors.tolist())
    return scale, floor
