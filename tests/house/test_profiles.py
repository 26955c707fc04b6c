"""Pages of people: their readers, the games on them, and the filters, with SQLite and with PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from spelunke.house.plan import Plan
from spelunke.house.refusals import BadPlan, UnknownProfile
from spelunke.house.store.schema import seats, tables
from spelunke.house.study.histories import GameWish

from .conftest import Clockwork, Table
from .test_histories import add_copies

PRIVATE = Plan(game="shanghaien", seats=("me", "open"), options={"first_starter": 0}, listed=False)


def ids(found: Any) -> list[str]:
    return [line.table for line in found[0]]


def test_a_page_is_shown_to_whom_its_person_chose(house: Any, table: Table) -> None:
    anna, ben = table.people
    cleo = house.people.create("Cleo")
    page = house.profiles.of(anna.id)
    assert page == house.profiles.of(anna.id)
    assert (page.own, page.member, page.shown) == (True, False, "nobody")
    assert anna.id not in page.address

    def seen_by(reader: str | None) -> bool:
        try:
            return house.profiles.find(page.address, reader).name == "Anna"
        except UnknownProfile:
            return False

    for shown, seen in (
        ("nobody", (False, False, False)),
        ("mates", (True, False, False)),
        ("everybody", (True, True, True)),
    ):
        house.profiles.choose(anna.id, shown)
        assert tuple(map(seen_by, (ben.id, cleo.id, None))) == seen
        assert seen_by(anna.id)
    with pytest.raises(BadPlan, match="everybody, mates, nobody"):
        house.profiles.choose(anna.id, "friends")


def test_a_hidden_page_and_an_unknown_page_give_the_same_answer(house: Any, table: Table) -> None:
    hidden = house.profiles.of(table.people[0].id).address
    told = set()
    for address in (hidden, "x" * 16, "", "é" * 16, "a" * 500, hidden[:-1]):
        with pytest.raises(UnknownProfile) as refused:
            house.profiles.find(address, table.people[1].id)
        told.add(str(refused.value))
    assert len(told) == 1


def test_opponents_can_see_a_members_page_by_default(house: Any, table: Table) -> None:
    anna, ben = table.people
    house.members.become(anna.id, "Anna", label="Test", password="lantern mussel quarry tin")
    table.play(4)
    house.play.resign(table.id, ben.id, table.key())
    (line,), _count = house.histories.own(ben.id)
    assert line.pages[1] is None
    assert house.profiles.find(line.pages[0], ben.id).name == "Anna"
    assert house.histories.of(house.profiles.of(anna.id), None)[0][0].pages == (None, None)


def test_a_list_of_games_links_the_pages_that_its_reader_may_see(
    house: Any, sit: Callable[..., Table], table: Table
) -> None:
    anna, ben = table.people
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        house.members.become(person.id, name, label="Test", password="lantern mussel quarry tin")
    friend, stranger = (house.people.create(name).id for name in ("Cleo", "Dora"))
    house.members.become(friend, "Cleo", label="Test", password="lantern mussel quarry tin")
    house.ties.befriend(anna.id, "Cleo")
    assert house.ties.befriend(friend, "Anna")
    house.play.resign(table.id, ben.id, table.key())
    page = house.profiles.of(ben.id)
    house.profiles.choose(ben.id, "everybody")
    address = house.profiles.of(anna.id).address

    def pages(reader: str | None) -> tuple[str | None, ...]:
        (line,), _count = house.histories.of(page, reader)
        return line.pages

    assert pages(friend) == (address, page.address), "a friend who was not there"
    assert pages(stranger) == pages(None) == (None, page.address)
    elsewhere = sit(house)
    with house.store.engine.begin() as connection:
        here = seats.c.table_id == elsewhere.id
        for seat, person in enumerate((anna.id, stranger)):
            connection.execute(update(seats).where(here, seats.c.seat == seat).values(person=person))
    assert pages(stranger) == (address, page.address), "they have played at another table"
    house.profiles.choose(anna.id, "nobody")
    assert pages(friend) == pages(stranger) == (None, page.address)


def test_others_see_games_of_listed_tables_and_their_own(
    house: Any, sit: Callable[..., Table], table: Table
) -> None:
    anna, ben = table.people
    hidden = sit(house, PRIVATE)
    house.play.resign(table.id, ben.id, table.key())
    house.play.resign(hidden.id, hidden.people[1].id, hidden.key())
    add_copies(house.store.engine, table.id, 3)
    page = house.profiles.of(anna.id)
    secret = house.profiles.of(hidden.people[0].id)
    cleo = house.people.create("Cleo")
    for reader in (None, cleo.id):
        assert house.histories.of(page, reader)[1] == 4
        assert house.histories.of(secret, reader) == ((), 0)
        assert house.histories.tallies(secret.person, reader) == ()
    assert ids(house.histories.of(secret, hidden.people[1].id)) == [hidden.id]
    assert ids(house.histories.own(secret.person)) == [hidden.id]
    (tally,) = house.histories.tallies(anna.id, ben.id)
    assert (tally.game, tally.played, tally.won) == ("shanghaien", 4, 4)
    assert house.histories.tallies(ben.id, ben.id)[0].won == 0


def test_games_are_found_by_game_opponent_result_and_time(
    house: Any, table: Table, clockwork: Clockwork
) -> None:
    anna, ben = table.people
    table.play(2)
    house.play.resign(table.id, anna.id, table.key())
    clockwork.wait(40 * 86400)
    bots = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "bot:deckhand"), listed=False))
    house.lobby.add_nonce(bots, anna.id, "mine")
    house.play.resign(bots, anna.id, "resigned-now")

    def found(**wish: Any) -> list[str]:
        return ids(house.histories.own(anna.id, 1, GameWish(**wish)))

    assert found() == [bots, table.id]
    assert found(game="halunken") == []
    assert found(game="shanghaien") == [bots, table.id]
    assert found(opponent="BEN") == [table.id]
    assert found(opponent="anna") == []
    assert found(opponent="%") == found(opponent="_") == found(opponent="'") == []
    title = house.histories.own(anna.id)[0][0].names[1]
    assert found(opponent=title.lower()) == [bots]
    assert found(ended="lost") == [bots, table.id]
    assert found(ended="won") == found(ended="drawn") == []
    assert ids(house.histories.own(ben.id, 1, GameWish(ended="won"))) == [table.id]
    assert found(days=7) == [bots]
    house.people.rename(ben.id, "Ärmel")
    assert found(opponent="ärm") == [table.id]
    with house.store.engine.begin() as connection:
        connection.execute(update(tables).values(outcome=None))
    assert found(ended="lost") == [bots, table.id], "endings that were not stored are"


def test_a_hundred_games_to_a_page(house: Any, table: Table) -> None:
    anna = table.people[0].id
    house.play.resign(table.id, anna, table.key())
    add_copies(house.store.engine, table.id, 150)
    wish = GameWish(ended="lost", opponent="ben", game="shanghaien")
    pages = [house.histories.own(anna, page, wish) for page in (1, 2, 3)]
    assert [(len(lines), count) for lines, count in pages] == [(100, 151), (51, 151), (0, 151)]


def test_the_next_table_goes_through_the_tables_where_the_person_may_act(
    house: Any, sit: Callable[..., Table], clockwork: Clockwork
) -> None:
    first = sit(house)
    anna, ben = first.people
    made = []
    for _ in range(2):
        clockwork.wait(60)
        table = house.lobby.create(
            anna.id, Plan(game="shanghaien", seats=("me", "open"), options={"first_starter": 0})
        )
        house.lobby.join(table, ben.id)
        for person in first.people:
            house.lobby.add_nonce(table, person.id, "share")
        made.append(table)
    order = [first.id, *made]
    assert house.lists.next_table(anna.id) == order[0]
    assert [house.lists.next_table(anna.id, table) for table in order] == [*order[1:], order[0]]
    assert house.lists.next_table(ben.id) is None
    look = house.looks.look(first.id, anna.id)
    house.play.act(first.id, anna.id, look.legal[0][1], look.ply, "key-000001")
    assert house.lists.next_table(anna.id) == made[0]
    assert house.lists.next_table("nobody") is None


def test_a_deleted_account_has_no_page(house: Any, table: Table) -> None:
    anna = table.people[0].id
    house.profiles.choose(anna, "everybody")
    address = house.profiles.of(anna).address
    told = house.leaving.about(house.people.find(anna))
    assert told["page"] == [{"address": address, "shown": "everybody", "offline": None}]
    house.leaving.leave(anna)
    with pytest.raises(UnknownProfile):
        house.profiles.find(address, None)
