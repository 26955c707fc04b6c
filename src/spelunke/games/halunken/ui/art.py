"""The drawings of the harbour, made for this project.

They are SVG, and the style sheet gives them their colours. Sizes and positions are in SVG units.
"""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.halunken.cards import Sailor
from spelunke.games.halunken.state import FIELDS, JACK

WIDTH, HEIGHT = 1000, 940
CARD = (104, 128)
"""The width and height of a tavern's card on the board."""

TOP = tuple((100 + 200 * k, 112) for k in range(5))
RIGHT = ((922, 398), (922, 592))
BOTTOM = tuple((900 - 200 * k, 862) for k in range(5))
LEFT = ((78, 592), (78, 398))
PLACES = (*TOP, *RIGHT, *BOTTOM, *LEFT)
"""The centre of each tavern's card, clockwise from field 0."""
SPOTS = (
    *((x, 282) for x, _ in TOP),
    *((x - 112, y + 44) for x, y in RIGHT),
    *((x, 748) for x, _ in BOTTOM),
    *((x + 112, y + 44) for x, y in LEFT),
)
"""For each field, clockwise from field 0, the point on which a figure stands. It is in front of the tavern."""


def spot(field: int, shifted: bool = False) -> tuple[int, int]:
    """Return the point on which a figure stands on a field.

    If ``shifted`` is true, another figure already stands on this field, and the point is beside that figure.
    """
    x, y = SPOTS[field]
    return (x + 34, y + 12) if shifted else (x, y)


EMBLEMS = (
    # yellow: a sun
    html(
        '<path d="M12 1l2.3 4.4 4.5-2-.9 4.8 4.9.7-3.5 3.4 3.5 3.4-4.9.7.9 4.8-4.5-2L12 23.6l-2.3-4.4-4.5 2 .9-4.8-4.9-.7'
        'L4.700 12.300 1.200 8.900l4.900-.7-.9-4.800 4.500 2z"/>'
    ),
    # grey: an anchor
    html(
        '<path d="M12 1a3.400 3.400 0 0 1 1.500 6.400V9h4v2.600h-4v8c2.800-.5 5-2.300 5.600-4.800l-1.900.6 2.500-5 3.300 4.500-1.800-.4'
        "C20.800 19.800 17 23 12 23s-8.800-3.200-9.200-8.500l-1.800.4 3.300-4.500 2.500 5-1.900-.6c.6 2.500 2.800 4.300 5.600 4.800v-8h-4V9h4V7.400"
        'A3.400 3.400 0 0 1 12 1zm0 2.100a1.300 1.300 0 1 0 0 2.600 1.300 1.300 0 0 0 0-2.600z"/>'
    ),
    # violet: a ship's wheel
    html(
        '<path fill-rule="evenodd" d="M10.800 0h2.400v3.400a8.700 8.700 0 0 1 4 1.700l2.400-2.400 1.700 1.700-2.400 2.400a8.700 8.700 0 0 1 1.700 4H24'
        "v2.400h-3.400a8.700 8.700 0 0 1-1.700 4l2.400 2.400-1.700 1.700-2.400-2.400a8.700 8.700 0 0 1-4 1.700V24h-2.400v-3.400a8.700 8.700 0 0 1-4-1.700"
        "l-2.400 2.400-1.700-1.700 2.400-2.400a8.700 8.700 0 0 1-1.700-4H0v-2.400h3.400a8.700 8.700 0 0 1 1.700-4L2.700 4.400l1.700-1.700 2.400 2.400"
        'a8.700 8.700 0 0 1 4-1.700zM12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm0 3.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600z"/>'
    ),
    # red: a pennant
    html('<path d="M4 0h2.600v2L23 7.600 6.600 13.600V24H4z"/>'),
)
"""A sign for each colour, in a box of 24 × 24. So a player need not tell colours apart."""

