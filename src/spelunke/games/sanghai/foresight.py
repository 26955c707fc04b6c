"""Kernels that use playouts to compare actions with almost the same learned cost (see :mod:`.hands`).

The playouts take place in several worlds. A world is a copy of the table with a random deal of the hidden cards.
A playout stops when the seat that chooses has discarded in a later turn. If the seat has laid by then, the playout goes
on to the end of the round instead. All options of a choice are played out in the same worlds. The mean result of an
option is then mixed with its learned cost. With more worlds, the error of the mean is smaller, and the mean gets a
larger weight.
"""

from __future__ import annotations

import numpy as np

from spelunke.core.chance import below
from spelunke.core.contract import OVER
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.sanghai import quick, shrewd, state
from spelunke.games.sanghai.estimates import SIGNS, judge
from spelunke.games.sanghai.redeals import redeal
from spelunke.games.sanghai.rules import play
from spelunke.games.sanghai.selfplay import Cubes, Reals, advance, cost_of, note
from spelunke.games.sanghai.shrewd import NARROW, TRUST, WORLDS, price_call, price_throws, price_top
from spelunke.games.sanghai.state import wide
from spelunke.games.sanghai.turns import asked

MOST = 4
"""The maximum number of options that are compared for one choice."""


@kernel
def play_on(
    work: Pool,
    seat: int,
    seed: int,
    order: Numbers,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
) -> float:
    """Play on in ``work[2]``, a copy of the state. Return the expected cost for the seat, in points.

    If the seat discards in a later turn without having laid, return the learned cost of its hand after this
    discard. Otherwise play to the end of the round and return the real cost.
    """
    lap = wide(work[2].lap)
    turns = wide(work[2].turns)
    deck = np.zeros(3, np.int64)
    deck[0] = -1
    chance = np.empty(1, np.int64)
    chance[0] = seed
    row = np.zeros(SIGNS)
    who = wide(0)
    while who != OVER and work[2].lap == lap:
        thrown = work[2].phase == state.WINDOW and work[2].giver == seat and work[2].turns > turns
        if thrown and work[2].laid[seat] == 0:
            note(work[2], seat, row)
            return judge(nets[0], tuned[0], row)
        who = advance(work, wide(2), seed, deck, order, styles, nets, tuned, listed, chance, wide(0))
    return cost_of(work[2], lap, seat)


@kernel
def foresee(
    work: Pool,
    seat: int,
    ways: Numbers,
    count: int,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    stream: Stream,
    costs: Reals,
) -> None:
    """Estimate the cost of each option by playouts, and mix the result into ``costs``.

    ``work[0]`` has the position. The playouts overwrite ``work[1]`` and ``work[2]``. ``count`` is the number of
    options. ``ways`` begins with the options' action numbers, and ``costs`` with their learned costs.
    """
    worlds = int(tuned[0, WORLDS])
    found = np.zeros(MOST)
    order = np.empty(300, np.int16)
    styles = np.zeros(8, np.int16)
    styles[seat] = 1
    swift = tuned.copy()
    swift[0, shrewd.CLOSE] = 0.0
    for _ in range(worlds):
        work[1] = work[0]
        redeal(work[1], seat, stream)
        for other in range(work[1].seats):  # passes are secret, so they count as not answered yet
            if other != seat and work[1].answer[other] == state.PASSED and work[1].phase == state.WINDOW:
                work[1].answer[other] = state.ASKED
        seed = wide(below(stream, 1000000007))
        for k in range(count):
            work[2] = work[1]
            play(work[2], seat, wide(ways[k]))
            found[k] += play_on(work, seat, seed, order, styles, nets, swift, listed)
    trust = tuned[0, TRUST]
    for k in range(count):
        costs[k] = (trust * costs[k] + found[k]) / (trust + worlds)


@kernel
def choose(work: Pool, seat: int, nets: Cubes, tuned: Reals, listed: Numbers, stream: Stream) -> int:
    """Return the action that the seat chooses in the state ``work[0]``.

    If the seat has not laid, actions with almost the same learned cost are compared by playouts, which overwrite
    ``work[1]`` and ``work[2]``. All other choices are those of :func:`.shrewd.choose`.
    """
    s = work[0]
    narrow = tuned[0, NARROW]
    learned = int(tuned[0, shrewd.LEARNED]) >> int(s.options[state.SCHEDULE]) & 1
    phase = s.phase
    if narrow <= 0.0 or learned == 0 or s.laid[seat] != 0 or (phase != state.WINDOW and phase != state.TURN):
        return shrewd.choose(s, seat, nets[0], tuned[0], listed, stream)
    ways = np.zeros(MOST, np.int16)
    costs = np.zeros(MOST)
    count = 0
    if phase == state.TURN:
        count = list_throws(work, seat, nets[0], tuned[0], ways, costs)
    else:
        if seat == s.turn and asked(s) != 0:
            return shrewd.choose(s, seat, nets[0], tuned[0], listed, stream)
        gain = (
            price_top(s, seat, nets[0], tuned[0])
            if seat == s.turn
            else price_call(s, seat, nets[0], tuned[0])
        )
        ways[0] = state.TAKE if seat == s.turn else state.HEP
        ways[1] = state.STOCK if seat == s.turn else state.PASS
        costs[1] = gain
        if gain > narrow:
            return wide(ways[0])
        if gain < -narrow:
            return wide(ways[1])
        count = 2
    if count > 1:
        foresee(work, seat, ways, wide(count), nets, tuned, listed, stream, costs)
    best = 0
    for k in range(1, count):
        if costs[k] < costs[best]:
            best = k
    return wide(ways[best])


@kernel
def list_throws(work: Pool, seat: int, net: Reals, tuned: Reals, ways: Numbers, costs: Reals) -> int:
    """Write the best discards into ``ways`` and their costs into ``costs``, with the lowest cost first.

    Up to ``MOST`` discards are listed. Their costs are at most ``tuned[NARROW]`` points above the lowest cost.
    The cost of the planner's discard is first reduced by ``tuned[THROW]``. Return the number of listed discards.
    """
    usual = quick.worst_card(work[0], seat)
    prices = np.empty(state.KINDS)
    price_throws(work[0], seat, wide(usual - state.DISCARD), net, tuned, prices)
    prices[usual - state.DISCARD] -= tuned[shrewd.THROW]
    count = 0
    least = prices.min()
    while count < MOST:
        kind = int(prices.argmin())
        if prices[kind] > least + tuned[NARROW]:
            break
        ways[count] = state.DISCARD + kind
        costs[count] = prices[kind]
        prices[kind] = 1e9
        count += 1
    return wide(count)
