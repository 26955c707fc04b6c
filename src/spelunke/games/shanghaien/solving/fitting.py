"""Fit a network to solved samples, so that it predicts either margins or chances to win.

Many samples contain the same state of a nation. In a training step, the contributions of each such state to the
network's sums are computed only once. Each sample then looks up the contributions of its eight nations by index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.blocks import Floats
from spelunke.games.shanghaien.solving.network import (
    NARROWEST,
    POINTS,
    SIZE,
    WIDEST,
    Network,
    Weights,
    answer_jokers,
    descriptions,
    joker_gains,
    new_weights,
    tell_start,
    tell_tricks,
    tell_whole,
)
from spelunke.games.shanghaien.solving.stages import (
    STRONGEST,
    TRICK,
    Reals,
    Stage,
    Whole,
    guess_nations,
    left_by_nation,
)
from spelunke.games.shanghaien.solving.stakes import Aim, normal
from spelunke.games.shanghaien.solving.sums import add_up, find_largest, hand_back, hand_back_largest
from spelunke.games.shanghaien.solving.walks import Crews
from spelunke.games.shanghaien.state import SAILORS

Flags: TypeAlias = npt.NDArray[np.bool_]
BATCH = 512
EPOCHS = 40
RATE, GENTLE = 3e-3, 1e-3
"""The learning rates: ``RATE`` for new weights, ``GENTLE`` for weights that were learned before."""
DECAY = 3e-2
"""The rate at which the optimizer shrinks all weights except the biases (weight decay)."""
HELD_OUT = 12
"""Games whose number is divisible by this are not used for fitting.

The error on these games is measured after each epoch. The fit returns the weights with the least error.
"""


@dataclass(frozen=True)
class Lesson:
    """The samples of one fit, in the form that the network reads. Each sample occurs twice, once from each seat's view.

    ``states`` has the index of a state for each sample and nation, int32[samples, 8]. ``told`` has the features
    of each state. ``side`` has the features that belong to no nation: of tricks, of the whole position, and of
    the starter.

    ``mean`` and ``spread`` are the mean and the standard deviation of the margin before the network corrects them.
    ``target`` is the margin in points, or the chance to win, scaled from -1 (a loss) to 1 (a win).
    """

    told: Floats
    states: npt.NDArray[np.int32]
    side: Floats
    mean: Reals
    spread: Reals
    target: Reals

    def take(self, rows: npt.NDArray[np.int64]) -> Lesson:
        """Return the samples with these row numbers, and only the states that they use."""
        used, states = np.unique(self.states[rows], return_inverse=True)
        return Lesson(
            self.told[used],
            states.reshape(-1, self.states.shape[1]).astype(np.int32),
            self.side[rows],
            self.mean[rows],
            self.spread[rows],
            self.target[rows],
        )


def states_of(crews: Sequence[Crews]) -> tuple[Whole, Whole, Whole, Whole]:
    """Return four arrays: the cards to come, the strengths of the first and of the second seat, and the tricks in hand.

    The first array has, for each nation, the index of the set of its cards to come (:func:`.left_by_nation`). The first
    three arrays are by sample and nation, int64[samples, 8]. The last one has the number of tricks by sample and seat,
    int64[samples, 2].
    """
    left = np.array([left_by_nation(one.deck) for one in crews])
    mine, theirs = (np.minimum([one.sides[k].strength for one in crews], STRONGEST) for k in range(2))
    return left, mine, theirs, np.array([[sum(side.hand) for side in one.sides] for one in crews])


def guessed(crews: Sequence[Crews]) -> tuple[Reals, Reals]:
    """Return the mean and the variance of each position's margin by the simple model (:func:`.guess`)."""
    left, mine, theirs, hands = states_of(crews)
    mean, variance = (part[left, mine, theirs].sum(axis=1) for part in guess_nations())
    return mean + TRICK * (hands[:, 0] - hands[:, 1]), variance + 1.0


def lesson_of(crews: Sequence[Crews], target: Reals, scale: float, floor: float) -> Lesson:
    """Return the samples of a fit: one for each position, then the same samples with the seats exchanged.

    ``target`` has the value of each position. The variance of the margin is that of the simple model
    (:func:`.guess`) times ``scale``, plus ``floor``.
    """
    left, mine, theirs, hands = states_of(crews)
    mean, variance = guessed(crews)
    every = np.concatenate([(left * SIZE + mine) * SIZE + theirs, (left * SIZE + theirs) * SIZE + mine])
    used, states = np.unique(every, return_inverse=True)
    tricks = tell_tricks(hands)
    to_come = np.array([sum(one.deck[SAILORS:]) for one in crews])
    sides = []
    for order, sign in ((slice(None), 1.0), (slice(None, None, -1), -1.0)):
        strengths = (mine, theirs) if sign > 0 else (theirs, mine)
        jokers = answer_jokers(np.moveaxis(joker_gains()[left, *strengths], 1, 0), hands[:, order])
        whole = tell_whole(to_come, sign * mean, variance, jokers)
        start = tell_start(whole, 0 if sign > 0 else 1)
        sides.append(np.concatenate([tricks[:, order].reshape(len(crews), -1), whole, start], axis=1))
    return Lesson(
        descriptions().reshape(-1, descriptions().shape[-1])[used],
        states.reshape(every.shape).astype(np.int32),
        np.concatenate(sides),
        np.concatenate([mean, -mean]),
        np.sqrt(np.tile(scale * variance + floor, 2)),
        np.concatenate([target, -target]),
    )


