"""Decide whether a choice of runs and sets can be laid.

Each meld needs a natural card. With the option no_adjacent_runs, runs of one suit must be apart when they are
laid, but additions may make them touch. So runs that touch are possible if only a part of each run is laid first.
Each part has the least length that the contract allows, and no two parts touch. The other cards of the runs are added
afterwards.
"""

from __future__ import annotations

from typing import Annotated

from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Longs, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.naturals import Ask, ask_run, ask_set, unmatched
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import SET, wide


class Span:
    """A run: its suit, its lowest place and its highest place."""

    suit: Long
    low: Long
    high: Long


class Choice:
    """A choice of melds.

    ``spans`` has, for each chosen run, its index in the list of all possible runs (:class:`Span`). ``naturals`` has,
    for each chosen run, a bit for each place with a natural card. ``units`` has the number of sets of each rank.
    """

    spans: Annotated[Longs, 5]
    naturals: Annotated[Longs, 5]
    units: Annotated[Longs, 13]


SPAN = scratch(Span)
CHOICE = scratch(Choice)


@kernel
def is_apart(spans: Rows[Span], choice: Rows[Choice], level: int) -> bool:
    """Return whether the chosen run with index ``level`` neither overlaps nor touches the runs chosen before it.

    The option no_adjacent_runs demands this when runs are laid.
    """
    chosen = choice[0].spans
    span = spans[chosen[level]]
    for other in range(level):
        ahead = spans[chosen[other]]
        if ahead.suit == span.suit and ahead.low <= span.high + 1 and span.low <= ahead.high + 1:
            return False
    return True


@kernel
def are_whole(want: Wish, spans: Rows[Span], choice: Rows[Choice]) -> bool:
    """Return whether all runs of a choice can be laid in full.

    If not, only a part of each run is laid, and the rest is added afterwards.
    """
    if want.apart != 0 and want.adding != 0:
        for level in range(want.runs):
            if not is_apart(spans, choice, level):
                return False
    return True


@kernel
def is_bare(c: Numbers, want: Wish, choice: Rows[Choice]) -> bool:
    """Return whether some meld of a choice gets no natural card.

    Natural cards go to the runs first, and the remaining ones to the sets. ``c`` has, for each rank, the number of
    natural cards that the runs do not use.
    """
    naturals, units = choice[0].naturals, choice[0].units
    bare = False
    for level in range(want.runs):
        bare = bare or naturals[level] == 0
    for rank in range(13):
        bare = bare or units[rank] > c[rank]
    return bool(bare)


@kernel
def find_melds(h: Numbers, want: Wish, spans: Rows[Span], choice: Rows[Choice], asks: Rows[Ask]) -> int:
    """Write into ``asks`` the melds to lay for a choice of runs and sets.

    Return the number of these melds, or 0 if the choice can't be laid. If some run can't be laid in full
    (:func:`are_whole`), write only a part of every run. Each part has the least length that the contract allows.
    """
    chosen, units = choice[0].spans, choice[0].units
    n = 0
    for level in range(want.runs):
        span = spans[chosen[level]]
        n = ask_run(asks, n, span.suit, span.low, span.high)
    for rank in range(13):
        for _ in range(units[rank]):
            n = ask_set(asks, n, wide(SET), rank)
    if are_whole(want, spans, choice):
        return n if unmatched(h, asks, n, wide(0), want.distinct) == 0 else 0
    level = 0
    while level >= 0:
        if level == want.runs:
            if unmatched(h, asks, n, wide(0), want.distinct) == 0:
                return n
            level -= 1
            asks[level].low += 1
            continue
        span = spans[chosen[level]]
        asks[level].high = asks[level].low + want.length - 1
        if asks[level].high > span.high:
            asks[level].low = span.low
            level -= 1
            if level >= 0:
                asks[level].low += 1
            continue
        if is_clear(asks, level):
            level += 1
        else:
            asks[level].low += 1
    return 0


@kernel
def is_clear(asks: Rows[Ask], level: int) -> bool:
    """Return whether the run ``asks[level]`` neither overlaps nor touches the runs before it in ``asks``."""
    run = asks[level]
    for other in range(level):
        ahead = asks[other]
        if ahead.what == run.what and ahead.low <= run.high + 1 and run.low <= ahead.high + 1:
            return False
    return True
