"""Pages and API of friends, quick match and ratings, without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from waiting import wait_until

from .conftest import Guest

PASSWORD = "lantern mussel quarry tin"


def browser_of(client: TestClient) -> TestClient:
    return TestClient(client.app, follow_redirects=False)


def become(client: TestClient, name: str) -> TestClient:
    """Return a browser of a new member."""
    browser = browser_of(client)
    assert browser.post("/member", data={"name": name, "password": PASSWORD}).status_code == 303
    return browser


def test_members_become_friends_and_end_it(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    answer = anna.post("/people", data={"name": "ben"})
    assert answer.headers["location"] == "/people?done=asked"
    assert "They are notified of your request" in anna.get("/people?done=asked").text
    assert "wants to be your friend" in ben.get("/me/notifications").text
    page = ben.get("/people").text
    (path,) = set(re.findall(r'action="(/p/[\w-]+/tie)"', page))
    answer = ben.post(path, data={"do": "befriend", "back": "/people"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/people")
    assert "online" in ben.get("/people").text
    page = ben.get(path.removesuffix("/tie")).text
    assert 'class="badge good">friend<' in page
    assert ben.post(path, data={"do": "block", "back": "//evil.example"}).headers["location"] == "/people"
    assert "Unblock" in ben.get("/people").text
    refused = anna.post("/people", data={"name": "Ben"})
    assert refused.status_code == 403
    assert "his person accepts no friend requests from you" in refused.text
    assert ben.post(path, data={"do": "marry"}).status_code == 400


def test_a_link_makes_a_friend(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    page = anna.post("/people/link").text
    link = re.search(r'value="[^"]*(/friend/\w+)"', page)
    assert link
    assert "Be friends with Anna?" in ben.get(link[1]).text
    assert "Log in" in browser_of(client).get(link[1]).text
    assert ben.post(link[1]).headers["location"] == "/people?done=friends"
    assert ben.post(link[1]).status_code == 410
    guest = Guest(browser_of(client), "Gast")
    page = guest.client.get("/people", headers=guest.headers).text
    assert "Become a member" in page
    assert "Send a member a friend request" not in page  # only as members can send one
    assert browser_of(client).get("/people").headers["location"] == "/login?back=/people"


def test_quick_match_seats_two_browsers(client: TestClient) -> None:
    anna, ben = browser_of(client), browser_of(client)
    wanted = {"kind": "shanghaien 2", "pace": "steady"}
    assert anna.post("/seeks", data=wanted).headers["location"] == "/play"
    assert "seeking" in anna.cookies
    page = anna.get("/play").text
    assert "1 person is looking for this game, you included" in page
    assert anna.post("/seeks", data=wanted).status_code == 409
    assert ben.post("/seeks", data=wanted).status_code == 303
    house: Any = client.app.state.site.house  # type: ignore[attr-defined]
    house.tick()
    found = {one.get("/seeks/state").json()["found"] for one in (anna, ben)}
    assert len(found) == 1
    assert anna.get(found.pop()).status_code == 200
    assert anna.get("/seeks/state").json() == {
        "found": None, "words": "", "to": "To the table", "bots": False, "waiting": [],
    }  # fmt: skip
    assert "seeking" not in anna.cookies


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rules/sanghai",
        "/new/sanghai",
        "/problems/sanghai",
        "/verify",
        "/people",
        "/me/account",
        "/me/notifications",
    ],
)
def test_every_page_with_the_bell_asks_whether_opponents_were_found(client: TestClient, path: str) -> None:
    anna = become(client, "Anna")
    page = anna.get(path).text
    assert 'class="bell"' in page
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    assert any("/seeks/state" in anna.get(script).text for script in scripts)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("wanted", "status", "sentence"),
    [
        ({"kind": "whist 2", "pace": "steady"}, 404, "whist"),
        ({"kind": "shanghaien 3", "pace": "steady"}, 400, "2 players, not for 3"),
        ({"kind": "shanghaien two", "pace": "steady"}, 400, "whole number"),
        ({"kind": "shanghaien 2", "pace": "quick"}, 400, "“brisk”, “steady” or “days”"),
        ({"kind": "shanghaien 2"}, 400, "pace"),
        ({"kind": "shanghaien 2", "pace": "days", "rated": "on"}, 403, "nly members"),
    ],
)
def test_an_impossible_seek_is_refused_with_one_sentence(
    client: TestClient, wanted: dict[str, str], status: int, sentence: str
) -> None:
    answer = browser_of(client).post("/seeks", data=wanted)
    assert answer.status_code == status
    assert sentence in answer.text


def test_the_list_of_open_tables_can_be_filtered(client: TestClient, anna: Guest) -> None:
    anna.table("me", "open", clock={"kind": "days", "days": 2})
    anna.table("me", "open", "open", game="halunken")
    stranger = browser_of(client)
    assert stranger.get("/play").text.count("Sit down") == 2
    assert stranger.get("/play?pace=days").text.count("Sit down") == 1
    assert stranger.get("/play?seats=3").text.count("Sit down") == 1
    assert stranger.get("/play?rated=yes").text.count("Sit down") == 0
    assert stranger.get("/play?game=halunken&pace=live").text.count("Sit down") == 1
    for wrong in ("pace=slow", "rated=maybe", "seats=x", "game=whist"):
        assert stranger.get(f"/play?{wrong}").status_code in {400, 404}
    tables = client.get("/api/v1/tables?list=open&pace=days", headers=anna.headers).json()["tables"]
    assert [(one["game"], one["rated"]) for one in tables] == [("shanghaien", False)]


def test_pages_and_the_api_show_a_rated_game_and_its_ratings(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "clock": "live", "rated": "on"}
    table = anna.post("/tables", data=form).headers["location"]
    assert "rated" in ben.get("/play").text
    assert ben.post(f"{table}/join").status_code == 303
    for one in (anna, ben):
        assert one.post(f"{table}/nonce", data={"nonce": "share"}).status_code in {200, 204, 303}
    house: Any = client.app.state.site.house  # type: ignore[attr-defined]
    house.tick()
    assert ben.post(f"{table}/resign", data={"key": "resign-0001"}).status_code in {200, 204, 303}
    house.tick()
    page = anna.get("/me").text
    assert "provisional" in page
    assert "1 rated game" in page
    board = client.get("/api/v1/ratings/shanghaien?seats=2").json()
    assert (board["count"], board["waiting"], board["lines"]) == (0, 2, [])
    assert "2 more people have provisional ratings" in client.get("/ratings/shanghaien").text
    for wrong in (
        "/ratings/whist",
        "/ratings/shanghaien?seats=5",
        "/ratings/shanghaien?page=2",
        "/api/v1/ratings/shanghaien?seats=5",
    ):
        assert client.get(wrong).status_code == 404
    bots = {**form, "seat.1": "bot:deckhand"}
    refused = anna.post("/tables", data=bots)
    assert refused.status_code == 400
    assert " rated game is for people only" in refused.text


def test_the_api_does_what_the_pages_do(client: TestClient, anna: Guest, bert: Guest) -> None:
    assert anna.get("/me/people").json() == {
        "friends": [],
        "asking": [],
        "asked": [],
        "blocked": [],
        "muted": [],
    }
    assert anna.post("/me/people", {"name": "Bert"}).status_code == 403
    assert anna.post("/me/people/" + "x" * 16, {"do": "mute"}).status_code == 404
    wanted = {"game": "shanghaien", "seats": 2, "pace": "brisk"}
    seek = anna.post("/me/seeks", wanted).json()["seek"]
    (mine,) = anna.get("/me/seeks").json()["seeks"]
    assert (mine["id"], mine["waiting"], mine["table"]) == (seek, 1, None)
    assert bert.post(f"/me/seeks/{seek}/end", None).status_code == 409
    assert anna.post(f"/me/seeks/{seek}/bots", None).status_code == 201
    assert anna.get("/me/seeks").json() == {"seeks": []}
    assert anna.get("/me/ratings").json() == {"ratings": []}


def test_a_program_is_shown_as_a_bot_of_its_owner(client: TestClient, anna: Guest) -> None:
    """A seat that was taken with a token belongs to a program; one that was taken in a browser doesn't."""
    table = anna.table("me", "open")
    browser = browser_of(client)
    assert browser.post(f"/t/{table}/join").status_code == 303
    seats = anna.look(table)["seats"]
    assert [seat["program"] for seat in seats] == [True, False]
    assert "bot of Anna" in browser.get(f"/t/{table}").text
    refused = anna.post("/tables", {"game": "shanghaien", "seats": ["me", "open"], "rated": True})
    assert refused.status_code == 403
    member = become(client, "Berta")
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "clock": "live", "rated": "on"}
    rated = member.post("/tables", data=form).headers["location"].rpartition("/")[2]
    refused = anna.post(f"/tables/{rated}/join", {})
    assert refused.status_code == 403
    assert "choose a table without rating" in refused.text