@dataclass
class Guesses:
    """The network's output for samples, and the output of each layer before negative values become 0."""

    first: Floats
    second: Floats
    inside: Floats
    peaks: Floats
    where: npt.NDArray[np.int32]
    sums: Floats
    looked: Floats
    weighed: Floats
    more: Reals
    wider: Reals


def above(part: Floats) -> Floats:
    """Return the array with 0 in place of negative values."""
    found: Floats = np.maximum(part, np.float32(0))
    return found


def _sides(w: Weights) -> Floats:
    """Return the weights of the inputs that belong to no nation, in the order of ``Lesson.side``."""
    found: Floats = np.concatenate([w["tricks"], w["whole"], w["start"]])
    return found


def look(w: Weights, lesson: Lesson) -> Guesses:
    """Return the network's output for all samples of a lesson."""
    first = lesson.told @ w["nation"] + w["nation_bias"]
    second = above(first) @ w["inner"] + w["inner_bias"]
    table = above(second)
    inside = np.empty((len(lesson.states), second.shape[1]), np.float32)
    add_up(table, lesson.states, inside)
    peaks = np.empty((len(lesson.states), len(w["peak"])), np.float32)
    where = np.empty(peaks.shape, np.int32)
    find_largest(table, lesson.states, peaks, where)
    sums = inside @ w["sum"] + peaks @ w["peak"] + lesson.side @ _sides(w) + w["sum_bias"]
    looked = above(sums) @ w["look"] + w["look_bias"]
    weighed = above(looked) @ w["weigh"] + w["weigh_bias"]
    out = above(weighed) @ w["out"] + w["out_bias"]
    more, wider = (out[:, 0] * float(POINTS)).astype(np.float64), out[:, 1].astype(np.float64)
    return Guesses(first, second, inside, peaks, where, sums, looked, weighed, more, wider)


def answers(aim: Aim, lesson: Lesson, found: Guesses) -> tuple[Reals, Reals, Reals]:
    """Return the value that the network expects for each sample, and its derivatives with respect to the two outputs.

    The outputs are a correction of the simple model's margin (:func:`.guess`), and the logarithm of the factor for
    the spread of this margin.
    """
    margin = lesson.mean + found.more
    if aim is Aim.POINTS:
        return margin, np.full_like(margin, float(POINTS)), np.zeros_like(margin)
    spread = lesson.spread * np.exp(np.clip(found.wider, NARROWEST, WIDEST))
    z = margin / spread
    slope = 2 * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    within = (found.wider > NARROWEST) & (found.wider < WIDEST)
    return 2 * normal(z) - 1, slope / spread * float(POINTS), -slope * z * within


def _learn(aim: Aim, w: Weights, lesson: Lesson) -> tuple[float, Weights]:
    """Return the mean square error, and its gradient with respect to each weight.

    The gradient is divided by a constant: 25 for points, and 0.25 for wins.
    """
    found = look(w, lesson)
    expected, by_margin, by_spread = answers(aim, lesson, found)
    missed = expected - lesson.target
    unit = 2 * missed / len(missed) / (float(POINTS) ** 2 if aim is Aim.POINTS else 0.25)
    d_out = np.stack([unit * by_margin, unit * by_spread], axis=1).astype(np.float32)
    d_weighed = (d_out @ w["out"].T) * (found.weighed > 0)
    d_looked = (d_weighed @ w["weigh"].T) * (found.looked > 0)
    d_sums = ((d_looked @ w["look"].T) * (found.sums > 0)).astype(np.float32)
    d_table = np.zeros_like(found.second)
    d_inside: Floats = d_sums @ w["sum"].T
    d_peaks: Floats = d_sums @ w["peak"].T
    hand_back(d_inside, lesson.states, d_table)
    hand_back_largest(d_peaks, found.where, d_table)
    d_table *= found.second > 0
    d_first = (d_table @ w["inner"].T) * (found.first > 0)
    d_side = lesson.side.T @ d_sums
    tricks, starts = len(w["tricks"]), len(w["start"])
    return float(np.mean(missed**2)), {
        "nation": lesson.told.T @ d_first,
        "nation_bias": d_first.sum(axis=0),
        "inner": above(found.first).T @ d_table,
        "inner_bias": d_table.sum(axis=0),
        "sum": found.inside.T @ d_sums,
        "sum_bias": d_sums.sum(axis=0),
        "peak": found.peaks.T @ d_sums,
        "tricks": d_side[:tricks],
        "whole": d_side[tricks:-starts],
        "start": d_side[-starts:],
        "look": above(found.sums).T @ d_looked,
        "look_bias": d_looked.sum(axis=0),
        "weigh": above(found.looked).T @ d_weighed,
        "weigh_bias": d_weighed.sum(axis=0),
        "out": above(found.weighed).T @ d_out,
        "out_bias": d_out.sum(axis=0),
    }


