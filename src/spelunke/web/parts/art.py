"""Drawings that pages share: the logo, two symbols, the harbour at night, and the lantern at the end of a game.

Their colours are SVG attributes. So the drawings need no style sheet, and the content security policy stays strict.
"""

from __future__ import annotations

import math
from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import html, join

INK, PAPER, LANTERN, HOT = "#0a0f16", "#f3e9d2", "#f5b44c", "#ffd98c"


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _cut(x: float, y: float, half: float, width: float) -> str:
    """Return the SVG path of a horizontal stroke around (x, y), with pointed ends. Its length is twice `half`."""
    return f"M{_n(x - half)} {_n(y)}Q{_n(x)} {_n(y - width)} {_n(x + half)} {_n(y)}Q{_n(x)} {_n(y + width)} {_n(x - half)} {_n(y)}"


# a ship's lantern in a box of 48 × 64
_LAMP = html(
    '<path fill="none" stroke="{}" stroke-width="2.6" d="M15 19C15 9 19 5 24 5C29 5 33 9 33 19"/>'
    '<path fill="{}" d="M14 22H34L38 54H10Z"/><path fill="#fff4d3" d="M24 27C31 37 31.5 42 29 46Q24 51 19 46C16.5 42 17 37 24 27Z"/>'
    '<path fill="{}" d="M10 18H38L35 23.5H13ZM9 53H39L42 61H6Z"/>'
    '<path fill="{}" d="M14.5 23.5L11 53H14L17 23.5ZM33.5 23.5L37 53H34L31 23.5ZM23 23.5H25V30H23ZM13 33.5H35.2L35.4 35.7H12.7Z"/>',
    PAPER,
    LANTERN,
    PAPER,
    INK,
)


@cache
def lantern() -> Markup:
    """Draw the lantern of the logo, 48 × 64 pixels."""
    return html('<svg viewBox="0 0 48 64" width="48" height="64" aria-hidden="true">{}</svg>', _LAMP)


@cache
def bubble() -> Markup:
    """Draw a speech bubble, 24 × 24 pixels, in the colour of the surrounding text."""
    return html(
        '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="none" stroke="currentColor" '
        'stroke-width="2" stroke-linejoin="round" d="M4 4.5H20V15.5H12L7 20V15.5H4Z"/></svg>'
    )


@cache
def brand() -> Markup:
    """Draw the logo, a lantern with rays of light. Pages show it beside the site's name."""
    rays = []
    for i in range(16):
        a = math.tau * (i + 0.5) / 16
        c, s = math.cos(a), math.sin(a)
        rays.append(
            f"M{_n(32 + c * 22)} {_n(33 + s * 22)}L{_n(32 + c * 31 - s * 1.7)} {_n(33 + s * 31 + c * 1.7)} {_n(32 + c * 31 + s * 1.7)} {_n(33 + s * 31 - c * 1.7)}Z"
        )
    return html(
        '<svg viewBox="0 0 64 66" width="38" height="38" aria-hidden="true"><path fill="{}" d="{}"/>'
        '<g transform="translate(14.4 9) scale(.735)">{}</g></svg>',
        LANTERN,
        "".join(rays),
        _LAMP,
    )


@cache
def bell() -> Markup:
    """Draw a ship's bell, the symbol for notifications."""
    return html(
        '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="currentColor">'
        '<path d="M12 2.2a1.8 1.8 0 0 0-1.7 2.3C7.6 5.3 6.2 7.6 6.1 10.4 6 14 5 15.9 3.2 17.3v1.2h17.6v-1.2'
        'C19 15.9 18 14 17.9 10.4 17.8 7.6 16.4 5.3 13.7 4.5A1.8 1.8 0 0 0 12 2.2ZM9.6 19.7a2.4 2.4 0 0 0 4.8 0Z"/></svg>'
    )


# ---- the harbour at night ------------------------------------------------------------------------------------------


