"""Compare the response times of two servers that differ only in facts that the requesting person may not know.

    python bench/hidden_times.py [--pairs 60] [--looks 40] [--dry]

A pair of servers opens the same stored table twice. The table is of Sanghai in a window in which several seats may
call, or of Halunken while all seats choose a card. On one of the servers, chosen at random, the hidden seat has
secretly passed or called, or has laid another card. Before this, a third seat moves on both servers, because the first
write of a server takes longest. Afterwards, the command measures both servers in turns: looks of the timed seat, looks
of a spectator, and a move of the timed seat. A look is the state of the table as one viewer may see it.

For each timed action, a pair gives one number: the logarithm of the time on one server divided by the time on the
other. For looks, these are median times. From the numbers of all pairs, the command computes Student's t. If t is above
5 or below -5, the times count as different; chance rarely causes this. Two more measurements serve as a control. In
one, the servers don't differ. In the other, looks count as 3 % longer on one server, which must be noticed. If a
control has the wrong result, the command fails too, because its other results prove nothing.

The time of a look is the processor time of its thread, so a busy machine has little effect. The time of a move is
wall-clock time and includes its commit. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import copy
import math
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from report import machine, write_section
from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from circle import LIVE, Circle
from spelunke.house.house import House, open_house

LIMIT = 5.0
"""If the absolute value of Student's t of the pairs is above this limit, the times count as different."""
OPTIONS = {"hep_seconds": 0, "hep_window": "sequenced"}
LONGER = "looks are counted 3 % longer"
MOVE = "a move of another seat"
Logs = dict[str, list[float]]


@dataclass(frozen=True)
class Case:
    """The difference between two servers: the hidden seat's secret move on each.

    ``plain`` is the move on the first server, and ``other`` the move on the second. None means that the seat has not
    moved. For a control, the measured times of looks on the second server are multiplied by 1 + ``extra``. A look is
    the state of the table as one viewer may see it.
    """

    game: str
    title: str
    plain: str | None = None
    other: str | None = None
    extra: float = 0.0


@dataclass(frozen=True)
class Stage:
    """A stored table. ``seats``: the one with the hidden move, the timed one, and the one that acts before both."""

    path: Path
    circle: Circle
    seats: list[int]
    answer: str
    """The move that the timed seat and the third seat make."""


def open_at(path: Path) -> House:
    """Open the `House` of a server with a stopped clock, so that both servers of a pair have the same time."""
    return open_house(f"sqlite:///{path}", timers=False, clock=lambda: 1_700_000_000.0, alone=False)


def twins_of(path: Path, circle: Circle, folder: Path) -> tuple[Circle, Circle]:
    """Copy the stored table twice, open each copy in a server of its own, and return both."""
    twins = []
    for number in range(2):
        file = folder / f"house{number}.sqlite3"
        shutil.copy(path, file)
        twin = copy.copy(circle)
        twin.house = open_at(file)
        twins.append(twin)
    return twins[0], twins[1]


def spent(ask: Callable[[], object], clock: Callable[[], int]) -> int:
    """Return the time of a call, in the unit of the clock."""
    began = clock()
    ask()
    return clock() - began


def compare(
    plain: Circle, other: Circle, stage: Stage, looks: int, extra: float, chooser: random.Random
) -> Logs:
    """Return, for each timed action, the logarithm of the time on ``other`` divided by the time on ``plain``."""
    found: Logs = {}
    timed = stage.seats[1]
    for name, viewer in (("a look of another seat", timed), ("a look of a spectator", None)):
        times: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(looks):
            for hidden in chooser.sample((False, True), 2):
                circle = other if hidden else plain
                took = spent(lambda circle=circle, viewer=viewer: circle.look(viewer), time.thread_time_ns)
                times[hidden].append(took * (1 + extra * hidden))
        found[name] = [math.log(statistics.median(times[True]) / statistics.median(times[False]))]
    acted = {}
    for hidden in chooser.sample((False, True), 2):
        circle = other if hidden else plain
        acted[hidden] = spent(lambda circle=circle: circle.act(timed, stage.answer), time.perf_counter_ns)
    found[MOVE] = [math.log(acted[True] / acted[False])]
    return found


