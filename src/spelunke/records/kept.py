"""Read a link of a hash chain that a participant saved: as six words, 64 digits, or JSON from the table's page."""

from __future__ import annotations

import re

import msgspec

from spelunke.core.errors import BadInput
from spelunke.records.claims import KeptLink
from spelunke.records.signing import WORDS, is_word

LONGEST = 2000
_DIGITS = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_STEP = re.compile(r"(?P<seen>[0-9]{1,6})=(?P<link>.*)", re.DOTALL)


class _Copied(msgspec.Struct, frozen=True):
    """The JSON from the copy button of a table's page."""

    table: str
    viewer: int | None
    seen: int
    link: str
    key: str | None = None
    signature: str | None = None


def read_link(text: str, place: str = "link") -> KeptLink:
    """Return the link of a hash chain that a text contains: six words, 64 hexadecimal digits, or JSON from a page.

    Before words or digits, the text may have the number of rows that the chain had, as in ``12=``. Raise BadInput if
    the text is not a link.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadInput("this is longer than any link", place)
    if "{" in text:
        return _read_copied(text[text.index("{") :], place)
    step = _STEP.fullmatch(text)
    seen, link = (int(step["seen"]), step["link"]) if step else (None, text)
    link = " ".join(link.lower().split())
    words = link.split()
    if not (_DIGITS.fullmatch(link) or (len(words) == WORDS and all(map(is_word, words)))):
        raise BadInput(
            f"{text[:80]!r} is no link; right would be its six words, its 64 digits, or all that the page copies",
            place,
        )
    return KeptLink(link=link, seen=seen)


def _read_copied(text: str, place: str) -> KeptLink:
    try:
        found = msgspec.json.decode(text, type=_Copied)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadInput("this is not the text that the page of a table copies", place) from None
    seat = found.viewer is None or 0 <= found.viewer < 64
    if not (_DIGITS.fullmatch(found.link) and 0 <= found.seen <= 1_000_000 and seat):
        raise BadInput("this is not the text that the page of a table copies", place)
    signed = bool(
        found.key
        and _DIGITS.fullmatch(found.key)
        and found.signature
        and _SIGNATURE.fullmatch(found.signature)
    )
    return KeptLink(
        link=found.link,
        seen=found.seen,
        viewer=found.viewer,
        table=found.table,
        key=found.key if signed else None,
        signature=found.signature if signed else None,
    )
