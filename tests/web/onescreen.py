"""Measure which part of a page is visible without scrolling: by bounding boxes, and by the top element at a point.

A decision needs its board, the viewer's own crew or hand, the question, and every choice. :func:`measure` names those
that are out of sight or covered. A :class:`Stage` shows any position of a game on the page of a real table: it replaces
the parts as a push of the house would, so that all kinds of decisions are seen in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import msgspec

import spelunke
from spelunke.core.chance import seed_stream
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.house.messages import Look
from spelunke.house.study import FirstLook
from spelunke.records.viewer import MatchViewer
from spelunke.web.parts.coach import render_coach, render_thinking
from spelunke.web.parts.table import render_parts
from spelunke.web.words import translator

from .conftest import Guest, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = {"wide": (1280, 800), "phone": (390, 844)}
LOW = ((320, 640), (390, 700), (1280, 720))
"""The smallest phone, a phone whose browser shows its bars, and a wide window with little height."""
ZOOMED = (640, 400)
"""A window of 1280×800 at 200 %."""
LONGEST = (
    "Bartholomew the Great I",
    "Bartholomew the Great II",
    "Wilhelmina Winterbottom",
    "Bartholomew the Great IX",
)
"""Names of the greatest length, or nearly; some begin alike."""

NOTES = ".hk-controls.asked > .hk-note, .hk-others"
NEEDS = {
    "shanghaien": {
        "board": ".sh-cards",
        "crew": ".sh-standing tr.s0",
        "party": ".sh-party",
        "ends": ".sh-end.one",
    },
    "halunken": {"board": ".hk-map", "crew": ".hk-crew.mine", "hours": ".hk-hours", "note": NOTES},
    "sanghai": {
        "board": ".sg-middle figure",
        "contract": ".sg-contract strong",
        "players": ".sg-player",
        "melds": ".sg-meld",
        "hand": ".sg-card > label",
        "vote": ".sg-vote p",
    },
}
"""The parts that a decision needs besides the question and the choices, by game."""

_MEASURE = r"""([needs, reach]) => {
  const bar = document.querySelector(".coach-bar")?.getBoundingClientRect().height ?? 0; // the coach's, at the foot
  const W = innerWidth, H = innerHeight - bar, found = [];
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0;
  const name = (one) =>
    String(one.getAttribute("aria-label") || one.value || one.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
  const fan = (one) => one.closest(".sg-hand") !== null;
  function judge(part, one) {
    if (reach) one.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = one.getBoundingClientRect();
    const out = Math.max(-box.left, -box.top, box.right - W, box.bottom - H);
    if (out > 1) {
      const where = `${Math.round(box.top)}–${Math.round(box.bottom)}`;
      found.push(`${part}: ${Math.round(out)} px out of sight (${where}): ${name(one)}`);
      return;
    }
    const across = fan(one) ? [0.15] : [0.5, 0.15, 0.85];
    const hits = across.flatMap((x) => [0.5, 0.15, 0.85].map((y) => [x, y])).filter(([x, y]) => {
      const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      const home = part === "choice" || part === "turn" ? null : one.closest("li, figure, section");
      return hit && (one.contains(hit) || (home && home.contains(hit)));
    });
    if (!hits.some(([x, y]) => (fan(one) || x === 0.5) && y === 0.5)) {
      const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      found.push(`${part}: covered: ${name(one)}, by ${on?.outerHTML.slice(0, 90)}`);
    }
  }
  const choices = [...document.querySelectorAll(
    "#board :is(button[name=move]:not([disabled]), label.sh-pick, .sg-call button), #news button, #summary-on"
  )].filter((one) => !one.closest("details:not([open]), .hk-standing, .sg-orders, .sg-own"));
  if (!reach) scrollTo(0, 0);
  const all = { turn: "#turn", ...(reach ? {} : needs) };
  for (const [part, selector] of Object.entries(all))
    for (const one of document.querySelectorAll(selector)) if (shown(one)) judge(part, one);
  // A move that is offered twice need be in sight once.
  const moves = new Map();
  for (const one of choices.filter(shown)) {
    const key = one.name === "move" && !one.matches(".sh-target") ? one.value : one;
    const before = found.length;
    judge("choice", one);
    const amiss = found.splice(before);
    if (!moves.has(key) || !amiss.length) moves.set(key, amiss);
  }
  for (const amiss of moves.values()) found.push(...amiss);
  const stuck = [...document.querySelectorAll("body *")].filter((one) => {
    const style = getComputedStyle(one);
    return ["sticky", "fixed"].includes(style.position) && shown(one) && !one.closest(".table-side, .live, .skip")
      && one.getBoundingClientRect().width > W / 2;
  });
  const high = stuck.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0);
  const names = stuck.map((one) => one.outerHTML.slice(0, 60));
  if (high > innerHeight / 5) found.push(`sticky: ${Math.round(high)} px of ${innerHeight}: ${names}`);
  for (const mark of document.querySelectorAll(".sg-laid")) {
    const own = mark.getBoundingClientRect(), home = mark.closest(".sg-player").getBoundingClientRect();
    if (own.top < home.top || own.right > home.right) found.push(`laid: out of its box: ${name(mark.closest("li"))}`);
  }
  for (const note of document.querySelectorAll(needs.note ?? "html:not(html)"))
    if ((W <= 640 || W >= 1280) && !shown(note)) found.push(`note: hidden: ${name(note)}`);
  if (document.documentElement.scrollWidth > W) found.push(`sideways: ${document.documentElement.scrollWidth}`);
  if (reach) scrollTo(0, 0);
  return found;
}"""

_SMALL = """(least) => [...document.querySelectorAll("#board *, .table-head *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((one) => !one.closest(".sr") && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, Number.parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM?.().d ?? 1)])
  .filter(([one, size]) => size > 0 && size < (one.closest(".role") ? Math.min(least, 11) : least) - 0.1)
  .map(([one, size]) => `${size} px: ${one.getAttribute("class")}: ${one.textContent.trim().slice(0, 40)}`)"""

_SHIFTS = """
window.shifts = [];
window.answers = []; // the times in which the page waits for what the viewer's own press has changed
window.pushes = 0;
addEventListener("htmx:sse:before:message", ({ detail }) => { window.pushes += detail.message.event !== "beat"; });
new PerformanceObserver((list) => {
  const pressed = (one) => one.hadRecentInput
    || window.answers.some(([from, to]) => from <= one.startTime && one.startTime <= to);
  for (const one of list.getEntries()) window.shifts.push([one.value, pressed(one), one.sources.map(
    (s) => ((s.node?.nodeType === 1 ? s.node : s.node?.parentElement)?.outerHTML ?? "gone").slice(0, 70)
      + ` ${Math.round(s.previousRect.y)}→${Math.round(s.currentRect.y)}`).slice(0, 3)]);
}).observe({ type: "layout-shift", buffered: true });
"""


def watch_shifts(page: Page) -> None:
    """Record each shift of the layout from the first paint of the next page on."""
    page.add_init_script(_SHIFTS)


def shifts(page: Page) -> list[tuple[float, bool, list[str]]]:
    """Return the layout shifts (jumps of the page) since the page was opened, or since the last call.

    Each shift has its size, whether it came after a press, and the moved elements.
    """
    found: list[tuple[float, bool, list[str]]] = page.evaluate("() => window.shifts.splice(0)")
    return found


def measure(page: Page, game: str, *, reach: bool = False) -> list[str]:
    """Return the parts that the decision needs and the page does not show.

    If ``reach``, return only the parts that scrolling can't uncover.
    """
    found: list[str] = page.evaluate(_MEASURE, [NEEDS[game], reach])
    return found


def find_small_texts(page: Page, least: float = 12) -> list[str]:
    """Return the texts of the board, and of the head above the board, whose letters are smaller than `least` pixels.

    The labels of wild cards may have 11 pixels: the other cards of the meld also show what a wild card stands for.
    """
    found: list[str] = page.evaluate(_SMALL, least)
    return found


def _morph_script() -> str:
    """Return the script of idiomorph, with which pages swap in the server's updates.

    A test can't reach the page's own copy of it, which is inside a module.
    """
    lines = (Path(spelunke.__file__).parent / "web/static/vendor.js").read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("/* idiomorph/"))
    return f"window.Idiomorph = (() => {{ {lines[at + 1]} return Idiomorph; }})()"


class Stage:
    """A table of guests with long names, whose page is made to show any position of its game."""

    def __init__(self, server: Server, game: str, seats: int, **options: Any) -> None:
        self.server, self.game, self.seats, self.options = server, find_game(game), seats, options
        self.guests = [
            Guest(
                httpx2.Client(base_url=server.url, timeout=120),
                (LONGEST[k % 4] + " " + "x" * (k // 4)).strip()[-24:],
            )
            for k in range(seats)
        ]
        plan = {"game": game, "seats": ["me", *["open"] * (seats - 1)], "options": options}
        answer = self.guests[0].post("/tables", plan)
        assert answer.status_code == 201, answer.text
        self.table = str(answer.json()["table"])
        for guest in self.guests[1:]:
            assert guest.post(f"/tables/{self.table}/join", {}).status_code == 200
        for guest in self.guests:
            assert guest.post(f"/tables/{self.table}/nonce", {"nonce": "mine"}).status_code == 200
        self.guests[0].wait(self.table, lambda look: look["status"] == "playing")
        me = server.app.state.site.read_token(self.guests[0].token)
        self.look: Look = server.house.looks.look(self.table, me)

    def open(self, page: Page) -> None:
        """Open the table's page, as its first seat sees it, and block all updates of the page."""
        page.add_init_script(_morph_script())
        page.context.add_cookies([{"name": "guest", "value": self.guests[0].token, "url": self.server.url}])
        page.route("**/stream*", lambda route: route.abort())
        page.goto(f"{self.server.url}/t/{self.table}")
        # The message about the missing stream would be higher than the normal one.
        page.evaluate(
            """() => {
              const one = document.getElementById("connection"), other = one.cloneNode();
              other.dataset.state = "live";
              other.textContent = one.dataset.live;
              one.replaceWith(other);
              return document.fonts.ready;
            }"""
        )

    def coach(self, page: Page, first: FirstLook | None = None) -> None:
        """Put a coach's panel into the page, as at a table against bots.

        If `first` is given, the panel shows this advice.
        """
        seats = [msgspec.structs.replace(one, kind="bot", you=one.seat == 0) for one in self.look.seats]
        look = msgspec.structs.replace(self.look, seat=0, seats=tuple(seats), may=("hint",), legal=())
        told = None if first is None else render_thinking(look, first)
        panel = str(render_coach(look, told, coached=True)).replace("hx-trigger", "data-trigger")
        page.evaluate("(panel) => { document.getElementById('coach').outerHTML = panel; }", panel)

    def share(self, page: Page) -> None:
        """Put the line above an open hand into the page, as at a table of several people at one device."""
        line = f'<div class="curtain-line"><p>{LONGEST[0]}</p><button class="button">Close</button></div>'
        page.evaluate(
            "(line) => document.getElementById('board').insertAdjacentHTML('beforebegin', line)", line
        )

    def look_at(self, match: Match, seat: int, **more: Any) -> Look:
        """Return the look (state of the table) of a seat at a position, as if this page's person had that seat."""
        write, asked = self.game.notation.write, seat in match.actors
        seats = tuple(
            msgspec.structs.replace(one, you=one.seat == seat, presence="here", away_ms=None)
            for one in self.look.seats
        )
        given = {
            "seat": seat,
            "seats": seats,
            "view": match.view(seat),
            "legal": tuple((action, write(action)) for action in match.legal(seat)) if asked else (),
            "revise": tuple((action, write(action)) for action in match.revisions(seat)),
            "last": MatchViewer(match, seat).last(),
            "actors": match.actors,
            "waits": (),
            "log": (),
        }
        return msgspec.structs.replace(self.look, **(given | more))

    def show(self, page: Page, look: Look, language: str = "en") -> None:
        """Update the page to this look (state of the table), as a message on its stream would."""
        parts = render_parts(look, self.game, translator(self.game, language))
        kept = {name: str(parts[name]) for name in ("head", "news", "result", "board", "foot")}
        page.evaluate(
            """(parts) => {
              for (const [name, part] of Object.entries(parts))
                Idiomorph.morph(document.getElementById(name), part, { morphStyle: "outerHTML" });
            }""",
            kept,
        )

    def match(self) -> Match:
        """Return a game at its beginning."""
        return Match(self.game, self.seats, self.options)


def kind_of(match: Match, seat: int) -> str:
    """Return the kind of a seat's decision: the first words of its moves, and roughly the number of moves."""
    texts = match.texts(seat)
    words = sorted({text.split()[0] for text in texts})
    more = match.revisions(seat)
    return f"{'+'.join(words)}{'+revise' if more else ''}·{len(texts).bit_length()}"


def decisions(match: Match, seed: int, bot: Any = None, most: int = 900) -> Iterator[tuple[str, int]]:
    """Play to the end, or ``most`` plies; yield each kind of decision with its seat at its first occurrence."""
    known: set[str] = set()
    chooser, stream = random.Random(seed), seed_stream(seed)
    while not match.over and match.ply < most:
        if match.chance:
            outcomes, weights = zip(*match.chances(), strict=True)
            match.land(chooser.choices(outcomes, weights)[0])
            continue
        for seat in match.actors:
            kind = kind_of(match, seat)
            if kind not in known:
                known.add(kind)
                yield kind, seat
        seat = chooser.choice(match.actors)
        legal = match.legal(seat)
        if bot is not None and chooser.random() < 0.9:
            match.act(seat, bot.choose(match.view(seat), legal, stream))
        else:
            match.act(seat, _choose(match, seat, chooser))


def _choose(match: Match, seat: int, chooser: random.Random) -> Any:
    """Return a random move: often one of `RARE`, seldom one of `DULL`, so that a game has many kinds of decisions."""
    texts = dict(zip(match.texts(seat), match.legal(seat), strict=True))
    first = [text for text in texts if text.split()[0] not in DULL]
    rare = [text for text in texts if text.split()[0] in RARE]
    if rare and chooser.random() < 0.25:
        return texts[chooser.choice(rare)]
    return texts[chooser.choice(first if first and chooser.random() < 0.85 else list(texts))]


RARE = ("pm1", "both", "again", "joker", "sharks", "exchange", "bid")
DULL = ("shanghai", "pass", "decline")
