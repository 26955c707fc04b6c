"""Read and write moves of Halunken und Spelunken as text.

Several forms of a move can be read, but only one is written. For position texts, see :mod:`.position` and
:mod:`.reading`.
"""

from __future__ import annotations

from spelunke.core.errors import BadText
from spelunke.core.words import plain
from spelunke.games.halunken import position, reading
from spelunke.games.halunken.cards import Sailor, Step, parse_sailor, parse_step, write_step
from spelunke.games.halunken.moves import (
    Action,
    Bid,
    Chance,
    Choose,
    ChooseJack,
    Decline,
    Falls,
    First,
    Fish,
    Flip,
    Give,
    Name,
    Pass,
    Place,
    Rob,
    Seen,
    Stray,
    TakeBack,
)
from spelunke.games.halunken.state import State

parse_position = reading.parse_position
write_position = position.write_position

GRAMMAR = (
    "card 4",
    "card rum",
    "bid grey 5",
    "pass",
    "rum 3",
    "rob red 8",
    "harbour violet 14",
    "give yellow 5",
    "decline",
    "place 5",
    "jack 4",
    "jack rum",
    "take back",
    "take back jack",
)
"""One example of each form of a move, for help texts."""

FILLERS = frozenset({"the", "a", "to", "at", "on", "from", "field", "number", "is", "card", "of"})


def write(action: Action) -> str:
    """Return an action as move text."""
    match action:
        case Place(field):
            return f"place {field}"
        case Pass():
            return "pass"
        case Bid(sailor):
            return f"bid {sailor}"
        case Choose(card):
            return f"card {write_step(card)}"
        case ChooseJack(card):
            return f"jack {write_step(card)}"
        case TakeBack(jack):
            return "take back jack" if jack else "take back"
        case Name(number):
            return f"rum {number}"
        case Rob(sailor):
            return f"rob {sailor}"
        case Fish(sailor):
            return f"harbour {sailor}"
        case Give(sailor):
            return f"give {sailor}"
        case Decline():
            return "decline"


def parse(text: str, s: State | None = None) -> Action:
    """Return the action that a move text means. Raise BadText if the text is not a move.

    Besides the texts that :func:`write` returns, other forms are accepted: ``rob red 8 from 2``, ``card r`` or ``5``,
    for example.
    """
    words = text.lower().replace(",", " ").split()
    if not words:
        raise BadText(f"a move is missing; try one of {', '.join(GRAMMAR[:4])}")
    first, rest = words[0], [word for word in words[1:] if word not in FILLERS]
    if len(words) == 1 and (first.isdecimal() or first in {"r", "rum"}):
        return Choose(_eight(first, text))
    match first:
        case "pass" | "decline" | "no":
            if rest:
                raise BadText(f"{text!r}: write nothing after {first!r}")
            return Pass() if first == "pass" else Decline()
        case "place" | "put":
            return Place(_number(_only(rest, text, plain("the field, 0 to 13")), 0, 13, text))
        case "bid" | "offer":
            return Bid(_sailor(rest, text))
        case "card" | "play" | "seal":
            return Choose(_eight(_only(rest, text, plain("the card, 1 to 7 or rum")), text))
        case "jack":
            word = _only(rest, text, plain("Black Jack's card"))
            return ChooseJack("rum" if word in {"rum", "r"} else _number(word, 1, 12, text))
        case "take" if rest[:1] == ["back"] and rest[1:] in ([], ["jack"]):
            return TakeBack(jack=len(rest) == 2)
        case "unready" if not rest:
            return TakeBack()
        case "rum" | "name":
            return Name(
                _number(_only(rest, text, plain("the number that the Rum stands for, 1 to 7")), 1, 7, text)
            )
        case "rob" | "steal":
            if len(rest) == 3 and rest[2].isdecimal():
                rest = rest[:2]
            return Rob(_sailor(rest, text))
        case "harbour" | "harbor" | "fish":
            return Fish(_sailor(rest, text))
        case "give":
            return Give(_sailor(rest, text))
    raise BadText(f"{text!r} is not a move; moves look like {', '.join(GRAMMAR)}")


def _only(rest: list[str], text: str, what: str) -> str:
    if len(rest) != 1:
        raise BadText(f"{text!r}: after the first word, write only {what}")
    return rest[0]


def _number(word: str, least: int, most: int, text: str) -> int:
    if not word.isdecimal() or len(word) > 2 or not least <= int(word) <= most:
        raise BadText(f"{text!r}: {word!r} is not a number from {least} to {most}")
    return int(word)


def _eight(word: str, text: str) -> Step:
    step = parse_step(word)
    return step if step == "rum" else _number(word, 1, 7, text)


def _sailor(rest: list[str], text: str) -> Sailor:
    try:
        return parse_sailor(" ".join(rest))
    except BadText as error:
        raise BadText(f"{text!r}: {error.reason}") from None


def write_chance(chance: Chance) -> str:
    """Return an outcome of chance as text."""
    match chance:
        case First(seat):
            return f"first {seat}"
        case Stray(field):
            return f"field {field}"
        case Seen(sailor):
            return f"sailor {sailor}"
        case Flip(card):
            return f"flip {write_step(card)}"
        case Falls(number):
            return f"number {number}"


def parse_chance(text: str, s: State | None = None) -> Chance:
    """Return the outcome of chance that a text means. Raise BadText if there is none."""
    words = text.lower().replace(",", " ").split()
    if len(words) == 2:
        match words[0]:
            case "first":
                return First(_number(words[1], 0, 3, text))
            case "field":
                return Stray(_number(words[1], 0, 13, text))
            case "flip":
                return Flip("rum" if words[1] == "rum" else _number(words[1], 1, 12, text))
            case "number":
                return Falls(_number(words[1], 1, 7, text))
    if len(words) >= 2 and words[0] == "sailor":
        return Seen(_sailor(words[1:], text))
    raise BadText(
        f"{text!r} is not an outcome of chance; outcomes look like 'sailor red 8', 'flip 4', 'first 0', 'field 5', "
        "'number 3'"
    )
