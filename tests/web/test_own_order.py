"""A hand in the player's own order: arranged by mouse, touch and keys, and kept when the server updates the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from spelunke.web.words import languages

from .conftest import Guest, Server, ready_to_move
from .test_browser import NARROW, WIDE, person, reload, wait_for
from .test_comforts import moves_of, ply_of, sit
from .test_tray import to_the_contract

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SEEN = """() => [...document.querySelectorAll('.sg-hand > .sg-card')]
  .map(card => [card.getBoundingClientRect(), card.dataset.card])
  .sort(([a], [b]) => a.top - b.top || a.left - b.left).map(([, name]) => name)"""


def seen(page: Page) -> list[str]:
    """Return the hand in the order on the screen."""
    cards: list[str] = page.evaluate(SEEN)
    return cards


def moved(cards: list[str], card: str, place: int) -> list[str]:
    """Return the cards with one of them at another place."""
    rest = [other for other in cards if other != card]
    return [*rest[:place], card, *rest[place:]]


def arrange(page: Page, server: Server) -> tuple[Guest, str, list[str]]:
    """Arrange Anna's hand in her own order; return her, the table and that order."""
    anna, table = sit(page, server, "sanghai")
    before = seen(page)
    page.locator(".sg-sort label", has_text="my order").click()
    expect(page.locator(".sg-hand")).to_have_attribute("data-own", "")
    wait_for(page, "() => 'Sortable' in window")
    assert seen(page) == before
    return anna, table, before


def spot(page: Page, card: str, side: float = 0.2) -> tuple[float, float]:
    """Return a point on the visible part of the card; `side` says how far to the right."""
    box = page.locator(f'.sg-hand > [data-card="{card}"]').bounding_box()
    assert box
    return box["x"] + box["width"] * side, box["y"] + box["height"] / 2


def shows(page: Page, cards: list[str]) -> None:
    page.wait_for_timeout(250)  # until the others have made space
    assert seen(page) == cards


@pytest.mark.deep
def test_the_orders_of_a_hand_are_in_one_row_of_a_phone_in_every_language(
    browser: Browser, server: Server
) -> None:
    with person(browser, NARROW) as page:
        sit(page, server, "sanghai")
        for language in languages():
            page.context.add_cookies([{"name": "language", "value": language, "url": server.url}])
            page.reload()
            page.locator(".sg-sort label").first.wait_for()
            rows = page.evaluate(
                "[...document.querySelectorAll('.sg-sort label, .sg-display > summary')]"
                ".map(one => one.getBoundingClientRect().top)"
            )
            assert len(rows) == 4
            assert len(set(rows)) == 1, language


