"""Laying a contract card by card: which small steps leave it possible to lay everything (N-R7, N-A11, N-A15).

A laying names its sets first, by rising rank, then its runs, by rising suit and place; a set begins with a natural
card, a run goes up place by place. The planner is asked before every step whether the rest can follow, so that a
laying once begun can always be completed, and only a step that can is legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.filling import can_lay_all_but_one
from spelunke.games.sanghai.planner import (
    OF_APART,
    OF_BARE,
    OF_BLACK,
    OF_DISTINCT,
    OF_FORM,
    OF_LENGTH,
    OF_NEED,
    OF_ONE,
    OF_PLACE,
    OF_RANK,
    OF_RUN,
    OF_RUNS,
    OF_SETS,
    OF_WHAT,
    Numbers,
    Want,
    can_lay,
    least_cards,
    wilds_in,
    wish,
)
from spelunke.games.sanghai.state import (
    CLOSE,
    JOKER,
    KINDS,
    LAYING,
    NATURAL,
    OPEN_RUN,
    OPEN_SET,
    PLACES,
    PUT,
    RUN,
    RUNNING,
    SET,
    SETTING,
    TURN,
    WILD,
    card_at,
    cards_wanted,
    is_wild,
    lose,
    rounds,
    run_length,
    runs_wanted,
    sets_wanted,
    wide,
    wild_cell,
)


@kernel
def must_leave_one(s: Any) -> bool:
    """Whether a laying must leave exactly the card to discard (option last_round_at_once)."""
    return bool(s.at_once != 0 and s.lap == rounds(s) - 1)


@kernel
def wish_of(s: Any) -> Want:
    """This round's contract with the options that bear on it."""
    one = 1 if must_leave_one(s) else 0
    return wish(
        sets_wanted(s), runs_wanted(s), run_length(s), int(s.black), int(s.distinct), int(s.apart), one
    )


@kernel
def may_lay(s: Any, seat: int) -> bool:
    """Whether the seat's hand holds this round's contract and a card to discard besides (N-R7, N-R11)."""
    if s.held[seat] < cards_wanted(s) + 1:
        return False
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    return completes(h, wide(s.held[seat]), wish_of(s))


@kernel
def completes(h: Numbers, held: int, want: Want) -> bool:
    """Whether ``held`` cards with these counts hold what is wished and a card to discard."""
    if held < least_cards(want) + 1 or not can_lay(h, want):
        return False
    return want[OF_ONE] == 0 or can_lay_all_but_one(h, want)


@kernel
def completes_run(h: Numbers, held: int, want: Want) -> bool:
    """The same; a run that has no natural card yet may have to grow beyond its least length to reach one."""
    need = want[OF_NEED]
    least = want[OF_RUN]
    done = completes(h, held, want)
    if not done and want[OF_BARE] != 0 and want[OF_FORM] == RUN:
        for more in range(need + 1, PLACES + 2 - want[OF_PLACE]):
            want[OF_NEED] = more
            if want[OF_APART] != 0:
                want[OF_RUN] = 16 * want[OF_WHAT] + min(want[OF_PLACE] + more + 1, 15)
            done = completes(h, held, want)
            if done:
                break
    want[OF_NEED] = need
    want[OF_RUN] = least
    return done


@kernel
def legal_steps(s: Any, seat: int, out: Numbers, n: int) -> int:
    """The next small steps of a laying, ascending."""
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    held = wide(s.held[seat])
    want = wish_of(s)
    if s.phase != TURN:
        want[OF_SETS] = s.sets_left
        want[OF_RUNS] = s.runs_left
        want[OF_RANK] = s.least_rank
        want[OF_RUN] = s.least_run
    if s.phase <= LAYING:
        if want[OF_SETS] > 0:
            return legal_sets(h, held, want, out, n)
        return legal_runs(h, held, want, out, n)
    m = s.melds
    size, naturals = meld_size(s, m)
    want[OF_FORM] = s.form[m]
    want[OF_WHAT] = s.what[m]
    if s.phase == SETTING:
        want[OF_RANK] = s.what[m] + want[OF_DISTINCT]
    else:
        want[OF_RUN] = 16 * want[OF_WHAT] + s.low[m]
    least = 3 if s.phase == SETTING else want[OF_LENGTH]
    place = wide(s.high[m]) + 1
    if held > 1 and (s.phase == SETTING or place <= PLACES):
        want[OF_NEED] = max(0, least - size - 1)
        want[OF_PLACE] = place + 1
        if s.phase == RUNNING and want[OF_APART] != 0:
            want[OF_RUN] = 16 * want[OF_WHAT] + min(place + want[OF_NEED] + 2, 15)
        for kind in range(KINDS):
            if h[kind] == 0:
                continue
            if s.phase == SETTING:
                own = kind != JOKER and kind % 13 == s.what[m]
            else:
                own = kind == card_at(want[OF_WHAT], place)
            if not own and (not is_wild(s, kind) or (size == 0 and s.phase == SETTING)):
                continue  # a set begins with a natural card
            want[OF_BARE] = 1 if naturals == 0 and not own else 0
            h[kind] -= 1
            if completes_run(h, held - 1, want):
                out[n] = PUT + kind
                n += 1
            h[kind] += 1
    if size >= least and naturals > 0:
        want[OF_FORM] = 0
        want[OF_NEED] = 0
        want[OF_BARE] = 0
        if s.phase == RUNNING and want[OF_APART] != 0:
            want[OF_RUN] = 16 * want[OF_WHAT] + min(place + 1, 15)
        if completes(h, held, want):
            out[n] = CLOSE
            n += 1
    return n


