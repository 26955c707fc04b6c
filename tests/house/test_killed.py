"""A process that plays games is killed at random moments: no acknowledged move is lost, and every game goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from proof import prove
from spelunke.house.house import open_house

# Plain kernels: a process that is killed while it compiles would compile for ever.
PLAIN = {**os.environ, "SPELUNKE_JIT": "0"}
DOOMED = Path(__file__).parent / "doomed.py"


def run_and_kill(folder: Path, games: int, kills: int, seed: int) -> None:
    """Play `games` games in a process that is killed `kills` times; then check that acknowledged moves are stored."""
    chooser = random.Random(seed)
    database, journal = f"sqlite:///{folder / 'house.sqlite3'}", folder / "journal"
    journal.touch()
    command = [sys.executable, str(DOOMED), database, str(journal), str(games)]
    killed = 0
    while not journal.read_text().endswith("over\n"):
        size = journal.stat().st_size
        with (folder / "errors").open("a") as errors:
            process = subprocess.Popen(
                command, env=PLAIN, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        try:
            until = time.monotonic() + 120
            # The time counts from its first line, which comes after the store is open.
            while killed < kills and process.poll() is None and time.monotonic() < until:
                time.sleep(0.002)
                if journal.stat().st_size > size:
                    time.sleep(chooser.expovariate(1 / 0.25))
                    process.send_signal(signal.SIGKILL)
                    killed += process.wait() == -signal.SIGKILL
            assert process.wait(timeout=600) in {0, -signal.SIGKILL}, (folder / "errors").read_text()[-3000:]
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    assert killed == kills
    check(database, journal)


def check(database: str, journal: Path) -> None:
    lines = [line.split() for line in journal.read_text().splitlines()]
    tables = [words[1] for words in lines if words[0] == "table"]
    acknowledged = [words[1:] for words in lines if words[0] == "ack"]
    assert tables
    assert acknowledged
    tried = Counter(words[1] for words in lines if words[0] == "try")
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("select table_id, ply, key from moves order by table_id, ply")).all()
        # A kill between making a table and noting it leaves a table without players.
        due = connection.execute(text("select table_id from due where kind != 'clean'")).scalars()
        assert not set(due) & set(tables)
        assert connection.execute(text("pragma integrity_check")).scalar() == "ok"
    engine.dispose()
    stored = Counter((table, key) for table, _ply, key in rows if key)
    assert set(stored.values()) == {1}
    assert [key for key, table, _ply in acknowledged if (table, key) not in stored] == []
    assert all(key in tried for _table, key in stored)
    for table in tables:
        plies = [ply for found, ply, _key in rows if found == table]
        assert plies == list(range(1, len(plies) + 1))
    house = open_house(database, timers=False)
    try:
        for table in tables:
            assert house.looks.look(table).result is not None
            prove(house.replays.record(table))
    finally:
        house.close()


def test_a_killed_house_loses_no_acknowledged_move(tmp_path: Path) -> None:
    run_and_kill(tmp_path, games=2, kills=2, seed=5)


@pytest.mark.deep(minutes=2)
def test_a_house_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    run_and_kill(tmp_path, games=50, kills=25, seed=11)
