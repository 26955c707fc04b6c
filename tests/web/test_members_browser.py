"""Two people on three devices, in real browsers: guests become members, add a phone, log in by a code, and leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Server

pytestmark = pytest.mark.deep

PASSWORD = "lantern mussel quarry tin"


def test_a_guest_becomes_a_member_adds_a_phone_and_leaves(browser: Any, server: Server) -> None:
    from playwright.sync_api import expect

    home = server.url
    desk, phone, friend = (browser.new_context(viewport=size) for size in (None, PHONE, None))
    anna, small, bert = desk.new_page(), phone.new_page(), friend.new_page()

    # Anna plays as a guest; Bert sits down by her link.
    anna.goto(home)
    anna.get_by_role("button", name="Invite a friend").first.click()
    anna.wait_for_url("**/t/*")
    table = anna.url
    bert.goto(anna.locator("#invite-link").input_value())
    bert.get_by_label("Your name").fill("Bert")
    bert.get_by_role("button", name="Sit down and play").click()
    bert.wait_for_url(table)

    # By one press she becomes a member, with her name and her table.
    anna.goto(f"{home}/member")
    anna.get_by_label("Name").fill("Anna")
    anna.get_by_role("button", name="Show").click()
    anna.get_by_label("Password", exact=True).fill(PASSWORD)
    anna.get_by_role("button", name="Become a member").last.click()
    anna.wait_for_url("**/me/account?new=1")
    expect(bert.locator("#head .players")).to_contain_text("Anna")
    anna.get_by_role("button", name="Make new codes").click()
    code = anna.locator(".recovery-codes code").first.inner_text()
    expect(anna.get_by_role("button", name="Print")).to_be_visible()
    anna.get_by_role("link", name="I have saved them").click()

    # The phone follows the link, sees the table, and loses it when its device is revoked.
    anna.get_by_role("button", name="Use another device too").click()
    link = anna.locator("#device-link").input_value()
    small.goto(link)
    small.get_by_role("button", name="Log in on this device").click()
    small.wait_for_url("**/me")
    small.goto(table)
    expect(small.locator("#head .players")).to_contain_text("Anna")
    assert small.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small.goto(link)
    expect(small.get_by_text("no longer valid")).to_be_visible()
    anna.goto(f"{home}/me/account")
    anna.get_by_role("button", name="Log out all other devices").click()
    small.goto(f"{home}/me/account")
    expect(small.get_by_role("heading", name="Log in")).to_be_visible()

    # The password is forgotten; the printed code logs her in, and a new one is set there.
    small.get_by_role("link", name="I have a recovery code").click()
    small.get_by_label("Recovery code").fill(code)
    small.get_by_role("button", name="Log in").click()
    small.wait_for_url("**/me/account")
    small.get_by_text("Change the password").click()
    small.get_by_label("New password").fill("harbour velvet onion nine")
    small.get_by_role("button", name="Save", exact=True).click()
    expect(small.get_by_text("All other devices were logged out")).to_be_visible()
    anna.goto(f"{home}/me/account")
    expect(anna.get_by_role("heading", name="Log in")).to_be_visible()

    # She downloads her data, and leaves; Bert's page says so.
    with small.expect_download() as saved:
        small.get_by_role("link", name="Save all my data as a file").click()
    told = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert told["name"] == "Anna"
    assert [line["id"] for line in told["tables"]] == [table.rpartition("/")[2]]
    small.get_by_role("link", name="Delete my account").click()
    small.get_by_label("I am sure").check()
    small.get_by_role("button", name="Leave for good").click()
    small.wait_for_url(f"{home}/")
    expect(bert.locator("#head .players")).not_to_contain_text("Anna")
    for context in (desk, phone, friend):
        context.close()


PHONE = {"width": 390, "height": 844}
