"""The preview of a form that the player has not sent yet, and the move text for a form's fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from spelunke.core.errors import BadInput
from spelunke.games.hooks import Fields
from spelunke.games.sanghai.aside import FIELD, card_in, lay_aside, read_aside
from spelunke.games.sanghai.happenings import Event
from spelunke.games.sanghai.orders import (
    BY_TEXT,
    choose_orders,
    compose_orders,
    mean_the_same,
    orders_of,
    read_orders,
)
from spelunke.games.sanghai.rehearsal import Rehearsal, rehearse
from spelunke.games.sanghai.tray import Tray, check_tray
from spelunke.games.sanghai.view import View


class Draft(msgspec.Struct, frozen=True):
    """The preview of a viewer's picked cards and standing orders.

    ``tray`` compares the picked cards with the contract. It is None if there is no form, or if the viewer has
    nothing to lay. ``orders`` has the calls and passes that the standing orders in the form would have made so far. If
    the form has no orders, the stored orders are used. If there are no stored orders either, ``orders`` is None. If the
    orders in the form can't be read, ``orders`` is None, and ``trouble`` has the reason.
    """

    tray: Tray | None = None
    orders: Rehearsal | None = None
    trouble: str = ""


def preview_draft(
    fields: Fields, view: View, events: Callable[[], Iterable[Event]], orders: object
) -> Draft | None:
    """Return the preview of a form that the player has not sent yet. Change nothing.

    The form fields are ``card`` (picked cards), ``aside`` (melds that are set aside), ``order.text``,
    ``order.call`` and so on. ``events()`` returns all events so far, as the seat may see them. If the fields contain no
    orders, the preview shows the stored orders. Return None for a spectator.
    """
    if view.seat is None:
        return None
    tray = None
    if fields:  # a page sends no field for an unchecked box
        aside, picked, amiss = read_aside(fields, view)
        tray = check_tray(view, [card_in(key) for key in picked], aside, amiss=amiss)
    last = len(view.contracts)
    try:
        typed = _typed(fields, orders, last)
        known = read_orders(typed, last) if typed is not None else orders_of(orders)
    except BadInput as error:
        return Draft(tray, None, error.reason)
    if known is None or not (known.wants or known.limits):
        return Draft(tray)
    return Draft(tray, rehearse(known, events(), view))


def _typed(fields: Fields, orders: object, last: int) -> str | None:
    """Return the text of the orders in the form's fields, or None if the fields contain no orders.

    If the player changed the text field, return its text. If they changed only other fields, return the text of the
    orders that these fields express. If they changed no field, return the stored text.
    """
    written = fields.get("order.text")
    kept = str(orders.get("text", "")) if isinstance(orders, Mapping) else ""
    chosen = compose_orders(
        {name: fields.get(f"order.{name}", ("",))[-1] for name in ("call", "most", "from", "to")}, last
    )
    by_form = "order.call" in fields and fields["order.call"][-1] != BY_TEXT
    if by_form and (not written or mean_the_same(written[-1], kept)):
        return chosen if chosen != compose_orders(choose_orders(kept, last), last) else kept
    return written[-1] if written else None


def compose_move(fields: Fields) -> str:
    """Return the move text for the fields of a form.

    The field ``do`` is ``lay``, ``discard`` or ``add``. The field ``card`` has the checked cards; ``7s.2`` is the
    second seven of spades.

    For ``lay``, the move text has the melds that the player typed into the field ``melds``. If they typed nothing,
    it has the melds that are set aside. If no melds are set aside, it has the checked cards. For ``add``, the field
    ``to`` has the number of the meld to which the checked cards are added.
    """
    cards = [card.partition(".")[0] for card in fields.get("card", ())]
    do = (fields.get("do") or ("",))[0]
    typed = (fields.get("melds") or ("",))[0].strip()
    aside = (fields.get(FIELD) or ("",))[0].strip()
    if do == "lay" and aside and not typed:
        return lay_aside(aside)
    if do == "lay":
        return f"lay {typed}" if typed else "lay " + " ".join(cards)
    if do == "add":
        return f"add {' '.join(cards)} to {(fields.get('to') or ('',))[0]}".strip()
    return f"{do} {' '.join(cards)}".strip()
