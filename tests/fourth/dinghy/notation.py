"""Texts of Dinghy."""

from __future__ import annotations

from typing import Any

from dinghy import rules
from dinghy.moves import Land, Row, Wave
from spelunke.core.errors import BadPosition, BadText
from spelunke.core.kernel import pool

GRAMMAR = ("row", "land")


def write(action: Any) -> str:
    return "row" if isinstance(action, Row) else "land"


def parse(text: str, s: Any = None) -> Any:
    word = text.strip().lower()
    if word not in GRAMMAR:
        raise BadText(f"{text!r} is no move; moves are row and land")
    return Row() if word == "row" else Land()


def write_chance(chance: Wave) -> str:
    return f"wave {chance.barrels}"


def parse_chance(text: str, s: Any = None) -> Wave:
    words = text.lower().split()
    if len(words) != 2 or words[0] != "wave" or words[1] not in "123456":
        raise BadText(f"{text!r} is no outcome of chance; they look like 'wave 3'")
    return Wave(int(words[1]))


def write_position(s: Any) -> dict[str, Any]:
    seats = [{"ashore": int(s.ashore[seat])} for seat in range(s.seats)]
    options = {"goal": int(s.goal)} if s.goal != 20 else {}
    return {
        "seats": seats,
        "turn": int(s.turn),
        "aboard": int(s.aboard),
        "rowing": bool(s.rowing),
        "options": options,
    }


def parse_position(text: dict[str, Any], where: str = "") -> Any:
    s = pool(rules.STATE, 1)[0]
    try:
        s.seats, s.turn, s.aboard = len(text["seats"]), text["turn"], text["aboard"]
        s.rowing, s.goal = int(text["rowing"]), text["options"].get("goal", 20)
        for seat, part in enumerate(text["seats"]):
            s.ashore[seat] = part["ashore"]
    except (KeyError, TypeError, IndexError, ValueError):
        raise BadPosition("it needs seats, turn, aboard, rowing and options", where) from None
    return s
