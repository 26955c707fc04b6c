"""Whole numbers in what people and programs type."""

from __future__ import annotations

LONGEST_NUMBER = 18
"""Digits; so large a number still fits into 64 bits."""


def is_number(text: str) -> bool:
    """Whether it is a whole number in plain digits, short enough for all that it may be stored in.

    `str.isdigit` alone says so of ``²`` too, which `int` can't read, and of five thousand digits, which it won't.
    """
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
