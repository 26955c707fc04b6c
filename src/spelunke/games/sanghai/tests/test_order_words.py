"""Standing orders in the words of each language."""

from __future__ import annotations

from collections import defaultdict

import pytest

from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.sanghai.order_words import meanings
from spelunke.games.sanghai.orders import LIKE, Orders, read_orders
from spelunke.web.words import languages, translator

GAME = find_game("sanghai")
SHEET = (
    "Write one order per line, for example: any nine · hearts · what helps · at most one more · no calls in round 3 "
    "· pass"
)


def test_each_word_of_an_order_has_one_meaning_in_all_languages() -> None:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for _language, word, meaning in meanings():
        found[word].add(meaning)
    assert not {word: said for word, said in found.items() if len(said) > 1}


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("jede Neun", "any nine"),
        ("alle Damen, Herz", "all queens, hearts"),
        ("was hilft; höchstens eine weitere", "what helps; at most one more"),
        ("nur in Runden 5-8", "only in rounds 5-8"),
        ("elke negen, schoppen", "any nine, spades"),
        ("wat helpt, hoogstens nog een", "what helps, at most one more"),
        ("nooit in ronde 3", "never in round 3"),
        ("tous les neuf, cœur, 9h", "all nines, hearts, 9h"),
        ("ce qui aide, au plus une de plus", "what helps, at most one more"),
        ("jamais à la manche 3", "never in round 3"),
        ("ogni nove, cuori, jolly", "any nine, hearts, jokers"),
        ("ciò che serve, al massimo un'altra", "what helps, at most one more"),
        ("mai nella manche 3", "never in round 3"),
        ("kaikki ysit, hertta, jokerit", "all nines, hearts, jokers"),
        ("mikä auttaa, enintään yksi lisää", "what helps, at most one more"),
        ("ei koskaan kierroksella 3, vain kierroksilla 5-8", "never in round 3, only in rounds 5-8"),
    ],
)
def test_orders_are_read_in_each_language(text: str, english: str) -> None:
    assert read_orders(text) == read_orders(english)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Pik 7",
            "pik sieben",
            "7 spades",
            "seven of spades",
            "any seven of spades",
            "a 7 of spades",
            "spade 7",
        ),
        *("schoppen 7", "schoppen zeven", "7 de pique", "sept de pique", "sette di picche", "7 picche"),
        *("pata 7", "pata seiska", "♠ 7"),
    ],
)
def test_a_rank_with_a_suit_is_one_card_in_each_language(text: str) -> None:
    assert read_orders(text) == read_orders("7s")


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("hearts and nines", "hearts, nines"),
        ("Herz und Neunen", "herz, neunen"),
        ("cuori e assi", "hearts, aces"),
        ("nie in Runde 3 und 5", "never in rounds 3 5"),
        ("jamais en manche 3", "never in round 3"),
        ("hearts spades", "hearts, spades"),
        ("a nine", "any nine"),
        ("a heart", "hearts"),
        ("a", "aces"),
        ("any a", "aces"),
    ],
)
def test_the_word_and_separates_cards_and_an_article_is_not_an_ace(text: str, apart: str) -> None:
    assert read_orders(text) == read_orders(apart)


@pytest.mark.parametrize("text", ["7 8 spades", "pik herz 7", "hearts a"])
def test_a_line_with_more_than_one_rank_or_suit_for_a_card_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_orders(text)


@pytest.mark.parametrize("language", languages())
def test_the_hints_in_each_language_are_valid_orders(language: str) -> None:
    translate = translator(GAME, language)
    assert read_orders(translate(LIKE)) == read_orders(LIKE)
    told = translate(SHEET).replace(" · ", ", ").partition(":")[2]
    assert read_orders(told) == read_orders(SHEET.replace(" · ", ", ").partition(":")[2])
    lines = ("what helps", "pass", "at most {n}", "no calls in round {n}", "only in rounds {span}")
    for line in lines:
        said = translate.within("order", line).format(n=3, span="2-5")
        assert read_orders(said) == read_orders(line.format(n=3, span="2-5")) != Orders()


@pytest.mark.parametrize("text", ["jede zwölf", "nie in Runde 12", "höchstens viele", "n'importe quoi"])
def test_an_order_without_meaning_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_orders(text)
