"""People at tables of Sanghai in real browsers: calls out of turn, the end of the time for calls, bots that stand in.

Each run has the same deals, unless SPELUNKE_TEST_SEED selects others. The tests must pass with any deals, so they don't
depend on certain cards: people's moves are drawn from seeded numbers, and the checks hold for every deal.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

import httpx2
import pytest
from playwright.sync_api import expect

from .conftest import Guest, Server, serve
from .test_browser import ask, let_a_bot_play, reload, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("Anna", "Bert", "Carla", "Dora")
WIDE, NARROW = (1280, 900), (390, 844)
REFUSED = re.compile("status of 409|htmx:error: timeout")
"""A late click, which is reported beside the board, and a press that was slow and is sent again; browsers log both."""
ASK = """() => ({
    over: document.getElementById("result-title") !== null,
    mine: document.getElementById("turn")?.dataset.mine === "true",
    ply: document.querySelector('#board input[name="ply"]')?.value ?? "",
    moves: [...document.querySelectorAll('#board button[name="move"]')].map(one => one.value),
    best: document.querySelector(".sg-hint.best")?.textContent ?? "",
    helps: document.querySelector(".sg-hint:not(.best)")?.textContent ?? "",
    top: document.querySelector(".sg-discard .sr")?.textContent ?? "",
})"""
PRESS = """([ply, move, at]) => {
    const find = () => [...document.querySelectorAll('#board button[name="move"]')].find(one => one.value === move);
    if (document.querySelector('#board input[name="ply"]').value !== ply || !find()) return false;
    if (at) setTimeout(() => find()?.click(), at - Date.now()); else find().click();
    return true;
}"""
RING = """() => {
    const wait = document.querySelector("[data-pause]"), ring = wait?.querySelector("[data-ring]");
    return wait && {
        left: Number(wait.dataset.left),
        number: Number(wait.querySelector("[data-seconds]").textContent),
        offset: parseFloat(getComputedStyle(ring).strokeDashoffset),
        moving: ring.getAnimations().length,
    };
}"""
NOTE_PAUSES = """() => {
    window.pauses = [];
    const note = () => window.pauses.push(document.querySelector("[data-pause]")?.dataset.pause ?? "");
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
NEXT_NUMBER = """() => new Promise(done => {
    const read = () => document.querySelector("[data-pause] [data-seconds]")?.textContent;
    const first = read();
    const look = () => {
        const now = read();
        if (first === undefined || now === undefined) done(null);
        else if (now !== first) done([Number(first), Number(now)]);
        else setTimeout(look, 20);
    };
    look();
})"""
COUNT = """() => {
    window.messages = 0;
    document.addEventListener("htmx:sse:after:message", (event) => {
      if (event.detail.message.event !== "beat") window.messages += 1;
    });
}"""
SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
WORDS = re.compile(r" (is dealt|draws) (?!from the stock)(?:a card|\S+?)( for the call)?\.$")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server whose bots don't pause."""
    with serve(tmp_path_factory.mktemp("calls"), bot_pause=0.0) as server:
        yield server


def heed(asked: dict[str, Any], _rng: random.Random) -> str | None:
    """Choose a button by the page's hints. Return None if the other players should answer first."""
    moves = asked["moves"]
    *_said, top = asked["top"].partition(": ")
    rank, _of, suit = top.partition(" of ")
    sign = next((sign for sign, letter in SIGNS.items() if letter == suit[:1]), "")
    short = rank if rank.isdecimal() else rank[:1].upper()
    wanted = bool({top, f"any {short}", f"{short}{sign}"} & set(re.split("[,:] ", asked["helps"])))
    for word in ("lay ", "add "):
        for move in moves:
            if move.startswith(word):
                return str(move)
    if "pass" in moves:
        return "hep" if wanted else "pass"
    if "take" in moves and wanted:
        return "take"
    if "stock" in moves or "take" in moves:
        return "stock" if "stock" in moves else None
    found = re.search("discard (.*?)[.]$", asked["best"])
    if found:
        card = found[1].lower()
        return "discard *" if card == "joker" else f"discard {card[:-1]}{SIGNS[card[-1]]}"
    return choose(asked, _rng)


def choose(asked: dict[str, Any], rng: random.Random) -> str | None:
    """Choose a button that lays or adds cards if possible. Return None if the other players should answer first."""
    moves: list[str] = asked["moves"]
    for word in ("lay ", "add "):
        for move in moves:
            if move.startswith(word):
                return move
    if "pass" in moves:
        return "hep" if "hep" in moves and rng.random() < 0.25 else "pass"
    if "stock" in moves:
        return "take" if "take" in moves and rng.random() < 0.15 else "stock"
    if "take" in moves:
        return "wait" if "wait" in moves and rng.random() < 0.2 else None
    rest = sorted(move for move in moves if move != "compose")
    return rng.choice(rest) if rest else None


def tell_plainly(lines: list[str]) -> list[str]:
    """Return the part of a log that is the same for all readers.

    Hide the cards that the log's reader drew. Leave out the reader's own passes, and the lines that say "All have
    answered".
    """
    own = (" passes.", " may draw.")
    return [WORDS.sub(r" \1 a card\2.", line) for line in lines if not line.endswith(own)]


class Company:
    """People, each in a browser context of their own, and bots at one table."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        seats: tuple[str, ...],
        options: dict[str, Any],
        *,
        size: tuple[int, int] = WIDE,
        **plan: Any,
    ) -> None:
        self.complaints: list[str] = []
        self.moves = 0
        self.guests: dict[int, Guest] = {}
        self.pages: dict[int, Page] = {}
        self.clients: list[httpx2.Client] = []
        self.contexts: list[Any] = []
        try:
            people = sum(seat in ("me", "open") for seat in seats)
            self._sit_down(browser, server, seats, options, people, size, plan)
        except BaseException:
            self.leave()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_rest: object) -> None:
        self.leave()
        if kind is None:
            assert not self.complaints

    def _sit_down(
        self,
        browser: Browser,
        server: Server,
        seats: tuple[str, ...],
        options: dict[str, Any],
        people: int,
        size: tuple[int, int],
        plan: dict[str, Any],
    ) -> None:
        self.table = ""
        for name in NAMES[:people]:
            client = httpx2.Client(base_url=server.url, timeout=60)
            self.clients.append(client)
            guest = Guest(client, name)
            if self.table:
                assert guest.post(f"/tables/{self.table}/join", {}).status_code == 200
            else:
                # By default without a clock, whose time changes with each push.
                clock = {"kind": "none"}
                body = {"game": "sanghai", "seats": list(seats), "options": options, "clock": clock, **plan}
                answer = guest.post("/tables", body)
                assert answer.status_code == 201, answer.text
                self.table = answer.json()["table"]
            self.guests[guest.look(self.table)["seat"]] = guest
        for guest in self.guests.values():
            assert guest.post(f"/tables/{self.table}/nonce", {"nonce": "mine"}).status_code == 200
        next(iter(self.guests.values())).wait(self.table, lambda look: look["status"] == "playing")
        for seat, guest in self.guests.items():
            context = browser.new_context(viewport={"width": size[0], "height": size[1]})
            self.contexts.append(context)
            context.set_default_timeout(60_000)
            context.add_cookies([{"name": "guest", "value": guest.token, "url": server.url}])
            page = context.new_page()
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
            page.on("console", self._listen)
            page.add_init_script(f"({COUNT})()")
            page.goto(f"{server.url}/t/{self.table}")
            expect(page.locator('#connection[data-state="live"]')).to_be_visible(timeout=30_000)
            self.pages[seat] = page

    def _listen(self, message: Any) -> None:
        if message.type == "error" and not REFUSED.search(message.text):
            self.complaints.append(message.text)

    def leave(self) -> None:
        for context in self.contexts:
            context.close()
        for client in self.clients:
            client.close()

    def name(self, seat: int) -> str:
        return str(self.guests[seat].look(self.table)["names"][seat])

    def ask(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.pages[seat].evaluate(ASK)
        return found

    def press(self, seat: int, move: str, ply: str = "") -> None:
        """Press the button of a move on the seat's page, and wait until the page no longer shows this ply."""
        page = self.pages[seat]
        page.locator(f'#board button[name="move"][value="{move}"]').first.wait_for(state="attached")
        ply = ply or self.ask(seat)["ply"]
        if page.evaluate(PRESS, [ply, move, 0]):
            self.moves += 1
        page.locator(f'#board input[name="ply"][value="{ply}"]').wait_for(state="detached")

    def go_on(
        self,
        rng: random.Random,
        true: Callable[[], bool],
        moves: int = 2000,
        policy: Callable[[dict[str, Any], random.Random], str | None] = choose,
    ) -> None:
        """Let everybody who may act press something, until the condition holds or about `moves` presses were made."""
        most = self.moves + moves
        idle = 0
        while not true() and self.moves < most:
            before = self.moves
            for seat in self.pages:
                asked = self.ask(seat)
                move = policy(asked, rng) if asked["mine"] else None
                if move is not None:
                    if self.pages[seat].evaluate(PRESS, [asked["ply"], move, 0]):
                        self.moves += 1
                    stale = f'#board input[name="ply"][value="{asked["ply"]}"]'
                    self.pages[seat].locator(stale).wait_for(state="detached")
            idle = 0 if self.moves > before else idle + 1
            assert idle < 1000, "no seat is to act any more"
            if idle:
                next(iter(self.pages.values())).wait_for_timeout(40)

    def play_to_the_end(self, rounds: int = 8) -> None:
        """Let all people press the buttons that their pages advise, until the result is on each page."""
        first = next(iter(self.pages.values()))
        self.go_on(random.Random(8), lambda: self.ask_over(first), 20_000, heed)
        for page in self.pages.values():
            page.locator("#result-title").wait_for()
            expect(page.locator(".sg-scores tbody tr")).to_have_count(rounds)
            expect(page.locator(".sg-scores tbody .sg-mark")).to_have_count(rounds * 4)
            expect(page.locator(".sg-scores thead .avatar")).to_have_count(4)
        told = self.log(next(iter(self.pages)))
        for seat in self.pages:
            expect(self.pages[seat].locator("#log li")).to_have_text(told)
        ended = sum("wins round" in line or re.match(r"Round \d ends", line) is not None for line in told)
        assert ended == rounds

    @staticmethod
    def ask_over(page: Page) -> bool:
        return bool(page.evaluate("document.getElementById('result-title') !== null"))

    def keep_orders(self, seat: int, text: str) -> None:
        """Write standing orders for a seat on its page."""
        page = self.pages[seat]
        page.get_by_text("Standing orders for calls").click()
        page.get_by_text("Write the orders as text").click()
        page.locator('textarea[name="order.text"]').fill(text)
        page.get_by_role("button", name="Save this text").click()
        expect(page.get_by_role("button", name="Delete the orders")).to_be_visible()
        whole = "one => one.scrollWidth <= one.clientWidth && one.clientWidth > 200"
        assert page.locator(".sg-saved").evaluate(whole), "the stored orders can be read"

    def reach_window(self, rng: random.Random) -> tuple[int, int, list[int]]:
        """Play until a seat discards and others may call. Return this seat, the next one, and those that may call."""
        seats = len(self.pages)
        giver = self.open_window(rng)
        turn = (giver + 1) % seats
        callers = [(turn + k) % seats for k in range(1, seats - 1)]
        for seat in callers:
            self.pages[seat].locator("button.sg-hep").wait_for()
        return giver, turn, callers

    def open_window(self, rng: random.Random) -> int:
        """Play until a seat has discarded, so that others may call for the card. Return this seat."""
        self.go_on(rng, lambda: any(self._discards(seat) for seat in self.pages))
        giver = next(seat for seat in self.pages if self._discards(seat))
        drops = [move for move in self.ask(giver)["moves"] if move.startswith("discard ")]
        self.press(giver, rng.choice(sorted(drops)))
        return giver

    def read_ring(self, seat: int, rng: random.Random, most: int) -> tuple[int, dict[str, Any], int]:
        """Load a page when at most ``most`` ms are left of the time in which seats may call.

        Return the server's time left before the load, the page's countdown ring, and the server's time left afterwards.
        """
        guest, page = self.guests[seat], self.pages[seat]
        for _ in range(8):
            before = guest.wait(self.table, lambda look: (look["pause_left_ms"] or 0) <= most)
            if before["pause_left_ms"]:
                reload(page)
                ring = page.evaluate(RING)
                after = guest.look(self.table)
                if ring and after["pause_left_ms"] and after["ply"] == before["ply"]:
                    return before["pause_left_ms"], ring, after["pause_left_ms"]
            self.open_window(rng)
        raise AssertionError("each window closed before the page was loaded")

    def _discards(self, seat: int) -> bool:
        asked = self.ask(seat)
        return bool(asked["mine"]) and any(move.startswith("discard ") for move in asked["moves"])

    def log(self, seat: int) -> list[str]:
        return ask(self.pages[seat].locator("#log li").all_text_contents)

    def same_logs(self) -> list[str]:
        """Return the log that all pages show, once the last of them has caught up."""
        first, *others = self.pages
        told = tell_plainly(self.log(first))
        for seat in others:
            for _ in range(200):
                if tell_plainly(self.log(seat)) == told:
                    break
                self.pages[seat].wait_for_timeout(10)
            assert tell_plainly(self.log(seat)) == told
        return told

    def check_width(self) -> None:
        for page in self.pages.values():
            assert page.viewport_size is not None
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= page.viewport_size["width"], "no sideways scrolling"


FOUR = ("me", "open", "open", "open")


@pytest.mark.deep
def test_four_people_begin_a_match_and_their_bots_finish_it(browser: Browser, house: Server) -> None:
    options = {"schedule": "short", "hep_seconds": 3}
    with Company(browser, house, FOUR, options) as table:
        rng = random.Random(2026)
        # Nobody answers: silence is a pass, and the next player may draw.
        _giver, turn, callers = table.reach_window(rng)
        table.pages[turn].locator('#board button[value="stock"]').wait_for(timeout=20_000)
        for seat in callers:
            expect(table.pages[seat].locator("button.sg-hep")).to_have_count(0)
        table.press(turn, "stock")
        table.go_on(rng, lambda: False, moves=40)
        for page in table.pages.values():
            let_a_bot_play(page)
            # After the last of them has left, bots alone may have played to the end before the page is read.
            back = page.get_by_role("button", name="Take over from the bot")
            expect(back.or_(page.locator("#result-title")).first).to_be_visible()
            expect(page.locator("#head")).to_contain_text(re.compile("a bot plays instead| wins"))
            assert page is table.pages[max(table.pages)] or back.is_visible()
        for page in table.pages.values():
            page.locator("#result-title").wait_for(timeout=120_000)
            expect(page.locator(".result-table tbody tr")).to_have_count(4)
            expect(page.locator(".sg-scores tbody tr")).to_have_count(4)
        expect(table.pages[1].locator("#log li")).to_have_text(table.log(0))
        assert (
            sum("wins round" in line or re.match(r"Round \d ends", line) is not None for line in table.log(0))
            == 4
        )


@pytest.mark.deep(minutes=3)
def test_all_eight_rounds_in_four_browsers(browser: Browser, house: Server) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 0}) as table:
        table.play_to_the_end()


