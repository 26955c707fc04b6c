"""The summary of a round on the page: it hides the board, can be closed and reopened, and works without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from spelunke.games import shelf

from .conftest import Guest, Server, ready_to_move
from .test_browser import NARROW, WIDE, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def end_round(anna: Guest, table: str) -> None:
    """Play by the API until a round has ended."""
    for _ in range(200):
        look = anna.wait(table, lambda look: ready_to_move(look) or "dismiss_summary" in look["may"])
        if "dismiss_summary" in look["may"]:
            return
        moves = [move["text"] for move in look["legal"]]
        anna.play(table, "shanghai" if "shanghai" in moves else moves[0], look["ply"])
    raise AssertionError("no round ended")


def test_a_summary_is_shown_and_dismissed_without_scripts(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:deckhand")
    anna.start(table)
    client.cookies.set("guest", anna.token)
    assert '<section id="summary"' not in client.get(f"/t/{table}").text
    assert client.post(f"/t/{table}/recall").status_code == 409
    end_round(anna, table)
    page = client.get(f"/t/{table}").text
    assert '<section id="summary"' in page
    assert "Tavern 1 is over" in page
    prompt = '<p id="turn"[^>]*><span>Read the result, then go on.'
    assert re.search(prompt, page), "the board is hidden, so the next player doesn't matter"
    to_move = r'<li class="seat seat-\d to-move'
    assert not re.search(to_move, page)
    assert client.post(f"/t/{table}/dismiss-summary").status_code == 303
    page = client.get(f"/t/{table}").text
    assert not re.search(prompt, page)
    assert re.search(to_move, page)
    assert '<section id="summary"' not in page
    assert f'action="/t/{table}/recall"' in page
    assert client.post(f"/t/{table}/recall").status_code == 303
    assert '<section id="summary"' in client.get(f"/t/{table}").text
    client.cookies.clear()
    assert client.post(f"/t/{table}/dismiss-summary").status_code == 401
    assert f'href="/t/{table}?round=last"' in client.get(f"/t/{table}").text
    watching = client.get(f"/t/{table}?round=last").text
    assert "Tavern 1 is over" in watching
    assert "/dismiss-summary" not in watching
    assert '<section id="summary"' not in client.get(f"/t/{table}").text


def sit(page: Page, server: Server) -> tuple[Guest, str]:
    """Open a table against a bot in this page. Return the guest who uses the page, and the table."""
    anna = Guest(Api(page, server.url))
    table = anna.table("me", "bot:deckhand")
    anna.start(table)
    page.context.add_cookies([{"name": "guest", "value": anna.token, "url": server.url}])
    page.goto(f"{server.url}/t/{table}")
    expect(page.locator('#connection[data-state="live"]')).to_be_visible()
    return anna, table


class Api:
    """A client of the API that sends its requests from a browser's context."""

    def __init__(self, page: Page, url: str) -> None:
        self.request, self.url = page.context.request, url

    def get(self, path: str, headers: dict[str, str]) -> Any:
        return Answer(self.request.get(self.url + path, headers=headers, max_retries=2))

    def post(self, path: str, headers: dict[str, str] | None = None, json: Any = None) -> Any:
        return Answer(self.request.post(self.url + path, headers=headers or {}, data=json))


