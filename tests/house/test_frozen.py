"""A frozen store or worker: nobody waits for long, nothing is lost, and nothing is done twice."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from servers import frozen, postgres_family
from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import Change
from spelunke.house.store.bus import RedisBus
from waiting import wait_until

PATIENCE_S = 2.0
HANGS_S = 30.0
"""The time after which something waits for more than its own limit, on a busy machine too."""
WITH_BOT = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})


def processes_of(postgres_url: str) -> list[int]:
    """Return the server and all processes that it has started."""
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as line:
        (folder,) = line.execute("show data_directory").fetchone() or ("",)
    return postgres_family(Path(folder))


def act(house: Any, table: Any) -> Any:
    look = table.look(table.look(house=house).actors[0], house=house)
    move = look.legal[0][1]
    return lambda: house.play.act(table.id, table.people[look.seat].id, move, look.ply, table.key())


def unless_closed(ask: Any) -> Any:
    """Return the answer, or None if the house is closed at this moment."""
    try:
        return ask()
    except HouseClosed:
        return None


def took(ask: Any) -> float:
    began = time.monotonic()
    with pytest.raises(HouseClosed):
        ask()
    return time.monotonic() - began


@pytest.fixture
def own_house(own_postgres: str) -> Iterator[Any]:
    house = open_house(own_postgres, timers=False, patience=PATIENCE_S)
    try:
        yield house
    finally:
        house.close()


def test_a_frozen_postgresql_delays_requests_only_once_and_loses_nothing(
    own_postgres: str, own_house: Any, sit: Any
) -> None:
    house, table = own_house, sit(own_house)
    table.play(3)
    before = table.look(0)
    action, server = act(house, table), processes_of(own_postgres)
    with frozen(*server):
        assert took(action) < HANGS_S
        asks = [action, table.look, house.lists.open_tables, lambda: house.people.create("Zoe")] * 10
        # Requests of the same moment have waited too; from now on none does.
        with ThreadPoolExecutor(len(asks)) as pool:
            waited = sum(seconds > PATIENCE_S / 2 for seconds in pool.map(took, asks))
        assert waited < len(asks) / 4, "a few may have met a busy machine"
        health = house.health()
        assert not health.ok
        assert health.problems
    wait_until(lambda: house.health().ok, "it does not recover without help")
    after = table.look(0)
    assert after.ply - before.ply in {0, 1, 2}, "kept or not, but once (a roll is two)"
    assert table.play(3) == 3


def test_many_readers_of_a_frozen_postgresql_wait_together(
    own_postgres: str, own_house: Any, sit: Any
) -> None:
    table = sit(own_house)
    with frozen(*processes_of(own_postgres)), ThreadPoolExecutor(40) as pool:
        # One after the other they would wait for minutes.
        assert max(pool.map(took, [table.look] * 80)) < HANGS_S
    wait_until(lambda: own_house.health().ok)
    assert table.look().status == "playing"


def test_a_house_reconnects_after_postgresql_has_cut_all_connections(
    own_postgres: str, own_house: Any, sit: Any
) -> None:
    """After PostgreSQL has cut all connections, the server connects again, and its tables can be read and played at."""
    table = sit(own_house)

    def play_once() -> Any:
        return act(own_house, table)()

    with psycopg.connect(own_postgres.replace("+psycopg", ""), autocommit=True) as line:
        for _ in range(5):
            line.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
            )
            # A connection may die while it is used: then the request is refused, and the next one is answered.
            ply = wait_until(lambda: unless_closed(lambda: table.look().ply), "no connection comes back")
            assert wait_until(lambda: unless_closed(play_once)).status == "done"
            assert wait_until(lambda: unless_closed(lambda: table.look().ply)) > ply


def test_a_writer_stopped_in_a_transaction_delays_others_for_a_limited_time(
    own_postgres: str, own_house: Any, sit: Any
) -> None:
    table = sit(own_house)
    table.play(1)
    limit = f"-c idle_in_transaction_session_timeout={int(PATIENCE_S * 250)}"
    with contextlib.closing(psycopg.connect(own_postgres.replace("+psycopg", ""), options=limit)) as stopped:
        ply = table.look().ply
        stopped.execute("insert into moves values (%s, %s, 0, 'roll', 1, null, null)", (table.id, ply + 1))
        # It never commits. The server's time limit, which the house sets on each of its connections, ends the
        # connection.
        action = act(own_house, table)
        answers: list[Any] = []

        def answered() -> bool:
            try:
                answers.append(action())
            except HouseClosed as error:
                answers.append(str(error))
            return bool(answers[-1:]) and not isinstance(answers[-1], str)

        wait_until(answered, "the table stays locked", pause=0.2)
        assert answers[-1].status == "done"
        assert all("nothing was changed" in said for said in answers[:-1])
        assert own_house.health().ok


def test_every_connection_to_postgresql_has_time_limits(own_house: Any) -> None:
    with own_house.store.read() as line:
        shown = {
            name: line.exec_driver_sql(f"show {name}").scalar()
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        }
    assert shown == {
        "statement_timeout": "1s",
        "lock_timeout": "500ms",
        "idle_in_transaction_session_timeout": "500ms",
    }


def test_two_workers_that_do_the_same_task_write_no_row_twice(opener: Any, sit: Any) -> None:
    """Two workers do the same due task at the same moment, up to 15 times. Each time, the game has no doubled row."""
    houses = [opener(), opener()]
    table = sit(houses[0], WITH_BOT)
    houses[0].play.stand_in(table.id, table.people[0].id)
    both = threading.Barrier(2, timeout=60)
    with ThreadPoolExecutor(2) as pool:

        def do(house: Any, piece: Any) -> None:
            both.wait()
            house._scheduler._do(piece)

        for _ in range(15):
            due = houses[0]._scheduler._sweep(claim=False)
            if not due:
                break
            before = table.look().ply
            for done in [pool.submit(do, house, due[0]) for house in houses]:
                done.result(60)
            looks = [table.look(house=house) for house in houses]
            assert looks[0].ply == looks[1].ply > before
            rows = houses[0]._tables._slots[table.id].table.log.rows
            assert [row.number for row in rows] == list(range(1, len(rows) + 1))


def test_a_frozen_redis_holds_up_nobody_and_is_told(own_redis: Any) -> None:
    bus, other = RedisBus(own_redis.url), RedisBus(own_redis.url)
    try:
        assert bus.ready.wait(20)
        assert other.ready.wait(20)
        wait_until(lambda: bus.problem is None)
        told: list[str] = []
        with frozen(own_redis.process):
            wait_until(lambda: bus.problem is not None, "nobody notices")
            other.deliver_everywhere = lambda: told.append("look again")  # type: ignore[method-assign]
            began = time.monotonic()
            for ply in range(1000):
                bus.publish(Change(table="a", ply=ply, version=ply))
            assert time.monotonic() - began < HANGS_S, "each would wait for an answer"
        wait_until(lambda: bus.problem is None, "it does not recover without help")
        wait_until(lambda: told, "what was lost meanwhile is never made good")
    finally:
        bus.close()
        other.close()
