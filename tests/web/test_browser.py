"""People at tables, in a real browser at two widths."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from playwright.sync_api import Error, expect

from waiting import wait_until

from .cable import Cable
from .conftest import GAME, Server, serve

expect.set_options(timeout=30_000)  # the first table of a fresh cache compiles its rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE, NARROW = (1280, 900), (390, 844)
SIZES = [pytest.param(WIDE, id="wide", marks=pytest.mark.deep), pytest.param(NARROW, id="narrow")]
"""Both widths, for tests that take long: the wide one in the deep run."""
LOOKS = [
    pytest.param(WIDE, "light", id="light-wide"),
    pytest.param(NARROW, "dark", id="dark-narrow"),
    pytest.param(WIDE, "dark", id="dark-wide", marks=pytest.mark.deep),
    pytest.param(NARROW, "light", id="light-narrow", marks=pytest.mark.deep),
]
"""Widths and colours; two pairs show each of them, the others are for the deep run."""
NETWORK = re.compile("Failed to load resource|network error|Failed to fetch|htmx:error: timeout")
SOON_MS = 5_000
"""The time in which a page is live again after its connection is restored."""
MOVE = '#board button[name="move"]:not([disabled])'


@contextlib.contextmanager
def person(
    browser: Browser, size: tuple[int, int] = WIDE, *, stays: bool = False, **more: Any
) -> Iterator[Page]:
    """Yield a page in a context of its own; errors in its console fail the test.

    The page skips the summaries of rounds. If `stays` is True, it shows them.
    """
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
    if not stays:
        context.add_init_script("try { localStorage.setItem('spelunke.summary', 'skip') } catch {}")
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type == "error" and not NETWORK.search(message.text)
            else None
        ),
    )
    try:
        yield page
        assert not complaints
    finally:
        context.close()


def sit_down_with_bot(page: Page, url: str, level: str = "deckhand") -> None:
    page.goto(url)
    card = page.locator("article", has=page.locator(f'input[value="{GAME}"]'))
    card.get_by_text("How strong is the bot?").click()
    card.locator(f'input[name="level"][value="{level}"]').check()
    card.get_by_role("button", name="Play a bot").click()
    page.wait_for_url("**/t/*")


def invite(page: Page) -> None:
    card = page.locator("article", has=page.locator(f'input[value="{GAME}"]'))
    card.get_by_role("button", name="Invite a friend").click()
    page.wait_for_url("**/t/*")


def go_on(page: Page) -> None:
    """Wait until the page has automatically skipped the summary of a round."""
    expect(page.locator("#summary-on")).to_have_count(0)


T = TypeVar("T")


def ask(question: Callable[[], T]) -> T:
    """Return the answer of a page to a question. A page that is just reloading itself is asked again."""
    return _repeat(question, "because of a navigation")


def _repeat(question: Callable[[], T], *signs: str) -> T:
    """Return the answer to a question. Ask again while it fails with an error that contains one of these texts."""
    answers: list[T] = []

    def is_answered() -> bool:
        try:
            answers.append(question())
        except Error as error:
            if not any(sign in str(error) for sign in signs):
                raise
        return bool(answers)

    wait_until(is_answered)
    return answers[0]


def wait_for(page: Page, true: str, arg: Any = None) -> None:
    """Wait until an expression or a function is true in the page.

    ``page.wait_for_function`` evaluates text in the page at each poll, which the content policy forbids.
    """
    wait_until(lambda: ask(lambda: page.evaluate(true, arg)), f"it never came to {true}")


def reload(page: Page) -> None:
    """Reload a page. If it has just begun to reload itself, reload it once more, because one aborts the other."""
    _repeat(page.reload, *ABORTED)


ABORTED = ("net::ERR_ABORTED", "is interrupted by another navigation")


def visit(page: Page, address: str) -> None:
    """Go to an address. If that is aborted because the page is just reloading itself, try again."""
    _repeat(partial(page.goto, address), *ABORTED)


def play_one(page: Page, turn: int = 0) -> bool:
    """Wait for a turn and make one move; return whether the game goes on."""
    asked = page.locator('#turn[data-mine="true"]')
    over = page.locator("#result-title")
    held = page.locator("#summary-on")
    asked.or_(over).or_(held).first.wait_for(state="visible")
    if held.count():
        go_on(page)
        asked.or_(over).first.wait_for(state="visible")
    if over.count():
        return False
    ply = page.locator('#board input[name="ply"]').input_value()
    moves = page.locator(MOVE)
    moves.first.wait_for(state="attached")
    count = moves.count()
    moves.nth(turn * 5 % count).dispatch_event("click") if count > 1 else moves.first.click()
    before = page.locator(f'#board input[name="ply"][value="{ply}"]')
    expect(before).to_have_count(0)
    return True


def resign(page: Page) -> None:
    page.locator("#resign > summary").click()
    page.get_by_role("button", name="Yes, resign").click()


def let_a_bot_play(page: Page) -> None:
    page.get_by_text("Let a bot play for me", exact=True).click()
    page.get_by_role("button", name="Yes, let a bot play").click()


def play_out(*pages: Page, most: int = 1000) -> int:
    """Make moves until all pages show the result, or until `most` moves were made. Return the number of these moves."""
    turn = 0
    until = time.monotonic() + 300
    while time.monotonic() < until:
        if turn >= most:
            return turn
        asked = [page for page in pages if page.locator('#turn[data-mine="true"]').count()]
        held = [page for page in pages if page.locator("#summary-on").count()]
        if held:
            go_on(held[0])
        elif asked:
            turn += play_one(asked[0], turn)
        elif all(page.locator("#result-title").count() for page in pages):
            return turn
        else:
            pages[0].wait_for_timeout(20)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize(
    ("size", "whole"),
    [
        pytest.param(NARROW, False, id="resigned"),
        pytest.param(WIDE, True, id="wide", marks=pytest.mark.deep),
        pytest.param(NARROW, True, id="narrow", marks=pytest.mark.deep),
    ],
)
def test_a_game_against_a_bot(browser: Browser, server: Server, size: tuple[int, int], whole: bool) -> None:
    with person(browser, size) as page:
        sit_down_with_bot(page, server.url)
        if whole:
            assert play_out(page) > 10
        else:
            assert play_out(page, most=8) == 8
            page.locator('#turn[data-mine="true"]').wait_for()
            resign(page)
        expect(page.locator("#result-title")).to_be_visible()
        expect(page.locator("#fairness")).to_contain_text(re.compile("[0-9a-f]{64}"))
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], "no sideways scrolling"
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the record").click()
        assert download.value.suggested_filename.endswith(".json")


@pytest.mark.parametrize(
    "whole", [pytest.param(False, id="resigned"), pytest.param(True, id="whole", marks=pytest.mark.deep)]
)
def test_a_game_between_two_browsers_by_link(browser: Browser, server: Server, whole: bool) -> None:
    with person(browser) as anna, person(browser, NARROW) as bert, person(browser) as eve:
        anna.goto(server.url)
        invite(anna)
        link = anna.locator("#invite-link").input_value()
        bert.goto(link)
        bert.get_by_label("Your name").fill("Bert")
        bert.get_by_role("button", name="Sit down and play").click()
        expect(anna.locator("#head")).to_contain_text("Bert")
        eve.goto(anna.url)
        if whole:
            assert play_out(anna, bert) > 20
        else:
            assert play_out(anna, bert, most=6) == 6
            resign(bert)
        for page in (anna, bert, eve):
            expect(page.locator("#result-title")).to_be_visible()
        lines = [page.locator("#log li").all_text_contents() for page in (anna, bert, eve)]
        assert lines[0] == lines[1] == lines[2], "all have the same log, complete and without doubles"
        anna.get_by_role("button", name="Offer a rematch").click()
        expect(bert.locator("#result")).to_contain_text("offers a rematch")
        expect(anna.locator("#waiting")).to_contain_text("Bert has not accepted yet")
        bert.get_by_role("button", name="Accept the rematch").click()
        for page in (anna, bert):
            expect(page.locator("#head .to-move")).to_have_count(1)
        assert anna.url == bert.url


def test_a_lost_connection_is_shown_and_caught_up(browser: Browser, server: Server) -> None:
    cable = Cable(server.port)
    with person(browser) as anna, person(browser) as bert:
        anna.goto(server.url)
        invite(anna)
        path = anna.locator("#invite-link").input_value().removeprefix(server.url)
        bert.goto(f"http://127.0.0.1:{cable.port}{path}")
        bert.get_by_label("Your name").fill("Bert")
        bert.get_by_role("button", name="Sit down and play").click()
        expect(bert.locator('#connection[data-state="live"]')).to_be_visible()
        expect(anna.locator("#head .to-move")).to_have_count(1)
        cable.cut()
        expect(bert.locator('#connection[data-state="lost"]')).to_be_visible()
        anna.locator('input[name="text"]').fill("are you there?")
        anna.get_by_role("button", name="Send").click()
        expect(anna.locator("#chat-lines")).to_contain_text("are you there?")
        cable.mend()
        expect(bert.locator("#chat-lines")).to_contain_text("are you there?", timeout=SOON_MS)
        expect(bert.locator('#connection[data-state="live"]')).to_be_visible()
        expect(bert.locator("#log li")).to_have_count(anna.locator("#log li").count())


@pytest.mark.deep
def test_a_game_goes_on_after_the_server_restarts(browser: Browser, tmp_path: Any) -> None:
    with serve(tmp_path, bot_pause=0.05) as server, person(browser) as page:
        sit_down_with_bot(page, server.url)
        for turn in range(4):
            play_one(page, turn)
        server.stop()
        expect(page.locator('#connection[data-state="lost"]')).to_be_visible()
        server.start()
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        lines = page.locator("#log li")
        for turn in range(4):
            play_one(page, turn)
        page.locator('#turn[data-mine="true"]').wait_for()
        told = lines.all_text_contents()
        reload(page)
        expect(lines).to_have_text(told)


def test_a_game_is_played_without_scripts(browser: Browser, server: Server) -> None:
    with person(browser, java_script_enabled=False) as page:
        sit_down_with_bot(page, server.url)
        start = page.get_by_role("button", name="Start now")
        if start.count():
            start.click()
        for _ in range(200):
            if page.locator(MOVE).count():
                break
            reload(page)
        for _ in range(3):
            visible = page.locator(f"{MOVE}:visible")
            if not visible.count():  # two dice that both have two cards: choose the die first
                page.locator("#board label:visible").first.click()
            visible.first.click()
            page.wait_for_url("**/t/*")
            for _ in range(200):
                if page.locator(MOVE).count():
                    break
                reload(page)
        assert page.locator("#log li").count() > 8
        page.set_viewport_size({"width": 1280, "height": 720})
        expect(page.locator("#log li").last, "the newest line").to_be_in_viewport()


def test_a_move_is_made_by_keyboard_alone(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit_down_with_bot(page, server.url)
        page.locator('#turn[data-mine="true"]').wait_for()
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        ply = page.locator('#board input[name="ply"]').input_value()
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('#board button[name=move]')"):
                break
        page.keyboard.press("Enter")
        expect(page.locator(f'#board input[name="ply"][value="{ply}"]')).to_have_count(0)
        expect(page.locator("#said")).not_to_be_empty()


def test_a_refused_move_is_told_beside_the_board(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit_down_with_bot(page, server.url)
        page.locator('#turn[data-mine="true"]').wait_for()
        board = page.locator("#board").inner_html()
        page.locator(MOVE).first.evaluate("button => button.value = 'shanghai'")
        page.locator(MOVE).first.click()
        expect(page.locator("#trouble")).to_contain_text(re.compile(r"\w.+\."))
        gone = re.compile(r' value="[^"]*"')
        assert gone.sub("", page.locator("#board").inner_html()) == gone.sub("", board), "the board stays"


@pytest.mark.deep
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_axe_finds_no_violation_on_the_pages_of_a_game(
    browser: Browser, server: Server, axe: str, size: tuple[int, int], scheme: Any
) -> None:
    with person(browser, size, color_scheme=scheme, reduced_motion="reduce") as page:

        def check(where: str) -> None:
            page.evaluate(axe)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            told = [
                (v["id"], [n["target"] for n in v["nodes"]][:4], v["nodes"][0]["failureSummary"])
                for v in found
            ]
            assert not told, f"{where}: {told}"
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (
                f"{where} scrolls sideways"
            )

        for path in (
            "/",
            f"/new/{GAME}",
            "/me",
            f"/rules/{GAME}",
            "/verify",
            "/login",
            "/member",
            "/nowhere",
        ):
            page.goto(server.url + path)
            check(path)
        page.goto(server.url)
        invite(page)
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        check("waiting")
        link = page.locator("#invite-link").input_value()
        with person(browser, size, color_scheme=scheme, reduced_motion="reduce") as friend:
            friend.goto(link)
            friend.evaluate(axe)
            assert not friend.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        sit_down_with_bot(page, server.url)
        page.locator('#turn[data-mine="true"]').wait_for()
        check("my turn")
        play_one(page)
        page.locator('#turn[data-mine="true"]').wait_for()
        check("after a move")
        resign(page)
        page.locator("#result-title").wait_for()
        check("over")
