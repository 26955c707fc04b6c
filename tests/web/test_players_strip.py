"""The strip of players above the board, on a narrow phone."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Server
from .test_browser import person

CUT = """names => names.filter(name => {
    const letters = name.querySelector(".name-head") ?? name;
    return name.clientWidth < 40 || letters.getBoundingClientRect().height > 24;
}).length"""
"""The number of names of which a reader sees just a letter or two, or letters one below the other."""


@pytest.mark.deep
def test_a_clock_shows_the_time_of_the_server_and_does_not_cut_off_a_name(
    browser: Browser, server: Server
) -> None:
    """If the device's clock is 10 minutes fast, the page still shows the remaining time as the server counts it."""
    bots = {"seat.1": "bot:nephew", "seat.2": "bot:nephew", "seat.3": "bot:nephew"}
    clock = {"clock": "live", "minutes": "15", "increment": "10"}
    with person(browser, (320, 640)) as page:
        form = {"game": "sanghai", "seat.0": "me", **bots, **clock}
        page.clock.install(time=time.time() + 600)
        page.goto(page.request.post(f"{server.url}/tables", form=form).url)
        expect(page.locator("#head .clock")).to_have_count(1)
        assert page.locator("#head .seat-name").evaluate_all(CUT) == 0
        ticking = page.locator("#head .clock[data-until]")
        expect(ticking).to_be_visible()
        page.clock.fast_forward(5_000)
        text, drawn = ticking.evaluate("clock => [clock.textContent, Number(clock.dataset.left)]")
        minutes, seconds = map(int, text.split(":"))
        assert drawn - 300 < 60 * minutes + seconds <= drawn
