"""Choose the language of the command line, and the letters that stand for cards and nations.

Both are chosen once, before the commands are loaded. The option ``--language`` sets the language. Without this option,
the variable ``SPELUNKE_LANGUAGE`` sets it, or else the shell's locale. The option ``--letters`` sets the letters.
Without this option, the variable ``SPELUNKE_LETTERS`` sets them (:mod:`spelunke.core.letters`).

:mod:`spelunke.cli.help_texts` finds the help of each command in its docstring and its options, and translates it.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Mapping, MutableMapping, MutableSequence
from pathlib import Path
from typing import TYPE_CHECKING

from spelunke.core.catalogues import (
    CHOSEN,
    ENGLISH,
    Chosen,
    chosen_language,
    languages_in,
    translate_refusal,
    translator_in,
    words_of,
)
from spelunke.core.errors import BadInput
from spelunke.core.letters import CHOSEN as CHOSEN_LETTERS
from spelunke.core.letters import LETTERS, in_chosen_letters
from spelunke.core.words import Translator, plain

if TYPE_CHECKING:
    from spelunke.games.game import Game

LOCALE = Path(__file__).parent / "locale"
HOUSE = Path(__file__).parent.parent / "web" / "locale"
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
PLAIN_LOCALES = frozenset({"C", "POSIX"})
CHOOSE_LETTERS = plain("choose “notation”, “own” or “english”")

# Translators: the texts from here to “No such option” are those of the library that reads the command line.
LIBRARY = (
    plain("Usage:"),
    plain("Arguments"),
    plain("Options"),
    plain("Commands"),
    plain("Show this message and exit."),
    plain("Install completion for the current shell."),
    plain("Show completion for the current shell, to copy it or customize the installation."),
    plain("default: {default}"),
    plain("required"),
    plain("Missing argument"),
    plain("Missing option"),
    plain("No such command {name!r}."),
    plain("No such option: {name}"),
    plain("Did you mean {possibility}?"),
)


def languages() -> tuple[str, ...]:
    """Return the languages of the command line, English first."""
    return tuple(dict.fromkeys((*languages_in(LOCALE), *languages_in(HOUSE))))


def take_language(arguments: MutableSequence[str], environment: Mapping[str, str]) -> str:
    """Return the language that the arguments or the environment choose. Remove ``--language`` from the arguments.

    Raise BadInput if the chosen language is not available, or if the option has no value.
    """
    wanted, source = (
        _take_option(arguments, "--language", plain("write a language after this option")),
        "--language",
    )
    if wanted is None:
        wanted, source = environment.get(CHOSEN), CHOSEN
    if wanted:
        if wanted not in languages():
            raise BadInput(
                f"there is no language {wanted!r}; the languages are {', '.join(languages())}", source
            )
        return wanted
    return _language_of_shell(environment)


def _language_of_shell(environment: Mapping[str, str]) -> str:
    """Return the available language that the environment of the shell prefers, by the rules of gettext.

    If no locale is set, or it is ``C`` or ``POSIX``, return English. Otherwise return the first available language of
    the list in ``LANGUAGE``, else the language of the locale, else English.
    """
    locale = next((found for name in LOCALES if (found := environment.get(name))), "")
    if not locale or locale.partition(".")[0] in PLAIN_LOCALES:
        return ENGLISH
    wishes = [*environment.get("LANGUAGE", "").split(":"), locale]
    asked = (re.split("[._@]", wish)[0].lower() for wish in wishes)
    return next((language for language in asked if language in languages()), ENGLISH)


def take_letters(arguments: MutableSequence[str], environment: MutableMapping[str, str]) -> None:
    """Remove ``--letters`` from the arguments, and store its value in the environment.

    The value, such as ``english``, chooses the letters that stand for cards and nations. Without the option, the
    value in the environment stays. Raise BadInput if the value is unknown or missing.
    """
    wanted, source = _take_option(arguments, "--letters", CHOOSE_LETTERS), "--letters"
    if wanted is None:
        wanted, source = environment.get(CHOSEN_LETTERS, ""), CHOSEN_LETTERS
    if wanted and wanted not in LETTERS:
        raise BadInput(CHOOSE_LETTERS, source)
    environment[CHOSEN_LETTERS] = wanted


def _take_option(arguments: MutableSequence[str], option: str, missing: str) -> str | None:
    """Remove an option with its value from the arguments, and return the value, or None if the option is absent.

    If there is no value, raise BadInput with the text ``missing``.
    """
    for place, argument in enumerate(arguments):
        if argument == "--":
            return None
        if argument == option:
            found = "".join(arguments[place + 1 : place + 2])
            del arguments[place : place + 2]
        elif argument.startswith(f"{option}="):
            found = argument.partition("=")[2]
            del arguments[place]
        else:
            continue
        if not found:
            raise BadInput(missing, option)
        return found
    return None


def speak(language: str) -> None:
    """Set the language of this program, and of the programs that it starts."""
    os.environ[CHOSEN] = language
    if language != ENGLISH:
        # The command-line library translates by gettext, which reads this variable.
        os.environ["LANGUAGE"] = language
        gettext.bindtextdomain("messages", str(LOCALE))


translate = Chosen(LOCALE)


def say_refusal(error: Exception) -> str:
    """Return an error's message in the chosen language, from the catalogues of the commands, the server or a game.

    If no catalogue has a translation, return the English message.
    """
    sentence = str(error)
    if chosen_language() == ENGLISH:
        return sentence
    from spelunke.web.words import tongue_of

    house, games = tongue_of(chosen_language())
    return translate_refusal(sentence, house, (translate, games))


def house_words() -> Translator:
    """Return the translator for the server's texts, in the chosen language."""
    return translator_in(HOUSE, chosen_language())


def game_words(game: Game) -> Translator:
    """Return the translator for a game's texts, in the chosen language and with the chosen letters."""
    return in_chosen_letters(words_of(game.package, chosen_language()))
