"""Laying a contract card by card: which small steps leave it possible to lay everything (N-R7, N-A11, N-A15).

A laying names its sets first, by rising rank, then its runs, by rising suit and place; a set lists natural cards by
kind and then wild ones, a run goes up place by place. Every step is tried against all ways to go on (``filling``), so
that a laying once begun can always be completed, and only a step that can is legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.filling import TURN_TO_WILD, begin, fill, fill_set
from spelunke.games.sanghai.planner import Numbers, Want, can_lay, wilds_in, wish
from spelunke.games.sanghai.table import (
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
    wild_cell,
)


@kernel
def must_leave_one(s: Any) -> bool:
    """Whether a laying must leave exactly the card to discard (option last_round_at_once)."""
    return s.at_once != 0 and s.lap == rounds(s) - 1


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
    want = wish_of(s)
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    if not can_lay(h, want):
        return False
    if must_leave_one(s):
        return begin(h, np.int64(s.held[seat]), want, want[0], np.int64(0), want[1], np.int64(0))
    return True


@kernel
def legal_steps(s: Any, seat: int, out: Numbers, n: int) -> int:
    """The next small steps of a laying, ascending."""
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    held = np.int64(s.held[seat])
    want = wish_of(s)
    if s.phase == TURN:
        return legal_openings(h, held, want, want[0], want[1], np.int64(0), np.int64(0), out, n)
    sets = np.int64(s.sets_left)
    runs = np.int64(s.runs_left)
    if s.phase == LAYING:
        return legal_openings(
            h, held, want, sets, runs, np.int64(s.least_rank), np.int64(s.least_run), out, n
        )
    if s.phase == SETTING:
        return legal_in_set(s, h, held, want, sets, runs, out, n)
    return legal_in_run(s, h, held, want, runs, out, n)


@kernel
def legal_openings(
    h: Numbers, held: int, want: Want, sets: int, runs: int, rank: int, run: int, out: Numbers, n: int
) -> int:
    """Ranks of the next set from ``rank`` on, or places of the next run from ``run`` on."""
    nil = np.int64(0)
    if sets > 0:
        for least in range(rank, 13):
            if fill_set(h, held, want, least, nil, nil, nil - 1, sets - 1, runs):
                out[n] = OPEN_SET + least
                n += 1
        return n
    w = wilds_in(h, want[3])
    for key in range(run, 64):
        low = key & 15
        if low < 1 or low > 15 - want[2]:
            continue
        lack = 0
        for place in range(low, low + want[2]):
            if h[card_at(key >> 4, place)] == 0:
                lack += 1
        if lack <= w and fill(h, held, want, nil, nil, runs - 1, key, key >> 4, low, low, nil):
            out[n] = OPEN_RUN + 11 * (key >> 4) + low - 1
            n += 1
    return n


@kernel
def legal_in_set(
    s: Any, h: Numbers, held: int, want: Want, sets: int, runs: int, out: Numbers, n: int
) -> int:
    """The next card of the set under way, or its end."""
    m = s.melds
    rank = np.int64(s.what[m])
    cards, naturals = meld_size(s, m)
    for kind in range(KINDS):
        if h[kind] == 0:
            continue
        natural = kind != JOKER and kind % 13 == rank
        order = np.int64(kind if natural else TURN_TO_WILD + kind)
        if not (natural or is_wild(s, kind)) or order < s.last_put:
            continue
        h[kind] -= 1
        own = 1 if natural else 0
        if fill_set(h, held - 1, want, rank, cards + 1, naturals + own, order, sets, runs):
            out[n] = PUT + kind
            n += 1
        h[kind] += 1
    if cards >= 3 and naturals > 0 and begin(h, held, want, sets, rank + want[4], runs, np.int64(0)):
        out[n] = CLOSE
        n += 1
    return n


@kernel
def legal_in_run(s: Any, h: Numbers, held: int, want: Want, runs: int, out: Numbers, n: int) -> int:
    """The next card of the run under way, or its end."""
    m = s.melds
    suit = np.int64(s.what[m])
    low = np.int64(s.low[m])
    place = np.int64(s.high[m]) + 1
    nil = np.int64(0)
    cards, naturals = meld_size(s, m)
    if place <= PLACES and held > 1:
        own = card_at(suit, place)
        for kind in range(KINDS):
            if h[kind] == 0 or not (kind == own or is_wild(s, kind)):
                continue
            h[kind] -= 1
            more = naturals + (1 if kind == own else 0)
            if fill(h, held - 1, want, nil, nil, runs, 16 * suit + low, suit, low, place + 1, more):
                out[n] = PUT + kind
                n += 1
            h[kind] += 1
    if cards >= want[2] and naturals > 0:
        least = 16 * suit + (min(place + 1, 15) if want[5] != 0 else low)
        if begin(h, held, want, nil, nil, runs, least):
            out[n] = CLOSE
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
    s.last_put = -1
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
            s.last_put = kind
        else:
            s.cells[m, 4 + wild_cell(kind)] += 1
            s.last_put = TURN_TO_WILD + kind
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
    s.last_put = 0
