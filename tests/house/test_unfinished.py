"""If a house dies between a change and its consequences, the next house that opens the database carries them out."""

from __future__ import annotations

import contextlib
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import text

from spelunke.house.plan import Plan
from spelunke.house.table import LEASE_MS, Task
from waiting import wait_until


class Died(BaseException):
    """The house is killed here."""


@contextlib.contextmanager
def dies_at(house: Any, name: str, after: int) -> Any:
    """Let the writer finish ``after`` writes, and kill the house at the next one."""
    write, left = house.store.writer.write, [after]

    def write_or_die(given: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise Died
        return write(given)

    with patch.object(house.store.writer, name, write_or_die), contextlib.suppress(Died):
        yield


@pytest.mark.parametrize("writes", range(1, 5))
def test_a_table_that_is_full_starts_although_the_house_died(
    opener: Any, clockwork: Any, writes: int
) -> None:
    """If the house dies after one to four writes while people join and give nonces, the next house starts the table."""
    first = opener()
    anna, ben = (first.people.create(name).id for name in ("Anna", "Ben"))
    table = first.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    with dies_at(first, "write", writes):
        first.lobby.join(table, ben)
        first.lobby.add_nonce(table, anna, "a")
        first.lobby.add_nonce(table, ben, "b")
    clockwork.wait(60)
    house = opener()
    house.tick()
    assert house.looks.look(table, anna).status == "playing"


def test_a_table_for_one_and_a_bot_starts_although_the_house_died(opener: Any, clockwork: Any) -> None:
    first = opener()
    anna = first.people.create("Anna").id
    with dies_at(first, "write", 1):
        first.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    clockwork.wait(60)
    house = opener()
    house.tick()
    assert [line.status for line in house.lists.my_tables(anna)] == ["playing"]


def test_a_table_that_was_closed_keeps_no_work(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    house.lobby.leave(table, anna)
    clockwork.wait(60)
    house.tick()
    with house.store.read() as connection:
        assert connection.execute(text("select count(*) from due where table_id <> '-'")).scalar() == 0


def test_tasks_missing_from_the_store_are_found_and_restored(opener: Any, clockwork: Any) -> None:
    first = opener()
    anna = first.people.create("Anna").id
    ready = first.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    running = first.lobby.create(
        anna, Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 1})
    )
    first.lobby.start(running, anna)
    with first.store.engine.begin() as connection:
        connection.execute(text("delete from due where table_id <> '-'"))
    first.close()
    house = opener()
    assert set(house._scheduler.find_forgotten()) == {ready, running}
    house._scheduler.remember()
    assert house._scheduler.find_forgotten() == []
    clockwork.wait(60)
    house.tick()
    assert house.looks.look(ready, anna).status == "playing"
    assert house.looks.look(running, anna).actors == (0,), "the bot has moved"


def test_a_start_task_of_a_closed_table_is_dropped(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    (piece,) = house._scheduler._tasks[table]
    house.lobby.leave(table, anna)
    with house.store.engine.begin() as connection:
        columns = "table_id, kind, seat, at, ply, claimed_ms"
        row = f"'{table}', 'start', 0, {piece.at}, 0, {piece.at}"
        connection.execute(text(f"insert into due ({columns}) values ({row})"))
    clockwork.wait(60)
    assert house.tick() == 1
    assert house.tick() == 0


def test_standing_orders_and_their_due_task_are_stored_together(opener: Any) -> None:
    first = opener()
    people = [first.people.create(name).id for name in ("Anna", "Ben", "Cleo")]
    table = first.lobby.create(people[0], Plan(game="halunken", seats=("me", "open", "open")))
    for person in people[1:]:
        first.lobby.join(table, person)
    for person in people:
        first.lobby.add_nonce(table, person, "mine")
    asked = people[first.looks.look(table).actors[0]]

    def kinds() -> set[str]:
        with first.store.engine.connect() as connection:
            found = connection.execute(text("select kind from due where table_id = :table"), {"table": table})
            return set(found.scalars())

    with dies_at(first, "write", 1):
        first.play.set_orders(table, asked, {"up_to": "pass"})
    assert "standing" in kinds()
    assert opener().looks.look(table, asked).standing == {"up_to": "pass"}
    with dies_at(first, "write", 1):
        first.play.set_orders(table, asked, None)
    assert "standing" not in kinds()
    assert opener().looks.look(table, asked).standing is None


def test_standing_orders_that_race_with_another_workers_move_are_kept(opener: Any, sit: Any) -> None:
    """If another worker moves before the orders are committed, the commit is tried once more with the new state."""
    first, second = opener(), opener()
    table = sit(first)
    commit, tries = first._tables.commit, []

    def commit_late(*given: Any, **how: Any) -> None:
        tries.append(given)
        if len(tries) == 1:
            table.play(1, house=second)
        commit(*given, **how)

    with patch.object(first._tables, "commit", commit_late):
        first.play.set_orders(table.id, table.people[0].id, {"any": "orders"})
    assert len(tries) == 2
    for house in (first, second):
        assert table.look(0, house).standing == {"any": "orders"}
        assert table.look(1, house).ply == table.look(1, first).ply


def test_a_task_that_is_stored_again_while_it_runs_runs_again(opener: Any) -> None:
    """If a task is stored again while it runs, for example because a player dismissed a summary, it runs once more."""
    house = opener(timers=True)
    scheduler, ran = house._scheduler, []

    def run(task: Task) -> None:
        ran.append(task)
        if len(ran) == 1:
            scheduler.schedule(task.table_id, [task])
            wait_until(lambda: not scheduler._heap, "the timer does not find the task")

    now = house.store.now()
    with patch.object(scheduler, "_do", run):
        scheduler.schedule("table", [Task("table", "clock", 0, now, 0, now + LEASE_MS)])
        wait_until(lambda: len(ran) == 2, "the task is not done again")


def test_obsolete_times_of_tasks_do_not_fill_the_memory(opener: Any) -> None:
    """In a game over days, each move makes the previous deadline obsolete. Obsolete deadlines don't fill the memory."""
    house = opener()
    anna = house.people.create("Anna").id
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    (piece,) = house._scheduler._tasks[table]
    for _ in range(5000):
        house._scheduler.schedule(table, [piece])
    assert len(house._scheduler._heap) < 1000
