"""Friends, blocks and mutes: what changes them, and what they stop."""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.plan import Plan
from spelunke.house.refusals import NotAllowed, NotNow, SpentCode, UnknownProfile


def member(house: Any, name: str) -> str:
    """Return a member of the house."""
    person = house.people.create(name)
    house.members.become(person.id, name, label="test", password="a long enough passphrase 7")
    return str(person.id)


def address(house: Any, person: str) -> str:
    return str(house.profiles.of(person).address)


def names(lines: Any) -> list[str]:
    return [line.name for line in lines]


def test_a_request_by_name_is_answered(house: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    assert house.ties.befriend(anna, "ben") is False
    assert names(house.ties.of(anna).asked) == ["Ben"]
    assert names(house.ties.of(ben).asking) == ["Anna"]
    (told,) = house.notifications.inbox.of(ben)
    assert (told.kind, told.by, told.path, told.unread) == ("friend", "Anna", "/people", True)
    assert house.ties.change(ben, address(house, anna), "befriend") is True
    assert names(house.ties.of(anna).friends) == ["Ben"]
    assert names(house.ties.of(ben).friends) == ["Anna"]
    assert house.ties.of(anna).asked == ()
    assert not house.notifications.inbox.of(ben)[0].unread
    with pytest.raises(NotNow, match="friends already"):
        house.ties.befriend(ben, "Anna")
    house.ties.change(anna, address(house, ben), "unfriend")
    assert house.ties.of(ben).friends == ()
    with pytest.raises(UnknownProfile):
        house.ties.change(anna, address(house, ben), "unfriend")


def test_a_link_makes_one_friend(house: Any) -> None:
    anna, ben, cleo = (member(house, name) for name in ("Anna", "Ben", "Cleo"))
    code = house.ties.make_link(anna)
    assert house.ties.whose_link(code, ben) == "Anna"
    with pytest.raises(NotNow, match="your own link"):
        house.ties.take_link(code, anna)
    with pytest.raises(NotAllowed, match="become a member"):
        house.ties.take_link(code, house.people.create("Guest").id)
    assert house.ties.take_link(code, ben) == anna
    assert names(house.ties.of(anna).friends) == ["Ben"]
    with pytest.raises(SpentCode):
        house.ties.take_link(code, cleo)
    code = house.ties.make_link(anna)
    with pytest.raises(NotNow, match="friends already"):
        house.ties.take_link(code, ben)
    assert house.ties.take_link(code, cleo) == anna, "a refusal does not use up the link"


def test_a_link_expires(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    code = house.ties.make_link(anna)
    clockwork.wait(8 * 24 * 3600)
    with pytest.raises(SpentCode):
        house.ties.take_link(code, ben)


def test_a_stranger_is_reached_by_name_or_link_alone(house: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    with pytest.raises(UnknownProfile):
        house.ties.change(anna, address(house, ben), "befriend")
    with pytest.raises(NotNow, match="no member"):
        house.ties.befriend(anna, "Nobody")
    with pytest.raises(NotNow, match="you chose yourself"):
        house.ties.befriend(anna, "Anna")


def test_players_of_a_game_can_ask_each_other_for_friendship(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    house.lobby.join(table, ben)
    clockwork.wait(10)
    house.tick()
    assert house.looks.look(table).status == "playing"
    assert house.ties.change(anna, address(house, ben), "befriend") is False


def test_a_block_ends_a_friendship_and_stops_requests_and_invitations(house: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    house.ties.befriend(anna, "Ben")
    house.ties.befriend(ben, "Anna")
    house.ties.change(ben, address(house, anna), "block")
    assert house.ties.of(anna).friends == ()
    assert names(house.ties.of(ben).blocked) == ["Anna"]
    assert house.ties.of(anna).blocked == (), "the other one sees nothing of it"
    with pytest.raises(NotAllowed, match="no friend requests from you"):
        house.ties.befriend(anna, "Ben")
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    with pytest.raises(NotAllowed, match="no invitations from you"):
        house.inviting.invite(table, anna, "Ben")
    with pytest.raises(NotAllowed, match="unblock them first"):
        house.lobby.join(table, ben)
    other = house.lobby.create(ben, Plan(game="shanghaien", seats=("me", "open")))
    with pytest.raises(NotAllowed, match="blocked you"):
        house.lobby.join(other, anna)
    assert [line.table for line in house.lists.open_tables(reader=anna)] == [table]
    house.ties.change(ben, address(house, anna), "unblock")
    house.lobby.join(table, ben)


def test_friends_see_each_other_online(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    house.ties.befriend(anna, "Ben")
    assert house.ties.of(ben).asking[0].here is False, "only friends may see it"
    house.ties.befriend(ben, "Anna")
    assert house.ties.of(anna).friends[0].here
    clockwork.wait(3600)
    assert not house.ties.of(anna).friends[0].here


def test_a_friend_who_goes_on_using_the_site_stays_online(house: Any, clockwork: Any) -> None:
    ben = member(house, "Ben")
    token = house.members.become(None, "Anna", label="test", password="a long enough passphrase 7")
    anna = house.devices.find(token).person
    house.ties.befriend(anna, "Ben")
    house.ties.befriend(ben, "Anna")
    for _ in range(15):
        clockwork.wait(120)
        assert house.devices.known(token) or house.devices.find(token)
        assert house.ties.of(ben).friends[0].here


def test_a_table_for_friends_is_found_by_them_alone(house: Any) -> None:
    anna, ben, cleo = (member(house, name) for name in ("Anna", "Ben", "Cleo"))
    house.ties.befriend(anna, "Ben")
    house.ties.befriend(ben, "Anna")
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open"), friends=True))
    assert [line.friends for line in house.lists.open_tables(reader=ben)] == [True]
    assert house.lists.open_tables(reader=cleo) == house.lists.open_tables() == ()
    with pytest.raises(NotAllowed, match="friends of its host"):
        house.lobby.join(table, cleo)
    assert house.lobby.join(table, ben) == 1


def test_a_game_for_friends_is_in_no_history_that_strangers_read(house: Any) -> None:
    anna, ben, cleo, dora = (member(house, name) for name in ("Anna", "Ben", "Cleo", "Dora"))
    for friend, name in ((ben, "Ben"), (dora, "Dora")):
        house.ties.befriend(anna, name)
        house.ties.befriend(friend, "Anna")
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open"), friends=True))
    house.lobby.join(table, ben)
    for person in (anna, ben):
        house.lobby.add_nonce(table, person, "mine")
    house.play.resign(table, anna, "resigned-now")
    page = house.profiles.of(ben)
    for reader, seen in ((ben, 1), (anna, 1), (dora, 1), (cleo, 0), (None, 0)):
        assert house.histories.of(page, reader)[1] == seen
        assert len(house.histories.tallies(ben, reader)) == seen


def test_a_deleted_account_leaves_no_friendships(house: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    house.ties.befriend(anna, "Ben")
    house.ties.befriend(ben, "Anna")
    about = house.leaving.about(house.people.find(anna))
    assert [(one["kind"], one["name"]) for one in about["people"]] == [("friend", "Ben")]
    house.leaving.leave(anna)
    assert house.ties.of(ben).friends == ()
