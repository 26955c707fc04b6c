"""Members as browsers without scripts see them: signing up, logging in, devices, codes, leaving."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, update
from starlette.testclient import TestClient

from spelunke.house.store.now import Now
from spelunke.house.store.schema import moves
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .conftest import GAME, Guest, make_settings, statements_of_requests

PASSWORD = "lantern mussel quarry tin"
OTHER = "harbour velvet onion nine"


pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.fixture
def phone(client: TestClient) -> TestClient:
    """Return another browser at the same house."""
    return TestClient(client.app, follow_redirects=False)


class Later:
    """A function that moves the time of all houses forward."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._seconds = 0.0
        self._call = Now.__call__

    def __call__(self, seconds: float) -> None:
        self._seconds += seconds
        ahead, call = self._seconds, self._call
        self._patch.setattr(Now, "__call__", lambda now: call(now) + ahead)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


def open_table(client: TestClient) -> str:
    return str(client.post("/tables", data={"game": GAME, "quick": "link"}).headers["location"])


def become(client: TestClient, name: str = "Anna", **given: str) -> Any:
    return client.post("/member", data={"name": name, "password": PASSWORD, **given})


def sentence(page: Any) -> str:
    found = re.search(r'role="alert">([^<]*)<', page.text)
    assert found, page.text
    return found.group(1)


def link_of(page: Any) -> str:
    found = re.search(r'id="device-link" readonly value="http://testserver([^"]*)"', page.text)
    assert found, page.text
    return found.group(1)


def test_a_guest_becomes_a_member_by_one_form_and_keeps_name_and_games(
    client: TestClient, phone: TestClient
) -> None:
    table = open_table(client)
    client.post("/me", data={"name": "Anna"})
    old = client.cookies["guest"]
    assert 'value="Anna"' in client.get("/member").text
    answer = become(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/account?new=1")
    assert "guest" not in client.cookies
    page = client.get("/me").text
    assert "Anna" in page
    assert table in page
    # The earlier cookie is no longer valid, as a cookie or as a token.
    phone.cookies.set("guest", old)
    assert table not in phone.get("/me").text
    assert phone.get("/api/v1/me", headers={"authorization": f"Bearer {old}"}).status_code == 401
    phone.cookies.clear()
    answer = phone.post("/login", data={"name": "anna", "password": PASSWORD, "back": table})
    assert (answer.status_code, answer.headers["location"]) == (303, table)
    assert table in phone.get("/me").text
    assert open_table(phone).startswith("/t/")
    assert "guest" not in phone.cookies, "a member is handed no cookie that can't be ended"
    assert phone.post("/logout").status_code == 303
    assert table not in phone.get("/me").text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "password", "status", "said"),
    [
        ("Anna", "short", 400, "four unrelated words"),
        ("Anna", "password12345", 400, "easy to guess"),
        ("", PASSWORD, 400, "1 to 24"),
        ("BERT", PASSWORD, 409, "choose another name"),
    ],
)
def test_a_refused_registration_shows_the_reason_in_the_form(
    client: TestClient, phone: TestClient, name: str, password: str, status: int, said: str
) -> None:
    become(phone, "Bert")
    answer = client.post("/member", data={"name": name, "password": password})
    assert answer.status_code == status
    assert said in sentence(answer)
    assert password not in answer.text or len(password) < 2
    assert "device" not in client.cookies


def test_failed_logins_do_not_reveal_whether_a_name_exists(client: TestClient, phone: TestClient) -> None:
    become(phone)
    told = set()
    for name, password in (("Anna", OTHER), ("Nobody", OTHER), ("x" * 500, OTHER), ("Anna", "y" * 5000)):
        answer = client.post("/login", data={"name": name, "password": password})
        assert answer.status_code == 403
        told.add(sentence(answer))
    assert len(told) == 1
    assert client.post("/login", data={"name": "Anna"}).status_code == 400
    assert "device" not in client.cookies


