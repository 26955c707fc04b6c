"""The writer of the database: groups of writes, conflicts, durability, and failures of the store."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import OperationalError

from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed
from spelunke.house.store.engine import _config, check, migrate, migrate_database, open_engine
from spelunke.house.store.schema import NEWEST, due, metadata, moves, tables
from spelunke.house.store.store import insert_new
from spelunke.house.store.writer import Conflict, Gathering, Write, Writer
from waiting import wait_until


def row(table: str, ply: int) -> dict[str, Any]:
    return {"table_id": table, "ply": ply, "seat": 0, "move": "roll", "at": 1, "key": None, "hand": None}


def table_row(name: str) -> dict[str, Any]:
    """Return a row of `tables` with only the required fields."""
    needed = [column for column in tables.columns if not column.nullable and column.default is None]
    return {column.name: column.type.python_type() for column in needed} | {"id": name}


@pytest.fixture
def engine(database: str) -> Any:
    engine = open_engine(database)
    migrate(engine)
    yield engine
    engine.dispose()


def stored(engine: Any) -> set[tuple[str, int]]:
    with engine.connect() as connection:
        return {(table, ply) for table, ply in connection.execute(select(moves.c.table_id, moves.c.ply))}


def test_jobs_that_wait_are_committed_together(engine: Any) -> None:
    writer = Writer(engine)
    gate = threading.Event()
    first = writer.submit(Write(call=lambda _connection: gate.wait(10)))
    futures = [writer.submit(Write(moves=[row("a", ply)])) for ply in range(1, 41)]
    gate.set()
    assert first.result(10)
    assert [future.result(10) for future in futures] == [None] * 40
    assert writer.commits <= 3
    assert len(stored(engine)) == 40
    writer.close()


def test_closely_following_writes_are_committed_as_a_group(engine: Any) -> None:
    writer = Writer(engine, gather=1.0)
    writer.write(Write(moves=[row("a", 1)]))
    futures = [writer.submit(Write(moves=[row("a", ply)])) for ply in range(2, 12)]
    assert [future.result(10) for future in futures] == [None] * 10
    assert writer.commits == 2
    assert len(stored(engine)) == 11
    writer.close()


def test_a_lone_writer_rarely_pauses_for_other_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("spelunke.house.store.writer.time.sleep", waits.append)
    gathering = Gathering(3600.0)

    def commit(writes: int) -> int:
        before = len(waits)
        gathering.pause()
        gathering.end(writes)
        return len(waits) - before

    assert commit(1) == 0, "nothing was committed just before"
    assert [commit(1) for _ in range(8)] == [1] * 8
    assert [commit(1) for _ in range(64)] == [*[0] * 31, 1] * 2
    assert [commit(2) for _ in range(32)] == [*[0] * 31, 1]
    assert [commit(1) for _ in range(8)] == [1] * 8
    assert commit(1) == 0


def test_a_large_group_is_stored_row_by_row_as_it_was_given(engine: Any) -> None:
    tables_of = ["a", "b", "c"]
    given = [row(table, ply) | {"move": f"{table}{ply}"} for table in tables_of for ply in range(1, 48)]
    writer = Writer(engine)
    writer.write(Write(moves=given))
    with engine.connect() as connection:
        found = connection.execute(select(moves.c.table_id, moves.c.ply, moves.c.move)).all()
    assert {(one.table_id, one.ply, one.move) for one in found} == {
        (one["table_id"], one["ply"], one["move"]) for one in given
    }
    writer.close()


def test_a_group_stores_the_tasks_and_times_of_each_table(engine: Any) -> None:
    names = [f"t{number}" for number in range(40)]
    with engine.begin() as connection:
        connection.execute(insert(tables), [table_row(name) for name in [*names, "other"]])

    def task(name: str, seat: int) -> dict[str, Any]:
        return {"table_id": name, "kind": "bot", "seat": seat, "at": 7, "ply": 1, "claimed_ms": 0}

    writer = Writer(engine)
    writer.write(Write(due=("t3", [task("t3", 0)])))
    gate = threading.Event()
    writer.submit(Write(call=lambda _connection: gate.wait(10)))
    futures = [
        writer.submit(
            Write(due=(name, [task(name, seat) for seat in range(1, 3)]), noticed=(name, 100 + number))
        )
        for number, name in enumerate(names)
    ]
    gate.set()
    assert [future.result(10) for future in futures] == [None] * 40
    with engine.connect() as connection:
        noticed = {
            one.id: one.noticed_ms for one in connection.execute(select(tables.c.id, tables.c.noticed_ms))
        }
        waiting = {(name, seat) for name, seat in connection.execute(select(due.c.table_id, due.c.seat))}
    assert noticed == {name: 100 + number for number, name in enumerate(names)} | {"other": None}
    assert waiting == {(name, seat) for name in names for seat in (1, 2)}
    writer.close()


def test_of_several_rows_only_new_ones_are_inserted_and_counted(engine: Any) -> None:
    def count(*given: dict[str, Any]) -> int:
        with engine.begin() as connection:
            return insert_new(connection, moves, *given)

    assert count() == 0
    assert stored(engine) == set()
    assert count(row("a", 1)) == 1
    assert count(row("a", 1)) == 0
    assert count(row("a", 1), row("a", 2), row("b", 1)) == 2
    assert count(row("a", 2), row("b", 1)) == 0
    assert stored(engine) == {("a", 1), ("a", 2), ("b", 1)}


def test_a_conflict_fails_alone(engine: Any) -> None:
    writer = Writer(engine)
    writer.write(Write(moves=[row("a", 1)]))
    gate = threading.Event()
    writer.submit(Write(call=lambda _connection: gate.wait(10)))
    good = [writer.submit(Write(moves=[row("b", ply)])) for ply in range(1, 6)]
    bad = writer.submit(Write(moves=[row("c", 1), row("a", 1)]))
    more = [writer.submit(Write(moves=[row("d", ply)])) for ply in range(1, 6)]
    gate.set()
    for future in good + more:
        future.result(10)
    with pytest.raises(Conflict):
        bad.result(10)
    assert ("c", 1) not in stored(engine)
    assert len(stored(engine)) == 11
    writer.close()


def test_a_call_that_refuses_undoes_its_job_alone(engine: Any) -> None:
    writer = Writer(engine)

    def refuse(_connection: Any) -> None:
        raise Conflict("no")

    gate = threading.Event()
    writer.submit(Write(call=lambda _connection: gate.wait(10)))
    bad = writer.submit(Write(moves=[row("a", 1)], call=refuse))
    good = writer.submit(Write(moves=[row("b", 1)], call=lambda _connection: "done"))
    gate.set()
    assert good.result(10) == "done"
    with pytest.raises(Conflict):
        bad.result(10)
    assert stored(engine) == {("b", 1)}
    writer.close()


def test_a_worker_that_slept_in_a_postgresql_transaction_repeats_the_transaction(
    postgres_database: str,
) -> None:
    """If PostgreSQL ends the transaction of a sleeping worker, the worker repeats the transaction when it wakes."""
    calm = open_engine(postgres_database)
    migrate(calm)
    engine = open_engine(postgres_database, patience=4)
    writer = Writer(engine)
    naps = iter([1.5])  # longer than the server waits, and than anybody who writes would

    def nap(connection: Any) -> int:
        time.sleep(next(naps, 0))
        return int(connection.execute(text("select 1")).scalar_one())

    assert writer.submit(Write(moves=[row("a", 1)], call=nap)).result(20) == 1
    assert stored(calm) == {("a", 1)}
    assert writer.problem is None
    writer.close()
    engine.dispose()
    calm.dispose()


def test_a_closed_writer_has_written_everything_and_refuses_new_writes(engine: Any) -> None:
    writer = Writer(engine)
    futures = [writer.submit(Write(moves=[row("a", ply)])) for ply in range(1, 30)]
    writer.close()
    assert all(future.done() for future in futures)
    assert len(stored(engine)) == 29
    with pytest.raises(HouseClosed):
        writer.submit(Write())


def test_an_action_is_durable_when_it_is_acknowledged(house: Any, table: Any, database: str) -> None:
    other = create_engine(open_engine(database).url)
    for _ in range(5):
        table.play(1)
        with other.connect() as connection:
            count = connection.execute(text("select max(ply) from moves")).scalar()
        assert count == table.look().ply
    other.dispose()


def test_an_action_whose_commit_fails_is_neither_acknowledged_nor_shown(house: Any, table: Any) -> None:
    before = table.look(0)
    asked = table.asked()
    engine = house.store.engine

    def fail(_connection: Any) -> None:
        raise RuntimeError("the disk is full")

    event.listen(engine, "commit", fail)
    try:
        with pytest.raises(RuntimeError):
            house.play.act(table.id, asked.id, "roll", before.ply, "key-00000001")
    finally:
        event.remove(engine, "commit", fail)
    after = table.look(0)
    assert (after.ply, after.view) == (before.ply, before.view)
    assert house.play.act(table.id, asked.id, "roll", before.ply, "key-00000001").status == "done"


def test_a_store_that_stops_answering_is_told_in_a_sentence(house: Any, table: Any) -> None:
    def fail(*_given: Any) -> None:
        raise OperationalError("select", {}, OSError("gone"))

    reader = house.store.reader
    event.listen(reader, "before_cursor_execute", fail)
    try:
        for ask in (
            lambda: table.look(0),
            house.lists.open_tables,
            lambda: house.people.find("not seen before"),
        ):
            with pytest.raises(HouseClosed, match="can't reach its database"):
                ask()
        assert not house.health().ok
    finally:
        event.remove(reader, "before_cursor_execute", fail)
    wait_until(lambda: house.health().ok)
    assert table.look(0).status == "playing"


def test_sqlite_waits_for_the_disk(tmp_path: Any) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with engine.begin() as connection:
        assert connection.execute(text("pragma journal_mode")).scalar() == "wal"
        assert connection.execute(text("pragma synchronous")).scalar() == 2
    engine.dispose()


def test_migrations_lead_to_the_tables_of_this_version(bare_database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    engine = open_engine(bare_database)
    assert check(engine) is not None
    assert migrate_database(bare_database) == migrate_database(bare_database)
    assert check(engine) is None
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert set(metadata.tables) < set(inspect(connection).get_table_names())
    engine.dispose()


def test_an_sqlite_file_is_held_by_one_house(tmp_path: Any) -> None:
    address = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    first = open_house(address, timers=False)
    with pytest.raises(HouseClosed, match="another house"):
        open_house(address, timers=False)
    first.close()
    open_house(address, timers=False).close()


def test_a_house_that_is_alone_sees_all_that_it_changes(tmp_path: Any, sit: Any) -> None:
    house = open_house(f"sqlite:///{tmp_path / 'house.sqlite3'}", timers=False)
    try:
        table = sit(house)
        anna, ben = table.people
        table.play(3)
        house.chat.say(table.id, anna.id, "hello")
        assert table.look(1).chat[-1].text == "hello"
        house.people.rename(anna.id, "Anne")
        assert table.look(1).names[0] == "Anne"
        house.play.set_orders(table.id, anna.id, [1])
        assert table.look(0).standing == [1]
        house.play.offer_draw(table.id, ben.id)
        assert table.look(0).seats[1].offers_draw
        house.play.accept_draw(table.id, anna.id, table.key())
        assert table.look(None).status == "over"
        made = house.next_games.rematch(table.id, ben.id)
        assert table.look(0).rematch == made
        assert house.looks.look(made).previous == table.id
    finally:
        house.close()


def test_a_database_of_another_version_is_refused(postgres_database: str) -> None:
    open_house(postgres_database, timers=False).close()
    engine = open_engine(postgres_database)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '0000'"))
    with pytest.raises(HouseClosed, match="migration 0000"):
        open_house(postgres_database, timers=False)
    engine.dispose()


def newest() -> str | None:
    """Return the newest migration of this version."""
    return ScriptDirectory.from_config(_config(None)).get_current_head()


def test_a_database_of_the_version_before_is_brought_up_to_date(database: str) -> None:
    with contextlib.closing(open_house(database, timers=False)) as house:
        anna = house.people.create("Anna")
        table = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", "open")))
    engine = open_engine(database)
    with engine.begin() as connection:
        command.downgrade(_config(connection), "0001")
    assert "migration 0001" in str(check(engine))
    assert migrate_database(database) == newest() == NEWEST
    assert check(engine) is None
    with engine.connect() as connection:
        assert set(connection.execute(text("select standing_rev from seats")).scalars()) == {0}
        assert set(connection.execute(text("select noticed_ms from tables")).scalars()) == {None}
    engine.dispose()
    with contextlib.closing(open_house(database, timers=False)) as house:
        assert house.looks.look(table, anna.id).names[0] == "Anna"


@pytest.mark.deep
def test_a_migration_goes_back(database: str) -> None:
    open_house(database, timers=False).close()
    engine = open_engine(database)
    with engine.begin() as connection:
        command.downgrade(_config(connection), "0002")
    assert "migration 0002" in str(check(engine))
    assert migrate_database(database) == newest()
    engine.dispose()


@pytest.mark.parametrize(
    "address", ["", "nonsense", "mysql://localhost/house", "sqlite://", "sqlite:///:memory:"]
)
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(HouseClosed):
        open_house(address)


def test_a_database_that_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(HouseClosed, match="can't be reached"):
        open_house("postgresql://nobody@127.0.0.1:1/house")
