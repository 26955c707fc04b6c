"""Problems: the collection, the problem of the day, stored answers, and the explanation."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from spelunke.analysis.problems import Problem
from spelunke.arena.problems import grade
from spelunke.core.chance import seed_stream
from spelunke.games import find_game, shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.games.sanghai import notation
from spelunke.records.problems import load_problems, set_up
from spelunke.web.parts.problems import draw_problem, draw_task
from spelunke.web.words import translator

GAME = "shanghaien"
LEAST = {"shanghaien": 0.059, "halunken": 0.039, "sanghai": 0.019}
"""The least margins of the recipes, rounded."""
FOUND = load_problems(find_game(GAME))
assert FOUND is not None


@pytest.mark.parametrize("name", [name for name, game in shelf().items() if load_problems(game)])
def test_every_problem_is_valid_and_has_one_clearly_best_move(name: str) -> None:
    game = find_game(name)
    found = load_problems(game)
    assert found is not None
    assert len({one.id for one in found.problems}) == len(found.problems)
    assert found.recipe.startswith(f"spelunke mine {name} ")
    for one in found.problems:
        match = set_up(game, one)
        assert one.seat in match.actors
        moves = {alternative.move for alternative in one.alternatives}
        assert moves <= set(match.texts(one.seat))
        assert game.hidden or moves == set(match.texts(one.seat))
        chances = [alternative.value.chance for alternative in one.alternatives]
        assert chances == sorted(chances, reverse=True)
        assert one.margin >= LEAST[name]
        assert one.theme == one.best.split()[0]
        assert one.theme in game.hooks.themes()
        assert (one.difficulty == 3) == (one.played not in moves or not one.solves(one.played))
        board = draw_problem(one, match, tuple("ABCDEFGH"[: match.seats]), translator(game))
        for move in moves:
            assert f'value="{move}"' in board, "every judged move can be pressed"


def test_a_laying_can_be_chosen_in_a_problem_although_it_has_several_steps() -> None:
    game, hand = find_game("sanghai"), {"hand": "4d 4h 4c 9d 9h 9c ks"}
    state = notation.parse_position(
        {"turn": 0, "seats": [hand, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}]}
    )
    match = Match(game, 4, state=state)
    laying = notation.write(match.parse("lay 4d 4h 4c | 9d 9h 9c"))
    board = draw_task(match, 0, tuple("ABCD"), {laying, "discard ks"}, None, translator(game))
    for move in (laying, "discard ks"):
        assert str(board).count(f'value="{move}"') == 1


def test_a_problem_is_hard_if_a_strong_bot_misses_it() -> None:
    found = load_problems(find_game("sanghai"))
    assert found is not None
    one = next(one for one in found.problems if not one.secret)
    best, wrong = one.best, one.alternatives[-1].move
    for usual, strong, difficulty in ((best, best, 1), (wrong, best, 2), (wrong, wrong, 3), (best, wrong, 3)):
        graded = grade(one, usual, strong)
        assert (graded.difficulty, graded.played) == (difficulty, strong)


@pytest.mark.parametrize("name", ["halunken", "sanghai"])
def test_a_problem_shows_only_what_its_seat_can_know(
    client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If everything that the seat can't see is dealt again, page, answer and picture have the same bytes."""
    game = find_game(name)
    found = load_problems(game)
    assert found is not None

    def deal_again(_game: Game, one: Problem) -> Match:
        match = set_up(game, one)
        world = game.view.imagine(match.view(one.seat), seed_stream(5))
        return Match(game, match.seats, match.options, state=world)

    for one in found.problems[:12]:
        match = set_up(game, one)
        names = tuple(f"Player {seat + 1}" for seat in range(match.seats))
        told = draw_problem(one, match, names, translator(game))
        assert draw_problem(one, deal_again(game, one), names, translator(game)) == told
    addresses = [
        f"/problems/{name}/{one.id}{part}"
        for one in found.problems[:1]
        for part in ("", f"?{urlencode({'answer': one.alternatives[-1].move})}", "/picture.png")
    ]
    answers = [client.get(address) for address in addresses]
    monkeypatch.setattr("spelunke.web.problem_pages.set_up", deal_again)
    monkeypatch.setattr("spelunke.web.picture_pages.set_up", deal_again)
    for address, before in zip(addresses, answers, strict=True):
        assert before.status_code == 200
        assert client.get(address).content == before.content
    assert "/analysis/" not in answers[0].text
    assert answers[2].content[:4] == b"\x89PNG"
    page = client.get(f"/problems/{name}").text
    assert f'href="{addresses[0]}"' in page
    rounds = {"halunken": "Hour", "sanghai": "Round"}
    assert f'<small class="muted">{rounds[name]} {found.problems[0].part}' in page


