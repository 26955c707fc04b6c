"""Kernels (small compiled functions) that advance one or many tables of any game by one decision.

Kernels for environments also fill arrays with the view of the seat that decides next.
"""

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
"""A random stream for each table, as an int64 array of shape (n, 1)."""
Actions: TypeAlias = npt.NDArray[np.int64]
Views: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.int8]
Seats: TypeAlias = npt.NDArray[np.int64]
Rewards: TypeAlias = npt.NDArray[np.float32]
Flags: TypeAlias = npt.NDArray[np.bool_]
Choices: TypeAlias = Numbers
"""For each table, the number of legal actions and then these actions, as an int16 array (n, 1 + ACTIONS)."""

MOST_SEATS = 16
"""The most seats of a game."""


class Sweep(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

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
    """Advance the state ``s`` until the learner has to decide. Return the seat that decides, or OVER.

    Chance and all other seats act at random. If ``learner`` is -1, stop at the next decision of any seat. If
    several seats may act, the learner acts first if it is among them, else the lowest seat. A sealed choice stays
    hidden until all have chosen. ``out`` is scratch space.
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
    """Write the seat's features into ``view``, and 1 into ``mask`` for each of its legal actions.

    A ``view`` or ``mask`` of length 0 is not written. ``choices`` receives the number of legal actions and then
    these actions. From this list, :func:`hide` knows which entries of ``mask`` are 1, and clears only these. So the
    time of a step depends on the number of legal actions, not on the size of the action space.
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
    """Clear the entries of the mask that :func:`show` wrote, and set the number of actions in ``choices`` to 0."""
    if len(mask) > 0:
        for k in range(choices[0]):
            mask[choices[1 + k]] = 0
    choices[0] = 0


@kernel
def pay(s: State, points: Numbers, ranks: Numbers, rewards: Rewards) -> None:
    """Write each seat's payoff into ``rewards``, from 1 for the first place to -1 for the last.

    Seats that share places get the mean payoff of these places. ``points`` and ``ranks`` are scratch space.
    """
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
    """Start a game at table ``i``, and write the view of the seat that decides first.

    Before the call, ``choice[0]`` and all of ``mask`` must be 0.
    """
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
    """Start a game at each table, and write the view of the seat that decides first.

    For the shapes of the arrays, see :func:`step_all`.
    """
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
    """Play a legal action at table ``i``, play on to the next decision, and write the view of the seat that decides.

    If the table's game was over, ignore ``action`` and start a new game. ``rewards`` receives each seat's payoff if
    the game ends, else zeros.
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
    """Play ``actions[i]`` for ``seats[i]`` at each table ``i``, play on to the next decision, and write the new view.

    If a table's game was over, ignore its action and start a new game. ``rewards[i]`` receives the payoffs of all
    seats if the game ends, else zeros. Return -1 if all actions were legal. Otherwise change nothing, and return the
    index of the first table with an illegal action.

    Shapes for n tables: ``views`` (n, FEATURES), ``masks`` (n, ACTIONS), ``rewards`` (n, seats), ``streams`` (n, 1),
    ``choices`` (n, 1 + ACTIONS), and the other arrays (n,).
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
    """Return a legal action of a table, drawn at random from the stream. If no action is legal, return 0."""
    n = choice[0]
    return int(choice[1 + below(stream, n)]) if n > 0 else 0


@kernel
def choose_all(choices: Choices, streams: Streams, actions: Actions) -> None:
    """Write into ``actions`` a legal action for each table, drawn at random from its stream, or 0 if none is legal."""
    for i in range(len(choices)):
        actions[i] = choose_one(choices[i], streams[i])


@kernel
def advance_at(pool: Pool, i: int, seat: int, action: int, stream: Stream, out: Numbers) -> int:
    """Play a legal action, then draw outcomes of chance until a seat may act or the game is over.

    If ``action`` is below 0, only draw the outcomes. Return the lowest seat that may act, or OVER. ``out`` receives
    the number of this seat's legal actions, followed by these actions. This kernel does all this in one call, because
    calls from Python take long.
    """
    if action >= 0:
        play(pool[i], seat, action)
    who = settle(pool[i], stream, -1, out)
    out[0] = legal(pool[i], who, out[1:]) if who != OVER else 0
    return who


@kernel
def view_at(pool: Pool, i: int, seat: int, out: Views) -> None:
    """Write the seat's view of ``pool[i]`` as features into ``out``, a float32 array of length FEATURES."""
    features(pool[i], seat, out)


@kernel
def sample_chance_at(pool: Pool, i: int, stream: Stream) -> int:
    """Draw an outcome of the next chance event in ``pool[i]``. Advance the stream."""
    return sample_chance(pool[i], stream)
