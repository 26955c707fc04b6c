"""Measure the effects of a full disk, a silent Redis and a frozen PostgreSQL, and report the faults after many kills.

    python bench/failures.py [--kills FOLDER]

`python -m kills` writes FOLDER. For the full disk, the command mounts a small file system. Without root rights, it
leaves this part out. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from report import machine, write_section

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from servers import frozen, postgres_family, start_postgres, start_redis, stop_postgres, stop_redis
from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed
from spelunke.web.limits import Limits
from spelunke.web.settings import Settings

PLAN = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})


def timed(ask: Callable[[], object], *, refused: bool = False) -> float:
    """Return the time of a call in milliseconds. If ``refused`` is true, the server must refuse the call."""
    began = time.perf_counter()
    try:
        ask()
    except HouseClosed:
        if not refused:
            raise
    else:
        if refused:
            raise SystemExit("that should have been refused")
    return (time.perf_counter() - began) * 1000


def until_well(house: House) -> float:
    """Return the time in milliseconds until the server reports good health."""
    began = time.perf_counter()
    while not house.health().ok:
        time.sleep(0.002)
    return (time.perf_counter() - began) * 1000


def show(values: list[float]) -> str:
    """Return the median and the largest value, as two cells of a table."""
    return f"{statistics.median(values):,.2f} | {max(values):,.2f}"


class Table:
    """A table at which a person is to roll the dice."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.person = house.people.create("Anna").id
        self.id = house.lobby.create(self.person, PLAN)
        house.lobby.add_nonce(self.id, self.person, "mine")
        self.ply = house.looks.look(self.id, self.person).ply
        self.keys = 0

    def act(self) -> object:
        """Roll the dice, with a new idempotency key."""
        self.keys += 1
        return self.house.play.act(self.id, self.person, "roll", self.ply, f"key-{self.keys:06d}")

    def look(self) -> object:
        """Return the person's look at the table."""
        return self.house.looks.look(self.id, self.person)


def fill_disk(folder: Path) -> list[str]:
    """Return the rows of the table about a full disk, or no rows if no file system could be mounted."""
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], check=False
    ).returncode:
        return []
    try:
        with contextlib.closing(open_house(f"sqlite:///{folder / 'house.sqlite3'}", timers=False)) as house:
            table = Table(house)
            well = [timed(table.look) for _ in range(200)]
            ballast = folder / "ballast"
            with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as out:
                while True:
                    out.write(b"x" * 512)
            while house.health().ok:
                with contextlib.suppress(HouseClosed):
                    house.people.create("Zoe")
            refused = [timed(table.act, refused=True) for _ in range(200)]
            read = [timed(table.look) for _ in range(200)]
            ballast.unlink()
            return [
                f"| full disk (SQLite): an action is refused | {show(refused)} |",
                f"| full disk: a look at the table | {show(read)} |",
                f"| the same look when all is well | {show(well)} |",
                f"| room again, until all goes on again | {show([until_well(house)])} |",
            ]
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def freeze_postgres() -> list[str]:
    """Return the rows of the table about a frozen PostgreSQL."""
    state = start_postgres()
    try:
        with contextlib.closing(open_house(state["url"], timers=False)) as house:
            table = Table(house)
            with frozen(*postgres_family(Path(state["folder"], "data"))):
                waited = [timed(table.act, refused=True)]
                asks = [table.act, table.look] * 100
                after = [timed(ask, refused=True) for ask in asks]
            return [
                f"| frozen PostgreSQL: the first action | {show(waited)} |",
                f"| frozen PostgreSQL: actions and looks after it | {show(after)} |",
                f"| awake again, until all goes on again | {show([until_well(house)])} |",
            ]
    finally:
        stop_postgres(state)


def silence_redis() -> list[str]:
    """Return the rows of the table about a Redis that is frozen or killed."""
    rows = []
    for name, harm in (("frozen", signal.SIGSTOP), ("killed", signal.SIGKILL)):
        state = start_redis()
        try:
            well, harmed = asyncio.run(count_limits(state, harm))
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(state["process"], signal.SIGCONT)
            stop_redis(state)
        if not rows:
            rows.append(f"| a limit counted in Redis | {show(well)} |")
        rows.append(f"| Redis {name}: the first limit | {show(harmed[:1])} |")
        rows.append(f"| Redis {name}: limits after it | {show(harmed[1:])} |")
    return rows


async def count_limits(state: dict[str, Any], harm: signal.Signals) -> tuple[list[float], list[float]]:
    """Return the times of a rate limit's checks in milliseconds: before and after Redis gets the signal ``harm``."""
    limits = Limits(Settings(redis=state["url"], secret="the secret of the bench"))

    async def ask() -> float:
        began = time.perf_counter()
        await limits.allow("read", "somebody")
        return (time.perf_counter() - began) * 1000

    for _ in range(200):  # until the connection to Redis is open
        await ask()
        await asyncio.sleep(0.01)
    well = [await ask() for _ in range(200)]
    if limits.problem:
        raise SystemExit("Redis does not answer within 50 ms on this machine")
    os.kill(state["process"], harm)
    harmed = [await ask() for _ in range(200)]
    await limits.close()
    return well, harmed


def count_kills(folder: Path | None) -> str:
    """Return a Markdown table of the kills of the server, and of the faults that were found after them.

    If there is no folder with the results of `python -m kills`, return an empty text.
    """
    if folder is None:
        return ""
    rounds = [json.loads(line) for line in (folder / "rounds.jsonl").read_text().splitlines()]
    lines = [
        "",
        "### Kills (-9) at random moments while people play",
        "",
        "By `python -m kills`; acknowledged moves are those whose answer reached the player.",
        "",
        "| how the house was run | kills | acknowledged moves | games verified | streams opened again | faults |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    names = ("kills", "acknowledged", "records", "reopened")
    for title in [*sorted({tally["title"] for tally in rounds}), ""]:
        chosen = [tally for tally in rounds if title in {tally["title"], ""}]
        sums = " | ".join(f"{sum(tally[name] for tally in chosen):,}" for name in names)
        lines.append(f"| {title or 'all'} | {sums} | {sum(len(tally['faults']) for tally in chosen)} |")
    return "\n".join(lines)


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--kills", type=Path)
    given = reader.parse_args()
    about = machine("sqlalchemy", "psycopg", "redis")
    with tempfile.TemporaryDirectory() as folder:
        rows = fill_disk(Path(folder))
    rows += freeze_postgres() + silence_redis()
    lines = [
        "## Failures",
        "",
        about,
        "",
        "| what | ms, median | slowest |",
        "|---|---:|---:|",
        *rows,
    ]
    write_section("failures", "\n".join(lines) + "\n" + count_kills(given.kills))


if __name__ == "__main__":
    main()