HEADS = (
    # kerchief
    html(
        '<path class="hk-h" d="M8 24C8 8 20 4 32 5c12 1 18 8 19 18l6 6-9-1c-9-5-27-6-40-4z"/>'
        '<path class="hk-face" d="M12 25c9-2 24-1 34 3l1 13c0 10-8 17-17 17S13 51 12 41z"/>'
        '<path class="hk-ink" d="M18 33h8v3h-8zM34 34h8v3h-8zM28 35l4 10h-6zM20 50q9 5 19-1l1 3q-11 7-21 1z"/>'
    ),
    # knitted cap and beard
    html(
        '<path class="hk-h" d="M13 21C13 7 22 3 31 3s18 5 18 18l2 6H11z"/><path class="hk-ink" d="M10 22h42v6H10z"/>'
        '<path class="hk-face" d="M14 28h34v12c0 9-8 13-17 13s-17-4-17-13z"/>'
        '<path class="hk-ink" d="M20 32h8v3h-8zM34 32h8v3h-8zM29 34l4 8h-6zM12 38c5 6 11 5 15 4l4 3 4-3c4 1 10 2 15-4 2 16-8 24-19 24S10 54 12 38z"/>'
        '<path class="hk-face" d="M24 49h14l-2 4H26z"/>'
    ),
    # three-cornered hat
    html(
        '<path class="hk-h" d="M2 19C14 18 20 4 31 4s17 14 29 15c-6 6-16 9-29 9S8 25 2 19z"/><path class="hk-ink" d="M14 25q17 5 34 0v4q-17 4-34 0z"/>'
        '<path class="hk-face" d="M15 29q16 4 32 0l1 11c0 11-8 19-17 19S14 51 14 40z"/>'
        '<path class="hk-ink" d="M19 35l10 2v3l-10-2zM43 35l-10 2v3l10-2zM30 39l4 8h-7zM23 53q8-5 17 0l-1 3q-8-4-15 0z"/>'
    ),
    # earring and moustache
    html(
        '<path class="hk-h" d="M11 26C9 9 20 3 31 3s22 6 20 22c-5-8-11-10-17-10-9 0-19 2-23 11z"/>'
        '<path class="hk-face" d="M12 25c6-8 14-9 21-9 7 1 13 4 17 10l-1 15c-1 10-9 17-18 17S13 51 13 41z"/>'
        '<path class="hk-ink" d="M19 31h9v3h-9zM35 31h9v3h-9zM30 33l4 9h-7zM31 44c-5-3-11-1-14 4 5 2 11 1 14-1 3 2 9 3 14 1-3-5-9-7-14-4z"/>'
        '<circle class="hk-ring" cx="11" cy="46" r="4"/>'
    ),
)
"""A sailor's head for each colour, in a box of 62 × 62."""

FIGURES = (
    # captain: coat, hat, sword belt; the sign of the seat is drawn over the coat
    html(
        '<ellipse class="hk-shade" cx="0" cy="0" rx="36" ry="10"/>'
        '<path class="hk-coat" d="M-27 0c-3-26 4-48 15-57h24c11 9 18 31 15 57q-27 8-54 0z"/>'
        '<path class="hk-line" d="M0-56V3M-12-57q12 12 24 0M-27-14q27 8 54 0"/>'
        '<path class="hk-skin" d="M-13-80h26v14c0 9-6 14-13 14s-13-5-13-14z"/>'
        '<path class="hk-hat" d="M-33-82c14 0 18-19 33-19s19 19 33 19c-8 8-20 10-33 10s-25-2-33-10z"/>'
        '<path class="hk-line" d="M-9-67h5M4-67h5M-4-58h8"/>'
    ),
    # Black Jack: all in black, a red sash, a patch
    html(
        '<ellipse class="hk-shade" cx="0" cy="0" rx="42" ry="11"/>'
        '<path class="hk-black" d="M-34 2c-2-30 2-52 16-64h36c14 12 18 34 16 64q-34 9-68 0z"/>'
        '<path class="hk-sash" d="M-31-30q31 12 62 0l2 12q-33 12-66 0z"/><path class="hk-sash" d="M-6-18l-10 22 8 1 6-20z"/>'
        '<path class="hk-pale" d="M-16-88h32v16c0 10-7 16-16 16s-16-6-16-16z"/>'
        '<path class="hk-black" d="M-40-88c16-2 20-26 40-26s24 24 40 26c-8 11-24 13-40 13s-32-2-40-13z"/>'
        '<path class="hk-black" d="M-13-78h12v9h-12zM-16-80l32-4v3l-32 4zM-9-60q9 5 18 0l2 8q-11 8-22 0z"/>'
        '<path class="hk-bone" d="M-9-98q9-8 18 0v7h-18z"/>'
    ),
)

