"""Nonces: a browser commits to one, and reveals it when all have committed. Without scripts, it is sent in full."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from spelunke.house.house import open_house
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify
from spelunke.records.record import parse_record

from .conftest import Guest, Server, serve
from .test_browser import invite, person, reload, sit_down_with_bot
from .test_live import Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request, Route


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a house that begins a game only when all have given their nonces, however long somebody takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(open_house.__kwdefaults__, "nonce_wait", 600.0)
        with serve(tmp_path_factory.mktemp("house"), bot_pause=0.05) as server:
            yield server


def listen(page: Page, said: list[str]) -> None:
    """Record the data that a page sends to the form of nonces."""

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/nonce"):
            said.append(request.post_data or "")

    page.on("request", note)


def until(page: Page, true: Callable[[], bool]) -> None:
    """Wait until a condition holds, while the page handles its events."""
    for _ in range(200):
        if true():
            return
        page.wait_for_timeout(50)
    pytest.fail("it did not come to that")


def record_of(page: Page) -> Any:
    """Resign, and return the record of the game."""
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator("#result-title")).to_be_visible()
    answer = page.request.get(page.url.partition("?")[0] + "/record.json")
    return parse_record(answer.body())


def claim(record: Any) -> tuple[str, str]:
    return next(
        (one.state, one.text)
        for one in verify(record, Kept(key=record.proof.key)).claims
        if one.claim == "nonces"
    )


def open_invitation(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/t/*")


@pytest.mark.parametrize("typed", [False, True], ids=["made here", "typed"])
def test_two_pages_commit_before_either_opens(browser: Browser, server: Server, typed: bool) -> None:
    said: list[list[str]] = [[], []]
    with person(browser) as anna, person(browser) as bert:
        listen(anna, said[0])
        listen(bert, said[1])
        anna.goto(server.url)
        invite(anna)
        if typed:
            anna.locator("#share-in-chance > summary").click()
            anna.locator("#nonce-field").fill("harbour")
            anna.locator("#nonce").get_by_role("button", name="Send").click()
        expect(anna.locator('#nonce[data-given="true"]')).to_have_count(1)
        assert anna.locator("#nonce").get_attribute("data-opened") == "false"
        bound = anna.locator("#nonce").get_attribute("data-bound")
        assert said[0] == [f"commitment={bound}"], "the share itself stays in the browser"
        anna.bring_to_front()
        open_invitation(bert, anna.locator("#invite-link").input_value())
        for page in (anna, bert):
            expect(page.locator("#waiting")).to_be_empty()
        for sent in said:
            assert [text.partition("=")[0] for text in sent] == ["commitment", "nonce"]
            commitment, nonce = (text.partition("=")[2] for text in sent)
            assert hashlib.sha256(nonce.encode()).hexdigest() == commitment
        assert ("harbour" in said[0][1]) is typed
        assert claim(record_of(anna))[0] == "proven"


@pytest.mark.deep
def test_a_share_outlives_a_reload(browser: Browser, server: Server) -> None:
    with person(browser) as anna, person(browser) as bert:
        anna.goto(server.url)
        invite(anna)
        expect(anna.locator('#nonce[data-given="true"]')).to_have_count(1)
        reload(anna)
        anna.locator("#nonce").wait_for(state="attached")
        open_invitation(bert, anna.locator("#invite-link").input_value())
        expect(anna.locator("#waiting")).to_be_empty()
        record = record_of(anna)
        assert all(record.fairness.nonces)


@pytest.mark.deep
def test_a_share_that_comes_after_the_start_is_no_error(browser: Browser, server: Server) -> None:
    with person(browser) as anna, person(browser) as bert:
        anna.goto(server.url)
        invite(anna)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        bert.route("**/nonce", hold)
        open_invitation(bert, anna.locator("#invite-link").input_value())
        until(bert, lambda: bool(held))
        anna.get_by_role("button", name="Start now").click()
        expect(bert.locator("#waiting")).to_be_empty()
        with bert.expect_response("**/nonce") as answer:
            held[0].continue_()
        assert answer.value.status == 409
        bert.evaluate("fetch('/health').then(() => null)")  # later than the page's reaction to the answer
        expect(bert.locator("#trouble")).to_be_empty()


@pytest.mark.deep
def test_without_scripts_a_share_in_chance_is_sent_whole(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    with person(browser) as anna:
        anna.goto(server.url)
        invite(anna)
        expect(anna.locator('#nonce[data-given="true"]')).to_have_count(1)
        open_invitation(page, anna.locator("#invite-link").input_value())
        page.locator("#share-in-chance > summary").click()
        page.locator("#nonce-field").fill("lantern")
        page.locator("#nonce").get_by_role("button", name="Send").click()
        expect(anna.locator("#waiting")).to_be_empty()
        record = record_of(anna)
        assert record.fairness.nonces[1] == "lantern"
        assert ": the text (nonce) was sent without" in claim(record)[1]
    context.close()


@pytest.mark.deep
def test_against_a_bot_nothing_is_slower(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit_down_with_bot(page, server.url)
        expect(page.locator("#waiting")).to_be_empty()  # the house would have waited for minutes
        assert claim(record_of(page))[0] == "proven"


@pytest.mark.deep
def test_a_hidden_page_sends_its_share_in_chance_whole(browser: Browser, server: Server) -> None:
    web = Web(server)
    bert = Guest(web, "Bert")
    said: list[str] = []
    with person(browser) as anna:
        listen(anna, said)
        anna.goto(server.url)
        invite(anna)
        expect(anna.locator('#nonce[data-given="true"]')).to_have_count(1)
        anna.evaluate(
            """() => {
                Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )
        until(anna, lambda: len(said) == 2)
        assert said[1].startswith("nonce=")
        anna.evaluate(
            """() => {
                Object.defineProperty(document, "hidden", { get: () => false, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )
        until(anna, lambda: len(said) == 3)
        assert said[2].startswith("commitment=")
        expect(anna.locator(f'#nonce[data-bound="{said[2].partition("=")[2]}"]')).to_have_count(1)
        shares = json.loads(anna.evaluate("localStorage.getItem('spelunke.shares')"))
        table = anna.url.rpartition("/")[2]
        assert hashlib.sha256(shares[table].encode()).hexdigest() == anna.locator("#nonce").get_attribute(
            "data-bound"
        )
        assert bert.look(table)["fairness"]["nonces"] == [None, None]
    web.http.close()
