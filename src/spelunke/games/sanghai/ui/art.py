"""The drawings of Sanghai, made for this project: a pack of cards with large indices and harbour pictures.

The jack is an anchor, the queen a lantern, the king a ship's wheel, and the joker a flying fish. Everything is
flat SVG that takes its colours from the style sheet. So a pack with four colours needs only other CSS classes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.sanghai.cards import JOKER_TEXT, Card
from spelunke.games.sanghai.sentences import JOKER_SIGN, LETTERS, SIGNS

SUITS = {
    "s": "M20 4C14 12 5 17 5 25c0 6 4 9 8 9 2 0 4-1 5-2 0 3-1 6-4 8h12c-3-2-4-5-4-8 1 1 3 2 5 2 4 0 8-3 8-9 0-8-9-13-15-21z",
    "h": "M20 38C12 29 4 23 4 14 4 8 8 4 13 4c3 0 6 2 7 5 1-3 4-5 7-5 5 0 9 4 9 10 0 9-8 15-16 24z",
    "d": "M20 3c4 7 9 12 14 17-5 5-10 10-14 17C16 30 11 25 6 20c5-5 10-10 14-17z",
    "c": "M20 3c-5 0-9 4-9 9 0 2 1 4 2 5-1 0-2-1-3-1-4 0-8 4-8 8s4 9 9 9c3 0 5-1 7-3 0 4-1 7-4 9h12c-3-2-4-5-4-9 2 2 4 3 7 3 5 0 9-4 9-9s-4-8-8-8c-1 0-2 1-3 1 1-1 2-3 2-5 0-5-4-9-9-9z",
}
COURT = {
    "j": html(
        '<path d="M24 8a5 5 0 1 1 0 10a5 5 0 1 1 0-10zm0 10v28M14 24h20M6 34c2 9 9 14 18 14s16-5 18-14l-8 3M6 34l8 3" class="sg-line"/>'
    ),
    "q": html(
        '<path d="M17 14h14l4 6v20l-4 6H17l-4-6V20zM19 14a5 6 0 0 1 10 0M13 21h22M13 39h22M18 50h12" class="sg-line"/>'
        '<path d="M24 24c4 5 5 7 5 10a5 5 0 0 1-10 0c0-3 1-5 5-10z" class="sg-glow"/>'
    ),
    "k": html(
        '<circle cx="24" cy="28" r="13" class="sg-line"/><circle cx="24" cy="28" r="4" class="sg-fill"/>'
        '<path d="M24 6v44M2 28h44M8.5 12.5l31 31M39.5 12.5l-31 31" class="sg-line"/>'
    ),
}
FISH = html(
    '<path d="M4 30c8-12 22-14 34-4l8-6c0 8 0 12 0 18l-8-6C26 44 12 42 4 30z" class="sg-fill"/>'
    '<path d="M18 22C16 12 22 6 32 4c-2 6-2 12 0 18M18 38c0 6 4 10 12 12-1-5-1-8 1-12" class="sg-line"/>'
    '<circle cx="13" cy="28" r="2.2" class="sg-white"/>'
)


@cache
def render_sprite() -> Markup:
    """Return the SVG symbols that the board refers to. Each page contains them once."""
    suits = join(
        html('<symbol id="sg-{}" viewBox="0 0 40 44"><path d="{}"/></symbol>', name, path)
        for name, path in SUITS.items()
    )
    court = join(
        html('<symbol id="sg-{}" viewBox="0 0 48 56">{}</symbol>', name, body) for name, body in COURT.items()
    )
    back = html(
        '<symbol id="sg-back" viewBox="0 0 60 84"><rect x="1" y="1" width="58" height="82" rx="6" class="sg-edge"/>'
        '<rect x="5" y="5" width="50" height="74" rx="3" class="sg-weave"/>'
        '<path d="M5 26l12.5-12.5L30 26l12.5-12.5L55 26M5 42l12.5-12.5L30 42l12.5-12.5L55 42'
        'M5 58l12.5-12.5L30 58l12.5-12.5L55 58M5 74l12.5-12.5L30 74l12.5-12.5L55 74" class="sg-wave"/></symbol>'
    )
    fish = html('<symbol id="sg-joker" viewBox="0 0 48 56">{}</symbol>', FISH)
    return html(
        '<svg class="sg-sprite" width="0" height="0" aria-hidden="true">{}{}{}{}</svg>',
        suits,
        court,
        fish,
        back,
    )


def suit_class(card: Card) -> str:
    """Return the CSS class for the suit of a card."""
    return "suit-x" if card == JOKER_TEXT else f"suit-{card[-1]}"


def _in_letters(draw: Callable[[str, str], Markup], letters: str, rank: str) -> Markup:
    """Return the markup of a rank. ``draw(letters, class)`` returns the markup of letters with a CSS class.

    If the reader's language writes the rank with another letter than "K", "Q", "J" or "A", the result contains both
    letters. The style sheet shows the letter that the reader prefers.
    """
    known = LETTERS.find(rank.upper())
    own = letters[known] if known >= 0 else ""
    if own in ("", rank.upper()):
        return draw(rank.upper(), "")
    return draw(rank.upper(), " in-english") + draw(own, " in-own")


def _role(text: str, kind: str) -> Markup:
    """Return the text of a label. It has at most three characters, because more would be too small to read."""
    told = text if len(text) > 2 else f"={text}"
    narrow = Markup(' textLength="42" lengthAdjust="spacingAndGlyphs"') if len(told) > 2 else NOTHING
    return html('<text x="24" y="68" class="as{}"{}>{}</text>', kind, narrow, told)


@cache
def card(card: Card, stands: Card | None = None, letters: str = LETTERS, *, wild: bool = False) -> Markup:
    """Return the front of a card.

    If the card is wild, a label at its lower edge shows the card that it stands for. In a set, the label shows only a
    rank. The label is in the part of the card that the next card of the meld does not cover.
    ``letters`` are the letters of jack, queen, king and ace in the reader's language. If ``wild``, the card has a
    joker's star below its suit.
    """
    kind = suit_class(card)
    if card == JOKER_TEXT:
        middle = html('<use href="#sg-joker" x="16" y="34" width="38" height="44"/>')
        index = html('<text x="5" y="25" class="rank">{}</text>', JOKER_SIGN)
    else:
        rank, suit = card[:-1], card[-1]
        wide = " wide" if rank == "10" else ""
        index = html(
            '{}<use href="#sg-{}" x="5" y="30" width="17" height="19"/>',
            _in_letters(
                lambda text, kind: html(
                    '<text x="{}" y="25" class="rank{}{}">{}</text>', 3 if wide else 5, wide, kind, text
                ),
                letters,
                rank,
            ),
            suit,
        )
        if wild:
            index += html('<text x="3" y="76" class="rank">{}</text>', JOKER_SIGN)
        if rank in COURT:
            middle = html('<use href="#sg-{}" x="20" y="29" width="38" height="46" class="court"/>', rank)
        elif rank == "a":
            middle = html('<use href="#sg-{}" x="20" y="36" width="38" height="42" class="pip"/>', suit)
        else:
            middle = html('<use href="#sg-{}" x="26" y="46" width="29" height="32" class="pip"/>', suit)
    role = NOTHING
    if stands and stands not in (card, JOKER_TEXT):
        rank, suit = (stands[:-1], stands[-1]) if stands[-1] in SIGNS and len(stands) > 1 else (stands, "x")
        role = html(
            '<g class="role suit-{}"><rect x="1.5" y="54" width="45.5" height="28" rx="4"/>{}</g>',
            suit,
            _in_letters(
                lambda text, kind: _role(text + SIGNS.get(suit, ""), kind),
                letters,
                rank,
            ),
        )
    return html(
        '<svg class="sg-face {}" viewBox="0 0 60 84" aria-hidden="true" focusable="false">'
        '<rect x="1" y="1" width="58" height="82" rx="6" class="paper"/>{}{}{}</svg>',
        kind,
        middle,
        index,
        role,
    )


@cache
def back() -> Markup:
    """Return a card's back."""
    return html(
        '<svg class="sg-face back" viewBox="0 0 60 84" aria-hidden="true" focusable="false"><use href="#sg-back"/></svg>'
    )


