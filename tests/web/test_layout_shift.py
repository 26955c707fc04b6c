"""Nothing on a page moves unless the user moves it. The tests add up the layout shifts that the browser reports.

The browser marks the shifts within half a second of a press, and the tests leave these out. The tests send the
player's moves without pressing their buttons. So before each move, they press a point beside the board, and the browser
marks the shifts that the move causes. The tests also leave out all shifts until the page shows the result, which may be
late on a busy machine. Bots' moves come later, as they do in a game.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from spelunke.core.catalogues import words_of
from table_page import choose_move, read_table, send_move
from waiting import wait_until

from .conftest import Server, serve
from .onescreen import shifts, watch_shifts
from .test_browser import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST = 0.02
WIDE, PHONE = (1280, 800), (390, 844)
PAUSE_S = 0.6
"""Longer than the half second after a press."""


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server whose bots pause before their actions."""
    with serve(tmp_path_factory.mktemp("slow"), bot_pause=PAUSE_S) as server:
        yield server


def _sum(page: Page) -> tuple[float, list[tuple[float, list[str]]]]:
    """Return the sum of the layout shifts that did not follow a press, and the four largest of these shifts."""
    found = [(value, told) for value, pressed, told in shifts(page) if not pressed]
    return sum(value for value, _told in found), sorted(found, key=lambda one: -one[0])[:4]


def _begin(page: Page, url: str, game: str) -> None:
    watch_shifts(page)
    page.goto(url)
    page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
    expect(page.locator('#connection[data-state="live"]')).to_be_visible()


def _play(page: Page, rounds: int) -> None:
    """Play until ``rounds`` rounds or the whole game have ended. Prefer moves that lay cards."""
    chance = random.Random(7)
    ended = 0
    until = time.monotonic() + 540
    while ended < rounds and time.monotonic() < until:
        if page.locator("#result.result").count():
            return
        if page.locator("#summary-on").count():
            with contextlib.suppress(TooLate):  # the end of the game can take the summary's place
                page.locator("#summary-on").click(timeout=5_000)
                ended += 1
                expect(page.locator("#summary.summary")).to_have_count(0)
            continue
        if page.locator("html[data-telling]").count():  # the story of an hour is watched to its end
            page.wait_for_timeout(100)
            continue
        look = read_table(page)
        move = choose_move(look, chance)
        if move is None:
            page.wait_for_timeout(50)
            continue
        page.mouse.click(3, page.viewport_size["height"] - 3 if page.viewport_size else 3)
        # The browser calls a shift expected for 500 ms after a press. A busy machine may answer later.
        pushes = page.evaluate(
            "() => { window.answers.push([performance.now(), Infinity]); return window.pushes; }"
        )
        status = send_move(page, move, look["ply"])
        assert status in (204, 409)
        if status == 204:
            wait_until(partial(_was_pushed, page, pushes))
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            ".then(() => { window.answers.at(-1)[1] = performance.now(); })"
        )


def _was_pushed(page: Page, pushes: int) -> bool:
    return bool(page.evaluate("() => window.pushes") > pushes)


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param("shanghaien", WIDE, id="shanghaien-wide", marks=pytest.mark.deep),
        pytest.param("shanghaien", PHONE, id="shanghaien-phone"),
        pytest.param("halunken", WIDE, id="halunken-wide"),
        pytest.param("halunken", PHONE, id="halunken-phone", marks=pytest.mark.deep),
        pytest.param("sanghai", WIDE, id="sanghai-wide", marks=pytest.mark.deep),
        pytest.param("sanghai", PHONE, id="sanghai-phone"),
    ],
)
def test_a_table_that_opens_stands_still(
    browser: Browser, slow_server: Server, game: str, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        watch_shifts(page)
        page.goto(slow_server.url)
        page.wait_for_load_state("networkidle")
        moved, most = _sum(page)
        assert moved <= MOST, most
        page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        expect(page.locator("#log > li").first).to_be_attached()
        moved, most = _sum(page)
        assert moved <= MOST, most


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
@pytest.mark.deep
def test_nothing_moves_over_a_whole_game(
    browser: Browser, slow_server: Server, game: str, size: tuple[int, int]
) -> None:
    with person(browser, size, stays=True) as page:
        _begin(page, slow_server.url, game)
        _play(page, 99)
        moved, most = _sum(page)
        assert moved <= MOST, (moved, most)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param("shanghaien", PHONE, id="shanghaien-phone"),
        pytest.param("halunken", WIDE, id="halunken-wide"),
        pytest.param("sanghai", WIDE, id="sanghai-wide", marks=pytest.mark.deep),
        pytest.param("sanghai", PHONE, id="sanghai-phone", marks=pytest.mark.deep),
    ],
)
def test_the_first_round_of_a_game_stands_still(
    browser: Browser, slow_server: Server, game: str, size: tuple[int, int]
) -> None:
    with person(browser, size, stays=True) as page:
        _begin(page, slow_server.url, game)
        _play(page, 1)
        moved, most = _sum(page)
        assert moved <= MOST, (moved, most)


