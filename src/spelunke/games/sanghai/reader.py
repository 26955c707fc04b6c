"""The planner's results for a seat, computed only from its view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import Card, Meld, card_of, is_wild, kind_of, role_at
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planning import FAR, SPAN, Wish, lacking, new_plan, read_plan, unload
from spelunke.games.sanghai.state import KINDS, State
from spelunke.games.sanghai.view import View, start_table


@lru_cache(maxsize=256)
def table_in(setup: tuple[int, ...], lap: int) -> State:
    """Return a state with this setup, at the beginning of round ``lap`` (from 1).

    The state is cached and shared, so do not change it.
    """
    s = start_table(setup)
    s.lap = lap - 1
    return s


@lru_cache(maxsize=64)
def kinds_in(setup: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    """Return two arrays by kind: the points of a card left in the hand, and the number of copies in the packs.

    The arrays are cached and shared, so do not change them.
    """
    table = table_in(setup, 1)
    points = [state.worth_of(table, kind) for kind in range(KINDS)]
    return np.array(points, np.int16), np.array(
        [state.copies(table, kind) for kind in range(KINDS)], np.int16
    )


def counts_of(cards: Sequence[Card]) -> Numbers:
    """Return the number of cards of each kind, as an array."""
    h = np.zeros(KINDS, np.int16)
    for card in cards:
        h[kind_of(card)] += 1
    return h


def lacks(cards: Numbers, want: Wish) -> tuple[int, tuple[Card, ...]]:
    """Return the number of cards that a hand lacks to lay the melds of ``want``, and the cards that help.

    Each of the cards that help would lower the number by one.

    ``cards`` has the counts of the hand by kind.
    """
    helps = np.zeros(KINDS, np.int16)
    far = int(lacking(cards, want, FAR, helps))
    return far, tuple(card_of(k) for k in range(KINDS) if helps[k])


class Reader:
    """The planner's results for one view, computed from the contract, the hand, and the points of each kind of card.

    ``unseen`` has the number of unseen cards of each kind.
    """

    def __init__(self, seen: View) -> None:
        self.seen = seen
        table = table_in(seen.setup, seen.lap)
        self.want = wish_of(table)
        self.black = bool(self.want.black)
        points, copies = kinds_in(seen.setup)
        self.points: Numbers = points.copy()
        self.hand = counts_of(seen.hand)
        self.unseen: Numbers = copies.copy()
        open_cards: list[Card] = [*seen.hand, *(seen.discards or ((seen.top,) if seen.top else ()))]
        for entry in seen.melds:
            open_cards.extend(entry.meld.cards)
        for card in open_cards:
            self.unseen[kind_of(card)] -= 1
        np.maximum(self.unseen, 0, out=self.unseen)

    def lacks(self, cards: Numbers) -> tuple[int, tuple[Card, ...]]:
        """Return the number of cards that a hand lacks for the contract, and the cards that would lower this
        number by one.
        """
        return lacks(cards, self.want)

    def plan(self, with_table: bool) -> tuple[int, tuple[Meld, ...]]:
        """Return the most points that the viewer can put down, and the melds to lay for these points.

        If ``with_table`` is true, also count cards that the viewer can add to melds in the same turn. In a last round
        with the option ``last_round_at_once``, ignore ``with_table``: the laying itself must leave exactly one card.
        The points are -1 if the contract can't be laid.
        """
        sets = np.zeros(13, np.int16)
        rows: set[tuple[int, int, int]] = set()
        want = self.want
        if with_table and not want.exact:
            want = want._replace(adding=1)
            for entry in self.seen.melds:
                meld = entry.meld
                if meld.form == "set":
                    sets[kind_of(meld.rank + "s")] = 1
                else:
                    rows.add(("shdc".index(meld.suit), meld.low, meld.high))
        runs = np.array(sorted(rows), SPAN)
        plan = new_plan()
        most = int(unload(self.hand, want, self.points, sets, runs, plan))
        return most, read_plan(plan, self.seen.hand, self.black) if most >= 0 else ()

    def arrange_most(self, cards: Sequence[Card]) -> tuple[Meld, ...]:
        """Return a laying of the contract that uses as many of these cards as possible, but not all of them.

        If there is no laying, return an empty tuple. Use this only if :func:`.arrange` finds no laying of all cards.
        """
        want = self.want._replace(exact=0)
        plan = new_plan()
        alike = np.ones(KINDS, np.int16)
        no_sets, no_runs = np.zeros(13, np.int16), np.zeros(0, SPAN)
        most = int(unload(counts_of(cards), want, alike, no_sets, no_runs, plan))
        return read_plan(plan, cards, self.black) if most >= 0 else ()

    def addable(self, card: Card) -> bool:
        """Return whether a card can be added to a meld on the table."""
        if is_wild(card, self.black):
            return bool(self.seen.melds)
        for entry in self.seen.melds:
            meld = entry.meld
            if meld.form == "set":
                if card[:-1] == meld.rank:
                    return True
            elif card[-1] == meld.suit and (
                (meld.low > 1 and role_at(meld.suit, meld.low - 1) == card)
                or (meld.high < 14 and role_at(meld.suit, meld.high + 1) == card)
            ):
                return True
        return False


@lru_cache(maxsize=4096)
def helping_hand(setup: tuple[int, ...], lap: int, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that would help this hand with the contract of round ``lap`` (from 1)."""
    return lacks(counts_of(hand), wish_of(table_in(setup, lap)))[1]


def helping(seen: View) -> tuple[Card, ...]:
    """Return the cards that would help the viewer's hand.

    If the viewer has laid or is a spectator, return an empty tuple.
    """
    if seen.seat is None or seen.laid[seen.seat]:
        return ()
    return Reader(seen).lacks(counts_of(seen.hand))[1]
