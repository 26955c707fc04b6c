"""The pages of the game of the day."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from web.conftest import Guest

GAME = "shanghaien"


def test_each_game_of_the_day_is_listed_and_can_be_started_once(client: TestClient) -> None:
    page = client.get("/daily")
    assert page.status_code == 200
    assert page.text.count('class="game-card"') == 3
    assert page.text.count("There are no results yet.") == 3
    began = client.post(f"/daily/{GAME}/today")
    assert began.status_code == 303
    table = began.headers["location"]
    assert client.post(f"/daily/{GAME}/today").headers["location"] == table
    assert f'href="{table}"' in client.get("/daily").text
    page = client.get(table).text
    assert f'href="/daily/{GAME}/' in page
    assert '<details id="coach"' not in page, "there is no coach in games of the day"


def test_a_day_shows_its_commitment_and_no_result_to_strangers(client: TestClient, anna: Guest) -> None:
    day = client.get(f"/daily/{GAME}/today").text
    assert "Commitment (SHA-256 of the seed)" in day
    assert "There are no results yet." in day
    assert client.get(f"/daily/{GAME}/today/compare").status_code == 409


def test_a_page_beyond_the_last_one_is_not_found(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    results = client.app.state.site.house.day_results  # type: ignore[attr-defined]
    monkeypatch.setattr(results, "lines", lambda day, reader, page: ((), 1))
    for path in (f"/daily/{GAME}/today?page=2", f"/api/v1/daily/{GAME}/today?page=2"):
        assert client.get(path).status_code == 404, path


def test_a_table_of_the_day_is_shown_to_nobody_else_before_its_end(client: TestClient) -> None:
    """A refused page links to the games of the day, and not to another page that would be refused."""
    table = client.post(f"/daily/{GAME}/today").headers["location"]
    stranger = TestClient(client.app, follow_redirects=False)
    day = client.app.state.site.house.days.today().isoformat()  # type: ignore[attr-defined]
    for path in (table, f"{table}/watch", f"{table}/replay", f"{table}/picture.png", f"/embed{table}"):
        refused = stranger.get(path)
        assert refused.status_code == 409
        assert "so you can look at this table only when the day is in the archive." in refused.text
        assert f'<a class="button primary" href="/daily/{GAME}/{day}">Games of the day</a>' in refused.text
        links = re.findall(r'<a [^>]*href="([^"]*)"', refused.text)
        assert [link for link in links if table in link] == []
    assert 'href="/">To the front page' in stranger.get("/t/abcdefghij/replay").text
    assert client.get(table).status_code == 200


def test_a_new_server_commits_to_the_games_of_the_coming_days(client: TestClient) -> None:
    days = client.app.state.site.house.days  # type: ignore[attr-defined]
    for game in ("shanghaien", "halunken", "sanghai"):
        coming = (days.today() + timedelta(7)).isoformat()
        assert days.of(game, coming).when == "coming"


def test_bad_addresses_get_a_sentence(client: TestClient) -> None:
    for path, status in (
        (f"/daily/{GAME}/2001-01-01", 404),
        (f"/daily/{GAME}/soon", 404),
        ("/daily/poker/today", 404),
        ("/daily?month=2026-13", 400),
        ("/daily?month=1999-01", 404),
        (f"/daily/{GAME}/today?page=0", 400),
    ):
        assert client.get(path).status_code == status, path
    assert client.post(f"/daily/{GAME}/2001-01-01").status_code == 404