class Answer:
    """An answer to a browser's request, with the attributes that answers of the test client have."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.status_code = answer.status
        self.text = answer.text()

    def json(self) -> Any:
        return self.answer.json()


FIRST_FRAME = """() => {
    const summary = document.getElementById("summary");
    summary.style.animation = "none";
    summary.getBoundingClientRect();
    summary.style.animation = "";
    const [moving] = summary.getAnimations();
    moving.pause();
    moving.currentTime = 0;
    const seen = getComputedStyle(summary).opacity;
    moving.finish();
    return seen;
}"""
"""The opacity of the summary in the first frame of its animation."""


@pytest.mark.deep
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_summary_hides_the_board_until_the_player_goes_on(
    browser: Browser, server: Server, axe: str, size: tuple[int, int]
) -> None:
    with person(browser, size, stays=True, reduced_motion="reduce") as page:
        anna, table = sit(page, server)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        end_round(anna, table)
        title = page.locator("#summary-title")
        expect(title).to_have_text(re.compile("is over"))
        expect(title).to_be_focused()
        expect(title, "it was above the part that the person read").to_be_in_viewport()
        expect(page.locator("#board")).to_be_hidden()
        assert page.evaluate(FIRST_FRAME) == "1", "the board is hidden, so that the page would be blank"
        card, told, place = (
            page.locator(f".sh-shares > li:first-child{one}").bounding_box()
            for one in (" .card", " .sh-verdict", "")
        )
        assert card
        assert told
        assert place
        if size == WIDE:
            middles = [box["x"] + box["width"] / 2 for box in (card, place)]
            assert middles[0] == pytest.approx(middles[1], abs=2), "the card is in the middle"
        else:
            assert told["y"] < card["y"] + card["height"], "the verdict is beside the card"
        before = anna.look(table)["ply"]
        for line in page.locator(".summary-points .num").all_text_contents():
            was, sign, more, now = re.fullmatch(r"(\d+) ([+−]) (\d+) = (\d+)", line).groups()  # type: ignore[union-attr]
            assert int(was) + (int(more) if sign == "+" else -int(more)) == int(now)
        page.evaluate(axe)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert not [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found]
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.locator("#summary").get_by_role("button", name="How the points are counted").click()
        expect(page.locator(".sh-over:popover-open")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".sh-over:popover-open")).to_have_count(0)
        page.keyboard.press("Enter")
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator("#summary-on")).to_have_count(0)
        anna.wait(table, lambda look: bool(look["legal"]) or look["ply"] > before)
        page.get_by_role("button", name="Last result").click()
        expect(title).to_be_visible()
        if size == WIDE:
            page.locator("#coach > summary").click()
            expect(page.locator("#coach-purpose")).to_be_visible()
            expect(page.locator('#coach form[action$="/hint"]'), "no decision is in view").to_be_hidden()
        page.keyboard.press("Escape")
        expect(page.locator("#board")).to_be_visible()


@pytest.mark.deep
def test_a_device_may_wish_to_play_on_at_once(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, table = sit(page, server)
        end_round(anna, table)
        anna.wait(table, lambda look: "recall" in look["may"])
        expect(page.locator("#board")).to_be_visible()


@pytest.mark.deep
def test_after_the_last_round_the_result_comes_first(browser: Browser, server: Server) -> None:
    with person(browser, NARROW, stays=True, reduced_motion="reduce") as page:
        anna, table = sit(page, server)
        for _ in range(8):
            end_round(anna, table)
            if page.locator("#result-title").count() or anna.look(table)["status"] == "over":
                break
            page.locator("#summary-on").click()
            expect(page.locator("#summary-on")).to_have_count(0)
        result = page.locator("#result-title")
        expect(result).to_be_focused()
        expect(result).to_be_in_viewport()
        expect(page.locator("#summary-title")).to_be_attached()


@pytest.mark.parametrize(("game", "boxes"), [("halunken", "hk-who"), ("sanghai", "sg-count-head")])
def test_totals_come_in_the_order_of_the_boxes(
    client: TestClient, anna: Guest, game: str, boxes: str
) -> None:
    bot = f"bot:{next(iter(shelf()[game].levels))}"
    table = anna.table(bot, "me", bot, game=game)
    anna.start(table)
    end_round(anna, table)
    client.cookies.set("guest", anna.token)
    page = client.get(f"/t/{table}").text
    summary = page[page.index('<section id="summary"') :].split("</section>")[0]
    names = anna.look(table)["names"]
    order = [name.replace(names[1], "You") for name in (*names[1:], names[0])]
    totals = re.findall('class="summary-name">([^<]*)', summary)
    assert totals == order
    drawn = re.findall(f'class="{boxes}">(?:<b>)?([^<]*)', summary)
    assert [name.replace(names[1], "You") for name in drawn[:3]] == order
