"""The drawings of Shanghaien, made for this project: cards, dice, captains, and the tavern at night.

``render_sprite()`` returns the sprite, which contains every drawing once. A page contains the sprite outside of the
parts that the server pushes. The other pictures of this module refer to the sprite.
"""

from __future__ import annotations

from functools import cache, lru_cache

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.shanghaien.ui.sailors import EMBLEMS, SAILORS, Drawing, cuts, number, rays
from spelunke.games.shanghaien.ui.tavern import tavern_symbol

KEPT = 512
"""The maximum number of cached pictures of each kind. Most pictures are used again."""
LONG_NAME = 10
"""A nation's name of at least this number of letters is squeezed to fit on the card."""
LONG_WORD = 13
"""A word of at least this number of letters, under a half of a trick card, is squeezed to fit on the card."""

NATIONS: tuple[str, ...] = tuple(SAILORS)
"""The colours in the order of S-R3. The index of a colour is the number of its nation."""


# ---- dice --------------------------------------------------------------------------------------------------------

SPOTS = {
    1: ((20, 20),),
    2: ((12, 12), (28, 28)),
    3: ((11, 11), (20, 20), (29, 29)),
    4: ((12, 12), (28, 12), (12, 28), (28, 28)),
    5: ((11, 11), (29, 11), (20, 20), (11, 29), (29, 29)),
    6: ((12, 10.5), (28, 10.5), (12, 20), (28, 20), (12, 29.5), (28, 29.5)),
}
# Red dice have only round shapes; blue dice have cut corners, and pips like diamonds.
BODIES = (
    "M10 2H30Q38 2 38 10V30Q38 38 30 38H10Q2 38 2 30V10Q2 2 10 2Z",
    "M10 2H30L38 10V30L30 38H10L2 30V10Z",
)
EDGES = (
    "M5 34Q10 36 17 36L30 36Q36 36 36 30V17Q36 10 34 5Q38 6 38 10V30Q38 38 30 38H10Q6 38 5 34Z",
    "M6.5 34.5H29L35 28.5V6.5L38 10V30L30 38H10Z",
)


def draw_pip(side: int, x: float, y: float) -> str:
    """Return the path of a pip around a point: round on red dice (``side`` 0), a diamond on blue dice (``side`` 1)."""
    if side:
        return f"M{number(x)} {number(y - 4.6)}l4.6 4.6l-4.6 4.6l-4.6 -4.6Z"
    return f"M{number(x - 3.7)} {number(y)}a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0 -7.4 0Z"


def _dice() -> Markup:
    parts = []
    for side in (0, 1):
        body = html(
            '<path class="die-body" d="{}"/><path class="die-edge" d="{}"/><path class="die-line" d="{}"/>',
            BODIES[side],
            EDGES[side],
            BODIES[side],
        )
        parts.append(html('<symbol id="sh-d{}-0" viewBox="0 0 40 40">{}</symbol>', side, body))
        for value, spots in SPOTS.items():
            pips = join(draw_pip(side, x, y) for x, y in spots)
            parts.append(
                html(
                    '<symbol id="sh-d{}-{}" viewBox="0 0 40 40">'
                    '<use href="#sh-d{}-0"/><path class="p" d="{}"/></symbol>',
                    side,
                    value,
                    side,
                    pips,
                )
            )
    return join(parts)


# ---- captains ----------------------------------------------------------------------------------------------------

