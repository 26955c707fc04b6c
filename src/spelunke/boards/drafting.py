"""Parts of a terminal's board that change the picked things, or that send them.

The picked things are the ``draft`` of the scene: the fields of a form by name, as on the page. A press on a
part, or a key, makes one change to these fields. This change is called a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rich.style import Style

Step: TypeAlias = tuple[Literal["set", "toggle", "send", "play"], str, str]
"""A kind of step, a field, and a value.

``set`` replaces the field's values. ``toggle`` adds the value, or removes it if it is there. ``send`` plays
the move that the hook ``compose_move`` makes from the form with this field. ``play`` plays the move in the
value.
"""
Fields: TypeAlias = dict[str, tuple[str, ...]]


def change(step: Step) -> Style:
    """Return the style of a part. If the part is pressed, it does this step."""
    return Style(meta={"draft": step})


def with_keys(keys: Mapping[str, Step], consider: str = "") -> Style:
    """Return the style of a whole board. If one of the keys is pressed, the board does the key's step.

    ``consider`` is the move that Enter would play now. The board may mark it.
    """
    return Style(meta={"keys": dict(keys), "consider": consider})


def apply_step(fields: Fields, step: Step) -> Fields:
    """Return the fields after a step of the kind ``set`` or ``toggle``."""
    what, field, value = step
    values = fields.get(field, ())
    if what == "toggle" and value in values:
        return {**fields, field: tuple(one for one in values if one != value)}
    return {**fields, field: (*values, value) if what == "toggle" else (value,)}
