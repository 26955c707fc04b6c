"""The viewer's cards: boxes to be picked, in the order of their suits; what is new, what fits, what is set aside."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
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
        marks = html('<span class="sg-new">{}</span>', frame.say("new")) if is_new else NOTHING
        if card in fitting:
            marks += html(
                '<span class="sg-fits" aria-hidden="true">+</span><span class="sr">{}</span>',
                frame.say("fits a meld"),
            )
        state = flag("checked", key in frame.picked)
        if key in kept:
            state = flag("disabled", True)
            said = frame.say("set aside as meld {n}", n=kept[key])
            marks = html(
                '<span class="sg-aside-no" aria-hidden="true">{}</span><span class="sr">{}</span>',
                kept[key],
                said,
            )
        classes = f"sg-card r{rank_at} n{at}{' new' if is_new else ''}{' fits' if card in fitting else ''}"
        items.append(
            html(
                '<li class="{}{}" data-card="{}">'
                '<label for="{}"><input type="checkbox" id="{}" name="card" value="{}"{}>'
                '{}<span class="sr">{}</span>{}</label></li>',
                classes,
                " aside" if key in kept else "",
                key,
                name,
                name,
                key,
                state,
                art.card(card),
                frame.spoken(card),
                marks,
            )
        )
    # Only an answer to what was pressed says what is set aside: a push does not know of it. A round has its own.
    told = flag("data-told", bool(frame.scene.draft))
    field = html(
        '<input type="hidden" id="{}-aside-{}" name="{}" value="{}"{}>',
        frame.id,
        seen.lap,
        FIELD,
        write_aside(aside),
        told,
    )
    return html(
        '<ul id="{}-hand" class="sg-hand c{}" data-sortable="hand-{}" data-draft>{}<li hidden>{}</li></ul>',
        frame.id,
        min(len(seen.hand), 15),
        frame.scene.table,
        join(items),
        field,
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
