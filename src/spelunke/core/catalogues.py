"""Translators that read the gettext catalogues of a folder ``locale``, each loaded at its first use."""

from __future__ import annotations

import gettext
import os
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from spelunke.core.words import Translator, plain

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
CHOSEN = "SPELUNKE_LANGUAGE"
"""The environment variable with the language of the command line and of the terminal."""


class _Told(dict[str, str]):
    """A cache of the requested texts in one language."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        super().__init__({"": ""})  # gettext answers the empty text by the catalogue's head
        self._catalogue = catalogue

    def __missing__(self, text: str) -> str:
        found = self[text] = self._catalogue.gettext(text)
        return found


class Catalogue(Translator):
    """The texts of one language from a catalogue. If the catalogue lacks a text, the text stays English."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self._language = language
        self._catalogue = catalogue
        self._told = _Told(catalogue)

    @property
    def language(self) -> str:
        """The language, by its code."""
        return self._language

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return self._told[text]

    def many(self, one: str, many: str, count: int) -> str:
        """Return the plural form for ``count`` by the rules of this language."""
        return self._catalogue.ngettext(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text in its context."""
        return self._catalogue.pgettext(context, text)

    @cached_property
    def _locale(self) -> Locale:
        return locale_of(self._language)

    def list(self, parts: Sequence[str]) -> str:
        """Return a list of words, joined as in this language."""
        from babel.lists import format_list

        return format_list(list(parts), locale=self._locale) if parts else ""


@cache
def locale_of(language: str) -> Locale:
    """Return Babel's locale of a language, for numbers, dates and lists; English is written the European way."""
    from babel import Locale  # not needed where all is English

    return Locale.parse("en_GB" if language == ENGLISH else language)


@lru_cache(maxsize=256)
def translator_in(folder: Path, language: str) -> Translator:
    """Return the translator of a locale ``folder``.

    If the folder has no catalogue of that language, return the English one.
    """
    if language == ENGLISH:
        return plain
    try:
        found = gettext.translation("messages", folder, [language])
    except OSError:
        return plain
    return Catalogue(language, found)


@cache
def _folder_in(package: str) -> Path:
    from importlib.resources import files

    return Path(str(files(package).joinpath("locale")))


def words_of(package: str, language: str) -> Translator:
    """Return the translator of the folder ``locale`` of a package, such as a game's."""
    return translator_in(_folder_in(package), language)


def chosen_language() -> str:
    """Return the language of this process, which the command line has chosen."""
    return os.environ.get(CHOSEN, ENGLISH)


class Chosen(Translator):
    """The texts of a locale folder in the language of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def _chosen(self) -> Translator:
        return translator_in(self._folder, chosen_language())

    @property
    def language(self) -> str:
        """The language, by its code."""
        return chosen_language()

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return self._chosen(text)

    def many(self, one: str, many: str, count: int) -> str:
        """Return the form for ``count``."""
        return self._chosen.many(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return a text by its context."""
        return self._chosen.within(context, text)

    def list(self, parts: Sequence[str]) -> str:
        """Return a list in words."""
        return self._chosen.list(parts)


def languages_in(folder: Path) -> tuple[str, ...]:
    """Return the languages that have a catalogue in a locale ``folder``, English first."""
    found = {file.parent.parent.name for file in folder.glob("*/LC_MESSAGES/messages.mo")}
    return (ENGLISH, *sorted(found - {ENGLISH}))
