"""Explain in plain words why input does not fit a type, because msgspec's messages use the names of Python's types."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

KINDS: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_AT = re.compile(r"(?P<reason>.*?) - at (?:`key` in )?`\$\.?(?P<place>.*)`", re.DOTALL)
_BOUND = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def explain_misfit(message: str, kind: type[msgspec.Struct] | None = None) -> tuple[str, str]:
    """Return the reason of a ``msgspec.ValidationError`` as a clause, and its place in the input.

    An example of a reason is ``it lacks the field `game` ``, and of a place ``seats[0].kind``. The place is empty
    for the input as a whole. ``message`` is the error's message, and ``kind`` is the expected type. If a field of
    ``kind`` has an unknown word, the reason lists the allowed words. If a field of a nested type has an unknown word,
    or if ``kind`` is None, the reason lists no words.
    """
    found = _AT.fullmatch(message)
    reason, place = (found["reason"], found["place"]) if found else (message, "")
    if reason.startswith("Invalid enum value"):
        words = _words_of(kind, place)
        return f"it can't be{reason.removeprefix('Invalid enum value')}" + (
            f"; choose {', '.join(words)}" if words else ""
        ), place
    return _say(reason), place


def _say(reason: str) -> str:
    for begin, said in (
        ("Object missing required field", "it lacks the field"),
        ("Object contains unknown field", "it has an unknown field"),
    ):
        if reason.startswith(begin):
            return said + reason.removeprefix(begin)
    if found := re.fullmatch(r"Expected `(str|array|bytes)` of length (>=|<=) (\d+)(?:, got \d+)?", reason):
        return f"it must have {_BOUND[found[2]]} {_count(int(found[3]), found[1])}"
    if found := re.fullmatch(r"Expected `array` of (at least |at most )?length (\d+)(?:, got \d+)?", reason):
        return f"it must have {found[1] or 'exactly '}{_count(int(found[2]), 'array')}"
    if found := re.fullmatch(r"Expected `(?:int|float)` (>=|<=|>|<) (\S+)", reason):
        return f"it must be {_BOUND[found[1]]} {found[2]}"
    if found := re.fullmatch(r"Expected `([\w |]+)`, got `(\w+)`", reason):
        wanted = " or ".join(KINDS.get(one, one) for one in found[1].split(" | "))
        return f"it must be {wanted}, not {KINDS.get(found[2], found[2])}"
    return reason[:1].lower() + reason[1:]


def _count(n: int, kind: str) -> str:
    noun = ("entry", "entries") if kind == "array" else ("character", "characters")
    return f"{n} {noun[n != 1]}"


def _words_of(kind: type[msgspec.Struct] | None, place: str) -> tuple[str, ...]:
    """Return the allowed words for the field at this place of the struct ``kind``.

    If the struct has no such field, or the field allows any word, return an empty tuple.
    """
    if kind is None or not place.isidentifier():
        return ()
    about: Any = msgspec.inspect.type_info(kind)
    field = next((one for one in about.fields if one.encode_name == place), None)
    for one in _options(field.type) if field else ():
        if isinstance(one, msgspec.inspect.LiteralType):
            return tuple(map(str, one.values))
    return ()


def _options(kind: Any) -> tuple[Any, ...]:
    if isinstance(kind, msgspec.inspect.Metadata):
        return _options(kind.type)
    return kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
