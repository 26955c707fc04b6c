"""If a person plays by keys, the focus is at the next decision after each move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from waiting import PATIENCE, wait_until

from .conftest import Server
from .test_browser import NARROW, WIDE, person
from .test_layout_shift import _begin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_AT = (
    "() => document.activeElement === document.body ? 'body' : document.activeElement.outerHTML.slice(0, 120)"
)
_KIND = """() => {
  const at = document.activeElement;
  if (at.matches("#board button[name=move]")) return "move";
  if (at.matches("#board input[type=radio], #board input[type=checkbox]")) return "pick";
  return at.closest("#act, #summary, #news") ? "board" : at === document.body ? "body" : "elsewhere";
}"""
MOVES = 4
MINE = '#turn[data-mine="true"]'
LONG_MS = PATIENCE * 1000
"""The wait for the bots: their first moves of a cold house, on a busy machine, take longer than a page does."""
FAR = 150
"""The most presses of Tab to a move.

More than once round the whole page: others may act while the keys are pressed, and change the moves.
"""


def _press_a_move(page: Page) -> None:
    """Press Tab until the first move has the focus, and press the move."""
    for _ in range(FAR):
        expect(page.locator(MINE)).to_be_visible(timeout=LONG_MS)
        page.keyboard.press("Tab")
        kind = page.evaluate(_KIND)
        if kind == "move":
            page.keyboard.press("Enter")
            return
        if kind == "pick" and page.locator("#board button[name=move]:visible:enabled").count() == 0:
            page.keyboard.press("Space")
    raise AssertionError(f"no move within {FAR} presses of Tab: {page.evaluate(_AT)}")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param("shanghaien", WIDE, id="shanghaien-wide"),
        pytest.param("shanghaien", NARROW, id="shanghaien-narrow", marks=pytest.mark.deep),
        pytest.param("halunken", WIDE, id="halunken-wide", marks=pytest.mark.deep),
        pytest.param("halunken", NARROW, id="halunken-narrow"),
        pytest.param("sanghai", WIDE, id="sanghai-wide"),
        pytest.param("sanghai", NARROW, id="sanghai-narrow", marks=pytest.mark.deep),
    ],
)
def test_after_a_move_by_keys_the_focus_is_at_the_next_decision(
    browser: Browser, server: Server, game: str, size: tuple[int, int]
) -> None:
    with person(browser, size, reduced_motion="reduce") as page:
        _begin(page, server.url, game)
        expect(page.locator(MINE)).to_be_visible(timeout=LONG_MS)
        page.keyboard.press("Tab")
        page.locator("#board [data-rest]").first.focus()
        for _ in range(MOVES):
            expect(page.locator(MINE)).to_be_visible(timeout=LONG_MS)
            expect(page.locator("#board button[name=move]:enabled, #board label").first).to_be_attached()
            ply = page.locator('#board input[name="ply"]').first.input_value()
            _press_a_move(page)
            expect(page.locator(f'#board input[name="ply"][value="{ply}"]')).to_have_count(0)
            expect(page.locator("#summary-on")).to_have_count(0)
            expect(page.locator(MINE).or_(page.locator("#result-title")).first).to_be_visible(timeout=LONG_MS)
            # The page moves the focus in the frame after the push.
            wait_until(
                lambda: page.evaluate(_KIND) not in ("body", "elsewhere"), "the focus is not at the decision"
            )


@pytest.mark.deep
def test_after_a_draw_by_keys_the_focus_is_at_the_hand(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, reduced_motion="reduce") as page:
        _begin(page, server.url, "sanghai")
        stock = page.locator("button.sg-pile.lit[data-key~=s]")
        passing = page.locator('#board button[name=move][value="pass"]:enabled')
        expect(stock.or_(passing).first).to_be_visible(timeout=LONG_MS)
        while passing.is_visible():
            passing.click()
            expect(passing).to_have_count(0)
            expect(stock.or_(passing).first).to_be_visible(timeout=LONG_MS)
        page.keyboard.press("Tab")
        stock.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#turn")).to_contain_text("discard", timeout=LONG_MS)
        expect(page.locator(".sg-mine")).to_be_focused()
