"""No press is lost: real presses on every control, by mouse and finger, and over cut, slow and lossy connections."""

from __future__ import annotations

import random
import re
import select
import socket
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from .cable import Cable
from .conftest import Server, serve
from .test_browser import MOVE, NARROW, WIDE, person, reload, sit_down_with_bot
from .test_comforts import NAMES, for_two, moves_of, play, sit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

LOST = '#connection[data-state="lost"]'
LIVE = '#connection[data-state="live"]'
HELD_MS = 90

# Two controls of each kind that looks alike, with the points to press: in the middle, near the upper and lower edge.
POINTS = """() => {
  const seen = new Map();
  const found = [];
  window.controls = [];
  for (const one of document.querySelectorAll(
    "#board :is(button:not([disabled]), summary, label, a[href]), #foot :is(button, summary), #news button, .top button"
  )) {
    const kind = `${one.tagName} ${one.className} ${one.name ?? ""}`;
    if ((seen.get(kind) ?? 0) >= 2) continue;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    const x = box.left + box.width / 2;
    const points = [box.top + box.height / 2, box.top + 2.5, box.bottom - 2.5]
      .filter((y) => one.contains(document.elementFromPoint(x, y)))
      .map((y) => y - box.top);
    if (!points.length) continue;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    window.controls.push(one);
    const text = (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40);
    found.push({ n: found.length, kind, text, points });
  }
  return found;
}"""
PLACE = """n => {
  const one = window.controls[n];
  if (!one.isConnected) return null;
  one.scrollIntoView({ block: "center", behavior: "instant" });
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top];
}"""
# Clicks are recorded, and go no further: the table stays as it is.
CATCH = """() => {
  window.caught = [];
  addEventListener("click", (event) => {
    const path = event.composedPath();
    window.caught.push(...window.controls.keys().filter((n) => path.includes(window.controls[n])));
    document.documentElement.dataset.caught = "yes";
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
}"""


def press(page: Page, x: float, y: float, *, touch: Any = None) -> None:
    """Press as people do: press down, hold for a while, and release at the same spot."""
    if touch is not None:
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(HELD_MS)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_timeout(HELD_MS)
    page.mouse.up()


def press_all(page: Page, *, touch: Any = None) -> set[str]:
    """Press every control of the page; return the kinds of controls."""
    page.evaluate(CATCH)
    controls = page.evaluate(POINTS)
    assert controls
    for control in controls:
        for dy in control["points"]:
            place = page.evaluate(PLACE, control["n"])
            if place is None:  # a push took it away meanwhile
                continue
            page.evaluate(
                "() => { window.caught.length = 0; delete document.documentElement.dataset.caught; }"
            )
            press(page, place[0], place[1] + dy, touch=touch)
            if touch is not None:  # its click follows in its own time
                expect(page.locator("html")).to_have_attribute("data-caught", "yes")
            where = f"{control['text']!r} ({control['kind']}), {dy:.0f} px from its top"
            assert control["n"] in page.evaluate("window.caught"), f"lost: {where}"
    return {control["kind"] for control in controls}


SCREENS = [(game, size) for game in NAMES for size in (WIDE, NARROW)]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "size", "positions"),
    [
        *(pytest.param(game, (WIDE, NARROW)[n % 2], 1, id=f"{game}-1") for n, game in enumerate(NAMES)),
        *(
            pytest.param(
                game,
                size,
                6,
                id=f"{game}-{'finger' if size == NARROW else 'mouse'}-6",
                marks=pytest.mark.deep,
            )
            for game, size in SCREENS
        ),
    ],
)
def test_a_real_press_on_any_control_counts(
    browser: Browser, server: Server, game: str, size: tuple[int, int], positions: int
) -> None:
    finger = size == NARROW
    with person(browser, size, has_touch=finger) as page:
        # No window closes automatically, and no bot's answer changes Anna's decision: the page stays as it is.
        alone = {"hep_seconds": 0, "hep_window": "sequenced"} if game == "sanghai" else {}
        anna, table = sit(page, server, game, options=alone)
        if alone:  # begin with her own turn
            while "pass" in moves_of(anna.wait(table, lambda look: bool(look["legal"]))):
                play(anna, table, "pass")
            ply = str(anna.look(table)["ply"])
            expect(page.locator('#board input[name="ply"]').first).to_have_value(ply)
        chooser = random.Random(3)
        kinds: set[str] = set()
        for position in range(positions):
            if position:
                look = anna.wait(table, lambda look: bool(look["legal"]))
                play(anna, table, chooser.choice(moves_of(look)))
                anna.wait(table, lambda look: bool(look["legal"]))
                reload(page)
                page.locator('#turn[data-mine="true"]').wait_for()
                expect(page.locator(LIVE)).to_be_visible()
            touch = page.context.new_cdp_session(page) if finger else None
            kinds |= press_all(page, touch=touch)
        assert len(kinds) >= 4