def test_a_person_who_sits_down_in_a_browser_and_plays_by_token_is_a_bot_from_then_on(
    client: TestClient, anna: Guest
) -> None:
    browser = browser_of(client)
    browser.cookies.set("guest", anna.token)
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "bot:deckhand"}
    table = browser.post("/tables", data=form).headers["location"].rpartition("/")[2]
    assert anna.post(f"/tables/{table}/nonce", {"nonce": "mine"}).status_code == 200
    look = anna.wait(table, lambda look: bool(look["legal"]))
    assert not look["seats"][0]["program"]
    assert anna.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200
    assert anna.look(table)["seats"][0]["program"]
    assert "bot of Anna" in browser_of(client).get(f"/t/{table}").text


def test_a_sealed_card_changed_by_token_marks_no_player_as_a_bot(client: TestClient, anna: Guest) -> None:
    browser, bert = browser_of(client), Guest(client, "Bert")
    browser.cookies.set("guest", anna.token)
    form = {"game": "halunken", "seat.0": "me", "seat.1": "open"}
    table = browser.post("/tables", data=form).headers["location"].rpartition("/")[2]
    other = browser_of(client)
    other.cookies.set("guest", bert.token)
    assert other.post(f"/t/{table}/join").status_code == 303
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "mine"}).status_code == 200
    look = anna.wait(table, lambda look: bool(look["actors"]))
    for number in range(20):
        look = anna.look(table)
        if len(look["actors"]) == 2:
            break
        seat = look["actors"][0]
        move = (anna, bert)[seat].look(table)["legal"][0]["text"]
        given = {"move": move, "ply": look["ply"], "key": f"key-in-browser-{number}"}
        assert (browser, other)[seat].post(f"/t/{table}/act", data=given).status_code in (204, 303)
    cards = [one["text"] for one in anna.look(table)["legal"] if one["text"].startswith("card")]
    given = {"move": cards[0], "ply": anna.look(table)["ply"], "key": "key-of-the-card"}
    assert browser.post(f"/t/{table}/act", data=given).status_code in (204, 303)
    before = [seat["program"] for seat in bert.look(table)["seats"]]
    assert anna.play(table, cards[1], anna.look(table)["ply"]).status_code == 200
    assert [seat["program"] for seat in bert.look(table)["seats"]] == before == [False, False]
    assert not anna.look(table)["seats"][0]["program"], "nobody learns that she has changed her card"
    now = bert.look(table)
    card = next(one["text"] for one in now["legal"] if one["text"].startswith("card"))
    assert bert.play(table, card, now["ply"]).status_code == 200
    assert bert.look(table)["seats"][1]["program"]


