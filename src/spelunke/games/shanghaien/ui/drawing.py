"""The table of Shanghaien as one SVG drawing, for link previews and for files.

The row is in the upper half, because the title covers the lower half of a link preview.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markupsafe import Markup

from spelunke.boards.drawing import HEIGHT, WIDTH, nest, shorten
from spelunke.boards.markup import NOTHING, html, join, rewrite
from spelunke.boards.scene import Scene
from spelunke.games.shanghaien.cards import End, Trick
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import Crew

CARD, GAP, TOP, LEFT = 112, 14, 66, 229
DIE = 34
HALF = 56
"""The width of the place for a trick card in a player's panel. Four places fit in a row."""
_SYMBOL = re.compile(r'<symbol id="sh-(?:(?P<nation>[se])|d|captain-)(?P<n>\d)\b.*?</symbol>')
_TONE = re.compile(r'class="sh-(?:h|hl|d|piece|die-body)(?=")')


@cache
def _sprite() -> Markup:
    """Return the sprite. Unlike on a page, its symbols contain classes for the colours of nations and sides.

    On a page, these classes are not needed: a symbol inherits the colours from the element that refers to it. But
    programs that turn an SVG file into a picture may not support this inheritance.
    """

    def colour(symbol: Markup) -> Markup:
        found = _SYMBOL.match(symbol)
        assert found is not None
        kind = f"{'n' if found['nation'] else 's'}{found['n']}"
        return rewrite(symbol, _TONE, lambda tone: html("{} {}", tone, kind))

    return rewrite(art.render_sprite(), _SYMBOL, colour)


def render_drawing(scene: Scene) -> Markup:
    """Return the row with its dice, and below it a panel for each player."""
    frame = Frame(scene)
    return html(
        '<svg viewBox="0 0 {} {}"><g font-family="House Slab" font-weight="700" fill="#f6eedd">{}{}{}{}{}</g></svg>',
        WIDTH,
        HEIGHT,
        _sprite(),
        nest(art.tavern(), 0, 0, 1200, 640),
        join(_claim(frame, claim) for claim in frame.view.row),
        _ends(frame) + _roll(frame),
        join(_party(frame, side) for side in (0, 1)),
    )


def _claim(frame: Frame, claim: Claim) -> Markup:
    """Draw a card of the row with the dice of both sides."""
    x = LEFT + (claim.place - 1) * (CARD + GAP)
    assert claim.card is not None
    number = NOTHING
    if claim.number:
        number = html(
            '<circle cx="{}" cy="{}" r="14" fill="#070e17" stroke="#f5b44c"/>'
            '<text x="{}" y="{}" font-size="18" text-anchor="middle">{}</text>',
            x + CARD / 2,
            TOP + CARD * 1.5,
            x + CARD / 2,
            TOP + CARD * 1.5 + 6,
            claim.number,
        )
    dice = NOTHING
    for side, y in ((1, TOP - DIE - 6), (0, TOP + CARD * 1.5 + 18)):
        count = claim.dice[frame.seats[side]]
        step = min(DIE + 3, (CARD - DIE) / max(1, count - 1))
        first = x + (CARD - DIE - step * (count - 1)) / 2
        dice += join(nest(art.die(side, claim.number), first + step * n, y, DIE, DIE) for n in range(count))
    card = art.back() if claim.down else frame.render_card(claim.card)
    return html("{}{}{}", nest(card, x, TOP, CARD, CARD * 1.5), number, dice)


def _ends(frame: Frame) -> Markup:
    """Mark the end of the row at which card 1 lies. If this end is not chosen yet, draw nothing."""
    end = frame.view.end
    if end is None or not frame.view.row:
        return NOTHING
    x, arrow = (LEFT - 50, "1 →") if end is End.LEFT else (WIDTH - LEFT + 50, "← 1")
    return html(
        '<text x="{}" y="{}" font-size="34" fill="#f5b44c" text-anchor="middle">{}</text>', x, TOP + 95, arrow
    )


def _roll(frame: Frame) -> Markup:
    """Draw the dice that were rolled and not laid yet, at the right of the row.

    The viewer's dice are at the row's lower edge, and the other player's dice at its upper edge.
    """
    seen = frame.view
    if seen.rolled is None or seen.turn is None:
        return NOTHING
    side = frame.side(seen.turn)
    y = TOP - 30 if side else TOP + CARD * 1.5 - 24
    return join(nest(art.die(side, value), 1050 + 60 * n, y, 52, 52) for n, value in enumerate(seen.rolled))


def _party(frame: Frame, side: int) -> Markup:
    """Draw a player's panel: name, points, dice and trick cards that are left, and the crew by nation."""
    seen, seat = frame.view, frame.seats[side]
    x, y = 30 + 580 * side, 318
    has = NOTHING if seen.spent[seat] else nest(art.captain(side), x + 24, y + 46, 30, 41)
    has += join(nest(art.die(side), x + 66 + 36 * n, y + 52, 30, 30) for n in range(seen.supply[seat]))
    has += _tricks(seen.tricks[seat], x + 300, y)
    return html(
        '<rect x="{}" y="{}" width="560" height="294" rx="10" fill="#070e17" fill-opacity=".84"/>'
        '<rect class="sh-die-body s{}" x="{}" y="{}" width="8" height="294" rx="4"/>'
        '<text x="{}" y="{}" font-size="26">{}</text>'
        '<text x="{}" y="{}" font-size="26" fill="#f5b44c" text-anchor="end">{} {}</text>{}{}',
        x,
        y,
        side,
        x,
        y,
        x + 26,
        y + 36,
        shorten(frame.name(seat), 24),
        x + 540,
        y + 36,
        seen.points[seat],
        frame.say_many("point", "points", seen.points[seat]),
        has,
        join(
            _crew(frame, crew, x + 26 + 270 * (n // 4), y + 104 + 46 * (n % 4))
            for n, crew in enumerate(seen.crews[seat])
        ),
    )


def _tricks(tricks: Sequence[Trick], x: float, y: float) -> Markup:
    """Draw up to four trick cards in one row, and more in two rows. If there are more than eight, draw them smaller."""
    across = max(4, -(-len(tricks) // 2))
    width, first = HALF * 4 / across, y + (50 if len(tricks) <= 4 else 42)
    return join(
        nest(
            art.half(art.TRICKS[trick][-1]),
            x + width * (n % across),
            first + 31 * (n // across),
            width - 4,
            (width - 4) * 0.56,
        )
        for n, trick in enumerate(tricks)
    )


def _crew(frame: Frame, crew: Crew, x: float, y: float) -> Markup:
    """Draw a nation's letter, the values of its sailors, a star for each joker, and the crew's strength."""
    values = " ".join([*map(str, crew.values), *("★" for _ in crew.jokers)])
    return html(
        '<rect class="sh-h n{}" x="{}" y="{}" width="34" height="34" rx="5" stroke="#191613"/>'
        '<text x="{}" y="{}" font-size="21" fill="#191613" text-anchor="middle">{}</text>'
        '<text x="{}" y="{}" font-size="20">{}</text>'
        '<text x="{}" y="{}" font-size="22" fill="{}" text-anchor="end">{}</text>',
        crew.nation.number,
        x,
        y,
        x + 17,
        y + 25,
        frame.letter(crew.nation),
        x + 46,
        y + 25,
        values if len(values) <= 15 else f"{values[:14]}…",
        x + 248,
        y + 25,
        "#f5b44c" if crew.gain else "#b7b0a0",
        crew.strength or "",
    )
