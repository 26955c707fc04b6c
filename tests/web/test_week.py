"""A week of two people on three devices, in real browsers, with a moved clock: from the first visit to leaving."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from outposts import Browser as Subscription
from outposts import Post, Receiver, text_of
from servers import free_port
from spelunke.house.store.schema import channels
from waiting import wait_until

from .conftest import GAME, Server, make_settings
from .test_members_pages import PASSWORD, Later
from .test_notifications_browser import SUBSCRIBE
from .test_passkeys import AUTHENTICATOR

pytestmark = pytest.mark.deep

HOUR, DAY = 3_600, 86_400
TURN = "It is your turn: Shanghaien with Bert"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


@pytest.fixture
def post() -> Iterator[Post]:
    made = Post()
    yield made
    made.close()


@pytest.fixture
def pushes() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def server(tmp_path: Path, post: Post) -> Iterator[Server]:
    """Yield a house that sends e-mails and push messages to this machine."""
    port = free_port()
    settings = make_settings(
        tmp_path,
        base_url=f"http://localhost:{port}",
        mail_server=f"127.0.0.1:{post.port}",
        mail_security="none",
        mail_from="house@example.org",
        reachable="127.0.0.1",
    )
    server = Server(settings, port)
    yield server
    server.stop()


class Week:
    """The three devices of two people, and their actions at one table."""

    def __init__(self, browser: Any, home: str) -> None:
        self.home = home
        self.contexts = [
            browser.new_context(viewport=size, service_workers="allow") for size in (None, PHONE, None)
        ]
        for context in self.contexts:
            context.set_default_timeout(60_000)
        self.desk, self.phone, self.friend = (context.new_page() for context in self.contexts)
        self.table = ""
        self.played = 0

    def look(self, page: Any) -> dict[str, Any]:
        answer = page.request.get(f"{self.home}/api/v1/tables/{self.table}")
        found: dict[str, Any] = answer.json()
        return found

    def play(self, page: Any) -> bool:
        """Take the first choice, if there is one; return whether there was."""
        look = self.look(page)
        if not look["legal"]:
            return False
        self.played += 1
        move = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": f"week-{self.played:06d}"}
        answer = page.request.post(f"{self.home}/api/v1/tables/{self.table}/act", data=move)
        assert answer.ok, answer.text()
        return True

    def turns(self, anna: Any, rounds: int) -> None:
        """Let both people play ``rounds`` moves, each at their turn."""
        for _ in range(rounds):
            assert self.play(anna) or self.play(self.friend)


def token_of(page: Any) -> str:
    """Return the token of the page's device, which is in its cookie."""
    return next(str(one["value"]) for one in page.context.cookies() if one["name"] == "device")


def link_in(letter: Any, begins: str) -> str:
    """Return the path of the first link in an e-mail whose path begins with ``begins``."""
    found = re.search(rf"http://localhost:\d+({begins}\S+)", text_of(letter))
    assert found, text_of(letter)
    return found[1]


