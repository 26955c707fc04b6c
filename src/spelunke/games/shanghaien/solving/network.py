"""A learned model of the values of crews: a small network that corrects the simple model.

The simple model (:func:`.stages.guess`) adds up the values of single nations and tricks. The network also knows the
value of combinations.

Each nation is described by features. Two layers turn the features into two kinds of values: *contributions* and
*peaks*. The network adds up the contributions of all nations. Of each peak, it uses only the maximum over all nations,
because dice and tricks go to the nation in which they gain most. Three more layers turn the sums and the maxima into
a correction of the simple model's margin, and a factor for its spread.

The contribution of a nation depends only on the state of this nation. So it is computed once for each state,
and then looked up. For each settlement, which gives the cards of a row to the sides, only a few sums and matrix
products remain.
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
"""The unit of the network's first output, in points."""
MOST_TRICKS = 10
TRICK_NUMBERS = 4
WHOLE_NUMBERS = 12
START_NUMBERS = 5
NEVER = -40.0
"""The gain, in points, that stands for a joker that can't be laid."""
NARROWEST, WIDEST = -1.5, 1.5
"""The bounds for the logarithm of the factor by which the network changes the simple model's spread."""
Weights = dict[str, Floats]


@functools.cache
def descriptions() -> Floats:
    """Return the features of a nation in each of its states, float32[24, 22, 22, 33].

    The first three indices are the set of its cards to come, and the strengths of the two seats.
    """
    mine, theirs = np.indices((SIZE, SIZE))
    cards = np.array([cards_left(k) for k in range(LEFT)], np.float64)
    pips = (cards @ [1, 2, 3, 4]).astype(np.int64)[:, None, None]
    mean, variance = guess_nations()
    more = np.concatenate([mean[:, 2:], mean[:, -1:], mean[:, -1:]], axis=1) - mean
    less = mean - np.concatenate([mean[:, :, 2:], mean[:, :, -1:], mean[:, :, -1:]], axis=2)
    best, worst = margins(mine + pips, theirs + 0 * pips), margins(mine + 0 * pips, theirs + pips)
    near = (np.abs(mine - theirs) <= 2) & (mine > 0) & (theirs > 0)
    now = margins(mine, theirs)
    stakes = []  # the gain of each card to come, if only one side gets it
    for value in range(1, 5):
        comes = cards[:, value - 1, None, None] > 0
        stakes.append(comes * (margins(mine + value, theirs) - now) / 4)
        stakes.append(comes * (now - margins(mine, theirs + value)) / 4)
    found = [
        mean / 5,
        guess_nations(0.2)[0] / 5,
        guess_nations(0.48)[0] / 5,
        np.sqrt(variance) / 5,
        now / 5,
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
        *stakes,
        (margins(mine + 2, theirs) - now) * (mine > 0) / 4,
        (now - margins(mine, theirs + 2)) * (theirs > 0) / 4,
    ]
    return np.stack([np.broadcast_to(part, (LEFT, SIZE, SIZE)) for part in found], axis=-1).astype(np.float32)


def tell_tricks(count: Whole) -> Floats:
    """Return the features of the number of tricks in hand, float32[..., 4]."""
    steps = [count >= 1, count >= 2, count >= 3, count / 3]
    return np.stack([np.asarray(part) for part in steps], axis=-1).astype(np.float32)


class Duel(NamedTuple):
    """The gains of jokers in each nation: if the first side lays one, if the second side does, and if both do.

    All gains are for the first side, in points, float32[nations, ...].
    """

    mine: Floats
    theirs: Floats
    both: Floats


@functools.cache
def joker_gains() -> Floats:
    """Return the gains of jokers in a nation for each of its states, float32[24, 22, 22, 2, 3].

    The first three indices are as in :func:`descriptions`. If the fourth index is 0, a gain is an average over the
    sides that can get the cards to come, with the probabilities of the simple model (:func:`.stages.guess`). If the
    fourth index is 1, no more cards come. The last index is the number of a field of :class:`Duel`, from 0.
    """
    more = np.minimum(np.arange(SIZE) + 2, STRONGEST)
    has = np.arange(SIZE) > 0
    now = np.stack([margins(*np.indices((SIZE, SIZE)))] * LEFT).astype(np.float64)
    found = []
    for mean in (guess_nations()[0], now):
        mine = np.where(has[:, None], mean[:, more] - mean, NEVER)
        theirs = np.where(has, mean[:, :, more] - mean, -NEVER)
        both = mean[:, more][:, :, more] - mean
        both = np.where(has[:, None] & has, both, np.where(has, theirs, mine))
        found.append(np.stack([mine, theirs, both], axis=-1))
    return np.stack(found, axis=-2).astype(np.float32)


