"""Measure the rules without a server, on one core.

The command measures random games (with compiled kernels, with plain kernels, and from Python), steps of many tables at
once, copies of states, the start-up, and Sanghai's planner, which finds the cards to lay.

    python bench/engine.py [--runs 5] [--seconds 1] [--game NAME]

With `SPELUNKE_NATIVE=build/native`, the command measures the rules that were compiled ahead of time, and writes another
section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

os.environ.pop("NUMBA_BOUNDSCHECK", None)  # as in play and research

import numpy as np
import numpy.typing as npt
from report import machine, one_core, rate, spread, write_section

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.gymnasium import SpelunkeVector
from spelunke.core.chance import seed_stream
from spelunke.core.contract import OVER
from spelunke.core.kernel import bind, pool
from spelunke.core.native import is_ahead
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.match import Match

Hand: TypeAlias = npt.NDArray[np.int16]

PLAIN = """
import sys, time
from spelunke.core.chance import seed_stream
from spelunke.core.kernel import bind, pool
from spelunke.games import find_game
game = find_game(sys.argv[1]); seats = game.seats[0]
setup = game.setup(seats, game.settle(seats)); one = pool(game.rules.STATE, 1); stream = seed_stream(1)
kernels = bind("spelunke.core.playout", game.rules.__name__)
begun = time.perf_counter(); done = 0
while time.perf_counter() - begun < float(sys.argv[2]):
    done += kernels.playouts(one, 0, setup, stream, 1)
print(done / (time.perf_counter() - begun))
"""
PACKAGE = "spelunke.games.shanghaien"
COUNTED = "A decision is one choice of a player; chance is not counted."
FIRST_MOVE = """
import sys
from spelunke.games.match import Match
from spelunke.games import find_game
match = Match(find_game(sys.argv[1]))
while match.chance:
    match.apply_chance(match.chances()[0][0])
