"""Movements on a board: they begin at the old place, are short, and don't happen if the person doesn't want them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from .conftest import Server
from .test_browser import person, wait_for
from .test_comforts import at_ply, moves_of, play, play_an_hour, sit
from .test_layout_shift import _begin, _play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONGEST_MS = 900
WIDE = (1280, 800)

_WATCH = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const time = options.duration * (options.iterations ?? 1) + (options.delay ?? 0);
    window.moved.push([this.id, Object.keys(frames[0]), time, this.className.toString()]);
    return animate.call(this, frames, options);
  };
  document.addEventListener("animationstart", (event) => {
    for (const one of event.target.getAnimations().filter((one) => one instanceof CSSAnimation)) {
      const timing = one.effect.getComputedTiming();
      window.moved.push([one.animationName, [], timing.endTime, event.target.getAttribute("class") ?? ""]);
    }
  }, true);
}"""


_NOTE_END = """window.endings = [];
document.addEventListener("spelunke:ended", () => {
  window.endings.push(document.querySelector("[data-story]").dataset.at);
});"""


# The state of the page as each story begins: the turn, the sign in its place, and whether result and log can be seen.
_NOTE_BEGINNING = """[window.begun, window.leads] = [[], []];
new MutationObserver(() => requestAnimationFrame(() => {
  const telling = () => document.documentElement.hasAttribute("data-telling");
  if (!telling()) return;
  const turn = document.querySelector("#turn > span"), sign = getComputedStyle(turn, "::before");
  const seen = (name) => document.querySelector(name)?.checkVisibility() ?? false;
  const hides = [getComputedStyle(turn).visibility, sign.content, sign.visibility];
  window.begun.push([...hides, seen("#result.result"), seen("#log > li:last-child")]);
  document.querySelector("#board .to2")?.classList.add("held");
  const lead = document.querySelector("#board .l2");
  if (lead) setTimeout(() => telling() && window.leads.push(getComputedStyle(lead).opacity), 200);
})).observe(document, { subtree: true, attributeFilter: ["data-telling"] });
"""
_HIDDEN = ["hidden", '"… "', "visible", False, False]


def _moved(page: Page) -> list[list[Any]]:
    found: list[list[Any]] = page.evaluate("() => window.moved")
    return found


def _open(page: Page, server: Server, game: str) -> None:
    _begin(page, server.url, game)
    page.evaluate(_WATCH)


@pytest.mark.deep
def test_cards_slide_from_the_stock_and_to_the_discards(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, stays=True, reduced_motion="no-preference") as page:
        _open(page, server, "sanghai")
        stock = page.locator("button.sg-pile.lit[data-key~=s]")
        expect(stock).to_be_visible(timeout=30_000)
        stock.click()
        page.wait_for_function(
            "() => window.moved.some(([id, keys]) => /-card$/.test(id) && keys.includes('transform'))"
        )
        page.locator(".sg-card label").first.click(position={"x": 8, "y": 20})
        page.locator(".sg-drop:visible").first.click()
        page.wait_for_function("() => window.moved.some(([id]) => /-top-/.test(id))")
        slid = [time for _id, keys, time, _name in _moved(page) if "transform" in keys]
        assert max(slid) <= LONGEST_MS


@pytest.mark.deep
def test_a_key_ends_the_animation_of_thrown_dice(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, stays=True, reduced_motion="no-preference") as page:
        _open(page, server, "shanghaien")
        roll = page.locator('button[name=move][value="roll"]')
        expect(roll).to_be_visible(timeout=30_000)
        roll.click()
        page.wait_for_function("() => window.moved.some(([id]) => id.startsWith('sh-throw'))")
        page.keyboard.press("Shift")
        running = "() => document.getAnimations().filter((one) => /^sh-throw/.test(one.animationName)).length"
        assert page.evaluate(running) == 0
        thrown = [time for name, _keys, time, _class in _moved(page) if name.startswith("sh-throw")]
        assert max(thrown) <= LONGEST_MS