def test_a_token_moves_at_no_rated_table(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "clock": "live", "rated": "on"}
    table = anna.post("/tables", data=form).headers["location"].rpartition("/")[2]
    assert ben.post(f"/t/{table}/join").status_code == 303
    made = client.post("/api/v1/me/devices", json={"name": "Anna", "password": PASSWORD})
    headers = {"authorization": f"Bearer {made.json()['token']}"}
    move = {"move": "roll", "ply": 0, "key": "key-000001"}
    refused = client.post(f"/api/v1/tables/{table}/act", json=move, headers=headers)
    assert refused.status_code == 403
    assert "choose a table without rating" in refused.text


def test_tables_are_filtered_by_the_rating_of_their_host(client: TestClient) -> None:
    anna = become(client, "Anna")
    anna.post("/tables", data={"game": "shanghaien", "seat.0": "me", "seat.1": "open", "listed": "on"})
    stranger = browser_of(client)

    def shown(query: str) -> bool:
        page = stranger.get(f"/play?{query}")
        assert page.status_code == 200
        return "Anna" in page.text

    assert shown("")
    assert shown("least=1400&most=1600")
    assert not shown("least=1600")
    assert not shown("most=1400")
    assert stranger.get("/play?least=-1").status_code == 400
    assert stranger.get("/play?most=many").status_code == 400


