"""Add cards to the runs on the table: natural cards, and wild cards as bridges to natural cards farther out."""

from __future__ import annotations

import numpy as np

from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.choices import Span
from spelunke.games.sanghai.state import PLACES, card_at, wide


class End:
    """One end of a run on the table, and the cards that the search currently adds there."""

    fresh: Long
    """1 if nothing was tried at this end yet, else 0."""
    reach: Long
    """The number of cards that are added at this end."""
    naturals: Long
    """A bit for each place that gets a natural card."""
    used: Long
    """The cards added at the earlier ends: the number of wild cards (``used``), the points of the natural cards
    (``points``), and the number of natural cards (``cards``).
    """
    points: Long
    cards: Long


END = scratch(End)


@kernel
def go_on_at_table(
    rest: Numbers, points: Numbers, runs: Rows[Span], spare: int, most: int
) -> tuple[int, int, int]:
    """Find the best natural cards of ``rest`` to add to the runs on the table: those with the most points together.

    Up to ``most`` natural cards may be added, and up to ``spare`` wild cards as bridges. Return the points and the
    number of these natural cards, and the number of bridges.

    The search leaves each end of each run as it is, or extends it up to some natural card, and tries all combinations.
    """
    last = 2 * len(runs)
    ends = np.zeros(last + 1, END)
    best = wide(0)
    best_cards = wide(0)
    best_wilds = wide(0)
    level = 0
    ends[0].fresh = 1
    while level >= 0:
        if level == last:
            if ends[level].points > best or (ends[level].points == best and ends[level].used < best_wilds):
                best = ends[level].points
                best_cards = ends[level].cards
                best_wilds = ends[level].used
            level -= 1
        elif ends[level].fresh != 0 or go_further(rest, points, runs, ends, level, spare, most):
            if ends[level].fresh != 0:  # first try to add nothing at this end
                leave_end(ends, level)
            level += 1
            if level < last:
                ends[level].fresh = 1
        else:
            level -= 1
    return best, best_cards, best_wilds


@kernel
def leave_end(ends: Rows[End], level: int) -> None:
    """Leave the end ``ends[level]`` of a run as it is, and copy the counts so far to the next end."""
    end, then = ends[level], ends[level + 1]
    end.fresh = 0
    end.reach = 0
    end.naturals = 0
    then.used = end.used
    then.points = end.points
    then.cards = end.cards


@kernel
def go_further(
    rest: Numbers, points: Numbers, runs: Rows[Span], ends: Rows[End], level: int, spare: int, most: int
) -> bool:
    """Extend a run at its end ``ends[level]`` up to the next natural card in ``rest``.

    All natural cards that are added at this end are taken out of ``rest``. Return False if there is no next natural
    card, or if too many wild cards or too many natural cards would be added.
    """
    end, then, run = ends[level], ends[level + 1], runs[level >> 1]
    suit = run.suit
    edge, way = (run.high, 1) if level & 1 == 0 else (run.low, -1)
    take_back(rest, suit, ends, level)
    reach = end.reach + 1
    while True:
        place = edge + way * reach
        if place < 1 or place > PLACES:
            return False
        if rest[card_at(suit, place)] > 0:
            break
        reach += 1
    end.reach = reach
    used, gained, cards, bits = end.used, end.points, end.cards, 0
    for far in range(1, reach + 1):
        place = edge + way * far
        kind = card_at(suit, place)
        if rest[kind] > 0:
            rest[kind] -= 1
            bits |= 1 << place
            gained += points[kind]
            cards += 1
        else:
            used += 1
    end.naturals = bits
    if used > spare or cards > most:
        take_back(rest, suit, ends, level)
        return False
    then.used = used
    then.points = gained
    then.cards = cards
    return True


@kernel
def take_back(rest: Numbers, suit: int, ends: Rows[End], level: int) -> None:
    """Put the natural cards that were added at the run's end ``ends[level]`` back into ``rest``."""
    bits = ends[level].naturals
    for place in range(1, PLACES + 1):
        if bits >> place & 1:
            rest[card_at(suit, place)] += 1
    ends[level].naturals = 0