_CAPTAIN: Drawing = (
    ("piece", "M9 60C8 49 10 39 16 34L28 34C34 39 36 49 35 60Z"),
    ("l", "M9 60C8 49 10 39 16 34L28 34C34 39 36 49 35 60Z"),
    ("k", "M26 34C34 39 36 49 35 60L27 60C30 50 29 41 26 34Z"),
    ("p", "M14 23C14 32 18 36 22 36C26 36 30 32 30 23Z"),
    ("l", "M14 23C14 32 18 36 22 36C26 36 30 32 30 23Z"),
    ("k", "M23 23H30C30 32 26 36 22 36C25 33 25 31 24 29L26 28L23.5 26Z"),
    ("k", "M17 24.5L20.5 25.2V26.5L17 26Z"),
    ("piece", "M22 4C29 4 33 9 42 17C38 23 32 25 22 25C12 25 6 23 2 17C11 9 15 4 22 4Z"),
    ("l", "M22 4C29 4 33 9 42 17C38 23 32 25 22 25C12 25 6 23 2 17C11 9 15 4 22 4Z"),
    ("k", "M25 4.4C30 5.5 34 10 42 17C38 22 34 24 28 24.7C31 18 30 9 25 4.4Z"),
    ("p", "M5.5 17.8C12 21.5 17 22 22 22V23.2C16 23.2 10 22.3 5.5 17.8Z"),
)  # fmt: skip
_BADGES = (
    "M22 40.5a5 5 0 1 0 0 10a5 5 0 1 0 0 -10Z",
    "M22 39.5L28 45.5L22 51.5L16 45.5Z",
    "M18 44h8v3h-8Z",
)


def _layers(drawing: Drawing) -> Markup:
    """Return the paths of a drawing.

    If a shape of the tone ``h`` (hue) or ``p`` (paper) is followed by its own outline, one path draws both. Its class
    is then ``hl`` or ``pl``.
    """
    merged: list[tuple[str, str]] = []
    for tone, path in drawing:
        if tone == "l" and merged and merged[-1][1] == path and merged[-1][0] in ("h", "p"):
            merged[-1] = (f"{merged[-1][0]}l", path)
        else:
            merged.append((tone, path))
    return join(html('<path class="{}" d="{}"/>', tone, path) for tone, path in merged)


def _captains() -> Markup:
    return join(
        html(
            '<symbol id="sh-captain-{}" viewBox="0 0 44 60">{}<path class="p" d="{}"/></symbol>',
            name,
            _layers(_CAPTAIN),
            badge,
        )
        for name, badge in zip(("0", "1", "none"), _BADGES, strict=True)
    )


# ---- trick cards -------------------------------------------------------------------------------------------------

_BUST = "M0 40C0 30 5 26 11 24C7 21 6 16 6 12C4 12 3 9 4 7C8 0 24 0 28 7C29 9 28 12 26 12C26 16 25 21 21 24C27 26 32 30 32 40Z"


def _little_die(x: float, y: float, side: float, spots: int, turn: int = 0) -> Markup:
    scale = side / 40
    pips = join(draw_pip(0, *spot) for spot in SPOTS[spots])
    return html(
        '<g transform="translate({} {}) rotate({}) scale({})">'
        '<path class="p" d="{}"/><path class="l" d="{}"/><path class="k" d="{}"/></g>',
        number(x),
        number(y),
        turn,
        f"{scale:.2f}",
        BODIES[0],
        BODIES[0],
        pips,
    )


