"""The letters on cards: the English letters, as in written moves, or the letters of the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from spelunke.core.words import Translator


class OwnLetters(Translator):
    """A translator for a reader who prefers the letters of their own language on cards."""

    def __init__(self, words: Translator) -> None:
        self._words = words

    @property
    def language(self) -> str:
        """The code of the language, for example ``de``."""
        return self._words.language

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return self._words(text)

    def many(self, one: str, many: str, count: int) -> str:
        """Return the form of the text for ``count``, by the plural rules of this language."""
        return self._words.many(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text in its context."""
        return self._words.within(context, text)

    def list(self, parts: Sequence[str]) -> str:
        """Return the parts joined into one text, in the form of this language."""
        return self._words.list(parts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal."""
        return self._words.refusal(sentence)


@cache
def with_own_letters(words: Translator) -> OwnLetters:
    """Return the translator for a reader who prefers the letters of their own language.

    The same ``words`` always give the same object.
    """
    return OwnLetters(words)


def likes_own_letters(words: Translator) -> bool:
    """Return whether this translator is for a reader who prefers the letters of their own language on cards."""
    return isinstance(words, OwnLetters)
