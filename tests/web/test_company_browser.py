"""Two members in Chromium: friends by a link, a rated game by quick match, and its rating."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Server

pytestmark = pytest.mark.deep

PHONE = {"width": 390, "height": 844}
PASSWORD = "lantern mussel quarry tin"


def sign_up(page: Any, home: str, name: str) -> None:
    page.goto(f"{home}/member")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Become a member").last.click()
    page.wait_for_url("**/me/account?new=1")


def test_friends_find_a_rated_game(browser: Any, server: Server) -> None:
    from playwright.sync_api import expect

    home = server.url
    desk, phone = browser.new_context(), browser.new_context(viewport=PHONE)
    anna, ben = desk.new_page(), phone.new_page()
    sign_up(anna, home, "Anna")
    sign_up(ben, home, "Ben")

    anna.goto(f"{home}/people")
    anna.get_by_role("button", name="Make a link for a friend").click()
    ben.goto(anna.locator("#friend-link").input_value())
    ben.get_by_role("button", name="Be friends").click()
    expect(ben.get_by_text("You are friends now.")).to_be_visible()
    assert ben.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    second = desk.new_page()  # Anna has two tabs
    second.goto(f"{home}/people")
    for page in (anna, ben):
        page.goto(f"{home}/play")
        page.get_by_label("Rated: the result changes our ratings").check()
        page.get_by_role("button", name="Find players").click()
    assert ben.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for page in (anna, ben):
        page.wait_for_url("**/t/*")
    assert anna.url == ben.url
    second.get_by_role("link", name="To the table").click()
    second.wait_for_url(anna.url)
    second.close()
    expect(anna.locator("#head .players")).to_contain_text("Ben")

    anna.get_by_text("Resign", exact=True).click()
    anna.get_by_role("button", name="Yes, resign").click()
    expect(anna.locator("#result")).to_be_visible()
    anna.goto(f"{home}/me")
    expect(anna.locator(".rated")).to_contain_text("1 rated game")
    anna.goto(f"{home}/ratings/shanghaien?seats=2")
    expect(anna.get_by_text("2 more people have provisional ratings")).to_be_visible()
    desk.close()
    phone.close()
