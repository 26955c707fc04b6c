"""Kernels that lay a contract card by card, in small steps (N-R7, N-A11, N-A15).

The steps lay the sets first, by rising rank, then the runs, by rising suit and place. A set begins with a
natural card. A run goes upward from its lowest place. If the player declared the melds in another order, the
last step numbers them in the declared order (N-C10).

Before each step, the planner checks that the laying can still be completed. So a laying that has begun can
always be completed.
"""

from __future__ import annotations

import numpy as np

from spelunke.core.arrays import empty, zeros
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import melds, state
from spelunke.games.sanghai.planning import (
    Wish,
    begin,
    can_lay,
    can_lay_all_but_one,
    go_on,
    least_cards,
    wilds_in,
    wish,
)
from spelunke.games.sanghai.state import (
    KINDS,
    MOST_MELDS,
    PLACES,
    STEPS,
    State,
    card_at,
    cards_wanted,
    is_wild,
    rounds,
    run_length,
    runs_wanted,
    sets_wanted,
    wide,
)


@kernel
def must_leave_one(s: State) -> bool:
    """Return whether laying the contract must leave exactly one card to discard (option last_round_at_once)."""
    return bool(s.options[state.LAST_ROUND_AT_ONCE] != 0 and s.lap == rounds(s) - 1)


@kernel
def wish_of(s: State) -> Wish:
    """Return this round's contract and the options that affect it, as the planner needs them."""
    return wish(
        sets_wanted(s),
        runs_wanted(s),
        run_length(s),
        int(s.options[state.BLACK_TWOS_WILD]),
        int(s.options[state.DISTINCT_SETS]),
        int(s.options[state.NO_ADJACENT_RUNS]),
        1 if must_leave_one(s) else 0,
    )


@kernel
def may_lay(s: State, seat: int) -> bool:
    """Return whether the seat can lay this round's contract and keep a card to discard (N-R7, N-R11)."""
    if s.held[seat] < cards_wanted(s) + 1:
        return False
    h = empty(KINDS, np.int16)
    for kind in range(KINDS):
        h[kind] = s.hand[seat, kind]
    return completes(h, wide(s.held[seat]), wish_of(s))


@kernel
def completes(h: Numbers, held: int, want: Wish) -> bool:
    """Return whether a hand can lay all melds of ``want`` and keep a card to discard.

    If ``want.exact`` is 1, exactly one card must stay in the hand. ``h`` has the counts of the hand by kind, and
    ``held`` is their sum.
    """
    if held < least_cards(want) + 1 or not can_lay(h, want):
        return False
    return want.exact == 0 or can_lay_all_but_one(h, want)


@kernel
def completes_run(h: Numbers, held: int, want: Wish) -> bool:
    """Return whether the hand can lay all melds of ``want``, as :func:`completes` does.

    Also return True if the hand can lay them only after it makes the begun run longer. This can be necessary
    if the begun run has no natural card yet: the hand may have a natural card only for a later place of this run.
    """
    if completes(h, held, want):
        return True
    if want.bare == 0 or want.form != state.RUN:
        return False
    for need in range(want.need + 1, state.PLACES + 2 - want.place):
        if completes(h, held, begin_run(want, want.what, want.place, need, want.bare)):
            return True
    return False


@kernel
def begin_run(want: Wish, suit: int, place: int, need: int, bare: int) -> Wish:
    """Return a copy of ``want``, the melds to lay, with a begun run. The next card of the run belongs at ``place``.

    ``need`` is the least number of cards that the run still needs. ``bare`` is 1 if it still needs a natural card.
    """
    least = want.least_run
    if want.apart != 0:  # the next run may neither overlap nor touch the begun run
        least = 16 * suit + min(place + need + 1, 15)
    then = go_on(want, want.sets, want.runs, want.least_rank, least)
    return begin(then, wide(state.RUN), suit, place, need, bare)


@kernel
def wish_now(s: State) -> Wish:
    """Return the part of the contract that is still to be laid, not counting the begun meld."""
    want = wish_of(s)
    if s.phase == state.TURN:
        return want
    return go_on(want, wide(s.sets_left), wide(s.runs_left), wide(s.least_rank), wide(s.least_run))


