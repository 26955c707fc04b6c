"""The tools of a house's hosts: people, bans, tables, and the log of these actions, with SQLite and with PostgreSQL."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from spelunke.house.house import House
from spelunke.house.people.bans import FOR_GOOD, is_shut_out
from spelunke.house.people.members import Doors
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow, ShutOut, UnknownPerson, UnknownProfile
from spelunke.house.store import schema

from .conftest import Clockwork, Open, Table

PASSWORD = "lantern mussel quarry tin"
DAY_MS = 86_400_000


pytestmark = pytest.mark.usefixtures("quick_passwords")


def join(house: House, name: str, person: str | None = None, **given: Any) -> str:
    return house.members.become(person, name, label="Test", password=PASSWORD, **given)


def who(house: House, token: str) -> str:
    visit = house.devices.find(token)
    assert visit is not None
    return visit.person


@pytest.fixture
def anna(house: House) -> str:
    """Return the host of the house."""
    return who(house, join(house, "Anna", host_code=house.members.codes.make("host")))


def page_of(house: House, name: str, group: Any = "members") -> str:
    (line,) = (one for one in house.registry.people(group, name, 1)[0] if one.name == name)
    return str(line.address)


def test_a_member_is_shut_out_and_let_in_again(house: House, anna: str, clockwork: Clockwork) -> None:
    token = join(house, "Bert")
    bert = who(house, token)
    page = page_of(house, "Bert")
    until = house.store.now() + 7 * DAY_MS
    codes = house.members.codes.make_recovery(bert)
    link = house.members.codes.make("device", bert)
    house.hosting.shut_out(anna, page, until)
    assert house.devices.find(token) is None
    assert is_shut_out(house.people.find(bert).shut_out_ms, house.store.now())
    for way in (
        lambda: house.members.log_in("Bert", PASSWORD, label="Test"),
        lambda: house.devices.come_by_recovery(codes[0], "Test"),
        lambda: house.devices.come_by_link(link, "Test"),
    ):
        with pytest.raises(ShutOut, match="until 20"):
            way()
    assert [line.name for line in house.registry.people("shut out", "", 1)[0]] == ["Bert"]
    clockwork.wait(8 * 86400)
    house.members.log_in("Bert", PASSWORD, label="Test")
    assert not is_shut_out(house.people.find(bert).shut_out_ms, house.store.now())
    assert house.registry.people("shut out", "", 1) == ((), 0)
    house.hosting.shut_out(anna, page)
    assert house.people.find(bert).shut_out_ms == FOR_GOOD
    with pytest.raises(ShutOut, match="shut you out; ask"):
        house.members.log_in("Bert", PASSWORD, label="Test")
    house.hosting.let_in(anna, page)
    house.members.log_in("Bert", PASSWORD, label="Test")
    with pytest.raises(NotNow):
        house.hosting.let_in(anna, page)


def test_a_wrong_password_does_not_reveal_a_ban(house: House, anna: str) -> None:
    join(house, "Bert")
    house.hosting.shut_out(anna, page_of(house, "Bert"))
    with pytest.raises(Exception, match="wrong name or password"):
        house.members.log_in("Bert", "harbour velvet onion nine", label="Test")


def test_a_guest_who_is_shut_out_is_not_deleted_until_let_in(
    house: House, anna: str, clockwork: Clockwork
) -> None:
    guest = house.people.create("Cleo")
    hold = house.devices.hold(None, guest.id)
    assert not hold.in_doubt
    page = page_of(house, "Cleo", "guests")
    house.hosting.shut_out(anna, page)
    assert hold.in_doubt
    assert hold.is_over(), "a stream that is open ends"
    assert house.people.find(guest.id).shut_out_ms == FOR_GOOD
    line = house.registry.person(page)
    assert (line.name, line.member, line.games, line.shut_out_ms) == ("Cleo", False, 0, FOR_GOOD)
    clockwork.wait(200 * 86400)
    house.tick()
    assert house.people.find(guest.id).name == "Cleo"
    house.hosting.let_in(anna, page)
    clockwork.wait(7 * 3600)
    house.tick()
    with pytest.raises(UnknownPerson):
        house.people.find(guest.id)


def test_a_guest_with_the_name_of_deleted_people_is_listed(table: Table) -> None:
    house, (anna, ben) = table.house, table.people
    house.people.rename(ben.id, "somebody who left")
    house.play.resign(table.id, anna.id, "resign-it")
    house.leaving.leave(anna.id)
    (line,) = house.registry.people("guests", "", 1)[0]
    assert house.registry.person(line.address).games == 1
    assert line.name == "somebody who left"


def test_hosts_cannot_shut_out_themselves_or_each_other(
    house: House, anna: str, clockwork: Clockwork
) -> None:
    bert = who(house, join(house, "Bert"))
    pages = [page_of(house, name) for name in ("Anna", "Bert")]
    house.hosting.set_host(anna, pages[1], to_be=True)
    for host, page, said in ((anna, pages[0], "yourself"), (anna, pages[1], "remove them as host first")):
        with pytest.raises(NotNow, match=said):
            house.hosting.shut_out(host, page)
    house.hosting.set_host(bert, pages[0], to_be=False)
    house.hosting.shut_out(bert, pages[0])
    with pytest.raises(NotNow, match="let them in"):
        house.hosting.set_host(bert, pages[0], to_be=True)
    house.hosting.shut_out(bert, pages[0], house.store.now() + 60_000)
    clockwork.wait(61)
    house.hosting.set_host(bert, pages[0], to_be=True)
    house.hosting.set_host(bert, pages[0], to_be=False)
    with pytest.raises(NotNow, match="in the future"):
        house.hosting.shut_out(bert, pages[0], house.store.now())
    for nobody in ("x" * 16, "", "\0", "é"):
        for act in (house.hosting.shut_out, house.hosting.let_in):
            with pytest.raises(UnknownProfile):
                act(bert, nobody)
        with pytest.raises(UnknownProfile):
            house.registry.person(nobody)


def test_people_are_listed_by_pages_and_found_by_name(house: House, anna: str) -> None:
    for number in range(60):
        house.people.create(f"Guest {number}")
    first, second = house.registry.people("guests", "", 1), house.registry.people("guests", "", 2)
    assert (len(first[0]), len(second[0]), first[1]) == (50, 10, 60)
    assert all(line.address for line in (*first[0], *second[0]))
    found = {line.name for line in house.registry.people("guests", "guest 5", 1)[0]}
    assert found == {"Guest 5", *(f"Guest {number}" for number in range(50, 60))}
    assert house.registry.people("guests", "%", 1) == ((), 0)
    (line,) = house.registry.people("members", "", 1)[0]
    assert (line.name, line.host, line.seen_ms) == ("Anna", True, house.store.now())
    assert anna not in line.address


def test_a_game_is_called_off_by_a_host(table: Table) -> None:
    house = table.house
    anna = who(house, join(house, "Host", host_code=house.members.codes.make("host")))
    table.play(3)
    (line,), count = house.registry.tables("running", 1)
    assert (line.table, line.seats, line.status, count) == (table.id, ("Anna", "Ben"), "playing", 1)
    house.hosting.call_off(anna, table.id)
    look = table.look(0)
    assert look.status == "over"
    assert look.result is not None
    assert (look.result.reason, look.result.ranks) == ("called_off", (1, 1))
    assert "A host of the site calls the game off." in [line.text for line in look.log]
    assert house.replays.verify(table.id).ok
    assert house.registry.tables("running", 1) == ((), 0)
    assert house.histories.own(table.people[0].id)[0][0].reason == "called_off"
    with pytest.raises(NotNow):
        house.hosting.call_off(anna, table.id)
    assert [line.what for line in house.hosting.log()[0]] == ["called off"]


def test_hosts_can_close_a_waiting_table_and_see_idle_tables(table: Table, clockwork: Clockwork) -> None:
    house = table.house
    anna = who(house, join(house, "Host", host_code=house.members.codes.make("host")))
    waits = house.lobby.create(table.people[0].id, Plan(game="shanghaien", seats=("me", "link")))
    (line,) = house.registry.tables("waiting", 1)[0]
    assert (line.table, line.seats) == (waits, ("Anna", None))
    house.hosting.call_off(anna, waits)
    assert house.looks.look(waits).status == "over"
    assert house.registry.tables("waiting", 1) == ((), 0)
    clockwork.wait(2 * 86400)
    assert [line.table for line in house.registry.tables("idle", 1)[0]] == [table.id]
    assert house.registry.tables("running", 1) == ((), 0)


def test_the_log_tells_who_did_what_to_whom_and_when(house: House, anna: str, clockwork: Clockwork) -> None:
    bert = who(house, join(house, "Bert"))
    page = page_of(house, "Bert")
    house.hosting.set_doors(anna, Doors(members="invited"))
    house.hosting.invite(anna)
    clockwork.wait(60)
    house.hosting.shut_out(anna, page)
    lines, count = house.hosting.log()
    assert count == 3
    assert [(line.host, line.what, line.whom) for line in lines] == [
        ("Anna", "shut out", "Bert"),
        ("Anna", "invitation", None),
        ("Anna", "doors", None),
    ]
    assert lines[0].at_ms - lines[1].at_ms == 60_000
    assert lines[2].about == "guests open, members invited"
    with pytest.raises(NotNow):  # a refused request is stored nowhere
        house.hosting.shut_out(anna, page_of(house, "Anna"))
    house.hosting.let_in(anna, page)
    house.leaving.leave(bert)
    assert house.hosting.log()[0][0].whom == "somebody who left"
    assert house.hosting.log()[1] == 4
    with house.store.read() as connection:
        assert bert in connection.execute(select(schema.house_log.c.whom)).scalars().all()


def test_a_person_shut_out_at_one_worker_is_shut_out_at_another(opener: Open) -> None:
    one, two = opener(), opener()
    anna = who(one, join(one, "Anna", host_code=one.members.codes.make("host")))
    token = join(one, "Bert")
    bert = who(two, token)
    one.hosting.shut_out(anna, page_of(one, "Bert"))
    assert two.devices.find(token) is None
    two.people.forget()  # the worker asks the store again after five seconds
    assert two.people.find(bert).shut_out_ms == FOR_GOOD
