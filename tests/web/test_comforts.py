"""The page's conveniences: plain keys, the confirm step, dragging, movement, and an hour shown step by step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import httpx2
import pytest
from playwright.sync_api import expect

from spelunke.games import shelf

from .conftest import Guest, Server, ready_to_move
from .test_browser import MOVE, NARROW, WIDE, person, reload, wait_for

expect.set_options(timeout=30_000)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = sorted(shelf())


def sit(page: Page, server: Server, game: str, seats: tuple[str, ...] = (), **plan: Any) -> tuple[Guest, str]:
    """Seat Anna at a new table of this game, by default against bots, and wait for her first turn."""
    anna = Guest(httpx2.Client(base_url=server.url, timeout=120))
    card = shelf()[game]
    given = seats or ("me", *[f"bot:{next(iter(card.levels))}"] * (min(card.seats) - 1))
    answer = anna.post("/tables", {"game": game, "seats": list(given), **plan})
    assert answer.status_code == 201, answer.text
    table = answer.json()["table"]
    page.context.add_cookies([{"name": "guest", "value": anna.token, "url": server.url}])
    page.goto(f"{server.url}/t/{table}")
    if not seats:
        page.locator('#turn[data-mine="true"]').wait_for()
    expect(page.locator('#connection[data-state="live"]')).to_be_visible()
    return anna, table


def for_two(page: Page, server: Server) -> tuple[Guest, Guest, str]:
    """Seat Anna on the page and Bert by the API, at a table where Anna starts."""
    anna, table = sit(page, server, "shanghaien", ("me", "open"), options={"first_starter": "0"})
    bert = Guest(httpx2.Client(base_url=server.url, timeout=120), "Bert")
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        guest.post(f"/tables/{table}/nonce", {"nonce": "share"})
    anna.wait(table, ready_to_move)
    page.locator('#turn[data-mine="true"]').wait_for()
    return anna, bert, table


def moves_of(look: dict[str, Any]) -> list[str]:
    return [move["text"] for move in look["legal"]]


def play(guest: Guest, table: str, move: str) -> None:
    answer = guest.play(table, move, guest.look(table)["ply"])
    assert answer.status_code == 200, answer.text


def ply_of(page: Page) -> str:
    return page.locator('#board input[name="ply"]').input_value()


def moved_on(page: Page, ply: str) -> None:
    expect(page.locator(f'#board input[name="ply"][value="{ply}"]')).to_have_count(0)


def say_and_hear(page: Page, words: str) -> None:
    """Send a chat line and wait for it. By then, the server has handled everything that this page sent before."""
    page.locator('input[name="text"]').fill(words)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#chat-lines")).to_contain_text(words)


def at_ply(page: Page, look: dict[str, Any]) -> None:
    """Wait until the page shows the ply of this look (state of the table), or a later ply."""
    wait_for(
        page,
        "ply => Number(document.querySelector('#board input[name=\"ply\"]')?.value ?? -1) >= ply",
        arg=look["ply"],
    )


@pytest.mark.deep
def test_a_plain_key_plays_unless_somebody_types(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit(page, server, "shanghaien", options={"first_starter": "0"})
        ply = ply_of(page)
        field = page.locator('input[name="text"]')
        field.fill("")
        field.press_sequentially("r?r")
        expect(field).to_have_value("r?r")
        page.keyboard.press("Shift+Tab")
        assert ply_of(page) == ply
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("r")
        assert ply_of(page) == ply, "the list of keys covers the board"
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        moved_on(page, ply)
        for _ in range(3):  # a die, then one of its cards, by their numbers
            dice = page.locator(
                '#board input[data-key]:visible, #board button[name="move"][data-key]:visible'
            )
            expect(dice.first).to_be_visible()
            if page.locator("#board .sh-die").count():
                break
            board = page.locator("#board").inner_html()
            key = str(dice.first.get_attribute("data-key")).split()[-1]
            page.keyboard.press(
                key.replace("arrow", "Arrow").replace("left", "Left").replace("right", "Right")
            )
            # Its cards light up, or if there is only one, the die is placed there.
            wait_for(
                page,
                "board => document.querySelector('#board input:checked')"
                " || document.getElementById('board').innerHTML !== board",
                arg=board,
            )
        expect(page.locator("#board .sh-die")).not_to_have_count(0)


@pytest.mark.deep
def test_plain_keys_can_be_switched_off(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit(page, server, "shanghaien", options={"first_starter": "0"})
        page.get_by_text("On this device").click()
        page.get_by_label("Play moves with single keys").uncheck()
        ply = ply_of(page)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        say_and_hear(page, "that was no move")
        assert ply_of(page) == ply


@pytest.mark.deep
def test_a_number_chooses_a_card_and_enter_lays_it(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        anna, table = sit(page, server, "halunken", options={"mode": "beginner", "two_player_beginner": True})
        while not any(move.startswith("card") for move in moves_of(anna.look(table))):
            play(anna, table, moves_of(anna.look(table))[0])
            anna.wait(table, ready_to_move)
        expect(page.locator('#board [value="card 4"]')).to_be_visible()
        page.keyboard.press("3")
        expect(page.locator("#confirm-what")).to_have_text(re.compile("^lay 3, to field [0-9]+$"))
        page.keyboard.press("Escape")
        expect(page.locator("#confirm")).to_be_hidden()
        page.keyboard.press("4")
        expect(page.locator('#board [value="card 4"].held')).to_be_visible()
        expect(page.locator("#log")).not_to_contain_text("lays")
        page.keyboard.press("Enter")
        expect(page.locator("#log")).to_contain_text("lays 4 face down")


@pytest.mark.deep
def test_the_confirm_step_asks_before_each_move(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        _anna, bert, table = for_two(page, server)
        page.get_by_text("On this device").click()
        page.get_by_label("Ask me to confirm each move").check()
        reload(page)
        page.get_by_role("button", name="Roll", exact=True).click()  # a roll can't be a slip
        target = page.locator(f"{MOVE}[data-drop], .sh-cast button[name=move]").first
        target.wait_for(state="attached")
        ply = ply_of(page)
        target.dispatch_event("click")
        expect(page.locator("#confirm")).to_be_visible()
        page.get_by_role("button", name="No").click()
        expect(page.locator("#confirm")).to_be_hidden()
        assert ply_of(page) == ply
        target.dispatch_event("click")
        page.get_by_role("button", name="Do it").click()
        moved_on(page, ply)
        assert bert.wait(table, ready_to_move)


def roll_two(page: Page, server: Server) -> tuple[Guest, str]:
    """Return Bert, and a table where Anna has rolled two different dice (equal ones need no dragging)."""
    for _ in range(12):
        _anna, bert, table = for_two(page, server)
        page.get_by_role("button", name="Roll", exact=True).click()
        page.locator(".sh-cast .sh-rolled").first.wait_for()
        if page.locator("#board [data-drag]").count():
            # During a drag the page opens no stream, so the stream must be open before.
            assert bert.post(f"/tables/{table}/chat", {"text": "ready?"}).status_code < 300
            expect(page.locator("#chat-lines")).to_contain_text("ready?")
            return bert, table
    raise AssertionError("always doubles")


@pytest.mark.deep
def test_an_arrow_lays_the_die_that_the_mouse_chose(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="reduce") as page:
        roll_two(page, server)
        die = page.locator("#board .sh-pick.sh-rolled").first
        die.click()
        page.keyboard.press("ArrowDown")
        expect(page.locator("#board .pick-high")).to_be_checked()
        page.keyboard.press("ArrowUp")
        expect(page.locator("#board .pick-low")).to_be_checked()
        low = page.locator("#board .sh-target.for-low[data-key~=arrowright]").get_attribute("value")
        with page.expect_request("**/act") as sent:
            page.keyboard.press("ArrowRight")
        assert parse_qs(sent.value.post_data or "")["move"] == [low]


@pytest.mark.deep
def test_a_press_on_a_card_chooses_the_die_that_fits(browser: Browser, server: Server) -> None:
    with person(browser, NARROW, reduced_motion="reduce") as page:
        aim = page.locator("#board .sh-targets:not(:has(.sh-aim ~ .sh-aim)) > .sh-aim").first
        for _ in range(12):  # if the dice add up to 7, both fit the same two cards
            roll_two(page, server)
            if aim.count():
                break
        target = aim.locator("xpath=preceding-sibling::button")
        move = target.get_attribute("value")
        expect(target).to_be_hidden()
        aim.click()
        expect(page.locator("#board [class*=pick-]:checked")).to_have_count(1)
        with page.expect_request("**/act") as sent:
            target.click()
        assert parse_qs(sent.value.post_data or "")["move"] == [move]


COUNT_HELD = """() => {
    window.came = 0;
    document.addEventListener("htmx:sse:before:message", (event) => {
      if (event.detail.message.event !== "beat") setTimeout(() => { window.came += 1; });
    });
}"""


@pytest.mark.deep
def test_a_push_waits_for_the_end_of_a_drag(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="reduce") as page:
        bert, table = roll_two(page, server)
        box = page.locator("#board [data-drag]").first.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] - 40, steps=4)
        expect(page.locator(".drag-ghost")).to_be_visible()
        page.evaluate(COUNT_HELD)
        assert bert.post(f"/tables/{table}/chat", {"text": "hurry"}).status_code < 300
        assert bert.post(f"/tables/{table}/chat", {"text": "well?"}).status_code < 300
        wait_for(page, "window.came >= 1")  # it has come, and waits
        expect(page.locator(".drag-ghost")).to_be_visible()
        expect(page.locator("#chat-lines")).not_to_contain_text("hurry")
        page.mouse.move(5, 5)
        page.mouse.up()
        expect(page.locator("#chat-lines")).to_contain_text("well?")


@pytest.mark.deep
def test_a_drop_after_a_push_plays_on_the_new_board(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="reduce") as page:
        bert, table = roll_two(page, server)
        piece = page.locator("#board [data-drag]").first
        ply = ply_of(page)
        box = piece.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 50, box["y"] - 30, steps=3)
        target = page.locator("#board button[data-drop]:visible").first
        spot = target.bounding_box()
        assert spot
        assert bert.post(f"/tables/{table}/chat", {"text": "hurry"}).status_code < 300
        page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2, steps=4)
        page.mouse.up()
        moved_on(page, ply)
        expect(page.locator("#board .sh-die")).to_have_count(1)
        expect(page.locator("#chat-lines")).to_contain_text("hurry")


WATCH = """() => {
  window.slid = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) { window.slid.push(this.id); return animate.apply(this, given); };
}"""


def lay_one(page: Page) -> None:
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator(f"{MOVE}[data-drop]").first.wait_for(state="attached")
    page.locator(f"{MOVE}[data-drop]").first.dispatch_event("click")
    expect(page.locator("#board .sh-die")).to_have_count(1)


@pytest.mark.deep
def test_a_die_slides_from_the_roll_to_its_card(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="no-preference") as page:
        for_two(page, server)
        page.evaluate(WATCH)
        lay_one(page)
        die = page.locator("#board .sh-die").get_attribute("id")
        assert set(page.evaluate("window.slid")) == {die}


@pytest.mark.deep
@pytest.mark.parametrize("way", ["device", "house"])
def test_nothing_is_animated_if_animations_are_switched_off(
    browser: Browser, server: Server, way: str
) -> None:
    with person(browser, reduced_motion="reduce" if way == "device" else "no-preference") as page:
        for_two(page, server)
        if way == "house":
            page.get_by_text("On this device").click()
            page.get_by_label("Animations").select_option("none")
            reload(page)
        page.evaluate(WATCH)
        lay_one(page)
        assert page.evaluate("window.slid") == []
        running = "document.querySelector('#board').getAnimations({subtree: true}).length"
        assert page.evaluate(running) == 0


@pytest.mark.deep
def test_pointing_at_the_shanghai_button_previews_who_would_get_which_card(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        anna, bert, table = for_two(page, server)
        turn = 0
        while "shanghai" not in moves_of(anna.look(table)):
            guest = anna if anna.look(table)["legal"] else bert
            play(guest, table, moves_of(guest.wait(table, ready_to_move))[0])
            turn += 1
            assert turn < 40
        button = page.locator("button.sh-shanghai:not(:disabled)")
        button.wait_for()
        fate = page.locator(".sh-place:not(.out) .sh-fate").first
        expect(fate).to_have_css("opacity", "0")
        button.hover()
        expect(fate).to_have_css("opacity", "0.94")
        page.mouse.move(2, 2)
        expect(fate).to_have_css("opacity", "0")
        button.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        expect(fate).to_have_css("opacity", "0.94")
        ply = ply_of(page)
        page.keyboard.press("Enter")
        moved_on(page, ply)
        expect(page.locator(".sh-settled li")).to_have_count(6)


def play_an_hour(page: Page, anna: Guest, table: str) -> None:
    """Play until the cards of an hour are revealed."""
    for _ in range(60):
        if page.locator("[data-track]").count():  # somebody moved: equal cards all stay
            return
        play(anna, table, moves_of(anna.wait(table, ready_to_move))[-1])
        at_ply(page, anna.wait(table, ready_to_move))
    pytest.fail("no hour came to its end")


@pytest.mark.deep
def test_saving_an_order_leads_back_to_the_board(browser: Browser, server: Server) -> None:
    """The form of a standing order stays open while others act. Saving closes it and scrolls back to the board."""
    with person(browser, (1280, 800)) as page:
        anna, table = sit(page, server, "halunken")
        while anna.look(table)["view"]["phase"] in ("placing", "hiding"):
            play(anna, table, moves_of(anna.wait(table, ready_to_move))[-1])
        at_ply(page, anna.wait(table, ready_to_move))
        form = page.locator(".hk-standing")
        form.locator("summary").click()
        play(anna, table, moves_of(anna.wait(table, ready_to_move))[-1])
        at_ply(page, anna.wait(table, ready_to_move))
        expect(form).to_have_attribute("open", "")
        save = form.get_by_role("button", name="Save this order")
        save.scroll_into_view_if_needed()
        page.mouse.wheel(0, 2000)
        expect(page.locator("#turn")).not_to_be_in_viewport()
        save.click()
        expect(page.locator(".hk-bids")).to_be_visible()
        expect(form).not_to_have_attribute("open", "")
        expect(page.locator("#turn")).to_be_in_viewport()
        expect(form.locator("summary")).to_be_focused()


# Each step that the newest story reaches.
NOTE_STORY = """new MutationObserver(() => {
  const story = document.querySelector("[data-story]");
  if (!story) return;
  if (window.story !== story.dataset.story) { window.story = story.dataset.story; window.told = []; }
  if (window.told.at(-1) !== story.dataset.at) window.told.push(story.dataset.at);
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-at"] })"""


@pytest.mark.deep
def test_an_hour_is_played_out_step_by_step(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="no-preference") as page:
        page.add_init_script(NOTE_STORY)
        anna, table = sit(page, server, "halunken")
        play_an_hour(page, anna, table)
        story = page.locator("[data-story]")
        last = str(page.locator("[data-step]").count() - 1)
        expect(story).to_have_attribute("data-at", last)
        told = page.evaluate("window.told")  # automatically, and from its beginning
        assert told == [str(step) for step in range(int(last) + 1)]
        where = "f => document.getElementById(f).getAttribute('transform')"
        figure = page.locator("[data-track]").first.get_attribute("id")
        end = page.evaluate(where, figure)
        story.get_by_role("button", name="to the first step").click()
        expect(story).to_have_attribute("data-at", "0")
        assert page.evaluate(where, figure) != end
        expect(story.get_by_role("button", name="to the first step")).to_be_disabled()
        for step in range(page.locator("[data-step]").count()):  # old and new are never shown side by side
            expect(story).to_have_attribute("data-at", str(step))
            assert page.locator(".hk-hours li:visible").count() == 8
            assert [page.locator(f".hk-crew.k{seat} .hk-track li:visible").count() for seat in (0, 1)] == [
                8,
                8,
            ]
            assert [page.locator(f".hk-crew.k{seat} .hk-sum:visible").count() for seat in (0, 1)] == [1, 1]
            story.get_by_role("button", name="one step forward").click(force=True)
        story.get_by_role("button", name="to the first step").click()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowRight")
        expect(story).to_have_attribute("data-at", "1")
        page.keyboard.press("ArrowLeft")
        expect(story).to_have_attribute("data-at", "0")
        story.get_by_role("button", name="play the steps, or pause").click()
        page.locator(".hk-harbour").click()  # on a phone the buttons are far from the harbour
        expect(story).to_have_attribute("data-at", last)
        reload(page)
        expect(story).to_have_attribute("data-at", last)
        assert page.evaluate(where, figure) == end


@pytest.mark.deep
def test_the_buttons_of_the_story_keep_their_place_when_it_is_played_again(
    browser: Browser, server: Server
) -> None:
    with person(browser, (1024, 768), reduced_motion="no-preference") as page:
        anna, table = sit(page, server, "halunken")
        play_an_hour(page, anna, table)
        last = str(page.locator("[data-step]").count() - 1)
        expect(page.locator("[data-story]")).to_have_attribute("data-at", last)
        expect(page.locator("html[data-telling]")).to_have_count(0)
        play = page.get_by_role("button", name="play the steps, or pause")
        play.scroll_into_view_if_needed()
        place = play.bounding_box()
        play.click()
        expect(page.locator("[data-story]")).to_have_attribute("data-at", "2")
        assert play.bounding_box() == place
        play.click()
        expect(page.locator("html[data-telling]")).to_have_count(0)
        assert play.bounding_box() == place


@pytest.mark.deep
def test_with_reduced_motion_the_story_of_an_hour_shows_its_end(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="reduce") as page:
        anna, table = sit(page, server, "halunken")
        play_an_hour(page, anna, table)
        last = str(page.locator("[data-step]").count() - 1)
        expect(page.locator("[data-story]")).to_have_attribute("data-at", last)


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 800), NARROW], ids=["wide", "narrow"])
def test_melds_lie_below_the_piles(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    with person(browser, size) as page:
        # Bots that collect for the contract lay it soon.
        anna, table = sit(page, server, "sanghai", ("me", "bot:uncle", "bot:uncle"))
        anna.post(f"/tables/{table}/nonce", {"nonce": "share"})
        melds, piles = page.locator(".sg-laid-out"), page.locator(".sg-middle")
        for _turn in range(200):
            if melds.count():
                break
            look = anna.wait(table, ready_to_move)
            anna.play(table, moves_of(look)[-1], look["ply"])
            at_ply(page, anna.look(table))
        expect(melds).to_be_visible()
        expect(piles).to_be_visible()
        # Both in one call: bots go on meanwhile, and a push between two calls moves the elements.
        end, begin = page.evaluate(
            """() => [
              document.querySelector(".sg-middle").getBoundingClientRect().bottom,
              document.querySelector(".sg-laid-out").getBoundingClientRect().top,
            ]"""
        )
        assert end <= begin + 1


@pytest.mark.deep
def test_a_hand_of_cards_keeps_its_place(browser: Browser, server: Server) -> None:
    """The hand keeps its place, and the row of buttons keeps its height, both during turns and while seats may call."""
    where = """() => {
      const box = part => document.querySelector(part).getBoundingClientRect();
      const kind = document.querySelector('.sg-call') ? 'call' : document.querySelector('.sanghai').dataset.phase;
      const asked = document.getElementById('turn').dataset.mine;
      return [kind + asked, `${box('.sg-hand').top - box('.sg-mine').top} ${box('.sg-acts').height}`];
    }"""
    with person(browser) as page:
        anna, table = sit(page, server, "sanghai")
        found = {}
        for _turn in range(16):
            look = anna.wait(table, ready_to_move)
            at_ply(page, look)
            moves = [move for move in moves_of(look) if not move.startswith(("lay", "hep", "add"))]
            for played in (False, True):
                kind, places = page.evaluate(where)
                assert found.setdefault(kind, places) == places
                if not played:
                    anna.play(table, moves[0], look["ply"])
                    moved_on(page, str(look["ply"]))
        assert {"calltrue", "turntrue"} <= set(found)
        assert len(set(found.values())) == 1, found


LOG_AT_END = """() => {
  const { scrollTop, clientHeight, scrollHeight } = document.querySelector("#log");
  return scrollTop + clientHeight > scrollHeight - 2;
}"""


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 800), NARROW], ids=["wide", "narrow"])
def test_the_log_hides_details_until_the_whole_log_is_chosen(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        sit(page, server, "sanghai")
        dealt = page.locator("#log > li", has_text="is dealt a card.")
        assert dealt.count() > 20
        assert dealt.locator("visible=true").count() == 0
        expect(page.locator("#log > .mark")).to_be_visible()
        assert "is dealt" not in page.locator("#said").inner_text()
        page.get_by_label("Show the whole log").check()
        expect(dealt.first).to_be_visible()
        for _coach in ("open", "closed") if size != NARROW else ():
            page.locator("#coach > summary").click()
            wait_for(page, LOG_AT_END)
            assert page.locator("#log").evaluate("one => one.clientHeight < 12 * 29"), "the list scrolls"


@pytest.mark.deep
def test_open_panels_beside_the_board_end_above_the_foot(browser: Browser, server: Server) -> None:
    with person(browser, (1280, 800)) as page:
        sit(page, server, "shanghaien")
        for summary in page.locator(".table-side summary").all():
            summary.click()
        assert page.locator(".table-side").evaluate("one => one.scrollHeight <= one.clientHeight"), (
            "the page scrolls, and no box in it"
        )
        assert page.locator("#log").evaluate("one => one.clientHeight > 5 * 22"), "the log has five lines"
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        side, foot = page.locator(".table-side").bounding_box(), page.locator(".foot").bounding_box()
        assert side["y"] + side["height"] <= foot["y"]
        about = page.locator("#fairness dd").last
        about.scroll_into_view_if_needed()
        expect(about).to_be_in_viewport()


@pytest.mark.deep
def test_messages_show_the_time_of_the_reader(browser: Browser, server: Server) -> None:
    with person(browser, timezone_id="Asia/Kathmandu") as page:  # 15 minutes off from full hours
        anna, table = sit(page, server, "shanghaien")
        assert anna.post(f"/tables/{table}/chat", {"text": "Ahoy"}).status_code in (200, 201)
        when = page.locator(".chat-line time")
        due = (
            """time => new Date(time.dateTime).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'})"""
        )
        house = when.get_attribute("datetime")[11:16]
        expect(when).to_have_text(when.evaluate(due))
        assert when.inner_text()[:5] != house
        reload(page)
        expect(when).to_have_text(when.evaluate(due))


@pytest.mark.deep
def test_a_push_does_not_fold_the_form_for_a_share_in_chance(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        _anna, table = sit(page, server, "sanghai", ("me", "open", "open"))
        summary = page.locator("summary", has_text="Add your own randomness")
        # It is pressed, and at the same moment a push draws it closed.
        summary.evaluate("one => { one.click(); one.parentElement.open = false; }")
        say_and_hear(page, "hello")
        field = page.locator("#nonce-field")
        expect(field).to_be_visible()
        field.fill("mine")
        ben = Guest(httpx2.Client(base_url=server.url, timeout=120), "Ben")
        assert ben.post(f"/tables/{table}/join", {}).status_code == 200
        expect(page.locator(".players")).to_contain_text("Ben")
        expect(field).to_be_visible()
        expect(field).to_have_value("mine")


@pytest.mark.deep
def test_the_page_scrolls_to_the_result_when_the_game_ends(browser: Browser, server: Server) -> None:
    with person(browser, NARROW) as page:
        anna, table = sit(page, server, "halunken")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert anna.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
        expect(page.locator("#result-title")).to_be_in_viewport(ratio=1)


SMALL = """() => [...document.querySelectorAll("main :is(a, button, summary, select, input:not([type=hidden]))")]
  .map(one => one.matches("label input, .sh-pick input") ? one.closest("label") : one)
  .filter(one => !one.matches(".sh-opens"))
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .map(one => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([box, one]) => `${Math.round(box.width)}×${Math.round(box.height)} ${one.outerHTML.slice(0, 150)}`)"""
"""Controls that are too small for a finger. The cells of a standing are left out, because buttons of full
size open the same.

Links in a line of text are not measured (a table's page has none).
"""


@pytest.mark.deep
@pytest.mark.parametrize("turns", [5, pytest.param(12, marks=pytest.mark.deep)])
@pytest.mark.parametrize("game", NAMES)
def test_a_finger_hits_every_control(browser: Browser, server: Server, game: str, turns: int) -> None:
    with person(browser, NARROW) as page:
        anna, table = sit(page, server, game)
        for turn in range(turns):
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.evaluate(SMALL) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
            moves = moves_of(anna.wait(table, ready_to_move))
            move = moves[turn * 7 % len(moves)]
            # Bots may have been quicker.
            assert anna.play(table, move, anna.look(table)["ply"]).status_code in (200, 409)
            anna.wait(table, ready_to_move)
            page.locator('#turn[data-mine="true"]').wait_for()


FOLD_OUT = """async (title) => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const top = () => title.getBoundingClientRect().top;
  title.scrollIntoView({ block: "center", behavior: "instant" });
  await frames();
  const before = top();
  title.click();
  await frames();
  return [before, top()];
}"""


@pytest.mark.parametrize("game", NAMES)
def test_a_phone_has_one_scroll_and_the_turn_in_sight(browser: Browser, server: Server, game: str) -> None:
    with person(browser, NARROW) as page:
        sit(page, server, game, clock={"kind": "live", "minutes": 10})
        nested = """() => [...document.querySelectorAll("main *")].filter(one => one.checkVisibility()
          && /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1
          && !one.closest("[popover]")).map(one => one.outerHTML.slice(0, 120))"""
        assert page.evaluate(nested) == []
        page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
        for part in ("#turn", "#connection", ".seat .clock"):
            expect(page.locator(part).first).to_be_in_viewport()
        opened = page.get_by_text("On this device").evaluate(FOLD_OUT)
        assert abs(opened[1] - opened[0]) < 1  # what is open below the title moves down, and the page stays


@pytest.mark.deep
def test_the_size_of_cards_is_kept_on_this_device(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit(page, server, "halunken")
        page.get_by_text("On this device").click()
        page.get_by_role("combobox", name="Cards").select_option("large")
        reload(page)
        expect(page.locator("html")).to_have_attribute("data-size", "large")
        assert WIDE[0] >= page.evaluate("document.documentElement.scrollWidth")
