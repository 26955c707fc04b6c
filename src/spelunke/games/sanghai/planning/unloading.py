"""The most points that a hand can put down: by laying its contract alone, or with additions too (N-C11).

The search tries all runs of all lengths, all ranks for the sets, and all extensions of the runs on the table.
At least one card stays in the hand. The search leaves out a run that is longer than necessary and has a needless wild
card at an end, because that card brings the same points elsewhere. If a planned meld has no natural card, the search
may exchange a wild card of this meld for a natural card of another planned meld. The points stay the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spelunke.core.arrays import empty, zeros
from spelunke.core.kernel import kernel
from spelunke.core.scratch import Long, Rows, scratch
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.bridging import go_on_at_table
from spelunke.games.sanghai.planning.choices import (
    CHOICE,
    SPAN,
    Choice,
    Span,
    are_whole,
    find_melds,
    is_apart,
    is_bare,
)
from spelunke.games.sanghai.planning.counts import count_ranks, strip_wilds, wilds_in
from spelunke.games.sanghai.planning.naturals import ASK, ASKS
from spelunke.games.sanghai.planning.plans import Planned, write_plan
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import JOKER, KINDS, PLACES, card_at, wide


class Case(NamedTuple):
    """A hand and the table: the counts of the hand, the points of each kind, and the melds to add to.

    ``sets`` has 1 for each rank with a set on the table, and ``runs`` has the runs on the table.
    """

    hand: Numbers
    points: Numbers
    sets: Numbers
    runs: Rows[Span]


class Tally:
    """Facts about a hand and a table that are the same for every choice of melds, and the best result so far."""

    best: Long
    """The most points that a choice of melds, of those tried so far, can put down, or -1 if none was possible."""
    bound: Long
    """An upper bound of the points that can be put down."""
    whole: Long
    """The points of the whole hand."""
    held: Long
    wilds: Long
    table_sets: Long


TALLY = scratch(Tally)


@kernel
def unload(
    h: Numbers, want: Wish, points: Numbers, sets: Numbers, runs: Rows[Span], plan: Rows[Planned]
) -> int:
    """Return the most points that the hand ``h`` can put down, or -1 if the contract can't be laid.

    ``points`` has the points of each kind. ``sets`` (int16[13], 1 for each rank with a set) and ``runs`` are the
    melds on the table, to which cards may be added. If ``want.exact`` is 1, the laying itself must leave exactly one
    card, so pass no melds. Cards are added to the new melds only if the wish has ``adding``. ``plan`` (four rows)
    receives the melds of the laying.
    """
    case = Case(h, points, sets, runs)
    tally = zeros(1, TALLY)
    survey(case, want, tally)
    for row in range(len(plan)):
        plan[row].length = 0
    if tally[0].held < 3 * want.sets + want.length * want.runs + 1:
        return wide(-1)
    g = empty(KINDS, np.int16)
    strip_wilds(h, want.black, g)
    spans = empty(264, SPAN)
    n = 0
    if want.runs > 0:
        n = find_spans(h, g, want, tally[0].wilds, spans)
    try_runs(case, want, g, spans[:n], zeros(1, CHOICE), tally, plan)
    best: int = tally[0].best
    return best


@kernel
def survey(case: Case, want: Wish, tally: Rows[Tally]) -> None:
    """Write into ``tally`` the facts about the hand and the table that are the same for every choice of melds."""
    t = tally[0]
    t.best = -1
    t.wilds = wilds_in(case.hand, want.black)
    least = wide(999)
    for kind in range(KINDS):
        if case.hand[kind] > 0:
            t.whole += wide(case.hand[kind]) * case.points[kind]
            t.held += case.hand[kind]
            least = min(least, wide(case.points[kind]))
    t.bound = t.whole - least
    for rank in range(13):
        t.table_sets += case.sets[rank]


@kernel
def find_spans(h: Numbers, g: Numbers, want: Wish, wilds: int, spans: Rows[Span]) -> int:
    """Write into ``spans`` the possible runs, sorted by suit and place. Return their number.

    ``h`` has the counts of the hand by kind, and ``g`` the counts without wild cards (:func:`.strip_wilds`). A possible
    run needs at most ``wilds`` wild cards, and has a natural card. A black two is natural at the place of the two in a
    run of its suit. A run that is longer than necessary is left out if it has a needless wild card at an end.
    """
    length = want.length
    # then the laid part of a run may be at an end with wild cards
    partly = want.apart != 0 and want.adding != 0
    n = 0
    for suit in range(4):
        for low in range(1, 16 - length):
            lack = 0
            for high in range(low, PLACES + 1):
                ends = g[card_at(suit, high)] > 0
                if not ends:
                    lack += 1
                    if lack > wilds:
                        break
                size = high - low + 1
                if size < length:
                    continue
                home = low <= 2 <= high and h[card_at(suit, 2)] > 0
                if lack == size and not home:
                    continue
                begins = g[card_at(suit, low)] > 0
                if size == length or (begins and ends) or (partly and (begins or ends)):
                    spans[n].suit = suit
                    spans[n].low = low
                    spans[n].high = high
                    n += 1
    return n


@kernel
def try_runs(
    case: Case,
    want: Wish,
    g: Numbers,
    spans: Rows[Span],
    choice: Rows[Choice],
    tally: Rows[Tally],
    plan: Rows[Planned],
) -> None:
    """Try all choices of runs, and for each of them all choices of sets.

    Keep the best result in ``tally`` and ``plan``.
    """
    chosen, naturals = choice[0].spans, choice[0].naturals
    wilds, bound = tally[0].wilds, tally[0].bound
    cost = zeros(5, np.int64)
    level = 0
    while level >= 0:
        if level == want.runs:
            try_sets(case, want, g, spans, choice, cost[level], tally, plan)
            if tally[0].best >= bound:
                return
        elif chosen[level] < len(spans):
            span = chosen[level]
            if want.apart == 0 or want.adding != 0 or is_apart(spans, choice, level):
                lack = fill_span(g, spans, choice, level)
                if cost[level] + lack <= wilds:
                    cost[level + 1] = cost[level] + lack
                    level += 1
                    chosen[level] = span
                    continue
                empty_span(g, spans, span, naturals[level])
            chosen[level] += 1
            continue
        level -= 1
        if level >= 0:
            empty_span(g, spans, chosen[level], naturals[level])
            chosen[level] += 1


@kernel
def fill_span(g: Numbers, spans: Rows[Span], choice: Rows[Choice], level: int) -> int:
    """Remove from ``g`` the natural cards for the chosen run with index ``level``.

    Return the number of places without a card.
    """
    span = spans[choice[0].spans[level]]
    suit = span.suit
    lack = 0
    found = 0
    for place in range(span.low, span.high + 1):
        kind = card_at(suit, place)
        if g[kind] > 0:
            g[kind] -= 1
            found |= 1 << place
        else:
            lack += 1
    choice[0].naturals[level] = found
    return lack


@kernel
def empty_span(g: Numbers, spans: Rows[Span], at: int, bits: int) -> None:
    """Put back into ``g`` the natural cards that :func:`fill_span` took."""
    span = spans[at]
    suit = span.suit
    for place in range(span.low, span.high + 1):
        if bits >> place & 1:
            g[card_at(suit, place)] += 1


@kernel
def try_sets(
    case: Case,
    want: Wish,
    g: Numbers,
    spans: Rows[Span],
    choice: Rows[Choice],
    spent: int,
    tally: Rows[Tally],
    plan: Rows[Planned],
) -> None:
    """Try all choices of ranks for the sets, and count the points of each choice.

    Keep the best result in ``tally`` and ``plan``.
    """
    units = choice[0].units
    wilds, bound = tally[0].wilds, tally[0].bound
    c = empty(13, np.int16)
    count_ranks(g, c)
    all_of = empty(13, np.int16)  # also the cards in runs, and black twos
    count_ranks(case.hand, all_of)
    rank = zeros(6, np.int64)
    cost = zeros(6, np.int64)
    cost[0] = spent
    level = 0
    while level >= 0:
        if level == want.sets:
            put_down(case, want, g, c, spans, choice, cost[level], tally, plan)
            if tally[0].best >= bound:
                return
        elif rank[level] < 13:
            r = rank[level]
            used = units[r]
            price = max(0, 3 * (used + 1) - c[r]) - max(0, 3 * used - c[r])
            free = used < all_of[r] and (used == 0 or want.distinct == 0)
            if free and cost[level] + price <= wilds:
                units[r] += 1
                cost[level + 1] = cost[level] + price
                level += 1
                rank[level] = r
            else:
                rank[level] += 1
            continue
        level -= 1
        if level >= 0:
            units[rank[level]] -= 1
            rank[level] += 1


@kernel
def put_down(
    case: Case,
    want: Wish,
    g: Numbers,
    c: Numbers,
    spans: Rows[Span],
    choice: Rows[Choice],
    spent: int,
    tally: Rows[Tally],
    plan: Rows[Planned],
) -> None:
    """Count the points of one choice of melds, with wild cards and additions.

    If the choice can be laid and no earlier choice has as many points, record the points and the melds. If
    ``want.exact`` is set, record them only if exactly one card stays in the hand.
    """
    t = tally[0]
    simple = are_whole(want, spans, choice) and not is_bare(c, want, choice)
    if not simple and find_melds(case.hand, want, spans, choice, zeros(ASKS, ASK)) == 0:
        return
    rest = zeros(KINDS, np.int16)
    kept, loose = leave_over(case, g, choice, rest)
    out = kept  # the points that stay in the hand
    left = loose
    spare = t.wilds - spent
    room = free_places(want, spans, choice, case.runs)
    if len(case.runs) > 0 and left > 0:
        gained, taken, bridged = go_on_at_table(rest, case.points, case.runs, spare, loose)
        out -= gained
        left -= taken
        room -= taken + bridged
        spare -= bridged
    if want.sets == 0 and t.table_sets == 0 and spare > room:
        left += spare - room
        out += (spare - room) * wide(case.points[JOKER])
        spare = room
    drop = wide(-1)
    if left == 0:
        drop = cheapest_to_keep(case, want, g, c, spans, choice, spare)
        out = wide(case.points[drop]) if drop >= 0 else t.whole + 1
        left = wide(1)
        if loose > 0:  # or keep a card that could be added to a run on the table
            gained, taken, bridged = go_on_at_table(rest, case.points, case.runs, t.wilds - spent, loose - 1)
            if kept - gained < out:
                out = kept - gained
                left = loose - taken
                drop = wide(-1)
        if out > t.whole:
            return
    if (want.exact != 0 and left != 1) or t.whole - out <= t.best:
        return
    t.best = t.whole - out
    write_choice(case, want, spans, choice, drop, plan)


@kernel
def leave_over(case: Case, g: Numbers, choice: Rows[Choice], rest: Numbers) -> tuple[int, int]:
    """Write into ``rest`` the cards of ``g`` that fit neither a set of the choice nor a set on the table.

    Return the points and the number of these cards.
    """
    units = choice[0].units
    points = wide(0)
    cards = wide(0)
    for kind in range(JOKER):
        if g[kind] > 0 and units[kind % 13] == 0 and case.sets[kind % 13] == 0:
            rest[kind] = g[kind]
            points += wide(g[kind]) * case.points[kind]
            cards += g[kind]
    return points, cards


@kernel
def write_choice(
    case: Case, want: Wish, spans: Rows[Span], choice: Rows[Choice], drop: int, plan: Rows[Planned]
) -> None:
    """Write the melds of a choice into ``plan``. ``drop`` is the kind that stays in the hand, or -1."""
    h = case.hand
    if drop >= 0:
        h[drop] -= 1
    asks = zeros(ASKS, ASK)
    n = find_melds(h, want, spans, choice, asks)
    write_plan(h, asks, n, want, are_whole(want, spans, choice), plan)
    if drop >= 0:
        h[drop] += 1


@kernel
def free_places(want: Wish, spans: Rows[Span], choice: Rows[Choice], runs: Rows[Span]) -> int:
    """Return the number of free places beyond the ends of the chosen runs and of the runs on the table."""
    chosen = choice[0].spans
    room = wide(0)
    for level in range(want.runs):
        span = spans[chosen[level]]
        room += PLACES - (span.high - span.low + 1)
        if want.apart != 0 and want.adding == 0:
            # Runs of one suit share the places of the suit, and one place between two runs stays free.
            for other in range(level):
                if spans[chosen[other]].suit == span.suit:
                    room -= PLACES + 1
                    break
    for row in range(len(runs)):
        room += PLACES - (runs[row].high - runs[row].low + 1)
    return room


@kernel
def cheapest_to_keep(
    case: Case, want: Wish, g: Numbers, c: Numbers, spans: Rows[Span], choice: Rows[Choice], spare: int
) -> int:
    """Return the kind with the fewest points among the cards that can stay in the hand, or -1 if no card can stay.

    Use this only if all cards of the hand could be put down with the melds of ``choice``. A card can stay if it would
    otherwise be added to a meld, if it is a spare wild card, or if a spare wild card can take its place.
    """
    h, units = case.hand, choice[0].units
    asks = zeros(ASKS, ASK)
    best = wide(999)
    which = wide(-1)
    if spare > 0 and h[JOKER] > 0:
        best = wide(case.points[JOKER])
        which = wide(JOKER)
    for kind in range(JOKER):
        if h[kind] == 0 or case.points[kind] >= best:
            continue
        rank = kind % 13
        free = spare > 0
        if g[kind] > 0:  # it is in a set of the choice, or can be added to a set on the table
            free = free or (c[rank] > 3 * units[rank] if units[rank] > 0 else case.sets[rank] > 0)
        if free:
            h[kind] -= 1
            if find_melds(h, want, spans, choice, asks) > 0:
                best = wide(case.points[kind])
                which = wide(kind)
            h[kind] += 1
    return which
