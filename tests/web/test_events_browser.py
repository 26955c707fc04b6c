"""Tournaments in Chromium: two people and bots play an event of each kind to its standings."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from playwright.sync_api import expect

from .conftest import Server
from .test_browser import NARROW, WIDE, person
from .test_calls import ASK, PRESS, heed
from .test_company_browser import sign_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.deep(minutes=4)

TOGETHER_S = 900
"""The longest time of an event."""
SEATS = {"shanghaien": ("2", "2"), "halunken": ("2", "3"), "sanghai": ("3", "3")}
"""By game: the seats of a table of the Swiss event, and of the duplicate event."""
ROUNDS = {"shanghaien": 2, "halunken": 1, "sanghai": 1}
KINDS = ["swiss", "duplicate"]


def make_event(host: Page, home: str, game: str, duplicate: bool) -> str:
    """Make an event by the form, and return its address."""
    seats = SEATS[game][duplicate]
    host.goto(f"{home}/events/new")
    host.get_by_label("Name").fill("Harbour cup")
    host.get_by_label("Game", exact=True).select_option(f"{game} {seats}")
    # Over days, a table goes on as soon as all have answered; live, each discard of Sanghai waits for its time.
    host.get_by_label("Pace").select_option("days" if game == "sanghai" else "live")
    host.get_by_label("Rounds", exact=True).fill(str(ROUNDS[game]))
    if duplicate:
        host.get_by_label("Duplicate: all tables").check()
        host.get_by_label("Rank players by").select_option("points")
    host.get_by_role("button", name="Make the tournament").click()
    host.wait_for_url("**/events/*")
    return host.url


def fill_with_bots(host: Page, bots: int) -> None:
    for _ in range(bots):
        host.get_by_label("Add a bot").select_option(index=1)
        host.get_by_role("button", name="Add", exact=True).click()
        host.wait_for_load_state()


def choose(asked: dict[str, Any], rng: random.Random, game: str) -> str | None:
    if game == "sanghai":
        return heed(asked, rng)
    return rng.choice(asked["moves"]) if asked["moves"] else None


def press_one(page: Page, rng: random.Random, game: str) -> bool:
    """Press one button of a table's page if its person is to act. Return whether something was pressed."""
    asked = page.evaluate(ASK)
    move = choose(asked, rng, game) if asked["mine"] else None
    if move is None or not page.evaluate(PRESS, [asked["ply"], move, 0]):
        return False
    stale = page.locator(f'#board input[name="ply"][value="{asked["ply"]}"]')
    expect(stale, f"{move}: {page.locator('#trouble').inner_text()}").to_have_count(0, timeout=120_000)
    return True


def play_tables(pages: list[Page], event: str, game: str) -> int:
    """Let each person play the tables to which the event's page leads, until the event is over.

    Return the number of moves for which a button was pressed.
    """
    rng = random.Random(26)
    presses = 0
    until = time.monotonic() + TOGETHER_S
    while time.monotonic() < until:
        over = 0
        for page in pages:
            if "/t/" in page.url:
                if page.locator("#result-title").count():
                    page.get_by_role("link", name="Harbour cup").first.click()
                    page.wait_for_url("**/events/*")
                else:
                    presses += press_one(page, rng, game)
            elif page.locator("header .badge", has_text="over").count():
                over += 1
            elif page.get_by_role("link", name="To my table").count():
                page.get_by_role("link", name="To my table").click()
                page.wait_for_url("**/t/*")
                expect(page.locator('#connection[data-state="live"]')).to_be_visible()
            else:
                page.wait_for_timeout(500)
                page.goto(event)
        if over == len(pages):
            return presses
        pages[0].wait_for_timeout(10)
    raise AssertionError("the event did not end")


def shown_standings(page: Page) -> list[list[str]]:
    rows = page.locator(".event-table tbody tr")
    return [
        [cell.strip() for cell in rows.nth(n).locator("td, th").all_text_contents()]
        for n in range(rows.count())
    ]


def number(value: float, digits: int, sign: str = "") -> str:
    shown = round(value, digits)
    return f"{shown:{sign}g}".replace("-", "\N{MINUS SIGN}") if shown else "0"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", list(SEATS))
def test_two_people_and_bots_play_an_event(browser: Browser, server: Server, game: str, kind: str) -> None:
    duplicate = kind == "duplicate"
    seats = int(SEATS[game][duplicate])
    with person(browser, WIDE) as anna, person(browser, NARROW) as ben:
        sign_up(anna, server.url, f"Anna of {game[:4]} {kind}")
        event = make_event(anna, server.url, game, duplicate)
        ben.goto(event)
        ben.get_by_role("button", name="Enter").click()
        expect(ben.locator("tr.you")).to_have_count(1)
        anna.goto(event)
        fill_with_bots(anna, 2 * seats - 2)
        expect(anna.locator(".event-table tbody tr")).to_have_count(2 * seats)
        anna.get_by_role("button", name="Start now").click()
        for page in (anna, ben):  # Ben's page updates without a reload
            expect(page.get_by_role("link", name="To my table")).to_be_visible()
        assert play_tables([anna, ben], event, game) > 10
        results = httpx2.get(f"{event}/results.json").json()
        assert (results["status"], results["round"]) == ("over", ROUNDS[game])
        assert all(min(one["places"]) == 1 for one in results["tables"])
        wanted = [
            [
                str(line["rank"]),
                line["name"],
                number(line["points"], 2),
                number(line["buchholz"], 2),
                number(line["sonneborn_berger"], 2),
                number(line["lead"], 1, "+"),
            ]
            for line in results["standings"]
        ]
        for page in (anna, ben):
            page.goto(event)
            assert [
                [row[0], row[1].split(" bot")[0].strip(), *row[2:]] for row in shown_standings(page)
            ] == wanted
            expect(page.locator("tr.you")).to_have_count(1)
            assert page.viewport_size is not None
            assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        if duplicate:
            assert len(results["seed"]) == 64
            expect(anna.get_by_text(results["seed"])).to_be_visible()
