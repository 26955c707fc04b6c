"""Translators that read the gettext catalogues of a ``locale`` folder.

A catalogue is loaded when it is first used. A refusal is a sentence that says why an action or an input is
not accepted. For the translation of refusals, see docs/why/refusals.md.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from spelunke.core.words import REFUSAL, Translator, plain

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
FIELD = re.compile(r"\{(\w+)\}")
LIST = re.compile(r"list\d*$")
"""A pattern for the names of placeholders whose values are lists, as ``plain.list`` makes them."""
DECIMAL = re.compile(r"\d+\.\d+")
DEEPEST = 3
"""The number of nested levels that the translation of a refusal covers.

For example, a refusal quotes a place, the place quotes a move, and the move has a reason.
"""
WITHIN = "\x04"
"""The sign between a context and its text in gettext's catalogues."""
LISTED = " · "
"""The separator between the parts of a refusal. Each part is translated separately."""
NOT_ALLOWED = re.compile(r"(?P<move>['\"].*['\"]) is not allowed now(?:: (?P<reason>.+))?")
"""Matches the sentence with which `games/match.py` refuses a move."""
CHOSEN = "SPELUNKE_LANGUAGE"
"""The environment variable that sets the language of all commands, also of ``spelunke tui``."""


class _Told(dict[str, str]):
    """A cache of translations into one language. A text is translated when it is first looked up.

    If a text has a context, its key has the form that gettext uses: the context, `WITHIN` and the text.
    """

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        super().__init__({"": ""})  # gettext translates the empty text into the header of the catalogue
        self._catalogue = catalogue

    def __missing__(self, text: str) -> str:
        found = self._catalogue.gettext(text)
        if found is text:  # It is in no catalogue. Such texts may quote what people typed, so none is kept.
            return text.rpartition(WITHIN)[2]
        self[text] = found
        return found


class Catalogue(Translator):
    """The translator into one language, which reads a catalogue. A text that the catalogue lacks stays English."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self._language = language
        self._catalogue = catalogue
        self._told = _Told(catalogue)

    @property
    def language(self) -> str:
        """The code of the language, for example ``de``."""
        return self._language

    def __call__(self, text: str) -> str:
        """Return the text in this language."""
        return self._told[text]

    def many(self, one: str, many: str, count: int) -> str:
        """Return the translation of a text in the plural form that ``count`` needs in this language."""
        return self._catalogue.ngettext(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text that has several meanings; ``context`` names the meaning."""
        return self._told[f"{context}{WITHIN}{text}"]

    @cached_property
    def _locale(self) -> Locale:
        return locale_of(self._language)

    def list(self, parts: Sequence[str]) -> str:
        """Return the parts joined as a list in this language, for example “Anna, Bert und Carla”."""
        from babel.lists import format_list

        return format_list(list(parts), locale=self._locale) if parts else ""

    @cached_property
    def _refusals(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The refusals in the catalogue, as pairs of a pattern and the translation. The longest texts come first."""
        known: dict[object, str] = getattr(self._catalogue, "_catalog", {})
        head = f"{REFUSAL}{WITHIN}"
        texts = [key.removeprefix(head) for key in known if isinstance(key, str) and key.startswith(head)]
        texts.sort(key=lambda text: -len(FIELD.sub("", text)))
        return tuple((_form_of(text), self.within(REFUSAL, text)) for text in texts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal. If the refusal quotes texts, such as a reason, translate them too."""
        return self._refuse(sentence, DEEPEST)

    def _refuse(self, sentence: str, deep: int) -> str:
        if DECIMAL.fullmatch(sentence):
            from babel.numbers import format_decimal

            return str(format_decimal(sentence, format="0.######", locale=self._locale))
        if (found := self(sentence)) != sentence or not deep:
            return found
        if LISTED in sentence:
            return LISTED.join(self._refuse(part, deep) for part in sentence.split(LISTED))
        for form, said in self._refusals:
            if values := form.fullmatch(sentence):
                told = {
                    name: self._relist(value, deep - 1) if LIST.match(name) else self._refuse(value, deep - 1)
                    for name, value in values.groupdict().items()
                }
                return said.format(**told)
        place, colon, reason = sentence.partition(": ")
        if colon and (found := self._refuse(reason, deep - 1)) != reason:
            where = self._refuse(place, deep - 1) if " " in place else place  # one word is a name in a file
            return f"{where}: {found}"
        return sentence

    def _relist(self, listed: str, deep: int) -> str:
        """Translate the parts of a list that :meth:`Translator.list` joined in English, and join them again."""
        head, _, last = listed.rpartition(" and ")
        parts = [*head.split(", "), last] if head else [last]
        return self.list([self._refuse(part, deep) for part in parts])


def _form_of(text: str) -> re.Pattern[str]:
    """Return a pattern that matches the text with any values in place of its placeholders.

    A placeholder is a name in braces.
    """
    parts = FIELD.split(text)  # literal, name, literal, name, …
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)),
        re.DOTALL,
    )


