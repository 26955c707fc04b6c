"""Measure the analysis of whole games on a reader's device: the server's share of the work, and the device's.

    python bench/devices.py [--modules build/wasm] [--games 5] [--dry]

`make wasm` makes the modules. Node runs the scripts of the page as the device. All times are processor time. The
command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from advice import GAMES, play
from report import machine, need_modules, write_section

from spelunke.bots.levels import default_level
from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse
from spelunke.solvers.elsewhere import can_play_elsewhere, finish_analysis, pack_plan

T = TypeVar("T")
STATIC = Path(__file__).parents[1] / "src/spelunke/web/static"
IN_NODE = """
import { readFileSync } from "node:fs";
import { Engine } from "./engine.js";
import { workOff } from "./judging.js";
const [module, plan] = process.argv.slice(2).map((name) => readFileSync(name));
const begun = process.cpuUsage();
const results = workOff(await Engine.load(module), JSON.parse(plan));
const { user, system } = process.cpuUsage(begun);
const text = Buffer.from(results.buffer).toString("base64");
console.log(JSON.stringify({ seconds: (user + system) / 1e6, results: text }));
"""
HEAD = [
    "| game | plies | server alone, s | plan, s | device, s | finish, s | plan, kB | results, kB | off by |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return a result, and the processor time of its second computation: the first may compile kernels."""
    work()
    begun = time.process_time()
    return work(), time.process_time() - begun


def play_elsewhere(module: Path, plan: bytes) -> tuple[bytes, float]:
    """Return the results of a plan from Node, and the processor time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in STATIC.glob("*.js"):
            shutil.copy(file, folder)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "run.js").write_text(IN_NODE)
        (folder / "plan.json").write_bytes(plan)
        command = ["node", str(folder / "run.js"), str(module.resolve()), str(folder / "plan.json")]
        done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return base64.b64decode(done["results"]), float(done["seconds"])


def differ(one: object, other: object) -> float:
    """Return the largest difference of two numbers at the same place. Raise ValueError if anything else differs."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((differ(value, other[name]) for name, value in one.items()), default=0.0)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return max((differ(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other)
    if one != other:
        raise ValueError(f"{one!r} is not {other!r}")
    return 0.0


def measure(name: str, seats: int, options: dict[str, str], modules: Path) -> str:
    """Return a row of the table, for a game of bots."""
    game = find_game(name)
    match = Match(game, seats, options)
    play(match, default_level(game), 5)
    names = [f"Player {seat + 1}" for seat in range(seats)]
    here, alone = timed(lambda: analyse(match, names))
    label = f"{game.title}, {seats} players" + "".join(f", {value}" for value in options.values())
    row = f"| {label} | {match.ply:,} | {alone:.2f} |"
    try:
        plan, planned = timed(lambda: pack_plan(match))
    except BadInput:
        return f"{row} too long for a device | | | | | |"
    results, device = play_elsewhere(modules / f"{name}.wasm", gzip.decompress(plan))
    there, finished = timed(lambda: finish_analysis(match, names, "", results))
    off = differ(msgspec.to_builtins(here), msgspec.to_builtins(there))
    times = f"{planned:.2f} | {device:.2f} | {finished:.2f}"
    return f"{row} {times} | {len(plan) / 1000:.0f} | {len(results) / 1000:.0f} | {off:.0e} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--modules", type=Path, default=Path("build/wasm"))
    parser.add_argument("--games", type=int, default=len(GAMES), help="the number of rows")
    parser.add_argument("--dry", action="store_true", help="print, and leave results.md as it is")
    given = parser.parse_args()
    games = [one for one in GAMES[: given.games] if can_play_elsewhere(find_game(one[0]))]
    need_modules(parser, given.modules, [name for name, _seats, _options in games])
    lines = [
        "## Analyses on a reader's device",
        "",
        machine("numpy", "numba"),
        "One game of bots each, kernels compiled; seconds of the processor. The device is Node; plans are compressed.",
        "The last column is the largest difference from the server's own values.",
        "",
        *HEAD,
    ]
    for game in games:
        lines.append(measure(*game, given.modules))
        print(lines[-1], flush=True)
    if not given.dry:
        write_section("devices", "\n".join(lines))


if __name__ == "__main__":
    main()
