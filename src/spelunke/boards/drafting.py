"""Build a move on a terminal's board, one click or key at a time.

A player picks things on the board, such as cards, before a move is complete. The picks are stored like the
fields of an HTML form: names with their values (``Scene.draft``). Each click or key is a step: it changes the
fields, or plays a move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias

from rich.style import Style

Step: TypeAlias = tuple[Literal["set", "toggle", "send", "play"], str, str]
"""A step as a tuple: its kind, the name of a field, and a value.

``set`` replaces all values of the field with this value. ``toggle`` adds the value, or removes it if the field
already has it. ``send`` sets the field, and plays the move that the game's hook ``compose_move`` makes from all
fields. ``play`` plays the value as a move.
"""
Fields: TypeAlias = dict[str, tuple[str, ...]]
KEPT = "~"
"""The first character in the names of fields that are kept after a move, such as the order of a hand."""


def change(step: Step) -> Style:
    """Return a style for text on the board. It makes a click on this text run ``step``."""
    return Style(meta={"draft": step})


def with_keys(
    keys: Mapping[str, Step], consider: str = "", *, about: str = "", told: Sequence[tuple[str, str]] = ()
) -> Style:
    """Return a style for a whole board. On a board with this style, each key in ``keys`` runs its step.

    ``consider`` is a move. After each step that changes fields, the screen highlights this move in the list of moves,
    so that Enter plays it. ``about`` names the round. When ``about`` changes, the screen forgets all picked things
    except those that :func:`keep_fields` returns. ``told`` lists keys with their effects, for the help.
    """
    return Style(meta={"keys": dict(keys), "consider": consider, "about": about, "told": tuple(told)})


def apply_step(fields: Fields, step: Step) -> Fields:
    """Return the fields after a step of the kind ``set`` or ``toggle``.

    A step has its kind, the name of a field, and a value. ``set`` replaces all values of the field by this value.
    ``toggle`` removes the value from the field if it is there, else adds it.
    """
    what, field, value = step
    values = fields.get(field, ())
    if what == "toggle" and value in values:
        return {**fields, field: tuple(one for one in values if one != value)}
    return {**fields, field: (*values, value) if what == "toggle" else (value,)}


def keep_fields(fields: Fields) -> Fields:
    """Return the fields that are kept after a move: their names begin with ``KEPT``."""
    return {field: values for field, values in fields.items() if field.startswith(KEPT)}


def drop_words(fields: Fields, words: Collection[str]) -> Fields:
    """Return the fields without the things that a played move names, such as cards. ``words`` are the move's words.

    For example, the word ``7s`` removes the values ``7s``, ``7s.1`` and ``7s.2``. Values that contain a space are kept.
    The fields that :func:`keep_fields` returns keep all their values.
    """
    return {
        field: values
        if field.startswith(KEPT)
        else tuple(value for value in values if value.partition(".")[0] not in words or " " in value)
        for field, values in fields.items()
    }
