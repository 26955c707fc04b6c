"""Unsent forms: only their owner sees them, with and without scripts, and they change nothing in the game."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from house_server import make_settings
from spelunke.web.app import create_app

from .conftest import Guest

ORDERS = "spades, clubs, what helps, at most one more"


class Four:
    """Four guests at a table of Sanghai without clocks."""

    def __init__(self, client: TestClient, **options: Any) -> None:
        self.client = client
        self.guests = [Guest(client, name) for name in ("Anna", "Bert", "Carla", "Dora")]
        self.table = self.guests[0].table(
            "me", "open", "open", "open", game="sanghai", options={"hep_seconds": 0, **options}
        )
        for guest in self.guests[1:]:
            assert guest.post(f"/tables/{self.table}/join", {}).status_code == 200
        for guest in self.guests:  # on a busy machine the table may have started before some gave theirs
            assert guest.post(f"/tables/{self.table}/nonce", {"nonce": "mine"}).status_code in (200, 409)
        self.guests[0].wait(self.table, lambda look: look["status"] == "playing")
        self.rng = random.Random(4)

    def play(self, moves: int) -> None:
        """Play ``moves`` random legal moves for the people in turn, such as a pass, a call, a draw or a discard."""
        while moves:
            for guest in self.guests:
                look = guest.look(self.table)
                texts = [move["text"] for move in look["legal"] if move["text"] not in ("wait", "hep tied")]
                if not texts or texts == ["take"]:
                    continue
                answer = guest.play(self.table, self.rng.choice(texts), look["ply"])
                assert answer.status_code in (200, 409), answer.text
                moves -= 1
                if not moves:
                    return

    def to_turn(self) -> int:
        """Play on until somebody may discard; return the seat."""
        while True:
            for seat, guest in enumerate(self.guests):
                if any(move["text"].startswith("discard ") for move in guest.look(self.table)["legal"]):
                    return seat
            self.play(1)

    def post(self, seat: int, fields: Any, **headers: str) -> Any:
        self.client.cookies.clear()
        return self.client.post(
            f"/t/{self.table}/act", data=fields, headers={**self.guests[seat].headers, **headers}
        )

    def page(self, seat: int | None) -> str:
        self.client.cookies.clear()
        headers = {} if seat is None else self.guests[seat].headers
        answer = self.client.get(f"/t/{self.table}", headers=headers)
        assert answer.status_code == 200
        return str(answer.text)

    def consider(self, seat: int, fields: dict[str, list[str]]) -> Any:
        answer = self.guests[seat].post(f"/tables/{self.table}/draft", {"fields": fields})
        assert answer.status_code == 200, answer.text
        return answer.json()["considered"]


@pytest.fixture
def four(client: TestClient) -> Four:
    return Four(client)


def keys_of(cards: list[str]) -> list[str]:
    return [f"{card}.{cards[:at].count(card) + 1}" for at, card in enumerate(cards)]


def test_picked_cards_are_checked_by_the_server_and_stay_picked_without_scripts(four: Four) -> None:
    seat = four.to_turn()
    hand = four.guests[seat].look(four.table)["view"]["hand"]
    picked = keys_of(hand)[:5]
    answer = four.post(seat, {"draft": "cards", "card": picked})
    assert answer.status_code == 200
    assert f'action="/t/{four.table}/act"' in answer.text
    boxes = re.findall(r'<input type="checkbox"[^>]*name="card" value="([^"]*)"( checked)?', answer.text)
    assert [value for value, checked in boxes if checked] == [v for v, _ in boxes if v in picked]
    assert len([1 for _, checked in boxes if checked]) == 5
    block = re.search(r'class="sg-picked[^"]*" role="status">(.*?)</div>', answer.text)
    assert block
    assert block[1].count("<b>Set</b>") == 2
    assert f"{len(hand) - 5} cards are left, one of them to discard" in block[1]
    assert "To discard, pick only one card." in block[1]
    tray = four.consider(seat, {"card": picked})["tray"]
    assert tray["picked"] == 5
    assert sum(slot["missing"] for slot in tray["slots"]) == tray["missing"]


def test_a_draft_returns_only_the_dependent_parts_and_changes_nothing(four: Four) -> None:
    seat = four.to_turn()
    before = four.guests[seat].look(four.table)
    card = keys_of(before["view"]["hand"])
    answer = four.post(
        seat, {"draft": "live", "card": card[:3], "order.text": "any elephant"}, **{"hx-request": "true"}
    )
    assert re.findall(r'hx-target="#([^"]*)"', answer.text) == [
        f"sg-{four.table}-picked",
        f"sg-{four.table}-rehearsal",
        f"sg-{four.table}-wrong-text",
        f"sg-{four.table}-wrong-form",
    ]
    assert "any elephant" in answer.text
    assert "is not a standing order" in answer.text
    assert answer.headers["cache-control"] == "no-store"
    after = four.guests[seat].look(four.table)
    for look in (before, after):  # time goes on, and presence may change
        look["now_ms"] = 0
        for told in look["seats"]:
            told["left_ms"] = told["presence"] = told["away_ms"] = None
    assert after == before


@pytest.mark.parametrize(
    ("pressed", "place", "fields", "reason"),
    [
        ("set", "text", {"order.text": "hearts\nany elephant"}, "is not a standing order"),
        ("form", "text", {"order.text": "hearts\nany elephant"}, "is not a standing order"),
        ("form", "form", {"order.from": "3", "order.to": "2"}, "the first round must not be after the last"),
        ("form", "form", {"order.from": "3"}, "rounds alone are no order"),
        (
            "form",
            "form",
            {"order.text": "hearts", "order.call": "helps"},
            "the fields and the text say different things",
        ),
    ],
)
def test_refused_orders_stay_in_the_form_with_the_reason_at_their_field(
    four: Four, pressed: str, place: str, fields: dict[str, str], reason: str
) -> None:
    form = {f"order.{name}": "" for name in ("text", "was", "call", "most", "from", "to")} | fields
    answer = four.post(0, {"standing": pressed, **form})
    assert answer.status_code == 400
    page = html.unescape(answer.text)
    found = dict(re.findall(r'(?s)id="sg-[^"]*-wrong-(text|form)" class="sg-wrong">(.*?)</div>', page))
    assert {name for name, said in found.items() if reason in said} == {place}
    alert = re.search(r'(?s)id="trouble"[^>]*>(.*?)</div>', page)
    assert alert
    assert reason in alert[1].casefold()
    assert f">{form['order.text']}</textarea>" in page
    for name in ("call", "from", "to"):
        shown = re.search(rf'(?s)<select [^>]*name="order.{name}".*?</select>', page)
        assert shown
        assert (f'value="{form[f"order.{name}"]}" selected' in shown[0]) or not form[f"order.{name}"]
    assert four.guests[0].look(four.table)["standing"] is None


def test_the_button_of_the_form_saves_a_text_if_only_the_text_was_changed(four: Four) -> None:
    form = {"order.text": "hearts", "order.was": "", "order.call": "", "order.most": "", "order.from": ""}
    assert four.post(0, {"standing": "form", **form}).status_code == 303
    assert four.guests[0].look(four.table)["standing"] == {"text": "hearts"}


def test_a_player_who_has_resigned_sees_no_standing_orders(four: Four) -> None:
    assert four.post(0, {"standing": "form", "order.text": "hearts"}).status_code == 303
    assert "order.text" in four.page(0)
    assert four.guests[0].post(f"/tables/{four.table}/resign", {"key": "i-give-it-up"}).status_code == 200
    assert "order.text" not in four.page(0)
    assert "order.text" in four.page(1)


def test_melds_are_set_aside_one_by_one_without_scripts(four: Four) -> None:
    """Each press sends the form. The server returns the set-aside cards in the new form, and stores nothing."""
    seat, sets = four.to_turn(), []
    while not sets:
        hand = four.guests[seat].look(four.table)["view"]["hand"]
        ranks = {card[:-1] for card in hand if card != "*"}
        found = [[key for key in keys_of(hand) if key.partition(".")[0][:-1] == rank] for rank in ranks]
        sets = [keys for keys in found if len(keys) >= 3]
        if not sets:
            four.play(1)
            seat = four.to_turn()
    page = four.post(seat, {"draft": "aside", "card": sets[0]}).text
    kept = re.search(r'name="aside" value="([^"]+)"', page)
    assert kept
    assert sorted(kept[1].split()) == sorted(sets[0])
    assert len(re.findall(r'<input type="checkbox"[^>]*name="card"[^>]* disabled', page)) == len(sets[0])
    assert 'value="back 1"' in page
    page = four.post(seat, {"draft": "back 1", "aside": kept[1]}).text
    assert 'name="aside" value=""' in page
    assert " disabled" not in page.partition('class="sg-hand')[2].partition("</ul>")[0]
    fields = {"draft": "aside", "card": sets[0]}
    parts = four.post(seat, fields, **{"hx-request": "true"}).text
    assert re.findall(r'hx-target="#([^"]*)"', parts)[-1] == f"sg-{four.table}-hand"
    assert "disabled" not in four.page(seat).partition('class="sg-hand')[2].partition("</ul>")[0]


@pytest.mark.deep
def test_orders_in_a_draft_are_tried_on_past_discards_and_not_stored(four: Four) -> None:
    four.play(160)
    found = four.consider(0, {"order.text": [ORDERS]})["orders"]
    assert found["discards"]
    assert found["calls"] == sum(one["called"] for one in found["discards"])
    laps: dict[int, int] = {}
    for one in found["discards"]:
        laps[one["lap"]] = laps.get(one["lap"], 0) + (one["fate"] in ("won", "contested"))
    assert max(laps.values()) <= 1
    page = four.post(0, {"draft": "orders", "order.text": ORDERS}).text
    head = f"called for {found['calls']} of the {len(found['discards'])} discard"
    assert head in page
    assert f">{ORDERS}</textarea>" in page
    assert four.guests[0].look(four.table)["standing"] is None
    assert head not in four.page(0)
    assert four.consider(0, {}) == {"tray": None, "orders": None, "trouble": ""}


@pytest.mark.deep
def test_only_the_owner_sees_how_stored_orders_would_have_called(
    four: Four, hold_clock: Callable[[], None]
) -> None:
    four.play(160)
    hold_clock()  # presence may change with time
    others = {seat: four.page(seat) for seat in (None, 1, 2, 3)}
    versions = [four.guests[seat].look(four.table)["version"] for seat in (1, 2, 3)]
    answer = four.post(0, {"standing": "set", "order.text": ORDERS})
    assert answer.status_code == 303
    found = four.consider(0, {})["orders"]
    head = f"called for {found['calls']} of the {len(found['discards'])} discard"
    assert head in four.page(0)
    assert [four.guests[seat].look(four.table)["version"] for seat in (1, 2, 3)] == versions
    nonce = re.compile(r'nonce-[^"]*|data-until="\d+"')
    for seat, page in others.items():
        assert nonce.sub("", four.page(seat)) == nonce.sub("", page), "not one byte for anybody else"
    for guest in four.guests[1:]:
        assert "called for" not in guest.get(f"/tables/{four.table}").text
    watching = Guest(four.client, "Emil")
    assert watching.post(f"/tables/{four.table}/draft", {"fields": {}}).status_code == 403


def test_a_standing_order_answers_an_open_call_until_it_is_cleared(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path, bot_pause=600.0)), follow_redirects=False) as client:
        four = Four(client)
        while not (
            asked := [seat for seat, guest in enumerate(four.guests) if "pass" in moves_of(guest, four.table)]
        ):
            four.play(1)
        for fields, asks in (({"standing": "never 1"}, False), ({"standing": "clear"}, True)):
            shown = four.post(asked[0], fields, **{"hx-request": "true"}).text
            assert f'data-mine="{str(asks).lower()}"' in shown
            assert ('value="hep"' in shown) == asks
            assert ("Your standing orders pass for you." in shown) != asks
            assert ("pass" in moves_of(four.guests[asked[0]], four.table)) == asks


def moves_of(guest: Guest, table: str) -> list[str]:
    return [move["text"] for move in guest.look(table)["legal"]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "fields", [{"card": ["7s.1"] * 65}, {"card": "7s"}, {"order.text": ["x" * 401]}, {"card": [7]}]
)
def test_a_malformed_draft_is_refused(four: Four, fields: Any) -> None:
    answer = four.guests[0].post(f"/tables/{four.table}/draft", {"fields": fields})
    assert answer.status_code == 400


def test_other_games_have_no_drafts(client: TestClient, game_for_two: str, anna: Guest) -> None:
    answer = anna.post(f"/tables/{game_for_two}/draft", {"fields": {"card": ["x"]}})
    assert (answer.status_code, answer.json()) == (200, {"considered": None})
    form = {"draft": "live", "card": "x"}
    page = client.post(f"/t/{game_for_two}/act", data=form, headers={**anna.headers, "hx-request": "true"})
    assert (page.status_code, page.text) == (200, "")
