"""`python -m kills --kills 1000 FOLDER`: kill a house's workers while people play, in several rounds.

The rounds run on SQLite and PostgreSQL, with one and three workers, and with and without nginx.
Progress is noted in FOLDER/rounds.jsonl; the same command resumes there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault(
    "SPELUNKE_JIT", "0"
)  # a process that is killed while it compiles would compile for ever

from kills.running import run_round
from kills.site import Plan
from proxy import find_nginx
from servers import start_postgres, start_redis, stop_postgres, stop_redis


def main() -> int:
    """Kill workers until `--kills` kills are done. Return 1 if anything was lost, doubled or broken, else 0."""
    reader = argparse.ArgumentParser(prog="python -m kills", description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--kills", type=int, default=1000)
    reader.add_argument("--each", type=int, default=50, help="kills of one round")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    notes = given.folder / "rounds.jsonl"
    done = [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []
    faults = [fault for tally in done for fault in tally["faults"]]
    with servers() as (postgres, redis):
        number = len(done)
        while (killed := sum(tally["kills"] for tally in done)) < given.kills:
            folder = given.folder / f"round{number}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            plan = choose(number, folder, postgres, redis)
            wanted = min(given.each, given.kills - killed)
            tally = run_round(
                plan, folder, wanted, given.seed + number, progress(plan.title, killed, given.kills)
            )
            done.append({**tally.figures, "faults": tally.faults})
            with notes.open("a") as out:
                out.write(json.dumps(done[-1]) + "\n")
            faults += tally.faults
            print(f"\n  {json.dumps({k: v for k, v in tally.figures.items() if v})}", flush=True)
            number += 1
    tell(done, faults)
    return 1 if faults else 0


def choose(number: int, folder: Path, postgres: str, redis: str) -> Plan:
    """Return the plan of this round, with an empty database. Six plans take turns."""
    kind, workers, nginx = [
        ("sqlite", 1, False),
        ("postgres", 3, True),
        ("postgres", 1, False),
        ("sqlite", 1, True),
        ("postgres", 3, False),
        ("postgres", 1, True),
    ][number % 6]
    nginx = nginx and find_nginx() is not None
    if kind == "sqlite":
        return Plan(f"sqlite:///{folder / 'house.sqlite3'}", "", 1, nginx)
    import psycopg

    name = f"k{secrets.token_hex(6)}"
    with psycopg.connect(postgres.replace("+psycopg", ""), autocommit=True) as line:
        line.execute(f"create database {name}")
    return Plan(postgres.rsplit("/", 1)[0] + f"/{name}", redis if workers > 1 else "", workers, nginx)


@contextlib.contextmanager
def servers() -> Iterator[tuple[str, str]]:
    """Yield a PostgreSQL and a Redis for all rounds; only the house is killed."""
    with contextlib.ExitStack() as opened:
        postgres = start_postgres()
        opened.callback(stop_postgres, postgres)
        redis = start_redis()
        opened.callback(stop_redis, redis)
        yield postgres["url"], redis["url"]


def progress(title: str, before: int, wanted: int) -> Callable[[int], None]:
    """Return a function that reports each kill on one line of a terminal, or every tenth kill without a terminal."""

    def tell_one(kills: int) -> None:
        if sys.stdout.isatty():
            print(f"\r{before + kills} of {wanted} kills ({title})   ", end="", flush=True)
        elif kills % 10 == 0:
            print(f"{before + kills} of {wanted} kills ({title})", flush=True)

    return tell_one


def tell(done: list[dict[str, object]], faults: list[str]) -> None:
    """Print a Markdown table for bench/results.md, and then each fault that was found.

    A row of the table has a title, which says how the server was run, and sums over all rounds with this title: kills,
    acknowledged actions, verified games, streams opened again, and faults.
    """
    print(
        "| how it was run | kills | acknowledged | games verified | streams opened again | lost, doubled or broken |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for title in sorted({str(tally["title"]) for tally in done}):
        rounds = [tally for tally in done if tally["title"] == title]
        names = ("kills", "acknowledged", "records", "reopened")
        sums = [sum(int(str(tally[name])) for tally in rounds) for name in names]
        wrong = sum(len(list(tally["faults"])) for tally in rounds)  # type: ignore[call-overload]
        print(f"| {title} | {' | '.join(f'{n:,}' for n in sums)} | {wrong} |")
    for fault in faults:
        print(fault)


if __name__ == "__main__":
    sys.exit(main())
