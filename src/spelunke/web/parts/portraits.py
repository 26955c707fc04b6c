"""Portraits of people and bots, 48 × 48 units, assembled from drawn parts such as hats and beards.

A face is described by words that name its parts, such as ``tan red long tricorne patch``. The faces of a game's bots
are in its ``players.toml``. The SVG has its colours as attributes, so no style sheet is needed.
"""

from __future__ import annotations

import zlib
from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.house.messages import SeatLook
from spelunke.house.people import COLOURS, FIGURES
from spelunke.web.words import translator

INK, PAPER = "#12181f", "#f3e9d2"
GROUNDS = {
    "red": "#8e2f26",
    "blue": "#1f4f86",
    "green": "#33623a",
    "purple": "#6b3f7d",
    "amber": "#9a6414",
    "teal": "#24656b",
    "rose": "#93405f",
    "slate": "#4a5561",
}
SKINS = {"pale": "#f2cfae", "tan": "#d9a878", "brown": "#a8744a", "dark": "#74492e"}
HAIRS = {
    "black": "#221c1a",
    "chestnut": "#5d3a20",
    "red": "#a8481f",
    "blond": "#d3a24a",
    "grey": "#9aa0a3",
    "white": "#e6e1d4",
}

# Hair behind the head, and its fringe; {0} is its colour.
BEHIND = {
    "long": html('<path fill="{{0}}" d="M13 22Q12 10 24 10Q36 10 35 22L37 37Q31 41 24 40Q17 41 11 37Z"/>'),
    "curls": html(
        '<g fill="{{0}}"><circle cx="14.5" cy="18" r="5"/><circle cx="33.5" cy="18" r="5"/><circle cx="13.6" cy="26" r="4.6"/>'
        '<circle cx="34.4" cy="26" r="4.6"/><circle cx="15.5" cy="33" r="4"/><circle cx="32.5" cy="33" r="4"/><circle cx="24" cy="13" r="7"/></g>'
    ),
    "bun": html(
        '<g fill="{{0}}"><circle cx="24" cy="8.6" r="4.6"/><path d="M14.4 24Q13 11 24 11Q35 11 33.6 24Z"/></g>'
    ),
    "braids": html(
        '<g fill="{{0}}"><path d="M14.2 24Q13 10.6 24 10.6Q35 10.6 33.8 24Z"/><ellipse cx="13.2" cy="28" rx="2.6" ry="3.4"/>'
        '<ellipse cx="12.6" cy="34" rx="2.4" ry="3.4"/><ellipse cx="12.6" cy="39.6" rx="2" ry="3"/><ellipse cx="34.8" cy="28" rx="2.6" ry="3.4"/>'
        '<ellipse cx="35.4" cy="34" rx="2.4" ry="3.4"/><ellipse cx="35.4" cy="39.6" rx="2" ry="3"/></g>'
    ),
    "short": html('<path fill="{{0}}" d="M14.6 23Q13.2 10.8 24 10.8Q34.8 10.8 33.4 23Z"/>'),
}
FRINGE = html(
    '<path fill="{{0}}" d="M15.6 20.4Q16.4 12.6 24 12.6Q31.6 12.6 32.4 20.4Q29.6 16.6 26.4 17.2Q21 18.4 15.6 20.4Z"/>'
)

BEARDS = {
    "beard": html(
        '<path fill="{{0}}" d="M15.4 24Q16.6 27.6 20 26.8Q24 25.4 28 26.8Q31.4 27.6 32.6 24Q33.6 36.6 24 37.4Q14.4 36.6 15.4 24Z"/>'
        '<path fill="none" stroke="{}" stroke-width="1" stroke-linecap="round" d="M21.6 29.6Q24 31 26.4 29.6"/>',
        INK,
    ),
    "moustache": html(
        '<path fill="{{0}}" d="M24 26.6Q20.4 25.2 17.4 28.6Q21 30.6 24 28.4Q27 30.6 30.6 28.6Q27.6 25.2 24 26.6Z"/>'
    ),
    "goatee": html(
        '<path fill="{{0}}" d="M21.4 31.4Q24 30.6 26.6 31.4Q26.6 36.4 24 37.4Q21.4 36.4 21.4 31.4Z"/>'
    ),
    "whiskers": html(
        '<path fill="{{0}}" d="M15 21.6L17 21.8Q16.8 28.4 20 32.4Q16 31.2 15 21.6ZM33 21.6L31 21.8Q31.2 28.4 28 32.4Q32 31.2 33 21.6Z"/>'
    ),
}

