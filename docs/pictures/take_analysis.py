"""Take the pictures of docs/analysis.md again: bots play a game, the house analyses it, and its pages are
photographed.

``python docs/pictures/take_analysis.py``. This needs Chromium and the programs for the tests, and takes some
minutes.
"""

from __future__ import annotations

import shutil
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright
from take import FLAGS, HERE, PHONE, WIDE, Player, open_house

from spelunke.games import find_game
from spelunke.records.problems import load_problems

GAME = "shanghaien"
TALL = 1200
"""A height in pixels that shows the board and the coach's panel."""


def play_and_analyse(player: Player) -> tuple[str, dict[str, Any]]:
    """Return a finished game of two bots of different strength, and its analysis."""
    table = str(player.post("", game=GAME, seats=["me", "bot:captain"])["table"])
    player.post(f"/{table}/nonce", nonce="lantern")
    player.post(f"/{table}/stand-in", level="deckhand")
    while player.look(table)["status"] != "over":
        time.sleep(0.5)
    player.post(f"/{table}/analyse")
    while True:
        told: dict[str, Any] = player.client.get(f"/api/v1/tables/{table}/analysis").json()
        if told["status"] == "done":
            return table, told["analysis"]
        time.sleep(0.5)


def choose(found: dict[str, Any]) -> int:
    """Return the ply of the costliest misplaced die: an error whose best alternative places a die too."""
    laid = [
        one
        for one in found["decisions"]
        if one["mark"]
        and one["played"].startswith("place")
        and one["alternatives"][0]["move"].startswith("place")
    ]
    return int(max(laid, key=lambda one: one["cost_chance"])["ply"])


def ask_coach(page: Page, url: str) -> None:
    """Begin a game against a bot, roll, and ask the coach which die to lay."""
    page.goto(f"{url}/new/{GAME}")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.locator('#board button[value="roll"]').first.click()  # a trick card is named “roll again”
    page.locator("#turn").filter(has_text="choose").wait_for()
    page.locator("details#coach summary").click()
    page.locator("#coach").get_by_role("button", name="Show what my moves are worth").click()
    page.locator("#coach-told[data-move]").wait_for()  # the first look has no values
    page.locator("details#coach").scroll_into_view_if_needed()


def take() -> None:
    """Photograph the replay with its analysis, the analysis board, a problem with its explanation, and the coach."""
    problems = load_problems(find_game(GAME))
    assert problems is not None
    one = next(one for one in problems.problems if one.theme == "place" and one.difficulty == 3)
    with open_house() as url, sync_playwright() as play:
        table, found = play_and_analyse(Player(url))
        ply = choose(found)
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"), args=FLAGS
        )
        for size, scheme in ((WIDE, "light"), (PHONE, "dark")):
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                color_scheme=scheme,  # type: ignore[arg-type]
                reduced_motion="reduce",
            )
            context.set_default_timeout(120_000)
            page = context.new_page()
            for name, address in (
                ("analysis", f"/t/{table}/replay?ply={ply}"),
                ("analysis-board", f"/analysis/{GAME}?table={table}&ply={ply}"),
                ("problem", f"/problems/{GAME}/{one.id}?answer={one.played.replace(' ', '+')}"),
            ):
                page.goto(url + address)
                page.locator(".an-choice").first.wait_for(state="attached")
                page.wait_for_timeout(300)
                page.screenshot(path=HERE / f"{name}-{size[0]}.png")
            if size == WIDE:
                page.set_viewport_size({"width": size[0], "height": TALL})
                ask_coach(page, url)
                page.screenshot(path=HERE / f"coach-{size[0]}.png")
            context.close()
            print(f"{size[0]}: taken", flush=True)
        browser.close()


if __name__ == "__main__":
    take()
