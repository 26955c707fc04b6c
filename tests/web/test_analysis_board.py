"""The analysis board, as a browser without scripts uses it: links and forms, and addresses that contain the
whole position.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from appraising import FakeAnalyst, finish
from spelunke.house.house import open_house
from spelunke.web import analysis_pages
from spelunke.web.app import create_app
from spelunke.web.settings import Settings
from waiting import PATIENCE, wait_until

BOARD = "/analysis/shanghaien"


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def client(settings: Settings, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(analysis_pages, "SOON_S", PATIENCE)  # however busy the machine is
    house = open_house(settings.database, timers=False, analyst=lambda: analyst)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        yield client
    house.close()


def choices(page: str) -> list[str]:
    """Return the addresses of the next moves, from the links in the page's panel."""
    panel = page.split('class="panel an-panel"')[1].split("</section>", maxsplit=1)[0]
    return [html.unescape(href) for href in re.findall(r'class="an-words"><a href="([^"]+)"', panel)]


def test_moves_and_rolls_are_tried_and_taken_back_by_links(client: TestClient) -> None:
    page = client.get(BOARD)
    assert page.status_code == 200
    assert not re.search(r"\sstyle=|<style|<script(?![^>]* src=)|\son[a-z]+=", page.text)
    roll = next(href for href in choices(page.text) if href.endswith("roll"))
    rolling = client.get(roll).text
    assert len(choices(rolling)) == 21
    assert 'value="?"' in rolling
    rolled = client.get(choices(rolling)[0]).text
    assert len(choices(rolled)) >= 2
    assert "roll;dice" in parse_qs(urlsplit(choices(rolled)[0]).query)["moves"][0]
    back = html.unescape(re.findall(r'class="button" href="([^"]+)">Take back', rolled)[0])
    assert client.get(back).text.count('class="an-choice') == rolling.count('class="an-choice')
    assert "guest" not in client.cookies


