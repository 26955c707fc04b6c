"""The bell, its list, the settings for notifications, and the links in e-mails all work without scripts.

Each refusal is one sentence.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.house.house import House
from spelunke.house.notifications.channels import new_confirmation
from spelunke.house.store.writer import Write
from spelunke.web.app import create_app
from spelunke.web.settings import BadSetting, Settings, read_settings

from .conftest import Guest, make_settings

PASSWORD = "lantern mussel quarry tin"
DAYS = {"kind": "days", "days": 3}


pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(
        tmp_path,
        base_url="http://testserver",
        mail_server="127.0.0.1:1",
        mail_security="none",
        mail_from="house@example.org",
        webhooks="127.0.0.1 hooks.example",
    )


@pytest.fixture
def member(client: TestClient) -> TestClient:
    answer = client.post("/member", data={"name": "Anna", "password": PASSWORD})
    assert answer.status_code == 303
    return client


def house_of(client: TestClient) -> House:
    house: House = client.app.state.site.house  # type: ignore[attr-defined]
    return house


def alert(answer: Any) -> str:
    found = re.search(r'role="alert">([^<]+)<', answer.text)
    return found[1].replace("&#39;", "'") if found else re.sub(r"<[^>]+>", " ", answer.text)


def bell(page: str) -> str:
    found = re.search(r'class="bell".*?</svg>(?:<b>(\S+)</b>)?', page, re.DOTALL)
    assert found is not None
    return found[1] or ""


def test_the_bell_counts_until_the_table_was_seen(client: TestClient) -> None:
    anna = Guest(client)
    as_anna = anna.headers
    tables = []
    for _ in range(2):
        table = anna.table("me", "open", clock=DAYS)
        ben = Guest(client, "Ben")
        ben.post(f"/tables/{table}/join", {})
        anna.post(f"/tables/{table}/start")
        tables.append(table)
    asked = [one for one in tables if 0 in anna.look(one)["actors"]]
    assert asked, "with these deals she begins at one of them"
    assert bell(client.get("/", headers=as_anna).text) == str(len(asked))
    inside = client.get("/me/notifications/bell", headers=as_anna)
    assert f"<b>{len(asked)}</b>" in inside.text
    assert "<header" not in inside.text
    assert inside.headers["cache-control"] == "no-store"
    page = client.get("/me/notifications", headers=as_anna).text
    assert page.count("It is your turn: Shanghaien with Ben") == len(asked)
    for one in asked:
        assert f'href="/t/{one}"' in page
        client.get(f"/t/{one}", headers=as_anna)
    assert bell(client.get("/", headers=as_anna).text) == ""
    assert "<b>" not in client.get("/me/notifications/bell", headers=as_anna).text
    assert client.get("/me/notifications/bell").status_code == 204, "a stranger received nothing"


def test_pages_run_no_query_for_a_person_without_notifications(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'class="bell"' not in client.get("/").text, "a stranger received nothing"
    anna = Guest(client)
    client.get("/", headers=anna.headers)
    asked: list[str] = []
    inbox = house_of(client).notifications.inbox
    monkeypatch.setattr(inbox, "unread", lambda person: asked.append(person) or 0)
    for path in ("/", "/me", "/new/shanghaien"):
        client.get(path, headers=anna.headers)
    assert asked == []


def test_pages_stay_small(member: TestClient) -> None:
    assert len(member.get("/").content) < 70_000
    table = member.post("/tables", data={"game": "shanghaien", "quick": "link"}).headers["location"]
    # The first page has the style sheets within it; test_sheets.py holds them.
    page = re.sub(rb"<style.*?</style>", b"", member.get(table).content, flags=re.DOTALL)
    assert len(page) < 90_000


def test_all_is_read_by_one_press(client: TestClient) -> None:
    anna, ben = Guest(client), Guest(client, "Ben")
    table = anna.table("me", "open")
    ben.post(f"/tables/{table}/join", {})
    anna.post(f"/tables/{table}/start")
    anna.post(f"/tables/{table}/resign", {"key": "k" * 8})
    anna.post(f"/tables/{table}/rematch")
    page = client.get("/me/notifications", headers=ben.headers).text
    assert "Anna offers you a rematch: Shanghaien" in page
    answer = client.post("/me/notifications/read", headers=ben.headers)
    assert answer.headers["location"] == "/me/notifications"
    assert bell(client.get("/", headers=ben.headers).text) == ""


def test_strangers_must_log_in_to_see_notifications(client: TestClient) -> None:
    for path in ("/me/notifications", "/me/notifications/choices"):
        assert client.get(path).headers["location"] == f"/login?back={path}"
    for path in (
        "/me/notifications/read",
        "/me/notifications/choices",
        "/me/channels",
        "/me/channels/x/remove",
    ):
        assert client.post(path).status_code == 401


def test_the_chosen_notifications_and_quiet_hours_are_stored(member: TestClient) -> None:
    add_hook(member)
    page = "/me/notifications/choices"
    form = {
        "ways": "ntfy",
        "turn:ntfy": "on",
        "quiet": "on",
        "from": "22:15",
        "to": "7:00",
        "zone": "Europe/Vienna",
    }
    assert member.post(page, data=form).headers["location"] == page
    text = member.get(page).text
    assert re.search(r'name="turn:ntfy"[^>]* checked', text)
    assert not re.search(r'name="ended:ntfy"[^>]* checked', text)
    assert 'value="22:15"' in text
    assert "<option selected>Europe/Vienna</option>" in text
    answer = member.post(page, data={**form, "zone": "Mars/Base"})
    assert (answer.status_code, "such as Europe/Vienna" in alert(answer)) == (400, True)
    answer = member.post(page, data={**form, "from": "soon"})
    assert (answer.status_code, "look like 22:30" in alert(answer)) == (400, True)


def add_hook(member: TestClient, address: str = "https://127.0.0.1/topic", way: str = "ntfy") -> Any:
    site = member.app.state.site  # type: ignore[attr-defined]
    sender = site.house.notifications.channels._sender
    sender.check = lambda place: None
    return member.post("/me/channels", data={"way": way, "address": address})


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("way", "address", "status", "told"),
    [
        ("webhook", "https://127.0.0.1/", 400, "not on the public internet"),
        ("webhook", "https://10.0.0.1/", 403, "may not send notifications to 10.0.0.1"),
        ("webhook", "ftp://hooks.example/", 400, "begins with https://"),
        ("ntfy", "", 400, "begins with https://"),
        ("service", "tgram://token/chat", 403, "allows no services of this kind"),
        ("pigeon", "https://hooks.example/", 400, "Choose “webhook”, “ntfy” or “service”"),
        ("mail", "anna", 400, "look like anna@example.org"),
    ],
)
def test_invalid_channels_are_refused(
    member: TestClient, way: str, address: str, status: int, told: str
) -> None:
    answer = member.post("/me/channels", data={"way": way, "address": address})
    assert (answer.status_code, told in alert(answer)) == (status, True), alert(answer)


def test_only_members_with_a_recent_login_can_add_an_address(
    member: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = Guest(TestClient(member.app))
    answer = guest.client.post(
        "/me/channels", data={"way": "mail", "address": "x@example.org"}, headers=guest.headers
    )
    assert answer.status_code == 403
    from spelunke.house.people import devices

    monkeypatch.setattr(devices, "PROVEN_MS", -1)
    answer = member.post("/me/channels", data={"way": "mail", "address": "x@example.org"})
    assert answer.headers["location"] == "/me/confirm"


def test_a_channel_is_removed(member: TestClient) -> None:
    assert add_hook(member).status_code == 303
    page = member.get("/me/notifications/choices").text
    assert "By ntfy · 127.0.0.1" in page
    action = re.search(r'action="(/me/channels/\w+/remove)"', page)
    assert action is not None
    assert member.post(action[1]).status_code == 303
    answer = member.post(action[1])
    assert (answer.status_code, "no such way to receive notifications" in answer.text) == (409, True)


def test_an_address_waits_for_its_letter(member: TestClient) -> None:
    assert member.post("/me/channels", data={"way": "mail", "address": "anna@example.org"}).status_code == 303
    page = member.get("/me/notifications/choices").text
    assert "By e-mail · anna@example.org" in page
    assert "Open the link in the e-mail that we sent" in page
    assert "Send another e-mail" in page


def test_a_host_invites_a_member_by_name(member: TestClient) -> None:
    ben = TestClient(member.app, follow_redirects=False)
    ben.post("/member", data={"name": "Ben", "password": PASSWORD})
    table = member.post("/tables", data={"game": "shanghaien", "quick": "link"}).headers["location"]
    assert f'action="{table}/tell"' in member.get(table).text
    answer = member.post(f"{table}/tell", data={"name": "Nobody"})
    assert (answer.status_code, "check the name, or send the table" in answer.text) == (409, True)
    answer = member.post(f"{table}/tell", data={"name": "Ben"})
    assert (answer.status_code, "Ben was notified" in answer.text) == (200, True)
    page = ben.get("/me/notifications").text
    link = re.search(r'href="(/j/[^"]+)"', page)
    assert link is not None
    assert "Anna invites you to a table: Shanghaien" in page
    assert bell(page) == "1"
    assert ben.post(link[1], data={}).headers["location"] == table
    assert bell(ben.get("/").text) == ""


def test_invalid_links_from_e_mails_are_refused(client: TestClient) -> None:
    for path in ("/mail/stop/abc", "/back/abc", "/back/" + "0" * 26):
        for ask in (client.get, client.post):
            assert ask(path).status_code == 410
    answer = client.post("/mail/confirm/abc/" + "0" * 26)
    assert (answer.status_code, "ask for a new one" in answer.text) == (410, True)


def test_a_mail_program_stops_it_by_one_press(member: TestClient) -> None:
    house = house_of(member)
    member.post("/me/channels", data={"way": "mail", "address": "anna@example.org"})
    with house.store.read() as connection:
        stop = connection.exec_driver_sql("select stop from channels").scalar()
    stranger = TestClient(member.app)
    assert "Stop them" in stranger.get(f"/mail/stop/{stop}").text
    answer = stranger.post(f"/mail/stop/{stop}", data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "switched off with the unsubscribe link" in member.get("/me/notifications/choices").text
    assert stranger.post(f"/mail/stop/{stop}").status_code == 200


def test_account_recovery_does_not_reveal_whether_an_address_is_known(member: TestClient) -> None:
    assert "The e-mail address that you confirmed" in member.get("/recover").text
    told = {
        member.post("/recover/mail", data={"address": address}).text
        for address in ("anna@example.org", "stranger@example.org")
    }
    assert len(told) == 1
    answer = member.post("/recover/mail", data={"address": "anna"})
    assert (answer.status_code, "look like anna@example.org" in alert(answer)) == (400, True)


def test_a_house_without_mail_offers_no_e_mail_channel(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=False) as client:
        assert "/recover/mail" not in client.get("/recover").text
        assert client.post("/recover/mail", data={"address": "x@example.org"}).status_code == 403
        client.post("/member", data={"name": "Anna", "password": PASSWORD})
        page = client.get("/me/notifications/choices").text
        assert 'name="address"' not in page
        assert 'data-push="' in page


def test_the_service_worker_is_served_from_the_root(client: TestClient) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert '"push"' in answer.text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"webhooks": "*"}, "SPELUNKE_BASE_URL must be"),
        (
            {"mail_server": "mail.example.org", "base_url": "https://x.example"},
            "SPELUNKE_MAIL_FROM is missing",
        ),
        (
            {"mail_server": "mail.example.org:x", "base_url": "https://x.example", "mail_from": "a@b.org"},
            "SPELUNKE_MAIL_SERVER can't be",
        ),
        ({"mail_security": "perhaps"}, "choose one of starttls, tls, none"),
        ({"push_key": "abc"}, "64 hexadecimal digits"),
        ({"reachable": "10.0.0.0/99"}, "SPELUNKE_REACHABLE can't be"),
        ({"services": "nosuch", "base_url": "https://x.example"}, "has no service"),
        ({"services": "json", "base_url": "https://x.example"}, "users could choose the server"),
        ({"services": "ntfy", "base_url": "https://x.example"}, "users could choose the server"),
        ({"services": "syslog", "base_url": "https://x.example"}, "users could choose the server"),
    ],
)
def test_invalid_settings_are_refused(tmp_path: Path, given: dict[str, str], told: str) -> None:
    environ = {f"SPELUNKE_{name.upper()}": value for name, value in given.items()}
    with pytest.raises(BadSetting, match=re.escape(told)):
        read_settings(environ, database=f"sqlite:///{tmp_path / 'house.sqlite3'}")


def test_push_services_receive_a_contact_address_of_the_host(tmp_path: Path) -> None:
    def contact(**given: str) -> str:
        return make_settings(tmp_path, **given).outside.contact

    assert contact(contact="host@example.org") == "mailto:host@example.org"
    assert contact(mail_from="The house <house@example.org>") == "mailto:house@example.org"
    assert contact(base_url="https://house.example") == "https://house.example"


@pytest.mark.parametrize("way", ["password", "others"])
def test_after_ending_other_devices_the_page_asks_whether_to_keep_the_address(
    member: TestClient, way: str
) -> None:
    house = house_of(member)
    store = house.notifications.channels._store
    visit = house.devices.find(member.cookies["device"])
    assert visit is not None
    channel = house.notifications.channels.add_mail(visit.person, "anna@example.org", "en")
    code = store.writer.write(Write(call=lambda to: new_confirmation(to, visit.person, channel, store.now())))
    assert member.post(f"/mail/confirm/{channel}/{code}").status_code == 200
    assert "do you want to keep it" not in member.get("/me/account").text
    if way == "password":
        page = member.post("/me/password", data={"password": "harbour velvet onion nine"})
    else:
        page = member.get(member.post("/me/devices/others/end").headers["location"])
    assert page.status_code == 200
    asked = page.text.partition("do you want to keep it")[2].partition("</section>")[0]
    assert "anna@example.org" in asked
    remove = re.search(r'action="(/me/channels/\w+/remove)"', asked)
    assert remove is not None
    assert member.post(remove[1]).status_code == 303
    assert house.notifications.channels.of(visit.person) == ()
