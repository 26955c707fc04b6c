"""Parts of a terminal's board that change what the viewer has picked, or that send it.

The picked things are the ``draft`` of the scene: the fields of a form by name, as on the page. A step is the change
that a press on a part, or a key, makes to these fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rich.style import Style

Step: TypeAlias = tuple[Literal["set", "toggle", "send", "play"], str, str]
"""What is done, the field, and its value: ``set`` replaces the field's values, ``toggle`` adds or removes the value,
``send`` plays the move that the form makes with this field (hook ``compose_move``), and ``play`` plays the move that
is the value.
"""
Fields: TypeAlias = dict[str, tuple[str, ...]]


def change(step: Step) -> Style:
    """Return the style of a part that does this step when it is pressed."""
    return Style(meta={"draft": step})


def with_keys(keys: Mapping[str, Step], consider: str = "") -> Style:
    """Return the style of a whole board whose keys do these steps. ``consider`` is the move that Enter would play
    now, which the board may mark.
    """
    return Style(meta={"keys": dict(keys), "consider": consider})


def apply_step(fields: Fields, step: Step) -> Fields:
    """Return the fields after a step that plays nothing."""
    what, field, value = step
    values = fields.get(field, ())
    if what == "toggle" and value in values:
        return {**fields, field: tuple(one for one in values if one != value)}
    return {**fields, field: (*values, value) if what == "toggle" else (value,)}