# Hats, which have their own colours.
HATS = {
    "tricorne": html(
        '<path fill="{}" d="M7.6 15.6Q14 5.4 24 4.6Q34 5.4 40.4 15.6Q33 12.8 24 16.4Q15 12.8 7.6 15.6Z"/>'
        '<path fill="none" stroke="#d8a13a" stroke-width="1.3" d="M8.6 15Q15.4 12.2 24 15.7Q32.6 12.2 39.4 15"/>',
        INK,
    ),
    "bicorne": html(
        '<path fill="{}" d="M6 17Q12 13 14 8Q24 1.6 34 8Q36 13 42 17Q33 14.6 24 15Q15 14.6 6 17Z"/>'
        '<circle cx="24" cy="10" r="2.3" fill="#d8a13a"/>',
        INK,
    ),
    "cap": html(
        '<path fill="#23405e" d="M13.6 15.6Q13 6.8 24 6.6Q35 6.8 34.4 15.6Z"/><path fill="{}" d="M12.6 15.2H35.4L37.4 18.2Q24 15.8 13.4 18Z"/>'
        '<path fill="#d8a13a" d="M22.8 8.8h2.4v4.6h-2.4z"/>',
        INK,
    ),
    "scarf": html(
        '<path fill="#b23a2c" d="M13.6 18.6Q13 8 24 8Q35 8 34.4 18.6Q24 14.4 13.6 18.6Z"/><path fill="#b23a2c" d="M33.6 15.4L40.6 13.6L38.8 17L41.6 20.4L34.2 18.8Z"/>'
        '<g fill="{}"><circle cx="19.4" cy="12.6" r="1"/><circle cx="24" cy="11" r="1"/><circle cx="28.6" cy="12.6" r="1"/></g>',
        PAPER,
    ),
    "souwester": html(
        '<path fill="#d9a92f" d="M10 20Q13.4 17.6 14.4 13Q16.4 5.8 24 5.8Q31.6 5.8 33.6 13Q34.6 17.6 38 20Q31 17 24 17Q17 17 10 20Z"/>'
        '<path fill="none" stroke="#9a7212" stroke-width="1" d="M14.8 14.6Q24 11.4 33.2 14.6"/>'
    ),
    "beanie": html(
        '<path fill="#7a2f2a" d="M14 17.4Q13.4 6.6 24 6.6Q34.6 6.6 34 17.4Z"/><path fill="#a3453d" d="M13.2 14.4H34.8V18.2H13.2Z"/><circle cx="24" cy="5.8" r="2.1" fill="#a3453d"/>'
    ),
    "straw": html(
        '<path fill="#d9b866" d="M8 16.6Q24 11.2 40 16.6Q33 18.6 24 18.4Q15 18.6 8 16.6Z"/><path fill="#e6cb85" d="M15.6 14.6Q16 6.4 24 6.4Q32 6.4 32.4 14.6Z"/><path fill="#7a2f2a" d="M15.4 12.2Q24 9.8 32.6 12.2V14.8Q24 12.4 15.4 14.8Z"/>'
    ),
    "hood": html(
        '<path fill="#2c333b" d="M10.8 34Q8.6 6.4 24 5.2Q39.4 6.4 37.2 34Q35 37.8 31.6 37.6Q35.4 14 24 13.4Q12.6 14 16.4 37.6Q13 37.8 10.8 34Z"/>'
    ),
}

