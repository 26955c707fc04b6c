"""A page is live again soon after its connection is restored, whenever and however it was cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from waiting import wait_until

from .cable import Cable
from .conftest import Server
from .test_browser import SOON_MS, person, sit_down_with_bot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

LOST = '#connection[data-state="lost"]'
LIVE = '#connection[data-state="live"]'
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with person(browser) as page:
        yield page


@pytest.mark.deep
def test_a_page_recovers_if_the_line_is_cut_as_the_game_begins(page: Page, server: Server) -> None:
    cable = Cable(server.port)
    cable.cut_but("/nonce")
    sit_down_with_bot(page, cable.url)
    wait_until(cable.held.is_set, "the page gave no share in chance")
    expect(page.locator(LOST)).to_be_visible()
    went: list[str] = []
    page.on("framenavigated", lambda frame: went.append(frame.url))
    cable.let_go.set()
    with page.expect_event("requestfailed"):
        pass  # it has tried again since
    expect(page.locator(LOST)).to_be_visible()
    assert not went, (
        "what is fetched through a cut line is the browser's own page, which comes back when it likes"
    )
    cable.mend()
    expect(page.locator(LIVE)).to_be_visible(timeout=SOON_MS)
    expect(page.locator('#turn[data-mine="true"]')).to_be_visible()


@pytest.mark.deep
def test_a_page_notices_a_line_that_falls_silent_and_recovers(page: Page, server: Server) -> None:
    cable = Cable(server.port)
    cable.fall_silent("/stream")
    sit_down_with_bot(page, cable.url)
    expect(page.locator('#connection[data-state="wait"]')).to_be_visible()
    cable.mend()
    expect(page.locator(LIVE)).to_be_visible(timeout=SOON_MS)
    cable.fall_silent()
    expect(page.locator(LOST)).to_be_visible(timeout=SOON_MS)
    cable.mend()
    expect(page.locator(LIVE)).to_be_visible(timeout=SOON_MS)


def test_a_page_says_why_the_server_refuses_its_stream_and_asks_seldom(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.clock.install()

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, content_type="text/html", body='<p class="notice bad">Too many pages.</p>')

    sit_down_with_bot(page, f"http://127.0.0.1:{server.port}")
    expect(page.locator('#turn[data-mine="true"]')).to_be_visible()
    page.route("**/stream?*", refuse)
    page.reload()
    expect(page.locator("#trouble")).to_have_text("Too many pages.")
    page.clock.run_for(10_000)
    assert len(asked) == 1
    page.unroute("**/stream?*")
    page.clock.run_for(15_500)  # not longer: in the page's time, the server's answer would then come too late
    expect(page.locator(LIVE)).to_be_visible()


@pytest.mark.deep
def test_a_hidden_page_recovers_from_a_cut_line_when_it_is_shown(page: Page, server: Server) -> None:
    cable = Cable(server.port)
    sit_down_with_bot(page, cable.url)
    expect(page.locator(LIVE)).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/here")):
        cable.cut()
        page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator(LOST)).to_be_visible()
    page.evaluate(HIDE, arg=True)
    page.wait_for_timeout(2_500)  # longer than its polling interval
    cable.mend()
    page.evaluate(HIDE, arg=False)
    expect(page.locator(LIVE)).to_be_visible(timeout=SOON_MS)
