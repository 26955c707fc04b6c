"""Refusals that quote values, in each language: on pages, by the API and in the terminal."""

from __future__ import annotations

import pytest

from spelunke.core.catalogues import FIELD
from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.web import words
from spelunke.web.refusal import translate_refusal

FOREIGN = ("de", "nl", "fr", "it", "fi")


def refused(game: str, text: str) -> str:
    match = Match(find_game(game))
    while match.chance:
        match.apply_chance(match.chances()[0][0])
    with pytest.raises(SpelunkeError) as error:
        match.act(match.actors[0], match.parse(text))
    return str(error.value)


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize(
    ("game", "text", "quoted"),
    [
        ("shanghaien", "joker red using", "'joker red using'"),
        ("shanghaien", "place nine", "'nine'"),
        ("shanghaien", "dance", "'dance'"),
        ("halunken", "bid pink 99", "'pink 99'"),
        ("halunken", "place 99", "'place 99'"),
        ("sanghai", "discard 99x", "'99x'"),
        ("sanghai", "add 9h", "'add 9h'"),
        ("sanghai", "vote", "'vote'"),
    ],
)
def test_a_refusal_is_in_the_readers_language_and_quotes_what_was_typed(
    language: str, game: str, text: str, quoted: str
) -> None:
    english = refused(game, text)
    token = words.LANGUAGE.set(language)
    try:
        told = translate_refusal(english)
    finally:
        words.LANGUAGE.reset(token)
    assert told != english
    assert quoted in told
    assert not FIELD.search(told)


def test_what_a_refusal_names_is_translated_with_it() -> None:
    token = words.LANGUAGE.set("de")
    try:
        assert translate_refusal("orders: 'x' is not a standing order; they look like y").startswith(
            "orders: 'x' ist kein Dauerauftrag"
        )
        assert translate_refusal(refused("sanghai", "discard")) == (
            "'discard': nenn eine Karte, sonst nichts"
        )
        assert translate_refusal("there is no meld for this {brace} and that") == (
            "there is no meld for this {brace} and that"
        )
    finally:
        words.LANGUAGE.reset(token)
