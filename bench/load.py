"""Measure many live tables on one server, and boardgame.io's server in the same run, with players on the same cores.

    python bench/load.py [--tables 100 200 1000] [--every 3] [--seconds 60] [--flat 50] [--boardgame FOLDER]
                         [--database ADDRESS] [--redis ADDRESS] [--workers 1] [--only paced flat boardgame] [--dry]

- `paced`: tables of two people, each with the stream of a page. At every table, somebody moves every `--every` seconds.
  The result is the time from a move to the other person's page, for each number of tables. The first two moves of
  each table don't count, because the boards are not in the cache yet.
- `flat`: tables that programs play by API and JSON streams, as fast as answers come. The result is the number of
  acknowledged, durable moves per second.
- `boardgame`: the same with boardgame.io's server 0.50.2, which stores its tables in memory or in files (FlatFile,
  which does not wait for the disk). `--boardgame` is a folder in which `npm i boardgame.io@0.50.2 node-persist@3` was
  run. Without this option, the command makes a temporary folder, if the machine has npm.

Several `--workers` need PostgreSQL and Redis. Each worker is a process, and each table belongs to one worker, as if a
proxy assigned it by the hash of its address. The command takes about six minutes by default. Run it on a machine that
does nothing else. It writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from players import Pair, Server, find_port, open_server
from report import machine, write_section

HERE = Path(__file__).parent


def share(values: list[float], part: float) -> float:
    """Return the quantile ``part`` of the values, in milliseconds."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1000 if values else 0.0


def used_by(servers: list[Server]) -> float:
    """Return the processor time of all servers, in seconds."""
    return sum(server.processor for server in servers)


async def seat(pairs: list[Pair]) -> None:
    """Seat all pairs at their tables, 20 pairs at a time."""
    for start in range(0, len(pairs), 20):
        await asyncio.gather(*(pair.sit() for pair in pairs[start : start + 20]))


async def keep_playing(pair: Pair, every: float, until: float) -> None:
    """Play a move every ``every`` seconds, or at once if the last move took longer. After a game, start another."""
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(random.Random(pair.seed).random() * every)
    while (began := clock()) < until:
        if not await pair.move():
            await pair.sit()
            continue
        await asyncio.sleep(max(0.0, began + every - clock()))


async def run(servers: list[Server], pairs: list[Pair], every: float, seconds: float) -> tuple[float, float]:
    """Return the number of moves per second, and the mean number of cores that the servers used.

    Both are measured after the first 2 * ``every`` seconds. In this time, tables with pauses between moves make two
    moves each.
    """
    await seat(pairs)
    clock = asyncio.get_running_loop().time
    until = clock() + 2 * every + seconds
    playing = asyncio.gather(*(keep_playing(pair, every, until) for pair in pairs))
    await asyncio.sleep(2 * every)
    for pair in pairs:
        pair.answered.clear()
        pair.shown.clear()
    began, spent = time.perf_counter(), used_by(servers)
    await playing
    took = time.perf_counter() - began
    used = (used_by(servers) - spent) / took
    for pair in pairs:
        pair.close()
    await asyncio.sleep(0.5)  # so that the server notices that the players have left
    return sum(len(pair.shown) for pair in pairs) / took, used


