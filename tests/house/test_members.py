"""Members: signing up, logging in, devices and their changing tokens, codes that work once, and leaving."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, inspect, select, update

from empty_house import lay_tables
from spelunke.core.errors import SpelunkeError
from spelunke.house.house import House
from spelunke.house.people import passwords
from spelunke.house.people.codes import RECOVERY_CODES
from spelunke.house.people.devices import PROVEN_MS, ROTATE_MS, STRAY_MS, Lasting
from spelunke.house.people.members import Doors
from spelunke.house.people.passkeys import Place
from spelunke.house.people.people import check_name, fold_name
from spelunke.house.plan import Plan
from spelunke.house.refusals import (
    BadPlan,
    NameTaken,
    NotAllowed,
    NotNow,
    NotProven,
    SpentCode,
    TooFast,
    UnknownPerson,
    UnknownProfile,
    WeakPassword,
    WrongProof,
)
from spelunke.house.store import schema

from .conftest import Clockwork, Open, Table

PASSWORD = "lantern mussel quarry tin"
OTHER = "harbour velvet onion nine"


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an SQLite database. Tests marked `both` also run with a database of PostgreSQL.

    Making a database of PostgreSQL takes longer than most of these tests.
    """
    if getattr(request, "param", "sqlite") == "sqlite":
        return lay_tables(tmp_path / "house.sqlite3")
    return str(request.getfixturevalue("postgres_house"))


both = pytest.mark.parametrize("database", ["sqlite", "postgres"], indirect=True)


pytestmark = pytest.mark.usefixtures("quick_passwords")


def join(house: House, name: str = "Anna", person: str | None = None, **given: Any) -> str:
    return house.members.become(person, name, label="Test", password=given.pop("password", PASSWORD), **given)


def who(house: House, token: str) -> str:
    visit = house.devices.known(token) or house.devices.find(token)
    assert visit is not None
    return visit.person


def days(clockwork: Clockwork, ms: int) -> None:
    clockwork.wait(ms / 1000)


@both
def test_a_guest_becomes_a_member_and_keeps_name_and_games(table: Table) -> None:
    house, anna = table.house, table.people[0]
    assert not house.people.find(anna.id).member
    token = join(house, anna.name, anna.id)
    assert who(house, token) == anna.id
    assert house.people.find(anna.id).member
    assert [line.table for line in house.lists.my_tables(anna.id)] == [table.id]
    assert table.look(1).seats[0].name == "Anna"
    member = house.members.of(anna.id)
    assert member is not None
    assert (member.name, member.has_password, member.host) == ("Anna", True, False)
    with pytest.raises(NotNow, match="a member already"):
        join(house, "Anna the second", anna.id)


@pytest.mark.parametrize("name", ["Anna", "ANNA", "ａｎｎａ", " anna ", "A\u200bnna"])
def test_two_members_cannot_have_the_same_name_in_any_spelling(house: House, name: str) -> None:
    join(house)
    with pytest.raises(NameTaken, match="choose another"):
        join(house, name)
    guest = house.people.create("Anna")
    join(house, "Bert", guest.id)
    with pytest.raises(NameTaken):
        house.people.rename(guest.id, name)
    assert house.people.rename(guest.id, "Berta").name == "Berta"
    house.members.log_in("BERTA", PASSWORD, label="Test")


@pytest.mark.parametrize("password", ["short", "password1234", "Anna Anna Anna", "x" * 129, "qwertyuiop123"])
def test_a_weak_password_is_refused(house: House, password: str) -> None:
    with pytest.raises(WeakPassword, match="four unrelated words"):
        join(house, password=password)
    assert house.registry.people("members", "", 1) == ((), 0)


def test_logging_in_needs_the_right_name_and_password(house: House) -> None:
    token = join(house)
    told = set()
    for name, password in (("Anna", OTHER), ("Nobody", PASSWORD), ("", ""), ("Anna", "x" * 100_000)):
        with pytest.raises(WrongProof) as wrong:
            house.members.log_in(name, password, label="Test")
        told.add(str(wrong.value))
    assert len(told) == 1, "the answer is the same whether the name is known or not"
    other = house.members.log_in("anna ", PASSWORD, label="Phone")
    assert who(house, other) == who(house, token)
    assert len(house.devices.of(who(house, token))) == 2


