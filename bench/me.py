"""Measure the page of a person with many finished games. The games are copies of one real game in the database.

    python bench/me.py [--runs 40]

The command runs the whole application in its own process, on SQLite. Times are processor times, so other work on the
machine has little effect. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from report import machine, spread, write_section
from sqlalchemy import create_engine, func, insert, select
from starlette.testclient import TestClient

from spelunke.house.store.schema import seats, tables
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

SIZES = (1, 100, 1000)


def fill(url: str, table_id: str, many: int) -> None:
    """Copy the finished game in the database until there are ``many`` games."""
    engine = create_engine(url)
    with engine.begin() as connection:
        there = connection.execute(select(func.count()).select_from(tables)).scalar() or 0
        told = dict(connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one())
        found = connection.execute(select(seats).where(seats.c.table_id == table_id)).mappings()
        chairs = [dict(row) for row in found]
        names = [f"copy{number:06d}" for number in range(there, many)]
        if names:
            copies = [{**told, "id": name, "ended_ms": told["ended_ms"] - k} for k, name in enumerate(names)]
            connection.execute(insert(tables), copies)
            places = [{**chair, "table_id": name} for name in names for chair in chairs]
            connection.execute(insert(seats), places)
    engine.dispose()


def measure(client: TestClient, address: str, runs: int) -> list[float]:
    """Return the processor time of each request but the first, in milliseconds, including the time of the client."""
    found = []
    for _ in range(runs + 1):
        began = time.process_time()
        assert client.get(address).status_code == 200
        found.append((time.process_time() - began) * 1000)
    return found[1:]


def run(runs: int) -> list[str]:
    """Run all measurements, and return the rows of the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'house.sqlite3'}"
        settings: dict[str, Any] = {"database": url, "secret": "of the bench", "reads_per_minute": 1_000_000}
        with TestClient(create_app(Settings(**settings))) as client:
            made = client.post("/api/v1/guests", json={"name": "Anna"}).json()
            client.headers["authorization"] = f"Bearer {made['token']}"
            plan = {"game": "shanghaien", "seats": ["me", "bot:deckhand"]}
            table = client.post("/api/v1/tables", json=plan).json()["table"]
            client.post(f"/api/v1/tables/{table}/nonce", json={"nonce": "lantern"})
            for _ in range(600):
                if client.get(f"/api/v1/tables/{table}").json()["status"] == "playing":
                    break
                time.sleep(0.1)
            client.post(f"/api/v1/tables/{table}/resign", json={"key": "resigned-1"}).raise_for_status()
            for size in SIZES:
                fill(url, table, size)
                last = -(-size // 20)
                for page in sorted({1, last}):
                    times = measure(client, f"/me?page={page}", runs)
                    rows.append(f"| {size:,} | {page} | {spread(times, digits=1)} |")
    return rows


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=40)
    given = parser.parse_args()
    where = machine("starlette", "sqlalchemy")
    rows = run(given.runs)
    head = ["| finished games | page of `/me` | ms of processor, median | range |", "|---:|---|---:|---|"]
    text = f"## The list of somebody's games\n\n{where} {given.runs} requests each, one after the other.\n\n"
    write_section("me", text + "\n".join(head + rows) + "\n")


if __name__ == "__main__":
    main()
