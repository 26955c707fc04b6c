"""Problems: the collection, the problem of the day, stored answers, and the explanation."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from spelunke.games import find_game, shelf
from spelunke.records.problems import load_problems, set_up

GAME = "shanghaien"
FOUND = load_problems(find_game(GAME))
assert FOUND is not None


@pytest.mark.parametrize("name", [name for name, game in shelf().items() if load_problems(game)])
def test_every_problem_stands_and_has_one_clear_best(name: str) -> None:
    game = find_game(name)
    found = load_problems(game)
    assert found is not None
    assert len({one.id for one in found.problems}) == len(found.problems)
    assert found.recipe.startswith(f"spelunke mine {name} ")
    for one in found.problems:
        match = set_up(game, one)
        assert match.actors == (one.seat,)
        assert {alternative.move for alternative in one.alternatives} == set(match.texts(one.seat))
        chances = [alternative.value.chance for alternative in one.alternatives]
        assert chances == sorted(chances, reverse=True)
        assert one.margin >= 0.059
        assert one.theme == one.best.split()[0]
        assert (one.difficulty == 3) == (one.played != one.best)


def test_the_collection_is_chosen_from_by_theme_and_difficulty(client: TestClient) -> None:
    assert FOUND is not None
    page = client.get(f"/problems/{GAME}")
    assert page.status_code == 200
    assert page.text.count(f'href="/problems/{GAME}/') >= len(FOUND.problems) + 1
    theme = FOUND.themes[0]
    some = client.get(f"/problems/{GAME}?theme={theme}").text
    listed = re.findall(rf'<li class=""><a href="/problems/{GAME}/(\w+)"', some)
    assert set(listed) == {one.id for one in FOUND.problems if one.theme == theme}
    for query in ("theme=x", "difficulty=4", "difficulty=²"):
        assert client.get(f"/problems/{GAME}?{query}").status_code == 400
    assert client.get("/problems/poker").status_code == 404
    assert client.get(f"/problems/{GAME}/nothing").status_code == 404
    today = client.get(f"/problems/{GAME}/today")
    assert today.status_code == 302
    assert client.get(today.headers["location"]).status_code == 200


def test_an_answer_is_explained_and_kept(client: TestClient) -> None:
    assert FOUND is not None
    one = FOUND.problems[0]
    address = f"/problems/{GAME}/{one.id}"
    task = client.get(address).text
    board = task.split('id="board"')[1]
    assert f'name="move" value="{one.best}"' in board
    assert "an-choice" not in task
    assert "guest" not in client.cookies
    wrong = client.post(address, data={"move": one.alternatives[-1].move})
    assert wrong.status_code == 303
    page = client.get(wrong.headers["location"]).text
    assert "Not the best" in page
    assert page.count('<li class="an-choice') == len(one.alternatives)
    assert 'name="move"' not in page
    assert not re.search(r"\sstyle=|<style|<script(?![^>]* src=)|\son[a-z]+=", page)
    assert f'<li class="missed"><a href="{address}"' in client.get(f"/problems/{GAME}").text
    right = client.post(address, data={"move": one.best})
    assert "Right." in client.get(right.headers["location"]).text
    client.post(address, data={"move": one.alternatives[-1].move})
    page = client.get(f"/problems/{GAME}").text
    assert f'<li class="solved"><a href="{address}"' in page, "what is solved stays solved"
    assert client.post(address, data={"move": "swim"}).status_code == 400
    assert client.post(address, data={}).status_code == 400
    assert client.get(f"{address}?answer=swim").status_code == 400


def test_games_without_problems_say_so(client: TestClient) -> None:
    assert client.get("/problems/halunken").status_code == 404
