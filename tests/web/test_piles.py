"""The piles of Sanghai keep their places, and a press that was meant for another button takes no card."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

import httpx2
import pytest
from playwright.sync_api import expect

from spelunke.core.chance import seed_stream
from spelunke.games.match import Match
from spelunke.games.sanghai.bots import PlannerBot
from spelunke.house.messages import Look

from .conftest import Guest, Server
from .onescreen import LOW, SCREENS, Stage
from .test_browser import person
from .test_comforts import moves_of, play, sit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLACES = """() => Object.fromEntries([".sg-stock .sg-pile", ".sg-discard .sg-pile", ".sg-wait"].map((name) => {
  const box = document.querySelector(name)?.getBoundingClientRect();
  return [name, box ? [box.left, box.top, box.width, box.height].map(Math.round).join() : ""];
}))"""
WITHOUT_PLACE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ".sg-wait-place { display: none !important; } .sg-middle > .sg-wait { order: 0 !important; }",
  );
  document.adoptedStyleSheets.push(sheet);
}"""


def phases(stage: Stage) -> dict[str, Look]:
    """Return looks (states of the table) of the first seat in the first round, by the kind of decision or waiting."""
    found: dict[str, Look] = {}
    match, chooser, stream = stage.match(), random.Random(4), seed_stream(4)
    bot = PlannerBot(stage.game)
    while not match.over and match.ply < 700:
        if match.chance:
            outcomes, weights = zip(*match.chances(), strict=True)
            match.land(chooser.choices(outcomes, weights)[0])
            continue
        if match.view(0).lap > 1:
            break
        kind = f"{match.view(0).phase}: {'+'.join(sorted({text.split()[0] for text in _texts(match)}))}"
        if kind not in found:
            found[kind] = stage.look_at(match, 0)
        seat = chooser.choice(match.actors)
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    return found


def _texts(match: Match) -> list[str]:
    return list(match.texts(0)) if 0 in match.actors else []


@pytest.mark.deep
@pytest.mark.parametrize(("seats", "discards"), [(4, "top"), pytest.param(6, "all", marks=pytest.mark.deep)])
def test_the_piles_keep_their_places_through_a_round(
    browser: Browser, server: Server, seats: int, discards: str
) -> None:
    stage = Stage(server, "sanghai", seats, show_discards=discards)
    looks = phases(stage)
    assert {"window: take+wait", "window: stock+take", "window: hep+pass", "window: "} <= set(looks)
    with person(browser, reduced_motion="reduce") as page:
        stage.open(page)
        for size in (*SCREENS.values(), *LOW):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            places: dict[str, set[str]] = defaultdict(set)
            for look in looks.values():
                stage.show(page, look)
                for name, place in page.evaluate(PLACES).items():
                    places[name] |= {place} - {""}
            assert all(len(found) == 1 for found in places.values()), (size, dict(places))


def ask_anna(page: Page, server: Server) -> tuple[list[Guest], str]:
    """Open a table for Anna on the page and two others by the API.

    Play until Anna may take the discard or wait for calls.
    """
    anna, table = sit(page, server, "sanghai", ("me", "open", "open"), options={"hep_seconds": 0})
    guests = [
        anna,
        *(Guest(httpx2.Client(base_url=server.url, timeout=120), name) for name in ("Bert", "Cleo")),
    ]
    for guest in guests[1:]:
        assert guest.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in guests:
        guest.post(f"/tables/{table}/nonce", {"nonce": "share"})
    anna.wait(table, lambda look: look["status"] == "playing")
    for _ in range(30):
        asked = {guest: moves_of(guest.look(table)) for guest in guests}
        if "wait" in asked[anna]:
            return guests, table
        passing = [guest for guest, moves in asked.items() if "pass" in moves]
        guest = passing[0] if passing else next(guest for guest, moves in asked.items() if moves)
        play(guest, table, "pass" if passing else asked[guest][0])
    pytest.fail("Anna was never the next player")


@pytest.mark.deep
def test_a_press_meant_for_a_button_that_was_there_takes_no_card(browser: Browser, server: Server) -> None:
    with person(browser, (390, 700), has_touch=True) as page:
        page.clock.install()
        (anna, *others), table = ask_anna(page, server)
        # Without its reserved place, the button is where the discards are a moment later.
        page.evaluate(WITHOUT_PLACE)
        wait, pile = page.locator(".sg-wait"), page.locator("button.sg-pile[value=take]")
        expect(wait).to_be_visible()
        box = wait.bounding_box()
        assert box is not None
        point = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        for guest in others:
            if "pass" in moves_of(guest.look(table)):
                play(guest, table, "pass")
        while not pile.evaluate("(pile, [x, y]) => pile.contains(document.elementFromPoint(x, y))", point):
            page.clock.run_for(10)
        page.touchscreen.tap(*point)
        assert "take" in moves_of(anna.look(table))
        page.clock.run_for(500)
        page.touchscreen.tap(*point)
        page.clock.resume()
        anna.wait(table, lambda look: "take" not in moves_of(look))
        assert len([url for url in sent if url.endswith("/act")]) == 1