def test_unknown_names_cost_as_much_as_known_ones(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    join(house)
    asked: list[str] = []
    verify = passwords._HASHER.verify

    class Counting:
        def verify(self, stored: str, password: str) -> bool:
            asked.append(stored)
            return verify(stored, password)

    monkeypatch.setattr(passwords, "_HASHER", Counting())
    for name in ("Anna", "Nobody"):
        with pytest.raises(WrongProof):
            house.members.log_in(name, OTHER, label="Test")
    assert len(asked) == 2


def test_passwords_and_tokens_are_stored_only_as_hashes(house: House) -> None:
    token = join(house)
    with house.store.read() as connection:
        kept = connection.execute(select(schema.members.c.password)).scalar()
        tokens = connection.execute(select(schema.devices.c.token)).scalars().all()
    assert kept is not None
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept
    assert all(one not in token for one in tokens)


def test_a_token_is_exchanged_daily_and_a_copy_ends_the_device(house: House, clockwork: Clockwork) -> None:
    first = join(house)
    anna = who(house, first)
    days(clockwork, ROTATE_MS + 1000)
    assert house.devices.known(first) is None
    visits = [house.devices.find(first) for _ in range(2)]
    assert visits[0] == visits[1], "requests at one moment are given the same"
    assert visits[0] is not None
    second = visits[0].renewed
    assert second is not None
    assert second != first
    again = house.devices.find(first)
    assert again is not None, "the answer may be lost on its way: the first counts until the second came"
    taken = house.devices.find(second)
    assert taken is not None
    assert taken.renewed is None
    late = house.devices.find(first)
    assert late is not None, "a request that was on its way"
    assert late.renewed == second
    days(clockwork, STRAY_MS + 1000)
    assert house.devices.find(first) is None, "a copy"
    assert house.devices.find(second) is None
    assert house.devices.known(second) is None
    assert house.devices.of(anna) == ()


def test_a_device_ends_by_logging_out_and_after_a_month_unused(house: House, clockwork: Clockwork) -> None:
    here = join(house)
    anna = who(house, here)
    phone = house.members.log_in("Anna", PASSWORD, label="Phone")
    tablet = house.members.log_in("Anna", PASSWORD, label="Tablet")
    lines = {line.label: line for line in house.devices.of(anna)}
    house.devices.end(anna, lines["Phone"].id)
    assert house.devices.known(phone) is None
    assert house.devices.find(phone) is None
    bert = who(house, join(house, "Bert"))
    with pytest.raises(NotNow):
        house.devices.end(bert, lines["Tablet"].id)
    assert house.devices.end_others(anna, lines["Test"].id) == 1
    assert house.devices.find(tablet) is None
    assert who(house, here) == anna
    days(clockwork, 31 * 24 * 3600 * 1000)
    assert house.devices.known(here) is None
    assert house.devices.find(here) is None


def test_logging_out_an_unknown_device_is_refused_and_ends_nothing(house: House) -> None:
    anna = who(house, here := join(house))
    code = house.members.codes.make("device", anna)
    for device in ("0" * 32, who(house, join(house, "Bert")), "no device"):
        with pytest.raises(NotNow):
            house.devices.end(anna, device)
    house.members.codes.look("device", code)
    assert who(house, here) == anna


@pytest.mark.parametrize("token", ["", "device", "device..", f"device.{'0' * 32}.{'a' * 43}", "device.é.ü"])
def test_a_malformed_device_token_finds_no_device(house: House, token: str) -> None:
    assert house.devices.find(token) is None


def test_a_device_link_works_once_and_for_ten_minutes(house: House, clockwork: Clockwork) -> None:
    guest = house.people.create("Anna")
    old, code = house.members.codes.make("device", guest.id), house.members.codes.make("device", guest.id)
    with pytest.raises(SpentCode):
        house.devices.come_by_link(old, "Phone")
    assert house.members.codes.look("device", code) == guest.id
    typed = "-".join(code[at : at + 5] for at in range(0, 26, 5)).lower().replace("0", "o")
    token = house.devices.come_by_link(typed, "Phone")
    assert who(house, token) == guest.id
    with pytest.raises(SpentCode, match="new one"):
        house.devices.come_by_link(code, "Phone")
    late = house.members.codes.make("device", guest.id)
    clockwork.wait(601)
    for wrong in (late, "", "0" * 26, "x", "é" * 26):
        with pytest.raises(SpentCode):
            house.devices.come_by_link(wrong, "Phone")
    visit = house.devices.find(token)
    with pytest.raises(NotProven):
        house.devices.require_proof(visit)


@both
def test_a_device_link_used_several_times_at_once_works_once(house: House) -> None:
    code = house.members.codes.make("device", house.people.create("Anna").id)
    came: list[str] = []
    refused: list[Exception] = []

    def use() -> None:
        try:
            came.append(house.devices.come_by_link(code, "Phone"))
        except SpentCode as error:
            refused.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(came), len(refused)) == (1, 3)


