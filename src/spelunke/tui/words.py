"""The texts of the terminal program, in the language of this process (`chosen_language`)."""

from __future__ import annotations

from pathlib import Path

from spelunke.core.catalogues import Chosen, chosen_language, translate_refusal, words_of
from spelunke.core.letters import in_chosen_letters
from spelunke.core.words import Translator
from spelunke.games import shelf
from spelunke.games.game import Game

SOURCES = Path(__file__).parent.parent
translate = Chosen(SOURCES / "tui" / "locale")
_house = Chosen(SOURCES / "web" / "locale")


def game_words(game: Game) -> Translator:
    """Return the translator for a game's texts, with the chosen language and the chosen letters on playing cards."""
    return in_chosen_letters(words_of(game.package, chosen_language()))


def say_refusal(error: Exception, game: Game | None = None) -> str:
    """Return an error's message in the chosen language. ``game`` is the game that raised it, if it is known."""
    games = shelf().values() if game is None else (game,)
    return translate_refusal(str(error), _house, (translate, *map(game_words, games)))