@pytest.mark.deep
def test_targets_are_shown_when_the_dice_have_landed(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, stays=True, reduced_motion="no-preference") as page:
        _open(page, server, "shanghaien")
        roll = page.locator('button[name=move][value="roll"]')
        expect(roll).to_be_visible(timeout=30_000)
        roll.click()
        page.locator(".sh-targets button").first.wait_for(state="attached")
        opacity = page.evaluate(
            """() => {
              const one = document.querySelector(".sh-targets");
              return [0.3, 0.6, 0.84].map((part) => {
                for (const motion of one.getAnimations()) { motion.pause(); motion.currentTime = part * 1000; }
                return Number(getComputedStyle(one).opacity);
              });
            }"""
        )
        assert opacity == [0, 0, 1]
        assert page.locator(".sh-targets button").first.is_enabled()  # nothing is delayed


# Dice fall for an hour, so that each press finds them falling.
_FALL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".sh-cast.thrown .sh-rolled > .die { animation-duration: 3600s !important }");
  document.adoptedStyleSheets.push(sheet);
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_double_press_on_roll_lays_no_die(browser: Browser, server: Server, motion: Any) -> None:
    with person(browser, WIDE, stays=True, reduced_motion=motion) as page:
        _open(page, server, "shanghaien")
        page.evaluate(_FALL)
        roll, die = page.locator('button[name=move][value="roll"]'), page.locator("button.sh-rolled").first
        pick, card = page.locator(".sh-cast .sh-pick").first, page.locator("button.sh-target:visible").first
        for _turn in range(6):  # the first die of a round decides the direction, and then dice can be pressed
            expect(roll).to_be_enabled(timeout=30_000)
            roll.click()
            page.locator(".sh-cast.thrown").wait_for()
            if die.count():
                break
            if pick.count():
                pick.click()
            card.click()
        before = page.locator("#board input[name=ply]").first.input_value()
        box = die.bounding_box()
        assert box is not None
        if motion == "no-preference":
            wait_for(
                page,
                "document.getAnimations().some((one) => /^sh-throw/.test(one.animationName) && one.currentTime > 500)",
            )
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        wait_for(page, "!document.getAnimations().some((one) => /^sh-throw/.test(one.animationName))")
        expect(die).to_be_visible()
        assert page.locator("#board input[name=ply]").first.input_value() == before
        die.press("Enter")
        expect(die).to_be_hidden()


_NOTE_DUSK = """() => {
  window.dusks = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    if (this.className === "dusk") {
      if (frames[0].opacity) window.clearing = options.duration;
      else if (window.skips) setTimeout(() => document.dispatchEvent(new Event("pointerdown")));
      window.dusks.push([frames[0].opacity, document.getElementById("board").checkVisibility()]);
      window.dusk = this.textContent;
      const title = () => {
        window.dusks.push(document.getElementById("summary-title").checkVisibility());
        window.fading = this.textContent;
      };
      if (frames[0].opacity) requestAnimationFrame(title);
    }
    return animate.call(this, frames, options);
  };
}"""


@pytest.mark.deep
def test_the_board_darkens_before_the_summary_takes_its_place(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, stays=True, reduced_motion="no-preference") as page:
        _open(page, server, "shanghaien")
        page.evaluate(_NOTE_DUSK)
        _play(page, 1)
        assert page.evaluate("window.dusks")[:3] == [[0, True], [1, True], True]
        assert "called Shanghai." in page.evaluate("window.dusk")
        assert page.evaluate("window.clearing") <= 300, "the summary can be read at once"
        assert page.evaluate("window.fading") == "", "no sentence fades over the summary's text"
        expect(page.locator(".dusk")).to_have_count(0)
        flown = [one for one in _moved(page) if "transform" in one[1] and "sh-face" in str(one[3])]
        assert not flown, "nothing flies over the text"


@pytest.mark.deep
def test_a_press_ends_the_darkness_before_the_summary(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, stays=True, reduced_motion="no-preference") as page:
        _open(page, server, "shanghaien")
        page.evaluate("window.skips = true")
        page.evaluate(_NOTE_DUSK)
        page.evaluate(
            """() => new MutationObserver(() => {
              const gone = !document.querySelector(".dusk");
              if (document.querySelector("#summary.summary")) window.gone ??= gone;
            }).observe(document.body, { childList: true, subtree: true })"""
        )
        _play(page, 1)
        assert page.evaluate("[window.dusks.length > 0, window.gone]") == [True, True]


