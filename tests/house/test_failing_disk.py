"""The disk is full, read-only, or breaks: writes are refused at once, and reading goes on."""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from spelunke.core.errors import SpelunkeError
from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed
from spelunke.house.store.trouble import probe
from waiting import wait_until

AT_ONCE_S = 1.0
"""A refusal takes milliseconds; a queue of retries took 3.75 s for each action."""


class Disk:
    """A small file system that can be filled and emptied."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (65536, 4096, 512, 1):
                with contextlib.suppress(OSError):
                    while True:
                        ballast.write(b"x" * size)

    def empty(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)):
        pytest.skip("this user may not mount a file system; test_a_file_that_may_not_grow stands in for it")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def small_postgres(postgres_url: str) -> Iterator[tuple[str, Disk]]:
    """Yield a database of PostgreSQL whose tables are on a disk of their own."""
    folder = Path(tempfile.mkdtemp(prefix="spelunke-small-"))
    if not mount("-t", "tmpfs", "-o", "size=20m,mode=777", "tmpfs", str(folder)):
        pytest.skip("this user may not mount a file system")
    server, name = postgres_url.replace("+psycopg", ""), f"t{secrets.token_hex(6)}"
    (folder / "space").mkdir()
    with psycopg.connect(server, autocommit=True) as line:
        owner = Path(str((line.execute("show data_directory").fetchone() or ("",))[0])).stat()
        os.chown(folder / "space", owner.st_uid, owner.st_gid)
        line.execute(f"create tablespace {name} location '{folder / 'space'}'")
        line.execute(f"create database {name} tablespace {name}")
    try:
        yield postgres_url.rsplit("/", 1)[0] + f"/{name}", Disk(folder)
    finally:
        with psycopg.connect(server, autocommit=True) as line:
            line.execute(f"drop database {name} with (force)")
            line.execute(f"drop tablespace {name}")
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def mount(*words: str) -> bool:
    return (
        os.geteuid() == 0
        and subprocess.run(["mount", *words], check=False, capture_output=True).returncode == 0
    )


def repeat(ask: Callable[[], object]) -> None:
    for _ in range(3000):
        ask()


def use_up(house: Any) -> None:
    """Write the smallest possible rows, until the last page of the disk is used up."""
    engine = house.store.engine
    with pytest.raises(OperationalError):
        repeat(lambda: probe(engine))


@contextlib.contextmanager
def no_file_grows() -> Iterator[None]:
    """Let no file of this process grow, not even the one for the test's output."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with capture_logs():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def act(house: Any, table: Any) -> Any:
    seat = table.look().actors[0]
    look = table.look(seat)
    return house.play.act(table.id, table.people[seat].id, look.legal[0][1], look.ply, table.key())