def test_tries_are_counted(tmp_path: Path) -> None:
    with TestClient(
        create_app(make_settings(tmp_path, log_ins_per_hour=5)), follow_redirects=False
    ) as client:
        answers = [client.post("/login", data={"name": "Anna", "password": OTHER}) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 2
    assert "Wait an hour" in sentence(answers[-1])


def test_over_https_cookies_of_members_are_bound_to_this_host(client: TestClient) -> None:
    plain = become(client).headers.get_list("set-cookie")
    assert any(
        one.startswith("device=device.") and "HttpOnly" in one and "SameSite=lax" in one for one in plain
    )
    secure = client.post("https://testserver/login", data={"name": "Anna", "password": PASSWORD})
    (cookie,) = secure.headers.get_list("set-cookie")
    assert cookie.startswith("__Host-device=device.")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    guest = client.post("https://testserver/tables", data={"game": GAME, "quick": "link"})
    assert "set-cookie" not in guest.headers
    client.cookies.clear()
    guest = client.post("https://testserver/tables", data={"game": GAME, "quick": "link"})
    assert guest.headers["set-cookie"].startswith("__Host-guest=")


def test_a_device_gets_another_token_each_day(client: TestClient, later: Later) -> None:
    become(client)
    first = client.cookies["device"]
    assert "set-cookie" not in client.get("/me").headers
    later(25 * 3600)
    answer = client.get("/me")
    assert answer.headers["set-cookie"].startswith("device=device.")
    assert client.cookies["device"] != first
    assert "Anna" in client.get("/me").text
    later(600)
    second = client.cookies["device"]
    client.cookies.clear()
    client.cookies.set("device", first)
    assert "Anna" not in client.get("/me").text, "a copy of the old one"
    client.cookies.clear()
    client.cookies.set("device", second)
    assert "Anna" not in client.get("/me").text, "and so the device is ended for both"


def test_a_link_takes_a_guest_to_a_second_device_once(
    client: TestClient, phone: TestClient, later: Later
) -> None:
    assert client.post("/me/link").status_code == 401
    table = open_table(client)
    page = client.post("/me/link")
    assert "<svg" in page.text.split('class="qr"')[1][:300]
    link = link_of(page)
    looked = phone.get(link)
    assert "Log in as" in looked.text
    own = client.get(link).text
    assert "already logged in" in own
    assert "Log in as" not in own, "the page has no question for a device that is logged in"
    assert phone.get(link).status_code == 200, "who only looks uses nothing up"
    assert phone.post(link).headers["location"] == "/me"
    assert table in phone.get("/me").text
    assert "guest" not in phone.cookies
    for answer in (phone.post(link), phone.get(link), client.get("/link/nonsense")):
        assert answer.status_code == 410
        assert "new one" in sentence(answer)
    late = link_of(client.post("/me/link"))
    later(601)
    assert phone.post(late).status_code == 410
    listed = client.get("/me/account").text
    assert "identified only by a cookie, because you are a guest" in listed
    (device,) = re.findall(r"/me/devices/([0-9a-f]{32})/end", listed)
    assert client.post(f"/me/devices/{device}/end").status_code == 303
    assert table not in phone.get("/me").text
    assert client.post(f"/me/devices/{device}/end").status_code == 409
    assert table in client.get("/me").text


def test_sensitive_changes_require_a_recent_login(
    client: TestClient, phone: TestClient, later: Later
) -> None:
    become(client)
    phone.post("/login", data={"name": "Anna", "password": PASSWORD})
    later(16 * 60)
    for path in ("/me/password", "/me/recovery", "/me/leave"):
        answer = client.post(path, data={"password": OTHER, "sure": "yes"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/me/confirm")
    wrong = client.post("/me/confirm", data={"password": OTHER})
    assert wrong.status_code == 403
    assert "not your password" in sentence(wrong)
    assert client.post("/me/confirm", data={"password": PASSWORD}).headers["location"] == "/me/account"
    weak = client.post("/me/password", data={"password": "password12345"})
    assert weak.status_code == 400
    assert "easy to guess" in sentence(weak)
    done = client.post("/me/password", data={"password": OTHER})
    assert "logged out" in done.text
    assert "Anna" not in phone.get("/me").text
    assert "Anna" in client.get("/me").text
    assert phone.post("/login", data={"name": "Anna", "password": PASSWORD}).status_code == 403
    assert phone.post("/login", data={"name": "Anna", "password": OTHER}).status_code == 303
    assert client.post("/me/devices/others/end").status_code == 303
    assert "Anna" not in phone.get("/me").text


def test_recovery_codes_are_shown_once_and_log_in_once_each(client: TestClient, phone: TestClient) -> None:
    become(client)
    codes = re.findall(r"<code>([0-9A-Z-]{31})</code>", client.post("/me/recovery").text)
    assert len(codes) == 10
    assert codes[0] not in client.get("/me/account").text
    answer = phone.post("/recover", data={"code": codes[0].lower().replace("-", " ")})
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/account")
    assert "9 codes left" in phone.get("/me/account").text
    assert phone.post("/me/password", data={"password": OTHER}).status_code == 200
    for code in (codes[0], "0", "é", ""):
        again = phone.post("/recover", data={"code": code})
        assert again.status_code == 410
        assert sentence(again)


def test_a_member_can_export_all_data_and_delete_the_account(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    client.cookies.set("guest", anna.token)
    client.post(f"/t/{game_for_two}/chat", data={"text": "good wind"})
    anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"})
    assert become(client).status_code == 303
    answer = client.get("/me/export.json")
    assert answer.headers["content-disposition"].startswith("attachment")
    told = json.loads(answer.text)
    assert told["name"] == "Anna"
    assert told["member"]["has_password"]
    assert [line["text"] for line in told["chat"]] == ["good wind"]
    assert [record["table"] for record in told["records"]] == [game_for_two]
    assert told["left_out"] == {}
    for secret in ("argon2", client.cookies["device"], client.cookies["device"].split(".")[2], PASSWORD):
        assert secret not in answer.text
    assert client.post("/me/leave").status_code == 400
    assert client.post("/me/leave", data={"sure": "yes"}).headers["location"] == "/"
    assert "device" not in client.cookies
    page = client.get(f"/t/{game_for_two}/replay").text
    assert "somebody who left" in page
    assert "Anna" not in page
    for address in ("", "/replay"):
        page = client.get(f"/t/{game_for_two}{address}", headers={"accept-language": "de"}).text
        assert "jemand, der fort ist" in page
        assert "somebody who left" not in page
    client.cookies.set("guest", bert.token)
    assert "good wind" not in client.get(f"/t/{game_for_two}").text


def test_a_record_that_cannot_be_made_is_named_in_the_export(
    client: TestClient, settings: Settings, anna: Guest, game_for_two: str
) -> None:
    anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"})
    client.__exit__()  # end this server, because a file of SQLite belongs to one at a time
    engine = create_engine(settings.database)
    with engine.begin() as connection:
        connection.execute(update(moves).where(moves.c.table_id == game_for_two).values(at=moves.c.at + 1))
    engine.dispose()
    with TestClient(create_app(settings), follow_redirects=False) as other:
        other.cookies.set("guest", anna.token)
        told = json.loads(other.get("/me/export.json").text)
    assert told["records"] == []
    assert "was changed in the store" in told["left_out"][game_for_two]


def test_a_stranger_is_sent_to_the_login_page_or_refused(client: TestClient) -> None:
    assert client.get("/me/account").headers["location"].startswith("/login")
    assert client.get("/me/confirm").headers["location"].startswith("/login")
    for path in ("/me/export.json", "/me/leave"):
        assert client.get(path).status_code == 401
    for path in ("/me/password", "/me/recovery", "/me/link", "/me/leave", "/me/devices/others/end"):
        assert client.post(path, data={"password": OTHER}).status_code == 401
    guest = open_table(client)
    assert guest
    for path in ("/me/password", "/me/recovery"):
        assert client.post(path, data={"password": OTHER}).status_code == 403
    for back in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert "evil" not in client.get("/login", params={"back": back}).text


def test_secrets_stand_in_no_log(
    client: TestClient, phone: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    become(client)
    link = link_of(client.post("/me/link"))
    codes = re.findall(r"<code>([0-9A-Z-]{31})</code>", client.post("/me/recovery").text)
    phone.post("/login", data={"name": "Anna", "password": OTHER})
    phone.post("/recover", data={"code": codes[0]})
    phone.post("/recover", data={"code": codes[0]})
    phone.post(link)
    phone.post(link)
    out = "".join(capsys.readouterr())
    for secret in (PASSWORD, OTHER, link.rpartition("/")[2], codes[0], client.cookies["device"]):
        assert secret not in out


def test_the_host_decides_whether_guests_and_new_members_are_admitted(
    client: TestClient, phone: TestClient
) -> None:
    members = client.app.state.site.house.members  # type: ignore[attr-defined]
    assert client.get("/house").status_code == 401
    code = members.codes.make("host")
    assert "Become a host of this site" in client.get(f"/host/{code}").text
    answer = client.post(f"/host/{code}", data={"name": "Anna", "password": PASSWORD})
    assert answer.headers["location"] == "/house"
    assert phone.post(f"/host/{code}", data={"name": "Bert", "password": PASSWORD}).status_code == 410
    assert client.post("/house/doors", data={"guests": "ajar", "members": "open"}).status_code == 400
    closed = client.post("/house/doors", data={"guests": "closed", "members": "invited"})
    assert closed.status_code == 303
    for refused in (
        phone.post("/tables", data={"game": GAME, "quick": "bot"}),
        phone.post("/api/v1/guests", json={"name": "Bert"}),
        become(phone, "Bert"),
    ):
        assert refused.status_code == 403
    assert phone.get("/").status_code == 200
    assert "need an invitation" in phone.get("/member").text
    page = client.post("/house/invitations").text
    found = re.search(r'id="invitation-link" readonly value="http://testserver([^"]*)"', page)
    assert found
    assert "Become a member" in phone.get(found[1]).text
    assert phone.post(found[1], data={"name": "Bert", "password": PASSWORD}).status_code == 303
    assert phone.post("/tables", data={"game": GAME, "quick": "bot"}).status_code == 303
    assert phone.get("/house").status_code == 403
    assert phone.post("/house/doors", data={"guests": "open", "members": "open"}).status_code == 403
    house = client.app.state.site.house  # type: ignore[attr-defined]
    pages = {line.name: line.address for line in house.registry.people("members", "", 1)[0]}
    assert client.post(f"/house/people/{pages['Anna']}/host", data={"host": "no"}).status_code == 409
    assert client.post(f"/house/people/{pages['Bert']}/host", data={"host": "yes"}).status_code == 303
    assert phone.get("/house").status_code == 200


def test_a_member_becomes_host_by_one_press(client: TestClient) -> None:
    become(client)
    code = client.app.state.site.house.members.codes.make("host")  # type: ignore[attr-defined]
    assert "logged in as Anna" in client.get(f"/host/{code}").text
    assert client.post(f"/host/{code}").headers["location"] == "/house"
    assert "You are a host" in client.get("/me/account").text


def test_programs_of_members_have_tokens_of_their_own(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "open")
    answer = anna.post("/members", {"name": "Anna", "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    assert anna.get("/me").status_code == 401, "the guest's token ends with the guest"
    anna.token = answer.json()["token"]
    assert anna.get("/me").json() == {"name": "Anna", "token": None, "member": True, "letters": None}
    assert table in anna.get("/tables?list=mine").text
    wrong = client.post("/api/v1/me/devices", json={"name": "Anna", "password": OTHER})
    assert wrong.status_code == 403
    other = client.post("/api/v1/me/devices", json={"name": "Anna", "password": PASSWORD}).json()["token"]
    client.cookies.set("device", other)
    assert client.get("/api/v1/me").status_code == 401, "a program's token is no cookie"
    lines = anna.get("/me/devices").json()["devices"]
    assert [line["kind"] for line in lines] == ["program", "program"]
    (there,) = (line["id"] for line in lines if not line["current"])
    assert anna.post(f"/me/devices/{there}/end").status_code == 200
    assert anna.post(f"/me/devices/{there}/end").status_code == 409
    gone = client.get("/api/v1/me", headers={"authorization": f"Bearer {other}"})
    assert gone.status_code == 401


def test_a_member_costs_the_store_no_more_than_a_guest(client: TestClient, phone: TestClient) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]

    def count(browser: TestClient, path: str) -> int:
        browser.get(path)
        with statements_of_requests(house) as asked:
            assert browser.get(path).status_code == 200
        return len(asked)

    table = open_table(client)
    become(phone)
    assert open_table(phone)
    for path in ("/", table, "/me"):
        assert count(phone, path) <= count(client, path), path
    stranger = client.cookies["guest"]
    house.people.forget()
    with statements_of_requests(house) as asked:
        assert client.get("/api/v1/me", headers={"authorization": f"Bearer {stranger}"}).status_code == 200
    assert len(asked) == 2, "one query for the person, and one for the letters of cards"


def test_a_browser_stays_one_device_after_repeated_logins(client: TestClient, phone: TestClient) -> None:
    become(client)
    first = client.cookies["device"]
    client.post("/login", data={"name": "Anna", "password": PASSWORD})
    assert client.get("/me/account").text.count("/me/devices/") == 1
    become(phone, "Bert")
    bert = phone.cookies["device"]
    link = link_of(client.post("/me/link"))
    assert "logged in as Bert on this device. If you continue, Bert is logged out" in phone.get(link).text
    phone.post(link)
    for old in (first, bert):
        stranger = TestClient(client.app, follow_redirects=False)
        stranger.cookies.set("device", old)
        assert stranger.get("/me/account").headers["location"].startswith("/login")


def test_other_devices_of_a_member_show_a_new_login(client: TestClient, phone: TestClient) -> None:
    become(client)
    agent = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}
    phone.post("/login", data={"name": "Anna", "password": PASSWORD}, headers=agent)
    for path in ("/me", "/me/account"):
        page = client.get(path).text
        assert "A new device logged in" in page
        assert "Firefox, Linux" in page
        assert "It was me" in page
    assert "It was me" not in phone.get("/me").text
    answer = client.post("/me/changes", data={"back": "/me"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
    assert "It was me" not in client.get("/me").text
    assert "A new device logged in" in client.get("/me/account").text, "what changed stays to be read"
    assert TestClient(client.app).post("/me/changes", data={"back": "/me"}).status_code == 401


def test_a_password_is_judged_while_it_is_typed_and_kept_nowhere(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    def judged(password: str, name: str = "Anna") -> Any:
        answer = client.post("/password/grade", data={"password": password, "name": name})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        return answer.json()

    assert judged(PASSWORD)["good"] is True
    assert judged("Anna Anna Anna")["good"] is False
    assert judged("x7#Kq") == {"grade": 1, "good": False, "said": "too short"}
    assert judged("")["good"] is False
    assert judged("x" * 60_000)["good"] is False
    assert client.get("/password/grade").status_code == 405
    assert PASSWORD not in "".join(capsys.readouterr())
    for _ in range(70):
        last = client.post("/password/grade", data={"password": ""})
    assert last.status_code == 429


def test_a_host_by_password_alone_is_asked_for_a_passkey(client: TestClient) -> None:
    code = client.app.state.site.house.members.codes.make("host")  # type: ignore[attr-defined]
    client.post(f"/host/{code}", data={"name": "Anna", "password": PASSWORD})
    assert "Add a passkey" not in client.get("/house").text, "over plain http there are none"
    secure = TestClient(client.app, base_url="https://house.example", follow_redirects=False)
    secure.post("/login", data={"name": "Anna", "password": PASSWORD})
    assert "A host should have a passkey" in secure.get("/house").text


def guess(browser: TestClient, name: str, times: int) -> list[int]:
    return [browser.post("/login", data={"name": name, "password": OTHER}).status_code for _ in range(times)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u2060", "\u3164", "\ufe0f", " " * 99, "\u200b" * 120])
def test_guesses_count_for_the_normalized_name(client: TestClient, phone: TestClient, sign: str) -> None:
    become(client, "Alice")
    assert set(guess(phone, "Alice", 20)) == {403}
    assert set(guess(phone, f"{sign}Alice", 10)) == {403}
    assert guess(phone, f"{sign}alice", 1) == guess(phone, "ALICE", 1) == [429]
    program = {"name": f"{sign[:9]}Alice", "password": OTHER}
    assert phone.post("/api/v1/me/devices", json=program).status_code == 429


def test_guesses_with_invalid_names_lock_nobody_out(client: TestClient, phone: TestClient) -> None:
    become(client, "Alice")
    guess(phone, "\u200b", 31)
    guess(phone, "x" * 300, 31)
    assert guess(phone, "Alice", 1) == [403]
    assert phone.post("/login", data={"name": "Alice", "password": PASSWORD}).status_code == 303


def test_guesses_of_strangers_do_not_lock_a_member_out(client: TestClient, phone: TestClient) -> None:
    become(client, "Alice")
    assert guess(phone, "Alice", 31)[-1] == 429
    answer = client.post("/me/confirm", data={"password": PASSWORD})
    assert (answer.status_code, answer.headers.get("location")) == (303, "/me/account")


def test_all_devices_of_a_member_share_one_limit_of_guesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spelunke.web.limits.DEVICES_PER_HOUR", 3)
    wrong = {"password": OTHER}
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=False) as first:
        become(first, "Alice")
        second = TestClient(first.app, follow_redirects=False)
        second.post("/login", data={"name": "Alice", "password": PASSWORD})
        browsers = (first, second, first, second)
        found = [browser.post("/me/confirm", data=wrong).status_code for browser in browsers]
    assert found == [403, 403, 403, 429]


def test_guesses_on_an_own_device_are_counted_too(client: TestClient) -> None:
    become(client, "Alice")
    found = [client.post("/me/confirm", data={"password": OTHER}).status_code for _ in range(31)]
    assert found == [403] * 30 + [429]
