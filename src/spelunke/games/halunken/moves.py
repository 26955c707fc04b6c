"""The typed actions and outcomes of chance, and functions that convert them to kernel numbers and back.

A kernel number is the integer that stands for an action or an outcome of chance in kernels (compiled functions).
"""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.core.codec import Codec
from spelunke.games.halunken.cards import ALL_SAILORS, Sailor, Step, step_of
from spelunke.games.halunken.state import FIELDS, State


class Place(values.Action, frozen=True, tag="place"):
    """Put your captain, or Black Jack, on this free field (H-R5, H-R16)."""

    field: int


class Pass(values.Action, frozen=True, tag="pass"):
    """Make no offer (H-R18)."""


class Bid(values.Action, frozen=True, tag="bid"):
    """Offer a sailor of your crew for Black Jack (H-R18)."""

    sailor: Sailor


class Choose(values.Action, frozen=True, tag="card"):
    """Seal your movement card, or replace the sealed card by another (H-R7)."""

    card: Step


class ChooseJack(values.Action, frozen=True, tag="jack"):
    """Choose Black Jack's card.

    With two players, the choice is sealed (H-R26). With three or four (option ``tactical_bj_34``), it is open.
    """

    card: Step


class TakeBack(values.Action, frozen=True, tag="take back"):
    """Take back a sealed card, your own or Black Jack's, before the last seat has sealed (H-C4)."""

    jack: bool = False


class Name(values.Action, frozen=True, tag="rum"):
    """Name the number that a Rum counts as (H-R8)."""

    number: int


class Rob(values.Action, frozen=True, tag="rob"):
    """Take this sailor from a captain that your figure met or that Black Jack overtook (H-R13, H-R20, H-R27).

    With two players, if your captain met Black Jack, take the sailor from Black Jack's hirer (H-R28).
    """

    sailor: Sailor


class Fish(values.Action, frozen=True, tag="harbour"):
    """Take this sailor out of the harbour (H-R22)."""

    sailor: Sailor


class Give(values.Action, frozen=True, tag="give"):
    """Give up this sailor to the harbour (H-R21)."""

    sailor: Sailor


class Decline(values.Action, frozen=True, tag="decline"):
    """Take no sailor, although you may (H-A7, H-A15, H-A25)."""


Action: TypeAlias = Place | Pass | Bid | Choose | ChooseJack | TakeBack | Name | Rob | Fish | Give | Decline

ACTION_CODEC = Codec[Action](
    (
        *(Place(field) for field in range(FIELDS)),
        Pass(),
        *(Bid(sailor) for sailor in ALL_SAILORS),
        *(Choose(step_of(card)) for card in range(1, 9)),
        *(ChooseJack(card) for card in range(1, 13)),
        ChooseJack("rum"),
        TakeBack(),
        TakeBack(jack=True),
        *(Name(number) for number in range(1, 8)),
        *(Rob(sailor) for sailor in ALL_SAILORS),
        *(Fish(sailor) for sailor in ALL_SAILORS),
        *(Give(sailor) for sailor in ALL_SAILORS),
        Decline(),
    )
)
"""The actions in the order of their kernel numbers. A test compares them with the kernels' constants."""


def encode(action: Action, s: State | None = None) -> tuple[int, ...]:
    """Return a tuple with the integer that stands for this action in kernels (compiled functions).

    Raise KeyError if the game has no such action, for example because it names a field that does not exist.
    """
    return (ACTION_CODEC.encode(action),)


def decode(number: int) -> Action:
    """Return the action for which this integer stands in kernels (compiled functions)."""
    return ACTION_CODEC.decode(number)


class First(values.ChanceOutcome, frozen=True, tag="first"):
    """The seat that places its captain first (H-A4)."""

    seat: int


class Stray(values.ChanceOutcome, frozen=True, tag="field"):
    """The random field on which a captain starts (option ``auto_place``)."""

    field: int


class Seen(values.ChanceOutcome, frozen=True, tag="sailor"):
    """The sailor that is turned up (H-R5, H-R6, H-R12)."""

    sailor: Sailor


class Flip(values.ChanceOutcome, frozen=True, tag="flip"):
    """The card of Black Jack that is turned up (H-R20, H-R29)."""

    card: Step


class Falls(values.ChanceOutcome, frozen=True, tag="number"):
    """The number that Black Jack's Rum counts as, drawn by chance because nobody hired him (H-A37)."""

    number: int


Chance: TypeAlias = First | Stray | Seen | Flip | Falls
CHANCE_CODEC = Codec[Chance](
    (
        *(First(seat) for seat in range(4)),
        *(Stray(field) for field in range(FIELDS)),
        *(Seen(sailor) for sailor in ALL_SAILORS),
        *(Flip(card) for card in range(1, 13)),
        Flip("rum"),
        *(Falls(number) for number in range(1, 8)),
    )
)
"""The outcomes of chance in the order of their kernel numbers."""


def encode_chance(chance: Chance) -> int:
    """Return the integer that stands for an outcome of chance in kernels (compiled functions).

    Raise KeyError if the game has no such outcome.
    """
    return CHANCE_CODEC.encode(chance)


def decode_chance(number: int) -> Chance:
    """Return the outcome of chance for which this integer stands in kernels (compiled functions)."""
    return CHANCE_CODEC.decode(number)