@pytest.mark.parametrize("game", ["shanghaien", "sanghai"])
@pytest.mark.deep
def test_a_coach_at_every_move_moves_nothing(browser: Browser, slow_server: Server, game: str) -> None:
    with person(browser, WIDE, stays=True) as page:
        _begin(page, slow_server.url, game)
        page.locator("#coach summary").click()
        page.get_by_role("button", name="Coach me at every move").click()
        expect(page.get_by_role("button", name="Coach me at every move")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        _play(page, 1)
        moved, most = _sum(page)
        assert moved <= MOST, (moved, most)


@pytest.mark.deep
@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_the_coachs_first_answer_does_not_move_a_phones_page(
    browser: Browser, slow_server: Server, game: str
) -> None:
    with person(browser, PHONE, stays=True) as page:
        _begin(page, slow_server.url, game)
        page.locator("#coach summary").click()
        page.get_by_role("button", name="Coach me at every move").click()
        expect(page.get_by_role("button", name="Coach me at every move")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        advice = page.locator("#coach-told .an-words")
        for _move in range(20):
            look = read_table(page)
            if len(look["legal"]) > 1:
                break
            if look["legal"]:
                send_move(page, look["legal"][0]["text"], look["ply"])
            page.wait_for_timeout(1000 * PAUSE_S)
        shifts(page)
        advice.first.wait_for(state="attached")
        page.wait_for_timeout(1000 * PAUSE_S)
        moved, most = _sum(page)
        assert moved <= MOST, most


_WITH_UNDO = """([prompt, label]) => {
  const top = () => document.getElementById("board").getBoundingClientRect().top;
  const undo = document.getElementById("undo");
  undo.innerHTML = "";
  document.querySelector("#turn > span").textContent = prompt;
  const before = top();
  undo.innerHTML = `<form><button class="button">${label}</button></form>`;
  return [before, top(), document.documentElement.scrollWidth];
}"""

_WITH_NAME = """(what) => {
  const told = document.querySelector("#turn > span");
  told.innerHTML = `<span class="whose">Maximilian Obermüller</span>: ${what}`;
  return told.getBoundingClientRect().bottom;
}"""
TOO_FEW = "call Shanghai: you have too few dice to roll"


@pytest.mark.deep
def test_undo_does_not_move_the_board_of_a_phone(browser: Browser, slow_server: Server) -> None:
    """In each language, the longest prompt of a turn is as high beside the undo button as without this button."""
    with person(browser, PHONE, stays=True) as page:
        _begin(page, slow_server.url, "shanghaien")
        for language in ("", "de", "fi", "fr", "it", "nl"):
            house = words_of("spelunke.web", language)
            what = words_of("spelunke.games.shanghaien", language)("choose a die, then one of its two cards")
            prompt = house("Your turn: {what}").format(what=what)
            before, after, width = page.evaluate(_WITH_UNDO, [prompt, house("Undo")])
            assert before == after, (language, prompt)
            assert width <= PHONE[0]
            told = page.evaluate(_WITH_NAME, words_of("spelunke.games.shanghaien", language)(TOO_FEW))
            assert told <= after, (language, "the prompt ends below the board's upper edge")