def test_the_page_reloads_until_slow_values_arrive(
    client: TestClient, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows the board at once, and reloads until the moves are evaluated."""
    monkeypatch.setattr(analysis_pages, "SOON_S", 0.0)
    analyst.may_go_on.clear()
    page = client.get(BOARD)
    assert (page.status_code, page.headers["refresh"]) == (200, "2")
    assert "is being analysed" in page.text
    assert 'id="board"' in page.text
    analyst.may_go_on.set()
    wait_until(lambda: "refresh" not in client.get(BOARD).headers)
    page = client.get(BOARD)
    assert choices(page.text)
    assert "is being analysed" not in page.text
    assert analyst.positions == 1


def test_a_press_on_the_board_adds_a_move_to_the_address(client: TestClient) -> None:
    answer = client.get(BOARD, params={"moves": "", "move": "roll"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{BOARD}?moves=roll")
    drawn = client.get(f"{BOARD}?moves=roll&move=?")
    assert re.fullmatch(rf"{BOARD}\?moves=roll%3Bdice\+\d\+\d", drawn.headers["location"])
    page = client.get(drawn.headers["location"]).text
    assert re.search(r'name="move" value="place \d', page.split('id="board"')[1])
    assert client.get(f"{BOARD}?move=?").status_code == 409
    assert client.get(f"{BOARD}?move=place+3").status_code == 409


def test_a_position_of_a_finished_game_is_opened(client: TestClient, analyst: FakeAnalyst) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    table, _anna = finish(house, acts=12)
    page = client.get(f"{BOARD}?table={table}&ply=9")
    assert page.status_code == 200
    assert "Anna" in page.text
    text = html.unescape(re.findall(r"<textarea[^>]*>([^<]+)</textarea>", page.text)[0])
    again = client.get(BOARD, params={"position": text})
    assert again.status_code == 200
    assert [href.partition("moves=")[2] for href in choices(again.text)] == [
        href.partition("moves=")[2] for href in choices(page.text)
    ]
    assert analyst.positions == 1, "the same position is judged once"


def test_a_position_is_set_up_by_hand(client: TestClient) -> None:
    fields = {
        "tavern": "8",
        "turn": "0",
        "direction": "left",
        "kept": "{}",
        "low": "2",
        "high": "5",
        "dice.0.1": "2",
        "dice.1.3": "3",
        "crew.0.red": "1 2",
        "crew.1.red": "3 pm1",
        "tricks.0": "both",
        **{
            f"row.{k}": card
            for k, card in enumerate(("red 4", "green 1", "grey 3", "pm1", "yellow 2", "orange 1"))
        },
    }
    answer = client.post(f"{BOARD}/position", data=fields)
    assert answer.status_code == 303, answer.text
    page = client.get(answer.headers["location"]).text
    assert any(href.endswith("place+5") for href in choices(page))
    assert any("joker" in href or "both" in href for href in choices(page))
    form = page.split('action="/analysis/shanghaien/position"')[1]
    assert 'name="crew.1.red" value="3 pm1"' in form
    assert '<option value="green 1" selected>' in form
    again = client.post(
        f"{BOARD}/position", data={**fields, "row.0": "red 1", "row.1": "red 1", "row.2": "red 1"}
    )
    assert again.status_code == 400
    assert "only one card" in again.text
    assert 'name="crew.1.red" value="3 pm1"' in again.text, "what was filled in stays"
    for wrong in (
        {"tavern": "9"},
        {"low": ""},
        {"tricks.0": "anchor"},
        {"dice.0.1": "x"},
        {"kept": "["},
        {"kept": '{"seats": [{}]}'},
        {"kept": '{"seats": 3}'},
    ):
        assert client.post(f"{BOARD}/position", data={**fields, **wrong}).status_code == 400


@pytest.mark.parametrize(
    ("field", "typed", "reason"),
    [
        ("crew.0.red", "1235", "ailors have values 1 to 4, not 5"),
        ("crew.0.red", "1 anchor", "&#39;anchor&#39; is not a trick card; the trick cards are pm1, both"),
        ("tricks.1", "anchor", "&#39;anchor&#39; is not a trick card; the trick cards are pm1, both"),
        ("row.4", "", "ill the row from the left"),
        ("low", "2", "ive two rolled dice, or none"),
    ],
)
def test_a_wrong_field_is_explained_and_kept(client: TestClient, field: str, typed: str, reason: str) -> None:
    row = {f"row.{k}": f"grey {k}" if 0 < k < 4 else f"green {k % 3 + 1}" for k in range(6)}
    page = client.post(f"{BOARD}/position", data={**row, field: typed})
    assert page.status_code == 400
    assert reason in page.text
    form = page.text.split('action="/analysis/shanghaien/position"')[1]
    shown = " ".join(sorted(typed)) if typed.isdecimal() else typed
    assert f'value="{shown}" selected' in form or f'name="{field}" value="{shown}"' in form


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("position=", 200),
        ("position={", 400),
        ("position=[]", 400),
        ('position={"game":"sanghai"}', 400),
        ("position=" + "x" * 9000, 400),
        ("moves=rol", 400),
        ("moves=roll;roll", 400),
        ("moves=" + "roll;" * 300, 400),
        ("table=nowhere", 404),
        ("table=nowhere&ply=x", 400),
    ],
)
def test_an_invalid_position_or_line_is_refused_with_a_sentence(
    client: TestClient, query: str, status: int
) -> None:
    answer = client.get(f"{BOARD}?{query}")
    assert answer.status_code == status
    assert "<h1" in answer.text


def test_games_without_an_analyst_have_no_board(client: TestClient) -> None:
    assert client.get("/analysis/halunken").status_code == 404
    assert client.get("/analysis/poker").status_code == 404


def test_a_running_game_is_not_opened(client: TestClient, game_for_two: str) -> None:
    assert client.get(f"{BOARD}?table={game_for_two}&ply=3").status_code == 409