def test_recovery_codes_work_once_each(house: House, clockwork: Clockwork) -> None:
    anna = who(house, join(house))
    old = house.members.codes.make_recovery(anna)
    made = house.members.codes.make_recovery(anna)
    assert len(set(made)) == RECOVERY_CODES
    with pytest.raises(SpentCode):
        house.devices.come_by_recovery(old[0], "Phone")
    clockwork.wait(5 * 365 * 86400)
    token = house.devices.come_by_recovery(made[3].lower(), "Phone")
    assert who(house, token) == anna
    with pytest.raises(SpentCode):
        house.devices.come_by_recovery(made[3], "Phone")
    member = house.members.of(anna)
    assert member is not None
    assert member.recovery_codes == RECOVERY_CODES - 1
    visit = house.devices.find(token)
    assert visit is not None
    house.devices.require_proof(visit)
    house.members.set_password(anna, visit.device, OTHER)
    with pytest.raises(WrongProof):
        house.members.log_in("Anna", PASSWORD, label="Test")
    house.members.log_in("Anna", OTHER, label="Test")


def test_another_password_ends_the_other_devices(house: House, clockwork: Clockwork) -> None:
    here = join(house)
    anna = who(house, here)
    there = house.members.log_in("Anna", PASSWORD, label="Phone")
    days(clockwork, PROVEN_MS + 1000)
    visit = house.devices.find(here)
    assert visit is not None
    with pytest.raises(NotProven):
        house.devices.require_proof(visit)
    with pytest.raises(WrongProof):
        house.members.prove(anna, visit.device, OTHER)
    house.members.prove(anna, visit.device, PASSWORD)
    house.devices.require_proof(house.devices.find(here))
    with pytest.raises(WeakPassword):
        house.members.set_password(anna, visit.device, "aaaaaaaaaaaaaa")
    house.members.set_password(anna, visit.device, OTHER)
    assert house.devices.find(there) is None
    assert who(house, here) == anna


@both
def test_a_device_ended_at_one_worker_is_ended_at_another(opener: Open) -> None:
    one, two = opener(), opener()
    token = join(one)
    assert who(two, token) == who(one, token)
    one.devices.end_others(who(one, token), None)
    assert two.devices.find(token) is None


@both
def test_the_rules_for_new_people_limit_guests_and_members(house: House) -> None:
    guest = house.people.create("Anna")
    house.members.set_doors(Doors(guests="closed", members="invited"))
    assert house.members.doors() == Doors(guests="closed", members="invited")
    with pytest.raises(NotAllowed, match="no guests"):
        house.people.create("Bert")
    assert house.people.find(guest.id).name == "Anna", "who is there stays"
    with pytest.raises(NotAllowed, match="invitation"):
        join(house, "Anna", guest.id)
    code = house.members.codes.make("invitation")
    join(house, "Anna", guest.id, invitation=code)
    with pytest.raises(SpentCode):
        join(house, "Bert", invitation=code)
    assert [line.name for line in house.registry.people("members", "", 1)[0]] == ["Anna"]
    house.members.set_doors(Doors())
    house.people.create("Bert")


