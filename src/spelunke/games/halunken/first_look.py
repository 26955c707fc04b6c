"""A first estimate of the value of actions, from the open sailors and the cards that other captains may lay."""

from __future__ import annotations

from collections.abc import Sequence

from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.state import FIELDS
from spelunke.games.halunken.view import View, reckon

NUMBERS = range(1, 8)
STOPPED = 0.35
"""The share of a card's gain that is lost for each other captain that still holds the same card."""
LATER = 1.0
"""The estimated value, in points, of keeping a Rum for a later hour."""


def weigh(seen: View, legal: Sequence[Action]) -> list[tuple[Action, float]]:
    """Return each action with its estimated gain in points, based only on the seat's view.

    Some actions, such as choosing Black Jack's card, are not estimated: their gain is 0. In a spectator's view, the
    gain of every action is 0.
    """
    if seen.seat is None:
        return [(action, 0.0) for action in legal]
    return [(action, _weigh(action, seen, seen.seat)) for action in legal]


def _weigh(action: Action, seen: View, seat: int) -> float:
    match action:
        case moves.Choose("rum"):
            return max(_bring(seen, seat, number) for number in NUMBERS) - LATER
        case moves.Choose(int() as card):
            return _bring(seen, seat, card) * max(0.0, 1 - STOPPED * _holders(seen, seat, card))
        case moves.Name(number) if seen.captains[seat].laid == "rum":
            return float(_bring(seen, seat, number))
        case moves.Bid(sailor) | moves.Give(sailor):
            return float(-_change(seen, seat, without=sailor))
        case moves.Rob(sailor) | moves.Fish(sailor):
            return float(_change(seen, seat, also=sailor))
        case _:
            return 0.0


def _bring(seen: View, seat: int, number: int) -> int:
    """Return the points that the seat gains by taking the open sailor who is ``number`` fields ahead of its captain."""
    field = seen.captains[seat].field
    top = None if field is None else seen.taverns[(field + number) % FIELDS].top
    return 0 if top is None else _change(seen, seat, also=top)


def _change(seen: View, seat: int, *, also: Sailor | None = None, without: Sailor | None = None) -> int:
    """Return the points that the crew would gain with the sailor ``also``, or lose without the sailor ``without``."""
    crew = seen.crews[seat]
    if also is not None:
        return reckon((*crew.sailors, also)).worth - crew.worth
    return crew.worth - reckon(one for one in crew.sailors if one != without).worth


def _holders(seen: View, seat: int, card: Step) -> int:
    return sum(card in captain.left for other, captain in enumerate(seen.captains) if other != seat)
