"""Measure a move and a look inside the server, without HTTP, on one core. `bench/move.py` measures them with HTTP.

    python bench/inside.py [--moves 300] [--seconds 5] [--players 32] [--runs 3]
                           [--profile act|look|draw] [--dry]

- The parts of a move: the action, a glance (the check whether there is something new for a seat), a look (the state of
  the table as the seat may see it), drawing the page, and writing its message. The action has two times: the time of
  the thread that brings the action, and the time of all threads, which includes the commit. All are processor times,
  so they are valid on a busy machine too. The smallest time is closest to the time on a quiet machine.
- The rates of `act` and `look` per second: actions of many players, which share commits, and looks of a reader who has
  seen all but the last move. They are measured by wall-clock time and by processor time.

`--profile` prints a profile of one part, and measures nothing. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import random
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from report import machine, one_core, write_section

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.store.waiting import run
from spelunke.web.parts.waiting import Invitation
from spelunke.web.renderings import Asker, Held, Renderings
from spelunke.web.words import LANGUAGE, tongue_of

T = TypeVar("T")
GAMES_EACH = 12
"""The number of tables that each player task gets. It plays at most one game at each, one after the other."""
PARTS = {
    "act": "the action, in the thread that brings it",
    "act, with its commit": "the action and its commit, all threads",
    "glance": "a glance: is there something new for this seat?",
    "look": "a look at it, the first after a move",
    "again": "the same look again",
    "draw": "all parts of the page, the look among it",
    "write": "the message with what changed",
}


class Clock:
    """A clock that records the processor time of calls, for each part of a move."""

    def __init__(self, profiled: str) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)
        self.profiled = profiled
        self.profile = cProfile.Profile(time.thread_time)

    def call(self, part: str, what: Callable[..., T], *given: Any, **named: Any) -> T:
        if self.profiled:
            return (
                self.profile.runcall(what, *given, **named)
                if part == self.profiled
                else what(*given, **named)
            )
        everybody, own = time.process_time(), time.thread_time()
        found = what(*given, **named)
        self.spent[part].append(time.thread_time() - own)
        if part == "act":
            self.spent["act, with its commit"].append(time.process_time() - everybody)
        return found


def sit(house: House, names: tuple[str, str]) -> tuple[str, list[str]]:
    """Open a table for two people, and return its id and the people."""
    people = [house.people.create(name).id for name in names]
    table = house.lobby.create(people[0], Plan(game="shanghaien", seats=("me", "open"), listed=False))
    house.lobby.join(table, people[1])
    for person in people:
        house.lobby.add_nonce(table, person, "bench")
    return table, people


def measure_parts(house: House, moves: int, clock: Clock) -> None:
    """Measure the time of each part of a move, for ``moves`` moves. After each move, update both players' pages."""
    renderings, tongue, chooser = Renderings(house), tongue_of("en"), random.Random(3)
    LANGUAGE.set("en")
    done = 0
    while done < moves:
        table, people = sit(house, ("Anna", "Bert"))
        plies, held = dict.fromkeys(people, 0), dict.fromkeys(people, Held())
        while done < moves:
            looks = {}
            for person in people:
                glance = clock.call("glance", house.attendance.glance, table, person)
                asked = {"since": plies[person], "translate": tongue.games, "words": tongue.house}
                for part in ("look", "again"):
                    clock.call(part, house.looks.look, table, person, **asked)
                asker = Asker(person, "en", Invitation("http://bench", False))
                shown = clock.call("draw", renderings.draw, "page", table, asker, glance, plies[person])
                told = clock.call("write", shown.write_parts, held[person], plies[person], whole=False)
                held[person] = told[1]
                looks[person], plies[person] = shown.look, shown.since_after(plies[person]).ply
            mover = next((person for person in people if looks[person].legal), None)
            if mover is None:
                break
            text = chooser.choice(looks[mover].legal)[1]
            clock.call("act", house.play.act, table, mover, text, looks[mover].ply, f"key-{done:08d}")
            done += 1


