"""Pages fit in every language: no scroll sideways, no button or heading that is cut, on a phone and on a desk."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from spelunke.games import shelf
from spelunke.web.words import languages
from words.pseudo import speaking

from .conftest import Server

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
        page.goto(f"{server.url}{path}?lang={language}")
        page.evaluate("document.fonts.ready")
        if trouble := page.evaluate(TOO_WIDE):
            found[path] = trouble
    return found


def tables(page: Page, server: Server, language: str) -> dict[str, list[str]]:
    """Return the trouble on a table of each game."""
    found = {}
    page.context.add_cookies([{"name": "language", "value": language, "url": server.url}])
    for game in shelf():
        page.goto(server.url)
        page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
        page.locator("#board").wait_for()
        if trouble := page.evaluate(TOO_WIDE):
            found[game] = trouble
    return found


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
        page = context.new_page()
        with speaking() if language == PSEUDO else contextlib.nullcontext():
            spoken = "en" if language == PSEUDO else language
            found = look(page, server, spoken, paths)
            if deep:
                found |= tables(page, server, spoken)
        assert not found
    finally:
        context.close()
