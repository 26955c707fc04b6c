"""Words before translation, and unique names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def plain(text: str) -> str:
    """Return the text unchanged: the translation into the language in which it is written."""
    return text


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, each repeated one with a number, so that a log can't be misread."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(found)
