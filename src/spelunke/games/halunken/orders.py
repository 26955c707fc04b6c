"""Standing orders: the server bids for a seat, up to a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spelunke.core.errors import BadText
from spelunke.games.halunken.cards import Sailor, parse_sailor
from spelunke.games.halunken.moves import Action, Bid, Pass
from spelunke.games.halunken.view import View


def action_by_orders(orders: object, view: View, legal: Sequence[Action]) -> Action | None:
    """Return the bid or pass that a seat's standing orders choose now, or None if the seat has to decide.

    ``orders`` is a mapping. Its key ``up_to`` has the highest sailor to offer (``grey 9``), or ``pass`` to never
    bid. The bid is the lowest legal sailor up to this limit. If there is none, the seat passes. Other
    keys are ignored. If the orders can't be read, or if the seat can't pass now, return None.
    """
    if not isinstance(orders, Mapping) or Pass() not in legal:
        return None
    text = orders.get("up_to")
    if not isinstance(text, str) or not text.strip():
        return None
    if text.strip().lower() == "pass":
        return Pass()
    try:
        limit = parse_sailor(text)
    except BadText:
        return None
    if view.bidder == view.seat:
        return None
    bids = [action for action in legal if isinstance(action, Bid) and _rank(action.sailor) <= _rank(limit)]
    return min(bids, key=lambda bid: _rank(bid.sailor)) if bids else Pass()


def _rank(sailor: Sailor) -> tuple[int, int]:
    return (sailor.value, -sailor.colour.number)