@kernel
def legal_steps(s: State, seat: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n`` on, the next small steps of laying a contract, in ascending order.

    Return the next free index.
    """
    h = empty(KINDS, np.int16)
    for kind in range(KINDS):
        h[kind] = s.hand[seat, kind]
    held = wide(s.held[seat])
    want = wish_now(s)
    if s.phase == state.SETTING:
        return legal_in_set(s, h, held, want, out, n)
    if s.phase == state.RUNNING:
        return legal_in_run(s, h, held, want, out, n)
    if want.sets > 0:
        return legal_sets(h, held, want, out, n)
    return legal_runs(h, held, want, out, n)


@kernel
def legal_in_set(s: State, h: Numbers, held: int, want: Wish, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n`` on, the steps that continue the begun set, in ascending order.

    The steps put a card into the set, or close the set, which ends it. Closing is legal only if the rest of the
    contract can follow. Return the next free index.
    """
    rank = wide(s.what[s.melds])
    size, naturals = meld_size(s, s.melds)
    want = go_on(want, want.sets, want.runs, rank + want.distinct, want.least_run)
    if held > 1:
        for kind in range(state.KINDS):
            if h[kind] == 0:
                continue
            own = kind != state.JOKER and kind % 13 == rank
            if not own and (size == 0 or not is_wild(s, kind)):
                continue  # a set begins with a natural card
            bare = wide(1 if naturals == 0 and not own else 0)
            h[kind] -= 1
            if completes(h, held - 1, begin(want, wide(state.SET), rank, wide(0), max(0, 2 - size), bare)):
                out[n] = state.PUT + kind
                n += 1
            h[kind] += 1
    if size >= 3 and naturals > 0 and completes(h, held, want):
        out[n] = state.CLOSE
        n += 1
    return n


@kernel
def legal_in_run(s: State, h: Numbers, held: int, want: Wish, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n`` on, the steps that continue the begun run, in ascending order.

    The steps put a card into the run, or close the run, which ends it. Closing is legal only if the rest of the
    contract can follow. Return the next free index.
    """
    suit = wide(s.what[s.melds])
    place = wide(s.high[s.melds]) + 1
    size, naturals = meld_size(s, s.melds)
    want = go_on(want, want.sets, want.runs, want.least_rank, 16 * suit + wide(s.low[s.melds]))
    if held > 1 and place <= state.PLACES:
        need = max(0, want.length - size - 1)
        for kind in range(state.KINDS):
            if h[kind] == 0:
                continue
            own = kind == card_at(suit, place)
            if not own and not is_wild(s, kind):
                continue
            bare = wide(1 if naturals == 0 and not own else 0)
            h[kind] -= 1
            if completes_run(h, held - 1, begin_run(want, suit, place + 1, need, bare)):
                out[n] = state.PUT + kind
                n += 1
            h[kind] += 1
    if size >= want.length and naturals > 0:
        if want.apart != 0:
            want = go_on(want, want.sets, want.runs, want.least_rank, 16 * suit + min(place + 1, 15))
        if completes(h, held, want):
            out[n] = state.CLOSE
            n += 1
    return n


@kernel
def legal_sets(h: Numbers, held: int, want: Wish, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n`` on, the steps that begin the next set, in ascending order of the ranks.

    Return the next free index.
    """
    for rank in range(want.least_rank, 13):
        if h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39] == 0:
            continue
        then = go_on(want, want.sets - 1, want.runs, rank + want.distinct, want.least_run)
        if completes(h, held, begin(then, wide(state.SET), rank, wide(0), wide(3), wide(1))):
            out[n] = state.OPEN_SET + rank
            n += 1
    return n


@kernel
def legal_runs(h: Numbers, held: int, want: Wish, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n`` on, the steps that begin the next run, by suit and lowest place.

    Return the next free index.
    """
    length = want.length
    wilds = wilds_in(h, want.black)
    for key in range(want.least_run, 64):
        suit = key >> 4
        low = key & 15
        if low < 1 or low > 15 - length:
            continue
        lack = 0
        for place in range(low, low + length):
            if h[card_at(suit, place)] == 0:
                lack += 1
        then = go_on(want, want.sets, want.runs - 1, want.least_rank, key)
        if lack <= wilds and completes_run(h, held, begin_run(then, suit, low, length, wide(1))):
            out[n] = state.OPEN_RUN + 11 * suit + low - 1
            n += 1
    return n


@kernel
def meld_size(s: State, m: int) -> tuple[int, int]:
    """Return the number of cards in a meld, and the number of natural cards among them."""
    size = 0
    naturals = 0
    if s.form[m] == state.SET:
        for cell in range(7):
            size += int(s.cells[m, cell])
            if cell < 4:
                naturals += int(s.cells[m, cell])
    else:
        for place in range(s.low[m], s.high[m] + 1):
            size += 1
            if s.cells[m, place - 1] == state.NATURAL:
                naturals += 1
    return size, naturals


@kernel
def step(s: State, seat: int, action: int) -> None:
    """Play one small step of laying a contract, in place."""
    m = wide(s.melds)
    if action == state.CLOSE or action >= state.CLOSE_AS:
        s.melds += 1
        if s.form[m] == state.SET:
            s.least_rank = s.what[m] + (1 if s.options[state.DISTINCT_SETS] != 0 else 0)
        else:
            low = min(s.high[m] + 2, 15) if s.options[state.NO_ADJACENT_RUNS] != 0 else s.low[m]
            s.least_run = 16 * s.what[m] + low
        if s.sets_left + s.runs_left > 0:
            s.phase = state.LAYING
        else:
            finish(s, seat)
            if action >= state.CLOSE_AS:
                number_melds(s, action - state.CLOSE_AS + 1)
        return
    if action >= state.PUT:
        melds.add(s, seat, action - state.PUT, m, wide(2))
        return
    if s.phase == state.TURN:
        s.sets_left = sets_wanted(s)
        s.runs_left = runs_wanted(s)
        s.least_rank = 0
        s.least_run = 0
    s.owner[m] = seat
    if action < state.OPEN_RUN:
        s.form[m] = state.SET
        s.what[m] = action - state.OPEN_SET
        s.sets_left -= 1
        s.phase = state.SETTING
    else:
        s.form[m] = state.RUN
        s.what[m] = (action - state.OPEN_RUN) // 11
        s.low[m] = (action - state.OPEN_RUN) % 11 + 1
        s.high[m] = s.low[m] - 1
        s.runs_left -= 1
        s.phase = state.RUNNING


@kernel
def legal_orders(s: State, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions besides ``CLOSE`` that close the last meld. Return their count.

    ``CLOSE`` numbers the new melds in the order in which they were laid (N-C10). Each of these actions numbers them
    in another order.
    """
    if (
        s.phase <= state.LAYING
        or s.phase == state.FINISHED
        or seat != s.turn
        or s.sets_left + s.runs_left > 0
    ):
        return 0
    steps = zeros(STEPS, np.int16)
    count = legal_steps(s, seat, steps, 0)
    if count == 0 or steps[count - 1] != state.CLOSE:
        return 0
    melds_laid = sets_wanted(s) + runs_wanted(s)
    n = 0
    for order in range(1, len(state.ORDERS)):
        within = True
        for k in range(melds_laid, MOST_MELDS):
            within = within and state.ORDERS[order, k] == k
        if within:
            out[n] = state.CLOSE_AS + order - 1
            n += 1
    return n


@kernel
def number_melds(s: State, order: int) -> None:
    """Number the new melds in another order: the meld that was laid as number k gets number ``ORDERS[order, k]``."""
    count = sets_wanted(s) + runs_wanted(s)
    first = wide(s.melds) - count
    heads = empty((MOST_MELDS, 4), np.int16)
    cells = empty((MOST_MELDS, PLACES), np.int16)
    for k in range(count):
        m = first + k
        heads[k, 0] = s.form[m]
        heads[k, 1] = s.what[m]
        heads[k, 2] = s.low[m]
        heads[k, 3] = s.high[m]
        for place in range(PLACES):
            cells[k, place] = s.cells[m, place]
    for k in range(count):
        m = first + state.ORDERS[order, k]
        s.form[m] = heads[k, 0]
        s.what[m] = heads[k, 1]
        s.low[m] = heads[k, 2]
        s.high[m] = heads[k, 3]
        for place in range(PLACES):
            s.cells[m, place] = cells[k, place]


@kernel
def finish(s: State, seat: int) -> None:
    """End the laying: the seat has laid its contract."""
    s.laid[seat] = 1
    s.fresh = 1
    s.phase = state.TURN
    s.sets_left = 0
    s.runs_left = 0
    s.least_rank = 0
    s.least_run = 0