def miss(aim: Aim, w: Weights, lesson: Lesson) -> float:
    """Return the mean square error of the network on the samples of a lesson."""
    return float(np.mean((answers(aim, lesson, look(w, lesson))[0] - lesson.target) ** 2))


def teach(
    aim: Aim, lesson: Lesson, apart: Flags, weights: Weights, quick: float, rng: np.random.Generator
) -> Weights:
    """Fit the weights to the samples that are not marked in ``apart``.

    Return the weights after the epoch with the least error on the marked samples. The optimizer is Adam. The
    learning rate begins at ``quick`` and falls by a cosine schedule.
    """
    rest = np.flatnonzero(~apart)
    test = lesson.take(np.flatnonzero(apart))
    best, least = weights, np.inf
    slow = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    step = 0
    for epoch in range(EPOCHS):
        rate = quick * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = rng.permutation(rest)
        for begin in range(0, len(order), BATCH):
            _, slopes = _learn(aim, weights, lesson.take(order[begin : begin + BATCH]))
            step += 1
            for name, slope in slopes.items():
                slow[name] = 0.9 * slow[name] + 0.1 * slope
                square[name] = 0.999 * square[name] + 0.001 * slope**2
                move = slow[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                shrink = DECAY * weights[name] if weights[name].ndim > 1 else 0.0
                weights[name] = (weights[name] - rate * (move + shrink)).astype(np.float32)
        missed = miss(aim, weights, test)
        if missed < least:
            best, least = dict(weights), missed
    return best


def fit(
    aim: Aim, crews: Sequence[Crews], worth: Reals, groups: Whole, near: Stage | None = None, seed: int = 1
) -> Network:
    """Return a network that is fitted to the values of positions. The values are points or chances to win.

    ``worth`` has the value of each position. ``groups`` has the number of each position's game. The positions of
    some games are used only to measure the error. ``near`` has the values after one more round, if they were
    learned already. If ``near`` is a network, the fit begins with its weights.
    """
    rng = np.random.default_rng(seed)
    scale, floor = (1.0, 0.0) if aim is Aim.POINTS else _spread(*guessed(crews), worth)
    fresh = not isinstance(near, Network)
    weights = new_weights(rng) if not isinstance(near, Network) else dict(near.weights)
    apart = np.tile(groups % HELD_OUT == 0, 2)
    lesson = lesson_of(crews, worth, scale, floor)
    found = teach(aim, lesson, apart, weights, RATE if fresh else GENTLE, rng)
    # Round to the stored precision, so that later errors are those of the network that plays.
    stored = {name: part.astype(np.float16).astype(np.float32) for name, part in found.items()}
    return Network(stored, scale, floor)


def foresee(aim: Aim, stage: Network, crews: Sequence[Crews]) -> Reals:
    """Return the values that the network ``stage`` expects for positions.

    The values are margins in points, or chances to win, scaled from -1 (a loss) to 1 (a win).
    """
    lesson = lesson_of(crews, np.zeros(len(crews)), stage.scale, stage.floor)
    return answers(aim, lesson, look(stage.weights, lesson))[0][: len(crews)]


def _spread(margin: Reals, variance: Reals, win: Reals) -> tuple[float, float]:
    """Return the ``scale`` and ``floor`` with which the simple model predicts chances to win with the least error.

    The variance of the margin is then the ``variance`` of the simple model (:func:`.guess`) times ``scale``, plus
    ``floor``. ``win`` has the chances to win in solved rounds, scaled from -1 (a loss) to 1 (a win).
    """

    def error(scale: float, floor: float) -> float:
        spread = np.sqrt(np.maximum(scale * variance + floor, 1e-6))
        return float(np.mean((2 * normal(margin / spread) - 1 - win) ** 2))

    scales, floors = np.geomspace(0.03, 3.0, 13), np.concatenate([[0.01], np.geomspace(0.3, 150.0, 14)])
    _, scale, floor = min((error(s, f), s, f) for s in scales.tolist() for f in floors.tolist())
    return scale, floor
