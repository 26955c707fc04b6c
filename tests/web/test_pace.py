"""The pace of the pages: each movement ends before the next step begins."""

from __future__ import annotations

import re
from importlib.resources import files

from starlette.testclient import TestClient

from spelunke.house.house import UNDO_PAUSES, open_house
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .conftest import Guest, ready_to_move
from .test_hot_seat import HTMX

DICE = re.compile(r"span\.sh-rolled[^{]*\{ animation-duration: (\d+)ms;(?: animation-delay: (\d+)ms;)? \}")


def test_the_dice_of_a_bot_lie_still_before_it_lays_one() -> None:
    sheet = (files("spelunke.games.shanghaien.ui") / "board.css").read_text()
    thrown = [int(lasts) + int(waits or 0) for lasts, waits in DICE.findall(sheet)]
    assert len(thrown) == 2
    assert max(thrown) <= 1000 * Settings().bot_pause - 100


def test_the_button_for_undo_shows_the_time_until_the_bot_acts(settings: Settings) -> None:
    house = open_house(settings.database, bot_pause=60.0)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        anna = Guest(client)
        table = anna.table("me", "bot:deckhand", options={"first_starter": "0"})
        anna.start(table)
        client.cookies.set("guest", anna.token)
        move = ""
        while not move.startswith("place"):
            look = anna.wait(table, ready_to_move)
            assert 'class="undo-left"' not in client.get(f"/t/{table}").text
            move = look["legal"][0]["text"]
            anna.play(table, move, look["ply"])
        left = re.search(r'class="undo-left" data-pause="(\d+)"', client.get(f"/t/{table}").text)
    house.close()
    assert left
    assert 0 < int(left[1]) <= 60_000 * UNDO_PAUSES


def test_an_undo_that_is_sent_twice_takes_back_one_move(settings: Settings) -> None:
    house = open_house(settings.database, bot_pause=60.0)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        anna = Guest(client)
        options = {"first_starter": "0", "direction_timing": "after_first_roll"}
        table = anna.table("me", "bot:deckhand", options=options)
        anna.start(table)
        client.cookies.set("guest", anna.token)
        moves: list[str] = []
        while not moves or not moves[-1].startswith("place"):
            look = anna.wait(table, ready_to_move)
            moves.append(look["legal"][0]["text"])
            anna.play(table, moves[-1], look["ply"])
        assert moves[-2].startswith("direction"), "which can be taken back too"
        form = (
            client.get(f"/t/{table}").text.partition(f'action="/t/{table}/undo"')[2].partition("</form>")[0]
        )
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        for _twice in range(2):
            assert client.post(f"/t/{table}/undo", data=fields, headers=HTMX).status_code == 204
        look = anna.look(table)
        assert "undo" in look["may"]
        assert moves[-1] in [move["text"] for move in look["legal"]]
    house.close()