def refuse_at_once(house: Any, table: Any, times: int = 20) -> None:
    """Check that four kinds of changes are quickly refused with a sentence, and that reading still works."""
    anna = table.people[0].id
    before = [table.look(seat) for seat in (0, 1, None)]
    asks = [
        lambda: act(house, table),
        lambda: house.people.create("Zoe"),
        lambda: house.people.rename(anna, "Anne"),
        lambda: house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open"))),
    ]
    took = []
    for n in range(times):
        began = time.monotonic()
        with pytest.raises(HouseClosed, match="nothing was changed"):
            asks[n % len(asks)]()
        took.append(time.monotonic() - began)
    # Take the median: a busy machine may delay one action, but a queue of retries would delay each.
    assert sorted(took)[times // 2] < AT_ONCE_S
    health = house.health()
    assert not health.ok
    assert any("can't be written" in problem for problem in health.problems)
    after = [table.look(seat) for seat in (0, 1, None)]
    assert [look.view for look in after] == [look.view for look in before]
    assert [look.ply for look in after] == [look.ply for look in before]
    assert [line.table for line in house.lists.my_tables(anna)] == [table.id]
    assert house.people.find(anna).name == "Anna"


def goes_on(house: Any, table: Any) -> None:
    wait_until(lambda: house.health().ok, "it does not recover without help")
    ply = table.look().ply
    assert act(house, table).status == "done"
    assert table.look().ply > ply


def test_on_a_full_disk_nothing_is_saved_and_everything_read(disk: Disk, sit: Any) -> None:
    house = open_house(f"sqlite:///{disk.folder / 'house.sqlite3'}", timers=False)
    try:
        table = sit(house)
        table.play(3)
        for _ in range(2):
            disk.fill()
            use_up(house)
            refuse_at_once(house, table)
            disk.empty()
            goes_on(house, table)
    finally:
        house.close()


def test_a_house_opens_on_a_full_disk_for_reading(disk: Disk, sit: Any) -> None:
    database = f"sqlite:///{disk.folder / 'house.sqlite3'}"
    house = open_house(database, timers=False)
    table = sit(house)
    table.play(3)
    ply = table.look().ply
    disk.fill()
    use_up(house)
    house.close()
    house = table.house = open_house(database, timers=False)
    try:
        assert table.look().ply == ply
        disk.empty()
        goes_on(house, table)
    finally:
        house.close()


def test_a_postgresql_on_a_full_disk_refuses_writes_and_recovers(
    small_postgres: tuple[str, Disk], sit: Any
) -> None:
    database, disk = small_postgres
    house = open_house(database, timers=False)
    try:
        table = sit(house)
        table.play(3)
        disk.fill()
        with pytest.raises(HouseClosed, match="nothing was changed"):
            repeat(lambda: house.people.create("Zoe"))  # until the pages in use are full
        health = house.health()
        assert not health.ok
        assert "No space left on device" in " ".join(health.problems)
        assert table.look(0).ply == table.look(1).ply
        began = time.monotonic()
        for _ in range(20):
            # PostgreSQL may free a page at times, which takes some more rows.
            with pytest.raises(HouseClosed, match="nothing was changed"):
                repeat(lambda: house.people.create("Zoe"))
        assert time.monotonic() - began < 60 * AT_ONCE_S
        disk.empty()
        goes_on(house, table)
    finally:
        house.close()


def test_a_file_that_may_not_grow_is_a_full_disk(tmp_path: Path, sit: Any) -> None:
    """If no file of the process may grow for a while, the house refuses writes as on a full disk."""
    house = open_house(f"sqlite:///{tmp_path / 'house.sqlite3'}", timers=False)
    try:
        table = sit(house)
        table.play(3)
        with no_file_grows():
            refuse_at_once(house, table)
        goes_on(house, table)
    finally:
        house.close()


def test_a_bot_moves_when_there_is_room_again(tmp_path: Path, sit: Any) -> None:
    house = open_house(f"sqlite:///{tmp_path / 'house.sqlite3'}", bot_pause=0.3)
    try:
        table = sit(
            house, Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})
        )
        wait_until(lambda: table.look().status == "playing")
        while table.look().actors == (0,):
            table.play(1)
        with no_file_grows():
            ply = table.look().ply
            wait_until(lambda: not house.health().ok, "the bot has not tried")
            assert table.look().ply == ply
        wait_until(lambda: table.look().ply > ply, "the bot does not go on", patience=20)
    finally:
        house.close()


@pytest.mark.parametrize(
    "reason", ["attempt to write a readonly database", "disk I/O error", "unable to open database file"]
)
def test_health_shows_the_error_of_the_store(house: Any, table: Any, reason: str) -> None:
    def fail(*_given: Any) -> None:
        raise OperationalError("commit", {}, RuntimeError(reason))

    engine = house.store.engine
    event.listen(engine, "commit", fail)
    try:
        with pytest.raises(HouseClosed):
            act(house, table)
        assert any(reason in problem for problem in house.health().problems)
    finally:
        event.remove(engine, "commit", fail)
    goes_on(house, table)


