"""Measure the waits of the first guest on a new machine, while the server still compiles the rules.

    python bench/cold.py [--turns 12]

For each game, the command starts a new server twice: with an empty cache of kernels, and with the cache of the first
run. A guest plays against bots of the usual level, with the usual number of seats. The command writes its section of
`bench/results.md`.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from pages import open_house
from report import machine, write_section

from spelunke.bots.levels import default_level
from spelunke.games import shelf
from spelunke.games.game import Game


def sit_down(client: httpx2.Client, game: Game) -> str:
    """Open a table for a guest and bots of the usual level, send the guest's nonce, and return the table's id."""
    token = client.post("/api/v1/guests", json={"name": "Anna"}).json()["token"]
    client.headers["authorization"] = f"Bearer {token}"
    seats = ["me", *[f"bot:{default_level(game)}"] * (game.usual_seats - 1)]
    table = str(client.post("/api/v1/tables", json={"game": game.name, "seats": seats}).json()["table"])
    client.post(f"/api/v1/tables/{table}/nonce", json={"nonce": "bench"})
    return table


def wait_for_turns(client: httpx2.Client, table: str, turns: int) -> list[float]:
    """Return the guest's waits for its first ``turns`` decisions, in seconds.

    A wait begins when the table opens or when the guest has moved. It ends when the guest can move. If the game ends,
    return fewer waits.
    """
    chosen = random.Random(1)
    waits: list[float] = []
    begun = time.perf_counter()
    while len(waits) < turns:
        look: dict[str, Any] = client.get(f"/api/v1/tables/{table}").json()
        if look["status"] == "over":
            break
        if not look.get("legal"):
            time.sleep(0.01)
            continue
        waits.append(time.perf_counter() - begun)
        move = chosen.choice(look["legal"])["text"]
        body = {"ply": look["ply"], "key": f"bench-{len(waits):04}", "move": move}
        client.post(f"/api/v1/tables/{table}/act", json=body)
        begun = time.perf_counter()
    return waits


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=12)
    given = parser.parse_args()
    about = machine("numba", "starlette")
    os.environ["SPELUNKE_READS_PER_MINUTE"] = "1000000"  # the guest here sends more requests than a page does
    rows = []
    for game in shelf().values():
        folder = Path(tempfile.mkdtemp(prefix="spelunke-bench-"))
        os.environ["SPELUNKE_CACHE"] = str(folder / "cache")
        for cache in ("empty", "filled"):
            begun = time.perf_counter()
            house, address = open_house(folder)
            opened = time.perf_counter() - begun
            try:
                with httpx2.Client(base_url=address, timeout=600) as client:
                    waits = wait_for_turns(client, sit_down(client, game), given.turns)
            finally:
                house.terminate()
                house.wait(20)
            rows.append(
                f"| {game.title} | {cache} | {opened:.1f} | {waits[0]:.1f} | {statistics.median(waits):.1f} |"
                f" {max(waits):.1f} |"
            )
            if cache == "empty":
                fill = [sys.executable, "-m", "spelunke.bots.warming"]
                subprocess.run(
                    fill,
                    input=f"{game.name} {default_level(game)}\n",
                    text=True,
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
        shutil.rmtree(folder, ignore_errors=True)
    write_section(
        "cold",
        "\n".join(
            (
                "## The first table on a new machine",
                "",
                about,
                f"One run of {given.turns} turns at the usual table; the usual bots pause 0.7 s before each move.",
                "With an empty cache a process beside the house compiles on the same cores.",
                "",
                "| game | cache of kernels | house open after, s | first turn after, s | a turn, median | longest |",
                "|---|---|---:|---:|---:|---:|",
                *rows,
            )
        ),
    )


if __name__ == "__main__":
    main()
