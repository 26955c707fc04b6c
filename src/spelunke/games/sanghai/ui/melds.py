"""The melds on the table, and what of the viewer's hand may be added to them."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.stage import render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame, button, role_in
from spelunke.games.sanghai.view import TableMeld

WHOLE_NAME, WHOLE_WORD = 18, 9
"""So many letters of a meld's owner, and of each word, have room beside the melds of a phone."""

MOST_ADDS, SMALL_HAND = 5, 8
"""Ways to add a card that fill a row on a phone; a hand that lies in one row leaves room for two. The others come when
their card is picked."""


def render_melds(frame: Frame) -> str:
    """All melds, by who laid them, with the cards of the hand that fit; empty before the first."""
    seen = frame.view
    if not seen.melds:
        return ""
    groups = []
    for seat in frame.seats:
        own = [entry for entry in seen.melds if entry.owner == seat]
        if own:
            melds = "".join(_meld(frame, entry) for entry in own)
            groups.append(
                f'<div class="sg-owner seat-{seat}"><span class="sg-whose">{_owner(frame, seat)}</span>'
                f'<ol class="sg-melds">{melds}</ol></div>'
            )
    return f'<div class="sg-laid-out" aria-label="{frame.say("Melds on the table")}">{"".join(groups)}</div>'


def _owner(frame: Frame, seat: int) -> Markup:
    """A name of two words stands whole, on two lines; a longer one is cut where the others' names differ."""
    name = frame.name(seat)
    whole = len(name) <= WHOLE_NAME and max(map(len, name.split()), default=0) <= WHOLE_WORD
    return escape(name) if whole else render_name(name, frame.scene.names)


def _meld(frame: Frame, entry: TableMeld) -> str:
    meld = entry.meld
    cards = "".join(
        f'<li class="{"wild" if wild else ""}">{art.card(card, role_in(meld, stands))}</li>'
        for card, stands, wild in zip(meld.cards, meld.stands, meld.wild, strict=True)
    )
    number = frame.say("Meld {n}: {cards}", n=entry.number, cards=frame.meld(meld))
    targets = _targets(frame, entry)
    return (
        f'<li class="sg-meld {meld.form}{" lit" if targets else ""}" id="{escape(frame.id)}-m{entry.number}">'
        f'<span class="sr">{number}</span><span class="sg-no" aria-hidden="true">{entry.number}</span>'
        f'<ol class="sg-cards" aria-hidden="true">{cards}</ol>{targets}</li>'
    )


def _targets(frame: Frame, entry: TableMeld) -> str:
    """The cards of the hand that fit here, one button each."""
    found = []
    for action, text in frame.legal[moves.Add]:
        if action.meld == entry.number:
            end = {"low": "◂", "high": "▸", None: "+"}[action.end]
            label = frame.say("Add the {card} to meld {n}", card=frame.spoken(action.card), n=entry.number)
            body = (
                f'{end}<span class="{art.suit_class(action.card)}">{escape(write_short(action.card))}</span>'
            )
            found.append(button(text, label, body, "sg-add"))
    for action, text in frame.legal[moves.Swap]:
        if action.meld == entry.number:
            label = frame.say(
                "Swap the {card} for the wild card of meld {n}",
                card=frame.spoken(action.card),
                n=entry.number,
            )
            body = f'⇄<span class="{art.suit_class(action.card)}">{escape(write_short(action.card))}</span>'
            found.append(button(text, label, body, "sg-add swap"))
    return f'<span class="sg-targets">{"".join(found)}</span>' if found else ""


def write_short(card: Card) -> str:
    """A card in two or three signs."""
    return "★" if card == "*" else card[:-1].upper() + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[-1]]


def render_fits(frame: Frame, card: Card, at: int) -> list[str]:
    """The melds that the picked card fits: the buttons beside them may be out of sight below the hand."""
    found = []
    for action, text in frame.legal[moves.Add]:
        if action.card == card:
            end = {"low": " ◂", "high": " ▸", None: ""}[action.end]
            label = frame.say("Add the {card} to meld {n}", card=frame.spoken(card), n=action.meld)
            body = f"{frame.say('Add to meld {n}', n=action.meld)}{end}"
            nth = f"-{at}{action.end or ''}"
            found.append(button(text, label, body, f"button primary sg-drop d{at}", nth=nth))
    for action, text in frame.legal[moves.Swap]:
        if action.card == card:
            label = frame.say(
                "Swap the {card} for the wild card of meld {n}", card=frame.spoken(card), n=action.meld
            )
            body = f"⇄ {frame.say('meld {n}', n=action.meld)}"
            found.append(button(text, label, body, f"button primary sg-drop d{at}", nth=f"-{at}"))
    return found


def render_adds(frame: Frame) -> str:
    """Each card that fits with the number of its meld, at the hand of a phone, where melds have no room for buttons."""
    found = []
    for action, text in frame.legal[moves.Add]:
        sign = {"low": "◂", "high": "▸", None: "+"}[action.end]
        label = frame.say("Add the {card} to meld {n}", card=frame.spoken(action.card), n=action.meld)
        found.append(button(text, label, _draw_add(sign, action.card, action.meld), "sg-add", nth="-hand"))
    for action, text in frame.legal[moves.Swap]:
        label = frame.say(
            "Swap the {card} for the wild card of meld {n}", card=frame.spoken(action.card), n=action.meld
        )
        found.append(button(text, label, _draw_add("⇄", action.card, action.meld), "sg-add", nth="-hand"))
    most = MOST_ADDS * (2 if len(frame.view.hand) <= SMALL_HAND else 1)
    return f'<div class="sg-adds">{"".join(found[:most])}</div>' if found else ""


def _draw_add(sign: str, card: Card, meld: int) -> str:
    shown = f'<span class="{art.suit_class(card)}">{escape(write_short(card))}</span>'
    return f'{shown}{sign}<span class="sg-no" data-no="{meld}"></span>'
