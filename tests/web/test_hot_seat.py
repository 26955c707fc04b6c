"""Several people share one device. In games with hidden cards, a curtain hides the hands between two turns."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from starlette.testclient import TestClient

from spelunke.core.chance import seed_stream
from spelunke.games import shelf
from spelunke.house.house import House
from spelunke.house.messages import Look
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import BadPlan
from spelunke.records.fairness import verify
from spelunke.web.parts.curtain import render_curtain
from spelunke.web.parts.log import is_detail
from waiting import wait_until

from .conftest import Server
from .test_browser import NARROW, ask, let_a_bot_play, person, resign
from .test_cut_lines import HIDE

HTMX = {"hx-request": "true"}
MATES = {"shanghaien": "Bert", "halunken": "Bert", "sanghai": "Bert, Cleo, Dora"}


@pytest.fixture
def begin(client: TestClient) -> Callable[[str], str]:
    """Return a function that opens a table for this device's people and waits for its start."""

    def open_table(game: str) -> str:
        answer = client.post("/tables", data={"game": game, "quick": "here", "names": MATES[game]})
        assert answer.status_code == 303
        table = answer.headers["location"].rsplit("/", 1)[1]
        house = house_of(client)
        host = house.looks.look(table)
        assert host.seats[1].name == "Bert"
        with house.play._tables.open(table) as slot:
            person = slot.table.facts.host
        house.lobby.add_nonce(table, person, "a-share")
        wait_until(lambda: house.looks.look(table).status == "playing")
        return table

    return open_table


def house_of(client: TestClient) -> House:
    house: House = client.app.state.site.house  # type: ignore[attr-defined]
    return house


def people_at(house: House, table: str) -> list[str]:
    """Return the person on each seat."""
    with house.play._tables.open(table) as slot:
        return [str(chair.person) for chair in slot.table.facts.chairs]


def act(client: TestClient, table: str, move: str) -> int:
    page = client.get(f"/t/{table}", follow_redirects=True).text
    return client.post(f"/t/{table}/act", data={"move": move, **fields_of(page)}, headers=HTMX).status_code


def act_without_scripts(client: TestClient, table: str, move: str, page: str) -> str:
    """Play a move from this page. Return the page to which the server leads: an open hand stays open there."""
    sent = {"move": move, **fields_of(page)}
    return client.post(f"/t/{table}/act", data=sent, follow_redirects=True).text


def fields_of(page: str) -> dict[str, str]:
    board = page[page.index('<form id="act"') :]
    return {
        name: re.search(rf'name="{name}" value="([^"]*)"', board)[1]  # type: ignore[index]
        for name in ("ply", "key", "link")
    }


def play_until_cards(house: House, table: str) -> None:
    """Play Halunken until its players choose cards in secret."""
    people = people_at(house, table)
    while house.looks.look(table).view.phase != "choosing":
        act_next(house, table, people)


def open_hand(page: Page, seat: int = 0) -> None:
    """Open a seat's hand on a shared device by its button, which is in a menu if everybody may see the decision."""
    menu = page.locator("#curtain #hands")
    expect(page.locator("#curtain section")).to_be_visible()
    if menu.count():
        menu.locator("summary").click()
    page.locator(f'#curtain form:has(input[value="{seat}"]) button').click()
    expect(page.locator(".curtain-close")).to_be_visible()