_HALVES: dict[str, Markup] = {
    "joker": html('<g transform="translate(17 12) scale(.92)"><path class="lantern" d="{}"/></g>'
'<g transform="translate(38 6) scale(1.02)"><path class="k" d="{}"/></g>'
'<g transform="translate(39.5 8.5) scale(.94)"><path class="p" d="{}"/>'
'<path class="k" d="M18 1.6C25 2 28 6 28 8C28.5 10 27.5 12 26 12C26 16 25 21 21 24C27 26 32 30 32 40H24C25 32 22 27 18 25C21 20 22 8 18 1.6Z"/></g>'
'<path class="p" d="{}"/>', _BUST, _BUST, _BUST, cuts(63, 34, 68, 47, (-1.8, 0.6), 3, 0.6)),
    "pm1": _little_die(33, 10, 34, 3)
    + html('<path class="lantern" d="M84 6L96 20H89V36H79V20H72ZM16 48L4 34H11V18H21V34H28Z"/><path class="l" d="M84 6L96 20H89V36H79V20H72ZM16 48L4 34H11V18H21V34H28Z"/>'),
    "both": _little_die(15, 8, 27, 2)
    + _little_die(58, 8, 27, 5)
    + html('<path class="lantern" d="M28.5 51L20 42H25V36H32V42H37ZM71.5 51L63 42H68V36H75V42H80Z"/>'),
    "again": _little_die(32, 6, 25, 4, 12)
    + _little_die(51, 25, 22, 1, -14)
    + html('<path class="lantern" d="M20 44C6 33 10 13 26 6L23.5 2L36 4L30.5 15L28.3 11C16 17 14 31 24 39ZM80 12C94 22 91 43 75 50L77.5 54L65 51.5L70.5 41L73 45C84 39 86 25 76 17Z"/>'),
    "sharks": html('<path class="p" d="M8 46C26 42 36 30 38 8C54 14 66 28 70 46Z"/>'
'<path class="k" d="M38 8C54 14 66 28 70 46H54C56 30 50 18 38 8Z"/>'
'<path class="lantern" d="M3 46Q12 40 21 46T39 46T57 46T75 46T97 46V50Q88 54 79 50T61 50T43 50T25 50T3 50Z"/>'),
    "exchange": _little_die(8, 18, 26, 6)
    + _little_die(63, 4, 22, 2) + _little_die(67, 29, 22, 3)
    + html('<path class="lantern" d="M38 20H51V14L61 25L51 36V30H38Z"/>'),
    "crazy": html('<g transform="translate(30 -2) scale(.92)">{}</g>'
'<path class="lantern" d="M76 10L88 6L84 24L94 26L74 50L79 31L70 29Z"/>'
'<path class="lantern" d="M24 10L12 6L16 24L6 26L26 50L21 31L30 29Z"/>', _layers(_CAPTAIN)),
}  # fmt: skip

TRICKS: dict[str, tuple[str, ...]] = {
    "pm1": ("joker", "pm1"),
    "both": ("joker", "both"),
    "again": ("joker", "again"),
    "extra": ("sharks", "exchange"),
    "crazy": ("crazy",),
}
"""The halves of every kind of trick card, from top to bottom. The crazy captain has only one."""


def _tricks() -> Markup:
    halves = join(
        html('<symbol id="sh-h-{}" viewBox="0 0 100 56">{}</symbol>', name, d) for name, d in _HALVES.items()
    )
    cards = []
    for name, parts in TRICKS.items():
        inner = join(
            html('<use href="#sh-h-{}" x="4" y="{}" width="92" height="51.5"/>', part, y)
            for part, y in zip(parts, (5, 70) if len(parts) > 1 else (46,), strict=True)
        )
        rope = html('<path class="rope" d="M9 68H91"/>') if len(parts) > 1 else NOTHING
        cards.append(
            html(
                '<symbol id="sh-t-{}" viewBox="0 0 100 150"><use href="#sh-paper"/>'
                '<rect class="night" x="5.5" y="5.5" width="89" height="139" rx="4"/>{}{}</symbol>',
                name,
                rope,
                inner,
            )
        )
    return halves + join(cards)


# ---- sailors and the back ----------------------------------------------------------------------------------------


def _sailors() -> Markup:
    parts = [
        html(
            '<symbol id="sh-rays" viewBox="0 0 100 100"><path class="ray" d="{}"/></symbol>',
            rays(50, 42, 30, 96, 34, 4.2),
        )
    ]
    for i, (drawing, emblem) in enumerate(zip(SAILORS.values(), EMBLEMS.values(), strict=True)):
        parts.append(
            html(
                '<symbol id="sh-s{}" viewBox="0 0 100 150"><use href="#sh-paper"/>'
                '<rect class="h" x="5.5" y="5.5" width="89" height="116"/>'
                '<use href="#sh-rays" x="5.5" y="27.6" width="89" height="94" preserveAspectRatio="xMidYMid slice"/>'
                '<g transform="translate(5.5 32.5) scale(.89)">{}</g>'
                '<path class="frame" d="M5.5 5.5H94.5V121.5H5.5Z"/>'
                '<path class="p" d="M0 8Q0 0 8 0H34Q38 30 5.5 38L0 38ZM100 8Q100 0 92 0H66Q62 30 94.5 38L100 38Z"/>'
                '<path class="frame" d="M34.3 5.5Q35 30 5.5 37.3M65.7 5.5Q65 30 94.5 37.3"/><use href="#sh-edge"/>'
                '</symbol><symbol id="sh-e{}" viewBox="0 0 24 24"><path class="h" fill-rule="evenodd" d="{}"/></symbol>',
                i,
                _layers(drawing),
                i,
                emblem,
            )
        )
    return join(parts)


