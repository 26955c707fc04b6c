"""Arrange a player's picked cards into the melds of the contract, with no card left over.

The contract tray (``tray.py``) and the parser of the move ``lay`` use this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from spelunke.core.scratch import Rows
from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import (
    JOKER_TEXT,
    RANKS,
    SUITS,
    Card,
    Meld,
    card_of,
    is_wild,
    kind_of,
    make_run,
    make_set,
    order_of,
    role_at,
)
from spelunke.games.sanghai.planning.choices import SPAN
from spelunke.games.sanghai.planning.plans import PLANNED, Planned
from spelunke.games.sanghai.planning.unloading import unload
from spelunke.games.sanghai.planning.wish import wish
from spelunke.games.sanghai.state import State


def arrange(cards: Sequence[Card], s: State) -> tuple[Meld, ...]:
    """Return melds that use exactly these cards for the contract of state ``s``.

    Return an empty tuple if there are none.
    """
    return arrange_into(
        cards,
        int(state.sets_wanted(s)),
        int(state.runs_wanted(s)),
        int(state.run_length(s)),
        black=bool(s.options[state.BLACK_TWOS_WILD]),
        distinct=bool(s.options[state.DISTINCT_SETS]),
        apart=bool(s.options[state.NO_ADJACENT_RUNS]),
    )


def arrange_into(
    cards: Sequence[Card],
    sets: int,
    runs: int,
    length: int,
    *,
    black: bool = False,
    distinct: bool = False,
    apart: bool = False,
) -> tuple[Meld, ...]:
    """Return sets and runs that use exactly these cards, or an empty tuple if there are none.

    ``sets`` and ``runs`` are the numbers of sets and runs. ``length`` is the least length of a run. ``black``,
    ``distinct`` and ``apart`` have the same meaning as the fields of :class:`.Wish`.
    """
    if len(cards) < 3 * sets + length * runs:
        return ()
    plain = [card for card in cards if not is_wild(card, black)]
    jokers = [card for card in cards if card == "*"]
    twos = [card for card in cards if card != "*" and is_wild(card, black)]
    for at_home in _choices(twos):
        naturals = Counter([*plain, *at_home])
        wilds = [*jokers, *(Counter(twos) - Counter(at_home)).elements()]
        for laid, rest, free in _runs(naturals, wilds, sets, runs, length, [], apart):
            found = _sets(rest, free, sets, laid, black, distinct)
            if found:
                return tuple(sorted(found, key=order_of))
    if len(jokers) + len(twos) < 3:
        return ()
    return _plan(cards, sets, runs, length, black, distinct, apart)


def _plan(
    cards: Sequence[Card], sets: int, runs: int, length: int, black: bool, distinct: bool, apart: bool
) -> tuple[Meld, ...]:
    """Return the melds that :func:`.unload` finds for these cards, or an empty tuple.

    The simple search of :func:`arrange_into` puts each natural card into a fixed place. :func:`.unload` can also move
    it to a meld without natural cards, and put a wild card into the old place. This is needed if few cards are natural.
    """
    h = np.zeros(state.KINDS, np.int16)
    for card in (*cards, JOKER_TEXT):  # one more joker, because the planner keeps a card to discard
        h[kind_of(card)] += 1
    worth = np.full(state.KINDS, 2, np.int16)
    worth[state.JOKER] = 1
    want = wish(sets, runs, length, int(black), int(distinct), int(apart), 0)
    plan = new_plan()
    most = int(unload(h, want, worth, np.zeros(13, np.int16), np.zeros(0, SPAN), plan))
    return read_plan(plan, cards, black) if most == int((h * worth).sum()) - 1 else ()


def new_plan() -> Rows[Planned]:
    """Return a plan without melds."""
    return np.zeros(4, PLANNED)


def read_plan(plan: Rows[Planned], cards: Sequence[Card], black: bool) -> tuple[Meld, ...]:
    """Return the melds of a plan. ``cards`` are the cards that the melds may use.

    A plan has a joker at the place of each wild card. These places get the jokers of ``cards`` first, then the
    remaining black twos of ``cards``.
    """
    rows = [plan[row] for row in range(len(plan)) if plan[row].length > 0]
    planned = [[card_of(int(kind)) for kind in row.kinds[: row.length]] for row in rows]
    wilds = [card for card in cards if is_wild(card, black)]
    for card in (card for melded in planned for card in melded):
        if card != JOKER_TEXT and card in wilds:  # a black two that stands for itself
            wilds.remove(card)
    wilds.sort(key=lambda card: card != JOKER_TEXT)
    melds = []
    for row, melded in zip(rows, planned, strict=True):
        for at, card in enumerate(melded):
            if card == JOKER_TEXT:
                melded[at] = wilds.pop(0)
        melds.append(
            make_set(melded, black)
            if row.form == state.SET
            else make_run(melded, SUITS[int(row.what)], int(row.low))
        )
    return tuple(sorted(melds, key=order_of))


def _choices(twos: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the ways to use some, all or none of the black twos as natural cards.

    The ways that use the most black twos come first.
    """
    for count in range(len(twos), -1, -1):
        yield from sorted(set(combinations(sorted(twos), count)))