def test_a_guest_becomes_a_member_and_plays_for_a_week(
    browser: Any, server: Server, later: Later, post: Post, pushes: Receiver
) -> None:
    from playwright.sync_api import expect

    home = server.settings.base_url
    week = Week(browser, home)
    desk, phone, friend = week.desk, week.phone, week.friend

    # Monday. Anna is a guest, invites a friend to a game over days, and becomes a member by a passkey.
    plan = {"game": GAME, "seat.0": "me", "seat.1": "link", "clock": "days", "days": "3"}
    desk.goto(home)
    made = desk.request.post(f"{home}/tables", form=plan)
    week.table = made.url.rpartition("/")[2]
    desk.goto(f"{home}/t/{week.table}")
    friend.goto(desk.locator("#invite-link").input_value())
    friend.get_by_label("Your name").fill("Bert")
    friend.get_by_role("button", name="Sit down and play").click()
    friend.wait_for_url(f"**/t/{week.table}")
    expect(friend.locator("#turn")).to_contain_text("turn", timeout=60_000)
    line = desk.context.new_cdp_session(desk)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    desk.goto(f"{home}/member")
    desk.get_by_label("Name").fill("Anna")
    desk.get_by_role("button", name="Become a member with a passkey").click()
    desk.wait_for_url("**/me/account?new=1")
    desk.get_by_role("button", name="Make new codes").click()
    code = desk.locator(".recovery-codes code").first.inner_text()

    # She wants notifications on that device, and by mail.
    subscription = Subscription()
    script = SUBSCRIBE.replace("https://push.example/abc", f"{pushes.url}/desk")
    desk.add_init_script((script % subscription.p256dh).replace("AAAAAAAAAAAAAAAAAAAAAA", subscription.auth))
    desk.goto(f"{home}/me/notifications/choices")
    desk.get_by_role("button", name="Notify me on this device").click()
    expect(desk.get_by_text("On my devices · ")).to_be_visible()
    desk.get_by_label("E-mail address").fill("anna@example.org")
    desk.get_by_role("button", name="Notify me by e-mail").click()
    desk.goto(home + link_in(wait_until(lambda: post.letters[-1:])[0], "/mail/confirm/"))
    desk.get_by_role("button", name="Yes").click()
    expect(desk.get_by_role("heading", name="Your address is confirmed")).to_be_visible()
    desk.goto(f"{home}/me")
    week.turns(desk, 4)

    # Tuesday and Wednesday. A push and an e-mail notify her of her turn; her token is exchanged, and she finds the
    # table that waits for her.
    for _ in range(2):
        token = token_of(desk)
        pushes.got.clear()
        post.letters.clear()
        later(DAY + 60)
        if 0 in week.look(friend)["actors"]:
            assert week.play(desk)
        while 0 not in week.look(friend)["actors"]:
            assert week.play(friend)
        later(HOUR)
        server.house.notifications.wake()
        pushed = wait_until(lambda: pushes.got)
        assert subscription.read(pushed[0].body)["title"] == TURN
        assert subscription.read(pushed[0].body)["url"] == f"/t/{week.table}"
        letter = wait_until(lambda: [one for one in post.letters if one["subject"] == TURN])[0]
        assert link_in(letter, "/t/") == f"/t/{week.table}"
        desk.goto(f"{home}/me")
        expect(desk.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
        desk.goto(f"{home}/me/next")
        desk.wait_for_url(f"**/t/{week.table}")
        assert token_of(desk) != token
        week.turns(desk, 3)

    # Thursday. A new phone follows a link, and the desk gets a notification about this.
    later(DAY)
    desk.goto(f"{home}/me/account")
    desk.get_by_role("button", name="Use another device too").click()
    phone.goto(desk.locator("#device-link").input_value())
    phone.get_by_role("button", name="Log in on this device").click()
    phone.wait_for_url("**/me")
    phone.goto(f"{home}/t/{week.table}")
    expect(phone.locator("#head .players")).to_contain_text("Anna")
    week.turns(phone, 3)

    # Friday. The desk is lost: on the phone a recovery code lets her set a password and revoke the desk.
    later(DAY)
    phone.goto(f"{home}/recover")
    phone.get_by_label("Recovery code").fill(code)
    phone.get_by_role("button", name="Log in").click()
    phone.wait_for_url("**/me/account")
    desk.goto(f"{home}/me")
    expect(desk.get_by_text("A recovery code was used")).to_be_visible()
    phone.get_by_text("Set a password").click()
    field = phone.get_by_label("New password")
    field.press_sequentially("password")
    expect(phone.locator("[data-strength] [role=status]")).to_have_text("too short")
    field.fill(PASSWORD)
    expect(phone.locator("[data-strength] [role=status]")).to_have_text("very good")
    phone.get_by_role("button", name="Save", exact=True).click()
    expect(phone.get_by_text("All other devices were logged out")).to_be_visible()
    desk.goto(f"{home}/me/account")
    expect(desk.get_by_role("heading", name="Log in")).to_be_visible()

    # Saturday. The game ends; her page is visible for the friend, who has played with her, and for nobody else.
    later(DAY)
    friend.request.post(f"{home}/api/v1/tables/{week.table}/resign", data={"key": "week-is-over"})
    friend.goto(f"{home}/me")
    friend.get_by_role("link", name="Anna", exact=True).click()
    expect(friend.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
    assert desk.request.get(friend.url).status == 404
    expect(phone.locator("body")).to_be_visible()

    # Sunday. She downloads her data, and leaves; the game stays.
    later(DAY)
    phone.goto(f"{home}/me/account")
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Save all my data as a file").click()
    told = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert [one["what"] for one in told["key_changes"]][-2:] == ["recovery", "password"]
    assert len(told["records"]) == 1
    phone.goto(f"{home}/me/confirm?back=/me/leave")
    phone.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.get_by_role("button", name="It is me").click()
    phone.wait_for_url("**/me/leave")
    phone.get_by_label("I am sure").check()
    phone.get_by_role("button", name="Leave for good").click()
    phone.wait_for_url(f"{home}/")
    with server.house.store.read() as connection:
        assert not connection.execute(select(channels)).all(), "nobody is notified there any more"
    assert friend.reload().status == 404, "nobody's page any more"
    friend.goto(f"{home}/t/{week.table}/replay")
    expect(friend.locator("body")).to_contain_text("somebody who left")
    for context in week.contexts:
        context.close()
