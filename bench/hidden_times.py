"""Compare the times of answers in pairs of houses that differ only in what the one who asks may not know.

    python bench/hidden_times.py [--pairs 60] [--looks 40] [--dry]

A pair is one stored table of Sanghai, opened twice, in a window in which several may call. In one house, chosen by
chance, a seat has passed or called unheard. Then another seat and a spectator look, in turns in both houses, and the
other seat passes. Before all that a fourth has passed in both, since the first write of a house takes longest. A pair
gives one number for each: the median of one house divided by that of the other. Of these numbers Student's t is
computed; above 5 the times are called different, which chance alone seldom brings. The same with no difference between
the houses shows what chance brings here, and with looks that are counted 3 % longer, whether the measurement would
notice. Looks are measured by the processor time of their thread, which a busy machine changes little; the pass by
wall-clock time, with its commit. Writes its section of `bench/results.md`.
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
from pathlib import Path

from report import machine, write_section

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from circle import LIVE, Circle
from spelunke.house.house import House, open_house

LIMIT = 5.0
"""Above this Student's t of the pairs says that the times differ."""
HIDDEN = {"nothing": None, "a pass that nobody hears": "pass", "a call that nobody hears": "hep"}
OPTIONS = {"hep_seconds": 0, "hep_window": "sequenced"}
LONGER = "looks are counted 3 % longer"
Logs = dict[str, list[float]]


def open_at(path: Path) -> House:
    """Open a house whose time stands still, so that both houses of a pair have the same."""
    return open_house(f"sqlite:///{path}", timers=False, clock=lambda: 1_700_000_000.0, alone=False)


def twins_of(path: Path, circle: Circle, folder: Path) -> tuple[Circle, Circle]:
    """Return the stored table in two houses."""
    twins = []
    for number in range(2):
        file = folder / f"house{number}.sqlite3"
        shutil.copy(path, file)
        twin = copy.copy(circle)
        twin.house = open_at(file)
        twins.append(twin)
    return twins[0], twins[1]


def spent(ask: Callable[[], object], clock: Callable[[], int]) -> int:
    """Return how much time an answer takes."""
    began = clock()
    ask()
    return clock() - began


def compare(
    plain: Circle, other: Circle, seats: list[int], looks: int, extra: float, chooser: random.Random
) -> Logs:
    """Return the logarithms of the quotients of one pair, by what was timed."""
    found: Logs = {}
    for name, viewer in (("a look of another seat", seats[2]), ("a look of a spectator", None)):
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
        acted[hidden] = spent(lambda circle=circle: circle.act(seats[2], "pass"), time.perf_counter_ns)
    found["a pass of another seat"] = [math.log(acted[True] / acted[False])]
    return found


def measure(path: Path, circle: Circle, seats: list[int], given: argparse.Namespace) -> dict[str, Logs]:
    """Return the logarithms of all pairs, by what is hidden and by what was timed; the kinds of pairs in turn."""
    chooser = random.Random(1)
    found: dict[str, Logs] = {}
    for _ in range(given.pairs):
        for hidden, move in [*HIDDEN.items(), (LONGER, None)]:
            with tempfile.TemporaryDirectory() as folder:
                plain, other = chooser.sample(twins_of(path, circle, Path(folder)), 2)
                for twin in (plain, other):
                    twin.act(seats[3], "pass")  # a house's first write takes longer than all others
                if move:
                    other.act(seats[1], move)
                extra = 0.03 if hidden == LONGER else 0.0
                for asked, logs in compare(plain, other, seats, given.looks, extra, chooser).items():
                    found.setdefault(hidden, {}).setdefault(asked, []).extend(logs)
                plain.house.close()
                other.house.close()
    return found


def t_of(logs: list[float]) -> float:
    """Return Student's t of the mean against zero."""
    return statistics.mean(logs) / (statistics.stdev(logs) / math.sqrt(len(logs)))


def main() -> int:
    """Measure, write the section and return 1 if times tell what is hidden."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--pairs", type=int, default=60)
    reader.add_argument("--looks", type=int, default=40)
    reader.add_argument("--dry", action="store_true", help="write nothing")
    given = reader.parse_args()
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "house.sqlite3"
        house = open_at(path)
        circle = Circle(house, LIVE, 6, OPTIONS)
        seats = circle.to_window(4)
        house.close()
        found = measure(path, circle, seats, given)
    rows = ["| what differs | what was timed | difference of the times | t |", "|---|---|---:|---:|"]
    loud = False
    for hidden, by_asked in found.items():
        for asked, logs in by_asked.items():
            t = t_of(logs)
            loud |= abs(t) > LIMIT and HIDDEN.get(hidden) is not None
            rows.append(f"| {hidden} | {asked} | {math.expm1(statistics.mean(logs)):+.1%} | {t:+.1f} |")
    text = (
        f"## Times of answers and hidden answers\n\n{where}\n`python bench/hidden_times.py`: Sanghai, six seats,"
        f" {given.pairs} pairs of houses for each line, {given.looks} looks of each viewer in each house."
        f" An absolute t above {LIMIT:.0f} says that the times differ. The lines with longer looks show"
        " whether that would be noticed; the pass has no such line.\n\n" + "\n".join(rows)
    )
    print(text)
    if not given.dry:
        write_section("hidden times", text)
    return 1 if loud else 0


if __name__ == "__main__":
    sys.exit(main())
