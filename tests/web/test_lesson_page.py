"""A guided game in a browser: a person who presses the marked elements reaches its end."""

from __future__ import annotations

import re

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from web.conftest import Guest, Server
from web.test_browser import NARROW, person, wait_for

# The lesson's text and its ply: a button that only looks pressed is the same step.
SHOWN = """() => [".lesson-text", '#board input[name="ply"]']
  .map((one) => document.querySelector(one)).map((one) => one?.value ?? one?.textContent).join(" ")"""


# The top of the board, and the height of the row of buttons above it.
PLACES = """() => ["#act", ".lesson-foot"]
  .map((one) => document.querySelector(one)?.getBoundingClientRect())
  .map((box, at) => box?.width ? Math.round(at ? box.height : box.top) : null)"""


# The blank space above and below the lesson's text, and the size of its letters.
BLANK = """() => {
  const [room, text] = [".lesson-words", ".lesson-words > div"].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  const size = parseFloat(getComputedStyle(document.querySelector(".lesson-text")).fontSize);
  return [text.top - room.top, room.bottom - text.bottom, size];
}"""


# On a low phone, the controls are over the foot of the table.
OWN_LINE_COVERED = """() => {
  const [line, controls] = [".sh-party.s0", ".sh-controls"].map((one) =>
    document.querySelector(one)?.getBoundingClientRect());
  return innerHeight >= 844 && line && controls && controls.top < line.bottom;
}"""


# On a wide page, the log is right below the lesson, and the foot right below a board of usual width.
PLACED = """() => {
  const [text, side, board, foot] = [".lesson", ".table-side", ".table-board", ".table-foot"].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  const near = (below, above) => below.top >= above.bottom && below.top < above.bottom + 40;
  return near(side, text) && side.left < text.right && near(foot, board) && foot.height < 110 && board.width > 600;
}"""


def follow(page: Page, until: str | None = None) -> list[str]:
    """Press the marked element, or Next, until a text has these words or the lesson is over; return the texts.

    The board must keep its place. On phones, where the buttons are above it, they must be in one row.
    """
    narrow = page.evaluate("innerWidth < 640")
    lesson = page.locator("#lesson.lesson")
    told: list[str] = []
    tops: set[int] = set()
    for _press in range(120):
        ready = page.locator("#lesson button.primary, #board .lesson-target, body:not(:has(#lesson.lesson))")
        ready.first.wait_for(state="attached")
        if not lesson.count():
            return told
        assert page.locator(":is(#lesson, #summary) button.primary:visible").count() <= 1, (
            "one button at a time"
        )
        text = lesson.locator(".lesson-text").inner_text()
        assert not (text.startswith("Watch") and page.locator("#summary.summary").count())
        if text.startswith("These are the results"):
            expect(lesson.locator(".lesson-count"), "the next step has the number").to_be_empty()
        if text not in told[-1:]:
            told.append(text)
        if until is not None and until in text:
            return told
        before = page.evaluate(SHOWN)
        assert all(edge >= 2 for edge in page.evaluate(EDGES)), "the white ring has a dark edge outside"
        expect(ready.first).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("scrollY") == 0, "the text is in view as well"
        assert not page.evaluate(OWN_LINE_COVERED), "the player's own dice and points are in view"
        top, foot = page.evaluate(PLACES)
        tops |= {top} - {None}
        assert len(tops) < 2, "the board keeps its place"
        assert foot < 60 or not narrow, "the buttons are in one row"
        above, below, size = page.evaluate(BLANK)
        assert abs(above - below) < 3 or not narrow, "the text is in the middle of its box"
        assert above + below < 70 or size > 16 or not narrow, "a short text is larger"
        following = lesson.locator("button.primary")
        if following.count():
            following.click()
        else:
            page.locator("#board .lesson-target").first.click()
        confirm = page.locator("[data-confirm=yes]")
        if confirm.is_visible():
            confirm.click()
        wait_for(
            page,
            f"before => ({SHOWN})() !== before || document.querySelector('#board :checked')",
            arg=before,
        )
    raise AssertionError("the lesson has no end")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "first", "size"),
    [
        pytest.param("Shanghaien", "Welcome to the tavern.", (1280, 720), id="wide", marks=pytest.mark.deep),
        pytest.param("Shanghaien", "Welcome to the tavern.", (390, 664), id="phone"),
        pytest.param("Shanghaien", "Welcome to the tavern.", (390, 844), id="high-phone"),
        pytest.param("Halunken", "Night in the harbour.", (390, 664), id="phone-halunken"),
    ],
)
def test_a_newcomer_who_presses_what_is_marked_learns_the_game(
    browser: Browser, server: Server, game: str, first: str, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile(f"^Learn it.*{game}")).click()
        expect(page.locator("#lesson.lesson")).to_be_visible()
        for width in (1280, 1060) if size[0] == 1280 else ():
            page.set_viewport_size({"width": width, "height": size[1]})
            wait_for(page, PLACED)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        told = follow(page)
        assert told[0].startswith(first)
        assert "Have fun" in told[-1] or game != "Shanghaien"
        expect(page.locator("#lesson.lesson")).to_have_count(0)
        expect(page.locator("#trouble")).to_be_empty()


