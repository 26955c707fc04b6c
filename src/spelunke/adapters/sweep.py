"""Generic kernels: advance many tables by one decision, and write the next seat's view into the caller's arrays."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.core.arrays import empty
from spelunke.core.chance import below
from spelunke.core.contract import (
    CHANCE,
    OVER,
    actors,
    apply_chance,
    features,
    legal,
    play,
    result,
    sample_chance,
    start,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, State, Stream

Streams: TypeAlias = Stream
"""A stream for each table, int64 (n, 1)."""
Actions: TypeAlias = npt.NDArray[np.int64]
Views: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.int8]
Seats: TypeAlias = npt.NDArray[np.int64]
Rewards: TypeAlias = npt.NDArray[np.float32]
Flags: TypeAlias = npt.NDArray[np.bool_]
Choices: TypeAlias = Numbers
"""For each table the number of actions in its mask, then the actions, int16 (n, 1 + ACTIONS)."""

MOST_SEATS = 16
"""The most seats of a game: a set of seats has one bit for each."""


class Sweep(Protocol):
    """This module as :func:`spelunke.core.kernel.bind` loads it for one game and its view."""

    def begin_all(
        self,
        pool: Pool,
        setup: Numbers,
        streams: Streams,
        learner: int,
        views: Views,
        masks: Masks,
        seats: Seats,
        over: Flags,
        choices: Choices,
    ) -> None: ...
    def step_all(
        self,
        pool: Pool,
        setup: Numbers,
        streams: Streams,
        learner: int,
        actions: Actions,
        views: Views,
        masks: Masks,
        seats: Seats,
        rewards: Rewards,
        over: Flags,
        choices: Choices,
    ) -> int: ...
    def choose_all(self, choices: Choices, streams: Streams, actions: Actions) -> None: ...
    def begin_one(
        self,
        pool: Pool,
        i: int,
        setup: Numbers,
        stream: Stream,
        learner: int,
        view: Views,
        mask: Masks,
        seats: Seats,
        over: Flags,
        choice: Choices,
    ) -> None: ...
    def step_one(
        self,
        pool: Pool,
        i: int,
        setup: Numbers,
        stream: Stream,
        learner: int,
        action: int,
        view: Views,
        mask: Masks,
        seats: Seats,
        rewards: Rewards,
        over: Flags,
        choice: Choices,
    ) -> None: ...
    def advance_at(self, pool: Pool, i: int, seat: int, action: int, stream: Stream, out: Numbers) -> int: ...
    def view_at(self, pool: Pool, i: int, seat: int, out: Views) -> None: ...
    def sample_chance_at(self, pool: Pool, i: int, stream: Stream) -> int: ...


@kernel
def settle(s: State, stream: Stream, learner: int, out: Numbers) -> int:
    """Let chance, and all seats but the learner (-1: none), play at random until a decision.

    Return the seat that decides, or OVER. If several seats act together, the lowest acts first; its choice is
    hidden until all have chosen.
    """
    while True:
        who = actors(s)
        if who == OVER:
            return OVER
        if who == CHANCE:
            apply_chance(s, sample_chance(s, stream))
            continue
        if learner >= 0 and who >> learner & 1:
            return learner
        seat = 0
        while not who >> seat & 1:
            seat += 1
        if learner < 0:
            return seat
        n = legal(s, seat, out)
        play(s, seat, out[below(stream, n)])


@kernel
def show(s: State, seat: int, choices: Choices, view: Views, mask: Masks) -> None:
    """Write the seat's features and mask; the mask of a seat that may not act is empty.

    If ``view`` or ``mask`` is empty, it is not written. ``choices`` lists the actions in the mask, so that the cost of
    a step depends on the number of legal actions and not on the size of the action space.
    """
    if len(view) > 0:
        features(s, seat, view)
    listed = choices[1:]
    n = legal(s, seat, listed)
    choices[0] = n
    if len(mask) > 0:
        for k in range(n):
            mask[listed[k]] = 1


@kernel
def hide(choices: Choices, mask: Masks) -> None:
    """Clear the mask that :func:`show` wrote."""
    if len(mask) > 0:
        for k in range(choices[0]):
            mask[choices[1 + k]] = 0
    choices[0] = 0


@kernel
def pay(s: State, points: Numbers, ranks: Numbers, rewards: Rewards) -> None:
    """Write each seat's payoff, from 1 for the first place to -1 for the last; shared places share their mean."""
    seats = len(rewards)
    result(s, points, ranks)
    for seat in range(seats):
        shared = 0
        for other in range(seats):
            if ranks[other] == ranks[seat]:
                shared += 1
        rewards[seat] = 1.0 - 2.0 * (ranks[seat] - 1 + (shared - 1) / 2.0) / (seats - 1)


