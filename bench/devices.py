"""Measure the analysis of whole games on a reader's device: the server's share of the work, and the device's.

    python bench/devices.py [--modules build/wasm] [--games 7] [--dry]

`make wasm` makes the modules. Node is the device, and runs the scripts of the page. All times are processor time. The
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
from msgspec import structs
from report import machine, need_modules, write_section

from spelunke.analysis.analysis import Analysis
from spelunke.bots.levels import default_level
from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse
from spelunke.solvers.elsewhere import finish_analysis, pack_plan

T = TypeVar("T")
STATIC = Path(__file__).parents[1] / "src/spelunke/web/static"
ROWS = (("shanghaien", 2, {}), ("shanghaien", 2, {"start_trick": "both", "match": "sum_of_three"}), *GAMES)
IN_NODE = """
import { readFileSync } from "node:fs";
import { Engine } from "./engine.js";
import { workOff } from "./judging.js";
import { solveRounds, unpack } from "./rounds.js";
const [module, plan, weights] = process.argv.slice(2).map((name) => readFileSync(name));
const begun = process.cpuUsage();
const [rules, planned] = [await Engine.load(module), JSON.parse(plan)];
const results = weights ? solveRounds(rules, await unpack(weights), planned) : workOff(rules, planned);
const { user, system } = process.cpuUsage(begun);
const text = Buffer.from(results.buffer).toString("base64");
console.log(JSON.stringify({ seconds: (user + system) / 1e6, results: text }));
"""
HEAD = [
    "| game | plies | server alone, s | plan, s | device, s | finish, s | plan, kB | results, kB | off by |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Call ``work`` twice. Return the second result and its processor time. The first call may compile kernels."""
    work()
    begun = time.process_time()
    return work(), time.process_time() - begun


def play_elsewhere(module: Path, plan: bytes) -> tuple[bytes, float]:
    """Do the work of a plan in Node: its playouts, or rounds to solve. Return the results and the processor time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in STATIC.glob("*.js"):
            shutil.copy(file, folder)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "run.js").write_text(IN_NODE)
        (folder / "plan.json").write_bytes(plan)
        files = [module.resolve(), folder / "plan.json"]
        if (weights := module.with_suffix(".weights")).exists():
            files.append(weights.resolve())
        command = ["node", str(folder / "run.js"), *map(str, files)]
        done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return base64.b64decode(done["results"]), float(done["seconds"])


def differ(one: object, other: object) -> float:
    """Return the largest difference between two floats at the same place in two results.

    Raise ValueError if anything but a float differs.
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((differ(value, other[name]) for name, value in one.items()), default=0.0)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return max((differ(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other)
    if one != other:
        raise ValueError(f"{one!r} is not {other!r}")
    return 0.0


def tell(found: Analysis) -> object:
    """Return an analysis as plain values, with the alternatives of a decision in the order of their texts.

    Alternatives of the same value may be in another order on a device.
    """
    decisions = (
        structs.replace(one, alternatives=tuple(sorted(one.alternatives, key=lambda each: each.move)))
        for one in found.decisions
    )
    return msgspec.to_builtins(structs.replace(found, decisions=tuple(decisions)))


def measure(name: str, seats: int, options: dict[str, str], modules: Path) -> str:
    """Analyse a game between bots, on the server and on the device. Return the row of the results for this game."""
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
    off = differ(tell(here), tell(there))
    times = f"{planned:.2f} | {device:.2f} | {finished:.2f}"
    return f"{row} {times} | {len(plan) / 1000:.0f} | {len(results) / 1000:.0f} | {off:.0e} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--modules", type=Path, default=Path("build/wasm"))
    parser.add_argument("--games", type=int, default=len(ROWS), help="the number of rows")
    parser.add_argument("--dry", action="store_true", help="print, and leave results.md as it is")
    given = parser.parse_args()
    games = ROWS[: given.games]
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