@pytest.mark.parametrize("name", [name for name, game in shelf().items() if load_problems(game)])
def test_the_answer_says_each_move_as_an_instruction_to_the_person(client: TestClient, name: str) -> None:
    found = load_problems(find_game(name))
    assert found is not None
    one = found.problems[0]
    address = f"/problems/{name}/{one.id}"
    page = client.get(client.post(address, data={"move": one.best}).headers["location"]).text
    moves = client.post(f"/api/v1{address}", json={"move": one.best}).json()["moves"]
    assert len(moves) == len(one.alternatives)
    for move in moves:
        assert f"Player {one.seat + 1}" not in move["told"]
        assert move["told"] in unescape(page)


def test_in_a_secret_choice_every_move_of_the_mixture_is_right(client: TestClient) -> None:
    found = load_problems(find_game("halunken"))
    assert found is not None
    mixed = [
        one for one in found.problems if one.secret and sum(one.solves(a.move) for a in one.alternatives) > 1
    ]
    assert mixed
    for one in mixed[:3]:
        address = f"/problems/halunken/{one.id}"
        assert "more than one answer may be right" in client.get(address).text
        right = [a.move for a in one.alternatives if one.solves(a.move)]
        wrong = [a.move for a in one.alternatives if not one.solves(a.move)]
        for move in right:
            told = client.get(client.post(address, data={"move": move}).headers["location"]).text
            assert "Right." in told
            assert "several moves may be right" in told
        told = client.get(client.post(address, data={"move": wrong[0]}).headers["location"]).text
        assert "Not the best" in told


def test_problems_and_people_are_rated_by_first_answers(client: TestClient) -> None:
    assert FOUND is not None
    first, second, third = FOUND.problems[:3]

    def answer(one: Problem, *, right: bool) -> str:
        move = one.best if right else one.alternatives[-1].move
        at = client.post(f"/problems/{GAME}/{one.id}", data={"move": move}).headers["location"]
        return client.get(at).text

    told = answer(first, right=True)
    assert "1 of 1 person solved it at the first attempt" in told
    assert "1 solved in a row at the first attempt · most in a row: 1" in told
    assert "2 solved in a row at the first attempt" in answer(second, right=True)
    assert "0 solved in a row at the first attempt · most in a row: 2" in answer(third, right=False)
    assert "most in a row: 2" in answer(third, right=True), "a later answer changes nothing"
    answers = client.app.state.site.house.answers  # type: ignore[attr-defined]
    rated = answers.problems(GAME)
    assert (rated[third.id].tries, rated[third.id].solved) == (1, 0)
    begin = {1: 1250, 2: 1500, 3: 1750}
    assert rated[first.id].points < begin[first.difficulty]
    assert rated[third.id].points > begin[third.difficulty]
    page = client.get(f"/problems/{GAME}").text
    assert f"rating {rated[first.id].points}" in page
    assert "Your rating for solving problems" in page


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
    assert (
        page.index("Not the best")
        < page.index("Try again")
        < page.index("Theme: ")
        < page.index("an-choices")
    )
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
    assert client.get("/problems/nothing").status_code == 404