@cache
def locale_of(language: str) -> Locale:
    """Return Babel's locale of a language, for numbers, dates and lists. English uses British formats.

    Raise ValueError or Babel's ``UnknownLocaleError`` if Babel does not know the language.
    """
    from babel import Locale  # not needed if every text is English

    return Locale.parse("en_GB" if language == ENGLISH else language)


@lru_cache(maxsize=256)
def translator_in(folder: Path, language: str) -> Translator:
    """Return the translator that reads the catalogue of a language in a locale ``folder``.

    If the folder has no such catalogue, return the translator for English.
    """
    if language == ENGLISH:
        return plain
    found = _load(folder, language)
    return plain if found is None else Catalogue(language, found)


def _load(folder: Path, language: str) -> gettext.NullTranslations | None:
    try:
        return gettext.translation("messages", folder, [language])
    except OSError:
        return None


def load_chain(packages: Iterable[str], language: str) -> gettext.NullTranslations:
    """Return the catalogues of several packages as one. If several of them translate a text, the first one counts.

    If no package has a catalogue of the language, return a catalogue that leaves each text unchanged.
    """
    loaded = [_load(_folder_in(package), language) for package in packages]
    found = [one for one in loaded if one is not None]
    for one, other in pairwise(found):
        one.add_fallback(other)  # each load returns an object of its own
    return found[0] if found else gettext.NullTranslations()


@cache
def _folder_in(package: str) -> Path:
    from importlib.resources import files

    return Path(str(files(package).joinpath("locale")))


def words_of(package: str, language: str) -> Translator:
    """Return the translator for the folder ``locale`` of a package, for example of a game's package."""
    return translator_in(_folder_in(package), language)


def chosen_language() -> str:
    """Return the language of this process, which the command line stores in the environment. English is the default."""
    return os.environ.get(CHOSEN, ENGLISH)


class Chosen(Translator):
    """A translator whose language may change: it calls the function ``language`` for each text.

    ``folder`` is a locale folder. The default of ``language`` is :func:`chosen_language`.
    """

    def __init__(self, folder: Path, language: Callable[[], str] = chosen_language) -> None:
        self._folder = folder
        self._language = language

    @property
    def language(self) -> str:
        """The code of the language, for example ``de``."""
        return self._language()

    def __call__(self, text: str) -> str:
        """Return the text in the current language."""
        return translator_in(self._folder, self._language())(text)

    def many(self, one: str, many: str, count: int) -> str:
        """Return the translation of a text in the plural form that ``count`` needs in the current language."""
        return translator_in(self._folder, self._language()).many(one, many, count)

    def within(self, context: str, text: str) -> str:
        """Return the translation of a text that has several meanings; ``context`` names the meaning."""
        return translator_in(self._folder, self._language()).within(context, text)

    def list(self, parts: Sequence[str]) -> str:
        """Return the parts joined as a list in the current language."""
        return translator_in(self._folder, self._language()).list(parts)

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal into the current language."""
        return translator_in(self._folder, self._language()).refusal(sentence)


def translate_refusal(sentence: str, house: Translator, others: Sequence[Translator]) -> str:
    """Return the translation of a refusal by the first translator that knows it: ``house``, or one of ``others``.

    ``house`` translates the texts of pages. If the sentence refuses a move for a reason, ``house`` translates all but
    the reason. The first translator that knows the reason translates it; often this is the game's translator.
    """
    if refused := NOT_ALLOWED.fullmatch(sentence):
        move, reason = refused["move"], refused["reason"]
        if not reason:
            return house(plain("{move} is not allowed now")).format(move=move)
        told = translate_refusal(reason, house, others)
        return house(plain("{move} is not allowed now: {reason}")).format(move=move, reason=told)
    translated = (words.refusal(sentence) for words in (house, *others))
    return next((said for said in translated if said != sentence), sentence)


def languages_in(folder: Path) -> tuple[str, ...]:
    """Return English, and then the languages that have a catalogue in a locale ``folder``, in alphabetical order."""
    found = {file.parent.parent.name for file in folder.glob("*/LC_MESSAGES/messages.mo")}
    return (ENGLISH, *sorted(found - {ENGLISH}))