@pytest.mark.deep(minutes=3)
@pytest.mark.parametrize("orders", [False, True], ids=["all answer", "orders answer"])
def test_a_short_game_in_four_browsers_over_days(browser: Browser, house: Server, orders: bool) -> None:
    options = {"schedule": "short", "hep_window": "sequenced"}
    with Company(browser, house, FOUR, options, clock={"kind": "days", "days": 2}) as table:
        if orders:
            table.keep_orders(0, "what helps, jokers, at most two more")
            table.keep_orders(1, "jokers, what helps, never in rounds 1-3")
            table.keep_orders(3, "pass")
        table.play_to_the_end(rounds=4)


@pytest.mark.deep(minutes=3)
@pytest.mark.parametrize("days", [False, True], ids=["live", "over days"])
def test_all_eight_rounds_of_two_people_and_two_bots(browser: Browser, house: Server, days: bool) -> None:
    seats = ("me", "bot:uncle", "open", "bot:uncle")
    options = {"hep_seconds": 0, "hep_window": "sequenced" if days else "live"}
    plan: dict[str, Any] = {"clock": {"kind": "days", "days": 2}} if days else {}
    with Company(browser, house, seats, options, **plan) as table:
        if days:
            table.keep_orders(2, "what helps, jokers")
        table.play_to_the_end()


