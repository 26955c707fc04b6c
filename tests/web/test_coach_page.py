"""The coach's panel on the page of a game against bots, with and without scripts; nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from appraising import FakeAnalyst
from spelunke.house.house import open_house
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .conftest import Guest


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    house = open_house(settings.database, bot_pause=0.0, analyst=FakeAnalyst)
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


def test_among_people_nothing_is_told(client: TestClient, anna: Guest, game_for_two: str) -> None:
    client.cookies.set("guest", anna.token)
    assert "/hint" not in client.get(f"/t/{game_for_two}").text
    assert client.post(f"/t/{game_for_two}/hint").status_code == 409
    assert anna.post(f"/tables/{game_for_two}/hint").status_code == 409
    client.cookies.clear()
    assert client.post(f"/t/{game_for_two}/hint").status_code == 401
