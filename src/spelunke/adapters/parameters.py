"""Options of a game as parameters of OpenSpiel, whose values are of one type each and stand in a game's text."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core.option import Choice, Count, Option, Value

Parameter: TypeAlias = bool | int | str


def default_parameter(option: Option) -> Parameter:
    """What a parameter is when it is not given; its type is the parameter's.

    Where it depends on the seats: 0, or no text.
    """
    if callable(option.default):
        return 0 if isinstance(option, Count) else ""
    return write_parameter(option, option.default)


def write_parameter(option: Option, value: Value) -> Parameter:
    """A value as its parameter holds it.

    OpenSpiel takes any text of digits for a number, and a parameter is of one type: among texts 10 is ``_10``.
    """
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    if isinstance(value, bool) or not _is_mixed(option):
        return value
    return f"_{str(value).removeprefix('_')}" if str(value).lstrip("_").isdigit() else value


def _is_mixed(option: Option) -> bool:
    """Whether texts and numbers are among the values."""
    return isinstance(option, Choice) and len({type(value) for value in option.values}) > 1


def read_parameter(option: Option, value: Parameter) -> Parameter:
    """What the game takes for the option. Undoes :func:`write_parameter`."""
    return value.removeprefix("_") if _is_mixed(option) and isinstance(value, str) else value
