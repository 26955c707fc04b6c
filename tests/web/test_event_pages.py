"""The pages of tournaments."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.testclient import TestClient

PASSWORD = "lantern mussel quarry tin"
PLAN = {"name": "Evening", "game": "shanghaien", "kind": "swiss", "seats": "2", "rounds": "1", "enter": "yes"}

PACE = "Live and quick: 5 minutes per player plus 5 seconds for each decision; a round ends after at most 30 minutes"


def test_an_event_is_made_entered_and_shown(client: TestClient) -> None:
    assert client.get("/events").status_code == 200
    assert client.get("/events/new").status_code == 200
    assert client.post("/events", data=PLAN).status_code == 401
    assert client.post("/member", data={"name": "Hanna", "password": PASSWORD}).status_code == 303
    made = client.post("/events", data=PLAN | {"duplicate": "yes"})
    assert made.status_code == 303
    event = made.headers["location"]
    page = client.get(event).text
    assert "Hanna" in page
    assert "Commitment (SHA-256 of the seed)" in page
    assert client.post(f"{event}/start").status_code == 409
    assert client.post(f"{event}/bot", data={"level": "mate"}).status_code == 303
    assert client.post(f"{event}/start").status_code == 303
    running = client.get(event).text
    assert "To my table" in running
    assert "Play from the next round" in TestClient(client.app).get(event).text
    assert client.get(f"{event}?round=1").status_code == 200
    for wrong in ("0", "00", "-1", "one"):
        assert client.get(f"{event}?round={wrong}").status_code == 400, wrong
    table = running.split('href="/t/')[1].split('"')[0]
    assert f'<a class="button primary" href="{event}">Evening</a>' in client.get(f"/t/{table}").text
    results = client.get(f"{event}/results.json").json()
    assert results["status"] == "running"
    assert results["seed"] is None
    assert [line["points"] for line in results["standings"]] == [0.0, 0.0]
    assert client.get(f"{event}/results.csv").text.startswith("rank,division,name,points")
    assert client.post(f"{event}/end").status_code == 303
    assert len(client.get(f"{event}/results.json").json()["seed"]) == 64
    assert "Evening" in client.get("/events").text


def test_the_state_of_an_event_changes_with_what_its_page_shows(client: TestClient) -> None:
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    event = client.post("/events", data=PLAN).headers["location"]

    def state() -> str:
        told = client.get(f"{event}/state")
        assert told.headers["cache-control"] == "no-store"
        return told.text

    seen = [state()]
    for path, form in (
        ("bot", {"level": "mate"}),
        ("leave", {}),
        ("enter", {}),
        ("start", {}),
    ):
        assert f'data-state="{seen[-1]}"' in client.get(event).text
        assert state() == seen[-1], "looking changes nothing"
        assert client.post(f"{event}/{path}", data=form).status_code == 303
        seen.append(state())
    assert "A new round has begun, and your table is ready: Shanghaien" in client.get(event).text
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in client.get(event).text
    client.post(f"{event}/end")
    assert len({*seen, state()}) == 6
    assert "data-state" not in client.get(event).text, "the page of a finished event does not ask"
    assert client.get("/events/nothing/state").status_code == 404


def test_a_page_says_what_one_enters(client: TestClient) -> None:
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    form = PLAN | {"game": "sanghai 4,3", "pace": "blitz", "rounds": "", "short": "yes"}
    event = client.post("/events", data=form).headers["location"]
    page = TestClient(client.app).get(event).text
    for title, text in (
        ("Pace", PACE),
        ("Players per table", "4 players (at some tables 3)"),
        ("Rules", "Rounds: four rounds (1, 3, 5, 8)"),
        ("Rounds", "depends on the number of players"),
        ("Start", "when Hanna starts it"),
        ("Minimum number of players", "3"),
        ("Host", "Hanna"),
    ):
        assert f"<dt>{title}</dt><dd>{text}</dd>" in page
    assert f'<input id="event-link" readonly value="http://testserver{event}">' in page


def test_only_members_get_the_button_for_a_new_event(client: TestClient) -> None:
    sentence = 'Only members can make tournaments. <a href="/member">Become a member</a>'
    client.post("/me", data={"name": "Hanna"})
    assert sentence in client.get("/events").text
    assert "/events/new" not in client.get("/events").text
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    assert sentence not in client.get("/events").text
    assert '<a class="button primary" href="/events/new">' in client.get("/events").text


def test_a_page_lists_the_byes_of_a_knock_out_last(client: TestClient) -> None:
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    event = client.post("/events", data=PLAN | {"kind": "knockout", "rounds": ""}).headers["location"]
    for _ in range(2):
        client.post(f"{event}/bot", data={"level": "mate"})
    client.post(f"{event}/start")
    assert [len(one["players"]) for one in client.get(f"{event}/results.json").json()["tables"]] == [1, 2]
    lines = client.get(event).text.split('<li class="list-item">')[1:]
    assert ['<span class="badge">bye</span>' in line for line in lines] == [False, True]
    assert f"{event}/enter" not in TestClient(client.app).get(event).text, (
        "nobody can enter a running knock-out"
    )


def test_a_start_with_an_offset_from_utc_is_that_moment(client: TestClient) -> None:
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    day = (datetime.now(UTC) + timedelta(days=9)).date()
    event = client.post("/events", data=PLAN | {"begins": f"{day}T20:00+02:00"}).headers["location"]
    assert f'<time data-day datetime="{day}T18:00' in client.get(event).text


def test_bad_input_gets_a_sentence(client: TestClient) -> None:
    client.post("/member", data={"name": "Hanna", "password": PASSWORD})
    for changed in (
        {"name": ""},
        {"kind": "poker"},
        {"seats": "9"},
        {"seats": "4"},
        {"game": "shanghaien 4"},
        {"game": "sanghai many"},
        {"rounds": "many"},
        {"begins": "tomorrow"},
    ):
        assert client.post("/events", data=PLAN | changed).status_code == 400, changed
    for path in ("/events/nothing", "/events/nothing/results.csv"):
        assert client.get(path).status_code == 404
    assert client.post("/events/nothing/enter").status_code == 404


def test_a_stranger_has_no_problems_of_their_own(client: TestClient) -> None:
    assert client.get("/me/problems").status_code == 401
    client.post("/daily/shanghaien/today")
    assert "No problems yet" in client.get("/me/problems").text
    assert client.get("/me/problems/next").headers["location"] == "/me/problems"
    assert client.get("/me/problems/abc/1").status_code == 404
    assert client.get("/me/problems/abc/x").status_code == 404
    assert client.post("/me/problems/abc/1", data={"move": "roll"}).status_code == 404
