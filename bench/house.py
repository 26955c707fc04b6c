"""Measure how many actions per second the server commits durably on SQLite and on PostgreSQL, when called without HTTP.

    python bench/house.py [--runs 5] [--seconds 3] [--tables 50] [--threads 50] [--postgres URL]

Without `--postgres`, the command starts a new PostgreSQL with its usual durability (fsync on), if PostgreSQL is
installed. The results are medians over the runs.

- `append`: each thread gives rows of a log one by one to the database's writer thread, and waits for each commit.
- `act`: whole actions. The rules check the action, chance is drawn, rows and tasks are committed, and changes are sent.
- `look + act`: before each action, the seat that plays fetches the state of the table, as a page or a program does.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
from report import machine, write_section

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.store.writer import Write


@contextlib.contextmanager
def postgres(url: str) -> Iterator[str | None]:
    """Yield the address of a PostgreSQL server: `url`, or else a new server for this block.

    Yield None if PostgreSQL is not installed.
    """
    if url:
        yield url
        return
    found = shutil.which("initdb") or next(
        (str(p) for p in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None
    )
    if found is None:
        yield None
        return
    tools = Path(found).resolve().parent if "postgresql" in str(Path(found).resolve()) else Path(found).parent
    who = pwd.getpwnam("postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name)
    run = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="spelunke-bench-"))
    os.chown(folder, who.pw_uid, who.pw_gid)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"

    def call(*command: str) -> None:
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)}
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, check=True, cwd=folder, env=environment, **quiet, **run)  # type: ignore[call-overload]

    data = str(folder / "data")
    try:
        call(
            str(tools / "initdb"),
            f"--pgdata={data}",
            "--username=spelunke",
            "--auth=trust",
            "--encoding=UTF8",
        )
        call(str(tools / "pg_ctl"), "start", "-w", "-D", data, "-l", str(folder / "log"), "-o", options)
        try:
            yield f"postgresql+psycopg://spelunke@127.0.0.1:{port}/postgres"
        finally:
            call(str(tools / "pg_ctl"), "stop", "-w", "-m", "fast", "-D", data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def database(kind: str, server: str | None) -> Iterator[str]:
    """Yield the address of a new, empty database of this kind, and delete the database at the end."""
    if kind == "SQLite":
        # Put the folder beside this checkout, because /tmp may be in memory, where no commit is durable.
        folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
        try:
            yield f"sqlite:///{folder / 'house.sqlite3'}"
        finally:
            shutil.rmtree(folder)
        return
    assert server is not None
    plain = server.replace("+psycopg", "")
    name = f"bench{random.randrange(10**9)}"
    with psycopg.connect(plain, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    try:
        yield server.rsplit("/", 1)[0] + f"/{name}"
    finally:
        with psycopg.connect(plain, autocommit=True) as line:
            line.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Players:
    """Two people and their tables. One thread plays for both people."""

    def __init__(self, house: House, count: int, number: int) -> None:
        self.house = house
        self.people = [house.people.create(f"Player {number}-{n}").id for n in range(2)]
        self.tables = [self.sit() for _ in range(count)]
        self.chooser = random.Random(number)
        self.number = number
        self.done = 0

    def sit(self) -> str:
        table = self.house.lobby.create(
            self.people[0], Plan(game="shanghaien", seats=("me", "open"), listed=False)
        )
        self.house.lobby.join(table, self.people[1])
        for person in self.people:
            self.house.lobby.add_nonce(table, person, "bench")
        return table

    def act(self, until: float) -> None:
        """Play actions until the time ``until``. Choose each move directly from the table in the server's memory."""
        while True:
            for place, table in enumerate(self.tables):
                if time.perf_counter() > until:
                    return
                with self.house._tables.open(table, fresh=False) as slot:
                    running = slot.table
                    assert running.match is not None
                    if not running.running:
                        self.tables[place] = self.sit()
                        continue
                    seat = running.actors[0]
                    move = self.chooser.choice(running.match.texts(seat))
                    ply = running.row
                self.play(table, seat, move, ply)

    def look_and_act(self, until: float) -> None:
        """Play actions until the time ``until``. Before each action, fetch the table's state for the seat to act."""
        asked = dict.fromkeys(self.tables, 0)
        while True:
            for place, table in enumerate(self.tables):
                if time.perf_counter() > until:
                    return
                person = self.people[asked[table]]
                look = self.house.looks.look(table, person, since=10**6)
                if look.status == "over":
                    self.tables[place] = self.sit()
                    asked[self.tables[place]] = 0
                elif look.legal:
                    self.play(table, asked[table], self.chooser.choice(look.legal)[1], look.ply)
                else:
                    asked[table] = look.actors[0]

    def play(self, table: str, seat: int, move: str, ply: int) -> None:
        answer = self.house.play.act(
            table, self.people[seat], move, ply, f"key-{self.number}-{self.done:08d}"
        )
        assert answer.status == "done"
        self.done += 1

    def append(self, until: float) -> None:
        """Write rows one by one until the time ``until``, and wait for each commit."""
        table = f"append-{self.number}"
        while time.perf_counter() < until:
            self.done += 1
            row = {
                "table_id": table,
                "ply": self.done,
                "seat": 0,
                "move": "roll",
                "at": 0,
                "key": None,
                "hand": None,
            }
            self.house.store.writer.write(Write(moves=[row]))


