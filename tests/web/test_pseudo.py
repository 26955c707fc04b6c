"""Every text on pages is marked for translation, as pages in the language of the tests (`words.pseudo`) show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.games import shelf
from words.pseudo import BEGIN, END, speaking

SILENT = frozenset({"script", "style", "code", "kbd", "svg", "time", "textarea", "option-name", "output"})
VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "path", "circle", "rect", "use"})
SAID = ("aria-label", "title", "placeholder", "alt")
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = re.compile(
    r"Spelunke|API|Shanghaien|Halunken und Spelunken|Sanghai|Anna|Bert|JSON|ntfy|UTC|SHA|English|Deutsch|Nederlands"
    r"|EN|Français|Italiano|Suomi|Enter|Esc|Black Jack|Ctrl|tavern|min"
)


BOTS = re.compile(
    "|".join(name for game in shelf().values() for level in game.players.values() for name in level)
)


class Reader(HTMLParser):
    """A parser that collects the texts of a page that lack the marks of the test language."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.depth = 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        silent = tag in SILENT or ("lang" in given and tag != "html") or "data-name" in given
        if tag not in VOID:
            self.open.append((tag, silent))
        for name in SAID:
            if (text := given.get(name)) and not self._quiet(text) and BEGIN not in text:
                self.found.append(f"{name}: {text}")

    def handle_endtag(self, tag: str) -> None:
        if tag not in [name for name, _silent in self.open]:
            return  # of an element that had no content
        while self.open and self.open.pop()[0] != tag:
            pass

    def _quiet(self, text: str) -> bool:
        return not WORD.search(NAMES.sub("", BOTS.sub("", text))) or any(silent for _tag, silent in self.open)

    def handle_data(self, data: str) -> None:
        inside = self.depth > 0 or BEGIN in data
        self.depth += data.count(BEGIN) - data.count(END)
        if not inside and not self._quiet(data):
            self.found.append(data.strip())


ZONE = re.compile(r"[A-Z][A-Za-z]+/[\w/+-]+")
OWN_TEXTS = re.compile(
    r'<article class="prose".*?</article>|<nav class="rules-contents".*?</nav>|<ul>\n<li>.*?</ul>', re.DOTALL
)
"""Rules and cards are separate texts in each language."""


def unmarked(page: str) -> list[str]:
    reader = Reader()
    reader.feed(OWN_TEXTS.sub("", page))
    return [text for text in reader.found if not ZONE.fullmatch(text)]


@pytest.fixture
def pseudo() -> Iterator[None]:
    with speaking():
        yield


PAGES = (
    "/",
    "/login",
    "/verify",
    "/me",
    "/me/settings",
    "/me/notifications/choices",
    "/problems/shanghaien",
)
OF_GAMES = ("/new/{}", "/rules/{}", "/analysis/shanghaien")


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_page_is_marked(client: TestClient) -> None:
    found: dict[str, list[str]] = {}
    paths = [*PAGES, *(path.format(game) for game in shelf() for path in OF_GAMES)]
    client.post("/me", data={"name": "Anna"})
    for path in dict.fromkeys(paths):
        page: Any = client.get(path)
        assert page.status_code == 200, path
        if left := unmarked(page.text):
            found[path] = left
    assert not found


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("game", list(shelf()))
def test_every_text_of_a_table_is_marked(client: TestClient, game: str) -> None:
    client.post("/me", data={"name": "Anna"})
    page = client.post("/tables", data={"game": game, "quick": "bot"}, follow_redirects=True)
    assert "/t/" in str(page.url)
    left = unmarked(page.text)
    assert not left
