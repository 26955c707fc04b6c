"""The strip of players above the board, on a narrow phone."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from .conftest import Server
from .test_browser import person

CUT = """names => names.filter(name => {
    const letters = name.querySelector(".name-head") ?? name;
    return name.clientWidth < 40 || letters.getBoundingClientRect().height > 24;
}).length"""
"""The number of names of which a reader sees just a letter or two, or letters one below the other."""


def test_a_clock_does_not_cut_off_the_name_of_its_player(browser: Browser, server: Server) -> None:
    bots = {"seat.1": "bot:nephew", "seat.2": "bot:nephew", "seat.3": "bot:nephew"}
    clock = {"clock": "live", "minutes": "15", "increment": "10"}
    with person(browser, (320, 640)) as page:
        form = {"game": "sanghai", "seat.0": "me", **bots, **clock}
        page.goto(page.request.post(f"{server.url}/tables", form=form).url)
        expect(page.locator("#head .clock")).to_have_count(1)
        assert page.locator("#head .seat-name").evaluate_all(CUT) == 0
