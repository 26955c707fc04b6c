"""Measure the time that hash chains take: for a row of a log, a viewer's look, a signature, and a whole move.

    python bench/chain.py [--runs 5]

A look is the state of a table as one viewer may see it. The command takes half a minute, and writes its section of
`bench/results.md`. All times are processor times.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from report import machine, spread, write_section

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.records.chain import Line, Opening, RowChain, next_link, tell_row
from spelunke.records.signing import Signer

ROUNDS = 5_000
OPENING = Opening(
    table="table1",
    game="shanghaien",
    rules=1,
    options={},
    seats=("person", "person"),
    started=0,
    commitment="0" * 64,
    nonces=("a", "b"),
    nonce_commitments=("", ""),
)


def measure(call: Callable[[int], object], times: int = ROUNDS) -> float:
    """Return the mean processor time of ``times`` calls, in microseconds."""
    began = time.thread_time()
    for number in range(times):
        call(number)
    return (time.thread_time() - began) / times * 1e6


def play(house: House, seed: int) -> tuple[list[float], list[float]]:
    """Play a table to its end. Return the processor times of all looks and of all actions, in microseconds.

    A look is the state of the table as the player to act may see it.
    """
    people = [house.people.create(name).id for name in ("Anna", "Ben")]
    acts: list[float] = []
    looks: list[float] = []
    chooser = random.Random(seed)
    table = house.lobby.create(people[0], Plan(game="shanghaien", seats=("me", "open")))
    house.lobby.join(table, people[1])
    for person in people:
        house.lobby.add_nonce(table, person, "nonce")
    while (look := house.looks.look(table)).status == "playing":
        person = people[look.actors[0]]
        began = time.thread_time()
        look = house.looks.look(table, person, since=1 << 30)
        looks.append((time.thread_time() - began) * 1e6)
        move = chooser.choice(look.legal)[1]
        began = time.thread_time()
        house.play.act(table, person, move, look.ply, f"key-{len(acts):06d}")
        acts.append((time.thread_time() - began) * 1e6)
    return looks, acts


def run(seed: int, house: House, found: dict[str, list[float]]) -> None:
    """Run all measurements once, and add their results to ``found``."""
    chain, signer = RowChain(OPENING, bytes(32)), Signer(bytes(32))
    told = tell_row(1, Line(1, 1, "place 4 left", 2900), ())
    link = OPENING.link(0)
    found["a row in the chain of the log"].append(
        measure(lambda n: chain.add(Line(n + 1, 1, "place 4 left", n)))
    )
    found["a row in the chain of a viewer"].append(measure(lambda _: next_link(link, told)))
    found["a signature"].append(measure(lambda n: signer.sign(b"%d" % n), 500))
    looks, acts = play(house, seed)
    found["a whole look of the player to act"] += looks
    found["an action, the whole but for the writer's thread"] += acts


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--runs", type=int, default=5)
    given = reader.parse_args()
    about = machine("cryptography", "sqlalchemy")
    found: dict[str, list[float]] = {
        "a row in the chain of the log": [],
        "a row in the chain of a viewer": [],
        "a signature": [],
        "a whole look of the player to act": [],
        "an action, the whole but for the writer's thread": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(f"sqlite:///{Path(folder) / 'house.sqlite3'}", timers=False)
        try:
            play(house, 0)  # warm
            for seed in range(1, given.runs + 1):
                run(seed, house, found)
        finally:
            house.close()
    lines = [
        "## Chains and signatures",
        "",
        about,
        f"Median and range of {given.runs} runs; of looks and actions, of all of {given.runs} games of Shanghaien.",
        "",
        "| what | µs of the processor, median | range |",
        "|---|---:|---|",
        *(f"| {name} | {spread(values, digits=1)} |" for name, values in found.items()),
    ]
    print("\n".join(lines))
    write_section("chain", "\n".join(lines))


if __name__ == "__main__":
    main()
