"""The language of a request: gettext catalogues of the house and of each game.

English is in the source; other languages are `locale/<lang>/LC_MESSAGES/messages.mo` here and in each game's
folder.
"""

from __future__ import annotations

import gettext
import importlib.resources
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from spelunke.games import shelf
from spelunke.games.game import Game

LOCALE = Path(__file__).parent / "locale"
DEFAULT = "en"
USUAL = 200
"""The cached length of Accept-Language; browsers send shorter ones."""
LANGUAGE: ContextVar[str] = ContextVar("language", default=DEFAULT)


def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    return _languages_in(LOCALE)


@cache
def _languages_in(folder: Path) -> tuple[str, ...]:
    found = {file.parent.parent.name for file in folder.glob("*/LC_MESSAGES/messages.mo")}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def choose(cookie: str | None, accept: str) -> str:
    """Return the best language for a browser: its cookie if known, else the first known of Accept-Language."""
    known = languages()
    if cookie in known:
        return cookie
    return _choose_usual(accept, known) if len(accept) <= USUAL else _choose(accept, known)


def _choose(accept: str, known: tuple[str, ...]) -> str:
    wishes: list[tuple[float, str]] = []
    for part in accept.split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), tag.lower()))
        except ValueError:
            continue
    for _quality, tag in sorted(wishes, key=lambda wish: wish[0]):
        for language in (tag, tag.partition("-")[0]):
            if language in known:
                return language
    return DEFAULT


_choose_usual = lru_cache(maxsize=512)(_choose)


@lru_cache(maxsize=64)
def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    """Return the catalogue of `language` in a locale `folder`, or one that leaves all texts unchanged."""
    return gettext.translation("messages", folder, [language], fallback=True)


def translate(text: str) -> str:
    """Return a text of the house in the language of the request."""
    return _house_in(LANGUAGE.get()).gettext(text)


def translate_to(language: str, text: str) -> str:
    """Return a text of the house in a language, outside of requests; in English if there is no translation."""
    return _house_in(language if language in languages() else DEFAULT).gettext(text)


@lru_cache(maxsize=64)
def _house_in(language: str) -> gettext.NullTranslations:
    return catalogue(LOCALE, language)


def translate_many(one: str, many: str, count: int) -> str:
    """Return the form of a text for `count`, in the language of the request."""
    return _house_in(LANGUAGE.get()).ngettext(one, many, count)


def translator(game: Game, language: str = "") -> Callable[[str], str]:
    """Return the translator of a game for a language, by default the request's."""
    return _catalogue_of(game.package, language or LANGUAGE.get()).gettext


@lru_cache(maxsize=64)
def _catalogue_of(package: str, language: str) -> gettext.NullTranslations:
    return catalogue(Path(str(importlib.resources.files(package).joinpath("locale"))), language)


class Tongue(NamedTuple):
    """The translators of a language, outside of requests: for the house's sentences, and for those of all games."""

    house: Callable[[str], str]
    games: Callable[[str], str]


@cache
def _tongue(language: str) -> Tongue:
    def translate_any(text: str) -> str:
        if language == DEFAULT:
            return text
        told = (translator(game, language)(text) for game in shelf().values())
        return next((found for found in told if found != text), text)

    return Tongue(catalogue(LOCALE, language).gettext, translate_any)


def tongue_of(language: str = "") -> Tongue:
    """Return the translators of that language, by default the request's."""
    language = language or LANGUAGE.get()
    return _tongue(language if language in languages() else DEFAULT)
