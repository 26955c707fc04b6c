"""``python -m spelunke.ahead``: compile the registered games ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from spelunke.ahead.build import build_front, build_game
from spelunke.ahead.link import NoCompiler
from spelunke.ahead.wasm import build_wasm
from spelunke.core.native import ROOT
from spelunke.games import find_game, shelf


def main() -> int:
    """Compile each game in its own process, with at most as many processes at a time as there are processors."""
    parser = argparse.ArgumentParser(prog="python -m spelunke.ahead", description=__doc__)
    parser.add_argument("games", nargs="*", help="all of the shelf if none is named")
    parser.add_argument("--into", type=Path, default=ROOT / "native", help="the folder for the libraries")
    parser.add_argument(
        "--here", action="store_true", help="in this process, without the module that calls libraries"
    )
    parser.add_argument("--wasm", action="store_true", help="as WebAssembly, for browsers and Node")
    given = parser.parse_args()
    names = given.games or list(shelf())
    try:
        if given.here:
            for name in names:
                (build_wasm if given.wasm else build_game)(find_game(name), given.into)
            return 0
        if not given.wasm:
            build_front(given.into)
    except (NoCompiler, RuntimeError) as error:
        print(f"The rules are not compiled: {error}", file=sys.stderr)
        return 1
    begun = time.monotonic()
    environment = {
        **os.environ,
        "SPELUNKE_JIT": "1",
        "SPELUNKE_NATIVE": "",
        "NUMBA_BOUNDSCHECK": "0",
        "NUMBA_OPT": "3",
        "PYTHONHASHSEED": "0",  # Numba goes through sets of names: the same library each time (docs/why/release.md)
        **({"NUMBA_CPU_NAME": "generic"} if given.wasm else {}),
    }
    left, running, failed = list(names), dict[str, subprocess.Popen[bytes]](), 0
    while left or running:
        while left and len(running) < (os.cpu_count() or 1):
            command = [sys.executable, "-m", "spelunke.ahead", left[0], "--here", "--into", str(given.into)]
            command += ["--wasm"] if given.wasm else []
            running[left.pop(0)] = subprocess.Popen(command, env=environment)
        for name, process in list(running.items()):
            if process.poll() is not None:
                failed |= process.returncode
                del running[name]
        time.sleep(0.05)
    print(
        f"{', '.join(names)}: compiled in {time.monotonic() - begun:.0f} s into {given.into}", file=sys.stderr
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