def _back() -> Markup:
    waves = join(
        f"M5.5 {118 + 8 * i}" + "".join(f"q5.6 {(-5 if i % 2 else 5)} 11.1 0t11.1 0" for _ in range(4))
        for i in range(4)
    )
    return html(
        '<symbol id="sh-back" viewBox="0 0 100 150"><use href="#sh-paper"/>'
        '<rect class="night" x="5.5" y="5.5" width="89" height="139" rx="4"/>'
        '<path class="ray" d="{}"/>'
        '<use href="#sh-lantern" x="26" y="22" width="48" height="80"/>'
        '<path class="tide" d="{}"/><use href="#sh-edge"/></symbol>',
        rays(50, 66, 27, 50, 22, 2.2),
        waves,
    )


LANTERN = html(
    '<path class="line" d="M30 2V16M18 30C18 20 24 16 30 16C36 16 42 20 42 30"/>'
    '<path class="iron" d="M14 30H46L42 37H18ZM15 80H45L49 90H11Z"/>'
    '<path class="glass" d="M18 37H42L46 80H14Z"/><path class="flame" d="M30 44C38 55 39 62 36 68Q30 75 24 68C21 62 25 55 30 44Z"/>'
    '<path class="iron" d="M18 37L14 80H17.5L20.5 37ZM42 37L46 80H42.5L39.5 37ZM28.8 37H31.2V46H28.8Z"/>'
)


# ---- signs -------------------------------------------------------------------------------------------------------

_SIGNS = {
    "down": html('<path d="M12 22L2 10H8V2H16V10H22Z"/>'),
    "up": html('<path d="M12 2L22 14H16V22H8V14H2Z"/>'),
    "out": html('<path d="M5 2L12 9L19 2L22 5L15 12L22 19L19 22L12 15L5 22L2 19L9 12L2 5Z"/>'),
    "left": html('<path d="M2 12L14 2V8H22V16H14V22Z"/>'),
    "right": html('<path d="M22 12L10 2V8H2V16H10V22Z"/>'),
    "sharked": html('<path d="M2 20C9 18 12 12 12 3C18 6 21 12 22 20Z"/>'),
}
_GRADIENTS = html(
    '<radialGradient id="sh-glow"><stop class="glow-0" offset="0"/><stop class="glow-1" offset=".45"/><stop class="glow-2" offset="1"/></radialGradient>'
    '<linearGradient id="sh-sky" x1="0" x2="0" y1="0" y2="1"><stop class="sky-0" offset="0"/><stop class="sky-1" offset="1"/></linearGradient>'
)


@cache
def render_sprite() -> Markup:
    """Return the sprite: a hidden SVG element that contains every drawing once.

    A page contains the sprite outside of the parts that the server pushes.
    """
    signs = join(
        html('<symbol id="sh-sign-{}" viewBox="0 0 24 24">{}</symbol>', n, d) for n, d in _SIGNS.items()
    )
    body = html(
        "<defs>{}</defs>"
        '<symbol id="sh-paper" viewBox="0 0 100 150"><rect class="p" width="100" height="150" rx="8"/></symbol>'
        '<symbol id="sh-edge" viewBox="0 0 100 150"><rect class="edge" x="1" y="1" width="98" height="148" rx="7"/></symbol>'
        '<symbol id="sh-lantern" viewBox="0 0 60 96">{}</symbol>',
        _GRADIENTS,
        LANTERN,
    )
    body += _sailors() + _tricks() + _back() + _dice() + _captains() + signs + tavern_symbol()
    # A style sheet can match the copies of <use> only by single classes, so these classes have the game's own prefix.
    body = body.replace('class="', html('class="sh-'))
    return html(
        '<svg id="sh-sprite" class="sh-sprite" width="0" height="0" aria-hidden="true">{}</svg>', body
    )


