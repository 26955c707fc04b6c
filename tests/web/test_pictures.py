"""Preview pictures of links show the spectators' view.

A position of a finished game can be saved, and embedded in pages of other sites. There it has no scripts or forms.
"""

from __future__ import annotations

import random
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from spelunke.boards.scene import Scene
from spelunke.games import find_game, shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.problems import load_problems
from spelunke.web import picture_pages
from spelunke.web.pictures import draw_card, finish_drawing, to_png

from .conftest import Guest

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", sorted(shelf()))
def test_every_game_has_a_picture_and_names_can_not_break_it(name: str) -> None:
    svg = draw_card(find_game(name), "<script>&\"'", "<b>", ("</svg>",))
    assert "<script" not in svg
    assert "</svg></svg>" not in svg.replace("\n", "") or svg.endswith("</svg>")
    picture = to_png(svg)
    assert picture.startswith(PNG)
    assert len(picture) > 10_000


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "seats"),
    sorted({(name, seats) for name, game in shelf().items() for seats in (min(game.seats), max(game.seats))}),
)
def test_a_drawing_of_a_board_is_whole_wherever_a_game_stands(name: str, seats: int) -> None:
    game = find_game(name)
    match, chance = Match(game, seats), random.Random(seats)
    names = tuple(f"<Player {'&' * seat}" for seat in range(seats))
    drawings, svg = set(), ""
    while not match.over and match.ply < 500:
        if match.chance:
            match.apply_chance(chance.choice(match.chances())[0])
        else:
            seat = chance.choice(match.actors)
            match.act(seat, chance.choice(match.legal(seat)))
        if match.ply % 20 == 0 or match.over:
            for viewer in (None, seats - 1):
                scene = Scene(view=match.view(viewer), seat=viewer, names=names, over=match.over, past=True)
                svg = finish_drawing(game, str(game.hooks.render_drawing(scene)))
                ids = {one.get("id") for one in ET.fromstring(svg).iter()}
                assert set(re.findall(r'(?:href="|url\("?)#([\w-]+)', svg)) <= ids
                assert "var(" not in svg
                drawings.add(svg)
    assert len(drawings) > 5
    assert to_png(svg).startswith(PNG)


@pytest.mark.deep
def test_links_name_their_pictures(client: TestClient, anna: Guest, bert: Guest, game_for_two: str) -> None:
    page = client.get(f"/t/{game_for_two}").text
    assert f'/t/{game_for_two}/picture.png"' in page
    assert 'property="og:title"' in page
    running = client.get(f"/t/{game_for_two}/picture.png")
    assert running.content.startswith(PNG)
    for path in (f"/t/{game_for_two}/position.svg", f"/embed/t/{game_for_two}"):
        assert client.get(path).status_code == 409
    anna.post(f"/tables/{game_for_two}/resign", {"key": "enough-now"})
    over = client.get(f"/t/{game_for_two}/picture.png")
    assert over.content.startswith(PNG)
    assert over.content != running.content
    assert client.get(f"/t/{game_for_two}/position.svg?ply=1").headers["content-type"] == "image/svg+xml"
    assert client.get(f"/t/{game_for_two}/position.png").content.startswith(PNG)
    replay = client.get(f"/t/{game_for_two}/replay?ply=1").text
    for path in (f"/t/{game_for_two}/position.png?ply=1", f"/t/{game_for_two}/position.svg?ply=1"):
        assert f'href="{path}" download' in replay
    assert f"&lt;iframe src=&#34;http://testserver/embed/t/{game_for_two}?ply=1&#34;" in replay
    assert f'href="/t/{game_for_two}/picture.png" download' in client.get(f"/t/{game_for_two}").text
    framed: Any = client.get(f"/embed/t/{game_for_two}")
    policy = framed.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "<script" not in framed.text
    assert "<form" not in framed.text
    assert "set-cookie" not in framed.headers


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the lines of text of each preview picture."""
    told: list[str] = []

    def draw(game: Game, title: str, kicker: str, lines: tuple[str, ...], drawing: str) -> str:
        told.extend(lines)
        return draw_card(game, title, kicker, lines, drawing)

    monkeypatch.setattr(picture_pages, "draw_card", draw)
    return told


def test_a_game_that_was_called_off_is_no_draw_and_its_texts_follow_the_reader(
    client: TestClient, game_for_two: str, told: list[str]
) -> None:
    client.app.state.site.house.play.call_off(game_for_two)  # type: ignore[attr-defined]
    paths = (f"/t/{game_for_two}/picture.png", f"/embed/t/{game_for_two}")
    picture, framed = [client.get(path, headers={"accept-language": "de"}) for path in paths]
    assert told == ["Abgebrochen"]
    assert picture.headers["vary"] == framed.headers["vary"] == "accept-language, cookie"
    assert '<html lang="de"' in framed.text


@pytest.mark.sampled
@pytest.mark.parametrize("seat", ["open", "link", "kept"])
def test_a_picture_does_not_call_a_reserved_seat_free(
    client: TestClient, anna: Guest, game_for_two: str, seat: str, told: list[str]
) -> None:
    if seat == "kept":
        anna.post(f"/tables/{game_for_two}/resign", {"key": "enough-now"})
        table = anna.post(f"/tables/{game_for_two}/rematch").json()["table"]
    else:
        table = anna.table("me", seat)
    assert sorted(one["kind"] for one in anna.look(table)["seats"]) == sorted(["person", seat])
    assert client.get(f"/t/{table}/picture.png").status_code == 200
    assert told == ([] if seat == "kept" else ["A seat is free: come and play."])


@pytest.mark.deep
def test_problems_and_days_have_pictures(client: TestClient) -> None:
    found = load_problems(find_game("shanghaien"))
    assert found is not None
    one = found.problems[0]
    assert client.get(f"/problems/shanghaien/{one.id}/picture.png").content.startswith(PNG)
    pictures = {
        client.get(f"/problems/shanghaien/{one.id}/picture.png").content for one in found.problems[:6]
    }
    assert len(pictures) == 6, "the boards differ"
    assert client.get("/problems/shanghaien/nothing/picture.png").status_code == 404
    page = client.get("/daily/shanghaien/today").text
    address = page.split('property="og:image" content="')[1].split('"')[0]
    assert client.get(address.split("testserver")[1]).content.startswith(PNG)
    assert client.get("/t/nothing/picture.png").status_code == 404