@pytest.mark.deep
def test_where_nothing_is_hidden_the_page_follows_the_person_to_act(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    acted = set()
    for _ in range(30):
        look = house.looks.look(table)
        seat = look.actors[0]
        page = client.get(f"/t/{table}", follow_redirects=True).text
        assert 'class="curtain' not in page
        asked = f'<span class="whose">{look.seats[seat].name}</span>: ' in page
        assert asked or "Read the result, then go on." in page
        board = page.split('id="board"')[1].split("</form>")[0]
        assert not re.search(">(You|My crew)<", board), "both look at the board"
        with house.play._tables.open(table) as slot:
            moves = slot.table.match.texts(seat)  # type: ignore[union-attr]
        assert act(client, table, moves[0]) == 204
        acted.add(seat)
    assert acted == {0, 1}


def test_where_nothing_is_hidden_the_next_person_takes_the_move_back(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    people = people_at(house, table)
    placed = False
    while not placed:
        seat = house.looks.look(table).actors[0]
        move = house.looks.look(table, people[seat]).legal[0][1]
        assert act(client, table, move) == 204
        placed = move.startswith("place")
    assert house.looks.look(table).actors == (1 - seat,)
    page = client.get(f"/t/{table}").text
    button = page.split('id="undo"')[1].split("</form>")[0]
    assert f'action="/t/{table}/undo"' in button
    assert f"{house.looks.look(table).names[seat]}: Undo" in button
    assert house.looks.look(table, people[seat]).undo_of is None, "their own move"
    assert client.post(f"/t/{table}/undo", data={"answer": "ask"}, headers=HTMX).status_code == 204
    look = house.looks.look(table, people[seat])
    assert look.actors == (seat,)
    assert move in [text for _action, text in look.legal]
    assert "undo" not in house.looks.look(table, people[1 - seat]).may, "no earlier move"


def test_where_everybody_sees_the_board_the_newest_open_move_can_be_taken_back(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MATES, "halunken", "Bert, Cleo")
    table = begin("halunken")
    house = house_of(client)

    def undo_form() -> str:
        page = client.get(f"/t/{table}", follow_redirects=True).text
        return page.split('id="undo"')[1].split("</div>")[0]

    people = people_at(house, table)
    while house.looks.look(table).view.phase != "bidding":
        act_next(house, table, people)
    (seat,) = house.looks.look(table).actors
    assert act(client, table, "pass") == 204
    button = undo_form()
    assert f"{house.looks.look(table).names[seat]}: Undo" in button
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', button))
    other = {**sent, "key": sent["key"].replace(f"open-{seat}", "open-9")}
    assert client.post(f"/t/{table}/undo", data=other, headers=HTMX).status_code == 409
    for _again in range(2):
        assert client.post(f"/t/{table}/undo", data=sent, headers=HTMX).status_code == 204
    assert house.looks.look(table).actors == (seat,), "one press takes back one move"
    play_until_cards(house, table)
    assert "<form" not in undo_form(), "the curtain is closed"
    act_next(house, table, people)
    assert "<form" not in undo_form(), "a card in secret"


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1024, 768), (1180, 820)])
@pytest.mark.parametrize("names", ["Bert", "Maximiliana, Alexandrina", "Maximiliana, Alexandrina, Theodora"])
def test_the_harbour_is_in_view_on_a_tablet_below_the_curtain(
    browser: Browser, server: Server, names: str, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": names, "name": "Anna"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        table = page.url.rsplit("/", 1)[1]
        expect(page.locator(".lifted")).to_be_visible()
        expect(page.locator(".hk-harbour")).to_be_in_viewport(ratio=1)
        play_until_cards(server.house, table)
        expect(page.locator(".curtain .primary")).to_be_visible()
        expect(page.locator(".hk-harbour")).to_be_in_viewport(ratio=1)
        open_hand(page)
        expect(page.locator(".hk-harbour")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("game", ["sanghai", "halunken"])
def test_a_curtain_hides_the_hands(client: TestClient, begin: Callable[[str], str], game: str) -> None:
    table = begin(game)
    house = house_of(client)
    if game == "halunken":
        play_until_cards(house, table)
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert 'class="curtain"' in page
    assert 'name="ply"' not in page  # it is a spectator's page
    assert act_refused(client, table) == 409
    for seat in (0, 1):
        shown = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True).text
        name = house.looks.look(table).seats[seat].name
        assert f"{name}&#39;s hand is visible now." in shown
        closed = client.post(f"/t/{table}/hand", data={"seat": "-"}, follow_redirects=True).text
        assert 'class="curtain"' in closed
        # A page in the background asks for nobody either, so it rings no bell for the owner's turn.
        assert client.get(f"/t/{table}/turn").json()["mine"] is False


@pytest.mark.parametrize("game", ["sanghai", "halunken"])
def test_the_closed_curtain_says_what_happened_last(
    client: TestClient, begin: Callable[[str], str], game: str
) -> None:
    table = begin(game)
    house = house_of(client)
    people = people_at(house, table)
    if game == "halunken":
        play_until_cards(house, table)
    seen = set()
    for _ in range(8):
        page = client.get(f"/t/{table}", follow_redirects=True).text
        news = page.partition('<ul class="curtain-news"')[2].partition("</ul>")[0]
        told = [unescape(text) for text in re.findall("<li>(.*?)</li>", news)]
        if 'class="curtain"' in page and "Read the result" not in page:
            log = house.looks.look(table).log
            public = [line.text for line in log if not is_detail(line)]
            assert 1 <= len(told) <= 2
            assert told in (public[-len(told) :], [line.text for line in log][-len(told) :])
            seen.update(told)
        else:
            assert not told
        act_next(house, table, people)
    assert game == "halunken" or len(seen) > 2


def test_a_decision_that_everybody_may_see_needs_no_open_hand(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Halunken, only the choice of cards is secret and needs an open hand. Other decisions need none."""
    monkeypatch.setitem(MATES, "halunken", "Bert, Cleo")
    table = begin("halunken")
    house = house_of(client)
    people, phases = people_at(house, table), set()
    while len(phases) < 4:
        look = house.looks.look(table)
        phases.add(look.view.phase)
        page = client.get(f"/t/{table}", follow_redirects=True).text
        assert "hand is visible now." not in page
        if look.view.phase == "choosing":
            assert 'name="ply"' not in page
            assert f"Pass the device to {look.names[look.actors[0]]}." in page
            act_next(house, table, people)
            continue
        (seat,) = look.actors
        assert f"{look.names[seat]} decides; everybody may see the board." in page
        assert f'href="/t/{table}?round=last"' not in page, "no round is over"
        asked = client.get(f"/t/{table}?round=last").text
        assert asked.count('name="move"') == page.count('name="move"') > 0
        assert client.get(f"/t/{table}/turn").json()["mine"] is True
        assert "Pass the device" not in page
        assert 'class="hk-standing"' not in page, "orders are for an open hand"
        move = house.looks.look(table, people[seat]).legal[-1][1]
        sent = {"move": move, **fields_of(page)}
        for _again in range(2):
            assert client.post(f"/t/{table}/act", data=sent, headers=HTMX).status_code == 204
        assert house.looks.look(table).ply > look.ply
        late = {**sent, "key": f"{sent['key']}0"}
        refused = client.post(f"/t/{table}/act", data=late, headers=HTMX)
        assert refused.status_code == 409
        assert "The game has gone on" in refused.text
    assert phases >= {"placing", "hiding", "bidding", "choosing"}


@pytest.mark.parametrize(
    ("mates", "said"),
    [
        ("Bert, Bo", "Waiting for {}, Bert and Bo."),
        ("Bert, Maximiliana, Alexandrina", "Waiting for {}."),
    ],
)
def test_the_page_names_whom_it_waits_for_at_one_device(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, mates: str, said: str
) -> None:
    monkeypatch.setitem(MATES, "halunken", mates)
    table = begin("halunken")
    play_until_cards(house_of(client), table)
    names = house_of(client).looks.look(table).names
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert f"<span>{said.format(names[0])}</span>" in page.split('id="turn"')[1]
    assert f"Pass the device to {names[0]}." in page


def test_the_list_of_tables_names_the_person_to_act_at_this_device(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    """The device's table waits for its people, whichever of them is to act."""
    table = begin("shanghaien")
    house = house_of(client)
    people, badges = people_at(house, table), set()
    while len(badges) < 2:
        (seat,) = actors_of(house, table)
        page = unescape(client.get("/").text)
        assert "1 table is waiting for you" in page
        said = re.findall('class="badge lit">([^<]*)<', page)
        assert said == ["It is Bert's turn." if seat else "your turn"]
        badges.update(said)
        assert house.lists.next_table(people[0]) == table
        act_next(house, table, people)


def test_an_open_decision_is_for_the_shared_device_alone(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("halunken")
    page = client.get(f"/t/{table}", follow_redirects=True).text
    fields = {"move": "place 3", **fields_of(page)}
    assert client.post(f"/t/{table}/act", data={**fields, "key": "open-9-00000"}).status_code == 409
    client.cookies.clear()
    assert client.post(f"/t/{table}/act", data=fields).status_code == 401
    watched = client.get(f"/t/{table}", follow_redirects=True).text
    assert 'name="ply"' not in watched
    assert "everybody may see the board" not in watched
    client.post("/tables", data={"game": "shanghaien", "quick": "bot"})  # now it is a guest's device
    assert client.post(f"/t/{table}/act", data=fields).status_code == 409
    assert 'name="ply"' not in client.get(f"/t/{table}", follow_redirects=True).text


@pytest.mark.parametrize("resigning", [0, 1])
def test_the_end_names_the_winner_to_both(
    client: TestClient, begin: Callable[[str], str], resigning: int
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    with house.play._tables.open(table) as slot:
        person = slot.table.facts.chairs[resigning].person
    assert person is not None
    house.play.resign(table, person, "abcdefgh")
    wait_until(lambda: house.looks.look(table).status == "over")
    page = client.get(f"/t/{table}", follow_redirects=True).text
    title = re.search(r'id="result-title"[^>]*>([^<]*)<', page)
    assert title is not None
    assert title[1] == f"{house.looks.look(table).seats[1 - resigning].name} won"
    assert 'data-mood="won"' in page
    card = page[page.index('<section id="result"') :].split("</section>")[0]
    assert 'class="own"' not in card
    assert 'id="tip"' not in card, "a tip would be about one of them"


@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_after_the_game_the_page_calls_nobody_you(
    client: TestClient, begin: Callable[[str], str], game: str
) -> None:
    table = begin(game)
    house = house_of(client)
    with house.play._tables.open(table) as slot:
        people = [chair.person for chair in slot.table.facts.chairs if chair.person is not None]
    names = house.looks.look(table).names
    client.post(f"/t/{table}/hand", data={"seat": "1"})
    owner = re.compile(r'<a href="/me">([^<]*)</a>')
    assert owner.findall(client.get(f"/t/{table}", follow_redirects=True).text) == [names[0]], (
        "it is the device's owner all the time"
    )
    for number, one in enumerate(people):
        if house.looks.look(table).status == "playing":
            house.play.resign(table, one, f"resign-{number}")
    wait_until(lambda: house.looks.look(table).status == "over")
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert owner.findall(page) == [names[0]]
    for part in ("head", "result", "board", "log"):
        drawn = page[page.index(f'id="{part}"') :].split("</section>")[0]
        assert not re.search(r"\b[Yy]our?\b", re.sub(r"<[^>]*>", " ", drawn)), part


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
def test_a_table_on_one_device_has_no_chat(
    client: TestClient, begin: Callable[[str], str], game: str
) -> None:
    table = begin(game)
    house = house_of(client)
    for _ in range(2):
        page = client.get(f"/t/{table}", follow_redirects=True).text
        assert re.search(r'<section id="chat" [^>]*hidden>', page)
        assert 'id="chat-open"' not in page
        assert "Bravo!" not in page
        assert 'class="own"' not in page.split('id="log"')[1].split("</ol>")[0], "nobody at it is “you”"
        if house.looks.look(table).status == "playing":
            with house.play._tables.open(table) as slot:
                host = slot.table.facts.host
            house.play.resign(table, host, "give-it-up")
    assert 'class="badge you"' not in page


@pytest.mark.deep
def test_the_summary_on_a_shared_device_calls_neither_player_you(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    for _ in range(40):
        look = house.looks.look(table)
        with house.play._tables.open(table) as slot:
            moves = slot.table.match.texts(look.actors[0])  # type: ignore[union-attr]
        assert act(client, table, "shanghai" if "shanghai" in moves else moves[0]) == 204
        page = client.get(f"/t/{table}", follow_redirects=True).text
        if '<section id="summary"' in page:
            break
    summary = page[page.index('<section id="summary"') :].split("</section>")[0]
    assert not re.search(r"\bYou\b", summary)
    for seat in house.looks.look(table).seats:
        assert seat.name in summary


def test_a_hand_closes_after_the_decision_of_its_person(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    """A hand closes when its player has no more decision. The hirer of Black Jack first chooses a card for him too.

    To take a card back, the player opens the hand again.
    """
    table = begin("halunken")
    house = house_of(client)
    people = people_at(house, table)
    stayed = taken_back = 0
    client.get(f"/t/{table}")
    while not (stayed and taken_back):
        seat, secret = house.looks.look(table).actors[0], False
        shown = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True).text
        while "hand is visible now." in shown:
            moves = [text for _action, text in house.looks.look(table, people[seat]).legal]
            secret = moves[0].startswith(("card", "jack"))
            move = next((text for text in moves if text != "pass"), "pass")
            shown = act_without_scripts(client, table, move, shown)
            with house.play._tables.open(table) as slot:
                assert ("hand is visible now." in shown) == (seat in slot.table.actors)
            stayed += secret and "hand is visible now." in shown
        if house.looks.look(table).view.phase == "choosing":
            assert 'name="ply"' not in shown, "it is a spectator's page"
        if secret and "take_back" in house.looks.look(table, people[seat]).may:
            again = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True).text
            assert "hand is visible now." in again
            again = client.post(f"/t/{table}/take-back", data=fields_of(again), follow_redirects=True).text
            assert seat in house.looks.look(table, people[seat]).actors
            assert "hand is visible now." in again
            taken_back += 1


def test_a_hand_that_was_left_open_is_closed_when_its_person_returns(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    """If the device visits another page and returns to the table, the hand is closed: others may hold the device."""
    table = begin("sanghai")
    seat = actors_of(house_of(client), table)[0]
    client.get(f"/t/{table}")
    for back in (f"/t/{table}", f"/t/{table}?round=last"):
        shown = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True).text
        assert "hand is visible now." in shown
        client.get("/")
        closed = client.get(back, follow_redirects=True)
        assert "hand is visible now." not in closed.text
        (led,) = closed.history
        assert led.headers["cache-control"] == "no-store", "a browser would repeat it forever"
        assert act_refused(client, table) == 409
        assert 'class="curtain"' in client.get(f"/t/{table}", follow_redirects=True).text


@pytest.mark.deep
def test_an_open_hand_is_covered_when_the_page_is_hidden_and_closed_afterwards(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        fields = {"game": "sanghai", "quick": "here", "preset": "short", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.evaluate(HIDE, True)
        page.evaluate(HIDE, False)
        expect(page.locator(".curtain .primary"), "a closed curtain stays").to_be_visible()
        page.locator(".curtain .primary").click()
        expect(page.locator(".curtain-close")).to_be_visible()
        expect(page.locator(".sg-hand")).to_be_visible()
        page.evaluate(HIDE, True)
        expect(page.locator(".sg-hand")).to_be_hidden()
        page.evaluate(HIDE, False)
        expect(page.locator(".curtain")).to_be_visible()
        expect(page.locator(".sg-hand")).to_have_count(0)


@pytest.mark.deep
def test_a_closed_curtain_keeps_the_melds_that_a_player_has_set_aside(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        fields = {"game": "sanghai", "quick": "here", "preset": "short", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator(".curtain .primary").wait_for()
        house, table = server.house, page.url.rsplit("/", 1)[1]
        people, seat, cards = people_at(house, table), 0, list[str]()
        while len(cards) < 3:
            act_next(house, table, people)
            seat = actors_of(house, table)[0]
            hand = house.looks.look(table, people[seat]).view.hand
            ranks = [card[:-1] for card in hand if card != "*"]
            cards = [
                card
                for card in hand
                if ranks.count(card[:-1]) >= 3 and card[:-1] == max(ranks, key=ranks.count)
            ]
        page.reload()
        page.locator(".curtain .primary").click()
        for card in [f"{card}.{cards[:at].count(card) + 1}" for at, card in enumerate(cards)][:3]:
            page.locator(f'.sg-hand [data-card="{card}"] input').focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Put aside as a meld").click()
        expect(page.locator(".sg-card.aside")).to_have_count(3)
        page.get_by_role("button", name="Close the curtain").click()
        expect(page.locator(".curtain .primary")).to_be_visible()
        assert not page.locator('input[name="aside"]').count(), "the closed page has no hand"
        page.locator(".curtain .primary").click()
        expect(page.locator(".sg-card.aside")).to_have_count(3)
        kept = page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('aside'))")
        assert [name.split()[1] for name in kept] == [f"hand-{table}-{seat}"], "no other hand takes them"


def test_a_closed_hand_does_not_open_when_its_person_is_to_act_again(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("sanghai")
    house = house_of(client)
    client.get(f"/t/{table}")
    with house.play._tables.open(table) as slot:
        people = [str(chair.person) for chair in slot.table.facts.chairs]
        seat = slot.table.actors[0]
    client.post(f"/t/{table}/hand", data={"seat": str(seat)})
    opened = str(next(one.value for one in client.cookies.jar if one.name == "hand"))
    waited = False
    while not waited or seat not in slot.table.actors:
        act_next(house, table, people)
        with house.play._tables.open(table) as slot:
            waited |= seat not in slot.table.actors
    forged = (f"{seat}", f"{seat}.0", f"{seat}.0.99999", f"{seat}.1.1", f"{seat}.0.-1", "9.0.0")
    for shown in (opened, *forged):
        next(one for one in client.cookies.jar if one.name == "hand").value = shown
        page = client.get(f"/t/{table}").text
        assert 'class="curtain"' in page, shown
        assert "hand is visible now." not in page


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["halunken", "sanghai"])
@pytest.mark.parametrize("open_hand", [True, False])
def test_the_end_of_a_round_closes_every_hand(
    client: TestClient, begin: Callable[[str], str], game: str, *, open_hand: bool
) -> None:
    """After a round, the shared device shows no hand, but the summary. Opening a hand dismisses the summary for all."""
    table = begin(game)
    house = house_of(client)
    if open_hand:
        client.post(f"/t/{table}/hand", data={"seat": "0"})
    people = end_round(house, table)
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert '<section id="summary"' in page
    assert 'class="curtain"' in page
    assert "hand is visible now." not in page
    assert 'name="ply"' not in page, "it is a spectator's page"
    assert "dismiss-summary" not in page
    assert "Back to the table" not in page.split('<section id="summary"')[1].split("</section>")[0]
    assert client.post(f"/t/{table}/dismiss-summary").status_code == 409, "this would open the old hand again"
    actor = house.looks.look(table).actors[0]
    shown = client.post(f"/t/{table}/hand", data={"seat": str(actor)}, follow_redirects=True).text
    assert '<section id="summary"' not in shown
    assert f"{house.looks.look(table).names[actor]}&#39;s hand is visible now." in shown
    assert all(house.looks.look(table, one).summary is None for one in people)
    assert client.post(f"/t/{table}/recall").status_code == 303
    opened = re.search(r'hx-sse:connect="[^"]*&amp;hand=([^"]*)"', shown)
    assert opened
    assert opened[1] == str(actor), "with it, the stream reloads the page if the hand has closed meanwhile"
    again = client.get(f"/t/{table}", follow_redirects=True).text
    assert '&amp;hand=-"' in again
    assert '<section id="summary"' in again
    assert 'class="curtain"' in again


@pytest.mark.parametrize("acts", [False, True])
def test_a_summary_can_be_closed_without_opening_a_hand(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, *, acts: bool
) -> None:
    """The people at the device can look at the table, whether or not one of them has to act."""
    table = begin("sanghai")
    house = house_of(client)
    end_round(house, table)
    find = house.hands.hand
    if not acts:
        monkeypatch.setattr(
            house.hands, "hand", lambda *given: (found := find(*given)) and found._replace(asked=())
        )
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert '<section id="summary"' in page
    curtain = page[page.index('class="curtain"') :].split("</section>")[0]
    assert ("Pass the device to" if acts else "Read the result, then go on.") in curtain
    assert "Back to the table" in curtain
    page = client.post(f"/t/{table}/hand", data={"seat": "+"}, follow_redirects=True).text
    assert '<section id="summary"' not in page
    assert 'class="curtain"' in page
    assert "show my hand" in page


def test_an_offered_draw_is_announced_to_everybody_at_the_device(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MATES, "halunken", "Bert, Cleo")
    table = begin("halunken")
    play_until_cards(house_of(client), table)
    client.get(f"/t/{table}")
    client.post(f"/t/{table}/hand", data={"seat": "1"})
    own = client.get(f"/t/{table}").text
    assert re.search(r"<button [^>]*>Bert: Offer a draw<", own)
    assert "<summary>Bert: Resign</summary>" in own
    own = client.post(f"/t/{table}/draw", data={"answer": "offer"}, follow_redirects=True).text
    host = house_of(client).looks.look(table).names[0]
    missing = f"Players who have not agreed yet: {host} and Cleo."
    assert f"You offer a draw. {missing} Players who share a device answer on their next turn." in own
    assert re.search(r"<button [^>]* disabled>Bert: Offer a draw<", own), (
        "no other button moves into its place"
    )
    closed = client.post(f"/t/{table}/hand", data={"seat": "-"}, follow_redirects=True).text
    curtain = closed[closed.index('class="curtain"') :].split("</section>")[0]
    assert f"Bert offers a draw. {missing}" in curtain
    client.post(f"/t/{table}/hand", data={"seat": "2"})
    client.post(f"/t/{table}/draw", data={"answer": "accept"}, headers=HTMX)
    closed = client.post(f"/t/{table}/hand", data={"seat": "-"}, follow_redirects=True).text
    assert f"Bert and Cleo offer a draw. Players who have not agreed yet: {host}." in closed


def test_the_open_board_says_how_to_answer_an_offered_draw(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MATES, "halunken", "Bert, Cleo")
    table = begin("halunken")
    house = house_of(client)
    (decides,) = house.looks.look(table).actors
    other = (decides + 1) % 3
    client.get(f"/t/{table}")
    client.post(f"/t/{table}/hand", data={"seat": str(other)})
    client.post(f"/t/{table}/draw", data={"answer": "offer"}, headers=HTMX)
    page = client.post(f"/t/{table}/hand", data={"seat": "-"}, follow_redirects=True).text
    said = "To answer, show your hand first. A move without an answer declines the offer."
    assert said in page[page.index("curtain-line lifted") :].split("</section>")[0]
    sent = {"move": house.looks.look(table, people_at(house, table)[decides]).legal[0][1], **fields_of(page)}
    assert client.post(f"/t/{table}/act", data=sent, headers=HTMX).status_code == 204
    assert "offers a draw" not in client.get(f"/t/{table}", follow_redirects=True).text.split('id="log"')[0]


def test_who_has_resigned_reads_that_a_bot_plays_to_the_end(
    client: TestClient, begin: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MATES, "halunken", "Bert, Cleo")
    table = begin("halunken")
    client.get(f"/t/{table}")
    for resigns in (False, True):
        client.post(f"/t/{table}/hand", data={"seat": "1"})
        own = client.get(f"/t/{table}", follow_redirects=True).text
        assert ("A bot plays for you to the end of the game." in own) == resigns
        assert ("<summary>Bert: Resign</summary>" in own) == (not resigns)
        client.post(f"/t/{table}/resign", headers=HTMX)


def test_players_behind_the_curtain_are_not_sent_to_the_viewpoints_of_others(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("halunken")
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert '<div id="curtain">' in page
    assert f"/t/{table}/watch" not in page
    for _hand in range(2):
        refused = client.get(f"/t/{table}/watch")
        assert refused.status_code == 409
        owner = house_of(client).looks.look(table).names[0]
        assert f'<a href="/me">{owner}</a>' in refused.text, "the header is the person's, as on other pages"
        assert client.post(f"/t/{table}/hand", data={"seat": "1"}).status_code == 303
    missing = client.get("/nowhere").text
    assert f'<a href="/me">{owner}</a>' in missing
    client.cookies.clear()
    assert '<a href="/login">' in client.get("/nowhere").text
    assert f"/t/{table}/watch" in client.get(f"/t/{table}").text


def test_people_at_the_device_know_who_has_answered_a_call(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("sanghai")
    house = house_of(client)
    people = people_at(house, table)
    while len(actors := actors_of(house, table)) < 3:
        act_next(house, table, people)
    names = house.looks.look(table).names
    turn = house.looks.look(table).view.turn
    for answered in range(len(actors) - 1):
        first, *others = actors[answered:]
        client.get(f"/t/{table}")
        client.post(f"/t/{table}/hand", data={"seat": str(first)})
        moves = [text for _action, text in house.looks.look(table, people[first]).legal]
        assert act(client, table, "wait" if "wait" in moves else "pass") == 204
        said = "Waiting for " + " and ".join(names[seat] for seat in others) + "."
        own = client.get(f"/t/{table}").text
        assert said in own
        closed = client.post(f"/t/{table}/hand", data={"seat": "-"}, follow_redirects=True).text
        assert said in closed
        proposed = next((seat for seat in others if seat != turn), turn)
        assert f"Pass the device to {names[proposed]}." in closed
        watched = house.looks.look(table)
        assert watched.actors == actors, "at other devices, the answers stay secret"
        assert not any(seat.ready for seat in watched.seats)


def test_the_device_is_not_passed_to_a_player_whose_orders_answer(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("sanghai")
    house = house_of(client)
    people = people_at(house, table)
    while len(actors := actors_of(house, table)) < 3:
        act_next(house, table, people)
    turn = house.looks.look(table).view.turn
    ordered, other = (seat for seat in actors if seat != turn)
    for seat in (ordered, turn):
        house.play.set_orders(table, people[seat], {"text": "pass"})
    hand = house.hands.hand(table, people[0])
    assert hand is not None
    assert hand.asked == (other, turn), "orders about calls don't take a turn"
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert f"Pass the device to {house.looks.look(table).names[other]}." in page
    drawn = render_curtain(house.looks.look(table), hand._replace(asked=()))
    assert drawn is not None
    assert "curtain-said" not in drawn, "the orders act in a moment"


@pytest.mark.parametrize("leaves", ["by an order", "by resigning"])
def test_a_hand_closes_when_its_person_need_not_act_any_more(
    client: TestClient, begin: Callable[[str], str], leaves: str
) -> None:
    """Otherwise, the next person would get the device with this hand on it."""
    table = begin("sanghai")
    house = house_of(client)
    people = people_at(house, table)
    while len(actors := actors_of(house, table)) < 3:
        act_next(house, table, people)
    seat = next(one for one in actors if one != house.looks.look(table).view.turn)
    client.get(f"/t/{table}")
    client.post(f"/t/{table}/hand", data={"seat": str(seat)})
    shown = client.cookies["hand"].removesuffix("+")

    def person() -> str | None:
        hand = house.hands.hand(table, people[0], shown)
        assert hand is not None
        return hand.person

    assert person() == people[seat]
    if leaves == "by resigning":
        house.play.resign(table, people[seat], "give-it-up")
    else:
        house.play.set_orders(table, people[seat], {"text": "pass"})
    wait_until(lambda: person() is None)


def test_the_player_on_turn_takes_the_device_after_all_who_may_call(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("sanghai")
    house = house_of(client)
    people = people_at(house, table)
    while True:
        look, actors = house.looks.look(table), actors_of(house, table)
        if look.view.phase == "window" and actors[0] == look.view.turn and len(actors) == 3:
            break
        act_next(house, table, people)
    order = []
    for _ in actors:
        page = client.get(f"/t/{table}", follow_redirects=True).text
        (name,) = re.findall(r"Pass the device to (\w+)\.", page)
        seat = look.names.index(name)
        order.append(seat)
        shown = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True).text
        shown = act_without_scripts(client, table, "stock" if seat == look.view.turn else "pass", shown)
    assert order == [*actors[1:], actors[0]]
    assert "hand is visible now" in shown, "the turn goes on in the same hand"


@pytest.mark.deep
def test_the_page_with_an_open_hand_shows_the_curtain_and_the_summary_when_the_round_ends(
    browser: Browser, server: Server
) -> None:
    """If another device ends a round while a hand is open on this page, this page shows the summary and the curtain."""
    with person(browser) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        table = page.url.rsplit("/", 1)[1]
        open_hand(page)
        end_round(server.house, table)
        expect(page.locator("#summary")).to_be_visible()
        expect(page.locator(".curtain")).to_be_visible()
        expect(page.get_by_role("link", name="Last result"), "it is on the page").to_have_count(0)
        expect(page.locator('input[name="ply"]')).to_have_count(0)
        people = end_round(server.house, table, 2)
        expect(page.locator("#summary-title")).to_contain_text("2")
        assert all(server.house.looks.look(table, one).summary is not None for one in people)
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.locator('#connection[data-state="live"]')).to_be_visible()
        page.get_by_role("button", name="Back to the table").click()
        for one in (page, other):
            expect(one.locator(".lifted")).to_be_visible()
            expect(one.locator("#summary > *")).to_have_count(0)
            expect(one.locator("#board")).to_be_visible()


_LOSE_THE_STREAM = """
let stream;
addEventListener("htmx:sse:before:connection", ({ detail: { connection } }) => { stream = connection; });
addEventListener("htmx:sse:before:message", ({ detail: { message } }) => {
  if (!message.data.includes("refresh")) return;
  let frames = 10; // a reload begins earlier
  (function count() { frames-- ? requestAnimationFrame(count) : console.log("reload"); })();
});
navigation.addEventListener("navigate", () => stream?.reader?.cancel()); // htmx opens it again
"""


def test_one_press_opens_a_hand_even_if_a_message_reloads_the_page_meanwhile(
    browser: Browser, server: Server
) -> None:
    """The stream of the page before may ask for a reload before the page with the open hand has arrived."""
    answers = []
    with person(browser) as page:
        page.add_init_script(_LOSE_THE_STREAM)
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")

        def answer_late(route: Route) -> None:
            with page.expect_console_message(lambda message: message.text == "reload"):
                answers.append(route.fetch())
            route.fulfill(response=answers[-1])

        page.route(page.url, answer_late)
        open_hand(page)
        page.unroute(page.url)
    assert len(answers) == 1, "a second request would close the hand"


@pytest.mark.deep
def test_the_closed_curtain_names_the_person_to_act_even_beside_a_summary(
    browser: Browser, server: Server
) -> None:
    with person(browser) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        table, house = page.url.rsplit("/", 1)[1], server.house
        page.evaluate("window.still = true")
        people = end_round(house, table)
        expect(page.locator("#summary-title")).to_contain_text("1")
        said = page.locator(".curtain-said")
        expect(said).to_have_text("Read the result, then go on.")
        play_until_cards(house, table)
        for _seat in range(3):
            look = house.looks.look(table)
            expect(said).to_have_text(f"Pass the device to {look.names[look.actors[0]]}.")
            expect(page.locator(".curtain .primary")).to_contain_text(look.names[look.actors[0]])
            act_next(house, table, people)
        assert page.evaluate("window.still"), "a reload would cut off the steps of the hour"


_NOTE_FLASH = """
window.flashed = [];
(function look() {
  const told = document.querySelector("html[data-opened]:not([data-telling])");
  for (const one of told ? [] : document.querySelectorAll("#summary.summary, .curtain, #log > li:last-child"))
    if (one.checkVisibility({ visibilityProperty: true })) window.flashed.push(one.textContent);
  requestAnimationFrame(look);
})();
"""


@pytest.mark.deep
def test_the_people_at_the_device_see_the_steps_of_the_hour_before_its_summary(
    browser: Browser, server: Server
) -> None:
    with person(browser, reduced_motion="no-preference") as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        table = page.url.rsplit("/", 1)[1]
        open_hand(page)
        page.add_init_script(_NOTE_FLASH)
        end_round(server.house, table)
        expect(page.locator("html[data-telling] .hk-map")).to_be_visible()
        flashed = ask(lambda: page.evaluate("window.flashed"))
        assert not [one for one in flashed if re.search("Hour 2 begins|is over", one)]
        expect(page.locator("#summary")).to_be_hidden()
        expect(page.locator("[data-story]")).to_have_attribute("data-at", re.compile("[1-3]"))
        page.reload()
        expect(page.locator("html[data-telling] .hk-map"), "it goes on after a reload").to_be_visible()
        page.get_by_role("button", name="to the end").click()
        expect(page.locator("#summary")).to_be_visible()
        expect(page.locator(".curtain")).to_be_visible()
        page.reload()
        expect(page.locator("[data-story][data-at]")).to_have_count(1)
        expect(page.locator("html[data-telling]"), "the device has shown them").to_have_count(0)


@pytest.mark.deep
def test_the_steps_before_a_decision_that_needs_no_hand_are_shown(browser: Browser, server: Server) -> None:
    rng = random.Random(3)
    with person(browser, reduced_motion="no-preference") as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        table = page.url.rsplit("/", 1)[1]
        page.locator(".curtain-line.lifted").wait_for()
        page.goto("about:blank")
        house, people = server.house, people_at(server.house, table)

        def decides_after_the_cards() -> bool:
            look = house.looks.look(table)
            legal = house.looks.look(table, people[look.actors[0]]).legal
            return look.summary is None and legal[0][1].startswith(("rob", "give", "decline", "harbour"))

        while not decides_after_the_cards():
            act_next(house, table, people, lambda _look, legal: rng.choice(legal))
        page.goto(f"{server.url}/t/{table}")
        expect(page.locator("html[data-telling] .curtain-line.lifted")).to_be_visible()
        expect(page.locator("[data-story]")).to_have_attribute("data-at", re.compile("[1-3]"))
        while house.looks.look(table).view.phase != "bidding":
            act_next(house, table, people, lambda _look, legal: rng.choice(legal))
        house.play.dismiss_summary(table, people[0])
        page.goto(f"{server.url}/t/{table}")
        story = page.locator("[data-story]")
        chip = "getComputedStyle(document.querySelector('.hk-harbour'), '::after').content"
        page.get_by_role("button", name="to the end").click()
        last = str(page.locator("[data-step]").count() - 1)
        assert page.evaluate(chip) == "none"
        page.get_by_role("button", name="to the first step").click()
        expect(story).to_have_attribute("data-at", "0")
        page.keyboard.press("Escape")
        expect(story, "Esc leads to the present").to_have_attribute("data-at", last)
        for device in ("this", "another"):
            page.get_by_role("button", name="to the first step").click()
            expect(story).to_have_attribute("data-at", "0")
            assert "Earlier step" in page.evaluate(chip), "the board says that this is the past"
            (bidder,) = house.looks.look(table).actors
            if device == "this":
                page.locator("button[value=pass]").click()
            else:
                house.play.act(
                    table, people[bidder], "pass", house.looks.look(table, people[bidder]).ply, "key-another"
                )
            expect(story, "the next person sees the present").to_have_attribute("data-at", last)
            assert page.evaluate(chip) == "none"
            expect(page.locator(f'#board input[name="key"][value^="open-{bidder}-"]')).to_have_count(0)


@pytest.mark.deep
def test_everybody_at_the_device_is_here_while_the_curtain_is_closed(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spelunke.house.table.presence.LINGER_MS", 0)
    with person(browser) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        open_hand(page)
        page.get_by_role("button", name="Close the curtain").click()
        for _load in range(2):
            expect(page.locator(".lifted")).to_be_visible()
            expect(page.locator('#connection[data-state="live"]')).to_be_visible()
            expect(page.locator('.presence[data-state="here"]')).to_have_count(3)
            page.reload()
        table = page.url.rsplit("/", 1)[1]
        wait_until(lambda: all(seat.presence == "here" for seat in server.house.looks.look(table).seats))
        page.goto("about:blank")
        wait_until(lambda: not any(seat.presence == "here" for seat in server.house.looks.look(table).seats))


@pytest.mark.deep
def test_the_line_of_the_curtain_keeps_its_place_until_the_page_reloads(
    browser: Browser, server: Server
) -> None:
    """The curtain's line above the board stays until the reload, so a phone's board doesn't move up and down again."""
    with person(browser, (390, 844)) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        open_hand(page)
        table = page.url.rsplit("/", 1)[1]
        page.route(f"**/t/{table}", lambda route: route.fulfill(status=204))
        place = page.locator("#curtain").bounding_box()
        with page.expect_response(lambda answer: answer.url.endswith(f"/t/{table}")):
            end_round(server.house, table)
        assert page.locator("#curtain").bounding_box() == place


@pytest.mark.deep
def test_back_leaves_the_table_after_hands_were_shown_and_hidden(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        page.goto(f"{server.url}/new/halunken?preset=full")
        page.locator("#mates").fill("Bert, Cleo, " + 24 * "n" + "n")
        page.locator(".new-here .button").click()
        expect(page.locator("#wrong"), "a refused form is no step back").to_be_visible()
        page.locator("#mates").fill("Bert, Cleo")
        page.locator(".new-here .button").click()
        for _hand in range(2):
            open_hand(page)
            page.get_by_role("button", name="Close the curtain").click()
            expect(page.locator(".lifted")).to_be_visible()
        page.go_back()
        expect(page.locator("#mates")).to_be_visible()
        page.go_forward()
        open_hand(page)
        page.locator(".brand").click()
        page.go_back()
        expect(page.locator(".lifted"), "the hand is closed").to_be_visible()


@pytest.mark.deep
def test_a_round_that_ends_while_the_page_is_drawn_is_summed_up(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the round ends after the server has read the device's state, the page still shows the summary."""
    with person(browser) as page:
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        table = page.url.rsplit("/", 1)[1]
        people = end_round(server.house, table)
        expect(page.locator("#summary-title")).to_contain_text("1")
        visit, ended = server.house.looks.visit, threading.Event()

        def end_round_and_visit(*args: object, **options: object) -> object:
            if not ended.is_set():
                ended.set()
                other = threading.Thread(target=end_round, args=(server.house, table, 2))
                other.start()
                other.join()
            return visit(*args, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(server.house.looks, "visit", end_round_and_visit)
        act_next(server.house, table, people)
        expect(page.locator("#summary-title")).to_contain_text("2")
        assert ended.is_set()


def end_round(house: House, table: str, number: int = 1) -> list[str]:
    """Let bots choose for all people until this number of rounds has ended. Return the people."""
    people = people_at(house, table)
    game = shelf()[house.looks.look(table).game]
    planner = game.hooks.bots().get("planner")  # random players of Sanghai never lay anything
    bot, stream = planner and planner(game), seed_stream(1)
    for _ in range(900):
        with house.play._tables.open(table) as slot:
            if len(slot.table.rounds.ends) >= number:
                return people
        act_next(
            house,
            table,
            people,
            lambda look, legal: bot.choose(look.view, legal, stream) if bot else legal[0],
        )
    raise AssertionError("no round ended")


def actors_of(house: House, table: str) -> tuple[int, ...]:
    """Return the seats that are to act. They include seats whose answers are secret."""
    with house.play._tables.open(table) as slot:
        return slot.table.actors


def act_next(
    house: House,
    table: str,
    people: list[str],
    choose: Callable[[Look, list[Any]], Any] = lambda _look, legal: legal[0],
) -> None:
    look = house.looks.look(table, people[actors_of(house, table)[0]])
    action = choose(look, [action for action, _text in look.legal])
    move = shelf()[look.game].notation.write(action)
    house.play.act(table, people[look.seat], move, look.ply, f"key-{look.ply:06d}")


@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_the_way_to_play_that_is_chosen_is_played(client: TestClient, game: str) -> None:
    """The button *Play on this device* starts the chosen way to play, with the names from the field beside it."""
    for preset in shelf()[game].presets:
        page = client.get(f"/new/{game}?preset={preset.name}").text
        form = page[page.index('class="row new-here"') :].split("</form>")[0]
        assert f'name="preset" value="{preset.name}"' in form
        assert 'name="names"' in form
        names = ", ".join(["Bert", "Cleo", "Dora"][: preset.seats - 1])
        fields = {"game": game, "quick": "here", "preset": preset.name, "names": names}
        answer = client.post("/tables", data=fields)
        assert answer.status_code == 303
        look = house_of(client).looks.look(answer.headers["location"].rsplit("/", 1)[1])
        assert len(look.seats) == preset.seats
        assert look.seats[1].name == "Bert"
        settled = shelf()[game].settle(preset.seats, preset.options)
        assert look.changed == shelf()[game].changed(preset.seats, settled)


def test_exactly_the_named_people_get_seats_on_one_device(client: TestClient) -> None:
    fields = {"game": "sanghai", "quick": "here", "preset": "short", "names": "Bert, Cleo"}
    table = client.post("/tables", data=fields).headers["location"].rsplit("/", 1)[1]
    assert [seat.name for seat in house_of(client).looks.look(table).seats[1:]] == ["Bert", "Cleo"]
    many = client.post("/tables", data={"game": "shanghaien", "quick": "here", "names": "Bert, Cleo"})
    assert many.status_code == 400
    assert "Shanghaien is for 2 players, not for 3" in many.text


@pytest.mark.parametrize(("game", "preset"), [("halunken", "beginner"), ("sanghai", "short")])
def test_too_few_names_are_refused_and_kept_in_the_form(client: TestClient, game: str, preset: str) -> None:
    """Too few names are refused, and the form keeps them. Its hint explains who plays if no names are given."""
    fields = {"game": game, "quick": "here", "preset": preset, "names": "Bert & Co", "name": "Anna"}
    few = client.post("/tables", data=fields)
    assert few.status_code == 400
    assert "Give the names of at least 2 other players." in few.text
    form = few.text[few.text.index('class="row new-here"') :].split("</form>")[0]
    assert f'name="preset" value="{preset}"' in form
    assert 'value="Bert &amp; Co"' in form
    assert 'value="Anna"' in form
    assert "We invent names for these people" in form
    ways = re.findall(r'class="choice preset"[^>]* name="preset" value="([^"]*)"', few.text)
    assert ways
    assert all(client.get(f"/new/{game}?preset={way}").status_code == 200 for way in ways)


@pytest.mark.deep
@pytest.mark.parametrize("scripts", [True, False])
def test_choosing_a_way_to_play_keeps_the_names(browser: Browser, server: Server, *, scripts: bool) -> None:
    with person(browser, java_script_enabled=scripts) as page:
        page.goto(f"{server.url}/new/sanghai")
        page.locator("#own-name").fill("Anna")
        names_decide = page.get_by_text("one seat for you and one for each name above")
        expect(names_decide).to_be_hidden()
        page.locator("#mates").fill("Bert, Carla")
        expect(names_decide).to_be_visible()
        other = page.locator(".preset:not([aria-current])").last
        way = other.get_attribute("value")
        other.click()
        expect(page.locator(".preset[aria-current]")).to_have_attribute("value", str(way))
        expect(page.locator('#new-table input[name="preset"]')).to_have_value(str(way))
        expect(page.locator("#own-name")).to_have_value("Anna")
        expect(page.locator("#mates")).to_have_value("Bert, Carla")
        page.locator("#mates").press("Enter")
        page.wait_for_url("**/t/*")


@pytest.mark.deep
@pytest.mark.parametrize("scripts", [True, False])
def test_both_buttons_open_a_table_for_the_people_who_are_named(
    browser: Browser, server: Server, *, scripts: bool
) -> None:
    for button in (".new-here .button", ".new-open .button"):
        with person(browser, java_script_enabled=scripts) as page:
            page.goto(f"{server.url}/new/halunken?preset=full")
            page.locator("#own-name").fill("Anna")
            page.locator("#mates").fill("Bert, Cleo")
            page.locator(button).click()
            page.wait_for_url("**/t/*")
            seats = server.house.looks.look(page.url.rsplit("/", 1)[1]).seats
            assert [seat.name for seat in seats] == ["Anna", "Bert", "Cleo"]
            if not scripts:
                page.set_viewport_size({"width": 390, "height": 780})
                page.locator("#turn").wait_for()
                turn, words = (page.locator(one).bounding_box() for one in ("#turn", "#connection"))
                assert turn
                assert words
                assert turn["y"] + turn["height"] <= words["y"], "the prompt has its line for itself"


@pytest.mark.deep
def test_the_main_button_is_on_the_first_screen(browser: Browser, server: Server) -> None:
    with person(browser, NARROW) as page:
        page.goto(f"{server.url}/new/sanghai")
        main, here = page.locator(".new-open .button"), page.locator(".new-here .button")
        expect(main).to_be_in_viewport(ratio=1)
        bar, other = page.locator(".new-open").bounding_box(), here.bounding_box()
        assert bar
        assert other
        assert other["y"] + other["height"] <= bar["y"], "the bar covers no button"
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(main).to_be_in_viewport(ratio=1)


def test_named_people_replace_the_bots_of_the_form(client: TestClient) -> None:
    form = {"game": "sanghai", "seat.0": "me", "seat.1": "link", "seat.2": "bot:planner", "name": "Anna"}
    for here in ({}, {"seat.3": "here:"}):
        answer = client.post("/tables", data={**form, **here, "names": "Bert, Cleo"})
        seats = house_of(client).looks.look(answer.headers["location"].rsplit("/", 1)[1]).seats
        assert sorted(seat.name for seat in seats if seat.kind == "person") == ["Anna", "Bert", "Cleo"]
        assert [seat.kind for seat in seats].count("link") == 1
    refused = client.post("/tables", data={**form, "names": "Bert", "delay": "999"}).text
    assert 'value="Anna"' in refused
    assert 'value="Bert"' in refused


def shown_form(page: str) -> dict[str, str]:
    """Return the fields of the form for a new table that the page shows: seats, rules and hidden fields."""
    form = page.split('<form id="new-table"')[1].split("</form>", maxsplit=1)[0]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form))
    for name, choices in re.findall(r'<select [^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', choices) or re.search(r'value="([^"]*)"', choices)
        assert chosen
        fields[name] = chosen[1]
    return fields


@pytest.mark.sampled(5)
@pytest.mark.parametrize("button", [{"quick": "here"}, {}])
@pytest.mark.parametrize(
    ("game", "preset", "mates", "kinds"),
    [
        ("sanghai", "usual", 1, "ppb"),
        ("sanghai", "calm", 2, "ppp"),
        ("sanghai", "short", 4, "ppppp"),
        ("halunken", "full", 1, "ppb"),
        ("halunken", "two", 1, "pp"),
        ("halunken", "three_nights", 1, "ppb"),
        ("halunken", "full", 3, "pppp"),
        ("halunken", "beginner", 1, "ppb"),
        ("shanghaien", "usual", 1, "pp"),
    ],
)
def test_bots_that_nobody_chose_take_no_seat_beside_named_people(
    client: TestClient, game: str, preset: str, mates: int, kinds: str, button: dict[str, str]
) -> None:
    shown = shown_form(client.get(f"/new/{game}?preset={preset}").text)
    names = ", ".join(["Bert", "Cleo", "Dora", "Emil"][:mates])
    answer = client.post("/tables", data={**shown, "name": "Anna", "names": names, **button})
    seats = house_of(client).looks.look(answer.headers["location"].rsplit("/", 1)[1]).seats
    assert "".join(seat.kind[0] for seat in seats) == kinds


@pytest.mark.sampled(4)
@pytest.mark.parametrize("button", [{"quick": "here"}, {}])
@pytest.mark.parametrize(
    ("preset", "others", "names", "kinds"),
    [
        ("full", ["here:", "bot:mate"], "Otto", ["Otto", "bot"]),
        ("full", ["bot:mate", "here:"], "Otto", ["bot", "Otto"]),
        ("beginner", ["bot:mate", "bot:mate"], "Otto", ["Otto", "bot"]),
        ("full", ["bot:mate", "open"], "Otto", ["bot", "Otto"]),
        ("full", ["bot:mate", "link"], "Otto, Pia", ["Otto", "link", "Pia"]),
    ],
)
def test_both_buttons_keep_the_seats_of_the_form(
    client: TestClient, button: dict[str, str], preset: str, others: list[str], names: str, kinds: list[str]
) -> None:
    mode = {"option.mode": "beginner"} if preset == "beginner" else {}
    seats = {f"seat.{at}": seat for at, seat in enumerate(["me", *others])}
    form = {"game": "halunken", "preset": preset, "name": "Anna", "names": names, **seats, **mode, **button}
    answer = client.post("/tables", data=form)
    look = house_of(client).looks.look(answer.headers["location"].rsplit("/", 1)[1])
    shown = [seat.name if seat.kind == "person" else seat.kind for seat in look.seats]
    assert shown == ["Anna", *kinds]
    game = shelf()["halunken"]
    options = next(one.options for one in game.presets if one.name == preset)
    assert look.changed == game.changed(len(shown), game.settle(len(shown), options))


def test_without_names_the_button_fills_the_seats_of_the_form_with_people(client: TestClient) -> None:
    form = {"game": "halunken", "seat.0": "me", "seat.1": "bot:mate", "seat.2": "bot:mate", "quick": "here"}
    for third, people in (("bot:mate", 3), ("here:", 2)):
        answer = client.post("/tables", data={**form, "seat.2": third})
        seats = house_of(client).looks.look(answer.headers["location"].rsplit("/", 1)[1]).seats
        assert [seat.kind for seat in seats].count("person") == people
        assert len(seats) == 3


def test_a_refused_press_keeps_the_seats_of_the_form(client: TestClient) -> None:
    hint = client.get("/new/halunken").text
    assert "Bots keep the seats that nobody takes." in hint
    form = {"game": "halunken", "seat.0": "me", "seat.1": "bot:mate", "seat.2": "bot:mate", "quick": "here"}
    refused = client.post("/tables", data={**form, "names": "Otto, Pia, Ulf, Ida, Eva"})
    assert refused.status_code == 400
    assert 'value="Otto, Pia, Ulf, Ida, Eva"' in refused.text
    assert refused.text.count('value="bot:mate" selected') == 2
    assert 'name="quick" value="here">Play on this device' in refused.text


@pytest.mark.parametrize("game", MATES)
def test_a_refused_press_keeps_the_ways_to_play(client: TestClient, game: str) -> None:
    for preset in shelf()[game].presets:
        page = client.get(f"/new/{game}?preset={preset.name}&way=here").text
        form = shown_form(page) | {"way": "here", "quick": "here", "names": "A, B, C, D, E, F, G, H, I"}
        refused = client.post("/tables", data=form)
        assert refused.status_code == 400
        for ways in (r'(?s)<nav class="presets".*?</nav>', r'(?s)<summary class="panel-head">.*?</summary>'):
            assert re.findall(ways, refused.text) == re.findall(ways, page)
        assert shown_form(refused.text)["preset"] == preset.name


def test_the_front_page_leads_to_games_on_one_device(client: TestClient) -> None:
    link = re.search(r'href="(/new/halunken[^"]*)">Play on this device<', client.get("/").text)
    assert link
    page = client.get(link[1]).text
    shown = shown_form(page)
    for shown_page in (
        page,
        client.get("/new/halunken?preset=full&way=here").text,
        client.post("/tables", data={**shown, "way": "here", "names": "A, B, C, D, E", "quick": "here"}).text,
    ):
        main = re.findall(r'<button class="button primary big"([^>]*)>([^<]*)<', shown_page)
        assert main == [(' form="new-table" name="quick" value="here"', "Play on this device")]
        assert '<button class="button" formnovalidate>Open the table<' in shown_page
        assert re.search(r'<input id="mates"[^>]* required', shown_page), "bots don't play instead"
        assert '<input type="hidden" form="new-table" name="way" value="here">' in shown_page
    assert page.index("<h1>") < page.index('id="mates"') < page.index('class="presets"')
    usual = client.get("/new/halunken").text
    assert not re.search(r'<input id="mates"[^>]* required', usual)
    assert usual.index('class="presets"') < usual.index('id="mates"')


@pytest.mark.deep
def test_the_link_to_one_device_shows_the_title_and_asks_for_names(browser: Browser, server: Server) -> None:
    with person(browser, (390, 664)) as page:
        page.goto(server.url)
        page.locator('a[href^="/new/sanghai"]', has_text="Play on this device").click()
        for shown in ("h1", "#mates", ".new-open .button"):
            expect(page.locator(shown)).to_be_in_viewport(ratio=1)
        for empty in ("", " , "):
            page.locator("#mates").fill(empty)
            page.locator("#own-name").focus()
            page.locator(".new-open .button").click()
            expect(page.locator("#mates")).to_be_focused()
        page.set_viewport_size({"width": 1280, "height": 500})
        page.locator("#mates").blur()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator(".new-open .button").click()
        expect(page.locator("#mates")).to_be_focused()
        label, header = page.locator('label[for="mates"]').bounding_box(), page.locator(".top").bounding_box()
        assert label
        assert header
        assert label["y"] >= header["y"] + header["height"], "the header covers no label"
        page.locator(".preset").last.click()
        expect(page.locator(".preset").last).to_have_attribute("aria-current", "true")
        page.locator("#mates").fill("Bert, Cleo")
        page.locator("#mates").press("Enter")
        page.wait_for_url("**/t/*")
        assert len(server.house.looks.look(page.url.rsplit("/", 1)[1]).seats) == 3


def test_a_guest_gives_the_own_seat_a_name_too(client: TestClient) -> None:
    assert 'id="own-name"' in client.get("/new/shanghaien").text
    fields = {"game": "shanghaien", "quick": "here", "names": "Bert", "name": " Anna "}
    for name in ("Anna", "Anja"):
        answer = client.post("/tables", data={**fields, "name": f" {name} "})
        table = answer.headers["location"].rsplit("/", 1)[1]
        assert [seat.name for seat in house_of(client).looks.look(table).seats] == [name, "Bert"]
    assert 'value="Anja"' in client.get("/new/shanghaien").text


def act_refused(client: TestClient, table: str) -> int:
    fields = {"move": "stock", "ply": "0", "key": "abcdefgh", "link": ""}
    return client.post(f"/t/{table}/act", data=fields, headers=HTMX).status_code


def test_another_device_opens_no_hand(client: TestClient, begin: Callable[[str], str]) -> None:
    table = begin("sanghai")
    client.cookies.clear()
    client.cookies.set("hand", "1", path=f"/t/{table}")
    page = client.get(f"/t/{table}", follow_redirects=True).text
    assert "hand is visible" not in page
    assert 'name="ply"' not in page
    assert client.post(f"/t/{table}/hand", data={"seat": "1"}).status_code in {401, 403}
    client.post("/tables", data={"game": "shanghaien", "quick": "bot"})  # now it is a guest's device
    assert 'name="ply"' not in client.get(f"/t/{table}", follow_redirects=True).text
    assert client.post(f"/t/{table}/hand", data={"seat": "1"}).status_code == 409


def test_a_message_from_an_open_hand_leaves_the_device_to_its_owner(client: TestClient) -> None:
    seats = {"seat.0": "me", "seat.1": "here:", "seat.2": "open", "names": "Bert"}
    table = client.post("/tables", data={"game": "sanghai", **seats}).headers["location"].rsplit("/", 1)[1]
    house, owner = house_of(client), client.cookies["guest"]
    house.lobby.join(table, house.people.create("Zoe").id)
    house.lobby.add_nonce(table, people_at(house, table)[0], "a-share")
    house.lobby.add_nonce(table, people_at(house, table)[2], "b-share")
    wait_until(lambda: house.looks.look(table).status == "playing")
    client.get(f"/t/{table}", follow_redirects=True)
    for seat in (1, 0):
        shown = client.post(f"/t/{table}/hand", data={"seat": str(seat)}, follow_redirects=True)
        assert f"{house.looks.look(table).names[seat]}&#39;s hand is visible now." in shown.text
        assert client.post(f"/t/{table}/chat", data={"text": "Ahoy"}, headers=HTMX).status_code == 204
        assert client.cookies["guest"] == owner


def test_a_hand_that_does_not_exist_is_refused(client: TestClient, begin: Callable[[str], str]) -> None:
    table = begin("sanghai")
    client.get(f"/t/{table}", follow_redirects=True)
    for seat in ("9", "²", "-1", "bert"):
        assert client.post(f"/t/{table}/hand", data={"seat": seat}).status_code == 400


def test_a_table_on_one_device_refuses_a_clock_and_unnamed_players(client: TestClient) -> None:
    house = house_of(client)
    person = house.people.create("Anna")
    with pytest.raises(BadPlan, match="without a clock"):
        house.lobby.create(
            person.id, Plan(game="shanghaien", seats=("me", "here:Bert"), clock=Clock(kind="live"))
        )
    with pytest.raises(BadPlan, match="a name has"):
        house.lobby.create(person.id, Plan(game="shanghaien", seats=("me", "here:")))


def test_the_log_does_not_say_who_accepted_an_undo_on_one_device(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    people = people_at(house, table)
    while True:
        seat = house.looks.look(table).actors[0]
        look = house.looks.look(table, people[seat])
        place = next((text for _action, text in look.legal if text.startswith("place")), "")
        act_next(house, table, people)
        if place == look.legal[0][1]:
            break
    house.undoing.undo(table, people[seat])
    texts = [line.text for line in house.looks.look(table).log]
    assert any("takes the move back" in text for text in texts)
    assert not any("agrees" in text or "asks" in text for text in texts)
    house.play.resign(table, people[0], "give-it-up")
    record = house.replays.record(table)
    assert record.proof is not None
    assert "!undo yes" in [note.text for note in record.proof.notes]
    assert verify(record).verdict != "altered"


def test_the_game_counts_for_nobody_and_the_same_people_play_again(
    client: TestClient, begin: Callable[[str], str]
) -> None:
    table = begin("shanghaien")
    house = house_of(client)
    with house.play._tables.open(table) as slot:
        host, mate = slot.table.facts.host, slot.table.facts.chairs[1].person
    assert mate is not None
    house.play.resign(table, mate, "give-it-up")
    lines, _count = house.histories.own(host)
    assert lines[0].at_one_device
    assert verify(house.replays.record(table)).verdict != "altered"
    again = house.next_games.again(table, host)
    assert {seat.name for seat in house.looks.look(again).seats} == {
        seat.name for seat in house.looks.look(table).seats
    }
    assert house.looks.look(again).status in {"ready", "playing"}


@pytest.mark.deep
def test_the_page_shows_the_curtain_on_its_own_when_the_game_starts(browser: Browser, server: Server) -> None:
    with person(browser, (390, 844)) as page:
        page.goto(f"{server.url}/new/sanghai")
        page.locator('button[value="here"]').click()
        expect(page.locator(".curtain")).to_be_visible()
        page.wait_for_load_state()
        expect(page.locator(".curtain-said"), "it is above the board").to_be_in_viewport()
        first = int(page.locator(".curtain form:has(.primary) [name=seat]").input_value())
        page.locator(".curtain .primary").press("Enter")
        expect(page.locator(".curtain-line")).to_be_visible()
        expect(page.locator('#board button[name="move"]:not([disabled])').first).to_be_visible()
        expect(page.locator("#board :focus"), "people who use keys go on").to_have_count(1)
        for way in ("by rank", "my order"):
            page.locator(".sg-sort label", has_text=way).click()
        expect(page.locator(".sg-hand")).to_have_attribute("data-own", "")
        page.locator(".sg-hand > [data-card] input").first.focus()
        page.keyboard.press("Alt+ArrowRight")
        order = (
            "list => [...list.querySelectorAll(':scope > [data-card]')]"
            ".sort((a, b) => getComputedStyle(a).order - getComputedStyle(b).order).map(card => card.dataset.card)"
        )
        mine = page.locator(".sg-hand").evaluate(order)
        assert page.evaluate("Object.keys(localStorage).filter(name => /hand|sort/.test(name))") == []
        page.add_init_script(
            "addEventListener('htmx:sse:after:message', () => setTimeout(() => requestAnimationFrame(() => {"
            " requestAnimationFrame(() => { document.documentElement.dataset.heard = ''; }); })))"
        )
        page.locator(".curtain-close").focus()
        page.keyboard.down("Enter")
        # The first message draws the curtain again, and the focus returns to the button.
        page.locator("html[data-heard]").wait_for()
        expect(page.locator(".curtain .primary")).to_be_focused()
        page.evaluate(
            "() => addEventListener('keydown', (event) => { window.stopped = event.defaultPrevented; })"
        )
        page.keyboard.down("Enter")
        assert page.evaluate("stopped"), "a key that is held opens nobody's hand"
        for seat, way in (((first + 1) % 2, "suit"), (first, "own")):
            open_hand(page, seat)
            expect(page.locator(f".sg-sort [data-sort={way}]"), "of this person").to_be_checked()
            moved = page.locator('.sg-hand > [data-card][style*="--at"]')
            expect(moved, "another hand does not follow it").to_have_count(len(mine) if seat == first else 0)
            if seat == first:
                assert page.locator(".sg-hand").evaluate(order) == mine
            page.get_by_role("button", name="Close the curtain").click()


def order_of_the_bidder(page: Page) -> None:
    """Save an order for the present decision. It acts at once, and the hand closes."""
    page.get_by_text("Let an order bid for you").click()
    page.locator('select[name="order.hours"]').select_option("every")
    page.get_by_role("button", name="Save this order").click()
    expect(page.locator(".lifted")).to_be_visible()
    expect(page.locator(".curtain-close")).to_have_count(0)


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_only_the_owner_sees_a_standing_order_and_can_end_it(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    with person(browser, size) as page:
        begun = page.request.post(
            f"{server.url}/tables",
            form={"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"},
        )
        page.goto(begun.url)
        page.locator("#curtain section").wait_for()
        table, house = page.url.rsplit("/", 1)[1], server.house
        wait_until(lambda: house.looks.look(table).status == "playing")
        people = people_at(house, table)
        while house.looks.look(table).view.phase != "bidding":
            look = house.looks.look(table, people[house.looks.look(table).actors[0]])
            house.play.act(table, people[look.seat], look.legal[0][1], look.ply, f"key-{look.ply:06d}")
        asked = house.looks.look(table).actors[0]
        waits = (asked + 2) % 3
        page.reload()
        open_hand(page, asked)
        bids = page.locator(".hk-bids")
        order_of_the_bidder(page)
        open_hand(page, asked)
        expect(bids).to_contain_text("every hour")
        expect(page.locator(f".players .seat-{(asked + 1) % 3}")).to_have_class(re.compile("to-move"))
        expect(page.locator("#turn")).not_to_contain_text("standing orders")
        page.get_by_role("button", name="Close the curtain").click()
        open_hand(page, waits)
        page.get_by_text("Let an order bid for you").click()
        expect(page.locator('select[name="order.hours"]')).to_have_value("next")
        page.get_by_role("button", name="Save this order").click()
        expect(bids).to_contain_text("With your order, you pass in the bidding of hour 1.")
        page.evaluate("scrollTo(0, 0)")
        expect(bids).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Close the curtain").click()
        expect(page.locator(".lifted")).to_be_visible()
        expect(page.locator(".hk-standing"), "orders are for an open hand").to_have_count(0)
        expect(bids).to_have_count(0)
        open_hand(page, (asked + 1) % 3)
        expect(bids).to_have_count(0)
        page.get_by_role("button", name="Close the curtain").click()
        open_hand(page, waits)
        page.get_by_role("button", name="End the order").click()
        expect(bids).to_have_count(0)
        assert house.looks.look(table, people[waits]).standing is None


@pytest.mark.deep
def test_a_double_tap_decides_for_one_person_only(browser: Browser, server: Server) -> None:
    """The second of two quick taps does nothing, although the next person's button is at the same place."""
    with person(browser, (390, 664), has_touch=True) as page:
        page.clock.install()
        fields = {"game": "halunken", "quick": "here", "preset": "full", "names": "Bert, Cleo"}
        page.goto(page.request.post(f"{server.url}/tables", form=fields).url)
        page.locator("#curtain section").wait_for()
        table, house = page.url.rsplit("/", 1)[1], server.house
        wait_until(lambda: house.looks.look(table).status == "playing")
        people = people_at(house, table)
        while house.looks.look(table).view.phase != "bidding":
            act_next(house, table, people)
        page.reload()
        expect(page.locator('#connection[data-state="live"]')).to_be_visible()
        passing, key = page.locator('#board button[value="pass"]'), page.locator('#board input[name="key"]')
        passing.scroll_into_view_if_needed()
        box = passing.bounding_box()
        assert box is not None
        point = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        first = key.input_value()
        page.touchscreen.tap(*point)
        while key.input_value() == first:
            page.clock.run_for(10)
        second = key.input_value()
        assert first.split("-")[1] != second.split("-")[1]
        assert passing.evaluate("(one, [x, y]) => one.contains(document.elementFromPoint(x, y))", point)
        page.clock.run_for(200)
        page.touchscreen.tap(*point)
        page.clock.run_for(500)
        assert len([url for url in sent if url.endswith("/act")]) == 1
        page.touchscreen.tap(*point)
        page.clock.resume()
        expect(key).not_to_have_value(second)
        assert len([url for url in sent if url.endswith("/act")]) == 2
        page.set_viewport_size({"width": 390, "height": 560})
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        act_next(house, table, people)
        expect(page.locator(".curtain .primary"), "of the person who takes the device").to_be_in_viewport()


@pytest.mark.deep
def test_the_curtain_leaves_with_the_end_of_the_game(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        seats = {"seat.0": "me", "seat.1": "here:", "names": "Bert"}
        begun = page.request.post(f"{server.url}/tables", form={"game": "halunken", **seats})
        page.goto(begun.url)
        open_hand(page, 1)
        let_a_bot_play(page)
        expect(page.locator("#head")).to_contain_text("a bot plays instead")
        for shown in ("#turn", ".curtain-close", "#news button"):
            expect(page.locator(shown), "the page scrolls up").to_be_in_viewport(ratio=1)
        resign(page)
        expect(page.locator("#result-title")).to_be_visible()
        expect(page.locator("#curtain")).to_be_empty()
        expect(page.locator("#head"), "no bot plays after the end").not_to_contain_text("plays instead")


_DICE = """() => Object.fromEntries([...document.querySelectorAll(".sh-party")].map((party) =>
  [party.classList.contains("s0") ? "acts" : "waits", getComputedStyle(party).getPropertyValue("--die")]))"""


@pytest.mark.deep
def test_dice_keep_their_colours_when_the_board_turns(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        begun = page.request.post(
            f"{server.url}/tables", form={"game": "shanghaien", "quick": "here", "names": "Bert"}
        )
        page.goto(begun.url)
        turn, move = page.locator("#turn"), page.locator('#board button[name="move"]:enabled')
        expect(move.first).to_be_attached()
        first = turn.inner_text().split(":")[0]
        dice = page.evaluate(_DICE)
        for _ in range(2):  # roll, and lay a die
            ply = page.locator('#board input[name="ply"]').input_value()
            move.first.dispatch_event("click")
            expect(page.locator(f'#board input[name="ply"][value="{ply}"]')).to_have_count(0)
        expect(turn).not_to_contain_text(first)
        turned = page.evaluate(_DICE)
        assert turned == {"acts": dice["waits"], "waits": dice["acts"]}
