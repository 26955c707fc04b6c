"""What standing orders would have done with the discards so far, from nothing but what their owner was told.

Each discard is judged by the hand as it was then, as if the orders had stood from the first card on. How a call would
have ended is known where the next player took the card, where nobody else called, and where the owner did call; where
others called it counts as won. With other cards won the hands would have gone on differently: nobody can know that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from spelunke.games.sanghai import happenings, state
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.orders import Orders, judge
from spelunke.games.sanghai.reader import helping_hand, table_in
from spelunke.games.sanghai.view import View

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


def rehearse(orders: Orders, told: Iterable[happenings.Event], seen: View) -> Rehearsal:
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

    def __init__(self, orders: Orders, seen: View) -> None:
        self.orders = msgspec.structs.replace(orders, since=None)
        self.seen = seen
        self.me = seen.seat
        self.found: list[Rehearsed] = []
        self.open: Rehearsed | None = None
        self.called = self.others = False
        self._begin(1)

    def _begin(self, lap: int) -> None:
        self.lap = lap
        self.limit = int(state.hep_limit(table_in(self.seen.setup, min(lap, len(self.seen.contracts)))))
        self.hand: list[Card] = []
        self.heps = self.won = 0
        self.laid = False

    def hear(self, event: happenings.Event) -> None:
        """The next event."""
        match event:
            case happenings.Dealt(seat, str(card)) | happenings.Drew(seat, str(card), _) if seat == self.me:
                self.hand.append(card)
            case happenings.Called(seat, _, _):
                self.called |= seat == self.me
                self.others |= seat != self.me
            case happenings.Took(seat, card):
                self.close("lost")
                if seat == self.me:
                    self.hand.append(card)
            case happenings.HepWon(seat, card, _):
                self.close("won" if seat == self.me else "lost" if self.called else "contested")
                if seat == self.me:
                    self.hand.append(card)
                    self.heps += 1
            case happenings.CardStays(_):
                self.close("lost" if self.called else "contested")
            case happenings.Declined(_) if not self.called and not self.others:
                self.close("won")
            case happenings.Laid(seat, _) | happenings.Stepped(seat, _, _) if seat == self.me:
                self.laid = True
            case happenings.Discarded(seat, card, left):
                if seat == self.me and card in self.hand:
                    self.hand.remove(card)
                if left:
                    self._offer(seat, card)
            case happenings.RoundScored(lap, _, _, _, _, why):
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
        if self.won >= self.limit:
            return False
        helps: tuple[Card, ...] = ()
        if self.orders.helps:
            helps = helping_hand(self.seen.setup, self.lap, tuple(sorted(self.hand)))
        return judge(self.orders, card, self.lap, self.won, helps)

    def close(self, fate: Fate) -> None:
        """What became of the discard that lay there, if one did."""
        one, self.open = self.open, None
        if one is None:
            return
        if one.called is True:
            self.won += fate in ("won", "contested")
            one = msgspec.structs.replace(one, fate=fate)
        self.found.append(one)
