"""Translate texts, and make repeated names unique.

The texts in the source are in English. A :class:`Translator` translates them into one language. :data:`plain` is the
translator for English: a call ``plain("a text")`` returns the text unchanged. The call also marks the text, so that
translators find it. To write and translate texts, see docs/translate.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

REFUSAL = "refusal"
"""The gettext context of refusals that quote values.

A refusal is translated after its values are filled in, so a pattern for the whole sentence finds the translation.
"""


class Translator:
    """A translator into one language. This base class is for English, and returns each text unchanged."""

    @property
    def language(self) -> str:
        """The code of the language, for example ``de``."""
        return "en"

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return text

    def many(self, one: str, many: str, count: int) -> str:
        """Return the singular or plural form of a text for ``count``.

        ``one`` and ``many`` are the English forms. The caller fills in the count afterwards.
        """
        return one if count == 1 else many

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text that has several meanings; ``context`` names the meaning."""
        return text

    def list(self, parts: Sequence[str]) -> str:
        """Return the parts joined into one text: “Anna, Bert and Carla”."""
        return _list(parts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal: a sentence that says why an action or input is not accepted.

        ``sentence`` is in English. Its placeholders are already filled in.
        """
        return sentence


def _list(parts: Sequence[str]) -> str:
    """Return the parts joined into one English text."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


plain = Translator()
"""The translator for English.

It returns each text unchanged. In the source, it also marks texts that are translated only when they are shown.
"""


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names. Append 2, 3 and so on to repeated names, so that a reader of a log can tell them apart.

    Skip a number if the name with this number is already one of the given names.
    """
    given = tuple(names)
    found: list[str] = []
    for name in given:
        new = name
        number = 2
        while new in found or (new != name and new in given):
            new = f"{name} {number}"
            number += 1
        found.append(new)
    return tuple(found)
