"""Standing orders: the server bids for a seat, up to a limit, in one auction or in every auction to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from spelunke.core.errors import BadInput, BadText
from spelunke.games.halunken.cards import Sailor, parse_sailor
from spelunke.games.halunken.moves import Action, Bid, Pass
from spelunke.games.halunken.position import PHASES
from spelunke.games.halunken.state import BIDDING, HOURS
from spelunke.games.halunken.view import View

EVERY_HOUR = "every hour"
"""The words at the end of an order's text, as in ``grey 9 every hour``.

An order with these words lasts until its owner ends it.
"""


class Order(msgspec.Struct, frozen=True):
    """A standing order, as read from its stored value.

    The seat offers no sailor of a higher value than ``up_to``. If ``up_to`` is None, it always passes. ``hour`` is the
    hour of the only auction in which the order bids, counted from the first game of the match (see `find_auction`). If
    ``hour`` is None, the order bids in every hour. If the seat had made the last offer when the player gave the order,
    ``own`` is this offer. Otherwise ``own`` is an empty text.
    """

    up_to: Sailor | None
    hour: int | None = None
    own: str = ""


def find_auction(view: View) -> int | None:
    """Return the hour of the current or next auction in which the viewer's seat can bid, or None if there is none.

    Hours are counted through all games of a match: the first hour of the second game is 9.
    """
    if view.mode == "beginner" or view.seat is None or view.phase == "over":
        return None
    now = view.games * HOURS + view.hour
    phase = PHASES.index(view.phase)
    if phase < BIDDING or (phase == BIDDING and not _has_bid(view, view.seat)):
        return now
    return now + 1 if now < view.match * HOURS else None


def _has_bid(view: View, seat: int) -> bool:
    """Return whether the seat has had its last turn in this auction."""
    if view.mode == "two_player" or view.opener is None or view.turn is None:
        return seat in view.passed
    return (seat - view.opener) % view.seats < (view.turn - view.opener) % view.seats


def read_order(kept: object) -> Order | None:
    """Return the order that a stored value contains, or None if it contains none that can be read."""
    if not isinstance(kept, Mapping):
        return None
    text, hour = kept.get("up_to"), kept.get("hour")
    if not isinstance(text, str) or not text.strip() or not (hour is None or isinstance(hour, int)):
        return None
    try:
        limit = None if text.strip().lower() == "pass" else parse_sailor(text)
    except BadText:
        return None
    return Order(limit, hour, str(kept.get("own", "")))


def made_offer(kept: object, view: View) -> bool:
    """Return whether the stored order made the last offer of the auction."""
    order = read_order(kept)
    if order is None or view.offer is None or view.bidder != view.seat or order.own == str(view.offer):
        return False
    return order.hour in (None, view.games * HOURS + view.hour)


def active_order(kept: object, view: View) -> Order | None:
    """Return the stored order if it is active, else None.

    An order is active if it is for the current or next auction in which the viewer can bid (`find_auction`).
    """
    order, auction = read_order(kept), find_auction(view)
    return order if order and auction is not None and order.hour in (None, auction) else None


def check_orders(orders: object, view: View) -> dict[str, str | int]:
    """Return the mapping that the server stores for a standing order.

    ``orders`` come from a form or a client. They are a text such as ``grey 9`` or ``pass every hour``, a mapping with
    such a text under the key ``text``, or a mapping with the keys ``up_to`` (``grey 9``, ``pass``) and ``hours``.
    ``hours`` is ``next`` (only the auction of `find_auction`) or ``every``. Old clients don't send ``hours``. If it is
    left out, the order is for every hour. An order given as a text is only for the auction of `find_auction`, unless
    the text ends with ``every hour``.

    Raise BadInput if the orders can't be read, or if they are for one auction and no auction is left.
    """
    fields: Mapping[object, object] = orders if isinstance(orders, Mapping) else {"text": orders}
    text, hours = fields.get("up_to"), fields.get("hours", "every")
    if text is None:
        typed = " ".join(str(fields.get("text", "")).lower().replace(",", " ").split())
        text, hours = (
            typed.removesuffix(EVERY_HOUR).strip(),
            "every" if typed.endswith(EVERY_HOUR) else "next",
        )
    if hours not in ("next", "every"):
        raise BadInput("choose “next” or “every”", "hours")
    kept: dict[str, str | int] = {"up_to": str(text).strip()}
    if read_order(kept) is None:
        raise BadInput(f"{text!r} is not a standing order; write a sailor, like 'grey 9', or 'pass'", "up_to")
    if hours == "next":
        auction = find_auction(view)
        if auction is None:
            raise BadInput("no hour is left in which your order could bid", "hours")
        kept["hour"] = auction
    if view.offer is not None and view.bidder == view.seat:
        kept["own"] = str(view.offer)
    return kept


def write_order(order: Order) -> str:
    """Return the order as a text that `check_orders` reads."""
    limit = "pass" if order.up_to is None else str(order.up_to)
    return f"{limit} {EVERY_HOUR}" if order.hour is None else limit


def action_by_orders(orders: object, view: View, legal: Sequence[Action]) -> Action | None:
    """Return the bid or pass that a seat's standing order chooses now, or None if the seat has to decide.

    The order offers the lowest legal sailor, of any colour, whose value is at most the order's limit. If there is no
    such sailor, or if the order is to pass, the seat passes. Return None if the order can't be read or is for another
    hour, if the seat can't pass now, or if the last offer is the seat's own.
    """
    order = active_order(orders, view)
    if order is None or Pass() not in legal:
        return None
    if order.up_to is None:
        return Pass()
    if view.bidder == view.seat:
        return None
    most = order.up_to.value
    bids = [action for action in legal if isinstance(action, Bid) and action.sailor.value <= most]
    return min(bids, key=lambda bid: _rank(bid.sailor)) if bids else Pass()


def _rank(sailor: Sailor) -> tuple[int, int]:
    return (sailor.value, -sailor.colour.number)
