"""Perft: count the sequences of plies and the positions at each depth of a game, with exact probabilities."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from spelunke.core.contract import Rules
from spelunke.core.kernel import bind, pool
from spelunke.core.values import Pool, State

if TYPE_CHECKING:
    from spelunke.core.perft import Perft

BATCH = 2_000


class Depth(msgspec.Struct, frozen=True, kw_only=True):
    """The counts at the depth ``depth``, that is, after this number of plies.

    ``sequences``: the number of sequences of plies. ``positions``: the number of different states. ``mass``:
    the sum of the probabilities of the sequences. A sequence's probability is the product of the
    probabilities of its outcomes of chance. So wrong weights of chance can change ``mass``, but neither
    ``sequences`` nor ``positions``. ``over``: the probability that the game ends within ``depth`` plies if all
    actions are equally likely. ``digest``: a hash of the set of states.
    """

    depth: int
    sequences: int
    positions: int
    mass: Fraction
    over: Fraction
    digest: str


Edges = tuple[list[int], list[int], list[int], list[int]]
"""The edges between two layers, as four lists of equal length.

Each edge has one number from each list: the index of its parent, its weight, the total weight of all edges from its
parent, and the index of its child in the new layer. If the edges are actions, the total has a minus sign.
"""


class Layer(msgspec.Struct, frozen=True):
    """The different states at one depth.

    For each state, ``ways`` is the number of sequences that lead to the state. ``mass / under_mass`` is the sum of
    the probabilities of these sequences (see :class:`Depth`). ``odds / under_odds`` is the probability of the state
    if all actions are equally likely.
    """

    states: Pool
    ways: list[int]
    mass: list[int]
    odds: list[int]
    under_mass: int = 1
    under_odds: int = 1


def perft(
    rules: Rules[State], state: State, depth: int, tick: Callable[[int, int], None] | None = None
) -> Iterator[Depth]:
    """Yield the counts for each depth from 0 to ``depth``.

    ``tick`` is called with two numbers: the finished and the total work of the current depth. Only their ratio has a
    meaning. The memory grows with the number of positions at the largest depth. Each position takes the size of its
    record plus about 400 bytes.
    """
    kernels = cast("Perft", bind("spelunke.core.perft", rules.__name__))
    here = pool(rules.STATE, 1)
    here[0] = state
    layer = Layer(here, [1], [1], [1])
    over = _ended(kernels, layer)
    yield _measure(0, layer, over)
    for number in range(1, depth + 1):
        layer = _deepen(kernels, layer, tick)
        over += _ended(kernels, layer)
        yield _measure(number, layer, over)


def _deepen(kernels: Perft, layer: Layer, tick: Callable[[int, int], None] | None) -> Layer:
    known: dict[bytes, int] = {}
    states: list[Pool] = []
    edges: list[Edges] = []
    count = len(layer.states)
    for first in range(0, count, BATCH):
        last = min(first + BATCH, count)
        edges.append(_expand(kernels, layer.states, first, last, known, states))
        if tick is not None:
            tick(last, 2 * count)
    totals = {total for _, _, batch, _ in edges for total in batch}
    # One denominator for the whole layer keeps the sums exact and in whole numbers.
    spread = math.lcm(1, *(abs(total) for total in totals))
    chance = math.lcm(1, *(total for total in totals if total > 0))
    ways, mass, odds = ([0] * len(known) for _ in range(3))
    for done, batch in enumerate(edges):
        if tick is not None:
            tick(count + done * BATCH, 2 * count)
        for parent, weight, total, target in zip(*batch, strict=True):
            ways[target] += layer.ways[parent]
            mass[target] += layer.mass[parent] * (weight * chance // total if total > 0 else chance)
            odds[target] += layer.odds[parent] * (weight * spread // abs(total))
    found = np.concatenate(states) if states else layer.states[:0]
    return Layer(found, ways, mass, odds, layer.under_mass * chance, layer.under_odds * spread)


def _expand(
    kernels: Perft,
    states: Pool,
    first: int,
    last: int,
    known: dict[bytes, int],
    fresh: list[Pool],
) -> Edges:
    """Return the edges (:data:`Edges`) to the children of the states with the indices ``first`` to ``last - 1``.

    ``known`` maps the bytes of each child found so far to its index in the next layer. Add each new child to
    ``known``, and an array of the new children to ``fresh``.
    """
    room = int(kernels.widest(states, first, last))
    children = np.zeros(room, states.dtype)
    parents, weights, totals = (np.zeros(room, np.int64) for _ in range(3))
    kernels.expand(states, first, last, children, parents, weights, totals)
    size = states.dtype.itemsize
    whole = children.tobytes()
    targets, new = [], []
    for index in range(room):
        key = whole[index * size : (index + 1) * size]
        target = known.get(key)
        if target is None:
            target = known[key] = len(known)
            new.append(index)
        targets.append(target)
    if new:
        fresh.append(children[new])
    return parents.tolist(), weights.tolist(), totals.tolist(), targets


def _ended(kernels: Perft, layer: Layer) -> Fraction:
    """Return the probability that the game ends exactly at the depth of this layer.

    A state whose game is over has no children, so no later layer counts it again.
    """
    over = np.zeros(len(layer.states), np.bool_)
    kernels.ended(layer.states, over)
    return Fraction(sum(layer.odds[int(i)] for i in np.flatnonzero(over)), layer.under_odds)


def _measure(depth: int, layer: Layer, over: Fraction) -> Depth:
    size = layer.states.dtype.itemsize
    whole = layer.states.tobytes()
    digest = hashlib.sha256(b"".join(sorted(whole[at : at + size] for at in range(0, len(whole), size))))
    return Depth(
        depth=depth,
        sequences=sum(layer.ways),
        positions=len(layer.states),
        mass=Fraction(sum(layer.mass), layer.under_mass),
        over=over,
        digest=digest.hexdigest()[:16],
    )
