"""The coach's panel on the page of a game against bots, with and without scripts; nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from appraising import FakeAnalyst
from spelunke.analysis.analysis import Value
from spelunke.house.house import open_house
from spelunke.web import coach_pages
from spelunke.web.app import create_app
from spelunke.web.parts.values import render_choice
from spelunke.web.settings import Settings
from waiting import wait_until

from .conftest import Guest


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def client(settings: Settings, analyst: FakeAnalyst) -> Iterator[TestClient]:
    house = open_house(settings.database, bot_pause=0.0, analyst=lambda: analyst)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        yield client
    house.close()


def test_a_hint_is_told_on_request(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:deckhand", options={"first_starter": "0"})
    anna.start(table)
    anna.wait(table, lambda look: bool(look["legal"]))
    client.cookies.set("guest", anna.token)
    page = client.get(f"/t/{table}").text
    assert f'action="/t/{table}/hint"' in page
    assert '<li class="an-choice' not in page
    told = client.post(f"/t/{table}/hint")
    assert told.status_code == 200
    panel = told.text.split('id="coach"')[1].split("</details>")[0]
    assert '<li class="an-choice' in panel
    part = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    assert part.startswith('<hx-partial hx-target="#coach-told"')
    answer = anna.post(f"/tables/{table}/hint")
    assert answer.status_code == 200
    assert answer.json()["judgement"]["alternatives"]


def test_what_takes_long_is_said_and_comes_later(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_pages, "SOON_S", 0.0)
    monkeypatch.setattr(coach_pages, "LONG_S", 0.0)
    table = anna.table("me", "bot:deckhand", options={"first_starter": "0"})
    anna.start(table)
    anna.wait(table, lambda look: bool(look["legal"]))
    client.cookies.set("guest", anna.token)
    htmx = {"hx-request": "true"}
    analyst.may_go_on.clear()
    for headers in (htmx, {}, htmx):
        told = client.post(f"/t/{table}/hint", headers=headers).text
        assert "The coach is thinking" in told
        assert "<progress" in told
        assert f'hx-get="/t/{table}/hint"' in told
    assert client.get(f"/t/{table}/hint", headers=htmx).status_code == 204
    analyst.may_go_on.set()
    told = wait_until(lambda: client.get(f"/t/{table}/hint", headers=htmx).text, "the coach never spoke")
    assert '<li class="an-choice' in told
    assert "<progress" not in told
    assert analyst.positions == 1, "what is asked for again is not worked out again"
    assert client.get(f"/t/{table}/hint").headers["location"] == f"/t/{table}"
    assert anna.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
    told = client.get(f"/t/{table}/hint", headers=htmx).text
    assert "notice bad" in told, "a panel that waits is told why nothing comes"
    assert "<progress" not in told


def test_where_cards_are_hidden_it_says_why(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:novice", "bot:novice", game="sanghai", options={"hep_window": "sequenced"})
    anna.start(table)
    anna.wait(table, lambda look: bool(look["legal"]))
    client.cookies.set("guest", anna.token)
    told = client.post(f"/t/{table}/hint").text.split('id="coach"')[1].split("</details>")[0]
    assert "Cards that you lack for the contract" in told
    answer = anna.post(f"/tables/{table}/hint").json()
    assert len(answer["why"]) == len(answer["judgement"]["alternatives"])


def test_shares_errors_and_bounds_are_told() -> None:
    best = Value(3.0, 0.5, False, 1.0, 0.02, rank=1.5)
    shown = render_choice("Card 5", best, best, share=0.25, why=("It leads to field 3.",))
    assert "50.0 ± 2.0 %" in shown
    assert "in 25 of 100" in shown
    assert 'width="25"' in shown
    assert "It leads to field 3." in shown
    bounded = render_choice("Card 6", Value(0.0, 0.4, False, bounded=True), best)
    assert "at most 40.0 %" in bounded
    assert "an-lost" not in bounded, "nobody knows how much it loses"
    exact = render_choice("Card 7", Value(1.0, 0.5), best)
    assert "±" not in exact


def test_among_people_nothing_is_told(client: TestClient, anna: Guest, game_for_two: str) -> None:
    client.cookies.set("guest", anna.token)
    assert "/hint" not in client.get(f"/t/{game_for_two}").text
    assert client.post(f"/t/{game_for_two}/hint").status_code == 409
    assert anna.post(f"/tables/{game_for_two}/hint").status_code == 409
    client.cookies.clear()
    assert client.post(f"/t/{game_for_two}/hint").status_code == 401
