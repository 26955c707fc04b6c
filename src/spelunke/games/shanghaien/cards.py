"""The cards of Shanghaien by name, and the numbers that stand for them in kernels (compiled functions)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from spelunke.core.errors import BadText

SAILORS = 32


class Nation(StrEnum):
    """The eight nations in the order of their numbers.

    In positions, records and moves, the colour of its cards stands for a nation: ``red 3`` is an American (S-R3).
    """

    AMERICAN = "red"
    FRENCH = "lightblue"
    GERMAN = "darkblue"
    CHINESE = "yellow"
    DUTCH = "orange"
    TURKISH = "purple"
    SPANISH = "green"
    ITALIAN = "grey"

    @property
    def number(self) -> int:
        """The number that stands for the nation in kernels (compiled functions), from 0 to 7."""
        return NATIONS.index(self)


class Trick(StrEnum):
    """The kinds of trick cards, in the order of their numbers.

    Each of the first three has two halves: a joker, and the effect that gives the card its name (S-R22 to S-R24).
    The last two are extra cards, which two options add.
    """

    PM1 = "pm1"
    BOTH = "both"
    AGAIN = "again"
    EXTRA = "extra"
    CRAZY = "crazy"

    @property
    def number(self) -> int:
        """The number that stands for the trick in kernels (compiled functions), from 0 to 4."""
        return TRICKS.index(self)


class End(StrEnum):
    """An end of the row of cards. The direction of a round decides at which end card 1 lies (S-R8)."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def number(self) -> int:
        """The number that stands for the end in kernels (compiled functions): 1 for left, 2 for right.

        In kernels, 0 means that the direction is not fixed yet.
        """
        return 1 if self is End.LEFT else 2


NATIONS = tuple(Nation)
TRICKS = tuple(Trick)
DEALT = TRICKS[:3]
"""The tricks that are in the deck. Only these have a joker half."""
ENDS = (None, End.LEFT, End.RIGHT)


class Sailor(msgspec.Struct, frozen=True, tag="sailor", order=True):
    """A sailor card."""

    nation: Nation
    value: int


class TrickCard(msgspec.Struct, frozen=True, tag="trick", order=True):
    """A trick card."""

    trick: Trick


Card: TypeAlias = Sailor | TrickCard


def card_of(kind: int) -> Card:
    """Return the card for a kind, which is a number from 0 to 34."""
    if kind < SAILORS:
        return Sailor(NATIONS[kind >> 2], (kind & 3) + 1)
    return TrickCard(TRICKS[kind - SAILORS])


def kind_of(card: Card) -> int:
    """Return the kind of a card: a number from 0 to 34."""
    if isinstance(card, Sailor):
        return 4 * card.nation.number + card.value - 1
    return SAILORS + card.trick.number


def write_card(card: Card) -> str:
    """Return a card as text: ``red 4`` or ``pm1``."""
    return f"{card.nation} {card.value}" if isinstance(card, Sailor) else str(card.trick)


ALIASES = {
    **{n.value: n for n in Nation},
    **{n.name.lower(): n for n in Nation},
    "light-blue": Nation.FRENCH,
    "dark-blue": Nation.GERMAN,
    "blue": Nation.GERMAN,
    "gray": Nation.ITALIAN,
}


def parse_nation(word: str) -> Nation:
    """Return the nation of a text such as ``green`` (its colour) or ``spanish``. Raise BadText if there is none."""
    if word.lower() not in ALIASES:
        raise BadText(f"{word!r} is not a nation; the nations are {', '.join(NATIONS)}")
    return ALIASES[word.lower()]


def parse_trick(word: str) -> Trick:
    """Return the trick that a text names. Raise BadText if there is none."""
    try:
        return Trick({"+-1": "pm1", "±1": "pm1", "plusminus": "pm1"}.get(word.lower(), word.lower()))
    except ValueError:
        raise BadText(f"{word!r} is not a trick card; the trick cards are {', '.join(TRICKS)}") from None


def parse_card(text: str) -> Card:
    """Return the card that a text such as ``red 4`` names. Raise BadText if the text names no card of the deck."""
    words = text.replace("light blue", "lightblue").replace("dark blue", "darkblue").split()
    if len(words) == 2 and words[1] in {"1", "2", "3", "4"}:
        return Sailor(parse_nation(words[0]), int(words[1]))
    if len(words) == 1 and words[0].lower() not in ALIASES:
        trick = parse_trick(words[0])
        if trick in DEALT:
            return TrickCard(trick)
    raise BadText(f"{text!r} is not a card; write a sailor like 'red 4' or one of {', '.join(DEALT)}")