SIGNS = (
    html('<circle r="9.500"/>'),
    html('<path d="M0-12L11 0 0 12-11 0z"/>'),
    html('<path d="M-9-9H9V9H-9z"/>'),
    html('<path d="M0-12L12 9H-12z"/>'),
)
"""A sign for each captain, so that a player need not tell their colours apart."""


@cache
def render_sprite() -> Markup:
    """Return the drawings that boards refer to. Each page contains them once."""
    parts = [
        html('<symbol id="hk-emblem-{}" viewBox="0 0 24 24">{}</symbol>', k, shape)
        for k, shape in enumerate(EMBLEMS)
    ]
    parts += [
        html('<symbol id="hk-head-{}" viewBox="0 0 62 62">{}</symbol>', k, shape)
        for k, shape in enumerate(HEADS)
    ]
    parts += [
        html('<symbol id="hk-captain" viewBox="-44 -118 88 134" overflow="visible">{}</symbol>', FIGURES[0]),
        html('<symbol id="hk-jack" viewBox="-44 -118 88 134" overflow="visible">{}</symbol>', FIGURES[1]),
    ]
    parts += [
        html('<symbol id="hk-sign-{}" viewBox="-13 -13 26 26">{}</symbol>', k, shape)
        for k, shape in enumerate(SIGNS)
    ]
    parts.append(
        html(
            '<radialGradient id="hk-glow"><stop offset="0" class="hk-glow-0"/><stop offset="0.45" class="hk-glow-1"/>'
            '<stop offset="1" class="hk-glow-2"/></radialGradient>'
            '<linearGradient id="hk-sea" x2="0" y2="1"><stop offset="0" class="hk-sea-0"/><stop offset="1" class="hk-sea-1"/></linearGradient>'
        )
    )
    return html('<svg class="hk-sprite" aria-hidden="true"><defs>{}</defs></svg>', join(parts))


@cache
def emblem(colour: int) -> Markup:
    """Return the sign of a colour as a small picture within a line of text."""
    return html(
        '<svg class="hk-emblem c{}" viewBox="0 0 24 24" aria-hidden="true"><use href="#hk-emblem-{}"/></svg>',
        colour,
        colour,
    )


@cache
def sailor_shapes(sailor: Sailor) -> Markup:
    """Return the shapes of a sailor card in a box of 60 × 74."""
    return html(
        '{}<use href="#hk-head-{}" x="9" y="27" width="43" height="43"/>'
        '<rect class="hk-rim" x="1" y="1" width="58" height="72" rx="5"/>',
        _sailor_top(sailor, 72),
        sailor.colour.number,
    )


@cache
def sailor_head(sailor: Sailor) -> Markup:
    """Return the shapes of the upper edge of a sailor card, with its value and emblem, in a box of 60 × 28."""
    return html('{}<rect class="hk-rim" x="1" y="1" width="58" height="26" rx="5"/>', _sailor_top(sailor, 26))


def _sailor_top(sailor: Sailor, high: int) -> Markup:
    """Return the paper of a sailor card, which is `high` units high, and the coloured edge with value and emblem."""
    return html(
        '<rect class="hk-paper" x="1" y="1" width="58" height="{}" rx="5"/>'
        '<path class="hk-h" d="M6 1h48a5 5 0 0 1 5 5v20H1V6a5 5 0 0 1 5-5z"/>'
        '<use class="hk-on" href="#hk-emblem-{}" x="38" y="5.500" width="16" height="16"/>'
        '<text class="hk-value" x="{}" y="22">{}</text>',
        high,
        sailor.colour.number,
        20 if sailor.value > 9 else 17,
        sailor.value,
    )


