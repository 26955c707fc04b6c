"""The page of a finished game, as a browser without scripts uses it."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from spelunke.web.parts.portraits import portrait
from spelunke.web.site import playable
from waiting import wait_until

from .conftest import Guest

GAMES = [game.name for game in playable()]


def finish(anna: Guest, name: str, plies: int = 26) -> str:
    """Return the table of a game that Anna resigned after some plies."""
    game = next(game for game in playable() if game.name == name)
    level = next(iter(game.levels))
    others = [f"bot:{level}"] * (game.seats[0] - 1)
    table = str(anna.post("/tables", {"game": name, "seats": ["me", *others]}).json()["table"])
    anna.start(table)
    anna.post(f"/tables/{table}/stand-in", {})
    anna.wait(table, lambda look: look["ply"] >= plies or look["status"] == "over")
    anna.post(f"/tables/{table}/resign", {"key": "give-it-up"})
    wait_until(lambda: anna.look(table)["status"] == "over", "it did not end", patience=60)
    return table


@pytest.fixture
def finished(client: TestClient, anna: Guest) -> str:
    return finish(anna, "shanghaien")


def links(page: str) -> list[str]:
    return re.findall(r'href="(\?ply=[^"]*)"', page)


def test_the_page_is_open_to_strangers_and_every_link_works(client: TestClient, finished: str) -> None:
    page = client.get(f"/t/{finished}/replay")
    assert page.status_code == 200
    assert "guest" not in client.cookies
    for href in sorted(set(links(page.text))):
        answer = client.get(f"/t/{finished}/replay{href.replace('&amp;', '&')}")
        assert answer.status_code == 200, href
        assert len(answer.content) < 100_000  # bots that go on while the table is closed make it longer
    assert not re.search(r"\sstyle=|<style|<script(?![^>]* src=)|\son[a-z]+=", page.text)
    assert 'name="move"' not in page.text


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in GAMES if name != "sanghai"])
def test_each_viewpoint_shows_each_position_of_a_replay(client: TestClient, anna: Guest, name: str) -> None:
    table = finish(anna, name)
    last = int(re.findall(r'max="(\d+)"', client.get(f"/t/{table}/replay").text)[0])
    for ply in {0, 1, last // 2, last - 1, last}:
        for eyes in ("open", "table", "0", "1"):
            answer = client.get(f"/t/{table}/replay?ply={ply}&as={eyes}")
            assert answer.status_code == 200
            assert f'value="{ply}"' in answer.text
            assert not re.search(r'name="(move|draft|standing|card)"', answer.text), (
                "nothing can be done in the past"
            )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "query",
    ["ply=-1", "ply=x", "ply=99999999", "ply=1e3", "ply=777777", "as=9", "as=-1", "as=me", "as=²", "ply=²"],
)
def test_unknown_plies_and_viewpoints_of_a_replay_are_refused(
    client: TestClient, finished: str, query: str
) -> None:
    answer = client.get(f"/t/{finished}/replay?{query}")
    assert answer.status_code == 400
    assert "<h1" in answer.text


def test_a_running_game_has_no_replay(client: TestClient, game_for_two: str) -> None:
    for path in ("replay", "replay?ply=1", "replay?verify=1", "position.json"):
        answer = client.get(f"/t/{game_for_two}/{path}")
        assert answer.status_code == 409, path
        assert "not over yet" in answer.text
        assert "shanghaien" not in answer.text.split("<main")[1].split("</main")[0].lower()
    assert client.post(f"/t/{game_for_two}/play-on", data={"ply": "2"}).status_code == 409
    assert client.get("/t/nowhere/replay").status_code == 404


def test_playing_on_without_scripts_makes_a_stranger_a_guest(client: TestClient, finished: str) -> None:
    answer = client.post(f"/t/{finished}/play-on", data={"ply": "12", "seat": "1", "level": "deckhand"})
    assert answer.status_code == 303
    path = answer.headers["location"]
    page = client.get(path).text
    assert f"/t/{finished}/replay?ply=12" in page, "the table says where it was begun"
    assert client.post(f"{path}/nonce", data={"nonce": "mine"}).status_code == 303


def test_a_replay_shows_the_portraits_that_the_players_chose(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    assert client.post("/me/portrait", data={"figure": "eyepatch", "colour": "rose"}).status_code == 303
    table = finish(anna, "shanghaien", 4)
    drawn = re.compile(r'<svg class="avatar portrait".*?</svg>', re.DOTALL)
    shown = drawn.findall(client.get(f"/t/{table}/replay").text)
    assert len(shown) == 2
    assert shown[0] == portrait("eyepatch", "rose")
    assert set(shown) <= set(drawn.findall(client.get(f"/t/{table}").text))


def test_the_rules_verify_the_game(client: TestClient, finished: str) -> None:
    page = client.get(f"/t/{finished}/replay?ply=3&verify=1").text
    told = page.split('id="verdict"')[1].split("</p>")[0]
    assert 'class="notice good"' in told
    assert "plies follow the rules" in told


def test_the_position_is_there_as_text_and_as_a_file(client: TestClient, finished: str) -> None:
    page = client.get(f"/t/{finished}/replay?ply=12").text
    assert 'id="position-text" readonly value="{&#34;game&#34;' in page
    file = client.get(f"/t/{finished}/position.json?ply=12")
    assert file.json()["game"] == "shanghaien"
    assert file.headers["content-disposition"] == f'attachment; filename="{finished}-12.json"'


def test_the_end_of_a_game_links_to_replay_and_new_game(
    client: TestClient, anna: Guest, finished: str
) -> None:
    client.cookies.set("guest", anna.token)
    page = client.get(f"/t/{finished}").text
    for path in (f"/t/{finished}/replay?ply=0", "/new/shanghaien", f"/t/{finished}/again"):
        assert f'"{path}"' in page
    assert f'href="/t/{finished}"' in client.get(f"/t/{finished}/replay").text