def measure(stages: dict[str, Stage], cases: list[Case], given: argparse.Namespace) -> dict[Case, Logs]:
    """Return, for each case and timed action, the results of :func:`compare` for all pairs of servers.

    Take the cases in turns.
    """
    chooser = random.Random(1)
    found: dict[Case, Logs] = {case: {} for case in cases}
    for _ in track(range(given.pairs), "pairs of houses", console=Console(stderr=True)):
        for case in cases:
            stage = stages[case.game]
            with tempfile.TemporaryDirectory() as folder:
                plain, other = chooser.sample(twins_of(stage.path, stage.circle, Path(folder)), 2)
                for twin, move in ((plain, case.plain), (other, case.other)):
                    twin.act(
                        stage.seats[2], stage.answer
                    )  # the first write of a server takes longer than later ones
                    if move:
                        twin.act(stage.seats[0], move)
                for asked, logs in compare(plain, other, stage, given.looks, case.extra, chooser).items():
                    found[case].setdefault(asked, []).extend(logs)
                plain.house.close()
                other.house.close()
    return found


def set_stages(folder: Path) -> tuple[dict[str, Stage], list[Case]]:
    """Play a table of each game until a seat can act in secret. Return the tables and the cases to measure."""
    house = open_at(folder / "sanghai.sqlite3")
    sanghai = Circle(house, LIVE, 6, OPTIONS)
    _, hidden, timed, before = sanghai.to_window(4)[:4]
    house.close()
    house = open_at(folder / "halunken.sqlite3")
    halunken = Circle(house, LIVE, 4, game="halunken")
    halunken.to_sealing()
    first, *_, last = halunken.moves(0)
    answer = next(move for move in halunken.moves(1) if move in halunken.moves(2))
    house.close()
    stages = {
        "sanghai": Stage(folder / "sanghai.sqlite3", sanghai, [hidden, timed, before], "pass"),
        "halunken": Stage(folder / "halunken.sqlite3", halunken, [0, 1, 2], answer),
    }
    return stages, [
        Case("sanghai", "nothing"),
        Case("sanghai", "a pass that nobody hears", other="pass"),
        Case("sanghai", "a call that nobody hears", other="hep"),
        Case("sanghai", LONGER, extra=0.03),
        Case("halunken", "nothing", first, first),
        Case("halunken", "which card a seat has laid", first, last),
        Case("halunken", LONGER, first, first, extra=0.03),
    ]


def t_of(logs: list[float]) -> float:
    """Return Student's t: the mean of ``logs`` divided by its standard error."""
    return statistics.mean(logs) / (statistics.stdev(logs) / math.sqrt(len(logs)))


def judge(found: dict[Case, Logs]) -> list[str]:
    """Return a line for each timed action that reveals hidden facts, and for each control with the wrong result."""
    faults = []
    for case, by_asked in found.items():
        for asked, logs in by_asked.items():
            longer = case.extra > 0
            if longer and asked == MOVE:  # only looks are counted longer
                continue
            if (abs(t_of(logs)) > LIMIT) != longer:
                result = "should have differed" if longer else "differ"
                faults.append(f"{case.game}, {case.title}, {asked}: the times {result}")
    return faults


def main() -> int:
    """Run all measurements, and write their section of `bench/results.md`.

    Return 1 if times reveal hidden facts or a control has the wrong result, else 0.
    """
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--pairs", type=int, default=60)
    reader.add_argument("--looks", type=int, default=40)
    reader.add_argument("--dry", action="store_true", help="write nothing")
    given = reader.parse_args()
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        stages, cases = set_stages(Path(folder))
        found = measure(stages, cases, given)
    rows = [
        "| game | what differs | what was timed | difference of the times | t |",
        "|---|---|---|---:|---:|",
    ]
    for case, by_asked in found.items():
        for asked, logs in by_asked.items():
            t = t_of(logs)
            rows.append(
                f"| {case.game} | {case.title} | {asked} | {math.expm1(statistics.mean(logs)):+.1%} | {t:+.1f} |"
            )
    text = (
        f"## Times of answers and hidden answers\n\n{where}\n`python bench/hidden_times.py`: Sanghai with six seats"
        f" and Halunken with four, {given.pairs} pairs of houses for each line, {given.looks} looks of each viewer in"
        f" each house. An absolute t above {LIMIT:.0f} says that the times differ. The lines with longer looks show"
        " whether that would be noticed; the move has no such line.\n\n" + "\n".join(rows)
    )
    print(text)
    if not given.dry:
        write_section("hidden times", text)
    faults = judge(found)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
