"""A passkey in a real browser, with the browser's own virtual authenticator; and invalid answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.web.site import Site

from .conftest import Server

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""A passkey of the device itself, as Chromium simulates one."""


def test_a_guest_becomes_a_member_by_a_passkey_and_comes_back_by_it(page: Any, server: Server) -> None:
    from playwright.sync_api import expect

    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    key = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]
    home = server.url.replace("127.0.0.1", "localhost")  # a passkey is bound to a name, never to a number
    page.goto(f"{home}/member")
    page.get_by_label("Name").fill("Anna")
    page.get_by_role("button", name="Become a member with a passkey").click()
    page.wait_for_url("**/me/account?new=1")
    expect(page.get_by_text("Welcome, Anna")).to_be_visible()
    assert len(cdp.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]) == 1

    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{home}/")
    page.goto(f"{home}/login")
    with page.expect_request("**/passkeys/log-in") as sent:
        page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url("**/me")
    # As with keys that don't count their signatures: then only the challenge decides.
    with server.house.store.engine.begin() as connection:
        connection.exec_driver_sql("update passkeys set sign_count = 0")
    again = page.request.post(f"{home}/passkeys/log-in", data=sent.value.post_data_json)
    assert again.status == 410, "what a key has signed counts once"
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()

    # All her ways to log in stay until there is another one.
    page.goto(f"{home}/me/account")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("This is your last passkey")).to_be_visible()
    page.goto(f"{home}/me/confirm")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/me/account")

    # An unknown passkey is refused with a sentence.
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{home}/")
    with server.house.store.engine.begin() as connection:
        connection.exec_driver_sql("delete from passkeys")
    page.goto(f"{home}/login")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("This passkey is not known")).to_be_visible()


def test_a_taken_name_is_refused_before_a_passkey_is_created(client: TestClient) -> None:
    given = {"name": "Anna", "password": "lantern mussel quarry tin"}
    assert client.post("/api/v1/members", json=given).status_code == 201
    answer = client.post("/passkeys/options", json={"name": "ANNA"}, headers=AT_HOME)
    assert answer.status_code == 409
    assert "choose another name" in answer.json()["message"]
    assert (
        client.post("/passkeys/options", json={"name": "Bert"}, headers=AT_HOME).json()["user"]["name"]
        == "Bert"
    )


AT_HOME = {"host": "localhost", "accept": "application/json"}
B64 = "eyJjaGFsbGVuZ2UiOiAiQUFBQSJ9"  # {"challenge": "AAAA"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "key",
    [
        None,
        [],
        "x",
        {},
        {"response": {}},
        {"rawId": "AAAA", "response": {"clientDataJSON": "%%%"}},
        {"rawId": 7, "response": {"clientDataJSON": B64}},
        {"rawId": "AAAA", "response": {"clientDataJSON": B64}},
        {
            "id": "AAAA",
            "rawId": "AAAA",
            "type": "public-key",
            "response": {
                "clientDataJSON": B64,
                "attestationObject": "o2Nm",
                "authenticatorData": "",
                "signature": "",
            },
        },
    ],
)
def test_what_is_no_passkey_is_refused_in_a_sentence(client: TestClient, key: Any) -> None:
    for path in ("/passkeys/log-in", "/passkeys/member"):
        answer = client.post(path, json={"key": key, "name": "Anna"}, headers=AT_HOME)
        assert answer.status_code == 403, answer.text
        assert re.search("can't be read|is not known", answer.json()["message"])
    assert "set-cookie" not in answer.headers


def test_passkeys_need_a_host_name_and_a_secure_connection(client: TestClient) -> None:
    for host in ("127.0.0.1", "house.example", "[::1]"):
        answer = client.post("/passkeys/log-in/options", headers={**AT_HOME, "host": host})
        assert answer.status_code == 409, host
    answer = client.post("/passkeys/log-in/options", headers=AT_HOME)
    assert json.loads(answer.text)["rpId"] == "localhost"
    secure = client.post("https://testserver/passkeys/log-in/options", headers={"accept": "application/json"})
    assert secure.json()["rpId"] == "testserver"
    assert "data-passkey" not in client.get("/login").text
    assert "data-passkey" in client.get("/login", headers={"host": "localhost"}).text


SHOWN = """
navigator.credentials.get = async () => Object.assign(
  Object.create(PublicKeyCredential.prototype), { toJSON: () => ({}) });
"""


@pytest.mark.parametrize(
    "place", ["//elsewhere.example/", "/\\t/elsewhere.example/", "https://elsewhere.example/"]
)
def test_no_answer_leads_the_script_out_of_the_house(page: Any, server: Server, place: str) -> None:
    home = server.url.replace("127.0.0.1", "localhost")
    page.add_init_script(SHOWN)
    page.route("**/passkeys/log-in/options", lambda route: route.fulfill(json={"challenge": "AAAA"}))
    page.route("**/passkeys/log-in", lambda route: route.fulfill(json={"to": place}))
    page.route("**elsewhere.example/**", lambda route: route.fulfill(body="elsewhere"))
    page.goto(f"{home}/login")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url(lambda url: not url.endswith("/login"))
    assert page.url.startswith(home)


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("quick_passwords")
@pytest.mark.parametrize("back", ["/\t/elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example/"])
@pytest.mark.parametrize("path", ["/passkeys/log-in", "/me/confirm/passkey"])
def test_no_login_by_passkey_redirects_to_another_site(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, back: str
) -> None:
    """After a passkey is used, no answer leads to another site. The test skips the check of the passkey."""
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    members = site.house.members
    given = {"name": "Anna", "password": "lantern mussel quarry tin"}
    client.post("/member", data=given, headers={"host": "localhost"})
    token = members.log_in(given["name"], given["password"], label="Test")
    monkeypatch.setattr(members.passkeys, "read_log_in", lambda place, key: None)
    monkeypatch.setattr(members, "log_in_by_key", lambda shown, label: token)
    monkeypatch.setattr(members, "prove_by_key", lambda person, device, shown: None)
    own = {"/passkeys/log-in": "/me", "/me/confirm/passkey": "/me/account"}[path]
    for wanted, due in ((back, own), ("/daily", "/daily")):
        answer = client.post(path, json={"key": {}, "back": wanted}, headers=AT_HOME)
        assert answer.json()["to"] == due
