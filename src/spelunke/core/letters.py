"""The reader's choice of letters, which stand for cards and nations: English ones, or those of the reader's language.

If the reader has not chosen, cards have the English letters that written moves use, and nations have letters of the
reader's language. Letters of nations need not match written moves, because these name nations by their colours.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache

from spelunke.core.words import Translator

LETTERS: Mapping[str, bool | None] = {"notation": None, "own": True, "english": False}
"""The possible choices of letters, each with its value of `own` in :class:`ChosenLetters`.

The value is None if the translator stays as it is. ``notation``: cards have the letters of typed moves (J Q K), and
nations those of the reader's language. ``own``: cards and nations have the letters of the reader's language.
``english``: both have English letters.
"""
CHOSEN = "SPELUNKE_LETTERS"
"""The environment variable that sets the letters for all commands, also for ``spelunke tui``."""


class ChosenLetters(Translator):
    """A translator for a reader who has chosen the letters that stand for cards and nations.

    If ``own`` is true, the reader has chosen the letters of their own language, else English letters.
    """

    def __init__(self, words: Translator, *, own: bool) -> None:
        self._words = words
        self.own = own

    @property
    def language(self) -> str:
        """The code of the language, for example ``de``."""
        return self._words.language

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return self._words(text)

    def many(self, one: str, many: str, count: int) -> str:
        """Return the translation of a text in the plural form that ``count`` needs in this language."""
        return self._words.many(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text that has several meanings; ``context`` names the meaning."""
        return self._words.within(context, text)

    def list(self, parts: Sequence[str]) -> str:
        """Return the parts joined as a list in this language."""
        return self._words.list(parts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal."""
        return self._words.refusal(sentence)


@cache
def with_letters(words: Translator, *, own: bool) -> ChosenLetters:
    """Return the translator ``words``, adapted to a reader's choice of letters for cards and nations.

    If ``own`` is true, the reader has chosen the letters of their own language, else English letters. The same
    arguments always give the same object.
    """
    return ChosenLetters(words, own=own)


_of_the_person = ""  # a key of LETTERS, or empty


def use_letters(chosen: str | None) -> None:
    """Let this process use the letters for cards and nations that the person at this terminal has chosen on a server.

    The choice has no effect if the command line or the environment sets the letters. ``chosen`` is a key of
    :data:`LETTERS`, or None if the person has not chosen.
    """
    global _of_the_person  # noqa: PLW0603 - like the environment, it is one choice for the whole process
    _of_the_person = chosen or ""


def in_chosen_letters(words: Translator) -> Translator:
    """Return the translator ``words``, adapted to the letters that this process uses for cards and nations.

    The choice of the command line or the environment comes first, then the choice that the person has made on a server
    (:func:`use_letters`). If nobody has chosen, or the choice is ``notation`` or unknown, return ``words`` itself.
    """
    own = LETTERS.get(os.environ.get(CHOSEN) or _of_the_person)
    return words if own is None else with_letters(words, own=own)


def likes_own_letters(words: Translator) -> bool:
    """Return whether ``words`` is for a reader who has chosen their own language's letters for cards and nations."""
    return isinstance(words, ChosenLetters) and words.own


def likes_english_letters(words: Translator) -> bool:
    """Return whether ``words`` is for a reader who has chosen English letters for cards and nations."""
    return isinstance(words, ChosenLetters) and not words.own
