"""The texts of one language, as every layer asks for them, and unique names.

Texts are written in English in the source. A :class:`Translator` says them in one language; :data:`plain` is the one of
English, and it also marks a text that is translated later. How to write and translate texts: docs/translate.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

REFUSAL = "refusal"
"""The context of refusals that quote values. They are found by their form, since the values are in them already."""


class Translator:
    """The texts of one language. This class is English, in which they are written."""

    @property
    def language(self) -> str:
        """The language, by its code."""
        return "en"

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return text

    def many(self, one: str, many: str, count: int) -> str:
        """Return the form of a text for ``count``: ``one`` and ``many`` are the English forms. Fill in the count
        afterwards.
        """
        return one if count == 1 else many

    def within(self, context: str, text: str) -> str:
        """Return a text that means different things in different contexts; ``context`` says which is meant."""
        return text

    def list(self, parts: Sequence[str]) -> str:
        """Return a list in words: “Anna, Bert and Carla”."""
        return _list(parts)

    def refusal(self, sentence: str) -> str:
        """Return a refusal, written in English with its values, in this language."""
        return sentence


def _list(parts: Sequence[str]) -> str:
    """Return an English list in words."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


plain = Translator()
"""English. It returns each text unchanged, and marks those that are translated where they are shown."""


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, each repeated one with a number, so that a log can't be misread."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(found)
