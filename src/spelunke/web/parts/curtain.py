"""Draw the curtain: a cover over the hands of cards, for people who pass one device round.

For the reasons, see docs/why/hot-seat.md.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games import find_game
from spelunke.house.messages import Look
from spelunke.house.play import Hand
from spelunke.web.parts.news import say_offers, say_undecided
from spelunke.web.words import translate as _
from spelunke.web.words import translator

CURTAIN = "-"
"""The value of the form field `seat` that closes the curtain, so that no hand is visible."""
GO_ON = "+"
"""The value of the form field `seat` that ends the summary of a round without opening a hand."""
MOST_NEWS = 2
"""The largest number of events that the curtain tells."""


def render_curtain(look: Look, hand: Hand | None) -> Markup | None:
    """Draw the curtain, with a button for each person at the device. The button opens this person's hand.

    If only one person uses the device, return None. If the game hides nothing, return an empty text.

    If a hand is open, draw instead a button that closes the curtain. Beside it, a sentence says whose hand is visible,
    unless a summary covers the hand. If the page shows a decision that needs no open hand (`Hand.decides`), draw a line
    with the name of the player to decide, and with the buttons in a menu. While everybody reads the summary of a round,
    draw a button that ends the summary. If a person has to open their hand next, this button comes last. Else it is the
    only one. In all other cases, draw the curtain with its buttons, and with the last events that everybody may know.
    """
    if hand is None:
        return None
    if not hand.curtained:
        return NOTHING
    if hand.person is not None and look.seat is not None:
        return html(
            '<div class="curtain-line"><p>{}</p>{}</div>',
            _("{name}'s hand is visible now.").format(name=look.names[look.seat])
            if look.summary is None
            else NOTHING,
            _form(look, CURTAIN, _("Close the curtain"), "curtain-close"),
        )
    first = hand.asked[0] if hand.asked else None
    buttons = _render_hands(look, hand)
    offers = say_offers(look)
    told = html("<p>{} {}</p>", offers, say_undecided(look)) if offers else NOTHING
    if hand.decides is not None:
        if offers:
            told = told + html(
                "<p>{}</p>",
                _("To answer, show your hand first. A move without an answer declines the offer."),
            )
        return html(
            '<section class="curtain-line lifted" aria-label="{}"><p>{}</p>{}'
            '<details id="hands" class="menu" hx-morph-skip><summary>{}</summary>'
            '<div class="menu-body stack tight">{}</div></details></section>',
            _("Curtain"),
            _("{name} decides; everybody may see the board.").format(name=look.names[hand.decides]),
            told,
            _("Show a hand"),
            buttons,
        )
    news = _render_news(look)
    if hand.decider is not None or (hand.summary and first is None):
        said, news = _("Read the result, then go on."), NOTHING
        buttons = _form(look, GO_ON, _("Back to the table"), "big primary")
    elif first is not None:
        said = _("Pass the device to {name}.").format(name=look.names[first])
        if hand.summary:
            buttons += _form(look, GO_ON, _("Back to the table"), "")
    elif set(look.actors) & set(hand.people) - set(hand.answered):
        said = ""  # their standing orders act in a moment
    else:
        said = _("The curtain is closed: nobody sees a hand.")
    return html(
        '<section class="curtain" aria-label="{}">{}{}{}<div class="row">{}</div></section>',
        _("Curtain"),
        html('<p class="curtain-said">{}</p>', said) if said else NOTHING,
        news,
        told,
        buttons,
    )


def _render_news(look: Look) -> Markup:
    """Draw the newest events, as spectators see them, for the person who takes the device next."""
    game = find_game(look.game)
    news = look.last if look.seat is None else ()
    news = (tuple(event for event in news if not event.detail) or news)[-MOST_NEWS:]
    told = join(html("<li>{}</li>", game.events.say(event, look.names, translator(game))) for event in news)
    return (
        html('<ul class="curtain-news" aria-label="{}">{}</ul>', _("What happened"), told) if told else told
    )


def _render_hands(look: Look, hand: Hand) -> Markup:
    """Draw a button for each person at the device. If a hand must be opened, the button of its person is the main one."""
    first = hand.asked[0] if hand.asked and hand.decider is None else None
    return join(
        _form(
            look,
            str(seat),
            _("I am {name}: show my hand").format(name=look.names[seat]),
            "big primary" if seat == first else "",
        )
        for seat in hand.people
    )


def _form(look: Look, seat: str, label: str, style: str) -> Markup:
    return html(
        '<form method="post" action="/t/{}/hand"><input type="hidden" name="seat" value="{}">'
        '<button class="button {}">{}</button></form>',
        look.table,
        seat,
        style,
        label,
    )