def _runs(
    naturals: Counter[Card],
    wilds: list[Card],
    sets: int,
    runs: int,
    length: int,
    laid: list[Meld],
    apart: bool,
) -> Iterator[tuple[list[Meld], Counter[Card], list[Card]]]:
    """Yield the ways to add runs to the melds in ``laid``. ``runs`` is the number of runs to add.

    At each place of a run, a natural card is used if there is one.

    Each way has three parts: the list of all melds, the remaining natural cards, and the remaining wild cards.
    """
    if runs == 0:
        yield laid, naturals, wilds
        return
    if sets == 0 and len({card[-1] for card in naturals}) > runs:
        return
    for suit in SUITS:
        if not any(card[-1] == suit for card in naturals):
            continue
        for low in range(1, 16 - length):
            cards: list[Card] = []
            rest = naturals.copy()
            free = list(wilds)
            for place in range(low, 15):
                own = role_at(suit, place)
                if rest[own] > 0:
                    rest[own] -= 1
                    cards.append(own)
                elif free:
                    cards.append(free.pop(0))
                else:
                    break
                if len(cards) < length:
                    continue
                meld = make_run(tuple(cards), suit, low)
                if all(meld.wild) or (laid and _place_of(meld) < _place_of(laid[-1])):
                    continue
                if apart and any(
                    m.suit == suit and m.low <= meld.high + 1 and meld.low <= m.high + 1 for m in laid
                ):
                    continue
                yield from _runs(+rest, list(free), sets, runs - 1, length, [*laid, meld], apart)


def _place_of(run: Meld) -> tuple[int, int]:
    """Return the key by which the runs of a contract are sorted when it is laid (N-C10).

    The key does not depend on the wild cards.
    """
    return SUITS.index(run.stands[0][-1]), run.low


def _sets(
    naturals: Counter[Card], wilds: list[Card], sets: int, laid: list[Meld], black: bool, distinct: bool
) -> list[Meld]:
    """Return the melds in ``laid``, followed by sets of the remaining cards. ``sets`` is the number of sets.

    If the remaining cards can't form this number of sets with no card left over, return an empty list.
    """
    if sets == 0:
        return laid if not naturals and not wilds else []
    groups: dict[str, list[Card]] = {}
    for card in naturals.elements():
        groups.setdefault(card[:-1], []).append(card)
    if len(groups) > sets:
        return []
    piles = [sorted(groups[rank]) for rank in sorted(groups, key=RANKS.index)]
    while len(piles) < sets:  # split the largest pile into two sets
        largest = max(piles, key=len, default=[])
        if distinct or len(largest) < 2:
            return []
        piles.remove(largest)
        cut = min(3, len(largest) - 1)
        piles += [largest[:cut], largest[cut:]]
    free = list(wilds)
    for pile in piles:
        while len(pile) < 3:
            if not free:
                return []
            pile.append(free.pop(0))
    piles[-1] += free
    return [*laid, *(make_set(pile, black) for pile in piles)]
