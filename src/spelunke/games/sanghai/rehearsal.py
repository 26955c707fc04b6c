"""What standing orders would have done with the discards so far, from nothing but what their owner was told.

Each discard is judged by the hand as it was then, as if the orders had stood from the first card on. How a call would
have ended is known where the next player took the card, where nobody else called, and where the owner did call; where
others called it counts as won. With other cards won the hands would have gone on differently: nobody can know that.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np

from spelunke.core.kernel import pool
from spelunke.games.sanghai import events
from spelunke.games.sanghai.cards import SUITS, Card
from spelunke.games.sanghai.orders import Orders, wants_card

Fate: TypeAlias = Literal["", "won", "lost", "contested", "open"]


class Rehearsed(msgspec.Struct, frozen=True):
    """One discard that the owner could call for, and what the orders say to it.

    ``called``: True a call, False a pass, None they leave it to their owner. ``fate`` of a call: ``won`` or ``lost``
    where that is known, ``contested`` where others called too (it counts as won), ``open`` where it still lies there.
    """

    lap: int
    card: Card
    giver: int
    called: bool | None
    fate: Fate = ""


class Rehearsal(msgspec.Struct, frozen=True):
    """All of them, the latest first; ``calls`` is how many the orders would have called for."""

    discards: tuple[Rehearsed, ...]
    calls: int
    helps: bool
    """Whether hands were asked what helps them."""


def rehearse(orders: Orders, told: Iterable[events.Event], seen: Any) -> Rehearsal:
    """The orders on all discards of the game so far. Changes nothing.

    ``told`` are the events from the start as the seat knows them, ``seen`` is its view now, for the rules of the table.
    """
    story = _Story(orders, seen)
    for event in told:
        story.hear(event)
    story.close("open")
    found = tuple(reversed(story.found))
    return Rehearsal(found, sum(one.called is True for one in found), orders.helps)


class _Story:
    """Goes through the events of one seat; ``heps`` are real, ``won`` is what the orders would have won."""

    def __init__(self, orders: Orders, seen: Any) -> None:
        self.orders = msgspec.structs.replace(orders, since=None)
        self.seen = seen
        self.me: int = seen.seat
        self.found: list[Rehearsed] = []
        self.open: Rehearsed | None = None
        self.called = self.others = False
        self._begin(1)

    def _begin(self, lap: int) -> None:
        self.lap = lap
        self.limit = limit_in(self.seen.setup, min(lap, len(self.seen.contracts)))
        self.hand: list[Card] = []
        self.heps = self.won = 0
        self.laid = False

    def hear(self, event: events.Event) -> None:
        """The next event."""
        match event:
            case events.Dealt(seat, str(card)) | events.Drew(seat, str(card), _) if seat == self.me:
                self.hand.append(card)
            case events.Called(seat, _, _):
                self.called |= seat == self.me
                self.others |= seat != self.me
            case events.Took(seat, card):
                self.close("lost")
                if seat == self.me:
                    self.hand.append(card)
            case events.HepWon(seat, card, _):
                self.close("won" if seat == self.me else "lost" if self.called else "contested")
                if seat == self.me:
                    self.hand.append(card)
                    self.heps += 1
            case events.CardStays(_):
                self.close("lost" if self.called else "contested")
            case events.Declined(_) if not self.called and not self.others:
                self.close("won")
            case events.Laid(seat, _) | events.Stepped(seat, _, _) if seat == self.me:
                self.laid = True
            case events.Discarded(seat, card, left):
                if seat == self.me and card in self.hand:
                    self.hand.remove(card)
                if left:
                    self._offer(seat, card)
            case events.RoundScored(lap, _, _, _, _, why):
                if why == "turns":  # the discard that ended it was never offered
                    self.open = None
                self._begin(lap + 1)
            case _:
                pass

    def _offer(self, giver: int, card: Card) -> None:
        """A discard: the owner may call for it unless he gave it, is next, has laid, or has won all that he may."""
        self.called = self.others = False
        turn = (giver + 1) % self.seen.seats
        if self.me in (giver, turn) or self.laid or self.heps >= self.limit:
            return
        self.open = Rehearsed(self.lap, card, giver, self._judge(card))

    def _judge(self, card: Card) -> bool | None:
        orders = self.orders
        if self.won >= self.limit:
            return False
        if not orders.wants:  # only limits: they pass where they forbid, and leave the rest to the owner
            anything = msgspec.structs.replace(orders, suits=SUITS, cards=("*",))
            return None if wants_card(anything, card, self.lap, self.won) else False
        helps: tuple[Card, ...] = ()
        if orders.helps:
            helps = helping_then(self.seen.setup, self.seen.contracts, self.lap, tuple(sorted(self.hand)))
        return wants_card(orders, card, self.lap, self.won, helps)

    def close(self, fate: Fate) -> None:
        """What became of the discard that lay there, if one did."""
        one, self.open = self.open, None
        if one is None:
            return
        if one.called is True:
            self.won += fate in ("won", "contested")
            one = msgspec.structs.replace(one, fate=fate)
        self.found.append(one)


@lru_cache(maxsize=256)
def limit_in(setup: tuple[int, ...], lap: int) -> int:
    """How many calls may be won in round ``lap`` (from 1) of a table with this setup."""
    from spelunke.games.sanghai import rules, state

    s = pool(rules.STATE, 1)[0]
    rules.start(s, np.array(setup, np.int16))
    s.lap = lap - 1
    return int(state.hep_limit(s))


@lru_cache(maxsize=4096)
def helping_then(
    setup: tuple[int, ...], contracts: tuple[Any, ...], lap: int, hand: tuple[Card, ...]
) -> tuple[Card, ...]:
    """Cards that help a hand with the contract of round ``lap`` (from 1)."""
    from spelunke.games.sanghai.knowledge import counts_of, lacks, want_of

    return lacks(counts_of(hand), want_of(setup, contracts, lap))[1]
