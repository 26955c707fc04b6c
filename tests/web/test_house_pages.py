"""The pages for the hosts of a site: people, bans, tables, and the log."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from .conftest import GAME, Guest
from .test_members_pages import PASSWORD, Later, become

__all__ = ["later"]


pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


@pytest.fixture
def phone(client: TestClient) -> TestClient:
    """Return another browser at the same house."""
    return TestClient(client.app, follow_redirects=False)


@pytest.fixture
def host(client: TestClient) -> TestClient:
    """Return a client (a browser) that is logged in as the host of the house."""
    code = client.app.state.site.house.members.codes.make("host")  # type: ignore[attr-defined]
    answer = client.post(f"/host/{code}", data={"name": "Anna", "password": PASSWORD})
    assert answer.status_code == 303
    return client


def person_page(host: TestClient, name: str, group: str = "members") -> str:
    text = host.get(f"/house/people?group={group}&name={name}").text
    found = re.search(r'href="(/house/people/[\w-]{16})"', text)
    assert found, text
    return found.group(1)


def sentence(page: Any) -> str:
    found = re.search(r'role="alert">([^<]*)<', page.text)
    assert found, page.text
    return found.group(1)


def test_only_a_host_with_a_recent_login_sees_the_house_pages(
    host: TestClient, phone: TestClient, later: Later
) -> None:
    become(phone, "Bert")
    paths = ("/house", "/house/people", "/house/tables", "/house/log")
    for path in paths:
        assert host.get(path).status_code == 200, path
        assert phone.get(path).status_code == 403, path
        assert TestClient(host.app).get(path).status_code == 401, path
    page = person_page(host, "Bert")
    for path in (f"{page}/out", f"{page}/in", f"{page}/host", "/house/tables/aaaaaaaaaa/off"):
        assert phone.post(path, data={"lasting": "day", "host": "yes"}).status_code == 403, path
    later(16 * 60)
    answer = host.get(page)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/me/confirm?back={page.replace('/', '%2F')}"
    back = host.post("/me/confirm", data={"password": PASSWORD, "back": page})
    assert back.headers["location"] == page
    assert host.get(page).status_code == 200
    assert phone.get("/house").status_code == 403, "who is none is not asked to show who it is"


def test_a_member_and_a_guest_are_shut_out_in_one_sentence(
    host: TestClient, phone: TestClient, bert: Guest
) -> None:
    become(phone, "Cleo")
    for name, group in (("Cleo", "members"), ("Bert", "guests")):
        page = person_page(host, name, group)
        assert "return as a guest at once" in host.get(page).text
        assert host.post(f"{page}/out", data={"lasting": "for ever"}).status_code == 400
        assert host.post(f"{page}/out", data={"lasting": "week"}).headers["location"] == page
        assert "Let in again" in host.get(page).text
        assert name in host.get("/house/people?group=shut+out").text
    assert phone.get("/me").text.count("Cleo") == 0, "a device that was ended is a stranger's"
    answer = phone.post("/login", data={"name": "Cleo", "password": PASSWORD})
    assert answer.status_code == 403
    assert "shut you out until" in sentence(answer)
    assert bert.get("/me").status_code == 403
    guest = TestClient(host.app, follow_redirects=False)
    guest.cookies.set("guest", bert.token)
    for path in ("/", "/me", "/me/export.json"):
        refused = guest.get(path)
        assert refused.status_code == 403
        assert "shut you out until" in sentence(refused)
    assert guest.post("/tables", data={"game": GAME, "quick": "bot"}).status_code == 403
    assert guest.get("/login").status_code == 200, "somebody else may use the same browser"
    page = person_page(host, "Bert", "guests")
    assert host.post(f"{page}/in").status_code == 303
    assert guest.get("/").status_code == 200


def test_a_host_calls_a_table_off_and_the_log_says_so(host: TestClient, game_for_two: str) -> None:
    page = host.get("/house/tables").text
    assert f"/house/tables/{game_for_two}/off" in page
    assert "Anna" in page
    answer = host.post(f"/house/tables/{game_for_two}/off", data={"state": "idle"})
    assert answer.headers["location"] == "/house/tables?state=idle"
    assert game_for_two not in host.get("/house/tables").text
    assert host.post(f"/house/tables/{game_for_two}/off").status_code == 409
    assert host.post("/house/tables/nothing/off").status_code == 404
    text = host.get("/house/log").text
    assert "called off a table" in text
    assert game_for_two in text
    assert host.get("/house/log?page=2").status_code == 404


def test_wrong_queries_of_the_house_pages_are_refused(host: TestClient) -> None:
    for path in (
        "/house/people?group=pirates",
        "/house/people?name=%00",
        f"/house/people?name={'x' * 65}",
        "/house/people?page=0",
        "/house/tables?state=x",
        "/house/log?page=x",
    ):
        assert host.get(path).status_code == 400, path
    assert host.get("/house/people/xxxxxxxxxxxxxxxx").status_code == 404
    assert host.get("/house/people?name=nobody").text.count("Nobody matches") == 1