@pytest.mark.parametrize("game", ["shanghaien", "sanghai"])
def test_nothing_slides_where_movement_is_unwanted(browser: Browser, server: Server, game: str) -> None:
    with person(browser, WIDE) as page:
        page.emulate_media(reduced_motion="reduce")
        _open(page, server, game)
        button = "button.sg-pile.lit[data-key~=s]" if game == "sanghai" else 'button[name=move][value="roll"]'
        expect(page.locator(button)).to_be_visible(timeout=30_000)
        page.locator(button).click()
        expect(page.locator(button)).to_have_count(0)
        assert [one for one in _moved(page) if "transform" in one[1]] == []


@pytest.mark.deep
def test_the_last_hour_is_told_before_the_winner_is_named(browser: Browser, server: Server) -> None:
    """The log, the line about the turn, and the box with the result show the result only after the hour's last step."""
    with person(browser, reduced_motion="no-preference") as page:
        page.add_init_script("try { localStorage.setItem('spelunke.speed', 'quick') } catch {}")
        page.add_init_script(_NOTE_END + _NOTE_BEGINNING)
        anna, table = sit(page, server, "halunken", options={"mode": "beginner", "two_player_beginner": True})
        look = anna.look(table)
        while look["status"] != "over":
            play(anna, table, moves_of(look)[-1])
            look = anna.wait(table, lambda look: bool(look["legal"]) or look["status"] == "over")
        turn, card = page.locator("#turn > span"), page.locator("#result.result")
        card.wait_for(state="attached")
        expect(card).to_be_visible()
        expect(page.locator("html[data-telling]")).to_have_count(0)
        assert page.evaluate("window.begun").pop() == _HIDDEN
        last = page.locator("[data-story] [data-step]").last
        expect(
            last.locator("input").or_(page.locator("[data-story] [data-all]")).locator(":scope:checked")
        ).to_have_count(1)
        expect(last).not_to_have_class(re.compile("later"))
        expect(turn).to_be_visible()
        expect(turn).to_have_text(look["result"]["text"])
        assert turn.evaluate("one => getComputedStyle(one, '::before').content") == "none"
        expect(page.locator("#log > li").last).to_be_visible()
        # Once, after the last step: an ending in between would be played, and scrolled to, behind the story.
        assert page.evaluate("window.endings") == [str(page.locator("[data-story] [data-step]").count() - 1)]
        expect(page.locator("#result-title")).to_be_in_viewport(ratio=1)


# Read before any frame can be painted: after all observers of the change that brings the line.
_FIRST_SEEN = """new MutationObserver((_, seen) => {
  const title = document.getElementById("result-title");
  if (!title) return;
  seen.disconnect();
  queueMicrotask(() => { window.firstSeen = getComputedStyle(title).opacity; });
}).observe(document, { childList: true, subtree: true });"""


@pytest.mark.deep
def test_the_line_with_the_winner_fades_in_from_its_first_frame(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="no-preference") as page:
        page.add_init_script(_FIRST_SEEN)
        anna, table = sit(page, server, "shanghaien")
        anna.post(f"/tables/{table}/resign", {"key": "give-it-up"})
        expect(page.locator("#result-title")).to_be_visible()
        wait_for(page, "window.firstSeen !== undefined")
        assert page.evaluate("window.firstSeen") == "0"
        expect(page.locator("#result-title")).to_have_css("opacity", "1")


_LISTEN = """
try {
  localStorage.setItem("spelunke.volume", "60");
  localStorage.setItem("spelunke.speed", "quick");
} catch {}
window.heard = [];
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...when) {
    window.heard.push([this.frequency?.value ?? 0, document.documentElement.hasAttribute("data-telling")]);
    return start.apply(this, when);
  };
}
"""
ROUND_HERTZ, TURN_HERTZ = 523, 660


