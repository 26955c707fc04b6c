"""A learned stage: a small network that adds to the simple model what nations and tricks are worth together.

Each nation is described by numbers, a first layer makes of them what it contributes to 32 sums over all nations, and
two more layers look at the sums. What a nation contributes depends on its own state alone, so it is worked out once for
all states and looked up; what is left is a few sums and one product of matrices for all ways in which cards can fall.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

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
        return self._tables["nations"]

    def tricks(self, seat: int) -> Floats:
        """What so many tricks in a hand contribute, float32[11, 32]."""
        name = f"tricks of {seat}"
        if name not in self._tables:
            told = tell_tricks(np.arange(MOST_TRICKS + 1))
            part = self.weights["tricks"][seat * TRICK_NUMBERS : (seat + 1) * TRICK_NUMBERS]
            self._tables[name] = told @ part
        return self._tables[name]

    def look(self, sums: Floats) -> Floats:
        """The last two layers, in points: float32[...] from float32[..., 32]."""
        w = self.weights
        inside = np.maximum(np.maximum(sums, 0) @ w["look"] + w["look_bias"], 0)
        found: Floats = (inside @ w["out"] + w["out_bias"])[..., 0] * POINTS
        return found


class Pass:
    """The tally of a :class:`Network`."""

    def __init__(self, stage: Network, fallen: Fallen, first: Side, second: Side) -> None:
        self._stage, self._fallen, self._start = stage, fallen, (first, second)
        self._simple = Sum(guess(), fallen, first, second)
        self._parts: dict[tuple[int, int, int], Floats] = {}
        parts = [self._nation(nation, 0, 0) for nation in range(len(fallen.left))]
        self._sums = functools.reduce(np.add, parts) + stage.weights["sum_bias"]
        self._last: tuple[Side, Side] | None = None
        self._known: tuple[Floats, Reals, Reals]

    def _nation(self, nation: int, a: int, b: int) -> Floats:
        key = (nation, a, b)
        if key not in self._parts:
            added = self._fallen.added[:, nation]
            if not added.any():
                added = added[:, :1]
            mine = np.minimum(added[0] + self._start[0].strength[nation] + a, STRONGEST)
            theirs = np.minimum(added[1] + self._start[1].strength[nation] + b, STRONGEST)
            self._parts[key] = self._stage.table()[self._fallen.left[nation], mine, theirs]
        return self._parts[key]

    def _before(self, first: Side, second: Side) -> tuple[Floats, Reals, Reals]:
        """Sums without who starts, and mean and variance by the simple model; asked twice in a row."""
        if self._last != (first, second):
            sums = self._sums
            for nation, a, b in self._simple.jokers(first, second):
                sums = sums + (self._nation(nation, a, b) - self._nation(nation, 0, 0))
            for seat, side in enumerate((first, second)):
                count = np.minimum(self._fallen.gained[seat] + sum(side.hand), MOST_TRICKS)
                sums = sums + self._stage.tricks(seat)[count]
            self._last = (first, second)
            self._known = (sums, *self._simple(first, second, 0))
        return self._known

    def __call__(self, first: Side, second: Side, starter: int) -> tuple[Reals, Reals]:
        """See :class:`spelunke.games.shanghaien.solving.stages.Tally`."""
        sums, mean, variance = self._before(first, second)
        start = self._stage.weights["start"]
        more = self._stage.look(sums + (start if starter == 0 else -start))
        return mean + more, self._stage.scale * variance + self._stage.floor


def new_weights(rng: np.random.Generator, inside: int = 32, sums: int = 32, look: int = 32) -> Weights:
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
        "start": layer(1, sums, 0.2)[0],
        "look": layer(sums, look),
        "look_bias": np.zeros(look, np.float32),
        "out": layer(look, 1, 0.3),
        "out_bias": np.zeros(1, np.float32),
    }
