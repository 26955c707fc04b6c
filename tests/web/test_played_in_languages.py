"""A game of each kind in Chromium in each language: every kind of decision fits, and nothing in it is English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from spelunke.games import shelf
from spelunke.web.words import LANGUAGE, languages
from words.test_catalogues import SOURCE, forms, messages, told

from .conftest import Server
from .onescreen import SCREENS, Stage, decisions
from .test_browser import person
from .test_languages_fit import TOO_WIDE
from .test_one_screen import USUAL, planner

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOREIGN = [language for language in languages() if language != "en"]
SAID = """() => {
  const said = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style, [lang]:not(html)")) said.push(node.textContent.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) said.push(one.getAttribute(name) || "");
  }
  return [...new Set(said)].filter(Boolean);
}"""
LONG = 8
"""The least number of letters by which an English text is recognized."""


@cache
def english_only(game: str, language: str) -> re.Pattern[str]:
    """Return a pattern of the English texts whose translation into the language differs from them."""
    texts, own = set(), set()
    for folder in ("web", f"games/{game}"):
        for message in messages(SOURCE / folder / "locale" / language / "LC_MESSAGES" / "messages.po"):
            texts |= {one for one in forms(message) if one not in told(message)}
            own |= set(told(message))
    parts = []
    for text in texts - own:
        pieces = re.split(r"\{\w*\}", text)
        if sum(map(str.isalpha, "".join(pieces))) >= LONG:
            parts.append(".+?".join(map(re.escape, pieces)))
    return re.compile("|".join(parts), re.DOTALL)


@contextmanager
def reading(language: str) -> Iterator[None]:
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def read_through(browser: Browser, server: Server, game: str, language: str, most: int) -> None:
    """Play a game to its end, or up to ``most`` kinds of decisions. Fail if a page has English or too wide texts.

    Each kind of decision is shown once.
    """
    seats, options = USUAL[game]
    stage, english = Stage(server, game, seats, **options), english_only(game, language)
    amiss: dict[str, object] = {}
    match = stage.match()
    with person(browser, SCREENS["phone"], reduced_motion="reduce") as page, reading(language):
        page.context.add_cookies([{"name": "language", "value": language, "url": server.url}])
        stage.open(page)
        for kind, seat in islice(decisions(match, 3, planner(game)), most):
            stage.show(page, stage.look_at(match, seat), language)
            left = [text for text in page.evaluate(SAID) if english.fullmatch(text)]
            if found := left + page.evaluate(TOO_WIDE):
                amiss[kind] = found
        stage.show(page, stage.look_at(match, 0), language)
        if left := [text for text in page.evaluate(SAID) if english.fullmatch(text)]:
            amiss["the end"] = left
    assert not amiss


@pytest.mark.deep
@pytest.mark.parametrize("game", list(shelf()))
def test_decisions_in_another_language_have_no_english_in_them(
    browser: Browser, server: Server, game: str
) -> None:
    read_through(browser, server, game, "de", most=6)


@pytest.mark.deep(minutes=4)
@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("game", list(shelf()))
def test_a_game_is_played_to_its_end_in_each_language(
    browser: Browser, server: Server, game: str, language: str
) -> None:
    read_through(browser, server, game, language, most=999)