async def act_on(house: House, number: int, places: list[tuple[str, list[str]]], until: float) -> int:
    """Play actions one after the other until the time ``until``. Return their number.

    The moves are chosen from the tables in the server's memory.
    """
    chooser = random.Random(number)
    done = 0
    for table, people in places:
        while time.perf_counter() < until:
            with house._tables.open(table, fresh=False) as slot:
                running = slot.table
                if not running.running or running.match is None:
                    break
                seat, ply = running.actors[0], running.row
                text = chooser.choice(running.match.texts(seat))
            await run(house.play.act, table, people[seat], text, ply, f"key-{done:08d}")
            done += 1
    return done


def measure_acts(house: House, players: int, seconds: float) -> tuple[float, float]:
    """Return the number of actions per second of wall-clock time, and per second of processor time."""
    places = [
        [sit(house, (f"Anna {number}", f"Bert {number}")) for _ in range(GAMES_EACH)]
        for number in range(players)
    ]

    async def play() -> int:
        until = time.perf_counter() + seconds
        return sum(
            await asyncio.gather(
                *(act_on(house, number, theirs, until) for number, theirs in enumerate(places))
            )
        )

    began, spent = time.perf_counter(), time.process_time()
    done = asyncio.run(play())
    return done / (time.perf_counter() - began), done / (time.process_time() - spent)


def measure_looks(house: House, seconds: float) -> tuple[float, float]:
    """Return the number of looks per second of wall-clock time, and per second of processor time.

    A look is the state of a table as one viewer may see it. The table is in the middle of a game.
    """
    table, people = sit(house, ("Anna", "Bert"))
    for number in range(30):
        look = next(look for look in (house.looks.look(table, person) for person in people) if look.legal)
        house.play.act(table, people[look.seat or 0], look.legal[0][1], look.ply, f"key-{number:08d}")
    ply = house.looks.look(table, people[0]).ply
    done, began, spent = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() < began + seconds:
        for person in people:
            house.looks.look(table, person, since=ply - 1)
        done += 2
    return done / (time.perf_counter() - began), done / (time.process_time() - spent)


def rows_of(clock: Clock) -> list[str]:
    rows = []
    for part, told in PARTS.items():
        spent = sorted(value * 1000 for value in clock.spent[part][len(clock.spent[part]) // 10 :])
        shown = (statistics.median(spent), spent[0], spent[len(spent) // 10], spent[len(spent) * 9 // 10])
        rows.append(f"| {told} | {shown[0]:.3f} | {shown[1]:.3f} | {shown[2]:.3f}–{shown[3]:.3f} |")
    return rows


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--players", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--profile", choices=("act", "look", "draw"), default="")
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    one_core()
    about = machine("sqlalchemy", "msgspec")
    # Put the folder beside this checkout, because /tmp may be in memory, where no commit is durable.
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    house = open_house(f"sqlite:///{folder / 'house.sqlite3'}", timers=False)
    try:
        clock = Clock(given.profile)
        measure_parts(house, given.moves, clock)
        if given.profile:
            pstats.Stats(clock.profile).sort_stats("tottime").print_stats(40)
            return
        acts = [measure_acts(house, given.players, given.seconds) for _ in range(given.runs)]
        looks = [measure_looks(house, given.seconds) for _ in range(given.runs)]
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)
    text = [
        *("## A move inside the house, on one core", "", about),
        f"{given.moves} moves of Shanghaien, both pages told of each; milliseconds of processor.",
        f"Then {given.runs} runs of {given.seconds:g} s, `act` by {given.players} players.",
        *("", "| what | median | least | 10 to 90 of 100 |", "|---|---:|---:|---|", *rows_of(clock)),
        *("", "| a second, on one core | median | range | a second of processor |", "|---|---:|---|---:|"),
    ]
    for name, runs in (("act, committed durably", acts), ("look", looks)):
        rates, of_processor = [run[0] for run in runs], statistics.median(run[1] for run in runs)
        text.append(
            f"| {name} | {statistics.median(rates):,.0f} | {min(rates):,.0f}–{max(rates):,.0f} | {of_processor:,.0f} |"
        )
    print("\n".join(text))
    if not given.dry:
        write_section("inside", "\n".join(text))


if __name__ == "__main__":
    main()
