"""Recognize whole numbers in text from people and programs."""

from __future__ import annotations

LONGEST_NUMBER = 18
"""The most digits of a number. A number with this length always fits into 64 bits."""


def is_number(text: str) -> bool:
    """Return whether the text consists of 1 to ``LONGEST_NUMBER`` ASCII digits. Such a number fits into 64 bits.

    :meth:`str.isdigit` is not enough: it also accepts ``²`` and five thousand digits, and ``int`` refuses both.
    """
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
