"""The table of Sanghai as one SVG drawing, for previews of links and for files.

Piles, melds and the viewer's hand are in the upper half, because the preview of a link covers the lower half with the
title of the link.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from spelunke.boards.drawing import HEIGHT, WIDTH, nest, shorten
from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Scene
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame, role_in
from spelunke.games.sanghai.view import TableMeld

RATIO = 84 / 60
"""The ratio of a card's height to its width."""
MELDS = 250
"""The left edge of the melds."""
SIZES = (64, 54, 46, 38, 32, 26, 20)
"""The possible widths of the cards in melds. The largest width at which all melds fit is used."""
PILE = 92
HALF = 304
"""The height of the upper part, which the title of a link does not cover."""


def render_drawing(scene: Scene) -> Markup:
    """Return the piles, the melds and the viewer's hand, and below them a panel for each player."""
    frame = Frame(scene)
    hand = frame.view.hand
    room = HALF - 130 if hand else HALF - 20
    return html(
        '<svg viewBox="0 0 {} {}"><g font-family="House Slab" font-weight="700" fill="#f6eedd">{}'
        '<rect width="{}" height="{}" fill="#113a38"/>{}{}{}{}</g></svg>',
        WIDTH,
        HEIGHT,
        art.render_sprite(),
        WIDTH,
        HEIGHT,
        _piles(frame),
        _melds(frame, room),
        _hand(frame, room + 14) if hand else NOTHING,
        _players(frame),
    )


def _piles(frame: Frame) -> Markup:
    """Draw the stock and the top card of the pile, with the numbers of cards in the stock and in the pile."""
    seen, y, high = frame.view, 60, PILE * RATIO
    stock = nest(art.back(), 24, y, PILE, high) if seen.stock else NOTHING
    top = nest(frame.face(seen.top), 132, y, PILE, high) if seen.top else NOTHING
    counts = join(
        html('<text x="{}" y="{}" font-size="22" text-anchor="middle">{}</text>', x, y + high + 28, count)
        for x, count in ((24 + PILE / 2, seen.stock), (132 + PILE / 2, seen.pile))
    )
    return html("{}{}{}", stock, top, counts)


def _steps(entry: TableMeld, width: float) -> list[float]:
    """Return the left edges of a meld's cards. The next card covers half of a natural card, but little of a wild card.

    The first edge is 0, and ``width`` is the width of a card.
    """
    found, x = [], 0.0
    for wild in entry.meld.wild:
        found.append(x)
        x += width * (0.92 if wild else 0.52)
    return found


def _places(melds: list[TableMeld], width: float) -> Iterator[tuple[TableMeld, float, float]]:
    """Yield each meld of ``melds``, in the same order, with the x and y of its first card in the drawing."""
    x, y = float(MELDS), 40.0
    for entry in melds:
        wide = _steps(entry, width)[-1] + width
        if x + wide > WIDTH - 20 and x > MELDS:
            x, y = float(MELDS), y + width * RATIO + 32
        yield entry, x, y
        x += wide + 26


def _melds(frame: Frame, room: float) -> Markup:
    """Draw the melds by owner, as large as the height ``room`` allows."""
    melds = sorted(frame.view.melds, key=lambda entry: (entry.owner, entry.number))
    if not melds:
        return NOTHING
    width: float = SIZES[-1]
    for size in SIZES:
        if max(y for _meld, _x, y in _places(melds, size)) + size * RATIO <= room:
            width = size
            break
    drawn = NOTHING
    for entry, x, y in _places(melds, width):
        meld = entry.meld
        drawn += html(
            '<text x="{}" y="{}" font-size="17" fill="#d9cfb8">{}</text>',
            x,
            y - 7,
            shorten(frame.name(entry.owner), 14),
        )
        drawn += join(
            nest(frame.face(card, role_in(meld, stands)), x + step, y, width, width * RATIO)
            for card, stands, step in zip(meld.cards, meld.stands, _steps(entry, width), strict=True)
        )
    return drawn


def _hand(frame: Frame, y: float) -> Markup:
    """Draw the viewer's own cards."""
    hand, width = frame.view.hand, 72.0
    step = min(width + 6, (WIDTH - MELDS - 20 - width) / max(1, len(hand) - 1))
    return join(
        nest(frame.face(card), MELDS + n * step, y, width, width * RATIO) for n, card in enumerate(hand)
    )


def _players(frame: Frame) -> Markup:
    """Draw the contract of the round, and each player's name, number of cards and points."""
    seen = frame.view
    rows = -(-seen.seats // 2)
    high = min(58.0, 240 / rows)
    title = NOTHING
    if seen.phase != "over":
        title = html(
            "{}: {}",
            frame.say("Round {n} of {all}", n=seen.lap, all=len(seen.contracts)),
            frame.contract(seen.contracts[seen.lap - 1]),
        )
    lines = []
    for at, seat in enumerate(range(seen.seats)):
        x, y = 30 + 580 * (at // rows), 366 + high * (at % rows)
        lines.append(
            html(
                '<rect x="{}" y="{}" width="560" height="{}" rx="6" fill="#06201f"{}/>'
                '<text x="{}" y="{}" font-size="23">{}</text>{}'
                '<text x="{}" y="{}" font-size="21" text-anchor="end">{}</text>'
                '<text x="{}" y="{}" font-size="25" fill="#f5b44c" text-anchor="end">{}</text>',
                x,
                y,
                high - 8,
                html(' stroke="#f5b44c" stroke-width="2"') if seat == seen.turn and title else NOTHING,
                x + 16,
                y + high / 2 + 4,
                shorten(frame.name(seat), 22),
                nest(art.back(), x + 380, y + 5, (high - 18) / RATIO, high - 18),
                x + 376,
                y + high / 2 + 4,
                seen.held[seat],
                x + 544,
                y + high / 2 + 4,
                seen.totals[seat],
            )
        )
    return html('<text x="32" y="348" font-size="24" fill="#ffe2a8">{}</text>{}', title, join(lines))