def test_after_a_game_the_others_can_be_asked_to_be_friends(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open"}
    table = anna.post("/tables", data=form).headers["location"].rpartition("/")[2]
    assert ben.post(f"/t/{table}/join").status_code == 303
    house: Any = client.app.state.site.house  # type: ignore[attr-defined]
    for browser in (anna, ben):
        assert browser.post(f"/t/{table}/nonce", data={"nonce": "mine"}).status_code in (204, 303)
    wait_until(lambda: house.looks.look(table).status == "playing", "the game did not begin")
    assert anna.post(f"/t/{table}/resign", data={"key": "key-000001"}).status_code in (204, 303)
    assert f'hx-get="/t/{table}/friends"' in anna.get(f"/t/{table}").text
    part = {"hx-request": "true"}
    told = anna.get(f"/t/{table}/friends", headers=part).text
    assert "Add Ben as a friend" in told
    (path,) = re.findall(r'action="(/p/[\w-]+/tie)"', told)
    assert anna.post(path, data={"do": "befriend", "back": f"/t/{table}"}).status_code == 303
    assert "as a friend" not in anna.get(f"/t/{table}/friends", headers=part).text
    assert browser_of(client).get(f"/t/{table}/friends", headers=part).status_code == 401


def test_friends_see_who_is_online_unless_they_hide_it(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    anna.post("/people", data={"name": "Ben"})
    ben.post("/people", data={"name": "Anna"})
    assert 'good">online' in anna.get("/people").text
    assert ben.post("/me/shown", data={"shown": "mates"}).status_code == 303
    assert 'good">online' in anna.get("/people").text, "a form without the field doesn't change it"
    assert '<input type="hidden" name="online" value="no">' in ben.get("/me/settings").text
    assert ben.post("/me/shown", data={"shown": "mates", "online": "no"}).status_code == 303
    assert 'good">online' not in anna.get("/people").text
    assert 'name="online" value="yes">' in ben.get("/me/settings").text
    both = {"shown": "mates", "online": ["no", "yes"]}
    assert ben.post("/me/shown", data=both).status_code == 303
    assert 'good">online' in anna.get("/people").text


def test_others_at_a_game_over_days_see_a_vacation(client: TestClient) -> None:
    anna, ben = become(client, "Anna"), become(client, "Ben")
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "clock": "days"}
    table = anna.post("/tables", data=form).headers["location"].rpartition("/")[2]
    assert ben.post(f"/t/{table}/join").status_code == 303
    house: Any = client.app.state.site.house  # type: ignore[attr-defined]
    for browser in (anna, ben):
        assert browser.post(f"/t/{table}/nonce", data={"nonce": "mine"}).status_code in (204, 303)
    wait_until(lambda: house.looks.look(table).status == "playing", "the game did not begin")
    assert "on vacation" not in anna.get(f"/t/{table}").text
    assert ben.post("/me/vacation", data={"days": "3"}).status_code == 303
    assert "on vacation until" in anna.get(f"/t/{table}").text
    assert ben.post("/me/vacation", data={"do": "end"}).status_code == 303
    assert "on vacation" not in anna.get(f"/t/{table}").text


def test_a_host_schedules_evenings_and_vacations_on_pages(client: TestClient) -> None:
    house: Any = client.app.state.site.house  # type: ignore[attr-defined]
    host = browser_of(client)
    code = house.members.codes.make("host")
    assert host.post(f"/host/{code}", data={"name": "Hanna", "password": PASSWORD}).status_code == 303
    evening = {
        "title": "Tavern night",
        "begins": "2100-01-01T20:00",
        "minutes": "90",
        "zone": "Europe/Berlin",
    }
    assert host.post("/house/evenings", data=evening).headers["location"] == "/evenings"
    stranger = browser_of(client)
    assert "Tavern night" in stranger.get("/evenings").text
    calendar = stranger.get("/evenings.ics")
    assert calendar.headers["content-type"].startswith("text/calendar")
    assert "SUMMARY:Tavern night" in calendar.text
    assert stranger.post("/house/evenings", data=evening).status_code == 401
    assert host.post("/house/vacation", data={"days": "12"}).status_code == 303
    anna = become(client, "Anna")
    assert "12 of your 12 vacation days are left this year" in anna.get("/me/settings").text
    assert anna.post("/me/vacation", data={"days": "5"}).status_code == 303
    assert "on vacation" in anna.get("/me/settings").text
    assert anna.post("/me/vacation", data={"do": "end"}).status_code == 303
    table = anna.post("/tables", data={"game": "shanghaien", "quick": "link"}).headers["location"]
    assert anna.post(f"{table}/chat", data={"text": "rude", "key": "chat-0001"}).status_code in {
        200,
        204,
        303,
    }
    assert stranger.post(f"{table}/report", data={"line": "1"}).status_code == 401
    guest = browser_of(client)
    guest.post("/seeks", data={"kind": "sanghai 4", "pace": "days"})
    assert "rude" in guest.get(f"{table}/report").text
    assert guest.post(f"{table}/report", data={"line": "1", "text": "not nice"}).status_code == 200
    page = host.get("/house/reports").text
    assert "rude" in page
    assert "not nice" in page
    assert host.post("/house/reports/1", data={"decision": "removed"}).status_code == 303
    assert host.post("/house/doors", data={"guests": "open", "members": "open"}).status_code == 303
    log = host.get("/house/log", headers={"accept-language": "de"}).text
    assert "Die Nachrichten wurden entfernt" in log
    assert "können spielen" in log
    assert "rude" not in guest.get(table).text
    assert anna.get("/house/reports").status_code == 403
    assert host.post("/house/close", data={"word": "Back at eight"}).status_code == 303
    assert "Back at eight" in stranger.get("/").text
    assert anna.post("/tables", data={"game": "shanghaien", "quick": "link"}).status_code == 409
    assert host.post("/house/open").status_code == 303
    assert "Back at eight" not in stranger.get("/").text
