"""Mutations of text and of JSON, drawn from a seeded generator."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

NUMBERS: tuple[int | float, ...] = (
    *(0, -1, 1, 2, 3, 7, 12, 15, 16, 63, 64, 99, 127, 128, 199, 200, 255, 256, 599, 600, 9999, 99999),
    *(2**15 - 1, 2**15, -(2**15), -(2**15) - 1, 2**16, 2**31 - 1, 2**31, -(2**31) - 1, 2**32),
    *(2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30), 10**400),
    *(0.5, -0.0, 1.0, 1e15, 1e308, 5e-324),
)
DIGITS = (
    "²",
    "٣",
    "Ⅷ",
    "½",
    "𝟗",
    "০",
    "９",
    "1_0",
    "+1",
    "-0",
    "0x10",
    "1e5",
    "1e999",
    " 1",
    "1 ",
    "007",
    "9" * 5000,
)
WORDS = (
    *(
        "",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\x00",
        "\x1b[31m",
        "\x7f",
        "\x85",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\ud800",
        "é",
        "ß",
    ),
    *(
        "İ",
        "ﬁ",
        "字",
        "🂡",
        "a\u0301",
        "null",
        "true",
        "NaN",
        "-",
        "--",
        "|",
        ";",
        ":",
        "=",
        ",",
        "/",
        "*",
        "%",
        "%s",
    ),
    *(
        "{0}",
        "{",
        "}",
        "[",
        "]",
        "(",
        "<b>",
        "'",
        '"',
        "`",
        "\\",
        "&",
        "#",
        "?",
        "..",
        "$",
        "!",
        "self",
        "__class__",
    ),
    *("a" * 70, "ä" * 300, "x" * 5000, "a " * 300),
)
SPACES = re.compile(r"(\s+|[|;:=,/&?])")


def nasty(rng: random.Random) -> Json:
    """Return a value of an unexpected kind."""
    kind = rng.randrange(6)
    if kind <= 1:
        return rng.choice(NUMBERS)
    if kind == 2:
        return rng.choice(WORDS)
    if kind == 3:
        return rng.choice(DIGITS)
    plain: tuple[Json, ...] = (
        None,
        True,
        False,
        [],
        {},
        [[]],
        [None],
        {"": None},
        [0] * 300,
        {"a": {"a": {"a": 1}}},
    )
    return rng.choice(plain)


# --- text -------------------------------------------------------------------------------------------------------


def _cut(text: str, rng: random.Random) -> tuple[int, int]:
    first = rng.randrange(len(text) + 1)
    return first, min(len(text), first + rng.choice((1, 1, 2, 4, 8, 20)))


def _drop(text: str, rng: random.Random, others: Sequence[str]) -> str:
    first, last = _cut(text, rng)
    return text[:first] + text[last:]


def _repeat(text: str, rng: random.Random, others: Sequence[str]) -> str:
    first, last = _cut(text, rng)
    return text[:first] + text[first:last] * rng.choice((2, 2, 3, 50)) + text[last:]


def _put(text: str, rng: random.Random, others: Sequence[str]) -> str:
    first, last = _cut(text, rng)
    return text[:first] + rng.choice(rng.choice((WORDS, DIGITS))) + text[rng.choice((first, last)) :]


def _letter(text: str, rng: random.Random, others: Sequence[str]) -> str:
    first, last = _cut(text, rng)
    letter = chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), rng.randrange(0x11000))))
    return text[:first] + letter + text[last:]


def _case(text: str, rng: random.Random, others: Sequence[str]) -> str:
    return rng.choice((text.upper, text.title, text.swapcase))()


def _splice(text: str, rng: random.Random, others: Sequence[str]) -> str:
    other = rng.choice(others)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _words(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Swap words, repeat them, or take them from another text."""
    words = SPACES.split(text)
    place = rng.randrange(len(words))
    deed = rng.randrange(5)
    if deed == 0:
        del words[place]
    elif deed == 1:
        words.insert(place, rng.choice(words))
    elif deed == 2:
        other = rng.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    elif deed == 3:
        words[place] = rng.choice(SPACES.split(rng.choice(others)))
    else:
        words[place] = rng.choice((str(rng.choice(NUMBERS)), rng.choice(DIGITS), rng.choice(WORDS)))
    return "".join(words)


