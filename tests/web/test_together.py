"""People and bots mixed at tables of games in which several act at once, in real browsers."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from spelunke.games import find_game, shelf

from .conftest import Guest, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES = [card for card in shelf().values() if card.together and hasattr(card.rules, "revise")]
NAMES = ("Anna", "Bert", "Carla")
MIXED = {2: ("me", "open"), 3: ("me", "bot", "bot"), 4: ("me", "open", "bot", "bot")}
TABLES = [pytest.param(card, n, id=f"{card.name} {n}") for card in GAMES for n in card.seats if n in MIXED]


class Together:
    """People, each in a browser of its own, and bots at one table."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        game: Any,
        seats: tuple[str, ...],
        options: dict[str, str] | None = None,
    ) -> None:
        import httpx2

        level = next(iter(game.levels))
        plan = [f"bot:{level}" if seat == "bot" else seat for seat in seats]
        self.people: list[Page] = []
        self.guests: list[Guest] = []
        self.complaints: list[str] = []
        for number in range(sum(seat in ("me", "open") for seat in seats)):
            guest = Guest(httpx2.Client(base_url=server.url), NAMES[number])
            size = {"width": 390, "height": 844} if number else {"width": 1280, "height": 900}
            context = browser.new_context(viewport=size)  # type: ignore[arg-type]
            # Skip the summary of an hour, which would wait for its reader.
            context.add_init_script("try { localStorage.setItem('spelunke.summary', 'skip') } catch {}")
            context.add_cookies([{"name": "guest", "value": guest.token, "url": server.url}])
            page = context.new_page()
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
            if number == 0:
                answer = guest.post("/tables", {"game": game.name, "seats": plan, "options": options or {}})
                assert answer.status_code == 201, answer.text
                self.table = answer.json()["table"]
            else:
                assert guest.post(f"/tables/{self.table}/join", {}).status_code == 200
            page.goto(f"{server.url}/t/{self.table}")
            self.people.append(page)
            self.guests.append(guest)

    def play(self, rng: random.Random, until: Any, moves: int = 2000) -> None:
        """Let everybody who may act click something, until the condition holds."""
        for _ in range(moves):
            if until():
                return
            for page in self.people:
                if page.locator('#turn[data-mine="true"]').count() == 0:
                    continue
                before = page.locator('#board input[name="ply"]').input_value()
                buttons = page.locator('#board button[name="move"]')
                values = buttons.evaluate_all("all => all.map(one => one.value)")
                if not values:
                    continue
                move = rng.choice(values).replace('"', '\\"')
                page.evaluate(
                    """move => document.querySelector(`#board button[name="move"][value="${move}"]`)?.click()""",
                    move,
                )
                gone = page.locator(f'#board input[name="ply"][value="{before}"]')
                expect(gone).to_have_count(0, timeout=60_000)
            self.people[0].wait_for_timeout(10)
        pytest.fail("it did not come to that")

    def close(self) -> None:
        for page in self.people:
            page.context.close()
        assert not self.complaints


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_whole_game_of_people_and_bots(browser: Browser, server: Server, game: Any, seats: int) -> None:
    table = Together(browser, server, game, MIXED[seats])
    try:
        over = lambda: all(page.locator("#result-title").count() for page in table.people)  # noqa: E731
        table.play(random.Random(seats), over)
        for page in table.people:
            expect(page.locator("#result-title")).to_be_visible()
            width = page.viewport_size["width"] if page.viewport_size else 0
            assert page.evaluate("document.documentElement.scrollWidth") <= width, "no sideways scrolling"
        logs = [page.locator("#log li").all_text_contents() for page in table.people]
        assert all(len(log) > 20 for log in logs)
        ends = {log[-1] for log in logs}
        assert len(ends) == 1, "all receive the same end"
    finally:
        table.close()


@pytest.mark.deep(minutes=2)
def test_the_beginners_game_to_its_end(browser: Browser, server: Server) -> None:
    table = Together(browser, server, find_game("halunken"), MIXED[3], {"mode": "beginner"})
    try:
        table.play(
            random.Random(8), lambda: all(page.locator("#result-title").count() for page in table.people)
        )
    finally:
        table.close()


READY = re.compile(
    r"You can change yours until all are ready\.|You are the last: your card is revealed at once\."
    r"|\bready\b|\bchoosing\b"
)
"""The words of a board that depend on who is ready, which everybody may know."""


# Press “take back” as soon as it is there, as the second press of a double press does.
PRESS_AGAIN = """() => new MutationObserver((_changes, observer) => {
  const back = document.querySelector('#board button[name=move][value^="take back"]');
  if (!back) return;
  observer.disconnect();
  const box = back.getBoundingClientRect();
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  back.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2, ...at }));
  window.pressedAgain = true;
}).observe(document.getElementById("board"), { subtree: true, childList: true, attributes: true })"""


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES, ids=lambda card: card.name)
def test_a_choice_is_sealed_looked_at_and_taken_back(browser: Browser, server: Server, game: Any) -> None:
    table = Together(browser, server, game, ("me", "open", "bot"))
    anna, bert = table.people
    try:
        both = lambda: all(p.locator('#turn[data-mine="true"]').count() for p in table.people)  # noqa: E731
        table.play(random.Random(1), both)
        others = bert.locator("#board").inner_text()
        anna.evaluate(PRESS_AGAIN)
        anna.locator('#board button[name="move"]').first.click()
        lamp = bert.locator(".seat-0 .lamp")
        expect(lamp).to_have_attribute("data-on", "true", timeout=60_000)
        back = anna.locator('#board button[name="move"][value^="take back"]')
        expect(back).to_be_visible()
        seen = bert.locator("#board").inner_text()
        assert READY.sub("", seen) == READY.sub("", others)
        assert anna.evaluate("window.pressedAgain"), "a double press does not take the choice back"
        expect(lamp).to_have_attribute("data-on", "true")
        back.press("Enter")
        expect(lamp).to_have_attribute("data-on", "false")
        expect(anna.locator('#turn[data-mine="true"]')).to_have_count(1)
    finally:
        table.close()
