"""The page of a table shows who is present, and the options if somebody is absent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from spelunke.house.plan import Clock

from .conftest import Guest, Server
from .test_browser import SIZES, invite, person
from .test_comforts import for_two
from .test_live import Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LIVE = '#connection[data-state="live"]'


@pytest.fixture
def end_grace(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that ends the grace (the time for an absent player to return) of every table at once."""

    def end() -> None:
        monkeypatch.setattr(Clock, "grace_ms", property(lambda _clock: 0))

    return end


def two_at_a_table(browser_page: Page, friend: Page, server: Server) -> tuple[Page, Page]:
    """Return two pages at a running table of friends: the one that waits, and the one that may act."""
    browser_page.goto(server.url)
    invite(browser_page)
    friend.goto(browser_page.locator("#invite-link").input_value())
    friend.get_by_label("Your name").fill("Bert")
    friend.get_by_role("button", name="Sit down and play").click()
    pages = (browser_page, friend)
    for page in pages:
        expect(page.locator("#head .to-move")).to_have_count(1)
        expect(page.locator(LIVE)).to_be_visible()
        expect(page.locator('.presence[data-state="here"]')).to_have_count(2)
    first = browser_page.locator('#turn[data-mine="true"]').count() > 0
    return (friend, browser_page) if first else (browser_page, friend)


@pytest.mark.deep
@pytest.mark.parametrize("size", SIZES)
def test_an_absent_player_is_nudged_replaced_by_a_bot_and_returns(
    browser: Browser, server: Server, size: tuple[int, int], end_grace: Callable[[], None]
) -> None:
    with person(browser, size) as anna, person(browser, size) as bert:
        waits, asked = two_at_a_table(anna, bert, server)
        address = asked.url
        asked.goto("about:blank")
        expect(waits.locator('.presence[data-state="offline"]')).to_be_visible()
        expect(waits.locator("#news")).to_contain_text(
            re.compile("has been offline since .* In .* you can go on without")
        )
        waits.get_by_role("button", name="Nudge").click()
        expect(waits.locator("#news")).to_contain_text("They were nudged at")
        asked.goto(address)
        expect(asked.locator("#news")).to_contain_text("nudges you")
        expect(waits.locator("#news")).to_be_empty()
        # A page that closes before its stream is open counts as one without scripts, whose reader stays a while.
        expect(asked.locator(LIVE)).to_be_visible()
        asked.goto("about:blank")
        end_grace()
        bot = waits.get_by_role("button", name="Let a bot play for them")
        expect(bot).to_be_in_viewport()
        bot.click()
        expect(waits.locator("#head")).to_contain_text("a bot plays instead")
        asked.goto(address)
        back = asked.get_by_role("button", name="Take over from the bot")
        expect(back).to_be_in_viewport()
        back.click()
        expect(back).to_have_count(0)
        expect(waits.locator("#head")).not_to_contain_text("a bot plays instead")


@pytest.mark.deep
def test_a_hidden_page_is_away_and_hears_of_the_nudge(browser: Browser, server: Server) -> None:
    with person(browser) as anna, person(browser) as bert:
        waits, asked = two_at_a_table(anna, bert, server)
        hide = """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
        asked.evaluate(hide, True)
        expect(waits.locator('.presence[data-state="away"]')).to_be_visible()
        asked.evaluate(hide, False)
        expect(waits.locator('.presence[data-state="here"]')).to_have_count(2)


@pytest.mark.deep
def test_a_draw_can_be_declined_in_the_notice_that_offers_it(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        _anna, bert, table = for_two(page, server)
        assert bert.post(f"/tables/{table}/draw", {"answer": "offer"}).status_code == 200
        news = page.locator('#news[role="status"]')
        expect(news).to_contain_text("Bert offers a draw.")
        news.get_by_role("button", name="Decline").click()
        expect(news).to_be_empty()


def test_the_title_tells_who_sat_down(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        page.goto(server.url)
        invite(page)
        expect(page.locator(LIVE)).to_be_visible()
        link = page.locator("#invite-link").input_value()
        table, word = link.rsplit("/", 2)[1:]
        web = Web(server)
        bert = Guest(web, "Bert")
        assert bert.post(f"/tables/{table}/join", {"invite": word}).status_code == 200
        expect(page).to_have_title(re.compile("– Bert · "))
        web.http.close()


@pytest.mark.deep
def test_an_invitation_says_where_it_works(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        page.goto(server.url)
        invite(page)
        expect(page.locator("#here-only")).to_contain_text("only works on this computer")
        how = page.locator("#here-only code").first
        expect(how).to_be_hidden()
        page.get_by_text("For the operator of this server").click()
        expect(how).to_have_text("make play HOST=0.0.0.0")


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_press_on_the_theme_changes_what_is_seen(browser: Browser, server: Server, scheme: str) -> None:
    with person(browser, color_scheme=scheme) as page:
        page.goto(server.url)
        look = "getComputedStyle(document.body).color"
        for _ in range(3):
            before = page.evaluate(look)
            page.locator(".theme-switch:visible").click()
            page.wait_for_load_state()
            assert page.evaluate(look) != before


@pytest.mark.deep
def test_an_open_table_is_joined_by_one_press(browser: Browser, server: Server) -> None:
    web = Web(server)
    table = Guest(web, "Zora").table("me", "open")
    with person(browser) as page:
        page.goto(server.url)
        page.locator(".list-item", has_text="Zora").get_by_role("button", name="Sit down").click()
        page.wait_for_url(f"**/t/{table}")
        expect(page.locator("#head .badge.you")).to_be_visible()
    web.http.close()
