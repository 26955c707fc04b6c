"""A check of texts that people write, such as chat messages, names of tournaments, and reports."""

from __future__ import annotations

_JOINER = "\u200d"
"""The invisible character that joins several emoji into one, as in the pirate flag."""


def is_readable(text: str) -> bool:
    """Return whether a text is not blank and has only printable characters, for example no line breaks inside it.

    Of all characters for spaces, only the usual one is allowed. Spaces and line breaks at the start and end of the
    text do not matter. The invisible character that joins emoji is allowed.
    """
    shown = text.replace(_JOINER, "").strip()
    return bool(shown) and shown.isprintable()
