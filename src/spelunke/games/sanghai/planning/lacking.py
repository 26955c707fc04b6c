"""Kernels that find the least number of cards missing for a contract, and the kinds that help (N-C11).

A contract has a number of sets of three, and a number of runs with the same least length. Natural cards go to
runs first and then to sets. No other distribution fills more places, because a place of a run accepts only one
kind, while a set accepts any card of its rank. Wild cards fill the other places, but each meld needs at least
one natural card (N-R7).

The kernels get the melds that are still to be laid as a *wish* (:class:`.Wish`). During a laying, the wish contains
the rest of the begun meld, and the melds that may still follow.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spelunke.core.arrays import empty, zeros
from spelunke.core.kernel import kernel
from spelunke.core.scratch import Rows
from spelunke.core.values import Numbers
from spelunke.games.sanghai.planning.counts import count_ranks, strip_wilds, wilds_in
from spelunke.games.sanghai.planning.pricing import (
    FAR,
    SEARCH,
    Search,
    falls_short,
    find_windows,
    left_bare,
    price_sets,
    put_back,
    take_window,
    touches,
)
from spelunke.games.sanghai.planning.wish import Wish
from spelunke.games.sanghai.state import (
    BLACK_TWO_CLUBS,
    BLACK_TWO_SPADES,
    JOKER,
    KINDS,
    RUN,
    SET,
    card_at,
    wide,
)

EVERY: Final = (1 << KINDS) - 1
"""The set of all kinds, as bits."""


@kernel
def can_lay(h: Numbers, want: Wish) -> bool:
    """Return whether a hand with these counts can lay the melds of ``want``. It need not keep a card to discard."""
    if falls_short(h, want):
        return False
    return look(h, want, wide(1), wide(0), empty(1, SEARCH), wide(0)) == 0


@kernel
def lacking(h: Numbers, want: Wish, cap: int, helps: Numbers) -> int:
    """Return the least number of cards that are missing to lay the melds of ``want``, but at most ``cap``.

    ``helps`` (int16[53]; empty if not wanted) is set to 1 for each kind of card that would lower this number by
    one, and to 0 for all others. If the result is ``cap``, all are 0.
    """
    helps[:] = 0
    work = zeros(1, SEARCH)
    far = look(h, want, cap, wide(0), work, wide(0))
    # the number is known now, so that only choices that reach it are searched
    if 0 < far < cap and len(helps) > 0:
        note_helps(h, want, far, work, wide(EVERY))
        marked = work[0].marked
        for kind in range(KINDS):
            helps[kind] = marked >> kind & 1
    return far


@kernel
def lacking_less(h: Numbers, want: Wish, kind: int, cap: int) -> tuple[int, bool]:
    """Return the result of :func:`lacking`, and whether one more card of ``kind`` lowers it.

    If the result is ``cap``, the second value is always False.
    """
    work = zeros(1, SEARCH)
    far = look(h, want, cap, wide(0), work, wide(0))
    if far == 0 or far == cap:
        return far, False
    h[kind] += 1
    less = look(h, want, far, far - 1, work, wide(0)) < far
    h[kind] -= 1
    return far, less


@kernel
def lacking_without(h: Numbers, want: Wish, unseen: Numbers, fars: Numbers, outs: Numbers) -> int:
    """Write into ``fars``, for each kind in the hand, the result of :func:`lacking` after a discard of that kind.

    Return the least result. For each kind with this least result, also write into ``outs`` the number of unseen cards
    that would lower the result.
    """
    work = zeros(1, SEARCH)
    far = look(h, want, wide(FAR), wide(0), work, wide(0))
    enough = wide(0)
    # a kind that helps after a discard also helps before it, unless the discard itself is missing
    if far > 0:
        note_helps(h, want, far, work, wide(EVERY))
        enough = wide(work[0].marked)
    for least in range(far, far + 2):
        reached = False
        for kind in range(KINDS):
            if h[kind] == 0:
                continue
            h[kind] -= 1
            fars[kind] = note_helps(h, want, wide(least), work, enough)
            h[kind] += 1
            if fars[kind] == least:
                reached = True
                outs[kind] = count_marked(work[0].marked, unseen)
        if reached:
            return wide(least)
        enough = wide(EVERY)
    return far + 1


@kernel
def count_marked(marked: int, cards: Numbers) -> int:
    """Return the number of cards whose kind is in ``marked``, a set of bits. ``cards`` has the counts by kind."""
    count = 0
    for kind in range(KINDS):
        if marked >> kind & 1:
            count += int(cards[kind])
    return wide(count)


@kernel
def note_helps(h: Numbers, want: Wish, far: int, work: Rows[Search], enough: int) -> int:
    """Return ``far`` if this number of cards is missing for the melds of ``want``, or ``far`` + 1 if more are missing.

    It must be known that at least ``far`` cards are missing. If the result is ``far``, also write the kinds that
    help into ``work[0].marked``, a set of bits. The search may stop when ``marked`` includes all kinds in ``enough``.
    """
    found = look(h, want, far + 1, far, work, enough)
    if found == far and work[0].lone != 0 and enough & ~work[0].marked != 0:
        ask_for_each(h, want, far, work)
    return found


@kernel
def ask_for_each(h: Numbers, want: Wish, far: int, work: Rows[Search]) -> None:
    """Search once for each kind that is not in ``work[0].marked``. If the kind helps, add it to ``work[0].marked``.

    A kind helps if one more card of it lowers the number of missing cards, ``far``. Only hands that consist
    mostly of wild cards need this.
    """
    more = empty(KINDS, np.int16)
    more[:] = h
    marked = work[0].marked
    for kind in range(KINDS):
        if not marked >> kind & 1:
            more[kind] += 1
            if look(more, want, far, far - 1, work, wide(0)) < far:
                marked |= 1 << kind
            more[kind] -= 1
    work[0].marked = marked


@kernel
def look(h: Numbers, want: Wish, cap: int, known: int, work: Rows[Search], enough: int) -> int:
    """Return the result of :func:`lacking`, found with one search.

    ``known`` is a lower limit of the result; it may be 0. If ``enough`` is 0, the search ends when the
    result is certain. Otherwise the search also writes the kinds that help into ``work[0].marked``, and ends when
    ``marked`` includes all kinds in ``enough``, a set of bits. If ``work[0].lone`` is 1 afterwards, ``marked`` may be
    incomplete.
    """
    w = work[0]
    wilds = wilds_in(h, want.black)
    g, c = w.naturals, w.ranks
    strip_wilds(h, want.black, g)
    cost = 0
    bare = 0
    if want.form == RUN:
        taken = 0
        for place in range(want.place, want.place + want.need):
            kind = card_at(want.what, place)
            if g[kind] > 0:
                g[kind] -= 1
                taken += 1
            else:
                cost += 1
        if want.bare != 0 and taken == 0:
            bare = 1
    count_ranks(g, c)
    floor = 0
    if want.sets > 0 or want.form == SET:
        floor = price_sets(c, want, w.units) >> 3
    alone = want.sets + want.runs + want.bare  # the number of melds that need a natural card
    for kind in range(JOKER):
        alone -= h[kind]
    least = max(0, cost + floor - wilds, alone)
    if least >= cap:
        return cap
    w.windows = 0
    if want.runs > 0:
        find_windows(g, want, work)
        if w.windows == 0 or cost + floor + want.runs * w.lacks[0] - wilds >= cap:
            return cap
    w.best = cap - 1
    w.found = 0
    w.floor = floor
    w.wilds = wilds
    w.cost[0] = cost
    w.bare[0] = bare
    w.enough = enough
    w.marked = 0
    w.lone = 0
    w.least = max(least, known)
    search(h, g, c, want, work)
    return w.best if w.found else cap


@kernel
def search(h: Numbers, g: Numbers, c: Numbers, want: Wish, work: Rows[Search]) -> None:
    """Try all choices of runs. For each choice, find how many cards are missing if the other cards go to the best sets.

    Runs with the fewest missing cards come first. The last run of a choice is skipped if it can neither lower the
    number of missing cards nor mark more kinds that help (:func:`adds_nothing`). This saves time, because a hand that
    is far from its contract has many equally good choices.
    """
    w = work[0]
    keys, lacks, chosen, taken, cost, bare = w.keys, w.lacks, w.chosen, w.taken, w.cost, w.bare
    length, windows, enough = want.length, w.windows, w.enough
    marking = enough != 0 and want.sets == 0 and want.form == 0
    if marking:
        split_windows(g, length, work)
    least = w.floor - w.wilds
    chosen[0] = 0
    level = 0
    while level >= 0:
        back = False
        if level == want.runs:
            price_leaf(h, c, want, work, cost[level], bare[level])
            if w.found and (w.best == 0 or (w.best <= w.least if enough == 0 else enough & ~w.marked == 0)):
                return
            back = True
        else:
            index = chosen[level]
            left = want.runs - level
            goal = w.best - (1 if w.found and enough == 0 else 0)
            if index >= windows or cost[level] + left * lacks[index] + least > goal:
                back = True
            elif (
                marking
                and left == 1
                and w.found != 0
                and bare[level] == 0
                and adds_nothing(work, index, level)
                and cost[level] + lacks[index] - w.wilds >= w.best
            ) or (want.apart != 0 and touches(keys, chosen, level, keys[index], length)):
                chosen[level] += 1
            else:
                lack = take_window(g, c, keys[index], length, taken, level)
                if cost[level] + lack + (left - 1) * lacks[index] + least <= goal:
                    cost[level + 1] = cost[level] + lack
                    bare[level + 1] = bare[level] + (1 if taken[level] == 0 else 0)
                    if marking:
                        w.used[level + 1] = w.used[level] | w.holds[index]
                        w.gone[level + 1] = w.gone[level] | missed(keys[index], length, taken[level])
                    level += 1
                    chosen[level] = index
                else:
                    put_back(g, c, keys[index], length, taken[level])
                    chosen[level] += 1
        if back:
            level -= 1
            if level >= 0:
                put_back(g, c, keys[chosen[level]], length, taken[level])
                chosen[level] += 1


@kernel
def price_leaf(h: Numbers, c: Numbers, want: Wish, work: Rows[Search], cost: int, bare: int) -> None:
    """Find how many cards are missing for one choice of runs if the other cards go to the best sets.

    If no earlier choice has fewer missing cards, record the number and the kinds that help.
    """
    w = work[0]
    units = w.units
    if want.sets > 0 or want.form == SET:
        price = price_sets(c, want, units)
        cost += price >> 3
        bare += price & 7
    else:
        units[:] = 0
    value = max(0, cost - w.wilds)
    if bare > value:
        bare = left_bare(h, units, c, want, work)
        value = max(value, bare)
    if value > w.best:
        return
    if value < w.best or not w.found:
        w.best = value
        w.found = 1
        w.marked = 0
        w.lone = 0
    if w.enough == 0 or value == 0:
        return
    if bare >= value:  # only a natural card helps here, and its possible kinds depend on all melds
        w.lone = 1
        return
    w.marked |= 1 << JOKER
    if want.black != 0:
        w.marked |= 1 << BLACK_TWO_SPADES | 1 << BLACK_TWO_CLUBS
    for level in range(want.runs):
        w.marked |= missed(w.keys[w.chosen[level]], want.length, w.taken[level])
    if want.sets > 0:
        w.marked |= missed_by_sets(c, units, want.distinct)


@kernel
def missed(key: int, length: int, bits: int) -> int:
    """Return, as a set of bits, the kinds that a run lacks: those at the places where it has no natural card.

    ``key`` is 16 * suit + lowest place. ``bits`` has a bit for each place with a natural card.
    """
    kinds = 0
    low = key & 15
    for place in range(low, low + length):
        if not bits >> place & 1:
            kinds |= 1 << card_at(key >> 4, place)
    return kinds


@kernel
def split_windows(g: Numbers, length: int, work: Rows[Search]) -> None:
    """Write into ``work``, for each possible run, which kinds the hand has and which it lacks, as sets of bits."""
    w = work[0]
    w.used[0] = 0
    w.gone[0] = 0
    for k in range(w.windows):
        key = w.keys[k]
        holds = wide(0)
        wants = wide(0)
        for place in range(key & 15, (key & 15) + length):
            kind = card_at(key >> 4, place)
            if g[kind] > 0:
                holds |= 1 << kind
            else:
                wants |= 1 << kind
        w.holds[k] = holds
        w.wants[k] = wants


@kernel
def adds_nothing(work: Rows[Search], index: int, level: int) -> bool:
    """Return whether a possible run would add no kind to ``marked``, the kinds that are known to help.

    The run adds nothing if two conditions are met:

    - The run has natural cards, and the runs that are already chosen have no natural cards of the same kinds.
    - All kinds that are missing in this run or in the runs that are already chosen are marked.

    ``index`` is the run's index in the list of possible runs.
    """
    w = work[0]
    holds = w.holds[index]
    lost = w.wants[index] | w.gone[level]
    return bool(holds != 0 and holds & w.used[level] == 0 and lost & ~w.marked == 0)


@kernel
def missed_by_sets(c: Numbers, units: Numbers, distinct: int) -> int:
    """Return, as a set of bits, the kinds of cards that help with the sets.

    If the chosen sets of a rank lack a card, the kinds of this rank help. Otherwise, suppose that a further set of this
    rank is chosen. If it lacks as many cards as the chosen set that lacks the most (of all ranks), it could replace
    that set. Then the kinds of this rank help too.
    """
    dearest = 0
    for rank in range(13):
        if units[rank] > 0:
            dearest = max(dearest, min(3, max(0, 3 * units[rank] - c[rank])))
    kinds = wide(0)
    if dearest == 0:
        return kinds
    for rank in range(13):
        used = units[rank]
        lacks = used > 0 and 3 * used > c[rank]
        if not lacks and not (used > 0 and distinct != 0):
            lacks = max(0, 3 - max(0, c[rank] - 3 * used)) == dearest
        if lacks:
            kinds |= (1 | 1 << 13 | 1 << 26 | 1 << 39) << rank
    return kinds
