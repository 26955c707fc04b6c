"""Build a move on a terminal's board, one click or key at a time.

A player picks things on the board, such as cards, before a move is complete. The picks are stored like the
fields of an HTML form: names with their values (``Scene.draft``). Each click or key is a step: it changes the
fields, or plays a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rich.style import Style

Step: TypeAlias = tuple[Literal["set", "toggle", "send", "play"], str, str]
"""A step as a tuple: its kind, the name of a field, and a value.

``set`` replaces the field's values with the value. ``toggle`` adds the value, or removes it if the field
already has it. ``send`` sets the field, and plays the move that the game's hook ``compose_move`` makes from all
fields. ``play`` plays the value as a move.
"""
Fields: TypeAlias = dict[str, tuple[str, ...]]


def change(step: Step) -> Style:
    """Return a style for a part of the board. A click on the part runs this step."""
    return Style(meta={"draft": step})


def with_keys(keys: Mapping[str, Step], consider: str = "") -> Style:
    """Return a style for a whole board. The style gives each of these keys a step.

    ``consider`` is a move. After each step, the screen highlights it in the list of moves, so that Enter plays it.
    """
    return Style(meta={"keys": dict(keys), "consider": consider})


def apply_step(fields: Fields, step: Step) -> Fields:
    """Return the fields after a step of the kind ``set`` or ``toggle``."""
    what, field, value = step
    values = fields.get(field, ())
    if what == "toggle" and value in values:
        return {**fields, field: tuple(one for one in values if one != value)}
    return {**fields, field: (*values, value) if what == "toggle" else (value,)}
