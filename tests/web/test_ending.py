"""The panel with a game's result and tip; portraits and reactions on the page; and the switches of sounds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from appraising import FakeAnalyst, begin, finish
from spelunke.analysis.analysis import Decision
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.house.house import open_house
from spelunke.house.messages import Result
from spelunke.house.study import Teller
from spelunke.web.app import create_app
from spelunke.web.parts.ending import find_mood, render_result, say_ending
from spelunke.web.parts.tip import find_tip, render_tip, render_tip_later
from spelunke.web.settings import Settings
from waiting import wait_until

from .conftest import Guest

STATIC = Path(__file__).parents[2] / "src" / "spelunke" / "web"


@pytest.fixture(autouse=True)
def _patient_start() -> None:
    """Override the fixture that makes games wait 20 s for nonces: these tests send none, and would wait in vain."""


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    house = open_house(settings.database, bot_pause=0.0, analyst=FakeAnalyst)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        yield client
    house.close()


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("seat", "ranks", "scores", "reason", "said", "mood"),
    [
        (0, (1, 2), (17, 10), "played", "You won by 7", "won"),
        (1, (1, 2), (17, 14), "played", "You lost by 3", "lost"),
        (None, (1, 2), (17, 10), "played", "Anna won by 7", "seen"),
        (0, (1, 2), (9, 9), "played", "You won", "won"),
        (1, (1, 2), (9, 9), "played", "You lost", "lost"),
        (0, (1, 1), (9, 9), "played", "You share the win with Ben", "won"),
        (None, (1, 1), (9, 9), "played", "Anna and Ben share the win", "seen"),
        (0, (1, 2), None, "resigned", "You won", "won"),
        (1, (1, 2), None, "resigned", "You lost", "lost"),
        (1, (1, 1), None, "agreed", "A draw", "even"),
        (1, (1, 1), None, "called_off", "Nobody wins", "even"),
        (1, (2, 1), (-40, -25), "played", "You won by 15", "won"),
    ],
)
def test_one_line_says_who_won_and_by_how_much(
    anna: Guest,
    game_for_two: str,
    client: TestClient,
    seat: Any,
    ranks: Any,
    scores: Any,
    reason: Any,
    said: str,
    mood: str,
) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    look = msgspec.structs.replace(house.looks.look(game_for_two), seat=seat, names=("Anna", "Ben"))
    result = Result(ranks=ranks, scores=scores, reason=reason, seat=None, text="")
    assert say_ending(look, result) == said
    assert find_mood(look, result) == mood
    shown = str(render_result(look, result, find_game("shanghaien")))
    assert ("the tie-break of this table decided" in shown) == (ranks == (1, 2) and scores == (9, 9))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("seat", "ranks", "scores", "reason", "said"),
    [
        (0, (1, 2), (17, 10), "played", "The bot that played for you won by 7"),
        (0, (2, 1), (10, 17), "played", "The bot that played for you lost by 7"),
        (0, (1, 2), (9, 9), "played", "The bot that played for you won"),
        (0, (2, 1), (9, 9), "played", "The bot that played for you lost"),
        (0, (1, 1), (9, 9), "played", "The bot that played for you shares the win"),
        (1, (1, 2), (17, 10), "played", "You lost by 7"),
        (0, (2, 1), None, "resigned", "You lost"),
    ],
)
def test_the_result_does_not_call_a_game_that_a_bot_played_yours(
    game_for_two: str,
    client: TestClient,
    seat: int,
    ranks: Any,
    scores: Any,
    reason: Any,
    said: str,
) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    look = house.looks.look(game_for_two)
    helped = (msgspec.structs.replace(look.seats[0], level="mate"), look.seats[1])
    look = msgspec.structs.replace(look, seat=seat, seats=helped)
    result = Result(ranks=ranks, scores=scores, reason=reason, seat=None, text="")
    assert say_ending(look, result) == said


def test_tip_errors_and_problems_are_about_moves_of_the_person_only(client: TestClient) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    table, (anna, ben) = begin(site.house, "shanghaien")
    site.house.play.stand_in(table, anna, "deckhand")
    for k in range(16):
        look = wait_until(
            lambda: (now := site.house.looks.look(table, ben)).legal and now, "it is not Ben's turn"
        )
        site.house.play.act(table, ben, look.legal[-1][1], look.ply, f"key-{k:06d}")
    site.house.play.resign(table, ben, "give-it-up")
    site.house.analyses.begin(table)
    found = wait_until(lambda: site.house.analyses.look(table).analysis, "no analysis came")
    seat = site.house.looks.look(table, anna).seat
    assert any(one.seat == seat and one.mark == "mistake" for one in found.decisions)
    assert any(one.seat != seat and one.mark == "mistake" for one in found.decisions)
    client.cookies.set("guest", site.signer.dumps(anna))
    tip = client.get(f"/t/{table}/tip", headers={"hx-request": "true"}).text
    assert "replay?ply=" not in tip
    assert "well played" not in tip
    assert "None of your moves was marked as an error." in client.get(f"/t/{table}/replay?ply=worst").text
    assert site.house.own_problems.collect(anna) == 0
    assert site.house.own_problems.collect(ben) > 0


def test_a_player_who_gave_up_is_not_praised(client: TestClient) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    table, people = begin(site.house, "shanghaien")
    anna, acted = people[0], False
    for k in range(16):
        person, look = next((one, now) for one in people if (now := site.house.looks.look(table, one)).legal)
        if acted and person == anna:
            break
        site.house.play.act(table, person, look.legal[-1][1], look.ply, f"key-{k:06d}")
        acted = person == anna
    site.house.play.resign(table, anna, "give-it-up")
    site.house.analyses.begin(table)
    wait_until(lambda: site.house.analyses.look(table).analysis, "no analysis came")
    client.cookies.set("guest", site.signer.dumps(anna))
    tip = client.get(f"/t/{table}/tip", headers={"hx-request": "true"}).text
    assert "None of your moves was marked as an error." in tip


@pytest.mark.deep
def test_the_bot_of_the_next_game_is_the_same_character(client: TestClient) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    path = client.post("/tables", data={"game": "shanghaien", "quick": "bot"}).headers["location"]
    met = []
    for _ in range(4):
        wait_until(lambda path=path: 'id="resign"' in client.get(path).text, "the game did not begin")
        [bot] = [one for one in house.looks.look(path.removeprefix("/t/")).seats if one.kind == "bot"]
        met.append((bot.name, bot.figure, bot.level))
        client.post(f"{path}/resign")
        path = client.post(f"{path}/again").headers["location"]
    assert len(set(met)) == 1


@pytest.mark.deep
def test_a_player_who_resigned_sees_one_card_without_an_empty_column(client: TestClient) -> None:
    path = client.post("/tables", data={"game": "shanghaien", "quick": "bot"}).headers["location"]
    wait_until(lambda: 'id="resign"' in client.get(path).text, "the game did not begin")
    client.post(f"{path}/resign")
    page = client.get(path).text
    card = page[page.index('<section id="result"') :].split("</section>")[0]
    assert "You lost" in card
    assert "What went wrong?" in card
    assert "Play again" in card
    assert 'scope="col">Points' not in card
    assert '<div id="summary"></div>' in page


def test_the_offer_of_a_rematch_stands_on_the_card(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"})
    anna.post(f"/tables/{game_for_two}/rematch")
    client.cookies.set("guest", bert.token)
    page = client.get(f"/t/{game_for_two}").text
    assert page.count("offers a rematch") == 1
    card = page[page.index('<section id="result"') :].split("</section>")[0]
    assert "Anna offers a rematch" in card
    assert "Accept the rematch" in card


def test_the_tip_is_the_kind_of_error_that_cost_most(client: TestClient) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    table, anna = finish(house, acts=30)
    house.analyses.begin(table)
    found = wait_until(lambda: house.analyses.look(table).analysis, "no analysis came")
    marked = [one for one in found.decisions if one.seat == 0 and one.mark]
    assert marked, "a game at random has errors"
    course = house.replays.course(table, anna)
    teller = Teller(course, plain)
    tip = find_tip((one for one in found.decisions if one.seat == 0), course.game, teller)
    assert tip is not None

    def kind(one: Decision) -> str:
        first, best = (text.split()[0] for text in (one.played, one.alternatives[0].move))
        return "trick" if {first, best} & {"pm1", "both", "again", "joker"} else best

    costs: defaultdict[str, float] = defaultdict(float)
    for one in marked:
        costs[kind(one)] += one.cost_chance
    assert tip.cost == pytest.approx(max(costs.values()))
    assert tip.worst == max(
        (one for one in marked if kind(one) == tip.theme), key=lambda one: one.cost_chance
    )
    told = str(render_tip(table, course.game, tip, teller, plain))
    assert f"replay?ply={tip.worst.ply}&amp;" in told
    assert re.search(r"<b>Tavern \d, you played:</b> [A-Z][^<]*\. <b>Better:</b> [A-Z][^<]*\.</p>", told)
    for cost, told in ((0.5, "cost you 50 % of a win"), (1.014, "cost you 1.01 wins in all")):
        drawn = str(render_tip(table, course.game, tip._replace(cost=cost, times=2), teller, plain))
        assert told in drawn.replace("\N{NO-BREAK SPACE}", " ")


def test_the_first_sealed_card_is_described_as_before_the_change(client: TestClient) -> None:
    """At the ply where a seat replaces its sealed card, the first card is described as when it was sealed.

    The seat can't lay its first card again, but the analysis compares the second card with the first.
    """
    house = client.app.state.site.house  # type: ignore[attr-defined]
    table, people = begin(house, "halunken")
    anna = people[0]
    laid: list[str] = []
    for k in range(40):
        looks = {person: house.looks.look(table, person, since=1 << 30) for person in people}
        cards = [text for _, text in looks[anna].legal if text.startswith("card")]
        person = anna if cards else next(one for one in people if looks[one].legal)
        choice = next(one for one in looks[person].legal if not cards or one[1].startswith("card"))
        house.play.act(table, person, choice[1], looks[person].ply, f"key-{k:06d}")
        laid += [choice[1]] if cards else []
        if len(laid) == 2:
            break
    assert laid[0] != laid[1]
    house.play.resign(table, anna, "give-it-up")
    course = house.replays.course(table, anna)
    teller = Teller(course, plain)
    first, second = [k for k, ply in enumerate(course.match.plies) if ply.seat == looks[anna].seat][-2:]
    assert teller.move(second, laid[0]) == teller.move(first, laid[0])
    # Without the consequences: that Anna is ready, and all cards.
    assert teller.ply(second) == teller.move(second, laid[1])
    assert teller.to_player(second, laid[0]) == teller.to_player(first, laid[0])
    assert teller.why(second, laid[0]) == teller.why(first, laid[0])


def test_the_tip_addresses_its_reader_in_each_language(client: TestClient) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, acts=30)
    site.house.analyses.begin(table)
    wait_until(lambda: site.house.analyses.look(table).analysis, "no analysis came")
    client.cookies.set("guest", site.signer.dumps(anna))
    told = set()
    for language in ("en", "de", "fi", "fr", "it", "nl"):
        headers = {"hx-request": "true", "accept-language": language}
        tip = client.get(f"/t/{table}/tip", headers=headers).text
        assert "Anna" not in tip, "the best move is an instruction"
        told.update(re.findall('<p class="small"><b>[^<]*</b> ([^<]*)', tip))
    assert len(told) == 6


def test_a_tip_that_waits_says_so_and_has_a_bar_only_after_the_first_step() -> None:
    waits, begun = (str(render_tip_later("t", done, 60)) for done in (0, 1))
    assert "The analysis is about to begin." in waits
    assert "<progress" not in waits
    assert "Looking for the errors" in begun
    assert '<progress class="an-bar" max="60" value="1"' in begun


def test_a_player_is_told_the_tip_and_a_stranger_is_not(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    for guest in (anna, bert) * 4:
        look = guest.look(game_for_two)
        if look["legal"]:
            guest.play(game_for_two, look["legal"][-1]["text"], look["ply"])
    htmx = {"hx-request": "true"}
    path = f"/t/{game_for_two}/tip"
    client.cookies.set("guest", anna.token)
    assert client.post(path, headers=htmx).status_code == 409, "the game is not over"
    anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"})
    assert client.post(path, headers=htmx).status_code == 200
    told = wait_until(
        lambda: (t := client.get(path, headers=htmx).text) and ("hx-get" not in t and t), "no tip"
    )
    assert f"/t/{game_for_two}/replay?ply=" in told
    client.cookies.set("guest", Guest(client, "Cleo").token)
    assert client.get(path, headers=htmx).status_code == 403
    client.cookies.clear()
    assert client.get(path, headers=htmx).status_code == 401


def test_a_reaction_is_a_bubble_beside_the_portrait(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    client.cookies.set("guest", bert.token)
    assert f'action="/t/{game_for_two}/react"' in client.get(f"/t/{game_for_two}").text
    assert anna.post(f"/tables/{game_for_two}/react", {"word": "bravo"}).status_code == 200
    assert 'id="seat-0-reaction" class="reaction"' in client.get(f"/t/{game_for_two}").text
    assert anna.post(f"/tables/{game_for_two}/react", {"word": "shout"}).status_code == 400
    for _ in range(2):
        anna.post(f"/tables/{game_for_two}/react", {"word": "hm"})
    assert anna.post(f"/tables/{game_for_two}/react", {"word": "hm"}).status_code == 429


def test_each_sound_has_its_switch_and_all_are_off_at_first() -> None:
    script = (STATIC / "static" / "sounds.js").read_text(encoding="utf-8")
    device = (STATIC / "templates" / "device.html").read_text(encoding="utf-8")
    body = script[script.index("const SOUNDS") : script.index("/** Sounds that share")]
    kinds = set(re.findall(r"(?m)^  (\w+): ", body))
    shared = dict(re.findall(r'(\w+): "(\w+)"', script[script.index("const SWITCH") :].split("}")[0]))
    switches = set(re.findall(r'\("(\w+)", _\(', device))
    assert 6 <= len(kinds) <= 10
    assert {shared.get(kind, kind) for kind in kinds} == switches
    assert '<option value="0" selected>' in device
    assert 'read("volume", "0")' in script


def test_a_portrait_is_chosen_in_the_settings(client: TestClient) -> None:
    page = client.get("/me/settings").text
    assert page.count('name="figure"') == 10
    assert page.count('name="colour"') == 8
    kept = client.post("/me/portrait", data={"figure": "eyepatch", "colour": "rose"})
    assert kept.status_code == 303
    page = client.get("/me/settings").text
    assert 'value="eyepatch" checked' in page
    assert 'value="rose" checked' in page
    assert client.post("/me/portrait", data={"figure": "nobody", "colour": "rose"}).status_code == 400
