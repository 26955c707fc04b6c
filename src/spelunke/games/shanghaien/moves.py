"""Typed actions and outcomes of chance, and their numbers in the kernels; total both ways."""

from __future__ import annotations

from typing import Any, TypeAlias

from spelunke.core import values
from spelunke.games.shanghaien.cards import (
    DEALT,
    ENDS,
    NATIONS,
    Card,
    End,
    Nation,
    Sailor,
    Trick,
    card_of,
    kind_of,
)


class Roll(values.Action, frozen=True, tag="roll"):
    """Roll two dice (S-R9)."""


class Shanghai(values.Action, frozen=True, tag="shanghai"):
    """End the round (S-R12)."""


class Direct(values.Action, frozen=True, tag="direction"):
    """Say which end is 1 (option ``direction_timing``)."""

    end: End


class Reroll(values.Action, frozen=True, tag="reroll"):
    """Roll a double again (option ``doubles_reroll``)."""


class Place(values.Action, frozen=True, tag="place"):
    """Lay the die of this value (S-R10); ``end`` fixes the direction with the first die of a round (S-R8)."""

    value: int
    end: End | None = None


class Nudge(values.Action, frozen=True, tag="pm1"):
    """Change a rolled die by one so that it shows ``value`` (S-R22); it is laid next."""

    value: int


class PlaceBoth(values.Action, frozen=True, tag="both"):
    """Lay both rolled dice (S-R23)."""

    end: End | None = None


class RollAgain(values.Action, frozen=True, tag="again"):
    """Roll both dice again (S-R24)."""


class Joker(values.Action, frozen=True, tag="joker"):
    """Lay this trick card with the sailors of a nation (S-R21)."""

    nation: Nation
    using: Trick


class Sharks(values.Action, frozen=True, tag="sharks"):
    """Lay the die of this value and turn its card face down (option ``sharks_exchange``)."""

    value: int
    end: End | None = None


class Exchange(values.Action, frozen=True, tag="exchange"):
    """Take back an own die from the card of this number, then lay both rolled dice (option ``sharks_exchange``)."""

    number: int


class CrazyCaptain(values.Action, frozen=True, tag="crazy"):
    """Play the crazy captain (option ``crazy_captain``)."""


class Object(values.Action, frozen=True, tag="object"):
    """Make the other lay the die that he did not name (option ``crazy_captain``)."""


class Allow(values.Action, frozen=True, tag="allow"):
    """Let the named die be laid (option ``crazy_captain``)."""


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

TABLE: tuple[Action, ...] = (
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
"""Every action at the place of its number; a test holds it against the kernels' constants."""
NUMBERS = {action: number for number, action in enumerate(TABLE)}


def encode(action: Action, s: Any = None) -> tuple[int, ...]:
    """The numbers that play this action (one, in this game); raises KeyError for a value that no die or card has."""
    return (NUMBERS[action],)


def decode(number: int) -> Action:
    """The action of this number."""
    return TABLE[number]


class Deal(values.ChanceOutcome, frozen=True, tag="deal"):
    """The next card of the row (S-R4)."""

    card: Card


class Starter(values.ChanceOutcome, frozen=True, tag="starter"):
    """The seat that starts the first round (S-A13)."""

    seat: int


class Fall(values.ChanceOutcome, frozen=True, tag="dice"):
    """Two dice have fallen; the lower stands first."""

    low: int
    high: int


Chance: TypeAlias = Deal | Starter | Fall
PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))
OUTCOMES: tuple[Chance, ...] = (
    *(Deal(card_of(kind)) for kind in range(35)),
    Starter(0),
    Starter(1),
    *(Fall(low, high) for low, high in PAIRS),
)
OUTCOME_NUMBERS = {chance: number for number, chance in enumerate(OUTCOMES)}


def encode_chance(chance: Chance) -> int:
    """The number of an outcome of chance."""
    return OUTCOME_NUMBERS[chance]


def decode_chance(number: int) -> Chance:
    """The outcome of chance of this number."""
    return OUTCOMES[number]


def explain(action: Action, s: Any) -> str:
    """Why an action is not allowed in this state, in a clause; empty when there is nothing more to say."""
    from spelunke.games.shanghaien import rules

    seat = int(s.turn)
    rolled = s.phase in (rules.ROLLED, rules.NUDGED, rules.DIRECTING)
    match action:
        case Roll() if rolled:
            return "the dice have been rolled; one of them is laid now"
        case Roll():
            return "rolling needs at least two dice in the supply, so it must be Shanghai"
        case Shanghai() if rolled:
            return "the dice have been rolled; one of them is laid first"
        case Shanghai():
            return "Shanghai needs at least two own dice on cards"
        case Place(value, end) | Sharks(value, end) if rolled:
            if s.phase == rules.NUDGED and value != s.named:
                return f"the changed die shows {s.named} and is the one that is laid"
            if s.phase != rules.NUDGED and value not in (s.low, s.high):
                return f"the dice show {s.low} and {s.high}"
            if s.end == rules.UNFIXED and end is None:
                return "the first die of the round says which end is 1: add left or right"
            if s.end != rules.UNFIXED and end is not None:
                return f"card 1 is at the {ENDS[int(s.end)]} end until the round is over"
        case Place() | Direct() | PlaceBoth() | Nudge() | RollAgain() | Joker() if not rolled:
            return "nothing has been rolled in this turn"
        case _:
            pass
    trick = {Nudge: Trick.PM1, PlaceBoth: Trick.BOTH, RollAgain: Trick.AGAIN}.get(type(action))
    if isinstance(action, Joker):
        trick = action.using
    if trick is not None:
        if s.spent[seat]:
            return "only one trick card may be played in a round"
        if s.hand[seat, trick.number] == 0:
            return f"there is no {trick} card in hand"
        if isinstance(action, Joker):
            return f"the joker needs a sailor of that nation, and there is none in {action.nation}"
    return ""


__all__ = [
    "Action",
    "Allow",
    "Chance",
    "CrazyCaptain",
    "Deal",
    "Direct",
    "Exchange",
    "Fall",
    "Joker",
    "Nudge",
    "Object",
    "Place",
    "PlaceBoth",
    "Reroll",
    "Roll",
    "RollAgain",
    "Sailor",
    "Shanghai",
    "Sharks",
    "Starter",
    "decode",
    "decode_chance",
    "encode",
    "encode_chance",
    "explain",
    "kind_of",
]
