"""A rehearsal of standing orders: the calls that they would have made on the discards so far.

It uses only the events that the owner of the orders received. For each discard, it uses the owner's hand at
that time, as if the orders had existed since the first card.

In three cases the result of a call by the orders is known: the next player took the card, nobody else called, or
the owner really called. If others called and the owner did not, the rehearsal assumes that the call by the orders
succeeds. A won card would have changed the later hands, but the rehearsal can't know how.
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
    """One discard that the owner of the standing orders could have called for, and the answer of the orders.

    ``called`` is True for a call, False for a pass, and None if the orders let the owner decide. If the orders call,
    ``fate`` is the result of their call: ``won`` or ``lost`` if the result is known, and ``open`` if the game has not
    decided it yet. If others called in the game and the owner did not, ``fate`` is ``contested``, and the call of the
    orders counts as won. If the orders do not call, ``fate`` is empty.
    """

    lap: int
    card: Card
    giver: int
    called: bool | None
    fate: Fate = ""


class Rehearsal(msgspec.Struct, frozen=True):
    """All rehearsed discards, with the latest first.

    ``calls`` is the number of calls that the orders would have made.
    """

    discards: tuple[Rehearsed, ...]
    calls: int
    helps: bool
    """Whether the orders call for cards that help a hand."""


def rehearse(orders: Orders, told: Iterable[happenings.Event], seen: View) -> Rehearsal:
    """Return the answer of these orders to each discard that the seat could have called for.

    ``told`` has all events of the game that the seat may know. ``seen`` is the seat's current
    view, which also gives the options of the table.
    """
    story = _Story(orders, seen)
    for event in told:
        story.hear(event)
    story.close("open")
    found = tuple(reversed(story.found))
    return Rehearsal(found, sum(one.called is True for one in found), orders.helps)


class _Story:
    """The progress of a rehearsal through the events of one seat.

    A rehearsal replays a round as if the seat had given some standing orders. ``heps`` is the number of calls that the
    seat really won in this round. ``won`` is the number of calls that it would have won with these orders.
    """

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
        """Update the rehearsal with the next event."""
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
                if why == "turns":  # nobody could call for the discard that ended the round
                    self.open = None
                self._begin(lap + 1)
            case _:
                pass

    def _offer(self, giver: int, card: Card) -> None:
        """Record a discard that the owner may call for.

        Record nothing if the owner may not call: the owner discarded the card, is on turn now, has laid, or has
        won the maximum number of calls in this round.
        """
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
        """Record the latest discard if it is not recorded yet.

        If the orders would have called for this discard, also record ``fate``, the result of the call.
        """
        one, self.open = self.open, None
        if one is None:
            return
        if one.called is True:
            self.won += fate in ("won", "contested")
            one = msgspec.structs.replace(one, fate=fate)
        self.found.append(one)
