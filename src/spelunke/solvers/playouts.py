"""Generic kernels that play out each of several lines (sequences of moves) many times, with equal random numbers."""

from __future__ import annotations

import math
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import pick_seat
from spelunke.core.contract import (
    CHANCE,
    OVER,
    actors,
    answer,
    apply_chance,
    forecast,
    legal,
    play,
    redeal,
    result,
    sample_chance,
    stage,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, State, Stream

Samples = npt.NDArray[np.float64]
"""Results with the axes line, playout, seat and kind.

The kinds are the lead in points, the chance to win, and the place (0 for an empty seat).
"""
LUCK: Final = 1 << 14
"""The bit for chance in a bit set of the seats that decide after a line."""
NODES, WEIGHTS = np.polynomial.hermite.hermgauss(10)
"""Nodes and weights for means over a normal distribution."""


class PlayOut(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def play_out(
        self,
        worlds: Pool,
        work: Pool,
        who: Numbers,
        steps: Numbers,
        seeds: Stream,
        parts: int,
        knower: int,
        listed: Numbers,
        samples: Samples,
        left: Numbers,
    ) -> None:
        """Play random continuations to their ends. The kernel :func:`play_out` describes the parameters."""
        ...


@kernel
def act(s: State, seat: int, action: int) -> None:
    """Play an action in place.

    No other kernel of this module calls ``play``, so a hot ``play`` (:func:`spelunke.core.kernel.hot`) is inlined only
    once. Callers convert an action of the type int16 to int, because arithmetic on int16 could overflow without Numba.
    """
    play(s, seat, action)


@kernel
def play_out(
    worlds: Pool,
    work: Pool,
    who: Numbers,
    steps: Numbers,
    seeds: Stream,
    parts: int,
    knower: int,
    listed: Numbers,
    samples: Samples,
    left: Numbers,
) -> None:
    """Play each line once for each seed. After the line, continue for ``parts`` parts of the game (:func:`go_on`).

    ``samples`` receives the results (:data:`Samples`).

    ``steps[line]`` has the actions and outcomes of a line. ``who[line]`` has the seat of each action, and CHANCE for
    each outcome. A step below 0 ends the line. Playout ``k`` begins in ``worlds[k % len(worlds)]`` and draws from a
    stream that begins at ``seeds[k]``. If ``knower`` is a seat (not -1), the kernel ``redeal`` first replaces the facts
    that are hidden from this seat.

    ``left[line]`` receives a bit for each seat that had a choice after the line in any playout, and ``LUCK`` if
    chance decided. All these bits are set if a playout stops before the end of the game. ``left[line]`` is 0 if
    the line itself ends the game. ``work`` (a pool of one record) and ``listed`` are scratch space.
    """
    most = samples.shape[2]
    stream = np.zeros(1, np.int64)
    points = np.zeros(most, np.int16)
    ranks = np.zeros(most, np.int16)
    means = np.zeros(most, np.float64)
    for line in range(len(steps)):
        left[line] = 0
        for k in range(len(seeds)):
            work[0] = worlds[k % len(worlds)]
            stream[0] = seeds[k]
            if knower >= 0:
                redeal(work[0], knower, stream)
            for step in range(steps.shape[1]):
                if steps[line, step] < 0:
                    break
                if who[line, step] == CHANCE:
                    apply_chance(work[0], steps[line, step])
                else:
                    act(work[0], int(who[line, step]), int(steps[line, step]))
            if actors(work[0]) != OVER:
                left[line] = go_on(work[0], parts, listed, stream, int(left[line]))
                if actors(work[0]) != OVER:  # nobody decides any more what the forecast estimates
                    left[line] = LUCK | (1 << most) - 1
            measure(work[0], points, ranks, means, samples[line, k])


@kernel
def go_on(s: State, parts: int, listed: Numbers, stream: Stream, left: int) -> int:
    """Continue the game in ``s`` for ``parts`` parts, or until its end. The kernel ``stage`` numbers the parts.

    The kernel ``answer`` chooses all actions. Seats that act at the same time do so in a random order. Return ``left``
    with additional bits: one for each seat that had a choice, and ``LUCK`` if chance decided.
    """
    end = stage(s) + parts
    who = actors(s)
    while who != OVER and stage(s) < end:
        if who == CHANCE:
            left |= LUCK
            apply_chance(s, sample_chance(s, stream))
        else:
            seat = pick_seat(who, stream)
            if not left >> seat & 1 and legal(s, seat, listed) > 1:
                left |= 1 << seat
            act(s, seat, int(answer(s, seat, listed, stream)))
        who = actors(s)
    return left


@kernel
def measure(s: State, points: Numbers, ranks: Numbers, means: Samples, out: Samples) -> None:
    """Write a position's value for each seat into ``out``.

    If the game is over, the values come from its result. Otherwise, they come from the kernel ``forecast``.
    """
    out[:] = 0.0
    seats = 0
    if actors(s) != OVER:
        means[:] = np.nan
        spread = forecast(s, means)
        while seats < len(means) and not math.isnan(means[seats]):
            seats += 1
        judge(means[:seats], spread, out)
        return
    ranks[:] = 0
    result(s, points, ranks)
    while seats < len(ranks) and ranks[seats] > 0:
        seats += 1
    first = 0
    best = 0
    worst = 0
    whole = 0.0
    for seat in range(seats):
        first += ranks[seat] == 1
        whole += points[seat]
        if ranks[seat] < ranks[best]:
            best = seat
        if ranks[seat] > ranks[worst]:
            worst = seat
    sign = 1.0 if points[best] >= points[worst] else -1.0  # in some games few points are good
    for seat in range(seats):
        others = (whole - points[seat]) / (seats - 1)
        out[seat, 0] = sign * (points[seat] - others)
        out[seat, 1] = 1.0 / first if ranks[seat] == 1 else 0.0
        out[seat, 2] = ranks[seat]


@kernel
def judge(means: Samples, spread: float, out: Samples) -> None:
    """Write each seat's lead in points, chance to win and expected place into ``out``.

    The final points of each seat are assumed to be normally distributed around ``means``, with the standard
    deviation ``spread``.
    """
    seats = len(means)
    spread = max(spread, 0.001)
    mean = 0.0
    for seat in range(seats):
        mean += means[seat] / seats
    total = 0.0
    for seat in range(seats):
        out[seat, 0] = (means[seat] - mean) * seats / (seats - 1)
        place = 1.0
        for other in range(seats):
            if other != seat:
                place += below_normal((means[other] - means[seat]) / (spread * 1.4142135623730951))
        out[seat, 2] = place
        chance = 0.0
        for node in range(len(NODES)):
            ahead = WEIGHTS[node]
            at = means[seat] + 1.4142135623730951 * spread * NODES[node]
            for other in range(seats):
                if other != seat:
                    ahead *= below_normal((at - means[other]) / spread)
            chance += ahead
        out[seat, 1] = chance
        total += chance
    for seat in range(seats):
        out[seat, 1] /= total


@kernel
def below_normal(x: float) -> float:
    """Return the share of a standard normal distribution below ``x``."""
    return 0.5 + 0.5 * math.erf(x * 0.7071067811865476)