def test_a_member_becomes_the_first_host_with_the_printed_code(house: House) -> None:
    assert not house.members.has_host()
    first, second = house.members.codes.make("host"), house.members.codes.make("host")
    house.members.set_doors(Doors(members="invited"))
    anna = who(house, join(house, host_code=first))
    assert house.members.has_host()
    house.members.require_host(anna)
    with pytest.raises(SpentCode):
        house.members.become_host(anna, second)
    bert = who(house, join(house, "Bert", invitation=house.members.codes.make("invitation")))
    with pytest.raises(NotAllowed):
        house.members.require_host(bert)
    pages = {line.name: line.address for line in house.registry.people("members", "", 1)[0]}
    with pytest.raises(NotNow, match="needs a host"):
        house.hosting.set_host(anna, pages["Anna"], to_be=False)
    house.hosting.set_host(anna, pages["Bert"], to_be=True)
    house.hosting.set_host(anna, pages["Anna"], to_be=False)
    house.members.require_host(bert)
    with pytest.raises(UnknownProfile, match="no such person"):
        house.hosting.set_host(anna, "nobody", to_be=True)


@both
def test_a_deleted_account_is_gone_and_its_games_remain(table: Table) -> None:
    house, anna = table.house, table.people[0]
    house.chat.say(table.id, anna.id, "good wind")
    house.chat.say(table.id, table.people[1].id, "and to you")
    house.play.resign(table.id, anna.id, "resign-it")
    running = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "open")))
    ben = table.people[1]
    house.lobby.join(running, ben.id)
    waiting = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "open")))
    token = join(house, "Anna", anna.id)
    told = house.leaving.about(house.people.find(anna.id))
    assert [line["text"] for line in told["chat"]] == ["good wind"]  # type: ignore[attr-defined]
    assert {line["id"] for line in told["tables"]} == {table.id, running, waiting}  # type: ignore[attr-defined]
    assert house.leaving.finished(anna.id) == [table.id]
    assert "argon2" not in str(told)
    house.leaving.leave(anna.id)
    with pytest.raises(UnknownPerson):
        house.people.find(anna.id)
    assert house.devices.find(token) is None
    look = house.looks.look(table.id, ben.id)
    assert look.seats[0].name == "somebody who left"
    assert [line.text for line in look.chat] == ["and to you"]
    assert house.replays.record(table.id).seats[0].name == "somebody who left"
    assert house.replays.verify(table.id).ok
    assert house.looks.look(waiting).status == "over"
    with pytest.raises(UnknownPerson):
        house.leaving.leave(anna.id)
    join(house, "Anna")


def test_the_only_host_stays_while_there_are_members(house: House) -> None:
    anna = who(house, join(house, host_code=house.members.codes.make("host")))
    bert = who(house, join(house, "Bert"))
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    with pytest.raises(NotNow, match="make another member a host first"):
        house.leaving.leave(anna)
    assert house.looks.look(table).status == "open", "nothing is half done"
    house.members.require_host(anna)
    house.leaving.leave(bert)
    house.leaving.leave(anna)  # allowed, because no member remains without a host
    assert not house.members.has_host()


def test_the_others_play_on_after_a_player_deletes_the_account(opener: Open) -> None:
    house = opener()
    people = [house.people.create(name).id for name in ("Anna", "Ben", "Cleo")]
    table = house.lobby.create(people[0], Plan(game="halunken", seats=("me", "open", "open")))
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    for number in range(9):
        seat = house.looks.look(table).actors[0]
        look = house.looks.look(table, people[seat])
        house.play.act(table, people[seat], look.legal[0][1], look.ply, f"move-{number:04d}")
    join(house, "Anna", people[0])
    house.leaving.leave(people[0])
    for number in range(2000):
        house.tick()
        look = house.looks.look(table)
        if look.status == "over":
            break
        seat = next((seat for seat in look.actors if seat), None)
        if seat is not None:
            look = house.looks.look(table, people[seat])
            if look.legal:
                house.play.act(table, people[seat], look.legal[0][1], look.ply, f"later-{number:04d}")
    look = house.looks.look(table, people[1])
    assert look.status == "over"
    assert look.seats[0].name == "somebody who left"
    assert look.result is not None
    assert look.result.reason == "played"
    assert house.replays.verify(table).ok


