"""Read a link that a player or spectator saved during a game. A link is the hash of one entry of a hash chain.

The link is written as six words, as 64 hexadecimal digits, or as the JSON that the table's page copies.
"""

from __future__ import annotations

import re

import msgspec

from spelunke.core.errors import BadInput
from spelunke.records.claims import KeptLink
from spelunke.records.signing import WORDS, is_word

LONGEST = 2000
_DIGITS = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_BETWEEN = re.compile(r"[\s,;.]+")
_STEP = re.compile(r"(?P<seen>[0-9]{1,6})=(?P<link>.*)", re.DOTALL)


class _Copied(msgspec.Struct, frozen=True):
    """The JSON that the copy button of a table's page copies: the last link of a viewer's hash chain.

    ``viewer`` is a seat, or null for a spectator. ``seen`` is the number of rows in the chain.
    """

    table: str
    viewer: int | None
    seen: int
    link: str
    key: str | None = None
    signature: str | None = None


def read_link(text: str, place: str = "link") -> KeptLink:
    """Return the link that a text contains: six words, 64 hexadecimal digits, or the JSON that a table's page copies.

    Capital letters, commas, semicolons, full stops and line breaks do not matter. In front of words or digits, ``12=``
    says that the hash chain had 12 rows up to this link. In the JSON, a key and a signature count only if both are
    well-formed. Raise BadInput if the text is not a link.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadInput(
            "this text is too long: give six words, 64 digits, or the text that you copied on a table's page",
            place,
        )
    if "{" in text:
        return _read_copied(text[text.index("{") :], place)
    step = _STEP.fullmatch(text)
    seen, link = (int(step["seen"]), step["link"]) if step else (None, text)
    words = [word for word in _BETWEEN.split(link.lower()) if word]
    link = " ".join(words)
    if not (_DIGITS.fullmatch(link) or (len(words) == WORDS and all(map(is_word, words)))):
        raise BadInput(
            f"{text[:80]!r} is not a link of a hash chain; give six words, 64 digits, or the text that you copied "
            "on a table's page",
            place,
        )
    return KeptLink(link=link, seen=seen)


def _read_copied(text: str, place: str) -> KeptLink:
    try:
        found = msgspec.json.decode(text, type=_Copied)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadInput("this text was not copied from a table's page", place) from None
    seat = found.viewer is None or 0 <= found.viewer < 64
    if not (_DIGITS.fullmatch(found.link) and 0 <= found.seen <= 1_000_000 and seat):
        raise BadInput("this text was not copied from a table's page", place)
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
