"""Compare Spelunke with other libraries, in one run on one core.

The command measures random play, turns at one table, 1024 tables at once, the size of a state, and the start-up.

    python bench/peers.py [--runs 3] [--seconds 1] [--python PYTHON | --no-install]

OpenSpiel is in the extra `research`. PettingZoo's classic games, rlcard and pgx need an environment of their own (the
peers' environment). The command makes it once in .stamps/peers from bench/peers.txt; `--python` names another one. A
library that can't be installed has no row, and the results give the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from report import machine, one_core, write_section

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / ".stamps" / "peers"
WANTED = HERE / "peers.txt"
OPEN_SPIEL = ("backgammon", "gin_rummy", "pig", "goofspiel")
PETTINGZOO = ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "tictactoe_v3")
RLCARD = ("gin-rummy", "limit-holdem", "uno")
PGX = ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "connect_four", "backgammon")
AWAY = {"rlcard", "pgx", "pettingzoo", "pgx_copies"}
"""The kinds of measurements that run in the peers' environment."""
START = {
    "Spelunke": "from spelunke.games.match import Match\nfrom spelunke.games import find_game\n"
    "m = Match(find_game('shanghaien'))\n"
    "while m.chance: m.apply_chance(m.chances()[0][0])\nassert m.legal(m.actors[0])",
    "OpenSpiel": "import pyspiel\ns = pyspiel.load_game('backgammon').new_initial_state()\n"
    "s.apply_action(s.chance_outcomes()[0][0])\nassert s.legal_actions()",
    "PettingZoo": "from pettingzoo.classic import connect_four_v3\ne = connect_four_v3.env()\ne.reset(seed=1)\n"
    "assert e.last()[0]['action_mask'].any()",
    "rlcard": "import rlcard\ne = rlcard.make('gin-rummy')\nassert e.reset()",
    "pgx": "import jax, pgx\ne = pgx.make('backgammon')\nassert e.init(jax.random.PRNGKey(0)).legal_action_mask.any()",
}


class Row(NamedTuple):
    """One measurement: its table of results, its title in this table, and the arguments KIND and NAME of `loops.py`."""

    group: str
    title: str
    kind: str
    name: str

    @property
    def ours(self) -> bool:
        return self.kind.startswith("our")


TITLES = {
    "playouts": "Random play, decisions a second",
    "bridge": "Random play through OpenSpiel's Python interface, decisions a second",
    "turns": "One table through PettingZoo's AEC interface, steps a second",
    "vectors": "1024 tables at once, steps a second",
    "copies": "A state that is kept, bytes",
}


def rows() -> Iterator[Row]:
    from spelunke.games import shelf

    games = sorted(shelf())
    for name in games:
        yield Row("playouts", f"Spelunke, {name}, in kernels", "ours", name)
    for name in OPEN_SPIEL:
        yield Row("playouts", f"OpenSpiel, {name}, rollouts in C++", "open_spiel_rollouts", name)
    for name in RLCARD:
        yield Row("playouts", f"rlcard, {name}", "rlcard", name)
    for name in games:
        yield Row("bridge", f"Spelunke, {name}, in OpenSpiel", "our_open_spiel", name)
    for name in OPEN_SPIEL:
        yield Row("bridge", f"OpenSpiel, {name}", "open_spiel_python", name)
    for name in games:
        yield Row("turns", f"Spelunke, {name}", "our_turns", name)
    for name in PETTINGZOO:
        yield Row("turns", f"PettingZoo, {name}", "pettingzoo", name)
    for name in games:
        yield Row("vectors", f"Spelunke, {name}, with masks and features", "our_vector", name)
    for name in PGX:
        yield Row("vectors", f"pgx, {name}", "pgx", name)
    for name in games:
        yield Row("copies", f"Spelunke, {name}", "our_copies", name)
    for name in OPEN_SPIEL:
        yield Row("copies", f"OpenSpiel, {name}, a clone in Python", "open_spiel_copies", name)
    for name in PGX:
        yield Row("copies", f"pgx, {name}", "pgx_copies", name)


# --- the peers' Python --------------------------------------------------------------------------