@both
def test_the_cleaning_of_an_older_worker_cannot_delete_members(house: House, clockwork: Clockwork) -> None:
    anna = who(house, join(house))
    guest = house.people.create("Bert")
    clockwork.wait(100 * 86400)
    house.tick()
    assert house.people.find(anna).name == "Anna"
    with pytest.raises(UnknownPerson):
        house.people.find(guest.id)
    # A worker of the previous version knows nothing of members: the store itself protects them.
    from sqlalchemy import delete
    from sqlalchemy.exc import IntegrityError

    with pytest.raises(IntegrityError), house.store.engine.begin() as connection:
        connection.execute(delete(schema.people).where(schema.people.c.id == anna))


def test_a_person_created_by_an_older_worker_is_a_guest(house: House) -> None:
    row = {"id": "old", "name": "Old", "created_ms": 1}
    with house.store.engine.begin() as connection:
        connection.execute(insert(schema.people), row)
        assert "members" in inspect(connection).get_table_names()
    assert house.people.find("old").member is False


@both
def test_a_name_that_grows_when_folded_is_accepted(house: House) -> None:
    name = "\ufdfa" * 24  # each stands for eighteen letters
    join(house, name)
    with pytest.raises(NameTaken):
        join(house, name)
    house.members.log_in(name, PASSWORD, label="Test")


@both
def test_text_that_no_store_can_read_is_refused_with_a_reason(house: House) -> None:
    anna = who(house, join(house))
    for text in ("\0", "a\0b", "\ud800", "\udcff" * 20):
        with pytest.raises(WrongProof):
            house.members.log_in(text, text, label="Test")
        with pytest.raises(WrongProof):
            house.members.log_in("Anna", PASSWORD + text, label="Test")
        for act in (house.devices.end, house.members.remove_key):
            with pytest.raises(NotNow):
                act(anna, text)
        with pytest.raises(UnknownProfile):
            house.hosting.set_host("", text, to_be=True)
        with pytest.raises(SpentCode):
            house.devices.come_by_link(text, "Test")
        assert house.devices.find(f"device.{text}.{text}") is None
        with contextlib.suppress(SpelunkeError):  # the rest of such a name may be valid
            join(house, text, password=f"{PASSWORD} {text}")


def test_logging_in_is_refused_while_too_many_passwords_are_checked(house: House) -> None:
    join(house)
    rooms = [passwords._room.acquire(blocking=False) for _ in range(passwords.WAITING)]
    assert all(rooms)
    try:
        with pytest.raises(TooFast, match="in a minute"):
            house.members.log_in("Anna", PASSWORD, label="Test")
    finally:
        for _ in rooms:
            passwords._room.release()
    house.members.log_in("Anna", PASSWORD, label="Test")


def test_account_changes_are_shown_on_the_other_devices(house: House) -> None:
    here = join(house)
    anna = who(house, here)
    changes = house.members.changes

    def visit(token: str) -> str:
        found = house.devices.find(token)
        assert found is not None
        return found.device

    def new(token: str) -> list[tuple[str, str]]:
        return [(one.what, one.label) for one in changes.of(anna, visit(token)) if one.new]

    assert changes.of(anna, visit(here)) == (), "a new member has changed nothing"
    phone = house.members.log_in("Anna", PASSWORD, label="Phone")
    assert new(here) == [("device", "Phone")]
    assert new(phone) == []
    house.devices.end(anna, visit(phone))
    house.members.log_in("Anna", PASSWORD, label="Phone")
    assert new(here) == [("device", "Phone")], "the same once more is nothing new"
    changes.dismiss(anna, visit(here))
    assert new(here) == []
    codes = house.members.codes.make_recovery(anna, visit(here))
    assert new(here) == []
    tablet = house.devices.come_by_recovery(codes[0], "Tablet")
    assert new(here) == [("recovery", "Tablet"), ("device", "Tablet")]
    assert new(tablet) == [("codes", "")]
    house.members.set_password(anna, visit(tablet), OTHER)
    back = house.members.log_in("Anna", OTHER, label="Test")
    assert new(back)[0] == ("password", "")
    assert [one["what"] for one in house.leaving.about(house.people.find(anna))["key_changes"]] == [  # type: ignore[attr-defined]
        "device",
        "codes",
        "device",
        "recovery",
        "password",
        "device",
    ]
    guest = house.people.create("Bert")
    house.devices.come_by_link(house.members.codes.make("device", guest.id), "Phone")
    assert changes.of(guest.id, None) == (), "a guest receives no message: nothing is kept of one"