@kernel
def legal_sets(h: Numbers, held: int, want: Want, out: Numbers, n: int) -> int:
    """Ranks of the next set, ascending."""
    first = want[OF_RANK]
    want[OF_SETS] -= 1
    want[OF_FORM] = SET
    want[OF_NEED] = 3
    want[OF_BARE] = 1
    for rank in range(first, 13):
        if h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39] == 0:
            continue
        want[OF_WHAT] = rank
        want[OF_RANK] = rank + want[OF_DISTINCT]
        if completes(h, held, want):
            out[n] = OPEN_SET + rank
            n += 1
    return n


@kernel
def legal_runs(h: Numbers, held: int, want: Want, out: Numbers, n: int) -> int:
    """Places of the next run, ascending."""
    first = want[OF_RUN]
    length = want[OF_LENGTH]
    want[OF_RUNS] -= 1
    want[OF_FORM] = RUN
    want[OF_NEED] = length
    want[OF_BARE] = 1
    w = wilds_in(h, want[OF_BLACK])
    for key in range(first, 64):
        low = key & 15
        if low < 1 or low > 15 - length:
            continue
        lack = 0
        for place in range(low, low + length):
            if h[card_at(key >> 4, place)] == 0:
                lack += 1
        want[OF_WHAT] = key >> 4
        want[OF_PLACE] = low
        want[OF_RUN] = 16 * want[OF_WHAT] + min(low + length + 1, 15) if want[OF_APART] != 0 else key
        if lack <= w and completes_run(h, held, want):
            out[n] = OPEN_RUN + 11 * (key >> 4) + low - 1
            n += 1
    return n


@kernel
def meld_size(s: Any, m: int) -> tuple[int, int]:
    """Cards of a meld, and how many of them are natural."""
    size = 0
    naturals = 0
    if s.form[m] == SET:
        for cell in range(7):
            size += int(s.cells[m, cell])
            if cell < 4:
                naturals += int(s.cells[m, cell])
    else:
        for place in range(s.low[m], s.high[m] + 1):
            size += 1
            if s.cells[m, place - 1] == NATURAL:
                naturals += 1
    return size, naturals


@kernel
def step(s: Any, seat: int, action: int) -> None:
    """Take one small step of a laying, in place."""
    m = s.melds
    if action == CLOSE:
        s.melds += 1
        if s.form[m] == SET:
            s.least_rank = s.what[m] + (1 if s.distinct != 0 else 0)
        else:
            low = min(s.high[m] + 2, 15) if s.apart != 0 else s.low[m]
            s.least_run = 16 * s.what[m] + low
        if s.sets_left + s.runs_left > 0:
            s.phase = LAYING
        else:
            finish(s, seat)
        return
    if action >= PUT:
        put(s, seat, action - PUT)
        return
    if s.phase == TURN:
        s.sets_left = sets_wanted(s)
        s.runs_left = runs_wanted(s)
        s.least_rank = 0
        s.least_run = 0
    s.owner[m] = seat
    if action < OPEN_RUN:
        s.form[m] = SET
        s.what[m] = action - OPEN_SET
        s.sets_left -= 1
        s.phase = SETTING
    else:
        s.form[m] = RUN
        s.what[m] = (action - OPEN_RUN) // 11
        s.low[m] = (action - OPEN_RUN) % 11 + 1
        s.high[m] = s.low[m] - 1
        s.runs_left -= 1
        s.phase = RUNNING


@kernel
def put(s: Any, seat: int, kind: int) -> None:
    """The next card into the meld under way."""
    m = s.melds
    lose(s, seat, kind)
    if s.form[m] == SET:
        if kind != JOKER and kind % 13 == s.what[m]:
            s.cells[m, kind // 13] += 1
        else:
            s.cells[m, 4 + wild_cell(kind)] += 1
            s.wilds += 1
        return
    s.high[m] += 1
    if kind == card_at(s.what[m], s.high[m]):
        s.cells[m, s.high[m] - 1] = NATURAL
    else:
        s.cells[m, s.high[m] - 1] = WILD + wild_cell(kind)
        s.wilds += 1


@kernel
def finish(s: Any, seat: int) -> None:
    """The contract lies on the table."""
    s.laid[seat] = 1
    s.fresh = 1
    s.phase = TURN
    s.sets_left = 0
    s.runs_left = 0
    s.least_rank = 0
    s.least_run = 0