@pytest.mark.deep
def test_an_hour_is_told_before_its_bell_and_the_next_decision(browser: Browser, server: Server) -> None:
    """While a page shows an hour step by step, it rings no bell for the hour's end, and announces no next turn."""
    with person(browser, reduced_motion="no-preference", stays=True) as page:
        page.add_init_script(_LISTEN + _NOTE_BEGINNING)
        anna, table = sit(page, server, "halunken", options={"mode": "beginner", "two_player_beginner": True})
        page.locator("#turn").click()  # sounds are allowed after a press
        while not page.evaluate("window.begun.length"):
            look = anna.wait(table, lambda look: bool(look["legal"]))
            play(anna, table, moves_of(look)[0])
            expect(page.locator(f'#said[data-ply="{look["ply"]}"]')).to_have_count(0)
            if moves_of(look)[0].startswith("card"):
                wait_for(page, "window.begun.length > 0")
        expect(page.locator("html[data-telling]")).to_have_count(0)
        assert page.evaluate("window.begun") == [_HIDDEN]
        assert page.evaluate("window.leads") == ["0"], "a way of the next hour"
        turn = page.locator("#turn > span").first
        expect(turn).not_to_have_css("visibility", "hidden")
        expect(page.locator("#log > .mark").last).to_be_visible()
        page.wait_for_function("hertz => window.heard.some(([one]) => one === hertz)", arg=ROUND_HERTZ)
        early = [one for one, telling in page.evaluate("window.heard") if telling]
        assert not {ROUND_HERTZ, TURN_HERTZ} & set(early)


@pytest.mark.deep
def test_the_end_of_an_auction_does_not_hide_the_next_decision(browser: Browser, server: Server) -> None:
    with person(browser, reduced_motion="no-preference") as page:
        page.add_init_script(_NOTE_BEGINNING)
        anna, table = sit(page, server, "halunken")
        bids = lambda look: look["view"]["phase"] == "bidding" and look["view"]["hour"] > 1  # noqa: E731
        while not bids(look := anna.wait(table, lambda look: bool(look["legal"]))):
            play(anna, table, moves_of(look)[0])
        expect(page.locator("html[data-telling]")).to_have_count(0)
        begun = page.evaluate("window.begun.length")
        while bids(look := anna.wait(table, lambda look: bool(look["legal"]))):
            play(anna, table, moves_of(look)[0])
        at_ply(page, look)
        expect(page.locator("#board .hk-controls button[name=move]").first).to_be_visible()
        assert page.locator("[data-step][data-quiet]").count(), "somebody has hired Black Jack"
        assert page.evaluate("window.begun.length") == begun, "no step is shown in place of the decision"


# Whether each line of the log is hidden.
_HIDDEN_LINES = """() => [...document.querySelectorAll("#log > li")].map((line) => line.matches(".untold"))"""


@pytest.mark.deep
def test_the_log_follows_hours_that_are_played_while_an_earlier_one_is_shown(
    browser: Browser, server: Server
) -> None:
    """When the next hour is shown, the log has all lines of the hours before, and hides no line between others."""
    with person(browser, reduced_motion="no-preference") as page:
        page.add_init_script(_NOTE_BEGINNING)
        anna, table = sit(page, server, "halunken", options={"mode": "beginner", "two_player_beginner": True})
        gaps = []
        while (look := anna.wait(table, lambda look: bool(look["legal"])))["view"]["hour"] < 4:
            play(anna, table, moves_of(look)[0])
            hidden = page.evaluate(_HIDDEN_LINES)
            gaps += [hidden] if hidden != sorted(hidden) else []
        assert not gaps
        at_ply(page, look)
        assert page.evaluate("document.documentElement.hasAttribute('data-telling')"), (
            "an hour is being shown"
        )
        shown = page.locator("#log > li:not(.untold)")
        expect(shown.filter(has_text="Hour 3 begins")).to_have_count(1)


_NOTE_CALLS = """
window.shaken = 0;
navigator.vibrate = (pattern) => { window.shaken += pattern.length === 3; return true; };
[window.turns, window.calls] = [0, 0];
let [mine, ply] = [false, undefined];
document.addEventListener("htmx:sse:after:message", () => {
  const [turn, said] = ["turn", "said"].map((id) => document.getElementById(id).dataset);
  window.turns += turn.mine === "true" && !mine;
  window.calls += said.ply !== ply && (said.sounds ?? "").split(" ").includes("call");
  [mine, ply] = [turn.mine === "true", said.ply];
});
"""
CALL_HERTZ = 392