def answer_jokers(jokers: Floats, hands: Whole) -> Floats:
    """Return the total gain of jokers for the first side, in points, float32[..., 4].

    ``jokers`` has the gains of jokers in the state of each nation, from :func:`joker_gains`,
    float32[nations, ..., 2, 3]. ``hands`` has the numbers of tricks of both sides, int64[..., 2].

    Each side lays at most one joker. In the first two values, the second side answers the first side's joker.
    In the last two, the first side answers. In each pair, the first value uses the simple model of the cards to
    come, and the second one assumes that no more cards come.
    """
    have = hands > 0
    duels = [Duel(jokers[..., k, 0], jokers[..., k, 1], jokers[..., k, 2]) for k in range(2)]
    found = [_answered(duel, have) for duel in duels]
    found += [-_answered(Duel(-duel.theirs, -duel.mine, -duel.both), have[..., ::-1]) for duel in duels]
    return np.stack(found, axis=-1).astype(np.float32)


def _answered(duel: Duel, have: npt.NDArray[np.bool_]) -> Floats:
    """Return the gain if the first side lays its best joker or none, and the second side then gives its best answer."""
    nations = np.arange(len(duel.theirs)).reshape((-1,) + (1,) * (duel.theirs.ndim - 1))
    where = duel.theirs.argmin(axis=0)
    first = np.minimum(duel.theirs.min(axis=0), 0)
    second = np.minimum(np.where(nations == where, np.float32(0), duel.theirs).min(axis=0), 0)
    elsewhere = np.where(nations == where, second, first)
    answered = np.minimum(duel.mine + elsewhere, duel.both).max(axis=0)
    laid = np.where(have[..., 1], answered, duel.mine.max(axis=0))
    waits = np.where(have[..., 1], first, np.float32(0))
    found: Floats = np.where(have[..., 0], np.maximum(laid, waits), waits)
    return found


def tell_whole(tricks: Whole | int, mean: Reals, variance: Reals, jokers: Floats) -> Floats:
    """Return the features that belong to no single nation, float32[..., 12].

    They are the trick cards to come, the result of the simple model, and the gain of jokers (see
    :func:`answer_jokers`).
    """
    spread = np.sqrt(variance)
    parts: list[npt.NDArray[np.floating]] = [
        mean * 0 + np.asarray(tricks) / 3,
        mean / 10,
        spread / 10,
        np.tanh(mean / (spread + 1)),
    ]
    for k in range(jokers.shape[-1]):
        parts += [jokers[..., k] / 10, np.tanh((mean + jokers[..., k]) / (spread + 1))]
    return np.stack(parts, axis=-1).astype(np.float32)


def tell_start(whole: Floats, starter: int) -> Floats:
    """Return the features that depend on the starter, float32[..., 5].

    Four of them describe the gains of jokers if the other side can answer the starter's joker (see
    :func:`answer_jokers`). The last one is 1 if the first side is the starter, else -1.
    """
    answers = whole[..., 4:8] if starter == 0 else whole[..., 8:12]
    sign = np.full((*whole.shape[:-1], 1), 1.0 if starter == 0 else -1.0, np.float32)
    return np.concatenate([answers, sign], axis=-1)


@dataclass(frozen=True)
class Network:
    """A :class:`.Stage` (the values of crews after a given number of rounds) that a network computes.

    The variance of the simple model (:func:`.guess`) is multiplied by ``scale``, and ``floor`` is added. Then the
    network corrects the result.
    """

    weights: Weights
    scale: float = 1.0
    floor: float = 0.0
    _tables: dict[str, Floats] = field(default_factory=dict, compare=False, repr=False)

    def tally(self, fallen: Fallen, first: Side, second: Side) -> Tally:
        """Return the object that computes the values of the settlements in ``fallen`` (see :meth:`.Stage.tally`)."""
        return Pass(self, fallen, first, second)

    def table(self) -> Floats:
        """Return the contributions of a nation's states to the network's sums, float32[24, 22, 22, sums].

        The first three indices are as in :func:`descriptions`.
        """
        if "nations" not in self._tables:
            w = self.weights
            first = np.maximum(descriptions() @ w["nation"] + w["nation_bias"], 0)
            inside = np.maximum(first @ w["inner"] + w["inner_bias"], 0)
            self._tables["nations"] = inside @ w["sum"]
            self._tables["peaks"] = inside[..., : len(w["peak"])]
        return self._tables["nations"]

    def peaks(self) -> Floats:
        """Return the peaks of a nation in each of its states, float32[24, 22, 22, peaks].

        Each nation has the same number of peaks. For each of these peaks, the network uses only the maximum over all
        nations. The first three indices are as in :func:`descriptions`.
        """
        self.table()
        return self._tables["peaks"]

    def tricks(self, seat: int) -> Floats:
        """Return the contributions of a seat's trick cards to the network's sums, float32[11, sums].

        The first index is the number of trick cards in the seat's hand, and the second is the index of the sum.
        """
        name = f"tricks of {seat}"
        if name not in self._tables:
            told = tell_tricks(np.arange(MOST_TRICKS + 1))
            part = self.weights["tricks"][seat * TRICK_NUMBERS : (seat + 1) * TRICK_NUMBERS]
            self._tables[name] = told @ part
        return self._tables[name]

    def look(self, sums: Floats, mean: Reals, variance: Reals) -> tuple[Reals, Reals]:
        """Run the last layers, and return the mean and the variance of the margin.

        The arguments ``mean`` and ``variance`` are those of the simple model.
        """
        w = self.weights
        inside = np.maximum(np.maximum(sums, 0) @ w["look"] + w["look_bias"], 0)
        inside = np.maximum(inside @ w["weigh"] + w["weigh_bias"], 0)
        found = inside @ w["out"] + w["out_bias"]
        wider = np.exp(2 * np.clip(found[..., 1], NARROWEST, WIDEST))
        return mean + found[..., 0] * POINTS, (self.scale * variance + self.floor) * wider