@cache
def sailor(card: Sailor) -> Markup:
    """Return a sailor card as a picture of its own. The sailor's name must be beside it as text."""
    return html(
        '<svg class="hk-card c{}" viewBox="0 0 60 74" aria-hidden="true">{}</svg>',
        card.colour.number,
        sailor_shapes(card),
    )


@cache
def back_shapes() -> Markup:
    """Return the shapes of the back of a sailor card in a box of 60 × 74."""
    return html(
        '<rect class="hk-back" x="1" y="1" width="58" height="72" rx="5"/>'
        '<path class="hk-rope" d="M7 7h46v60H7z"/><use class="hk-mark" href="#hk-emblem-1" x="17" y="24" width="26" height="26"/>'
    )


@cache
def captain(seat: int) -> Markup:
    """Return a captain as a small picture within a line of text."""
    return html(
        '<svg class="hk-piece k{}" viewBox="-44 -118 88 134" aria-hidden="true">{}'
        '<g class="hk-badge" transform="translate(0 -26)">{}</g></svg>',
        seat,
        FIGURES[0],
        SIGNS[seat],
    )


@cache
def jack() -> Markup:
    """Return Black Jack as a small picture within a line of text."""
    return html(
        '<svg class="hk-piece jack" viewBox="-44 -118 88 134" aria-hidden="true">{}</svg>', FIGURES[1]
    )


@cache
def figure(number: int) -> Markup:
    """Return a figure for the board. Its feet are at the origin."""
    if number == JACK:
        return FIGURES[1]
    return html('{}<g class="hk-badge" transform="translate(0 -26)">{}</g>', FIGURES[0], SIGNS[number])


def _house(field: int) -> Markup:
    """Draw the front of a tavern: its wall, roof and windows, and for most taverns a chimney.

    The cards of the tavern are drawn over the front later.
    """
    x, y = PLACES[field]
    variant = field % 3
    roof = (
        f"M{x - 88} {y - 48}L{x} {y - 104}L{x + 88} {y - 48}z",
        f"M{x - 88} {y - 50}L{x - 70} {y - 94}H{x + 70}L{x + 88} {y - 50}z",
        f"M{x - 88} {y - 48}V{y - 66}H{x - 56}V{y - 86}H{x - 28}V{y - 102}H{x + 28}V{y - 86}H{x + 56}V{y - 66}H{x + 88}V{y - 48}z",
    )[variant]
    lit = "hk-window" if field % 4 != 3 else "hk-window dim"
    chimney = (
        html('<path class="hk-roof" d="M{} {}h16v40h-16z"/>', x + 44, y - 106) if variant != 2 else NOTHING
    )
    return html(
        '{}<path class="hk-wall w{}" d="M{} {}H{}V{}H{}z"/>'
        '<path class="hk-roof" d="{}"/>'
        '<path class="{}" d="M{} {}h14v26h-14zM{} {}h14v26h-14zM{} {}h14v26h-14zM{} {}h14v26h-14z"/>',
        chimney,
        field % 3,
        x - 82,
        y - 52,
        x + 82,
        y + 74,
        x - 82,
        roof,
        lit,
        x - 76,
        y - 30,
        x + 62,
        y - 30,
        x - 76,
        y + 16,
        x + 62,
        y + 16,
    )


def _lantern(field: int) -> Markup:
    x, y = SPOTS[field]
    return html(
        '<circle class="hk-glow" cx="{}" cy="{}" r="86"/><ellipse class="hk-stone" cx="{}" cy="{}" rx="52" ry="19"/>',
        x,
        y - 22,
        x,
        y,
    )