@pytest.mark.deep(minutes=3)
def test_all_eight_rounds_with_windows_of_three_seconds(browser: Browser, house: Server) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 3}) as table:
        table.go_on(random.Random(8), lambda: False, moves=60)
        for page in table.pages.values():
            let_a_bot_play(page)
        for page in table.pages.values():
            page.locator("#result-title").wait_for(timeout=1_800_000)
            expect(page.locator(".sg-scores tbody tr")).to_have_count(8)
        expect(table.pages[3].locator("#log li")).to_have_text(table.log(0))


@pytest.mark.deep
def test_two_people_and_two_bots_on_phones(browser: Browser, house: Server) -> None:
    options = {"schedule": "short", "hep_seconds": 0}
    seats = ("me", "bot:uncle", "open", "bot:uncle")
    with Company(browser, house, seats, options, size=NARROW) as table:
        ended = re.compile(r"wins round 1\.|Round 1 ends")
        over = table.pages[0].locator("#log li", has_text=ended)
        table.go_on(random.Random(390), lambda: over.count() > 0)
        for page in table.pages.values():
            expect(page.locator(".sg-round")).to_contain_text("Round 2", timeout=30_000)
            expect(page.locator("#log li", has_text=ended)).to_have_count(1)
        table.check_width()
        table.go_on(random.Random(391), lambda: False, moves=6)
        table.check_width()


