"""The viewer's cards as checkboxes, sorted by suit.

New cards, cards that fit a meld, and cards that are set aside are marked. This module also renders the top card of
the pile, and the controls for sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import FIELD, write_aside
from spelunke.games.sanghai.cards import SUITS, Card, rank_of, suit_of
from spelunke.games.sanghai.happenings import Discarded, Drew, HepWon, RoundScored, Swapped, Took
from spelunke.games.sanghai.ui.frame import Frame

BY_RANK_SUITS = "shcd"


def sort_by_suit(hand: Sequence[Card]) -> list[Card]:
    """Return the cards of a hand, sorted by suit and rank."""
    return sorted(hand, key=lambda c: (c == "*", SUITS.index(suit_of(c)) if c != "*" else 9, rank_of(c)))


def sort_by_rank(hand: Sequence[Card]) -> list[Card]:
    """Return the cards of a hand, sorted by rank and suit."""
    return sorted(hand, key=lambda c: (c == "*", rank_of(c), BY_RANK_SUITS.find(suit_of(c))))


def find_fitting(frame: Frame) -> set[Card]:
    """Return the cards of the hand that the viewer may now add to a meld or swap into one."""
    return {action.card for kind in (moves.Add, moves.Swap) for action, _text in frame.legal[kind]}


def render_cards(frame: Frame) -> Markup:
    """Render the hand as a list.

    If neither the hand nor the marks nor the picked cards have changed, return the markup of the last rendering.
    """
    seen = frame.view
    fresh, fitting = find_new(frame), find_fitting(frame)
    drafted = (frame.picked, frame.aside, bool(frame.scene.draft))
    rests = (seen.hand, seen.lap, fresh, fitting, drafted)
    return frame.kept("cards", rests, lambda: _cards(frame, fresh, fitting))


def _cards(frame: Frame, fresh: list[Card], fitting: set[Card]) -> Markup:
    seen = frame.view
    by_suit = sort_by_suit(seen.hand)
    by_rank = sort_by_rank(seen.hand)
    aside = frame.aside
    kept = {key: n for n, one in enumerate(aside, 1) for key in one.keys}
    taken: dict[Card, int] = {}
    items = []
    for at, card in enumerate(by_suit):
        nth = taken.get(card, 0)
        taken[card] = nth + 1
        is_new = card in fresh and nth == by_suit.count(card) - 1
        place = _Place(card, nth + 1, at, by_rank.index(card) + nth)
        key = f"{card}.{nth + 1}"
        state = _State(is_new, card in fitting, key in frame.picked, kept.get(key))
        items.append(_kept_card(frame, place, state))
    # Only the reply to a button knows the melds that are set aside; a push from the server doesn't. Each round
    # has its own field.
    told = flag("data-told", frame.scene.draft)
    field = html(
        '<input type="hidden" id="{}-aside-{}" name="{}" value="{}"{}>',
        frame.id,
        seen.lap,
        FIELD,
        write_aside(aside),
        told,
    )
    return html(
        '<ul id="{}-hand" class="sg-hand c{}" data-sortable="hand-{}-{}" data-ways="sanghai.sort" data-draft="{}" data-amiss="{}">'
        "{}<li hidden>{}</li></ul>",
        frame.id,
        _size(len(seen.hand)),
        frame.scene.table,
        frame.me,
        seen.lap,
        frame.say("You can drag a card to the discards, to a meld, or to another place in your hand."),
        join(items),
        field,
    )


def _size(cards: int) -> str:
    """Return the CSS classes for a hand of this size.

    If the hand has more than 15 cards, it gets the class for 15 cards and also the class for its own size. For
    more than 20 cards, the second class is the class for 20 cards.
    """
    return f"{cards}" if cards <= 15 else f"15 c{min(cards, 20)}"


class _Place(NamedTuple):
    """A card of the hand: its number among equal cards (from 1), and its positions if sorted by suit or by rank."""

    card: Card
    nth: int
    by_suit: int
    by_rank: int


class _State(NamedTuple):
    """The state of a card: whether it is new, fits a meld, or is picked.

    If the card is set aside, ``aside`` is the number of its meld, else None.
    """

    new: bool
    fits: bool
    picked: bool
    aside: int | None


def _kept_card(frame: Frame, place: _Place, state: _State) -> Markup:
    rests = (place, state, frame.view.lap)
    return frame.kept(("card", place.card, place.nth), rests, lambda: _card(frame, place, state))


def _card(frame: Frame, place: _Place, state: _State) -> Markup:
    card, nth, at, rank_at = place
    key = f"{card}.{nth}"
    # The id contains the round, because an equal card of the next deal is another card.
    name = f"{frame.id}-c{frame.view.lap}-{'x' if card == '*' else card}-{nth}"
    marks = html('<span class="sg-new">{}</span>', frame.say("new")) if state.new else NOTHING
    # Translators: said after the name of a black two that can stand for any card.
    wild = html('<span class="sr">{}</span>', frame.say("wild")) if frame.is_wild_two(card) else NOTHING
    if state.fits:
        marks += html(
            '<span class="sg-fits" aria-hidden="true">+</span><span class="sr">{}</span>',
            frame.say("fits a meld"),
        )
    if state.aside is not None:
        said = frame.say("put aside as meld {n}", n=state.aside)
        marks = html(
            '<span class="sg-aside-no" aria-hidden="true">{}</span><span class="sr">{}</span>',
            state.aside,
            said,
        )
    return html(
        '<li id="{}-card" class="sg-card r{}{}" data-card="{}" data-piece="hand-{}" data-from="pile-{} meld{}-{} stock">'
        '<label for="{}"><input type="checkbox" id="{}" name="card" value="{}"{}>'
        '{}<span class="sr">{}</span>{}</label></li>',
        name,
        f"{rank_at} n{at}",
        join(
            f" {word}"
            for word, on in (("new", state.new), ("fits", state.fits), ("aside", state.aside))
            if on
        ),
        key,
        card,
        card,
        frame.view.lap,
        card,
        name,
        name,
        key,
        flag("disabled", True) if state.aside is not None else flag("checked", state.picked),
        frame.face(card),
        frame.spoken(card),
        wild + marks,
    )


def find_new(frame: Frame) -> list[Card]:
    """Return the cards that came into the viewer's hand since the viewer's last action in this round."""
    found: list[Card] = []
    over = frame.view.phase == "over"
    for event in frame.scene.last:
        if isinstance(event, RoundScored) and not over:  # at the end of the game the hand stays as it is
            found = []
        if isinstance(event, Drew | Took | HepWon) and event.seat == frame.me and event.card:
            found.append(event.card)
        elif isinstance(event, Swapped) and event.seat == frame.me:
            found.append(event.got)
    return found


def render_top(frame: Frame) -> Markup:
    """Render the top card of the pile. A new discard slides from the cards of its player onto the card below it."""
    seen = frame.view
    if not seen.top:
        return html('<i class="sg-none"></i>')
    # After a draw, the top card is new only if a later discard was undone.
    played = Discarded | Took | HepWon | Drew
    last = next((e for e in reversed(frame.scene.last) if isinstance(e, played)), None)
    origin, below = "", NOTHING
    if isinstance(last, Discarded):
        origin = f"hand-{seen.top} left-{last.seat}"
        if seen.buried:
            below = html('<span class="sg-below">{}</span>', frame.face(seen.buried[-1]))
    name = f"{frame.id}-top-{seen.lap}-{seen.pile}-{'x' if seen.top == '*' else seen.top}"
    return html(
        '{}<span class="sg-top" id="{}" data-piece="pile-{}" data-from="{}">{}</span>',
        below,
        name,
        seen.top,
        origin,
        frame.face(seen.top),
    )


def render_sorting(frame: Frame) -> Markup:
    """Render the choices above the hand: its order, and how cards and hints are shown."""
    group = f"{frame.id}-sort"
    ways = (("suit", frame.say("by suit")), ("rank", frame.say("by rank")), ("own", frame.say("my order")))
    radios = join(
        html(
            '<label{}><input type="radio" name="{}" value="{}" data-sort="{}"{}>{}</label>',
            html(' title="{}"', frame.say("Drag the cards to sort them. Or use Alt and the arrow keys."))
            if way == "own"
            else NOTHING,
            group,
            way,
            way,
            flag("checked", bool(way == "suit")),
            title,
        )
        for way, title in ways
    )
    boxes = (
        ("four-colours", frame.say("four colours")),
        ("no-hints", frame.say("no hints")),
        ("best-hints", frame.say("show the best discards")),
    )
    display = join(
        html('<label class="check"><input type="checkbox" data-preference="{}"> {}</label>', name, title)
        for name, title in boxes
    )
    return html(
        '<fieldset class="sg-sort"><legend class="sr">{}</legend>{}</fieldset>'
        '<details class="sg-display"><summary>{}</summary><div class="sg-display-body">{}</div></details>',
        frame.say("Sort the hand"),
        radios,
        frame.say("Display"),
        display,
    )
