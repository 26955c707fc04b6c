"""Pictures of links show the spectators' view.

A position can be saved, and embedded in a page where it can do nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.games import find_game, shelf
from spelunke.records.problems import load_problems
from spelunke.web.pictures import draw_card, find_drawing, to_png

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


def test_a_small_drawing_is_no_board() -> None:
    assert find_drawing("<div><svg><g/></svg></div>") == ""
    board = "<div><svg>" + "<g/>" * 3000 + "<svg></svg></svg><svg></svg></div>"
    assert find_drawing(board).endswith("<svg></svg></svg>")


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


def test_problems_and_days_have_pictures(client: TestClient) -> None:
    found = load_problems(find_game("shanghaien"))
    assert found is not None
    one = found.problems[0]
    assert client.get(f"/problems/shanghaien/{one.id}/picture.png").content.startswith(PNG)
    assert client.get("/problems/shanghaien/nothing/picture.png").status_code == 404
    page = client.get("/daily/shanghaien/today").text
    address = page.split('property="og:image" content="')[1].split('"')[0]
    assert client.get(address.split("testserver")[1]).content.startswith(PNG)
    assert client.get("/t/nothing/picture.png").status_code == 404