@pytest.mark.deep
def test_a_card_is_dragged_to_its_place_and_stays_there(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, table, cards = arrange(page, server)
        first, target = cards[1], cards[5]
        page.mouse.move(*spot(page, first))
        page.mouse.down()
        page.mouse.move(*spot(page, target, 0.9), steps=8)
        expect(page.locator(".sg-card.lifted")).to_have_count(1)
        page.wait_for_timeout(300)
        page.mouse.up()
        due = moved(cards, first, 5)
        shows(page, due)
        expect(page.locator(".sg-card.lifted")).to_have_count(0)
        assert page.locator(".sg-hand :checked").count() == 0, "a drag picks nothing"
        # A click still works as a click.
        page.mouse.click(*spot(page, first))
        expect(page.locator(f'.sg-hand > [data-card="{first}"] input')).to_be_checked()
        page.mouse.click(*spot(page, first))
        expect(page.locator(".sg-hand :checked")).to_have_count(0)
        reload(page)
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        shows(page, due)
        # A push sends the hand in the house's order; new cards come last.
        look = anna.wait(table, ready_to_move)
        anna.play(
            table, next(move for move in moves_of(look) if move.startswith(("stock", "draw"))), look["ply"]
        )
        expect(page.locator(".sg-hand > .sg-card")).to_have_count(len(cards) + 1)
        assert seen(page)[:-1] == due


@pytest.mark.deep
def test_a_push_waits_until_the_card_is_dropped(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, table, cards = arrange(page, server)
        page.mouse.move(*spot(page, cards[0]))
        page.mouse.down()
        page.mouse.move(*spot(page, cards[3], 0.9), steps=8)
        expect(page.locator(".sg-card.lifted")).to_have_count(1)
        assert anna.post(f"/tables/{table}/chat", {"text": "hurry"}).status_code < 300
        page.wait_for_timeout(700)
        expect(page.locator("#chat-lines")).not_to_contain_text("hurry")
        expect(page.locator(".sg-card.lifted")).to_have_count(1)
        page.mouse.up()
        expect(page.locator("#chat-lines")).to_contain_text("hurry")
        shows(page, moved(cards, cards[0], 3))


@pytest.mark.deep
def test_a_finger_drags_a_card(browser: Browser, server: Server) -> None:
    with person(browser, NARROW, has_touch=True, is_mobile=True) as page:
        _anna, _table, cards = arrange(page, server)
        finger = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            given = [{"x": x, "y": y} for x, y in points]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": given})

        start, end = spot(page, cards[0]), spot(page, cards[2], 0.9)
        touch("touchStart", start)
        for step in range(1, 11):
            part = step / 10
            touch("touchMove", tuple(a + (b - a) * part for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
            page.wait_for_timeout(20)
        expect(page.locator(".sg-card.lifted")).to_have_count(1)
        page.wait_for_timeout(300)
        touch("touchEnd")
        shows(page, moved(cards, cards[0], 2))


@pytest.mark.deep
def test_a_page_scrolls_under_a_card_at_its_edge(browser: Browser, server: Server) -> None:
    with person(browser, (NARROW[0], 500)) as page:
        _anna, _table, cards = arrange(page, server)
        page.locator(".sg-hand").scroll_into_view_if_needed()
        x, _y = spot(page, cards[0])
        before = page.evaluate("scrollY")
        assert before > 100
        page.mouse.move(*spot(page, cards[0]))
        page.mouse.down()
        page.mouse.move(x, 40, steps=8)
        for wobble in range(20):
            page.mouse.move(x + wobble % 2, 4)
            page.wait_for_timeout(30)
        page.mouse.up()
        assert page.evaluate("scrollY") < before - 50


OLDER = """() => {
  CSS.supports = () => false;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".sg-hand { reading-flow: normal !important }");
  document.adoptedStyleSheets = [sheet];
}"""
"""Make this browser one in which Tab follows the order of the elements."""


DRAFT = """() => new Promise((done) => {
  const button = document.createElement("button");
  Object.assign(button, { name: "draft", value: "again" });
  document.addEventListener("htmx:finally:request", () => done(), { once: true });
  document.getElementById("act").append(button);
  button.click();
})"""
"""Press a button whose answer has the hand, as the one that sets a meld aside, and wait for the answer."""


def focused(page: Page) -> str | None:
    """Return the card with the focus."""
    card: str | None = page.evaluate("document.activeElement.closest('.sg-card')?.dataset.card ?? null")
    return card


def test_tab_goes_from_the_top_of_the_page_through_the_hand(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit(page, server, "sanghai")
        page.locator(".skip").focus()
        for _ in range(30):
            page.keyboard.press("Tab")
            if focused(page):
                break
        assert focused(page) == seen(page)[0]
        last = page.locator(".sg-bar summary")
        for _ in range(40):
            page.keyboard.press("Tab")
            if last.evaluate("one => one === document.activeElement"):
                break
        expect(last).to_be_focused()


@pytest.mark.deep
@pytest.mark.parametrize("older", [False, True], ids=["reading-flow", "older"])
def test_keys_follow_the_visible_order_of_a_hand(browser: Browser, server: Server, older: bool) -> None:
    with person(browser) as page:
        if older:
            page.add_init_script(f"({OLDER})()")
        sit(page, server, "sanghai")
        by_suit = seen(page)
        page.locator(".sg-sort label", has_text="by rank").click()
        cards = seen(page)
        assert cards != by_suit
        page.locator(".sg-mine").focus()
        page.keyboard.press("Tab")
        assert focused(page) == cards[0]
        for key, due in (("ArrowLeft", 0), ("ArrowRight", 1), ("End", -1), ("ArrowRight", -1), ("Home", 0)):
            page.keyboard.press(key)
            assert focused(page) == cards[due], key
        if older:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Tab")
            assert focused(page) is None, "Tab leaves the hand"
            page.keyboard.press("Shift+Tab")
            assert focused(page) == cards[1]
        else:
            for card in cards[1:]:
                page.keyboard.press("Tab")
                assert focused(page) == card
            page.keyboard.press("Shift+Tab")
            assert focused(page) == cards[-2]
        assert page.locator(".sg-hand :checked").count() == 0


@pytest.mark.deep
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_keys_move_a_card_within_the_hand(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    with person(browser, size, service_workers="block") as page:
        _anna, table, cards = arrange(page, server)
        page.locator(f'.sg-hand > [data-card="{cards[0]}"] input').focus()
        page.keyboard.press("Alt+ArrowRight")
        page.keyboard.press("Alt+ArrowRight")
        shows(page, moved(cards, cards[0], 2))
        page.keyboard.press("Alt+ArrowLeft")
        shows(page, moved(cards, cards[0], 1))
        # The answer to a draft has the hand in the house's order.
        page.evaluate(DRAFT)
        assert seen(page) == moved(cards, cards[0], 1)
        # The order is that of one deal: the next one begins sorted, until a card is moved.
        page.route(f"**/t/{table}", deal_again)
        reload(page)
        expect(page.locator(".sg-sort [data-sort=own]")).to_be_checked()
        assert seen(page) == cards
        page.locator(f'.sg-hand > [data-card="{cards[0]}"] input').focus()
        page.keyboard.press("Alt+ArrowRight")
        shows(page, moved(cards, cards[0], 1))


def deal_again(route: Route) -> None:
    """Answer with the same page, as if its hand were that of the next round."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('data-draft="1"', 'data-draft="2"'))


def middle(page: Page, selector: str, side: float = 0.5) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] * side, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the mouse, as a person does who has not touched the page before."""
    page.mouse.move(*start)
    wait_for(page, "() => 'Sortable' in window")
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    expect(page.locator(".sg-card.lifted")).to_have_count(1)
    page.wait_for_timeout(300)
    page.mouse.up()


@pytest.mark.deep
def test_a_mouse_sorts_a_hand_without_choosing_an_order_first(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit(page, server, "sanghai")
        cards, own = seen(page), page.locator(".sg-sort [data-sort=own]")
        # Dropped beside the hand: the card returns, and the hand is still sorted by suit.
        drag(page, spot(page, cards[1]), middle(page, ".sg-contract strong"))
        shows(page, cards)
        expect(page.locator("#trouble")).to_contain_text("You can drag a card to the discards")
        expect(own).not_to_be_checked()
        page.mouse.click(*spot(page, cards[0]))
        expect(page.locator(".sg-hand :checked"), "the first click after a drag counts").to_have_count(1)
        page.mouse.click(*spot(page, cards[0]))
        drag(page, spot(page, cards[1]), spot(page, cards[5], 0.9))
        due = moved(cards, cards[1], 5)
        shows(page, due)
        expect(own).to_be_checked()
        assert page.evaluate("getSelection().toString()") == ""
        assert page.locator(".sg-hand :checked").count() == 0
        reload(page)
        shows(page, due)
        sit(page, server, "sanghai")
        expect(own, "the choice is for every table of the game").to_be_checked()
        shows(
            page, page.locator(".sg-hand > .sg-card").evaluate_all("all => all.map(one => one.dataset.card)")
        )


@pytest.mark.deep
def test_a_card_is_dragged_to_the_discards(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, table = sit(page, server, "sanghai")
        cards, trouble = seen(page), page.locator("#trouble")
        place = page.locator(".sg-hand").bounding_box()
        drag(page, spot(page, cards[1]), middle(page, ".sg-discard"))
        expect(trouble).to_have_text("You can do this only in your turn, after you have drawn a card.")
        shows(page, cards)
        assert page.locator(".sg-hand").bounding_box() == place
        look = anna.wait(table, ready_to_move)
        assert look["ply"] == int(ply_of(page)), "a refused drop plays nothing"
        page.keyboard.press("s")
        expect(page.locator(".sg-hand > .sg-card")).to_have_count(len(cards) + 1)
        drag(page, spot(page, cards[2]), middle(page, ".sg-discard"))
        expect(page.locator(".sg-hand > .sg-card")).to_have_count(len(cards))
        assert cards[2] not in seen(page)
        expect(trouble).to_be_empty()
        expect(page.locator(".sg-sort [data-sort=own]")).not_to_be_checked()


@pytest.mark.deep
def test_a_card_is_dragged_to_a_meld(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        to_the_contract(server, page, "add qh to 2")
        queens, eights = (page.locator(f'.sg-meld[data-takes^="add * to {n}|"]') for n in (2, 4))
        drag(page, spot(page, "qh.1"), middle(page, '.sg-meld[data-takes^="add * to 4|"]'))
        expect(page.locator(".lesson-waits"), "this queen is for another meld").not_to_be_empty()
        expect(eights.locator(".sg-cards > li")).to_have_count(3)
        page.mouse.move(*spot(page, "qh.1"))
        page.mouse.down()
        page.mouse.move(*middle(page, '.sg-meld[data-takes^="add * to 2|"]'), steps=8)
        expect(page.locator(".sg-meld[data-ready]")).to_have_count(1)
        page.wait_for_timeout(300)
        page.mouse.up()
        expect(queens.locator(".sg-cards > li")).to_have_count(4)
        expect(page.locator("[data-ready]")).to_have_count(0)


@pytest.mark.deep
def test_a_finger_scrolls_a_hand_that_the_game_sorts(browser: Browser, server: Server) -> None:
    with person(browser, NARROW, has_touch=True, is_mobile=True) as page:
        sit(page, server, "sanghai")
        page.locator(".sg-hand").tap(position={"x": 5, "y": 5}, force=True)
        assert page.evaluate("getComputedStyle(document.querySelector('.sg-card')).touchAction") == "auto"
        assert not page.evaluate("'Sortable' in window"), "a finger drags only in the personal order"