def prepare(home: Path) -> tuple[str | None, dict[str, str]]:
    """Return the path of Python in the environment with the other libraries, and why packages are missing there.

    If the environment does not exist, make it. If that fails, the path is None.
    """
    python = home / "bin" / "python"
    made = home / "made.json"
    wanted = [line for line in WANTED.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    if python.exists() and made.exists():
        last = json.loads(made.read_text(encoding="utf-8"))
        if last["wanted"] == wanted:
            return str(python), last["left out"]
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    print(f"Making {home} for {', '.join(wanted)} ...", file=sys.stderr)
    create = [uv, "venv", "-q"] if uv else [sys.executable, "-m", "venv"]
    if not python.exists() and (reason := _run([*create, str(home)])):
        return None, dict.fromkeys(wanted, reason)
    install = (
        [uv, "pip", "install", "-q", "--python", str(python)] if uv else [str(python), "-m", "pip", "install"]
    )
    left_out = {}
    for package in wanted:
        if reason := _run([*install, package]):
            left_out[package] = reason
            print(f"{package} could not be installed: {reason}", file=sys.stderr)
    made.write_text(json.dumps({"wanted": wanted, "left out": left_out}), encoding="utf-8")
    return str(python), left_out


def _run(command: list[Any]) -> str:
    """Run a command. If it fails, return the last line of its errors, else an empty text."""
    environment = {"UV_SYSTEM_CERTS": "1", **os.environ}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, timeout=900
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr.strip().splitlines() or ["it failed"])[-1].strip()[:160] if done.returncode else ""


def versions(python: str) -> str:
    """Return the versions of Python and of packages in the environment with the other libraries, such as RLCard."""
    code = (
        "import platform\nfrom importlib.metadata import version, PackageNotFoundError\n"
        "found = []\n"
        "for name in ('rlcard', 'pgx', 'jax', 'pettingzoo', 'pygame', 'numpy'):\n"
        "    try:\n        found.append(f'{name} {version(name)}')\n"
        "    except PackageNotFoundError:\n        pass\n"
        "print(f'Python {platform.python_version()}, ' + ', '.join(found))"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


# --- measuring ----------------------------------------------------------------------------------


def measure(python: str, row: Row, seconds: float) -> float | str:
    """Run a measurement in a new process, and return its result. If it fails, return the reason as a text.

    The time limit also allows for compiling.
    """
    call = [python, str(HERE / "loops.py"), row.kind, row.name, str(seconds)]
    try:
        done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=600 + 20 * seconds)
    except subprocess.TimeoutExpired:
        return "took longer than ten minutes"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1][:110]
    return float(json.loads(done.stdout.splitlines()[-1]))


