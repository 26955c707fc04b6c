"""Help for a newcomer at a table, in a browser: the meaning of the choices, and a tour of the signs on the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from web.conftest import Server
from web.test_browser import MOVE, person, sit_down_with_bot

COVERED = """() => {
  const [lit, tour] = [".tour-lit", "#tour"].map((one) => document.querySelector(one).getBoundingClientRect());
  const fits = lit.height + tour.height < innerHeight - 120; // below the header
  return fits && lit.top < tour.bottom && tour.top < lit.bottom;
}"""


def check(page: Page, axe: str) -> None:
    page.evaluate(axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert not [(one["id"], one["nodes"][0]["failureSummary"]) for one in found]


@pytest.mark.deep
def test_choices_and_signs_are_explained_where_they_are(browser: Browser, server: Server, axe: str) -> None:
    with person(browser, (390, 664), reduced_motion="reduce") as page:
        sit_down_with_bot(page, server.url)
        page.locator('#turn[data-mine="true"]').wait_for()
        page.get_by_role("button", name="What does this mean?").click()
        told = page.locator("#meanings dd").first.inner_text()
        check(page, axe)
        page.keyboard.press("Escape")
        expect(page.locator("#meanings")).to_be_hidden()
        control = page.locator(f"{MOVE}[aria-describedby]").first
        control.wait_for()
        control.hover()
        expect(page.locator("#meaning-tip")).to_be_visible()
        assert len(page.locator("#meaning-tip").inner_text()) > 20
        assert told.endswith(".")
        start, tour = page.locator("#tour-start"), page.locator("#tour")
        start.click()
        seen = []
        while tour.is_visible():
            seen.append(tour.locator("li:not([hidden]) h2").inner_text())
            assert page.locator(".tour-lit").count() == 1
            assert not page.evaluate(COVERED), f"the tour covers the symbol that it explains: {seen[-1]}"
            if len(seen) == 2:
                check(page, axe)
            label = tour.locator('[data-tour="next"]').inner_text()
            page.keyboard.press("ArrowRight")
        assert len(seen) == len(set(seen)) > 8
        assert label == "Done"
        expect(start).to_be_focused()
        expect(page.locator("#turn"), "the tour leads back to the board").to_be_in_viewport()
        start.click()
        page.keyboard.press("Escape")
        expect(tour).to_be_hidden()
        assert not page.locator(".tour-lit").count()