def measure(given: argparse.Namespace, database: str) -> list[str]:
    rows = []
    plans = [
        ("paced", "page", tables, given.every, f"{tables} tables, a move each {given.every:g} s, pages")
        for tables in given.tables
    ]
    flat = f"{given.flat} tables as fast as answers come, API and JSON streams"
    plans.append(("flat", "json", given.flat, 0.0, flat))
    for name, kind, tables, every, told in plans:
        if name not in given.only:
            continue
        with contextlib.ExitStack() as stack:
            servers = [stack.enter_context(open_server(database, given.redis)) for _ in range(given.workers)]
            pairs = [
                Pair(servers[seed % given.workers].port, kind, seed)  # type: ignore[arg-type]
                for seed in range(tables)
            ]
            rate, used = asyncio.run(run(servers, pairs, every, given.seconds))
            shown = [one for pair in pairs for one in pair.shown]
            memory = sum(server.memory for server in servers)
        per_move = used / rate * 1000 if rate else 0.0
        waits = f"{share(shown, 0.5):.0f} | {share(shown, 0.99):.0f}"
        workers = f", {given.workers} workers" if given.workers > 1 else ""
        rows.append(f"| {told}{workers} | {rate:,.0f} | {waits} | {per_move:.2f} | {memory:.0f} |")
        print(rows[-1], flush=True)
    return rows


@contextlib.contextmanager
def find_boardgame(folder: str) -> Iterator[str | None]:
    """Yield the given folder, or else a temporary one with boardgame.io. Yield None if npm can't install it."""
    if folder or shutil.which("npm") is None:
        yield folder or None
        return
    with tempfile.TemporaryDirectory() as made:
        install = ["npm", "i", "--ignore-scripts", "--no-audit", "boardgame.io@0.50.2", "node-persist@3"]
        done = subprocess.run(install, cwd=made, capture_output=True, check=False, timeout=300)
        yield None if done.returncode else made


def measure_boardgame(folder: str, tables: int, seconds: float) -> list[str]:
    """Measure boardgame.io's server and players, each in its own process. Return the rows of the table."""
    rows = []
    script = ["node", str(HERE / "boardgame.cjs")]
    environment = {**os.environ, "BOARDGAME_HOME": folder}
    for where in ("memory", "files"):
        place = where if where == "memory" else tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd())
        port = find_port()
        server = subprocess.Popen(
            [*script, "serve", str(port), place],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert server.stdout is not None
            server.stdout.readline()
            play = [*script, "play", str(port), str(tables), str(seconds)]
            told = subprocess.run(
                play, env=environment, capture_output=True, check=True, timeout=seconds + 60
            )
            found = json.loads(told.stdout.splitlines()[-1])
            spent = time.clock_gettime((~server.pid << 3) | 2)
        finally:
            server.kill()
            server.wait()
            if where != "memory":
                shutil.rmtree(place, ignore_errors=True)
        each = spent / max(1.0, found["rate"] * seconds) * 1000
        rows.append(
            f"| boardgame.io 0.50.2, {tables} tables in {where} | {found['rate']:,.0f} | {found['median']:.0f} | "
            f"{found['slowest']:.0f} | {each:.2f} | |"
        )
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 200, 1000])
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--flat", type=int, default=50)
    parser.add_argument("--database", default="")
    parser.add_argument("--redis", default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--boardgame", default="")
    parser.add_argument("--only", nargs="*", default=["paced", "flat", "boardgame"])
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    if given.workers > 1 and not (given.redis and given.database.startswith("postgresql")):
        parser.error("several workers need --database postgresql://... and --redis redis://...")
    about = machine("starlette", "uvicorn", "sqlalchemy")
    # Put the folder beside this checkout, because /tmp may be in memory, where no commit is durable.
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    try:
        rows = measure(given, given.database or f"sqlite:///{folder / 'house.sqlite3'}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if "boardgame" in given.only:
        with find_boardgame(given.boardgame) as home:
            if home is None:
                rows.append("| boardgame.io: not available here | | | | | |")
            else:
                rows += measure_boardgame(home, given.flat, min(given.seconds, 30.0))
    text = (
        "## Many tables",
        "",
        about,
        f"{given.seconds:g} s each, boardgame.io at most 30 s, players on the same cores.",
        "Waits: from a move to the other's page or client.",
        "",
        "| what | moves a second | wait, ms, median | 99 of 100 | processor a move, ms | memory, MB |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
    )
    if not given.dry:
        write_section("load", "\n".join(text))


if __name__ == "__main__":
    main()