def measure(address: str, what: str, tables: int, threads: int, seconds: float) -> tuple[float, float]:
    """Return the number of actions per second, and the mean number of writes per commit."""
    house = open_house(address, timers=False)
    try:
        players = [
            Players(house, max(1, tables // threads) if what != "append" else 0, n) for n in range(threads)
        ]
        writer = house.store.writer
        commits, writes = writer.commits, writer.writes
        began = time.perf_counter()
        until = began + seconds
        work: dict[str, Callable[[Players], Callable[[float], None]]] = {
            "append": lambda player: player.append,
            "act": lambda player: player.act,
            "look + act": lambda player: player.look_and_act,
        }
        running = [threading.Thread(target=work[what](player), args=(until,)) for player in players]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        took = time.perf_counter() - began
        return sum(p.done for p in players) / took, (writer.writes - writes) / max(
            1, writer.commits - commits
        )
    finally:
        house.close()


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--seconds", type=float, default=3.0)
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--threads", type=int, default=50)
    options.add_argument("--postgres", default="", help="address of a server whose user may create databases")
    given = options.parse_args()
    lines = [
        "## The house, actions a second",
        "",
        machine("sqlalchemy", "psycopg"),
        (
            f"{given.tables} tables, {given.threads} threads; median of {given.runs} runs of {given.seconds:g} s. "
            "`append`: rows given to the writer, each waiting for its commit; `act`: whole actions, checked and drawn; "
            "`look + act`: each after a look of the seat that plays. Every figure counts durable commits."
        ),
        "",
        "| store | what | a second, committed | runs | jobs per commit |",
        "|---|---|---:|---|---:|",
    ]
    print("\n".join(lines))
    with postgres(given.postgres) as server:
        for kind in ("SQLite", "PostgreSQL") if server else ("SQLite",):
            for what in ("append", "act", "look + act"):
                rates = []
                groups = []
                for _ in range(given.runs):
                    with database(kind, server) as address:
                        rate, group = measure(address, what, given.tables, given.threads, given.seconds)
                    rates.append(rate)
                    groups.append(group)
                spread = f"{min(rates):,.0f}–{max(rates):,.0f}"
                middle, group = statistics.median(rates), statistics.median(groups)
                lines.append(f"| {kind} | {what} | {middle:,.0f} | {spread} | {group:.1f} |")
                print(lines[-1], flush=True)
    write_section("house", "\n".join(lines))
    if server is None:
        print("PostgreSQL is not installed: give --postgres, or install it.", file=sys.stderr)


if __name__ == "__main__":
    main()
