"""``python -m spelunke.ahead``: compile the registered games ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from spelunke.ahead.build import build_front, build_library, compile_kernels
from spelunke.ahead.exports import browsers_own, exports_of
from spelunke.ahead.link import NoCompiler
from spelunke.ahead.targets import TARGETS, this_machine
from spelunke.ahead.wasm import build_wasm, exports_for_browsers
from spelunke.core.errors import SpelunkeError
from spelunke.core.native import ROOT
from spelunke.games import find_game, shelf

HERE, BROWSERS = "here", "wasm"


def main() -> int:
    """Compile each game in its own process, with at most one process per processor core.

    With ``--here``, compile all games in this process. Return the exit status: 0 if everything was compiled, else 2.
    """
    given = _arguments().parse_args()
    names = given.games or list(shelf())
    platforms = given.platform or [BROWSERS if given.wasm else HERE]
    places = {one: given.into / one if given.platform else given.into for one in platforms}
    try:
        for name in names:
            find_game(name)
        if given.here:
            for name in names:
                _compile(name, places)
            return 0
        for one in platforms:
            if one != BROWSERS:
                build_front(TARGETS.get(one) or this_machine(), places[one])
    except (NoCompiler, RuntimeError, SpelunkeError, OSError) as error:
        print(f"The rules are not compiled: {error}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    options = ["--here", "--into", str(given.into), *(["--wasm"] if given.wasm else [])]
    options += [part for one in given.platform for part in ("--platform", one)]
    if _share_out(names, options):
        return 2  # each process has said why
    print(
        f"{', '.join(names)}: compiled in {time.monotonic() - begun:.0f} s into {given.into}", file=sys.stderr
    )
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m spelunke.ahead", description=__doc__)
    parser.add_argument("games", nargs="*", help="all of the shelf if none is named")
    parser.add_argument("--into", type=Path, default=ROOT / "native", help="the folder for the libraries")
    parser.add_argument(
        "--here", action="store_true", help="in this process, without the module that calls libraries"
    )
    parser.add_argument("--wasm", action="store_true", help="as WebAssembly, for browsers and Node")
    parser.add_argument(
        "--platform",
        action="append",
        default=[],
        choices=[*TARGETS, BROWSERS],
        help="for this platform, into a folder of its name; may be given several times (needs ziglang)",
    )
    return parser


def _compile(name: str, places: dict[str, Path]) -> None:
    """Compile a game in this process.

    Numba compiles each kernel only once. The result is then built for every platform. ``places`` maps each platform to
    the folder for its files.
    """
    game = find_game(name)
    browsers_alone = set(places) == {BROWSERS}
    compiled = compile_kernels(game, exports_for_browsers(game) if browsers_alone else exports_of(game))
    for one, place in places.items():
        if one == BROWSERS:
            own = () if browsers_alone else compile_kernels(game, browsers_own(game)).kernels
            build_wasm(game, replace(compiled, kernels=[*compiled.kernels, *own]), place)
        else:
            build_library(game, compiled, TARGETS.get(one) or this_machine(), place)


def _share_out(names: list[str], options: list[str]) -> bool:
    """Compile each game in a separate process. Return whether any process failed."""
    environment = {
        **os.environ,
        "SPELUNKE_JIT": "1",
        "SPELUNKE_NATIVE": "",
        "NUMBA_BOUNDSCHECK": "0",
        "NUMBA_OPT": "3",
        "NUMBA_CPU_NAME": "generic",  # the text fits every platform, and does not depend on this machine
        # Numba iterates over sets of names. With a fixed seed, it makes the same library each time
        # (docs/why/release.md).
        "PYTHONHASHSEED": "0",
    }
    left, running, failed = list(names), list[subprocess.Popen[bytes]](), False
    while left or running:
        while left and len(running) < (os.cpu_count() or 1):
            command = [sys.executable, "-m", "spelunke.ahead", left.pop(0), *options]
            running.append(subprocess.Popen(command, env=environment))
        ended = [process for process in running if process.poll() is not None]
        failed |= any(process.returncode for process in ended)
        running = [process for process in running if process.returncode is None]
        time.sleep(0.05)
    return failed


if __name__ == "__main__":
    sys.exit(main())
