"""Guests, the lobby, and tables until they start."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from spelunke.core.errors import BadInput, BadOption, UnknownGame
from spelunke.games import shelf
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import (
    BadMessage,
    BadNonce,
    BadPlan,
    NotNow,
    NotSeated,
    SeatTaken,
    TooFast,
    UnknownPerson,
    UnknownTable,
)
from waiting import wait_until

OPEN = Plan(game="shanghaien", seats=("me", "open"))


def test_a_guest_has_a_name_and_can_change_it(house: Any) -> None:
    anna = house.people.create("  Anna \n of  the\tSea ")
    assert anna.name == "Anna of the Sea"
    assert house.people.find(anna.id) == anna
    table = house.lobby.create(anna.id, OPEN)
    version = house.looks.version(table)
    assert house.people.rename(anna.id, "Anne").name == "Anne"
    assert house.looks.look(table).names[0] == "Anne"
    assert house.looks.version(table) > version


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "\u202e\u200b", "\x00"])
def test_a_name_that_cannot_be_seen_or_is_too_long_is_refused(house: Any, name: str) -> None:
    with pytest.raises(BadPlan, match="1 to 24"):
        house.people.create(name)


def test_strangers_and_unknown_tables_are_refused(house: Any) -> None:
    anna = house.people.create("Anna")
    with pytest.raises(UnknownPerson):
        house.lobby.create("nobody", OPEN)
    with pytest.raises(UnknownTable, match="no table nowhere"):
        house.looks.look("nowhere")
    with pytest.raises(UnknownTable):
        house.play.act("nowhere", anna.id, "roll", 1, "key-0001")
    with pytest.raises(UnknownTable):
        house.lobby.join("nowhere", anna.id)
    with pytest.raises(UnknownTable):
        house.chat.say("nowhere", anna.id, "hello")


def test_an_invalid_plan_is_refused_with_a_reason(house: Any) -> None:
    anna = house.people.create("Anna")

    def refuse(kind: type[Exception], words: str, **given: Any) -> None:
        with pytest.raises(kind, match=words):
            house.lobby.create(anna.id, Plan(**{"game": "shanghaien", "seats": ("me", "open"), **given}))

    refuse(UnknownGame, "no game 'chess'", game="chess")
    refuse(BadOption, "no option", options={"speed": 1})
    refuse(BadOption, "choose one of", options={"match": "best_of_nine"})
    refuse(BadInput, "for 2 players", seats=("me", "open", "open"))
    refuse(BadPlan, "exactly one", seats=("open", "open"))
    refuse(BadPlan, "exactly one", seats=("me", "me"))
    refuse(BadPlan, "not possible", seats=("me", "chair"))
    refuse(BadPlan, "no bot 'deep thought'", seats=("me", "bot:deep thought"))
    refuse(BadPlan, "0.1 to 600 minutes", clock=Clock(kind="live", minutes=0))
    refuse(BadPlan, "0.1 to 600 minutes", clock=Clock(kind="live", minutes=float("nan")))
    assert house.lists.my_tables(anna.id) == ()


def test_a_shortened_list_of_own_tables_keeps_running_games(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna")
    ben = house.people.create("Ben")
    running = house.lobby.create(anna.id, OPEN)
    house.lobby.join(running, ben.id)
    house.lobby.start(running, ben.id)
    clockwork.wait(60)
    over = house.lobby.create(anna.id, OPEN)
    house.lobby.join(over, ben.id)
    house.lobby.start(over, ben.id)
    house.play.resign(over, ben.id, "key-over")
    assert [line.table for line in house.lists.my_tables(anna.id)] == [running, over]
    assert [line.table for line in house.lists.my_tables(anna.id, 1)] == [running]


def test_an_open_table_is_listed_until_it_is_full(house: Any) -> None:
    anna, ben, cleo = (house.people.create(name) for name in ("Anna", "Ben", "Cleo"))
    table = house.lobby.create(anna.id, OPEN)
    hidden = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "open"), listed=False))
    (line,) = house.lists.open_tables()
    assert (line.table, line.seats, line.status) == (table, ("Anna", None), "open")
    assert house.lists.open_tables("halunken") == ()
    assert house.lobby.join(table, ben.id) == 1
    assert house.lobby.join(table, ben.id) == 1
    assert house.lists.open_tables() == ()
    with pytest.raises(NotNow, match="taken"):
        house.lobby.join(table, cleo.id)
    assert {line.table for line in house.lists.my_tables(anna.id)} == {table, hidden}
    assert house.lists.running_tables() == ()
    house.lobby.start(table, ben.id)
    assert [line.table for line in house.lists.running_tables()] == [table]


def test_bots_are_listed_by_the_names_they_have_at_the_table(house: Any) -> None:
    anna = house.people.create("Anna")
    bots = ("bot:novice", "bot:uncle", "bot:uncle")
    players = shelf()["sanghai"].players
    table = house.lobby.create(anna.id, Plan(game="sanghai", seats=("me", *bots, "open")))
    (line,) = house.lists.open_tables()
    assert line.seats[0] == "Anna"
    assert line.seats[1] in players["novice"]
    assert {line.seats[2], line.seats[3]} <= set(players["uncle"])
    assert line.seats[2] != line.seats[3]
    assert line.seats[:4] == house.looks.look(table, anna.id).names[:4]


def test_an_open_table_is_listed_for_a_day(house: Any, clockwork: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    clockwork.wait(23 * 3600)
    assert len(house.lists.open_tables()) == 1
    clockwork.wait(2 * 3600)
    assert house.lists.open_tables() == ()
    assert house.lobby.join(table, ben.id) == 1


def test_a_seat_kept_for_the_link_needs_the_link(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "link")))
    assert house.looks.look(table, ben.id).invite is None
    with pytest.raises(NotNow, match="link"):
        house.lobby.join(table, ben.id)
    with pytest.raises(NotNow, match="link"):
        house.lobby.join(table, ben.id, invite="ünknown")
    invite = house.looks.look(table, anna.id).invite or ""
    assert re.fullmatch("[a-z0-9]{20}", invite), "no sign in front that a command line takes for an option"
    assert house.lobby.join(table, ben.id, invite=invite) == 1
    house.lobby.leave(table, ben.id)
    with pytest.raises(NotNow, match="link"):
        house.lobby.join(table, house.people.create("Eve").id)
    assert [seat.kind for seat in house.looks.look(table).seats] == ["person", "link"]


def test_a_race_for_one_seat_has_one_winner(opener: Any) -> None:
    houses = [opener(), opener()]
    anna = houses[0].people.create("Anna")
    guests = [houses[0].people.create(f"Guest {n}") for n in range(6)]
    table = houses[0].lobby.create(anna.id, OPEN)
    got: list[Any] = []

    def run(number: int) -> None:
        try:
            got.append(houses[number % 2].lobby.join(table, guests[number].id))
        except (SeatTaken, NotNow) as error:
            got.append(type(error))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 6
    assert got.count(1) == 1
    assert houses[1].looks.look(table).status == "ready"


def test_leaving_frees_the_seat_and_the_host_closes_the_table(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    house.lobby.join(table, ben.id)
    assert house.looks.look(table).status == "ready"
    house.lobby.leave(table, ben.id)
    assert house.looks.look(table).status == "open"
    with pytest.raises(NotSeated):
        house.lobby.leave(table, ben.id)
    house.lobby.leave(table, anna.id)
    closed = house.looks.look(table)
    assert (closed.status, closed.result, closed.view) == ("over", None, None)
    with pytest.raises(NotNow, match="closed"):
        house.lobby.join(table, ben.id)


def test_the_game_starts_when_all_people_gave_their_nonce(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    house.lobby.join(table, ben.id)
    house.lobby.add_nonce(table, anna.id, "first")
    house.lobby.add_nonce(table, anna.id, "second")
    look = house.looks.look(table, anna.id)
    assert (look.status, look.fairness.nonces) == ("ready", ("second", None))
    assert look.fairness.seed is None
    house.lobby.add_nonce(table, ben.id, "third")
    look = house.looks.look(table, ben.id)
    assert (look.status, look.fairness.nonces) == ("playing", ("second", "third"))
    house.lobby.add_nonce(table, ben.id, "third")  # sent again, since its answer was lost
    assert house.looks.look(table, anna.id).ply == look.ply
    assert look.ply > 0
    with pytest.raises(NotNow):
        house.lobby.add_nonce(table, ben.id, "fourth")


def test_the_game_starts_without_a_nonce_after_a_while(house: Any, clockwork: Any) -> None:
    anna = house.people.create("Anna")
    table = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    clockwork.wait(4)
    house.tick()
    assert house.looks.look(table).status == "ready"
    clockwork.wait(2)
    house.tick()
    look = house.looks.look(table)
    assert look.status == "playing"
    assert look.seats[1].kind == "bot"


def test_bots_fill_free_seats_only_for_the_host(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    with pytest.raises(NotNow, match="free"):
        house.lobby.start(table, anna.id)
    with pytest.raises(NotSeated):
        house.lobby.fill(table, ben.id)
    with pytest.raises(BadPlan, match="no bot"):
        house.lobby.fill(table, anna.id, "deep thought")
    house.lobby.fill(table, anna.id, "deckhand")
    house.lobby.start(table, anna.id)
    assert house.looks.look(table).seats[1].level == "deckhand"


def test_pressing_start_again_after_the_start_changes_nothing(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    house.lobby.fill(table, anna.id, "deckhand")
    house.lobby.add_nonce(table, anna.id, "mine")
    before = house.looks.look(table, anna.id)
    assert before.status == "playing"
    house.lobby.start(table, anna.id)
    house.lobby.fill(table, anna.id, "deckhand")
    assert house.looks.look(table, anna.id).ply == before.ply
    with pytest.raises(NotNow, match="started already"):
        house.lobby.start(table, ben.id)


@pytest.mark.parametrize("nonce", ["", "a b", "x" * 65, "ü", "a\n"])
def test_a_nonce_of_the_wrong_form_is_refused(house: Any, nonce: str) -> None:
    anna = house.people.create("Anna")
    table = house.lobby.create(anna.id, OPEN)
    with pytest.raises(BadNonce):
        house.lobby.add_nonce(table, anna.id, nonce)


def test_a_message_that_is_sent_twice_at_once_is_posted_once(
    house: Any, table: Any, monkeypatch: Any
) -> None:
    both = threading.Barrier(2, timeout=60)
    change = house.chat._tables.change

    def change_together(*given: Any, **more: Any) -> None:
        both.wait()  # both have found no earlier message
        change(*given, **more)

    monkeypatch.setattr(house.chat._tables, "change", change_together)
    anna = table.people[0].id
    with ThreadPoolExecutor(2) as pool:
        for sent in [pool.submit(house.chat.say, table.id, anna, "ahoy", "key-of-it") for _ in range(2)]:
            sent.result()
    assert [line.text for line in table.look(0).chat] == ["ahoy"]


def test_chat_is_bounded(house: Any, table: Any, clockwork: Any) -> None:
    cleo = house.people.create("Cleo")
    house.chat.say(table.id, cleo.id, "good \n luck")
    assert table.look(0).chat == (), "a player reads what spectators write after the game"
    (line,) = table.look().chat
    assert (line.seat, line.name, line.text) == (None, "Cleo", "good luck")
    for text in ("", " ", "\u200d", "x" * 301, "a\x00"):
        with pytest.raises(BadMessage):
            house.chat.say(table.id, cleo.id, text)
    for _ in range(4):
        house.chat.say(table.id, cleo.id, "again")
    with pytest.raises(TooFast):
        house.chat.say(table.id, cleo.id, "again")
    clockwork.wait(11)
    house.chat.say(table.id, cleo.id, "again")
    assert [one.n - line.n for one in table.look().chat] == [0, 1, 2, 3, 4, 5]


def test_a_message_may_contain_the_pirate_flag(house: Any, table: Any) -> None:
    flag = "\N{WAVING BLACK FLAG}\N{ZERO WIDTH JOINER}\N{SKULL AND CROSSBONES}\N{VARIATION SELECTOR-16}"
    house.chat.say(table.id, house.people.create("Cleo").id, f"ahoy {flag}")
    assert table.look().chat[-1].text == f"ahoy {flag}"


def test_health_and_metrics_of_a_house_name_no_table_or_person(house: Any, table: Any) -> None:
    health = house.health()
    assert health.ok
    assert health.problems == ()
    table.play(3)
    text = house.store.metrics.text().decode()
    assert 'spelunke_actions_total{status="done"} 3.0' in text
    assert table.id not in text
    assert "Anna" not in text


def test_standing_orders_wait_for_the_game(house: Any) -> None:
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    table = house.lobby.create(anna.id, OPEN)
    house.lobby.join(table, ben.id)
    with pytest.raises(NotNow, match="only after the start"):
        house.play.set_orders(table, ben.id, {"text": "anything"})
    house.lobby.leave(table, ben.id)
    cleo = house.people.create("Cleo")
    house.lobby.join(table, cleo.id)
    look = house.looks.look(table, cleo.id)
    assert (look.standing, look.version) == (None, house.looks.look(table).version)


def test_a_table_in_use_is_not_loaded_into_memory_twice(opener: Any, sit: Any) -> None:
    """A table in use stays in memory. Otherwise the next user would load a copy without the newest change."""
    house = opener(alone=True, in_memory=1)
    held, other = sit(house), sit(house)
    store = house._tables
    found: list[Any] = []

    def look_for_it() -> None:
        with store.open(held.id) as slot:
            found.append((slot, slot.table.row))

    with store.open(held.id) as slot:
        other.play(3)
        waiting = threading.Thread(target=look_for_it)
        waiting.start()
        wait_until(lambda: slot.users == 2, "nobody else came to the same table")
        row = slot.table.row
    waiting.join(30)
    assert found == [(slot, row)]
    held.play(1)
    other.play(1)
    assert store.in_memory == 1
