"""Simulate the traffic of days in minutes, with a faster clock, and check that the server's resources stay bounded.

    python bench/soak.py [--days 7] [--minutes 120] [--tables 200] [--visitors 4] [--pause 0.05]
                         [--drawn MB]
                         [--database sqlite|ADDRESS] [--trace] [--write]

Guests play against bots and each other, with clocks and without. They chat, watch, look at pages, records and
replays, and leave games in the middle. The command measures memory, open files, threads and the database 21 times. If
memory, files or threads keep growing, or the database grows faster and faster, the exit code is 1.

`--tables` limits the memory for tables: it has space for this number of tables with a hundred rows each. `--drawn` is
the limit of each cache of drawn pages or of replays, in megabytes; the two caches of drawn boards get half of it each.
Caches soon reach small limits, so that other growth becomes visible. `--pause` is the mean time before a visitor's
move, in seconds. `--trace` prints the lines of code whose memory has grown since the middle of the run. With this
option, the server needs twice as long. `--write` writes the result into `bench/results.md`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import secrets
import socket
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import machine, write_section

TOKEN = "the soak asks as the host"
DAY_S = 86_400
CLOCKS = (
    {"kind": "live", "minutes": 5, "increment": 5},
    {"kind": "days", "days": 1},
    {"kind": "none"},
)


def serve(port: int, database: str, speed: float, in_memory: int, drawn_mb: int, trace: Path | None) -> None:
    """Run the server until the process ends, with a clock that is ``speed`` times as fast as real time."""
    import uvicorn

    from spelunke.boards import stage
    from spelunke.house import budgets

    budgets.RENDERINGS = budgets.COURSES = drawn_mb << 20
    stage._drawn._most = stage._sheets._most = drawn_mb << 19

    if trace is not None:
        threading.Thread(target=tell_growth, args=(trace,), daemon=True).start()

    from spelunke.house.house import open_house
    from spelunke.house.play.table_store import ROW_BYTES, TABLE_BYTES
    from spelunke.house.store.now import Now
    from spelunke.web.app import create_app, set_up_logs
    from spelunke.web.gate import make_config
    from spelunke.web.settings import Settings

    begun, counted = time.time(), time.monotonic()

    def fast() -> float:
        return begun + (time.monotonic() - counted) * speed

    settings = Settings(
        database=database,
        port=port,
        secret="the secret of the soak",
        metrics_token=TOKEN,
        log_level="error",
        reads_per_minute=10**9,
        writes_per_minute=10**9,
        tables_per_hour=10**9,
    )
    set_up_logs(settings)
    room = in_memory * (TABLE_BYTES + 100 * ROW_BYTES)
    house = open_house(database, bot_pause=0.7, clock=Now(fast, fast), in_memory=room)
    app = create_app(settings, house, closing=house.close)
    uvicorn.Server(make_config(app, settings)).run()


def tell_growth(file: Path) -> None:
    """Compare the memory when ``file`` appears with the memory when it disappears.

    Write the lines of code whose memory has grown most into another file beside ``file``.
    """
    import gc
    import tracemalloc

    tracemalloc.start(12)
    while not file.exists():
        time.sleep(0.2)
    gc.collect()
    before = tracemalloc.take_snapshot()
    while file.exists():
        time.sleep(0.2)
    gc.collect()
    grown = tracemalloc.take_snapshot().compare_to(before, "traceback")
    lines = []
    for one in grown[:25]:
        lines.append(f"{one.size_diff / 1024:,.0f} kB in {one.count_diff:,} blocks")
        lines += one.traceback.format(8)
    file.with_suffix(".txt").write_text("\n".join(lines), encoding="utf-8")


class TooBusy(Exception):
    """The error if the server refuses a request because it is overloaded."""


class Guest:
    """A client of the server with one connection, like a browser."""

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"content-type": "application/json"}
        token = self.ask("POST", "/guests", {"name": f"Guest {secrets.token_hex(3)}"})["token"]
        self._headers["authorization"] = f"Bearer {token}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request, and return the JSON of the answer, also if the server refuses an action.

        Raise TooBusy if the server is overloaded, and RuntimeError for any other failure.
        """
        answer = self._send(method, f"/api/v1{path}", None if body is None else json.dumps(body))
        content = answer.read()
        if answer.status == 503:
            raise TooBusy(f"{method} {path}: {content[:200]!r}")
        if answer.status >= 500:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return json.loads(content) if content else {}

    def _send(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        """Send a request like a browser: if the server has closed the idle connection, use a new one."""
        try:
            self._line.request(method, path, body, self._headers)
            return self._line.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            self._line.close()
            self._line.request(method, path, body, self._headers)
            return self._line.getresponse()

    def read(self, path: str) -> None:
        """Fetch a page or a file, and discard it."""
        answer = self._send("GET", path)
        answer.read()
        if answer.status >= 500:
            raise RuntimeError(f"GET {path}: {answer.status}")

    def watch(self, table: str) -> None:
        """Open the stream of a table, read its beginning, and close it."""
        self._send("GET", f"/api/v1/tables/{table}/stream").readline()
        self._line.close()

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


@dataclass
class Count:
    """The numbers of the visitors' actions and failures."""

    visits: int = 0
    moves: int = 0
    over: int = 0
    left: int = 0
    refused: int = 0
    refusal: str = ""
    failed: str = ""


class Visitor(threading.Thread):
    """A thread that repeats visits: open a table, chat, watch, play some or all moves, and fetch pages."""

    def __init__(self, port: int, seed: int, pause: float, count: Count, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._port, self._pause, self._count, self._stop_now = port, pause, count, stop
        self._random = random.Random(seed)

    def run(self) -> None:
        """Repeat visits until the run ends or something fails."""
        try:
            while not self._stop_now.is_set():
                try:
                    self._visit()
                except (TooBusy, TimeoutError) as error:  # on an overloaded machine
                    self._count.refused += 1
                    self._count.refusal = self._count.refusal or repr(error)
                self._count.visits += 1
        except Exception as error:  # reported at the end
            self._count.failed = self._count.failed or repr(error)
            self._stop_now.set()

    def _visit(self) -> None:
        chooser = self._random
        alone = chooser.random() < 0.5
        guests = [Guest(self._port) for _ in range(1 if alone else 2)]
        game, bot = chooser.choice([("shanghaien", "deckhand"), ("halunken", None), ("sanghai", None)])
        seats = ["me", f"bot:{bot}" if bot else "open"] if alone and bot else ["me", "open"]
        if game == "sanghai":
            seats.append("open")
        plan = {"game": game, "seats": seats, "clock": chooser.choice(CLOCKS), "listed": True}
        table = guests[0].ask("POST", "/tables", plan)["table"]
        if len(guests) > 1:
            guests[1].ask("POST", f"/tables/{table}/join", {})
        if "open" in seats:
            guests[0].ask("POST", f"/tables/{table}/fill", {})
        for guest in guests:
            guest.ask("POST", f"/tables/{table}/nonce", {"nonce": secrets.token_hex(8)})
        guests[0].ask("POST", f"/tables/{table}/say", {"text": "Ahoy"})
        guests[-1].watch(table)
        # Half of the games continue to the end. In the others the guests leave after a while and never
        # return.
        self._play(table, guests, 10_000 if chooser.random() < 0.5 else chooser.randrange(30))
        self._look_around(table, guests[0])
        for guest in guests:
            guest.close()

    def _look_around(self, table: str, guest: Guest) -> None:
        """Fetch pages that people read after a game at this table.

        If the game has not ended, the server refuses some of these pages.
        """
        for path in ("/", f"/t/{table}", f"/t/{table}/turn", "/me", "/verify"):
            guest.read(path)
        guest.read(f"/t/{table}/replay?ply={self._random.randrange(40)}&as=open")
        guest.read(f"/t/{table}/record.json")

    def _play(self, table: str, guests: list[Guest], most: int) -> None:
        idle = 0
        while not self._stop_now.is_set() and most > 0 and idle < 400:
            idle += 1
            for guest in guests:
                look = guest.ask("GET", f"/tables/{table}")
                if look.get("status") == "over":
                    self._count.over += 1
                    return
                if look.get("legal"):
                    self._stop_now.wait(self._random.expovariate(1 / self._pause) if self._pause else 0)
                    move = self._random.choice(look["legal"])["text"]
                    body = {"move": move, "ply": look["ply"], "key": secrets.token_hex(8)}
                    guest.ask("POST", f"/tables/{table}/act", body)
                    self._count.moves += 1
                    most -= 1
                    idle = 0
            if idle:
                self._stop_now.wait(0.03)
        self._count.left += 1


@dataclass(frozen=True)
class Sample:
    """The resources of the server at one moment."""

    seconds: float
    processor_s: float
    memory_kb: int
    files: int
    threads: int
    database_kb: int
    tables: int
    moves: int


def measure(process: int, port: int, files: list[Path], began: float, moves: int) -> Sample:
    """Return a sample of the server's resources."""
    about = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":" in line
    )
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", "/health", headers={"authorization": f"Bearer {TOKEN}"})
    health = json.loads(line.getresponse().read())
    line.close()
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return Sample(
        seconds=time.monotonic() - began,
        processor_s=(int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
        memory_kb=int(about["VmRSS"].split()[0]),
        files=sum(1 for _ in Path(f"/proc/{process}/fd").iterdir()),
        threads=int(about["Threads"]),
        database_kb=sum(file.stat().st_size for file in files if file.exists()) // 1024,
        tables=int(health["tables_in_memory"]),
        moves=moves,
    )


def judge(samples: list[Sample]) -> list[str]:
    """Return a sentence for each resource that grew from the middle third of the samples to the last third."""
    third = len(samples) // 3
    if not third:
        return ["it was too short to tell anything"]
    middle, last = samples[third : 2 * third], samples[2 * third :]
    faults = []
    if max(s.memory_kb for s in last) > 1.15 * max(s.memory_kb for s in middle) + 8192:
        faults.append("memory goes on growing")
    if max(s.files for s in last) > max(s.files for s in middle) + 40:
        faults.append("open files go on growing")
    if max(s.threads for s in last) > max(s.threads for s in middle) + 20:
        faults.append("threads go on growing")
    # The server stores all games, so the database may grow, but not faster and faster.
    grown = [part[-1].database_kb - part[0].database_kb for part in (middle, last)]
    if grown[1] > 2 * grown[0] + 4096:
        faults.append(f"the database grows faster and faster: {grown[0]} kB, then {grown[1]} kB")
    return faults


def tell(given: argparse.Namespace, samples: list[Sample], count: Count, faults: list[str]) -> str:
    """Return the section of `bench/results.md` as Markdown."""
    faster = given.days * 1440 / given.minutes
    verdict = "; ".join(faults).capitalize() or "Nothing goes on growing"
    lines = [
        f"## Soak: {given.days:g} days in {given.minutes:g} minutes",
        "",
        machine("sqlalchemy", "starlette"),
        f"{given.visitors} visitors at a time, who think {given.pause:g} s before a move on average;",
        f"the house's clock runs {faster:.0f} times faster.",
        f"Room for {given.tables} tables of a hundred rows, and for {given.drawn} MB of each kind of what was drawn.",
        f"{count.visits:,} visits, {count.moves:,} moves of people,",
        f"{count.over:,} games played to the end, {count.left:,} left. {verdict}.",
        f"{count.refused:,} visits ended because machine or house had no time.",
        "The last column is the processor time of the house, all else that it did included.",
        "",
        "| after | memory, MB | open files | threads | database, MB | tables kept | moves of people | ms a move |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    before: Sample | None = None
    for sample in samples[:: max(1, len(samples) // 10)]:
        days = sample.seconds / (given.minutes * 60) * given.days
        moves = sample.moves - (before.moves if before else 0)
        spent = sample.processor_s - (before.processor_s if before else 0)
        lines.append(
            f"| {days:.2f} days | {sample.memory_kb / 1024:.0f} | {sample.files} | {sample.threads} | "
            f"{sample.database_kb / 1024:.1f} | {sample.tables} | {sample.moves:,} | "
            f"{spent * 1000 / max(moves, 1):.1f} |"
        )
        before = sample
    return "\n".join(lines)


def main() -> int:
    """Run the simulation. Return 1 if something fails or keeps growing, else 0."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--days", type=float, default=7)
    reader.add_argument("--minutes", type=float, default=120)
    reader.add_argument("--tables", type=int, default=200)
    reader.add_argument("--drawn", type=int, default=32)
    reader.add_argument("--visitors", type=int, default=4)
    reader.add_argument("--pause", type=float, default=0.05)
    reader.add_argument("--database", default="sqlite")
    reader.add_argument("--trace", action="store_true")
    reader.add_argument("--write", action="store_true")
    given = reader.parse_args()
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
        probe.close()
        file = Path(folder) / "house.sqlite3"
        database = f"sqlite:///{file}" if given.database == "sqlite" else given.database
        speed = given.days * DAY_S / (given.minutes * 60)
        context = multiprocessing.get_context("spawn")
        trace = Path(folder) / "trace" if given.trace else None
        house = context.Process(target=serve, args=(port, database, speed, given.tables, given.drawn, trace))
        house.start()
        try:
            samples, count = soak(given, int(house.pid or 0), port, [file, Path(f"{file}-wal")], trace)
        finally:
            house.terminate()
            house.join(30)
    faults = judge(samples) + ([count.failed] if count.failed else [])
    if count.refused:
        print(f"{count.refused} visits refused, the first by {count.refusal}", file=sys.stderr)
    text = tell(given, samples, count, faults)
    print(text)
    if given.write:
        write_section("soak", text)
    return 1 if faults else 0


def soak(
    given: argparse.Namespace, process: int, port: int, files: list[Path], trace: Path | None
) -> tuple[list[Sample], Count]:
    """Run the visitors and measure until the time is over. Return the samples and the counts."""
    for _ in range(3000):
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=5).connect()
        except OSError:
            time.sleep(0.1)
        else:
            break
    count, stop = Count(), threading.Event()
    visitors = [Visitor(port, seed, given.pause, count, stop) for seed in range(given.visitors)]
    began = time.monotonic()
    for visitor in visitors:
        visitor.start()
    samples = []
    step = given.minutes * 60 / 21
    while not stop.wait(step) and len(samples) < 21:
        samples.append(measure(process, port, files, began, count.moves))
        print(f"{len(samples)} of 21: {samples[-1]}", file=sys.stderr, flush=True)
        if trace is not None and len(samples) == 10:
            trace.touch()
    stop.set()
    for visitor in visitors:
        visitor.join(60)
    if trace is not None:
        trace.unlink()
        told = trace.with_suffix(".txt")
        for _ in range(600):
            if told.exists():
                break
            time.sleep(0.1)
        print(told.read_text(encoding="utf-8"), file=sys.stderr)
    return samples, count


if __name__ == "__main__":
    sys.exit(main())
