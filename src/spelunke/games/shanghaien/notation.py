"""Read and write moves of Shanghaien as text.

Several forms of a move can be read, but only one is written. :mod:`.position` has the position texts.
"""

from __future__ import annotations

import msgspec

from spelunke.core.errors import BadText
from spelunke.core.words import plain
from spelunke.games.shanghaien.cards import (
    DEALT,
    ENDS,
    End,
    parse_card,
    parse_nation,
    parse_trick,
    write_card,
)
from spelunke.games.shanghaien.moves import (
    TABLE,
    Action,
    Chance,
    Deal,
    Direct,
    Exchange,
    Fall,
    Joker,
    Nudge,
    Place,
    PlaceBoth,
    Sharks,
    Starter,
)
from spelunke.games.shanghaien.position import parse_position, write_position
from spelunke.games.shanghaien.state import State

__all__ = ["parse", "parse_chance", "parse_position", "write", "write_chance", "write_position"]

WORDS = {
    action: str(action.__struct_config__.tag) for action in TABLE.values if not msgspec.structs.fields(action)
}
"""The text of each action without fields. It is the tag of the action's type."""
PLAIN = {word: action for action, word in WORDS.items()}
FORMS = (
    "roll",
    "shanghai",
    "place 4",
    "place 4 left",
    "pm1 5",
    "both",
    "both left",
    "again",
    "joker red using both",
    "direction left",
    "reroll",
    "sharks 4",
    "sharks 4 left",
    "exchange 3",
)
GRAMMAR = (*FORMS, *(word for word in PLAIN if word not in FORMS))
"""One example of each form of a move, for help texts. The most frequent form comes first."""
SHORT = {
    "r": "roll",
    "s": "shanghai",
    "p": "place",
    "lay": "place",
    "l": "left",
    "nudge": "pm1",
    "+-1": "pm1",
    "±1": "pm1",
    "crazy-captain": "crazy",
    "pass": "allow",
}


def write(action: Action) -> str:
    """Return an action as move text."""
    match action:
        case Direct(end):
            return f"direction {end}"
        case Place(value, end):
            return f"place {value}{_tail(end)}"
        case Nudge(value):
            return f"pm1 {value}"
        case PlaceBoth(end):
            return f"both{_tail(end)}"
        case Joker(nation, using):
            return f"joker {nation} using {using}"
        case Sharks(value, end):
            return f"sharks {value}{_tail(end)}"
        case Exchange(number):
            return f"exchange {number}"
        case _:
            return WORDS[action]


def _tail(end: End | None) -> str:
    return f" {end}" if end else ""


def parse(text: str, s: State | None = None) -> Action:
    """Return the action that a move text means. Raise BadText if there is none.

    ``s`` is the current state. Once the direction of the round is fixed, the text need not name an end of the
    row, but it may name the end that was chosen.
    """
    words = (
        text.lower()
        .replace(",", " ")
        .replace("light blue", "lightblue")
        .replace("dark blue", "darkblue")
        .split()
    )
    if not words:
        raise BadText(f"a move is missing; try one of {', '.join(GRAMMAR[:4])}")
    first = SHORT.get(words[0], words[0])
    rest = [
        word
        for word in words[1:]
        if word not in {"using", "with", "to", "die", "dice", "the", "at", "captain"}
    ]
    if first.isdigit():
        first, rest = "place", [first, *rest]
    if first in PLAIN and not rest:
        return PLAIN[first]
    match first:
        case "direction" | "left" | "right":
            return Direct(
                _end(first if first != "direction" else _only(rest, text, plain("left or right")), text)
            )
        case "place" | "sharks":
            kind = Place if first == "place" else Sharks
            value, end = _value_end(rest, text, s)
            return kind(value, end)
        case "pm1":
            return Nudge(_number(_only(rest, text, plain("the new value of the die")), text))
        case "both":
            if len(rest) > 1:
                raise BadText(
                    f"{text!r}: too many words; write 'both', or 'both left' if these are the first dice "
                    "of a round"
                )
            return PlaceBoth(_fixed(_end(rest[0], text) if rest else None, s))
        case "exchange":
            return Exchange(
                _number(
                    _only(rest, text, plain("the number of the card from which you take the die back")), text
                )
            )
        case "joker":
            return _joker(rest, text, s)
    raise BadText(f"{text!r} is not a move; moves look like {', '.join(GRAMMAR)}")


def _joker(rest: list[str], text: str, s: State | None) -> Joker:
    """Return the joker action that a move text names. Raise BadText if there is none.

    ``rest`` has the words after "joker". They may omit the card if the hand has trick cards of only one kind.
    """
    if len(rest) == 1 and s is not None:
        held = [trick for trick in DEALT if s.hand[int(s.turn), trick.number] > 0]
        if len(held) == 1:
            return Joker(parse_nation(rest[0]), held[0])
    if len(rest) != 2 or (trick := parse_trick(rest[1])) not in DEALT:
        raise BadText(f"{text!r}: write the nation and the trick card, like 'joker red using both'")
    return Joker(parse_nation(rest[0]), trick)


def _only(rest: list[str], text: str, what: str) -> str:
    if len(rest) != 1:
        raise BadText(f"{text!r}: after the first word, write only {what}")
    return rest[0]


def _number(word: str, text: str) -> int:
    if word not in {"1", "2", "3", "4", "5", "6"}:
        raise BadText(f"{text!r}: {word!r} is not a number from 1 to 6")
    return int(word)


def _end(word: str, text: str) -> End:
    full = {"l": "left", "r": "right"}.get(word, word)
    if full not in ("left", "right"):
        raise BadText(f"{text!r}: {word!r} is not an end of the row; say left or right")
    return End(full)


def _value_end(rest: list[str], text: str, s: State | None) -> tuple[int, End | None]:
    if not 1 <= len(rest) <= 2:
        raise BadText(
            f"{text!r}: write the number of the die; for the first die of a round, also write at which end card 1 "
            "lies, as in 'place 4 left'"
        )
    value = _number(rest[0], text)
    return value, _fixed(_end(rest[1], text) if len(rest) == 2 else None, s)


def _fixed(end: End | None, s: State | None) -> End | None:
    """Return the end of the row for the action that a move text stands for, or None if the action names no end.

    ``end`` is the end that the move text itself names, or None.

    If card 1 already lies at ``end``, return None, because then the action must name no end. Otherwise return ``end``.
    If card 1 already lies at the opposite end, the rules refuse the action.
    """
    return None if s is not None and end is not None and ENDS[int(s.end)] is end else end


def write_chance(chance: Chance) -> str:
    """Return an outcome of chance as text: ``deal red 4``, ``starter 0`` or ``dice 2 4``."""
    match chance:
        case Deal(card):
            return f"deal {write_card(card)}"
        case Starter(seat):
            return f"starter {seat}"
        case Fall(low, high):
            return f"dice {low} {high}"


def parse_chance(text: str, s: State | None = None) -> Chance:
    """Return the outcome of chance that a text means. Raise BadText if there is none."""
    words = text.lower().replace(",", " ").split()
    if len(words) >= 2 and words[0] == "deal":
        return Deal(parse_card(" ".join(words[1:])))
    if len(words) == 2 and words[0] == "starter" and words[1] in {"0", "1"}:
        return Starter(int(words[1]))
    if len(words) == 3 and words[0] == "dice":
        low, high = sorted(_number(word, text) for word in words[1:])
        return Fall(low, high)
    raise BadText(
        f"{text!r} is not an outcome of chance; outcomes look like 'deal red 4', 'starter 0', 'dice 2 4'"
    )
