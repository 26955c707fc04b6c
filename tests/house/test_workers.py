"""Workers that share the tables: the owner of each table, its trust in its memory of the table, and its death."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import event, text

from spelunke.house.house import House
from spelunke.house.store import workers as counted
from spelunke.house.store.engine import open_engine
from spelunke.house.store.ring import Ring
from spelunke.house.store.workers import Workers
from waiting import wait_until

NAMES = ("127.0.0.1:8001", "127.0.0.1:8002", "127.0.0.1:8003")
TABLES = [f"table{number}" for number in range(600)]


def test_each_table_belongs_to_one_worker_and_only_those_of_a_dead_one_move() -> None:
    whole, rest = Ring(NAMES), Ring(NAMES[:2])
    shares = Counter(whole.find(table) for table in TABLES)
    assert set(shares) == set(NAMES)
    assert min(shares.values()) > len(TABLES) / 6
    for table in TABLES:
        before, after = whole.find(table), rest.find(table)
        assert after == before or before == NAMES[2]
    assert Ring(()).find("any") is None


def test_the_ring_is_the_one_of_nginx() -> None:
    """The points of the hash ring are `crc32(HOST \\0 PORT PREVIOUS)`, as in nginx, for each form of an address."""
    from zlib import crc32

    for name, parts in {
        "127.0.0.1:8001": b"127.0.0.1\x008001",
        "worker1:8000": b"worker1\x008000",
        "house": b"house\x00",
    }.items():
        ring = Ring([name])
        first = crc32(parts + bytes(4))
        second = crc32(parts + first.to_bytes(4, "little"))
        assert {first, second} <= set(ring._numbers)
        assert len(ring._numbers) == 160


@pytest.fixture
def database(postgres_house: str) -> str:
    """Return the address of a PostgreSQL database, because workers can't share an SQLite file."""
    return postgres_house


@pytest.fixture
def join(database: str) -> Iterator[Callable[..., Workers]]:
    """Yield a function that registers a house as a worker with a name."""
    joined: list[Workers] = []

    def enter(house: House, name: str) -> Workers:
        engine = open_engine(database, autocommit=True, most=1, patience=60.0)
        house.store.workers.join(engine, name, "/nowhere")
        joined.append(house.store.workers)
        return house.store.workers

    yield enter
    for workers in joined:
        workers.leave()


