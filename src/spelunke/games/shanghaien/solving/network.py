"""A learned stage: a small network that adds to the simple model what nations and tricks are worth together.

Each nation is described by numbers. A first layer makes of them what it contributes to 32 sums over all nations, and 16
numbers of which only the largest of all nations counts: dice and tricks go where they bring most. Two more layers look
at those: they say what margin the simple model lacks, and how much wider or narrower than it
thinks the margin spreads. What a nation contributes depends on its own state alone, so it is worked out once for all
states and looked up; what is left is a few sums and one product of matrices for all ways in which cards can fall.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.blocks import Floats
from spelunke.games.shanghaien.solving.frame import Side
from spelunke.games.shanghaien.solving.stages import (
    LEFT,
    STRONGEST,
    Fallen,
    Reals,
    Sum,
    Tally,
    Whole,
    cards_left,
    guess,
    guess_nations,
    margins,
)

SIZE = STRONGEST + 1
POINTS = np.float32(5.0)
"""What the network's output is counted in."""
MOST_TRICKS = 10
TRICK_NUMBERS = 4
WHOLE_NUMBERS = 9
NARROWEST, WIDEST = -1.5, 1.5
"""Bounds for the logarithm of how much the margin spreads beside the simple model."""
Weights = dict[str, Floats]


@functools.cache
def descriptions() -> Floats:
    """What the network is told of a nation, float32[24, 22, 22, 23], by what is to come and both strengths."""
    mine, theirs = np.indices((SIZE, SIZE))
    cards = np.array([cards_left(k) for k in range(LEFT)], np.float64)
    pips = (cards @ [1, 2, 3, 4]).astype(np.int64)[:, None, None]
    mean, variance = guess_nations()
    more = np.concatenate([mean[:, 2:], mean[:, -1:], mean[:, -1:]], axis=1) - mean
    less = mean - np.concatenate([mean[:, :, 2:], mean[:, :, -1:], mean[:, :, -1:]], axis=2)
    best, worst = margins(mine + pips, theirs + 0 * pips), margins(mine + 0 * pips, theirs + pips)
    near = (np.abs(mine - theirs) <= 2) & (mine > 0) & (theirs > 0)
    found = [
        mean / 5,
        guess_nations(0.2)[0] / 5,
        guess_nations(0.48)[0] / 5,
        np.sqrt(variance) / 5,
        margins(mine, theirs) / 5,
        best / 8,
        worst / 8,
        (best - worst) / 8,
        more / 4,
        less / 4,
        mine > 0,
        theirs > 0,
        (mine == theirs) & (mine > 0),
        np.minimum(mine, theirs) / 6,
        np.minimum(mine, 13) / 8,
        np.minimum(theirs, 13) / 8,
        np.tanh((mine - theirs) / 2),
        np.sign(mine - theirs),
        near,
        *(cards[:, k, None, None] for k in range(4)),
    ]
    return np.stack([np.broadcast_to(part, (LEFT, SIZE, SIZE)) for part in found], axis=-1).astype(np.float32)


def tell_tricks(count: Whole) -> Floats:
    """What the network is told of the tricks in a hand, float32[..., 4]."""
    steps = [count >= 1, count >= 2, count >= 3, count / 3]
    return np.stack([np.asarray(part) for part in steps], axis=-1).astype(np.float32)


@functools.cache
def joker_gains() -> Floats:
    """What a joker would bring to a nation, float32[24, 22, 22, 2, 2].

    By who lays it, then first with the cards to come, as the simple model sees them, and as if there were none.
    """
    more = np.minimum(np.arange(SIZE) + 2, STRONGEST)
    means = (guess_nations()[0], np.stack([margins(*np.indices((SIZE, SIZE)))] * LEFT))
    mine = [np.where(np.arange(SIZE)[:, None] > 0, mean[:, more] - mean, 0) for mean in means]
    theirs = [np.where(np.arange(SIZE) > 0, mean - mean[:, :, more], 0) for mean in means]
    found = np.stack([np.stack(mine, axis=-1), np.stack(theirs, axis=-1)], axis=-2) / 4
    return found.astype(np.float32)


def tell_whole(tricks: Whole | int, mean: Reals, variance: Reals, jokers: Floats, hands: Whole) -> Floats:
    """What the network is told of the whole, float32[..., 9].

    Tricks to come, what the simple model says, and for each side what its best joker would bring if it has a trick:
    ``jokers`` is float32[..., 2, 2], the largest of :func:`joker_gains` over all nations, ``hands`` int64[..., 2].
    """
    parts: list[npt.NDArray[np.floating]] = [
        mean * 0 + np.asarray(tricks) / 3,
        mean / 10,
        np.sqrt(variance) / 10,
    ]
    for seat in range(2):
        some, several = hands[..., seat] > 0, hands[..., seat] > 1
        parts += [jokers[..., seat, 0] * some, jokers[..., seat, 1] * some, jokers[..., seat, 0] * several]
    return np.stack(parts, axis=-1).astype(np.float32)


