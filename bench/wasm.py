"""Compare the speed of random games in WebAssembly (under Node) and in the native library, in turns on one core.

    python bench/wasm.py [--libraries build/native] [--modules build/wasm] [--runs 5] [--seconds 2] [--dry]

`make wasm` makes the modules, and `python -m spelunke.ahead --into build/native` makes the libraries. The command
writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from report import machine, need_modules, one_core, write_section

from spelunke.games import find_game, shelf

ENGINE = Path(__file__).parents[1] / "src/spelunke/web/static/engine.js"
IN_NODE = """
import { readFileSync } from "node:fs";
import { Engine } from "./engine.mjs";
const rules = await Engine.load(readFileSync(process.argv[2]));
const until = performance.now() + 500;
while (performance.now() < until) rules.playouts(50, 1n);  // the browser compiles twice, the second time well
let [begun, done, stream] = [performance.now(), 0, 1n];
while (performance.now() - begun < 1000 * Number(process.argv[3])) done += rules.playouts(50, (stream += 1n));
console.log(done / (performance.now() - begun) / 1000);
"""


def native(library: Path, name: str, seconds: float) -> float:
    """Return the number of decisions per second in the native library, in millions."""
    loaded, rules = ctypes.CDLL(str(library)), find_game(name).rules
    play = getattr(loaded, f"spelunke_{name}_playouts")
    play.restype = ctypes.c_int64
    usual = getattr(loaded, f"spelunke_{name}_usual")
    usual.restype = ctypes.c_void_p
    state, setup = (ctypes.c_int64 * (rules.STATE.itemsize // 8 + 1))(), ctypes.c_void_p(usual())
    begun, done, stream = time.perf_counter(), 0, 1
    while (now := time.perf_counter()) - begun < seconds:
        stream += 1
        done += play(state, setup, ctypes.byref(ctypes.c_int64(stream)), ctypes.c_int64(50))
    return done / (now - begun) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--libraries", type=Path, default=Path("build/native"))
    parser.add_argument("--modules", type=Path, default=Path("build/wasm"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--dry", action="store_true", help="print, and leave results.md as it is")
    given = parser.parse_args()
    need_modules(parser, given.modules, shelf())
    node = shutil.which("node")
    if node is None:
        parser.error("there is no Node.js here")
    one_core()
    lines = [
        "| game | native, M/s | WebAssembly, M/s | of native | module, kB |",
        "|---|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ENGINE, Path(folder) / "engine.mjs")
        script = Path(folder) / "run.mjs"
        script.write_text(IN_NODE)
        for name in shelf():
            module = given.modules / f"{name}.wasm"
            command = [node, str(script), str(module.resolve()), str(given.seconds)]
            there, here = [], []
            for _ in range(given.runs):
                here.append(native(given.libraries / f"{name}.so", name, given.seconds))
                there.append(
                    float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                )
            shares = [a / b for a, b in zip(there, here, strict=True)]
            size = module.stat().st_size / 1000
            lines.append(
                f"| {name} | {max(here):.1f} | {max(there):.1f} | {statistics.median(shares):.0%} | {size:.0f} |"
            )
    text = "\n".join(
        [
            "## Rules as WebAssembly",
            "",
            f"Random games, decisions of players, the best of {given.runs} runs. Shares: the median of pairs.",
            "",
            machine(),
            "",
            *lines,
        ]
    )
    print(text)
    if not given.dry:
        write_section("wasm", text)


if __name__ == "__main__":
    main()
