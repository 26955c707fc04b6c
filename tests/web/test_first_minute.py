"""A newcomer's first pages: the front page, ways to play, and the next game after one against bots."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from spelunke.games import find_game, shelf
from spelunke.games.game import Game

from .conftest import Guest
from .test_pages import wait_for


def _card(page: str, game: str) -> str:
    found = re.search(
        rf'<article class="game-card" aria-labelledby="game-{game}">.*?</article>', page, re.DOTALL
    )
    assert found
    return found[0]


@pytest.fixture(autouse=True)
def _patient_start() -> None:
    """Override the fixture that makes games wait 20 s for nonces: these tests send none, and would wait in vain."""


def _end(client: TestClient, path: str) -> str:
    wait_for(client, path, 'id="resign"')
    assert client.post(f"{path}/resign").status_code == 303
    return client.get(path).text


def test_a_stranger_can_play_at_once_and_begins_with_the_easiest_game(client: TestClient) -> None:
    page = client.get("/").text
    hero = page[page.index('<section class="hero"') : page.index("</section>")]
    assert "Play now" in hero
    assert 'value="shanghaien"' in hero
    titles = re.findall(r'<h2 id="game-(\w+)">', page)
    assert titles == ["shanghaien", "halunken", "sanghai"]
    assert '<a href="/login">Log in</a>' in page
    assert "Guest" not in page


def test_somebody_who_only_gave_a_name_can_still_play_at_once(client: TestClient) -> None:
    client.post("/me", data={"name": "Hanna"})
    page = client.get("/").text
    assert "Hanna" in page
    assert "Play now" in page
    assert "start here" in page


def test_who_comes_back_sees_their_tables_first(client: TestClient) -> None:
    client.post("/tables", data={"game": "shanghaien", "quick": "link"})
    page = client.get("/").text
    assert '<section class="hero short"' in page
    assert "Play now" not in page
    assert page.index("My tables") < page.index('class="game-card"')


def test_the_first_game_of_halunken_is_the_one_for_beginners(client: TestClient) -> None:
    card = _card(client.get("/").text, "halunken")
    assert "Beginner game, 3 seats" in card
    path = client.post(
        "/tables", data={"game": "halunken", "quick": "bot", "preset": "beginner"}, follow_redirects=False
    ).headers["location"]
    page = client.get(path).text
    assert "Way to play: beginner" in page
    assert page.count('class="seat seat-') == 3


def test_the_form_for_beginners_stays_until_the_game_is_won(client: TestClient, anna: Guest) -> None:
    ben, carla = Guest(client, "Ben"), Guest(client, "Carla")
    for losers, form in (((anna, ben), "Beginner game, 3 seats."), ((ben, carla), "For two, 2 seats.")):
        table = anna.table("me", "open", "open", game="halunken", options={"mode": "beginner"})
        for guest in (ben, carla):
            assert guest.post(f"/tables/{table}/join", {}).status_code == 200
            assert guest.post(f"/tables/{table}/nonce", {"nonce": "mine"}).status_code == 200
        anna.start(table)
        for guest in losers:
            assert guest.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
        client.cookies.set("guest", anna.token)
        ranks = client.get(f"/t/{table}").text.split("table result-table")[1].split("</table>")[0]
        rows = [row for row in ranks.split("<tr")[2:] if 'class="badge">resigned<' in row]
        assert len(rows) == 2
        assert all(">1.</td>" not in row for row in rows)
        card = _card(client.get("/").text, "halunken")
        assert f"Against bots: {form}" in card
        assert ('name="preset" value="beginner"' in card) == (anna in losers)
        page = client.get("/new/halunken").text
        current = re.search(
            r'<button class="choice preset"[^>]* aria-current="true"><span[^>]*>([^<]*)', page
        )
        assert current
        assert (current[1] == "Beginner game") == (anna in losers)
    assert "Against bots:" not in _card(client.get("/").text, "shanghaien"), "its form never changes"


def test_a_lesson_is_not_the_first_game(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    path = client.post("/lessons", data={"game": "halunken"}, follow_redirects=False).headers["location"]
    client.app.state.site.house.play.call_off(path.removeprefix("/t/"))  # type: ignore[attr-defined]
    card = _card(client.get("/").text, "halunken")
    assert "Your first game against bots: Beginner game, 3 seats" in card
    assert "Learn it by playing" not in card
    page = client.get("/new/halunken").text
    assert re.search(r'aria-current="true"><span[^>]*>Beginner game', page)


@pytest.mark.deep
def test_a_level_is_never_raised_after_a_defeat(client: TestClient) -> None:
    game = find_game("shanghaien")
    weak = next(name for name, level in game.levels.items() if level.get("first"))
    for _game in range(2):
        card = _card(client.get("/").text, "shanghaien")
        assert f'value="{weak}" checked' in card
        answer = client.post("/tables", data={"game": "shanghaien", "quick": "bot"}, follow_redirects=False)
        page = _end(client, answer.headers["location"])
        assert "Play again" in page
        assert "A stronger bot" not in page
    card = _card(client.get("/").text, "shanghaien")
    assert f'value="{weak}" checked' in card
    assert "because it is your first game" not in card


@pytest.mark.deep
def test_after_a_defeat_an_easier_bot_is_offered_and_it_stays(client: TestClient) -> None:
    answer = client.post(
        "/tables", data={"game": "shanghaien", "quick": "bot", "level": "mate"}, follow_redirects=False
    )
    path = answer.headers["location"]
    page = _end(client, path)
    assert "An easier bot: Boatswain" in page
    again = client.post(f"{path}/again", data={"level": "boatswain"}, follow_redirects=False)
    assert "Boatswain" in client.get(again.headers["location"]).text
    assert client.post(f"{path}/again", data={"level": "nobody"}).status_code in (303, 400)
    _end(client, again.headers["location"])
    assert 'value="boatswain" checked' in _card(client.get("/").text, "shanghaien")


def test_a_new_game_between_people_accepts_no_bot_level(anna: Guest, game_for_two: str) -> None:
    anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"})
    answer = anna.post(f"/tables/{game_for_two}/again", {"level": "mate"})
    assert answer.status_code == 400
    assert "all people played on your device" in answer.json()["message"]


def fields_of(page: str) -> list[tuple[str, str]]:
    """Return the names and values that a browser would send with the form of a new table."""
    form = html.unescape(page.partition('<form id="new-table"')[2].partition("</form>")[0])
    found: list[tuple[str, str]] = []
    for tag, attributes, inner in re.findall(
        r"(?s)<(input|select)\b([^>]*)>((?:(?<=>)(?:\s*<option.*?</option>)*))", form
    ):
        name, value = (re.search(rf' {key}="([^"]*)"', attributes) for key in ("name", "value"))
        assert name
        if tag == "select":
            options = re.findall(r'<option value="([^"]*)"( selected)?', inner)
            found.append((name[1], next((one for one, on in options if on), options[0][0])))
        elif not re.search('type="(checkbox|radio)"', attributes) or " checked" in attributes:
            found.append((name[1], value[1] if value else ""))
    return found


def test_choosing_a_way_to_play_keeps_what_the_person_has_set(client: TestClient) -> None:
    page = client.get("/new/sanghai?preset=usual").text
    mine = {
        "seat.1": "open",
        "clock": "live",
        "minutes": "7",
        "listed": "off",
        "delay": "3",
        "chat_closed": "on",
        "option.hep_seconds": "12",
        "names": "Bert",
    }
    for preset in ("short", "ten", "usual", "short"):
        sent = [("preset", preset), *fields_of(page)]
        sent = [(name, value) for name, value in sent if name not in mine] + list(mine.items())
        page = client.get("/new/sanghai", params=sent).text
        shown = dict(fields_of(page))
        assert {**mine, **shown, "names": "Bert"} == {**shown, **mine}, preset
        assert 'name="names" maxlength="200" autocomplete="off" value="Bert"' in page
        way = shelf()["sanghai"].preset(preset)
        assert way
        assert sum(bool(shown[f"seat.{seat}"]) for seat in range(8)) == way.seats
        plain = dict(fields_of(client.get(f"/new/sanghai?preset={preset}").text))
        assert {name: plain[name] for name in plain if name not in mine} == {
            name: shown[name] for name in plain if name not in mine
        }


@pytest.mark.parametrize(
    ("game", "before", "after", "mine", "shown"),
    [
        (
            "sanghai",
            "usual",
            "calm",
            {"option.hep_seconds": "12"},
            {"option.hep_seconds": "0", "option.hep_window": "sequenced"},
        ),
        ("sanghai", "calm", "usual", {}, {"option.hep_seconds": "5"}),
        ("halunken", "full", "two", {"seat.1": "open"}, {"seat.1": "open", "seat.2": ""}),
        ("halunken", "two", "full", {"seat.1": "open"}, {"seat.1": "open", "seat.2": "bot:"}),
        ("halunken", "two", "full", {"seat.2": "open"}, {"seat.1": "bot:", "seat.2": "open", "seat.3": ""}),
    ],
)
def test_a_way_to_play_sets_its_own_options_and_the_seats_that_nobody_changed(
    client: TestClient, game: str, before: str, after: str, mine: dict[str, str], shown: dict[str, str]
) -> None:
    sent = [("preset", after), *fields_of(client.get(f"/new/{game}?preset={before}").text), *mine.items()]
    found = dict(fields_of(client.get(f"/new/{game}", params=sent).text))
    assert {name: found[name].split(":")[0] + ":" * (":" in found[name]) for name in shown} == shown
    assert found["preset"] == after


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_each_way_to_play_can_be_played(client: TestClient, game: Game) -> None:
    assert 3 <= len(game.presets) <= 4
    for preset in game.presets:
        assert game.settle(preset.seats, preset.options)
        page = client.get(f"/new/{game.name}?preset={preset.name}").text
        current = re.search(
            r'<button class="choice preset"[^>]* aria-current="true"><span[^>]*>([^<]*)', page
        )
        assert current
        assert current[1].replace("&#39;", "'") == preset.title
        assert ("In a game for two" in page) == (2 in game.seats)
        form = dict(re.findall(r'<input type="hidden" name="([\w.]+)" value="([^"]*)"', page))
        for name, options in re.findall(
            r'<select id="[^"]+" name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL
        ):
            chosen = re.search(r'<option value="([^"]*)" selected', options)
            form[name] = chosen[1] if chosen else re.findall(r'<option value="([^"]*)"', options)[0]
        for name in re.findall(r'<input type="checkbox"[^>]* name="([^"]+)" value="on" checked', page):
            form[name] = "on"
        made = client.post("/tables", data=form, follow_redirects=False)
        assert made.status_code == 303, preset.name
        changed = game.changed(preset.seats, game.settle(preset.seats, preset.options))
        table = made.headers["location"].rpartition("/")[2]
        assert client.get(f"/api/v1/tables/{table}").json()["changed"] == changed


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_no_page_asks_people_for_milliseconds(client: TestClient, game: Game) -> None:
    page = client.get(f"/new/{game.name}").text
    assert "(ms)" not in page
    assert "thousandths" not in page
