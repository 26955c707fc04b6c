"""Simulate a server with many workers, and print the load of workers and databases and the waits of moves.

    python bench/scale.py [--tables 100000] [--every 3] [--cost 4] [--watch 0.05] [--watchers 0.5] [--largest 2000]
                          [--row 0.1] [--databases 4] [--workers 144 192 256 320] [--seconds 30]

`--every` is the time between two moves at a table, in seconds. `--cost` is the time of one core for a move with two
pages, in milliseconds, and `--watch` the same for one more watcher (both from `bench/move.py`). `--row` is the time of
one core that a database needs for a move, in milliseconds (from `bench/house.py`). `--watchers` is the mean number of
watchers per table. Most watchers are at few tables, with at most `--largest` at one table.

Each worker is a queue with one core, which serves the moves of its own tables in the order of their arrival. Tables are
assigned to workers and databases by a hash. Workers share only the bus and the databases. For the conclusions, see
docs/why/scale.md.
"""

from __future__ import annotations

import argparse
import zlib

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def owner_of(tables: int, workers: int) -> Counts:
    """Return the worker of each table: the one with the highest hash of its name and the table's (rendezvous hashing).

    If a worker stops, only its own tables move to other workers.
    """
    best = np.zeros(tables, np.uint32)
    owner = np.zeros(tables, np.int64)
    names = np.arange(tables, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for worker in range(workers):
        mixed = names ^ np.uint64(zlib.crc32(b"worker %d" % worker) * 0xD1342543DE82EF95 & (1 << 64) - 1)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        weight = ((mixed ^ (mixed >> np.uint64(32))) >> np.uint64(16)).astype(np.uint32)
        better = weight >= best
        best[better], owner[better] = weight[better], worker
    return owner


def spread_watchers(tables: int, mean: float, largest: int, chance: np.random.Generator) -> Counts:
    """Return the number of watchers of each table. The numbers follow a power law. Their mean is about ``mean``."""
    weight = 1 / np.arange(1, tables + 1) ** 1.1
    found = np.minimum(weight / weight.sum() * mean * tables, largest).astype(np.int64)
    chance.shuffle(found)
    return found


def wait_in_line(arrivals: Floats, services: Floats) -> Floats:
    """Return the time from each arrival to the end of its service in one queue, in seconds (Lindley)."""
    ends = np.cumsum(services)
    free = np.maximum.accumulate(arrivals - np.concatenate(([0.0], ends[:-1])))
    found: Floats = free + ends - arrivals
    return found


def simulate(
    owner: Counts, services: Floats, every: float, seconds: float, chance: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return the load of each worker, and the waits of all moves in seconds. A load above 1 is more than one core."""
    workers = int(owner.max()) + 1
    loads, waits = np.zeros(workers), []
    for worker in range(workers):
        own = services[owner == worker]
        count = int(chance.poisson(len(own) * seconds / every))
        if not count:
            continue
        arrivals = np.sort(chance.random(count)) * seconds
        taken = own[chance.integers(0, len(own), count)]
        loads[worker] = taken.sum() / seconds
        waits.append(wait_in_line(arrivals, taken))
    return loads, np.concatenate(waits)


def main() -> None:
    """Run the simulation, and print a row for each number of workers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--cost", type=float, default=4.0)
    parser.add_argument("--watch", type=float, default=0.05)
    parser.add_argument("--watchers", type=float, default=0.5)
    parser.add_argument("--largest", type=int, default=2000)
    parser.add_argument("--row", type=float, default=0.1)
    parser.add_argument("--databases", type=int, default=4)
    parser.add_argument("--workers", type=int, nargs="*", default=[144, 192, 256, 320])
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    chance = np.random.default_rng(1)
    watchers = spread_watchers(given.tables, given.watchers, given.largest, chance)
    services = (given.cost + given.watch * watchers) / 1000
    moves = given.tables / given.every
    base = moves / given.databases
    print(f"{given.tables:,} tables, {watchers.sum():,} watchers (at most {watchers.max():,} at one table)")
    print(
        f"{moves:,.0f} moves a second; {given.databases} databases with {base:,.0f} moves a second each, which"
    )
    print(f"takes {base * given.row / 1000:.1f} cores of each")
    print("| workers | load | fullest | wait, ms | 99 of 100 | one lost: tables that move | fullest then |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for workers in given.workers:
        owner = owner_of(given.tables, workers)
        loads, waits = simulate(owner, services, given.every, given.seconds, chance)
        left = owner_of(given.tables, workers - 1)
        moved = int((left != owner).sum())
        fewer, _ = simulate(left, services, given.every, given.seconds, chance)
        print(
            f"| {workers} | {loads.mean():.0%} | {loads.max():.0%} | {np.median(waits) * 1000:.0f} | "
            f"{np.quantile(waits, 0.99) * 1000:.0f} | {moved:,} | {fewer.max():.0%} |"
        )


if __name__ == "__main__":
    main()
