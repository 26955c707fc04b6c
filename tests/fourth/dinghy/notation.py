"""Texts of Dinghy."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from dinghy import GAME, rules
from dinghy.moves import Action, Land, Row, Wave
from dinghy.rules import State
from spelunke.core.errors import BadPosition, BadText
from spelunke.core.kernel import pool
from spelunke.games.reading import read_setup, read_shape

GRAMMAR = ("row", "land")
Barrels: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class SeatText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat of a position."""

    ashore: Barrels


class PositionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as its file has it."""

    seats: tuple[SeatText, ...]
    turn: int
    aboard: Barrels
    rowing: bool
    options: dict[str, int] = {}


def write(action: Action) -> str:
    """The move text."""
    return "row" if isinstance(action, Row) else "land"


def parse(text: str, s: State | None = None) -> Action:
    """The action that a text means; raises BadText."""
    word = text.strip().lower()
    if word not in GRAMMAR:
        raise BadText(f"{text!r} is no move; moves are row and land")
    return Row() if word == "row" else Land()


def write_chance(chance: Wave) -> str:
    """The text of a wave."""
    return f"wave {chance.barrels}"


def parse_chance(text: str, s: State | None = None) -> Wave:
    """The wave that a text means; raises BadText."""
    words = text.lower().split()
    if len(words) != 2 or words[0] != "wave" or words[1] not in "123456":
        raise BadText(f"{text!r} is no outcome of chance; they look like 'wave 3'")
    return Wave(int(words[1]))


def write_position(s: State) -> dict[str, object]:
    """The position as JSON values."""
    goal = int(s.options[rules.GOAL])
    return {
        "seats": [{"ashore": int(s.ashore[seat])} for seat in range(s.seats)],
        "turn": int(s.turn),
        "aboard": int(s.aboard),
        "rowing": bool(s.rowing),
        "options": {"goal": goal} if goal != GAME.option("goal").preset(s.seats) else {},
    }


def parse_position(text: dict[str, object], where: str = "") -> State:
    """The state that a position means; raises BadPosition."""
    told = read_shape(text, PositionText, where)
    seats = len(told.seats)
    setup = read_setup(GAME, seats, told.options)
    if not 0 <= told.turn < seats:
        raise BadPosition(f"it is the number of a seat, 0 to {seats - 1}", "turn")
    s: State = pool(rules.STATE, 1)[0]
    rules.start(s, setup)
    s.turn, s.aboard, s.rowing = told.turn, told.aboard, int(told.rowing)
    s.ashore[:seats] = [seat.ashore for seat in told.seats]
    return s
