"""Patches: the differences between two versions of a page's part. They are sent if the page has the earlier version.

A part is cut before each class attribute, so that its pieces are short. A patch is a list. In it, two numbers
copy pieces of the earlier version, from the first number up to the second. A text is added as it is.
`static/patches.js` assembles the part, and the page then uses it like a whole part. For the reasons, see
docs/why/patches.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

CUT = ' class="'

Patch = list[int | str]


class Mark(NamedTuple):
    """Identifies a version of a part: its hash, and the hashes of its pieces, 8 bytes each."""

    whole: int
    pieces: array[int]


def cut(part: str) -> list[str]:
    """Return the pieces of a part. Joined by `CUT`, they are the part."""
    return str.split(part, CUT)  # Markup.split would make each piece a Markup


def mark_of(part: str) -> Mark:
    """Return the mark of a part's version."""
    return Mark(hash(part), array("q", map(hash, cut(part))))


def write_patch(before: Mark, now: Mark, pieces: Sequence[str]) -> Patch:
    """Return the patch that turns the earlier version of a part into the new one.

    `before` and `now` are the marks of the two versions. `pieces` are the pieces of the new one.
    """
    old, new = before.pieces.tolist(), now.pieces.tolist()
    patch: Patch = []
    places: dict[int, int] = {}
    # the index of the current piece, of the first unsent piece, and of the expected piece in the earlier
    # version
    at, unsent, there = 0, 0, 0
    most, had = len(new), len(old)
    while at < most:
        if there >= had or old[there] != new[at]:
            places = places or dict(zip(old, range(had), strict=True))
            place = places.get(new[at])
            if place is None:  # a new piece usually replaces an old one
                at += 1
                there += 1
                continue
            there = place
        if unsent < at:
            patch.append(CUT.join(pieces[unsent:at]))
        begins = there
        while at < most and there < had and old[there] == new[at]:
            at += 1
            there += 1
        patch += [begins, there]
        unsent = at
    if unsent < most:
        patch.append(CUT.join(pieces[unsent:]))
    return patch


class PageParts:
    """The parts of a page, assembled from the messages of its stream as the page's script does it.

    Programs and tests use this class.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}

    def take(self, data: str | bytes) -> str:
        """Apply a message, and return the HTML that it puts into the page: whole parts, and new lines of the log."""
        message = msgspec.json.decode(data, type=_Message)
        for name, patch in message.parts.items():
            self._pieces[name] = _apply(self._pieces.get(name, []), patch)
        parts = (
            f'<hx-partial hx-target="#{name}" hx-swap="morph">{self.part(name)}</hx-partial>'
            for name in message.parts
        )
        return "".join(parts) + message.html

    def part(self, name: str) -> str:
        """Return the present version of a part, or an empty text if none was received."""
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