@cache
def render_picture() -> Markup:
    """Return a picture of the game for lobbies. It needs no sprite."""
    fan = NOTHING
    for at, (rank, suit) in enumerate((("7", "s"), ("7", "h"), ("7", "c"), ("★", "x"))):
        path = SUITS.get(suit, "")
        pip = (
            html('<path d="{}" transform="translate(14 28) scale(.8)"/>', path)
            if path
            else html('<g transform="translate(6 24)">{}</g>', FISH)
        )
        fan += html(
            '<g class="sg-pic suit-{}" transform="translate({} {}) rotate({} 30 84)">'
            '<rect width="60" height="84" rx="6" class="paper"/>{}<text x="7" y="23" class="rank">{}</text></g>',
            suit,
            58 + at * 46,
            34 - (at in (1, 2)) * 10,
            -15 + at * 10,
            pip,
            rank,
        )
    return html(
        '<svg class="sg-picture" viewBox="0 0 320 150" role="img" aria-hidden="true">'
        '<rect width="320" height="150" class="felt"/><path d="M0 118c40-14 80-14 120 0s80 14 120 0 60-12 80-6v38H0z" class="sea"/>'
        '{}<g class="call"><path d="M236 14h66a8 8 0 0 1 8 8v24a8 8 0 0 1-8 8h-40l-16 14 4-14h-14a8 8 0 0 1-8-8V22a8 8 0 0 1 8-8z"/>'
        '<text x="269" y="43">hep!</text></g></svg>',
        fan,
    )