def _number(text: str, rng: random.Random, others: Sequence[str]) -> str:
    found = list(re.finditer(r"\d+", text))
    if not found:
        return _put(text, rng, others)
    spot = rng.choice(found)
    near = (
        str(int(spot.group()[:50]) + rng.choice((-1, 1, 10)))
        if rng.random() < 0.4
        else str(rng.choice(NUMBERS))
    )
    return text[: spot.start()] + rng.choice((near, near, rng.choice(DIGITS))) + text[spot.end() :]


TEXT: tuple[Callable[[str, random.Random, Sequence[str]], str], ...] = (
    *(_drop, _repeat, _put, _letter, _case, _splice),
    *(_words, _words, _words, _number, _number),
)


def mutate_text(text: str, rng: random.Random, others: Sequence[str], most: int = 20_000) -> str:
    """Return the text with one to four changes; ``others`` are texts of its kind, to take pieces from."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        text = rng.choice(TEXT)(text, rng, others)
    return text[:most]


# --- JSON -------------------------------------------------------------------------------------------------------


Spot: TypeAlias = "tuple[list[Json] | dict[str, Json], int | str]"


def _spots(value: Json) -> list[Spot]:
    """Return each place inside a document as a pair: the container, and the key or index in this container."""
    found: list[Spot] = []
    todo: list[Json] = [value]
    while todo:
        box = todo.pop()
        if isinstance(box, dict):
            found.extend((box, key) for key in box)
            todo.extend(box.values())
        elif isinstance(box, list):
            found.extend((box, k) for k in range(len(box)))
            todo.extend(box)
    return found


def _get(spot: Spot) -> Json:
    box, key = spot
    return box[key]  # type: ignore[call-overload, index]


def _set(spot: Spot, value: Json) -> None:
    box, key = spot
    box[key] = value  # type: ignore[call-overload, index]


def mutate_json(value: Json, rng: random.Random, others: Sequence[Json], texts: Sequence[str]) -> Json:
    """Return a changed copy of the document, with one to four changes; ``others`` are documents of its kind."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        spots = _spots(value)
        if not spots:
            return nasty(rng)
        _change(rng.choice(spots), spots, rng, others, texts)
    return value


def _change(
    spot: Spot, spots: Sequence[Spot], rng: random.Random, others: Sequence[Json], texts: Sequence[str]
) -> None:
    box, key = spot
    old = _get(spot)
    deed = rng.randrange(9)
    if deed == 0:
        del box[key]  # type: ignore[arg-type]
    elif deed == 1:
        _set(spot, nasty(rng))
    elif deed == 2:
        _set(spot, copy.deepcopy(_get(rng.choice(spots))))
    elif deed == 3 and (strange := _spots(rng.choice(others))):
        _set(spot, copy.deepcopy(_get(rng.choice(strange))))
    elif deed == 4 and isinstance(box, list) and isinstance(key, int):
        box.insert(key, copy.deepcopy(old))
    elif deed == 5 and isinstance(box, dict):
        box[rng.choice((*WORDS[:20], *map(str, box)))] = box.pop(key)  # type: ignore[arg-type]
    elif isinstance(old, str):
        _set(spot, mutate_text(old, rng, texts or (old, "x")))
    elif isinstance(old, (int, float)):
        _set(spot, rng.choice((old + 1, old - 1, -old, rng.choice(NUMBERS), str(old), not old)))
    else:
        _set(spot, nasty(rng))


def write(value: Json, rng: random.Random) -> bytes:
    """Return the document as bytes, which are sometimes no valid JSON."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.02:  # more digits than Python reads
        text = re.sub(r"\b\d+\b", "9" * 5000, text, count=rng.randrange(1, 4))
    elif rng.random() < 0.06:
        text = mutate_text(text, rng, (text, "{", "]"), most=400_000)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.02:
        data = data.replace(b'"', rng.choice((b"\xff", b"\xed\xa0\x80", b"\x00", b"'")), 1)
    return data
