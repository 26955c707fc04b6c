"""Pages in every language fit a phone and a desktop: they don't scroll sideways, and cut no button or heading."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import httpx2
import pytest

from spelunke.games import shelf
from spelunke.web.words import languages
from words.pseudo import speaking

from .conftest import Guest, Server
from .test_browser import ask, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = ((390, 844), (1280, 800))
PAGES = (
    "/",
    "/login",
    "/verify",
    "/me",
    "/me/settings",
    "/me/notifications/choices",
    "/problems/shanghaien",
    "/analysis/shanghaien",
    *(f"/{page}/{game}" for game in shelf() for page in ("new", "rules")),
)
FEW = ("/", "/me/settings", "/new/sanghai")
PSEUDO = "a third longer"
TOO_WIDE = """() => {
  const found = [];
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide + 1) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide of ${wide}`);
  }
  for (const one of document.querySelectorAll(".button, h1, h2, h3, label, summary, .badge, legend, .lead")) {
    const box = one.getBoundingClientRect();
    if (!box.width || one.closest(".sr, [aria-hidden=true], .table-wrap")) continue;
    const says = (one.textContent || "").trim().slice(0, 40);
    if (one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).display !== "inline") {
      found.push(`cut: ${one.tagName} ${says}`);
    }
    if (box.right > wide + 1 && !one.closest("details:not([open])")) found.push(`outside: ${one.tagName} ${says}`);
  }
  return found;
}"""


def look(page: Page, server: Server, language: str, paths: tuple[str, ...]) -> dict[str, list[str]]:
    found = {}
    for path in paths:
        visit(page, f"{server.url}{path}?lang={language}")
        ask(lambda: page.evaluate("document.fonts.ready"))
        if trouble := ask(lambda: page.evaluate(TOO_WIDE)):
            found[path] = trouble
    return found


def tables(page: Page, server: Server, language: str) -> dict[str, list[str]]:
    """Open a table of each game. Return the elements that don't fit, by game."""
    found = {}
    page.context.add_cookies([{"name": "language", "value": language, "url": server.url}])
    for game in shelf():
        page.goto(server.url)
        page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
        page.locator("#board").wait_for()
        if trouble := page.evaluate(TOO_WIDE):
            found[game] = trouble
    return found


@pytest.mark.deep
@pytest.mark.parametrize("screen", SCREENS, ids=("phone", "wide"))
def test_a_language_a_third_longer_fits(browser: Browser, server: Server, screen: tuple[int, int]) -> None:
    _check(browser, server, PSEUDO, screen, FEW, deep=False)


@pytest.mark.deep(minutes=3)
@pytest.mark.parametrize("screen", SCREENS, ids=("phone", "wide"))
@pytest.mark.parametrize("language", [PSEUDO, *languages()])
def test_every_page_fits_in_every_language(
    browser: Browser, server: Server, language: str, screen: tuple[int, int]
) -> None:
    _check(browser, server, language, screen, PAGES, deep=True)


def _check(
    browser: Browser,
    server: Server,
    language: str,
    screen: tuple[int, int],
    paths: tuple[str, ...],
    *,
    deep: bool,
) -> None:
    context = browser.new_context(viewport={"width": screen[0], "height": screen[1]}, locale="en-GB")
    try:
        context.set_default_timeout(60_000)
        page = context.new_page()
        with speaking() if language == PSEUDO else contextlib.nullcontext():
            spoken = "en" if language == PSEUDO else language
            found = look(page, server, spoken, paths)
            if deep:
                found |= tables(page, server, spoken)
        assert not found
    finally:
        context.close()


@pytest.mark.deep
@pytest.mark.parametrize("width", [744, 768, 844, 1024])
def test_the_main_pages_have_one_row_on_a_tablet(browser: Browser, server: Server, width: int) -> None:
    anna = Guest(httpx2.Client(base_url=server.url, timeout=60), "Bartholomäus Wellington")
    heights = {}
    for language in languages():
        context = browser.new_context(viewport={"width": width, "height": 1024})
        given = {"guest": anna.token, "language": language}
        context.add_cookies([{"name": n, "value": v, "url": server.url} for n, v in given.items()])
        with contextlib.closing(context):
            page = context.new_page()
            page.goto(f"{server.url}/settings")
            page.evaluate("document.fonts.ready")
            heights[language] = page.evaluate("document.querySelector('.top').offsetHeight")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert max(heights.values()) < 70, heights


BEYOND_ITS_HALF = """() => [...document.querySelectorAll(".sh-half")].filter((half) => {
  const [box, text] = [half.getBoundingClientRect(), document.createRange()];
  return [...half.querySelectorAll("b, small")].some((one) => {
    text.selectNodeContents(one);
    const said = text.getBoundingClientRect();
    return said.bottom > box.bottom + 1 || said.left < box.left - 3 || said.right > box.right + 3;
  });
}).map((half) => half.textContent)"""


@pytest.mark.deep
@pytest.mark.parametrize(
    "screen",
    [pytest.param(SCREENS[0], id="phone"), pytest.param(SCREENS[1], id="wide", marks=pytest.mark.deep)],
)
def test_reasons_stay_on_their_trick_cards_in_every_language(
    browser: Browser, server: Server, screen: tuple[int, int]
) -> None:
    anna = Guest(httpx2.Client(base_url=server.url, timeout=60))
    extras = {"start_trick": "both", "sharks_exchange": True, "crazy_captain": True, "first_starter": "0"}
    table = anna.table("me", "bot:deckhand", options=extras)
    look = anna.wait(table, lambda look: bool(look["legal"]))
    assert anna.play(table, "roll", look["ply"]).status_code == 200
    anna.wait(table, lambda look: any("both" in str(legal) for legal in look["legal"]))
    width, height = screen
    found = {}
    for language in languages():
        context = browser.new_context(viewport={"width": width, "height": height})
        given = {"guest": anna.token, "language": language}
        context.add_cookies([{"name": n, "value": v, "url": server.url} for n, v in given.items()])
        with contextlib.closing(context):
            page = context.new_page()
            page.goto(f"{server.url}/t/{table}")
            page.evaluate("document.fonts.ready")
            assert page.locator(".sh-half small").count(), "some halves can't be played yet"
            if beyond := page.evaluate(BEYOND_ITS_HALF):
                found[language] = beyond
    assert not found