EXTRAS = {
    "patch": html(
        '<path fill="none" stroke="{}" stroke-width="1.1" d="M15.2 18.6L33 24.6"/><ellipse cx="27.6" cy="22.9" rx="3.1" ry="2.7" fill="{}"/>',
        INK,
        INK,
    ),
    "glasses": html(
        '<g fill="none" stroke="{}" stroke-width="1"><circle cx="20.3" cy="23" r="3"/><circle cx="27.7" cy="23" r="3"/><path d="M23.3 22.6h1.4"/></g>',
        INK,
    ),
    "earring": html('<circle cx="15.2" cy="28" r="1.7" fill="none" stroke="#e0b040" stroke-width="1.1"/>'),
    "pipe": html(
        '<path fill="none" stroke="{}" stroke-width="1.5" stroke-linecap="round" d="M26 30.8L34.4 32.6"/><path fill="#5a351c" d="M33 28.6h4.4v3.6q0 2-2.2 2t-2.2-2z"/>',
        INK,
    ),
    "scar": html(
        '<path fill="none" stroke="#7c3b2c" stroke-width="1.1" stroke-linecap="round" d="M29.4 18.6L30.8 28M28.9 21.6l2.6-.6M29.5 25l2.4-.5"/>'
    ),
    "freckles": html(
        '<g fill="#8a5230"><circle cx="19.4" cy="26" r=".55"/><circle cx="21" cy="27" r=".55"/><circle cx="18.4" cy="27.4" r=".55"/>'
        '<circle cx="28.6" cy="26" r=".55"/><circle cx="27" cy="27" r=".55"/><circle cx="29.6" cy="27.4" r=".55"/></g>'
    ),
    "parrot": html(
        '<path fill="#3f8f4a" d="M36 26.6Q41 25.4 41.6 30.6Q42 36 38.4 41L35.6 43.6Q35 36 34.8 31.6Q34.6 27.6 36 26.6Z"/><path fill="#d9a92f" d="M35.2 28.4Q32.6 28.8 33.2 31.6L35.6 30.8Z"/>'
        '<circle cx="37" cy="29.2" r=".9" fill="{}"/><path fill="#b23a2c" d="M38.6 33Q41 35 38.4 40.2Q37 36.4 38.6 33Z"/>',
        INK,
    ),
    "ruff": html(
        '<path fill="{}" d="M14.6 36.4Q24 32.8 33.4 36.4L35 40.2Q24 36.6 13 40.2Z"/><path fill="none" stroke="#b7a982" stroke-width=".8" d="M17 36l-1 3.2M20.4 35.2l-.6 3M24 35v3M27.6 35.2l.6 3M31 36l1 3.2"/>',
        PAPER,
    ),
    "rouge": html(
        '<g fill="#d06a52" fill-opacity=".55"><circle cx="18.6" cy="26.6" r="2.1"/><circle cx="29.4" cy="26.6" r="2.1"/></g>'
    ),
}

PEOPLE = {
    "tricorne": "pale chestnut short tricorne moustache ruff",
    "redbeard": "tan red short scarf beard earring",
    "braid": "brown black braids bicorne earring",
    "eyepatch": "dark grey short tricorne goatee patch",
    "cook": "pale blond bun rouge freckles",
    "gunner": "tan black short beanie whiskers scar",
    "pilot": "pale grey short cap beard pipe",
    "widow": "dark white long hood glasses",
    "fiddler": "tan blond curls straw freckles",
    "parrot": "brown chestnut long scarf parrot",
}
"""The figures that people can choose as their portrait, each with the parts of its face."""
FIGURE_NAMES = {
    "tricorne": plain("Captain with a tricorne"),
    "redbeard": plain("Captain with a red beard"),
    "braid": plain("Captain with braids"),
    "eyepatch": plain("Captain with an eyepatch"),
    "cook": plain("Ship's cook"),
    "gunner": plain("Gunner"),
    "pilot": plain("Pilot"),
    "widow": plain("Shipowner"),
    "fiddler": plain("Fiddler"),
    "parrot": plain("Sailor with a parrot"),
}
COLOUR_NAMES = {
    "red": plain("red"),
    "blue": plain("blue"),
    "green": plain("green"),
    "purple": plain("purple"),
    "amber": plain("amber"),
    "teal": plain("teal"),
    "rose": plain("rose"),
    "slate": plain("slate"),
}
WORDS = frozenset({*SKINS, *HAIRS, *BEHIND, *BEARDS, *HATS, *EXTRAS})