@pytest.mark.deep
def test_the_lesson_names_a_trick_card_by_the_word_on_it(browser: Browser, server: Server) -> None:
    with person(browser, (390, 844)) as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Shanghaien")).click()
        follow(page, until="play your trick card and lay both dice")
        expect(page.locator("#board .lesson-target")).to_have_text("both dice")
        page.locator("#board button[name=move]:visible").first.click()
        expect(page.locator(".lesson-waits")).to_have_text(
            "The lesson needs a different move now. Look for the white ring, and press “both dice”."
        )


# Count the frames that show the text of the step `begins` while a story runs or the dice roll. The first of them is
# looked at before it is complete, so it doesn't count.
EARLY = """begins => {
  let [frames, before] = [0, false];
  const watch = () => {
    const text = document.querySelector(".lesson-text > span");
    const dice = [...document.querySelectorAll(".sh-cast.thrown .die")].flatMap((one) => one.getAnimations());
    const early = text?.textContent.startsWith(begins)
      && text.checkVisibility({ opacityProperty: true })
      && (document.documentElement.hasAttribute("data-telling") || dice.some((one) => one.playState === "running"));
    if (early && before) frames += 1;
    before = early;
    document.body.dataset.early = frames;
    requestAnimationFrame(watch);
  };
  watch();
}"""


