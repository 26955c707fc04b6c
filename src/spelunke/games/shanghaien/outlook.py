"""The settlement of the row if the round ended now (S-R14).

Before the settlement, dice and tricks can be added, to see their effects. An outlook is made from a view, so it
uses only facts that a seat sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import msgspec

from spelunke.games.shanghaien.cards import NATIONS, Card, End, Nation, Sailor
from spelunke.games.shanghaien.view import View

NUMBERS = range(1, 7)
FALLS = 36


def chance_of_any(numbers: Iterable[int]) -> int:
    """Return the number of rolls, out of 36, in which at least one of the two dice shows one of these numbers."""
    others = 6 - len(set(numbers))
    return FALLS - others * others


class Outlook(msgspec.Struct, frozen=True):
    """The cards of the row by number, the dice on them, and the current crews.

    A tuple of two has an element for each seat, and a tuple of six has one for each card number, from 1. ``held``
    has each seat's number of unplayed trick cards, and ``crews`` has each seat's strength in each nation.
    """

    cards: tuple[Card | None, ...]
    down: tuple[bool, ...]
    dice: tuple[tuple[int, ...], tuple[int, ...]]
    supply: tuple[int, int]
    held: tuple[int, int]
    crews: tuple[tuple[int, ...], tuple[int, ...]]

    @classmethod
    def of(cls, seen: View, end: End | None = None) -> Self | None:
        """Return the outlook of a view, or None if the row is incomplete or its direction is unknown.

        If the direction is not fixed yet, ``end`` is the end at which card 1 is assumed to lie.
        """
        end = seen.end or end
        if end is None or len(seen.row) < len(NUMBERS):
            return None
        row = seen.row if end is End.LEFT else seen.row[::-1]
        return cls(
            cards=tuple(claim.card for claim in row),
            down=tuple(claim.down for claim in row),
            dice=(tuple(claim.dice[0] for claim in row), tuple(claim.dice[1] for claim in row)),
            supply=seen.supply,
            held=(len(seen.tricks[0]), len(seen.tricks[1])),
            crews=_both([crew.strength for crew in seen.crews[seat]] for seat in range(2)),
        )

    def with_dice(self, seat: int, *numbers: int, back: int = 0) -> Outlook:
        """Return the outlook after a seat has laid dice on the cards with these numbers.

        ``back`` is the number of the card from which the seat takes a die back, or 0 if it takes none.
        """
        laid = list(self.dice[seat])
        for number in numbers:
            laid[number - 1] += 1
        if back:
            laid[back - 1] -= 1
        dice, supply = list(self.dice), list(self.supply)
        dice[seat] = tuple(laid)
        supply[seat] -= len(numbers) - bool(back)
        return msgspec.structs.replace(self, dice=_both(dice), supply=(supply[0], supply[1]))

    def without_trick(self, seat: int) -> Outlook:
        """Return the outlook after a seat has played a trick card. The card no longer counts 1 point (S-R26)."""
        held = [self.held[0], self.held[1]]
        held[seat] -= 1
        return msgspec.structs.replace(self, held=(held[0], held[1]))

    def with_joker(self, seat: int, nation: Nation) -> Outlook:
        """Return the outlook after a seat has laid a joker with its sailors of a nation. The joker counts 2 (S-R21)."""
        crews = [list(crew) for crew in self.crews]
        crews[seat][nation.number] += 2
        return msgspec.structs.replace(self, crews=_both(crews))

    def with_sharks(self, number: int) -> Outlook:
        """Return the outlook after the card with this number was turned face down."""
        down = tuple(shut or at == number for at, shut in enumerate(self.down, 1))
        return msgspec.structs.replace(self, down=down)

    def pips(self, seat: int, number: int) -> int:
        """Return the sum of the values of a seat's dice on the cards next to the card with this number (S-R14)."""
        return sum(self.dice[seat][near - 1] * near for near in (number - 1, number + 1) if near in NUMBERS)

    def taker(self, number: int) -> int | None:
        """Return the seat that takes a card if the round ends now (S-R14), or None if nobody does."""
        first, second = self.dice[0][number - 1], self.dice[1][number - 1]
        if self.down[number - 1] or first == second == 0:
            return None
        if first == second:
            first, second = self.pips(0, number), self.pips(1, number)
        return None if first == second else int(second > first)

    def takings(self, seat: int) -> list[Card]:
        """Return the cards that a seat gets if the round ends now."""
        return [card for at, card in enumerate(self.cards, 1) if card and self.taker(at) == seat]

    def settled(self) -> Outlook:
        """Return the outlook after the settlement. The cards that a seat takes are in its crew or hand.

        All dice are removed. The result still has the cards of the row in ``cards``. Nobody takes them again, because
        no dice are left.
        """
        crews, held = [list(crew) for crew in self.crews], list(self.held)
        for seat in range(2):
            for card in self.takings(seat):
                if isinstance(card, Sailor):
                    crews[seat][card.nation.number] += card.value
                else:
                    held[seat] += 1
        nothing = (0,) * len(NUMBERS)
        return msgspec.structs.replace(
            self, dice=(nothing, nothing), crews=_both(crews), held=(held[0], held[1])
        )

    def gain(self, seat: int, nation: Nation) -> int:
        """Return the points that a seat gets for a nation with the current crews (S-R25)."""
        mine, theirs = self.crews[seat][nation.number], self.crews[1 - seat][nation.number]
        if theirs == 0:
            return mine
        return theirs if mine > theirs else 0

    def points(self, seat: int) -> int:
        """Return the points of a seat with the current crews and trick cards (S-R25, S-R26)."""
        return self.held[seat] + sum(self.gain(seat, nation) for nation in NATIONS)

    def lead(self, seat: int) -> int:
        """Return a seat's lead in points after the settlement of the row."""
        after = self.settled()
        return after.points(seat) - after.points(1 - seat)


def joker_worth(seen: View, seat: int, nation: Nation) -> int:
    """Return the number of points by which a joker for a nation changes a seat's lead.

    The crews count as they are, without the cards of the row. The seat plays a trick card as the joker, so this card no
    longer counts 1 point.
    """
    # The end of card 1 does not matter without a settlement.
    now = Outlook.of(seen, End.LEFT)
    assert now is not None, "a trick is played after a roll, when the whole row lies there"
    after = now.with_joker(seat, nation).without_trick(seat)
    gains = [one.points(seat) - one.points(1 - seat) for one in (now, after)]
    return gains[1] - gains[0]


def _both(of: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, second = of
    return tuple(first), tuple(second)