@dataclass(frozen=True)
class Network:
    """A stage by weights; ``scale`` and ``floor`` make the variance of the margin from that of the simple model."""

    weights: Weights
    scale: float = 1.0
    floor: float = 0.0
    _tables: dict[str, Floats] = field(default_factory=dict, compare=False, repr=False)

    def tally(self, fallen: Fallen, first: Side, second: Side) -> Tally:
        """See :class:`spelunke.games.shanghaien.solving.stages.Stage`."""
        return Pass(self, fallen, first, second)

    def table(self) -> Floats:
        """What each state of a nation contributes, float32[24, 22, 22, 32]."""
        if "nations" not in self._tables:
            w = self.weights
            inside = np.maximum(descriptions() @ w["nation"] + w["nation_bias"], 0)
            self._tables["nations"] = inside @ w["sum"]
            self._tables["peaks"] = inside[..., : len(w["peak"])]
        return self._tables["nations"]

    def peaks(self) -> Floats:
        """Numbers of each state of a nation of which the largest counts, float32[24, 22, 22, 16]."""
        self.table()
        return self._tables["peaks"]

    def tricks(self, seat: int) -> Floats:
        """What so many tricks in a hand contribute, float32[11, 32]."""
        name = f"tricks of {seat}"
        if name not in self._tables:
            told = tell_tricks(np.arange(MOST_TRICKS + 1))
            part = self.weights["tricks"][seat * TRICK_NUMBERS : (seat + 1) * TRICK_NUMBERS]
            self._tables[name] = told @ part
        return self._tables[name]

    def look(self, sums: Floats, mean: Reals, variance: Reals) -> tuple[Reals, Reals]:
        """The last two layers: mean and variance of the margin, from sums and from what the simple model says."""
        w = self.weights
        inside = np.maximum(np.maximum(sums, 0) @ w["look"] + w["look_bias"], 0)
        found = inside @ w["out"] + w["out_bias"]
        wider = np.exp(2 * np.clip(found[..., 1], NARROWEST, WIDEST))
        return mean + found[..., 0] * POINTS, (self.scale * variance + self.floor) * wider


class Parts(NamedTuple):
    """What a nation contributes by way: to sums, to what only its largest counts of, and by jokers."""

    sums: Floats
    peaks: Floats
    jokers: Floats


class Pass:
    """The tally of a :class:`Network`."""

    def __init__(self, stage: Network, fallen: Fallen, first: Side, second: Side) -> None:
        self._stage, self._fallen, self._start = stage, fallen, (first, second)
        self._simple = Sum(guess(), fallen, first, second)
        self._parts: dict[tuple[int, int, int], Parts] = {}
        parts = [self._nation(nation, 0, 0).sums for nation in range(len(fallen.left))]
        self._sums = functools.reduce(np.add, parts) + stage.weights["sum_bias"]
        self._last: tuple[Side, Side] | None = None
        self._known: tuple[Floats, Reals, Reals]

    def _nation(self, nation: int, a: int, b: int) -> Parts:
        """What a nation contributes when jokers have added so much to both strengths."""
        key = (nation, a, b)
        if key not in self._parts:
            added = self._fallen.added[:, nation]
            if not added.any():
                added = added[:, :1]
            mine = np.minimum(added[0] + self._start[0].strength[nation] + a, STRONGEST)
            theirs = np.minimum(added[1] + self._start[1].strength[nation] + b, STRONGEST)
            state = (self._fallen.left[nation], mine, theirs)
            self._parts[key] = Parts(
                self._stage.table()[state], self._stage.peaks()[state], joker_gains()[state]
            )
        return self._parts[key]

    def _before(self, first: Side, second: Side) -> tuple[Floats, Reals, Reals]:
        """Sums without who starts, and mean and variance by the simple model; asked twice in a row."""
        if self._last != (first, second):
            sums = self._sums
            laid = {nation: (a, b) for nation, a, b in self._simple.jokers(first, second)}
            for nation, (a, b) in laid.items():
                sums = sums + (self._nation(nation, a, b).sums - self._nation(nation, 0, 0).sums)
            hands = np.stack(
                [self._fallen.gained[k] + sum(side.hand) for k, side in enumerate((first, second))]
            )
            for seat in range(2):
                sums = sums + self._stage.tricks(seat)[np.minimum(hands[seat], MOST_TRICKS)]
            parts = [
                self._nation(nation, *laid.get(nation, (0, 0))) for nation in range(len(self._fallen.left))
            ]
            mean, variance = self._simple(first, second, 0)
            jokers = functools.reduce(np.maximum, [part.jokers for part in parts])
            told = tell_whole(self._fallen.tricks, mean, variance, jokers, hands.T)
            peaks = functools.reduce(np.maximum, [part.peaks for part in parts])
            weights = self._stage.weights
            sums = sums + peaks @ weights["peak"] + told @ weights["whole"]
            self._last = (first, second)
            self._known = (sums, mean, variance)
        return self._known

    def __call__(self, first: Side, second: Side, starter: int) -> tuple[Reals, Reals]:
        """See :class:`spelunke.games.shanghaien.solving.stages.Tally`."""
        sums, mean, variance = self._before(first, second)
        start = self._stage.weights["start"]
        return self._stage.look(sums + (start if starter == 0 else -start), mean, variance)


def new_weights(
    rng: np.random.Generator, inside: int = 48, peaks: int = 16, sums: int = 32, look: int = 32
) -> Weights:
    """Weights to begin with."""

    def layer(rows: int, columns: int, size: float = 1.0) -> Floats:
        found: npt.NDArray[np.float64] = rng.normal(size=(rows, columns)) * size * np.sqrt(2 / rows)
        return found.astype(np.float32)

    return {
        "nation": layer(descriptions().shape[-1], inside),
        "nation_bias": np.zeros(inside, np.float32),
        "sum": layer(inside, sums, 0.3),
        "sum_bias": np.zeros(sums, np.float32),
        "tricks": layer(2 * TRICK_NUMBERS, sums, 0.5),
        "peak": layer(peaks, sums, 0.3),
        "whole": layer(WHOLE_NUMBERS, sums, 0.3),
        "start": layer(1, sums, 0.2)[0],
        "look": layer(sums, look),
        "look_bias": np.zeros(look, np.float32),
        "out": layer(look, 2, 0.1),
        "out_bias": np.zeros(2, np.float32),
    }