def _ship(x: float, y: float, scale: float) -> Markup:
    """Draw a three-master at anchor with furled sails. Its waterline is at (x, y)."""
    hull = "M-150 -34Q-154 -44 -166 -52L-118 -46H96L150 -62Q140 -20 112 0H-128Q-146 -14 -150 -34Z"
    spars = ""
    for mast, tall in ((-92, 268), (-4, 316), (84, 244)):
        spars += f"M{mast - 3} -44L{mast - 1.2} {-tall}H{mast + 1.2}L{mast + 3} -44Z"
        for part, wide in ((0.42, 54), (0.64, 43), (0.83, 30)):
            level = -44 - (tall - 44) * part
            spars += f"M{mast - wide} {_n(level - 2)}H{mast + wide}V{_n(level + 2)}H{mast - wide}Z"
            spars += f"M{mast - wide + 4} {_n(level + 2)}Q{mast - wide / 2} {_n(level + 13)} {mast} {_n(level + 4)}Q{mast + wide / 2} {_n(level + 13)} {mast + wide - 4} {_n(level + 2)}Z"
    spars += "M142 -58L226 -100L227 -97L148 -54Z"
    lines = "M226 -98L84 -240M226 -98L-4 -310M-92 -264L-4 -312L84 -240M-164 -50L-92 -262M-140 -44L-92 -200M-44 -44L-92 -200M-52 -44L-4 -230M44 -44L-4 -230M40 -44L84 -190M126 -52L84 -190"
    ports = "".join(f"M{px} -28h8v8h-8Z" for px in range(-116, 100, 30))
    return html(
        '<g transform="translate({} {}) scale({})"><path fill="{}" d="{}{}"/><path fill="none" stroke="{}" stroke-width="1.6" d="{}"/>'
        '<path fill="{}" d="{}M-158 -64h9v11h-9Z"/><path fill="none" stroke="#2c4a66" stroke-width="2" d="M-146 -14Q-10 -8 128 -20M-136 -6Q-10 0 118 -8"/></g>',
        x,
        y,
        scale,
        INK,
        hull,
        spars,
        INK,
        lines,
        LANTERN,
        ports,
    )


def _junk(x: float, y: float, scale: float) -> Markup:
    hull = "M-92 -22L-104 -44H-66L-60 -26H60L82 -40L72 -4Q60 4 40 4H-60Q-84 2 -92 -22Z"
    sails = "M-34 -30V-150Q24 -128 38 -44ZM44 -34V-108Q78 -94 86 -46ZM-78 -48V-104Q-46 -92 -42 -52Z"
    battens = "M-34 -126L4 -118M-34 -102L20 -92M-34 -78L30 -68M-34 -54L37 -46M44 -88L72 -80M44 -66L82 -58M-78 -86L-54 -80M-78 -66L-44 -60"
    return html(
        '<g transform="translate({} {}) scale({})"><path fill="{}" d="{}M-37 -28V-160h3V-28ZM41 -30V-116h3V-30ZM-81 -44V-112h3V-44Z"/>'
        '<path fill="#7a3326" stroke="{}" stroke-width="2.5" d="{}"/><path fill="none" stroke="{}" stroke-width="2.5" d="{}"/>'
        '<path fill="{}" d="M-98 -58h7v9h-7Z"/></g>',
        x,
        y,
        scale,
        INK,
        hull,
        INK,
        sails,
        INK,
        battens,
        LANTERN,
    )


def _captain(x: float, y: float, flip: int, lit: str) -> Markup:
    """Draw the silhouette of a captain. ``lit`` is the colour of his sash; ``flip`` is -1 for the mirror image."""
    body = "M-34 0L-26 -86Q-38 -100 -34 -132Q-30 -156 -12 -164V-174Q-22 -182 -20 -196Q-46 -200 -50 -208Q-20 -240 4 -238Q30 -236 46 -206Q38 -198 16 -196Q20 -184 14 -176L10 -172V-164Q30 -156 34 -132L42 -96L30 -90L26 -84L34 0H8L2 -70L-6 0Z"
    return html(
        '<g transform="translate({} {}) scale({} 1)"><path fill="{}" d="{}"/><path fill="{}" d="M-25 -102L27 -96L26 -86L-26 -92Z"/>'
        '<path fill="none" stroke="{}" stroke-width="2.4" stroke-linecap="round" d="M46 -206Q30 -236 4 -238M16 -194Q20 -184 14 -176M12 -164Q30 -156 34 -132L42 -97M27 -82L34 -4"/></g>',
        x,
        y,
        flip,
        INK,
        body,
        lit,
        HOT,
    )


