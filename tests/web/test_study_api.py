"""Problems and the game of the day in the API."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.core.chance import seed_stream
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.records.problems import load_problems, set_up
from spelunke.web.api import ENCODER
from web.conftest import Guest, ready_to_move

GAME = "shanghaien"


def make_terminal(client: TestClient, name: str = "Bert") -> Guest:
    """Return a person who has confirmed a terminal in the browser. The person's requests have the terminal's token."""
    guest = Guest(client, name)
    site: Any = client.app.state.site  # type: ignore[attr-defined]
    code = site.house.members.codes.make("device", site.signer.loads(guest.token))
    answer = client.post("/api/v1/me/devices/link", json={"code": code})
    guest.token = answer.json()["token"]
    return guest


def test_a_problem_is_listed_shown_and_answered(client: TestClient, anna: Guest) -> None:
    found = load_problems(find_game(GAME))
    assert found is not None
    listed = anna.get(f"/problems/{GAME}").json()
    assert [one["id"] for one in listed["problems"]] == [one.id for one in found.problems]
    assert listed["solver"] is None
    one = found.problems[0]
    shown = anna.get(f"/problems/{GAME}/{one.id}").json()
    assert {move["text"] for move in shown["legal"]} == {move.move for move in one.alternatives}
    assert "chance" not in str(shown)
    wrong = next(move.move for move in one.alternatives if not one.solves(move.move))
    told = anna.post(f"/problems/{GAME}/{one.id}", {"move": wrong}).json()
    assert not told["right"]
    assert told["lost"] > 0
    assert told["moves"][0]["move"] == one.best
    assert told["moves"][0]["right"]
    assert anna.post(f"/problems/{GAME}/{one.id}", {"move": one.best}).json()["right"]
    after = anna.get(f"/problems/{GAME}").json()
    assert after["problems"][0]["solved"] is True
    assert after["solver"]["tries"] == 1
    assert client.get(f"/api/v1/problems/{GAME}").json()["problems"][0]["solved"] is None


@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
def test_the_order_of_moves_does_not_tell_the_best_one(client: TestClient, name: str) -> None:
    found = load_problems(find_game(name))
    assert found is not None
    firsts = set()
    for one in found.problems[:10]:
        legal = client.get(f"/api/v1/problems/{name}/{one.id}").json()["legal"]
        firsts.add(legal[0]["text"] == one.best)
    assert False in firsts


@pytest.mark.parametrize("name", ["halunken", "sanghai"])
def test_a_position_tells_only_what_its_seat_can_know(client: TestClient, name: str) -> None:
    """If everything that the seat can't see is dealt again, the API's answer has the same view."""
    game = find_game(name)
    found = load_problems(game)
    assert found is not None
    for one in found.problems[:5]:
        match = set_up(game, one)
        world = game.view.imagine(match.view(one.seat), seed_stream(5))
        other = Match(game, match.seats, match.options, state=world)
        shown = client.get(f"/api/v1/problems/{name}/{one.id}")
        assert ENCODER.encode(other.view(one.seat)) in shown.content


def test_the_problem_of_the_day_has_an_address(client: TestClient) -> None:
    today = client.get(f"/api/v1/problems/{GAME}").json()["today"]
    assert client.get(f"/api/v1/problems/{GAME}/today").json()["id"] == today


def test_bad_answers_get_a_sentence(client: TestClient, anna: Guest) -> None:
    today = f"/problems/{GAME}/today"
    assert anna.post(today, {"move": "fly"}).json()["message"] == "That move can't be played here."
    assert anna.post(today, {"move": ""}).status_code == 400
    assert anna.post(f"/problems/{GAME}/nothing", {"move": "fly"}).status_code == 404
    assert client.post("/api/v1" + today, json={"move": "fly"}).status_code == 401


def test_the_game_of_the_day_is_begun_once_and_shows_no_results_before(client: TestClient) -> None:
    bert = make_terminal(client)
    today = bert.get("/daily").json()
    assert len(today["games"]) == 3
    assert today["streak"] == {"now": 0, "longest": 0}
    assert all(one["own"] is None and one["day"]["seed"] is None for one in today["games"])
    began = bert.post(f"/daily/{GAME}/today")
    assert began.status_code == 201
    table = began.json()["table"]
    assert bert.post(f"/daily/{GAME}/today").json()["table"] == table
    day = bert.get(f"/daily/{GAME}/today").json()
    assert day["own"]["table"] == table
    assert day["results"] == []
    bert.post(f"/tables/{table}/resign", {"key": "give-it-up"})
    assert bert.get(f"/daily/{GAME}/today").json()["own"]["over"]
    assert client.get("/api/v1/daily").json()["streak"] is None


def test_programs_do_not_play_the_game_of_the_day(client: TestClient, anna: Guest) -> None:
    refused = anna.post(f"/daily/{GAME}/today")
    assert refused.status_code == 403
    assert refused.json()["message"].startswith("Programs can't play the game of the day")
    assert client.post(f"/api/v1/daily/{GAME}/today").status_code == 401


def test_a_token_moves_at_no_table_of_the_day(client: TestClient, anna: Guest) -> None:
    """A token can't play the game of the day, even if its owner began the game in a browser."""
    browser = TestClient(client.app, follow_redirects=False)
    browser.cookies.set("guest", anna.token)
    table = browser.post(f"/daily/{GAME}/today").headers["location"].rpartition("/")[2]
    look = anna.wait(table, ready_to_move)
    for _ in range(2):
        refused = anna.play(table, look["legal"][0]["text"], look["ply"])
        assert refused.status_code == 403
        assert refused.json()["message"].startswith("Programs can't play the game of the day")
    assert anna.look(table)["ply"] == look["ply"]
    move = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "in-the-browser"}
    assert browser.post(f"/t/{table}/act", data=move).status_code in (204, 303)
    assert anna.look(table)["ply"] > look["ply"]


def test_bad_days_get_a_sentence(client: TestClient) -> None:
    for path, status in (
        (f"{GAME}/2001-01-01", 404),
        (f"{GAME}/soon", 404),
        ("poker/today", 404),
        (f"{GAME}/today?page=0", 400),
    ):
        assert client.get(f"/api/v1/daily/{path}").status_code == status, path
