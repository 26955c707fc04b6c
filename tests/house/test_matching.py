"""Quick match, with a clock that the test moves: who is seated together, when, and when bots are offered."""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.matching import Waiting, find_group, width_of
from spelunke.house.ratings import Skill
from spelunke.house.refusals import BadPlan, NotAllowed, NotNow, SiteClosed

from .test_ratings import play_rated
from .test_ties import address, member


def look_for(house: Any, person: str, **more: Any) -> str:
    given = {"game": "shanghaien", "seats": 2, "pace": "steady", "rated": False, **more}
    rated = given.pop("rated")
    return str(house.matching.seek(person, *given.values(), rated=rated))


def test_two_strangers_are_seated_and_told(house: Any, clockwork: Any) -> None:
    anna, ben = house.people.create("Anna").id, house.people.create("Ben").id
    look_for(house, anna)
    house.tick()
    (mine,) = house.matching.of(anna)
    assert (mine.table, mine.waiting, mine.bots) == (None, 1, False)
    look_for(house, ben)
    house.tick()
    table = house.matching.of(anna)[0].table
    assert table is not None
    assert house.matching.of(ben)[0].table == table
    for person in (anna, ben):
        (told,) = house.notifications.inbox.of(person)
        assert (told.kind, told.table, told.unread) == ("found", table, True)
    clockwork.wait(10)
    house.tick()
    look = house.looks.look(table, anna)
    assert (look.status, look.clock.kind, look.clock.minutes, look.rated) == ("playing", "live", 15, False)
    house.matching.forget_found(anna, table)
    assert house.matching.of(anna) == ()
    clockwork.wait(3600)
    house.tick()
    assert house.matching.of(ben) == ()


@pytest.mark.deep
def test_a_seek_widens_until_it_finds_somebody(house: Any, clockwork: Any) -> None:
    anna, ben, cleo, dora = (member(house, name) for name in ("Anna", "Ben", "Cleo", "Dora"))
    for _ in range(15):
        play_rated(house, clockwork, [anna, ben], loser=1)
    strong, weak = house.ratings.of(anna)[0].points, house.ratings.of(ben)[0].points
    assert strong - weak > 300
    look_for(house, anna, rated=True)
    look_for(house, ben, rated=True)
    house.tick()
    assert house.matching.of(anna)[0].table is None
    widths = []
    for _ in range(60):
        clockwork.wait(5)
        house.matching.of(ben)
        house.tick()
        (mine,) = house.matching.of(anna)
        widths.append(mine.width)
        if mine.table:
            break
    assert mine.table
    assert widths == sorted(widths)
    assert house.looks.look(mine.table).rated
    for person in (cleo, dora):
        look_for(house, person, rated=True)
    house.tick()
    assert house.matching.of(cleo)[0].table, "equals find each other at once"


def test_bots_are_offered_after_a_while(house: Any, clockwork: Any) -> None:
    anna = house.people.create("Anna").id
    seek = look_for(house, anna, game="halunken", seats=3)
    clockwork.wait(46)
    house.tick()
    assert house.matching.of(anna)[0].bots
    table = house.matching.play_bots(anna, seek)
    clockwork.wait(10)
    house.tick()
    look = house.looks.look(table, anna)
    assert [seat.kind for seat in look.seats] == ["person", "bot", "bot"]
    assert house.matching.of(anna) == ()
    with pytest.raises(NotNow):
        house.matching.play_bots(anna, seek)


def test_a_seek_goes_on_if_the_house_is_closed_to_a_table_with_bots(house: Any) -> None:
    anna = house.people.create("Anna").id
    seek = look_for(house, anna)
    house.closing.close(anna, "We are back soon.")
    with pytest.raises(SiteClosed):
        house.matching.play_bots(anna, seek)
    house.closing.open(anna)
    assert [one.id for one in house.matching.of(anna)] == [seek]


