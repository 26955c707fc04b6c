"""Patches: what a stream sends of a part that changed, where its page was sent the part before.

A part is cut before each class attribute, so that its pieces are short. A patch is a list: two numbers copy pieces of
the part as it was, from the first up to the second; a text is new. `static/patches.js` puts the part together again,
and the page then takes it in as if it had come whole. Why: docs/why/patches.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeAlias, cast

import msgspec

CUT = ' class="'

Patch = list[int | str]
Mark: TypeAlias = "array[int]"
"""What tells a part from any other: the hashes of its pieces, 8 bytes each."""


def cut(part: str) -> list[str]:
    """Return the pieces of a part; joined by `CUT` they are the part."""
    return str.split(part, CUT)  # a Markup would make each piece one too


def mark_of(pieces: Sequence[str]) -> Mark:
    """Return the mark of a part, given its pieces: their hashes."""
    return array("q", map(hash, pieces))


def write_patch(before: Mark, now: Mark, pieces: Sequence[str]) -> Patch:
    """Return what makes the part of these pieces, whose mark is `now`, of the part that had the mark `before`."""
    old, new_marks = before.tolist(), now.tolist()
    patch: Patch = []
    places: dict[int, int] = {}
    # where we are, where what is new begins, and where we should be in the part before
    at, new, there = 0, 0, 0
    most, had = len(new_marks), len(old)
    while at < most:
        if there >= had or old[there] != new_marks[at]:
            places = places or dict(zip(old, range(had), strict=True))
            place = places.get(new_marks[at])
            if place is None:  # mostly it stands in the place of another
                at += 1
                there += 1
                continue
            there = place
        if new < at:
            patch.append(CUT.join(pieces[new:at]))
        begins = there
        while at < most and there < had and old[there] == new_marks[at]:
            at += 1
            there += 1
        patch += [begins, there]
        new = at
    if new < most:
        patch.append(CUT.join(pieces[new:]))
    return patch


class PageParts:
    """The parts of a page as its stream brought them; does what the page's script does, for programs and tests."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}

    def take(self, data: str | bytes) -> str:
        """Take the data of a message in, and return what it swaps in: whole parts, new lines of the log."""
        message = msgspec.json.decode(data, type=_Message)
        for name, patch in message.parts.items():
            self._pieces[name] = _apply(self._pieces.get(name, []), patch)
        parts = (
            f'<hx-partial hx-target="#{name}" hx-swap="morph">{self.part(name)}</hx-partial>'
            for name in message.parts
        )
        return "".join(parts) + message.html

    def part(self, name: str) -> str:
        """Return a part as it is now; empty where none came."""
        return CUT.join(self._pieces.get(name, []))


class _Message(msgspec.Struct):
    parts: dict[str, Patch]
    html: str


def _apply(before: Sequence[str], patch: Patch) -> list[str]:
    pieces: list[str] = []
    ops = iter(patch)
    for one in ops:
        if isinstance(one, str):
            pieces += cut(one)
        else:
            pieces += before[one : cast(int, next(ops))]
    return pieces
