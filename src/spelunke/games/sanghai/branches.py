"""Kernels that compare two actions: they play the round to its end after each action, with the same cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.chance import below
from spelunke.core.contract import OVER
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.sanghai import shrewd, state
from spelunke.games.sanghai.laying import may_lay
from spelunke.games.sanghai.rules import play, start
from spelunke.games.sanghai.selfplay import Cubes, Reals, act, advance, cost_of, look_at, note_danger
from spelunke.games.sanghai.state import State, wide
from spelunke.games.sanghai.turns import asked

THROW: Final = 0.0
CALL: Final = 1.0
DRAW: Final = 2.0
"""The three kinds of choices, as numbers: a discard, a call, and taking the discard rather than drawing."""


@kernel
def branch(
    work: Pool,
    seat: int,
    one: int,
    other: int,
    seed: int,
    deck: Stream,
    order: Numbers,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    stream: Stream,
) -> float:
    """Return the seat's cost in points after the action ``one``, minus its cost after the action ``other``.

    ``work[0]`` has the position, and does not change. The kernel plays the round to its end twice in ``work[1]``,
    once after each action. Both times, the stock has the same order.
    """
    lap = wide(work[0].lap)
    kept = np.empty(300, np.int16)
    mine = np.empty(3, np.int64)
    chance = np.empty(1, np.int64)
    cost = 0.0
    for turn in range(2):
        work[1] = work[0]
        kept[:] = order
        mine[:] = deck
        chance[0] = stream[0]
        action = wide(one if turn == 0 else other)
        play(work[1], seat, action)
        who = wide(0)
        while who != OVER and work[1].lap == lap:
            who = advance(work, wide(1), seed, mine, kept, styles, nets, tuned, listed, chance, wide(0))
        ends = cost_of(work[1], lap, seat)
        cost = ends if turn == 0 else cost - ends
    below(stream, 1 << 20)
    return float(cost)


@kernel
def pair_throws(
    s: State, seat: int, style: int, nets: Cubes, tuned: Reals, listed: Numbers, stream: Stream, rows: Reals
) -> tuple[int, int]:
    """Return the discard that the seat would choose, and the discard of a random card of the hand.

    If they are equal, or if the random card is a joker, return -1 twice. ``rows`` receives the features of the hand
    after each discard. Call this kernel only if the seat can't lay its contract now.
    """
    one = act(s, seat, style, nets, tuned, listed, stream, wide(0)) - state.DISCARD
    other = one
    skip = below(stream, int(s.held[seat]))
    for kind in range(state.JOKER):
        skip -= int(s.hand[seat, kind])
        if skip < 0:
            other = wide(kind)
            break
    if other == one:
        return wide(-1), wide(-1)
    h = np.empty(state.KINDS, np.int16)
    for side in range(2):
        kind = one if side == 0 else other
        h[:] = s.hand[seat]
        h[kind] -= 1
        look_at(s, seat, h, wide(s.held[seat] - 1), rows[side])
        rows[side, 17] = 1.0
        rows[side, 18] = 0.0
        note_danger(s, seat, wide(kind), rows[side])
    return wide(state.DISCARD + one), wide(state.DISCARD + other)


@kernel
def pair_answers(s: State, seat: int, rows: Reals) -> tuple[int, int]:
    """Return the two answers to a discard: call and pass. ``rows`` receives the features of the hand after each."""
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    look_at(s, seat, h, wide(s.held[seat]), rows[1])
    h[s.top] += 1
    look_at(s, seat, h, wide(s.held[seat] + 1), rows[0])
    rows[0, 14] -= 1.0 / 3.0
    return wide(state.HEP), wide(state.PASS)


@kernel
def pair_draws(s: State, seat: int, net: Reals, tuned: Reals, rows: Reals) -> tuple[int, int]:
    """Return the two ways to draw: from the discards and from the stock.

    ``rows`` receives, for each way, the features of the hand afterwards. After taking the discard, the seat also
    discards the card with the least expected cost (:func:`.shrewd.weigh_throws`). The card from the stock is unknown,
    so the row for the stock has the features of the current hand.
    """
    h = np.empty(state.KINDS, np.int16)
    spare = np.empty(state.KINDS)
    h[:] = s.hand[seat]
    look_at(s, seat, h, wide(s.held[seat]), rows[1])
    rows[1, 18] = 1.0
    h[s.top] += 1
    least = shrewd.weigh_throws(s, seat, h, wide(s.held[seat] + 1), net, tuned, spare)
    thrown = wide(0)
    while spare[thrown] > least:
        thrown = wide(thrown + 1)
    h[thrown] -= 1
    look_at(s, seat, h, wide(s.held[seat]), rows[0])
    rows[0, 17] = 1.0
    note_danger(s, seat, thrown, rows[0])
    return wide(state.TAKE), wide(state.STOCK)


@kernel
def find_pair(
    s: State,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    rows: Reals,
    every: Numbers,
    stream: Stream,
) -> tuple[int, float, int, int]:
    """Return a seat that may decide now, the kind of its decision, and two actions to compare.

    ``rows`` receives the features of the hand after each action. For ``every``, see :func:`gather_pairs`. If there is
    nothing to compare now, both actions are -1.
    """
    seat = wide(s.turn)
    if s.phase == state.TURN and s.laid[seat] == 0 and below(stream, int(every[0])) == 0:
        if not may_lay(s, seat):
            one, other = pair_throws(s, seat, wide(styles[seat]), nets, tuned, listed, stream, rows)
            return seat, THROW, one, other
    elif s.phase == state.WINDOW and s.callers == 0 and asked(s) != 0 and below(stream, int(every[1])) == 0:
        seat = wide(below(stream, int(s.seats)))
        if s.answer[seat] == state.ASKED:
            one, other = pair_answers(s, seat, rows)
            return seat, CALL, one, other
    elif (
        s.phase == state.WINDOW and asked(s) == 0 and s.laid[seat] == 0 and below(stream, int(every[2])) == 0
    ):
        one, other = pair_draws(s, seat, nets[0], tuned[0], rows)
        return seat, DRAW, one, other
    return seat, THROW, wide(-1), wide(-1)


@kernel
def gather_pairs(
    work: Pool,
    setup: Numbers,
    seeds: Stream,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    rows: Cubes,
    costs: Reals,
    every: Numbers,
) -> int:
    """Play games, compare two actions in some decisions of seats that have not laid a contract, and record the results.

    The two actions depend on the kind of the decision. ``THROW``: the discard that the seat would choose, and a
    random one. ``CALL``: a call and a pass. ``DRAW``: taking the discard, and drawing from the stock.

    Write the features of the hand after each action into ``rows``. Write two numbers into ``costs``: the cost of
    the first action minus the cost of the second, in points, and the number of the kind. ``every`` has a number *n*
    for each kind: about one decision in *n* is examined, and recorded if two different actions can be compared in
    it. Return the number of recorded decisions.
    """
    n = 0
    stream = np.zeros(1, np.int64)
    order = np.empty(300, np.int16)
    deck = np.zeros(3, np.int64)
    for game in range(len(seeds)):
        if n >= len(costs):
            break
        stream[0] = seeds[game]
        seed = wide(seeds[game] % 1000000007)
        start(work[0], setup)
        deck[:] = 0
        deck[0] = -1
        who = wide(0)
        while who != OVER and n < len(costs):
            seat, choice, first, second = find_pair(
                work[0], styles, nets, tuned, listed, rows[n], every, stream
            )
            if first >= 0:
                costs[n, 0] = branch(
                    work, seat, first, second, seed, deck, order, styles, nets, tuned, listed, stream
                )
                costs[n, 1] = choice
                n += 1
            who = advance(work, wide(0), seed, deck, order, styles, nets, tuned, listed, stream, wide(0))
    return wide(n)
