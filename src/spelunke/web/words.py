"""The language of a request, and its translations: a gettext catalogue for pages, and one for each game.

English texts are in the source. The other languages are in `locale/<lang>/LC_MESSAGES/messages.mo`, here and in
each game's folder.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs

from markupsafe import Markup

from spelunke.boards.markup import escape, html
from spelunke.core.catalogues import (
    ENGLISH,
    Catalogue,
    Chosen,
    languages_in,
    load_chain,
    translator_in,
    words_of,
)
from spelunke.core.letters import with_letters
from spelunke.core.words import Translator, plain
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.house.people import call_person

LOCALE = Path(__file__).parent / "locale"
DEFAULT = ENGLISH
USUAL = 200
"""If an Accept-Language header has more characters than this, the language chosen for it is not cached."""
LANGUAGE: ContextVar[str] = ContextVar("language", default=DEFAULT)
LETTERS_COOKIE = "letters"
OWN_LETTERS: ContextVar[bool | None] = ContextVar("own letters", default=None)
"""The letters that the person of the request has chosen: True for ``own``, False for ``english``, else None.

For the letters, see `letters.LETTERS`.
"""


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    return languages_in(LOCALE)


NAMES = {
    "en": "English",
    "de": "Deutsch",
    "nl": "Nederlands",
    "fr": "Français",
    "it": "Italiano",
    "fi": "Suomi",
}
"""Each language's own name for itself."""


def named_languages() -> dict[str, str]:
    """Return the available languages with their own names."""
    return {language: NAMES.get(language, language) for language in languages()}


def wanted_in(query: bytes) -> str | None:
    """Return the language in a query (``?lang=de``), or None.

    Pages list their addresses with such queries, one for each language, so that search engines find all languages.
    """
    if b"lang=" not in query:
        return None
    found = parse_qs(query.decode("latin-1")).get("lang")
    return found[0] if found else None


def choose(cookie: str | None, accept: str) -> str:
    """Return the language for a request: the language in the cookie if available, else the best in Accept-Language.

    If the site has none of these languages, return English.
    """
    known = languages()
    if cookie in known:
        return cookie
    return _choose_usual(accept, known) if len(accept) <= USUAL else _choose(accept, known)


def _choose(accept: str, known: tuple[str, ...]) -> str:
    wishes: list[tuple[float, str]] = []
    for part in accept.split(","):
        tag, _, weight = part.lower().partition(";")
        _, _, quality = weight.partition("=")
        try:
            wish = float(quality or 1)
        except ValueError:
            continue
        if wish > 0:  # the browser refuses languages with q=0
            wishes.append((-wish, tag.strip()))
    for _quality, tag in sorted(wishes, key=lambda wish: wish[0]):
        for language in (tag, tag.partition("-")[0]):
            if language in known:
                return language
    return DEFAULT


_choose_usual = lru_cache(maxsize=512)(_choose)


def house_in(language: str) -> Translator:
    """Return the translator of the pages' texts into a language, or the translator for English if there is none."""
    return translator_in(LOCALE, language)


translate = Chosen(LOCALE, LANGUAGE.get)
"""The translator of the pages' texts into the language of the request."""


def translator(game: Game, language: str = "") -> Translator:
    """Return the translator of a game's texts, by default into the language of the request.

    The translator writes cards and nations with the letters that the reader has chosen (`OWN_LETTERS`).
    """
    words, own = words_of(game.package, language or LANGUAGE.get()), OWN_LETTERS.get()
    return words if own is None else with_letters(words, own=own)


def call_people(value: object) -> object:
    """Return a value for a page. If it is the name that stands for people who left (`NOBODY`), translate it.

    The translation is in the language of the request.
    """
    return call_person(value, translate) if type(value) is str else value


def name_game(name: str) -> Markup:
    """Return a game's title, marked with its language if that is not the language of the request.

    If the registry has no such game, return the name itself.
    """
    game = shelf().get(name)
    return (
        escape(name) if game is None else _title_in(game.title, game.hooks.title_language(), LANGUAGE.get())
    )


@cache
def _title_in(title: str, spoken: str, language: str) -> Markup:
    return escape(title) if spoken in ("", language) else html('<span lang="{}">{}</span>', spoken, title)


class Tongue(NamedTuple):
    """The translators of one language: ``house`` for the texts of pages, and ``games`` for the texts of all games."""

    house: Translator
    games: Translator


class _Games(Catalogue):
    """A translator for the texts of all games.

    If several games translate a text, use the translation of the game that comes first in the registry.
    """

    def __init__(self, language: str) -> None:
        packages = [game.package for game in shelf().values()]
        super().__init__(language, load_chain(packages, language))
        self._each = [words_of(package, language) for package in packages]

    def refusal(self, sentence: str) -> str:
        """Return the translation of a refusal. Texts that it quotes, for example a reason, are translated too."""
        # Several games may have the same form of a sentence. The game that raised this one also translates
        # its values: choose the translation that leaves the fewest English words.
        english = sentence.split()
        said = [each.refusal(sentence) for each in self._each]
        return min(said, key=lambda one: sum(word in one.split() for word in english), default=sentence)


@cache
def _tongue(language: str, own_letters: bool | None) -> Tongue:
    games = plain if language == DEFAULT else _Games(language)
    chosen = games if own_letters is None else with_letters(games, own=own_letters)
    return Tongue(house_in(language), chosen)


def tongue_of(language: str = "") -> Tongue:
    """Return the translators of a language, by default the language of the request.

    The translator `games` writes cards and nations with the letters that the reader has chosen (`OWN_LETTERS`).
    """
    language = language or LANGUAGE.get()
    return _tongue(language if language in languages() else DEFAULT, OWN_LETTERS.get())