@kernel
def begin_one(
    pool: Pool,
    i: int,
    setup: Numbers,
    stream: Stream,
    learner: int,
    view: Views,
    mask: Masks,
    seats: Seats,
    over: Flags,
    choice: Choices,
) -> None:
    """Start table i and show it; ``choice`` and ``mask`` are empty before."""
    start(pool[i], setup)
    who = settle(pool[i], stream, learner, choice[1:])
    over[i] = who == OVER
    seats[i] = max(who, 0)
    show(pool[i], seats[i], choice, view, mask)


@kernel
def begin_all(
    pool: Pool,
    setup: Numbers,
    streams: Streams,
    learner: int,
    views: Views,
    masks: Masks,
    seats: Seats,
    over: Flags,
    choices: Choices,
) -> None:
    """Start every table and show it. For the shapes, see :func:`step_all`."""
    masks[:] = 0
    for i in range(len(pool)):
        choices[i, 0] = 0
        begin_one(pool, i, setup, streams[i], learner, views[i], masks[i], seats, over, choices[i])


@kernel
def step_one(
    pool: Pool,
    i: int,
    setup: Numbers,
    stream: Stream,
    learner: int,
    action: int,
    view: Views,
    mask: Masks,
    seats: Seats,
    rewards: Rewards,
    over: Flags,
    choice: Choices,
) -> None:
    """Play a legal action at table i, then everything up to the next decision, and show that decision.

    A table that was over starts again instead. ``rewards`` are this table's payoffs.
    """
    hide(choice, mask)
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if over[i]:
        start(pool[i], setup)
    else:
        play(pool[i], seats[i], action)
    who = settle(pool[i], stream, learner, choice[1:])
    over[i] = who == OVER
    if who == OVER:
        points = empty(MOST_SEATS, np.int16)
        ranks = empty(MOST_SEATS, np.int16)
        pay(pool[i], points, ranks, rewards)
        if learner >= 0:
            seats[i] = learner
    else:
        seats[i] = who
    show(pool[i], seats[i], choice, view, mask)


@kernel
def step_all(
    pool: Pool,
    setup: Numbers,
    streams: Streams,
    learner: int,
    actions: Actions,
    views: Views,
    masks: Masks,
    seats: Seats,
    rewards: Rewards,
    over: Flags,
    choices: Choices,
) -> int:
    """Play ``actions[i]`` at table i for ``seats[i]``, then everything up to the next decision, and show that
    decision.

    If a table was over, it ignores its action and starts again. ``rewards[i]`` are all seats' payoffs when
    the table ends, else 0. Shapes for n tables: views (n, FEATURES), masks (n, ACTIONS), rewards (n, seats),
    streams (n, 1), choices (n, 1 + ACTIONS), others (n,). Return -1, or the first table whose action is not
    legal; then nothing has changed.
    """
    for i in range(len(pool)):
        if not over[i] and (actions[i] < 0 or actions[i] >= masks.shape[1] or not masks[i, actions[i]]):
            return i
    for i in range(len(pool)):
        step_one(
            pool,
            i,
            setup,
            streams[i],
            learner,
            actions[i],
            views[i],
            masks[i],
            seats,
            rewards[i],
            over,
            choices[i],
        )
    return -1


@kernel
def choose_one(choice: Choices, stream: Stream) -> int:
    """Return a random legal action; 0 if there is none."""
    n = choice[0]
    return int(choice[1 + below(stream, n)]) if n > 0 else 0


@kernel
def choose_all(choices: Choices, streams: Streams, actions: Actions) -> None:
    """Write a random legal action for each table; 0 if there is none."""
    for i in range(len(choices)):
        actions[i] = choose_one(choices[i], streams[i])


@kernel
def advance_at(pool: Pool, i: int, seat: int, action: int, stream: Stream, out: Numbers) -> int:
    """Play a legal action (none if it is below 0) and let chance decide until a seat may act, or the game is over.

    Return the lowest seat that acts, or OVER. Write its legal actions to ``out`` from 1 on, and their number to
    ``out[0]``. One call for each decision, because calls are expensive for callers in Python.
    """
    if action >= 0:
        play(pool[i], seat, action)
    who = settle(pool[i], stream, -1, out)
    out[0] = legal(pool[i], who, out[1:]) if who != OVER else 0
    return who


@kernel
def view_at(pool: Pool, i: int, seat: int, out: Views) -> None:
    """Write the features that the seat sees of ``pool[i]``, float32[FEATURES]."""
    features(pool[i], seat, out)


@kernel
def sample_chance_at(pool: Pool, i: int, stream: Stream) -> int:
    """Draw an outcome of the next chance; move the stream."""
    return sample_chance(pool[i], stream)
