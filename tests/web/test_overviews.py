"""Each row and each total in the standing of Shanghaien opens an overview."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .conftest import Server
from .test_browser import NARROW, WIDE, person
from .test_layout_shift import _begin

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OPEN = ".sh-over:popover-open"

# The width that the number leaves free in its cell.
_SPARE = """all => all.map((one) => {
  const number = document.createRange();
  number.selectNodeContents(one.firstChild);
  return one.parentElement.clientWidth - number.getBoundingClientRect().width;
})"""


@pytest.mark.deep
def test_a_press_on_a_row_opens_its_overview(browser: Browser, server: Server) -> None:
    with person(browser, NARROW) as page:
        _begin(page, server.url, "shanghaien")
        for row, opened in (
            ("tr.s0 td:nth-child(4)", "crew0"),
            ("tr.s1 th", "crew1"),
            ("tr.coming", "coming"),
            ("tr.s1 .total", "sums"),
        ):
            page.locator(f".sh-standing {row}").click(force=True)  # what is pressed covers the row
            expect(page.locator(OPEN)).to_have_id(f"{page.url.rpartition('/')[2]}-sh-{opened}")
            page.keyboard.press("Escape")
            expect(page.locator(OPEN)).to_have_count(0)
        page.evaluate("document.documentElement.style.fontSize = '24px'")  # a reader's large letters
        assert min(page.locator(".coming td > [aria-hidden]").evaluate_all(_SPARE)) > 0


@pytest.mark.deep
def test_a_press_that_is_held_for_a_moment_is_not_lost(browser: Browser, server: Server) -> None:
    with person(browser, NARROW) as page:
        _begin(page, server.url, "shanghaien")
        page.locator(".sh-standing tr.s0 td").nth(3).hover(force=True)
        page.evaluate(
            """() => addEventListener("click", ({ target }) => {
              document.documentElement.dataset.clicked = target.getAttribute("popovertarget") ?? target.tagName;
            })"""
        )  # pointing at it opens the overview as well, so the press itself is watched
        page.mouse.down()
        page.locator(".sh-standing tr.s0 .sh-opens:active").wait_for(state="attached")
        page.mouse.up()
        expect(page.locator("html")).to_have_attribute("data-clicked", re.compile("-sh-crew0$"))


@pytest.mark.deep
def test_pointing_at_a_row_shows_its_overview_and_keys_still_work(browser: Browser, server: Server) -> None:
    with person(browser, WIDE) as page:
        _begin(page, server.url, "shanghaien")
        roll = page.locator('button[name=move][value="roll"]')
        expect(roll).to_be_enabled()
        page.locator(".sh-standing tr.s1 td").nth(2).hover(force=True)
        expect(page.locator(OPEN)).to_contain_text("Nobody yet.")
        page.keyboard.press("r")
        expect(roll).to_have_count(0)
        page.mouse.move(5, 5)
        expect(page.locator(OPEN)).to_have_count(0)


HIT = """() => {
  const box = document.querySelector(".sh-standing tr.s0 .total button").getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).className;
}"""


@pytest.mark.deep
def test_an_overview_that_only_shows_lets_presses_through(browser: Browser, server: Server) -> None:
    with person(browser, WIDE) as page:
        _begin(page, server.url, "shanghaien")
        row = page.locator(".sh-standing tr.s0 th")
        row.evaluate("row => row.scrollIntoView({ block: 'center', behavior: 'instant' })")
        row.hover(force=True)
        expect(page.locator(OPEN)).to_contain_text("Nobody yet.")
        assert "sh-opens" in page.evaluate(HIT), "the overview lies over the next opener"


@pytest.mark.deep
def test_keyboard_focus_on_a_row_shows_its_overview(browser: Browser, server: Server) -> None:
    with person(browser, WIDE) as page:
        _begin(page, server.url, "shanghaien")
        page.keyboard.press("Tab")
        page.locator(".sh-standing tr.coming button").focus()
        expect(page.locator(OPEN)).to_contain_text("lies in the row now")