assert match.legal(match.actors[0])
"""


def playouts(game: Game, options: dict[str, object]) -> Callable[[], int]:
    seats = game.seats[0]
    setup, one, stream = (
        game.setup(seats, game.settle(seats, options)),
        pool(game.rules.STATE, 1),
        seed_stream(1),
    )
    kernels = bind("spelunke.core.playout", game.rules.__name__)
    kernels.playouts(one, 0, setup, stream, 1)
    return lambda: int(kernels.playouts(one, 0, setup, stream, 20))


# These loops draw their actions by Python's own generator. `below` of `spelunke.core.chance` runs plain where rules are
# compiled ahead, and would take most of the time.


def stepped(game: Game) -> Callable[[], int]:
    table, stream, draw = Table(game), seed_stream(1), random.Random(1).random

    def work() -> int:
        desk, done = Desk(table), 0
        desk.decide_chance(stream)
        while (seat := desk.seat()) != OVER:
            legal = desk.legal(seat)
            desk.play(seat, legal[int(draw() * len(legal))])
            desk.decide_chance(stream)
            done += 1
        return done

    return work


def advanced(game: Game) -> Callable[[], int]:
    table, stream, draw = Table(game), seed_stream(1), random.Random(1).random
    listed = memoryview(table.numbers)

    def work() -> int:
        desk, done = Desk(table), 0
        seat = desk.advance(0, -1, stream)
        while seat != OVER:
            seat = desk.advance(seat, listed[1 + int(draw() * listed[0])], stream)
            done += 1
        return done

    return work


def held(game: Game) -> Callable[[], int]:
    table, stream, draw = Table(game), seed_stream(1), random.Random(1).random
    listed = memoryview(table.numbers)

    def work() -> int:
        step, done = Desk(table).stepper(stream), 0
        seat = step(0, -1)
        while seat != OVER:
            seat = step(seat, listed[1 + int(draw() * listed[0])])
            done += 1
        return done

    return work


def matched(game: Game) -> Callable[[], int]:
    draw = random.Random(1).random

    def work() -> int:
        match, done = Match(game), 0
        while not match.over and done < 200:
            if match.chance:
                found = match.chances()
                match.apply_chance(found[int(draw() * len(found))][0])
                continue
            legal = match.legal(match.actors[0])
            match.act(match.actors[0], legal[int(draw() * len(legal))])
            done += 1
        return done

    return work


def vector(game: Game, tables: int, features: bool = True) -> Callable[[], int]:
    env = SpelunkeVector(game.name, tables, features=features)
    env.reset(seed=1)
    actions = env.choose()

    def work() -> int:
        env.choose(actions)
        env.step(actions)
        return tables

    return work


def copies(game: Game) -> Callable[[], int]:
    states = pool(game.rules.STATE, 1000)

    def work() -> int:
        np.copy(states)
        return 1000

    return work


def plain(game: Game, seconds: float) -> float:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, game.name, str(seconds)],
        env={**os.environ, "SPELUNKE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def planner_rows(hands: int = 500) -> list[str]:
    """Measure how fast Sanghai's planner answers three questions about a hand, for each of eight contracts.

    Return a table row for each contract and question, with times in microseconds.
    """
    from spelunke.games.sanghai.planning import SPAN, can_lay, lacking, new_plan, unload, wish
    from spelunke.games.sanghai.state import JOKER, KINDS, wide

    deal = random.Random(1)
    pack = [*range(JOKER)] * 2 + [JOKER] * 4
    drawn = [deal.sample(pack, deal.randint(11, 15)) for _ in range(hands)]
    counts = [np.bincount(hand, minlength=KINDS).astype(np.int16) for hand in drawn]
    far, helps, plan = wide(99), np.zeros(KINDS, np.int16), new_plan()
    points = np.array([14, *range(2, 14)] * 4 + [15], np.int16)
    sets, runs = np.zeros(13, np.int16), np.zeros(0, SPAN)
    rows = []
    for contract in ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3), (4, 0)):
        want = wish(*contract, 4, 0, 0, 0, 0)
        asked: dict[str, Callable[[Hand], object]] = {
            "can it be laid": lambda h, want=want: can_lay(h, want),
            "fewest missing and what helps": lambda h, want=want: lacking(h, want, far, helps),
            "most points": lambda h, want=want: unload(h, want, points, sets, runs, plan),
        }
        for name, ask in asked.items():
            times = [min(timeit.repeat(partial(ask, h), number=20, repeat=3)) / 20e-6 for h in counts]
            told = " | ".join(f"{x:.1f}" for x in (*np.percentile(times, (50, 99)), max(times)))
            rows.append(f"| {contract[0]} sets, {contract[1]} runs | {name} | {told} |")
    return rows


def start_up(game: Game, jit: str) -> float:
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_MOVE, game.name], env={**os.environ, "SPELUNKE_JIT": jit}, check=True
    )
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--game", default="")
    given = parser.parse_args()
    one_core()
    told = machine("numpy", "numba")
    rows = []
    for game in shelf().values():
        if given.game and game.name != given.game:
            continue
        busy = {o.name: True for o in game.options if o.default is False}
        works: list[tuple[str, Callable[[], int]]] = [("playouts in kernels, compiled", playouts(game, {}))]
        try:
            works.append(("the same with every switch on", playouts(game, dict(busy))))
        except Exception as error:  # options that exclude each other
            print(f"{game.name}: {error}", file=sys.stderr)
        works += [
            ("1024 tables as a vector, random actions, masks and features", vector(game, 1024)),
            ("the same, masks alone", vector(game, 1024, features=False)),
            ("stepped from Python by number", stepped(game)),
            ("the same, one call a decision", advanced(game)),
            ("the same, with its arrays held", held(game)),
            ("a Match, typed and logged", matched(game)),
        ]
        for name, work in works:
            work()
            rows.append(
                f"| {game.title} | {name} | {spread([rate(work, given.seconds) for _ in range(given.runs)], 1e3, 1)} |"
            )
            print(rows[-1], flush=True)
        slow = [plain(game, given.seconds) for _ in range(given.runs)]
        rows.append(f"| {game.title} | playouts, plain Python (`SPELUNKE_JIT=0`) | {spread(slow, 1e3, 1)} |")
        memory = [rate(copies(game), given.seconds) for _ in range(given.runs)]
        copied = f"copies of the state ({game.rules.STATE.itemsize} bytes), side by side"
        rows.append(f"| {game.title} | {copied} | {spread(memory, 1e3, 0)} |")
        start_up(game, "1")
        for name, jit in (("compiled, warm cache", "1"), ("plain", "0")):
            times = [start_up(game, jit) * 1000 for _ in range(given.runs)]
            rows.append(
                f"| {game.title} | process start to the first legal move, {name}, ms | {spread(times, 1, 0)} |"
            )
        print("\n".join(rows[-4:]), flush=True)
    planned: list[str] = []
    ahead = is_ahead(PACKAGE)
    if given.game in ("", "sanghai") and not ahead:  # a library has no planner that Python calls alone
        planned = [
            "",
            "### Sanghai's planner, microseconds a hand",
            "",
            "500 random hands of 11 to 15 cards out of two packs with four jokers; asked one by one from Python, the",
            "call included.",
            "",
            "| contract | question | median | 99 of 100 | slowest |",
            "|---|---|---:|---:|---:|",
            *planner_rows(),
        ]
        print("\n".join(planned), flush=True)
    text = "\n".join(
        (
            "## The engine with rules compiled ahead, on one core" if ahead else "## The engine, on one core",
            "",
            told,
            f"Median and range of {given.runs} runs of {given.seconds:g} s. " + COUNTED,
            "",
            "| game | what | thousands a second (or ms), median | range |",
            "|---|---|---:|---|",
            *rows,
            *planned,
        )
    )
    write_section("engine ahead" if ahead else "engine", text)


if __name__ == "__main__":
    main()