@pytest.mark.deep
def test_each_turn_and_each_call_is_heard_and_a_turn_shakes_the_phone(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        page.add_init_script(_LISTEN + _NOTE_CALLS)
        anna, table = sit(page, server, "sanghai")
        page.locator("#turn").click()  # sounds are allowed after a press
        page.evaluate("[window.turns, window.calls, window.shaken, window.heard] = [0, 0, 0, []]")
        while page.evaluate("Math.min(window.turns, window.calls)") < 2:
            look = anna.wait(table, lambda look: bool(look["legal"]))
            moves = [one for one in moves_of(look) if one.split()[0] in ("stock", "pass", "discard")]
            anna.play(table, (moves or moves_of(look))[0], look["ply"])  # refused if a call came first
            page.wait_for_timeout(50)
        count = "hertz => window.heard.filter(([one]) => one === hertz).length"
        page.wait_for_function(f"hertz => window.turns === ({count})(hertz)", arg=TURN_HERTZ)
        page.wait_for_function("window.turns === window.shaken")
        # one more if a call had come just before the counting
        page.wait_for_function(f"hertz => window.calls <= ({count})(hertz)", arg=CALL_HERTZ)


def watch_an_hour(page: Page, server: Server, script: str) -> None:
    """Play an hour of Halunken with this script in the page, and wait until the page has shown its last step."""
    page.add_init_script(script)
    anna, table = sit(page, server, "halunken")
    play_an_hour(page, anna, table)
    last = str(page.locator("[data-step]").count() - 1)
    expect(page.locator("[data-story]")).to_have_attribute("data-at", last)


_NOTE_SUMS = """window.sums = [];
const read = () => [...document.querySelectorAll(".hk-sum")]
  .filter((one) => one.checkVisibility()).map((one) => one.innerText).join();
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const motion = animate.call(this, frames, options);
  if (this.closest(".hk-fan") && frames[0].transform) {
    const seen = [read()];
    requestAnimationFrame(() => seen.push(read()));
    motion.finished.then(() => setTimeout(() => window.sums.push([...seen, read()]))).catch(() => {});
  }
  return motion;
};"""


_NOTE_VIEW = """window.hidden = [];
new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
  const story = document.querySelector("html[data-telling] [data-story]");
  if (!story) return;
  const shown = [".hk-map", `[data-step="${story.dataset.at}"]`, ".hk-reveal > li"];
  for (const one of shown.flatMap((name) => [...document.querySelectorAll(name)])) {
    const { top, bottom, height } = one.getBoundingClientRect();
    if (!height || top < 0 || bottom > innerHeight) window.hidden.push(one.outerHTML.slice(0, 60));
  }
}))).observe(document, { subtree: true, attributeFilter: ["data-at"] });"""


@pytest.mark.deep
def test_points_change_when_the_sailor_has_arrived(browser: Browser, server: Server) -> None:
    """Points change when the sailor has arrived. On a phone, the harbour, the shown step and the cards are in view."""
    with person(browser, (390, 844), reduced_motion="no-preference") as page:
        watch_an_hour(page, server, _NOTE_SUMS + _NOTE_VIEW)
        assert page.evaluate("window.hidden") == []
        flights = page.evaluate("window.sums")
        assert flights, "nobody went aboard"
        for before, flying, after in flights:
            assert before == flying != after


_NOTE_LINES = """window.lines = [];
new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
  const story = document.querySelector("html[data-telling] [data-story]");
  const line = story?.querySelectorAll("[data-step]")[Number(story.dataset.at)];
  const list = line?.parentElement.getBoundingClientRect(), here = line?.getBoundingClientRect();
  if (list?.height) window.lines.push([story.dataset.at, here.top >= list.top - 1 && here.bottom <= list.bottom + 1]);
}))).observe(document, { subtree: true, attributeFilter: ["data-at"] });"""


@pytest.mark.deep
def test_the_line_of_the_shown_step_is_in_view(browser: Browser, server: Server) -> None:
    with person(browser, WIDE, reduced_motion="no-preference") as page:
        watch_an_hour(page, server, _NOTE_LINES)
        lines = page.evaluate("window.lines")
        assert int(lines[-1][0]) >= 4
        assert all(seen for _at, seen in lines), lines
