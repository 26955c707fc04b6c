"""The contract tray of Sanghai in a browser: melds are set aside, taken back and laid, by pointer and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from playwright.sync_api import expect

from .conftest import Guest, Server
from .test_browser import NARROW, WIDE, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAID = "lay 2s 2h 2d | 8s 8s 8d"
"""The contract that the guided game lets its learner lay."""


def to_the_contract(server: Server, page: Page, move: str = LAID) -> None:
    """Follow the guided game until its next move is ``move``, by default the contract. Open its table in ``page``."""
    learner = Guest(httpx2.Client(base_url=server.url, timeout=60))
    table = learner.post("/lessons", {"game": "sanghai"}).json()["table"]

    def told(look: dict[str, Any]) -> bool:
        return bool(look["lesson"] and look["lesson"]["text"])

    while (look := learner.wait(table, told))["lesson"]["move"] != move:
        if look["lesson"]["move"] is None:
            read = {"way": "read", "ply": look["ply"], "key": f"read-on-{look['ply']}"}
            answer = learner.post(f"/tables/{table}/lesson", read)
        else:
            answer = learner.play(table, look["lesson"]["move"], look["ply"])
        assert answer.status_code == 200, answer.text
    page.context.add_cookies([{"name": "guest", "value": learner.token, "url": server.url}])
    page.goto(f"{server.url}/t/{table}")
    expect(page.locator('#connection[data-state="live"]')).to_be_visible()


NEXT_ROUND = """() => {
    document.querySelector(".sg-hand").dataset.draft = "next";
    document.dispatchEvent(new Event("htmx:after:swap"));
}"""
"""Let the page believe that the server has dealt the next round, with the same cards."""


@pytest.mark.deep
def test_picks_end_with_their_round(browser: Browser, server: Server) -> None:
    with person(browser, NARROW) as page:
        to_the_contract(server, page)
        picked = page.locator(".sg-hand :checked")
        page.locator('.sg-hand [data-card="8s.1"] label').click()
        page.evaluate("document.dispatchEvent(new Event('htmx:after:swap'))")
        expect(picked, "it is the same round").to_have_count(1)
        page.evaluate(NEXT_ROUND)
        expect(picked).to_have_count(0)


@pytest.mark.deep
@pytest.mark.parametrize(("hand", "size"), [("pointer", NARROW), ("keys", WIDE)])
def test_melds_are_set_aside_taken_back_and_laid(
    browser: Browser, server: Server, hand: str, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        to_the_contract(server, page)

        def press(selector: str) -> None:
            one = page.locator(selector)
            if hand == "pointer":
                one.click()
            else:
                one.focus()
                page.keyboard.press("Space")

        def pick(*keys: str) -> None:
            for key in keys:
                inside = f'.sg-hand [data-card="{key}"] '
                press(inside + ("label" if hand == "pointer" else "input"))
                expect(page.locator(f"{inside}input")).to_be_checked()

        aside = page.locator(".sg-card.aside")
        pick("8s.1", "8s.2", "8d.1")
        press("text=Put aside as a meld")
        expect(aside).to_have_count(3)
        expect(page.locator(".sg-picked")).to_contain_text("1. Set 8♠ 8♠ 8♦")
        press('text="take back"')
        expect(aside).to_have_count(0)
        for keys in (("2s.1", "2h.1", "2d.1"), ("8s.1", "8s.2", "8d.1")):
            pick(*keys)
            press("text=Put aside as a meld")
            expect(page.locator(f'.sg-card.aside[data-card="{keys[0]}"]')).to_have_count(1)
        expect(aside).to_have_count(6)
        expect(page.locator(".sg-hand :checked")).to_have_count(0)
        page.reload()
        expect(aside, "a new page has them too").to_have_count(6)
        press("text=Lay these melds")
        expect(page.locator(".sg-meld")).to_have_count(4)
        expect(page.locator("#trouble")).to_be_empty()


@pytest.mark.deep
def test_enter_plays_the_chosen_cards(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        to_the_contract(server, page)

        def choose(offer: str, *keys: str) -> None:
            for key in keys:
                page.locator(f'.sg-hand [data-card="{key}"] input').focus()
                page.keyboard.press("Space")
            expect(page.locator("[data-key=enter]:visible", has_text=offer)).to_be_visible()

        choose("Lay these cards", "2s.1", "2h.1", "2d.1", "8s.1", "8s.2", "8d.1")
        opener = page.locator(".sg-display summary")
        opener.focus()
        place = opener.bounding_box()
        page.keyboard.press("Enter")
        expect(page.locator(".sg-display"), "Enter does what it does there").to_have_attribute("open", "")
        assert opener.bounding_box() == place
        for name in ("four colours", "show the best discards"):
            expect(page.get_by_label(name), "it opens where it is seen").to_be_in_viewport(ratio=1)
        page.locator('.sg-hand [data-card="8d.1"] input').focus()
        page.keyboard.press("Enter")
        expect(page.locator(".sg-meld")).to_have_count(4)
        for key, meld in (("qh.1", 2), ("jh.1", 1)):
            choose("Add to meld", key)
            if meld == 1:
                page.locator(".sg-meld[id$='-m1'] .sg-cards > li").last.click()
            else:
                page.keyboard.press("Enter")
            expect(page.locator(f".sg-meld[id$='-m{meld}'] .sg-cards > li")).to_have_count(4)
        choose("Discard", "10h.1")
        page.keyboard.press("Escape")
        expect(page.locator(".sg-hand :checked")).to_have_count(0)
        choose("Discard", "10h.1")
        page.keyboard.press("Enter")
        expect(page.locator('.sg-hand [data-card="10h.1"]')).to_have_count(0)
