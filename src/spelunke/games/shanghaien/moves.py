"""The typed actions and outcomes of chance, and functions that convert them to kernel numbers and back.

A kernel number is the integer that stands for an action or an outcome of chance in kernels (compiled functions).
"""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.core.codec import Codec
from spelunke.games.shanghaien.cards import DEALT, ENDS, NATIONS, Card, End, Nation, Trick, card_of
from spelunke.games.shanghaien.state import KINDS, PAIRS, State


class Roll(values.Action, frozen=True, tag="roll"):
    """Roll two dice (S-R9)."""


class Shanghai(values.Action, frozen=True, tag="shanghai"):
    """End the round (S-R12)."""


class Direct(values.Action, frozen=True, tag="direction"):
    """Choose the end of the row at which card 1 lies (option ``direction_timing``)."""

    end: End


class Reroll(values.Action, frozen=True, tag="reroll"):
    """Roll both dice once more after a double (option ``doubles_reroll``)."""


class Place(values.Action, frozen=True, tag="place"):
    """Lay the die with this value (S-R10).

    If the direction of the row is not fixed yet, ``end`` is the end at which card 1 will lie (S-R8). Otherwise it is
    None.
    """

    value: int
    end: End | None = None


class Nudge(values.Action, frozen=True, tag="pm1"):
    """Change a rolled die by one pip, to this value (S-R22). The changed die must be laid next."""

    value: int


class PlaceBoth(values.Action, frozen=True, tag="both"):
    """Lay both rolled dice (S-R23)."""

    end: End | None = None


class RollAgain(values.Action, frozen=True, tag="again"):
    """Roll both dice again (S-R24)."""


class Joker(values.Action, frozen=True, tag="joker"):
    """Lay this trick card with the sailors of a nation, as a joker (S-R21)."""

    nation: Nation
    using: Trick


class Sharks(values.Action, frozen=True, tag="sharks"):
    """Lay the die with this value, and turn its card face down (option ``sharks_exchange``)."""

    value: int
    end: End | None = None


class Exchange(values.Action, frozen=True, tag="exchange"):
    """Take one of your dice back from the card with this number, then lay both rolled dice (option
    ``sharks_exchange``).
    """

    number: int


class CrazyCaptain(values.Action, frozen=True, tag="crazy"):
    """Play the crazy captain, to object to dice of the other seat in this round (option ``crazy_captain``)."""


class Object(values.Action, frozen=True, tag="object"):
    """Object: make the other seat lay its other die (option ``crazy_captain``)."""


class Allow(values.Action, frozen=True, tag="allow"):
    """Let the other seat lay the announced die (option ``crazy_captain``)."""


Action: TypeAlias = (
    Roll
    | Shanghai
    | Direct
    | Reroll
    | Place
    | Nudge
    | PlaceBoth
    | RollAgain
    | Joker
    | Sharks
    | Exchange
    | CrazyCaptain
    | Object
    | Allow
)

TRICK_MOVES = (Nudge, PlaceBoth, RollAgain, Joker, Sharks, Exchange, CrazyCaptain)
"""The actions that play a trick card."""

TABLE: Codec[Action] = Codec(
    (
        Roll(),
        Shanghai(),
        Direct(End.LEFT),
        Direct(End.RIGHT),
        Reroll(),
        *(Place(value, end) for end in ENDS for value in range(1, 7)),
        *(Nudge(value) for value in range(1, 7)),
        *(PlaceBoth(end) for end in ENDS),
        RollAgain(),
        *(Joker(nation, trick) for nation in NATIONS for trick in DEALT),
        *(Sharks(value, end) for end in ENDS for value in range(1, 7)),
        *(Exchange(number) for number in range(1, 7)),
        CrazyCaptain(),
        Object(),
        Allow(),
    )
)
"""The actions in the order of their kernel numbers. A test compares them with the kernels' constants."""


def encode(action: Action, s: State | None = None) -> tuple[int, ...]:
    """Return a tuple with the integer that stands for this action in kernels (compiled functions).

    Raise KeyError if the game has no such action.
    """
    return (TABLE.encode(action),)


def decode(number: int) -> Action:
    """Return the action for which this integer stands in kernels (compiled functions)."""
    return TABLE.decode(number)


class Deal(values.ChanceOutcome, frozen=True, tag="deal"):
    """The next card of the row (S-R4)."""

    card: Card


class Starter(values.ChanceOutcome, frozen=True, tag="starter"):
    """The seat that starts the first round (S-A13)."""

    seat: int


class Fall(values.ChanceOutcome, frozen=True, tag="dice"):
    """The values of the two rolled dice, the lower one first."""

    low: int
    high: int


Chance: TypeAlias = Deal | Starter | Fall
OUTCOMES: Codec[Chance] = Codec(
    (
        *(Deal(card_of(kind)) for kind in range(KINDS)),
        Starter(0),
        Starter(1),
        *(Fall(low, high) for low, high in PAIRS.tolist()),
    )
)
"""The outcomes of chance in the order of their kernel numbers."""


def encode_chance(chance: Chance) -> int:
    """Return the integer that stands for an outcome of chance in kernels (compiled functions).

    Raise KeyError if the game has no such outcome.
    """
    return OUTCOMES.encode(chance)


def decode_chance(number: int) -> Chance:
    """Return the outcome of chance for which this integer stands in kernels (compiled functions)."""
    return OUTCOMES.decode(number)
