"""Houses of earlier versions: real games that those versions wrote, migrated up, played on, and migrated down again.

`old/house-0008.sql` and `old/house-0009.sql` were written by the code of their time (`old/make_house.py`). After
a migration, a worker of an old version may still run. It writes only the columns that it knows. The SQL of these
tests also writes only these columns: it is made from the tables as they were before the migration.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import (
    Boolean,
    Engine,
    MetaData,
    NullPool,
    Table,
    create_engine,
    func,
    insert,
    select,
    text,
    update,
)

from spelunke.house.house import House
from spelunke.house.people import passwords
from spelunke.house.store import schema
from spelunke.house.store.engine import _config, migrate_database, read_migration
from spelunke.house.store.schema import NEWEST
from spelunke.house.study.histories import GameWish

from .conftest import Clockwork, Open
from .old.make_house import PASSWORD

OLD = Path(__file__).parent / "old"
VERSIONS = sorted(file.stem.removeprefix("house-") for file in OLD.glob("house-*.sql"))
MIGRATIONS = Path(schema.__file__).parent / "migrations" / "versions"
REVISIONS = sorted(file.stem.partition("_")[0] for file in MIGRATIONS.glob("0*.py"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_NOBODY", passwords._HASHER.hash("nobody's"))


def _each() -> Iterator[Any]:
    """Yield each old version with each kind of database, as parameters of tests.

    Of the old versions, all but the newest are marked `deep`, so that their tests run only with `make deep`.
    """
    for version in VERSIONS:
        for kind in ("sqlite", "postgres"):
            marks = () if version == VERSIONS[-1] else (pytest.mark.deep,)
            yield pytest.param((version, kind), id=f"{version}-{kind}", marks=marks)


def _revisions() -> Iterator[Any]:
    """Yield all migrations.

    The first migration and the six newest ones are tested in every run, the others only in deep runs.
    """
    for revision in REVISIONS:
        often = revision == REVISIONS[0] or revision in REVISIONS[-6:]
        yield pytest.param(revision, marks=() if often else (pytest.mark.deep,))


@pytest.fixture(params=_each())
def house_of(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Return the version that wrote a house, and the kind of database."""
    version, kind = request.param
    return version, kind


@pytest.fixture
def version(house_of: tuple[str, str]) -> str:
    return house_of[0]