def test_a_write_whose_fsync_fails_is_not_acknowledged(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler for a library whose fsync fails")
    here, library = Path(__file__).parent, tmp_path / "unsynced.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(here / "unsynced.c")], check=True)
    done = subprocess.run(
        [sys.executable, str(here / "unsynced.py"), f"sqlite:///{tmp_path / 'house.sqlite3'}"],
        env={
            **os.environ,
            "SPELUNKE_JIT": "0",
            "LD_PRELOAD": str(library),
            "UNSYNCED": str(tmp_path / "failing"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("ok\n")
    assert "disk I/O error" in done.stdout, "the library was not used"


def _remove(database: Path) -> None:
    database.unlink()


def _replace(database: Path) -> None:
    other = database.with_name("other")
    shutil.copy(database, other)
    other.replace(database)


def _remove_log(database: Path) -> None:
    database.with_name(f"{database.name}-wal").unlink()


@pytest.mark.parametrize("how", [_remove, _replace, _remove_log])
def test_writes_are_refused_if_the_database_file_was_removed_or_replaced(
    tmp_path: Path, how: Callable[[Path], None]
) -> None:
    database = tmp_path / "house.sqlite3"
    with contextlib.closing(open_house(f"sqlite:///{database}", timers=False)) as house:
        house.people.create("Anna")
        how(database)
        for name in ("Ben", "Cleo"):
            with pytest.raises(HouseClosed):
                house.people.create(name)
        found = house.health()
        assert found.status == "down"
        assert "removed or replaced" in " ".join(found.problems)


def test_a_file_that_is_put_back_is_taken_again(tmp_path: Path) -> None:
    database = tmp_path / "house.sqlite3"
    with contextlib.closing(open_house(f"sqlite:///{database}", timers=False)) as house:
        house.people.create("Anna")
        database.rename(tmp_path / "elsewhere")
        assert house.health().status == "down", "before anybody writes"
        with pytest.raises(HouseClosed):
            house.people.create("Ben")
        (tmp_path / "elsewhere").replace(database)
        wait_until(lambda: house.health().status != "down", "it is taken again")
        house.people.create("Cleo")


def _play_and_copy(folder: Path, database: Path) -> tuple[str, str, list[tuple[int, str, str]], Path]:
    """Play some moves, and copy SQLite's files while all changes are still in its log (the WAL file).

    Return the table, the person, a list of the acknowledged moves, and the folder of the copy. An entry of the list has
    the ply and the link (hash) before the move, and the move.
    """
    copied = folder / "copied"
    copied.mkdir()
    with contextlib.closing(open_house(f"sqlite:///{database}", timers=False, bot_pause=0.0)) as house:
        anna = house.people.create("Anna").id
        plan = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})
        table = house.lobby.create(anna, plan)
        house.lobby.add_nonce(table, anna, "share")
        acknowledged = []
        for number in range(12):
            for _ in range(50):
                look = house.looks.look(table, anna)
                if look.legal:
                    break
                house.tick()
            assert look.chain is not None
            acknowledged.append((look.ply, look.chain.link, look.legal[0][1]))
            assert (
                house.play.act(table, anna, look.legal[0][1], look.ply, f"move-{number:04d}").status == "done"
            )
        for name in (database.name, f"{database.name}-wal"):
            shutil.copy(database.with_name(name), copied / name)
        for file in database.parent.glob("*.key"):
            shutil.copy(file, copied)
    return table, anna, acknowledged, copied


@pytest.mark.deep
def test_a_disk_that_lost_what_it_acknowledged_leaves_a_beginning_of_the_game(tmp_path: Path) -> None:
    """A file system that lies about fsync may lose the end of SQLite's log at a power cut, even a part of a write.

    The house can't notice the loss alone. It opens with a beginning of each game, and invents nothing. If a player's
    browser has stored a later link (hash) and sends it with a move, the house refuses the move.
    """
    (tmp_path / "whole").mkdir()
    table, anna, acknowledged, copied = _play_and_copy(tmp_path, tmp_path / "whole" / "house.sqlite3")
    log = (copied / "house.sqlite3-wal").read_bytes()
    known = {ply: link for ply, link, _ in acknowledged}
    reached = set()
    for part in range(1, 25):
        folder = tmp_path / f"cut-{part}"
        shutil.copytree(copied, folder)
        (folder / "house.sqlite3-wal").write_bytes(log[: len(log) * part // 24 - (part * 37) % 4096])
        with contextlib.closing(open_house(f"sqlite:///{folder / 'house.sqlite3'}", timers=False)) as house:
            # On a busy machine the bot's move may be late by now; nothing else may be wrong.
            assert [one for one in house.health().problems if not one.startswith("due work")] == []
            try:
                look = house.looks.look(table, anna)
            except SpelunkeError:
                continue  # not even the table was on the disk
            if look.chain is None:
                continue
            reached.add(look.ply)
            assert look.ply <= acknowledged[-1][0] + 20
            if look.ply in known:
                assert look.chain.link == known[look.ply], "an invented past"
            lost = [(ply, link) for ply, link in known.items() if ply > look.ply]
            if lost and look.legal:
                with pytest.raises(SpelunkeError):
                    house.play.act(table, anna, look.legal[0][1], look.ply, "after-the-cut", lost[-1][1])
                assert house.looks.look(table, anna).ply == look.ply
    assert len(reached) > 4
