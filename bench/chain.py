"""What the chains cost: per row of a log, per viewer who looks, per signature, and the whole of a move in a house.

python bench/chain.py
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.records.chain import Line, Opening, RowChain
from spelunke.records.signing import Signer

ROUNDS = 5_000


def measure(what: str, call: Callable[[int], object], times: int = ROUNDS) -> None:
    """Print the mean of so many calls, in microseconds of the processor."""
    began = time.thread_time()
    for number in range(times):
        call(number)
    print(f"{what:44} {(time.thread_time() - began) / times * 1e6:8.1f} µs")


def main() -> None:
    """Measure and print."""
    opening = Opening(
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
    chain, signer = RowChain(opening, bytes(32)), Signer(bytes(32))
    measure("a row in the chain of the log", lambda n: chain.add(Line(n + 1, 1, "place 4 left", n)))
    measure("a signature", lambda n: signer.sign(b"%d" % n), 500)
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(f"sqlite:///{Path(folder) / 'house.sqlite3'}", timers=False)
        try:
            play(house)
        finally:
            house.close()


def play(house: House) -> None:
    """Play tables to their end, and print what acts and looks take."""
    people = [house.create_guest(name).id for name in ("Anna", "Ben")]
    acts, looks = [], []
    chooser = random.Random(1)
    for _ in range(1):
        table = house.create_table(people[0], Plan(game="shanghaien", seats=("me", "open")))
        house.join(table, people[1])
        for person in people:
            house.add_nonce(table, person, "nonce")
        number = 0
        while (look := house.look(table)).status == "playing":
            person = people[look.actors[0]]
            began = time.thread_time()
            look = house.look(table, person, since=1 << 30)
            looks.append(time.thread_time() - began)
            move = chooser.choice(look.legal)[1]
            began = time.thread_time()
            house.act(table, person, move, look.ply, f"key-{number:06d}")
            acts.append(time.thread_time() - began)
            number += 1
    print(f"{'a look of who is asked, median':44} {statistics.median(looks) * 1e6:8.1f} µs")
    print(f"{'an action, the own thread, median':44} {statistics.median(acts) * 1e6:8.1f} µs")


if __name__ == "__main__":
    main()
