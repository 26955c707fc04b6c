"""The page of a person, the settings, and the link to the next waiting table, as browsers without scripts see them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.house.people import check_name
from spelunke.web.profile_pages import read_searched_name

from .conftest import Guest


@pytest.fixture
def phone(client: TestClient) -> TestClient:
    """Return another browser at the same house."""
    return TestClient(client.app, follow_redirects=False)


def play_out(anna: Guest, *seats: str, **plan: Any) -> str:
    table = anna.table(*seats, **plan)
    anna.start(table)
    assert anna.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
    return table


def main_of(page: Any) -> str:
    return str(page.text.split("<main")[1])


def page_of(client: TestClient) -> str:
    found = re.search(r'href="(/p/[\w-]{16})"', client.get("/me/settings").text)
    assert found
    return found.group(1)


def test_my_games_are_told_by_pages_and_found_by_filters(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    assert "My games" not in main_of(client.get("/me"))
    for _ in range(3):
        play_out(anna, "me", "bot:deckhand")
    page = main_of(client.get("/me"))
    assert page.count("/replay") == 3
    assert "3 games" in page
    assert "resigned" in page
    assert "0 won" in page
    assert main_of(client.get("/me?result=lost&game=shanghaien&past=week")).count("/replay") == 3
    none = main_of(client.get("/me?result=won"))
    assert "No matching games" in none
    assert "Show all" in none
    assert 'value="won" selected' in none
    assert client.get("/me?page=2").status_code == 404
    for wrong in (
        "page=0",
        "page=x",
        "page=-1",
        "page=²",
        "result=x",
        "game=chess",
        "past=x",
        "opponent=%00",
    ):
        assert client.get(f"/me?{wrong}").status_code == 400, wrong
    assert client.get(f"/me?opponent={'x' * 65}").status_code == 400
    assert "&lt;b&gt;" in client.get("/me?opponent=<b>").text
    assert client.get("/me?opponent=%E2%80%8D").status_code == 400, "a joiner alone"


def test_a_pasted_name_is_found_although_its_emoji_are_joined() -> None:
    """Joiners, and the marks that choose a form of an emoji, are removed from new names and from searched names."""
    pasted = " Captain\t\U0001f3f4\u200d\u2620\ufe0f "
    assert read_searched_name(pasted) == check_name(pasted) == "Captain \U0001f3f4\u2620"


def test_a_profile_is_visible_only_to_the_chosen_readers(
    client: TestClient, phone: TestClient, anna: Guest, bert: Guest
) -> None:
    client.cookies.set("guest", anna.token)
    path = page_of(client)
    own = client.get(path)
    assert "Nobody but you sees this page" in own.text
    assert anna.token not in own.text
    hidden = phone.get(path)
    assert hidden.status_code == 404
    assert hidden.text == phone.get("/p/aaaaaaaaaaaaaaaa").text.replace("/p/aaaaaaaaaaaaaaaa", path)
    private = play_out(anna, "me", "bot:deckhand", listed=False)
    listed = play_out(anna, "me", "bot:deckhand", listed=True)
    answer = client.post("/me/shown", data={"shown": "everybody"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/settings?saved=1#page")
    seen = main_of(phone.get(path))
    assert f"/t/{listed}/replay" in seen
    assert private not in seen
    assert "1 game<" in seen
    assert private not in main_of(client.get(path)), "its own person sees there what others see"
    assert private in main_of(client.get("/me"))
    assert client.post("/me/shown", data={"shown": "friends"}).status_code == 400
    assert phone.post("/me/shown", data={"shown": "nobody"}).status_code == 401


def test_all_that_is_set_is_on_one_page(client: TestClient) -> None:
    page = client.get("/me/settings").text
    for name in ('action="/me"', 'action="/me/theme"', 'action="/me/explain"', 'data-preference="volume"'):
        assert name in page
    assert "/me/shown" not in page, "a stranger has no page"
    assert client.post("/me", data={"name": "Anna"}).headers["location"] == "/me/settings?saved=1"
    page = client.get("/me/settings").text
    assert 'value="Anna"' in page
    assert 'value="nobody" checked' in page


def test_the_link_to_the_next_table_leads_to_a_waiting_table(
    client: TestClient, anna: Guest, game_for_two: str
) -> None:
    assert client.get("/me/next").headers["location"] == "/me?none=1"
    client.cookies.set("guest", anna.token)
    assert client.get("/me/next").headers["location"] == f"/t/{game_for_two}"
    assert client.get(f"/me/next?after={game_for_two}").headers["location"] == "/me?none=1"
    assert "Next table waiting for me" in client.get("/me").text
    assert f"/me/next?after={game_for_two}" in client.get(f"/t/{game_for_two}").text
    assert "No table waits" not in client.get("/me?none=1").text
