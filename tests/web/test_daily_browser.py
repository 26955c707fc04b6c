"""The game of the day in Chromium: a person plays it, compares the result, and gets their own errors as problems."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import httpx2
import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from spelunke.house.store import day_plays
from waiting import wait_until

from .conftest import Guest, Server, ready_to_move
from .test_browser import NARROW, person
from .test_calls import ASK, PRESS
from .test_calls import choose as choose_cards

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.deep(minutes=6)

LONG_S = 1_200.0
"""The longest time of an analysis, or until a bot has moved for the first time."""


def play_by_api(server: Server, game: str) -> None:
    """Let somebody else play today's game with any moves. Send them like a browser, because programs may not play."""
    ben, rng = Guest(httpx2.Client(base_url=server.url, timeout=60), "Ben"), random.Random(1)
    day = server.house.days.today().isoformat()
    ben.client.cookies.set("guest", ben.token)
    table = ben.client.post(f"/daily/{game}/{day}").headers["location"].rpartition("/")[2]
    # In a new checkout, the search of the bots is compiled first.
    while (look := ben.wait(table, ready_to_move, LONG_S))["status"] != "over":
        texts = [move["text"] for move in look["legal"]]
        wanted = [text for text in texts if text.startswith(("lay", "add", "pass", "stock"))]
        move = {"move": rng.choice(wanted or texts), "ply": look["ply"], "key": f"ben-{look['version']:06d}"}
        answer = ben.client.post(f"/t/{table}/act", data=move)
        assert answer.status_code in (303, 409), answer.text
    ben.client.close()


def play_in_page(page: Page, game: str) -> int:
    """Press anything until the game is over; return the number of presses."""
    rng, presses = random.Random(3), 0
    over = page.locator("#result-title")
    while not over.count():
        asked = page.evaluate(ASK)
        moves = asked["moves"]
        move = None
        if asked["mine"] and moves:
            move = choose_cards(asked, rng) if game == "sanghai" else rng.choice(moves)
        if move is not None and page.evaluate(PRESS, [asked["ply"], move, 0]):
            presses += 1
            stale = page.locator(f'#board input[name="ply"][value="{asked["ply"]}"]')
            expect(stale).to_have_count(0, timeout=120_000)
        else:
            page.wait_for_timeout(20)
    return presses


@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_a_day_is_played_compared_and_solved_again(browser: Browser, server: Server, game: str) -> None:
    play_by_api(server, game)
    day = server.house.days.today().isoformat()
    with person(browser, NARROW) as page:
        page.goto(f"{server.url}/daily/{game}/{day}")
        page.get_by_role("button", name="Play today's game").click()
        page.wait_for_url("**/t/*")
        table = page.url.rpartition("/")[2]
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        assert play_in_page(page, game) > 5

        page.locator(".occasion a").click()
        page.wait_for_url(f"**/daily/{game}/{day}")
        expect(page.locator(".day-table tbody tr")).to_have_count(2)
        expect(page.locator(".day-table tr.you")).to_have_count(1)
        expect(page.locator(".day-table")).to_contain_text("Ben")
        page.get_by_role("link", name="Compare my decisions").click()
        expect(page.get_by_role("heading", name="Unusual or costly decisions")).to_be_visible()
        # The end of the game has asked for its tip already, which begins the analysis.
        ask = page.get_by_role("button", name="Analyse the game")
        if ask.count():
            ask.click()
            page.wait_for_load_state()
        with server.house.store.read() as connection:
            mine = select(day_plays.c.person).where(day_plays.c.table_id == table)
            me = str(connection.execute(mine).scalar())
        done = lambda: server.house.analyses.look(table, me).status != "working"  # noqa: E731
        wait_until(done, "the analysis did not end", patience=LONG_S)
        page.goto(f"{server.url}/daily/{game}/{day}/compare")
        expect(page.locator(".day-figures")).to_contain_text("Wins gained by luck")
        expect(page.locator(".day-choices li").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]

        page.get_by_role("link", name="Practise the decisions that cost most").click()
        page.wait_for_url("**/me/problems")  # this page collects the problems
        if game == "sanghai":
            return  # one decision in eight rounds with four players rarely costs 5 % of the chance to win
        expect(page.locator(".pb-list").first).to_be_visible()
        lines = "all => all.map(one => one.scrollHeight / parseFloat(getComputedStyle(one).lineHeight))"
        assert max(page.locator(".pb-state").evaluate_all(lines)) < 1.5, "a broken word"
        bests = [
            (line, server.house.own_problems.pose(me, line.table, line.ply).best.move)
            for line in server.house.own_problems.list(me)
        ]
        assert bests
        for line, best in bests:
            page.goto(f"{server.url}/me/problems/{line.table}/{line.ply}")
            button = page.locator(f'#board button[name="move"][value="{best}"]')
            if button.count():
                button.first.dispatch_event("click")
                expect(page.get_by_text("Right.", exact=True)).to_be_visible()
                expect(page.locator(".row:has(> [href='/me/problems/next']) ~ .an-choices")).to_be_visible()
                break
        else:  # the best move of each is a laying, which is picked from the hand: send it as the page would
            answer = page.request.post(page.url, form={"move": best}, headers={"origin": server.url})
            assert "Right." in answer.text()
        page.goto(f"{server.url}/me/problems")
        expect(page.locator(".pb-list .pb-hard", has_text="◆")).to_have_count(1)
