"""The pace of the pages: each movement ends before the next step begins."""

from __future__ import annotations

import re
from importlib.resources import files

from starlette.testclient import TestClient

from spelunke.house.house import UNDO_PAUSES, open_house
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .conftest import Guest, ready_to_move

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