def starting(python: str, code: str, environment: dict[str, str]) -> tuple[float, float] | None:
    """Return the time in milliseconds and the memory in megabytes of a process until its first legal move.

    Return None if the process fails.
    """
    told = "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    begun = time.perf_counter()
    done = subprocess.run(
        [python, "-c", f"{code}\n{told}"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    took = time.perf_counter() - begun
    return None if done.returncode else (1000 * took, int(done.stdout.split()[-1]) / 1024)


# --- the page -----------------------------------------------------------------------------------

FAIR = """
A decision is one choice of a player, at random among the legal ones; chance is not counted. Only rows of one table are
set against each other, and a ratio says how many times faster (or, of a state that is kept, smaller) ours is. The games
differ: a ratio compares what a study of that kind of game gets for its time, not two programs that do the same work.

- **Comparable in kind**: OpenSpiel's backgammon and gin_rummy, and rlcard's gin-rummy, are games of this size; ours
  are run the same way, at random to the end. Of our three, Sanghai is by far the longest and has the largest state.
- **Simpler than anything here**: pig, Kuhn and Leduc poker, tic-tac-toe, connect four. Where such a row beats one of
  ours, it shows what a step costs at least, not a better engine.
- OpenSpiel's rollouts in C++ are those of its `RandomRolloutEvaluator`, asked for by its MCTS; decisions are counted by
  the mean length of its games. What its C++ could do without that interface can't be reached from the wheel.
- Through OpenSpiel's Python interface our games run in Python state by state, and note every ply for the information
  states; its own games run in C++ behind the same calls. Search and solve there, but gather experience in vectors.
- pgx is made for accelerators and runs here on one core of a CPU. Both write an observation and a mask at every step,
  start finished tables again, and choose at random inside.
- A clone of OpenSpiel's is measured by the growth of the process over 20,000 of them, with what Python holds for each;
  ours and pgx's lie side by side in one array.
- Start-up is a process from nothing to the first list of legal moves. Ours loads compiled kernels from a warm cache;
  the very first start compiles them. Without compiling (`SPELUNKE_JIT=0`) it starts sooner and plays slower.
"""


def factor(ours: float, theirs: float) -> str:
    """Return the ratio of two numbers as text, rounded to at most two significant digits."""
    value = ours / theirs
    digits = 0 if value >= 10 else 1 if value >= 1 else 2
    rounded = float(f"{value:.2g}")
    return f"{rounded:,.{digits}f}×"


def describe(
    told: str,
    found: dict[Row, list[float]],
    started: list[str],
    missing: dict[str, str],
    runs: int,
    seconds: float,
) -> str:
    """Return the section of `bench/results.md` as Markdown."""
    lines = ["## Side by side, on one core", "", told]
    lines.append(
        f"Median and range of {runs} interleaved {'run' if runs == 1 else 'runs'} of {seconds:g} s, each in a process "
        "of its own, after warming up. The last columns: how many times better each of our games does than that row."
    )
    for group, heading in TITLES.items():
        lines += ["", f"### {heading}", "", *_table(group, found)]
    lines += ["", "### Process start to the first legal move", ""]
    lines += ["| what | ms, median | memory, MB |", "|---|---:|---:|", *started]
    lines += ["", "### What is and what isn't comparable", "", FAIR.strip()]
    if missing:
        lines += ["", "Not measured:", ""]
        lines += [f"- {title}: {reason}" for title, reason in missing.items()]
    return "\n".join(lines)


def _table(group: str, found: dict[Row, list[float]]) -> list[str]:
    here = {row: statistics.median(values) for row, values in found.items() if row.group == group}
    mine = {row.name: middle for row, middle in here.items() if row.ours}
    lines = [
        "| what | median | range | " + " | ".join(f"{name}" for name in mine) + " |",
        "|---|---:|---|" + "---:|" * len(mine),
    ]
    for row, middle in here.items():
        values = found[row]
        if row.ours:
            factors = [""] * len(mine)
        elif group == "copies":
            factors = [factor(middle, own) for own in mine.values()]
        else:
            factors = [factor(own, middle) for own in mine.values()]
        lines.append(
            f"| {row.title} | {middle:,.0f} | {min(values):,.0f}–{max(values):,.0f} | "
            + " | ".join(factors)
            + " |"
        )
    return lines


def start_all(away: str | None, runs: int) -> list[str]:
    """Return the rows of the table of start-up times."""
    cases: list[tuple[str, str | None, str, dict[str, str]]] = [
        ("Spelunke, shanghaien", sys.executable, START["Spelunke"], {}),
        ("Spelunke, shanghaien, `SPELUNKE_JIT=0`", sys.executable, START["Spelunke"], {"SPELUNKE_JIT": "0"}),
        ("OpenSpiel, backgammon", sys.executable, START["OpenSpiel"], {}),
        ("PettingZoo, connect_four_v3", away, START["PettingZoo"], {}),
        ("rlcard, gin-rummy", away, START["rlcard"], {}),
        ("pgx, backgammon", away, START["pgx"], {}),
    ]
    lines = []
    for title, python, code, environment in cases:
        if python is None or starting(python, code, environment) is None:  # the first run warms the caches
            continue
        took = [one for _ in range(max(runs, 3)) if (one := starting(python, code, environment))]
        middle, memory = (statistics.median(run[k] for run in took) for k in (0, 1))
        lines.append(f"| {title} | {middle:,.0f} | {memory:,.0f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument(
        "--python", help="a Python that has rlcard, pgx and PettingZoo (default: made in .stamps)"
    )
    parser.add_argument("--no-install", action="store_true", help="do without the peers that need installing")
    parser.add_argument(
        "--dry", action="store_true", help="print the section, and leave bench/results.md alone"
    )
    given = parser.parse_args()
    missing: dict[str, str] = {}
    away: str | None = given.python
    if away is None and not given.no_install:
        away, missing = prepare(HOME)
    one_core()
    told = machine("numpy", "numba", "open_spiel", "pettingzoo", "gymnasium")
    if away:
        told += f" The peers in a Python of their own: {versions(away)}."
    found: dict[Row, list[float]] = {}
    started = start_all(away, given.runs)
    for _ in range(given.runs):
        for row in rows():
            about = f"{row.title} ({TITLES[row.group]})"
            if about in missing:
                continue
            python = away if row.kind in AWAY else sys.executable
            value = "no Python with the peers" if python is None else measure(python, row, given.seconds)
            print(f"{about}: {value if isinstance(value, str) else f'{value:,.0f}'}", file=sys.stderr)
            if isinstance(value, str):
                missing[about] = value
            else:
                found.setdefault(row, []).append(value)
        text = describe(told, found, started, missing, given.runs, given.seconds)
        if not given.dry:
            write_section("peers", text)  # after each run, so that an abort loses little
    print(text)


if __name__ == "__main__":
    main()
