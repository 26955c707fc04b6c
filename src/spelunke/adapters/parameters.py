"""Convert options of a game to parameters of OpenSpiel, and back. All values of a parameter have the same type."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core.option import Choice, Count, Option, Value

Parameter: TypeAlias = bool | int | str


def default_parameter(option: Option) -> Parameter:
    """Return the default value of the parameter for an option. OpenSpiel gives the parameter the type of this value.

    If the option's default depends on the number of seats, return 0 or an empty text.
    """
    if callable(option.default):
        return 0 if isinstance(option, Count) else ""
    return write_parameter(option, option.default)


def write_parameter(option: Option, value: Value) -> Parameter:
    """Convert a value of an option to the value of OpenSpiel's parameter for this option.

    OpenSpiel reads any text of digits as a number. So if an option has both texts and numbers as values, the value
    10 becomes the text ``_10``.
    """
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    if isinstance(value, bool) or not _is_mixed(option):
        return value
    return f"_{str(value).removeprefix('_')}" if str(value).lstrip("_").isdigit() else value


def _is_mixed(option: Option) -> bool:
    """Return whether the option has both texts and numbers as values."""
    return isinstance(option, Choice) and len({type(value) for value in option.values}) > 1


def read_parameter(option: Option, value: Parameter) -> Parameter:
    """Return the value without the prefix ``_`` that :func:`write_parameter` adds to some values."""
    return value.removeprefix("_") if _is_mixed(option) and isinstance(value, str) else value
