"""The texts of the terminal program, in the language of this process (`chosen_language`)."""

from __future__ import annotations

from pathlib import Path

from spelunke.core.catalogues import Chosen, chosen_language, words_of
from spelunke.core.letters import in_chosen_letters
from spelunke.core.words import Translator
from spelunke.games.game import Game

translate = Chosen(Path(__file__).parent / "locale")


def game_words(game: Game) -> Translator:
    """Return the translator for a game's texts, in the chosen language and with the chosen letters."""
    return in_chosen_letters(words_of(game.package, chosen_language()))
