"""Sailors, figures and movement cards by name, and their numbers in the kernels."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

from spelunke.core.errors import BadText
from spelunke.games.halunken.sailors import COLOUR, SAILOR, SAILORS, VALUE, VALUES
from spelunke.games.halunken.state import JACK, RUM


class Colour(StrEnum):
    """The colours of sailors in the order that breaks ties (H-R16)."""

    YELLOW = "yellow"
    GREY = "grey"
    VIOLET = "violet"
    RED = "red"

    @property
    def number(self) -> int:
        """The colour's number in the kernels, from 0 to 3."""
        return COLOURS.index(self)


COLOURS = tuple(Colour)

Step: TypeAlias = int | Literal["rum"]
"""A movement card: a number of fields, or Rum."""


class Sailor(msgspec.Struct, frozen=True, order=True):
    """A sailor card (H-R2)."""

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour} {self.value}"

    @property
    def number(self) -> int:
        """The sailor's number in the kernels, from 0 to 41.

        Raise KeyError if no sailor has this colour and value.
        """
        return NUMBER[self]


ALL_SAILORS = tuple(Sailor(COLOURS[int(COLOUR[n])], int(VALUE[n])) for n in range(SAILORS))
NUMBER = {sailor: n for n, sailor in enumerate(ALL_SAILORS)}
ALIASES = {
    **{colour.value: colour for colour in Colour},
    **{colour.value[0]: colour for colour in Colour},
    "gray": Colour.GREY,
    "purple": Colour.VIOLET,
}


def sailor_of(number: int) -> Sailor:
    """Return the sailor with this number."""
    return ALL_SAILORS[number]


def parse_sailor(text: str) -> Sailor:
    """Return the sailor that a text such as ``red 8`` names. Raise BadText if there is no such sailor."""
    words = text.lower().split()
    if len(words) == 1 and len(words[0]) > 1 and words[0][0].isalpha() and words[0][1:].isdigit():
        words = [words[0][0], words[0][1:]]
    if len(words) != 2 or words[0] not in ALIASES or not words[1].isdecimal() or len(words[1]) > 2:
        raise BadText(f"{text!r} is not a sailor; write colour and value, like 'red 8'")
    colour = ALIASES[words[0]]
    value = int(words[1])
    if not 1 <= value <= VALUES or SAILOR[colour.number, value - 1] < 0:
        values = [str(s.value) for s in ALL_SAILORS if s.colour is colour]
        raise BadText(f"there is no {colour} {value}; {colour} has {', '.join(values)}")
    return Sailor(colour, value)


def write_step(card: Step) -> str:
    """Return a movement card as text: ``4`` or ``rum``."""
    return str(card)


def step_of(card: int) -> Step:
    """Return the movement card with this number in the kernels. Number 8 is Rum.

    Don't call this function for Black Jack's set of twelve cards: its number 8 is the card 8.
    """
    return "rum" if card == RUM else card


def card_of(step: Step) -> int:
    """Return the number of a movement card in the kernels: 8 for Rum, else the number on the card."""
    return RUM if step == "rum" else step


def parse_step(word: str) -> Step:
    """Return the movement card that a text names: ``rum``, ``r``, or a number. Else raise BadText.

    The number has at most two digits. The caller must check whether there is a card with this number.
    """
    if word.lower() in {"rum", "r"}:
        return "rum"
    if not word.isdecimal() or len(word) > 2:
        raise BadText(f"{word!r} is not a movement card; write a number or 'rum'")
    return int(word)


JACK_WORD = "jack"


def figure_word(figure: int) -> int | str:
    """Return the name of a playing figure in position texts: a captain's seat number, or ``jack`` for Black Jack."""
    return JACK_WORD if figure == JACK else figure