def _house(x: int, base: int, wide: int, tall: int, steps: int) -> str:
    """Return the SVG path of a house with `steps` steps on each side of its gable."""
    rise, run = 26, wide / 2 / (steps + 0.6)
    path, level = f"M{x} {base}V{base - tall}", base - tall
    for i in range(steps):
        level -= rise
        path += f"H{_n(x + run * (i + 0.3))}V{level}"
    path += f"H{_n(x + wide - run * (steps - 0.7))}"
    for i in range(steps - 1, -1, -1):
        level += rise
        path += f"V{level}H{_n(x + wide - run * (i - 0.7))}" if i else f"V{level}H{x + wide}"
    return path + f"V{base}Z"


def _beams() -> str:
    beams = []
    for i in range(44):
        a = math.tau * i / 44
        c, s = math.cos(a), math.sin(a)
        inner, outer = (116 if i % 2 else 132), (300 if i % 2 else 420)
        beams.append(
            f"M{_n(860 + c * inner)} {_n(200 + s * inner)}L{_n(860 + c * outer - s * 9)} {_n(200 + s * outer + c * 9)} {_n(860 + c * outer + s * 9)} {_n(200 + s * outer - c * 9)}Z"
        )
    return "".join(beams)


WINDOWS = ((1080, 400), (1122, 400), (1164, 400), (1122, 340), (1226, 360), (1280, 360), (1226, 430), (1352, 430), (1398, 430), (1398, 370), (1252, 296))  # fmt: skip
"""The top left corners of the windows of the three big houses."""


@cache
def hero() -> Markup:
    """Draw the picture of the front page, 1440 × 720: a harbour at night with two captains, a tavern and ships."""
    scene = (
        _draw_sky_and_sea()
        + _junk(420, 486, 1.0)
        + _ship(800, 530, 1.12)
        + _draw_tavern()
        + _draw_bollards()
        + _captain(968, 640, 1, "#c8372d")
        + _captain(1196, 640, -1, "#2f6fc0")
        + _draw_barrel()
    )
    return html(
        '<svg viewBox="0 0 1440 720" preserveAspectRatio="xMidYMax slice" aria-hidden="true">{}</svg>', scene
    )


