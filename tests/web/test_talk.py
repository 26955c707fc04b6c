"""Chat on a phone: a new message is shown at once, counted, and can be read in a sheet over the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
import pytest
from playwright.sync_api import expect

from .conftest import Guest, Server
from .test_browser import person, reload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = (390, 844)
SAY = """text => fetch(`${location.pathname}/chat`, {
  method: "POST",
  headers: { "HX-Request": "true" },
  body: new URLSearchParams({ text }),
})"""
"""Send a message without the page's form, whose keys are all the same in these browsers."""


def _sit_together(anna: Page, ben: Page, server: Server) -> None:
    anna.goto(server.url)
    anna.locator('.game-card:has(input[value="shanghaien"]) button[value="link"]').click()
    link = anna.locator("#invite-link").input_value()
    ben.goto(server.url + link[link.index("/j/") :])
    ben.get_by_role("button", name="Sit down and play").click()
    for page in (anna, ben):
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        expect(page.locator("#board .shanghaien")).to_be_visible()


@pytest.mark.deep
def test_a_message_is_seen_on_a_phone(browser: Browser, server: Server) -> None:
    with person(browser) as anna, person(browser, PHONE) as ben:
        _sit_together(anna, ben, server)
        expect(ben.locator("#chat-unread")).to_be_hidden()
        field = anna.get_by_role("textbox", name="Message")
        field.fill("are you there?")
        field.press("Enter")
        expect(ben.locator("#chat-unread")).to_have_text("1")
        expect(ben.locator("#chat-said")).to_contain_text("are you there?")
        expect(ben.locator("#chat-said")).to_be_in_viewport()
        opener = ben.get_by_role("button", name="Talk: unread 1")
        expect(opener).to_be_in_viewport()
        opener.click()
        expect(ben.locator("#chat")).to_be_in_viewport()
        expect(ben.locator("#chat-lines")).to_contain_text("are you there?")
        expect(ben.get_by_role("textbox", name="Message")).to_be_focused()
        expect(ben.locator("#chat-unread")).to_be_hidden()
        expect(ben.locator("#chat-said")).to_be_hidden()
        ben.keyboard.type("aye")
        ben.keyboard.press("Enter")
        expect(ben.locator("#chat-lines .own")).to_have_count(1)
        ben.keyboard.press("Escape")
        expect(ben.locator("#chat")).not_to_have_class("panel chat sheet")
        expect(ben.locator("#chat-open")).to_be_focused()
        expect(ben.locator("#chat-unread")).to_be_hidden()
        # Messages that were read stay read when the page is opened again.
        reload(ben)
        expect(ben.locator('#connection[data-state="live"]')).to_be_visible()
        expect(ben.locator("#chat-unread")).to_be_hidden()
        # If the chat is beside the board, there is no button to open it.
        expect(anna.locator("#chat-open")).to_be_hidden()
        expect(anna.locator("#chat-said")).to_be_hidden()
        # A spectator who has read the messages of other spectators still notices those of the players.
        ben.context.clear_cookies()
        reload(ben)
        expect(ben.locator('#connection[data-state="live"]')).to_be_visible()
        ben.locator("#chat-open").press("Space")
        cleo = Guest(httpx2.Client(base_url=server.url, timeout=120), "Cleo")
        cleo.post(f"/tables/{ben.url.rpartition('/')[2]}/chat", {"text": "who will win?"})
        expect(ben.locator("#chat-lines")).to_contain_text("who will win?")
        ben.keyboard.press("Escape")
        anna.evaluate(SAY, "your roll")
        expect(ben.locator("#chat-unread")).to_have_text("1")
        expect(ben.locator("#chat-said")).to_contain_text("your roll")


@pytest.mark.deep
def test_among_bots_the_talk_button_comes_with_the_first_message(browser: Browser, server: Server) -> None:
    with person(browser, PHONE) as page:
        page.goto(server.url)
        page.get_by_role("button", name="Play now").click()
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        opener = page.locator("#chat-open")
        expect(opener).to_be_hidden()
        page.locator("#chat input[name=text]").fill("Ahoy!")
        page.locator("#chat input[name=text]").press("Enter")
        expect(opener).to_be_visible()
