"""Measure the start-up: the time of `spelunke --help`, of a position's legal moves, and of a first move in Python.

    python bench/start.py [--runs 9] [--libraries FOLDER] [--dry]

Each run is a new process. The first run of each command does not count, because it fills the caches. The commands of
`spelunke` are measured twice: with byte code beside the sources, and with byte code in the user's cache. With
`--libraries`, the first move is also measured with rules compiled ahead. The command writes its section of
`bench/results.md`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import machine, write_section

from spelunke.ahead.link import compiler

FIRST = (
    "from spelunke import Match, find_game; m = Match(find_game('shanghaien'))\n"
    "while m.chance: m.apply_chance(m.chances()[0][0])\n"
    "assert m.legal(m.actors[0])"
)
IN_C = """
#include <dlfcn.h>
#include <stdint.h>

static int64_t state[8192];
static int16_t numbers[65536], weights[65536];

int main(int count, char **given) {
    void *rules = count == 2 ? dlopen(given[1], RTLD_NOW) : 0;
    if (!rules) return 1;
    const int16_t *(*usual)(void) = dlsym(rules, "spelunke_shanghaien_usual");
    int64_t (*start)(void *, const int16_t *) = dlsym(rules, "spelunke_shanghaien_start");
    int64_t (*actors)(const void *) = dlsym(rules, "spelunke_shanghaien_actors");
    int64_t (*chances)(const void *, int16_t *, int16_t *) = dlsym(rules, "spelunke_shanghaien_chances");
    int64_t (*apply_chance)(void *, int64_t) = dlsym(rules, "spelunke_shanghaien_apply_chance");
    int64_t (*legal)(const void *, int64_t, int16_t *) = dlsym(rules, "spelunke_shanghaien_legal");
    int64_t who, seat = 0;
    start(state, usual());
    while ((who = actors(state)) == -1) {
        chances(state, numbers, weights);
        if (apply_chance(state, numbers[0])) return 2;
    }
    while (!(who >> seat & 1)) seat++;
    return legal(state, seat, numbers) > 0 ? 0 : 3;
}
"""
"""A C program that finds the first legal moves of Shanghaien by the library that is its argument."""
SAVE = (
    "import json, sys; from spelunke import Match, find_game; m = Match(find_game(sys.argv[1]))\n"
    "json.dump({'game': sys.argv[1], **m.game.notation.write_position(m.state)}, open(sys.argv[2], 'w'))"
)


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Return a command's wall-clock time and processor time in seconds, and its peak memory in megabytes."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def in_c(folder: Path) -> str:
    """Compile the C program :data:`IN_C` in the folder, and return the path of the result."""
    source, program = folder / "first.c", folder / "first"
    source.write_text(IN_C, encoding="utf-8")
    subprocess.run([*compiler(), "-O2", str(source), "-o", str(program), "-ldl"], check=True)
    return str(program)


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    parser.add_argument(
        "--libraries", help="a folder of rules compiled ahead (`make wheel` leaves build/native)"
    )
    given = parser.parse_args()
    text = [
        *("## Starting", "", machine("typer", "numpy", "numba")),
        f"Processes from nothing to the answer, {given.runs} of each, warm; median and range, the processor's median.",
        *(
            "",
            "| what | byte code | ms | range | processor, ms | memory, MB |",
            "|---|---|---:|---|---:|---:|",
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        position = {}
        plain = {**os.environ, "SPELUNKE_JIT": "0"}
        for game in ("shanghaien", "sanghai"):
            position[game] = str(Path(folder) / f"{game}.json")
            run([sys.executable, "-c", SAVE, game, position[game]], plain)
        spelunke = [sys.executable, "-m", "spelunke.cli"]
        tried = {
            "Python alone": ([sys.executable, "-c", "pass"], {}),
            "`import numpy`": ([sys.executable, "-c", "import numpy"], {}),
            "`spelunke --help`": ([*spelunke, "--help"], {}),
            "`spelunke position`, Shanghaien": (
                [*spelunke, "position", position["shanghaien"], "--legal"],
                {},
            ),
            "`spelunke position`, Sanghai": ([*spelunke, "position", position["sanghai"], "--legal"], {}),
            "a first legal move, plain rules": ([sys.executable, "-c", FIRST], {"SPELUNKE_JIT": "0"}),
            "a first legal move, compiled by Numba": ([sys.executable, "-c", FIRST], {"SPELUNKE_NATIVE": ""}),
        }
        if given.libraries:
            named = {"SPELUNKE_NATIVE": given.libraries}
            tried["a first legal move, compiled ahead"] = ([sys.executable, "-c", FIRST], named)
            program = in_c(Path(folder))
            library = str(Path(given.libraries).resolve() / "shanghaien.so")
            tried["a first legal move from C, without Python"] = ([program, library], {})
        usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        places = {
            "beside the sources": {**usual, "PYTHONPYCACHEPREFIX": str(Path(folder) / "beside")},
            "in the user's cache": {
                **{name: value for name, value in usual.items() if name != "PYTHONPYCACHEPREFIX"},
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        }
        for what, (command, more) in tried.items():
            for place, environment in places.items():
                if place != "beside the sources" and "-m" not in command:
                    continue  # only `spelunke` keeps its byte code elsewhere then
                runs = [run(command, {**environment, **more}) for _ in range(given.runs + 1)][1:]
                took, spent = ([one[kind] * 1000 for one in runs] for kind in (0, 1))
                memory = max(one[2] for one in runs)
                text.append(
                    f"| {what} | {place} | {statistics.median(took):.0f} | {min(took):.0f}–{max(took):.0f} "
                    f"| {statistics.median(spent):.0f} | {memory:.0f} |"
                )
                print(text[-1], flush=True)
    if not given.dry:
        write_section("start", "\n".join(text))


if __name__ == "__main__":
    main()