@contextlib.contextmanager
def statements(house: House) -> Iterator[list[str]]:
    """Yield the statements that the database gets within the block."""
    asked: list[str] = []

    def note(_line: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    for engine in (house.store.engine, house.store.reader):
        event.listen(engine, "before_cursor_execute", note)
    yield asked
    for engine in (house.store.engine, house.store.reader):
        event.remove(engine, "before_cursor_execute", note)


def knows(workers: Workers, *names: str) -> Callable[[], bool]:
    return lambda: {worker.name for worker in workers.living} == set(names)


def trusted(house: House, table: str) -> Callable[[], int]:
    return lambda: house.store.workers.term(table)


@pytest.mark.deep
def test_two_workers_share_the_tables_out(opener: Any, join: Any) -> None:
    one, two = (join(opener(), name) for name in NAMES[:2])
    wait_until(knows(one, *NAMES[:2]))
    wait_until(knows(two, *NAMES[:2]))
    wait_until(lambda: any(map(one.term, TABLES)) and any(map(two.term, TABLES)))
    ring = Ring(NAMES[:2])
    for table in TABLES:
        owners = [(one.owner(table) or one.me), (two.owner(table) or two.me)]
        assert [owner.name for owner in owners if owner] == [ring.find(table)] * 2
        assert bool(one.term(table)) != bool(two.term(table))
    two.leave()
    assert not any(map(two.term, TABLES)), "who has left owns nothing"
    wait_until(lambda: all(map(one.term, TABLES)), "its tables stay without an owner")


def test_the_younger_of_two_workers_with_one_name_owns_the_tables(opener: Any, join: Any) -> None:
    old, young = (join(opener(), NAMES[0]) for _ in range(2))
    wait_until(lambda: young.me in old.living and young.me in young.living)
    wait_until(lambda: young.term("a"))
    assert old.owner("a") == young.me
    assert not old.term("a")


def test_a_worker_without_a_stored_heartbeat_does_not_trust_its_memory(
    opener: Any, join: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (join(opener(), name) for name in NAMES[:2])
    wait_until(knows(one, *NAMES[:2]))
    wait_until(lambda: any(map(two.term, TABLES)))
    silent = HouseCloses()
    monkeypatch.setattr(two, "_beat", silent)
    wait_until(lambda: silent.asked)
    wait_until(knows(one, NAMES[0]), "nobody notices")
    assert not any(map(two.term, TABLES)), "others count it as dead, and it still trusts its memory"
    assert not any(map(two.owner, TABLES))
    monkeypatch.undo()
    wait_until(lambda: any(map(two.term, TABLES)), "it does not come back")


@pytest.mark.deep
def test_a_worker_whose_machine_was_paused_begins_anew(opener: Any, join: Any) -> None:
    """The worker begins a new term of ownership, so it distrusts its old copies of tables.

    It sees the pause by the database's clock, because its own clock was paused too.
    """
    house = opener()
    workers = join(house, NAMES[0])
    before = wait_until(lambda: workers.term("a"))
    with house.store.engine.begin() as line:
        line.execute(text("update workers set beat_ms = beat_ms - 60000"))
    assert wait_until(lambda: workers.term("a") not in {0, before} and workers.term("a")) > before


class HouseCloses:
    """A callable that raises HouseClosed, as if the database couldn't be reached, and counts its calls."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> None:
        from spelunke.house.refusals import HouseClosed

        self.asked += 1
        raise HouseClosed("gone")


def test_a_new_worker_trusts_its_memory_only_after_old_assignments_expire(opener: Any, join: Any) -> None:
    """A new worker owns tables at once. It trusts its memory of them only when no other worker can still
    take itself for their owner.
    """
    one = join(opener(), NAMES[0])
    wait_until(lambda: all(map(one.term, TABLES)))
    two = join(opener(), NAMES[1])
    assert two._belief.trusts_from >= one._belief.holds_until - counted.BEAT_S
    assert not any(map(two.term, TABLES))
    for _ in range(200):
        for table in TABLES[:20]:
            assert not (one.term(table) and two.term(table))


def asked_while_trusted(house: House, table: str, do: Callable[[], object]) -> list[str]:
    """Call ``do`` and return the database statements that it causes.

    If this process stood still so long that the house no longer trusts its memory, call ``do`` again.
    """

    def once() -> list[list[str]]:
        before = wait_until(trusted(house, table))
        house.looks.look(table)
        with statements(house) as asked:
            do()
        return [asked] if house.store.workers.term(table) == before else []

    return wait_until(once, "it is never trusted for long")[0]


def test_a_look_at_an_own_table_asks_nobody(opener: Any, join: Any, sit: Any) -> None:
    house = opener()
    join(house, NAMES[0])
    table = sit(house)
    table.play(3)

    def look() -> None:
        for _ in range(10):
            table.look(0)
            table.look(1)
            table.look()
            house.attendance.glances(table.id, [(None, None)])

    assert asked_while_trusted(house, table.id, look) == []
    ply = table.look(0).ply
    table.play(1)
    assert table.look(0).ply > ply
    assert asked_while_trusted(house, table.id, look) == []


@pytest.mark.deep
def test_a_look_at_a_table_of_another_asks(opener: Any, join: Any, sit: Any) -> None:
    houses = [opener(), opener()]
    one, two = (join(house, name) for house, name in zip(houses, NAMES, strict=False))
    wait_until(lambda: any(map(one.term, TABLES)) and any(map(two.term, TABLES)))
    for table in [sit(houses[0]) for _ in range(4)]:
        other = houses[0 if one.owner(table.id) else 1]
        table.look(house=other)
        with statements(other) as asked:
            table.look(house=other)
        assert asked


def test_a_worker_finds_a_change_that_was_not_announced(
    opener: Any, join: Any, sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a process that is no worker moves at a table, the table's owner finds the move in the database."""
    monkeypatch.setattr(counted, "CHECK_S", 0.1)
    house, stranger = opener(), opener()
    join(house, NAMES[0])
    table = sit(house)
    wait_until(trusted(house, table.id))
    before = table.look(0)
    table.play(1, house=stranger)
    wait_until(lambda: table.look(0).ply > before.ply, "it is never found")
    # The house does not query a table without readers, but a reader makes it query.
    for _ in range(2):
        house._tables.check_held()
    table.play(1, house=stranger)
    assert table.look(0).ply == table.look(0, house=stranger).ply


def test_a_worker_sees_an_announced_change_of_another_process_at_once(
    opener: Any, join: Any, sit: Any, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted, "CHECK_S", 3600.0)
    house, stranger = opener(redis=redis_url), opener(redis=redis_url)
    join(house, NAMES[0])
    wait_until(lambda: house.store.bus.problem is None and stranger.store.bus.problem is None)
    table = sit(house)
    wait_until(trusted(house, table.id))
    before = table.look(0)
    table.play(1, house=stranger)
    wait_until(lambda: table.look(0).ply > before.ply, "it is not heard")
    assert house._tables._slots[table.id].term, "it was trusted all the time"


def test_a_worker_without_redis_does_not_trust_its_memory(opener: Any, join: Any, sit: Any) -> None:
    house = opener(redis="redis://127.0.0.1:1/0")
    join(house, NAMES[0])
    table = sit(house)
    assert asked_while_trusted(house, table.id, lambda: table.look(0))


def test_an_owner_refuses_a_stale_action_and_keeps_the_other_move(opener: Any, join: Any, sit: Any) -> None:
    """If another process has moved at the table, the table's owner keeps this move, and refuses a stale one."""
    house, stranger = opener(), opener()
    join(house, NAMES[0])
    table = sit(house)
    wait_until(trusted(house, table.id))
    look = table.look(table.look().actors[0])
    move, person = look.legal[0][1], table.people[look.seat]
    assert stranger.play.act(table.id, person.id, move, look.ply, "key-of-another").status == "done"
    answer = house.play.act(table.id, person.id, move, look.ply, "key-of-its-own")
    assert answer.status == "stale"
    assert house.play.act(table.id, person.id, move, look.ply, "key-of-another").status == "repeated"
    rows = house._tables._slots[table.id].table.log.rows
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))


def test_the_owner_of_a_table_takes_over_claimed_tasks_without_waiting(
    opener: Any, join: Any, sit: Any, clockwork: Any
) -> None:
    from spelunke.house.plan import Plan

    first, second = opener(), opener()
    table = sit(first, Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0}))
    while table.look().actors != (1,):
        table.play(1)
    join(second, NAMES[0])
    wait_until(trusted(second, table.id))
    clockwork.wait(1)  # it is due, and the claim of the first lasts for nine seconds more
    taken = second._scheduler._sweep(claim=True)
    assert [task.kind for task in taken] == ["bot"]
    assert opener()._scheduler._sweep(claim=True) == [], "nobody else may, before the claim has ended"