def test_how_long_sessions_last_is_a_setting(opener: Open, clockwork: Clockwork) -> None:
    house = opener(lasting=Lasting(idle_ms=30 * 60_000, longest_ms=12 * 3_600_000))
    token = join(house)
    program = join(house, "Bert", kind="program")
    for _ in range(23):
        clockwork.wait(20 * 60)
        assert (house.devices.known(token) or house.devices.find(token)) is not None
    clockwork.wait(31 * 60)
    assert house.devices.known(token) is None
    assert house.devices.find(token) is None
    assert house.devices.find(program) is not None
    again = house.members.log_in("Anna", PASSWORD, label="Test")
    anna = who(house, again)
    for _ in range(40):
        clockwork.wait(18 * 60)
        house.devices.known(again) or house.devices.find(again)
    clockwork.wait(60)
    assert house.devices.find(again) is None, "twelve hours in all"
    assert house.devices.of(anna) == (), "a device that is logged out is not listed"


@pytest.mark.parametrize("way", ["password", "others", "device"])
def test_a_link_for_a_device_ends_with_the_session_that_made_it(house: House, way: str) -> None:
    here = join(house)
    anna = who(house, here)
    thief = house.devices.find(house.members.log_in("Anna", PASSWORD, label="Thief"))
    mine = house.devices.find(here)
    assert thief is not None
    assert mine is not None
    code = house.members.codes.make("device", anna)
    house.members.passkeys.ask_new(Place("localhost", ("http://localhost",)), anna, "Anna")
    kept = house.members.codes.make_recovery(anna, mine.device)
    if way == "password":
        house.members.set_password(anna, mine.device, OTHER)
    elif way == "others":
        house.devices.end_others(anna, mine.device)
    else:
        house.devices.end(anna, thief.device)
    with pytest.raises(SpentCode):
        house.members.codes.look("device", code)
    with pytest.raises(SpentCode):
        house.devices.come_by_link(code, "Thief")
    with house.store.read() as connection:
        left = connection.execute(select(schema.codes.c.kind).where(schema.codes.c.person == anna))
        assert [*left.scalars()] == ["recovery"] * len(kept), "nothing else that lets somebody in"
    assert who(house, here) == anna


def test_a_copied_token_invalidates_the_login_links_of_its_device(house: House, clockwork: Clockwork) -> None:
    """If a copied token of a device is found, the device's login links become invalid: a thief may have made them."""
    first = join(house)
    anna = who(house, first)
    days(clockwork, ROTATE_MS + 1000)
    visit = house.devices.find(first)
    assert visit is not None
    assert visit.renewed is not None
    assert house.devices.find(visit.renewed) is not None
    days(clockwork, STRAY_MS + 1000)
    code = house.members.codes.make("device", anna)
    assert house.devices.find(first) is None, "a copy"
    with pytest.raises(SpentCode):
        house.devices.come_by_link(code, "Thief")


INVISIBLE = tuple(
    "\u034f\u115f\u1160\u17b4\u180b\u180e\u200b\u200d\u2060\u2800\u3164\ufe0f\uffa0\U00016fe4\U0001d159\U000e0101"
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("sign", INVISIBLE, ids=ascii)
def test_invisible_characters_do_not_count_in_a_name(house: House, sign: str) -> None:
    for blank in (sign, sign * 5, f" {sign} "):
        with pytest.raises(BadPlan):
            check_name(blank)
        with pytest.raises(BadPlan):
            join(house, blank)
    join(house, f"A{sign}nna")
    with pytest.raises(NameTaken):
        join(house, f"An{sign}na")
    house.members.log_in("Anna", PASSWORD, label="Test")


def test_a_member_with_an_outdated_name_key_can_still_log_in(house: House) -> None:
    token = join(house, "Anna")
    before = {"name_key": fold_name("An\ufe0fna")}
    with house.store.engine.begin() as connection:
        connection.execute(update(schema.members).values(before))
    join(house, "Anna")
    again = house.members.log_in("An\ufe0fna", PASSWORD, label="Test")
    assert who(house, again) == who(house, token)