def _draw_sky_and_sea() -> Markup:
    """Draw the moon, the clouds, the far shore and the water; define the gradients of the whole picture."""
    stars = "".join(
        f"M{(i * 211) % 1440} {14 + (i * 97) % 300}h{2 + i % 2}v{2 + i % 2}h-{2 + i % 2}Z" for i in range(64)
    )
    clouds = "".join(
        _cut(*spot)
        for spot in ((300, 150, 150, 5), (360, 166, 110, 4), (236, 172, 90, 3), (1120, 96, 150, 5), (1180, 112, 120, 4), (620, 90, 90, 3.5), (660, 102, 60, 3), (960, 262, 130, 4), (780, 250, 90, 3))
    )  # fmt: skip
    low = "M0 470V408L26 396H58V380L84 366L108 380V404H150V420H196V398L222 384L250 398V424H300V436H352V470Z"
    swell = "".join(_cut((i * 173) % 1460, 446 + (i * 53) % 176, 34 + (i * 31) % 52, 1.7) for i in range(60))
    glitter = "".join(
        _cut(860 + ((i * 37) % 41 - 20) * (1 + i / 5), 452 + i * 7.4, 66 - ((i * 29) % 40) + i, 2.3)
        for i in range(24)
    )
    return html(
        "<defs>"
        '<linearGradient id="hero-sky" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#081322"/><stop offset=".6" stop-color="#1b3d5a"/><stop offset="1" stop-color="#4d7d93"/></linearGradient>'
        '<linearGradient id="hero-sea" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#2a5870"/><stop offset="1" stop-color="#0b1a29"/></linearGradient>'
        '<radialGradient id="hero-light"><stop offset="0" stop-color="{}" stop-opacity=".75"/><stop offset=".4" stop-color="{}" stop-opacity=".25"/><stop offset="1" stop-color="{}" stop-opacity="0"/></radialGradient></defs>'
        '<path fill="url(#hero-sky)" d="M0 0H1440V450H0Z"/><path fill="{}" fill-opacity=".8" d="{}"/>'
        '<path fill="{}" fill-opacity=".1" d="{}"/><circle cx="860" cy="200" r="98" fill="#f6e7ba"/>'
        '<path fill="#dcc68c" fill-opacity=".75" d="M826 150q18 -16 40 -10q-8 18 -30 22q-14 2 -10 -12ZM884 226q26 -14 38 6q-10 26 -32 18q-20 -8 -6 -24ZM818 232q10 -8 22 0q-4 14 -16 12q-10 -4 -6 -12Z"/>'
        '<path fill="#b9cbd3" fill-opacity=".5" d="{}"/>'
        '<path fill="#16324a" d="M0 432L90 398L170 412L300 366L420 404L540 380L660 410L820 384L960 414L1080 378L1240 408L1440 372V450H0Z"/>'
        '<path fill="#0d2033" d="{}"/>'
        '<path fill="url(#hero-sea)" d="M0 446H1440V720H0Z"/><path fill="#9fc0c9" fill-opacity=".28" d="{}"/><path fill="#f6e7ba" fill-opacity=".85" d="{}"/>',
        HOT,
        LANTERN,
        LANTERN,
        PAPER,
        stars,
        PAPER,
        _beams(),
        clouds,
        low,
        swell,
        glitter,
    )


def _draw_tavern() -> Markup:
    """Draw the three big houses, their light on the water, the quay and the lantern at the corner."""
    roofs = _house(1052, 620, 156, 250, 4) + _house(1200, 620, 132, 300, 3) + _house(1326, 620, 150, 226, 4)
    windows = "".join(f"M{x} {y}h20v30h-20Z" for x, y in WINDOWS)
    windows += "M90 396h6v9h-6ZM230 410h6v9h-6ZM30 416h6v9h-6ZM160 430h6v9h-6ZM276 436h6v9h-6Z"
    bars = "".join(f"M{x + 9} {y}h2v30h-2ZM{x} {y + 14}h20v2h-20Z" for x, y in WINDOWS)
    warm = "".join(
        _cut(1180 + ((i * 23) % 31 - 15) * 2.4, 520 + i * 8, 60 - (i * 17) % 34, 2.4) for i in range(11)
    )
    stones = "".join(
        f"M{(j * 118 + (i % 2) * 59) - 40} {636 + i * 28}h106M{(j * 118 + (i % 2) * 59) + 70} {624 + i * 28}v24"
        for i in range(3)
        for j in range(13)
    )
    houses = html(
        '<path fill="{}" d="{}M1286 268V228h18v30ZM1070 348V300h16v40Z"/><path fill="{}" d="{}"/><path fill="{}" d="{}"/>'
        '<path fill="{}" d="M1112 620V528Q1130 500 1148 528V620Z"/><path fill="{}" d="M1129 506h3v114h-3ZM1112 556h36v3h-36Z"/>'
        '<circle cx="1064" cy="500" r="210" fill="url(#hero-light)"/>'
        '<path fill="{}" fill-opacity=".8" d="{}"/>'
        '<path fill="{}" d="M0 620H1440V720H0Z"/><path fill="none" stroke="#22344a" stroke-width="2.5" d="{}"/><path fill="{}" fill-opacity=".7" d="M900 620H1340V624H900Z"/>',
        INK,
        roofs,
        LANTERN,
        windows,
        INK,
        bars,
        LANTERN,
        INK,
        LANTERN,
        warm,
        INK,
        stones,
        LANTERN,
    )
    lantern = html(
        '<path fill="{}" d="M1010 452H1058V458H1016V478H1010Z"/><g transform="translate(1034 456) scale(.95)">{}</g>',
        INK,
        _LAMP,
    )
    return houses + lantern


