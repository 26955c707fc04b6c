"""Patches: the differences between two versions of a part of a page.

After a stream has sent a part to a page once, it sends only patches of it. The HTML of a part is cut into pieces at
each class attribute. A patch is a list of texts and pairs of numbers. A text is inserted. A pair of numbers copies
pieces of the earlier version: from the first index up to, but not including, the second. `static/patches.js`
assembles the new version. For the reasons, see docs/why/patches.md.

The tail of a part is all that follows the last `<section class="` in it. If the new version has the same tail, the
server does not cut the tail.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

CUT = ' class="'
SECTION = "<section"
NO_TAIL = -1
"""The number in place of a tail's hash if a part has no tail. No hash in Python is -1."""

Patch = list[int | str]


class Mark(NamedTuple):
    """The hash of a version of a part of a page, the hash of its tail, and the hashes of its pieces, 8 bytes each.

    The docstring of this module says what a tail and a piece are. `head` is the number of pieces before the tail.
    """

    whole: int
    tail: int
    head: int
    pieces: array[int]


NEW = Mark(0, NO_TAIL, 0, array("q"))
"""The mark of a part that the page does not have."""


def cut(part: str) -> list[str]:
    """Split a part at each `CUT`, and return the pieces. `CUT.join(pieces)` is the part again."""
    return str.split(part, CUT)  # Markup.split would make each piece a Markup


def mark_of(part: str, before: Mark = NEW) -> tuple[Mark, list[str]]:
    """Return the mark of `part` (see :class:`Mark`), and the list of the pieces of `part`.

    `before` is the mark of an earlier version of the part. If both versions have the same tail, the list of pieces
    lacks the pieces of the tail.
    """
    head, section, tail = str.rpartition(part, SECTION + CUT)
    pieces = cut(head + SECTION if section else part)
    hashes, most = array("q", list(map(hash, pieces))), len(pieces)  # from an iterator, an array grows slowly
    whole = hash(tail) if section else NO_TAIL
    if section and whole == before.tail:
        hashes += before.pieces[before.head :]
    elif section:
        rest = cut(tail)
        pieces += rest
        hashes.extend(array("q", list(map(hash, rest))))
    return Mark(hash(part), whole, most, hashes), pieces


def write_patch(before: Mark, now: Mark, pieces: Sequence[str]) -> Patch:
    """Return the patch that turns the earlier version of a part into the new one.

    `before` and `now` are the marks of the two versions. `pieces` are the pieces of the new version. If both versions
    have the same tail, `pieces` may lack the pieces of the tail.
    """
    same = now.tail == before.tail
    old = before.pieces[: before.head].tolist() if same else before.pieces.tolist()
    new = now.pieces[: now.head].tolist() if same else now.pieces.tolist()
    patch: Patch = []
    places: dict[int, int] = {}
    # three indexes: the current piece, the first piece that is not in the patch yet, and the piece of the
    # earlier version that is expected next
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
        patch.append(CUT.join(pieces[unsent:most]))
    if same and now.tail != NO_TAIL:
        patch += [before.head, len(before.pieces)]
    return patch


class PageParts:
    """The parts of a page. This class assembles them from the messages of a stream, as the page's script does.

    Programs and tests use this class.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}

    def take(self, data: str | bytes) -> str:
        """Apply a message. Return the HTML of all changed parts, followed by all other HTML of the message."""
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
