"""Recognize whole numbers in text from people and programs."""

from __future__ import annotations

LONGEST_NUMBER = 18
"""The maximum number of digits. Such a number always fits into 64 bits."""


def is_number(text: str) -> bool:
    """Return whether the text is a whole number in ASCII digits that fits into 64 bits.

    `str.isdigit` also accepts ``²``, which `int` can't read, and five thousand digits, which `int` refuses.
    """
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
