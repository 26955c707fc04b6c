"""The viewer's cards: boxes to be picked, in the order of their suits; what is new, what fits, what is set aside."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import FIELD, write_aside
from spelunke.games.sanghai.cards import SUITS, Card, rank_of, suit_of
from spelunke.games.sanghai.happenings import Drew, HepWon, Swapped, Took
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame

BY_RANK_SUITS = "shcd"


def sort_by_suit(hand: Sequence[Card]) -> list[Card]:
    """The order in which the cards of a hand are numbered."""
    return sorted(hand, key=lambda c: (c == "*", SUITS.index(suit_of(c)) if c != "*" else 9, rank_of(c)))


def find_fitting(frame: Frame) -> set[Card]:
    """Cards of the hand that may be added to a meld on the table now."""
    return {action.card for kind in (moves.Add, moves.Swap) for action, _text in frame.legal[kind]}


def render_cards(frame: Frame) -> Markup:
    """The hand as a list that is drawn anew by itself when melds are set aside."""
    seen = frame.view
    fresh = _new_cards(frame)
    by_suit = sort_by_suit(seen.hand)
    by_rank = sorted(seen.hand, key=lambda c: (c == "*", rank_of(c), BY_RANK_SUITS.find(suit_of(c))))
    fitting = find_fitting(frame)
    aside = frame.aside
    kept = {key: n for n, one in enumerate(aside, 1) for key in one.keys}
    taken: dict[Card, int] = {}
    items = []
    for at, card in enumerate(by_suit):
        nth = taken.get(card, 0)
        taken[card] = nth + 1
        is_new = fresh.count(card) > 0 and nth == by_suit.count(card) - 1
        rank_at = [k for k, c in enumerate(by_rank) if c == card][nth]
        key = f"{card}.{nth + 1}"
        name = f"{frame.id}-c-{'x' if card == '*' else card}-{nth + 1}"
        marks = f'<span class="sg-new">{frame.say("new")}</span>' if is_new else ""
        if card in fitting:
            marks += f'<span class="sg-fits" aria-hidden="true">+</span><span class="sr">{frame.say("fits a meld")}</span>'
        state = " checked" if key in frame.picked and key not in kept else ""
        if key in kept:
            state = " disabled"
            said = frame.say("set aside as meld {n}", n=kept[key])
            marks = f'<span class="sg-aside-no" aria-hidden="true">{kept[key]}</span><span class="sr">{said}</span>'
        classes = f"sg-card r{rank_at} n{at}{' new' if is_new else ''}{' fits' if card in fitting else ''}"
        items.append(
            f'<li class="{classes}{" aside" if key in kept else ""}" data-card="{escape(key)}">'
            f'<label for="{escape(name)}"><input type="checkbox" id="{escape(name)}" name="card" value="{escape(key)}"{state}>'
            f'{art.card(card)}<span class="sr">{escape(frame.spoken(card))}</span>{marks}</label></li>'
        )
    # Only an answer to what was pressed says what is set aside: a push does not know of it. A round has its own.
    told = " data-told" if frame.scene.draft else ""
    field = f'<input type="hidden" id="{escape(frame.id)}-aside-{seen.lap}" name="{FIELD}" value="{escape(write_aside(aside))}"{told}>'
    return Markup(
        f'<ul id="{escape(frame.id)}-hand" class="sg-hand c{min(len(seen.hand), 15)}" data-sortable="hand-{escape(frame.scene.table)}" data-draft>'
        f"{''.join(items)}<li hidden>{field}</li></ul>"
    )


def _new_cards(frame: Frame) -> list[Card]:
    """Cards that came since the viewer's own last act; a discard of one's own ends the mark."""
    found: list[Card] = []
    for event in frame.scene.last:
        if isinstance(event, Drew | Took | HepWon) and event.seat == frame.me and event.card:
            found.append(event.card)
        elif isinstance(event, Swapped) and event.seat == frame.me:
            found.append(event.got)
    return found
