"""Decide whether a choice of runs and sets can be laid: each meld needs a natural card, and runs may have to
be apart.

Runs must be apart when they are laid (option no_adjacent_runs), but not after additions. With additions, runs
may end anywhere if a sufficiently long part of each can be laid first.
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
    """A run as its suit and its lowest and highest place."""

    suit: Long
    low: Long
    high: Long


class Choice:
    """A choice of melds: by level a span for each run and a bit for each place with its natural card; sets by rank."""

    spans: Annotated[Longs, 5]
    naturals: Annotated[Longs, 5]
    units: Annotated[Longs, 13]


SPAN = scratch(Span)
CHOICE = scratch(Choice)


@kernel
def is_apart(spans: Rows[Span], choice: Rows[Choice], level: int) -> bool:
    """Return whether the run neither overlaps nor touches earlier ones (option no_adjacent_runs)."""
    chosen = choice[0].spans
    span = spans[chosen[level]]
    for other in range(level):
        ahead = spans[chosen[other]]
        if ahead.suit == span.suit and ahead.low <= span.high + 1 and span.low <= ahead.high + 1:
            return False
    return True


@kernel
def are_whole(want: Wish, spans: Rows[Span], choice: Rows[Choice]) -> bool:
    """Return whether the runs of a choice can be laid in full, and not only in part."""
    if want.apart != 0 and want.adding != 0:
        for level in range(want.runs):
            if not is_apart(spans, choice, level):
                return False
    return True


@kernel
def is_bare(c: Numbers, want: Wish, choice: Rows[Choice]) -> bool:
    """Return whether some meld has no natural card in the current distribution."""
    naturals, units = choice[0].naturals, choice[0].units
    bare = False
    for level in range(want.runs):
        bare = bare or naturals[level] == 0
    for rank in range(13):
        bare = bare or units[rank] > c[rank]
    return bool(bare)


@kernel
def find_melds(h: Numbers, want: Wish, spans: Rows[Span], choice: Rows[Choice], asks: Rows[Ask]) -> int:
    """Write the melds to lay for a choice into ``asks``. Return their number, or 0 if they can't be laid.

    Runs that can't be laid in full are laid in a part of the least length.
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
    """Return whether a run neither overlaps nor touches those before it."""
    run = asks[level]
    for other in range(level):
        ahead = asks[other]
        if ahead.what == run.what and ahead.low <= run.high + 1 and run.low <= ahead.high + 1:
            return False
    return True
