"""Measure the time that a guest waits for a bot while another guest plays at many tables at once.

    python bench/crowd.py [--tables 100] [--moves 30] [--game shanghaien] [--level mate] [--dry]

The server runs in this process, with its threads for bots. The modest guest plays at a single table, and the greedy
guest at all other tables. Both play a random move as soon as a bot has moved. Times are wall-clock times, so other work
on the machine makes them longer. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path

from report import machine, write_section

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan


class Guest:
    """A guest who plays random moves, at tables with one bot each."""

    def __init__(self, house: House, name: str, plan: Plan, seed: int) -> None:
        self.house, self.plan, self.rng = house, plan, random.Random(seed)
        self.person = house.people.create(name).id
        self.moves = 0

    def sit(self) -> str:
        """Open a table, start its game, and return the table's id."""
        table = self.house.lobby.create(self.person, self.plan)
        self.house.lobby.add_nonce(table, self.person, "crowd")
        self.house.attendance.fetched(table, self.person)  # as a page does
        return table

    def play(self, table: str) -> str:
        """Play one move if it is this guest's turn. Return the table, or a new table if the game is over."""
        look = self.house.looks.look(table, self.person, since=1 << 30)
        if look.status == "over":
            return self.sit()
        if look.legal:
            self.moves += 1
            text = self.rng.choice(look.legal)[1]
            self.house.play.act(table, self.person, text, look.ply, f"move-{self.moves:06d}")
        return table


def wait_for_bots(guest: Guest, moves: int) -> list[float]:
    """Play until bots have answered ``moves`` times. Return the time of each answer in seconds."""
    waits: list[float] = []
    table = guest.sit()
    began = time.perf_counter()
    waiting = False
    while len(waits) < moves:
        look = guest.house.looks.look(table, guest.person, since=1 << 30)
        if look.legal or look.status == "over":
            if waiting:
                waits.append(time.perf_counter() - began)
            table = guest.play(table)
            after = guest.house.looks.look(table, guest.person, since=1 << 30)
            began, waiting = time.perf_counter(), not after.legal
        time.sleep(0.005)
    return waits


def row_of(what: str, waits: list[float]) -> str:
    ordered = sorted(waits)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    return f"| {what} | {statistics.median(ordered):.2f} s | {late:.2f} s | {ordered[-1]:.2f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--game", default="shanghaien")
    parser.add_argument("--level", default="mate")
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    house = open_house(f"sqlite:///{folder / 'house.sqlite3'}")
    try:
        plan = Plan(game=given.game, seats=("me", f"bot:{given.level}"), listed=False)
        modest, greedy = Guest(house, "Modest", plan, 1), Guest(house, "Greedy", plan, 2)
        wait_for_bots(modest, 5)  # warm
        alone = wait_for_bots(modest, given.moves)
        stop = threading.Event()
        places = [greedy.sit() for _ in range(given.tables)]

        def play() -> None:
            while not stop.is_set():
                for n, table in enumerate(places):
                    places[n] = greedy.play(table)

        thread = threading.Thread(target=play)
        thread.start()
        time.sleep(5)
        beside = wait_for_bots(modest, given.moves)
        health = house.health()
        stop.set()
        thread.join()
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)
    text = [
        *("## A guest beside one with many tables", "", machine("sqlalchemy")),
        f"{given.moves} answers of {given.level} in {given.game}, of which 0.7 s are its pause.",
        *("", "| the guest is | median | 95 of 100 | longest |", "|---|---:|---:|---:|"),
        row_of("alone", alone),
        row_of(f"beside one who plays at {given.tables} tables at once", beside),
        *("", f"`/health` then: {health.status}, bots late by {health.bots_late_ms} ms."),
    ]
    print("\n".join(text))
    if not given.dry:
        write_section("crowd", "\n".join(text))


if __name__ == "__main__":
    main()
