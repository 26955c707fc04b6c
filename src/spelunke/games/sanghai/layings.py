"""Kernels that lay a whole contract in one turn, as :class:`.bots.PlannerBot` does."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.core.scratch import Rows
from spelunke.games.sanghai import state
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planning import PLANNED, SPAN, Planned, Wish, unload
from spelunke.games.sanghai.rules import play
from spelunke.games.sanghai.state import State, wide, worth_of


@kernel
def adding(want: Wish) -> Wish:
    """Return a copy of the melds to lay, ``want``. The copy also allows cards to be added to melds in the same turn."""
    return Wish(
        want.sets,
        want.runs,
        want.length,
        want.black,
        want.distinct,
        want.apart,
        want.exact,
        wide(1),
        want.least_rank,
        want.least_run,
        want.form,
        want.what,
        want.place,
        want.need,
        want.bare,
    )


@kernel
def plan_laying(s: State, seat: int, plan: Rows[Planned]) -> int:
    """Find the laying of the contract that puts down the most points, and write it into ``plan``.

    Return the points, or -1 if no laying is possible. See :meth:`.reader.Reader.plan`.
    """
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    points = np.empty(state.KINDS, np.int16)
    for kind in range(state.KINDS):
        points[kind] = worth_of(s, wide(kind))
    sets = np.zeros(13, np.int16)
    runs = np.zeros(state.MELDS, SPAN)
    n = 0
    want = wish_of(s)
    if want.exact == 0 and s.options[state.LAYOFF_SAME_TURN] != 0:
        want = adding(want)
        for m in range(s.melds):
            if s.form[m] == state.SET:
                sets[s.what[m]] = 1
                continue
            known = False
            for k in range(n):
                known = known or (
                    runs[k].suit == s.what[m] and runs[k].low == s.low[m] and runs[k].high == s.high[m]
                )
            if not known:
                runs[n].suit = s.what[m]
                runs[n].low = s.low[m]
                runs[n].high = s.high[m]
                n += 1
    return unload(h, want, points, sets, runs[:n], plan)


@kernel
def lay(s: State, seat: int) -> bool:
    """Lay the contract in ``s`` so that the seat puts down the most points. Return False if no laying is possible."""
    plan = np.zeros(4, PLANNED)
    if plan_laying(s, seat, plan) < 0:
        return False
    twos = np.zeros(3, np.int64)
    twos[0] = s.hand[seat, state.JOKER]
    twos[1] = s.hand[seat, state.BLACK_TWO_SPADES]
    twos[2] = s.hand[seat, state.BLACK_TWO_CLUBS]
    for row in range(len(plan)):
        for k in range(plan[row].length):
            if plan[row].kinds[k] == state.BLACK_TWO_SPADES:
                twos[1] -= 1
            elif plan[row].kinds[k] == state.BLACK_TWO_CLUBS:
                twos[2] -= 1
    done = 0
    count = 0
    for row in range(len(plan)):
        count += plan[row].length > 0
    for _ in range(count):
        best = wide(-1)
        least = 999
        for row in range(len(plan)):
            if plan[row].length > 0 and not done >> row & 1:
                key = (
                    plan[row].what
                    if plan[row].form == state.SET
                    else 100 + 16 * plan[row].what + plan[row].low
                )
                if key < least:
                    least = key
                    best = wide(row)
        done |= 1 << best
        form = plan[best].form
        what = plan[best].what
        if form == state.SET:
            play(s, seat, wide(state.OPEN_SET + what))
        else:
            play(s, seat, wide(state.OPEN_RUN + 11 * what + plan[best].low - 1))
        for part in range(2 if form == state.SET else 1):
            for k in range(plan[best].length):
                kind = wide(plan[best].kinds[k])
                if form == state.SET and (kind == state.JOKER) != (part == 1):
                    continue
                if kind == state.JOKER:
                    cell = 0
                    while twos[cell] == 0:
                        cell += 1
                    twos[cell] -= 1
                    kind = state.wild_kind(wide(cell))
                play(s, seat, wide(state.PUT + kind))
        play(s, seat, wide(state.CLOSE))
    return True
