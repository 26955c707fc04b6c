"""Laying a contract card by card: which small steps leave it possible to lay everything (N-R7, N-A11, N-A15).

A laying names its sets first, by rising rank, then its runs, by rising suit and place; a set lists natural cards by
kind and then wild ones, a run goes up place by place. Every step is tried against all ways to go on, so that a laying
once begun can always be completed, and only a step that can is legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.planner import Numbers, can_lay, count_ranks, wilds_in
from spelunke.games.sanghai.table import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
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

TURN_TO_WILD = 100
"""Added to a wild card's kind in the order of a set's cards."""


@kernel
def must_leave_one(s: Any) -> bool:
    """Whether a laying must leave exactly the card to discard (option last_round_at_once)."""
    return s.at_once != 0 and s.lap == rounds(s) - 1


@kernel
def may_lay(s: Any, seat: int) -> bool:
    """Whether the seat's hand holds this round's contract and a card to discard besides (N-R7, N-R11)."""
    if s.held[seat] < cards_wanted(s) + 1:
        return False
    hand = s.hand[seat]
    sets = sets_wanted(s)
    runs = runs_wanted(s)
    length = run_length(s)
    if not can_lay(hand, sets, runs, length, s.black, s.distinct, s.apart):
        return False
    if must_leave_one(s):
        h = np.empty(KINDS, np.int16)
        h[:] = hand
        return begin(h, s.held[seat], sets, 0, runs, 0, length, s.black, s.distinct, s.apart, True)
    return True


@kernel
def begin(
    h: Numbers,
    n: int,
    sets: int,
    least_rank: int,
    runs: int,
    least_run: int,
    length: int,
    black: int,
    distinct: int,
    apart: int,
    one: bool,
) -> bool:
    """Whether so many sets and runs, no lower than the least, can be laid of ``h``; ``one``: leaving exactly a card.

    ``h`` is left as it was. ``n`` counts its cards.
    """
    if n < 3 * sets + length * runs + 1:
        return False
    return fill(h, n, sets, least_rank, runs, least_run, -1, 0, 0, 0, length, black, distinct, apart, one)


@kernel
def fill(
    h: Numbers,
    n: int,
    sets: int,
    least_rank: int,
    runs: int,
    least_run: int,
    suit: int,
    low: int,
    place: int,
    naturals: int,
    length: int,
    black: int,
    distinct: int,
    apart: int,
    one: bool,
) -> bool:
    """Complete the run under way at ``place`` (``suit`` -1: none is), then the runs and sets still wanted."""
    if suit < 0:
        if runs == 0:
            return fill_sets(h, n, sets, least_rank, black, distinct, one)
        w = wilds_in(h, black)
        for key in range(least_run, 64):
            lowest = key & 15
            if lowest < 1 or lowest > 15 - length:
                continue
            lack = 0
            for spot in range(lowest, lowest + length):
                kind = card_at(key >> 4, spot)
                if h[kind] == 0 or (black != 0 and (kind == BLACK_TWO_SPADES or kind == BLACK_TWO_CLUBS)):
                    lack += 1
            if lack <= w and fill(
                h,
                n,
                sets,
                least_rank,
                runs - 1,
                key,
                key >> 4,
                lowest,
                lowest,
                0,
                length,
                black,
                distinct,
                apart,
                one,
            ):
                return True
        return False
    size = place - low
    if size >= length and naturals > 0:
        least = 16 * suit + (min(place + 1, 15) if apart != 0 else low)
        if fill(h, n, sets, least_rank, runs, least, -1, 0, 0, 0, length, black, distinct, apart, one):
            return True
    if (size >= length and not one) or place > PLACES:
        return False
    own = card_at(suit, place)
    for turn in range(4):  # the card itself, a joker, the black twos
        if turn == 0:
            kind = own
        elif turn == 1:
            kind = JOKER
        elif black == 0:
            break
        else:
            kind = BLACK_TWO_SPADES if turn == 2 else BLACK_TWO_CLUBS
            if kind == own:
                continue
        if h[kind] == 0:
            continue
        h[kind] -= 1
        done = fill(
            h,
            n - 1,
            sets,
            least_rank,
            runs,
            least_run,
            suit,
            low,
            place + 1,
            naturals + (1 if turn == 0 else 0),
            length,
            black,
            distinct,
            apart,
            one,
        )
        h[kind] += 1
        if done:
            return True
    return False


@kernel
def fill_sets(h: Numbers, n: int, sets: int, least_rank: int, black: int, distinct: int, one: bool) -> bool:
    """Whether so many sets of ranks from ``least_rank`` (0 is the ace) can be laid of ``h``."""
    if n < 3 * sets + 1 or (one and sets == 0 and n != 1):
        return False
    if sets == 0:
        return True
    if not one:
        return share(h, sets, least_rank, black, distinct, False)
    for kind in range(KINDS):  # the card that stays
        if h[kind] > 0:
            h[kind] -= 1
            done = share(h, sets, least_rank, black, distinct, True)
            h[kind] += 1
            if done:
                return True
    return False


@kernel
def share(h: Numbers, sets: int, least_rank: int, black: int, distinct: int, whole: bool) -> bool:
    """Whether ``h`` holds the sets, each with a natural card; ``whole``: using up all of it."""
    c = np.empty(13, np.int16)
    count_ranks(h, black, c)
    w = wilds_in(h, black)
    twos = w - int(h[JOKER])
    for own in range(twos + 1):  # black twos that lie in a set of twos are natural there
        c[1] += own
        if share_out(c, w - own, sets, least_rank, distinct, whole):
            c[1] -= own
            return True
        c[1] -= own
    return False


@kernel
def share_out(c: Numbers, w: int, sets: int, least_rank: int, distinct: int, whole: bool) -> bool:
    units = np.zeros(13, np.int16)
    left = sets
    cost = 0
    if whole:
        for rank in range(13):
            if c[rank] > 0:
                if rank < least_rank:
                    return False
                units[rank] = 1
                cost += max(0, 3 - int(c[rank]))
                left -= 1
        if left < 0:
            return False
    for _ in range(left):
        best = 9
        which = -1
        for rank in range(least_rank, 13):
            used = units[rank]
            if used >= c[rank] or (used > 0 and distinct != 0):
                continue
            price = max(0, 3 * (used + 1) - c[rank]) - max(0, 3 * used - c[rank])
            if price < best:
                best = price
                which = rank
        if which < 0:
            return False
        units[which] += 1
        cost += best
    return cost <= w


@kernel
def fill_set(
    h: Numbers,
    n: int,
    rank: int,
    held: int,
    naturals: int,
    last: int,
    sets: int,
    runs: int,
    length: int,
    black: int,
    distinct: int,
    apart: int,
    one: bool,
) -> bool:
    """Complete the set of that rank (0 is the ace) with ``held`` cards so far, then the rest of the contract."""
    if held >= 3 and naturals > 0:
        least = rank + 1 if distinct != 0 else rank
        if begin(h, n, sets, least, runs, 0, length, black, distinct, apart, one):
            return True
        if not one:
            return False
    for turn in range(7):
        order = order_of(turn, rank, black)
        if order < last:
            continue
        kind = order - TURN_TO_WILD if order >= TURN_TO_WILD else order
        if h[kind] == 0:
            continue
        h[kind] -= 1
        done = fill_set(
            h,
            n - 1,
            rank,
            held + 1,
            naturals + (1 if order < TURN_TO_WILD else 0),
            order,
            sets,
            runs,
            length,
            black,
            distinct,
            apart,
            one,
        )
        h[kind] += 1
        if done:
            return True
    return False


@kernel
def order_of(turn: int, rank: int, black: int) -> int:
    """The cards that fit a set, in the order in which it lists them; -1 past those there are."""
    if turn < 4:
        return 13 * turn + rank
    if turn == 6:
        return TURN_TO_WILD + JOKER
    if black == 0 or rank == 1:
        return -1
    return TURN_TO_WILD + (BLACK_TWO_SPADES if turn == 4 else BLACK_TWO_CLUBS)


@kernel
def legal_steps(s: Any, seat: int, out: Numbers, n: int) -> int:
    """The next small steps of a laying, ascending."""
    if s.phase == TURN:
        return legal_openings(s, seat, sets_wanted(s), runs_wanted(s), 0, 0, out, n)
    if s.phase == LAYING:
        return legal_openings(s, seat, s.sets_left, s.runs_left, s.least_rank, s.least_run, out, n)
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    if s.phase == SETTING:
        return legal_in_set(s, seat, h, out, n)
    return legal_in_run(s, seat, h, out, n)


@kernel
def legal_openings(
    s: Any, seat: int, sets: int, runs: int, least_rank: int, least_run: int, out: Numbers, n: int
) -> int:
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    held = int(s.held[seat])
    length = run_length(s)
    one = must_leave_one(s)
    if sets > 0:
        w = wilds_in(h, s.black)
        for rank in range(least_rank, 13):
            have = int(h[rank] + h[rank + 13] + h[rank + 26] + h[rank + 39])
            if (
                have > 0
                and have + w >= 3
                and fill_set(
                    h, held, rank, 0, 0, -1, sets - 1, runs, length, s.black, s.distinct, s.apart, one
                )
            ):
                out[n] = OPEN_SET + rank
                n += 1
        return n
    for key in range(least_run, 64):
        low = key & 15
        if (
            low >= 1
            and low <= 15 - length
            and fill(
                h,
                held,
                0,
                0,
                runs - 1,
                key,
                key >> 4,
                low,
                low,
                0,
                length,
                s.black,
                s.distinct,
                s.apart,
                one,
            )
        ):
            out[n] = OPEN_RUN + 11 * (key >> 4) + low - 1
            n += 1
    return n


@kernel
def legal_in_set(s: Any, seat: int, h: Numbers, out: Numbers, n: int) -> int:
    m = s.melds
    rank = s.what[m]
    held, naturals = meld_size(s, m)
    length = run_length(s)
    one = must_leave_one(s)
    for kind in range(KINDS):
        if h[kind] == 0:
            continue
        natural = kind != JOKER and kind % 13 == rank
        order = kind if natural else TURN_TO_WILD + kind
        if not (natural or is_wild(s, kind)) or order < s.last_put:
            continue
        h[kind] -= 1
        if fill_set(
            h,
            s.held[seat] - 1,
            rank,
            held + 1,
            naturals + (1 if natural else 0),
            order,
            s.sets_left,
            s.runs_left,
            length,
            s.black,
            s.distinct,
            s.apart,
            one,
        ):
            out[n] = PUT + kind
            n += 1
        h[kind] += 1
    if held >= 3 and naturals > 0:
        least = rank + 1 if s.distinct != 0 else rank
        if begin(
            h,
            s.held[seat],
            s.sets_left,
            least,
            s.runs_left,
            0,
            length,
            s.black,
            s.distinct,
            s.apart,
            one,
        ):
            out[n] = CLOSE
            n += 1
    return n


@kernel
def legal_in_run(s: Any, seat: int, h: Numbers, out: Numbers, n: int) -> int:
    m = s.melds
    suit = s.what[m]
    low = s.low[m]
    place = s.high[m] + 1
    size, naturals = meld_size(s, m)
    length = run_length(s)
    one = must_leave_one(s)
    if place <= PLACES and s.held[seat] > 1:
        own = card_at(suit, place)
        for kind in range(KINDS):
            if h[kind] == 0 or not (kind == own or is_wild(s, kind)):
                continue
            h[kind] -= 1
            if fill(
                h,
                s.held[seat] - 1,
                0,
                0,
                s.runs_left,
                16 * suit + low,
                suit,
                low,
                place + 1,
                naturals + (1 if kind == own else 0),
                length,
                s.black,
                s.distinct,
                s.apart,
                one,
            ):
                out[n] = PUT + kind
                n += 1
            h[kind] += 1
    if size >= length and naturals > 0:
        least = 16 * suit + (min(place + 1, 15) if s.apart != 0 else low)
        if fill(
            h,
            s.held[seat],
            0,
            0,
            s.runs_left,
            least,
            -1,
            0,
            0,
            0,
            length,
            s.black,
            s.distinct,
            s.apart,
            one,
        ):
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
    s.able = 0
    s.phase = TURN
    s.sets_left = 0
    s.runs_left = 0
    s.least_rank = 0
    s.least_run = 0
    s.last_put = 0