def _squeeze(text: str, least: int, width: int) -> Markup:
    """Return the attributes that squeeze a text into a width. If it has fewer than ``least`` letters, return nothing."""
    if len(text) < least:
        return NOTHING
    return html(' textLength="{}" lengthAdjust="spacingAndGlyphs"', width)


@lru_cache(maxsize=KEPT)
def sailor(nation: int, value: int, letter: str, name: str) -> Markup:
    """Return a sailor's card as a decoration. The sailor's name must be beside it for screen readers."""
    fits = _squeeze(name, LONG_NAME, 65)
    return html(
        '<svg class="card n{}" viewBox="0 0 100 150" aria-hidden="true"><use href="#sh-s{}"/>'
        '<text class="value" x="17" y="29">{}</text><text class="letter" x="83" y="27">{}</text>'
        '<use class="mark" href="#sh-e{}" x="9" y="124.5" width="18" height="18"/>'
        '<text class="name" x="31" y="138"{}>{}</text></svg>',
        nation,
        nation,
        value,
        letter,
        nation,
        fits,
        name,
    )


@lru_cache(maxsize=KEPT)
def trick(kind: str, words: tuple[str, ...]) -> Markup:
    """Return a trick card with a word under each half, and space below them for the card's number."""
    heights = (65, 130) if len(words) > 1 else (130,)
    texts = join(
        html('<text class="half" x="50" y="{}"{}>{}</text>', y, _squeeze(w, LONG_WORD, 86), w)
        for w, y in zip(words, heights, strict=True)
    )
    return html(
        '<svg class="card trick" viewBox="0 0 100 150" aria-hidden="true"><use href="#sh-t-{}"/>{}</svg>',
        kind,
        texts,
    )


@lru_cache(maxsize=KEPT)
def half(name: str) -> Markup:
    """Return one half of a trick card, for its button."""
    return html(
        '<svg class="half-art" viewBox="0 0 100 56" aria-hidden="true"><use href="#sh-h-{}"/></svg>', name
    )


@lru_cache(maxsize=KEPT)
def back() -> Markup:
    """Return the back of a card."""
    return html('<svg class="card" viewBox="0 0 100 150" aria-hidden="true"><use href="#sh-back"/></svg>')


@lru_cache(maxsize=KEPT)
def die(side: int, value: int = 0, label: str = "") -> Markup:
    """Return a die of side 0 (the viewer's, red) or side 1 (blue).

    With the value 0, it is a die without pips, as in the supply.
    """
    name = html('role="img" aria-label="{}"', label) if label else html('aria-hidden="true"')
    return html(
        '<svg class="die s{}" viewBox="0 0 40 40" {}><use href="#sh-d{}-{}"/></svg>', side, name, side, value
    )


@lru_cache(maxsize=KEPT)
def captain(side: int | None, label: str = "") -> Markup:
    """Return a captain in the colour of a side (0: the viewer's).

    If ``side`` is None, return a grey captain, for example for a place that the captain has left in this round.
    """
    name = html('role="img" aria-label="{}"', label) if label else html('aria-hidden="true"')
    tone = "none" if side is None else side
    return html(
        '<svg class="captain s{}" viewBox="0 0 44 60" {}><use href="#sh-captain-{}"/></svg>', tone, name, tone
    )


@lru_cache(maxsize=KEPT)
def emblem(nation: int) -> Markup:
    """Return the emblem of a nation in its colour."""
    return html(
        '<svg class="emblem n{}" viewBox="0 0 24 24" aria-hidden="true"><use href="#sh-e{}"/></svg>',
        nation,
        nation,
    )


@lru_cache(maxsize=KEPT)
def sign(name: str) -> Markup:
    """Return a sign (an arrow, a cross or a shark's fin) in the colour of the text."""
    return html(
        '<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><use href="#sh-sign-{}"/></svg>', name
    )


@lru_cache(maxsize=KEPT)
def tavern() -> Markup:
    """Return the scene behind the row."""
    return html(
        '<svg class="tavern-art" viewBox="0 0 1200 640" preserveAspectRatio="xMidYMin slice" aria-hidden="true">'
        '<use href="#sh-tavern"/></svg>'
    )
