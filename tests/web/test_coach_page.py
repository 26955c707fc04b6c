"""The coach's panel, with and without scripts: on pages of games against bots, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from appraising import FakeAnalyst
from spelunke.analysis.analysis import Judgement, Value
from spelunke.games import find_game
from spelunke.games.explaining import Against, InFavour
from spelunke.games.halunken import notation
from spelunke.games.match import Match
from spelunke.house.house import open_house
from spelunke.house.study import FirstLook, judging
from spelunke.web import coach_pages
from spelunke.web.app import create_app
from spelunke.web.parts.coach import render_forced
from spelunke.web.parts.values import render_choice
from spelunke.web.settings import Settings
from table_page import choose_move, read_table, send_move
from waiting import wait_until

from .conftest import Guest, Server, make_settings, ready_to_move
from .onescreen import Stage
from .test_browser import NARROW, WIDE, person

FIRST = {"shanghaien": {"first_starter": "0"}, "sanghai": {"hep_window": "sequenced"}}
"""Options that soon give the first seat its turn."""


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def client(settings: Settings, analyst: FakeAnalyst) -> Iterator[TestClient]:
    house = open_house(settings.database, bot_pause=0.0, analyst=lambda: analyst)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        yield client
    house.close()


@pytest.fixture
def guessing_server(
    tmp_path: Path, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """Yield a server with a fake analyst, so the coach's values come at once, however busy the machine is."""
    monkeypatch.setattr("spelunke.house.house._analyst", lambda: analyst)
    server = Server(make_settings(tmp_path, bot_pause=0.05))
    yield server
    server.stop()


