"""A finished game's analysis on its page: the button that begins it, its progress, and its result."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import jsonschema_rs
import msgspec
import pytest
from starlette.testclient import TestClient

from appraising import FakeAnalyst, Guesser, finish
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.games.explaining import Against
from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.web.app import create_app
from spelunke.web.openapi import write_openapi
from spelunke.web.parts import overview
from spelunke.web.settings import Settings
from waiting import wait_until


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
def game(client: TestClient) -> tuple[str, str]:
    """Return a finished game, and the token of the person who resigned."""
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, acts=30)
    return table, site.signer.dumps(anna)


@pytest.fixture
def finished(game: tuple[str, str]) -> str:
    return game[0]


def analysed(client: TestClient, table: str) -> None:
    """Request the analysis as the button does, and wait for it."""
    answer = client.post(f"/t/{table}/analyse")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table}/replay?ply=worst")
    address = f"/api/v1/tables/{table}/analysis"
    wait_until(lambda: client.get(address).json()["status"] == "done", "it was not analysed")


def test_one_click_leads_from_the_end_of_a_game_to_its_analysis(
    client: TestClient, game: tuple[str, str]
) -> None:
    finished, token = game
    client.cookies.set("guest", token)
    page = client.get(f"/t/{finished}").text
    assert f'action="/t/{finished}/analyse"' in page.split('id="result"')[1].split("</section>")[0]
    client.cookies.clear()
    analysed(client, finished)


def test_the_replay_shows_the_progress_of_a_running_analysis(
    client: TestClient, analyst: FakeAnalyst, finished: str
) -> None:
    page = client.get(f"/t/{finished}/replay").text
    assert f'action="/t/{finished}/analyse"' in page
    assert "http-equiv" not in page
    analyst.may_go_on.clear()
    client.post(f"/t/{finished}/analyse")
    wait_until(lambda: analyst.games, "it did not begin")
    page = client.get(f"/t/{finished}/replay").text
    assert "<progress" in page
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
    parts = client.get(f"/t/{finished}/replay", headers={"hx-request": "true"}).text
    assert "data-working" in parts
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()
    assert (told["status"], told["analysis"]) == ("working", None)
    analyst.may_go_on.set()


def test_the_analysis_opens_at_the_readers_worst_error(
    client: TestClient, analyst: FakeAnalyst, game: tuple[str, str]
) -> None:
    finished, token = game
    worst = f"/t/{finished}/replay?ply=worst"
    client.cookies.set("guest", token)
    analyst.may_go_on.clear()
    client.post(f"/t/{finished}/analyse")
    page = client.get(worst)
    assert page.status_code == 200, "the last position, until the analysis is done"
    assert '<meta http-equiv="refresh" content="2">' in page.text
    analyst.may_go_on.set()
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    errors = [one for one in told["decisions"] if one["mark"]]
    costs = {seat: max(one["cost_chance"] for one in errors if one["seat"] == seat) for seat in (0, 1)}
    for cookie, seats in ((token, (0,)), (None, (0, 1))):
        client.cookies.clear()
        if cookie:
            client.cookies.set("guest", cookie)
        answer = client.get(worst)
        assert answer.status_code == 303
        address = re.fullmatch(rf"/t/{finished}/replay\?ply=(\d+)(&as=0)?", answer.headers["location"])
        assert address
        assert bool(address[2]) == bool(cookie), "a player sees what they saw in the game"
        ply = int(address[1])
        found = next(one for one in errors if one["ply"] == ply)
        assert found["seat"] in seats
        assert found["cost_chance"] == max(costs[seat] for seat in seats)
    verdict = client.get(answer.headers["location"]).text.split('id="replay-verdict"')[1].split("</div>")[0]
    assert "Better:" in verdict
    assert 'class="an-reason"' in verdict
    assert client.get(f"{worst}&as=0").headers["location"].endswith("&as=0")


def test_the_arrows_stay_with_the_readers_own_errors(client: TestClient, game: tuple[str, str]) -> None:
    finished, token = game
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    errors = [one for one in told["decisions"] if one["mark"]]
    everyone, own = ([one["ply"] for one in errors if one["seat"] in seats] for seats in ((0, 1), (0,)))
    assert own != everyone
    for cookie, plies in ((None, everyone), (token, own)):
        client.cookies.clear()
        if cookie:
            client.cookies.set("guest", cookie)
        walked, ply = [], 0
        while way := re.search(
            r'id="go-error-on"[^>]*ply=(\d+)', client.get(f"/t/{finished}/replay?ply={ply}").text
        ):
            ply = int(way[1])
            walked.append(ply)
        assert walked == [one for one in plies if one > 0]


def test_reasons_for_another_players_moves_name_that_player(
    client: TestClient, game: tuple[str, str]
) -> None:
    finished, token = game
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    names = [seat["name"] for seat in client.get(f"/api/v1/tables/{finished}").json()["seats"]]
    client.cookies.clear()
    client.cookies.set("guest", token)
    quoted = {0: 0, 1: 0}
    for one in told["decisions"]:
        if one["mark"]:
            page = client.get(f"/t/{finished}/replay?ply={one['ply']}").text
            reasons = re.findall(r'class="an-(?:reason|why)">([^<]*)', page)
            to = f"The coach would tell {names[one['seat']]}: "
            assert [reason for reason in reasons if reason.startswith(to) != (one["seat"] == 1)] == []
            quoted[one["seat"]] += len(reasons)
    assert all(quoted.values())


def test_own_decisions_are_instructions_and_others_have_names(
    client: TestClient, game: tuple[str, str]
) -> None:
    finished, token = game
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    errors = [one for one in told["decisions"] if one["mark"]]
    own = '<b class="own" data-you="you">Anna</b>'
    assert {one["seat"] for one in errors} == {0, 1}
    for cookie in (token, None):
        client.cookies.clear()
        if cookie:
            client.cookies.set("guest", cookie)
        whole = client.get(f"/t/{finished}/replay").text
        assert (own in whole.split('id="turns-title"')[1]) == bool(cookie), "the log marks the reader's name"
        lines = whole.split('id="errors-title"')[1].split('id="numbers-title"')[0]
        for one in errors:
            page = client.get(f"/t/{finished}/replay?ply={one['ply']}").text
            verdict = page.split('id="replay-verdict"')[1].split("</p>")[0]
            moves = re.findall(r'class="an-words">(.*?)</span>', page.split('class="an-choices"')[1])
            line = lines.split(f'href="?ply={one["ply"]}#replay-verdict"')[1].split("</a>")[0]
            name = ("Anna", "Ben")[one["seat"]]
            mine = bool(cookie) and one["seat"] == 0
            assert [name in part for part in (verdict, line, *moves[:2])] == [not mine] * 4


def test_the_order_of_moves_is_explained_if_the_first_has_not_the_highest_value(
    client: TestClient, finished: str
) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    analysed(client, finished)
    look = house.analyses.look(finished)
    one = next(one for one in look.analysis.decisions if len(one.alternatives) > 1)
    rough = tuple(
        msgspec.structs.replace(each, value=msgspec.structs.replace(each.value, exact=False, rank=1.0))
        for each in one.alternatives
    )
    for order, said in ((rough, False), ((rough[1], rough[0], *rough[2:]), True)):
        changed = msgspec.structs.replace(one, alternatives=order)
        found = msgspec.structs.replace(look.analysis, decisions=(changed,))
        house.analyses.look = lambda *_, found=found: msgspec.structs.replace(look, analysis=found)
        page = client.get(f"/t/{finished}/replay?ply={one.ply}").text
        told, folded = page.split("<summary>What does this mean?</summary>")
        above = told.split('<ol class="an-choices"')[0]
        assert ("The safer move comes first." in above) == said
        assert "quick continuations" in folded.split("</details>")[0], (
            "the same text at each move is folded up"
        )


def test_the_estimate_says_which_facts_it_uses(client: TestClient, finished: str) -> None:
    """A decision is judged by what its player could know, the chart with all cards open: the numbers differ."""
    house = client.app.state.site.house  # type: ignore[attr-defined]
    analysed(client, finished)
    look = house.analyses.look(finished)
    one = next(one for one in look.analysis.decisions if len(one.alternatives) > 1)
    after, seats = f"/t/{finished}/replay?ply={one.ply + 1}", look.analysis.seats
    assert "Estimated" not in client.get(after).text, "this game hides nothing"
    known = msgspec.structs.replace(one, values=(one.alternatives[0].value,) * len(seats))
    found = msgspec.structs.replace(look.analysis, decisions=(known,))
    house.analyses.look = lambda *_: msgspec.structs.replace(look, analysis=found)
    assert (
        f"Estimated from what {seats[one.seat]} could know here:"
        in client.get(f"/t/{finished}/replay?ply={one.ply}").text
    )
    assert "Estimated with all cards open, as in the chart:" in client.get(after).text


def test_a_player_without_errors_reads_that_no_move_was_an_error(
    client: TestClient, game: tuple[str, str]
) -> None:
    finished, token = game
    house = client.app.state.site.house  # type: ignore[attr-defined]
    analysed(client, finished)
    look = house.analyses.look(finished)
    assert look.analysis is not None
    faultless = [
        msgspec.structs.replace(one, mark="") if one.seat == 0 else one for one in look.analysis.decisions
    ]
    found = msgspec.structs.replace(look.analysis, decisions=tuple(faultless))
    house.analyses.look = lambda *_: msgspec.structs.replace(look, analysis=found)
    client.cookies.clear()
    client.cookies.set("guest", token)
    page = client.get(f"/t/{finished}/replay?ply=worst")
    assert page.status_code == 200
    line = (
        '<div id="replay-verdict" class="an-verdict good" tabindex="-1">'
        "<p>None of your moves was marked as an error."
    )
    assert line in page.text
    assert line not in client.get(f"/t/{finished}/replay").text


def test_among_three_the_lead_at_the_end_is_the_margin_of_the_result(client: TestClient) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]
    people = [house.people.create(name).id for name in ("Anna", "Ben", "Carla")]
    options = {"mode": "beginner"}
    table = house.lobby.create(
        people[0], Plan(game="halunken", seats=("me", "open", "open"), options=options)
    )
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    for k in range(500):
        looks = [house.looks.look(table, who, since=1 << 30) for who in people]
        asked = next((seat for seat, look in enumerate(looks) if look.legal), None)
        if asked is None:
            break
        house.play.act(table, people[asked], looks[asked].legal[0][1], looks[asked].ply, f"key-{k:06d}")
    scores = house.looks.look(table).result.scores
    analysed(client, table)
    page = client.get(f"/t/{table}/replay").text
    row = page.split("Lead at the end")[1].split("</tr>")[0]
    cells = re.findall(r'"num">([^<]*)', html.unescape(row))
    said = [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in cells]
    assert said == [mine - max(scores[:k] + scores[k + 1 :]) for k, mine in enumerate(scores)]
    assert "measured against the average of the other players" in page


def test_every_position_tells_its_decision_or_its_luck(client: TestClient, finished: str) -> None:
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    free = [one for one in told["decisions"] if not one["forced"]]
    errors = [one for one in free if one["mark"]]
    assert errors, "a game for this test has errors"
    page = client.get(f"/t/{finished}/replay").text
    for title in ("The game in numbers", "Errors", "Turning points", "Where luck mattered most"):
        assert title in page
    for one in errors:
        assert f'href="?ply={one["ply"]}#replay-verdict"' in page
    for one in (*free[:3], *errors[:3]):
        at = client.get(f"/t/{finished}/replay?ply={one['ply']}")
        assert at.status_code == 200
        choices = at.text.split('id="replay-analysis"')[1].split("</section>")[0]
        assert choices.count('<li class="an-choice') == len(one["alternatives"])
        assert choices.count('<li class="an-choice played') == 1
        assert "Try again from here" in choices
        assert ("Better:" in at.text.split('id="replay-verdict"')[1].split("</div>")[0]) == bool(one["mark"])
        assert not re.search(r"\sstyle=|<style|<script(?![^>]* src=)|\son[a-z]+=", at.text)
    rolls = [one for one in told["luck"] if one["outcome"].startswith("dice")]
    at = client.get(f"/t/{finished}/replay?ply={rolls[0]['ply']}").text
    assert "Chance decides" in at
    parts = client.get(f"/t/{finished}/replay?ply=0", headers={"hx-request": "true"}).text
    assert "The game in numbers" not in parts, "what tells of the whole game is sent once"


def test_a_failed_analysis_is_explained_in_the_language_of_the_request(
    client: TestClient, finished: str, analyst: FakeAnalyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(record: bytes, tell: object) -> None:
        raise KeyError(record)

    monkeypatch.setattr(analyst, "analyse", break_down)
    client.post(f"/t/{finished}/analyse")
    address = f"/api/v1/tables/{finished}/analysis"
    wait_until(lambda: client.get(address).json()["status"] == "failed", "it did not fail")
    german = {"accept-language": "de"}
    told = "fehlgeschlagen (KeyError); bitte melde dieses Spiel der Person, die den Server betreibt."
    assert f"{told}</p>" in client.get(f"/t/{finished}/replay", headers=german).text
    assert client.get(address, headers=german).json()["problem"].endswith(told)
    assert client.get(address).json()["problem"].startswith("The analysis ")


def test_of_many_errors_the_gravest_are_shown(
    client: TestClient, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    errors = sorted((one for one in told["decisions"] if one["mark"]), key=lambda one: -one["cost_chance"])
    monkeypatch.setattr(overview, "MANY", len(errors) - 1)
    monkeypatch.setattr(overview, "MOST", 2)
    page = client.get(f"/t/{finished}/replay").text
    shown, rest = page.split('id="errors-title"')[1].split("<details", 1)
    assert re.findall(r'href="\?ply=(\d+)#replay-verdict"', shown) == [str(one["ply"]) for one in errors[:2]]
    assert f"All {len(errors)} errors" in rest
    everything = re.findall(r'href="\?ply=(\d+)#replay-verdict"', rest.split("</details>")[0])
    assert everything == [str(ply) for ply in sorted(one["ply"] for one in errors)]


def test_the_readers_own_errors_are_open_and_those_of_another_player_are_folded(
    client: TestClient, game: tuple[str, str]
) -> None:
    finished, token = game
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    errors = sorted((one for one in told["decisions"] if one["mark"]), key=lambda one: -one["cost_chance"])
    own, others = ([one["ply"] for one in errors if one["seat"] == seat] for seat in (0, 1))
    assert own
    assert others
    client.cookies.clear()
    client.cookies.set("guest", token)
    page = client.get(f"/t/{finished}/replay").text
    shown = page.split('id="errors-title"')[1].split('id="numbers-title"')[0]
    mine, folded = shown.split('<details class="panel an-more">')
    cost = 100 * sum(one["cost_chance"] for one in errors if one["seat"] == 1)
    assert f"Ben: {len(others)} errors" in folded
    assert f"{cost:.1f}" in folded.split("</summary>")[0]
    for part, plies in ((mine, own), (folded, others)):
        assert [int(ply) for ply in re.findall(r'href="\?ply=(\d+)#replay-verdict"', part)] == plies


def test_the_links_to_other_errors_have_names_and_the_charts_have_titles_and_a_legend(
    client: TestClient, finished: str
) -> None:
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    marks = {one["mark"] for one in told["decisions"] if one["mark"]}
    page = client.get(f"/t/{finished}/replay?ply=0").text
    verdict = page.split('id="replay-verdict"')[1].split("</div>")[0]
    for name in ("The previous error", "The next error"):
        assert f">{name}</" in verdict
    assert '<h2 class="an-title">Points</h2>' in page
    legend = page.split('class="an-legend')[1].split("</ul>")[0]
    assert re.findall(r"</svg> (\w+)</li>", legend) == [
        name for name in ("Blunder", "Mistake", "Inaccuracy") if name.lower() in marks
    ]


@pytest.mark.parametrize("kind", ["halunken", "sanghai", "shanghaien"])
def test_no_reason_against_a_better_move_is_given(
    client: TestClient, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "halunken":  # the last legal move is the best: an offer, after a pass
        choices = Guesser.choices
        monkeypatch.setattr(
            Guesser,
            "choices",
            lambda *given: [
                (action, value)
                for (action, _), (_, value) in zip(reversed(choices(*given)), choices(*given), strict=True)
            ],
        )
    house = client.app.state.site.house  # type: ignore[attr-defined]
    table, _anna = finish(house, kind, acts=40)
    analysed(client, table)
    course, hooks = house.replays.course(table, None), find_game(kind).hooks
    seen = 0
    for one in house.analyses.look(table).analysis.decisions:
        if not one.mark:
            continue
        at = course.match_at(one.ply)
        best, view = at.parse(one.better.move), at.view(one.seat)
        told = hooks.reasons(best, view, course.table.names, plain)
        against = [reason for reason in told if isinstance(reason, Against)]
        if not against:
            continue
        seen += 1
        verdict = client.get(f"/t/{table}/replay?ply={one.ply}").text.split('id="replay-verdict"')[1]
        assert not [reason for reason in against if reason in html.unescape(verdict.split("</p>")[0])]
        if seen == 5:
            break
    assert seen, "no better move of this game has a reason against it"


def test_the_board_marks_the_best_and_the_played_card(client: TestClient, finished: str) -> None:
    analysed(client, finished)
    told = client.get(f"/api/v1/tables/{finished}/analysis").json()["analysis"]
    placed = [
        one
        for one in told["decisions"]
        if one["played"].startswith("place")
        and one["alternatives"][0]["move"].startswith("place")
        and one["played"] != one["alternatives"][0]["move"]
    ]
    assert placed
    board = client.get(f"/t/{finished}/replay?ply={placed[0]['ply']}").text.split('id="board"')[1]
    assert board.count('class="sh-arrow best') == 1
    assert board.count('class="sh-arrow played') == 1


def test_the_api_returns_the_analysis_as_documented(client: TestClient, finished: str) -> None:
    analysed(client, finished)
    document = write_openapi("1")
    schema = {"$ref": "#/components/schemas/AnalysisLook", "components": document["components"]}
    answer = client.get(f"/api/v1/tables/{finished}/analysis")
    jsonschema_rs.validator_for(schema).validate(answer.json())


def test_a_running_game_has_no_analysis(client: TestClient, game_for_two: str, analyst: FakeAnalyst) -> None:
    assert client.get(f"/api/v1/tables/{game_for_two}/analysis").status_code == 409
    assert client.post(f"/t/{game_for_two}/analyse").status_code == 409
    assert client.get("/api/v1/tables/nowhere/analysis").status_code == 404
    assert "analyse" not in client.get(f"/t/{game_for_two}").text
    assert analyst.games == 0