def roll(page: Page) -> None:
    page.locator(MOVE).filter(has_text="Roll").first.click()


def test_what_is_pressed_without_a_network_is_played_when_it_is_back(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        anna, _bert, table = for_two(page, server)
        before = len(anna.look(table)["log"])
        page.context.set_offline(True)
        expect(page.locator(LOST)).to_be_visible()
        expect(page.locator("#connection")).to_have_text(re.compile("no connection"))
        message = page.get_by_role("textbox", name="Message")
        message.fill("I am back soon")
        message.press("Enter")
        expect(page.locator("#unsent")).to_contain_text("could not be sent")
        message.press("Enter")  # the field is empty, so this sends nothing
        message.fill("Still there?")
        roll(page)
        expect(page.locator("#unsent")).to_contain_text("“Roll")
        expect(page.locator("#act [data-sent=lost]")).to_be_visible()
        assert len(anna.look(table)["log"]) == before
        page.context.set_offline(False)
        expect(page.locator("#unsent")).to_be_hidden()
        expect(page.locator(LIVE)).to_be_visible()
        rolled = [line for line in anna.look(table)["log"][before:] if "rolled" in line["text"]]
        assert len(rolled) == 1
        expect(page.locator("#log")).to_contain_text(rolled[0]["text"])
        assert [line["text"] for line in anna.look(table)["chat"]] == ["I am back soon"]
        expect(message).to_have_value("Still there?")


def roll_without_stream(page: Page) -> list[str]:
    """Reload the page with a fake clock, and roll. Return a list that gets all requests after the reload."""
    page.clock.install()
    reload(page)
    page.locator('#turn[data-mine="true"]').wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/act"):
        roll(page)
    return asked


@pytest.mark.deep
def test_a_page_whose_stream_is_only_slow_is_not_reloaded(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        for_two(page, server)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/stream*", hold)
        asked = roll_without_stream(page)
        page.clock.run_for(1_500)  # htmx gives the request up after 3 s
        held[0].continue_()
        expect(page.locator(LIVE)).to_be_visible()
        page.unroute("**/stream*", hold)  # a later stream is not held
        expect(page.locator("#log")).to_contain_text("rolled")
        # The page gives up its reload 4 s after the roll. On a clock that runs much longer ahead of the
        # network, the stream counts as lost and the next one is given up too.
        page.clock.run_for(3_000)
        page.evaluate("fetch('/health').then(() => null)")  # later than a reload that the page began
        assert page.url not in asked


@pytest.mark.deep
def test_a_page_without_a_stream_is_not_reloaded_under_an_open_menu(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        for_two(page, server)
        page.route("**/stream*", lambda route: route.abort())
        asked = roll_without_stream(page)
        menu = page.get_by_text("Resign", exact=True)
        menu.click()
        page.clock.run_for(10_000)
        page.evaluate("fetch('/health').then(() => null)")  # later than a reload that the page began
        assert page.url not in asked
        expect(page.get_by_role("button", name="Yes, resign")).to_be_visible()
        menu.click()
        with page.expect_navigation():
            page.clock.run_for(10_000)
        expect(page.locator("#log")).to_contain_text("rolled")
        page.get_by_text("Resign", exact=True).click()
        with page.expect_navigation():  # a press in the menu closes it
            page.get_by_role("button", name="Yes, resign").click()
            expect(page.get_by_role("button", name="Yes, resign")).to_be_hidden()
            page.clock.run_for(10_000)
        expect(page.locator("#result-title")).to_be_visible()


@pytest.mark.deep
def test_an_unsent_move_can_be_cancelled(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, _bert, table = for_two(page, server)
        ply = anna.look(table)["ply"]
        page.context.set_offline(True)
        expect(page.locator(LOST)).to_be_visible()
        roll(page)
        page.get_by_role("button", name="Don't send it").click()
        expect(page.locator("#unsent")).to_be_hidden()
        page.context.set_offline(False)
        expect(page.locator(LIVE)).to_be_visible()
        assert anna.look(table)["ply"] == ply


@pytest.mark.deep
def test_what_is_pressed_while_the_house_is_down_is_played_when_it_is_up(
    browser: Browser, tmp_path: Path
) -> None:
    with serve(tmp_path, bot_pause=0.05) as server, person(browser) as page:
        anna, _bert, table = for_two(page, server)
        server.stop()
        expect(page.locator(LOST)).to_be_visible()
        roll(page)
        expect(page.locator("#unsent")).to_be_visible()
        server.start()
        expect(page.locator("#unsent")).to_be_hidden()
        expect(page.locator("#log")).to_contain_text("rolled")
        assert sum("rolled" in line["text"] for line in anna.look(table)["log"]) == 1


@pytest.mark.deep
def test_a_move_that_is_sent_too_late_is_refused_with_a_sentence(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, _bert, table = for_two(page, server)
        page.context.set_offline(True)
        expect(page.locator(LOST)).to_be_visible()
        roll(page)
        expect(page.locator("#unsent")).to_be_visible()
        play(anna, table, "roll")  # in another window
        play(anna, table, moves_of(anna.look(table))[0])
        page.context.set_offline(False)
        expect(page.locator("#trouble")).to_contain_text("The game has gone on")
        expect(page.locator("#unsent")).to_be_hidden()


def test_a_slow_line_answers_at_once_and_stays_live(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        for_two(page, server)
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
        line.send("Network.emulateNetworkConditions", slow)
        page.evaluate(
            """() => new MutationObserver(([change]) => {
              window.states = [...(window.states ?? []), change.target.dataset.state];
            }).observe(document.getElementById("connection"), { attributes: true })"""
        )
        button = page.locator(MOVE).filter(has_text="Roll").first
        button.evaluate(
            "one => one.addEventListener('click', () => setTimeout(() => { window.sent = one.dataset.sent; }))"
        )
        button.click()
        assert page.evaluate("window.sent") == "yes", "it looks pressed before it is answered"
        expect(page.locator("#log")).to_contain_text("rolled")
        expect(page.locator("[data-sent]")).to_have_count(0)
        assert "lost" not in (page.evaluate("window.states") or [])


class BadLine(Cable):
    """A bad connection, as over the air: one piece of data in twenty arrives a second late, or ends the connection."""

    def __init__(self, port: int) -> None:
        self.chance = random.Random(5)
        self.losses = 0
        self.bad = False
        super().__init__(port)

    def carry(self, near: socket.socket, far: socket.socket) -> None:
        with near, far:
            try:
                while True:
                    for end in select.select([near, far], [], [])[0]:
                        data = end.recv(65536)
                        if not data:
                            return
                        if self.bad and self.chance.random() < 0.05:
                            self.losses += 1
                            time.sleep(1.0)
                            if self.chance.random() < 0.5:
                                return
                        (far if end is near else near).sendall(data)
            except (OSError, ValueError):
                return


@pytest.mark.deep
def test_on_a_line_that_loses_things_every_move_is_played_once(browser: Browser, server: Server) -> None:
    line = BadLine(server.port)
    with person(browser) as page:
        sit_down_with_bot(page, f"http://127.0.0.1:{line.port}")
        expect(page.locator(LIVE)).to_be_visible()
        line.bad = True  # a page whose scripts were lost is reloaded by hand
        for turn in range(12):
            asked = page.locator('#turn[data-mine="true"]')
            over = page.locator("#result-title")
            asked.or_(over).first.wait_for(state="visible")
            if over.count():
                break
            ply = page.locator('#board input[name="ply"]').input_value()
            moves = page.locator(MOVE)
            moves.first.wait_for(state="attached")
            moves.nth(turn * 5 % moves.count()).dispatch_event("click")
            expect(page.locator(f'#board input[name="ply"][value="{ply}"]')).to_have_count(0)
        expect(page.locator("#unsent")).to_be_hidden()
    assert line.losses
