"""`spelunke backup` during play, and `spelunke restore`."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import secrets
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command

from proof import prove
from spelunke.cli.app import run
from spelunke.house.backup.archive import KEYS, Manifest, read_archive
from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import UnknownPerson
from spelunke.house.store.engine import _config, migrate, open_engine
from waiting import wait_until

PLAN = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})
Spelunke = Callable[..., tuple[int, str, str]]


@pytest.fixture
def spelunke(capsys: pytest.CaptureFixture[str]) -> Spelunke:
    """Return a function that runs a command line in this process and returns exit code, stdout and stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.fixture(params=["sqlite", "postgres"])
def two_databases(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Return the addresses of two databases: one for a house, and one for its restored backup."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'house.sqlite3'}", f"sqlite:///{tmp_path / 'new' / 'house.sqlite3'}"
    first: str = request.getfixturevalue("postgres_database")
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(first.replace("+psycopg", ""), autocommit=True) as line:
        line.execute(f"create database {name}")
    return first, first.rsplit("/", 1)[0] + f"/{name}"


class Playing:
    """A person who plays in a thread without a pause. ``acknowledged`` has the table and key of each confirmed move."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.person = house.people.create("Anna").id
        self.acknowledged: list[tuple[str, str]] = []
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self.stop.is_set():
            table = self.house.lobby.create(self.person, PLAN)
            self.house.lobby.add_nonce(table, self.person, "mine")
            while (
                not self.stop.is_set()
                and (look := self.house.looks.look(table, self.person)).status != "over"
            ):
                if look.legal:
                    key = secrets.token_hex(8)
                    self.house.play.act(table, self.person, random.choice(look.legal)[1], look.ply, key)
                    self.acknowledged.append((table, key))

    def end(self) -> None:
        self.stop.set()
        self._thread.join(60)


@contextlib.contextmanager
def played_in(database: str) -> Iterator[Playing]:
    with contextlib.closing(open_house(database, bot_pause=0)) as house:
        playing = Playing(house)
        try:
            yield playing
        finally:
            playing.end()


@pytest.mark.sampled
def test_a_backup_made_while_people_play_can_be_restored(
    spelunke: Spelunke, two_databases: tuple[str, str], tmp_path: Path
) -> None:
    database, new = two_databases
    file = tmp_path / "saved" / "house.backup"
    file.parent.mkdir()
    beside = {key: tmp_path / f"house.sqlite3.{key}" for key in KEYS}
    with played_in(database) as playing:
        if database.startswith("sqlite"):
            for kept in beside.values():
                if not kept.exists():
                    kept.write_text("ab" * 32)
        wait_until(lambda: len(playing.acknowledged) > 12)
        before = list(playing.acknowledged)
        code, out, err = spelunke("backup", file, "--database", database)
        assert code == 0, err
        assert "migration" in out
        wait_until(lambda: len(playing.acknowledged) > len(before) + 5, "the backup stops the house")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file], "nothing is left beside it"
    assert ("SPELUNKE_SECRET" in err) == database.startswith("postgres")

    code, out, err = spelunke("restore", file, "--database", new)
    assert code == 0, err
    assert "is restored" in out
    if new.startswith("sqlite"):
        folder = tmp_path / "new"
        for key, kept in beside.items():
            copy = folder / f"house.sqlite3.{key}"
            assert copy.read_text() == kept.read_text()
            assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert stat.S_IMODE((folder / "house.sqlite3").stat().st_mode) == 0o600
    with contextlib.closing(open_house(new, bot_pause=0)) as house:
        person = house.people.find(playing.person)
        assert person.name == "Anna"
        for table in {table for table, _key in before}:
            with house._tables.open(table) as slot:
                keys = {row.key for row in slot.table.log.rows}
            assert {key for where, key in before if where == table} <= keys
        running = before[-1][0]
        finish(house, running, playing.person)
        prove(house.replays.record(running))


def finish(house: House, table: str, person: str) -> None:
    def over() -> bool:
        look = house.looks.look(table, person)
        if look.legal:
            house.play.act(table, person, look.legal[0][1], look.ply, secrets.token_hex(8))
        return look.status == "over"

    wait_until(over, pause=0)


@pytest.fixture
def saved(spelunke: Spelunke, tmp_path: Path) -> Path:
    """Return a backup of a house on SQLite with one guest."""
    database = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    with contextlib.closing(open_house(database, timers=False)) as house:
        house.people.create("Anna")
    (tmp_path / "house.sqlite3.secret").write_text("the secret of the tests")
    file = tmp_path / "house.backup"
    assert spelunke("backup", file, "--database", database)[0] == 0
    return file


def test_backup_and_restore_overwrite_nothing(spelunke: Spelunke, saved: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    before = saved.read_bytes()
    code, _out, err = spelunke("backup", saved, "--database", database)
    assert (code, saved.read_bytes()) == (2, before)
    assert "choose another name" in err
    code, _out, err = spelunke("restore", saved, "--database", database)
    assert code == 2
    assert "--replace" in err


def test_restore_keeps_a_copy_of_the_replaced_house(spelunke: Spelunke, saved: Path, tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite3"
    with contextlib.closing(open_house(f"sqlite:///{file}", timers=False)) as house:
        ben = house.people.create("Ben").id
    code, _out, err = spelunke("restore", saved, "--replace", "--database", f"sqlite:///{file}")
    assert code == 0, err
    with (
        contextlib.closing(open_house(f"sqlite:///{file}", timers=False)) as house,
        pytest.raises(UnknownPerson),
    ):
        house.people.find(ben)
    aside = file.rename(tmp_path / "other.sqlite3")
    (tmp_path / "house.sqlite3.replaced").rename(file)
    assert aside.is_file()
    with contextlib.closing(open_house(f"sqlite:///{file}", timers=False)) as house:
        assert house.people.find(ben).name == "Ben"


def test_every_restore_keeps_the_house_that_it_replaces(
    spelunke: Spelunke, saved: Path, tmp_path: Path
) -> None:
    file = tmp_path / "house.sqlite3"
    database = f"sqlite:///{file}"
    names = ["house.sqlite3.replaced", "house.sqlite3.replaced-2"]
    people, secret_file = [], tmp_path / "house.sqlite3.secret"
    for number, name in enumerate(names):
        with contextlib.closing(open_house(database, timers=False)) as house:
            people.append(house.people.create("Ben").id)
        secret_file.write_text(f"secret {number}")
        code, out, err = spelunke("restore", saved, "--replace", "--database", database)
        assert code == 0, err
        assert f"kept: {tmp_path / name}, " in out
    for number, name in enumerate(names):
        suffix = name.removeprefix("house.sqlite3")
        assert (tmp_path / f"house.sqlite3.secret{suffix}").read_text() == f"secret {number}"
        (tmp_path / name).rename(tmp_path / "old.sqlite3")
        with contextlib.closing(open_house(f"sqlite:///{tmp_path / 'old.sqlite3'}", timers=False)) as house:
            assert house.people.find(people[number]).name == "Ben"


def test_a_running_house_is_not_replaced(spelunke: Spelunke, saved: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    with contextlib.closing(open_house(database, timers=False)) as house:
        code, _out, err = spelunke("restore", saved, "--replace", "--database", database)
        assert code == 2
        assert "another house" in err
        assert house.people.create("Carl").name == "Carl"


@pytest.mark.deep
def test_a_running_house_on_postgresql_is_not_replaced(
    spelunke: Spelunke, postgres_database: str, tmp_path: Path
) -> None:
    file = tmp_path / "house.backup"
    with contextlib.closing(open_house(postgres_database, timers=False)) as house:
        anna = house.people.create("Anna").id
        assert spelunke("backup", file, "--database", postgres_database)[0] == 0
        code, _out, err = spelunke("restore", file, "--replace", "--database", postgres_database)
        assert code == 2
        assert "stop the server's workers" in err
        ben = house.people.create("Ben").id
    code, _out, err = spelunke("restore", file, "--database", postgres_database)
    assert code == 2
    assert "--replace" in err
    code, _out, err = spelunke("restore", file, "--replace", "--database", postgres_database)
    assert code == 0, err
    with contextlib.closing(open_house(postgres_database, timers=False)) as house:
        assert house.people.find(anna).name == "Anna"
        with pytest.raises(UnknownPerson):
            house.people.find(ben)


def test_a_backup_of_an_older_version_replaces_newer_tables_on_postgresql(
    spelunke: Spelunke, postgres_database: str, tmp_path: Path
) -> None:
    """The database has tables that the backup lacks. They must not stop the migration of the restored house."""
    file = tmp_path / "house.backup"
    with contextlib.closing(open_house(postgres_database, timers=False)) as house:
        anna = house.people.create("Anna").id
    engine = open_engine(postgres_database)
    with engine.connect() as connection, connection.begin():
        command.downgrade(_config(connection), "0016")
    assert spelunke("backup", file, "--database", postgres_database)[0] == 0
    migrate(engine)
    engine.dispose()
    code, _out, err = spelunke("restore", file, "--replace", "--database", postgres_database)
    assert code == 0, err
    assert spelunke("migrate", "--database", postgres_database)[0] == 0
    with contextlib.closing(open_house(postgres_database, timers=False)) as house:
        assert house.people.find(anna).name == "Anna"


def test_a_backup_cannot_be_restored_into_another_kind_of_database(
    spelunke: Spelunke, saved: Path, postgres_database: str
) -> None:
    code, _out, err = spelunke("restore", saved, "--database", postgres_database)
    assert code == 2
    assert "from SQLite" in err


def test_a_backup_of_a_missing_house_is_refused(spelunke: Spelunke, tmp_path: Path) -> None:
    code, _out, err = spelunke(
        "backup", tmp_path / "a", "--database", f"sqlite:///{tmp_path / 'none.sqlite3'}"
    )
    assert code == 2
    assert "no house" in err
    assert not (tmp_path / "none.sqlite3").exists()
    assert list(tmp_path.iterdir()) == []


def damage(source: Path, to: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write a copy of the backup ``source`` in which ``change`` has changed the archived files, and return it."""
    with tarfile.open(source) as archive:
        members = {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr]
    change(members)
    with tarfile.open(to, "w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return to


def cut(members: dict[str, bytes]) -> None:
    members["database"] = members["database"][:-1]


def forget(members: dict[str, bytes]) -> None:
    del members["secret"]


def climb(members: dict[str, bytes]) -> None:
    manifest = json.loads(members["manifest.json"])
    manifest["files"]["../outside"] = "00" * 32
    members["manifest.json"] = json.dumps(manifest).encode()


def lie(members: dict[str, bytes]) -> None:
    members["manifest.json"] = b'{"format": "another"}'


@pytest.mark.parametrize("change", [cut, forget, climb, lie])
def test_a_damaged_backup_changes_nothing(
    spelunke: Spelunke, saved: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None]
) -> None:
    bad = damage(saved, tmp_path / "bad.backup", change)
    new = tmp_path / "new" / "house.sqlite3"
    code, _out, err = spelunke("restore", bad, "--database", f"sqlite:///{new}")
    assert code == 2
    assert str(bad) in err
    assert "bug in Spelunke" not in err
    assert list(new.parent.iterdir()) == []
    assert not (tmp_path / "outside").exists()


def spoil_packing(packed: bytes) -> bytes:
    """Return a gzip file whose compressed data can't be read from the middle on."""
    middle = len(packed) // 2
    return (
        packed[:middle]
        + bytes(byte ^ 0xFF for byte in packed[middle : middle + 400])
        + packed[middle + 400 :]
    )


def test_a_backup_with_damaged_compression_is_reported(
    spelunke: Spelunke, saved: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.backup"
    bad.write_bytes(spoil_packing(saved.read_bytes()))
    code, _out, err = spelunke("restore", bad, "--database", f"sqlite:///{tmp_path / 'new.sqlite3'}")
    assert code == 2
    assert str(bad) in err
    assert "bug in Spelunke" not in err


@pytest.mark.parametrize("content", [b"", b"nonsense", os.urandom(5000)])
def test_a_file_that_is_no_backup_is_refused(spelunke: Spelunke, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    code, _out, err = spelunke("restore", file, "--database", f"sqlite:///{tmp_path / 'house.sqlite3'}")
    assert code == 2
    assert "backup" in err
    assert "bug in Spelunke" not in err
    assert spelunke("restore", tmp_path / "nothing", "--database", "sqlite:///x")[0] == 2


def test_the_manifest_of_a_backup_lists_the_contents(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    manifest = read_archive(saved, folder)
    assert isinstance(manifest, Manifest)
    assert manifest.store == "sqlite"
    assert "secret" in manifest.keys
    assert set(manifest.files) == {"database", *manifest.keys}


def test_a_backup_on_a_full_disk_leaves_nothing(
    spelunke: Spelunke, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("spelunke.house.backup.saving.write_archive", fail)
    folder = tmp_path / "full"
    folder.mkdir()
    code, _out, err = spelunke(
        "backup", folder / "a", "--database", f"sqlite:///{tmp_path / 'house.sqlite3'}"
    )
    assert code == 2
    assert "no space left" in err
    assert list(folder.iterdir()) == []
