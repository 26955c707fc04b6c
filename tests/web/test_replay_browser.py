"""Replaying a finished game in a real browser, on wide and narrow pages: keys, slider, chart and log.

One test uses a browser without scripts.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from spelunke.web.app import create_app

from .conftest import Guest, Server, make_settings
from .test_browser import LOOKS, NARROW, person
from .test_replay_pages import finish

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES = ("shanghaien", "halunken")


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """Yield a server with a finished game of each kind."""
    folder = tmp_path_factory.mktemp("replays")
    with TestClient(create_app(make_settings(folder))) as client:
        anna = Guest(client)
        tables = {name: finish(anna, name, 60 if name == "shanghaien" else 40) for name in GAMES}
    server = Server(make_settings(folder))
    yield server, tables
    server.stop()


def at(page: Page, ply: int | str) -> None:
    expect(page.locator("#replay-slider")).to_have_value(str(ply))
    expect(page).to_have_url(re.compile(rf"ply={ply}(&|$)"))


@pytest.mark.deep
def test_keys_slider_chart_and_log_move_through_a_replay(
    browser: Browser, replays: tuple[Server, dict[str, str]]
) -> None:
    server, tables = replays
    with person(browser) as page:
        page.goto(f"{server.url}/t/{tables['shanghaien']}/replay")
        last = int(page.locator("#replay-slider").get_attribute("max") or "")
        loads: list[str] = []
        page.on("framenavigated", lambda frame: loads.append(frame.url))
        page.evaluate("window.kept = true")
        page.keyboard.press("Home")
        at(page, 0)
        page.keyboard.press("Shift+ArrowRight")
        at(page, 1)
        expect(page.locator("#said")).not_to_be_empty()
        page.keyboard.press("PageDown")
        expect(page.locator("#replay-slider")).not_to_have_value("1")
        begins = int(page.locator("#replay-slider").input_value())
        expect(page.locator("#log [aria-current]").first).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#replay-slider")).not_to_have_value(str(begins))
        page.keyboard.press("ArrowRight")
        at(page, begins)
        page.keyboard.press("End")
        at(page, last)
        expect(page.locator("#go-on")).to_have_attribute("aria-disabled", "true")
        box = page.locator("svg.chart[data-plies]").bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
        middle = int(page.url.partition("ply=")[2]) if "ply=" in page.url else -1
        expect(page).not_to_have_url(re.compile(rf"ply={last}$"))
        middle = int(page.url.partition("ply=")[2])
        assert abs(middle - last / 2) < last / 10
        page.locator("#log li:not(.quiet) a").first.click()
        expect(page.locator("#log [aria-current]").first).to_be_visible()
        page.locator("#replay-slider").fill("7")
        at(page, 7)
        page.locator(".replay-eyes a").last.click()
        expect(page).to_have_url(re.compile(r"ply=7&as=1$"))
        page.keyboard.press("Home")
        expect(page).to_have_url(re.compile(r"ply=0&as=1$"))
        assert page.evaluate("window.kept"), "the page was never loaded again"
        shared = page.url
        page.goto("about:blank")
        page.goto(shared)
        expect(page.locator("#replay-slider")).to_have_value("0")


@pytest.mark.deep
def test_the_position_is_copied_and_played_on(
    browser: Browser, replays: tuple[Server, dict[str, str]]
) -> None:
    server, tables = replays
    with person(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(f"{server.url}/t/{tables['shanghaien']}/replay?ply=30")
        page.locator("[data-copy=position-text]").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").startswith('{"game":"shanghaien"')
        page.locator("#go-on").click()
        expect(page.locator("[data-copy=position-text]")).to_be_visible()
        page.get_by_role("button", name="Play on from here").click()
        page.wait_for_url(re.compile(r"/t/\w+$"))
        expect(page.locator("#board .shanghaien")).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_axe_finds_no_violation_in_a_replay(
    browser: Browser, replays: tuple[Server, dict[str, str]], axe: str, size: tuple[int, int], scheme: Any
) -> None:
    server, tables = replays
    with person(browser, size, color_scheme=scheme, reduced_motion="reduce") as page:
        for table in tables.values():
            for query in ("", "?ply=14&as=0"):
                page.goto(f"{server.url}/t/{table}/replay{query}")
                page.evaluate(axe)
                found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
                told = [(v["id"], [n["target"] for n in v["nodes"]][:4]) for v in found]
                assert not told
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.deep
def test_a_replay_works_without_scripts(browser: Browser, replays: tuple[Server, dict[str, str]]) -> None:
    server, tables = replays
    with person(browser, NARROW, java_script_enabled=False) as page:
        page.goto(f"{server.url}/t/{tables['shanghaien']}/replay?ply=0")
        page.get_by_role("link", name="One step forward").click()
        expect(page).to_have_url(re.compile(r"ply=[1-9]\d*$"))
        page.locator("#replay-slider").press("ArrowRight")
        page.get_by_role("button", name="Go").click()
        expect(page).to_have_url(re.compile(r"ply=[2-9]\d*$"))
        page.get_by_role("button", name="Play on from here").click()
        page.wait_for_url(re.compile(r"/t/\w+$"))


HEADS = """() => [0, 1, 2, 3].map((seat) => {
  const chip = document.createElement("li");
  chip.className = `seat seat-${seat}`;
  const sign = '<svg class="chart swatch" viewBox="0 0 28 10"><path class="line" d="M0 5H28"/></svg>';
  chip.innerHTML = `${sign}<svg class="avatar"></svg><span class="seat-name">Admiral Abercrombie of Aberystwyth</span>`;
  chip.querySelector(".line").classList.add(`s${seat}`);
  document.querySelector(".replay-head .players").append(chip);
  const name = chip.querySelector(".seat-name");
  const box = name.getBoundingClientRect();
  const text = document.createRange();
  text.selectNodeContents(name);
  const whole = text.getBoundingClientRect();
  const cut = getComputedStyle(name).overflowX !== "visible" && whole.width > box.width + 1;
  const inside = whole.bottom <= chip.getBoundingClientRect().bottom + 1;
  return [getComputedStyle(chip.querySelector(".line")).stroke,
    getComputedStyle(chip.querySelector(".avatar")).outlineColor, !cut && inside];
})"""


def hue(colour: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    return 360 * colorsys.rgb_to_hls(red, green, blue)[0]


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_have_the_colours_of_the_captains_and_names_are_whole(
    browser: Browser, replays: tuple[Server, dict[str, str]], scheme: str
) -> None:
    server, tables = replays
    with person(browser, NARROW, color_scheme=scheme) as page:
        address = f"{server.url}/t/{tables['halunken']}/replay"
        page.goto(
            next(
                at
                for ply in range(20, 40)
                if page.request.get(at := f"{address}?ply={ply}").text().count("data-step=") > 1
            )
        )
        later = page.locator(".replay-points, .hk-controls h2, .hk-controls p")
        assert any(one.is_visible() for one in later.all())
        page.get_by_role("button", name="to the first step").click()
        for one in later.all():
            expect(one, "the board shows an earlier step").to_be_hidden()
        page.get_by_role("button", name="to the end").click()
        expect(page.locator(".replay-points").first).to_be_visible()
        if scheme == "dark":  # four players
            page.evaluate("document.querySelector('.replay-head .players').className = 'players n4'")
        for line, ring, whole in page.evaluate(HEADS):
            assert abs(hue(line) - hue(ring)) < 8, (line, ring)
            assert whole, "the name is not cut"


@pytest.mark.deep
def test_only_a_step_forward_tells_the_story_of_an_hour(
    browser: Browser, replays: tuple[Server, dict[str, str]]
) -> None:
    server, tables = replays
    with person(browser, NARROW, reduced_motion="no-preference") as page:
        address = f"{server.url}/t/{tables['halunken']}/replay"
        stories = {
            ply: found[1]
            if (found := re.search('data-story="([^"]*)"', page.request.get(f"{address}?ply={ply}").text()))
            else ""
            for ply in range(10, 60)
        }
        later = max(ply for ply in range(11, 60) if stories[ply] not in {"", stories[ply - 1]})
        page.goto(f"{address}?ply=10")
        slider = page.locator("#replay-slider")
        slider.fill(str(later))
        expect(page).to_have_url(re.compile(f"ply={later}$"))
        assert page.locator("html[data-telling]").count() == 0, "a jump shows its position at once"
        expect(page.locator(".replay-points").first).to_be_visible()
        slider.fill(str(later - 1))
        expect(page).to_have_url(re.compile(f"ply={later - 1}$"))
        slider.fill(str(later))
        expect(page.locator("html[data-telling]"), "a step forward tells it").to_have_count(1)


SPILLED = """(players) => {
  const list = document.querySelector(".replay-head .players");
  list.className = `players n${players}`;
  const seat = list.querySelector(".seat").cloneNode(true);
  if (!seat.querySelector(".replay-points")) {
    const points = '<span class="replay-points"><b>234</b> <span class="unit">points</span></span>';
    seat.insertAdjacentHTML("beforeend", `<span class="badge">bot</span>${points}`);
  }
  list.replaceChildren(...Array.from({ length: players }, () => seat.cloneNode(true)));
  return [...list.children].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.scrollWidth);
}"""
"""Show as many players, with points, and return the widths of those that are too wide for their places."""


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 720), (800, 720)], ids=["wide", "tablet"])
def test_a_name_that_has_no_space_is_on_one_line(
    browser: Browser, replays: tuple[Server, dict[str, str]], size: tuple[int, int]
) -> None:
    server, tables = replays
    with person(browser, size) as page:
        page.goto(f"{server.url}/t/{tables['halunken']}/replay")
        seats = page.locator(".replay-head .players .seat")  # as if four played
        seats.evaluate_all("all => all.forEach((one) => one.after(one.cloneNode(true)))")
        names = page.locator(".replay-head .seat-name")
        assert names.count() == 4
        names.evaluate_all("all => all.forEach((one) => { one.textContent = 'Wilhelmina'; })")
        heights = names.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
        assert max(heights) < 30, heights
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for players in range(2, 9):
            assert not page.evaluate(SPILLED, players), f"the points of {players} players are in their places"
