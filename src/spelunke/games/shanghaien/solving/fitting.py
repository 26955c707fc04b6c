"""From solved samples to a stage: a network is fitted to margins, then the spread to chances to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.blocks import Floats
from spelunke.games.shanghaien.solving.network import (
    POINTS,
    SIZE,
    Network,
    Weights,
    descriptions,
    new_weights,
    tell_tricks,
)
from spelunke.games.shanghaien.solving.samples import Crews, Sample
from spelunke.games.shanghaien.solving.stages import (
    STRONGEST,
    TRICK,
    Reals,
    Whole,
    guess_nations,
    left_by_nation,
)
from spelunke.games.shanghaien.solving.stakes import normal

BATCH = 128
EPOCHS = 150
RATE = 2e-3
DECAY = 1e-2
"""How fast weights that are not needed shrink."""
HELD_OUT = 10
"""One sample in so many tells when to stop."""


@dataclass(frozen=True)
class Lesson:
    """Samples as the network takes them, each from both seats: ``target`` is what the simple model lacks, in points."""

    nations: Floats
    tricks: Floats
    start: Floats
    target: Floats

    def take(self, rows: npt.NDArray[np.int64]) -> Lesson:
        """Some of the samples."""
        return Lesson(self.nations[rows], self.tricks[rows], self.start[rows], self.target[rows])


def states_of(crews: Sequence[Crews]) -> tuple[Whole, Whole, Whole, Whole]:
    """What is to come and both strengths, each int64[samples, 8]; tricks in hand, int64[samples, 2]."""
    left = np.array([left_by_nation(one.deck) for one in crews])
    mine, theirs = (np.minimum([one.sides[k].strength for one in crews], STRONGEST) for k in range(2))
    return left, mine, theirs, np.array([[sum(side.hand) for side in one.sides] for one in crews])


def guessed(crews: Sequence[Crews]) -> tuple[Reals, Reals]:
    """Mean and variance of the margin by the simple model."""
    left, mine, theirs, hands = states_of(crews)
    mean, variance = (part[left, mine, theirs].sum(axis=1) for part in guess_nations())
    return mean + TRICK * (hands[:, 0] - hands[:, 1]), variance


def _lesson(crews: Sequence[Crews], points: Reals) -> Lesson:
    left, mine, theirs, hands = states_of(crews)
    missing = points - guessed(crews)[0]
    told = descriptions().reshape(len(descriptions()), SIZE, SIZE, -1)
    tricks = tell_tricks(hands)
    count = len(crews)
    return Lesson(
        np.concatenate([told[left, mine, theirs], told[left, theirs, mine]]),
        np.concatenate([tricks.reshape(count, -1), tricks[:, ::-1].reshape(count, -1)]),
        np.concatenate([np.ones((count, 1)), -np.ones((count, 1))]).astype(np.float32),
        np.concatenate([missing, -missing]).astype(np.float32) / POINTS,
    )


def _learn(weights: Weights, lesson: Lesson) -> tuple[float, Weights]:
    """The mean square of what is missed, and how it changes with each weight."""
    w = weights
    first = lesson.nations @ w["nation"] + w["nation_bias"]
    inside = np.maximum(first, 0).sum(axis=1)
    sums = inside @ w["sum"] + lesson.tricks @ w["tricks"] + lesson.start @ w["start"][None] + w["sum_bias"]
    seen = np.maximum(sums, 0)
    second = seen @ w["look"] + w["look_bias"]
    known = np.maximum(second, 0)
    missed = (known @ w["out"] + w["out_bias"])[:, 0] - lesson.target
    d_out = (2 * missed / len(missed))[:, None].astype(np.float32)
    d_second = (d_out @ w["out"].T) * (second > 0)
    d_sums = (d_second @ w["look"].T) * (sums > 0)
    d_first = (d_sums @ w["sum"].T)[:, None, :] * (first > 0)
    flat = d_first.reshape(-1, d_first.shape[-1])
    return float(np.mean(missed**2)), {
        "nation": lesson.nations.reshape(len(flat), -1).T @ flat,
        "nation_bias": flat.sum(axis=0),
        "sum": inside.T @ d_sums,
        "sum_bias": d_sums.sum(axis=0),
        "tricks": lesson.tricks.T @ d_sums,
        "start": (lesson.start.T @ d_sums)[0],
        "look": seen.T @ d_second,
        "look_bias": d_second.sum(axis=0),
        "out": known.T @ d_out,
        "out_bias": d_out.sum(axis=0),
    }


def teach(lesson: Lesson, seed: int) -> Weights:
    """Weights fitted by gradients (Adam, a rate that falls as a cosine), the best ones on what was held out."""
    rng = np.random.default_rng(seed)
    half = len(lesson.target) // 2
    held = np.arange(0, half, HELD_OUT)
    held = np.concatenate([held, held + half])
    rest = np.setdiff1d(np.arange(2 * half), held)
    test = lesson.take(held)
    weights = new_weights(rng)
    best, least = weights, np.inf
    slow = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = rng.permutation(rest)
        for begin in range(0, len(order), BATCH):
            _, slopes = _learn(weights, lesson.take(order[begin : begin + BATCH]))
            step += 1
            for name, slope in slopes.items():
                slow[name] = 0.9 * slow[name] + 0.1 * slope
                square[name] = 0.999 * square[name] + 0.001 * slope**2
                move = slow[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                shrink = DECAY * weights[name] if weights[name].ndim > 1 else 0.0
                weights[name] = (weights[name] - rate * (move + shrink)).astype(np.float32)
        missed, _ = _learn(weights, test)
        if missed < least:
            best, least = dict(weights), missed
    return best


def fit(crews: Sequence[Crews], samples: Sequence[Sample], seed: int = 1) -> Network:
    """The stage that fits best to what positions turned out to be worth."""
    choice = float(np.mean([sample.choice for sample in samples if sample.choice is not None]))
    points = np.array([sample.points for sample in samples]) + choice
    stage = Network(teach(_lesson(crews, points), seed))
    judged = [k for k, sample in enumerate(samples) if sample.win is not None]
    some = [crews[k] for k in judged]
    win = np.array([samples[k].win for k in judged])
    return Network(stage.weights, *_spread(foresee(stage, some), guessed(some)[1], win))


def foresee(stage: Network, crews: Sequence[Crews]) -> Reals:
    """The margins that a stage expects."""
    lesson = _lesson(crews, np.zeros(len(crews)))
    w = stage.weights
    inside = np.maximum(lesson.nations @ w["nation"] + w["nation_bias"], 0).sum(axis=1)
    sums = inside @ w["sum"] + lesson.tricks @ w["tricks"] + lesson.start @ w["start"][None] + w["sum_bias"]
    found: Reals = guessed(crews)[0] + stage.look(sums)[: len(crews)]
    return found


def _spread(margin: Reals, variance: Reals, win: Reals) -> tuple[float, float]:
    """How the summed variance becomes that of the margin, so that chances to win fit best."""

    def error(scale: float, floor: float) -> float:
        spread = np.sqrt(np.maximum(scale * variance + floor, 1e-6))
        return float(np.mean((2 * normal(margin / spread) - 1 - win) ** 2))

    scales, floors = np.geomspace(0.03, 3.0, 25), np.concatenate([[0.01], np.geomspace(0.3, 150.0, 30)])
    _, scale, floor = min((error(s, f), s, f) for s in scales.tolist() for f in floors.tolist())
    return scale, floor
