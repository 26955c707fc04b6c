"""The picture of Shanghaien for lobbies. It works without the sprite and without a style sheet."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import html, join
from spelunke.games.shanghaien.ui.art import BODIES, EDGES, NATIONS, SPOTS, draw_pip
from spelunke.games.shanghaien.ui.sailors import EMBLEMS, SAILORS, rays

HUES = ("#bf3a2d", "#559fcc", "#2d4f95", "#dfac2c", "#d9742a", "#7a4a98", "#43864d", "#7d8387")
INK, PAPER = "#191613", "#f3e9d2"

_TONES = {
    "k": html('fill="{}"', INK), "p": html('fill="{}"', PAPER), "l": html('fill="none" stroke="{}" stroke-width="2" stroke-linejoin="round"', INK),
    "w": html('fill="none" stroke="{}" stroke-width="1.3"', PAPER), "s": html('fill="none" stroke="{}" stroke-width="2"', PAPER),
}  # fmt: skip


def _plain_card(nation: int, value: int, x: int, y: int, turn: int, scale: float) -> Markup:
    hue = HUES[nation]
    tones = {**_TONES, "h": html('fill="{}"', hue), "d": html('fill="{}" fill-opacity=".8"', hue)}
    figure = join(html('<path {} d="{}"/>', tones[tone], path) for tone, path in SAILORS[NATIONS[nation]])
    return html(
        '<g transform="translate({} {}) rotate({}) scale({})"><rect width="100" height="150" rx="8" fill="{}" stroke="{}" stroke-width="2"/>'
        '<path fill="{}" stroke="{}" stroke-width="1.5" d="M5.5 5.5H94.5V121.5H5.5Z"/>'
        '<g transform="translate(5.5 32.5) scale(.89)">{}</g>'
        '<path fill="{}" d="M1 8Q1 1 8 1H34Q38 30 5.5 38L1 38Z"/>'
        '<text x="18" y="29" font-family="Rockwell, Bookman Old Style, DejaVu Serif, serif" font-weight="700" font-size="28" text-anchor="middle" fill="{}">{}</text>'
        '<path fill="{}" fill-rule="evenodd" transform="translate(39 122) scale(.92)" d="{}"/></g>',
        x,
        y,
        turn,
        scale,
        PAPER,
        INK,
        hue,
        INK,
        figure,
        PAPER,
        INK,
        value,
        hue,
        EMBLEMS[NATIONS[nation]],
    )


def _plain_die(side: int, value: int, x: int, y: int, turn: int, scale: float) -> Markup:
    body, edge = (("#c8372d", "#8d2119"), ("#2f6fc0", "#1d4580"))[side]
    pips = join(draw_pip(side, *spot) for spot in SPOTS[value])
    return html(
        '<g transform="translate({} {}) rotate({}) scale({})"><path fill="{}" d="{}"/><path fill="{}" d="{}"/>'
        '<path fill="none" stroke="{}" stroke-width="2" d="{}"/><path fill="{}" d="{}"/></g>',
        x,
        y,
        turn,
        scale,
        body,
        BODIES[side],
        edge,
        EDGES[side],
        INK,
        BODIES[side],
        PAPER,
        pips,
    )


@cache
def render_picture(name: str = "Shanghaien") -> Markup:
    """Return a picture of the game for lobbies, 640 × 360. It refers to no other drawing."""
    wood = "".join(f"M0 {y}H640V{y + 2}H0Z" for y in (262, 296, 334))
    light = rays(320, 40, 70, 520, 40, 12)
    cards = join(
        _plain_card(*spot)
        for spot in (
            (5, 3, 66, 132, -13, 1.25),
            (2, 4, 186, 98, -5, 1.35),
            (6, 1, 318, 86, 3, 1.35),
            (0, 3, 452, 96, 11, 1.3),
        )
    )
    dice = (
        _plain_die(0, 4, 150, 272, -12, 1.5)
        + _plain_die(1, 5, 300, 286, 8, 1.5)
        + _plain_die(0, 6, 430, 268, 17, 1.5)
    )
    return html(
        '<svg viewBox="0 0 640 360" role="img" aria-label="{}" preserveAspectRatio="xMidYMid slice">'
        '<rect width="640" height="360" fill="#0d1826"/><path fill="#f5b44c" fill-opacity=".13" d="{}"/>'
        '<circle cx="320" cy="40" r="52" fill="#ffd27d" fill-opacity=".9"/><circle cx="320" cy="40" r="96" fill="#f5b44c" fill-opacity=".25"/>'
        '<path fill="#4a3020" d="M0 240H640V360H0Z"/><path fill="#2c1b11" d="{}M0 236H640V242H0Z"/>{}{}</svg>',
        name,
        light,
        wood,
        cards,
        dice,
    )
