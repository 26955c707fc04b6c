"""Whether a choice of runs and sets can be laid: a natural card for each meld, and runs apart where they must be.

Runs must be apart when they are laid (option no_adjacent_runs), not when cards are added to them afterwards. Where
additions count, runs may therefore end up as they like, if a part of each that is long enough can be laid before.
"""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.naturals import FORM, HIGH, LOW, WHAT, Numbers, Want, unmatched
from spelunke.games.sanghai.pricing import OF_ADD, OF_APART, OF_DISTINCT, OF_LENGTH, OF_RUNS
from spelunke.games.sanghai.state import RUN, SET, wide


@kernel
def apart(spans: Want, chosen: Want, level: int) -> bool:
    """Whether the run neither overlaps nor touches those chosen before (option no_adjacent_runs)."""
    span = chosen[level]
    for other in range(level):
        ahead = chosen[other]
        if (
            spans[ahead, 0] == spans[span, 0]
            and spans[ahead, 1] <= spans[span, 2] + 1
            and spans[span, 1] <= spans[ahead, 2] + 1
        ):
            return False
    return True


@kernel
def are_whole(want: Want, spans: Want, chosen: Want) -> bool:
    """Whether the runs of a choice can be laid as they are, and not only in part."""
    if want[OF_APART] != 0 and want[OF_ADD] != 0:
        for level in range(want[OF_RUNS]):
            if not apart(spans, chosen, level):
                return False
    return True


@kernel
def is_bare(c: Numbers, units: Want, want: Want, bits: Want) -> bool:
    """Whether some meld has no natural card, as the cards are shared out now."""
    bare = False
    for level in range(want[OF_RUNS]):
        bare = bare or bits[level] == 0
    for rank in range(13):
        bare = bare or units[rank] > c[rank]
    return bool(bare)


@kernel
def find_melds(h: Numbers, units: Want, want: Want, spans: Want, chosen: Want, asks: Want) -> int:
    """The melds to lay for a choice, into ``asks``; returns how many, or 0 if they can't be laid.

    Runs that can't be laid as they are come in a part of the least length.
    """
    runs = want[OF_RUNS]
    n = 0
    for level in range(runs):
        span = chosen[level]
        asks[n, FORM] = RUN
        asks[n, WHAT] = spans[span, 0]
        asks[n, LOW] = spans[span, 1]
        asks[n, HIGH] = spans[span, 2]
        n += 1
    for rank in range(13):
        for _ in range(units[rank]):
            asks[n, FORM] = SET
            asks[n, WHAT] = rank
            n += 1
    if are_whole(want, spans, chosen):
        return n if unmatched(h, asks, n, wide(0), want[OF_DISTINCT]) == 0 else 0
    level = 0
    while level >= 0:
        if level == runs:
            if unmatched(h, asks, n, wide(0), want[OF_DISTINCT]) == 0:
                return n
            level -= 1
            asks[level, LOW] += 1
            continue
        span = chosen[level]
        asks[level, HIGH] = asks[level, LOW] + want[OF_LENGTH] - 1
        if asks[level, HIGH] > spans[span, 2]:
            asks[level, LOW] = spans[span, 1]
            level -= 1
            if level >= 0:
                asks[level, LOW] += 1
            continue
        if is_clear(asks, level):
            level += 1
        else:
            asks[level, LOW] += 1
    return 0


@kernel
def is_clear(asks: Want, level: int) -> bool:
    """Whether a run neither overlaps nor touches those before it."""
    for other in range(level):
        if (
            asks[other, WHAT] == asks[level, WHAT]
            and asks[other, LOW] <= asks[level, HIGH] + 1
            and asks[level, LOW] <= asks[other, HIGH] + 1
        ):
            return False
    return True
