"""Every registered game at a table: its page, its board's own controls, its stream. No game is named here."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from spelunke.games import find_game
from spelunke.web.site import playable

from .conftest import Guest, ready_to_move

GAMES = [game.name for game in playable()]


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, f"no field {name}"
    return html.unescape(found.group(1))


@pytest.mark.parametrize("name", GAMES)
def test_the_first_moves_are_made_with_the_boards_own_controls(
    client: TestClient, anna: Guest, name: str
) -> None:
    game = next(game for game in playable() if game.name == name)
    level = next(iter(game.levels))
    seats = ["me", *[f"bot:{level}"] * (game.seats[0] - 1)]
    answer = anna.post("/tables", {"game": name, "seats": seats})
    assert answer.status_code == 201, answer.text
    table = answer.json()["table"]
    client.cookies.set("guest", anna.token)
    assert client.post(f"/t/{table}/nonce", data={"nonce": "mine"}).status_code == 303
    made = 0
    while made < 12:
        look = anna.wait(table, ready_to_move)
        assert look["status"] == "playing", "twelve moves end no game"
        page = client.get(f"/t/{table}").text
        offered = {html.unescape(text) for text in re.findall(r'name="move"\s+value="([^"]*)"', page)}
        if field(page, "ply") != str(look["ply"]):
            continue  # a bot moved in between
        legal = [move["text"] for move in look["legal"]]
        assert offered, f"{name} offers no control for {legal}"
        move = next((text for text in legal if text in offered), min(offered))
        answer = client.post(
            f"/t/{table}/act",
            data={"move": move, "ply": field(page, "ply"), "key": field(page, "key")},
            headers={"accept": "application/json"},
        )
        assert answer.status_code in (303, 409), answer.text
        if answer.status_code == 409:  # a bot moved in between
            assert answer.json()["error"] in ("stale", "not_your_turn"), f"{move}: {answer.text}"
        made += answer.status_code == 303
    client.cookies.clear()
    spectator = client.get(f"/t/{table}")
    assert spectator.status_code == 200
    assert 'name="ply"' not in spectator.text, "who only looks on can do nothing"


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_a_rules_page_and_a_form_with_its_options(client: TestClient, name: str) -> None:
    for path in (f"/new/{name}", f"/rules/{name}"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert not re.search(r"\sstyle=|<style|<script(?![^>]* src=)|\son[a-z]+=", answer.text), path
    card = client.get(f"/api/v1/games/{name}").json()
    assert card["levels"]
    for option in card["options"]:
        assert len(option["titles"]) == len(option["values"])
        if option["fine"]:
            continue  # programs and the command line set it
        assert f'name="option.{option["name"]}"' in client.get(f"/new/{name}").text


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_made_from_each_named_way_to_play(client: TestClient, name: str) -> None:
    card = client.get(f"/api/v1/games/{name}").json()
    assert [one["name"] for one in card["presets"]] == [preset.name for preset in find_game(name).presets]
    token = client.post("/api/v1/guests", json={"name": "Anna"}).json()["token"]
    for preset in card["presets"]:
        seats = ["me", *[f"bot:{card['levels'][0]['name']}"] * (preset["seats"] - 1)]
        plan = {"game": name, "seats": seats, "options": preset["options"]}
        answer = client.post("/api/v1/tables", json=plan, headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 201, answer.text