def add_errors(analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all values a standard error, as playouts do. The page's lines with values become longer."""
    judge = analyst.judge

    def unsure(position: bytes, seat: int | None = None) -> Judgement:
        found = judge(position, seat)
        values = [
            msgspec.structs.replace(one.value, points_error=1.0, chance_error=0.02)
            for one in found.alternatives
        ]
        told = [
            msgspec.structs.replace(one, value=value)
            for one, value in zip(found.alternatives, values, strict=True)
        ]
        return msgspec.structs.replace(found, alternatives=tuple(told), gaps=(0.02,) * len(told))

    monkeypatch.setattr(analyst, "judge", unsure)


def begin_choice(anna: Guest) -> str:
    """Return a new table of Shanghaien at which Anna has just rolled: she has several moves."""
    table = anna.table("me", "bot:deckhand", options=FIRST["shanghaien"])
    anna.start(table)
    look = anna.wait(table, lambda look: bool(look["legal"]))
    anna.play(table, "roll", look["ply"])
    anna.wait(table, lambda look: len(look["legal"]) > 1)
    return table


def test_a_hint_is_shown_on_request(client: TestClient, anna: Guest) -> None:
    table = begin_choice(anna)
    client.cookies.set("guest", anna.token)
    page = client.get(f"/t/{table}").text
    assert f'action="/t/{table}/hint"' in page
    assert '<li class="an-choice' not in page
    told = client.post(f"/t/{table}/hint")
    assert told.status_code == 200
    panel = told.text.split('id="coach"')[1].split('id="log"')[0]
    assert panel.count(">Chance to win<") == 1, "only the first number has a label"
    assert '<li class="an-choice' in panel
    assert re.search('<span class="an-words">(Lay the|Trick: |Change a die)', panel), "moves are instructions"
    assert '<span class="an-who">You</span>' in panel
    part = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    # advice that comes after the next decision has no place on the page
    ply = re.findall('id="coach"[^>]* data-ply="([0-9]+)"', page)[0]
    assert part.startswith(f'<hx-partial hx-target="#coach[data-ply=&#34;{ply}&#34;] #coach-told"')
    answer = anna.post(f"/tables/{table}/hint")
    assert answer.status_code == 200
    assert answer.json()["judgement"]["alternatives"]


def test_slow_values_are_announced_and_shown_later(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_pages, "SOON_S", 0.0)
    monkeypatch.setattr(coach_pages, "LONG_S", 0.0)
    table = begin_choice(anna)
    client.cookies.set("guest", anna.token)
    htmx = {"hx-request": "true"}
    analyst.may_go_on.clear()
    for headers in (htmx, {}, htmx):
        told = client.post(f"/t/{table}/hint", headers=headers).text
        assert "The coach is calculating" in told
        assert "<progress" in told
        assert f'hx-get="/t/{table}/hint"' in told
    assert client.get(f"/t/{table}/hint", headers=htmx).status_code == 204
    analyst.may_go_on.set()
    told = wait_until(lambda: client.get(f"/t/{table}/hint", headers=htmx).text, "the coach never spoke")
    assert '<li class="an-choice' in told
    assert "<progress" not in told
    assert analyst.positions == 1, "a repeated request is not computed again"
    assert client.get(f"/t/{table}/hint").headers["location"] == f"/t/{table}"
    assert anna.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
    told = client.get(f"/t/{table}/hint", headers=htmx).text
    assert "notice bad" in told, "a waiting panel receives the reason for the delay"
    assert "<progress" not in told


@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_a_first_guess_is_shown_before_the_values_are_computed(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(coach_pages, "SOON_S", 0.0)
    level = next(iter(find_game(game).levels))
    bots = [f"bot:{level}"] * (max(2, find_game(game).seats[0]) - 1)
    table = anna.table("me", *bots, game=game, options=FIRST.get(game, {}))
    anna.start(table)
    analyst.may_go_on.clear()
    client.cookies.set("guest", anna.token)
    for _ in range(40):
        look = anna.wait(table, lambda look: bool(look["legal"]))
        told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
        assert ("<progress" in told) == (len(look["legal"]) > 1), "its values are not there yet"
        if "an-why" in told:
            break
        anna.play(table, look["legal"][0]["text"], look["ply"])
    analyst.may_go_on.set()
    bar = told.split('class="coach-bar')[1].split("</a>")[0]
    for part in (bar, told.split("</a>")[1].split("</h3>")[0]):
        assert "First guess" in part
        assert re.search("[Ss]till calculating", part)
        assert "<b>" not in part, "only a calculated answer is bold"
    assert "data-move" not in told, "no move is marked on the board"
    assert '<li class="an-choice">' in told
    assert "an-lost" not in told, "a first look knows no values"
    assert 'class="an-why"' in told


def test_the_best_move_has_a_reason_that_outweighs_those_against_it(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:deckhand", options=FIRST["shanghaien"])
    anna.start(table)
    client.cookies.set("guest", anna.token)
    chance = Random(1)
    outweighed = (
        "Despite the reasons against it, this move is the best when everything that can follow is counted. "
        "The second-best move is worse by 3.0 %."
    )
    seen: set[bool] = set()
    while len(seen) < 2:
        look = anna.wait(table, ready_to_move)
        assert look["legal"], "the game ended before both cases came"
        if len(look["legal"]) > 1:
            told = anna.post(f"/tables/{table}/hint").json()
            page = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
            first = re.search(r'class="an-why">([^<]*)', page)
            assert (first is not None and first[1].startswith(outweighed)) == told["doubtful"]
            seen.add(told["doubtful"])
        anna.play(table, chance.choice(look["legal"])["text"], look["ply"])


def test_the_coach_setting_of_a_person_applies_to_all_tables(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    first, second = (begin_choice(anna) for _ in range(2))
    for table in (first, second):
        assert "coach-ask-" not in client.get(f"/t/{table}").text
    answer = client.post("/me/coach", data={"coach": "on", "back": f"/t/{first}"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{first}")
    for table in (first, second):
        page = client.get(f"/t/{table}").text
        assert 'id="coach-ask-' in page, "the page asks at once"
        assert re.search('name="coach" value="off" aria-pressed="true">[^<]*<span[^>]*>on</span>', page)
    part = client.post(f"/t/{second}/coach", data={"coach": "on"}, headers={"hx-request": "true"}).text
    assert re.match(r'<hx-partial hx-target="#coach" hx-swap="morph"><details id="coach" [^>]* open>', part)
    assert 'id="coach-ask-' in part
    assert client.post("/me/coach", data={"coach": "maybe"}).status_code == 400
    client.post("/me/coach", data={"coach": "off"})
    assert "coach-ask-" not in client.get(f"/t/{first}").text
    client.cookies.clear()
    assert client.post("/me/coach", data={"coach": "on"}).status_code == 401


def test_a_single_move_needs_no_analysis(client: TestClient, anna: Guest, analyst: FakeAnalyst) -> None:
    table = anna.table("me", "bot:deckhand", options=FIRST["shanghaien"])
    anna.start(table)
    look = anna.wait(table, lambda look: bool(look["legal"]))
    assert len(look["legal"]) == 1
    client.cookies.set("guest", anna.token)
    client.post("/me/coach", data={"coach": "on"})
    page = client.get(f"/t/{table}").text
    assert "Only one move is possible." in page
    assert "coach-ask-" not in page
    told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    assert "Only one move is possible." in told
    assert "coach-bar" not in told
    assert "Only one move is possible." in client.post(f"/t/{table}/hint").text
    assert analyst.positions == 0


def test_with_a_full_queue_the_panel_says_that_the_coach_is_busy(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin_choice(anna)
    client.cookies.set("guest", anna.token)
    htmx = {"hx-request": "true"}
    monkeypatch.setattr(judging, "MOST_WAITING", 0)
    for headers in (htmx, {}):
        answer = client.post(f"/t/{table}/hint", headers=headers)
        assert answer.status_code == 200
        assert "The coach is busy." in answer.text
        assert "First guess" in answer.text
        assert "<progress" not in answer.text
        assert f'hx-get="/t/{table}/hint" hx-trigger="every 3s"' in answer.text
    assert client.get(f"/t/{table}/hint", headers=htmx).status_code == 204
    assert analyst.positions == 0
    monkeypatch.setattr(judging, "MOST_WAITING", 12)
    told = wait_until(lambda: client.get(f"/t/{table}/hint", headers=htmx).text, "it never asked again")
    assert "an-value" in told


def test_moves_that_are_equal_within_the_error_have_one_best(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin_choice(anna)
    judge = analyst.judge

    def level(position: bytes, seat: int | None = None) -> Judgement:
        found = judge(position, seat)
        lost = (0.0, 0.01, *[0.04] * len(found.alternatives))
        values = [
            Value(0.0, 0.5 - lost[k], False, 1.0, 0.02, rank=1.5) for k in range(len(found.alternatives))
        ]
        same = [
            msgspec.structs.replace(one, value=value)
            for one, value in zip(found.alternatives, values, strict=True)
        ]
        gaps = (0.0, *[0.02] * (len(same) - 1))
        return msgspec.structs.replace(found, alternatives=tuple(same), gaps=gaps)

    monkeypatch.setattr(analyst, "judge", level)
    client.cookies.set("guest", anna.token)
    told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    assert told.count('class="an-choice  best"') == 1
    assert told.count("about equal") == 1
    assert told.count("an-lost") == told.count('<li class="an-choice') - 2
    assert "dice" not in told.split('id="coach-note"')[1], "the note fits every game"


def test_a_reason_is_said_once_and_none_argues_against_the_best_move(
    client: TestClient, anna: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin_choice(anna)

    def argue(*_args: object) -> tuple[str, ...]:
        return ("All moves do this.", Against("All moves cost this."), InFavour("All moves win this."))

    monkeypatch.setattr(type(find_game("shanghaien").hooks), "reasons", argue)
    client.cookies.set("guest", anna.token)
    told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    best = told.split('<ol class="an-choices"')[1].split("</li>")[0]
    assert "All moves do this. All moves win this." in best
    assert "cost this" not in best
    assert told.count('<span class="an-why">All moves do this.') == 1
    assert "A reason given for the first move is not repeated for other moves." in told


def test_a_narrow_page_has_the_coachs_first_line_at_its_foot(
    client: TestClient, anna: Guest, analyst: FakeAnalyst
) -> None:
    table = begin_choice(anna)
    client.cookies.set("guest", anna.token)
    client.post("/me/coach", data={"coach": "on"})
    page = client.get(f"/t/{table}").text
    assert 'class="panel options coach steady"' in page
    assert "coach-bar" in page
    told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    bar = told.split('class="coach-bar"')[1].split("</a>")[0]
    best = told.split('<span class="an-words">')[1].split("</span>")[0]
    assert re.fullmatch("[A-Z].*[.]", best), "a whole instruction, without the reader's name"
    assert bar.startswith(' href="#coach"')
    assert bar.split("<span>")[1].startswith(f"<b>{best}</b>"), "the move comes before its reason"


MOVES = (
    "Lay the 5 on Chinese 1.",
    "Lay the 5 and feed trick card “sharks or exchange” to the sharks; card 1 is on the right.",
    "Die 5 anlegen und Trickkarte „verrückter Kapitän“ den Haien vorwerfen; die Eins liegt rechts.",
    "Auslegen: 7♠ 7♥ 7♦; 4♦ 5♦ Joker (6♦) 7♦; Dame♠ Dame♥ Dame♦; Joker (2♥) 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥.",
)
WHOLE = """() => {
  const bar = document.querySelector(".coach-bar > span").getBoundingClientRect();
  const last = [...document.querySelector(".coach-bar :is(b, i)").getClientRects()].at(-1);
  return last.bottom <= bar.bottom + 1 && bar.bottom <= innerHeight;
}"""


@pytest.mark.deep
def test_a_phone_shows_the_whole_move_before_its_reason(browser: Browser, server: Server) -> None:
    stage = Stage(server, "shanghaien", 2)
    with person(browser, (390, 664)) as page:
        stage.open(page)
        for move in MOVES:
            reason = (
                "On the Chinese 1, the number of dice is equal, and your pips on the neighbouring cards win."
            )
            stage.coach(page, FirstLook(moves=("roll",), told=(move,), why=((reason,),), alike=False))
            assert move in page.locator(".coach-bar").inner_text()
            assert page.evaluate(WHOLE), move


@pytest.mark.deep
def test_on_a_phone_no_room_is_kept_for_advice_if_only_one_move_is_possible(
    browser: Browser, server: Server
) -> None:
    stage = Stage(server, "shanghaien", 2)
    with person(browser, (390, 664)) as page:
        stage.open(page)
        stage.coach(page)
        high, board = (
            "document.getElementById('coach-told').offsetHeight",
            "document.getElementById('act').getBoundingClientRect().top",
        )
        usual = [page.evaluate(one) for one in (high, board)]
        for telling in (True, False):  # no advice while a story runs
            page.evaluate("(on) => document.documentElement.toggleAttribute('data-telling', on)", telling)
            expect(page.locator(".coach-bar > span")).to_be_visible(visible=not telling)
        page.evaluate(
            "(told) => { document.getElementById('coach-told').outerHTML = told; }", str(render_forced())
        )
        assert usual[0] >= 240
        assert page.evaluate(high) < 60
        assert page.evaluate(board) == usual[1], "the panel is below the board"


@pytest.mark.deep
def test_the_best_move_is_marked_when_a_story_no_longer_hides_it(browser: Browser, server: Server) -> None:
    stage = Stage(server, "halunken", 3, mode="beginner")
    seats = [
        {"captain": 2, "crew": ["red 4"]},
        {"captain": 4, "crew": ["grey 5", "grey 6"]},
        {"captain": 9, "crew": []},
    ]
    start = {"options": {"mode": "beginner"}, "seats": seats, "taverns": {}}
    match = Match(stage.game, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    for seat, card in enumerate((2, 5, 6)):
        match.act(seat, match.parse(f"card {card}"))
    with person(browser, (1280, 800)) as page:
        stage.open(page)
        stage.show(page, stage.look_at(match, 0))
        stage.coach(page)
        page.locator('[data-go="play"]').dispatch_event("click")
        page.evaluate(
            """(move) => {
              const told = document.getElementById("coach-told");
              told.dataset.move = move;
              told.dispatchEvent(new Event("change", { bubbles: true }));
            }""",
            match.texts(0)[0],
        )
        page.locator('[data-go="last"]').dispatch_event("click")
        expect(page.locator("html[data-telling]")).to_have_count(0)
        expect(page.locator(".coach-target")).to_have_attribute("value", match.texts(0)[0])


def test_in_a_secret_choice_the_most_frequent_move_is_advised(
    client: TestClient, anna: Guest, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = anna.table("me", "bot:landlubber", "bot:landlubber", game="halunken")
    anna.start(table)
    anna.wait(table, lambda look: len(look["legal"]) > 2)
    judge, shares = analyst.judge, (0.17, 0.29, 0.54)

    def mix(position: bytes, seat: int | None = None) -> Judgement:
        found = judge(position, seat)
        mixed = tuple(
            msgspec.structs.replace(one, share=shares[k] if k < len(shares) else 0.0)
            for k, one in enumerate(found.alternatives)
        )
        return msgspec.structs.replace(found, secret=True, alternatives=mixed, gaps=(0.0,) * len(mixed))

    monkeypatch.setattr(analyst, "judge", mix)
    client.cookies.set("guest", anna.token)
    told = client.post(f"/t/{table}/hint", headers={"hx-request": "true"}).text
    assert told.index("several cards may be right") < told.index('<li class="an-choice')
    assert re.findall(r"in (\d+) of 100 cases", told)[:4] == ["54", "29", "17", "0"]
    moves = [one["move"] for one in anna.post(f"/tables/{table}/hint").json()["judgement"]["alternatives"]]
    assert f'data-move="{moves[2]}"' in told
    rows = told.split('<ol class="an-choices"')[1].split("</ol>")[0]
    assert not re.search(r'num muted">[^<]', rows), "of three players, only the position has a lead"
    assert "over the best other player" in told


def test_the_best_move_is_marked_on_the_board(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:deckhand", options=FIRST["shanghaien"])
    anna.start(table)
    look = anna.wait(table, lambda look: bool(look["legal"]))
    anna.play(table, "roll", look["ply"])
    anna.wait(table, lambda look: len(look["legal"]) > 1)
    client.cookies.set("guest", anna.token)
    assert "sh-arrow best" not in client.get(f"/t/{table}").text
    page = client.post(f"/t/{table}/hint").text
    assert "sh-arrow best" in page
    assert re.search('id="coach-told"[^>]* data-move="place ', page)


def test_a_hint_in_a_game_with_hidden_cards_gives_reasons(client: TestClient, anna: Guest) -> None:
    table = anna.table("me", "bot:novice", "bot:novice", game="sanghai", options={"hep_window": "sequenced"})
    anna.start(table)
    while len((look := anna.wait(table, lambda look: bool(look["legal"])))["legal"]) == 1:
        anna.play(table, look["legal"][0]["text"], look["ply"])
    client.cookies.set("guest", anna.token)
    told = client.post(f"/t/{table}/hint").text.split('id="coach"')[1].split("</details>")[0]
    assert re.search("You lack [0-9]+ cards? for the contract|You have all cards for the contract", told)
    answer = anna.post(f"/tables/{table}/hint").json()
    assert len(answer["why"]) == len(answer["judgement"]["alternatives"])


def test_a_choice_shows_its_share_its_error_and_its_bound() -> None:
    best = Value(3.0, 0.5, False, 1.0, 0.02, rank=1.5)
    shown = render_choice("Card 5", best, best, share=0.25, why=("It leads to field 3.",))
    assert "50.0 ± 2.0 %" in shown
    assert "in 25 of 100 cases" in shown
    assert 'width="25"' in shown
    assert "It leads to field 3." in shown
    bounded = render_choice("Card 6", Value(0.0, 0.4, False, bounded=True), best)
    assert "at most 40.0 %" in bounded
    assert "an-lost" not in bounded, "nobody knows how much it loses"
    alike = render_choice("Card 8", Value(0.0, 0.92, False, 0.0, 0.0, rank=1.0), best)
    assert "about 92.0 %" in alike, "± 0.0 % would look like certainty"
    exact = render_choice("Card 7", Value(1.0, 0.5), best)
    assert "±" not in exact
    assert "+1.0 pts" in exact.replace("\N{NO-BREAK SPACE}", " "), "each number has its unit"


def test_the_coach_gives_no_hint_in_a_game_between_people(
    client: TestClient, anna: Guest, game_for_two: str
) -> None:
    client.cookies.set("guest", anna.token)
    assert "/hint" not in client.get(f"/t/{game_for_two}").text
    assert client.post(f"/t/{game_for_two}/hint").status_code == 409
    assert anna.post(f"/tables/{game_for_two}/hint").status_code == 409
    client.cookies.clear()
    assert client.post(f"/t/{game_for_two}/hint").status_code == 401


# The numbers of each move are beside its words.
BESIDE = """() => [...document.querySelectorAll("#coach-told .an-choice")].every((one) => {
  const words = one.querySelector(".an-words").getBoundingClientRect();
  return [...one.querySelectorAll(".an-value > *")].every((part) => words.right <= part.getBoundingClientRect().left);
})"""


SEEN = """() => {
  const box = (one) => one.getBoundingClientRect();
  const board = box(document.querySelector("#act"));
  const panel = box(document.querySelector("#coach"));
  const rows = [...document.querySelectorAll("#coach-told .an-choice")].map((one) => one.querySelector(".an-value"));
  return {
    rows: rows.length,
    seen: rows.filter((one) => box(one).bottom <= panel.bottom && panel.bottom <= innerHeight
      && document.elementFromPoint(box(one).right - 3, box(one).bottom - 6)?.closest(".an-value") === one).length,
    covers: panel.left < board.right && panel.right > board.left
      && panel.top < board.bottom && panel.bottom > board.top,
    log: document.querySelector("#log").clientHeight / 29, // in lines
  };
}"""


@pytest.mark.deep
@pytest.mark.parametrize(
    "game", ["shanghaien", *(pytest.param(name, marks=pytest.mark.deep) for name in ("halunken", "sanghai"))]
)
def test_moves_are_compared_beside_the_board(
    browser: Browser,
    guessing_server: Server,
    analyst: FakeAnalyst,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
) -> None:
    if game != "shanghaien":  # its values are exact
        add_errors(analyst, monkeypatch)
    with person(browser, (1280, 800)) as page:
        page.goto(guessing_server.url)
        page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
        page.locator("#coach summary").click()
        ask = page.locator("#coach").get_by_role("button", name="Show what my moves are worth")
        chance = Random(5)
        while len((look := read_table(page))["legal"]) < 3:
            if move := choose_move(look, chance):
                send_move(page, move, look["ply"])
            page.wait_for_timeout(50)
        page.locator(f'#coach[data-ply="{look["ply"]}"]').wait_for()
        ask.click()
        page.locator("#coach-told .an-value").nth(2).wait_for()
        for width, height, lines in ((1280, 900, 6), (1280, 800, 4), (1280, 720, 2), (1024, 768, 3)):
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(SEEN)
            assert found["seen"] >= 3, (width, height, found)
            assert not found["covers"], (width, height)
            assert found["log"] >= lines, (width, height, found)
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            assert not page.evaluate(SEEN)["covers"]
            label = page.locator(".an-value > b > small")
            for said in (label.inner_text(), "Probabilità di vincere"):
                label.evaluate("(one, said) => { one.textContent = said; }", said)
                assert page.evaluate(BESIDE), (width, said)


@pytest.mark.deep
@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_the_switch_changes_the_panel_alone(
    browser: Browser, guessing_server: Server, size: tuple[int, int]
) -> None:
    server = guessing_server
    with person(browser, size) as page:
        page.goto(server.url)
        page.locator('.game-card:has(input[value="sanghai"]) button[value="bot"]').click()
        page.locator("#board").wait_for()
        page.locator("#coach summary").click()
        page.get_by_text("Standing orders for calls").click()
        page.get_by_text("Write the orders as text").click()
        text = page.locator('textarea[name="order.text"]')
        text.fill("any ele")
        switch = page.locator("#coach").get_by_role("button", name="Coach me at every move")
        switch.scroll_into_view_if_needed()
        top = page.locator("#coach").evaluate("one => one.getBoundingClientRect().top")
        assert page.evaluate("scrollY") > 0 or size == WIDE
        before = page.evaluate("() => { window.stays = true; return history.length; }")
        switch.click()
        expect(page.locator('#coach [aria-pressed="true"]')).to_be_in_viewport()
        expect(switch).to_be_focused()
        now = page.locator("#coach").evaluate("one => one.getBoundingClientRect().top")
        assert now == pytest.approx(top, abs=40)
        chance = Random(5)
        ply = page.locator("#coach").get_attribute("data-ply")
        while (found := page.locator("#coach").get_attribute("data-ply")) == ply:
            if move := choose_move(look := read_table(page), chance):
                send_move(page, move, look["ply"])
            page.wait_for_timeout(50)
        assert found
        expect(page.locator('#coach [aria-pressed="true"]'), "the next decision has it too").to_have_count(1)
        switch.click()
        expect(page.locator('#coach [aria-pressed="false"]')).to_be_visible()
        assert page.locator("#coach").get_attribute("open") is not None
        expect(text).to_have_value("any ele")
        expect(text).to_be_visible()
        assert page.evaluate("[window.stays, history.length]") == [True, before]


def test_the_coach_keeps_its_place_while_others_play(settings: Settings) -> None:
    house = open_house(settings.database, bot_pause=60.0)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        anna = Guest(client)
        table = anna.table("me", "bot:deckhand", options={"first_starter": "1"})
        look = anna.start(table)
        client.cookies.set("guest", anna.token)
        page = client.get(f"/t/{table}").text
    house.close()
    assert "hint" not in look["may"]
    assert '<details id="coach"' in page
    assert '<button class="button" disabled>Show what my moves are worth' in page