@cache
def portrait(face: str, colour: str) -> Markup:
    """Draw a face on a background in this colour.

    `face` names the parts of the face, with spaces between them, or is the name of a complete face in `PEOPLE`.
    """
    words = PEOPLE.get(face, face).split()
    ground = GROUNDS.get(colour, GROUNDS["slate"])
    skin = next((SKINS[word] for word in words if word in SKINS), SKINS["tan"])
    hair = next((HAIRS[word] for word in words if word in HAIRS), HAIRS["chestnut"])
    behind = join(BEHIND[word].format(hair) for word in words if word in BEHIND)
    fringe = FRINGE.format(hair) if behind else NOTHING
    beard = join(BEARDS[word].format(hair) for word in words if word in BEARDS)
    hat = join(HATS[word] for word in words if word in HATS)
    extras = join(EXTRAS[word] for word in words if word in EXTRAS)
    head = html(
        '<path fill="{}" d="M20 29h8v7.6q-4 3-8 0Z"/><path fill="#000" fill-opacity=".16" d="M20 32.4q4 3 8 0v2q-4 2.6-8 0Z"/>'
        '<path fill="{}" d="M15.4 21.6Q15.4 12.4 24 12.4Q32.6 12.4 32.6 21.6Q32.6 33.4 24 33.6Q15.4 33.4 15.4 21.6Z"/>',
        skin,
        skin,
    )
    face_drawn = html(
        '<g fill="{}"><ellipse cx="20.4" cy="23" rx="1.05" ry="1.35"/><ellipse cx="27.6" cy="23" rx="1.05" ry="1.35"/></g>'
        '<g fill="none" stroke="{}" stroke-linecap="round"><path stroke-width="1.1" d="M18.6 20.2q1.8-1 3.4-.2M26 20q1.6-.8 3.4.2"/>'
        '<path stroke-width=".9" stroke-opacity=".6" d="M24 23.4l-.9 3.2h1.8"/><path stroke-width="1.1" d="M21.6 29.6q2.4 1.5 4.8 0"/></g>',
        INK,
        INK,
    )
    coat = html(
        '<path fill="{}" d="M6.4 48Q7 37.4 17.6 35.6L24 40L30.4 35.6Q41 37.4 41.6 48Z"/><path fill="{}" d="M24 40l-4.6-3.2-2.6 11.2h14.4L28.6 36.8Z"/>',
        INK,
        ground,
    )
    return html(
        '<svg class="avatar portrait" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="24" fill="{}"/>'
        '<circle cx="24" cy="24" r="22.4" fill="none" stroke="{}" stroke-opacity=".5" stroke-width="1.2"/>'
        "{}{}{}{}{}{}{}{}</svg>",
        ground,
        PAPER,
        behind,
        coat,
        head,
        fringe,
        face_drawn,
        beard,
        hat,
        extras,
    )


def usual_of(name: str) -> tuple[str, str]:
    """Return a person's default face (a name in `PEOPLE`) and background colour, derived from their name alone."""
    number = zlib.crc32(name.encode())
    return FIGURES[number % len(FIGURES)], COLOURS[number // 16 % len(COLOURS)]


def person_portrait(name: str, figure: str = "", colour: str = "") -> Markup:
    """Draw a person's chosen portrait, or one derived from their name."""
    usual = usual_of(name)
    return portrait(figure or usual[0], colour or usual[1])


def say_about(name: str, about: str) -> str:
    """Return the translation of a sentence that describes a bot of the game ``name``."""
    game = shelf().get(name)
    return about if game is None else translator(game)(about)


def level_title(name: str, level: str) -> str:
    """Return the translated title of a level of the game ``name``."""
    game = shelf().get(name)
    if game is None:
        return level
    return translator(game)(str(game.levels.get(level, {}).get("title", level)))


def render_portrait(seat: SeatLook) -> Markup:
    """Draw the portrait of a seat's player. If the seat is free, draw a question mark."""
    if seat.kind in ("person", "bot"):
        return person_portrait(seat.name, seat.figure, seat.colour)
    return html('<span class="seat-mark" aria-hidden="true">?</span>')
