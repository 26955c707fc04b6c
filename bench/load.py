"""Measure many live tables in one process, with the players on the same cores; boardgame.io's server in the same run.

    python bench/load.py [--tables 100 200 1000] [--every 3] [--seconds 60] [--flat 50] [--boardgame FOLDER]
                         [--database ADDRESS] [--redis ADDRESS] [--workers 1] [--only paced flat boardgame] [--dry]

- `paced`: tables of two with a page stream each, and a move at every table each `--every` seconds: the time from a move
  to the other's page. Once for each number of tables. The first two moves of each table, whose boards are not yet in
  the cache, are not counted.
- `flat`: tables played by API and JSON streams as fast as answers come: acknowledged, durable moves a second.
- `boardgame`: the same with boardgame.io's server 0.50.2, which keeps its tables in memory or in files (its FlatFile,
  which does not wait for the disk). `--boardgame` is a folder in which `npm i boardgame.io@0.50.2 node-persist@3` was
  run; without it a temporary folder is made, if the machine has npm.

Several `--workers` need PostgreSQL and Redis. Each worker is a process, and each table belongs to one of
them, as a proxy assigns it by the hash of its address. Takes five minutes by default. Run it on a machine
that does nothing else. Writes its section of `bench/results.md`.
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
    """Seat all pairs, some at a time."""
    for start in range(0, len(pairs), 20):
        await asyncio.gather(*(pair.sit() for pair in pairs[start : start + 20]))


async def keep_playing(pair: Pair, every: float, until: float) -> None:
    """Play moves at even intervals, or as soon as the last one was shown; after a game, start another."""
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(random.Random(pair.seed).random() * every)
    while (began := clock()) < until:
        if not await pair.move():
            await pair.sit()
            continue
        await asyncio.sleep(max(0.0, began + every - clock()))


async def run(servers: list[Server], pairs: list[Pair], every: float, seconds: float) -> tuple[float, float]:
    """Return moves a second, and the number of cores that the house used, after two moves at each table."""
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
    await asyncio.sleep(0.5)  # so that the house notices that the players have left
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
    """Yield a folder with boardgame.io in it, or None if there is none."""
    if folder or shutil.which("npm") is None:
        yield folder or None
        return
    with tempfile.TemporaryDirectory() as made:
        install = ["npm", "i", "--ignore-scripts", "--no-audit", "boardgame.io@0.50.2", "node-persist@3"]
        done = subprocess.run(install, cwd=made, capture_output=True, check=False, timeout=300)
        yield None if done.returncode else made


def measure_boardgame(folder: str, tables: int, seconds: float) -> list[str]:
    """Measure its server and players, each in a process of its own."""
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
    """Measure and write the section."""
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
    # Put it beside this checkout, not into /tmp: that may be memory, where nothing is ever durable.
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
        f"{given.seconds:g} s each, players on the same cores. Waits: from a move to the other's page or client.",
        "",
        "| what | moves a second | wait, ms, median | 99 of 100 | processor a move, ms | memory, MB |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
    )
    if not given.dry:
        write_section("load", "\n".join(text))


if __name__ == "__main__":
    main()