def test_a_seek_whose_person_is_away_waits(house: Any, clockwork: Any) -> None:
    anna, ben = house.people.create("Anna").id, house.people.create("Ben").id
    look_for(house, anna)
    clockwork.wait(200)
    look_for(house, ben)
    house.tick()
    assert house.matching.of(ben)[0].table is None
    house.matching.of(anna)
    clockwork.wait(3)
    house.tick()
    assert house.matching.of(ben)[0].table is not None


def test_a_seek_for_a_game_over_days_needs_no_waiting_person(house: Any, clockwork: Any) -> None:
    anna, ben = house.people.create("Anna").id, house.people.create("Ben").id
    look_for(house, anna, pace="days")
    clockwork.wait(24 * 3600)
    look_for(house, ben, pace="days")
    house.tick()
    assert house.matching.of(ben)[0].table is not None


def test_a_person_who_is_shut_out_is_not_seated(house: Any, clockwork: Any) -> None:
    host, anna, ben = (member(house, name) for name in ("Hanna", "Anna", "Ben"))
    look_for(house, anna, pace="days")
    house.hosting.shut_out(host, address(house, anna))
    look_for(house, ben, pace="days")
    house.tick()
    assert house.matching.of(ben)[0].table is None
    house.hosting.let_in(host, address(house, anna))
    clockwork.wait(120)
    house.tick()
    assert house.matching.of(ben)[0].table is not None


def test_people_who_block_each_other_are_never_seated_together(house: Any, clockwork: Any) -> None:
    anna, ben, cleo = (member(house, name) for name in ("Anna", "Ben", "Cleo"))
    house.ties.befriend(anna, "Ben")
    house.ties.change(ben, address(house, anna), "block")
    for person in (anna, ben):
        look_for(house, person)
    house.tick()
    assert house.matching.of(anna)[0].table is None
    look_for(house, cleo)
    house.tick()
    tables = [house.matching.of(person)[0].table for person in (anna, ben, cleo)]
    assert tables == [tables[2], None, tables[2]]
    assert tables[2]


def test_a_seated_live_game_ends_the_other_live_seeks(house: Any, clockwork: Any) -> None:
    anna, ben = house.people.create("Anna").id, house.people.create("Ben").id
    seek = look_for(house, anna)
    with pytest.raises(NotNow, match="already"):
        look_for(house, anna)
    look_for(house, anna, pace="days")
    look_for(house, anna, game="sanghai", seats=4)
    with pytest.raises(NotAllowed, match="only members"):
        look_for(house, anna, pace="brisk", rated=True)
    with pytest.raises(BadPlan):
        look_for(house, anna, pace="fast")
    look_for(house, ben)
    house.tick()
    left = {(one.pace, one.game) for one in house.matching.of(anna) if one.table is None}
    assert left == {("days", "shanghaien")}, "a live game ends the other live seeks"
    with pytest.raises(NotNow):
        house.matching.end(ben, seek)
    for one in house.matching.of(anna):
        house.matching.end(anna, one.id)
    assert house.matching.of(anna) == ()


def test_two_workers_seat_nobody_twice(opener: Any, clockwork: Any) -> None:
    first, second = opener(), opener()
    people = [first.people.create(f"P{number}").id for number in range(6)]
    for person in people:
        look_for(first, person)
    assert first.matching.match() + second.matching.match() == 3
    tables = [second.matching.of(person)[0].table for person in people]
    assert sorted(tables.count(table) for table in set(tables)) == [2, 2, 2]


def test_groups_are_found_by_rating_and_patience() -> None:
    def one(name: str, mu: float, since: int = 0) -> Waiting:
        return Waiting(seek=name, person=name, since_ms=since, skill=Skill(mu, 0.1))

    near, far = [one("a", 25), one("b", 26)], one("c", 40)
    assert find_group([*near, far], 2, "live", 0) == tuple(near)
    assert find_group([near[0], far], 2, "live", 0) is None
    assert find_group([near[0], far], 2, "live", 100_000) is not None
    assert find_group([*near, far], 3, "live", 60_000) is None, "each pair must accept"
    assert find_group([*near, far], 3, "live", 100_000) is not None
    assert find_group(near, 2, "live", 0, {("b", "a")}) is None
    assert width_of("live", 10_000) > width_of("live", 0)
