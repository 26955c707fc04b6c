"""The pages as a browser without scripts uses them."""

import re

import pytest
from starlette.testclient import TestClient

from proof import prove
from spelunke.core.catalogues import words_of
from spelunke.games import shelf
from spelunke.house.people import call_person
from spelunke.records.record import parse_record
from spelunke.web.app import create_app
from spelunke.web.parts.options import tell_options
from spelunke.web.security import HEADERS
from spelunke.web.settings import Settings
from spelunke.web.site import Site
from spelunke.web.words import LANGUAGE
from waiting import wait_until

from .conftest import AS_HOST, GAME, Guest, ready_to_move


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, f"no field {name}"
    return found.group(1)


def open_game(client: TestClient) -> str:
    answer = client.post("/tables", data={"game": GAME, "quick": "bot", "level": "deckhand"})
    assert answer.status_code == 303
    path = answer.headers["location"]
    assert client.post(f"{path}/nonce", data={"nonce": "mine"}).status_code == 303
    return path


def wait_for(client: TestClient, path: str, text: str) -> str:
    def ask() -> str:
        page = str(client.get(path).text)
        return page if text in page else ""

    return wait_until(ask, f"{text!r} never came")


def test_front_page_offers_every_game_of_the_shelf(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "Play a bot" in page.text
    assert "Invite a friend" in page.text
    assert f'href="/new/{GAME}"' in page.text
    assert "guest" not in client.cookies, "looking makes nobody a guest"


def test_a_stranger_is_at_a_table_after_one_form_and_plays_without_scripts(client: TestClient) -> None:
    path = open_game(client)
    page = wait_for(client, path, 'name="move"')
    moves = re.findall(r'name="move" value="([^"]*)"', page)
    answer = client.post(
        f"{path}/act", data={"move": moves[0], "ply": field(page, "ply"), "key": field(page, "key")}
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == path
    again = client.post(
        f"{path}/act", data={"move": moves[0], "ply": field(page, "ply"), "key": field(page, "key")}
    )
    assert again.status_code == 303, "the same form twice plays once, and is no error"


def test_a_spectator_sees_the_board_and_no_controls(client: TestClient) -> None:
    path = open_game(client)
    wait_for(client, path, 'name="move"')
    client.cookies.clear()
    page = client.get(path).text
    assert 'id="board"' in page
    assert 'name="move"' not in page
    assert 'name="ply"' not in page


def test_invited_friend_sits_down_under_a_name(client: TestClient) -> None:
    path = client.post("/tables", data={"game": GAME, "quick": "link"}).headers["location"]
    page = client.get(path).text
    link = re.search(r'id="invite-link" readonly value="([^"]*)"', page)
    assert link
    assert "<svg" in page.split('class="qr"')[1][:400]
    host = dict(client.cookies)
    client.cookies.clear()
    local = link.group(1).removeprefix("http://testserver")
    assert "invites you" in client.get(local).text
    joined = client.post(local, data={"name": "Bert"})
    assert joined.status_code == 303
    assert joined.headers["location"] == path
    assert "Bert" in client.get(path).text
    assert 'id="invite-link"' not in client.get(path).text, "only the host hands out the link"
    client.cookies.clear()
    client.cookies.update(host)
    assert "Bert" in client.get(path).text


def test_who_waits_leaves_beside_the_invitation_and_who_resigns_reads_what_holds_at_this_table(
    client: TestClient, anna: Guest
) -> None:
    client.cookies.set("guest", anna.token)
    waiting = client.get(f"/t/{anna.table('me', 'link')}").text
    assert "Leave the table" in waiting.split('id="waiting"')[1].split("</section>")[0]
    assert waiting.count("Leave the table") == 1
    for game, bots, sentence in (
        ("shanghaien", 1, "You give up the game, and the other player wins."),
        ("sanghai", 2, "You give up the game. If two or more others go on, a bot plays in your place."),
    ):
        level = next(iter(shelf()[game].levels))
        seats = {"seat.0": "me", **{f"seat.{n}": f"bot:{level}" for n in range(1, bots + 1)}}
        path = client.post("/tables", data={"game": game, **seats}).headers["location"]
        anna.post(f"/tables/{path.removeprefix('/t/')}/nonce", {"nonce": "mine"})
        assert sentence in client.get(path).text


def test_a_refused_seat_does_not_change_the_name_of_a_guest(
    client: TestClient, anna: Guest, bert: Guest
) -> None:
    table = anna.table("me", "link")
    invite = anna.look(table)["invite"]
    cleo = Guest(client, "Cleo")
    client.cookies.set("guest", bert.token)
    assert client.post(f"/j/{table}/{invite}", data={"name": "x" * 99}).status_code == 400
    assert client.post(f"/j/{table}/{invite}", data={"name": "Bertram"}).status_code == 303
    assert bert.get("/me").json()["name"] == "Bertram"
    client.cookies.clear()
    client.cookies.set("guest", cleo.token)
    assert client.post(f"/j/{table}/{invite}", data={"name": "Late"}).status_code == 409
    assert cleo.get("/me").json()["name"] == "Cleo"


def test_a_wrong_invitation_is_refused(client: TestClient) -> None:
    path = client.post("/tables", data={"game": GAME, "quick": "link"}).headers["location"]
    table = path.removeprefix("/t/")
    client.cookies.clear()
    answer = client.post(f"/j/{table}/wrong", data={"name": "Bert"})
    assert 400 <= answer.status_code < 500
    assert "Bert" not in client.get(path).text


def test_new_table_offers_all_options_and_opens(client: TestClient) -> None:
    page = client.get(f"/new/{GAME}").text
    assert 'name="option.tiebreak"' in page
    answer = client.post(
        "/tables",
        data={
            "game": GAME,
            "seat.0": "me",
            "seat.1": "open",
            "clock": "live",
            "minutes": "10",
            "option.tiebreak": "unused_tricks",
            "option.doubles_reroll": "on",
        },
    )
    assert answer.status_code == 303
    path = answer.headers["location"]
    table = client.get(path).text
    assert "more unplayed trick cards" in table
    assert "free seat" in table
    assert "Spectators can read your messages too." in table, (
        "also before the game: only some parts are renewed"
    )
    look = client.get(f"/api/v1/tables/{path.removeprefix('/t/')}").json()
    assert (look["clock"]["kind"], look["clock"]["minutes"]) == ("live", 10)
    assert look["changed"] == {"tiebreak": "unused_tricks", "doubles_reroll": "on"}
    assert "\N{NO-BREAK SPACE}: " in tell_in("fr", GAME, look["changed"])


def test_only_the_name_of_people_who_left_is_translated(client: TestClient) -> None:
    german = words_of("spelunke.web", "de")
    assert call_person("somebody who left", german) == "jemand, der fort ist"
    assert call_person("somebody who left 2", german) == "jemand, der fort ist 2"
    assert all(call_person(name, german) == name for name in ("", "Anna", "somebody who left us"))
    form = client.get(f"/new/{GAME}").text
    assert "somebody who left" not in form


def tell_in(language: str, game: str, changed: dict[str, str]) -> str:
    before = LANGUAGE.set(language)
    try:
        return tell_options(game, changed)
    finally:
        LANGUAGE.reset(before)


def test_a_wrong_option_comes_back_with_the_form_filled_in(client: TestClient) -> None:
    answer = client.post(
        "/tables",
        data={"game": GAME, "seat.0": "me", "seat.1": "open", "option.trick_split": "9/9/9"},
    )
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert 'value="9/9/9"' in answer.text


def test_name_theme_and_their_page(client: TestClient) -> None:
    assert client.post("/me", data={"name": "Old Salt"}).status_code == 303
    assert "Old Salt" in client.get("/me").text
    assert client.post("/me/theme", data={"theme": "dark", "back": "/me"}).headers["location"] == "/me"
    assert '<html lang="en" data-theme="dark">' in client.get("/").text
    assert (
        client.post("/me/theme", data={"theme": "dark", "back": "//evil.example"}).headers["location"] == "/"
    )
    assert client.post("/me/theme", data={"theme": "pink"}).status_code == 400


def test_chat_is_sent_and_escaped(client: TestClient) -> None:
    path = open_game(client)
    assert client.post(f"{path}/chat", data={"text": "<b>ahoy</b>"}).status_code == 303
    page = client.get(path).text
    assert "&lt;b&gt;ahoy&lt;/b&gt;" in page
    assert client.post(f"{path}/chat", data={"text": ""}).status_code == 400


@pytest.mark.deep
def test_resigning_ends_the_game_and_opens_the_record(client: TestClient) -> None:
    path = open_game(client)
    wait_for(client, path, 'id="resign"')
    assert client.get(f"{path}/record.json").status_code == 409
    assert client.post(f"{path}/resign").status_code == 303
    page = client.get(path).text
    assert 'id="result-title"' in page
    assert "Play again" in page
    assert "An easier bot" in page or "Deckhand" in page
    assert "A stronger bot" not in page, "the game was lost"
    record = client.get(f"{path}/record.json")
    assert record.status_code == 200
    assert record.json()["fairness"]["seed"]
    assert "attachment" in record.headers["content-disposition"]
    again = client.post(f"{path}/rematch")
    assert again.status_code == 303
    assert again.headers["location"] != path


def test_draw_is_offered_and_accepted(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    look = anna.look(game_for_two)
    assert "offer_draw" in look["may"]
    assert anna.post(f"/tables/{game_for_two}/draw", {"answer": "offer"}).status_code == 200
    assert "accept_draw" in bert.look(game_for_two)["may"]
    client.cookies.set("guest", bert.token)
    page = client.get(f"/t/{game_for_two}").text
    assert "Accept the draw" in page
    assert client.post(f"/t/{game_for_two}/draw", data={"answer": "accept"}).status_code == 303
    assert bert.look(game_for_two)["result"]["reason"] == "agreed"


@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_rules_are_readable(client: TestClient, game: str) -> None:
    text = client.get(f"/rules/{game}").text
    chapters = re.findall(r'<h2 id="([^"]+)">', text)
    assert len(chapters) > 4
    assert text.count("<h1") == 1
    assert re.findall(r'<a href="#((?:part-|signs)[^"]*)">', text) == chapters, "each chapter can be gone to"
    assert "rule-number" not in text
    assert not re.search(r"<code>[A-Z]-[A-Z]\d", text), "no reader trips over the numbers of rules"
    numbered = client.get(f"/rules/{game}?numbers=yes").text
    assert numbered.count('<small class="rule-number">') > 4
    assert len(re.findall('<figure class="rules-picture"', text)) > 4
    assert not re.search(r'<button[^>]* name="move"', text), "nothing can be played in a picture"
    folded = re.findall(r'<details class="rules-more"><summary><h2 id="part-\d+">([^<]+)', text)
    assert folded
    assert folded[0] in ("Notation", "Written moves")
    assert client.get("/rules/nothing").status_code == 404


def test_a_failure_is_answered_and_counted_as_any_request(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of an unexpected error has the reader's language and the headers of all pages."""

    async def fail(*_given: object, **_values: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Site, "page", fail)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        answer = client.get("/", headers={"accept-language": "de"})
        metrics = client.get("/metrics", headers=AS_HOST).text
    assert answer.status_code == 500
    assert '<html lang="de"' in answer.text
    assert "Something broke" not in answer.text
    assert answer.headers["content-language"] == "de"
    assert {name.decode() for name, _value in HEADERS} <= set(answer.headers)
    assert re.search(r'^spelunke_requests_total\{[^}]*status="500"\} 1\.0$', metrics, re.MULTILINE)


def test_health_metrics_and_static_files(client: TestClient) -> None:
    health = client.get("/health")
    assert health.status_code == 200
    assert health.json()["ok"] is True
    metrics = client.get("/metrics", headers=AS_HOST).text
    assert "spelunke_requests_total" in metrics
    sheet = re.search(r'href="(/static/house.css\?v=[0-9a-f]+)"', client.get("/").text)
    assert sheet
    answer = client.get(sheet.group(1))
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    # the address of another version, whose content this server does not have
    other = client.get("/static/house.css?v=0123456789")
    assert (other.text, other.headers["cache-control"]) == (answer.text, "no-cache")
    assert client.get("/static/nothing.css").status_code == 404
    assert client.get("/static/..%2Fapp.py").status_code == 404


def test_pages_hold_no_inline_script_or_style(client: TestClient) -> None:
    path = open_game(client)
    wait_for(client, path, 'name="move"')
    for page in ("/", f"/new/{GAME}", "/me", "/verify", path):
        text = client.get(page).text
        # A table's first page may contain a sheet of the house; test_sheets.py holds its hash to the policy.
        assert not re.search(r'<style(?! data-sheet="/static/[a-z-]+\.css\?v=[0-9a-f]+">)', text), page
        assert not re.search(r"\sstyle=", text), page
        assert not re.search(r"\son[a-z]+=", text), page
        assert not re.search(r"<script(?![^>]* src=)", text), page


def test_a_hidden_tab_can_ask_whether_it_is_its_players_turn(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    client.cookies.set("guest", anna.token)
    assert client.get(f"/t/{game_for_two}/turn").json()["mine"] is True
    client.cookies.set("guest", bert.token)
    assert client.get(f"/t/{game_for_two}/turn").json()["mine"] is False


def test_a_whole_game_by_the_api(anna: Guest) -> None:
    table = anna.table("me", "bot:deckhand")
    anna.start(table)
    for turn in range(500):
        look = anna.wait(table, ready_to_move)
        if look["status"] == "over":
            break
        move = look["legal"][turn * 7 % len(look["legal"])]["text"]
        answer = anna.play(table, move, look["ply"])
        assert answer.status_code == 200, answer.text
    look = anna.look(table)
    assert look["status"] == "over"
    assert look["fairness"]["seed"]
    answer = anna.get(f"/tables/{table}/record")
    prove(parse_record(answer.content))
    record = answer.json()
    assert record["result"]["ranks"] == look["result"]["ranks"]
    assert [ply for ply in record["plies"] if ply[0] == -1], "chance is in the record"


def test_choices_are_explained_in_the_first_games_until_switched_off(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    asked = next(one for one in (anna, bert) if one.look(game_for_two)["legal"])
    client.cookies.set("guest", asked.token)
    page = client.get(f"/t/{game_for_two}").text
    assert 'popovertarget="meanings"' in page
    assert 'data-moves="roll"' in page
    off = client.post("/me/explain", data={"explain": "never", "back": "/me"})
    assert off.status_code == 303
    assert 'data-moves="' not in client.get(f"/t/{game_for_two}").text
    assert client.post("/me/explain", data={"explain": "sometimes"}).status_code == 400
    client.post("/me/explain", data={"explain": "always"})
    assert 'data-moves="roll"' in client.get(f"/t/{game_for_two}").text


def test_rules_of_a_table_are_told_in_words(client: TestClient, anna: Guest) -> None:
    table = anna.table(
        "me",
        "open",
        "open",
        game="sanghai",
        options={"schedule": "short", "joker_swap": True, "layoff_same_turn": False},
    )
    client.cookies.clear()
    for page in (client.get("/").text, client.get(f"/t/{table}").text):
        assert "Rounds: " in page
        assert "schedule" not in page
        assert "Jokers can be swapped out" in page
        assert "off: Add cards in the turn you lay" in page


def test_a_table_page_has_its_body_class_from_the_start(client: TestClient) -> None:
    """The class of the body is there from the start, so the site's bar doesn't move when the table arrives."""
    table = client.post("/tables", data={"game": "shanghaien", "quick": "bot"}).headers["location"]
    assert '<body class="at-table">' in client.get(table).text
    assert '<body class="at-table">' not in client.get("/").text


def test_a_short_card_of_the_rules_stands_beside_the_table(client: TestClient) -> None:
    for game in shelf():
        table = client.post("/tables", data={"game": game, "quick": "bot"}).headers["location"]
        page = client.get(table).text
        card = page.partition("The rules in short")[2].partition("</details>")[0]
        assert card.count("<li>") > 5, game
        assert f'href="/rules/{game}"' in card
        assert "<summary><h2>In short</h2></summary>" in client.get(f"/rules/{game}").text


def test_the_story_is_told_on_the_front_page_and_in_the_rules(client: TestClient) -> None:
    assert "El Dado and Terrible Michael" in client.get("/").text
    rules = client.get("/rules/shanghaien").text
    assert "El Dado" in rules
    assert "Terrible Michael" in rules
    assert "The roughest player starts" in rules