class Parts(NamedTuple):
    """The parts of one nation in the network's computation, for each settlement of a round.

    A settlement gives each card of the row to one of the sides, or to nobody (:class:`.stages.Fallen`). Each array has
    one entry for each settlement, or a single entry if no settlement adds strength in the nation.

    ``sums`` has the nation's contributions to the network's sums. ``peaks`` has the nation's peaks: of each peak, the
    network uses only the maximum over all nations. ``jokers`` has the points that jokers gain in the nation.
    """

    sums: Floats
    peaks: Floats
    jokers: Floats


class Pass:
    """A :class:`.Tally` that computes the values of a :class:`Network`.

    The contributions of nations to the network's sums are cached. Two successive calls of the object often get sides
    that differ in only a few nations, so most contributions are needed again.
    """

    def __init__(self, stage: Network, fallen: Fallen, first: Side, second: Side) -> None:
        self._stage, self._fallen, self._start = stage, fallen, (first, second)
        self._simple = Sum(guess(), fallen, first, second)
        self._parts: dict[tuple[int, int, int], Parts] = {}
        parts = [self._nation(nation, 0, 0).sums for nation in range(len(fallen.left))]
        self._sums = functools.reduce(np.add, parts) + stage.weights["sum_bias"]
        self._last: tuple[Side, Side] | None = None
        self._known: tuple[Floats, Floats, Reals, Reals]

    def _nation(self, nation: int, a: int, b: int) -> Parts:
        """Return the contributions of a nation to the network's sums, its peaks, and the points that jokers gain in it.

        ``a`` and ``b`` are the strengths that jokers have added for the first and for the second side.
        """
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

    def _before(self, first: Side, second: Side) -> tuple[Floats, Floats, Reals, Reals]:
        """Return the values that do not depend on the starter.

        They are the network's sums without the starter's part, the features of :func:`tell_whole`, and the mean and the
        variance by the simple model. The method caches its last result.
        """
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
            jokers = answer_jokers(np.stack(np.broadcast_arrays(*(part.jokers for part in parts))), hands.T)
            told = tell_whole(self._fallen.tricks, mean, variance, jokers)
            peaks = functools.reduce(np.maximum, [part.peaks for part in parts])
            weights = self._stage.weights
            sums = sums + peaks @ weights["peak"] + told @ weights["whole"]
            self._last = (first, second)
            self._known = (sums, told, mean, variance)
        return self._known

    def __call__(self, first: Side, second: Side, starter: int) -> tuple[Reals, Reals]:
        """Return the mean and the variance of the margin (see
        :class:`spelunke.games.shanghaien.solving.stages.Tally`).
        """
        sums, told, mean, variance = self._before(first, second)
        start = tell_start(told, starter) @ self._stage.weights["start"]
        return self._stage.look(sums + start, mean, variance)


def new_weights(
    rng: np.random.Generator,
    first: int = 64,
    inside: int = 80,
    peaks: int = 32,
    sums: int = 96,
    look: int = 96,
    weigh: int = 48,
) -> Weights:
    """Return random initial weights."""

    def layer(rows: int, columns: int, size: float = 1.0) -> Floats:
        found: npt.NDArray[np.float64] = rng.normal(size=(rows, columns)) * size * np.sqrt(2 / rows)
        return found.astype(np.float32)

    return {
        "nation": layer(descriptions().shape[-1], first),
        "nation_bias": np.zeros(first, np.float32),
        "inner": layer(first, inside),
        "inner_bias": np.zeros(inside, np.float32),
        "sum": layer(inside, sums, 0.3),
        "sum_bias": np.zeros(sums, np.float32),
        "tricks": layer(2 * TRICK_NUMBERS, sums, 0.5),
        "peak": layer(peaks, sums, 0.3),
        "whole": layer(WHOLE_NUMBERS, sums, 0.3),
        "start": layer(START_NUMBERS, sums, 0.3),
        "look": layer(sums, look),
        "look_bias": np.zeros(look, np.float32),
        "weigh": layer(look, weigh),
        "weigh_bias": np.zeros(weigh, np.float32),
        "out": layer(weigh, 2, 0.1),
        "out_bias": np.zeros(2, np.float32),
    }
