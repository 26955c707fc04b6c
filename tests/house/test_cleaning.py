"""Unused data is deleted by the rules that the host sets, in small batches, by any worker."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from spelunke.house.events import EventPlan
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import NotNow, UnknownPerson, UnknownTable
from spelunke.house.store import own_problems
from spelunke.house.store.schema import chat, due, moves, people, seats, tables
from spelunke.house.work.cleaning import FIRST_MS, Cleaner, Keeping

from .test_own_problems import decision
from .test_own_problems import keep as keep_analysis
from .test_ratings import play_rated
from .test_ties import address, member

DAY = 24 * 3600
OPEN = Plan(game="shanghaien", seats=("me", "open"))
RULES = Keeping(unstarted=14, guests=90, finished=0)


def count(house: Any, table: Any) -> int:
    with house.store.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar() or 0)


def clean(house: Any, clockwork: Any) -> None:
    """Run all cleaning that is due."""
    for _ in range(50):
        if not house.tick():
            return
        clockwork.wait(1)
    pytest.fail("cleaning never ends")


def test_a_table_that_never_began_is_deleted(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    waiting = house.lobby.create(anna.id, OPEN)
    house.chat.say(waiting, ben.id, "I may come")
    closed = house.lobby.create(anna.id, OPEN)
    house.lobby.leave(closed, anna.id)
    clockwork.wait(10 * DAY)
    young = house.lobby.create(anna.id, OPEN)
    clean(house, clockwork)
    assert count(house, tables) == 3
    clockwork.wait(4 * DAY + 60)
    clean(house, clockwork)
    for table in (waiting, closed):
        with pytest.raises(UnknownTable):
            house.looks.look(table, anna.id)
    assert house.looks.look(young, anna.id).seat == 0
    assert (count(house, tables), count(house, seats), count(house, chat)) == (1, 2, 0)
    assert [line.table for line in house.lists.my_tables(anna.id)] == [young]


def test_deleting_a_table_publishes_a_change(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    heard: list[str] = []
    publish = house.store.bus.publish
    house.store.bus.publish = lambda change: heard.append(change.table) or publish(change)
    table = house.lobby.create(house.people.create("Anna").id, OPEN)
    clockwork.wait(15 * DAY)
    heard.clear()
    clean(house, clockwork)
    assert heard == [table]


def test_a_game_that_is_played_or_over_stays(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener(keeping=RULES)
    running, over = sit(house), sit(house)
    running.play(4)
    house.play.resign(over.id, over.people[0].id, "give-it-up")
    clockwork.wait(1000 * DAY)
    clean(house, clockwork)
    assert running.look().status == "playing"
    assert house.replays.record(over.id).result is not None
    assert count(house, people) == 4


def test_finished_games_are_deleted_if_the_host_sets_a_limit(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener(keeping=Keeping(finished=30))
    table = sit(house)
    house.play.resign(table.id, table.people[0].id, "give-it-up")
    again = house.next_games.rematch(table.id, table.people[0].id)
    assert house.next_games.rematch(table.id, table.people[1].id) == again
    house.lobby.start(again, table.people[0].id)
    clockwork.wait(29 * DAY)
    clean(house, clockwork)
    assert house.replays.record(table.id).result is not None
    assert house.looks.look(again).previous == table.id
    clockwork.wait(2 * DAY)
    clean(house, clockwork)
    with pytest.raises(UnknownTable):
        house.replays.record(table.id)
    assert house.looks.look(again).status == "playing"
    assert house.looks.look(again).previous is None
    with house.store.read() as connection:
        assert set(connection.execute(select(moves.c.table_id)).scalars()) == {again}


def test_problems_from_deleted_games_are_gone(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener(keeping=Keeping(finished=30))
    games = [sit(house), sit(house)]
    for table in games:
        table.play(30)
        house.play.resign(table.id, table.people[0].id, "give-it-up")
        ply = next(
            one.number
            for one in house.replays.course(table.id).match.plies
            if one.seat == 0 and len(house.replays.match_at(table.id, one.number).texts(0)) >= 3
        )
        keep_analysis(house, table.id, decision(house, table.id, ply))
        assert house.own_problems.collect(table.people[0].id) == 1
    with house.store.read() as connection:
        kept = [dict(row) for row in connection.execute(select(own_problems)).mappings()]
    clockwork.wait(31 * DAY)
    clean(house, clockwork)
    assert (len(kept), count(house, own_problems)) == (2, 0)
    # Earlier versions kept the problems of deleted games.
    with house.store.engine.begin() as connection:
        connection.execute(insert(own_problems), kept)
    for table in games:
        person = table.people[0].id
        assert (house.own_problems.list(person), house.own_problems.count_due(person)) == ((), 0)
        with pytest.raises(NotNow, match="none of your problems"):
            house.own_problems.next(person)


def test_hosts_see_figures_without_the_games_that_are_gone(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=Keeping(finished=30))
    anna, ben = member(house, "Anna"), member(house, "Ben")
    table = play_rated(house, clockwork, [anna, ben], loser=1)
    assert house.measuring.of(address(house, anna)).games == (table,)
    clockwork.wait(31 * DAY)
    clean(house, clockwork)
    assert house.measuring.of(address(house, anna)).games == ()
    assert house.ratings.of(anna), "the result still counts"


def test_a_rematch_that_never_began_can_be_asked_for_again(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener(keeping=RULES)
    table = sit(house)
    house.play.resign(table.id, table.people[0].id, "give-it-up")
    plan = [house.next_games.rematch(table.id, person.id) for person in table.people]
    assert len(set(plan)) == 1
    house.lobby.leave(plan[0], table.people[1].id)
    house.lobby.leave(plan[0], table.people[0].id)
    clockwork.wait(20 * DAY)
    clean(house, clockwork)
    assert table.look(0).rematch is None
    assert house.next_games.rematch(table.id, table.people[0].id) != plan[0]


def test_guests_without_a_table_go(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    idle, host = house.people.create("Idle"), house.people.create("Host")
    table = house.lobby.create(host.id, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    house.lobby.add_nonce(table, host.id, "mine")
    clockwork.wait(89 * DAY)
    late = house.people.create("Late")
    clean(house, clockwork)
    assert house.people.find(idle.id).name == "Idle"
    clockwork.wait(2 * DAY)
    clean(house, clockwork)
    with pytest.raises(UnknownPerson):
        house.people.find(idle.id)
    assert [house.people.find(one.id).name for one in (host, late)] == ["Host", "Late"]


def test_guests_who_entered_a_tournament_stay(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    host, guest = member(house, "Hanna"), house.people.create("Guest").id
    event = house.events.create(host, EventPlan(game="shanghaien", name="Evening", clock=Clock()))
    house.events.enter(event, guest)
    house.leaving.leave(host)
    clockwork.wait(91 * DAY)
    clean(house, clockwork)
    assert [one.name for one in house.events.look(event).players] == ["Guest"]
    assert count(house, people) == 2, "somebody has the place of the host"


def test_a_limit_of_zero_days_deletes_nothing(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=Keeping(unstarted=0, guests=0, finished=0))
    table = house.lobby.create(house.people.create("Anna").id, OPEN)
    clockwork.wait(5000 * DAY)
    clean(house, clockwork)
    assert house.looks.look(table).status == "open"


@pytest.mark.deep
def test_batches_are_small_and_follow_one_another(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    anna = house.people.create("Anna")
    for _ in range(25):
        house.lobby.create(anna.id, OPEN)
    cleaner = house._runner._cleaner = Cleaner(house._tables, RULES, batch=10)
    clockwork.wait(15 * DAY)
    left = []
    while house.tick():
        left.append(count(house, tables))
        clockwork.wait(1)
    assert left == [15, 5, 0]
    with house.store.read() as connection:
        at = connection.execute(select(due.c.at).where(due.c.kind == "clean")).scalar()
    assert at > house.store.now() + 3600_000
    assert cleaner.clean() == 0


@pytest.mark.deep
def test_several_workers_that_clean_at_once_delete_each_table_once(opener: Any, clockwork: Any) -> None:
    houses = [opener(keeping=RULES) for _ in range(3)]
    assert count(houses[0], due) == 1
    anna = houses[0].people.create("Anna")
    made = [houses[0].lobby.create(anna.id, OPEN) for _ in range(40)]
    for house in houses:
        assert house.looks.look(made[0], anna.id).seat == 0
        house._runner._cleaner = Cleaner(house._tables, RULES, batch=7)
    clockwork.wait(15 * DAY)
    gone: list[int] = []
    threads = [
        threading.Thread(target=lambda h=house: gone.extend(h._runner._cleaner.clean() for _ in range(9)))
        for house in houses
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(gone) == 40
    for house in houses:
        with pytest.raises(UnknownTable):
            house.looks.look(made[0], anna.id)
    assert count(houses[0], due) == 1


def test_a_due_task_of_a_deleted_table_is_dropped(opener: Any, clockwork: Any) -> None:
    house = opener(keeping=RULES)
    anna = house.people.create("Anna")
    table = house.lobby.create(anna.id, OPEN)
    orphan = {"table_id": table, "kind": "start", "seat": 0, "at": 1, "ply": 0, "claimed_ms": 0}
    clockwork.wait(15 * DAY)
    clean(house, clockwork)
    from sqlalchemy import insert

    from spelunke.house.store.writer import Write

    house.store.writer.write(Write(call=lambda c: c.execute(insert(due), orphan).rowcount))
    clean(house, clockwork)
    assert count(house, due) == 1


def test_a_restart_does_not_schedule_the_first_cleaning_again(opener: Any, clockwork: Any) -> None:
    house = opener()
    assert house.tick() == 0
    clockwork.wait(FIRST_MS / 1000)
    assert house.tick() == 1
    house.close()
    again = opener()
    assert again.tick() == 0
