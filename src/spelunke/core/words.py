"""Words before they are translated, and names that must be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def plain(text: str) -> str:
    """The translation into the language the words are written in."""
    return text


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """The same names, numbered from the second of a kind on, so that a log can't be misread."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(found)
