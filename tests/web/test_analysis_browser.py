"""A game's analysis in a real browser: its button, its progress, the ways to each error by key or chart, the coach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from appraising import FakeAnalyst, finish
from waiting import wait_until

from .conftest import Server, make_settings
from .test_browser import NARROW, WIDE, person, sit_down_with_bot

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def server(tmp_path: Path, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("spelunke.house.house._analyst", lambda: analyst)
    server = Server(make_settings(tmp_path, bot_pause=0.05))
    yield server
    server.stop()


def finish_and_analyse(server: Server, game: str = "shanghaien") -> str:
    """Return a table whose game has ended and is analysed."""
    table, anna = finish(server.house, game, acts=40)
    server.house.analyses.begin(table, anna)
    wait_until(lambda: server.house.analyses.look(table).analysis, "no analysis came")
    return table


@pytest.mark.deep
def test_one_press_starts_an_analysis_and_keys_step_through_its_errors(
    browser: Browser, server: Server, analyst: FakeAnalyst
) -> None:
    table, _anna = finish(server.house, acts=20)
    analyst.may_go_on.clear()
    with person(browser, NARROW) as page:
        page.goto(f"{server.url}/t/{table}/replay")
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.locator("#replay-verdict progress")).to_be_in_viewport(ratio=1)
        expect(page.locator("#replay-verdict")).to_be_focused()
        wait_until(lambda: analyst.games)
        analyst.tell(7, 20)
        expect(page.locator("#replay-verdict")).to_contain_text("7 of 20")
        expect(page.locator("#replay-verdict")).to_be_focused()
        with page.expect_navigation():  # the page reloads itself, and would forget the next key
            analyst.may_go_on.set()
        expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible()
        found = server.house.analyses.look(table).analysis
        assert found is not None
        errors = [one.ply for one in found.decisions if one.mark]
        page.keyboard.press("Home")
        expect(page.locator("#replay-slider")).to_have_value("0")
        for ply in errors[:2]:
            page.keyboard.press("n")
            expect(page.locator("#replay-slider")).to_have_value(str(ply))
            expect(page.locator("#replay-verdict")).to_contain_text("Better:")
        page.keyboard.press("p")
        expect(page.locator("#replay-slider")).to_have_value(str(errors[0]))
        expect(page.locator(".sh-arrow.best, #replay-analysis .an-choice.best").first).to_be_visible()
        page.locator(f'#replay-chances a[data-at="{errors[-1]}"]').dispatch_event("click")
        expect(page).to_have_url(re.compile(rf"ply={errors[-1]}$"))
        page.get_by_role("button", name="Try again from here").click()
        page.wait_for_url("**/t/*")
        assert table not in page.url


def test_on_a_phone_the_worst_error_its_reason_and_the_next_one_are_in_view_above_a_board_that_stays(
    browser: Browser, server: Server
) -> None:
    table = finish_and_analyse(server)
    with person(browser, NARROW) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        expect(page).to_have_url(re.compile(r"ply=\d+$"))
        for part in ("#replay-verdict .an-reason", "#go-error-back", "#go-error-on"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        below = page.locator("#go-error-on, #board")
        tops = below.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
        page.keyboard.press("Home")
        expect(page.locator("#replay-slider")).to_have_value("0")
        assert below.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)") == tops
        page.evaluate("document.documentElement.style.fontSize = '24px'")  # a reader's large letters
        assert page.locator(".an-ways > *").evaluate_all(
            "all => all.map((one) => one.scrollWidth - one.clientWidth)"
        ) == [0, 0]


@pytest.mark.deep
def test_on_a_phone_errors_come_before_the_log_and_the_steps_stay_in_view_beside_the_moves(
    browser: Browser, server: Server
) -> None:
    table = finish_and_analyse(server)
    with person(browser, (390, 664)) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        tops = [
            page.locator(part).evaluate("one => one.getBoundingClientRect().top")
            for part in (
                "#replay-verdict",
                "#board",
                ".an-choices >> nth=0",
                "#errors-title",
                "#log",
                "#tools-title",
            )
        ]
        assert tops == sorted(tops)
        bar = page.locator("#replay-go")
        assert bar.evaluate("one => one.offsetHeight") <= 64
        page.locator("#replay-analysis .an-choice").first.scroll_into_view_if_needed()
        expect(bar).to_be_in_viewport(ratio=1)
        error = page.locator("[aria-labelledby=errors-title] a").last
        ply = (error.get_attribute("href") or "").partition("ply=")[2].partition("#")[0]
        error.click()
        expect(page).to_have_url(re.compile(rf"ply={ply}$"))
        expect(page.locator("#replay-verdict")).to_be_in_viewport(ratio=1)
        expect(page.locator("#replay-verdict")).to_be_focused()
        expect(page.locator("#board")).to_be_in_viewport(ratio=0.3)
        page.locator("#log a:visible").nth(1).click()
        expect(page).not_to_have_url(re.compile(rf"ply={ply}$"))
        expect(page.locator("#replay-verdict")).to_be_in_viewport(ratio=1)


@pytest.mark.deep
@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_on_a_phone_the_next_error_leaves_the_page_in_its_place(
    browser: Browser, server: Server, game: str
) -> None:
    table = finish_and_analyse(server, game)
    with person(browser, (390, 664)) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        for place in (60, 400):
            first = page.url
            page.evaluate("(place) => scrollTo(0, place)", place)
            page.locator("#go-error-on[href], #go-error-back[href]").first.evaluate("link => link.click()")
            expect(page).not_to_have_url(first)
            # If the sentence above the board has another height, the browser keeps the board in its place.
            assert page.evaluate("scrollY") > place / 2


@pytest.mark.deep
@pytest.mark.parametrize("height", [844, 664])
def test_on_a_phone_the_hands_are_in_view_below_the_sentence_about_them(
    browser: Browser, server: Server, height: int
) -> None:
    table = finish_and_analyse(server, "sanghai")
    with person(browser, (390, height)) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        expect(page.locator("#replay-verdict .an-reason")).to_be_in_viewport(ratio=1)
        above = page.locator(".replay-go").evaluate("one => one.getBoundingClientRect().top")
        hands = page.locator(".sg-hands .sg-owner").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().bottom)"
        )
        assert len(hands) == 3
        assert max(hands) <= above


@pytest.mark.deep
def test_the_players_and_the_hands_of_a_replay_take_no_empty_room(browser: Browser, server: Server) -> None:
    table, _anna = finish(server.house, "sanghai", acts=40)
    with person(browser, (1280, 800)) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=0")
        tops = page.locator(".replay-head .seat").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().top)"
        )
        assert len(tops) == 3
        assert len(set(tops)) == 1, "the players are in one row"
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        empty = page.locator(".sg-hands .sg-owner").evaluate_all(
            "all => all.map((one) => one.clientHeight - one.querySelector('.sg-cards').clientHeight)"
        )
        assert len(empty) == 3
        assert max(empty) < 10


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "part"),
    [("shanghaien", ".sh-table"), ("halunken", ".hk-harbour"), ("sanghai", ".sg-hands .sg-owner >> nth=0")],
)
def test_on_a_low_window_the_board_is_in_view_and_the_charts_can_be_read(
    browser: Browser, server: Server, game: str, part: str
) -> None:
    table = finish_and_analyse(server, game)
    with person(browser, (1280, 800)) as page:
        page.goto(f"{server.url}/t/{table}/replay?ply=worst")
        expect(page.locator("#replay-verdict")).to_contain_text("Better:")
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Try again from here")).to_be_in_viewport(ratio=1)
        for width in (1280, 900, 390):
            page.set_viewport_size({"width": width, "height": 800})
            sizes = page.locator(".chart:not(.swatch) .scale").evaluate_all(
                "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
            )
            assert min(sizes) >= 12
            assert max(sizes) < 30


@pytest.mark.deep
def test_a_failed_request_for_a_tip_shows_no_warning_about_unsent_presses(
    browser: Browser, server: Server
) -> None:
    table, anna = finish(server.house, acts=40)
    with person(browser) as page:
        token = server.app.state.site.signer.dumps(anna)
        page.context.add_cookies([{"name": "guest", "value": token, "url": server.url}])
        page.route("**/tip", lambda route: route.abort())
        with page.expect_event("requestfailed", lambda request: request.url.endswith("/tip")):
            page.goto(f"{server.url}/t/{table}")
        page.wait_for_timeout(500)
        expect(page.locator("#unsent")).to_be_hidden()


@pytest.mark.deep
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_tip_that_comes_late_moves_nothing(
    browser: Browser, server: Server, analyst: FakeAnalyst, size: tuple[int, int]
) -> None:
    table, anna = finish(server.house, acts=40)
    analyst.may_go_on.clear()
    with person(browser, size) as page:
        token = server.app.state.site.signer.dumps(anna)
        page.context.add_cookies([{"name": "guest", "value": token, "url": server.url}])
        page.goto(f"{server.url}/t/{table}")
        expect(page.locator("#tip progress")).to_be_visible()
        tops = (
            "[...document.querySelectorAll('.ending-links, #board')].map(e => e.getBoundingClientRect().top)"
        )
        before = page.evaluate(tops)
        analyst.may_go_on.set()
        expect(page.get_by_role("link", name="Show me where")).to_be_visible()
        assert page.evaluate(tops) == before


@pytest.mark.deep
def test_the_advice_of_the_coach_disappears_after_the_move(browser: Browser, server: Server) -> None:
    with person(browser, (1280, 800)) as page:
        sit_down_with_bot(page, server.url)
        page.locator('#board button[name="move"]').first.wait_for()
        page.locator("#coach > summary").click()
        page.evaluate("scrollTo(0, 0)")
        coach, log = (page.locator(part).bounding_box() for part in ("#coach", ".panel:has(> #log)"))
        assert coach
        assert log
        assert coach["height"] < 240, "it has one sentence"
        assert log["height"] > 200
        assert log["y"] + log["height"] <= 800
        page.get_by_role("button", name="Show what my moves are worth").click()
        expect(page.locator("#coach-forced")).to_be_visible()
        page.locator('#board button[name="move"][value="roll"]').click()
        expect(page.locator("#coach-forced")).to_have_count(0)


@pytest.mark.deep
def test_a_problems_heading_has_the_width_of_a_phone(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{server.url}/problems/shanghaien/today")
        box = page.locator("h1").bounding_box()
    assert box is not None
    assert box["width"] > 150
    assert box["height"] < 100
