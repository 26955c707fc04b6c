"""The reasons for and against a choice, using only facts that its seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.core.words import Translator
from spelunke.games.explaining import Against, InFavour
from spelunke.games.sanghai import moves, state
from spelunke.games.sanghai.cards import Card, kind_of
from spelunke.games.sanghai.moves import Action
from spelunke.games.sanghai.reader import Reader
from spelunke.games.sanghai.sentences import name_card, say_lack
from spelunke.games.sanghai.view import View

FEW = 4
"""The maximum number of helping cards that a sentence lists."""


def reasons(action: Action, view: View, names: Sequence[str], translate: Translator) -> tuple[str, ...]:
    """Return the reasons for and against an action (see :meth:`spelunke.games.hooks.Hooks.reasons`)."""
    if view.seat is None:
        return ()
    return tuple(_Reasons(view, view.seat, translate).of(action))


class _Reasons:
    """The sentences about the choices of one seat."""

    def __init__(self, view: View, seat: int, translate: Translator) -> None:
        self.view = view
        self.reader = Reader(view)
        self.laid = view.laid[seat]
        self.left = view.hep_limit - view.heps[seat]
        self._ = translate

    def of(self, action: Action) -> Iterator[str]:
        """Yield the sentences about an action."""
        match action:
            case moves.Discard(card):
                yield from self._throw(card)
            case moves.Take() | moves.Hep():
                yield from self._get(called=isinstance(action, moves.Hep))
            case moves.Stock() | moves.Pass() | moves.Wait() if not self.laid and self.view.hand:
                yield from self._hope()
            case moves.LayDown():
                put = sum(self._points(card) for card in action.used)
                whole = sum(self._points(card) for card in self.view.hand)
                text = self._.many(
                    "This move takes {points} point out of your hand. Points left in your hand: {rest}.",
                    "This move takes {points} points out of your hand. Points left in your hand: {rest}.",
                    put,
                )
                yield InFavour(text.format(points=put, rest=whole - put))
                if self.left > 0 and self.view.seats > 2:
                    yield Against(self._("After you lay, you can't call any more in this round."))
            case moves.Add(card):
                yield self._takes(card)
            case _:
                return

    def _takes(self, card: Card) -> str:
        text = self._.many(
            "This move takes {points} point out of your hand.",
            "This move takes {points} points out of your hand.",
            self._points(card),
        )
        return InFavour(text.format(points=self._points(card)))

    def _points(self, card: Card) -> int:
        return int(self.reader.points[kind_of(card)])

    def _lack(self, far: int) -> str:
        if far == 0:
            return self._("You have all cards for the contract.")
        return say_lack(far, self._)

    def _helping(self, helps: Sequence[Card]) -> str:
        unseen = [(int(self.reader.unseen[kind_of(card)]), card) for card in helps]
        unseen = sorted(((n, card) for n, card in unseen if n > 0), key=lambda one: -one[0])
        if not unseen:
            return self._("No card that is still unseen would help.")
        named = ", ".join(name_card(card, self._) for _n, card in unseen[:FEW])
        more = "…" if len(unseen) > FEW else ""
        return self._("Unseen cards that help: {n} ({cards}).").format(
            n=sum(n for n, _card in unseen), cards=named + more
        )

    def _throw(self, card: Card) -> Iterator[str]:
        """Yield sentences about the hand after a discard, and about the players who could use the discarded card."""
        if not self.laid:
            rest = self.reader.hand.copy()
            rest[kind_of(card)] -= 1
            far, helps = self.reader.lacks(rest)
            yield self._lack(far)
            if far > 0:
                yield self._helping(helps)
        yield self._takes(card)
        others = any(laid for seat, laid in enumerate(self.view.laid) if seat != self.view.seat)
        if others and self.reader.addable(card):
            yield Against(
                self._(
                    "The card fits a meld on the table. If the next player has laid, they can take the card and add it."
                )
            )

    def _get(self, *, called: bool) -> Iterator[str]:
        """Yield sentences about the benefit and the cost of getting the top discard, by a call or on turn."""
        top = self.view.top
        if top is None:
            return
        if self.laid:
            if self.reader.addable(top):
                yield InFavour(self._("The card fits a meld on the table."))
        else:
            far = self.reader.lacks(self.reader.hand)[0]
            more = self.reader.hand.copy()
            more[kind_of(top)] += 1
            rest = self.reader.lacks(more)[0]
            if far == 0:
                yield self._lack(far)
            elif rest < far:
                text = self._("The card helps: the number of cards that you lack falls from {before} to {n}.")
                yield InFavour(text.format(n=rest, before=far))
            else:
                yield Against(self._("The card doesn't bring you nearer to the contract."))
        cost = self._.many(
            "In your hand, the card counts {points} point.",
            "In your hand, the card counts {points} points.",
            self._points(top),
        ).format(points=self._points(top))
        if called:
            penalty = self.view.option(state.HEP_PENALTY)
            if penalty:
                cost += " " + self._("Penalty cards that come with this card: {n}.").format(n=penalty)
            cost += " " + self._("Calls that you can still win after this one: {n}.").format(
                n=max(0, self.left - 1)
            )
        yield Against(cost)

    def _hope(self) -> Iterator[str]:
        """Yield sentences about the number of cards missing for the contract, and about the unseen cards that help."""
        far, helps = self.reader.lacks(self.reader.hand)
        yield self._lack(far)
        if far > 0:
            yield self._helping(helps)
