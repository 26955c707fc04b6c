"""Refusals that quote values, in each language: on pages, by the API and in the terminal."""

from __future__ import annotations

import tracemalloc

import pytest

from spelunke.cli.words import say_refusal as in_commands
from spelunke.core.catalogues import FIELD
from spelunke.core.errors import BadText, SpelunkeError
from spelunke.games import find_game
from spelunke.games.halunken import refusals as halunken
from spelunke.games.halunken import state
from spelunke.games.match import Match
from spelunke.games.sanghai.cards import make_set
from spelunke.games.shanghaien.appraiser import ShanghaienAppraiser
from spelunke.solvers.playing import PlayoutAppraiser
from spelunke.tui.words import say_refusal as on_screen
from spelunke.web import words
from spelunke.web.parts.values import say_method
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
        ("sanghai", "lay", "2"),
        ("sanghai", "lay 7s 8h", "7♠ 8♥"),
    ],
)
def test_a_refusal_in_the_readers_language_quotes_the_typed_text(
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


def test_the_terms_in_a_refusal_are_translated_too() -> None:
    token = words.LANGUAGE.set("de")
    try:
        assert translate_refusal(
            "orders: 'x' is not a standing order; standing orders look like y"
        ).startswith("orders: 'x' ist kein Dauerauftrag")
        assert translate_refusal(refused("sanghai", "discard")) == (
            "'discard': schreib nach dem ersten Wort nur eine Karte"
        )
        assert translate_refusal("there is no meld for this {brace} and that") == (
            "there is no meld for this {brace} and that"
        )
    finally:
        words.LANGUAGE.reset(token)


def test_the_server_and_the_terminal_translate_a_refusal_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    # A sentence of a game has the same form: “there is no {meld}; {who} has {melds}”.
    english = "there is no ply 3; this game has plies 0 to 2"
    german = "es gibt keinen Schritt 3; dieses Spiel hat die Schritte 0 bis 2"
    monkeypatch.setenv("SPELUNKE_LANGUAGE", "de")
    token = words.LANGUAGE.set("de")
    try:
        assert translate_refusal(english) == german
    finally:
        words.LANGUAGE.reset(token)
    assert in_commands(BadText(english)) == german
    assert on_screen(BadText(english)) == german


def test_cards_numbers_and_terms_in_refusals_are_in_the_readers_language() -> None:
    told = {
        "de": (
            (
                "the left end was chosen for card 1 in this round: write the move without left or right",
                "für Karte 1 ist in dieser Runde das linke Ende gewählt",
            ),
            ("a run needs at least 4 cards", "eine Folge braucht mindestens 4 Karten"),
            ("your offer must be higher than the last one, red 8", "letzte, Rot 8"),
            ("0.05 is not possible; choose 0.1 to 600 minutes", "0,05 geht nicht; wähl 0,1 bis 600 Minuten"),
            (
                "your melds (sets: 1, runs: 0) are not those of this round's contract (sets: 2, runs: 0)",
                "deine Kombinationen (Sätze: 1, Folgen: 0) sind nicht die des Kontrakts dieser Runde",
            ),
        ),
        "fi": (
            ("it is not the turn of seat 1, but of seat 0", "vuorossa ei ole paikka 1 vaan paikka 0"),
            ("you have not muted this person", "et ole mykistänyt tätä henkilöä"),
            ("a set has one rank, but these cards have 2 and 3", "mutta tässä ovat 2 ja 3"),
        ),
    }
    for language, pairs in told.items():
        token = words.LANGUAGE.set(language)
        try:
            for english, own in pairs:
                assert own in translate_refusal(english)
        finally:
            words.LANGUAGE.reset(token)


@pytest.mark.parametrize("language", FOREIGN)
def test_refusals_name_the_due_decision_in_the_readers_language(language: str) -> None:
    move, _colon, reason = refused("halunken", "card 4").partition(" is not allowed now: ")
    assert (move, reason) == ("'card 4'", halunken.ASKED[state.PLACING])
    token = words.LANGUAGE.set(language)
    try:
        for clause in halunken.ASKED.values():
            assert clause not in translate_refusal(f"{move} is not allowed now: {clause}")
    finally:
        words.LANGUAGE.reset(token)


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize(
    "english",
    [
        "9♥ doesn't fit meld 2",
        "no wild card in meld 3 stands for 5d",
        "to play the card as a joker, you need a sailor of the named nation in your crew",
    ],
)
def test_the_default_reason_that_a_function_returns_is_translated(language: str, english: str) -> None:
    token = words.LANGUAGE.set(language)
    try:
        assert translate_refusal(english) != english
    finally:
        words.LANGUAGE.reset(token)


@pytest.mark.parametrize("language", FOREIGN)
def test_a_second_contract_is_refused_in_the_readers_language(language: str) -> None:
    english = "you can lay the contract only once in a round"
    token = words.LANGUAGE.set(language)
    try:
        assert translate_refusal(english) != english
    finally:
        words.LANGUAGE.reset(token)


def test_the_ranks_of_a_mixed_set_are_listed_in_the_readers_language() -> None:
    with pytest.raises(BadText) as error:
        make_set(["4h", "2s", "3d"])
    assert str(error.value) == "a set has one rank, but these cards have 2, 3 and 4"
    told = {
        "de": "ein Satz hat einen Rang, und hier sind 2, 3 und 4",
        "nl": "hier zijn 2, 3 en 4",
        "fr": "ici il y a 2, 3 et 4",
        "it": "qui ci sono 2, 3 e 4",
        "fi": "tässä ovat 2, 3 ja 4",
    }
    for language, own in told.items():
        token = words.LANGUAGE.set(language)
        try:
            assert own in translate_refusal(str(error.value))
        finally:
            words.LANGUAGE.reset(token)


def test_one_translator_translates_the_texts_of_all_games() -> None:
    games = words.tongue_of("de").games
    assert games("discard {card}") == "{card} abwerfen"
    assert games("{name} has rolled {low} and {high}.") == "{name} hat {low} und {high} gewürfelt."
    assert games.within("letter on a card", "Q") == "D"
    assert games.within("letter of the Dutch", "D") == "H"
    assert games.within("nowhere", "Q") == "Q"
    assert games.many("{n} point", "{n} points", 2) == "{n} Punkte"
    assert games("no such text") == "no such text"
    assert games.list(["Anna", "Bert", "Carl"]) == "Anna, Bert und Carl"


@pytest.mark.deep
def test_refusals_that_quote_typed_text_are_not_kept_in_memory() -> None:
    def refuse(first: int) -> None:
        for number in range(first, first + 500):
            for tongue in words.tongue_of("de"):
                tongue.refusal(f"'{number:0400}' is not possible here")

    refuse(0)
    tracemalloc.start()
    refuse(1000)
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 100_000


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize(
    "method", [PlayoutAppraiser.method, ShanghaienAppraiser.method], ids=["playouts", "solver"]
)
def test_an_analysis_describes_its_method_in_the_readers_language(language: str, method: str) -> None:
    token = words.LANGUAGE.set(language)
    try:
        assert say_method(method) != method
    finally:
        words.LANGUAGE.reset(token)
