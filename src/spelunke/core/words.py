"""Translators, and unique names.

Texts are written in English in the source. A :class:`Translator` translates them into one language.
:data:`plain` is the one for English, and it also marks a text that is translated later. To write and
translate texts, see docs/translate.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

REFUSAL = "refusal"
"""The context of refusals that quote values. A pattern finds their translations, because the sentences
already contain the values.
"""


class Translator:
    """The texts of one language. This class is for English, the language of the source."""

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
        """Return a text that has different meanings; ``context`` distinguishes them."""
        return text

    def list(self, parts: Sequence[str]) -> str:
        """Return a joined list: “Anna, Bert and Carla”."""
        return _list(parts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal. ``sentence`` is the English sentence, with its values."""
        return sentence


def _list(parts: Sequence[str]) -> str:
    """Return a joined list in English."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


plain = Translator()
"""The translator for English.

It returns each text unchanged, and marks texts that are translated when they are shown.
"""


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, with a number after each repeated name, so that a log can't be misread."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(found)