def _draw_bollards() -> Markup:
    """Draw two bollards on the quay and the ropes of the ships."""
    return html(
        '<path fill="{}" d="M560 630v-34q14 -12 28 0v34ZM552 594h44v8h-44ZM250 640v-34q14 -12 28 0v34ZM242 604h44v8h-44Z"/><path fill="none" stroke="{}" stroke-width="6" d="M586 606Q680 650 700 528M276 616Q330 640 352 492"/>',
        INK,
        INK,
    )


def _draw_barrel() -> Markup:
    """Draw the barrel between the captains, with two dice on it."""
    return html(
        '<path fill="{}" d="M1040 640V592H1124V640Z"/><path fill="#22344a" d="M1040 592H1124V598H1040Z"/>'
        '<g transform="translate(1056 568) rotate(-9)"><path fill="#c8372d" stroke="{}" stroke-width="2" d="M5 0H20Q25 0 25 5V20Q25 25 20 25H5Q0 25 0 20V5Q0 0 5 0Z"/><path fill="{}" d="M5 5h5v5h-5ZM15 15h5v5h-5ZM10 10h5v5h-5Z"/></g>'
        '<g transform="translate(1090 569) rotate(6)"><path fill="#2f6fc0" stroke="{}" stroke-width="2" d="M5 0H19L24 5V19L19 24H5L0 19V5Z"/><path fill="{}" d="M7 4l3 3l-3 3l-3 -3ZM17 4l3 3l-3 3l-3 -3ZM7 14l3 3l-3 3l-3 -3ZM17 14l3 3l-3 3l-3 -3Z"/></g>',
        INK,
        INK,
        PAPER,
        INK,
        PAPER,
    )


# ---- endings ---------------------------------------------------------------------------------------------------------


@cache
def ending(mood: str) -> Markup:
    """Draw the lantern above a result, 120 × 100: with rays if ``mood`` is ``won``, without light if it is ``lost``."""
    rays = []
    for i in range(18):
        a = math.tau * (i + 0.5) / 18
        c, s = math.cos(a), math.sin(a)
        inner, outer = 41, 46 if i % 2 else 49
        rays.append(
            f"M{_n(60 + c * inner)} {_n(50 + s * inner)}L{_n(60 + c * outer - s * 2.4)} {_n(50 + s * outer + c * 2.4)} {_n(60 + c * outer + s * 2.4)} {_n(50 + s * outer - c * 2.4)}Z"
        )
    lit = mood != "lost"
    lamp = _LAMP if lit else _LAMP.replace(LANTERN, "#2b415a").replace("#fff4d3", "#3d556e")
    parts = [html('<g class="ending-lamp"><g transform="translate(38 20) scale(.92)">{}</g></g>', lamp)]
    if lit:
        parts.insert(0, html('<circle cx="60" cy="50" r="30" fill="{}" fill-opacity=".3"/>', LANTERN))
    parts.insert(0, html('<circle cx="60" cy="50" r="40" fill="{}"/>', "#13202f"))
    if mood == "won":
        parts.insert(0, html('<path class="ending-rays" fill="{}" d="{}"/>', LANTERN, "".join(rays)))
        parts += [_draw_spark(i) for i in range(12)]
    return html(
        '<svg viewBox="0 0 120 100" width="120" height="100" aria-hidden="true">{}</svg>', join(parts)
    )


def _draw_spark(i: int) -> Markup:
    """Draw one of the twelve sparks that fly from a lantern."""
    a = math.tau * i / 12
    return html(
        '<circle class="ending-spark" cx="{}" cy="{}" r="{}" fill="{}" fill-opacity="0"/>',
        _n(60 + 20 * math.cos(a)),
        _n(50 + 20 * math.sin(a)),
        2.2 if i % 3 else 3,
        HOT,
    )