@cache
def scenery() -> Markup:
    """Draw the parts that never change: the night sky, houses, lanterns, quay, basin and ship."""
    ripples = join(
        html('<path class="hk-tide" d="M{} {}q14-8 28 0t28 0"/>', x, y)
        for x, y in (
            (290, 370),
            (630, 356),
            (650, 462),
            (282, 500),
            (610, 610),
            (330, 614),
            (470, 600),
            (560, 338),
        )
    )
    stones = join(
        html('<path class="hk-cobble" d="M{} {}h26"/>', x, y)
        for y in (214, 238, 700, 776)
        for x in range(30 + y % 40, 980, 92)
    )
    return html(
        '<rect class="hk-night" width="{}" height="{}" rx="16"/>'
        '<rect class="hk-quay" x="8" y="180" width="984" height="620" rx="40"/>{}'
        "{}"
        '<rect class="hk-wallstone" x="262" y="306" width="476" height="336" rx="34"/>'
        '<rect class="hk-water" x="272" y="316" width="456" height="316" rx="28"/>{}'
        "{}{}",
        WIDTH,
        HEIGHT,
        stones,
        join(_house(field) for field in range(FIELDS)),
        ripples,
        join(_lantern(field) for field in range(FIELDS)),
        _ship(),
    )


def _ship() -> Markup:
    return html(
        '<g transform="translate(500 410)"><path class="hk-reflect" d="M-120 44q120 34 240 0l-18 22q-102 24-204 0z"/>'
        '<path class="hk-hull" d="M-132 0q22 6 40 6h176q34-2 52-22l-14 48q-8 20-34 22H-78q-36-2-46-30z"/>'
        '<path class="hk-trim" d="M-126 14q20 6 38 6H90q24-2 38-12"/>'
        '<path class="hk-mast" d="M-62 4v-86M6 4v-100M72 2v-76M110-12l44-22"/>'
        '<path class="hk-sail" d="M-88-66q26 10 52 0 4 24-2 46-24 10-48 0-6-22-2-46zM-24-78q30 10 60 0 5 26-1 52-29 10-58 0-6-26-1-52zM48-60q24 8 48 0 4 20-2 40-22 8-44 0-5-20-2-40z"/>'
        '<path class="hk-sash" d="M6-96l26 7-26 8z"/><path class="hk-port" d="M-70 26h10v8h-10zM-38 28h10v8h-10zM-6 28h10v8h-10zM26 27h10v8h-10zM58 25h10v8h-10z"/></g>'
    )


@cache
def render_picture() -> Markup:
    """Return a picture of the harbour for the lobby."""
    figures = join(
        html('<g class="hk-fig k{}" transform="translate({} {})">{}</g>', seat, x, y, figure(seat))
        for seat, (x, y) in enumerate((SPOTS[1], SPOTS[5], SPOTS[10], SPOTS[12]))
    )
    doors = join(
        html('<path class="hk-door" d="M{} {}v-82q28-34 56 0v82z"/>', x - 28, y + 74) for x, y in PLACES
    )
    x, y = SPOTS[3]
    return html(
        '<svg viewBox="0 60 {} 562" preserveAspectRatio="xMidYMid slice" aria-hidden="true" class="hk-picture">{}'
        '{}{}{}<g class="hk-fig jack" transform="translate({} {})">{}</g></svg>',
        WIDTH,
        gradients(),
        scenery(),
        doors,
        figures,
        x,
        y,
        FIGURES[1],
    )


def gradients() -> Markup:
    """Return only the colour gradients, for a picture on a page without the sprite."""
    return html(
        '<defs><radialGradient id="hk-glow"><stop offset="0" class="hk-glow-0"/><stop offset="0.45" class="hk-glow-1"/>'
        '<stop offset="1" class="hk-glow-2"/></radialGradient><linearGradient id="hk-sea" x2="0" y2="1">'
        '<stop offset="0" class="hk-sea-0"/><stop offset="1" class="hk-sea-1"/></linearGradient></defs>'
    )
