"""The viewer's standing order for the bidding: the form to give the order, and the line that shows it."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.games.halunken.cards import Sailor
from spelunke.games.halunken.orders import active_order, find_auction
from spelunke.games.halunken.state import HOURS
from spelunke.games.halunken.ui.frame import Frame


def render_orders(frame: Frame) -> Markup:
    """Render the form for the standing order with which the server bids for the viewer.

    Render nothing in a replay, on a page for several people, for a spectator, after the player has resigned, and for a seat
    that has no more auctions in this match. Also render nothing before the seat that opens the bidding is decided.
    """
    seen = frame.view
    auction = find_auction(seen)
    barred = frame.scene.past or frame.scene.shared or not frame.scene.takes_orders
    if frame.me is None or seen.opener is None or auction is None or barred:
        return NOTHING
    sailors = seen.crews[frame.me].sailors
    return frame.kept("orders", (sailors, auction, frame.scene.private), lambda: _orders(frame, sailors))


def render_active_order(frame: Frame) -> Markup:
    """Render a line with the viewer's standing order, and a button to end the order.

    If the viewer has no active standing order, or in a replay, render nothing.
    """
    told = say_active_order(frame)
    if not told:
        return NOTHING
    return html(
        '<p class="hk-bids" id="{}-bids"><span>{}</span>'
        '<button class="button quiet" name="standing" value="clear">{}</button></p>',
        frame.id,
        told,
        frame.say("End the order"),
    )


def say_active_order(frame: Frame) -> str:
    """Return a sentence with the limit and the hours of the viewer's active standing order.

    If the viewer has no active order, or has resigned, or in a replay, return an empty text.
    """
    if frame.me is None or frame.scene.private is None or frame.scene.past or not frame.scene.takes_orders:
        return ""
    order, _ = active_order(frame.scene.private, frame.view), frame._
    if order is None:
        return ""
    hour = _hour_of(order.hour)
    if order.up_to is None:
        told = (
            _("With your order, you pass in the bidding of every hour.")
            if hour is None
            else _("With your order, you pass in the bidding of hour {hour}.")
        )
        return told.format(hour=hour)
    told = (
        _("Your order bids up to value {value} in every hour.")
        if hour is None
        else _("Your order bids up to value {value} in hour {hour}.")
    )
    return told.format(value=order.up_to.value, hour=hour)


def _hour_of(auction: int | None) -> int | None:
    """Return the hour of an auction, counted from 1 in each game of the match.

    ``auction`` is the number of the auction, counted from 1 over all games of the match. Each hour has one auction.
    """
    return None if auction is None else (auction - 1) % HOURS + 1


def _orders(frame: Frame, sailors: tuple[Sailor, ...]) -> Markup:
    auction = find_auction(frame.view)
    order = active_order(frame.scene.private, frame.view)
    limits = {s.value: s for s in sorted(sailors, key=lambda s: (s.value, -s.colour.number))}
    if order and order.up_to:
        limits.setdefault(order.up_to.value, order.up_to)
    now = None if order is None or order.up_to is None else order.up_to.value
    choices = [html('<option value="pass">{}</option>', frame.say("none: always pass"))]
    choices += [
        html(
            '<option value="{}"{}>{}</option>',
            limits[value],
            flag("selected", value == now),
            frame.say("value {value} ({sailor})", value=value, sailor=frame.sailor(limits[value])),
        )
        for value in sorted(limits)
    ]
    every = order is not None and order.hour is None
    return html(
        '<details class="hk-standing" id="{}-order" data-closes><summary>{}</summary>'
        '<div class="hk-order"><p>{}</p><label>{} <select name="order.up_to">{}</select></label>'
        '<label>{} <select name="order.hours"><option value="next">{}</option>'
        '<option value="every"{}>{}</option></select></label>'
        '<button class="button" name="standing" value="set">{}</button></div></details>',
        frame.id,
        frame.say("Change the order that bids for you") if order else frame.say("Let an order bid for you"),
        frame.say(
            "On your turn, the order offers your lowest sailor that beats the last offer, whatever the colour. If "
            "this sailor is worth more than you allow, the order passes. Only you know about the order."
        ),
        frame.say("Highest offer"),
        join(choices),
        frame.say("For how long"),
        frame.say("only in hour {hour}", hour=_hour_of(auction)),
        flag("selected", every),
        frame.say("in every hour, until I end it"),
        frame.say("Save this order"),
    )