@pytest.mark.parametrize("size", [(1280, 800), NARROW], ids=["wide", "narrow"])
def test_the_text_on_an_hour_waits_until_the_board_has_shown_it(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """Until then, the box says so, and a press on it shows the end of the hour and the text. Screen readers have it."""
    with person(browser, size, stays=True, reduced_motion="no-preference") as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Halunken")).click()
        page.locator("#board .lesson-target[value='place 2']").click()
        page.locator("#lesson button.primary").click()
        page.evaluate(EARLY, "All cards were revealed")
        page.locator("#board .lesson-target[value='card 4']").click()
        page.locator("html[data-telling]").wait_for(state="attached")
        text = page.locator(".lesson-text > span")
        expect(text).to_have_text(re.compile("^All cards were revealed"))
        expect(text).to_have_css("opacity", "0")
        assert "Watch what" in page.evaluate(
            "getComputedStyle(document.querySelector('.lesson-text'), '::before').content"
        )
        box = page.locator("#lesson button.primary").bounding_box()
        assert box is not None
        before = page.locator("#lesson").bounding_box()
        page.mouse.click(box["x"] + 20, box["y"] + 20)
        page.locator("html:not([data-telling])").wait_for(state="attached")
        expect(text).to_have_css("opacity", "1")
        expect(text).to_have_text(re.compile("^All cards were revealed"))
        expect(page.locator("#summary")).to_be_visible()
        after = page.locator("#lesson").bounding_box()
        assert before is not None
        assert after is not None
        assert before["height"] == after["height"]
        expect(page.locator("body")).to_have_attribute("data-early", "0")


def test_the_text_on_a_roll_waits_for_the_dice(browser: Browser, server: Server) -> None:
    """It comes when the dice lie, or after a press. Without motion, it comes at once."""
    with person(browser, NARROW, reduced_motion="no-preference") as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Shanghaien")).click()
        page.locator('#connection[data-state="live"]').wait_for()
        page.locator("#lesson button.primary").click()
        page.evaluate(EARLY, "You lay one of the two")
        page.locator("#board .lesson-target[value=roll]").click()
        text = page.locator(".lesson-text > span")
        expect(text).to_have_text(re.compile("^You lay one of the two"))
        expect(text).to_have_css("opacity", "1")
        expect(page.locator("body")).to_have_attribute("data-early", "0")


# The width of the dark edge outside of the white ring.
EDGES = """() => [...document.querySelectorAll(".lesson-target")].map((one) => {
  const style = getComputedStyle(one);
  const wide = parseFloat(style.boxShadow.split("rgb(11, 42, 74) 0px 0px 0px ")[1]);
  return wide - parseFloat(style.outlineOffset) - parseFloat(style.outlineWidth);
})"""


STORY_ENDS = """() => {
  for (const one of document.querySelectorAll(".lesson-target")) one.classList.remove("lesson-target");
  document.dispatchEvent(new Event("spelunke:told"));
}"""


@pytest.mark.deep
def test_the_ring_returns_after_a_story(browser: Browser, server: Server) -> None:
    """After an hour of Halunken has been shown step by step, the lesson's ring is around the next control again."""
    with person(browser, NARROW) as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Halunken")).click()
        ring = page.locator("#board .lesson-target")
        expect(ring).to_have_attribute("value", "place 2")
        page.evaluate(STORY_ENDS)
        expect(ring).to_have_attribute("value", "place 2")


# While the dice fall, their targets are transparent. Here the dice fall for ever.
DICE_FALL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".sh-targets { animation: none !important; opacity: 0 }");
  document.adoptedStyleSheets.push(sheet);
}"""


@pytest.mark.deep
def test_a_wrong_press_in_a_lesson_sends_nothing(browser: Browser, server: Server) -> None:
    """After a wrong press, nothing is sent. The pressed element shakes, and the expected one keeps its ring.

    After the roll, the ring is on the die to pick, even before the buttons on the cards can be seen.
    """
    with person(browser, (1280, 800)) as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Shanghaien")).click()
        page.locator('#connection[data-state="live"]').wait_for()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.method))
        roll = page.locator("#board button[value=roll]")
        roll.click()
        expect(roll).to_have_class(re.compile(r"\blesson-no\b"))
        expect(page.locator("#lesson button.primary")).to_have_class(re.compile(r"\blesson-target\b"))
        expect(page.locator(".lesson-text")).to_contain_text("Welcome to the tavern.")
        expect(page.locator(".lesson-waits")).to_have_text(
            "The lesson needs a different move now. Look for the white ring, and press “Next”."
        )
        expect(page.locator("#trouble")).to_be_empty()
        assert "POST" not in asked
        page.locator("#lesson button.primary").click()
        expect(page.locator(".lesson-text")).not_to_contain_text("Welcome to the tavern.")
        expect(page.locator(".lesson-waits")).to_be_empty()
        before = asked.count("POST")
        page.get_by_role("button", name="Play on without the lesson").hover()
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        assert asked.count("POST") == before, "the second press of a double click was for the button before"
        page.evaluate(DICE_FALL)
        roll.click()
        expect(page.locator("#board label.sh-rolled.lesson-target")).to_have_count(1)
        page.evaluate("document.adoptedStyleSheets = []")
        page.locator("#board label:has(> .pick-low)").click()
        page.locator("#board .sh-target.for-low").first.click()
        expect(page.locator(".lesson-waits")).to_contain_text("press “Choose die 4")
        page.locator("#board .lesson-target").click()
        expect(page.locator(".lesson-waits")).to_be_empty()


# Whether the second meld on the table is in view, and not behind the hand.
QUEENS_SEEN = """() => {
  const meld = document.querySelectorAll(".sg-table .sg-meld")[1];
  const box = meld.getBoundingClientRect();
  return meld.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 4));
}"""
PICKED = '[...document.querySelectorAll("#board :checked")].length'


@pytest.mark.deep
@pytest.mark.parametrize("height", [844, 664])
def test_a_lesson_of_sanghai_leaves_its_buttons_in_view(
    browser: Browser, server: Server, height: int
) -> None:
    """On a phone the hand and its buttons stay in view below the lesson's text, however long the text is.

    A wrong card to discard is put back, because together with the right one it would hide the button.
    """
    with person(browser, (390, height)) as page:
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Learn it.*Sanghai")).click()
        page.locator('#connection[data-state="live"]').wait_for()
        ring = page.locator(":is(#board, #lesson) .lesson-target").first
        tops = set()
        for _press in range(12):
            tops.add(page.evaluate(PLACES)[0])
            expect(ring).to_be_in_viewport(ratio=0.99)
            discards = page.locator('#lesson[data-move^="discard"]').count()
            if discards and not page.locator(".sg-card :checked").count():
                page.locator(".sg-card label:not(.lesson-target)").first.click()
                page.locator(".sg-drop:visible").evaluate("one => one.click()")
                expect(page.locator(".lesson-waits")).to_contain_text("different move")
                expect(page.locator(".sg-card :checked")).to_have_count(0)
            before = page.evaluate(SHOWN), page.evaluate(PICKED)
            ring.evaluate("one => one.click()")  # late-presses.js ignores a pointer that presses at once
            wait_for(
                page,
                f"before => ({SHOWN})() !== before[0] || {PICKED} !== before[1]",
                arg=list(before),
            )
            page.locator(":is(#board, #lesson) .lesson-target").first.wait_for(state="attached")
        assert page.evaluate("scrollY") == 0
        assert len(tops) == 1, "the board keeps its place"
        expect(page.locator("#lesson")).to_have_attribute("data-move", "add qh to 2")
        ring.wait_for()
        expect(ring).to_be_in_viewport(ratio=0.99)
        assert page.evaluate(QUEENS_SEEN), "the melds are above the hand"


def test_the_lesson_works_without_scripts(server: Server) -> None:
    with httpx2.Client(base_url=server.url, timeout=60, follow_redirects=True) as client:
        page = client.post("/lessons", data={"game": "shanghaien"}, headers={"origin": server.url})
        assert page.status_code == 200
        assert "Welcome to the tavern." in page.text
        table = re.search(r"/t/(\w+)/lesson", page.text)
        assert table
        fields = dict(re.findall(r'name="(ply|key)" value="([^"]+)"', page.text))
        page = client.post(
            f"/t/{table[1]}/lesson", data={"way": "read", **fields}, headers={"origin": server.url}
        )
        assert "Press Roll" in page.text
        assert (
            client.post("/lessons", data={"game": "nothing"}, headers={"origin": server.url}).status_code
            == 404
        )


def test_the_last_step_of_a_lesson_has_one_button_to_play_on(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    table = (
        client.post("/lessons", data={"game": "sanghai", "short": "yes"}).headers["location"].split("/")[2]
    )
    alone = "Play on without the lesson"
    while True:
        look = anna.wait(table, lambda look: bool(look["lesson"] and look["lesson"]["text"]))
        lesson, key = look["lesson"], f"step-{look['ply']:06d}"
        page = client.get(f"/t/{table}").text
        if lesson["number"] == lesson["of"]:
            break
        assert alone in page
        if lesson["move"] is None:
            anna.post(f"/tables/{table}/lesson", {"way": "read", "ply": look["ply"], "key": key})
        else:
            anna.play(table, lesson["move"], look["ply"])
    assert re.search(r'class="button primary"[^>]*>Play on<', page)
    assert alone not in page


@pytest.mark.deep
def test_a_player_who_knows_rummy_can_take_the_short_lesson(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        page.goto(server.url + "/rules/sanghai")
        page.get_by_role("button", name="Learn it by playing").click()
        first = page.url
        expect(page.locator("#lesson")).to_contain_text("1 of 27")
        page.get_by_role("button", name="I know rummy").click()
        expect(page.locator("#lesson")).to_contain_text("1 of 9")
        assert page.url != first
        expect(page.get_by_role("button", name="I know rummy")).to_have_count(0)
        page.locator("#lesson").get_by_role("button", name="Next").click()
        expect(page.locator("#lesson")).to_contain_text("three 2s already")
        page.locator("#board button[name=move][value=stock]").click()
        expect(page.locator("#lesson")).to_contain_text("3 of 9")