@pytest.fixture
def database(house_of: tuple[str, str], request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if house_of[1] == "sqlite":
        return f"sqlite:///{tmp_path / 'house.sqlite3'}"
    return str(request.getfixturevalue("postgres_database"))


def move(engine: Engine, revision: str) -> None:
    """Migrate the tables up or down to a revision."""
    with engine.connect() as connection, connection.begin():
        found = connection.dialect.has_table(connection, "alembic_version")
        at = connection.execute(text("select version_num from alembic_version")).scalar() if found else ""
        go = command.upgrade if str(at) < revision else command.downgrade
        go(_config(connection), revision)


def read_dump(version: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the rows that the old version wrote, by table, in an order in which they can be inserted."""
    with sqlite3.connect(":memory:") as line:
        line.executescript((OLD / f"house-{version}.sql").read_text(encoding="utf-8"))
        line.row_factory = sqlite3.Row
        names = [row[0] for row in line.execute("select name from sqlite_master where type = 'table'")]
        first = ["people", "tables", "members"]
        for name in [*first, *sorted(set(names) - {*first, "alembic_version"})]:
            if name in names:
                yield name, [dict(row) for row in line.execute(f'select * from "{name}"')]


@pytest.fixture
def old(version: str, database: str) -> Iterator[tuple[Engine, MetaData]]:
    """Yield the database as the old version left it, and its tables as that version knew them."""
    if database.startswith("sqlite"):
        with sqlite3.connect(database.removeprefix("sqlite:///")) as line:
            line.executescript((OLD / f"house-{version}.sql").read_text(encoding="utf-8"))
        engine = create_engine(database, poolclass=NullPool)
    else:
        engine = create_engine(database, poolclass=NullPool)
        move(engine, version)
    known = MetaData()
    known.reflect(engine)
    if not database.startswith("sqlite"):
        with engine.begin() as connection:
            for name, rows in read_dump(version):
                table = known.tables[name]
                switches = [column.name for column in table.c if isinstance(column.type, Boolean)]
                if rows:
                    connection.execute(
                        insert(table), [row | {name: bool(row[name]) for name in switches} for row in rows]
                    )
                for column in table.c:
                    if (
                        rows and column.primary_key and column.server_default is not None
                    ):  # the sequence of its ids continues
                        last = max(row[column.name] for row in rows)
                        connection.execute(
                            text("select setval(pg_get_serial_sequence(:t, :c), :n)"),
                            {"t": name, "c": column.name, "n": last},
                        )
    assert read_migration(engine) == version
    yield engine, known
    engine.dispose()


def contents(engine: Engine, known: MetaData) -> dict[str, list[tuple[object, ...]]]:
    with engine.connect() as connection:
        return {
            name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for name, table in known.tables.items()
            if name != "alembic_version"
        }


def open_at(opener: Open, database: str, clockwork: Clockwork) -> House:
    clockwork.now = 1_700_100_000.0
    migrate_database(database)
    return opener()


def test_migrating_up_and_down_loses_no_row_of_an_old_house(
    old: tuple[Engine, MetaData], version: str
) -> None:
    engine, known = old
    before = contents(engine, known)
    assert sum(map(len, before.values())) > 300
    move(engine, NEWEST)
    assert read_migration(engine) == NEWEST
    assert contents(engine, known) == before
    move(engine, version)
    assert contents(engine, known) == before
    there = MetaData()
    there.reflect(engine)
    assert {name: set(table.c.keys()) for name, table in there.tables.items()} == {
        name: set(table.c.keys()) for name, table in known.tables.items()
    }
    move(engine, NEWEST)


def test_games_of_an_old_version_can_be_listed_verified_and_played_on(
    old: tuple[Engine, MetaData], opener: Open, database: str, clockwork: Clockwork
) -> None:
    engine, known = old
    tables, seats = known.tables["tables"], known.tables["seats"]
    with engine.connect() as connection:
        over = list(connection.execute(select(tables.c.id).where(tables.c.status == "over")).scalars())
        anna = connection.execute(
            select(seats.c.person).where(seats.c.table_id == over[0], seats.c.seat == 0)
        ).scalar()
        running = connection.execute(
            select(tables.c.id).where(tables.c.status == "playing", tables.c.game == "shanghaien")
        ).scalars()
        table = next(
            one
            for one in running
            if connection.execute(
                select(func.count()).where(seats.c.table_id == one, seats.c.person.is_not(None))
            ).scalar()
            == 2
        )
    assert len(over) == 2
    house = open_at(opener, database, clockwork)
    assert {line.table for line in house.histories.own(anna)[0]} == set(over)
    assert house.histories.own(anna, 1, GameWish(opponent="ben"))[1] == 2
    for one in over:
        assert house.replays.verify(one).ok
    chooser = random.Random(3)
    with house._tables.open(table) as slot:
        people = {chair.seat: str(chair.person) for chair in slot.table.facts.chairs}
    for number in range(8):
        look = house.looks.look(table)
        person = people[look.actors[0]]
        look = house.looks.look(table, person)
        house.play.act(table, person, chooser.choice(look.legal)[1], look.ply, f"later-{number:06d}")
    house.play.resign(table, anna, "resign-it")
    assert house.looks.look(table).status == "over"
    assert house.replays.verify(table).ok


@pytest.mark.sampled(2)
@pytest.mark.parametrize("house_of", [("0014", "sqlite")], indirect=True, ids=["0014"])
@pytest.mark.parametrize("revision", list(_revisions()))
def test_a_running_game_goes_on_from_every_migration(
    old: tuple[Engine, MetaData], opener: Open, database: str, clockwork: Clockwork, revision: str
) -> None:
    """If the database is migrated down to this migration and up again, running games can be played on."""
    engine, known = old
    seats = known.tables["seats"]
    move(engine, revision)
    assert read_migration(engine) == revision
    house = open_at(opener, database, clockwork)
    assert read_migration(engine) == NEWEST
    with engine.connect() as connection:
        found = connection.execute(
            select(seats.c.table_id, func.count(seats.c.person))
            .join(known.tables["tables"], known.tables["tables"].c.id == seats.c.table_id)
            .where(known.tables["tables"].c.status == "playing")
            .group_by(seats.c.table_id)
        )
        running = [table for table, people in found if people == 2]
    assert running
    chooser = random.Random(revision)
    for table in running:
        with house._tables.open(table) as slot:
            people = {chair.seat: str(chair.person) for chair in slot.table.facts.chairs if chair.person}
        for number in range(8):
            house.tick()
            seat = next((seat for seat in house.looks.look(table).actors if seat in people), None)
            if seat is None:
                break
            look = house.looks.look(table, people[seat])
            choice = chooser.choice(look.legal)[1]
            house.play.act(table, people[seat], choice, look.ply, f"later-{number:06d}")
        if house.looks.look(table).status != "over":
            house.play.resign(table, next(iter(people.values())), "resign-it")
        assert house.looks.look(table).status == "over"
        assert house.replays.verify(table).ok


def test_members_of_an_old_version_can_log_in(
    old: tuple[Engine, MetaData], opener: Open, database: str, clockwork: Clockwork
) -> None:
    known = old[1]
    house = open_at(opener, database, clockwork)
    if "members" not in known.tables:
        assert house.registry.people("members", "", 1) == ((), 0)
        return
    token = house.members.log_in("Anna", PASSWORD, label="Test")
    visit = house.devices.find(token)
    assert visit is not None
    assert len(house.devices.of(visit.person)) == 3
    member = house.members.of(visit.person)
    assert member is not None
    assert member.recovery_codes == 10
    assert len(house.profiles.of(visit.person).address) == 16
    assert len(house.lists.my_tables(visit.person)) >= 3


def test_a_worker_of_an_old_version_works_beside_a_new_one(
    old: tuple[Engine, MetaData], opener: Open, database: str, clockwork: Clockwork
) -> None:
    engine, known = old
    house = open_at(opener, database, clockwork)
    people, tables, seats = (known.tables[name] for name in ("people", "tables", "seats"))
    with engine.begin() as connection:
        # A guest who opens the old worker's page and makes a table there.
        connection.execute(insert(people), {"id": "dora", "name": "Dora", "created_ms": house.store.now()})
        waits = connection.execute(select(tables).where(tables.c.status == "open")).mappings().first()
        assert waits is not None
        connection.execute(
            insert(tables), {**waits, "id": "doras", "host": "dora", "created_ms": house.store.now()}
        )
        for chair in connection.execute(select(seats).where(seats.c.table_id == waits["id"])).mappings():
            whose = "dora" if chair["seat"] == 0 else None
            connection.execute(insert(seats), {**chair, "table_id": "doras", "person": whose})
    assert house.people.find("dora").name == "Dora"
    ben = house.people.create("Ben the second")
    house.lobby.join("doras", ben.id)
    for person in ("dora", ben.id):
        house.lobby.add_nonce("doras", person, "share")
    look = house.looks.look("doras", "dora")
    assert look.status == "playing"
    _play_as_before(engine, known, house, "doras", ["dora", ben.id])
    with engine.begin() as connection:
        connection.execute(update(people).where(people.c.id == "dora").values(name="Dora the first"))
    house.people.forget()  # it asks again after five seconds
    assert house.people.find("dora").name == "Dora the first"


def _play_as_before(engine: Engine, known: MetaData, house: House, table: str, people: list[str]) -> None:
    """Make a move in the new version, and write the row of the next move as an old worker does.

    Then check that the new version reads this row.
    """
    moves: Table = known.tables["moves"]
    look = house.looks.look(table)
    look = house.looks.look(table, people[look.actors[0]])
    house.play.act(table, people[look.actors[0]], look.legal[0][1], look.ply, "key-new-0001")
    with engine.connect() as connection:
        rows = list(
            connection.execute(
                select(moves).where(moves.c.table_id == table).order_by(moves.c.ply)
            ).mappings()
        )
    assert [row["ply"] for row in rows] == list(range(1, len(rows) + 1))
    look = house.looks.look(table)
    seat = look.actors[0]
    chosen = house.looks.look(table, people[seat]).legal[0][1]
    row = {
        **rows[-1],
        "ply": len(rows) + 1,
        "seat": seat,
        "move": chosen,
        "key": "key-old-0001",
        "link": None,
    }
    with engine.begin() as connection:
        connection.execute(insert(moves), row)
    assert house.looks.look(table).ply > look.ply
    assert re.search(r"\w", house.looks.look(table).log[-1].text)