@pytest.mark.deep
def test_eight_players_on_a_phone(browser: Browser, house: Server) -> None:
    seats = ("me", *["bot:novice"] * 7)
    # Nobody takes the card before all have answered, so that the call stays while it is checked.
    options = {"hep_window": "sequenced", "hep_seconds": 0}
    with Company(browser, house, seats, options, size=NARROW) as table:
        page = table.pages[0]
        hep = page.locator("button.sg-hep")
        table.go_on(random.Random(8), lambda: hep.count() > 0)
        table.check_width()
        page.evaluate("scrollTo(0, 0)")
        on_top = """one => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
        assert hep.evaluate(on_top), "nothing lies over the call"
        fits = "one => one.scrollWidth <= one.clientWidth"
        assert page.locator(".sg-scores .table-wrap").evaluate(fits), (
            "the score table needs no scrolling of its own"
        )
        small = """all => all.filter(one => {
            const { width, height } = one.getBoundingClientRect();
            return width && (width < 43.5 || height < 43.5);
        }).map(one => one.outerHTML.slice(0, 120))"""
        assert page.locator("#board button, #board summary, .sg-card").evaluate_all(small) == []


@pytest.mark.deep
@pytest.mark.parametrize(
    "simultaneous",
    [pytest.param(1000, id="a tie"), pytest.param(0, id="the first counts", marks=pytest.mark.deep)],
)
def test_two_people_call_at_once(browser: Browser, house: Server, simultaneous: int) -> None:
    options = {
        "hep_seconds": 0,
        "hep_tie": "seat_order",
        "hep_tie_ms": simultaneous,
        "hep_limit": 5,
    }
    with Company(browser, house, FOUR, options) as table:
        rng = random.Random(simultaneous)
        for swapped in (False, True):
            giver, turn, callers = table.reach_window(rng)
            near, far = callers
            before = len(table.same_logs())
            held = table.guests[near].look(table.table)["view"]["held"]
            order = (far, near) if swapped else (near, far)
            at = table.pages[near].evaluate("Date.now()") + 300
            for gap, seat in enumerate(order):
                assert table.pages[seat].evaluate(PRESS, [table.ask(seat)["ply"], "hep", at + 5 * gap])
            for page in table.pages.values():
                expect(page.locator(".sg-shout")).to_have_count(2, timeout=30_000)
            table.press(turn, "stock")
            for page in table.pages.values():
                expect(page.locator(".sg-shout")).to_have_count(0, timeout=30_000)
            lines = table.same_logs()[before:]
            calls = [line for line in lines if "calls hep for" in line]
            won = [line for line in lines if " by hep (" in line]
            assert len(calls) == 2, lines
            assert len(won) == 1, lines
            tied = calls[1].endswith("at the same time as another player.")
            assert tied or not simultaneous, "within a second is at the same time"
            winner = near if tied or calls[0].startswith(f"{table.name(near)} calls") else far
            assert won[0].startswith(f"{table.name(winner)} gets ")
            now = table.guests[near].look(table.table)["view"]["held"]
            gained = [now[seat] - held[seat] for seat in range(4)]
            loser = far if winner == near else near
            assert gained[winner] >= 1, "the card, and what is drawn for it"
            assert (gained[loser], gained[giver], gained[turn]) == (0, 0, 1)


@pytest.mark.deep  # tests/house/test_unnoticed.py tests the same without browsers
def test_nobody_learns_who_could_call_and_passed(browser: Browser, house: Server) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 0}) as table:
        rng = random.Random(7)
        for first in (0, 1):
            giver, turn, callers = table.reach_window(rng)
            table.same_logs()
            quiet, caller = callers[first], callers[1 - first]
            others = [seat for seat in table.pages if seat != quiet]
            versions = {seat: table.guests[seat].look(table.table)["version"] for seat in others}
            boards = {seat: table.pages[seat].locator("#board").inner_html() for seat in others}
            heads = {seat: table.pages[seat].locator("#head").inner_html() for seat in others}
            for seat in others:  # all pending messages have arrived
                table.pages[seat].evaluate("() => { window.messages = 0; }")
            table.press(quiet, "pass")
            for seat in others:
                assert table.guests[seat].look(table.table)["version"] == versions[seat]
            # The next chat line comes as the first message: the pass was none.
            word = f"said after window {first}"
            page = table.pages[giver]
            page.locator('input[name="text"]').fill(word)
            page.get_by_role("button", name="Send").click()
            for seat in others:
                expect(table.pages[seat].locator("#chat-lines")).to_contain_text(word, timeout=30_000)
                assert table.pages[seat].evaluate("window.messages") == 1
                changed = re.compile(r'name="(ply|key)" value="[^"]*"')
                board = table.pages[seat].locator("#board").inner_html()
                assert changed.sub("", board) == changed.sub("", boards[seat])
                assert table.pages[seat].locator("#head").inner_html() == heads[seat]
            table.press(caller, "hep")
            for seat in (giver, turn):
                expect(table.pages[seat].locator(".sg-shout")).to_have_count(1, timeout=30_000)
                assert not any(line.endswith(" passes.") for line in table.log(seat)[-3:])
            table.press(turn, "stock")
            expect(table.pages[giver].locator("#log")).to_contain_text(
                re.compile(f"{table.name(caller)} gets .* by hep"), timeout=30_000
            )


@pytest.mark.deep
def test_the_ring_shows_what_is_left_after_a_reload(browser: Browser, house: Server) -> None:
    """The time left that a reloaded page shows is between the times left on the server before and after the reload.

    If the time for calls ends meanwhile, the test continues with the next discard.
    """
    whole, rng = 12_000, random.Random(12)
    with Company(browser, house, FOUR, {"hep_seconds": whole // 1000}) as table:
        for page in table.pages.values():
            page.emulate_media(reduced_motion="no-preference")
            page.evaluate(NOTE_PAUSES)
        table.open_window(rng)
        for page in table.pages.values():  # whether or not they may call
            wait_for(page, f"window.pauses.includes('{whole}')")
        for seat in (0, 1):
            before, ring, after = table.read_ring(seat, rng, whole - 1500)
            assert after <= ring["left"] <= before
            passed = before - after  # the page was drawn at most this long ago
            assert (ring["left"] - passed) // 1000 <= ring["number"] <= -(-ring["left"] // 1000)
            assert ring["moving"] == 1
            drawn = -100 * (1 - ring["left"] / whole)
            assert drawn - 100 * passed / whole - 1 <= ring["offset"] <= drawn + 1
        # With reduced motion, only the number shows the time.
        page = table.pages[2]
        page.emulate_media(reduced_motion="reduce")
        for _ in range(8):
            _before, ring, _after = table.read_ring(2, rng, whole)
            assert ring["moving"] == 0
            numbers = page.evaluate(NEXT_NUMBER)
            if numbers:
                break
        assert numbers, "each window closed before the number changed"
        assert numbers[1] < numbers[0]


@pytest.mark.deep
def test_the_tray_shows_the_picked_cards_and_a_push_keeps_them_picked(
    browser: Browser, house: Server
) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 0}) as table:
        _giver, turn, (near, far) = table.reach_window(random.Random(13))
        page = table.pages[near]
        boxes = page.locator(".sg-hand input")
        for at in (0, 4, 7):
            boxes.nth(at).dispatch_event("click")  # the next card covers more than half of it
        picked = page.locator(".sg-picked")
        expect(picked).to_contain_text("9 cards are left, one of them to discard", timeout=60_000)
        expect(picked.locator("b", has_text="Set")).to_have_count(2)
        names = page.locator(".sg-hand input:checked").evaluate_all("all => all.map(one => one.value)")
        page.locator("summary", has_text="Contract tray").click()
        table.press(far, "hep")
        expect(page.locator(".sg-shout")).to_have_count(1, timeout=30_000)
        assert (
            page.locator(".sg-hand input:checked").evaluate_all("all => all.map(one => one.value)") == names
        )
        expect(picked).to_contain_text("9 cards are left, one of them to discard")
        expect(page.locator(".sg-tray")).to_have_attribute("open", "")
        boxes.nth(4).dispatch_event("click")
        expect(picked).to_contain_text("10 cards are left, one of them to discard")
        for at in (0, 7):
            boxes.nth(at).dispatch_event("click")
        expect(picked.locator("li")).to_have_count(0)
        table.press(near, "pass")
        table.press(turn, "stock")


@pytest.mark.deep
def test_only_the_owner_sees_a_preview_of_orders_while_typing(browser: Browser, house: Server) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 0}) as table:
        rng = random.Random(14)
        table.go_on(rng, lambda: False, moves=60)
        fields = {"fields": {"order.text": ["spades"]}}
        # A player who laid in the first turn had nothing to call for.
        owner = next(
            seat
            for seat, guest in table.guests.items()
            if guest.post(f"/tables/{table.table}/draft", fields).json()["considered"]["orders"]["discards"]
        )
        page = table.pages[owner]
        others = [other for seat, other in table.pages.items() if seat != owner]
        for other in others:
            other.evaluate("() => { window.messages = 0; }")
        page.get_by_text("Standing orders for calls").click()
        page.get_by_text("Write the orders as text").click()
        text = page.locator('textarea[name="order.text"]')
        text.press_sequentially("spades, hearts, at most one more")
        told = page.locator(".sg-rehearsal")
        expect(told).to_contain_text(
            re.compile(r"would have called for \d+ of the \d+ discards that you could call for")
        )
        text.fill("any elephant")
        wrong = page.locator(".sg-wrong", has_text="is not a standing order")
        expect(wrong).to_be_visible()
        expect(text).to_have_attribute("aria-invalid", "true")
        expect(told).to_have_text("")
        assert not table.complaints
        with page.expect_console_message(lambda message: "400" in message.text):
            page.get_by_role("button", name="Save this text").click()
        expect(page.locator("#trouble"), "the form shows the reason").to_have_class(re.compile(r"\bsr\b"))
        assert ["400" in one for one in table.complaints] == [True]
        table.complaints.clear()
        text.fill("clubs, diamonds")
        expect(wrong).to_have_count(0)
        expect(told).to_contain_text("would have called for")
        reload(page)
        expect(page.locator('textarea[name="order.text"]')).to_have_value("")  # nothing was stored
        for other in others:
            expect(other.locator(".sg-rehearsal")).to_have_text("")
            assert other.evaluate("window.messages") == 0


@pytest.mark.deep
def test_refused_orders_stay_in_the_form_while_the_game_goes_on(browser: Browser, house: Server) -> None:
    with Company(browser, house, FOUR, {"hep_seconds": 0}) as table:
        page = table.pages[0]
        page.get_by_text("Standing orders for calls").click()
        page.get_by_text("Write the orders as text").click()
        text = page.locator('textarea[name="order.text"]')
        wrong = page.locator(".sg-wrong", has_text="is not a standing order")
        text.fill("any elephant")
        for button in ("Save this text", "Save these orders"):
            with page.expect_console_message(lambda message: "400" in message.text):
                page.get_by_role("button", name=button).click()
            expect(page.locator("#trouble")).to_contain_text("is not a standing order")
            table.go_on(random.Random(14), lambda: False, moves=2)
            expect(text).to_have_value("any elephant")
            expect(wrong).to_be_visible()
        table.complaints.clear()
        text.fill("hearts")
        page.get_by_role("button", name="Save these orders").click()
        expect(page.locator(".sg-saved")).to_have_text("They answer for you: hearts")
        expect(wrong).to_have_count(0)


@pytest.mark.deep
def test_over_days_all_answer_before_the_next_player_decides(browser: Browser, house: Server) -> None:
    options = {"hep_window": "sequenced", "hep_seconds": 0}
    with Company(browser, house, FOUR, options, clock={"kind": "days", "days": 2}) as table:
        rng = random.Random(11)
        giver, turn, (near, far) = table.reach_window(rng)
        assert not table.ask(turn)["mine"], "he decides when all have answered"
        table.press(far, "hep")
        expect(table.pages[giver].locator(".sg-shout")).to_have_count(0)
        assert not table.ask(turn)["mine"]
        table.press(near, "pass")
        table.pages[turn].locator('#board button[value="stock"]').wait_for()
        for page in table.pages.values():
            expect(page.locator(".sg-shout")).to_have_count(1, timeout=30_000)
            expect(page.locator("#log li", has_text="calls hep for")).to_have_count(1)  # for its caller too
        table.press(turn, "stock")
        for page in table.pages.values():
            won = page.locator("#log li", has_text=re.compile(rf"{table.name(far)} gets .* by hep"))
            expect(won).to_have_count(1, timeout=30_000)
        # Standing orders answer for somebody who is away; nobody else sees them.
        away = giver
        table.keep_orders(away, "pass")
        drops = sorted(move for move in table.ask(turn)["moves"] if move.startswith("discard "))
        table.press(turn, rng.choice(drops))
        other = (turn + 3) % 4 if (turn + 3) % 4 != away else (turn + 2) % 4
        assert {away, other, turn} < set(range(4))
        table.press(other, "pass")
        table.pages[(turn + 1) % 4].locator('#board button[value="stock"]').wait_for()
        assert not any(
            page.get_by_text("Delete the orders").count() for s, page in table.pages.items() if s != away
        )
        table.go_on(rng, lambda: False, moves=12)
